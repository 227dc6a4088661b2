// SPDX-License-Identifier: MIT
#include "model/common_normal.h"

#include <math.h>

static void turn_columns(NUMBER c, NUMBER s, NUMBER* x, NUMBER* y)
{
  NUMBER old = *x;
  *x         = c * old + s * *y;
  *y         = c * *y - s * old;
}

static void normalise(NUMBER* c, NUMBER* s)
{
  NUMBER length = num_hypot(*c, *s);
  *c            = lw_snap(*c / length);
  *s            = lw_snap(*s / length);
}

void lw_common_normal_find(const lwTransform* T, lwCommonNormal* screw)
{
  NUMBER zx = lw_snap(T->R[0][2]), zy = lw_snap(T->R[1][2]);
  NUMBER across    = num_hypot(zx, zy);
  screw->cos_gamma = -zy;
  screw->sin_gamma = zx;
  if (across == 0)  // parallel: towards the other axis
  {
    NUMBER size      = num_abs(T->p[0]) + num_abs(T->p[1]) + num_abs(T->p[2]);
    bool same_axis   = num_hypot(T->p[0], T->p[1]) <= 4 * NUM_EPSILON * size;
    screw->cos_gamma = same_axis ? 1 : T->p[0];
    screw->sin_gamma = same_axis ? 0 : T->p[1];
  }
  normalise(&screw->cos_gamma, &screw->sin_gamma);
  if (screw->cos_gamma < 0 || (screw->cos_gamma == 0 && screw->sin_gamma < 0))
  {
    screw->cos_gamma = -screw->cos_gamma;
    screw->sin_gamma = -screw->sin_gamma;
  }
}

static NUMBER without_noise(NUMBER x, NUMBER size)
{
  return num_abs(x) <= 4 * NUM_EPSILON * size ? 0 : x;
}

void lw_common_normal_split(const lwTransform* T, lwCommonNormal* screw)
{
  lwTransform rest = *T;
  for (int j = 0; j < 3; ++j)
    turn_columns(screw->cos_gamma, screw->sin_gamma, &rest.R[0][j], &rest.R[1][j]);
  turn_columns(screw->cos_gamma, screw->sin_gamma, &rest.p[0], &rest.p[1]);

  screw->cos_alpha = rest.R[2][2];
  screw->sin_alpha = -rest.R[1][2];
  normalise(&screw->cos_alpha, &screw->sin_alpha);
  for (int j = 0; j < 3; ++j)
    turn_columns(screw->cos_alpha, screw->sin_alpha, &rest.R[1][j], &rest.R[2][j]);
  turn_columns(screw->cos_alpha, screw->sin_alpha, &rest.p[1], &rest.p[2]);

  screw->cos_theta = rest.R[0][0];
  screw->sin_theta = rest.R[1][0];
  normalise(&screw->cos_theta, &screw->sin_theta);
  NUMBER size = num_abs(T->p[0]) + num_abs(T->p[1]) + num_abs(T->p[2]);
  screw->a    = without_noise(rest.p[0], size);
  screw->e    = without_noise(rest.p[1], size);
  screw->d    = without_noise(rest.p[2], size);
}
