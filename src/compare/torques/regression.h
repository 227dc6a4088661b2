// SPDX-License-Identifier: MIT
// Linear regression of the remaining difference of a trial on everything that can be fitted:
// gravity, friction and rotors of the joints, the parameters of the links, and zeros of the joints.
//
//   rest = A x + noise      A (equations, columns): an equation for each row and joint
//
// Joints are weighted by what the fit of all columns leaves of them, so that a sum of squares is in
// units of noise. Without noise the weights are those of a ten millionth of the joint's torques.
#ifndef LW_COMPARE_TORQUES_REGRESSION_H
#define LW_COMPARE_TORQUES_REGRESSION_H

#include "base/arrays.h"
#include "compare/torques/suspects.h"
#include "identify/regressor.h"
#include "math/symmetric.h"

// Of a column's square, below which it is dependent on the columns before.
#define LW_FIT_DEPENDENT 1e-10

// Columns in groups; entry k of a group is at first[group] + k.
typedef enum lwFitColumn
{
  LW_COLUMN_GRAVITY,  // (3) m/s^2
  LW_COLUMN_VISCOUS,  // (n)
  LW_COLUMN_COULOMB,  // (n)
  LW_COLUMN_ROTOR,    // (n)
  LW_COLUMN_LINK,     // (links, 10)
  LW_COLUMN_PART,     // (3, n) our torques of accelerations, velocities and gravity, joint by joint
  LW_COLUMN_ZERO,     // (n) rad or m, linear around the positions of the trial
  LW_COLUMN_GROUPS
} lwFitColumn;

// An unknown: a direction in up to ten columns.
typedef struct lwFitTerm
{
  int first, length;
  double direction[LW_LINK_PARAMETERS];
} lwFitTerm;

typedef struct lwFitTerms
{
  int count;
  lwFitTerm* of;  // (columns)
} lwFitTerms;

typedef struct lwRegression
{
  lwTrial* trial;
  int n, links, columns;
  int first[LW_COLUMN_GROUPS + 1];
  double* A;       // (rows n, columns)
  double* weight;  // (n) 1 / (N m or N)
  double* G;       // (columns, columns) A^T W A over the equations that decide
  double* Ab;      // (columns) A^T W rest
  double bb;       // rest^T W rest
  long equations;  // that decide
  int rank;        // of A
  double least;    // sum of squares that the fit of all columns leaves
  lwRegressor* regressor;
  lwUnknowns unknowns;
  double* Y;      // (n, 10 links)
  double* work;   // (rows n) torques
  double* keep;   // (rows n) rest of the trial
  double *M, *x;  // (columns, columns) factors of G, (columns) the fit of all columns
  int* filled;    // (columns) those of an equation that are not 0
} lwRegression;

// LW_ERROR_MEMORY or LW_OK; to be closed in any case.
lwStatus lw_regression_open(lwRegression* all, lwTrial* trial);
void lw_regression_close(lwRegression* all);

// Fills the groups of a set of 1 << group at the present positions of the trial; zeros of `joint`
// alone, or if that is -1 of all.
void lw_regression_fill(lwRegression* all, unsigned groups, int joint);

// Weights, G and the fit of all columns to rest of the trial; all groups are filled.
void lw_regression_weigh(lwRegression* all);

// Normal equations of the terms, into M (terms, terms) and b (terms): from G, or from A and rest as
// they are now.
void lw_fit_terms_normal(const lwRegression* all, const lwFitTerms* terms, double* M, double* b);
void lw_fit_terms_normal_now(const lwRegression* all, const lwFitTerms* terms, double* M,
                             double* b);

// rest -= A x.
void lw_fit_terms_subtract(const lwRegression* all, const lwFitTerms* terms, const double* x);

// Sum of squares of rest in units of noise, over the equations that decide.
double lw_regression_squares(const lwRegression* all);

#endif
