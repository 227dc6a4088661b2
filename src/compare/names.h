// SPDX-License-Identifier: MIT
// Joints and links as messages call them.
#ifndef LW_COMPARE_NAMES_H
#define LW_COMPARE_NAMES_H

#include "linkwork/model.h"

// Of moving joint i.
static inline const char* lw_joint_name(const lwModel* model, int i)
{
  const char* name = lw_model_joint_def(model, i)->name;
  return name ? name : "";
}

// Of the link that the joint carries: its own, or that of the joint.
static inline const char* lw_link_name(const lwJointDef* joint)
{
  if (joint->link.name) return joint->link.name;
  return joint->name ? joint->name : "";
}

#endif
