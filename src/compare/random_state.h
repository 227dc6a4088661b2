// SPDX-License-Identifier: MIT
// Seeded states of a robot, the same on every machine, for comparisons.
#ifndef LW_COMPARE_RANDOM_STATE_H
#define LW_COMPARE_RANDOM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "linkwork/dynamics.h"

typedef struct lwRandomState
{
  int n, nq;
  long number;       // from 1
  double* q;         // (nq) within the limits; rad or m
  double* qd;        // (n) rad/s or m/s
  double* qdd;       // (n) rad/s^2 or m/s^2
  double* tau;       // (n) torques of no particular motion, N m or N
  double wrench[6];  // zeros in every second state
} lwRandomState;

// LW_ERROR_MEMORY or LW_OK. To be destroyed in any case.
lwStatus lw_random_state_create(lwRandomState* state, const lwModel* model);
void lw_random_state_destroy(lwRandomState* state);

// State `number`, counted from 1, of a seed, however many are asked for. With `single` all numbers
// are floats, so that rounding the input is not blamed on a method.
void lw_random_state_fill(lwRandomState* state, const lwModel* model, uint64_t seed, long number,
                          bool single);

#endif
