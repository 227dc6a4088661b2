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

// Of what the first joints stand on.
static inline const char* lw_base_name(const lwModel* model)
{
  const char* name = lw_model_robot(model)->base.name;
  return name ? name : "base";
}

#endif
