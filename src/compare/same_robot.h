// SPDX-License-Identifier: MIT
// Whether two descriptions are of the same robot: random states through both.
#ifndef LW_COMPARE_SAME_ROBOT_H
#define LW_COMPARE_SAME_ROBOT_H

#include <stdbool.h>

#include "linkwork/dynamics.h"

enum
{
  LW_SAME_MESSAGE = 256
};

typedef enum lwSameQuantity
{
  LW_SAME_TORQUE,
  LW_SAME_INERTIA,
  LW_SAME_ACCELERATION,
  LW_SAME_ENERGY,
  LW_SAME_POSE,
  LW_SAME_LOOPS,
  LW_SAME_COUNT
} lwSameQuantity;

// The worst difference in one quantity.
typedef struct lwSameRow
{
  double worst;     // relative to `size`
  double absolute;  // SI
  double size;      // of the quantity, the largest in any state
  long state;       // from 1; 0: no difference at all
  bool left_out;    // not compared
} lwSameRow;

typedef struct lwSameRobot
{
  const lwModel* in;
  const lwModel* out;
  const bool* keeps_frame;  // (joints of `written`) whose links' frames are compared
  const lwRobotDef* written;
  bool loops, motors, limits;  // are compared, too
  long states, seed;
  double bound;    // of all quantities
  bool reordered;  // the moving joints of out come in another order
  int frames;      // compared
  lwSameRow rows[LW_SAME_COUNT];
  char message[LW_SAME_MESSAGE];  // what one of them lacks
} lwSameRobot;

extern const char* const LW_SAME_NAMES[LW_SAME_COUNT];

// Compares. LW_OK, also when they differ; LW_ERROR_MEMORY; LW_ERROR_INPUT, with the message, if
// `out` lacks a joint, a link or a loop of `in`, or has another number in a joint's description.
lwStatus lw_same_robot_run(lwSameRobot* same);
bool lw_same_robot_holds(const lwSameRobot* same);

#endif
