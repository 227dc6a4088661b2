// SPDX-License-Identifier: MIT
// What snake_run.c calls of a run in all coordinates.
#ifndef LW_ARM_SNAKE_FULL_H
#define LW_ARM_SNAKE_FULL_H

#include "arm/snake_run.h"

lwStatus lw_snake_full_check(const lwSnakeRunDef* def, lwDiag* diag);
lwStatus lw_snake_full_create(lwSnakeRun* run, const lwSnakeRunDef* def, lwDiag* diag);
void lw_snake_full_start(lwSnakeRun* run, const lwSnakeSample* sample);
lwProgress lw_snake_full_advance(lwSnakeRun* run, double t, const volatile sig_atomic_t* stop);
void lw_snake_full_sample(lwSnakeRun* run, lwSnakeSample* sample);

#endif
