// SPDX-License-Identifier: MIT
// Where the two frames of each loop are, how they move against each other, and what moves them.
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "math/sincos.h"
#include "model/expand.h"
#include "model/rolling.h"

// Angular velocity and acceleration of a link,
// velocity and acceleration of a point of it; base axes.
typedef struct LoopSpin
{
  double w[3], wd[3], v[3], a[3];
} LoopSpin;

bool lw_loop_motion_take(const lwModel* model, lwArena* arena, lwLoopMotion* motion)
{
  size_t n = (size_t)model->n;
  *motion  = (lwLoopMotion){
       .q      = lw_arena_take(arena, n, sizeof(double)),
       .qd     = lw_arena_take(arena, n, sizeof(double)),
       .qdd    = lw_arena_take(arena, n, sizeof(double)),
       .cosine = lw_arena_take(arena, n + WIDE64, sizeof(double)),
       .sine   = lw_arena_take(arena, n + WIDE64, sizeof(double)),
       .X      = lw_arena_take(arena, n, sizeof(lwTransform)),
       .spin   = lw_arena_take(arena, n, sizeof(LoopSpin)),
       .R      = lw_arena_take(arena, 9 * (size_t)model->ball_count, sizeof(double)),
       .y      = lw_arena_take(arena, (size_t)model->dof, sizeof(double)),
       .row    = lw_arena_take(arena, 6 * n, sizeof(double)),
       .frames = lw_arena_take(arena, 2 * (size_t)model->loops->count, sizeof(lwTransform)),
  };
  return motion->q && motion->qd && motion->qdd && motion->cosine && motion->sine && motion->X &&
         motion->spin && motion->R && motion->y && motion->row && motion->frames;
}

// --- positions

// Sines and cosines of all joints, several at a time. A joint that slides has no use for its own.
static void find_sines(const lwModel* model, lwLoopMotion* motion)
{
  for (int i = 0; i < model->loops->reach; i += WIDE64)
  {
    Doubles angle = d_all(0), s, c;
    for (int k = 0; k < WIDE64 && i + k < model->loops->reach; ++k)
      angle[k] = motion->q[i + k] + model->link64[i + k].offset;
    sin_cos_64(angle, &s, &c);
    memcpy(motion->sine + i, &s, sizeof s);
    memcpy(motion->cosine + i, &c, sizeof c);
  }
}

// Link i on its parent at P: Rz(gamma) Rx(alpha) T(a, e, d) Rz(theta)
static void place_link(const lwLoopMotion* motion, int i, const lwLink64* link, bool slides,
                       const lwTransform* P, lwTransform* X)
{
  double c    = slides ? link->cos_theta : motion->cosine[i];
  double s    = slides ? link->sin_theta : motion->sine[i];
  double d    = slides ? link->d + motion->q[i] : link->d;
  bool turned = link->sin_gamma != 0 || link->cos_gamma != 1;  // not for a first child
  for (int k = 0; k < 3; ++k)
  {
    const double* p = P->R[k];
    double x = p[0], t = p[1];
    if (turned)
    {
      x = link->cos_gamma * p[0] + link->sin_gamma * p[1];
      t = link->cos_gamma * p[1] - link->sin_gamma * p[0];
    }
    double y   = link->cos_alpha * t + link->sin_alpha * p[2];
    double z   = link->cos_alpha * p[2] - link->sin_alpha * t;
    X->R[k][0] = c * x + s * y;
    X->R[k][1] = c * y - s * x;
    X->R[k][2] = z;
    X->p[k]    = P->p[k] + lw_dot(p, link->span) + d * z;
  }
}

// Frames A and B of a loop in the canonical base frame.
static void place_frames(const lwLoopPair* pair, const lwTransform* X, lwTransform* frames)
{
  for (int side = 0; side < 2; ++side)
  {
    int carrier  = pair->carrier[side];
    frames[side] = pair->place[side];
    if (carrier != LW_BASE) frames[side] = lw_compose(&X[carrier], &pair->place[side]);
  }
}

void lw_loop_place(const lwModel* model, lwLoopMotion* motion, const double* q)
{
  if (model->direct)
    memcpy(motion->q, q, (size_t)model->n * sizeof *q);
  else
  {
    ball_rotations(model, q, motion->R);
    expand_positions(model, q, motion->q);
  }
  find_sines(model, motion);
  for (int i = 0; i < model->loops->reach; ++i)
  {
    int p = model->parent[i];
    place_link(motion, i, &model->link64[i], model->kind[i] & LW_KIND_PRISMATIC,
               p == LW_BASE ? &lw_identity : &motion->X[p], &motion->X[i]);
  }
  for (int k = 0; k < model->loops->count; ++k)
    if (model->loops->pairs[k].type != LW_LOOP_GEAR)
      place_frames(&model->loops->pairs[k], motion->X, motion->frames + 2 * (size_t)k);
}

static void turn_back(const lwTransform* frame, const double a[3], double out[3])
{
  for (int k = 0; k < 3; ++k)
    out[k] = frame->R[0][k] * a[0] + frame->R[1][k] * a[1] + frame->R[2][k] * a[2];
}

static void turn_axes(const lwTransform* frame, const double a[3], double out[3])
{
  for (int k = 0; k < 3; ++k) out[k] = lw_dot(frame->R[k], a);
}

// The rotation vector that takes the axis of A to that of B, in the axes of A and across the axis.
static void axis_error(const lwLoopPair* pair, const lwLoopMotion* motion, double e[3])
{
  double in_base[3], axis[3];
  turn_axes(&motion->frame[1], pair->axis, in_base);
  turn_back(&motion->frame[0], in_base, axis);
  lw_cross(pair->axis, axis, e);
  double sine = lw_length(e), cosine = lw_dot(pair->axis, axis);
  double scale = sine > 1e-9 ? lw_atan2(sine, cosine) / sine : 1;
  for (int k = 0; k < 3; ++k) e[k] *= scale;
  if (cosine < 0 && sine <= 1e-9)  // opposite: half a turn about any direction across
    for (int k = 0; k < 3; ++k) e[k] = LW_PI * pair->across[0][k];
}

// The rotation vector from the axes of A to those of B, in A.
static void rotation_error(const lwLoopMotion* motion, double e[3])
{
  double R[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
    {
      R[3 * i + j] = 0;
      for (int k = 0; k < 3; ++k)
        R[3 * i + j] += motion->frame[0].R[k][i] * motion->frame[1].R[k][j];
    }
  lw_rotation_log(R, e);
}

static double gear_error(const lwLoopPair* pair, const double* q)
{
  double first  = pair->position[0] < 0 ? 0 : q[pair->position[0]];
  double second = pair->position[1] < 0 ? 0 : q[pair->position[1]];
  return second - pair->ratio * first - pair->offset;
}

void lw_loop_errors(const lwModel* model, lwLoopMotion* motion, const double* q, double* error)
{
  for (int k = 0; k < model->loops->count; ++k)
  {
    const lwLoopPair* pair = &model->loops->pairs[k];
    double along[3], angle[3] = {0}, d[3];
    if (pair->type == LW_LOOP_GEAR)
    {
      error[pair->first_row] = gear_error(pair, q);
      continue;
    }
    motion->frame = motion->frames + 2 * (size_t)k;
    for (int i = 0; i < 3; ++i) d[i] = motion->frame[1].p[i] - motion->frame[0].p[i];
    turn_back(&motion->frame[0], d, along);  // rows that roll have no direction, and no error
    if (pair->type == LW_LOOP_FIXED) rotation_error(motion, angle);
    if (pair->type == LW_LOOP_HINGE) axis_error(pair, motion, angle);
    for (int r = pair->first_row; r < pair->first_row + pair->rows; ++r)
    {
      const lwLoopRow* row = &model->loops->row[r];
      error[r]             = lw_dot(row->direction, row->turns ? angle : along);
    }
  }
}

// Of one loop: the distance of the two origins, as far as the loop holds them,
// and the angle likewise.
static void pair_gap(const lwLoopSet* set, const lwLoopPair* pair, const double* error,
                     double gap[2])
{
  gap[0] = gap[1] = 0;
  for (int r = pair->first_row; r < pair->first_row + pair->rows; ++r)
    gap[set->row[r].turns] = lw_hypot(gap[set->row[r].turns], error[r]);
}

int lw_loop_gap(const lwModel* model, const double* error, double gap[2])
{
  int worst = 0;
  gap[0] = gap[1] = 0;
  for (int k = 0; k < model->loops->count; ++k)
  {
    double own[2];
    pair_gap(model->loops, &model->loops->pairs[k], error, own);
    for (int i = 0; i < 2; ++i)
    {
      if (isnan(own[i])) own[i] = INFINITY;
      if (own[i] > fmax(gap[0], gap[1])) worst = k;
      gap[i] = fmax(gap[i], own[i]);
    }
  }
  return worst;
}

// --- velocities

// Power of the wrenches of all rows of a loop, when each joint on the way moves at unit speed.
// Rows are `width` apart.
static void wrench_rows(const lwModel* model, const lwLoopMotion* motion, const lwLoopPair* pair,
                        double* out, size_t width)
{
  enum
  {
    MOST = 6
  };
  static const double none[3] = {0};
  double f[MOST][3];
  double at[3];
  const lwLoopRow* row = model->loops->row + pair->first_row;
  memcpy(at, motion->frame[1].p, sizeof at);
  for (int r = 0; r < pair->rows; ++r) turn_axes(&motion->frame[0], row[r].direction, f[r]);
  if (lw_loop_rolls(pair->type))
  {
    lwRollingPlace touches = lw_rolling_place(pair, motion->frame);
    memcpy(f, touches.g, sizeof touches.g);
    for (int k = 0; k < 3; ++k) at[k] += touches.arm[k];
  }
  for (int s = 0; s < pair->step_count; ++s)
  {
    const lwTransform* X = &motion->X[pair->steps[s].body];
    double sign          = pair->steps[s].sign;
    bool slides          = model->kind[pair->steps[s].body] & LW_KIND_PRISMATIC;
    double z[3]          = {sign * X->R[0][2], sign * X->R[1][2], sign * X->R[2][2]}, v[3];
    double arm[3]        = {at[0] - X->p[0], at[1] - X->p[1], at[2] - X->p[2]};
    double* entry        = out + pair->steps[s].body;
    lw_cross(z, arm, v);  // velocity of the point as the joint turns
    const double* by[2] = {slides ? z : v, slides ? none : z};
    for (int r = 0; r < pair->rows; ++r, entry += width) *entry = lw_dot(by[row[r].turns], f[r]);
  }
}

static void gear_row(const lwLoopPair* pair, double* row)
{
  if (pair->velocity[0] >= 0) row[pair->velocity[0]] -= pair->ratio;
  if (pair->velocity[1] >= 0) row[pair->velocity[1]] += 1;
}

void lw_loop_jacobian(const lwModel* model, lwLoopMotion* motion, double* J)
{
  size_t dof = (size_t)model->dof;
  memset(J, 0, (size_t)model->loops->rows * dof * sizeof *J);
  for (int k = 0; k < model->loops->count; ++k)
  {
    const lwLoopPair* pair = &model->loops->pairs[k];
    double* row            = J + (size_t)pair->first_row * dof;
    if (pair->type == LW_LOOP_GEAR)
    {
      gear_row(pair, row);
      continue;
    }
    motion->frame = motion->frames + 2 * (size_t)k;
    size_t width  = model->direct ? dof : (size_t)model->n;
    wrench_rows(model, motion, pair, model->direct ? row : motion->row, width);
    for (int r = 0; r < pair->rows && !model->direct; ++r, row += dof)
    {
      const double* own = motion->row + (size_t)r * width;
      for (int s = 0; s < pair->step_count; ++s)
      {
        int body = pair->steps[s].body, leader = model->leader[body];
        if (leader >= 0) row[leader] += model->gain[body] * own[body];
      }
      from_parent_axes(model, motion->R, row);
    }
  }
}

// --- accelerations

static void add_cross(double* sum, double factor, const double a[3], const double b[3])
{
  double c[3];
  lw_cross(a, b, c);
  for (int k = 0; k < 3; ++k) sum[k] += factor * c[k];
}

// A point of a link, r away from where `from` is.
static LoopSpin spin_at(const LoopSpin* from, const double r[3])
{
  LoopSpin at   = *from;
  double wxr[3] = {0};
  add_cross(wxr, 1, from->w, r);
  for (int k = 0; k < 3; ++k) at.v[k] += wxr[k];
  add_cross(at.a, 1, from->wd, r);
  add_cross(at.a, 1, from->w, wxr);
  return at;
}

// Link i on its parent, by its own axis z:
//   v = v + w x r   a = a + wd x r + w x (w x r)   w = w + z qd   wd = wd + w x z qd + z qdd
static void spin_links(const lwModel* model, lwLoopMotion* motion)
{
  LoopSpin* spin              = (LoopSpin*)(void*)motion->spin;
  static const LoopSpin still = {{0}, {0}, {0}, {0}};
  for (int i = 0; i < model->loops->reach; ++i)
  {
    int p                = model->parent[i];
    const LoopSpin* from = p == LW_BASE ? &still : &spin[p];
    const lwTransform* X = &motion->X[i];
    const double* at     = p == LW_BASE ? X->p : motion->X[p].p;  // the base stands still
    double r[3]          = {X->p[0] - at[0], X->p[1] - at[1], X->p[2] - at[2]};
    double z[3]          = {X->R[0][2], X->R[1][2], X->R[2][2]}, wr[3], wwr[3], dr[3], wz[3];
    double qd = motion->qd[i], qdd = motion->qdd[i];
    bool slides = model->kind[i] & LW_KIND_PRISMATIC;
    double turn = slides ? 0 : qd, bend = slides ? 0 : qdd, slide = qd - turn, speed = qdd - bend;
    lw_cross(from->w, r, wr);
    lw_cross(from->w, wr, wwr);
    lw_cross(from->wd, r, dr);
    lw_cross(from->w, z, wz);
    for (int k = 0; k < 3; ++k)
    {
      spin[i].w[k]  = from->w[k] + z[k] * turn;
      spin[i].wd[k] = from->wd[k] + wz[k] * turn + z[k] * bend;
      spin[i].v[k]  = from->v[k] + wr[k] + z[k] * slide;
      spin[i].a[k]  = from->a[k] + dr[k] + wwr[k] + 2 * wz[k] * slide + z[k] * speed;
    }
  }
}

// Velocities of kernels, and their accelerations while qdd is 0.
static void expand_motion(const lwModel* model, lwLoopMotion* motion, const double* qd)
{
  if (model->direct)
  {
    memcpy(motion->qd, qd, (size_t)model->n * sizeof *qd);
    return;  // qdd stays at zeros
  }
  to_parent_axes(model, motion->R, qd, motion->y);
  expand(model, motion->y, motion->qd);
  accelerations_in_parent_axes(model, motion->R, qd, NULL, motion->y);
  expand(model, motion->y, motion->qdd);
}

// Second derivative of d as seen in A, and the derivative of the angular velocity of B
// as seen in A.
static void relative_acceleration(const lwLoopPair* pair, lwLoopMotion* motion, double along[3],
                                  double angle[3])
{
  const LoopSpin* links = (const LoopSpin*)(const void*)motion->spin;
  LoopSpin still        = {{0}, {0}, {0}, {0}}, side[2];
  if (pair->carrier[0] == LW_BASE && pair->carrier[1] != LW_BASE)  // A stands still
  {
    const lwTransform* X = &motion->X[pair->carrier[1]];
    const double* at     = motion->frame[1].p;
    double r[3]          = {at[0] - X->p[0], at[1] - X->p[1], at[2] - X->p[2]};
    side[1]              = spin_at(&links[pair->carrier[1]], r);
    turn_back(&motion->frame[0], side[1].a, along);
    turn_back(&motion->frame[0], side[1].wd, angle);
    return;
  }
  for (int s = 0; s < 2; ++s)
  {
    int c       = pair->carrier[s];
    double r[3] = {0};
    for (int k = 0; k < 3 && c != LW_BASE; ++k) r[k] = motion->frame[s].p[k] - motion->X[c].p[k];
    side[s] = c == LW_BASE ? still : spin_at(&links[c], r);
  }
  double d[3], rate[3], turned[3] = {0}, a[3], wd[3], w[3];
  for (int k = 0; k < 3; ++k)
  {
    d[k]    = motion->frame[1].p[k] - motion->frame[0].p[k];
    rate[k] = side[1].v[k] - side[0].v[k];
    a[k]    = side[1].a[k] - side[0].a[k];
    wd[k]   = side[1].wd[k] - side[0].wd[k];
    w[k]    = side[1].w[k] - side[0].w[k];
  }
  add_cross(turned, 1, side[0].w, d);
  for (int k = 0; k < 3; ++k) rate[k] -= turned[k];
  add_cross(a, -1, side[0].wd, d);
  add_cross(a, -1, side[0].w, turned);
  add_cross(a, -2, side[0].w, rate);
  add_cross(wd, -1, side[0].w, w);
  turn_back(&motion->frame[0], a, along);
  turn_back(&motion->frame[0], wd, angle);
}

static void rolling_bias(const lwLoopPair* pair, const lwLoopMotion* motion, double* bias)
{
  const LoopSpin* links = (const LoopSpin*)(const void*)motion->spin;
  const lwTransform* X  = &motion->X[pair->carrier[1]];
  const double* at      = motion->frame[1].p;
  double r[3]           = {at[0] - X->p[0], at[1] - X->p[1], at[2] - X->p[2]};
  LoopSpin point        = spin_at(&links[pair->carrier[1]], r);
  lwRollingMotion moves = {0};
  memcpy(moves.v.is, point.v, sizeof point.v);
  memcpy(moves.a.is, point.a, sizeof point.a);
  memcpy(moves.w.is, point.w, sizeof point.w);
  memcpy(moves.wd.is, point.wd, sizeof point.wd);
  lwRollingRates rates = lw_rolling_rates(pair, motion->frame, &moves);
  for (int k = 0; k < pair->rows; ++k) bias[k] = rates.acceleration[k].is;
}

void lw_loop_bias(const lwModel* model, lwLoopMotion* motion, const double* qd, double* bias)
{
  expand_motion(model, motion, qd);
  spin_links(model, motion);
  for (int k = 0; k < model->loops->count; ++k)
  {
    const lwLoopPair* pair = &model->loops->pairs[k];
    double along[3] = {0}, angle[3] = {0};
    motion->frame = motion->frames + 2 * (size_t)k;
    if (lw_loop_rolls(pair->type))
    {
      rolling_bias(pair, motion, bias + pair->first_row);
      continue;
    }
    if (pair->type != LW_LOOP_GEAR) relative_acceleration(pair, motion, along, angle);
    for (int r = pair->first_row; r < pair->first_row + pair->rows; ++r)
    {
      const lwLoopRow* row = &model->loops->row[r];
      bias[r]              = lw_dot(row->direction, row->turns ? angle : along);
    }
  }
}
