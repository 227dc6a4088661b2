// SPDX-License-Identifier: MIT
// From a log to linear equations W pi = b: filtered, differentiated,
// both sides filtered again, downsampled.
#ifndef LW_IDENTIFY_EQUATIONS_H
#define LW_IDENTIFY_EQUATIONS_H

#include "base/arena.h"
#include "identify/base_parameters.h"

typedef struct lwEquations
{
  const lwModel* model;
  int n, nq;
  bool* moved;  // (n) the joint moved, and its torque has equations: with loops that of a speed
  lwUnknowns unknowns;
  lwRegressor* regressor;
  double rate;    // of the log, Hz
  double cutoff;  // Hz
  double thinned_rate;
  // the motion, filtered, at the rate of the log:
  long samples;
  const double* t;
  double* q;         // (samples, nq)
  double *qd, *qdd;  // (samples, n)
  // (samples, n) measured, or by the currents and the description's constants; not filtered
  double* tau;
  double* speed;    // (samples, n) as sharp in time as noise allows
  double* slow;     // (n) speed below which a joint may be at rest
  double* noise;    // (n) of the torques, what passes the filter, N m or N
  double* shaking;  // (n) noise of the accelerations, what passes the filter, rad/s^2 or m/s^2
  // the equations:
  long rows;           // of each joint
  long fitted;         // of these, the first
  double* times;       // (rows)
  double* spread;      // (samples, speeds, n) N^T of a robot with loops; else NULL
  double* forces;      // (n)
  double* speed_rows;  // (n, unknowns)
  double* W;           // (unknowns, n, rows)
  double* b;           // (n, rows)
  double* measured;    // (n, rows) filtered torques; b but for currents, see least_squares.c
  bool* left_out;      // (n, rows) the joint was so slow that the sign of its friction is not known
  double correlation;  // variance of a mean of rows of filtered white noise, over that of as many
                       // independent ones
  long used;  // of the first `fitted` rows of joints that moved, those that are not left out
  lwArena arena;
} lwEquations;

// With the cutoff of def, which must be above 0. LW_ERROR_INPUT with the reason in diag, or
// LW_ERROR_MEMORY. To be freed in any case.
lwStatus lw_equations_create(lwEquations* equations, const lwModel* model, const lwLogDef* log,
                             const lwIdentifyDef* def, lwDiag* diag);
void lw_equations_free(lwEquations* equations);

// The ratio of a joint's torque constant to that of the description, from values
// (unknowns); 1 if gains are not estimated.
double lw_equations_gain(const lwEquations* equations, const double* values, int joint);

// The column of the gain c in a row of this joint, whose torque by the description's constant is
// tau.
double lw_equations_gain_column(const lwEquations* equations, int c, int joint, double tau);

// Whether the log is usable, and which joints moved, into moved (dof).
lwStatus lw_log_check(const lwModel* model, const lwLogDef* log, const lwIdentifyDef* def,
                      bool* moved, lwDiag* diag);

// --- weighted least squares on these equations, and the nearest robot that can exist

typedef struct lwLeastSquares
{
  int count;           // of base parameters
  double* value;       // (count)
  double* covariance;  // (count, count)
  double* noise;       // (n) standard deviation of the residuals of each joint, N m or N
  double condition;    // with columns of equal length
  double cost;         // weighted sum of squares
  long equations;
} lwLeastSquares;

// Fits the first equations->fitted rows. Joints are weighted by their noise, which is estimated
// along the way. With currents the equations are linearised about the result. LW_ERROR_NUMERICAL:
// the matrix is rank deficient; diag says more. Free it in any case.
lwStatus lw_least_squares(lwLeastSquares* least, lwEquations* equations,
                          const lwBaseParameters* base, lwDiag* diag);
void lw_least_squares_free(lwLeastSquares* least);

// values (unknowns) of links that can exist, with rotors and friction that are not negative: least
// squares with the weights of least->noise, held near the description by the distance |L^-1 P L^-T
// - 1| of pseudo-inertias P from the description's L L^T (Lee, Wensing & Park 2020), P = C C^T with
//   C = a triangle with exponentials on its diagonal (Rucker & Wensing 2022).
// *cost: the weighted sum of squares.
lwStatus lw_possible_robot(const lwEquations* equations, const lwLeastSquares* least,
                           double* values, double* cost);

// The first `fitted` rows of the joints that moved from an array (n, rows), each divided by its
// joint's noise and 0 if it is left out, into column. Returns the sum of their squares.
double lw_equations_weigh(const lwEquations* equations, const double* noise, const double* from,
                          double* column);

// Residual of row k of joint i with these values of the unknowns, N m or N.
double lw_equations_residual(const lwEquations* equations, const double* values, int i, long k);

#endif
