// SPDX-License-Identifier: MIT
// The place of one axis in the frame of another, decomposed along their common normal.
#ifndef LW_MODEL_COMMON_NORMAL_H
#define LW_MODEL_COMMON_NORMAL_H

#include "model/transform.h"

// Rz(gamma) Rx(alpha) T(a, e, d) Rz(theta)
typedef struct lwCommonNormal
{
  NUMBER cos_gamma, sin_gamma, cos_alpha, sin_alpha, cos_theta, sin_theta;
  NUMBER a, e, d;  // m
} lwCommonNormal;

// gamma of T: the direction of the common normal about the parent's axis, the one with positive
// cosine. For parallel axes the direction towards the other axis, for coincident axes x.
void lw_common_normal_find(const lwTransform* T, lwCommonNormal* screw);

// The rest of T once gamma is given, which must be that of the common normal or opposite to it.
void lw_common_normal_split(const lwTransform* T, lwCommonNormal* screw);

#endif
