// SPDX-License-Identifier: MIT
// Kernels check nothing: indices that they follow, rotations that they take for orthogonal and
// counts of memory are right because the model was built so. Here that is asserted, once for each
// model.
#include "model/invariants.h"

#include <assert.h>
#include <math.h>

#include "base/number.h"

#ifndef NDEBUG

static const double CLOSE = 1e-9;  // of the length of a unit vector

static bool is_unit(double cosine, double sine)
{
  return fabs(cosine * cosine + sine * sine - 1) < CLOSE;
}

static bool is_turn_matrix(const double R[9])
{
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
    {
      double dot = 0;
      for (int k = 0; k < 3; ++k) dot += R[3 * i + k] * R[3 * j + k];
      if (!(fabs(dot - (i == j)) < CLOSE)) return false;
    }
  return true;
}

static void assert_link(const lwModel* model, int i)
{
  const lwLink64* link = &model->link64[i];
  const lwLink32* less = &model->link32[i];
  bool slides          = model->kind[i] & LW_KIND_PRISMATIC;
  assert(is_unit(link->cos_gamma, link->sin_gamma));
  assert(is_unit(link->cos_alpha, link->sin_alpha));
  assert(!slides || is_unit(link->cos_theta, link->sin_theta));
  assert(isfinite(link->d) && isfinite(link->offset));
  assert(lw_all_finite(link->span, 3));
  assert(lw_all_finite(link->first_moment, 3));
  assert(lw_all_finite(link->inertia, 6));
  assert(lw_all_finite(link->pseudo, 6));
  assert(lw_all_finite(link->grouped_first_moment, 3));
  assert(lw_all_finite(link->grouped_pseudo, 6));
  assert(isfinite(link->mass) && isfinite(link->grouped_mass));
  assert(isfinite(link->outboard_mass));
  assert(link->rotor >= 0);
  assert(link->mass != 0 || model->kind[i] & LW_KIND_MASSLESS);
  assert(less->mass == (float)link->mass);
  assert(less->cos_alpha == (float)link->cos_alpha && less->sin_alpha == (float)link->sin_alpha);
  assert(less->rotor == (float)link->rotor);
}

static void assert_tree(const lwModel* model)
{
  for (int i = 0; i < model->n; ++i)
  {
    int parent = model->parent[i], kind = model->kind[i];
    assert(parent >= LW_BASE && parent < i);
    assert(model->end[i] > i && model->end[i] <= model->n);
    assert(!model->chain || parent == i - 1);
    assert(model->slides || !(kind & LW_KIND_PRISMATIC));
    assert(!(kind & LW_KIND_CONTINUES_RUN) || parent == i - 1);
    assert(!(kind & LW_KIND_CONTINUES_RUN) || !(kind & (LW_KIND_PRISMATIC | LW_KIND_SKEW)));
    assert(model->joint[i] >= 0 && model->joint[i] < model->robot.count);
    assert(model->robot.joints[model->joint[i]].type != LW_JOINT_FIXED);
    assert_link(model, i);
  }
  assert(model->tool >= LW_BASE && model->tool < model->n);
}

// Freedoms, positions and joints refer to each other.
static void assert_coordinates(const lwModel* model)
{
  assert(model->n >= 0 && model->dof >= 0 && model->dof <= model->n);
  assert(model->nq >= model->dof && model->nq <= model->dof + model->ball_count);
  assert(!model->direct || (model->nq == model->n && model->dof == model->n));
  for (int k = 0; k < model->dof; ++k)
  {
    assert(model->position[k] >= -1 && model->position[k] < model->nq);
    assert(model->independent[k] >= 0 && model->independent[k] < model->n);
    assert(model->leader[model->independent[k]] == k);
  }
  for (int i = 0; i < model->n; ++i)
  {
    assert(model->leader[i] >= -1 && model->leader[i] < model->dof);
    assert(isfinite(model->gain[i]) && isfinite(model->shift[i]));
  }
  for (int b = 0; b < model->ball_count; ++b)
  {
    const lwBall* ball = &model->balls[b];
    assert(ball->q >= (ball->floats ? 3 : 0) && ball->q + 4 <= model->nq);
    assert(ball->v >= (ball->floats ? 3 : 0) && ball->v + 3 <= model->dof);
    assert(ball->body >= 0 && ball->body + 4 < model->n);
  }
}

static void assert_description(const lwModel* model)
{
  assert(model->robot.name && model->robot.joints);
  assert(model->inert >= -1 && model->inert < model->robot.count);
  assert(model->inert_driven >= -1 && model->inert_driven < model->robot.count);
  assert(is_turn_matrix(model->ends64.base_rotation));
  assert(is_turn_matrix(model->ends64.tool_rotation));
  assert(lw_all_finite(model->ends64.gravity, 3));
  assert(lw_all_finite(model->ends64.base_position, 3));
  assert(lw_all_finite(model->ends64.tool_position, 3));
  for (int i = 0; i < model->robot.count; ++i)
  {
    const lwMember64* member = &model->member64[i];
    assert(model->robot.joints[i].name);
    assert(model->robot.joints[i].parent >= LW_BASE && model->robot.joints[i].parent < i);
    assert(model->carrier[i] >= LW_BASE && model->carrier[i] < model->n);
    assert(model->joint_frame[i].carrier == model->carrier[i]);
    assert(model->by_carrier[i] >= 0 && model->by_carrier[i] < model->robot.count);
    assert(model->place[i] <= LW_PLACE_TURNED);
    assert(is_turn_matrix(member->rotation));
    assert(lw_all_finite(member->position, 3) && isfinite(member->mass));
    assert(i == 0 ||
           model->carrier[model->by_carrier[i - 1]] <= model->carrier[model->by_carrier[i]]);
  }
}

// The model whose ball and floating joints are wide.
static void assert_native(const lwModel* native)
{
  assert(native->keeps_wide && native->wide_count > 0 && !native->native);
  for (int w = 0; w < native->wide_count; ++w)
  {
    const lwWideJoint* wide = &native->wides[w];
    assert(wide->last - wide->first == (wide->floats ? 5 : 2));
    assert(wide->first >= 0 && wide->last < native->n);
    assert(wide->q >= 0 && wide->q + (wide->floats ? 7 : 4) <= lw_kernel_positions(native));
    for (int i = wide->first; i <= wide->last; ++i)
    {
      assert(native->kind[i] & LW_KIND_WIDE);
      assert(native->wide_of[i] == w);
    }
  }
  for (int r = 0; r < native->range_count; ++r)
  {
    const lwFreedomRange* range = &native->ranges[r];
    assert(range->first >= 0 && range->first < range->end && range->end <= native->n);
    assert(r == 0 || native->ranges[r - 1].end <= range->first);
    assert(range->end - 1 + range->shift < lw_kernel_positions(native));
  }
}

void lw_model_assert(const lwModel* model)
{
  assert_tree(model);
  assert_coordinates(model);
  assert_description(model);
  if (model->native) assert_native(model->native);
}

#else

void lw_model_assert(const lwModel* model)
{
  (void)model;
}

#endif
