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
#include "math/tree_ldl.h"

// --- forward

// Y = L^-T Y, from the tips to the base: rows of J and the torques at once, side by side, two at a
// time: there are few, and a loop for many would take longer to set up than to run.
static void half_solve(const lwLoops* loops)
{
  const int* parent = loops->set->parent;
  size_t dof = (size_t)loops->dof, width = (size_t)loops->width;
  for (int k = loops->dof - 1; k > 0; --k)
  {
    const double* row         = loops->M + (size_t)k * dof;
    const double* restrict yk = loops->Y + (size_t)k * width;
    for (int i = parent[k]; i >= 0; i = parent[i])
    {
      double* restrict yi = loops->Y + (size_t)i * width;
      double L            = row[i];
      for (size_t r = 0; r < width; r += 2)
      {
        yi[r] -= L * yk[r];
        yi[r + 1] -= L * yk[r + 1];
      }
    }
  }
}

// x = L^-1 D^-1 x
static void other_half(const lwLoops* loops, double* x)
{
  const int* parent = loops->set->parent;
  size_t dof        = (size_t)loops->dof;
  for (int k = 0; k < loops->dof; ++k)
  {
    const double* row = loops->M + (size_t)k * dof;
    double found      = x[k] * row[k];
    for (int i = parent[k]; i >= 0; i = parent[i]) found -= row[i] * x[i];
    x[k] = found;
  }
}

// G^T diag(rotors) G on the diagonal of M.
static void add_rotors(lwLoops* loops)
{
  const lwModel* model = loops->model;
  for (int i = 0; i < model->n; ++i)
    if (model->leader[i] >= 0)
      loops->M[(size_t)model->leader[i] * ((size_t)loops->dof + 1)] +=
          model->gain[i] * model->gain[i] * model->link64[i].rotor;
}

// A = Y^T D^-1 Y, and force = -c - Y^T D^-1 z. A joint beside a loop has zeros in its rows.
// Entries above the diagonal mean nothing.
static void schur_complement(lwLoops* loops)
{
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof;
  for (size_t a = 0; a < rows; ++a) loops->force[a] = -loops->bias[a];
  memset(loops->cut.A, 0, (rows * rows + 1) * sizeof *loops->cut.A);
  for (size_t k = 0; k < dof; ++k)
  {
    const double* restrict y = loops->Y + k * (size_t)loops->width;
    double over_D            = loops->M[k * (dof + 1)];
    for (size_t a = 0; a < rows; ++a)
    {
      double* restrict row = loops->cut.A + a * rows;
      double scaled        = y[a] * over_D;
      if (scaled == 0) continue;
      loops->force[a] -= scaled * y[rows];
      for (size_t b = 0; b <= a; b += 2)
      {
        row[b] += scaled * y[b];
        row[b + 1] += scaled * y[b + 1];
      }
    }
  }
}

// J^T and tau - h, a row for each velocity.
static void fill_right_sides(lwLoops* loops, const double* tau, const double* h)
{
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof;
  for (size_t i = 0; i < dof; ++i)
  {
    double* y = loops->Y + i * (size_t)loops->width;
    for (size_t r = 0; r < rows; ++r) y[r] = loops->J[r * dof + i];
    y[rows] = (tau ? tau[i] : 0) - h[i];
  }
}

void lw_loops_forward(lwLoops* loops, const lwStates* state, double* qdd, double* forces)
{
  size_t rows = (size_t)loops->rows, dof = (size_t)loops->dof;
  const lwModel* model = loops->model;
  double* h            = loops->rest;
  memset(loops->other, 0, dof * sizeof *h);
  lw_loops_at(loops, state->q);
  lw_loop_bias(model, &loops->closer.motion, state->qd ? state->qd : loops->other, loops->bias);
  lw_answer(model, loops->ws, LW_QUESTION_INERTIA, state, loops->M);
  lw_answer(model, loops->ws, LW_QUESTION_INVERSE,
            &(lwStates){.q = state->q, .qd = state->qd, .wrench = state->wrench}, h);
  if (loops->rotors) add_rotors(loops);
  tree_ldl_factor(loops->dof, loops->set->parent, loops->M);
  fill_right_sides(loops, state->tau, h);
  half_solve(loops);
  schur_complement(loops);
  lw_psd_factor(&loops->cut, LW_LOOP_LEAST);
  lw_psd_solve(&loops->cut, loops->force);
  for (size_t i = 0; i < dof; ++i)
  {
    const double* y = loops->Y + i * (size_t)loops->width;
    double sum      = y[rows];
    for (size_t r = 0; r < rows; ++r) sum += y[r] * loops->force[r];
    qdd[i] = sum;
  }
  other_half(loops, qdd);
  if (forces) memcpy(forces, loops->force, rows * sizeof *forces);
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
