// SPDX-License-Identifier: MIT
// The model whose ball and floating joints are wide: 3 or 6 consecutive freedoms instead of a chain
// of joints with one each. Freedoms are numbered as qd and tau are, so nothing is converted on the
// way to a kernel and back; only q needs to be looked up.
#include "model/native.h"

#include <stdlib.h>

#include "model/canonical.h"
#include "model/pieces.h"

// The robot and its coordinates, shared with the model that owns them.
static lwModel* share_robot(const lwModel* model)
{
  lwModel* native = calloc(1, sizeof *native);
  if (!native) return NULL;
  native->robot        = model->robot;
  native->joints       = model->joints;
  native->keeps_wide   = true;
  native->direct       = true;
  native->nq           = model->nq;
  native->dof          = model->dof;
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

// Ball k of the model as a wide joint.
static lwWideJoint wide_joint(const lwBall* ball)
{
  int before = ball->floats ? 3 : 0;
  return (lwWideJoint){.first  = ball->v - before,
                       .last   = ball->v + 2,
                       .q      = ball->q - before,
                       .floats = ball->floats};
}

// Joints with one freedom between two wide ones have consecutive q.
static void add_range(lwModel* native, Freedoms* out, int first, int end, int shift)
{
  for (int i = first; i < end; ++i) out->q_index[i] = i + shift;
  if (first < end) out->ranges[native->range_count++] = (lwFreedomRange){first, end, shift};
}

static void number_freedoms(const lwModel* model, lwModel* native, Freedoms* out)
{
  int first = 0, shift = 0;
  for (int k = 0; k < model->ball_count; ++k)
  {
    lwWideJoint wide = wide_joint(&model->balls[k]);
    out->wides[k]    = wide;
    for (int i = wide.first; i <= wide.last; ++i)
    {
      out->wide_of[i] = k;
      out->q_index[i] = -1;
    }
    add_range(native, out, first, wide.first, shift);
    first = wide.last + 1;
    ++shift;  // a quaternion has one entry more than its angular velocity
  }
  add_range(native, out, first, native->n, shift);
  native->wide_count = model->ball_count;
  native->wides      = out->wides;
  native->ranges     = out->ranges;
  native->wide_of    = out->wide_of;
  native->q_index    = out->q_index;
}

bool lw_native_build(lwModel* model)
{
  if (model->coupled || model->ball_count == 0) return true;
  lwModel* native = share_robot(model);
  Freedoms freedoms;
  if (!native) return false;
  model->native = native;  // destroyed with it
  if (!lw_pieces_build(native) || !lw_canonical_build(native)) return false;
  if (!take_freedoms(native, model->ball_count, &freedoms)) return false;
  number_freedoms(model, native, &freedoms);
  return true;
}
