// SPDX-License-Identifier: MIT
// What each type of joint is made of: its entries in q, qd and tau, and the chain of joints with
// one freedom that kernels see in its place.
#ifndef LW_MODEL_JOINT_TYPES_H
#define LW_MODEL_JOINT_TYPES_H

#include "linkwork/model.h"

enum
{
  LW_MOST_PIECES    = 8,
  LW_MOST_POSITIONS = 7,
  LW_MOST_FREEDOMS  = 6
};

// Which direction a piece turns about or slides along.
typedef enum lwDirection
{
  LW_ALONG_X,
  LW_ALONG_Y,
  LW_ALONG_Z,
  LW_ALONG_AXIS,
  LW_ALONG_AXIS2,
  LW_ALONG_PLANE_1,  // across the axis, the x axis of the joint's frame as seen in the plane
  LW_ALONG_PLANE_2   // axis x plane 1
} lwDirection;

// One joint of the chain.
typedef struct lwJointPieceType
{
  bool slides;
  lwDirection along;
  bool held;     // its position follows from a quaternion, and its velocity is 0
  bool follows;  // it follows the piece before, by the pitch
} lwJointPieceType;

typedef struct lwJointTypeInfo
{
  const char* word;
  lwJointSize size;
  int pieces;
  lwJointPieceType piece[LW_MOST_PIECES];
  const char* position[LW_MOST_POSITIONS];  // names behind that of the joint; NULL: its name alone
  const char* velocity[LW_MOST_FREEDOMS];
  const char* effort[LW_MOST_FREEDOMS];
  int quaternion;  // index of the first entry in the joint's q, or -1
} lwJointTypeInfo;

const lwJointTypeInfo* lw_joint_type_info(lwJointType type);

// More than one freedom, so that limits, friction, motor and mimic have no meaning.
static inline bool lw_joint_is_compound(lwJointType type)
{
  return type > LW_JOINT_FIXED && type != LW_JOINT_SCREW;
}

// Has a direction that `axis` gives.
static inline bool lw_joint_has_axis(lwJointType type)
{
  return type != LW_JOINT_FIXED && type != LW_JOINT_BALL && type != LW_JOINT_FLOATING;
}

#endif
