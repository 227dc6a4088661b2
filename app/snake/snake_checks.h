// SPDX-License-Identifier: MIT
// linkwork snake check: what must hold for every method in every state, and by how much it does not.
#ifndef APP_SNAKE_SNAKE_CHECKS_H
#define APP_SNAKE_SNAKE_CHECKS_H

#include "check/check.h"
#include "snake.h"

// All answers about one state, and the memory that they are in.
typedef struct SnakeFacts
{
  double* memory;
  lwSnakeAnswers of;
} SnakeFacts;

// Everything that the checks of one state share.
typedef struct SnakeChecker
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
  SnakeFacts expected;          // by the reference
  SnakeFacts got;               // by the method that is checked
} SnakeChecker;

int snake_checker_create(SnakeChecker* checker, const lwSnake* snake, lwPrecision precision);
void snake_checker_destroy(SnakeChecker* checker);

// State `number`, counted from 1, of a seed, and what the reference says about it. Every fourth is
// nearly straight.
void snake_checker_fill(SnakeChecker* checker, uint64_t seed, long number);

// One property. `of_centred`: it holds only for wheels in the middle.
typedef struct SnakeCheck
{
  const char* name;
  Gap (*gap)(SnakeChecker* checker, lwSnakeWorkspace* ws);  // looks at got
  bool of_centred;
  double base, per_link;  // of the bound, in units of rounding: base + per_link n
} SnakeCheck;

extern const SnakeCheck SNAKE_CHECKS[];
extern const int SNAKE_CHECK_COUNT;

#endif
