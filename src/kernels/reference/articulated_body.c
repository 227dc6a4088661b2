// SPDX-License-Identifier: MIT
// Forward dynamics by the articulated body algorithm, ABA, O(n): the text to read.
//
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, table 7.1. forward/articulated_body.c
// computes the same accelerations faster.
//
//   book  here  meaning, in the link's frame and about its origin              unit
//   X     X     motion of the parent, seen from the link
//   v, c  v, c  spatial velocity (angular, linear); v x S qd                   rad/s, m/s
//   a     a     spatial acceleration, less gravity                             rad/s^2, m/s^2
//   I^A   A     articulated inertia, first of the link alone                   kg m^2, kg m, kg
//   p^A   p     bias wrench (moment, force)                                    N m, N
//   S     S     axis of the joint: (z, 0) if it turns, (0, z) if it slides
//   U, D  U, D  I^A S; S^T U, plus the inertia of the motor's rotor
//   u     u     tau - S^T p^A
// A joint that is held (model/joint_types.c) has no freedom: J is infinite.
#include "kernels/joints.h"

typedef struct
{
  SpatialMatrix X, A;
  Spatial S, v, c, a, p, U;
  REAL over_D, kept, u;  // 1/D, J/D with the rotor's inertia J
} SpatialBody;

// First pass: the link's velocity, its own inertia, and the wrench of its velocity.
INLINE void spatial_link(SpatialBody* b, const SpatialBody* parent, Joint j, REAL qd)
{
  V3 h = known_vector(j.link->first_moment);
  S3 I = known_symmetric(j.link->inertia);
  for (int k = 0; k < 6; ++k)
  {
    V3 w = spatial_unit(k).w, v = spatial_unit(k).v, at = to_link(j, w);
    V3 moved = to_link(j, cross_span_add(j, w, v));  // the origin is at the span, then d along z
    b->X.column[k] = (Spatial){at, cross_d_add(j, at, moved)};
    b->A.column[k] =
        (Spatial){cross_add(h, v, s3_apply(I, w)), scale_add(K(j.link->mass), v, cross(w, h))};
  }
  b->v = spatial_add(spatial_apply(&b->X, parent->v), qd, b->S);
  V3 w = b->v.w, v = b->v.v;
  b->c = (Spatial){scale(qd, cross(w, b->S.w)), scale(qd, cross_add(w, b->S.v, cross(v, b->S.w)))};
  Spatial L = spatial_apply(&b->A, b->v);  // momentum
  b->p      = (Spatial){cross_add(w, L.w, cross(v, L.v)), cross(w, L.v)};
}

// Second pass: I^a = I^A - U U^T / D and p^a = p^A + I^a c + U u / D go to the parent. Along the
// joint, I^a S = U J/D with the rotor's inertia J, so zero without one. It is written as that: the
// difference would be rounding error alone.
INLINE void spatial_to_parent(const SpatialBody* b, SpatialBody* parent, bool prismatic)
{
  SpatialMatrix I;
  for (int k = 0; k < 6; ++k)
  {
    REAL U_k    = spatial_dot(b->U, spatial_unit(k));
    I.column[k] = spatial_add(b->A.column[k], r_neg(r_mul(b->over_D, U_k)), b->U);
    *(prismatic ? &I.column[k].v.z : &I.column[k].w.z) = r_mul(b->kept, U_k);
  }
  I.column[prismatic ? 5 : 2] = (Spatial){scale(b->kept, b->U.w), scale(b->kept, b->U.v)};
  Spatial p                   = spatial_add(spatial_add(b->p, constant(1), spatial_apply(&I, b->c)),
                                            r_mul(b->over_D, b->u), b->U);
  parent->p = spatial_add(parent->p, constant(1), spatial_apply_transposed(&b->X, p));
  for (int k = 0; k < 6; ++k)
    parent->A.column[k] =
        spatial_add(parent->A.column[k], constant(1),
                    spatial_apply_transposed(&b->X, spatial_apply(&I, b->X.column[k])));
}

static void reference_articulated_body(const lwModel* model, void* work, const lwState* state,
                                       void* out)
{
  Turn* turns       = take_turns(model, state->q, &work);
  SpatialBody* body = (SpatialBody*)work + 1;  // body[LW_BASE] is the base
  Result* qdd       = out;
  body[LW_BASE].v   = (Spatial){v3_zero(), v3_zero()};
  body[LW_BASE].a   = (Spatial){v3_zero(), neg(gravity_of(model, state))};

  for (int i = 0; i < model->n; ++i)
  {
    body[i].S = spatial_unit(is_prismatic(model, i) ? 5 : 2);
    spatial_link(&body[i], &body[model->parent[i]], joint_at(model, i, turns, state->q),
                 given(state->qd, i));
  }
  if (is_tool_pushed(model, state))
    subtract_tool(model, state, &body[model->tool].p.v, &body[model->tool].p.w);
  for (int i = model->n - 1; i >= 0; --i)
  {
    SpatialBody* b = &body[i];
    b->U           = spatial_apply(&b->A, b->S);
    REAL rotor     = state->rotors ? rotor_of(model, i) : zero();
    REAL D         = r_add(spatial_dot(b->S, b->U), rotor);
    b->over_D      = lw_joint_is_held(model, i) ? zero() : r_div(constant(1), D);
    b->kept        = lw_joint_is_held(model, i) ? constant(1) : r_mul(rotor, b->over_D);
    b->u           = r_sub(given(state->tau, i), spatial_dot(b->S, b->p));
    if (model->parent[i] != LW_BASE)
      spatial_to_parent(b, &body[model->parent[i]], is_prismatic(model, i));
  }
  for (int i = 0; i < model->n; ++i)  // third pass, outward: accelerations
  {
    SpatialBody* b = &body[i];
    b->a           = spatial_add(spatial_apply(&b->X, body[model->parent[i]].a), constant(1), b->c);
    REAL x         = r_mul(b->over_D, r_sub(b->u, spatial_dot(b->U, b->a)));
    b->a           = spatial_add(b->a, x, b->S);
    qdd[i]         = x;
  }
}

const lwKernel FN(reference_articulated_body) = {
    reference_articulated_body, sizeof(Turn) + sizeof(SpatialBody), 0, {0}, 0};
