// SPDX-License-Identifier: MIT
// Lagrange's method of nia2005 over the scalar REAL; becomes the function LAGRANGE of the source that includes it.
#include "kernels/snake/free_chain.h"
#include "lagrange.h"

// Speeds of all axles along their links, from the rates of all coordinates: V_k = e_k . v_k (3).
static void speeds(const lwSnake* snake, const REAL* qd, const Turn* e, Motion m)
{
  REAL x = qd[0], y = qd[1];  // of the joint behind link k; for link 1 of its middle
  for (int k = 0; k < snake->n; ++k)
  {
    REAL reach = K(PARTS(snake)[k].reach);
    m.w[k]     = qd[k + 2];
    m.V[k]     = mul_add(x, e[k].c, r_mul(y, e[k].s));
    x          = sub_mul(x, r_mul(reach, m.w[k]), e[k].s);
    y          = mul_add(r_mul(reach, m.w[k]), e[k].c, y);
  }
}

void LAGRANGE(const Lagrange* lagrange, const double* q, const double* qd, const double* torque,
              double* qdd)
{
  const lwSnake* snake = lagrange->snake;
  int n                = snake->n;
  size_t count         = (size_t)n;
  void* memory         = lagrange->memory;
  Augmented a          = take_augmented(&memory, n);
  Motion m             = take_motion(&memory, count);
  REAL* scaled         = take_angles(&memory, count + 2);
  REAL* rates          = take_reals(&memory, count + 2);
  REAL* T              = take_reals(&memory, count);
  Turn* e              = take_turns(&memory, count);
  Arms* arms           = (Arms*)(void*)take_turns(&memory, 2 * count);

  for (int i = 0; i < n + 2; ++i) rates[i] = constant((CONST)qd[i]);
  for (int k = 0; k < n; ++k) scaled[k] = constant((CONST)q[k + 2]);
  for (int k = 0; k + 1 < n; ++k) T[k] = constant((CONST)torque[k]);
  turns_of(scaled, n, e);
  for (int k = 0; k < n; ++k)
    arms[k] = (Arms){times(PARTS(snake)[k].reach, e[k]), times(PARTS(snake)[k].carried, e[k])};
  speeds(snake, rates, e, m);
  fill_matrices(snake, e, arms, &a);
  fill_forces(T, e, arms, m, &a);
  factor_augmented(snake, &a, scaled);
  solve_augmented(snake, &a, scaled);
  for (int i = 0; i < n + 2; ++i) qdd[i] = (double)a.b[i];
}
