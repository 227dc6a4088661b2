// SPDX-License-Identifier: MIT
// All solutions for six joints of which the axes of the last three meet in one point, the wrist centre (Pieper 1968).
//
//   G = T T(0)^-1 = screw_1 .. screw_6   what the joints do to the last link
// The last three leave the wrist centre c where it is, so screw_1 screw_2 screw_3 c = G c: the position problem of three
// joints. The rotation that is left belongs to the last three: screw_4 screw_5 screw_6 = (screw_1 screw_2 screw_3)^-1 G.
// Where the model differs from this picture by rounding, or by the little that was allowed when the wrist was found,
// Newton's method on the model itself takes it out.
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "math/rotation.h"
#include "trajectory/ik.h"
#include "trajectory/screws.h"

enum
{
  JOINTS  = 6,
  NEWTONS = 12
};

static const double PI       = 3.14159265358979323846;
static const double MEETING  = 1e-6;   // sizes of the arm between axes that meet
static const double ALONG    = 1e-7;   // sine of an angle that is taken for none
static const double VERIFIED = 1e-8;   // sizes of the arm, and rad, of a solution
static const double ROUNDED  = 1e-15;  // sizes of the arm, and rad: nothing is left to gain
static const double SAME     = 1e-6;   // rad, or sizes of the arm, between solutions that are one

struct lwWrist
{
  lwScrew screw[JOINTS];
  double centre[3];  // of the wrist at q = 0, m
  double p0[3];      // m, of the last link at q = 0
  double R0[9];
};

// --- finding the wrist

// The screws, from the Jacobian at q = 0: v = axis x (p - point).
static bool find_screws(lwIk* ik, lwWrist* wrist)
{
  const double* J  = ik->task.J;
  double q[JOINTS] = {0};
  lw_pose(ik->task.model, ik->task.ws, q, wrist->p0, wrist->R0);
  lw_task_jacobian(&ik->task, q);
  for (int i = 0; i < JOINTS; ++i)
  {
    lwScrew* screw = &wrist->screw[i];
    double v[3], w[3], arm[3];
    for (int k = 0; k < 3; ++k) v[k] = J[k * JOINTS + i], w[k] = J[(k + 3) * JOINTS + i];
    double length = lw_length(w);
    screw->slides = length < 0.5;
    if (screw->slides) length = lw_length(v);
    if (!(length > 0)) return false;
    lw_cross(w, v, arm);
    for (int k = 0; k < 3; ++k)
    {
      screw->axis[k]  = (screw->slides ? v[k] : w[k]) / length;
      screw->point[k] = wrist->p0[k] + (screw->slides ? 0 : arm[k] / (length * length));
    }
  }
  return true;
}

// Do the screws move the last link as the model does? Not if joints are coupled.
static bool screws_are_right(lwIk* ik, const lwWrist* wrist)
{
  lwRandom random = {1};
  for (int trial = 0; trial < 3; ++trial)
  {
    double q[JOINTS], p[3], R[9], x[3], Q[9], by[9], error[6];
    for (int i = 0; i < JOINTS; ++i) q[i] = lw_random_between(&random, -1, 1);
    lw_pose(ik->task.model, ik->task.ws, q, p, R);
    memcpy(x, wrist->p0, sizeof x);
    memcpy(Q, wrist->R0, sizeof Q);
    for (int i = JOINTS - 1; i >= 0; --i)
    {
      lw_screw_move(&wrist->screw[i], q[i], x, x);
      lw_screw_rotation(&wrist->screw[i], q[i], by);
      lw_rotation_product(by, Q, Q);
    }
    lw_pose_error(p, R, x, Q, error);
    if (lw_length(error) > 1e-9 * ik->size || lw_length(error + 3) > 1e-9) return false;
  }
  return true;
}

// The distance of a point from an axis, and the point of the axis next to it.
static double foot_of(const lwScrew* screw, const double x[3], double foot[3])
{
  double arm[3], along;
  for (int k = 0; k < 3; ++k) arm[k] = x[k] - screw->point[k];
  along = lw_dot(arm, screw->axis);
  for (int k = 0; k < 3; ++k)
  {
    foot[k] = screw->point[k] + along * screw->axis[k];
    arm[k]  = x[k] - foot[k];
  }
  return lw_length(arm);
}

// Where axes 4 and 5 are nearest to each other; false if they are parallel.
static bool find_centre(lwWrist* wrist)
{
  const lwScrew *four = &wrist->screw[3], *five = &wrist->screw[4];
  double normal[3], between[3], along[3], foot[3];
  lw_cross(four->axis, five->axis, normal);
  double sine2 = lw_dot(normal, normal);
  if (sine2 < MEETING) return false;
  for (int k = 0; k < 3; ++k) between[k] = five->point[k] - four->point[k];
  lw_cross(between, five->axis, along);
  double t = lw_dot(along, normal) / sine2;
  for (int k = 0; k < 3; ++k) wrist->centre[k] = four->point[k] + t * four->axis[k];
  foot_of(five, wrist->centre, foot);
  for (int k = 0; k < 3; ++k) wrist->centre[k] = 0.5 * (wrist->centre[k] + foot[k]);
  return true;
}

static const char* why_no_wrist(lwIk* ik, lwWrist* wrist)
{
  double foot[3], normal[3];
  if (!find_screws(ik, wrist)) return "a joint does not move the last link";
  if (!screws_are_right(ik, wrist)) return "joints are coupled";
  for (int i = 3; i < JOINTS; ++i)
    if (wrist->screw[i].slides) return "one of the last three joints is prismatic";
  const char* apart = "the axes of the last three joints do not meet in one point";
  if (!find_centre(wrist)) return apart;
  for (int i = 3; i < JOINTS; ++i)
    if (foot_of(&wrist->screw[i], wrist->centre, foot) > MEETING * ik->size) return apart;
  lw_cross(wrist->screw[4].axis, wrist->screw[5].axis, normal);
  if (lw_dot(normal, normal) < MEETING) return "the axes of the last two joints are parallel";
  return NULL;
}

bool lw_wrist_find(lwIk* ik)
{
  ik->no_wrist = "it has not six moving joints";
  if (ik->task.n != JOINTS) return true;
  lwWrist* wrist = lw_arena_take(&ik->arena, 1, sizeof *wrist);
  if (!wrist) return false;
  ik->no_wrist = why_no_wrist(ik, wrist);
  if (!ik->no_wrist) ik->wrist = wrist;
  return true;
}

lwStatus lw_ik_check_wrist(const lwIk* ik, lwDiag* diag)
{
  if (ik->wrist) return LW_OK;
  LW_REFUSE(diag, NULL, "%s", ik->no_wrist);
  return LW_ERROR_INPUT;
}

// --- the last three joints

// Both (q4, q5, q6) whose rotation is R. Where axes 4 and 6 come to lie along each other only their sum, or difference,
// matters: q4 is then that of the guess, and the solution is one of many.
static int last_three(const lwWrist* wrist, const double R[9], const double guess[6],
                      double q[2][3], bool* free)
{
  const double *w4 = wrist->screw[3].axis, *w5 = wrist->screw[4].axis, *w6 = wrist->screw[5].axis;
  double y[3], normal[3], z[3], size;
  lw_rotate(R, w6, y);  // screw_4 screw_5 brings w6 to y; z is where screw_5 alone brings it
  lw_cross(w4, w5, normal);
  double c = lw_dot(w4, w5), sine2 = lw_dot(normal, normal);
  double a    = (lw_dot(w4, y) - c * lw_dot(w5, w6)) / sine2;
  double b    = (lw_dot(w5, w6) - c * lw_dot(w4, y)) / sine2;
  double rest = (1 - a * a - b * b - 2 * a * b * c) / sine2;
  if (!(rest > -1e-7)) return 0;
  double side = sqrt(fmax(rest, 0));
  double off[3];
  lw_cross(w4, y, off);
  *free = lw_length(off) < ALONG;
  for (int k = 0; k < 2; ++k, side = -side)
  {
    double R4[9], R5[9], left[9], e[3];
    for (int i = 0; i < 3; ++i) z[i] = a * w4[i] + b * w5[i] + side * normal[i];
    q[k][1] = lw_angle_about(w5, w6, z, &size);
    q[k][0] = *free ? guess[3] : lw_angle_about(w4, z, y, &size);
    lw_screw_rotation(&wrist->screw[3], q[k][0], R4);
    lw_screw_rotation(&wrist->screw[4], q[k][1], R5);
    lw_rotation_product(R4, R5, left);
    lw_rotation_transpose(left, left);
    lw_rotation_product(left, R, left);
    lw_rotation_log(left, e);
    q[k][2] = lw_dot(e, w6);
  }
  return *free || side == 0 ? 1 : 2;
}

// --- solutions

// One step of Newton's method on the model.
static void newton_step(lwIk* ik, const lwMiss* miss, double q[6])
{
  double rows[JOINTS * JOINTS], step[JOINTS];
  lw_task_jacobian(&ik->task, q);
  memcpy(rows, ik->task.J, sizeof rows);
  for (int i = 0; i < JOINTS; ++i)
  {
    const double w[3] = {rows[18 + i], rows[24 + i], rows[30 + i]};
    for (int row = 0; row < 3; ++row)
      rows[(row + 3) * JOINTS + i] = lw_dot(miss->rate + 3 * row, w);
  }
  lw_task_decompose(&ik->task, rows, JOINTS);
  lw_svd_solve(&ik->task.svd, miss->error, 0, 1e-9 * lw_svd_largest(&ik->task.svd), step);
  for (int i = 0; i < JOINTS; ++i) q[i] += step[i];
}

// Newton's method from a good start, the best place of it; near a singularity it may lose before it gains.
static lwMiss polish(lwIk* ik, const lwTarget* target, double q[6])
{
  double now[JOINTS];
  memcpy(now, q, sizeof now);
  lwMiss best = lw_ik_miss(ik, target, q), miss = best;
  for (int k = 0, lost = 0; k < NEWTONS && lost < 3 && isfinite(miss.cost); ++k)
  {
    if (best.position <= ROUNDED * ik->size && best.angle <= ROUNDED) break;
    newton_step(ik, &miss, now);
    miss = lw_ik_miss(ik, target, now);
    ++lost;
    if (!(miss.cost < best.cost)) continue;
    lost = 0;
    best = miss;
    memcpy(q, now, sizeof now);
  }
  return best;
}

// Among the turns of a revolute joint the one within the limits that is nearest to the guess, or just the nearest.
static bool choose_turn(const lwIk* ik, int i, double guess, double* q)
{
  double lower = ik->lower[i], upper = ik->upper[i], room = 1e-9;
  if (!ik->wrist->screw[i].slides)
  {
    double near    = fmin(fmax(guess, lower), upper);
    double nearest = *q + 2 * PI * round((near - *q) / (2 * PI));
    while (nearest > upper + room && nearest - 2 * PI >= lower - room) nearest -= 2 * PI;
    while (nearest < lower - room && nearest + 2 * PI <= upper + room) nearest += 2 * PI;
    *q = nearest;
  }
  return *q >= lower - room && *q <= upper + room;
}

static bool is_same(const lwIk* ik, const double a[6], const double b[6])
{
  for (int i = 0; i < JOINTS; ++i)
  {
    double d = a[i] - b[i];
    if (ik->wrist->screw[i].slides)
      d /= ik->size;
    else
      d -= 2 * PI * round(d / (2 * PI));
    if (fabs(d) > SAME) return false;
  }
  return true;
}

static int add_solution(lwIk* ik, const lwTarget* target, const double guess[6], lwIkSolution made,
                        int count, lwIkSolution* solutions)
{
  lwMiss miss = polish(ik, target, made.q);
  if (!(miss.position <= VERIFIED * ik->size && miss.angle <= VERIFIED)) return count;
  for (int k = 0; k < count; ++k)
    if (is_same(ik, solutions[k].q, made.q)) return count;
  if (count == LW_MAX_SOLUTIONS) return count;
  made.inside         = true;
  made.position_error = miss.position;
  made.angle_error    = miss.angle;
  for (int i = 0; i < JOINTS; ++i)
    made.inside = choose_turn(ik, i, guess[i], &made.q[i]) && made.inside;
  solutions[count] = made;
  return count + 1;
}

// G as a rotation and what it does to the wrist centre.
static void goal_of(const lwWrist* wrist, const lwTarget* target, double G[9], double centre[3])
{
  double back[9], arm[3];
  lw_rotation_transpose(wrist->R0, back);
  lw_rotation_product(target->rotation, back, G);
  for (int k = 0; k < 3; ++k) arm[k] = wrist->centre[k] - wrist->p0[k];
  lw_rotate(G, arm, arm);
  for (int k = 0; k < 3; ++k) centre[k] = target->position[k] + arm[k];
}

static int find_all(lwIk* ik, const lwTarget* target, const double* guess,
                    lwIkSolution solutions[LW_MAX_SOLUTIONS])
{
  const lwWrist* wrist = ik->wrist;
  const double none[6] = {0};
  double G[9], centre[3];
  lwThree first[LW_MAX_THREE];
  lwTarget full = *target;
  int count     = 0;
  if (!guess) guess = none;
  for (int k = 0; k < 6; ++k) full.weights[k] = 1;
  goal_of(wrist, target, G, centre);
  int found = lw_three_joints(wrist->screw, wrist->centre, centre, ik->size, guess, first);
  for (int k = 0; k < found; ++k)
  {
    double left[9], by[9], last[2][3];
    bool free = false;
    memcpy(left, G, sizeof left);
    for (int i = 0; i < 3; ++i)
    {
      lw_screw_rotation(&wrist->screw[i], -first[k].q[i], by);
      lw_rotation_product(by, left, left);
    }
    int pairs = last_three(wrist, left, guess, last, &free);
    for (int j = 0; j < pairs; ++j)
    {
      lwIkSolution made = {.free_joint = free ? 3 : first[k].free_joint};
      memcpy(made.q, first[k].q, sizeof first[k].q);
      memcpy(made.q + 3, last[j], sizeof last[j]);
      count = add_solution(ik, &full, guess, made, count, solutions);
    }
  }
  return count;
}

lwStatus lw_ik_all(lwIk* ik, const lwTarget* target, const double* guess, lwDiag* diag,
                   lwIkSolution solutions[LW_MAX_SOLUTIONS], int* count)
{
  lwStatus status = lw_ik_check_wrist(ik, diag);
  *count          = status == LW_OK ? find_all(ik, target, guess, solutions) : 0;
  return status;
}
