// SPDX-License-Identifier: MIT
// Frames of links in the description's base frame, outward from the base, for questions about
// places alone.
//
// In double precision and for one state, a vector of three numbers is one register where there are
// such (math/vec4.h), with the operations of ground_frame() on each number: the same bits.
#ifndef LW_KERNELS_MOTION_MOVING_FRAMES_H
#define LW_KERNELS_MOTION_MOVING_FRAMES_H

#include "kernels/motion/link_frames.h"

#if defined(LW_SCALAR_f64) && !LW_LANE_BYTES && defined(__AVX__)

#include "math/vec4.h"

typedef struct
{
  Four x, y, z, p;
} Moving;

INLINE Four four_of_vector(V3 a)
{
  return four_of(a.x, a.y, a.z);
}

INLINE Moving moving_of(Frame F)
{
  return (Moving){four_of_vector(F.x), four_of_vector(F.y), four_of_vector(F.z),
                  four_of_vector(F.p)};
}

INLINE V3 vector_of_four(Four a)
{
  return v3(four_entry(a, 0), four_entry(a, 1), four_entry(a, 2));
}

INLINE Frame frame_of_moving(const Moving* F)
{
  return (Frame){vector_of_four(F->x), vector_of_four(F->y), vector_of_four(F->z),
                 vector_of_four(F->p)};
}

INLINE void turn_fours(Turn t, Four* a, Four* b)
{
  Four old = *a;
  *a       = four_scale_add(t.c, old, four_scale(t.s, *b));
  *b       = four_scale_add(t.c, *b, four_scale(-t.s, old));
}

// ground_frame()
INLINE Moving moving_on(Moving F, Joint j)
{
  const double* span = j.link->span;
  if (j.skew)
  {
    Four3 axes = {F.x, F.y, F.z};
    F.p        = four_add(F.p, four_combine(&axes, span));
    turn_fours(gamma_turn(j.link), &F.x, &F.y);
  }
  else
    F.p = four_scale_add(span[0], F.x, F.p);
  turn_fours(alpha_turn(j.link), &F.y, &F.z);
  turn_fours(j.theta, &F.x, &F.y);
  F.p = four_scale_add(j.d, F.z, F.p);
  return F;
}

// compose() with a constant frame of the model, rows of the rotation as stored.
INLINE Four moved_to(const Moving* F, const double position[3])
{
  Four3 axes = {F->x, F->y, F->z};
  return four_add(F->p, four_combine(&axes, position));
}

INLINE Moving moving_to(const Moving* F, const double r[9], const double position[3])
{
  Four3 axes        = {F->x, F->y, F->z};
  const double x[3] = {r[0], r[3], r[6]}, y[3] = {r[1], r[4], r[7]}, z[3] = {r[2], r[5], r[8]};
  return (Moving){four_combine(&axes, x), four_combine(&axes, y), four_combine(&axes, z),
                  moved_to(F, position)};
}

// x y z and the rotation row by row. Fourth numbers are overwritten by the next ones; that of the
// last row goes to out[12] unless this is the end.
INLINE void moving_pose(double* out, const Moving* F, bool end)
{
  Four3 rows = four_transpose((Four3){F->x, F->y, F->z});
  four_store(out, F->p);
  four_store(out + 3, rows.x);
  four_store(out + 6, rows.y);
  if (!end)
    four_store(out + 9, rows.z);
  else
    for (int k = 0; k < 3; ++k) out[9 + k] = four_entry(rows.z, k);
}

#else

typedef Frame Moving;

INLINE Moving moving_of(Frame F)
{
  return F;
}

INLINE Frame frame_of_moving(const Moving* F)
{
  return *F;
}

INLINE Moving moving_on(Moving F, Joint j)
{
  return ground_frame(F, j);
}

INLINE V3 moved_to(const Moving* F, const KNOWN position[3])
{
  return add(F->p, rotate(*F, known_vector(position)));
}

INLINE Moving moving_to(const Moving* F, const KNOWN rotation[9], const KNOWN position[3])
{
  return compose(*F, known_frame(rotation, position));
}

INLINE void moving_pose(REAL* out, const Moving* F, bool end)
{
  (void)end;
  pose_store(out, *F);
}

#endif

// The frame of joint i; *at is that of joint `before`, and is taken from memory if that is not the
// parent. Returned is i, or the last freedom of a wide joint, which alone has a frame.
INLINE int move_frame(const lwModel* model, const Turn* turns, const Input* q, int i, int before,
                      Moving* at, Moving* frames)
{
  int p = model->parent[i];
  if (p != before) *at = frames[p];
  if (is_wide(model, i))
  {
    const lwWideJoint* wide = wide_joint(model, i);
    i                       = wide->last;
    *at = moving_of(compose(frame_of_moving(at), wide_frame(model, wide, turns)));
  }
  else
    *at = moving_on(*at, joint_at(model, i, turns, q));
  frames[i] = *at;
  return i;
}

INLINE Moving moving_base(const lwModel* model)
{
  const Ends* ends = ENDS(model);
  return moving_of(known_frame(ends->base_rotation, ends->base_position));
}

// Frames of all bodies; frames[LW_BASE] is the canonical base. A wide joint has that of its last
// freedom only.
INLINE void move_frames(const lwModel* model, const Turn* turns, const Input* q, Moving* frames)
{
  Moving at       = moving_base(model);
  frames[LW_BASE] = at;
  for (int i = 0; i < model->n; ++i) i = move_frame(model, turns, q, i, i - 1, &at, frames);
}

// Turns of the joints on the way from the base to `carrier` only: those of path, from its end, or of
// all up to the carrier where `plain`.
INLINE void path_turns(const lwModel* model, const Input* q, int carrier, const int* path,
                       int count, bool plain, Turn* turns)
{
  for (int k = count - 1; k >= 0; --k)
  {
    int first = plain ? 0 : path[k], end = plain ? carrier + 1 : first + 1;
    if (!plain && is_wide(model, first))
    {
      set_wide_turns(model, wide_joint(model, first), q, turns);
      continue;
    }
    for (; !plain && k > 0 && path[k - 1] == end && !is_wide(model, end); --k) ++end;
    int shift = model->q_index ? model->q_index[first] - first : 0;
    joint_turns_in(model, (lwFreedomRange){first, end, shift}, q, turns);
  }
}

// Frames of the links on the path from the base to `carrier` only. turns: (n) memory. path: (n)
INLINE void move_path(const lwModel* model, const Input* q, int carrier, Turn* turns, int* path,
                      Moving* frames)
{
  Moving at  = moving_base(model);
  bool plain = model->chain && model->wide_count == 0;
  int count = plain && carrier != LW_BASE, before = LW_BASE;
  frames[LW_BASE] = at;
  for (int i = carrier; i != LW_BASE && !plain; i = model->parent[i])
    path[count++] = i = is_wide(model, i) ? wide_joint(model, i)->first : i;
  path_turns(model, q, carrier, path, count, plain, turns);
  for (int i = 0; i <= carrier && plain; ++i) move_frame(model, turns, q, i, i - 1, &at, frames);
  while (count > 0 && !plain)
    before = move_frame(model, turns, q, path[--count], before, &at, frames);
}

// The requested frame.
INLINE Moving moving_seen(const lwView* view, const Moving* frames)
{
  const KNOWN *R = VIEW(view)->rotation, *p = VIEW(view)->position;
  return view->carrier == LW_BASE ? moving_of(known_frame(R, p))
                                  : moving_to(&frames[view->carrier], R, p);
}

// The frame of link l.
INLINE Moving moving_link(const lwModel* model, int l, const Moving* frames)
{
  const Member* member = &MEMBERS(model)[l];
  int carrier          = model->carrier[l];
  if (carrier == LW_BASE) return moving_of(known_frame(member->rotation, member->position));
  Moving F = frames[carrier];
  if (placement(model, l) == LW_PLACE_SAME) return F;
  if (placement(model, l) == LW_PLACE_TURNED)
    return moving_to(&F, member->rotation, member->position);
  F.p = moved_to(&F, member->position);
  return F;
}

#endif
