// SPDX-License-Identifier: MIT
// Options of runs over time: --integrator, --duration, --dt.
#ifndef APP_SIMULATE_INTEGRATOR_H
#define APP_SIMULATE_INTEGRATOR_H

#include "app.h"
#include "io/run_loop.h"
#include "linkwork/ode.h"

// "kutta3:1e-3", "dop853:1e-9", "dop853:1e-9,1e-12", or the name alone; *def keeps what is not
// given. Prints what is wrong and returns USAGE, or DONE.
int integrator_choose(const Options* options, lwIntegratorDef* def);

// --duration, --dt and --integrator of a run over time. Ends the command if something is wrong, or
// would never end.
void run_options(const Options* options, RunLoop* run_loop, lwIntegratorDef* def);

// Says that a signal ended the run at time t, and how many records there are. The exit code.
int run_interrupted(const RunLoop* run_loop, double t, long records);

// Warns of a run whose S went beyond its bound: NUMERICAL, or DONE.
int run_trusted(bool trusted, double S, double bound);

#endif
