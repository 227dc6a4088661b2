// SPDX-License-Identifier: MIT
// Dynamics of robots with loops.
//
//   [ M  J^T ] [ qdd ]   [ tau - h ]        h = C qd + g - J_w^T w of the tree
//   [ J   0  ] [ -f  ] = [ -c      ]        c = dJ/dt qd
//
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, chapter 8. M = L^T D L in the order of the
// tree has no fill-in. With Y = L^-T J^T, the Schur complement is A = Y^T D^-1 Y and A f = -c -
// Y^T D^-1 z, z = L^-T (tau - h); then qdd = L^-1 D^-1 (z + Y f). A column of Y is zero but on the
// way between the two links of its loop and the base.
#include <math.h>
#include <string.h>

#include "loop/loop_workspace.h"
#include "model/expand.h"

// --- forward

// G^T diag(rotors) G on the diagonal of M.
static void add_rotors(lwLoops* loops)
{
  const lwModel* model = loops->model;
  for (int i = 0; i < model->n; ++i)
    if (model->leader[i] >= 0)
      loops->M[(size_t)model->leader[i] * ((size_t)loops->dof + 1)] +=
          model->gain[i] * model->gain[i] * model->link64[i].rotor;
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
  for (size_t a = 0; a < rows; ++a)
    for (size_t b = 0; b <= a; ++b) loops->cut.A[a * rows + b] = system->A[b * width + a];
  lw_psd_factor_by_rank(&loops->cut, LW_LOOP_LEAST);
  lw_psd_solve(&loops->cut, system->force);
}

void lw_loops_forward(lwLoops* loops, const lwStates* state, double* qdd, double* forces)
{
  const lwLoopElimination* elimination = loops->isa->loop_elimination;
  bool at_once                         = !loops->by_methods && !state->wrench;
  memset(loops->other, 0, (size_t)loops->dof * sizeof *loops->other);
  if (at_once)
    equations_at_once(loops, state);
  else
    equations_by_methods(loops, state);
  if (loops->rotors) add_rotors(loops);
  elimination->eliminate(&loops->system);
  bool redundant = loops->set->rank < loops->rows;
  if (redundant || !elimination->solve(&loops->system, LW_PSD_PLAIN)) solve_by_rank(loops);
  elimination->accelerate(&loops->system, qdd);
  if (at_once) accelerations_back(loops->model, loops->R, state->qd, qdd);
  if (forces) memcpy(forces, loops->system.force, (size_t)loops->rows * sizeof *forces);
}

// --- inverse

// The motions that the loops leave, a column of V for each entry of qd that no
// row determines. Their number.
static int find_motions(lwLoops* loops)
{
  size_t dof = (size_t)loops->dof, width = dof + 1;
  int count = 0;
  lw_loops_eliminate(loops, NULL, true);
  for (size_t i = 0; i < dof; ++i) count += loops->pivot_of[i] < 0;
  memset(loops->V, 0, dof * dof * sizeof *loops->V);
  for (size_t i = 0, at = 0; i < dof; ++i)
  {
    if (loops->pivot_of[i] >= 0) continue;
    for (size_t k = 0; k < dof; ++k)
      if (loops->pivot_of[k] >= 0)
        loops->V[k * dof + at] = -loops->table[(size_t)loops->pivot_of[k] * width + i];
    loops->V[i * dof + at++] = 1;
  }
  return count;
}

// tau (dof), zero where not driven, the shortest with V^T tau = V^T rest; false if there is none.
static bool least_torque(lwLoops* loops, int motions, const double* rest, double* tau)
{
  size_t dof = (size_t)loops->dof, m = (size_t)motions;
  lwPsd* G      = &loops->drive;
  double *power = loops->other, size = 0, missing = 0;
  G->n = motions;
  for (size_t a = 0; a < m; ++a)
  {
    power[a] = 0;
    for (size_t i = 0; i < dof; ++i) power[a] += loops->V[i * dof + a] * rest[i];
    for (size_t b = 0; b <= a; ++b)
    {
      double sum = 0;
      for (size_t i = 0; i < dof; ++i)
        if (loops->set->driven[i]) sum += loops->V[i * dof + a] * loops->V[i * dof + b];
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
    for (size_t a = 0; a < m && loops->set->driven[i]; ++a)
      tau[i] += loops->V[i * dof + a] * share[a];
  }
  for (size_t a = 0; a < m; ++a)
  {
    double left = power[a];
    for (size_t i = 0; i < dof; ++i)
    {
      left -= loops->V[i * dof + a] * tau[i];
      size = fmax(size, fabs(loops->V[i * dof + a] * rest[i]));
    }
    missing = fmax(missing, fabs(left));
  }
  return missing <= 1e-9 * size;
}

// f (rows), the shortest with J^T f = rest, with a step of refinement.
static void cut_forces(lwLoops* loops, double* rest, double* f)
{
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof;
  lw_loops_gram(loops);
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

lwStatus lw_loops_inverse(lwLoops* loops, const lwStates* state, double* tau, double* forces)
{
  double* rest = loops->rest;
  lw_loops_at(loops, state->q);
  int motions = find_motions(loops);
  lw_answer(loops->model, loops->ws, LW_QUESTION_INVERSE, state, rest);
  bool given = least_torque(loops, motions, rest, tau);
  for (int i = 0; i < loops->dof; ++i) rest[i] -= tau[i];
  if (forces) cut_forces(loops, rest, forces);
  return given ? LW_OK : LW_ERROR_UNDRIVEN;
}
