// SPDX-License-Identifier: MIT
// The oracle of snakes.h. Coordinates q = (theta_1 .. theta_n, x, y).
#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "support/snakes.h"
#include "support/testing.h"

typedef long double Real;
typedef long double complex Complex;

typedef struct
{
  const lwSnake* snake;
  int n, size;  // links, coordinates
  Real* q;
} Chain;

static Real* reals(int count)
{
  Real* memory = calloc((size_t)count, sizeof *memory);
  assert_non_null(memory);
  return memory;
}

// Middle and axle of link k, (2) each, at coordinates q + i h rates: the imaginary part divided by
// h is the derivative along the rates.
static void places_along(const Chain* chain, const Real* q, const Real* rates, Real* middle,
                         Real* axle)
{
  const Real h = 1e-40L;
  Complex x    = q[chain->n] + I * h * rates[chain->n],
          y    = q[chain->n + 1] + I * h * rates[chain->n + 1];
  for (int k = 0; k < chain->n; ++k)
  {
    lwSnakeLink link = lw_snake_get(chain->snake, k);
    Complex theta    = q[k] + I * h * rates[k];
    Complex c = ccosl(theta), s = csinl(theta);
    Real half = (Real)link.length / 2;
    if (k > 0) x += half * c, y += half * s;
    middle[2 * k]     = cimagl(x) / h;
    middle[2 * k + 1] = cimagl(y) / h;
    axle[2 * k]       = cimagl(x + link.wheel_offset * c) / h;
    axle[2 * k + 1]   = cimagl(y + link.wheel_offset * s) / h;
    x += half * c, y += half * s;
  }
}

// Solves A x = b by Gaussian elimination with row pivoting; overwrites A, and b with x.
static void eliminate(int size, Real* A, Real* b)
{
  for (int k = 0; k < size; ++k)
  {
    int best = k;
    for (int i = k + 1; i < size; ++i)
      if (fabsl(A[i * size + k]) > fabsl(A[best * size + k])) best = i;
    for (int j = 0; j < size; ++j)
    {
      Real swap          = A[k * size + j];
      A[k * size + j]    = A[best * size + j];
      A[best * size + j] = swap;
    }
    Real swap = b[k];
    b[k]      = b[best];
    b[best]   = swap;
    for (int i = k + 1; i < size; ++i)
    {
      Real factor = A[i * size + k] / A[k * size + k];
      for (int j = k; j < size; ++j) A[i * size + j] -= factor * A[k * size + j];
      b[i] -= factor * b[k];
    }
  }
  for (int k = size - 1; k >= 0; --k)
  {
    for (int j = k + 1; j < size; ++j) b[k] -= A[k * size + j] * b[j];
    b[k] /= A[k * size + k];
  }
}

// Jacobians of all middles and axles, (2 n x size).
static void jacobians(const Chain* chain, Real* J_middle, Real* J_axle)
{
  int n = chain->n, size = chain->size;
  Real *rates = reals(size), *middle = reals(2 * n), *axle = reals(2 * n);
  for (int j = 0; j < size; ++j)
  {
    rates[j] = 1;
    places_along(chain, chain->q, rates, middle, axle);
    rates[j] = 0;
    for (int i = 0; i < 2 * n; ++i)
    {
      J_middle[i * size + j] = middle[i];
      J_axle[i * size + j]   = axle[i];
    }
  }
  free(rates);
  free(middle);
  free(axle);
}

// Accelerations of middles and axles at q'' = 0: velocities along q + t q',
// differentiated by t (8th order).
static void drifts(const Chain* chain, const Real* qd, Real* a_middle, Real* a_axle)
{
  static const Real weights[] = {4.0L / 5, -1.0L / 5, 4.0L / 105, -1.0L / 280};
  int n = chain->n, size = chain->size;
  Real *q = reals(size), *middle = reals(2 * n), *axle = reals(2 * n), fastest = 1;
  for (int j = 0; j < size; ++j) fastest = fmaxl(fastest, fabsl(qd[j]));
  Real h = 0.005L / fastest;
  for (int i = 0; i < 2 * n; ++i) a_middle[i] = a_axle[i] = 0;
  for (int k = -4; k <= 4; ++k)
  {
    if (k == 0) continue;
    for (int j = 0; j < size; ++j) q[j] = chain->q[j] + k * h * qd[j];
    places_along(chain, q, qd, middle, axle);
    Real weight = (k > 0 ? 1 : -1) * weights[abs(k) - 1] / h;
    for (int i = 0; i < 2 * n; ++i)
      a_middle[i] += weight * middle[i], a_axle[i] += weight * axle[i];
  }
  free(q);
  free(middle);
  free(axle);
}

// Constraint rows n_k . J_axle,k (n x size).
static void constraints(const Chain* chain, const Real* J_axle, Real* A)
{
  int size = chain->size;
  for (int k = 0; k < chain->n; ++k)
    for (int j = 0; j < size; ++j)
      A[k * size + j] = -sinl(chain->q[k]) * J_axle[2 * k * size + j] +
                        cosl(chain->q[k]) * J_axle[(2 * k + 1) * size + j];
}

// q' that keeps the constraints and has these V_1, theta_1'.
static void rates_for(const Chain* chain, const Real* A, const Real* J_axle, Real u1, Real u2,
                      Real* qd)
{
  int size = chain->size, n = chain->n;
  Real* S = reals(size * size);
  for (int k = 0; k < n * size; ++k) S[k] = A[k];
  for (int j = 0; j < size; ++j)
    S[n * size + j] = cosl(chain->q[0]) * J_axle[j] + sinl(chain->q[0]) * J_axle[size + j];
  S[(n + 1) * size] = 1;
  for (int k = 0; k < n; ++k) qd[k] = 0;
  qd[n]     = u1;
  qd[n + 1] = u2;
  eliminate(size, S, qd);
  free(S);
}

static void mass_matrix(const Chain* chain, const Real* J, Real* M)
{
  int size = chain->size;
  for (int i = 0; i < size * size; ++i) M[i] = 0;
  for (int k = 0; k < chain->n; ++k)
  {
    lwSnakeLink link = lw_snake_get(chain->snake, k);
    M[k * size + k] += link.inertia;
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j)
        for (int c = 0; c < 2; ++c)
          M[i * size + j] += link.mass * J[(2 * k + c) * size + i] * J[(2 * k + c) * size + j];
  }
}

// [M A^T; A 0] [q''; lambda] = [Q - B; -A' q'], where A' q' = n . a - theta' (e . v)
static void solve_motion(const Chain* chain, const Real* M, const Real* A, Real* right, Real* x)
{
  int n = chain->n, size = chain->size, all = n + size;
  Real* S = reals(all * all);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) S[i * all + j] = M[i * size + j];
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < size; ++j)
      S[(size + k) * all + j] = S[j * all + size + k] = A[k * size + j];
  for (int i = 0; i < all; ++i) x[i] = right[i];
  eliminate(all, S, x);
  free(S);
}

static double quadratic(int size, const Real* M, const Real* a, const Real* b)
{
  Real sum = 0;
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) sum += a[i] * M[i * size + j] * b[j];
  return (double)sum;
}

typedef struct
{
  Real *J_middle, *J_axle, *A, *M, *qd, *by_u[2], *a_middle, *a_axle, *right, *x;
} Oracle;

static Oracle oracle_create(const Chain* chain)
{
  int n = chain->n, size = chain->size;
  return (Oracle){reals(2 * n * size), reals(2 * n * size), reals(n * size),
                  reals(size * size),  reals(size),         {reals(size), reals(size)},
                  reals(2 * n),        reals(2 * n),        reals(n + size),
                  reals(n + size)};
}

static void oracle_free(Oracle* o)
{
  Real* all[] = {o->J_middle, o->J_axle,   o->A,      o->M,     o->qd, o->by_u[0],
                 o->by_u[1],  o->a_middle, o->a_axle, o->right, o->x};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) free(all[i]);
}

// The right-hand side: forces from velocities and torques, and the drift of the constraints.
static void fill_right(const Chain* chain, const Oracle* o, const double* torque, double* omega,
                       double* V)
{
  int n = chain->n, size = chain->size;
  for (int k = 0; k < n; ++k)
  {
    lwSnakeLink link = lw_snake_get(chain->snake, k);
    Real c = cosl(chain->q[k]), s = sinl(chain->q[k]), along = 0;
    for (int j = 0; j < size; ++j)
    {
      const Real* Jx = &o->J_middle[2 * k * size];
      along += (c * o->J_axle[2 * k * size + j] + s * o->J_axle[(2 * k + 1) * size + j]) * o->qd[j];
      o->right[j] -=
          link.mass * (Jx[j] * o->a_middle[2 * k] + Jx[size + j] * o->a_middle[2 * k + 1]);
    }
    o->right[k] += (k > 0 ? torque[k - 1] : 0) - (k < n - 1 ? torque[k] : 0);
    o->right[size + k] = -(-s * o->a_axle[2 * k] + c * o->a_axle[2 * k + 1] - o->qd[k] * along);
    omega[k]           = (double)o->qd[k];
    V[k]               = (double)along;
  }
}

// M, F and bias of Kane's equations from their definitions, with the partial velocities.
static void fill_reduced(const Chain* chain, const Oracle* o, const double* torque,
                         lwSnakeAnswers* out)
{
  int n = chain->n, size = chain->size;
  for (int i = 0; i < 2; ++i)
  {
    Real force = 0;
    for (int k = 0; k + 1 < n; ++k) force += torque[k] * (o->by_u[i][k + 1] - o->by_u[i][k]);
    for (int k = 0; k < n; ++k) out->partial[2 * k + i] = (double)o->by_u[i][k];
    for (int j = 0; j < 2; ++j) out->M[2 * i + j] = quadratic(size, o->M, o->by_u[i], o->by_u[j]);
    out->force[i] = (double)force;
    out->bias[i]  = (double)(force - out->M[2 * i] * (Real)out->udot[0] -
                            out->M[2 * i + 1] * (Real)out->udot[1]);
  }
}

void snake_oracle(const lwSnake* snake, const lwSnakeStates* state, lwSnakeAnswers* out)
{
  int n       = lw_snake_count(snake);
  Chain chain = {snake, n, n + 2, reals(n + 2)};
  for (int k = 0; k < n; ++k) chain.q[k] = state->theta[k];
  Oracle o = oracle_create(&chain);
  jacobians(&chain, o.J_middle, o.J_axle);
  constraints(&chain, o.J_axle, o.A);
  mass_matrix(&chain, o.J_middle, o.M);
  rates_for(&chain, o.A, o.J_axle, state->u[0], state->u[1], o.qd);
  rates_for(&chain, o.A, o.J_axle, 1, 0, o.by_u[0]);
  rates_for(&chain, o.A, o.J_axle, 0, 1, o.by_u[1]);
  drifts(&chain, o.qd, o.a_middle, o.a_axle);
  fill_right(&chain, &o, state->torque, out->omega, out->V);
  solve_motion(&chain, o.M, o.A, o.right, o.x);

  Real c = cosl(chain.q[0]), s = sinl(chain.q[0]);
  Real xd = o.qd[n], yd = o.qd[n + 1], xdd = o.x[n], ydd = o.x[n + 1];
  out->udot[0]      = (double)(c * xdd + s * ydd + o.qd[0] * (c * yd - s * xd));  // d/dt e_1 . v
  out->udot[1]      = (double)o.x[0];
  out->rates[0]     = (double)xd;
  out->rates[1]     = (double)yd;
  out->rates_dot[0] = (double)xdd;
  out->rates_dot[1] = (double)ydd;
  *out->kinetic     = quadratic(n + 2, o.M, o.qd, o.qd) / 2;
  *out->power       = 0;
  for (int k = 0; k < n; ++k)
  {
    out->theta_ddot[k] = (double)o.x[k];
    out->lambda[k]     = (double)o.x[n + 2 + k];
    if (k + 1 < n) *out->power += state->torque[k] * (double)(o.qd[k + 1] - o.qd[k]);
  }
  fill_reduced(&chain, &o, state->torque, out);
  oracle_free(&o);
  free(chain.q);
}
