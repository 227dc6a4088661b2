// SPDX-License-Identifier: MIT
#include "support/golden.h"

#include <string.h>

#include "support/check.h"
#include "support/testing.h"

const char* const golden_arms[GOLDEN_ARMS] = {"serial_2r_planar",
                                              "serial_rprrpr",
                                              "serial_5r_standard_dh",
                                              "serial_6r_standard_dh",
                                              "serial_puma560_akb",
                                              "serial_puma_like_6r",
                                              "serial_7r",
                                              "serial_12r"};

static void read_joint(const Json* file, int i, bool standard, lwJointDef* joint)
{
  double com[3 * MAX_DOF], inertia[9 * MAX_DOF];
  size_t n         = (size_t)json_number(file, "n");
  joint->placement = standard ? LW_PLACEMENT_DH_STANDARD : LW_PLACEMENT_DH_MODIFIED;
  joint->alpha     = json_get(file, "alpha")->items[i].number;
  joint->a         = json_get(file, "a")->items[i].number;
  joint->d         = json_get(file, "d")->items[i].number;
  joint->theta     = json_get(file, "theta")->items[i].number;
  joint->link.mass = json_get(file, "mass")->items[i].number;
  json_numbers(file, "com", 3 * n, com);
  json_numbers(file, "inertia_com", 9 * n, inertia);
  static const int entry[6] = {0, 4, 8, 1, 2, 5};
  for (int k = 0; k < 3; ++k) joint->link.com[k] = com[3 * i + k];
  for (int k = 0; k < 6; ++k) joint->link.inertia[k] = inertia[9 * i + entry[k]];
}

Robot* golden_robot(const Json* file)
{
  Robot* robot      = robot_start();
  int n             = (int)json_number(file, "n");
  bool standard     = !strcmp(json_text(file, "dh_convention"), "standard");
  const char* types = json_text(file, "joint_types");
  assert_int_equal(strlen(types), n);
  for (int i = 0; i < n; ++i)
    read_joint(file, i, standard,
               robot_add(robot, types[i] == 'P' ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1));
  json_numbers(file, "gravity_vector", 3, robot->def.gravity);
  robot_build(robot);
  return robot;
}
