// SPDX-License-Identifier: MIT
// --integrator: how to integrate, as people write it.
#ifndef APP_SIMULATE_INTEGRATOR_H
#define APP_SIMULATE_INTEGRATOR_H

#include "app.h"
#include "linkwork/ode.h"

// "kutta3:1e-3", "dop853:1e-9", "dop853:1e-9,1e-12", or the name alone; *def keeps what is not
// given. Prints what is wrong and returns USAGE, or DONE.
int integrator_choose(const Options* options, lwIntegratorDef* def);

// Refuses a duration (s) that takes more steps than can ever be taken. The same.
int steps_check(const lwIntegratorDef* def, double duration);

// A positive number of seconds behind an option; *value stays if it is not given. The same.
int seconds_choose(const Options* options, Option option, double* value);

#endif
