// SPDX-License-Identifier: MIT
#include "model/rolling.h"

#include <string.h>

// Directions of rows, the arm over the radius, and their derivatives by time.
typedef struct RollingAxes
{
  lwChanging g[LW_ROLLING_MOST_ROWS], g_rate[LW_ROLLING_MOST_ROWS];
  lwChanging d, d_rate;
} RollingAxes;

bool lw_loop_rolls(lwLoopType type)
{
  return type >= LW_LOOP_SKATE && type <= LW_LOOP_CONTACT;
}

// Axis k of a frame.
static lwChanging axis_of_frame(const lwTransform* frame, int k)
{
  return (lwChanging){.is = {frame->R[0][k], frame->R[1][k], frame->R[2][k]}};
}

// h, u and d from the axle n, with n' = n_rate and h' = (n' x z - h (h . n' x z)) / |n x z|.
static void axes_of_wheel(lwChanging n, lwChanging n_rate, lwChanging z, RollingAxes* axes)
{
  lwChanging m          = changing_cross(n, z);
  lwChangingNumber over = changing_inverse_length(m);
  lwChanging h          = changing_scale(over, m);
  lwChanging m_rate     = changing_cross(n_rate, z);
  lwChanging h_rate     = changing_sum(-1, m_rate, changing_scale(changing_dot(h, m_rate), h));
  h_rate                = changing_scale(over, h_rate);
  axes->g[0]            = h;
  axes->g_rate[0]       = h_rate;
  axes->g[1]            = changing_cross(z, h);
  axes->g_rate[1]       = changing_cross(z, h_rate);
  axes->d               = changing_cross(n, h);
  axes->d_rate          = changing_sum(1, changing_cross(n_rate, h), changing_cross(n, h_rate));
}

// turn: how the link turns along the direction; w: its angular velocity.
static RollingAxes rolling_axes(const lwLoopPair* pair, const lwTransform* frames,
                                const double turn[3], const lwChanging* w)
{
  RollingAxes axes = {0};
  lwChanging n;
  for (int k = 0; k < 3; ++k) n.is[k] = lw_dot(frames[1].R[k], pair->axis);
  lw_cross(turn, n.is, n.by);
  lwChanging n_rate = changing_cross(*w, n);
  if (pair->type == LW_LOOP_WHEEL || pair->type == LW_LOOP_DISC)
    axes_of_wheel(n, n_rate, axis_of_frame(&frames[0], 2), &axes);
  else if (pair->type == LW_LOOP_SKATE)
  {
    axes.g[0]      = n;
    axes.g_rate[0] = n_rate;
  }
  else
    for (int k = 0; k < 3; ++k) axes.g[k] = axis_of_frame(&frames[0], k);
  return axes;
}

lwRollingPlace lw_rolling_place(const lwLoopPair* pair, const lwTransform* frames)
{
  static const double none[3];
  static const lwChanging still;
  RollingAxes axes     = rolling_axes(pair, frames, none, &still);
  lwRollingPlace place = {0};
  for (int r = 0; r < pair->rows; ++r) memcpy(place.g[r], axes.g[r].is, sizeof place.g[r]);
  for (int k = 0; k < 3; ++k) place.arm[k] = pair->radius * axes.d.is[k];
  return place;
}

lwRollingRates lw_rolling_rates(const lwLoopPair* pair, const lwTransform* frames,
                                const lwRollingMotion* motion)
{
  double R             = pair->radius;
  RollingAxes axes     = rolling_axes(pair, frames, motion->turn, &motion->w);
  lwChanging V         = changing_sum(R, motion->v, changing_cross(motion->w, axes.d));
  lwChanging V_rate    = changing_sum(R, motion->a, changing_cross(motion->wd, axes.d));
  lwRollingRates rates = {0};
  V_rate               = changing_sum(R, V_rate, changing_cross(motion->w, axes.d_rate));
  for (int r = 0; r < pair->rows; ++r)
  {
    lwChangingNumber turned = changing_dot(axes.g_rate[r], V);
    lwChangingNumber moved  = changing_dot(axes.g[r], V_rate);
    rates.velocity[r]       = changing_dot(axes.g[r], V);
    rates.acceleration[r]   = (lwChangingNumber){turned.is + moved.is, turned.by + moved.by};
  }
  return rates;
}
