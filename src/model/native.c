// SPDX-License-Identifier: MIT
// The model whose ball and floating joints are wide: 3 or 6 consecutive freedoms instead of a chain
// of joints with one each. Unless joints mimic others, freedoms are numbered as qd and tau are, so
// nothing is converted on the way to a kernel and back; only q needs to be looked up.
#include "model/native.h"

#include "base/memory.h"
#include "model/canonical.h"
#include "model/mimic.h"
#include "model/pieces.h"

// The robot and its coordinates, shared with the model that owns them.
static lwModel* share_robot(const lwModel* model)
{
  lwModel* native = lw_memory_zeros(1, sizeof *native);
  if (!native) return NULL;
  native->robot        = model->robot;
  native->joints       = model->joints;
  native->keeps_wide   = true;
  native->coupled      = model->coupled;
  native->direct       = !model->coupled;
  native->nq           = model->nq;
  native->position     = model->position;
  native->positions    = model->positions;
  native->velocities   = model->velocities;
  native->efforts      = model->efforts;
  native->inert        = model->inert;
  native->inert_driven = model->inert_driven;
  return native;
}

// While freedoms are numbered.
typedef struct Freedoms
{
  lwWideJoint* wides;
  lwFreedomRange* ranges;
  int *wide_of, *q_index;
} Freedoms;

static bool take_freedoms(lwModel* native, int wides, Freedoms* out)
{
  lwArena* arena = &native->arena;
  size_t n = (size_t)native->n, count = (size_t)wides;
  out->wides   = lw_arena_take(arena, count, sizeof *out->wides);
  out->ranges  = lw_arena_take(arena, count + 1, sizeof *out->ranges);
  out->wide_of = lw_arena_take(arena, n, sizeof *out->wide_of);
  out->q_index = lw_arena_take(arena, n, sizeof *out->q_index);
  return out->wides && out->ranges && out->wide_of && out->q_index;
}

// The wide joint k, a ball of the users' coordinates, whose first freedom is given.
static lwWideJoint wide_joint(const lwBall* ball, int k, int first)
{
  int before = ball->floats ? 3 : 0;
  return (lwWideJoint){.first  = first,
                       .last   = first + before + 2,
                       .q      = first + k,
                       .given  = ball->q - before,
                       .floats = ball->floats};
}

// Joints with one freedom between two wide ones have consecutive q.
static void add_range(lwModel* native, Freedoms* out, int first, int end, int shift)
{
  for (int i = first; i < end; ++i) out->q_index[i] = i + shift;
  if (first < end) out->ranges[native->range_count++] = (lwFreedomRange){first, end, shift};
}

bool lw_freedoms_build(lwModel* native, const lwModel* model)
{
  Freedoms out;
  int next = 0, wides = 0;  // freedom behind the last wide joint, and how many there were
  if (!take_freedoms(native, model->ball_count, &out)) return false;
  for (int i = 0; i < native->n; ++i)
  {
    if (!(native->kind[i] & LW_KIND_WIDE) || i < next) continue;
    lwWideJoint wide = wide_joint(&model->balls[wides], wides, i);
    add_range(native, &out, next, wide.first, wides);
    for (next = i; next <= wide.last; ++next)
    {
      out.wide_of[next] = wides;
      out.q_index[next] = -1;
    }
    out.wides[wides++] = wide;  // a quaternion has one entry more than its angular velocity
  }
  add_range(native, &out, next, native->n, wides);
  native->wide_count = wides;
  native->wides      = out.wides;
  native->ranges     = out.ranges;
  native->wide_of    = out.wide_of;
  native->q_index    = out.q_index;
  return true;
}

bool lw_native_build(lwModel* model)
{
  if (model->ball_count == 0) return true;
  lwModel* native = share_robot(model);
  if (!native) return false;
  model->native = native;  // destroyed with it
  return lw_pieces_build(native) && lw_canonical_build(native) && lw_mimic_build(native) &&
         lw_freedoms_build(native, model);
}
