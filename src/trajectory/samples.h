// SPDX-License-Identifier: MIT
// A trajectory given by samples.
#ifndef LW_TRAJECTORY_SAMPLES_H
#define LW_TRAJECTORY_SAMPLES_H

#include "base/arena.h"
#include "linkwork/base.h"
#include "trajectory/turn.h"

// Between samples the motion is a polynomial that matches both ends: of fifth order if
// accelerations are given, of third order if velocities are, of first order otherwise. For ball
// joints it is one of the rotation vector from the sample before.
typedef struct lwSamples
{
  int n;                   // velocities
  const lwTurns* turns;    // of ball and floating joints; NULL: there are none, and n positions
  long rows;               // at least one
  const double *t, *q;     // (rows) increasing, (rows, n), or (rows, nq) with turns
  const double *qd, *qdd;  // (rows, n) or NULL
} lwSamples;

// The trajectory at time t, into q (nq), qd, qdd (n), any of which may be NULL. Before the first
// sample and after the last the arm stands still.
void lw_samples_at(const lwSamples* samples, double t, double* q, double* qd, double* qdd);

// Reads a CSV file of t, q and perhaps qd and qdd, named by number or by joint, into memory of the
// arena. LW_ERROR_FILE, LW_ERROR_INPUT, or LW_ERROR_MEMORY, and why in diag (or NULL).
lwStatus lw_samples_read(const char* path, const lwModel* model, lwArena* arena, lwDiag* diag,
                         lwSamples* samples);

#endif
