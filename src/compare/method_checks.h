// SPDX-License-Identifier: MIT
// What must hold for every method in every state, and by how much it does not.
#ifndef LW_COMPARE_METHOD_CHECKS_H
#define LW_COMPARE_METHOD_CHECKS_H

#include "compare/gap.h"
#include "compare/random_state.h"

// Everything that the checks of one state share.
typedef struct lwMethodChecker
{
  const lwModel* model;
  int n;
  double epsilon;          // of the precision
  double step;             // of the differences in the power balance, as an angle
  lwWorkspace* reference;  // newton-euler, else the default methods, in double
  lwWorkspace* plain;      // the default methods, in the precision
  lwRandomState state;
  double* M;        // (n, n) and the others (n): what the reference says about the state
  double* tau;      // inverse dynamics
  double* bias;     // C qd + g - J^T w
  double* rest;     // |C qd| + |g| + |J^T w|
  double* answer;   // (n, n) of the method that is checked
  double* scratch;  // (4, n)
} lwMethodChecker;

// To be destroyed in any case.
lwStatus lw_method_checker_create(lwMethodChecker* checker, const lwModel* model,
                                  lwPrecision precision);
void lw_method_checker_destroy(lwMethodChecker* checker);

// Fills M .. rest for the state, and gives its torques the size of those of the
// motion. False: not finite.
bool lw_method_checker_refer(lwMethodChecker* checker);

// One property that methods must have.
typedef struct lwMethodCheck
{
  const char* name;
  lwQuestion question;  // whose methods are checked one by one, unless it is LW_QUESTION_ENERGY
  lwGap (*gap)(lwMethodChecker* checker, lwWorkspace* ws);
  double base, per_joint;  // of the bound, in units of rounding: base + per_joint n
  lwQuestion shown;        // the question that shows it to people
} lwMethodCheck;

extern const lwMethodCheck LW_METHOD_CHECKS[];
extern const int LW_METHOD_CHECK_COUNT;

#endif
