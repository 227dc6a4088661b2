// SPDX-License-Identifier: MIT
// Arms, targets and comparisons shared by the tests of trajectories.
#ifndef LW_TESTS_MOTION_TRAJECTORY_ARMS_H
#define LW_TESTS_MOTION_TRAJECTORY_ARMS_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/read.h"
#include "linkwork/trajectory.h"
#include "support/robots.h"
#include "support/testing.h"

// A robot file of robots/.
static inline lwModel* shipped(const char* name)
{
  char path[512];
  lwModel* model;
  snprintf(path, sizeof path, "%s/%s", LW_ROBOTS, name);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &model), LW_OK);
  return model;
}

static inline lwWorkspace* plain_work(const lwModel* model)
{
  lwWorkspace* ws;
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  return ws;
}

static inline const lwJointDef* joint_of(const lwModel* model, int i)
{
  return &lw_model_robot(model)->joints[lw_model_joint(model, i)];
}

// Random positions within the limits, or within +-2 if there are none.
static inline void random_inside(lwRandom* random, const lwModel* model, double* q)
{
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    const lwLimits* limits = &joint_of(model, i)->limits;
    double low             = isinf(limits->lower) ? -2 : limits->lower,
           high            = isinf(limits->upper) ? 2 : limits->upper;
    q[i]                   = lw_random_between(random, low, high);
  }
}

static inline lwTarget target_at(const lwModel* model, lwWorkspace* ws, const double* q)
{
  lwTarget target = lw_target_pose();
  lw_pose(model, ws, q, target.position, target.rotation);
  return target;
}

// The largest difference between two poses, m or of a matrix element.
static inline double pose_difference(const lwModel* model, lwWorkspace* ws, const double* q,
                                     const lwTarget* target)
{
  double p[3], R[9], most = 0;
  lw_pose(model, ws, q, p, R);
  for (int k = 0; k < 3; ++k) most = fmax(most, fabs(p[k] - target->position[k]));
  for (int k = 0; k < 9; ++k) most = fmax(most, fabs(R[k] - target->rotation[k]));
  return most;
}

// The text of the first error in diag, or "".
static inline const char* first_error(const lwDiag* diag)
{
  return lw_diag_size(diag) > 0 ? lw_diag_message(diag, 0)->text : "";
}

#endif
