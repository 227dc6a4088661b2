// SPDX-License-Identifier: MIT
// How the velocities and accelerations of rows change along a direction in position and velocity.
//
// All of a link is in base axes, ' being the change along the direction: of its axes by a small
// rotation t, of its origin by p'. With r from the parent's origin, and z q_, z q__ the sums over
// the axes of a joint, which turn with its link (those of a ball joint are the link's own axes),
//   w = w_P + z qd                       w' = w_P' + t x z qd + z qd'
//   wd = wd_P + w x z qd + z qdd
//   v = v_P + w_P x r + s                s: z qd of axes that slide
//   a = a_P + wd_P x r + w_P x (w_P x r + s) + w x s + z qdd
// and each ' by the rule of products.
#include <string.h>

#include "loop/loop_workspace.h"
#include "math/rotation.h"
#include "model/rolling.h"

typedef struct RowLink
{
  lwChanging p, w, wd, v, a;  // p.is is not used
  double turn[3];             // t
} RowLink;

// The axes of a joint, its own or those of the ball that it belongs to.
typedef struct JointAxes
{
  int parent, last;    // bodies; last: of the link itself
  int count;           // of axes
  const double* z[6];  // third columns of rotations, 3 numbers apart
  bool slides[6];
  int entry[6];  // of qd
  double gain;
} JointAxes;

static JointAxes axes_of_joint(const lwModel* model, const lwTransform* X, int i)
{
  JointAxes axes = {.parent = model->parent[i], .last = i, .gain = model->gain[i]};
  for (int k = 0; k < model->ball_count; ++k)
  {
    const lwBall* ball = &model->balls[k];
    if (i != (ball->floats ? ball->body - 3 : ball->body)) continue;
    axes.last = ball->body + 4;
    axes.gain = 1;
    for (int j = ball->floats ? 0 : 3; j < 6; ++j, ++axes.count)
    {
      axes.z[axes.count]      = &X[ball->body + 2 + j % 3].R[0][2];
      axes.slides[axes.count] = j < 3;
      axes.entry[axes.count]  = ball->v - 3 + j;
    }
    return axes;
  }
  if (model->leader[i] < 0) return axes;
  axes.z[0]      = &X[i].R[0][2];
  axes.slides[0] = model->kind[i] & LW_KIND_PRISMATIC;
  axes.entry[0]  = model->leader[i];
  axes.count     = 1;
  return axes;
}

// Sum over the axes that slide, or turn, of x (dof, or NULL: zeros).
static void along_axes(const JointAxes* axes, bool slides, const double* x, double out[3])
{
  memset(out, 0, 3 * sizeof *out);
  for (int k = 0; k < axes->count; ++k)
    for (int i = 0; i < 3 && x && axes->slides[k] == slides; ++i)
      out[i] += axes->gain * x[axes->entry[k]] * axes->z[k][3 * i];
}

// z x, whose axes turn by t, and x by its own change
static lwChanging turned_axes(const JointAxes* axes, bool slides, const double turn[3],
                              const double* x, const double* by)
{
  lwChanging out;
  double part[3];
  along_axes(axes, slides, x, out.is);
  along_axes(axes, slides, by, part);
  lw_cross(turn, out.is, out.by);
  for (int i = 0; i < 3; ++i) out.by[i] += part[i];
  return out;
}

static RowLink move_link(const JointAxes* axes, const RowLink* P, const double r[3],
                         const lwRowMotion* motion)
{
  RowLink link = *P;
  double part[3], slide[3];
  along_axes(axes, false, motion->step, part);
  along_axes(axes, true, motion->step, slide);
  lwChanging arm;
  memcpy(arm.is, r, sizeof arm.is);
  lw_cross(P->turn, r, arm.by);
  for (int i = 0; i < 3; ++i)
  {
    link.turn[i] += part[i];
    arm.by[i] += slide[i];
    link.p.by[i] += arm.by[i];
  }
  lwChanging om = turned_axes(axes, false, link.turn, motion->qd, motion->qd_step);
  lwChanging s  = turned_axes(axes, true, link.turn, motion->qd, motion->qd_step);
  lwChanging rd = changing_sum(1, changing_cross(P->w, arm), s);
  link.w        = changing_sum(1, P->w, om);
  link.wd       = changing_sum(1, P->wd, changing_cross(link.w, om));
  link.wd       = changing_sum(1, link.wd, turned_axes(axes, false, link.turn, motion->qdd, NULL));
  link.v        = changing_sum(1, P->v, rd);
  link.a        = changing_sum(1, P->a, changing_cross(P->wd, arm));
  link.a        = changing_sum(1, link.a, changing_cross(P->w, rd));
  link.a        = changing_sum(1, link.a, changing_cross(link.w, s));
  link.a        = changing_sum(1, link.a, turned_axes(axes, true, link.turn, motion->qdd, NULL));
  return link;
}

static void move_links(const lwLoops* loops, const lwRowMotion* motion, RowLink* links)
{
  const lwModel* model = loops->model;
  const lwTransform* X = loops->closer.motion.X;
  static const RowLink still;
  for (int i = 0; i < loops->set->reach; ++i)
  {
    JointAxes axes   = axes_of_joint(model, X, i);
    bool base        = axes.parent == LW_BASE;
    const RowLink* P = base ? &still : &links[axes.parent];
    double r[3];
    for (int k = 0; k < 3; ++k)
      r[k] = X[axes.last].p[k] - (base ? X[axes.last].p[k] : X[axes.parent].p[k]);
    i        = axes.last;
    links[i] = move_link(&axes, P, r, motion);
  }
}

// A point of a link, r from its origin.
static RowLink move_point(const RowLink* link, const double r[3])
{
  static const JointAxes none   = {0};
  static const lwRowMotion rest = {0};
  return move_link(&none, link, r, &rest);
}

// n . R_A^T y of a direction n that the link of A carries: its change.
static double row_change(const lwTransform* A, const double turn[3], const double n[3],
                         lwChanging y)
{
  double part[3], sum = 0;
  lw_cross(turn, y.is, part);
  for (int i = 0; i < 3; ++i) sum += lw_dot(A->R[i], n) * (y.by[i] - part[i]);
  return sum;
}

static void rolling_slopes(const lwLoops* loops, int k, const RowLink* links, double* velocity,
                           double* acceleration)
{
  const lwLoopPair* pair   = &loops->set->pairs[k];
  const lwTransform* frame = loops->closer.motion.frames + 2 * (size_t)k;
  int c                    = pair->carrier[1];
  double r[3];
  for (int i = 0; i < 3; ++i) r[i] = frame[1].p[i] - loops->closer.motion.X[c].p[i];
  RowLink point         = move_point(&links[c], r);
  lwRollingMotion moves = {.v = point.v, .a = point.a, .w = point.w, .wd = point.wd};
  memcpy(moves.turn, point.turn, sizeof moves.turn);
  lwRollingRates rates = lw_rolling_rates(pair, frame, &moves);
  for (int i = 0; i < pair->rows; ++i)
  {
    velocity[pair->first_row + i]     = rates.velocity[i].by;
    acceleration[pair->first_row + i] = rates.acceleration[i].by;
  }
}

static void pair_slopes(const lwLoops* loops, int k, const RowLink* links, double* velocity,
                        double* acceleration)
{
  const lwLoopPair* pair   = &loops->set->pairs[k];
  const lwTransform* frame = loops->closer.motion.frames + 2 * (size_t)k;
  static const RowLink still;
  RowLink side[2] = {still, still};
  lwChanging d;
  for (int s = 0; s < 2; ++s)
  {
    int c = pair->carrier[s];
    double r[3];
    if (c == LW_BASE) continue;
    for (int i = 0; i < 3; ++i) r[i] = frame[s].p[i] - loops->closer.motion.X[c].p[i];
    side[s] = move_point(&links[c], r);
  }
  for (int i = 0; i < 3; ++i) d.is[i] = frame[1].p[i] - frame[0].p[i];
  for (int i = 0; i < 3; ++i) d.by[i] = side[1].p.by[i] - side[0].p.by[i];
  lwChanging w    = changing_sum(-1, side[1].w, side[0].w);
  lwChanging wd   = changing_sum(-1, side[1].wd, side[0].wd);
  lwChanging wxd  = changing_cross(side[0].w, d);
  lwChanging rate = changing_sum(-1, changing_sum(-1, side[1].v, side[0].v), wxd);
  lwChanging a    = changing_sum(-1, side[1].a, side[0].a);
  a               = changing_sum(-1, a, changing_cross(side[0].wd, d));
  a               = changing_sum(-1, a, changing_cross(side[0].w, wxd));
  a               = changing_sum(-2, a, changing_cross(side[0].w, rate));
  wd              = changing_sum(-1, wd, changing_cross(side[0].w, w));
  for (int r = pair->first_row; r < pair->first_row + pair->rows; ++r)
  {
    const lwLoopRow* row = &loops->set->row[r];
    velocity[r]     = row_change(&frame[0], side[0].turn, row->direction, row->turns ? w : rate);
    acceleration[r] = row_change(&frame[0], side[0].turn, row->direction, row->turns ? wd : a);
  }
}

void lw_loops_row_slopes(lwLoops* loops, const lwRowMotion* motion, double* velocity,
                         double* acceleration)
{
  RowLink* links = loops->links;
  move_links(loops, motion, links);
  for (int k = 0; k < loops->set->count; ++k)
    if (loops->set->pairs[k].type == LW_LOOP_GEAR)
      velocity[loops->set->pairs[k].first_row] = acceleration[loops->set->pairs[k].first_row] = 0;
    else if (lw_loop_rolls(loops->set->pairs[k].type))
      rolling_slopes(loops, k, links, velocity, acceleration);
    else
      pair_slopes(loops, k, links, velocity, acceleration);
}

size_t lw_loops_link_size(void)
{
  return sizeof(RowLink);
}
