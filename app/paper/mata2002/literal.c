// SPDX-License-Identifier: MIT
// The algorithms of mata2002, sections 4.1 and 4.2, with a scalar that counts.
//
//   paper          here    meaning                                                  frame, unit
//   r_{i,i}        r       origin of the link to its centre of mass                 link, m
//   s_{i-1,i}      s       parent's origin to the link's                            parent, m
//   J, I           J       Euler's tensor about the centre of mass                  link, kg m^2
//   gamma, E       gamma, E first moment and inertia of link i, what it carries being at its joint   link, kg m, kg m^2
//   the others as in src/kernels/inverse/gibbs_appell.c and src/kernels/inertia/gibbs_appell.c
//
// A vector goes through a joint by two planar rotations, 8 products and 4 sums, as the document says.
#define LW_SCALAR_count
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/joints.h"
#include "literal.h"
#include "model/model.h"

// --- what all of them need

typedef struct Arm
{
  int n;
  Joint joint[LITERAL_MOST];
  REAL q[LITERAL_MOST], qd[LITERAL_MOST], qdd[LITERAL_MOST];
  Turn turns[LITERAL_MOST];
  V3 s[LITERAL_MOST];  // parent's origin to the link's, parent's frame
} Arm;

// A state like any other; accelerations are left out for the bias vector.
static void set_up(Arm* arm, const lwModel* chain, bool bias)
{
  arm->n = chain->n;
  for (int i = 0; i < chain->n; ++i)
  {
    arm->q[i]   = (REAL){0.3 + 0.01 * i, false};
    arm->qd[i]  = (REAL){0.4 + 0.01 * i, false};
    arm->qdd[i] = bias ? zero() : (REAL){0.5 + 0.01 * i, false};
  }
  joint_turns(chain, arm->q, arm->turns);
  for (int i = 0; i < chain->n; ++i)
  {
    Joint j       = joint_at(chain, i, arm->turns, arm->q);
    arm->joint[i] = j;
    arm->s[i]     = add(known_vector(j.link->arm), alpha_to_parent(j, v3(zero(), zero(), j.d)));
  }
}

static Operations counted(const lwCount* count)
{
  return (Operations){count->mul + count->div + count->sqrt, count->add};
}

static void begin(Literal* literal)
{
  *literal = (Literal){0};
  lw_tally = (lwCount){0};
}

// What was done since the last call, or begin(), was for this expression.
static void mark(Literal* literal, int step)
{
  Operations now   = counted(&lw_tally);
  Operations* most = &literal->each[step];
  if (now.mul > most->mul) most->mul = now.mul;
  if (now.add > most->add) most->add = now.add;
  literal->all.mul += now.mul;
  literal->all.add += now.add;
  lw_tally = (lwCount){0};
}

static double worst_difference(int count, const double* library, const REAL* literal)
{
  double worst = 0, largest = 0;
  for (int i = 0; i < count; ++i)
  {
    worst   = fmax(worst, fabs(library[i] - literal[i].value));
    largest = fmax(largest, fabs(library[i]));
  }
  return worst / largest;
}

// The z of to_parent(): 4 products, 2 sums.
static REAL z_in_parent(Joint j, V3 a)
{
  Turn alpha = alpha_turn(j.link);
  REAL y     = mul_add(j.theta.s, a.x, r_mul(j.theta.c, a.y));
  return mul_add(alpha.s, y, r_mul(alpha.c, a.z));
}

static REAL cross_z(V3 a, V3 b)
{
  return mul_sub(a.x, b.y, r_mul(a.y, b.x));
}

// --- 4.1

typedef struct Body
{
  V3 w, wd, a, f, t, phi, chi;  // a: of the origin
  M3 W;
} Body;

static M3 acceleration_tensor(V3 w, V3 wd)
{
  REAL xx = r_mul(w.x, w.x), yy = r_mul(w.y, w.y), zz = r_mul(w.z, w.z);
  REAL xy = r_mul(w.x, w.y), xz = r_mul(w.x, w.z), yz = r_mul(w.y, w.z);
  return (M3){v3(r_neg(r_add(yy, zz)), r_sub(xy, wd.z), r_add(xz, wd.y)),
              v3(r_add(xy, wd.z), r_neg(r_add(xx, zz)), r_sub(yz, wd.x)),
              v3(r_sub(xz, wd.y), r_add(yz, wd.x), r_neg(r_add(xx, yy)))};
}

// t of t~ = W J - (W J)^T: what the diagonal of J multiplies is taken together.
static V3 moment_of(M3 W, S3 J)
{
  REAL zy = mul_add(W.z.x, J.xy, r_mul(W.z.y, J.yy)), yz = mul_add(W.y.x, J.xz, r_mul(W.y.z, J.zz));
  REAL xz = mul_add(W.x.y, J.yz, r_mul(W.x.z, J.zz)), zx = mul_add(W.z.x, J.xx, r_mul(W.z.y, J.xy));
  REAL yx = mul_add(W.y.x, J.xx, r_mul(W.y.z, J.xz)), xy = mul_add(W.x.y, J.yy, r_mul(W.x.z, J.yz));
  return v3(mul_add(J.yz, r_sub(W.z.z, W.y.y), r_sub(zy, yz)),
            mul_add(J.xz, r_sub(W.x.x, W.z.z), r_sub(xz, zx)),
            mul_add(J.xy, r_sub(W.y.y, W.x.x), r_sub(yx, xy)));
}

// Off-line: the centre of mass, and Euler's tensor about it.
static V3 centre_of(const Link* link)
{
  return v3(K(link->moment[0] / link->mass), K(link->moment[1] / link->mass),
            K(link->moment[2] / link->mass));
}

static S3 euler_of(const Link* link)
{
  const double *h = link->moment, *J = link->pseudo;
  double m = link->mass;
  return (S3){K(J[0] - h[0] * h[0] / m), K(J[1] - h[1] * h[1] / m), K(J[2] - h[2] * h[2] / m),
              K(J[3] - h[0] * h[1] / m), K(J[4] - h[0] * h[2] / m), K(J[5] - h[1] * h[2] / m)};
}

// Steps 1 and 2 for joint i.
static void move(Literal* literal, const Arm* arm, int i, const Body* parent, Body* body)
{
  Joint j = arm->joint[i];
  V3 r    = centre_of(j.link);
  REAL qd = arm->qd[i];
  V3 w    = to_link(j, parent->w);
  mark(literal, INVERSE_OMEGA_TURNED);
  body->w = v3(w.x, w.y, r_add(w.z, qd));
  mark(literal, INVERSE_OMEGA);
  V3 wd    = to_link(j, parent->wd);
  body->wd = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), r_add(wd.z, arm->qdd[i]));
  mark(literal, INVERSE_OMEGA_DOT);
  body->W = acceleration_tensor(body->w, body->wd);  // (12)
  mark(literal, INVERSE_TENSOR);
  body->a = to_link(j, add(parent->a, m3_apply(parent->W, arm->s[i])));
  mark(literal, INVERSE_ORIGIN);
  V3 centre = add(body->a, m3_apply(body->W, r));
  mark(literal, INVERSE_CENTRE);
  body->f = scale(K(j.link->mass), centre);  // (9)
  mark(literal, INVERSE_FORCE);
  body->t = moment_of(body->W, euler_of(j.link));  // (10)
  mark(literal, INVERSE_MOMENT);
}

// Step 3: chi of joint i, of which the first needs but the z.
static void take_chi(Literal* literal, const Arm* arm, int i, Body* body)
{
  bool last  = i == arm->n - 1;
  V3 r       = centre_of(arm->joint[i].link);
  Body* next = body + 1;
  if (i > 0)
  {
    V3 chi = add(cross(r, body->f), body->t);  // (15)
    if (!last) chi = add(chi, cross(arm->s[i + 1], body->phi));
    body->chi = last ? chi : add(chi, to_parent(arm->joint[i + 1], next->chi));
  }
  else
  {
    REAL z = r_add(cross_z(r, body->f), body->t.z);
    if (!last) z = r_add(z, cross_z(arm->s[1], body->phi));
    body->chi.z = last ? z : r_add(z, z_in_parent(arm->joint[1], next->chi));
  }
  mark(literal, INVERSE_CHI);
}

static void inverse(Literal* literal, const Arm* arm, const lwModel* chain, Body* body, REAL* tau)
{
  V3 none   = v3_zero();
  Body base = {.w = none, .wd = none, .W = {none, none, none}};
  base.a    = neg(known_vector(chain->ends64.gravity));  // ERRATA 1-6
  begin(literal);
  for (int i = 0; i < arm->n; ++i) move(literal, arm, i, i > 0 ? &body[i - 1] : &base, &body[i]);
  body[arm->n - 1].phi = none;
  for (int i = arm->n - 2; i >= 0; --i)
  {
    body[i].phi = to_parent(arm->joint[i + 1], add(body[i + 1].f, body[i + 1].phi));  // (16)
    mark(literal, INVERSE_PHI);
  }
  for (int i = arm->n - 1; i >= 0; --i)
  {
    take_chi(literal, arm, i, &body[i]);
    tau[i] = body[i].chi.z;  // (14)
  }
}

// The library's answer to the same question about the same state.
static lwStatus ask_library(const lwModel* chain, lwQuestion question, const Arm* arm, double* out)
{
  double q[LITERAL_MOST], qd[LITERAL_MOST], qdd[LITERAL_MOST];
  lwWork* work    = NULL;
  lwStatus status = lw_work_create(chain, NULL, &work);
  if (status != LW_OK) return status;
  for (int i = 0; i < arm->n; ++i)
  {
    q[i]   = arm->q[i].value;
    qd[i]  = arm->qd[i].value;
    qdd[i] = arm->qdd[i].value;
  }
  lw_answer(chain, work, question, &(lwStates){.q = q, .qd = qd, .qdd = qdd}, out);
  lw_work_destroy(work);
  return LW_OK;
}

lwStatus literal_inverse(const lwModel* chain, bool bias, Literal* literal)
{
  REAL tau[LITERAL_MOST];
  double library[LITERAL_MOST];
  Arm* arm        = calloc(1, sizeof *arm);
  Body* body      = calloc(LITERAL_MOST + 1, sizeof *body);
  lwStatus status = arm && body ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    set_up(arm, chain, bias);
    inverse(literal, arm, chain, body, tau);
    status = ask_library(chain, LW_INVERSE, arm, library);
  }
  if (status == LW_OK) literal->error = worst_difference(arm->n, library, tau);
  free(arm);
  free(body);
  return status;
}

// --- 4.2

typedef struct Composite
{
  V3 gamma[LITERAL_MOST], phi[LITERAL_MOST];
  V3 turned[LITERAL_MOST];  // phi of link i + 1 in the frame of link i
  S3 E[LITERAL_MOST], psi[LITERAL_MOST];
  V3 step[LITERAL_MOST][LITERAL_MOST];  // [i][j] s_{i,i+1} in the frame of link j
  V3 s[LITERAL_MOST][LITERAL_MOST];     // [i][j] s_{i,j} in the frame of link j
  V3 z[LITERAL_MOST][LITERAL_MOST];     // [i][j] axis of joint i in the frame of link j
  REAL D[LITERAL_MOST * LITERAL_MOST];
} Composite;

// Step 1, off-line. ERRATA 1-13.
static void compose(const Arm* arm, Composite* c)
{
  for (int i = 0; i < arm->n; ++i)
  {
    const Link* link = arm->joint[i].link;
    c->gamma[i]      = known_vector(link->moment);
    c->E[i]          = known_symmetric(link->inertia);  // H
    if (i == arm->n - 1) continue;
    REAL M      = K(arm->joint[i + 1].link->outboard_mass);
    V3 s        = arm->s[i + 1];
    V3 h        = scale(M, s);
    S3 points   = {dot(v3(zero(), h.y, h.z), s), dot(v3(h.x, zero(), h.z), s),
                   dot(v3(h.x, h.y, zero()), s), r_neg(r_mul(h.x, s.y)),
                   r_neg(r_mul(h.x, s.z)),       r_neg(r_mul(h.y, s.z))};
    c->gamma[i] = add(c->gamma[i], h);
    c->E[i]     = add(c->E[i], points);
  }
}

// s_{j-1,j} in the frame of link j: the turn by alpha leaves (a, 0, d). ERRATA 1-14.
static V3 own_step(Joint j)
{
  return turn_back_z(j.theta, v3(K(j.link->arm[0]), zero(), j.d));
}

// Step 2.
static void see_arms(Literal* literal, const Arm* arm, Composite* c)
{
  for (int i = 0; i < arm->n - 1; ++i)
    for (int j = i + 1; j < arm->n; ++j)
    {
      Joint joint   = arm->joint[j];
      c->step[i][j] = j == i + 1 ? own_step(joint) : to_link(joint, c->step[i][j - 1]);
      mark(literal, INERTIA_ARM);
    }
  for (int i = 0; i < arm->n - 1; ++i) c->s[i][i + 1] = c->step[i][i + 1];
  for (int i = arm->n - 3; i >= 0; --i)
    for (int j = arm->n - 1; j >= i + 2; --j)
    {
      c->s[i][j] = add(c->step[i][j], c->s[i + 1][j]);
      mark(literal, INERTIA_ARM_SUM);
    }
}

// Step 3. ERRATA 1-15.
static void see_axes(Literal* literal, const Arm* arm, Composite* c)
{
  for (int i = 0; i < arm->n - 1; ++i)
  {
    c->z[i][i + 1] = to_link(arm->joint[i + 1], v3(zero(), zero(), constant(1)));
    mark(literal, INERTIA_AXIS_FIRST);
    for (int j = i + 2; j < arm->n; ++j)
    {
      c->z[i][j] = to_link(arm->joint[j], c->z[i][j - 1]);
      mark(literal, INERTIA_AXIS);
    }
  }
}

// Step 4. ERRATA 1-16.
static void sum_moments(Literal* literal, const Arm* arm, Composite* c)
{
  int n         = arm->n;
  c->phi[n - 1] = c->gamma[n - 1];
  for (int i = n - 2; i >= 0; --i)
  {
    c->turned[i] = to_parent(arm->joint[i + 1], c->phi[i + 1]);
    mark(literal, INERTIA_PHI_TURNED);
    c->phi[i] = add(c->gamma[i], c->turned[i]);
    mark(literal, INERTIA_PHI);
  }
}

// E - s~ phi~ - (s~ phi~)^T, where s~ phi~ = phi s^T - s.phi 1
static S3 cross_terms(S3 E, V3 s, V3 phi)
{
  REAL x = r_mul(s.x, phi.x), y = r_mul(s.y, phi.y), z = r_mul(s.z, phi.z);
  REAL yz = r_add(y, z), xz = r_add(x, z), xy = r_add(x, y);
  return (S3){r_add(E.xx, r_add(yz, yz)),
              r_add(E.yy, r_add(xz, xz)),
              r_add(E.zz, r_add(xy, xy)),
              sub_mul(sub_mul(E.xy, s.x, phi.y), s.y, phi.x),
              sub_mul(sub_mul(E.xz, s.x, phi.z), s.z, phi.x),
              sub_mul(sub_mul(E.yz, s.y, phi.z), s.z, phi.y)};
}

// z . psi z for the axis z of the joint before, whose own z is known off-line
static REAL about(V3 z, S3 psi)
{
  REAL twice_y = r_add(z.y, z.y), twice_z = r_add(z.z, z.z);
  REAL x = mul_add(twice_y, psi.xy, mul_add(z.x, psi.xx, r_mul(twice_z, psi.xz)));
  REAL y = mul_add(z.y, psi.yy, r_mul(twice_z, psi.yz));
  return mul_add(z.x, x, mul_add(z.y, y, r_mul(r_mul(z.z, z.z), psi.zz)));
}

// Step 5: psi takes phi before gamma is added (ERRATA 1-17). Of the first link only zz is wanted.
static void sum_inertias(Literal* literal, const Arm* arm, Composite* c)
{
  int n         = arm->n;
  c->psi[n - 1] = c->E[n - 1];
  for (int i = n - 2; i >= 1; --i)
  {
    Joint j   = arm->joint[i + 1];
    S3 turned = s3_turn_x(alpha_turn(j.link), s3_turn_z(j.theta, c->psi[i + 1]));
    c->psi[i] = add(cross_terms(c->E[i], arm->s[i + 1], c->turned[i]), turned);
    mark(literal, INERTIA_PSI);
  }
  if (n < 2) return;
  V3 s         = arm->s[1];
  REAL shift   = mul_add(s.x, c->turned[0].x, r_mul(s.y, c->turned[0].y));
  REAL carried = r_add(about(c->z[0][1], c->psi[1]), r_add(shift, shift));
  c->psi[0].zz = r_add(c->E[0].zz, carried);
  mark(literal, INERTIA_PSI_FIRST);
}

// Steps 6 and 7: (psi - s~ phi~) z has the third column of psi and four products.
static void fill(Literal* literal, const Arm* arm, Composite* c)
{
  int n = arm->n;
  for (int j = n - 1; j >= 0; --j)
  {
    V3 phi          = c->phi[j];
    S3 psi          = c->psi[j];
    c->D[j * n + j] = psi.zz;
    for (int k = j - 1; k >= 0; --k)
    {
      V3 s = c->s[k][j];
      V3 shift =
          v3(r_mul(s.z, phi.x), r_mul(s.z, phi.y), r_neg(mul_add(s.x, phi.x, r_mul(s.y, phi.y))));
      V3 felt         = sub(v3(psi.xz, psi.yz, psi.zz), shift);
      c->D[j * n + k] = c->D[k * n + j] = dot(c->z[k][j], felt);  // (22), ERRATA 1-18
      mark(literal, INERTIA_ENTRY);
    }
  }
}

static lwStatus inertia(const lwModel* chain, const Arm* arm, Composite* c, Literal* literal)
{
  double library[LITERAL_MOST * LITERAL_MOST];
  compose(arm, c);
  begin(literal);  // step 1 is done off-line
  see_arms(literal, arm, c);
  see_axes(literal, arm, c);
  sum_moments(literal, arm, c);
  sum_inertias(literal, arm, c);
  fill(literal, arm, c);
  lwStatus status = ask_library(chain, LW_INERTIA, arm, library);
  if (status == LW_OK) literal->error = worst_difference(arm->n * arm->n, library, c->D);
  return status;
}

lwStatus literal_inertia(const lwModel* chain, Literal* literal)
{
  Arm* arm        = calloc(1, sizeof *arm);
  Composite* c    = calloc(1, sizeof *c);
  lwStatus status = arm && c ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK)
  {
    set_up(arm, chain, true);
    status = inertia(chain, arm, c, literal);
  }
  free(arm);
  free(c);
  return status;
}

// --- the linear system

// D = L L^T, L in the lower triangle.
static void factor(int n, REAL* D)
{
  for (int j = 0; j < n; ++j)
  {
    for (int i = j; i < n; ++i)
      for (int k = 0; k < j; ++k) D[i * n + j] = sub_mul(D[i * n + j], D[i * n + k], D[j * n + k]);
    D[j * n + j] = r_sqrt(D[j * n + j]);
    for (int i = j + 1; i < n; ++i) D[i * n + j] = r_div(D[i * n + j], D[j * n + j]);
  }
}

// L y = b, L^T x = y, in place.
static void substitute(int n, const REAL* L, REAL* x)
{
  for (int i = 0; i < n; ++i)
  {
    for (int k = 0; k < i; ++k) x[i] = sub_mul(x[i], L[i * n + k], x[k]);
    x[i] = r_div(x[i], L[i * n + i]);
  }
  for (int i = n - 1; i >= 0; --i)
  {
    for (int k = i + 1; k < n; ++k) x[i] = sub_mul(x[i], L[k * n + i], x[k]);
    x[i] = r_div(x[i], L[i * n + i]);
  }
}

// D x of a symmetric matrix, to see whether x is the solution.
static void multiply(int n, const REAL* D, const REAL* x, REAL* b)
{
  for (int i = 0; i < n; ++i)
  {
    b[i] = zero();
    for (int k = 0; k < n; ++k) b[i] = mul_add(D[i * n + k], x[k], b[i]);
  }
}

static void solve(const Arm* arm, Composite* c, Literal* decomposition, Literal* substitutions)
{
  int n = arm->n;
  REAL D[LITERAL_MOST * LITERAL_MOST], x[LITERAL_MOST], back[LITERAL_MOST];
  double b[LITERAL_MOST];
  memcpy(D, c->D, sizeof D);
  for (int i = 0; i < n; ++i)
  {
    x[i] = arm->qd[i];
    b[i] = x[i].value;
  }
  begin(decomposition);
  factor(n, c->D);
  mark(decomposition, 0);
  begin(substitutions);
  substitute(n, c->D, x);
  mark(substitutions, 0);
  multiply(n, D, x, back);
  substitutions->error = decomposition->error = worst_difference(n, b, back);
}

lwStatus literal_cholesky(const lwModel* chain, Literal* decomposition, Literal* substitutions)
{
  Arm* arm        = calloc(1, sizeof *arm);
  Composite* c    = calloc(1, sizeof *c);
  lwStatus status = arm && c ? LW_OK : LW_ERROR_MEMORY;
  Literal matrix;
  if (status == LW_OK)
  {
    set_up(arm, chain, true);
    status = inertia(chain, arm, c, &matrix);
  }
  if (status == LW_OK) solve(arm, c, decomposition, substitutions);
  free(arm);
  free(c);
  return status;
}
