// SPDX-License-Identifier: MIT
// Rotations by quaternions x y z w, in the number of model/frame_number.h. A quaternion stands for
// its
// direction: whatever its length, it gives a rotation, so that integration need not keep the length
// at 1 to the last bit.
#ifndef LW_MODEL_BALL_H
#define LW_MODEL_BALL_H

#include "model/frame_number.h"
#include "model/model_internal.h"

// Link to joint frame, row by row.
static inline void quaternion_matrix(const NUMBER q[4], NUMBER R[9])
{
  NUMBER x = q[0], y = q[1], z = q[2], w = q[3];
  NUMBER s = 2 / (x * x + y * y + z * z + w * w);
  R[0]     = 1 - s * (y * y + z * z);
  R[1]     = s * (x * y - z * w);
  R[2]     = s * (x * z + y * w);
  R[3]     = s * (x * y + z * w);
  R[4]     = 1 - s * (x * x + z * z);
  R[5]     = s * (y * z - x * w);
  R[6]     = s * (x * z - y * w);
  R[7]     = s * (y * z + x * w);
  R[8]     = 1 - s * (x * x + y * y);
}

// R = Rx(a) Rz(b) Rx(c). Half the sum or half the difference of the angles is ill
// defined where y and z, or x and w, are small; there b is such that it does not matter,
// and R is accurate to rounding everywhere.
static inline void quaternion_angles(const NUMBER q[4], NUMBER angle[3])
{
  NUMBER half_sum = num_atan2(q[0], q[3]), half_difference = num_atan2(-q[1], q[2]);
  angle[0] = half_sum + half_difference;
  angle[1] = 2 * num_atan2(num_hypot(q[1], q[2]), num_hypot(q[0], q[3]));
  angle[2] = half_sum - half_difference;
}

// Cosine and sine of the same three angles, without finding these: of half the sum and half the
// difference, and of the second angle by its half.
static inline void quaternion_turns(const NUMBER q[4], NUMBER turn[3][2])
{
  NUMBER with = num_sqrt(q[0] * q[0] + q[3] * q[3]), across = num_sqrt(q[1] * q[1] + q[2] * q[2]);
  NUMBER over = 2 / (with * with + across * across);
  NUMBER cs = with > 0 ? q[3] / with : 1, ss = with > 0 ? q[0] / with : 0;
  NUMBER cd = across > 0 ? q[2] / across : 1, sd = across > 0 ? -q[1] / across : 0;
  turn[0][0] = cs * cd - ss * sd, turn[0][1] = ss * cd + cs * sd;
  turn[1][0] = over * with * with - 1, turn[1][1] = over * with * across;
  turn[2][0] = cs * cd + ss * sd, turn[2][1] = ss * cd - cs * sd;
}

static inline void matrix_apply(const NUMBER R[9], const NUMBER a[3], NUMBER out[3])
{
  NUMBER x = R[0] * a[0] + R[1] * a[1] + R[2] * a[2];
  NUMBER y = R[3] * a[0] + R[4] * a[1] + R[5] * a[2];
  NUMBER z = R[6] * a[0] + R[7] * a[1] + R[8] * a[2];
  out[0] = x, out[1] = y, out[2] = z;
}

static inline void matrix_apply_back(const NUMBER R[9], const NUMBER a[3], NUMBER out[3])
{
  NUMBER x = R[0] * a[0] + R[3] * a[1] + R[6] * a[2];
  NUMBER y = R[1] * a[0] + R[4] * a[1] + R[7] * a[2];
  NUMBER z = R[2] * a[0] + R[5] * a[1] + R[8] * a[2];
  out[0] = x, out[1] = y, out[2] = z;
}

#endif
