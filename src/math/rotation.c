// SPDX-License-Identifier: MIT
#include "math/rotation.h"

#include "math/elementary.h"

#include <math.h>

double lw_length(const double a[3])
{
  return sqrt(lw_dot(a, a));
}

void lw_rotate(const double R[9], const double a[3], double out[3])
{
  double x = lw_dot(R, a), y = lw_dot(R + 3, a), z = lw_dot(R + 6, a);
  out[0] = x, out[1] = y, out[2] = z;
}

void lw_rotation_transpose(const double A[9], double out[9])
{
  double T[9];
  for (int k = 0; k < 9; ++k) T[k] = A[3 * (k % 3) + k / 3];
  for (int k = 0; k < 9; ++k) out[k] = T[k];
}

void lw_rotate_back(const double R[9], const double a[3], double out[3])
{
  double T[9];
  lw_rotation_transpose(R, T);
  lw_rotate(T, a, out);
}

void lw_rotation_product(const double A[9], const double B[9], double out[9])
{
  double C[9];
  for (int k = 0; k < 9; ++k)
  {
    const double* row = A + k / 3 * 3;
    C[k]              = row[0] * B[k % 3] + row[1] * B[3 + k % 3] + row[2] * B[6 + k % 3];
  }
  for (int k = 0; k < 9; ++k) out[k] = C[k];
}

// R = 1 + sin(a) [u] + (1 - cos(a)) [u]^2, u = e / a (Rodrigues)
void lw_rotation_exp(const double e[3], double R[9])
{
  double a = lw_length(e);
  double s = a > 0 ? lw_sin(a) / a : 1, half = lw_sin(0.5 * a);
  double c          = a > 0 ? 2 * half * half / (a * a) : 0.5;
  const double E[9] = {0, -e[2], e[1], e[2], 0, -e[0], -e[1], e[0], 0};
  double E2[9];
  lw_rotation_product(E, E, E2);
  for (int k = 0; k < 9; ++k) R[k] = (k % 4 == 0) + s * E[k] + c * E2[k];
}

// Through the quaternion (w, x, y, z), whose largest component is found first,
// so that no angle is ill-conditioned.
void lw_rotation_log(const double R[9], double e[3])
{
  const double four[4] = {1 + R[0] + R[4] + R[8], 1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8],
                          1 - R[0] - R[4] + R[8]};  // 4 w^2, 4 x^2, 4 y^2, 4 z^2
  const double products[4][4] = {{four[0], R[7] - R[5], R[2] - R[6], R[3] - R[1]},
                                 {R[7] - R[5], four[1], R[1] + R[3], R[2] + R[6]},
                                 {R[2] - R[6], R[1] + R[3], four[2], R[5] + R[7]},
                                 {R[3] - R[1], R[2] + R[6], R[5] + R[7], four[3]}};
  int k                       = 0;
  for (int i = 1; i < 4; ++i)
    if (four[i] > four[k]) k = i;
  const double* p = products[k];
  double sign     = p[0] < 0 ? -1 : 1;
  double sine     = lw_length(p + 1);
  double angle    = 2 * lw_atan2(sine, sign * p[0]);
  double scale    = sine > 0 ? sign * angle / sine : 0;
  for (int i = 0; i < 3; ++i) e[i] = scale * p[1 + i];
}

// D = 1 - [e]/2 + (1 - (a/2) cot(a/2)) / a^2 [e]^2, the inverse of the left Jacobian of SO(3)
void lw_rotation_log_rate(const double e[3], double D[9])
{
  double a = lw_length(e), half = 0.5 * a;
  double f = a < 1e-3 ? (1 + a * a / 60) / 12 : (1 - half * lw_cos(half) / lw_sin(half)) / (a * a);
  const double E[9] = {0, -e[2], e[1], e[2], 0, -e[0], -e[1], e[0], 0};
  double E2[9];
  lw_rotation_product(E, E, E2);
  for (int k = 0; k < 9; ++k) D[k] = (k % 4 == 0) - 0.5 * E[k] + f * E2[k];
}

void lw_quaternion_exp(const double e[3], double out[4])
{
  double half = lw_length(e) / 2;
  double k    = half > 1e-8 ? lw_sin(half) / (2 * half) : 0.5;
  for (int i = 0; i < 3; ++i) out[i] = k * e[i];
  out[3] = lw_cos(half);
}
