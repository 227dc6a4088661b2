// SPDX-License-Identifier: MIT
// Every method of the registry against the reference data, state by state and in lanes, in double
// and single precision.
//
// Reference: mpmath with 100 digits, everything by differences of positions. Errors are relative to
// max(1, largest entry of the answer).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/json.h"
#include "support/snakes.h"
#include "support/testing.h"

static const char* const files[] = {"snake_n3", "snake_n6", "snake_n12", "snake_paper_n6"};

enum
{
  FILES = sizeof files / sizeof *files
};

// Answers missing in the files.
static const unsigned absent = 1u << 10;  // partial

typedef struct
{
  const char* file;
  int n, count;
  lwSnake* snake;
  SnakeStates states;
  lwSnakeAnswers* expected;  // (count)
} Golden;

static void read_answers(const Json* state, int n, lwSnakeAnswers* out)
{
  size_t links = (size_t)n;
  *out         = snake_answers(n, 1);
  json_numbers(state, "udot", 2, out->udot);
  json_numbers(state, "V", links, out->V);
  json_numbers(state, "omega", links, out->omega);
  json_numbers(state, "theta_ddot", links, out->theta_ddot);
  json_numbers(state, "lambda", links, out->lambda);
  json_numbers(state, "M", 4, out->M);
  json_numbers(state, "bias", 2, out->bias);
  json_numbers(state, "gen_force", 2, out->force);
  out->rates[0]     = json_number(state, "xdot");
  out->rates[1]     = json_number(state, "ydot");
  out->rates_dot[0] = json_number(state, "x_ddot");
  out->rates_dot[1] = json_number(state, "y_ddot");
  *out->kinetic     = json_number(state, "kinetic");
  *out->power       = json_number(state, "power");
}

static lwSnake* read_links(const Json* json, int n)
{
  size_t count       = (size_t)n;
  double* values     = numbers(3 * count);
  lwSnakeLink* links = calloc(count, sizeof *links);
  assert_non_null(links);
  json_numbers(json, "L", count, values);
  json_numbers(json, "m", count, values + count);
  json_numbers(json, "I", count, values + 2 * count);
  for (size_t k = 0; k < count; ++k)
  {
    links[k]         = lw_snake_link();
    links[k].length  = values[k];
    links[k].mass    = values[count + k];
    links[k].inertia = values[2 * count + k];
  }
  lwSnake* snake = snake_of(links, n);
  free(links);
  free(values);
  return snake;
}

// The middles of the links equal the reference's centres of mass.
static void check_centres(const Golden* golden, const Json* state, int row)
{
  int n          = golden->n;
  double* points = numbers(2 * (size_t)n + 2);
  double* cm     = numbers(2 * (size_t)n);
  json_numbers(state, "cm", 2 * (size_t)n, cm);
  lw_snake_points(golden->snake, golden->states.theta + row * n, json_number(state, "x"),
                  json_number(state, "y"), points);
  for (int i = 0; i < 2 * n; ++i) assert_closer((points[i] + points[i + 2]) / 2, cm[i], 1e-14);
  free(points);
  free(cm);
}

static Golden golden_read(const char* file)
{
  Json* json         = json_read_golden(file);
  const Json* states = json_get(json, "states");
  Golden golden      = {.file = file, .n = (int)json_number(json, "n"), .count = states->count};
  golden.snake       = read_links(json, golden.n);
  golden.states      = random_snake_states(1, golden.n, golden.count, 1);
  golden.expected    = calloc((size_t)golden.count, sizeof *golden.expected);
  assert_non_null(golden.expected);
  for (int k = 0; k < golden.count; ++k)
  {
    const Json* state = &states->items[k];
    size_t n = (size_t)golden.n, row = (size_t)k;
    json_numbers(state, "theta", n, golden.states.theta + row * n);
    json_numbers(state, "u", 2, golden.states.u + 2 * row);
    json_numbers(state, "T", n - 1, golden.states.torque + row * (n - 1));
    read_answers(state, golden.n, &golden.expected[k]);
    check_centres(&golden, state, k);
  }
  json_free(json);
  return golden;
}

static void golden_free(Golden* golden)
{
  for (int k = 0; k < golden->count; ++k) snake_answers_free(&golden->expected[k]);
  free(golden->expected);
  snake_states_free(&golden->states);
  lw_snake_destroy(golden->snake);
}

static lwSnakeAnswers answers_row(const lwSnakeAnswers* rows, int n, int k)
{
  double* all[SNAKE_ANSWERS];
  for (int i = 0; i < SNAKE_ANSWERS; ++i)
    all[i] = snake_answer_at(rows, i) + (size_t)k * snake_answer_size(i, n);
  lwSnakeAnswers row;
  memcpy(&row, all, sizeof row);
  return row;
}

// Compares single states with the reference, then lanes with single states, to the last bit.
static double try_method(const Golden* golden, int method, lwPrecision precision, double factor)
{
  int n                = golden->n;
  double worst         = 0;
  lwSnakeWorkspace* ws = snake_work_with(golden->snake, method, precision);
  lwSnakeAnswers one   = snake_answers(n, 1);
  lwSnakeAnswers many  = snake_answers(n, golden->count);
  lw_snake_answer_many(golden->snake, ws, golden->count, &golden->states.rows, &many);
  for (int k = 0; k < golden->count; ++k)
  {
    lwSnakeStates state = snake_state_row(&golden->states, n, k);
    lwSnakeAnswers row  = answers_row(&many, n, k);
    lw_snake_answer(golden->snake, ws, &state, &one);
    double error = check_snake_answers(lw_snake_method(method)->name, n, &one, &golden->expected[k],
                                       factor, absent);
    worst        = fmax(worst, error);
    for (int i = 0; i < SNAKE_ANSWERS; ++i)
      assert_memory_equal(snake_answer_at(&row, i), snake_answer_at(&one, i),
                          snake_answer_size(i, n) * sizeof(double));
  }
  snake_answers_free(&one);
  snake_answers_free(&many);
  lw_snake_workspace_destroy(ws);
  return worst;
}

static void try_all(lwPrecision precision, const double* factors)
{
  for (int f = 0; f < FILES; ++f)
  {
    Golden golden = golden_read(files[f]);
    for (int i = 0; i < lw_snake_method_count(); ++i)
      print_message("%s, %s: %.2g\n", files[f], lw_snake_method(i)->name,
                    try_method(&golden, i, precision, factors[i]));
    golden_free(&golden);
  }
}

static void golden_double(void** unused)
{
  (void)unused;
  const double factors[] = {1e-13, 1e-13, 1e-12, 1e-12, 1e-13};
  try_all(LW_PRECISION_DOUBLE, factors);
}

// Measured in single precision: 1.2e-6, 4.3e-6, 3.3e-5 and 6.2e-6. Lagrange's matrices lose a digit
// at n = 12; Newton-Euler recovers it by refining its solution.
static void golden_single(void** unused)
{
  (void)unused;
  const double factors[] = {5e-6, 2e-5, 2e-4, 4e-5, 2e-5};
  try_all(LW_PRECISION_SINGLE, factors);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_double),
      cmocka_unit_test(golden_single),
  };
  return cmocka_run_group_tests_name("snakes against reference data", tests, NULL, NULL);
}
