// SPDX-License-Identifier: MIT
// Snakes that are too long for lanes, limits of joints, and what a workspace says about itself.
#include <stdlib.h>
#include <string.h>

#include "snakes.h"
#include "testing.h"

enum
{
  STATES = 3
};

// Methods with matrices go one state at a time from 65 links on: many states give the bits of each
// by itself.
static void many_states_of_long_snakes(void** state)
{
  (void)state;
  const int n          = 70;
  lwSnake* snake       = random_snake(5, n, 0.2);
  SnakeStates states   = random_snake_states(6, n, STATES, 0.3);
  lwSnakeAnswers many  = snake_answers(n, STATES);
  lwSnakeAnswers alone = snake_answers(n, 1);
  for (int method = 0; method < lw_snake_method_count(); ++method)
  {
    lwSnakeWorkspace* ws = snake_work_with(snake, method, LW_PRECISION_DOUBLE);
    lw_snake_answer_many(snake, ws, STATES, &states.rows, &many);
    for (int k = 0; k < STATES; ++k)
    {
      lwSnakeStates row = snake_state_row(&states, n, k);
      lw_snake_answer(snake, ws, &row, &alone);
      for (int i = 0; i < SNAKE_ANSWERS; ++i)
      {
        size_t size = snake_answer_size(i, n);
        assert_memory_equal(snake_answer_at(&many, i) + (size_t)k * size,
                            snake_answer_at(&alone, i), size * sizeof(double));
      }
    }
    lw_snake_workspace_destroy(ws);
  }
  snake_answers_free(&many);
  snake_answers_free(&alone);
  snake_states_free(&states);
  lw_snake_destroy(snake);
}

static void workspaces_name_their_instructions(void** state)
{
  (void)state;
  lwSnake* snake       = random_snake(1, 4, 0);
  lwSnakeWorkspace* ws = snake_work_with(snake, 0, LW_PRECISION_DOUBLE);
  const char* isa      = lw_snake_workspace_isa(ws);
  assert_true(!strcmp(isa, "baseline") || !strcmp(isa, "avx2") || !strcmp(isa, "avx512"));
  lw_snake_workspace_destroy(ws);
  lw_snake_destroy(snake);
}

static void joints_beyond_their_limits_are_found(void** state)
{
  (void)state;
  const lwSnakeLink link = {
      .length = 1, .mass = 1, .inertia = 0.1, .friction_limit = 10, .lower = -0.5, .upper = 0.25};
  const lwSnakeLink front    = {.length = 1, .mass = 1, .inertia = 0.1, .friction_limit = 10};
  const lwSnakeLink links[3] = {link, link, front};
  lwSnake* snake             = snake_of(links, 3);
  assert_int_equal(lw_snake_find_beyond(snake, (const double[]){1, 1.25, 0.75}), -1);
  assert_int_equal(lw_snake_find_beyond(snake, (const double[]){1, 1.3, 0.75}), 0);
  assert_int_equal(lw_snake_find_beyond(snake, (const double[]){1, 1.25, 0.7}), 1);
  lw_snake_destroy(snake);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_states_of_long_snakes),
      cmocka_unit_test(workspaces_name_their_instructions),
      cmocka_unit_test(joints_beyond_their_limits_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
