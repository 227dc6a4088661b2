// SPDX-License-Identifier: MIT
// Lengths and angles of a description as joints that stand where the numbers act.
//
// If x of an origin changes by e, everything after it slides by e along the parent's x axis: as if
// a prismatic joint stood there and moved by e. So the derivative of any answer with respect to a
// length or an angle is that with respect to the position of such a virtual joint, which has no
// mass, no rate and no acceleration.
#ifndef LW_MODEL_VIRTUAL_JOINTS_H
#define LW_MODEL_VIRTUAL_JOINTS_H

#include "base/arena.h"
#include "linkwork/slopes.h"

typedef struct lwVirtualJoints
{
  int count;           // joints, virtual ones included
  lwJointDef* joints;  // (count)
  int* real;           // (count) index in the description, or -1: virtual
  int* parameter;      // (count) of a virtual joint: index in the list of parameters
  int* link;  // (joints of the description) the joint here whose link has its frame and its mass
} lwVirtualJoints;

// The description with a joint for each length and angle of the list. False: out of memory.
bool lw_virtual_joints_build(const lwRobotDef* robot, const lwParameter* parameters, int count,
                             lwArena* arena, lwVirtualJoints* out);

#endif
