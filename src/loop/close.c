// SPDX-License-Identifier: MIT
// Closing loops: positions, velocities and accelerations of the joints that follow.
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "loop/loop_workspace.h"

// --- positions

lwStatus lw_loops_close(lwLoops* loops, double* q, double gap[2])
{
  loops->closer.held = loops->set->driven;
  bool closed        = lw_loop_solve(&loops->closer, q);
  if (gap) memcpy(gap, loops->closer.gap, 2 * sizeof *gap);
  return closed ? LW_OK : LW_ERROR_OPEN;
}

enum
{
  STARTS_EACH = 64,   // starts for each joint that follows
  MOST_STARTS = 1024  // of all
};

// A number between 0 and 1, spread evenly over k for each i,
// and differently for each i (Kronecker's sequence).
static double start_number(int k, int i)
{
  double x = k * sqrt(2 + 3 * i) + 0.5;
  return x - floor(x);
}

// Whether entry i of qd moves a row that holds positions, J as it was placed.
static bool moves_loops(const lwLoops* loops, int i)
{
  bool moves = false;
  for (int r = 0; r < loops->set->shut; ++r)
    moves = moves || loops->J[(size_t)r * (size_t)loops->dof + (size_t)i] != 0;
  return moves;
}

// Start k: joints that are not driven anywhere, the position of floating ones as it is.
static void start_near(const lwLoops* loops, int k, const double* q, double* out)
{
  const lwModel* model = loops->model;
  double turn          = 2 * LW_PI;
  memcpy(out, q, (size_t)model->nq * sizeof *q);
  for (int i = 0; i < model->dof; ++i)
  {
    double x = start_number(k, i) - 0.5;
    if (loops->set->driven[i] || !moves_loops(loops, i)) continue;
    loops->rest[i]        = model->velocities[i].slides ? 0 : turn * x;
    const lwLimits* limit = &model->robot.joints[model->velocities[i].joint].limits;
    int at                = model->position[i];
    bool bounded          = isfinite(limit->lower) && isfinite(limit->upper);
    if (model->velocities[i].slides && at >= 0 && bounded)
      loops->rest[i] = limit->lower + (x + 0.5) * (limit->upper - limit->lower) - q[at];
  }
  lw_model_integrate(model, q, loops->rest, out);
}

// Whole turns of joints that follow are taken off, so that angles are next to those of q.
static void unwind(const lwLoops* loops, const double* q, double* found)
{
  const lwModel* model = loops->model;
  double turn          = 2 * LW_PI;
  for (int i = 0; i < model->dof; ++i)
  {
    int at           = model->position[i];
    lwJointType type = model->robot.joints[model->velocities[i].joint].type;
    bool turns       = !model->velocities[i].slides && type != LW_JOINT_SCREW;
    if (at >= 0 && turns && !loops->set->driven[i])
      found[at] -= turn * round((found[at] - q[at]) / turn);
  }
}

// How far two positions are apart: the largest step of a joint.
static double apart(const lwLoops* loops, const double* a, const double* b)
{
  const lwModel* model = loops->model;
  double most = 0, turn = 2 * LW_PI;
  lw_model_difference(model, a, b, loops->rest);
  for (int i = 0; i < model->dof; ++i)
  {
    double step = loops->rest[i];
    if (!model->velocities[i].slides && model->position[i] >= 0) step -= turn * round(step / turn);
    most = fmax(most, fabs(step));
  }
  return most;
}

// Puts a position where it belongs: by distance from q. Returns the new count.
static int insert_found(const lwLoops* loops, const double* q, const double* found, int count,
                        int most, double* all)
{
  size_t nq       = (size_t)loops->model->nq;
  double distance = apart(loops, q, found);
  int at          = 0;
  for (int k = 0; k < count; ++k)
    if (apart(loops, all + (size_t)k * nq, found) < 1e-6) return count;
  while (at < count && apart(loops, q, all + (size_t)at * nq) <= distance) ++at;
  if (at >= most) return count;
  int moved = count < most ? count - at : most - 1 - at;
  memmove(all + (size_t)(at + 1) * nq, all + (size_t)at * nq, (size_t)moved * nq * sizeof *all);
  memcpy(all + (size_t)at * nq, found, nq * sizeof *all);
  return count < most ? count + 1 : most;
}

int lw_loops_close_all(lwLoops* loops, const double* q, int most, double* all)
{
  int followers = 0, count = 0;
  lw_loops_at(loops, q);
  for (int i = 0; i < loops->dof; ++i) followers += !loops->set->driven[i] && moves_loops(loops, i);
  int starts = STARTS_EACH * followers < MOST_STARTS ? STARTS_EACH * followers : MOST_STARTS;
  memset(loops->rest, 0, (size_t)loops->dof * sizeof *loops->rest);
  for (int k = 0; k <= starts && most > 0; ++k)
  {
    memset(loops->rest, 0, (size_t)loops->dof * sizeof *loops->rest);
    if (k == 0)
      memcpy(loops->trial, q, (size_t)loops->model->nq * sizeof *q);
    else
      start_near(loops, k, q, loops->trial);
    if (lw_loops_close(loops, loops->trial, NULL) != LW_OK) continue;
    unwind(loops, q, loops->trial);
    count = insert_found(loops, q, loops->trial, count, most, all);
  }
  return count;
}

void lw_loops_hold_columns(lwLoops* loops, const bool* held)
{
  for (int i = 0; i < loops->dof; ++i)
    for (int r = 0; r < loops->rows && held && held[i]; ++r)
      loops->J[(size_t)r * (size_t)loops->dof + (size_t)i] = 0;
}

void lw_loops_fill_gram(lwLoops* loops, int count)
{
  size_t rows = (size_t)count, dof = (size_t)loops->dof;
  loops->cut.n = count;
  for (size_t a = 0; a < rows; ++a)
    for (size_t b = 0; b <= a; ++b)
    {
      double sum = 0;
      for (size_t i = 0; i < dof; ++i) sum += loops->J[a * dof + i] * loops->J[b * dof + i];
      loops->cut.A[a * rows + b] = sum;
    }
}

void lw_loops_gram(lwLoops* loops, int count)
{
  lw_loops_fill_gram(loops, count);
  lw_psd_factor(&loops->cut, LW_LOOP_LEAST);
}

// step = -J^+ right: the least step that changes the rows by -right. right is overwritten.
static void least_step(lwLoops* loops, double* right, double* step)
{
  lw_psd_solve(&loops->cut, right);
  for (int i = 0; i < loops->dof; ++i)
  {
    step[i] = 0;
    for (int r = 0; r < loops->cut.n; ++r)
      step[i] -= loops->J[(size_t)r * (size_t)loops->dof + (size_t)i] * right[r];
  }
}

void lw_loops_project_free(lwLoops* loops, const bool* held, double* q, double* qd)
{
  static const int MOST = 5;
  const lwModel* model  = loops->model;
  double before         = INFINITY;
  for (int k = 0; k < MOST; ++k)
  {
    double gap[2], largest = 0;
    lw_loops_gap(loops, q, gap);
    lw_loop_jacobian(model, &loops->closer.motion, loops->J);
    lw_loops_hold_columns(loops, held);
    largest = fmax(gap[0], gap[1]);
    if (largest < 1e-14 || !(largest < before / 4)) break;
    before = largest;
    lw_loops_gram(loops, loops->set->shut);
    least_step(loops, loops->closer.error, loops->rest);
    lw_model_integrate(model, q, loops->rest, q);
  }
  if (!qd) return;
  lw_loops_gram(loops, loops->rows);
  for (int pass = 0; pass < 2; ++pass)
  {
    for (int r = 0; r < loops->rows; ++r)
    {
      loops->force[r] = 0;
      for (int i = 0; i < loops->dof; ++i)
        loops->force[r] += loops->J[(size_t)r * (size_t)loops->dof + (size_t)i] * qd[i];
    }
    least_step(loops, loops->force, loops->rest);
    for (int i = 0; i < loops->dof; ++i) qd[i] += loops->rest[i];
  }
}

void lw_loops_project(lwLoops* loops, double* q, double* qd)
{
  lw_loops_project_free(loops, NULL, q, qd);
}

// --- velocities and accelerations

// How late velocity i may become one that follows: speeds that have names after others, driven ones
// last.
static int pivot_turn(const lwLoops* loops, int i)
{
  const lwSpeedPlan* plan = &loops->set->speeds;
  if (loops->set->driven[i]) return 2;
  for (int k = 0; k < plan->count; ++k)
    if (plan->named[k] == i) return 1;
  return 0;
}

// The largest entry of rows without a pivot, in columns whose turn it is.
static double find_pivot(const lwLoops* loops, int turn, int* row, int* column)
{
  size_t width = (size_t)loops->dof + 1;
  double most  = 0;
  for (int r = 0; r < loops->rows; ++r)
    for (int i = 0; i < loops->dof && !loops->taken[r]; ++i)
    {
      double size = fabs(loops->table[(size_t)r * width + (size_t)i]);
      if (!(size > most) || loops->pivot_of[i] >= 0 || pivot_turn(loops, i) != turn) continue;
      most    = size;
      *row    = r;
      *column = i;
    }
  return most;
}

static void eliminate_column(lwLoops* loops, int row, int column)
{
  size_t width  = (size_t)loops->dof + 1;
  double* pivot = loops->table + (size_t)row * width;
  double over   = 1 / pivot[column];
  for (size_t i = 0; i < width; ++i) pivot[i] *= over;
  for (int r = 0; r < loops->rows; ++r)
  {
    double* other = loops->table + (size_t)r * width;
    double k      = other[column];
    if (r == row || k == 0) continue;
    for (size_t i = 0; i < width; ++i) other[i] -= k * pivot[i];
    other[column] = 0;
  }
  loops->taken[row]       = true;
  loops->pivot_of[column] = row;
}

void lw_loops_eliminate(lwLoops* loops, const double* right, bool all)
{
  size_t dof = (size_t)loops->dof, width = dof + 1;
  double largest = 0;
  for (int r = 0; r < loops->rows; ++r)
  {
    double* row = loops->table + (size_t)r * width;
    memcpy(row, loops->J + (size_t)r * dof, dof * sizeof *row);
    row[dof]        = right ? right[r] : 0;
    loops->taken[r] = false;
    for (size_t i = 0; i < dof; ++i) largest = fmax(largest, fabs(row[i]));
  }
  for (size_t i = 0; i < dof; ++i) loops->pivot_of[i] = -1;
  for (int turn = 0; turn < (all ? 3 : 2); ++turn)
    for (int row = 0, column = 0; find_pivot(loops, turn, &row, &column) > 1e-9 * largest;)
      eliminate_column(loops, row, column);
}

// Solves J x = -right for the entries of x that are not driven;
// those that no row determines stay as they are.
static lwStatus follow(lwLoops* loops, const double* right, double* x)
{
  size_t width = (size_t)loops->dof + 1;
  lw_loops_eliminate(loops, right, false);
  for (int i = 0; i < loops->dof; ++i)
    if (loops->pivot_of[i] >= 0) x[i] = 0;
  memcpy(loops->rest, x, (size_t)loops->dof * sizeof *x);
  bool open = false;
  for (int r = 0; r < loops->rows; ++r)
  {
    const double* row = loops->table + (size_t)r * width;
    double sum = row[loops->dof], size = fabs(sum);
    int column = -1;
    for (int i = 0; i < loops->dof; ++i)
    {
      sum += row[i] * loops->rest[i];
      size += fabs(row[i] * loops->rest[i]);
      if (loops->pivot_of[i] == r) column = i;
    }
    if (column >= 0) x[column] = -sum;
    open = open || (column < 0 && !(fabs(sum) <= 1e-9 * (1 + size)));
  }
  return open ? LW_ERROR_OPEN : LW_OK;
}

lwStatus lw_loops_velocity(lwLoops* loops, const double* q, double* qd)
{
  lw_loops_at(loops, q);
  return follow(loops, NULL, qd);
}

lwStatus lw_loops_acceleration(lwLoops* loops, const double* q, const double* qd, double* qdd)
{
  lw_loops_at(loops, q);
  lw_loop_bias(loops->model, &loops->closer.motion, qd, loops->bias);
  return follow(loops, loops->bias, qdd);
}
