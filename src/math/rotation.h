// SPDX-License-Identifier: MIT
// Vectors in double; rotations as nine numbers, row by row,
// and as vectors along the axis with the angle as length.
#ifndef LW_MATH_ROTATION_H
#define LW_MATH_ROTATION_H

static inline double lw_dot(const double a[3], const double b[3])
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// a . b, of any length.
static inline double lw_dot_product(int n, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

static inline void lw_cross(const double a[3], const double b[3], double out[3])
{
  double x = a[1] * b[2] - a[2] * b[1];
  double y = a[2] * b[0] - a[0] * b[2];
  double z = a[0] * b[1] - a[1] * b[0];
  out[0] = x, out[1] = y, out[2] = z;
}

double lw_length(const double a[3]);

void lw_rotate(const double R[9], const double a[3], double out[3]);       // R a
void lw_rotate_back(const double R[9], const double a[3], double out[3]);  // R^T a
void lw_rotation_product(const double A[9], const double B[9], double out[9]);
void lw_rotation_transpose(const double A[9], double out[9]);

// The rotation by the vector e: axis along e, angle its length, rad. And back, 0 <= angle <= pi.
void lw_rotation_exp(const double e[3], double R[9]);
void lw_rotation_log(const double R[9], double e[3]);

// d e / d t = D w, for e = log R and the angular velocity w of R as seen from the fixed
// side. Row by row.
void lw_rotation_log_rate(const double e[3], double D[9]);

// exp of a rotation vector as a quaternion: sin(|e|/2) e/|e|, cos(|e|/2).
void lw_quaternion_exp(const double e[3], double out[4]);

#endif
