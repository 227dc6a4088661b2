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
#define BALL_PIECES                                                                                \
  HELD_TURN(LW_ALONG_X), HELD_TURN(LW_ALONG_Z), TURN(LW_ALONG_X), TURN(LW_ALONG_Y), TURN(LW_ALONG_Z)

static const lwJointTypeInfo types[LW_JOINT_TYPE_COUNT] = {
    [LW_JOINT_REVOLUTE]    = {.word       = "revolute",
                              .size       = {1, 1},
                              .pieces     = 1,
                              .piece      = {TURN(LW_ALONG_AXIS)},
                              .quaternion = -1},
    [LW_JOINT_PRISMATIC]   = {.word       = "prismatic",
                              .size       = {1, 1},
                              .pieces     = 1,
                              .piece      = {SLIDE(LW_ALONG_AXIS)},
                              .quaternion = -1},
    [LW_JOINT_FIXED]       = {.word = "fixed", .pieces = 1, .quaternion = -1},
    [LW_JOINT_BALL]        = {.word       = "ball",
                              .size       = {4, 3},
                              .pieces     = 5,
                              .piece      = {BALL_PIECES},
                              .position   = {"qx", "qy", "qz", "qw"},
                              .velocity   = {"wx", "wy", "wz"},
                              .effort     = {"nx", "ny", "nz"},
                              .quaternion = 0},
    [LW_JOINT_FLOATING]    = {.word       = "floating",
                              .size       = {7, 6},
                              .pieces     = 8,
                              .piece      = {SLIDE(LW_ALONG_X), SLIDE(LW_ALONG_Y), SLIDE(LW_ALONG_Z),
                                             BALL_PIECES},
                              .position   = {"x", "y", "z", "qx", "qy", "qz", "qw"},
                              .velocity   = {"vx", "vy", "vz", "wx", "wy", "wz"},
                              .effort     = {"fx", "fy", "fz", "nx", "ny", "nz"},
                              .quaternion = 3},
    [LW_JOINT_PLANAR]      = {.word       = "planar",
                              .size       = {3, 3},
                              .pieces     = 3,
                              .piece      = {SLIDE(LW_ALONG_PLANE_1), SLIDE(LW_ALONG_PLANE_2),
                                             TURN(LW_ALONG_AXIS)},
                              .position   = {"x", "y", "angle"},
                              .velocity   = {"vx", "vy", "w"},
                              .effort     = {"fx", "fy", "n"},
                              .quaternion = -1},
    [LW_JOINT_CYLINDRICAL] = {.word       = "cylindrical",
                              .size       = {2, 2},
                              .pieces     = 2,
                              .piece      = {TURN(LW_ALONG_AXIS), SLIDE(LW_ALONG_AXIS)},
                              .position   = {"angle", "slide"},
                              .velocity   = {"w", "v"},
                              .effort     = {"n", "f"},
                              .quaternion = -1},
    [LW_JOINT_UNIVERSAL]   = {.word       = "universal",
                              .size       = {2, 2},
                              .pieces     = 2,
                              .piece      = {TURN(LW_ALONG_AXIS), TURN(LW_ALONG_AXIS2)},
                              .position   = {"angle1", "angle2"},
                              .velocity   = {"w1", "w2"},
                              .effort     = {"n1", "n2"},
                              .quaternion = -1},
    [LW_JOINT_SCREW]       = {.word       = "screw",
                              .size       = {1, 1},
                              .pieces     = 2,
                              .piece      = {TURN(LW_ALONG_AXIS), {true, LW_ALONG_AXIS, false, true}},
                              .quaternion = -1},
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
