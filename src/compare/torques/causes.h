// SPDX-License-Identifier: MIT
// Causes with unknowns: numbers fitted to the remaining difference of a trial, if a robot can have
// them; and noise, what is left when nothing else can be fitted.
#ifndef LW_COMPARE_TORQUES_CAUSES_H
#define LW_COMPARE_TORQUES_CAUSES_H

#include "compare/torques/regression.h"

typedef struct lwCauseFit
{
  int terms;       // unknowns
  int unknowns;    // of these, those that matter
  double choices;  // among which the best was taken
  int causes;      // that were fitted
  bool shifted;    // positions of the trial have changed
} lwCauseFit;

// Fits one or two causes (or LW_CAUSE_NONE) to rest of the trial. False if there are too few
// equations, or if no robot can have what fits; else rest is what they leave, and the detail has
// the numbers.
bool lw_causes_fit(lwRegression* all, lwCause first, lwCause second, lwCauseFit* fit);

// Whether joints stand in rows that cannot decide with friction among the causes.
bool lw_cause_rubs(lwCause cause);

// Whether rest is noise: all columns together explain no more of it than chance does, rows are
// not alike, and it is small beside the torques. Then rest is 0, the detail has its size, and
// *score is -2 log of its likelihood, with a penalty for the unknowns of the fit (Schwarz 1978).
bool lw_noise_is_left(lwRegression* all, const lwCauseFit* fit, double* score);

// Whether a link can have the parameters own + change: a pseudo-inertia that is positive
// semidefinite, or not less so than that of own. G (10, 10): normal equations of the parameters;
// the change may move where it leaves the torques as they are, if free. error: its standard error
// in each parameter.
bool lw_link_is_possible(const double own[LW_LINK_PARAMETERS], double change[LW_LINK_PARAMETERS],
                         const double* G, bool free, const double error[LW_LINK_PARAMETERS]);

#endif
