// SPDX-License-Identifier: MIT
// Seeded random snakes, memory for all answers about a state, and an oracle.
#ifndef LW_TESTS_SNAKES_H
#define LW_TESTS_SNAKES_H

#include <stdint.h>

#include "linkwork/snake.h"

// Links of random length, mass and inertia. offset: largest distance of a wheel from the middle, as
// a fraction of half a link.
lwSnake* random_snake(uint64_t seed, int n, double offset);

// The snake with these links; fails the test if it is refused.
lwSnake* snake_of(const lwSnakeLink* links, int n);

// count states, row by row, in the layout of lwSnakeStates. bend: largest joint angle, rad.
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

// A workspace for method i; fails the test if it is refused.
lwSnakeWorkspace* snake_work_with(const lwSnake* snake, int i, lwPrecision precision);

// The oracle, in long double: rigid bodies in n + 2 coordinates with Lagrange multipliers; all
// derivatives of positions by complex steps and differences; dense elimination with pivoting. It
// shares no formula with the library: no recursion over links, no closed form. bias, force and
// partial follow from their definitions in terms of u.
void snake_oracle(const lwSnake* snake, const lwSnakeStates* state, lwSnakeAnswers* answers);

// Fails the test unless |got - expected| <= factor max(1, largest |expected|) for each answer of
// one state. `skip` is a bit mask (1 << i) of answers not to compare. Returns the largest error in
// these units.
double check_snake_answers(const char* what, int n, const lwSnakeAnswers* got,
                           const lwSnakeAnswers* expected, double factor, unsigned skip);

#endif
