// SPDX-License-Identifier: MIT
// Names of links, including those that the file leaves unnamed.
#ifndef LW_REPORT_ROBOT_ROBOT_NAMES_H
#define LW_REPORT_ROBOT_ROBOT_NAMES_H

#include "linkwork/model.h"

// Of the link that a joint carries.
static inline const char* lw_link_name(const lwJointDef* joint)
{
  if (joint->link.name) return joint->link.name;
  return joint->name ? joint->name : "";
}

// Of the link of a joint, LW_BASE: of what the first joints stand on.
static inline const char* lw_body_name(const lwRobotDef* robot, int joint)
{
  if (joint != LW_BASE) return lw_link_name(&robot->joints[joint]);
  return robot->base.name ? robot->base.name : "base";
}

static inline const char* lw_base_name(const lwModel* model)
{
  return lw_body_name(lw_model_robot(model), LW_BASE);
}

#endif
