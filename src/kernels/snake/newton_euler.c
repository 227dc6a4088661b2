// SPDX-License-Identifier: MIT
// Snake dynamics by the Newton-Euler equations of the free chain and multipliers
// for the wheels, O(n^3).
//
// nia2005 section V: the generalised inertia matrix by Walker & Orin's composite bodies
// and the bias by recursive Newton-Euler at q'' = 0 (Walker & Orin, "Efficient dynamic
// computer simulation of robotic mechanisms", 1982, method 3), then the same constraints
// and the same solution as by Lagrange.
//
// The free snake is a chain of n + 2 joints: x, y, and n hinges, of which the first turns link
// 1 about its middle: q = (x, y, theta_1, phi_1 .. phi_n-1). All vectors are in the axes of
// link 1, from its middle, where the ground is taken to be at rest: x'' and y'' are
// accelerations along and across link 1.
//
//   Walker & Orin   here     meaning                                                  unit
//   p_j             p        place of hinge j                                         m
//   -               r        middle of link k                                         m
//   M_j, c_j, E_j   mass,    composite body of the links j..n: mass (off-line),       kg, m, kg m^2
//                   c, E     centre, inertia about it
//   F, f            F, f     net force of one link, and of all from it on             N
//   n               n        moment of all links from j on about hinge j              N m
//   a               a        acceleration of hinge j                                  m/s^2
//
//   M_ij = E_j + mass_j (c_j - p_i) . (c_j - p_j), i <= j;
//   M_xj, M_yj = mass_j z x (c_j - p_j)                                                         (1)
//   A_kj = e_k . (axle_k - p_j), j <= k;  A_kx, A_ky = n_k                                     (2)
//   (A' q')_k = n_k . a_k - w_k V_k                                                            (3)
//
// An inertia matrix in joint angles is worse conditioned than Lagrange's in directions of links
// (its entries grow with n^3 while a link has the inertia of one), so the solution is refined once.
//
// Where it differs from the papers: in the plane a spatial inertia is a mass, a centre and one
// moment, so the counts of nia2005 (general chains in space) are not reached; errata 0-10, 0-11 as
// in lagrange.c. A wheel off the middle moves axle_k only.
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
  V2 e;  // its direction
  V2 p, r;
  V2 axle;
  V2 a, F;
  REAL n;
  V2 c;
  REAL E;
} SnakeBody;

INLINE V2 v2_zero(void)
{
  return (V2){zero(), zero()};
}

// Outward: where every link is.
INLINE void place_links(const lwSnake* snake, const Turn* turn, SnakeBody* body)
{
  V2 joint = v2_zero();  // ahead of the last link
  for (int k = 0; k < snake->n; ++k)
  {
    const Part* part = &PARTS(snake)[k];
    SnakeBody* b     = &body[k];
    b->e             = (V2){turn[k].c, turn[k].s};
    b->p             = joint;
    b->r             = k == 0 ? joint : v2_madd(K(part->half), b->e, joint);
    b->axle          = v2_madd(K(k == 0 ? part->offset : part->rear), b->e, joint);
    joint            = v2_madd(K(part->reach), b->e, joint);
  }
}

// What is `far` ahead of the hinge of a link accelerates with a + far (wd n - w^2 e).
INLINE V2 snake_accelerate(const SnakeBody* b, REAL far, REAL w_squared, REAL wd)
{
  V2 spin = {r_neg(mul_add(w_squared, b->e.x, r_mul(wd, b->e.y))),
             mul_sub(wd, b->e.x, r_mul(w_squared, b->e.y))};
  return v2_madd(far, spin, b->a);
}

// Outward: the net force and moment of every link while joints accelerate with qdd and wheels
// push the ground with lambda; and how the sideways velocity of its axle drifts: n . a - w V (3).
// NULL stands for zeros.
INLINE void snake_net_wrench(const lwSnake* snake, SnakeMotion m, const REAL* qdd,
                             const REAL* lambda, SnakeBody* body, REAL* drift)
{
  V2 push = {given(qdd, 0), given(qdd, 1)};  // acceleration of the joint ahead of the last link
  REAL wd = zero();
  for (int k = 0; k < snake->n; ++k)
  {
    const Part* part = &PARTS(snake)[k];
    SnakeBody* b     = &body[k];
    REAL w_squared   = r_mul(m.w[k], m.w[k]);
    REAL force       = given(lambda, k);
    wd               = r_add(wd, given(qdd, k + 2));
    b->a             = push;
    V2 middle        = snake_accelerate(b, k == 0 ? zero() : K(part->half), w_squared, wd);
    REAL far         = K(k == 0 ? part->offset : part->rear);
    b->F             = (V2){mul_sub(K(part->mass), middle.x, r_mul(force, b->e.y)),
                            mul_add(K(part->mass), middle.y, r_mul(force, b->e.x))};
    V2 of_mass       = {r_mul(K(part->mass), middle.x), r_mul(K(part->mass), middle.y)};
    REAL turning     = mul_add(K(part->inertia), wd, r_mul(far, force));
    b->n             = k == 0 ? turning : r_add(turning, v2_cross(v2_sub(b->r, b->p), of_mass));
    REAL across      = mul_add(far, wd, v2_cross(b->e, b->a));
    drift[k]         = sub_mul(across, m.w[k], m.V[k]);
    push             = snake_accelerate(b, K(part->reach), w_squared, wd);
  }
}

// Inward: what the joints must supply, so that a.b = Q less this. The torque of hinge j is T_j-1.
INLINE void snake_bias_forces(int n, const REAL* torque, const SnakeBody* body, Augmented* a)
{
  V2 f        = v2_zero();
  REAL moment = zero();
  for (int j = n - 1; j >= 0; --j)
  {
    const SnakeBody* b = &body[j];
    if (j < n - 1) moment = r_add(moment, v2_cross(v2_sub(body[j + 1].p, b->p), f));
    moment      = r_add(moment, b->n);
    f           = v2_add(f, b->F);
    a->b[j + 2] = r_sub(j > 0 ? given(torque, j - 1) : zero(), moment);
  }
  a->b[0] = r_neg(f.x);
  a->b[1] = r_neg(f.y);
}

// Inward: composite bodies, and their rows of M (1).
INLINE void fill_mass(const lwSnake* snake, SnakeBody* body, Augmented* a)
{
  int n = snake->n;
  for (int j = n - 1; j >= 0; --j)
  {
    const Part* part = &PARTS(snake)[j];
    SnakeBody* b     = &body[j];
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

// (2)
INLINE void fill_constraints(int n, const SnakeBody* body, Augmented* a)
{
  for (int k = 0; k < n; ++k)
  {
    const SnakeBody* b = &body[k];
    REAL* A            = row_of(a->A, k, a->size);
    A[0]               = r_neg(b->e.y);
    A[1]               = b->e.x;
    for (int j = 0; j <= k; ++j) A[j + 2] = v2_dot(b->e, v2_sub(b->axle, body[j].p));
  }
}

// One step of iterative refinement: what is missing of the equations comes from the
// recursions, O(n), which never see the matrices, and is solved with the factors at hand. qdd
// receives q'' and then lambda.
INLINE void refine(const lwSnake* snake, const REAL* torque, SnakeMotion m, SnakeBody* body,
                   Augmented* a, REAL* scaled, REAL* qdd)
{
  int n = snake->n, size = a->size;
  copy_reals(qdd, a->b, size);
  copy_reals(qdd + size, a->lambda, n);
  snake_net_wrench(snake, m, qdd, qdd + size, body, a->drift);
  snake_bias_forces(n, torque, body, a);
  solve_augmented(snake, a, scaled);
  for (int i = 0; i < size; ++i) qdd[i] = r_add(qdd[i], a->b[i]);
  for (int k = 0; k < n; ++k) qdd[size + k] = r_add(qdd[size + k], a->lambda[k]);
}

// Directions of all links from that of link 1, and the turns between them.
INLINE void directions(const REAL* theta, int n, REAL* angle, Turn* e, Turn* turn)
{
  for (int k = 0; k < n; ++k)
    angle[k] = k == 0 ? zero() : angle_sub(given(theta, k), given(theta, 0));
  turns_of(angle, n, e);
  for (int k = 0; k + 1 < n; ++k) turn[k] = turn_between(e[k], e[k + 1]);
}

static void newton_euler(const lwSnake* snake, void* work, const lwSnakeState* state,
                         const lwSnakeOut* out)
{
  int n           = snake->n;
  size_t count    = (size_t)n;
  Augmented a     = take_augmented(&work, n);
  SnakeMotion m   = take_motion(&work, count);
  REAL* scaled    = take_angles(&work, count + 2);
  REAL* qdd       = take_reals(&work, 2 * count + 2);  // q'', then lambda
  Turn* e         = take_turns(&work, count);
  Turn* turn      = take_turns(&work, count);
  SnakeBody* body = (SnakeBody*)work;

  directions(state->theta, n, scaled, e, turn);
  velocities(snake, turn, state->u, m.V, m.w);
  place_links(snake, e, body);
  snake_net_wrench(snake, m, NULL, NULL, body, a.drift);
  snake_bias_forces(n, state->torque, body, &a);
  fill_mass(snake, body, &a);
  fill_constraints(n, body, &a);
  factor_augmented(snake, &a, scaled);
  solve_augmented(snake, &a, scaled);
  refine(snake, state->torque, m, body, &a, scaled, qdd);

  // link 1's own turning changes what is along it
  REAL* udot = OUT(out, UDOT);
  udot[0]    = sub_mul(qdd[0], K(PARTS(snake)[0].offset), r_mul(m.w[0], m.w[0]));
  udot[1]    = qdd[2];
  m.wd[0]    = qdd[2];
  for (int k = 1; wants_forces(out) && k < n; ++k) m.wd[k] = r_add(m.wd[k - 1], qdd[k + 2]);

  report_kane(snake, state, turn, udot, out);
  report_motion(snake, state, m, out);
  copy_reals(OUT(out, LAMBDA), qdd + n + 2, n);
}

const lwSnakeKernel FN(snake_newton_euler) = {
    newton_euler, AUGMENTED_PER_LINK + 7 * sizeof(REAL) + 2 * sizeof(Turn) + sizeof(SnakeBody),
    AUGMENTED_PER_PAIR};
