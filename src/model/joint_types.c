// SPDX-License-Identifier: MIT
// The table of joint types.
//
// A ball joint is five revolute joints through one point. Two are held where the quaternion puts
// them; the next three move, and their axes are x, y and z of the link in every state: R = Rx(a)
// Rz(b) Rx(c) Ry(0) Rz(0), a and b held. So their velocities are the angular velocity in axes of
// the link, and no rate of an Euler angle, which could be singular, is ever formed. A floating
// joint slides along the three axes that it moves in before it turns as a ball.
#include "model/joint_types.h"

#define TURN(along)                                                                                \
  {                                                                                                \
    false, along, false, false                                                                     \
  }
#define SLIDE(along)                                                                               \
  {                                                                                                \
    true, along, false, false                                                                      \
  }
#define HELD_TURN(along)                                                                           \
  {                                                                                                \
    false, along, true, false                                                                      \
  }
#define SLIDE_BY_PITCH                                                                             \
  {                                                                                                \
    true, LW_ALONG_AXIS, false, true                                                               \
  }
#define BALL_PIECES                                                                                \
  HELD_TURN(LW_ALONG_X), HELD_TURN(LW_ALONG_Z), TURN(LW_ALONG_X), TURN(LW_ALONG_Y), TURN(LW_ALONG_Z)

// A word, entries of q and of qd, where in q a quaternion begins, or -1, how many pieces, and
// these.
#define TYPE(text, positions, freedoms, begins, count, ...)                                        \
  .word = text, .size = {positions, freedoms}, .quaternion = begins, .pieces = count,              \
  .piece = {__VA_ARGS__}

// Names of entries of q, qd and tau: what stands behind that of the joint. None where there is one.
static const lwJointTypeInfo types[LW_JOINT_TYPE_COUNT] = {
    [LW_JOINT_REVOLUTE]  = {TYPE("revolute", 1, 1, -1, 1, TURN(LW_ALONG_AXIS))},
    [LW_JOINT_PRISMATIC] = {TYPE("prismatic", 1, 1, -1, 1, SLIDE(LW_ALONG_AXIS))},
    [LW_JOINT_FIXED]     = {TYPE("fixed", 0, 0, -1, 1, {0})},
    [LW_JOINT_BALL] = {TYPE("ball", 4, 3, 0, 5, BALL_PIECES), .position = {"qx", "qy", "qz", "qw"},
                       .velocity = {"wx", "wy", "wz"}, .effort = {"nx", "ny", "nz"}},
    [LW_JOINT_FLOATING]    = {TYPE("floating", 7, 6, 3, 8, SLIDE(LW_ALONG_X), SLIDE(LW_ALONG_Y),
                                   SLIDE(LW_ALONG_Z), BALL_PIECES),
                              .position = {"x", "y", "z", "qx", "qy", "qz", "qw"},
                              .velocity = {"vx", "vy", "vz", "wx", "wy", "wz"},
                              .effort   = {"fx", "fy", "fz", "nx", "ny", "nz"}},
    [LW_JOINT_PLANAR]      = {TYPE("planar", 3, 3, -1, 3, SLIDE(LW_ALONG_PLANE_1),
                                   SLIDE(LW_ALONG_PLANE_2), TURN(LW_ALONG_AXIS)),
                              .position = {"x", "y", "angle"}, .velocity = {"vx", "vy", "w"},
                              .effort = {"fx", "fy", "n"}},
    [LW_JOINT_CYLINDRICAL] = {TYPE("cylindrical", 2, 2, -1, 2, TURN(LW_ALONG_AXIS),
                                   SLIDE(LW_ALONG_AXIS)),
                              .position = {"angle", "slide"}, .velocity = {"w", "v"},
                              .effort = {"n", "f"}},
    [LW_JOINT_UNIVERSAL]   = {TYPE("universal", 2, 2, -1, 2, TURN(LW_ALONG_AXIS),
                                   TURN(LW_ALONG_AXIS2)),
                              .position = {"angle1", "angle2"}, .velocity = {"w1", "w2"},
                              .effort = {"n1", "n2"}},
    [LW_JOINT_SCREW]       = {TYPE("screw", 1, 1, -1, 2, TURN(LW_ALONG_AXIS), SLIDE_BY_PITCH)},
};

const lwJointTypeInfo* lw_joint_type_info(lwJointType type)
{
  return &types[type];
}

static bool is_type(lwJointType type)
{
  return (unsigned)type < LW_JOINT_TYPE_COUNT;
}

lwJointSize lw_joint_size(lwJointType type)
{
  return is_type(type) ? types[type].size : (lwJointSize){0, 0};
}

const char* lw_joint_word(lwJointType type)
{
  return is_type(type) ? types[type].word : NULL;
}
