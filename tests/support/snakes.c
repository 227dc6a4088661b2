// SPDX-License-Identifier: MIT
#include "support/snakes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support/check.h"
#include "support/testing.h"

lwSnake* snake_of(const lwSnakeLink* links, int n)
{
  lwSnakeDef def = lw_snake_def();
  def.count      = n;
  def.links      = links;
  lwSnake* snake = NULL;
  assert_int_equal(lw_snake_create(&def, NULL, NULL, &snake), LW_OK);
  return snake;
}

lwSnake* random_snake(uint64_t seed, int n, double offset)
{
  lwRandom random    = {seed};
  lwSnakeLink* links = calloc((size_t)n, sizeof *links);
  assert_non_null(links);
  for (int k = 0; k < n; ++k)
  {
    links[k]              = lw_snake_link();
    links[k].length       = lw_random_between(&random, 0.1, 0.4);
    links[k].mass         = lw_random_between(&random, 0.3, 3);
    links[k].inertia      = lw_random_between(&random, 0.002, 0.03);
    links[k].wheel_offset = lw_random_between(&random, -offset, offset) * links[k].length / 2;
  }
  lwSnake* snake = snake_of(links, n);
  free(links);
  return snake;
}

SnakeStates random_snake_states(uint64_t seed, int n, int count, double bend)
{
  lwRandom random    = {seed ^ 0x5A5A5A5A};
  size_t rows        = (size_t)count;
  SnakeStates states = {
      numbers(rows * (size_t)n), numbers(rows * 2), numbers(rows * (size_t)n), {0}};
  for (size_t row = 0; row < rows; ++row)
  {
    double* theta  = states.theta + row * (size_t)n;
    double* torque = states.torque + row * (size_t)(n - 1);
    for (int k = 0; k < n; ++k)
      theta[k] = k == 0 ? lw_random_between(&random, -3, 3)
                        : theta[k - 1] + lw_random_between(&random, -bend, bend);
    for (int k = 0; k < n - 1; ++k) torque[k] = lw_random_between(&random, -1, 1);
    states.u[2 * row]     = lw_random_between(&random, -0.5, 0.5);
    states.u[2 * row + 1] = lw_random_between(&random, -2, 2);
  }
  states.rows = (lwSnakeStates){states.theta, states.u, states.torque};
  return states;
}

lwSnakeStates snake_state_row(const SnakeStates* states, int n, int k)
{
  size_t row = (size_t)k;
  return (lwSnakeStates){states->theta + row * (size_t)n, states->u + 2 * row,
                         states->torque + row * (size_t)(n - 1)};
}

void snake_states_free(SnakeStates* states)
{
  free(states->theta);
  free(states->u);
  free(states->torque);
}

// --- answers

const char* const snake_answer_names[SNAKE_ANSWERS] = {
    "udot", "V",    "omega", "theta_ddot", "lambda",  "rates", "rates_dot",
    "M",    "bias", "force", "partial",    "kinetic", "power"};

size_t snake_answer_size(int i, int n)
{
  size_t links                      = (size_t)n;
  const size_t sizes[SNAKE_ANSWERS] = {2, links, links, links,     links, 2, 2,
                                       4, 2,     2,     2 * links, 1,     1};
  return sizes[i];
}

double* snake_answer_at(const lwSnakeAnswers* answers, int i)
{
  double* all[SNAKE_ANSWERS];
  memcpy(all, answers, sizeof all);
  return all[i];
}

lwSnakeAnswers snake_answers(int n, int count)
{
  double* all[SNAKE_ANSWERS];
  for (int i = 0; i < SNAKE_ANSWERS; ++i) all[i] = numbers((size_t)count * snake_answer_size(i, n));
  lwSnakeAnswers answers;
  memcpy(&answers, all, sizeof answers);
  return answers;
}

void snake_answers_free(lwSnakeAnswers* answers)
{
  for (int i = 0; i < SNAKE_ANSWERS; ++i) free(snake_answer_at(answers, i));
}

lwSnakeWorkspace* snake_work_with(const lwSnake* snake, int i, lwPrecision precision)
{
  lwSnakeWorkspaceDef def = lw_snake_workspace_def();
  def.method              = lw_snake_method(i)->name;
  def.precision           = precision;
  lwSnakeWorkspace* ws    = NULL;
  assert_int_equal(lw_snake_workspace_create(snake, &def, NULL, &ws), LW_OK);
  assert_string_equal(lw_snake_workspace_method(ws), def.method);
  return ws;
}

double check_snake_answers(const char* what, int n, const lwSnakeAnswers* got,
                           const lwSnakeAnswers* expected, double factor, unsigned skip)
{
  double worst = 0;
  for (int i = 0; i < SNAKE_ANSWERS; ++i)
  {
    if (skip & (1u << i)) continue;
    const double *a = snake_answer_at(got, i), *b = snake_answer_at(expected, i);
    double size = 1, error = 0;
    for (size_t k = 0; k < snake_answer_size(i, n); ++k)
    {
      size  = fmax(size, fabs(b[k]));
      error = fmax(error, isfinite(a[k]) ? fabs(a[k] - b[k]) : INFINITY);
    }
    worst = fmax(worst, error / size);
    if (error > factor * size)
      fail_msg("%s, n = %d: %s is off by %.3g, allowed %.3g times %.3g", what, n,
               snake_answer_names[i], error, factor, size);
  }
  return worst;
}
