// SPDX-License-Identifier: MIT
// What the solvers of inverse kinematics share.
#ifndef LW_TRAJECTORY_IK_IK_H
#define LW_TRAJECTORY_IK_IK_H

#include "loop/loop_workspace.h"
#include "trajectory/ik/task.h"

typedef struct lwClosedForm lwClosedForm;

struct lwIk
{
  lwIkDef def;
  lwTask task;
  double *lower, *upper;      // (nq) limits, infinite: none
  double *now, *next, *best;  // (nq) positions
  double* step;    // (n) as velocities: rotations of ball and floating joints in axes of their link
  bool* moves;     // (n) the joint moves the last link
  bool* held;      // (n) a limit holds the joint
  lwLoops* loops;  // or NULL; positions are closed after every step
  double* A;       // (6, n) rows of the weighted Jacobian
  double size;     // m, of the arm
  int nq;
  lwClosedForm* closed_form;  // of lw_ik_all(), or NULL
  char no_closed_form[512];   // why not
  lwArena arena;
};

// The distance of q from a target.
typedef struct lwMiss
{
  double error
      [6];  // position in base axes, m; rotation vector in the target's axes, rad; free ones are 0
  double rate[9];   // what makes the rate of the rotation vector of an angular velocity, row by row
  double position;  // m
  double angle;     // rad
  double cost;      // weighted sum of squares
} lwMiss;

lwMiss lw_ik_miss(lwIk* ik, const lwTarget* target, const double* q);

void lw_ik_keep_limits(const lwIk* ik, double* q);

// --- loops (trajectory/ik/closed_chain.c); each does nothing for a robot without them

// Takes what would open the loops out of the rows of ik->A, at ik->now; held joints stay.
void lw_ik_keep_rows_closed(lwIk* ik);

// Closes the loops near q within the limits; false if that fails.
bool lw_ik_close_step(lwIk* ik, double* q);

// Closes the loops where a search begins, by undriven joints if possible; false on failure.
bool lw_ik_close_start(lwIk* ik, double* q);

// Passive joints of q become those of the file's position, which often closes.
void lw_ik_passive_from_file(const lwIk* ik, double* q);

// Makes ik->closed_form, or says in ik->no_closed_form why not; false: out of memory.
bool lw_closed_form_find(lwIk* ik);

#endif
