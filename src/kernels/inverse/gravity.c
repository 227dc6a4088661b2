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
  V3 g, h;
} Body;

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

static void gravity(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns   = take(&work, (size_t)model->n * sizeof *turns);
  Body* body    = (Body*)work + 1;
  const REAL* q = state->q;
  REAL* tau     = out;

  joint_turns(model, q, turns);
  body[LW_BASE].g = gravity_of(model, state);
  for (int i = 0; i < model->n; ++i)
  {
    Joint j   = joint_at(model, i, turns, q);
    body[i].g = to_link(j, body[model->parent[i]].g);
    body[i].h = known_vector(j.link->first_moment);
  }
  for (int i = model->n - 1; i >= 0; --i)
  {
    int p = model->parent[i];
    V3 g = body[i].g, h = body[i].h;
    REAL M = K(LINKS(model)[i].outboard_mass);
    tau[i] = is_prismatic(model, i) ? r_neg(r_mul(M, g.z)) : mul_sub(h.y, g.x, r_mul(h.x, g.y));
    if (p != LW_BASE) body[p].h = add(body[p].h, moment_to_parent(joint_at(model, i, turns, q), h));
  }
}

const lwKernel FN(gravity) = {gravity, sizeof(Turn) + sizeof(Body), 0, {0}};
