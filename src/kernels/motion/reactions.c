// SPDX-License-Identifier: MIT
// Reactions: the wrench that every joint of the description transmits, fixed joints too, O(n).
//
// The motion is that of inverse/newton_euler.c, body by body; the way back goes link by
// link of the description, because a fixed joint within a body transmits what the links
// beyond it need, and no more:
//
//   F, N of link j = its net force and moment, less the wrench of the environment on it
//   f_j = F_j + sum of f of the joints that link j carries
//   n_j = N_j + sum of n of those, about the same point    (silver1981 step 4, swartz1982 (8), (9))
//
// f, n stay in the canonical frame of the body that carries the link (on the base, in the
// description's base frame); finally they are transformed to the link's frame in the description.
#include "kernels/inverse/newton_euler.h"
#include "kernels/motion/wrenches.h"

// Net force and moment of one link of a body.
INLINE Wrench net_wrench_member(const Member* member, const Motion* body)
{
  return wrench_of_motion(body->U, body->a, K(member->mass), known_vector(member->first_moment),
                          known_symmetric(member->pseudo));
}

// A wrench at and in the frame of a link, seen from its body.
INLINE Wrench wrench_to_body(const Member* member, Wrench w)
{
  M3 R = known_matrix(member->rotation);
  V3 f = m3_apply(R, w.f);
  return (Wrench){f, cross_add(known_vector(member->position), f, m3_apply(R, w.n))};
}

// The base without motion, as bodies that are fixed to it feel it, in the description's axes.
INLINE Motion ground_of(const lwModel* model, V3 a)
{
  V3 none = v3_zero();
  M3 R    = known_matrix(ENDS(model)->base_rotation);
  return (Motion){none, none, m3_apply(R, a), {none, none, none}};
}

// What a joint transmits, from body i seen from the body `to`, which the parent link is part of;
// the same for a fixed joint.
INLINE Wrench wrench_through(const lwModel* model, int i, int to, const Turn* turns, const Input* q,
                             Wrench w)
{
  const Ends* ends = ENDS(model);
  bool same        = i == to;
  for (; i != to; i = model->parent[i])
  {
    const lwWideJoint* wide = is_wide(model, i) ? wide_joint(model, i) : NULL;
    if (wide)
      w = wide_wrench_to_parent(wide_frame(model, wide, turns), w);
    else
      wrench_to_parent(joint_at(model, i, turns, q), &w.f, &w.n);
    if (wide) i = wide->first;
  }
  if (same || to != LW_BASE) return w;
  M3 R = known_matrix(ends->base_rotation);
  V3 f = m3_apply(R, w.f);
  return (Wrench){f, cross_add(known_vector(ends->base_position), f, m3_apply(R, w.n))};
}

// About the origin of the link's frame, and in its axes.
INLINE Wrench wrench_to_member(const Member* member, Wrench w)
{
  const KNOWN* r = member->rotation;
  Frame F        = known_frame(r, member->position);
  V3 n           = sub(w.n, cross(F.p, w.f));
  return (Wrench){v3(dot(F.x, w.f), dot(F.y, w.f), dot(F.z, w.f)),
                  v3(dot(F.x, n), dot(F.y, n), dot(F.z, n))};
}

// About the same origin, in base axes. frame: of the body; NULL: it is the base.
INLINE Wrench wrench_to_base(const Member* member, const Frame* frame, Wrench w)
{
  V3 n = sub(w.n, cross(known_vector(member->position), w.f));
  return frame ? (Wrench){rotate(*frame, w.f), rotate(*frame, n)} : (Wrench){w.f, n};
}

// What the environment exerts is taken from what the joints must supply: at the places of the
// state, or on the last link.
INLINE void subtract_wrenches(const lwModel* model, const lwState* state, const Frame* frames,
                              REAL* out)
{
  const Input* given = state->wrench;
  int last           = model->robot.count - 1;
  for (int k = 0; k < state->push_count; ++k)
    wrench_add(out + 6 * state->pushes[k].joint,
               wrench_neg(push_wrench(&state->pushes[k], frames, given + 6 * k)));
  if (!state->pushes)
    wrench_add(out + 6 * last,
               wrench_neg(wrench_to_body(&MEMBERS(model)[last], wrench_given(given))));
}

// F, N of every link
INLINE void net_wrench_members(const lwModel* model, const Motion* body, REAL* out)
{
  Motion ground = ground_of(model, body[LW_BASE].a);
  for (int j = 0; j < model->robot.count; ++j)
  {
    const Member* member = &MEMBERS(model)[j];
    int carrier          = model->carrier[j];
    Wrench w             = net_wrench_member(member, carrier == LW_BASE ? &ground : &body[carrier]);
    wrench_store(out + 6 * j, w);
  }
}

static void reactions(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns   = take_turns(model, state->q, &work);
  Motion* body  = (Motion*)take(&work, ((size_t)model->n + 1) * sizeof *body) + 1;
  Frame* frames = (Frame*)work + 1;
  REAL* result  = out;

  if (state->base_axes || pushes_in_base(state)) link_frames(model, turns, state->q, frames);
  body[LW_BASE] = rnea_base(gravity_of(model, state));

  // outward, base to tip: motion of each body, then the net wrench of each link of it
  for (int i = 0; i < model->n; ++i)
  {
    const lwWideJoint* wide = is_wide(model, i) ? wide_joint(model, i) : NULL;
    Motion link             = wide ? rnea_motion_wide(model, wide, turns, state, body)
                                   : rnea_motion(model, i, joint_at(model, i, turns, state->q), state, body);
    if (wide) i = wide->last;
    body[i] = link;
  }
  net_wrench_members(model, body, result);
  if (state->wrench) subtract_wrenches(model, state, frames, result);

  // inward, tip to base, through moving and fixed joints
  for (int j = model->robot.count - 1; j >= 0; --j)
  {
    const lwJointDef* def = &model->robot.joints[j];
    const Member* member  = &MEMBERS(model)[j];
    int i                 = model->carrier[j];
    Wrench w              = wrench_load(result + 6 * j);
    if (def->parent != LW_BASE)
      wrench_add(result + 6 * def->parent,
                 wrench_through(model, i, model->carrier[def->parent], turns, state->q, w));
    if (state->base_axes)
      w = wrench_to_base(member, i == LW_BASE ? NULL : &frames[i], w);
    else
      w = wrench_to_member(member, w);
    wrench_store(result + 6 * j, w);
  }
}

const lwKernel FN(reactions) = {reactions,
                                sizeof(Turn) + sizeof(Motion) + sizeof(Frame),
                                0,
                                {0},
                                LW_KERNEL_NARROW | LW_KERNEL_TAKES_PUSHES | LW_KERNEL_READS_LINKS |
                                    LW_KERNEL_WIDE};
