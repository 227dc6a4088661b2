// SPDX-License-Identifier: MIT
#include "report/joint_units.h"

// Of a joint that turns, of one that slides, and of both.
static const char* const UNITS[][3] = {{"rad", "m", "rad|m"},
                                       {"rad/s", "m/s", "rad/s|m/s"},
                                       {"rad/s^2", "m/s^2", "rad/s^2|m/s^2"},
                                       {"rad/s^3", "m/s^3", "rad/s^3|m/s^3"},
                                       {"N m", "N", "N m|N"}};

const char* lw_joint_unit(const lwModel* model, lwJointQuantity quantity, int i)
{
  lwCoordinate entry = quantity == LW_JOINT_QUANTITY_POSITION ? lw_model_position(model, i)
                       : quantity == LW_JOINT_QUANTITY_EFFORT ? lw_model_effort(model, i)
                                                              : lw_model_velocity(model, i);
  return entry.quaternion ? "" : UNITS[quantity][entry.slides];
}

const char* lw_joints_unit(const lwModel* model, lwJointQuantity quantity)
{
  int sliding = 0, dof = lw_model_dof(model);
  for (int i = 0; i < dof; ++i) sliding += lw_model_velocity(model, i).slides;
  return UNITS[quantity][sliding == 0 ? 0 : sliding == dof ? 1 : 2];
}
