// SPDX-License-Identifier: MIT
// Simulated arms for tests: small robots with a closed form, laws, and runs that must succeed.
#ifndef LW_TESTS_ARMS_H
#define LW_TESTS_ARMS_H

#include "linkwork/scenario.h"
#include "support/robots.h"

// A block of this mass (kg) on a prismatic joint along x, with this friction and end stop.
Robot* sliding_block(double mass, double coulomb, double stop);

// Rebuilds the model after joints were changed.
void robot_rebuild(Robot* robot);

// A law in t, k, n, q, qd; fails the test if it is wrong. Free it with lw_law_destroy().
lwLaw* law_of(const char* text);

// The definition of a run with this integrator (dop853 with that tolerance, or kutta3 with that
// step); everything else is default.
lwArmDef arm_with(const lwModel* model, const char* method, double tolerance);

lwArmRun* run_of(const lwArmDef* def);

// Continues to t; fails the test if t is not reached.
lwArmSample go_to(lwArmRun* run, double t);

// Fails the test unless |got - expected| <= bound.
void near_to(const char* what, double got, double expected, double bound);

#endif
