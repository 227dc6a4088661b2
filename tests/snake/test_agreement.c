// SPDX-License-Identifier: MIT
// Every method against the oracle and against every other method on random snakes, one state at a
// time and in lanes.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/snakes.h"
#include "support/testing.h"

// Allowed error, relative to the largest entry of an answer: rounding of n terms, times the
// condition of M (Kane) or of the augmented matrix (Lagrange, Newton-Euler), both of which grow
// with n and with wheels off the middle.
static double allowed(int n)
{
  return 1e-13 * (double)n * (double)n;
}

static void try_snake(uint64_t seed, int n, double offset)
{
  lwSnake* snake          = random_snake(seed, n, offset);
  SnakeStates states      = random_snake_states(seed, n, 1, seed % 3 ? 1.5 : 0.3);
  lwSnakeAnswers expected = snake_answers(n, 1), got = snake_answers(n, 1);
  snake_oracle(snake, &states.rows, &expected);
  for (int i = 0; i < lw_snake_method_count(); ++i)
  {
    lwSnakeWorkspace* ws = snake_work_with(snake, i, LW_PRECISION_DOUBLE);
    lw_snake_answer(snake, ws, &states.rows, &got);
    check_snake_answers(lw_snake_method(i)->name, n, &got, &expected, allowed(n), 0);
    lw_snake_workspace_destroy(ws);
  }
  snake_answers_free(&expected);
  snake_answers_free(&got);
  snake_states_free(&states);
  lw_snake_destroy(snake);
}

static void centred_wheels(void** unused)
{
  (void)unused;
  for (int n = 2; n <= 20; ++n)
    for (uint64_t seed = 1; seed <= 5; ++seed) try_snake(seed, n, 0);
  for (int n = 30; n <= 60; n += 10) try_snake((uint64_t)n, n, 0);
}

static void wheels_off_the_middle(void** unused)
{
  (void)unused;
  for (int n = 2; n <= 20; ++n)
    for (uint64_t seed = 1; seed <= 5; ++seed) try_snake(seed, n, 0.3);
  for (int n = 30; n <= 60; n += 10) try_snake((uint64_t)n, n, 0.3);
  for (uint64_t seed = 1; seed <= 20; ++seed) try_snake(seed, 4, 0.7);
}

// Lanes give the same bits as single states, for all answers, both precisions and any number of
// states.
static void try_lanes(const lwSnake* snake, int method, lwPrecision precision, int count)
{
  int n               = lw_snake_count(snake);
  SnakeStates states  = random_snake_states(7, n, count, 2);
  lwSnakeAnswers many = snake_answers(n, count), one = snake_answers(n, 1);
  lwSnakeWorkspace* ws = snake_work_with(snake, method, precision);
  lw_snake_answer_many(snake, ws, count, &states.rows, &many);
  for (int k = 0; k < count; ++k)
  {
    lwSnakeStates state = snake_state_row(&states, n, k);
    lw_snake_answer(snake, ws, &state, &one);
    for (int i = 0; i < SNAKE_ANSWERS; ++i)
    {
      size_t size = snake_answer_size(i, n);
      assert_memory_equal(snake_answer_at(&many, i) + (size_t)k * size, snake_answer_at(&one, i),
                          size * sizeof(double));
    }
    double udot[2];
    lw_snake_answer(snake, ws, &state, &(lwSnakeAnswers){.udot = udot});
    assert_memory_equal(udot, one.udot, sizeof udot);
  }
  lw_snake_workspace_destroy(ws);
  snake_answers_free(&many);
  snake_answers_free(&one);
  snake_states_free(&states);
}

static void lanes(void** unused)
{
  (void)unused;
  const int sizes[] = {2, 3, 9, 33};
  for (int s = 0; s < 4; ++s)
    for (int offset = 0; offset < 2; ++offset)
    {
      lwSnake* snake = random_snake((uint64_t)s + 1, sizes[s], offset ? 0.4 : 0);
      for (int i = 0; i < lw_snake_method_count(); ++i)
      {
        try_lanes(snake, i, LW_PRECISION_DOUBLE, 21);
        try_lanes(snake, i, LW_PRECISION_SINGLE, 21);
        try_lanes(snake, i, LW_PRECISION_DOUBLE, 1);
      }
      lw_snake_destroy(snake);
    }
}

// Missing inputs are zeros, and a snake at rest without torques stays at rest.
static void absent_inputs(void** unused)
{
  (void)unused;
  lwSnake* snake  = random_snake(3, 5, 0.2);
  double zeros[5] = {0}, expected[2], udot[2];
  for (int i = 0; i < lw_snake_method_count(); ++i)
  {
    lwSnakeWorkspace* ws = snake_work_with(snake, i, LW_PRECISION_DOUBLE);
    lwSnakeStates given  = {zeros, zeros, zeros};
    lw_snake_answer(snake, ws, &given, &(lwSnakeAnswers){.udot = expected});
    lw_snake_answer(snake, ws, &(lwSnakeStates){0}, &(lwSnakeAnswers){.udot = udot});
    assert_same(udot[0], 0);
    assert_same(udot[1], 0);
    assert_same(expected[0], 0);
    assert_same(expected[1], 0);
    lw_snake_workspace_destroy(ws);
  }
  lw_snake_destroy(snake);
}

// Ten thousand links, all bent the same way or in a zigzag: the closed form against the other O(n)
// recursion, for wheels off the middle, here by 1e-300 m.
static void ten_thousand_links(void** unused)
{
  (void)unused;
  enum
  {
    N = 10000
  };
  lwSnakeLink* links = calloc(N, sizeof *links);
  double* theta      = numbers(N);
  double* torque     = numbers(N);
  assert_non_null(links);
  for (int k = 0; k < N; ++k)
  {
    links[k] = (lwSnakeLink){0.2, 1, 0.005, 0, INFINITY, -INFINITY, INFINITY};
    theta[k] = 0.5 * (k % 2 ? 1 : -1) + 0.3 * sin(0.01 * k);
    if (k < N - 1) torque[k] = sin(0.1 * k) / (N - k);
  }
  lwSnake* centred = snake_of(links, N);
  assert_true(lw_snake_is_uniform(centred));
  links[N / 2].wheel_offset = 1e-300;
  lwSnake* general          = snake_of(links, N);
  assert_false(lw_snake_is_uniform(general));
  lwSnakeStates state = {theta, (double[]){0.2, 0.1}, torque};
  lwSnakeAnswers a = snake_answers(N, 1), b = snake_answers(N, 1);
  lwSnakeWorkspace *work_a = snake_work_with(centred, 0, LW_PRECISION_DOUBLE),
                   *work_b = snake_work_with(general, 0, LW_PRECISION_DOUBLE);
  lw_snake_answer(centred, work_a, &state, &a);
  lw_snake_answer(general, work_b, &state, &b);
  // bias and force of a long snake are sums of thousands of terms with both signs
  double worst = check_snake_answers("10,000 links", N, &a, &b, 1e-9, 0);
  print_message("10,000 links: %.2g\n", worst);
  lw_snake_workspace_destroy(work_a);
  lw_snake_workspace_destroy(work_b);
  snake_answers_free(&a);
  snake_answers_free(&b);
  lw_snake_destroy(centred);
  lw_snake_destroy(general);
  free(links);
  free(theta);
  free(torque);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(centred_wheels),
      cmocka_unit_test(wheels_off_the_middle),
      cmocka_unit_test(lanes),
      cmocka_unit_test(absent_inputs),
      cmocka_unit_test(ten_thousand_links),
  };
  return cmocka_run_group_tests_name("snake methods against the oracle", tests, NULL, NULL);
}
