// SPDX-License-Identifier: MIT
// The Coriolis matrix C(q, qd) of Christoffel's symbols, O(n^2) for a chain: C qd are the torques
// of velocity, and dM/dt - 2 C is antisymmetric.
//
// Echeandia & Wensing, "Numerical methods to compute the Coriolis matrix and Christoffel symbols
// for rigid-body systems", 2021. For joint j on the way from i to the base, or i itself, with
// symbols as in singh_russell_wensing.c:
//   C_ij = S_i.(B_i S_j + I_i Sd_j)      C_ji = S_j.(B_i S_i + I_i Sd_i)
// It is half of d tau / dqd.
#include "kernels/derivatives/composites.h"

typedef struct
{
  REAL *S, *V, *Sd;  // (6 n)
  REAL* body;        // (BODY_SIZE n)
  REAL *row, *by;    // (6 n) I S, B S + I Sd
  REAL* row_spin;    // (3 n) S^T B
  REAL* column;      // (n)
} Products;

enum
{
  PER_JOINT = 5 * 6 + BODY_SIZE + 3 + 1
};

INLINE Products take_products(void** work, size_t n)
{
  REAL* at = take(work, n * PER_JOINT * sizeof(REAL));
  return (Products){at,          at + 6 * n,  at + 12 * n, at + 34 * n,
                    at + 18 * n, at + 24 * n, at + 30 * n, at + 33 * n};
}

INLINE void products_by_themselves(const lwModel* model, const Frame* frames, Products s)
{
  int n = model->n;
  SIDE_BY_SIDE
  for (int i = 0; i < n; ++i)
  {
    Twist V    = load_twist(s.V, n, i);
    Solid body = solid_at(&LINKS(model)[i], frames[i]);
    store_twist(s.Sd, n, i, twist_cross(V, load_twist(s.S, n, i)));
    store_solid(s.body, n, i, body);
    store_spin(s.body, n, i, body, V);
  }
}

INLINE void products_of_composites(int n, Products s)
{
  SIDE_BY_SIDE
  for (int i = 0; i < n; ++i)
  {
    Twist S = load_twist(s.S, n, i), Sd = load_twist(s.Sd, n, i);
    Solid body = load_solid(s.body, n, i);
    Spin spin  = load_spin(s.body, n, i);
    Wrench I_S = inertia_of(body, S), I_Sd = inertia_of(body, Sd), B_S = spin_of(spin, S.w);
    store3(s.row_spin, n, i, spin_row(spin, S));
    store_twist(s.row, n, i, (Twist){I_S.n, I_S.f});
    store_twist(s.by, n, i, (Twist){add(B_S.n, I_Sd.n), add(B_S.f, I_Sd.f)});
  }
}

INLINE void meet_run(int n, Products s, int i, int first, int last, REAL* C)
{
  V3 spin   = load3(s.row_spin, n, i);
  Twist row = load_twist(s.row, n, i), by = load_twist(s.by, n, i);
  REAL* to = C + (size_t)i * (size_t)n;
  SIDE_BY_SIDE
  for (int j = first; j <= last; ++j)
  {
    Twist S = load_twist(s.S, n, j), Sd = load_twist(s.Sd, n, j);
    to[j]       = dot_add(spin, S.w, dot_add(row.w, Sd.w, dot(row.v, Sd.v)));
    s.column[j] = dot_add(S.w, by.w, dot(S.v, by.v));
  }
  for (int j = first; j <= last && j < i; ++j) C[(size_t)j * (size_t)n + (size_t)i] = s.column[j];
}

static void coriolis_matrix(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n         = model->n;
  size_t count  = (size_t)n;
  Turn* turns   = take(&work, count * sizeof *turns);
  Frame* frames = (Frame*)take(&work, (count + 1) * sizeof *frames) + 1;
  Products s    = take_products(&work, count);
  REAL* C       = out;

  joint_turns(model, state->q, turns);
  ground_frames(model, turns, state->q, frames);
  ground_velocities(model, frames, state->qd, s.S, s.V);
  products_by_themselves(model, frames, s);
  gather_bodies(model, s.body, BODY_SIZE);
  products_of_composites(n, s);
  for (size_t k = 0; k < count * count && !model->chain; ++k) C[k] = zero();
  for (int i = 0; i < n; ++i)
    for (int last = i, first; last != LW_BASE; last = model->parent[first])
    {
      first = run_start(model, last);
      meet_run(n, s, i, first, last, C);
    }
}

const lwKernel FN(coriolis_matrix) = {
    coriolis_matrix, sizeof(Turn) + sizeof(Frame) + PER_JOINT * sizeof(REAL), 0, {0}};
