// SPDX-License-Identifier: MIT
// A trajectory given by samples.
#ifndef LW_TRAJECTORY_SAMPLES_H
#define LW_TRAJECTORY_SAMPLES_H

// Between the samples there are polynomials that have the values of both ends: of fifth order where
// accelerations are given, of third order where velocities are, of first order otherwise.
typedef struct lwSamples
{
  int n;
  long rows;               // at least one
  const double *t, *q;     // (rows) increasing, (rows, n)
  const double *qd, *qdd;  // (rows, n) or NULL
} lwSamples;

// The trajectory at time t, into q, qd, qdd (n), any of which may be NULL. Before the first sample
// and after the last the arm stands where it is.
void lw_samples_at(const lwSamples* samples, double t, double* q, double* qd, double* qdd);

#endif
