// SPDX-License-Identifier: MIT
// What must hold for snakes by every method in every state, and by how much it does not.
#ifndef LW_COMPARE_SNAKE_CHECKS_H
#define LW_COMPARE_SNAKE_CHECKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "compare/gap.h"
#include "linkwork/snake.h"

// Everything that the checks of one state share.
typedef struct lwSnakeChecker
{
  const lwSnake* snake;
  int n;
  bool centred;                 // every wheel is in the middle of its link
  double epsilon;               // of the precision
  double step;                  // of the differences in the energy balance, as an angle
  double shortest;              // m, half of the shortest link
  lwSnakeWorkspace* reference;  // kane-linear in double
  double* theta;                // (n) rad; the state
  double u[2];                  // m/s, rad/s
  double* torque;               // (n-1) N m
  double* moved;                // (n) rad
  lwSnakeAnswers expected;      // by the reference
  lwSnakeWorkspace* ws;         // of the method that is checked
  lwSnakeAnswers got;           // by the method that is checked
  lwArena arena;
} lwSnakeChecker;

// LW_ERROR_MEMORY or LW_OK. To be destroyed in any case.
lwStatus lw_snake_checker_create(lwSnakeChecker* checker, const lwSnake* snake,
                                 lwPrecision precision);
void lw_snake_checker_destroy(lwSnakeChecker* checker);

// State `number`, counted from 1, of a seed, and what the reference says about it.
// Every fourth is nearly straight.
void lw_snake_checker_fill(lwSnakeChecker* checker, uint64_t seed, long number);

// One property. `of_centred`: it holds only for wheels in the middle.
typedef struct lwSnakeCheck
{
  const char* name;
  lwGap (*gap)(lwSnakeChecker* checker);  // looks at got
  bool of_centred;
  double base, per_link;  // of the bound, in units of rounding: base + per_link n
} lwSnakeCheck;

extern const lwSnakeCheck LW_SNAKE_CHECKS[];
extern const int LW_SNAKE_CHECK_COUNT;

#endif
