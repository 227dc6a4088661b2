// SPDX-License-Identifier: MIT
// Arms over time in tests: small robots with a closed form, laws, and runs that must go well.
#ifndef LW_TESTS_ARMS_H
#define LW_TESTS_ARMS_H

#include "linkwork/scenario.h"
#include "support/robots.h"

// A block of this mass (kg) that slides along x; friction and limits as given.
Robot* sliding_block(double mass, double coulomb, double stop);

// Rebuilds the model after joints were changed.
void robot_rebuild(Robot* robot);

// A law in t, k, n, q, qd that must be right; lw_law_destroy() ends it.
lwLaw* law_of(const char* text);

// A run by this integrator (dop853 at the tolerance, or kutta3 with that step), nothing but the
// model and integrator set.
lwArmDef arm_with(const lwModel* model, const char* method, double tolerance);

lwArmRun* run_of(const lwArmDef* def);

// Goes on to t, which must be reached.
lwArmSample go_to(lwArmRun* run, double t);

// |got - expected| <= bound, else the test fails.
void near_to(const char* what, double got, double expected, double bound);

#endif
