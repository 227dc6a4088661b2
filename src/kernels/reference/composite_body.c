// SPDX-License-Identifier: MIT
// Inertia matrix by the composite rigid body algorithm, CRBA, O(n^2): the text to read.
//
// Walker & Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982, method 3;
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, table 6.2. inertia/composite_body.c
// computes the same matrix faster.
//
//   book   here     meaning                                                  frame, unit
//   I^c_i  m, h, I  mass, first moment and inertia about the origin of       link; kg, kg m,
//                   link i and all that it carries, as one rigid body        kg m^2
//   F      f, n     wrench that gives this body unit acceleration along      link, N, N m
//                   its joint, everything else at rest
//   H      H        inertia matrix                                           kg m^2, kg m, kg
//
// Joint i at unit acceleration, all others at rest: the joints that carry it must hold the wrench
// F, and joint k feels its part along its own axis. That is column i of H.
#include "kernels/joints.h"

typedef struct
{
  REAL m;
  V3 h;
  S3 I;
} CompositeBody;

// Inertia about a point of a body that has it about its origin: p is where the origin is, seen from
// that point. I' = I + 2 (p.h) 1 - p h^T - h p^T + m (p.p 1 - p p^T)
INLINE S3 inertia_moved(S3 I, REAL m, V3 h, V3 p)
{
  V3 k      = add(h, scale_add(m, p, h));  // 2 h + m p
  REAL both = dot(p, k);
  V3 half   = scale(constant((CONST)0.5), k);
  return (S3){r_add(I.xx, sub_mul(both, p.x, k.x)),
              r_add(I.yy, sub_mul(both, p.y, k.y)),
              r_add(I.zz, sub_mul(both, p.z, k.z)),
              sub_mul(sub_mul(I.xy, p.x, half.y), p.y, half.x),
              sub_mul(sub_mul(I.xz, p.x, half.z), p.z, half.x),
              sub_mul(sub_mul(I.yz, p.y, half.z), p.z, half.y)};
}

INLINE CompositeBody composite_in_parent(Joint j, CompositeBody body)
{
  V3 p = origin_in_parent(j);
  V3 h = to_parent(j, body.h);
  S3 I = tensor_to_parent(j, body.I);
  return (CompositeBody){body.m, scale_add(body.m, p, h), inertia_moved(I, body.m, h, p)};
}

// Column i: what unit acceleration of joint i takes, held by all joints down to the base.
INLINE void composite_column(const lwModel* model, int i, const Turn* turns, const Input* q,
                             CompositeBody body, Result* H)
{
  size_t n = (size_t)model->n;
  V3 z     = v3(zero(), zero(), constant(1));
  V3 f     = is_prismatic(model, i) ? scale(body.m, z) : cross(z, body.h);
  V3 t     = is_prismatic(model, i) ? cross(body.h, z) : s3_apply(body.I, z);
  for (int k = i; k != LW_BASE; k = model->parent[k])
  {
    Joint j                      = joint_at(model, k, turns, q);
    H[(size_t)k * n + (size_t)i] = H[(size_t)i * n + (size_t)k] =
        is_prismatic(model, k) ? f.z : t.z;
    f = to_parent(j, f);
    t = cross_add(origin_in_parent(j), f, to_parent(j, t));
  }
}

static void reference_composite_body(const lwModel* model, void* work, const lwState* state,
                                     void* out)
{
  int n               = model->n;
  Turn* turns         = take_turns(model, state->q, &work);
  CompositeBody* body = (CompositeBody*)work + 1;  // body[LW_BASE] is never read
  Result* H           = out;
  for (int k = 0; k < n * n; ++k) H[k] = zero();  // joints on different branches

  for (int i = 0; i < n; ++i)
  {
    const Link* link = &LINKS(model)[i];
    body[i]          = (CompositeBody){K(link->mass), known_vector(link->first_moment),
                                       known_symmetric(link->inertia)};
  }
  for (int i = n - 1; i >= 0; --i)
  {
    int p = model->parent[i];
    composite_column(model, i, turns, state->q, body[i], H);
    if (p == LW_BASE) continue;
    CompositeBody c = composite_in_parent(joint_at(model, i, turns, state->q), body[i]);
    body[p] = (CompositeBody){r_add(body[p].m, c.m), add(body[p].h, c.h), add(body[p].I, c.I)};
  }
}

const lwKernel FN(reference_composite_body) = {
    reference_composite_body, sizeof(Turn) + sizeof(CompositeBody), 0, {0}, 0};
