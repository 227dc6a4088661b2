// SPDX-License-Identifier: MIT
// Inertia matrix by composite rigid bodies, O(n^2) for a chain, O(n depth) for a tree.
//
// Walker & Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982, method 3; Featherstone, "Rigid
// Body Dynamics Algorithms", 2008, table 6.2.
//
//   paper     here    meaning                                                     frame, unit
//   M_j       M       mass of link j and all that it carries                      kg
//   c_j       h       their first moment about the link's origin                  link, kg m
//   E_j       I       their inertia about the link's origin                       link, kg m^2
//   F, N      f, n    wrench that gives this composite body unit joint
//                     acceleration, everything else at rest                       link, N, N m
//
// Where it differs from the paper:
// - Composite bodies are kept as (M, h, I) about the link's origin, so nothing is divided by M, and massless links
//   are no exception (ERRATA 2-9).
// - Shifts and rotations are factored into those about z and about x ("screws"): a shift along an axis costs 3
//   multiplications, a planar rotation of I costs 8.
// - Prismatic joints and trees are added.
#include "kernels/joints.h"

typedef struct
{
  V3 h;
  S3 I;
} Body;

// Reference point moved by -p, p along z by d: h grows by M d z.
INLINE void shift_z(Body* body, REAL mass, REAL d)
{
  REAL old    = body->h.z;
  body->h.z   = mul_add(mass, d, old);
  REAL growth = r_mul(d, r_add(old, body->h.z));
  body->I.xx  = r_add(body->I.xx, growth);
  body->I.yy  = r_add(body->I.yy, growth);
  body->I.xz  = sub_mul(body->I.xz, d, body->h.x);
  body->I.yz  = sub_mul(body->I.yz, d, body->h.y);
}

INLINE void shift_x(Body* body, REAL mass, REAL a)
{
  REAL old    = body->h.x;
  body->h.x   = mul_add(mass, a, old);
  REAL growth = r_mul(a, r_add(old, body->h.x));
  body->I.yy  = r_add(body->I.yy, growth);
  body->I.zz  = r_add(body->I.zz, growth);
  body->I.xy  = sub_mul(body->I.xy, a, body->h.y);
  body->I.xz  = sub_mul(body->I.xz, a, body->h.z);
}

// The same for a general p: I += (p.k) 1 - (p k^T + k p^T)/2 with k = h + h'.
INLINE void shift(Body* body, REAL mass, V3 p)
{
  V3 old  = body->h;
  body->h = scale_add(mass, p, old);
  V3 k    = scale(constant((CONST)0.5), add(old, body->h));
  REAL x = r_mul(p.x, k.x), y = r_mul(p.y, k.y), z = r_mul(p.z, k.z);
  REAL yz = r_add(y, z), xz = r_add(x, z), xy = r_add(x, y);
  body->I.xx = r_add(body->I.xx, r_add(yz, yz));
  body->I.yy = r_add(body->I.yy, r_add(xz, xz));
  body->I.zz = r_add(body->I.zz, r_add(xy, xy));
  body->I.xy = sub_mul(sub_mul(body->I.xy, p.x, k.y), p.y, k.x);
  body->I.xz = sub_mul(sub_mul(body->I.xz, p.x, k.z), p.z, k.x);
  body->I.yz = sub_mul(sub_mul(body->I.yz, p.y, k.z), p.z, k.y);
}

// A composite body of joint j's frame, shifted and turned about z: what is left to the parent's frame is about x.
INLINE void screw_z(Joint j, Body* body)
{
  shift_z(body, K(j.link->outboard_mass), j.d);
  body->h = turn_z(j.theta, body->h);
  body->I = s3_turn_z(j.theta, body->I);
}

INLINE void screw_x(Joint j, Body* body)
{
  REAL mass  = K(j.link->outboard_mass);
  Turn alpha = alpha_turn(j.link);
  body->h    = turn_x(alpha, body->h);
  body->I    = s3_turn_x(alpha, body->I);
  if (j.skew)
  {
    Turn gamma = gamma_turn(j.link);
    body->h    = turn_z(gamma, body->h);
    body->I    = s3_turn_z(gamma, body->I);
    shift(body, mass, known_vector(j.link->arm));
  }
  else
    shift_x(body, mass, K(j.link->arm[0]));
}

// The wrench of unit acceleration of joint i, read off its composite body. Shifting and turning about z takes it along,
// so it is read after screw_z and needs no shift or turn of its own.
INLINE void unit_wrench(const Body* body, const Link* link, bool prismatic, V3* f, V3* n)
{
  if (prismatic)
  {
    *f = v3(zero(), zero(), K(link->outboard_mass));
    *n = v3(body->h.y, r_neg(body->h.x), zero());
  }
  else
  {
    *f = v3(r_neg(body->h.y), body->h.x, zero());
    *n = v3(body->I.xz, body->I.yz, body->I.zz);
  }
}

INLINE void set_entry(REAL* M, int n, int i, int k, REAL entry)
{
  M[(size_t)i * (size_t)n + (size_t)k] = entry;
  M[(size_t)k * (size_t)n + (size_t)i] = entry;
}

// Column i below the diagonal: the wrench f, n in the frame of joint k, carried down to the base.
INLINE void fill_column(const lwModel* model, int i, int k, V3 f, V3 n, const Joint* joints,
                        REAL* M)
{
  for (;; k = model->parent[k])
  {
    set_entry(M, model->n, i, k, is_prismatic(model, k) ? f.z : n.z);
    if (model->parent[k] == LW_BASE) return;
    wrench_to_parent(joints[k], &f, &n);
  }
}

static void composite_body(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n         = model->n;
  Turn* turns   = take(&work, (size_t)n * sizeof *turns);
  Joint* joints = take(&work, (size_t)n * sizeof *joints);
  Body* body    = work;
  REAL* M       = out;

  joint_turns(model, state->q, turns);
  for (int i = 0; i < n; ++i)
  {
    joints[i]        = joint_at(model, i, turns, state->q);
    const Link* link = joints[i].link;
    body[i]          = (Body){known_vector(link->moment), known_symmetric(link->inertia)};
  }
  for (size_t k = 0; k < (size_t)n * (size_t)n; ++k) M[k] = zero();

  // inward, tip to base: composite bodies and their columns
  for (int i = n - 1; i >= 0; --i)
  {
    int p          = model->parent[i];
    bool prismatic = is_prismatic(model, i);
    set_entry(M, n, i, i, prismatic ? K(joints[i].link->outboard_mass) : body[i].I.zz);
    if (p == LW_BASE) continue;
    V3 f, m;
    screw_z(joints[i], &body[i]);
    unit_wrench(&body[i], joints[i].link, prismatic, &f, &m);
    wrench_by_screw_x(joints[i], &f, &m);
    fill_column(model, i, p, f, m, joints, M);
    screw_x(joints[i], &body[i]);
    body[p].h = add(body[p].h, body[i].h);
    body[p].I = add(body[p].I, body[i].I);
  }
}

const lwKernel FN(composite_body) = {
    composite_body, sizeof(Turn) + sizeof(Joint) + sizeof(Body), 0, {0}};
