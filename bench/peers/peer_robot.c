// SPDX-License-Identifier: MIT
#include "peer_robot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/read.h"
#include "model/model_internal.h"

// Made from robots/panda.yaml by the build.
extern const char bench_panda_text[];
extern const size_t bench_panda_length;

// R = Rz(gamma) Rx(alpha), row by row
static void rotation(const lwLink64* link, double R[9])
{
  double cg = link->cos_gamma, sg = link->sin_gamma, ca = link->cos_alpha, sa = link->sin_alpha;
  const double rows[9] = {cg, -sg * ca, sg * sa, sg, cg * ca, -cg * sa, 0, sa, ca};
  memcpy(R, rows, sizeof rows);
}

// R Rz(theta)
static void turn_about_z(double R[9], double cos_theta, double sin_theta)
{
  for (int i = 0; i < 3; ++i)
  {
    double x = R[3 * i], y = R[3 * i + 1];
    R[3 * i]     = x * cos_theta + y * sin_theta;
    R[3 * i + 1] = y * cos_theta - x * sin_theta;
  }
}

// From the frame's origin to the centre of mass: J - m (c^2 - c c^T).
static void centre(const lwLink64* link, PeerJoint* joint)
{
  double* c   = joint->com;
  joint->mass = link->mass;
  for (int k = 0; k < 3; ++k) c[k] = link->mass > 0 ? link->first_moment[k] / link->mass : 0;
  const double moved[6] = {c[1] * c[1] + c[2] * c[2],
                           c[0] * c[0] + c[2] * c[2],
                           c[0] * c[0] + c[1] * c[1],
                           -c[0] * c[1],
                           -c[0] * c[2],
                           -c[1] * c[2]};
  for (int k = 0; k < 6; ++k) joint->inertia[k] = link->inertia[k] - link->mass * moved[k];
}

static PeerJoint joint_of(const lwModel* model, int i)
{
  const lwLink64* link = &model->link64[i];
  PeerJoint joint      = {.parent = model->parent[i],
                          .slides = (model->kind[i] & LW_KIND_PRISMATIC) != 0};
  rotation(link, joint.R);
  for (int k = 0; k < 3; ++k) joint.p[k] = link->span[k] + joint.R[3 * k + 2] * link->d;
  if (joint.slides)
    turn_about_z(joint.R, link->cos_theta, link->sin_theta);
  else
    turn_about_z(joint.R, cos(link->offset), sin(link->offset));
  centre(link, &joint);
  return joint;
}

bool peer_robot_make(const lwModel* model, PeerRobot* robot)
{
  PeerJoint* joints = malloc(((size_t)model->n + 1) * sizeof *joints);
  *robot            = (PeerRobot){.n = model->n, .joints = joints};
  memcpy(robot->gravity, model->ends64.gravity, sizeof robot->gravity);
  for (int i = 0; joints && i < model->n; ++i) joints[i] = joint_of(model, i);
  return joints != NULL;
}

void peer_robot_free(PeerRobot* robot)
{
  free((void*)robot->joints);
  *robot = (PeerRobot){0};
}

// Modified DH table of the PUMA 560 (robots/puma560.yaml), on the bodies of the generic chain.
lwStatus peer_puma_create(lwModel** model)
{
  enum
  {
    JOINTS = 6
  };
  static const double alpha[JOINTS] = {0, -M_PI_2, 0, M_PI_2, -M_PI_2, M_PI_2};
  static const double a[JOINTS]     = {0, 0, 0.4318, -0.0203, 0, 0};
  static const double d[JOINTS]     = {0, 0.2435, -0.0934, 0.4331, 0, 0};
  lwJointDef joints[JOINTS];
  lwModel* chain  = NULL;
  lwStatus status = lw_model_create_generic(JOINTS, &chain);
  *model          = NULL;
  if (status != LW_OK) return status;
  lwRobotDef robot = *lw_model_robot(chain);
  for (int i = 0; i < JOINTS; ++i)
  {
    joints[i]       = robot.joints[i];
    joints[i].alpha = alpha[i];
    joints[i].a     = a[i];
    joints[i].d     = d[i];
  }
  robot.name   = "PUMA-like arm";
  robot.joints = joints;
  status       = lw_model_create(&robot, NULL, NULL, model);
  lw_model_destroy(chain);
  return status;
}

lwStatus peer_panda_create(lwModel** model)
{
  return lw_robot_read_text("panda.yaml", bench_panda_text, bench_panda_length, NULL, NULL, model);
}
