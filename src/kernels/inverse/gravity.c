// SPDX-License-Identifier: MIT
// Torques that hold an arm at rest, O(n): Newton-Euler without motion, where all that is left is
// the weight of what each joint carries.
//
//   g      gravity in the frame of the link                                   m/s^2
//   M, h   mass and first moment of the link and all that it carries,
//          about the link's origin                                            kg, kg m, link frame
//
// The weight M g acts with the moment h x g; a joint holds against the part along its axis. M is a
// constant of the model.
#include "kernels/joints.h"

typedef struct
{
  V3 g;
  V3 h;  // at a fork: of what joints other than the next one have brought
} HeavyBody;

// What a joint carries, about its parent's origin in the parent's frame: R (h + M d z) + M span
INLINE V3 moment_to_parent(Joint j, V3 h)
{
  REAL mass = K(j.link->outboard_mass);
  h.z       = mul_add(mass, j.d, h.z);
  h         = to_parent(j, h);
  if (j.skew) return scale_add(mass, known_vector(j.link->span), h);
  h.x = mul_add(mass, K(j.link->span[0]), h.x);
  return h;
}

// Gravity in the frames of all links, base to tip. any_wide: a constant, so that other robots do not
// look for wide joints.
INLINE void gravity_outward(const lwModel* model, const Turn* turns, const Input* q, V3 base,
                            HeavyBody* body, bool any_wide)
{
  V3 g = base;
  for (int i = 0; i < model->n; ++i)
  {
    if (continues_run(model, i))
      g = to_link(joint_in_run(model, i, turns), g);
    else if (any_wide && is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      int p                   = model->parent[i];
      g = rotate_back(wide_frame(model, wide, turns), p == LW_BASE ? base : body[p].g);
      i = wide->last;
    }
    else
    {
      int p = model->parent[i];
      g     = to_link(joint_at(model, i, turns, q), p == LW_BASE ? base : body[p].g);
    }
    body[i].g = g;
    if (is_fork(model, i)) body[i].h = v3_zero();
  }
}

// Torque of joint i, whose link and all that it carries have the first moment h.
INLINE REAL gravity_torque(const lwModel* model, int i, V3 g, V3 h, bool prismatic)
{
  return prismatic ? neg_mul(K(LINKS(model)[i].outboard_mass), g.z)
                   : mul_sub(h.y, g.x, r_mul(h.x, g.y));
}

// Entries of a wide joint: the weight of what it carries acts at their centre of mass.
INLINE void gravity_entries(const lwModel* model, const lwWideJoint* wide, V3 g, V3 h, Result* tau)
{
  REAL mass = K(LINKS(model)[wide->last].outboard_mass);
  store_wide(wide, (Wrench){scale(r_neg(mass), g), cross(g, h)}, tau);
}

// What a wide joint carries, as moment_to_parent().
INLINE V3 wide_moment_to_parent(const lwModel* model, const lwWideJoint* wide, const Turn* turns,
                                V3 h)
{
  Frame F = wide_frame(model, wide, turns);
  return scale_add(K(LINKS(model)[wide->last].outboard_mass), F.p, rotate(F, h));
}

// First moments, tip to base. brought: what the next joint has brought to link i.
INLINE void gravity_inward(const lwModel* model, const Turn* turns, const Input* q, HeavyBody* body,
                           Result* tau, bool any_wide)
{
  V3 brought = v3_zero();
  for (int i = model->n - 1; i >= 0; --i)
  {
    V3 h = add(known_vector(LINKS(model)[i].first_moment), brought);
    if (is_fork(model, i)) h = add(h, body[i].h);
    if (continues_run(model, i))
    {
      tau[i]  = gravity_torque(model, i, body[i].g, h, false);
      brought = moment_to_parent(joint_in_run(model, i, turns), h);
      continue;
    }
    const lwWideJoint* wide = any_wide && is_wide(model, i) ? wide_joint(model, i) : NULL;
    if (wide)
      gravity_entries(model, wide, body[i].g, h, tau);
    else
      tau[i] = gravity_torque(model, i, body[i].g, h, is_prismatic(model, i));
    if (wide) i = wide->first;
    int p   = model->parent[i];
    brought = v3_zero();
    if (p == LW_BASE) continue;
    h = wide ? wide_moment_to_parent(model, wide, turns, h)
             : moment_to_parent(joint_at(model, i, turns, q), h);
    if (p == i - 1)
      brought = h;
    else
      body[p].h = add(body[p].h, h);
  }
}

INLINE void gravity_passes(const lwModel* model, const Turn* turns, const lwState* state,
                           HeavyBody* body, Result* tau, bool any_wide)
{
  gravity_outward(model, turns, state->q, gravity_of(model, state), body, any_wide);
  gravity_inward(model, turns, state->q, body, tau, any_wide);
}

APART void gravity_passes_wide(const lwModel* model, const Turn* turns, const lwState* state,
                               HeavyBody* body, Result* tau)
{
  gravity_passes(model, turns, state, body, tau, true);
}

static void gravity(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns     = take_turns(model, state->q, &work);
  HeavyBody* body = work;
  if (model->wide_count > 0)
    gravity_passes_wide(model, turns, state, body, out);
  else
    gravity_passes(model, turns, state, body, out, false);
}

const lwKernel FN(gravity) = {gravity, sizeof(Turn) + sizeof(HeavyBody), 0, {0}, LW_KERNEL_WIDE};
