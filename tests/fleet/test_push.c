// SPDX-License-Identifier: MIT
// Wrenches on the arms of a fleet move them as torques J^T w do, with one model and with many.
//
// Both fleets take the same steps with torques that agree to about 1e-14; over 0.1 s the motions
// stay within 1e-9 of the largest position and speed.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/fleet.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  ARMS   = 7,
  PLACES = 2
};

static const lwWrenchPlace PUSHED[PLACES] = {{.joint = 2, .xyz = {0.1, -0.2, 0.3}},
                                             {.joint = 1, .axes = LW_AXES_BASE}};

// Data for the torques of the other fleet.
typedef struct Pusher
{
  const lwModel* models[ARMS];
  lwWorkspace* works[ARMS];
  const double* wrenches;  // (ARMS, PLACES, 6)
} Pusher;

// tau += inverse dynamics without the wrenches - with them
static void push_as_torques(void* context, const lwFleetBlock* block)
{
  const Pusher* pusher = context;
  for (int lane = 0; lane < block->count; ++lane)
  {
    int arm = block->arm[lane];
    double q[8], with[8], without[8];
    for (int i = 0; i < block->joints; ++i) q[i] = block->q[i * block->stride + lane];
    lwStates state = {.q = q, .wrench = pusher->wrenches + 6 * PLACES * arm};
    lw_answer(pusher->models[arm], pusher->works[arm], LW_QUESTION_INVERSE, &state, with);
    state.wrench = NULL;
    lw_answer(pusher->models[arm], pusher->works[arm], LW_QUESTION_INVERSE, &state, without);
    for (int i = 0; i < block->joints; ++i)
      block->tau[i * block->stride + lane] += without[i] - with[i];
  }
}

// An arm of the same structure with a different mass: lighter or heavier, of the same seed.
static Robot* arm_like(uint64_t seed, int k)
{
  const RobotStyle style = {.dof = 4, .placement = LW_PLACEMENT_DH_MODIFIED, .prismatic = 0.3};
  Robot* robot           = random_robot(seed, &style);
  for (int i = 0; i < robot->def.count; ++i)
  {
    robot->joints[i].link.mass *= 1 + 0.1 * k;
    robot->joints[i].a += 0.01 * k;
  }
  lw_model_destroy(robot->model);
  robot->model = NULL;
  robot_build(robot);
  return robot;
}

static double* states_after(const lwFleetDef* def, const States* states, int n,
                            const double* wrenches)
{
  size_t size = (size_t)ARMS * (size_t)n;
  double* y   = numbers(2 * size);
  lwFleet* fleet;
  assert_int_equal(lw_fleet_create(def, NULL, &fleet), LW_OK);
  assert_int_equal(lw_fleet_start(fleet, 0, states->q, states->qd), LW_OK);
  if (wrenches)
    assert_int_equal(lw_fleet_set_wrenches(fleet, PLACES, PUSHED, wrenches, NULL), LW_OK);
  assert_int_equal(lw_fleet_advance(fleet, 0.1), ARMS);
  lw_fleet_states(fleet, y, y + size);
  lw_fleet_destroy(fleet);
  return y;
}

static void check_fleet(uint64_t seed, bool mixed)
{
  Robot* robots[ARMS];
  Pusher pusher;
  lwRandom random = {seed};
  double wrenches[ARMS * PLACES * 6];
  for (size_t i = 0; i < sizeof wrenches / sizeof *wrenches; ++i)
    wrenches[i] = lw_random_between(&random, -10, 10);
  for (int k = 0; k < ARMS; ++k)
  {
    robots[k]        = arm_like(seed, mixed ? k : 0);
    pusher.models[k] = robots[k]->model;
    pusher.works[k]  = work_with(robots[k]->model, -1, LW_PRECISION_DOUBLE);
    assert_int_equal(
        lw_workspace_set_wrench_places(pusher.works[k], robots[k]->model, PLACES, PUSHED, NULL),
        LW_OK);
  }
  pusher.wrenches = wrenches;
  int n           = lw_model_dof(robots[0]->model);
  States states   = random_states(seed, robots[0]->model, ARMS);
  lwFleetDef def  = lw_fleet_def();
  def.count       = ARMS;
  def.model       = mixed ? NULL : robots[0]->model;
  def.models      = mixed ? pusher.models : NULL;
  double* pushed  = states_after(&def, &states, n, wrenches);
  double* free_y  = states_after(&def, &states, n, NULL);
  def.torques     = push_as_torques;
  def.context     = &pusher;
  double* torqued = states_after(&def, &states, n, NULL);
  double most = 0, apart = 0;
  for (int i = 0; i < 2 * ARMS * n; ++i) most = fmax(most, fabs(torqued[i]));
  for (int i = 0; i < 2 * ARMS * n; ++i) apart = fmax(apart, fabs(torqued[i] - free_y[i]));
  for (int i = 0; i < 2 * ARMS * n; ++i) assert_near(pushed[i], torqued[i], 1e-9 * most);
  assert_greater(apart, 1e-4 * most);  // the wrenches have an effect
  free(pushed);
  free(free_y);
  free(torqued);
  states_free(&states);
  for (int k = 0; k < ARMS; ++k)
  {
    lw_workspace_destroy(pusher.works[k]);
    robot_free(robots[k]);
  }
}

static void one_model(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 5; ++seed) check_fleet(seed, false);
}

static void many_models(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 5; ++seed) check_fleet(seed, true);
}

static void bad_wrenches(void** unused)
{
  (void)unused;
  Robot* robot        = arm_like(1, 0);
  lwFleetDef def      = lw_fleet_def();
  double wrench[12]   = {0};
  lwWrenchPlace wrong = {.joint = LW_BASE};
  lwFleet* fleet;
  def.count = 2;
  def.model = robot->model;
  assert_int_equal(lw_fleet_create(&def, NULL, &fleet), LW_OK);
  assert_int_equal(lw_fleet_set_wrenches(fleet, 1, &wrong, wrench, NULL), LW_ERROR_FRAME);
  wrong.joint = robot->def.count;
  assert_int_equal(lw_fleet_set_wrenches(fleet, 1, &wrong, wrench, NULL), LW_ERROR_FRAME);
  wrong.joint = 0;
  wrench[7]   = (double)INFINITY;
  assert_int_equal(lw_fleet_set_wrenches(fleet, 1, &wrong, wrench, NULL), LW_ERROR_INPUT);
  assert_int_equal(lw_fleet_set_wrenches(fleet, 0, NULL, NULL, NULL), LW_OK);
  lw_fleet_destroy(fleet);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(one_model), cmocka_unit_test(many_models),
                                     cmocka_unit_test(bad_wrenches)};
  return cmocka_run_group_tests_name("wrenches on fleets", tests, NULL, NULL);
}
