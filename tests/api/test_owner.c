// SPDX-License-Identifier: MIT
// With assertions, using a workspace with a model or snake that it was not made for ends the
// program. A release build of the library has no assertions, and the test is skipped.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linkwork/linkwork.h"
#include "support/testing.h"

#ifdef NDEBUG
static const bool assertions = false;
#else
static const bool assertions = true;
#endif

static lwModel *own, *other;
static lwWorkspace* ws;
static lwSnake *own_snake, *other_snake;
static lwSnakeWorkspace* snake_ws;

static void ask_one(void)
{
  double tau[3];
  lw_inverse_dynamics(other, ws, NULL, NULL, NULL, tau);
}

static void ask_many(void)
{
  double tau[3];
  lw_answer_many(other, ws, LW_QUESTION_INVERSE, 1, &(lwStates){0}, tau);
}

static void set_frame(void)
{
  lw_workspace_set_frame(ws, other, NULL, NULL);
}

static void ask_snake(void)
{
  double theta[3] = {0}, u[2] = {0}, udot[2];
  lw_snake_answer(other_snake, snake_ws, &(lwSnakeStates){.theta = theta, .u = u},
                  &(lwSnakeAnswers){.udot = udot});
}

static void ask_snakes(void)
{
  double theta[3] = {0}, u[2] = {0}, udot[2];
  lw_snake_answer_many(other_snake, snake_ws, 1, &(lwSnakeStates){.theta = theta, .u = u},
                       &(lwSnakeAnswers){.udot = udot});
}

// Runs does() in a child process; returns the signal that ended it, or 0.
static int signal_of(void (*does)(void))
{
  pid_t child = fork();
  assert_at_least(child, 0);
  if (child == 0)
  {
    signal(SIGABRT, SIG_DFL);  // cmocka's handler would continue
    close(STDERR_FILENO);
    does();
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void refuses(void** state)
{
  (void)state;
  if (!assertions) skip();
  assert_int_equal(lw_model_create_generic(3, &own), LW_OK);
  assert_int_equal(lw_model_create_generic(3, &other), LW_OK);
  assert_int_equal(lw_workspace_create(own, NULL, NULL, &ws), LW_OK);
  assert_int_equal(signal_of(ask_one), SIGABRT);
  assert_int_equal(signal_of(ask_many), SIGABRT);
  assert_int_equal(signal_of(set_frame), SIGABRT);
  lw_workspace_destroy(ws);
  lw_model_destroy(other);
  lw_model_destroy(own);
}

static void refuses_snakes(void** state)
{
  (void)state;
  if (!assertions) skip();
  assert_int_equal(lw_snake_create_generic(3, &own_snake), LW_OK);
  assert_int_equal(lw_snake_create_generic(3, &other_snake), LW_OK);
  assert_int_equal(lw_snake_workspace_create(own_snake, NULL, NULL, &snake_ws), LW_OK);
  assert_int_equal(signal_of(ask_snake), SIGABRT);
  assert_int_equal(signal_of(ask_snakes), SIGABRT);
  lw_snake_workspace_destroy(snake_ws);
  lw_snake_destroy(other_snake);
  lw_snake_destroy(own_snake);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(refuses), cmocka_unit_test(refuses_snakes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
