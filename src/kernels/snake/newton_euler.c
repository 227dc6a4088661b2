// SPDX-License-Identifier: MIT
// Snake dynamics by the Newton-Euler equations of the free chain and multipliers for the wheels, O(n^3).
//
// nia2005 section V: the generalised inertia matrix by Walker & Orin's composite bodies and the bias by recursive
// Newton-Euler at q'' = 0 (Walker & Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982, method
// 3), then the same constraints and the same solution as by Lagrange.
//
// The free snake is a chain of n + 2 joints: x, y, and n hinges, of which the first turns link 1 about its middle:
// q = (x, y, theta_1, phi_1 .. phi_n-1). All vectors are in the axes of link 1, from its middle, where the ground is
// taken to be at rest: x'' and y'' are accelerations along and across link 1.
//
//   Walker & Orin   here     meaning                                                  unit
//   p_j             p        place of hinge j                                         m
//   -               r        middle of link k                                         m
//   M_j, c_j, E_j   mass,    composite body of the links j..n: mass (off-line),       kg, m, kg m^2
//                   c, E     centre, inertia about it
//   F, f            F, f     force that sustains one link, and all from it on         N
//   n               n        moment of all links from j on about hinge j              N m
//   a               a        acceleration of hinge j at q'' = 0                       m/s^2
//
//   M_ij = E_j + mass_j (c_j - p_i) . (c_j - p_j), i <= j;  M_xj, M_yj = mass_j z x (c_j - p_j)                 (1)
//   A_kj = e_k . (axle_k - p_j), j <= k;  A_kx, A_ky = n_k                                                     (2)
//   (A' q')_k = n_k . a_k - w_k V_k                                                                            (3)
//
// Where it differs from the papers: in the plane a spatial inertia is a mass, a centre and one moment, so the counts of
// nia2005 (general chains in space) are not reached; errata 0-10, 0-11 as in lagrange.c. A wheel off the middle moves
// axle_k only.
#include "kernels/snake/augmented.h"

typedef struct
{
  REAL x, y;
} V2;

INLINE V2 v2_add(V2 a, V2 b)
{
  return (V2){r_add(a.x, b.x), r_add(a.y, b.y)};
}

INLINE V2 v2_sub(V2 a, V2 b)
{
  return (V2){r_sub(a.x, b.x), r_sub(a.y, b.y)};
}

INLINE V2 v2_madd(REAL s, V2 a, V2 b)
{
  return (V2){mul_add(s, a.x, b.x), mul_add(s, a.y, b.y)};
}

INLINE REAL v2_dot(V2 a, V2 b)
{
  return mul_add(a.x, b.x, r_mul(a.y, b.y));
}

INLINE REAL v2_cross(V2 a, V2 b)
{
  return mul_sub(a.x, b.y, r_mul(a.y, b.x));
}

// One link and the hinge that it turns about.
typedef struct
{
  V2 e;    // its direction
  V2 p, r;
  V2 axle;
  V2 a, F;
  V2 c;
  REAL E;
} Body;

INLINE V2 v2_zero(void)
{
  return (V2){zero(), zero()};
}

// Outward: where every link is, and what sustains it at q'' = 0.
INLINE void place_links(const lwSnake* snake, const REAL* w, const Turn* turn, Body* body)
{
  V2 joint = v2_zero(), push = v2_zero();  // ahead of the last link: place, acceleration
  for (int k = 0; k < snake->n; ++k)
  {
    const Part* part = &PARTS(snake)[k];
    Body* b          = &body[k];
    REAL arm         = k == 0 ? zero() : K(part->half);
    REAL inwards     = r_neg(r_mul(w[k], w[k]));
    b->e             = (V2){turn[k].c, turn[k].s};
    b->p             = joint;
    b->a             = push;
    b->r             = v2_madd(arm, b->e, b->p);
    b->axle          = v2_madd(K(k == 0 ? part->offset : part->rear), b->e, b->p);
    V2 middle        = v2_madd(r_mul(arm, inwards), b->e, b->a);
    b->F             = (V2){r_mul(K(part->mass), middle.x), r_mul(K(part->mass), middle.y)};
    joint            = v2_madd(K(part->reach), b->e, b->p);
    push             = v2_madd(r_mul(K(part->reach), inwards), b->e, b->a);
  }
}

// Inward: bias of every joint, so that a.b = Q - bias. The torque of hinge j is T_j-1.
INLINE void fill_forces(int n, const REAL* torque, const Body* body, Augmented* a)
{
  V2 f        = v2_zero();
  REAL moment = zero();
  for (int j = n - 1; j >= 0; --j)
  {
    const Body* b = &body[j];
    if (j < n - 1) moment = r_add(moment, v2_cross(v2_sub(body[j + 1].p, b->p), f));
    moment      = r_add(moment, v2_cross(v2_sub(b->r, b->p), b->F));
    f           = v2_add(f, b->F);
    a->b[j + 2] = r_sub(j > 0 ? given(torque, j - 1) : zero(), moment);
  }
  a->b[0] = r_neg(f.x);
  a->b[1] = r_neg(f.y);
}

// Inward: composite bodies, and their rows of M (1).
INLINE void fill_mass(const lwSnake* snake, Body* body, Augmented* a)
{
  int n = snake->n;
  for (int j = n - 1; j >= 0; --j)
  {
    const Part* part = &PARTS(snake)[j];
    Body* b          = &body[j];
    REAL* M          = row_of(a->M, j + 2, a->size);
    b->c             = b->r;
    b->E             = K(part->inertia);
    if (j < n - 1)
    {
      V2 ahead = v2_sub(body[j + 1].c, b->r);
      b->c     = v2_madd(K(part->ahead_share), ahead, b->r);
      b->E     = mul_add(K(part->ahead_reduced), v2_dot(ahead, ahead), r_add(b->E, body[j + 1].E));
    }
    V2 from_hinge = v2_sub(b->c, b->p);
    V2 moment     = {r_mul(K(part->ahead), from_hinge.x), r_mul(K(part->ahead), from_hinge.y)};
    M[0]          = r_neg(moment.y);
    M[1]          = moment.x;
    for (int i = 0; i <= j; ++i) M[i + 2] = r_add(b->E, v2_dot(v2_sub(b->c, body[i].p), moment));
  }
  row_of(a->M, 0, a->size)[0] = K(SUM_MASS(snake));
  row_of(a->M, 1, a->size)[0] = zero();
  row_of(a->M, 1, a->size)[1] = K(SUM_MASS(snake));
}

// (2), (3)
INLINE void fill_constraints(int n, const Body* body, Motion m, Augmented* a)
{
  for (int k = 0; k < n; ++k)
  {
    const Body* b = &body[k];
    REAL* A       = row_of(a->A, k, a->size);
    A[0]          = r_neg(b->e.y);
    A[1]          = b->e.x;
    for (int j = 0; j <= k; ++j) A[j + 2] = v2_dot(b->e, v2_sub(b->axle, body[j].p));
    a->drift[k] = sub_mul(v2_cross(b->e, b->a), m.w[k], m.V[k]);
  }
}

// Joint rates for u = (1, 0) and (0, 1), (size x 2), from the partial angular velocities (n x 2).
INLINE void rates_by_u(const lwSnake* snake, const REAL* partial, REAL* N)
{
  N[0] = constant(1);
  N[1] = N[2] = zero();
  N[3]        = r_neg(K(PARTS(snake)[0].offset));
  for (int k = 0; k < snake->n; ++k)
    for (int i = 0; i < 2; ++i)
      N[2 * (k + 2) + i] =
          k == 0 ? partial[i] : r_sub(partial[2 * k + i], partial[2 * (k - 1) + i]);
}

// Directions of all links from that of link 1, and the turns between them.
INLINE void directions(const REAL* theta, int n, REAL* angle, Turn* e, Turn* turn)
{
  for (int k = 0; k < n; ++k) angle[k] = k == 0 ? zero() : r_sub(given(theta, k), given(theta, 0));
  turns_of(angle, n, e);
  for (int k = 0; k + 1 < n; ++k) turn[k] = turn_between(e[k], e[k + 1]);
}

static void newton_euler(const lwSnake* snake, void* work, const lwSnakeState* state,
                         const lwSnakeOut* out)
{
  int n         = snake->n;
  size_t count  = (size_t)n;
  Augmented a   = take_augmented(&work, n);
  Motion m      = take_motion(&work, count);
  REAL* partial = take_reals(&work, 2 * count);
  REAL* N       = take_reals(&work, 2 * count + 4);
  REAL* scaled  = take_reals(&work, count + 2);
  Turn* e       = take_turns(&work, count);
  Turn* turn    = take_turns(&work, count);
  Body* body    = (Body*)work;

  directions(state->theta, n, scaled, e, turn);
  velocities(snake, turn, state->u, m.V, m.w);
  place_links(snake, m.w, e, body);
  fill_forces(n, state->torque, body, &a);
  fill_mass(snake, body, &a);
  fill_constraints(n, body, m, &a);

  Reduced r;
  bool reduced = wants_reduced(out) || OUT(out, PARTIAL);
  if (reduced) partial_rates(snake, turn, partial);
  if (reduced) rates_by_u(snake, partial, N);
  if (reduced) project_mass(&a, N, &r);
  solve_augmented(snake, &a, scaled);

  // link 1's own turning changes what is along it
  REAL* udot = OUT(out, UDOT);
  udot[0]    = sub_mul(a.b[0], K(PARTS(snake)[0].offset), r_mul(m.w[0], m.w[0]));
  udot[1]    = a.b[2];
  m.wd[0]    = a.b[2];
  for (int k = 1; wants_forces(out) && k < n; ++k) m.wd[k] = r_add(m.wd[k - 1], a.b[k + 2]);

  if (reduced) project_force(snake, state->torque, partial, udot, &r);
  if (reduced) report_reduced(&r, out);
  if (reduced) copy_reals(OUT(out, PARTIAL), partial, 2 * n);
  report_motion(snake, state, m, out);
  copy_reals(OUT(out, LAMBDA), a.lambda, n);
}

const lwSnakeKernel FN(snake_newton_euler) = {
    newton_euler, AUGMENTED_PER_LINK + 9 * sizeof(REAL) + 2 * sizeof(Turn) + sizeof(Body),
    AUGMENTED_PER_PAIR};
