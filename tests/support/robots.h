// SPDX-License-Identifier: MIT
// Seeded random robots and states. The same seed gives the same robot on every machine.
#ifndef LW_TESTS_ROBOTS_H
#define LW_TESTS_ROBOTS_H

#include <stdint.h>

#include "base/random.h"
#include "linkwork/linkwork.h"

enum
{
  MAX_DOF    = 40,
  MAX_JOINTS = 2 * MAX_DOF + 2
};

// A description that owns its joints, and its model.
typedef struct Robot
{
  uint64_t seed;
  lwRobotDef def;
  lwJointDef joints[MAX_JOINTS];
  char names[MAX_JOINTS][16];
  lwModel* model;
} Robot;

// What random_robot() chooses from.
typedef struct RobotStyle
{
  int dof;           // moving joints
  double fixed;      // probability of a fixed joint before each moving one, and after the last
  double prismatic;  // probability that a moving joint is prismatic
  double branch;     // probability that a joint is not carried by the previous one
  double special;    // probability of 0, +-90 and 180 deg, zero lengths and coordinate axes
  double parallel;   // probability of axes that are parallel up to 1e-3, 1e-6, 1e-9 or 1e-13 rad
  double light;      // probability of a point mass, or of no mass if the next link has one
  int placement;     // an lwPlacement, or -1: random for each joint
  bool any_gravity;  // in a random direction, or zero
  bool in_order;     // branches come one after the other
} RobotStyle;

// A random style for the seed: 1 to MAX_DOF joints, serial or tree, any placement, with few or many
// special cases.
RobotStyle random_style(uint64_t seed);
Robot* random_robot(uint64_t seed, const RobotStyle* style);
Robot* any_robot(uint64_t seed);      // random_robot() with random_style()
Robot* tree_in_order(uint64_t seed);  // the same, but a tree of 6 to 30 joints in order

// An empty robot to fill in by hand: robot_add() joints, then robot_build(), which fails the test
// if the robot is refused.
Robot* robot_start(void);
lwJointDef* robot_add(Robot* robot, lwJointType type, int parent);
void robot_build(Robot* robot);
void robot_free(Robot* robot);

int robot_moving(const Robot* robot);  // moving joints, independent or not

// Makes about a third of the moving joints mimic others, which may come later or be mimic joints
// themselves, and rebuilds the robot; the first moving joint stays independent.
void robot_couple(Robot* robot, uint64_t seed);

// Mass and dense inertia of a physically possible body: six point masses around the centre.
void random_link(lwRandom* random, lwLinkDef* link);

// count states of a robot, row by row, in the layout of lwStates.
typedef struct States
{
  int count;
  lwStates rows;
  double *q, *qd, *qdd, *tau, *wrench;
} States;

States random_states(uint64_t seed, const lwModel* model, int count);
lwStates state_row(const States* states, const lwModel* model, int k);
void states_free(States* states);

#endif
