// SPDX-License-Identifier: MIT
// Weighted least squares on the equations of a log, and the nearest robot that can exist.
#ifndef LW_IDENTIFY_FIT_H
#define LW_IDENTIFY_FIT_H

#include "identify/base_parameters.h"
#include "identify/equations.h"

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
