// SPDX-License-Identifier: MIT
// What the writers of robot files share.
#include "report/robot/robot_text.h"

#include <math.h>
#include <stdlib.h>

const char* lw_digits(double x, char buffer[LW_NUMBER_SIZE])
{
  lw_number_write(x == 0 ? 0 : x, buffer);  // no -0
  return buffer;
}

void lw_write_numbers(lwOut* out, const double* numbers, int count, const char* join)
{
  char digits[LW_NUMBER_SIZE];
  for (int i = 0; i < count; ++i)
    lw_out_format(out, "%s%s", i > 0 ? join : "", lw_digits(numbers[i], digits));
}

const char* lw_carried_name(const lwJointDef* joint)
{
  return joint->link.name ? joint->link.name : joint->name;
}

const char* lw_carrier_name(const lwRobotDef* robot, const lwJointDef* joint)
{
  if (joint->parent != LW_BASE) return lw_carried_name(&robot->joints[joint->parent]);
  return robot->base.name ? robot->base.name : "base";
}

bool lw_is_limited(const lwLimits* limits)
{
  return isfinite(limits->lower) || isfinite(limits->upper);
}

bool lw_link_has_mass(const lwLinkDef* link)
{
  bool has = link->mass != 0;
  for (int i = 0; i < 3; ++i) has = has || link->com[i] != 0;
  for (int i = 0; i < 6; ++i) has = has || link->inertia[i] != 0;
  return has;
}
