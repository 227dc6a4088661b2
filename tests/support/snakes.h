// SPDX-License-Identifier: MIT
// Seeded random snakes, all answers about a state in one place, and an oracle.
#ifndef LW_TESTS_SNAKES_H
#define LW_TESTS_SNAKES_H

#include <stdint.h>

#include "linkwork/snake.h"

// Links of any length, mass and inertia. offset: how far wheels are off the middle at most, as a
// part of half a link.
lwSnake* random_snake(uint64_t seed, int n, double offset);

// The snake of given links; a refused one ends the test.
lwSnake* snake_of(const lwSnakeLink* links, int n);

// count states, row by row, as lwSnakeStates wants them. bend: how far joints bend at most, rad.
typedef struct SnakeStates
{
  double *theta, *u, *torque;
  lwSnakeStates rows;
} SnakeStates;

SnakeStates random_snake_states(uint64_t seed, int n, int count, double bend);
lwSnakeStates snake_state_row(const SnakeStates* states, int n, int k);
void snake_states_free(SnakeStates* states);

// Memory for all answers about count states, in the order of lwSnakeAnswers.
enum
{
  SNAKE_ANSWERS = sizeof(lwSnakeAnswers) / sizeof(double*)
};
extern const char* const snake_answer_names[SNAKE_ANSWERS];
lwSnakeAnswers snake_answers(int n, int count);
void snake_answers_free(lwSnakeAnswers* answers);
double* snake_answer_at(const lwSnakeAnswers* answers, int i);  // answer i
size_t snake_answer_size(int i, int n);                         // of one state

// A workspace for method i; a refusal ends the test.
lwSnakeWorkspace* snake_work_with(const lwSnake* snake, int i, lwPrecision precision);

// The oracle, in long double: rigid bodies in n + 2 coordinates with multipliers, everything by
// differentiating positions (derivatives by complex steps and differences), dense elimination with
// pivoting. It shares no formula with the library: no recursion over links, no closed form. bias,
// force and partial follow from their definitions by u.
void snake_oracle(const lwSnake* snake, const lwSnakeStates* state, lwSnakeAnswers* answers);

// |got - expected| <= factor max(1, largest |expected|), for each answer of one state; ends the
// test otherwise. `skip` is a set of answers (1 << i) that are not compared. Returns the largest
// error in these units.
double check_snake_answers(const char* what, int n, const lwSnakeAnswers* got,
                           const lwSnakeAnswers* expected, double factor, unsigned skip);

#endif
