// SPDX-License-Identifier: MIT
// Units of joint quantities, for joints that turn and joints that slide.
#ifndef LW_REPORT_JOINT_UNITS_H
#define LW_REPORT_JOINT_UNITS_H

#include "linkwork/model.h"

typedef enum lwJointQuantity
{
  LW_JOINT_QUANTITY_POSITION,
  LW_JOINT_QUANTITY_VELOCITY,
  LW_JOINT_QUANTITY_ACCELERATION,
  LW_JOINT_QUANTITY_JERK,
  LW_JOINT_QUANTITY_EFFORT
} lwJointQuantity;

// Of entry i: "rad"; "" of a part of a quaternion.
const char* lw_joint_unit(const lwModel* model, lwJointQuantity quantity, int i);

// Of all entries: "rad", or "rad|m" where some turn and some slide.
const char* lw_joints_unit(const lwModel* model, lwJointQuantity quantity);

#endif
