// SPDX-License-Identifier: MIT
// Dynamics of robots with loops.
//
//   [ M  J^T ] [ qdd ]   [ tau - h ]        h = C qd + g - J_w^T w of the tree
//   [ J   0  ] [ -f  ] = [ -c      ]        c = dJ/dt qd
//
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter 8. M = L^T D L in the order of the
// tree has no fill-in. With Y = L^-T J^T, the Schur complement is A = Y^T D^-1 Y and A f = -c -
// Y^T D^-1 z, z = L^-T (tau - h); then qdd = L^-1 D^-1 (z + Y f). A column of Y is zero but on the
// way between the two links of its loop and the base. Where the rows leave few speeds, qdd is found
// in their null space instead (kernels/speeds/null_space.h), and f from what is left.
#include <math.h>
#include <string.h>

#include "loop/loop_workspace.h"
#include "math/lu.h"
#include "model/expand.h"

// --- forward

double lw_loops_rotor(const lwLoops* loops, int k)
{
  const lwModel* model = loops->model;
  double sum           = 0;
  for (int i = 0; i < model->n; ++i)
    if (model->leader[i] == k) sum += model->gain[i] * model->gain[i] * model->link64[i].rotor;
  return sum;
}

void lw_loops_add_rotors(lwLoops* loops)
{
  for (int k = 0; k < loops->dof; ++k)
    loops->M[(size_t)k * ((size_t)loops->dof + 1)] += lw_loops_rotor(loops, k);
}

// The equations in users' coordinates, each part by the method of its own question.
static void equations_by_methods(lwLoops* loops, const lwStates* state)
{
  const lwModel* model = loops->model;
  lwLoopSystem* system = &loops->system;
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof;
  double* h = loops->rest;
  lw_loops_at(loops, state->q);
  lw_loop_bias(model, &loops->closer.motion, state->qd ? state->qd : loops->other, system->bias);
  lw_answer(model, loops->ws, LW_QUESTION_INERTIA, state, loops->M);
  lw_answer(model, loops->ws, LW_QUESTION_INVERSE,
            &(lwStates){.q = state->q, .qd = state->qd, .wrench = state->wrench}, h);
  for (size_t i = 0; i < dof; ++i)
  {
    double* y = system->Y + i * (size_t)system->width;
    for (size_t r = 0; r < rows; ++r) y[r] = loops->J[r * dof + i];
    y[rows] = (state->tau ? state->tau[i] : 0) - h[i];
    for (size_t r = rows + 1; r < (size_t)system->width; ++r) y[r] = 0;
  }
}

// All at once, in coordinates between.
static void equations_at_once(lwLoops* loops, const lwStates* state)
{
  const lwModel* model    = loops->model;
  lwLoopState parent_axes = {state->q, state->qd ? state->qd : loops->other,
                             state->tau ? state->tau : loops->other};
  if (model->ball_count > 0)
  {
    ball_rotations(model, state->q, loops->R);
    to_parent_axes(model, loops->R, parent_axes.yd, loops->rest);
    parent_axes.yd = loops->rest;
    if (state->tau) to_parent_axes(model, loops->R, parent_axes.tau, loops->V);
    if (state->tau) parent_axes.tau = loops->V;
  }
  loops->isa->loop_equations->write(model, &parent_axes, &loops->system);
}

// Forces of rows that depend on others, or nearly so: the least sum of squares.
static void solve_by_rank(lwLoops* loops)
{
  const lwLoopSystem* system = &loops->system;
  size_t rows = (size_t)loops->rows, width = (size_t)system->width;
  loops->cut.n = loops->rows;
  for (size_t a = 0; a < rows; ++a)
    for (size_t b = 0; b <= a; ++b) loops->cut.A[a * rows + b] = system->A[b * width + a];
  lw_psd_factor_by_rank(&loops->cut, LW_LOOP_LEAST);
  lw_psd_solve(&loops->cut, system->force);
}

// qdd and the forces of rows by the Schur complement of the rows.
static void solve_rows(lwLoops* loops, double* qdd, double* forces)
{
  const lwLoopElimination* elimination = loops->isa->loop_elimination;
  elimination->eliminate(&loops->system);
  bool redundant = loops->set->rank < loops->rows;
  if (redundant || !elimination->solve(&loops->system, LW_PSD_PLAIN)) solve_by_rank(loops);
  elimination->accelerate(&loops->system, qdd);
  if (forces) memcpy(forces, loops->system.force, (size_t)loops->rows * sizeof *forces);
}

// rest (dof) = M qdd + h - tau, M by its lower triangle
static void unbalanced(const lwLoops* loops, const double* qdd, double* rest)
{
  const lwSpeedSystem* speeds = &loops->speeds;
  size_t dof                  = (size_t)loops->dof;
  for (size_t i = 0; i < dof; ++i) rest[i] = -speeds->right[i];
  for (int i = 0; i < loops->dof; ++i)
    for (int k = i; k >= 0; k = speeds->parent[k])
    {
      double m = speeds->M[(size_t)i * dof + (size_t)k];
      rest[i] += m * qdd[k];
      if (k != i) rest[k] += m * qdd[i];
    }
}

// qdd by the null space of the rows; false where its plan does not serve.
static bool solve_speeds(lwLoops* loops, double* qdd)
{
  const lwNullSpace* kernel = loops->isa->null_space;
  const lwSpeedPlan* plan   = &loops->set->speeds;
  lwSpeedSystem* speeds     = &loops->speeds;
  size_t width              = (size_t)loops->system.width;
  loops->left.J             = loops->system.Y;
  loops->left.across        = 1;
  loops->left.along         = width;
  memcpy(loops->left.bias, loops->system.bias, (size_t)loops->rows * sizeof(double));
  for (int i = 0; i < loops->dof; ++i)
    speeds->right[i] = loops->system.Y[(size_t)i * width + (size_t)loops->rows];
  lw_loops_set_count(loops, plan->count);
  kernel->eliminate(plan, &loops->left);
  kernel->expand(plan, &loops->left, speeds);
  if (!lw_loops_plan_serves(loops)) return false;
  kernel->project(speeds);
  kernel->accelerate(speeds, qdd);
  return true;
}

// f (rows) with J^T f = rest by the factors of the plan, where no row is redundant, with a step of
// refinement. Entry (r, i) of J is J[r * across + i * along]. rest is overwritten.
static void planned_forces(lwLoops* loops, const double* J, size_t across, size_t along,
                           double* rest, double* f)
{
  const lwNullSpace* kernel = loops->isa->null_space;
  size_t rows               = (size_t)loops->rows;
  kernel->forces(&loops->set->speeds, &loops->left, rest, f);
  for (size_t i = 0; i < (size_t)loops->dof; ++i)
    for (size_t r = 0; r < rows; ++r) rest[i] -= J[r * across + i * along] * f[r];
  double* more = loops->left.bias;  // no longer needed
  kernel->forces(&loops->set->speeds, &loops->left, rest, more);
  for (size_t r = 0; r < rows; ++r) f[r] += more[r];
}

// Forces of the rows, none of which is redundant, after solve_speeds().
static void speed_forces(lwLoops* loops, const double* qdd, double* forces)
{
  double* rest = loops->rest;
  unbalanced(loops, qdd, rest);
  planned_forces(loops, loops->kept, 1, (size_t)loops->system.width, rest, forces);
}

static void write_equations(lwLoops* loops, const lwStates* state, bool at_once)
{
  memset(loops->other, 0, (size_t)loops->dof * sizeof *loops->other);
  if (at_once)
    equations_at_once(loops, state);
  else
    equations_by_methods(loops, state);
  if (loops->rotors) lw_loops_add_rotors(loops);
}

void lw_loops_forward(lwLoops* loops, const lwStates* state, double* qdd, double* forces)
{
  bool at_once = !loops->by_methods && !state->wrench;
  // forces of redundant rows are found by rank in any case, with the Schur complement sooner
  bool by_speeds = loops->by_speeds && !(forces && loops->set->rank < loops->rows);
  write_equations(loops, state, at_once);
  size_t size = (size_t)loops->dof * (size_t)loops->system.width;
  if (by_speeds && forces) memcpy(loops->kept, loops->system.Y, size * sizeof(double));
  bool solved = by_speeds && solve_speeds(loops, qdd);
  if (solved && forces) speed_forces(loops, qdd, forces);
  if (!solved)
  {
    if (by_speeds) write_equations(loops, state, at_once);
    solve_rows(loops, qdd, forces);
  }
  if (at_once) accelerations_back(loops->model, loops->R, state->qd, qdd);
}

// --- inverse

// tau (dof), zero where not driven, the shortest with N^T tau = N^T rest; false if there is none.
static bool least_torque(lwLoops* loops, const double* rest, double* tau)
{
  const double* N = loops->speeds.N;
  size_t dof = (size_t)loops->dof, m = (size_t)loops->speeds.count, width = loops->speeds.width;
  lwPsd* G      = &loops->drive;
  double *power = loops->other, size = 0, missing = 0;
  G->n = (int)m;
  for (size_t a = 0; a < m; ++a)
  {
    power[a] = 0;
    for (size_t i = 0; i < dof; ++i) power[a] += N[i * width + a] * rest[i];
    for (size_t b = 0; b <= a; ++b)
    {
      double sum = 0;
      for (size_t i = 0; i < dof; ++i)
        if (loops->set->driven[i]) sum += N[i * width + a] * N[i * width + b];
      G->A[a * m + b] = sum;
    }
  }
  lw_psd_factor(G, LW_LOOP_LEAST);
  for (size_t a = 0; a < m; ++a) tau[a] = power[a];
  lw_psd_solve(G, tau);
  double* share = G->K;  // free again: (m) of the solution
  memcpy(share, tau, m * sizeof *share);
  for (size_t i = 0; i < dof; ++i)
  {
    tau[i] = 0;
    for (size_t a = 0; a < m && loops->set->driven[i]; ++a) tau[i] += N[i * width + a] * share[a];
  }
  for (size_t a = 0; a < m; ++a)
  {
    double left = power[a];
    for (size_t i = 0; i < dof; ++i)
    {
      left -= N[i * width + a] * tau[i];
      size = fmax(size, fabs(N[i * width + a] * rest[i]));
    }
    missing = fmax(missing, fabs(left));
  }
  return missing <= 1e-9 * size;
}

// As least_torque() where the named speeds are those of all driven joints: there is one solution.
static bool only_torque(lwLoops* loops, const double* rest, double* tau)
{
  const lwSpeedPlan* plan = &loops->set->speeds;
  const double* N         = loops->speeds.N;
  double* power           = loops->other;
  bool direct             = loops->planned && plan->same;
  memset(power, 0, (size_t)plan->count * sizeof *power);
  for (int i = 0; i < loops->dof; ++i, N += loops->speeds.width)
    for (int a = 0; a < plan->count; ++a) power[a] += N[a] * rest[i];
  if (!direct && !lw_loops_factor_named(loops)) return false;
  if (!direct) lw_lu_solve(loops->B, plan->count, loops->B_pivots, power);
  memset(tau, 0, (size_t)loops->dof * sizeof *tau);
  for (int a = 0; a < plan->count; ++a) tau[plan->named[a]] = power[a];
  return true;
}

void lw_loops_cut_forces(lwLoops* loops, double* rest, double* f)
{
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof;
  lw_loops_gram(loops, loops->rows);
  memset(f, 0, rows * sizeof *f);
  for (int pass = 0; pass < 2; ++pass)
  {
    for (size_t r = 0; r < rows; ++r)
    {
      loops->bias[r] = 0;
      for (size_t i = 0; i < dof; ++i) loops->bias[r] += loops->J[r * dof + i] * rest[i];
    }
    lw_psd_solve(&loops->cut, loops->bias);
    for (size_t r = 0; r < rows; ++r)
    {
      f[r] += loops->bias[r];
      for (size_t i = 0; i < dof; ++i) rest[i] -= loops->J[r * dof + i] * loops->bias[r];
    }
  }
}

// Torques and forces that balance loops->rest.
static lwStatus balance_rest(lwLoops* loops, const double* q, double* tau, double* forces)
{
  double* rest = loops->rest;
  lw_loops_at(loops, q);
  memset(loops->bias, 0, (size_t)loops->rows * sizeof *loops->bias);
  lw_loops_null_space(loops);
  bool only  = loops->driven_named && loops->speeds.count == loops->set->speeds.count;
  bool given = (only && only_torque(loops, rest, tau)) || least_torque(loops, rest, tau);
  for (int i = 0; i < loops->dof; ++i) rest[i] -= tau[i];
  if (forces && loops->planned && loops->set->rank == loops->rows)
    planned_forces(loops, loops->J, (size_t)loops->dof, 1, rest, forces);
  else if (forces)
    lw_loops_cut_forces(loops, rest, forces);
  return given ? LW_OK : LW_ERROR_UNDRIVEN;
}

lwStatus lw_loops_inverse(lwLoops* loops, const lwStates* state, double* tau, double* forces)
{
  lw_answer(loops->model, loops->ws, LW_QUESTION_INVERSE, state, loops->rest);
  return balance_rest(loops, state->q, tau, forces);
}

lwStatus lw_loops_balance(lwLoops* loops, const double* q, const double* load, double* tau,
                          double* forces)
{
  memcpy(loops->rest, load, (size_t)loops->dof * sizeof *load);
  return balance_rest(loops, q, tau, forces);
}
