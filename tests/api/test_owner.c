// SPDX-License-Identifier: MIT
// A workspace that is used with a model, or a snake, it was not made for ends a program that was
// built with assertions. The assertions are the library's: in a release build there is nothing to
// test, and the test is skipped.
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

// --- every function that takes a model, or a snake, with a workspace

static double capacity[64];

static void answer(void)
{
  lw_answer(other, ws, LW_QUESTION_INVERSE, &(lwStates){0}, capacity);
}

static void answer_many(void)
{
  lw_answer_many(other, ws, LW_QUESTION_INVERSE, 1, &(lwStates){0}, capacity);
}

static void inverse_dynamics(void)
{
  lw_inverse_dynamics(other, ws, NULL, NULL, NULL, capacity);
}

static void forward_dynamics(void)
{
  lw_forward_dynamics(other, ws, NULL, NULL, NULL, capacity);
}

static void inertia_matrix(void)
{
  lw_inertia_matrix(other, ws, NULL, capacity);
}

static void bias(void)
{
  lw_bias(other, ws, NULL, NULL, capacity);
}

static void gravity(void)
{
  lw_gravity(other, ws, NULL, capacity);
}

static void coriolis(void)
{
  lw_coriolis(other, ws, NULL, NULL, capacity);
}

static void energy(void)
{
  lw_energy(other, ws, NULL, NULL, capacity, capacity + 1);
}

static void pose(void)
{
  lw_pose(other, ws, NULL, capacity, capacity + 3);
}

static void jacobian(void)
{
  lw_jacobian(other, ws, NULL, capacity);
}

static void reactions(void)
{
  lw_reactions(other, ws, NULL, NULL, NULL, capacity);
}

static void gibbs(void)
{
  lw_gibbs(other, ws, NULL, NULL, NULL, capacity);
}

static void set_frame(void)
{
  lw_workspace_set_frame(ws, other, NULL, NULL);
}

static void set_wrench_places(void)
{
  lw_workspace_set_wrench_places(ws, other, 1, &(lwWrenchPlace){.joint = 0}, NULL);
}

static void create_line(void)
{
  lwLineDef def = lw_line_def();
  def.q         = capacity;
  def.speed     = 1;
  lwTrajectory* line;
  lw_trajectory_create_line(other, ws, &def, NULL, &line);
}

static void create_ik(void)
{
  lwIkDef def = lw_ik_def();
  lwIk* ik;
  lw_ik_create(other, ws, &def, NULL, &ik);
}

static const lwSnakeStates bent = {.theta = (const double[]){0, 0.5, 0},
                                   .u     = (const double[]){1, 0}};

static void snake_answer(void)
{
  lw_snake_answer(other_snake, snake_ws, &bent, &(lwSnakeAnswers){.udot = capacity});
}

static void snake_answer_many(void)
{
  lw_snake_answer_many(other_snake, snake_ws, 1, &bent, &(lwSnakeAnswers){.udot = capacity});
}

static void snake_torque(void)
{
  lw_snake_torque(other_snake, snake_ws, &bent, capacity, capacity + 2, NULL);
}

static void snake_gait(void)
{
  lw_snake_gait(other_snake, snake_ws, &bent, &(lwSnakeGait){.phi_ddot = capacity}, capacity + 3,
                NULL);
}

static void create_snake_run(void)
{
  lwSnakeRunDef def = lw_snake_run_def();
  lwSnakeRun* run;
  def.snake = other_snake;
  def.ws    = snake_ws;
  lw_snake_run_create(&def, NULL, &run);
}

static void create_serpenoid(void)
{
  lwSerpenoidDrive* drive;
  lw_serpenoid_create(other_snake, snake_ws, &(lwSerpenoid){.alpha = 0.5, .beta = 1, .gamma = 2},
                      &drive);
}

static const struct
{
  const char* name;
  void (*call)(void);
} calls[] = {
    {"lw_answer", answer},
    {"lw_answer_many", answer_many},
    {"lw_inverse_dynamics", inverse_dynamics},
    {"lw_forward_dynamics", forward_dynamics},
    {"lw_inertia_matrix", inertia_matrix},
    {"lw_bias", bias},
    {"lw_gravity", gravity},
    {"lw_coriolis", coriolis},
    {"lw_energy", energy},
    {"lw_pose", pose},
    {"lw_jacobian", jacobian},
    {"lw_reactions", reactions},
    {"lw_gibbs", gibbs},
    {"lw_workspace_set_frame", set_frame},
    {"lw_workspace_set_wrench_places", set_wrench_places},
    {"lw_trajectory_create_line", create_line},
    {"lw_ik_create", create_ik},
    {"lw_snake_answer", snake_answer},
    {"lw_snake_answer_many", snake_answer_many},
    {"lw_snake_torque", snake_torque},
    {"lw_snake_gait", snake_gait},
    {"lw_snake_run_create", create_snake_run},
    {"lw_serpenoid_create", create_serpenoid},
};

// The signal that ends a process which does so, or 0.
static int signal_of(void (*does)(void))
{
  pid_t child = fork();
  assert_at_least(child, 0);
  if (child == 0)
  {
    signal(SIGABRT, SIG_DFL);  // cmocka's own would go on
    close(STDERR_FILENO);
    does();
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void foreign_models_are_refused(void** state)
{
  (void)state;
  if (!assertions) skip();
  assert_int_equal(lw_model_create_generic(3, &own), LW_OK);
  assert_int_equal(lw_model_create_generic(3, &other), LW_OK);
  assert_int_equal(lw_workspace_create(own, NULL, NULL, &ws), LW_OK);
  assert_int_equal(lw_snake_create_generic(3, &own_snake), LW_OK);
  assert_int_equal(lw_snake_create_generic(3, &other_snake), LW_OK);
  assert_int_equal(lw_snake_workspace_create(own_snake, NULL, NULL, &snake_ws), LW_OK);
  int failures = 0;
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
  {
    int got = signal_of(calls[i].call);
    if (got != SIGABRT) print_error("%s: signal %d, expected SIGABRT\n", calls[i].name, got);
    failures += got != SIGABRT;
  }
  assert_int_equal(failures, 0);
  lw_snake_workspace_destroy(snake_ws);
  lw_snake_destroy(other_snake);
  lw_snake_destroy(own_snake);
  lw_workspace_destroy(ws);
  lw_model_destroy(other);
  lw_model_destroy(own);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(foreign_models_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
