// SPDX-License-Identifier: MIT
// Robots, paths and motions shared by the tests of the fastest motion.
#ifndef LW_TESTS_RETIME_RETIME_PATHS_H
#define LW_TESTS_RETIME_RETIME_PATHS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/read.h"
#include "linkwork/retime.h"
#include "support/testing.h"

enum
{
  MOST_JOINTS = 8
};

// A mass on a slide along x, 2 kg, without gravity along the slide.
static inline lwJointDef slide(const char* name, int parent, double mass)
{
  lwJointDef joint = lw_joint_def();
  joint.name       = name;
  joint.type       = LW_JOINT_PRISMATIC;
  joint.placement  = LW_PLACEMENT_ORIGIN_AXIS;
  joint.parent     = parent;
  joint.axis[0]    = parent == LW_BASE;
  joint.axis[1]    = parent != LW_BASE;
  joint.axis[2]    = 0;
  joint.link.mass  = mass;
  return joint;
}

static inline lwModel* robot_of_joints(lwJointDef* joints, int count)
{
  lwRobotDef robot = lw_robot_def();
  lwModel* model;
  robot.name   = "bench";
  robot.joints = joints;
  robot.count  = count;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  return model;
}

// A path through samples of q, q' and q'' at s (count).
static inline lwTrajectory* path_of(int dof, int count, const double* s, const double* values)
{
  size_t n         = (size_t)dof * (size_t)count;
  lwSamplesDef def = {.dof = dof, .count = count, .t = s};
  lwTrajectory* path;
  def.q   = values;
  def.qd  = values + n;
  def.qdd = values + 2 * n;
  assert_int_equal(lw_trajectory_create_samples(&def, NULL, &path), LW_OK);
  return path;
}

typedef void PathAt(double s, double value[3][MOST_JOINTS]);

static inline lwTrajectory* path_of_function(int dof, PathAt* at, double from, double to)
{
  enum
  {
    KNOTS = 201
  };
  double* values = calloc((size_t)(3 * dof * KNOTS), sizeof *values);
  double s[KNOTS], value[3][MOST_JOINTS];
  for (int k = 0; k < KNOTS; ++k)
  {
    s[k] = (to - from) * k / (KNOTS - 1);
    at(from + s[k], value);
    for (int o = 0; o < 3; ++o)
      for (int j = 0; j < dof; ++j) values[(o * KNOTS + k) * dof + j] = value[o][j];
  }
  lwTrajectory* path = path_of(dof, KNOTS, s, values);
  free(values);
  return path;
}

static inline lwTrajectory* straight(int dof, const double* from, const double* to)
{
  double s[2] = {0, 1}, values[6 * MOST_JOINTS] = {0};
  for (int j = 0; j < dof; ++j)
  {
    values[j]           = from[j];
    values[dof + j]     = to[j];
    values[2 * dof + j] = values[3 * dof + j] = to[j] - from[j];
  }
  return path_of(dof, 2, s, values);
}

static inline lwRetimeResult retimed(const lwModel* model, const lwRetimeDef* def,
                                     const lwTrajectory* path, lwRetimeEnds ends)
{
  lwRetime* retime;
  lwRetimeResult result;
  assert_int_equal(lw_retime_create(model, def, NULL, &retime), LW_OK);
  if (lw_retime(retime, path, &ends, &result) != LW_OK) result.time = INFINITY;
  lw_retime_destroy(retime);
  return result;
}

#endif
