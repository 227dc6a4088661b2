// SPDX-License-Identifier: MIT
// The equations of snake_chain.h over the scalar REAL;
// they become the function CHAIN of the source that includes this.
#include "arm/snake_chain.h"
#include "kernels/snake/free_chain.h"

// Everything that a call needs, in the memory of the chain.
typedef struct
{
  Augmented a;
  SnakeMotion m;
  REAL* scaled;     // (n + 2)
  REAL* rates;      // (n + 2)
  REAL* T;          // (n)
  Turn* e;          // (n)
  LinkSpans* arms;  // (n)
} ChainParts;

// Speeds of all axles along their links, from the rates of all coordinates: V_k = e_k . v_k (3).
static void speeds(const lwSnake* snake, const REAL* qd, const Turn* e, SnakeMotion m)
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

static ChainParts take_chain(const lwSnakeChain* chain)
{
  int n        = chain->snake->n;
  size_t count = (size_t)n;
  void* memory = chain->memory;
  ChainParts c = {.a = take_augmented(&memory, n), .m = take_motion(&memory, count)};
  c.scaled     = take_angles(&memory, count + 2);
  c.rates      = take_reals(&memory, count + 2);
  c.T          = take_reals(&memory, count);
  c.e          = take_turns(&memory, count);
  c.arms       = (LinkSpans*)(void*)take_turns(&memory, 2 * count);
  return c;
}

static ChainParts fill_chain(const lwSnakeChain* chain, const double* q, const double* qd,
                             const double* torque)
{
  const lwSnake* snake = chain->snake;
  int n                = snake->n;
  ChainParts c         = take_chain(chain);
  for (int i = 0; i < n + 2; ++i) c.rates[i] = constant((CONST)qd[i]);
  for (int k = 0; k < n; ++k) c.scaled[k] = constant((CONST)q[k + 2]);
  for (int k = 0; k + 1 < n; ++k) c.T[k] = constant((CONST)(torque ? torque[k] : 0));
  turns_of(c.scaled, n, c.e);
  for (int k = 0; k < n; ++k)
    c.arms[k] =
        (LinkSpans){times(PARTS(snake)[k].reach, c.e[k]), times(PARTS(snake)[k].carried, c.e[k])};
  speeds(snake, c.rates, c.e, c.m);
  fill_matrices(snake, c.e, c.arms, &c.a);
  fill_forces(c.T, c.e, c.arms, c.m, &c.a);
  return c;
}

void CHAIN(const lwSnakeChain* chain, const double* q, const double* qd, const double* torque,
           double* qdd, double* lambda)
{
  int n        = chain->snake->n;
  ChainParts c = fill_chain(chain, q, qd, torque);
  factor_augmented(chain->snake, &c.a, c.scaled);
  solve_augmented(chain->snake, &c.a, c.scaled);
  for (int i = 0; i < n + 2; ++i) qdd[i] = (double)c.a.b[i];
  for (int k = 0; k < n; ++k) lambda[k] = (double)c.a.lambda[k];
}
