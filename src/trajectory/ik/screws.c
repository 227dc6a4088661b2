// SPDX-License-Identifier: MIT
#include "trajectory/ik/screws.h"

#include <math.h>

#include "math/elementary.h"
#include "math/rotation.h"

static const double PARALLEL = 1e-3;  // sine of an angle between axes that do not meet
static const double ALONG    = 1e-7;  // sine of an angle that counts as zero
static const double BEYOND = 1e-7;  // of a cosine or a squared sine: by rounding, at a double root

void lw_screw_rotation(const lwScrew* screw, double q, double R[9])
{
  double by[3];
  for (int k = 0; k < 3; ++k) by[k] = screw->slides ? 0 : q * screw->axis[k];
  lw_rotation_exp(by, R);
}

void lw_screw_move(const lwScrew* screw, double q, const double x[3], double out[3])
{
  double R[9], arm[3];
  for (int k = 0; k < 3; ++k) arm[k] = x[k] - screw->point[k];
  lw_screw_rotation(screw, q, R);
  if (!screw->slides) lw_rotate(R, arm, arm);
  for (int k = 0; k < 3; ++k)
    out[k] = screw->slides ? x[k] + q * screw->axis[k] : screw->point[k] + arm[k];
}

// --- directions and distances

void lw_across(const double axis[3], double x[3], double y[3])
{
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (fabs(axis[i]) < fabs(axis[k])) k = i;
  const double e[3] = {k == 0, k == 1, k == 2};
  lw_cross(axis, e, x);
  double length = lw_length(x);
  for (int i = 0; i < 3; ++i) x[i] /= length;
  lw_cross(axis, x, y);
}

void lw_part_across(const double axis[3], const double x[3], double out[3])
{
  double along = lw_dot(axis, x);
  for (int k = 0; k < 3; ++k) out[k] = x[k] - along * axis[k];
}

double lw_screw_sine(const lwScrew* one, const lwScrew* two)
{
  double normal[3];
  lw_cross(one->axis, two->axis, normal);
  return lw_length(normal);
}

double lw_screw_foot(const lwScrew* screw, const double x[3], double foot[3])
{
  double arm[3], off[3];
  for (int k = 0; k < 3; ++k) arm[k] = x[k] - screw->point[k];
  lw_part_across(screw->axis, arm, off);
  for (int k = 0; k < 3; ++k) foot[k] = x[k] - off[k];
  return lw_length(off);
}

bool lw_screw_meeting(const lwScrew* one, const lwScrew* two, double centre[3])
{
  double normal[3], between[3], along[3], foot[3];
  lw_cross(one->axis, two->axis, normal);
  double sine2 = lw_dot(normal, normal);
  if (sine2 < PARALLEL * PARALLEL) return false;
  for (int k = 0; k < 3; ++k) between[k] = two->point[k] - one->point[k];
  lw_cross(between, two->axis, along);
  double t = lw_dot(along, normal) / sine2;
  for (int k = 0; k < 3; ++k) centre[k] = one->point[k] + t * one->axis[k];
  lw_screw_foot(two, centre, foot);
  for (int k = 0; k < 3; ++k) centre[k] = 0.5 * (centre[k] + foot[k]);
  return true;
}

// --- angles

double lw_angle_about(const double axis[3], const double from[3], const double to[3], double* size)
{
  double across[3];
  lw_cross(from, to, across);
  double sine   = lw_dot(axis, across);
  double cosine = lw_dot(from, to) - lw_dot(axis, from) * lw_dot(axis, to);
  *size         = sqrt(sine * sine + cosine * cosine);
  return lw_atan2(sine, cosine);
}

// u.x(t) = (u.axis)(axis.x) + cosine cos t + sine sin t
int lw_turn_to_height(const double axis[3], const double x[3], const double u[3], double height,
                      double t[2], bool* free)
{
  double side[3];
  lw_cross(axis, x, side);
  double along = lw_dot(axis, x) * lw_dot(axis, u);
  double sine = lw_dot(u, side), cosine = lw_dot(u, x) - along;
  double most = lw_hypot(sine, cosine), rest = height - along;
  double terms = lw_length(x) * lw_length(u);
  *free        = most <= ALONG * terms && fabs(rest) <= ALONG * terms;
  t[0] = t[1] = 0;
  if (*free) return 1;
  if (!(fabs(rest) <= most * (1 + BEYOND))) return 0;
  double middle = lw_atan2(sine, cosine), half = lw_acos(fmin(fmax(rest / most, -1), 1));
  t[0] = middle + half;
  t[1] = middle - half;
  return 2;
}

// screw_1 screw_2 brings w3 to y = R w3; z = a w1 + b w2 + side (w1 x w2) is where
// screw_2 alone brings it.
int lw_turn_three(const lwScrew screw[3], const double R[9], double q1, double q[2][3], bool* free)
{
  const double *w1 = screw[0].axis, *w2 = screw[1].axis, *w3 = screw[2].axis;
  double y[3], normal[3], z[3], off[3], size;
  lw_rotate(R, w3, y);
  lw_cross(w1, w2, normal);
  double c = lw_dot(w1, w2), sine2 = lw_dot(normal, normal);
  double a    = (lw_dot(w1, y) - c * lw_dot(w2, w3)) / sine2;
  double b    = (lw_dot(w2, w3) - c * lw_dot(w1, y)) / sine2;
  double rest = (1 - a * a - b * b - 2 * a * b * c) / sine2;
  if (!(rest > -BEYOND)) return 0;
  double side = sqrt(fmax(rest, 0));
  lw_cross(w1, y, off);
  *free = lw_length(off) < ALONG;
  for (int k = 0; k < 2; ++k, side = -side)
  {
    double R1[9], R2[9], left[9], e[3];
    for (int i = 0; i < 3; ++i) z[i] = a * w1[i] + b * w2[i] + side * normal[i];
    q[k][1] = lw_angle_about(w2, w3, z, &size);
    q[k][0] = *free ? q1 : lw_angle_about(w1, z, y, &size);
    lw_screw_rotation(&screw[0], q[k][0], R1);
    lw_screw_rotation(&screw[1], q[k][1], R2);
    lw_rotation_product(R1, R2, left);
    lw_rotation_transpose(left, left);
    lw_rotation_product(left, R, left);
    lw_rotation_log(left, e);
    q[k][2] = lw_dot(e, w3);
  }
  return *free || side == 0 ? 1 : 2;
}
