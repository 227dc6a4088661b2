// SPDX-License-Identifier: MIT
// Rigid transforms, for building models. Kernels do not use them.
#ifndef LW_MODEL_TRANSFORM_H
#define LW_MODEL_TRANSFORM_H

#include "linkwork/model.h"
#include "model/frame_number.h"

// x_parent = R x + p
typedef struct lwTransform
{
  NUMBER R[3][3];
  NUMBER p[3];
} lwTransform;

extern const lwTransform lw_identity;

lwTransform lw_compose(const lwTransform* a, const lwTransform* b);  // a after b: a b
lwTransform lw_invert(const lwTransform* a);
lwTransform lw_screw_x(NUMBER angle, NUMBER distance);  // Rx Tx
lwTransform lw_screw_z(NUMBER angle, NUMBER distance);  // Rz Tz
lwTransform lw_origin(const double xyz[3],
                      const double rpy[3]);        // T(xyz) Rz(yaw) Ry(pitch) Rx(roll)
void lw_rpy(const lwTransform* a, NUMBER rpy[3]);  // its roll, pitch and yaw, pitch within +-90 deg
void lw_quaternion(const lwTransform* a, NUMBER quaternion[4]);  // its x y z w, w >= 0

// Exact cos and sin if the angle is within rounding of 0, +-90 or 180 degrees.
NUMBER lw_snap(NUMBER x);

// R x + p, at another address than x.
void lw_transform_point(const lwTransform* a, const NUMBER x[3], NUMBER out[3]);

// R I R^T, at another address than I. R may also be a reflection.
void lw_inertia_rotate(const NUMBER R[3][3], const NUMBER I[6], NUMBER out[6]);

// The place of a joint in any convention; the joint frame has z along the axis:
//   parent's link --before--> joint frame --motion--> --after--> frame of the link
void lw_joint_place(const lwJointDef* joint, lwTransform* before, lwTransform* after);

// Mass, centre of mass and inertia of a link in another frame,
// which is at `frame` in its old one. The name stays.
void lw_link_in(const lwLinkDef* link, const lwTransform* frame, lwLinkDef* out);

// Mass properties about the origin of a frame: mass, first moment, inertia xx yy zz xy xz yz.
typedef struct lwInertial
{
  NUMBER mass;
  NUMBER first_moment[3];
  NUMBER inertia[6];
} lwInertial;

// Those of a described link, seen from a frame in which the link's frame is at `place`.
lwInertial lw_inertial_at(const lwLinkDef* link, const lwTransform* place);

// Mass properties of a frame in the frame and about the origin that sees it at `place`.
lwInertial lw_inertial_move(const lwInertial* body, const lwTransform* place);
void lw_inertial_add(lwInertial* sum, const lwInertial* part);

#endif
