// SPDX-License-Identifier: MIT
// Forward dynamics by conjugate gradients, without an inertia matrix, O(n^3).
//
// Walker & Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982, method 4: M
// qdd = tau - b is solved by the conjugate gradients of Hestenes & Stiefel 1952. M itself is never
// formed: inverse dynamics of the arm at rest and without weight gives M p for any accelerations p.
// The paper was not at hand (swartz1982 and mata2002 name it and describe other methods of it):
// this is what its fourth method is known for, put together here.
//
//   paper     here    meaning                                                unit
//   r         r       what is left of tau - b - M qdd                        N m, N
//   p         p       directions, conjugate to each other: p_k.M p_l = 0     rad/s^2, m/s^2
//   H p       Mp      their torques                                          N m, N
//
// Where it differs from the paper:
// - In exact arithmetic n directions give the solution. Exactly n are taken, whatever is left: a
//   kernel does not branch on values. Directions that nothing is left for are 0, and LEAST prevents
//   division by 0.
// - With rounding, directions that are conjugate only to the last one do not stay conjugate to the
//   others. Here each is made conjugate to all, for 2 n^3 more operations and n^2 stored numbers;
//   and all is done twice, the second time for what rounding has left, as found by inverse
//   dynamics. Every step of refinement that is asked for repeats it once more.
// - Slopes: if nothing is left of r before the last direction, its slope is still there, and
//   directions made of r would miss it. Dual numbers begin each direction with a unit vector
//   instead, the other choice of Hestenes & Stiefel: unit vectors span everything whatever r is.
// - With rotors, their inertia is part of M. Joints that are held have no part in it.
#include "kernels/forward/held.h"

extern const lwKernel FN(newton_euler);
extern const lwKernel FN(newton_euler_grouped);

#if defined(LW_SCALAR_f32)
#define LEAST 1e-38f
#elif defined(LW_SCALAR_dual)
#define LEAST 1e-140  // slopes divide by its square
#else
#define LEAST 1e-300
#endif

enum
{
#if defined(LW_SCALAR_prime)
  ROUNDS = 1  // nothing is rounded
#else
  ROUNDS = 2
#endif
};

typedef struct
{
  const lwModel* model;
  const lwState* state;
  int n;
  REAL *P, *MP;  // (n, n) directions and their torques, row by row
  REAL* weight;  // (n) 1 / p.M p
  REAL* r;       // (n)
  Input* qdd;    // (n) what inverse dynamics reads
  Result* tau;   // (n) and what it writes
  void* work;    // its memory
} Descent;

INLINE REAL dot_n(const REAL* a, const REAL* b, int n)
{
  REAL sum = zero();
  for (int i = 0; i < n; ++i) sum = mul_add(a[i], b[i], sum);
  return sum;
}

// a -= k b
INLINE void subtract_n(REAL* a, REAL k, const REAL* b, int n)
{
  for (int i = 0; i < n; ++i) a[i] = sub_mul(a[i], k, b[i]);
}

// r = tau - ID(q, qd, qdd)
INLINE void find_residual(const Descent* d, const Result* qdd)
{
  lwState reached = *d->state;
  reached.qdd     = qdd;
  FN(newton_euler_grouped).run(d->model, d->work, &reached, d->tau);
  add_rotor_torques(d->model, d->state, qdd, d->tau);
  for (int i = 0; i < d->n; ++i) d->r[i] = r_sub(given(d->state->tau, i), d->tau[i]);
  hold_entries(d->model, d->r);
}

// What direction k is made of.
INLINE REAL start_of_direction(const Descent* d, int k, int i)
{
#if defined(LW_SCALAR_dual)
  return constant(i == k && !lw_joint_is_held(d->model, i));
#else
  (void)k;
  return d->r[i];
#endif
}

// Direction k, conjugate to those before, and its torques.
INLINE void choose_direction(const Descent* d, int k)
{
  int n   = d->n;
  REAL *p = d->P + k * n, *Mp = d->MP + k * n;
  const lwState still = {.q = d->state->q, .qdd = d->qdd, .weightless = true};
  for (int i = 0; i < n; ++i) p[i] = start_of_direction(d, k, i);
  for (int l = 0; l < k; ++l)
    subtract_n(p, r_mul(dot_n(p, d->MP + l * n, n), d->weight[l]), d->P + l * n, n);
  for (int i = 0; i < n; ++i) d->qdd[i] = p[i];
  FN(newton_euler).run(d->model, d->work, &still, d->tau);
  add_rotor_torques(d->model, d->state, d->qdd, d->tau);
  for (int i = 0; i < n; ++i) Mp[i] = d->tau[i];
  hold_entries(d->model, Mp);
  d->weight[k] = r_div(constant(1), r_add(dot_n(p, Mp, n), constant(LEAST)));
}

static void walker_orin_4(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n        = model->n;
  size_t count = (size_t)n;
  Result* qdd  = out;
  Descent d    = {.model = model, .state = state, .n = n};
  d.P          = take(&work, lw_lines(count * count, sizeof(REAL)));
  d.MP         = take(&work, lw_lines(count * count, sizeof(REAL)));
  d.weight     = take(&work, lw_lines(count, sizeof(REAL)));
  d.r          = take(&work, lw_lines(count, sizeof(REAL)));
  d.qdd        = take(&work, lw_lines(count, sizeof(Input)));
  d.tau        = take(&work, lw_lines(count, sizeof(Result)));
  d.work       = work;

  for (int i = 0; i < n; ++i) qdd[i] = zero();
  for (int round = 0; round < ROUNDS + state->refine; ++round)
  {
    find_residual(&d, qdd);
    for (int k = 0; k < n; ++k)
    {
      choose_direction(&d, k);
      REAL step = r_mul(dot_n(d.P + k * n, d.r, n), d.weight[k]);
      for (int i = 0; i < n; ++i) qdd[i] = mul_add(step, d.P[k * n + i], qdd[i]);
      subtract_n(d.r, step, d.MP + k * n, n);
    }
  }
}

const lwKernel FN(walker_orin_4) = {walker_orin_4,
                                    64 + 2 * (sizeof(REAL) + sizeof(Input)),
                                    2 * sizeof(REAL),
                                    {&FN(newton_euler), &FN(newton_euler_grouped)},
                                    0};
