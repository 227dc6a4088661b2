// SPDX-License-Identifier: MIT
// Converts a robot with loops to the form for peers: its bodies in the frames of its file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/loop.h"
#include "linkwork/read.h"
#include "linkwork/trajectory.h"
#include "peer_robot.h"

// Sets how the joint moves its body; false: PeerBody has no such joint.
static bool take_moves(const lwJointDef* joint, PeerBody* body)
{
  const double* axes[2] = {joint->axis, joint->axis2};
  bool one              = joint->type == LW_JOINT_REVOLUTE || joint->type == LW_JOINT_PRISMATIC;
  body->slides          = joint->type == LW_JOINT_PRISMATIC;
  body->moves           = one                                 ? 1
                          : joint->type == LW_JOINT_UNIVERSAL ? 2
                          : joint->type == LW_JOINT_BALL      ? -1
                                                              : 0;
  for (int k = 0; k < body->moves; ++k)
  {
    double length =
        sqrt(axes[k][0] * axes[k][0] + axes[k][1] * axes[k][1] + axes[k][2] * axes[k][2]);
    for (int i = 0; i < 3; ++i) body->axis[k][i] = axes[k][i] / length;
  }
  return (body->moves != 0 || joint->type == LW_JOINT_FIXED) && !joint->mimic.given &&
         joint->placement == LW_PLACEMENT_ORIGIN_AXIS;
}

static bool take_body(const lwModel* model, int j, PeerBody* body)
{
  const lwJointDef* joint = &lw_model_robot(model)->joints[j];
  *body                   = (PeerBody){.parent = joint->parent, .mass = joint->link.mass};
  memcpy(body->p, joint->xyz, sizeof body->p);
  memcpy(body->com, joint->link.com, sizeof body->com);
  memcpy(body->inertia, joint->link.inertia, sizeof body->inertia);
  lw_rotation_rpy(joint->rpy, body->R);
  for (int i = lw_model_nq(model) - 1; i >= 0; --i)
    if (lw_model_position(model, i).joint == j) body->q = i;
  for (int i = lw_model_dof(model) - 1; i >= 0; --i)
    if (lw_model_velocity(model, i).joint == j) body->v = i;
  return take_moves(joint, body);
}

static bool take_pin(const lwLoopDef* loop, PeerPin* pin)
{
  const lwFrame* frames[2] = {&loop->first, &loop->second};
  for (int side = 0; side < 2; ++side)
  {
    pin->body[side] = frames[side]->joint;
    memcpy(pin->at[side], frames[side]->xyz, sizeof pin->at[side]);
  }
  return loop->type == LW_LOOP_POSITION;
}

// Made from robots/stewart.yaml by the build.
extern const char bench_stewart_text[];
extern const size_t bench_stewart_length;

lwStatus peer_stewart_create(lwModel** model)
{
  return lw_robot_read_text("stewart.yaml", bench_stewart_text, bench_stewart_length, NULL, NULL,
                            model);
}

bool peer_linkage_make(const lwModel* model, PeerLinkage* linkage)
{
  const lwRobotDef* robot = lw_model_robot(model);
  PeerBody* body          = calloc((size_t)robot->count + 1, sizeof *body);
  PeerPin* pin            = calloc((size_t)robot->loop_count + 1, sizeof *pin);
  bool told               = body && pin;
  *linkage                = (PeerLinkage){.bodies = robot->count,
                                          .pins   = robot->loop_count,
                                          .nq     = lw_model_nq(model),
                                          .dof    = lw_model_dof(model),
                                          .body   = body,
                                          .pin    = pin};
  memcpy(linkage->gravity, robot->gravity, sizeof linkage->gravity);
  for (int j = 0; j < robot->count && told; ++j) told = take_body(model, j, &body[j]);
  for (int k = 0; k < robot->loop_count && told; ++k) told = take_pin(&robot->loops[k], &pin[k]);
  if (!told) peer_linkage_free(linkage);
  return told;
}

void peer_linkage_free(PeerLinkage* linkage)
{
  free((void*)linkage->body);
  free((void*)linkage->pin);
  *linkage = (PeerLinkage){0};
}
