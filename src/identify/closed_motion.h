// SPDX-License-Identifier: MIT
// Motions of robots with loops or rolling rows. The speeds of lw_model_speed() tell the motion, and
// the other joints follow; torques of the drives become forces of the speeds, N^T tau. Arrays keep
// the entries of all joints: what is about a speed stands where its joint is, others are 0.
#ifndef LW_IDENTIFY_CLOSED_MOTION_H
#define LW_IDENTIFY_CLOSED_MOTION_H

#include "identify/equations.h"

// Whether velocity i is a speed.
bool lw_is_speed(const lwModel* model, int i);

// LW_ERROR_INPUT: no motion of the joints that follow closes the loops in sample k.
lwStatus lw_log_refuse_open(const lwModel* model, long k, lwDiag* diag);

// The filtered motion of the speeds becomes that of all joints, and equations->spread N^T of every
// sample. LW_ERROR_INPUT, and why in diag (or NULL), for a log whose positions do not close the
// loops.
lwStatus lw_equations_follow(lwEquations* equations, const lwLogDef* log, lwDiag* diag);

// qd and qdd (dof) of the speeds become those of all joints at q.
void lw_equations_follow_rates(const lwEquations* equations, const double* q, double* qd,
                               double* qdd);

// x (dof) of sample k becomes N^T x.
void lw_equations_to_speeds(const lwEquations* equations, long k, double* x);

// The entry of N^T that takes the torque of a joint to the row of speed i, in sample k: of a tree that
// of 1. And whether it is ever more than 0.
double lw_equations_share(const lwEquations* equations, long k, int joint, int i);
bool lw_equations_reaches(const lwEquations* equations, int joint, int i);

// lw_regressor_rows() as rows of the joints, Y (dof, unknowns).
void lw_equations_rows(const lwEquations* equations, const lwStates* state, double* Y);

#endif
