// SPDX-License-Identifier: MIT
// Loops: links that are held together beside the tree of joints.
//
// A loop holds frame B on one link to frame A on another. Seen in the axes of A,
// with d = p_B - p_A,
//   position rows   n . RA^T d                   n: the axes of A, or two directions across an axis
//   rotation rows   m . (small rotation from A to B)    m: likewise
// and the time derivative of all rows is J qd. A row is a force along n, or a moment about m, on B
// at the origin of B and its opposite on A at the same point, so entry i of a row of J is the power
// of this wrench when joint i moves at unit speed. Joints that carry both links do not move one
// relative to the other: their entries are zero and are never visited.
#ifndef LW_MODEL_LOOPS_H
#define LW_MODEL_LOOPS_H

#include "model/model_internal.h"

// One row.
typedef struct lwLoopRow
{
  int loop;
  bool turns;           // an angle, rad; else a length, m
  double direction[3];  // n or m, in the axes of frame A; of a gear unused
  double carried[3];    // the same in the canonical axes of the link that carries A
  const char* name;     // "x", "about z", "along 1", "gear", "along"
} lwLoopRow;

// A joint on the way between the two links.
typedef struct lwLoopStep
{
  int body;     // moving joint
  double sign;  // 1: carries B, -1: carries A
} lwLoopStep;

// One loop, in canonical frames.
typedef struct lwLoopPair
{
  lwLoopType type;
  int first_row, rows;
  int carrier[2];        // moving joint, or LW_BASE
  lwTransform place[2];  // frames A and B in the canonical frames of their carriers
  double axis[3], across[2][3];
  int step_count;
  const lwLoopStep* steps;
  int position[2], velocity[2];  // gear: entries of q and qd
  double ratio, offset;          // of these entries
  double radius;                 // of what rolls; see model/rolling.h
} lwLoopPair;

// How the rows determine dependent entries of qd from independent ones. Each pivot makes its row say
// one entry of qd and takes this entry out of all other rows, in an order that fills in little:
// with five legs of three joints each, these are five systems of three equations.
typedef struct lwSpeedPivot
{
  int row, column;
  double size;                // of the pivot where the plan was made
  int first_column, columns;  // in lwSpeedPlan.list: other entries of the row that are not zero
  int first_row, rows;        // in lwSpeedPlan.list: other rows with an entry in the column
} lwSpeedPivot;

// qd = N(q) v: chosen where the file closes the loops, from what can be zero anywhere.
typedef struct lwSpeedPlan
{
  int count;                  // speeds v: dof - rank
  const int* independent;     // (count) entries of qd that are v
  const int* named;           // (count) entries of qd that people know as speeds: driven joints
  bool same;                  // the two lists are equal
  double largest;             // entry of N where the plan was made
  int pivots;                 // rank
  const lwSpeedPivot* pivot;  // (pivots) in their order
  const int* list;
} lwSpeedPlan;

struct lwLoopSet
{
  int count;                // loops
  int rows;                 // of all of them
  int shut;                 // the first ones, which hold positions; those after hold velocities
  const lwLoopPair* pairs;  // (count)
  const lwLoopRow* row;     // (rows)
  int reach;                // moving joints 0 .. reach - 1 have to be placed
  // (dof) entry of qd whose motion carries this one, -1; i - 1 where M is not that sparse
  const int* parent;
  const bool* driven;     // (dof) a drive moves it
  const double* start;    // (nq) closed
  int rank;               // of J there
  const bool* redundant;  // (rows) follows from rows before it, there
  lwSpeedPlan speeds;
  lwSpeedPlan by_name;  // the same, but independent are the named ones: for code without a choice
};

// Where everything is: temporaries of one thread.
typedef struct lwLoopMotion
{
  double* q;              // (n) of kernels
  double *qd, *qdd;       // (n)
  double *cosine, *sine;  // (n, and room for a vector more) of joint angles
  lwTransform* X;         // (n) links in the canonical base frame
  // (n, 12) angular velocity and acceleration; velocity and acceleration of the origin
  double* spin;
  double* R;                 // (9 ball_count)
  double* y;                 // (dof)
  double* row;               // (6, n)
  lwTransform* frames;       // (2 count) A and B of each loop in the canonical base frame
  const lwTransform* frame;  // (2) of the loop under way
} lwLoopMotion;

// Finds the loops of a model whose coordinates are known, checks and closes them, and stores them
// in model->loops. LW_ERROR_INPUT, and why in diag. robot: with places.
lwStatus lw_loops_build(lwModel* model, const lwRobotDef* robot, lwDiag* diag);

// LW_ERROR_INPUT, and why in diag, if a loop names something that
// does not exist, or has invalid numbers.
lwStatus lw_loops_validate(const lwRobotDef* robot, lwDiag* diag);

// Plans the speeds of a model whose loops are closed where J (rows, dof) is theirs, in its arena.
// chosen: the plan whose named speeds v must be; NULL: a choice. False: out of memory.
bool lw_speed_plan_build(lwModel* model, const double* J, const lwSpeedPlan* chosen,
                         lwSpeedPlan* plan);

// Memory for the temporaries.
bool lw_loop_motion_take(const lwModel* model, lwArena* arena, lwLoopMotion* motion);

// Places all links at q (nq).
void lw_loop_place(const lwModel* model, lwLoopMotion* motion, const double* q);

// How far each row is from holding, at the links as placed: m or rad; 0 for those that hold
// velocities. q: as lw_loop_place().
void lw_loop_errors(const lwModel* model, lwLoopMotion* motion, const double* q, double* error);

// J (rows, dof), row by row, at the links as placed.
void lw_loop_jacobian(const lwModel* model, lwLoopMotion* motion, double* J);

// bias (rows): the accelerations of the rows at the velocity qd (dof) while qdd is 0,
// at the links as placed.
void lw_loop_bias(const lwModel* model, lwLoopMotion* motion, const double* qd, double* bias);

// The largest gap: a length in m and an angle in rad. Returns a loop that has one of them.
int lw_loop_gap(const lwModel* model, const double* error, double gap[2]);

// Solves for the positions of joints, by Newton's method with damping.
typedef struct lwLoopCloser
{
  const lwModel* model;
  lwLoopMotion motion;
  const bool* held;  // (dof) velocities that stay zero
  double *J, *error, *normal, *gradient, *step, *trial, *start, *other;
  double gap[2];  // of the last position: m, rad
} lwLoopCloser;

bool lw_loop_closer_take(const lwModel* model, lwArena* arena, lwLoopCloser* closer);

// For what is about the open tree of joints: LW_ERROR_METHOD, and why in diag, if the robot has
// loops.
lwStatus lw_tree_check(const lwModel* model, const char* what, lwDiag* diag);

// Moves q (nq) until all loops are closed to rounding; false if that fails, and q is then the
// nearest that was found.
bool lw_loop_solve(lwLoopCloser* closer, double* q);

// The rank of J (rows, dof), by Gram and Schmidt with rows in their order; redundant (rows, or
// NULL): which follow from those before. work: (rows, dof).
int lw_loop_rank(int rows, int dof, const double* J, double* work, bool* redundant);

#endif
