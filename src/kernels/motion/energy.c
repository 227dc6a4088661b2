// SPDX-License-Identifier: MIT
// Kinetic and potential energy, J.
//
//   T = 1/2 sum of m v.v + 2 v.(w x h) + w.I w     v, I about the link's origin, h = m c
//   V = - g . (sum of first moments, in the base frame), zero at the origin of the file's base
#include "kernels/joints.h"

typedef struct
{
  V3 w, v;  // angular velocity, velocity of the origin; link frame
  V3 h;     // first moment of the link and all that it carries, about the link's origin
} EnergyBody;

// v of the origin of link i: R (v_p + w_p x span) + w x d z
INLINE void energy_motion(const lwModel* model, int i, Joint j, EnergyBody* body, REAL qd)
{
  const EnergyBody* parent = &body[model->parent[i]];
  V3 w                     = to_link(j, parent->w);
  V3 v                     = to_link(j, sub(parent->v, span_cross_add(j, parent->w, v3_zero())));
  v                        = sub(v, d_cross_add(j, w, v3_zero()));
  if (is_prismatic(model, i))
    v.z = r_add(v.z, qd);
  else
    w.z = r_add(w.z, qd);
  body[i] = (EnergyBody){w, v, known_vector(j.link->first_moment)};
}

// v of the origin behind a wide joint: F^T (v_p + w_p x p) + v
APART void energy_motion_wide(const lwModel* model, const lwWideJoint* wide, const Turn* turns,
                              const lwState* state, EnergyBody* body)
{
  const EnergyBody* parent = &body[model->parent[wide->first]];
  Frame F                  = wide_frame(model, wide, turns);
  WideRates qd             = wide_rates(wide, state->qd);
  body[wide->last]         = (EnergyBody){add(rotate_back(F, parent->w), qd.w),
                                          add(rotate_back(F, cross_add(parent->w, F.p, parent->v)), qd.v),
                                          known_vector(LINKS(model)[wide->last].first_moment)};
}

// First moment of what joint i carries, about its parent's origin: R (h + M d z) + M span
INLINE V3 energy_moment(const lwModel* model, int i, const Turn* turns, const Input* q, V3 h)
{
  Joint j   = joint_at(model, i, turns, q);
  REAL mass = K(j.link->outboard_mass);
  h.z       = mul_add(mass, j.d, h.z);
  return scale_add(mass, known_vector(j.link->span), to_parent(j, h));
}

APART V3 energy_moment_wide(const lwModel* model, const lwWideJoint* wide, const Turn* turns, V3 h)
{
  Frame F = wide_frame(model, wide, turns);
  return scale_add(K(LINKS(model)[wide->last].outboard_mass), F.p, rotate(F, h));
}

// twice the kinetic energy of one link
INLINE REAL twice_kinetic(const Link* link, V3 w, V3 v, V3 h)
{
  REAL mixed = dot(v, cross(w, h));
  REAL twice = mul_add(K(link->mass), dot(v, v), r_add(mixed, mixed));
  return r_add(twice, dot(w, s3_apply(known_symmetric(link->inertia), w)));
}

// any_wide: a constant, so that other robots do not look for wide joints.
INLINE void energy_passes(const lwModel* model, void* work, const lwState* state, void* out,
                          bool any_wide)
{
  int n            = model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  EnergyBody* body = (EnergyBody*)work + 1;
  const Input* q   = state->q;
  REAL* result     = out;
  REAL twice       = zero();

  body[LW_BASE] = (EnergyBody){v3_zero(), v3_zero(), v3_zero()};
  for (int i = 0; i < n; ++i)
  {
    if (any_wide && is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      energy_motion_wide(model, wide, turns, state, body);
      i = wide->last;
    }
    else
      energy_motion(model, i, joint_at(model, i, turns, q), body, given(state->qd, i));
    twice = r_add(twice, twice_kinetic(&LINKS(model)[i], body[i].w, body[i].v, body[i].h));
  }

  // inward: first moments join those of the parents
  for (int i = n - 1; i >= 0; --i)
  {
    const lwWideJoint* wide = any_wide && is_wide(model, i) ? wide_joint(model, i) : NULL;
    V3 h                    = wide ? energy_moment_wide(model, wide, turns, body[i].h)
                                   : energy_moment(model, i, turns, q, body[i].h);
    if (wide) i = wide->first;
    EnergyBody* parent = &body[model->parent[i]];
    parent->h          = add(parent->h, h);
  }
  const Ends* ends = ENDS(model);
  result[0]        = r_mul(constant((CONST)0.5), twice);
  result[1]        = r_sub(K(ends->potential), dot(known_vector(ends->gravity), body[LW_BASE].h));
}

APART void energy_native(const lwModel* model, void* work, const lwState* state, void* out)
{
  energy_passes(model, work, state, out, true);
}

static void energy(const lwModel* model, void* work, const lwState* state, void* out)
{
  if (model->wide_count > 0)
    energy_native(model, work, state, out);
  else
    energy_passes(model, work, state, out, false);
}

const lwKernel FN(energy) = {
    energy, sizeof(Turn) + sizeof(EnergyBody), 0, {0}, LW_KERNEL_NARROW | LW_KERNEL_WIDE};
