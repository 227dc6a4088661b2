// SPDX-License-Identifier: MIT
// The number that canonical frames are computed with. transform.c, common_normal.c, canonical.c and
// derived.c are compiled once for double and, with LW_NUMBER_QUAD, once for 113-bit numbers, whose
// names then end with _quad.
#ifndef LW_MODEL_FRAME_NUMBER_H
#define LW_MODEL_FRAME_NUMBER_H

#include <math.h>

#if defined(LW_NUMBER_QUAD)

#include "math/quad_float.h"

typedef lwQuadNumber NUMBER;
#define num_sin     lw_quad_sin
#define num_cos     lw_quad_cos
#define num_sqrt    lw_quad_sqrt
#define num_atan2   lw_quad_atan2
#define NUM_EPSILON 0x1p-112

static inline NUMBER num_abs(NUMBER x)
{
  return x < 0 ? -x : x;
}

static inline NUMBER num_hypot(NUMBER x, NUMBER y)
{
  return num_sqrt(x * x + y * y);
}

#define lwTransform            lwTransform_quad
#define lwInertial             lwInertial_quad
#define lwCommonNormal         lwCommonNormal_quad
#define lwJointFrame           lwSeat_quad
#define lw_identity            lw_identity_quad
#define lw_compose             lw_compose_quad
#define lw_invert              lw_invert_quad
#define lw_screw_x             lw_screw_x_quad
#define lw_screw_z             lw_screw_z_quad
#define lw_origin              lw_origin_quad
#define lw_rpy                 lw_rpy_quad
#define lw_quaternion          lw_quaternion_quad
#define lw_snap                lw_snap_quad
#define lw_transform_point     lw_transform_point_quad
#define lw_inertia_rotate      lw_inertia_rotate_quad
#define lw_joint_place         lw_joint_place_quad
#define lw_inertial_at         lw_inertial_at_quad
#define lw_inertial_move       lw_inertial_move_quad
#define lw_inertial_add        lw_inertial_add_quad
#define lw_common_normal_find  lw_common_normal_find_quad
#define lw_common_normal_split lw_common_normal_split_quad
#define lw_canonical_build     lw_canonical_build_quad
#define lw_derive_links        lw_derive_links_quad

#else

#include "math/elementary.h"

typedef double NUMBER;
#define num_sin     lw_sin
#define num_cos     lw_cos
#define num_sqrt    sqrt
#define num_atan2   lw_atan2
#define num_abs     fabs
#define num_hypot   lw_hypot
#define NUM_EPSILON 0x1p-52

#endif

#endif
