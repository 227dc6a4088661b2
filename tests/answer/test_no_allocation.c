// SPDX-License-Identifier: MIT
// Answering allocates nothing. Counts calls of the C library's allocator; skipped where that is not
// possible.
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "linkwork/fleet.h"
#include "linkwork/trajectory.h"
#include "support/arms.h"
#include "support/check.h"
#include "support/testing.h"

static void check_question(const Robot* robot, lwWorkspace* ws, lwQuestion question, int method)
{
  enum
  {
    COUNT = 35
  };
  const lwModel* model = robot->model;
  States states        = random_states(robot->seed, model, COUNT);
  double* out          = numbers(COUNT * lw_question_outputs(model, question));
  long before          = allocation_calls();
  lw_answer(model, ws, question, &states.rows, out);
  lw_answer_many(model, ws, question, COUNT, &states.rows, out);
  long after = allocation_calls();
  if (after != before)
    fail_msg("%s by %s calls the allocator %ld times", lw_question_info(question)->name,
             method_name(method), after - before);
  free(out);
  states_free(&states);
}

static void answers_without_allocating(void** unused)
{
  (void)unused;
  if (allocation_calls() < 0) skip();
  long before           = allocation_calls();
  void* volatile memory = malloc(10);  // volatile, so that the calls are not optimised away
  free(memory);
  assert_int_equal(allocation_calls(), before + 2);  // the counter works
  for (uint64_t seed = 1; seed <= 10; ++seed)
  {
    Robot* robot = any_robot(seed);
    if (seed % 2 == 0) robot_couple(robot, seed);
    bool coupled = lw_model_dof(robot->model) < robot_moving(robot);
    for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
      for (int i = -1; i < lw_method_count(); ++i)
      {
        bool matrix = i < 0 || lw_method(i)->question != LW_QUESTION_FORWARD ||
                      lw_method_find(LW_QUESTION_INERTIA, lw_method(i)->name) >= 0;
        if (coupled && !matrix) continue;
        lwWorkspace* ws = work_with(robot->model, i, (lwPrecision)precision);
        for (int question = 0; question < LW_QUESTION_COUNT; ++question)
          if (answers(i, (lwQuestion)question)) check_question(robot, ws, (lwQuestion)question, i);
        lw_workspace_destroy(ws);
      }
    robot_free(robot);
  }
}

// Trajectories and inverse kinematics allocate on creation only.
static void motions_without_allocating(void** unused)
{
  (void)unused;
  if (allocation_calls() < 0) skip();
  const RobotStyle style = {.dof = 6, .placement = -1};
  Robot* robot           = random_robot(1, &style);
  lwWorkspace* ws        = work_with(robot->model, -1, LW_PRECISION_DOUBLE);
  double q[12]           = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0, 0.3, 0.2, 0.5, 0.4}, qd[6], qdd[6];
  lwWaypointsDef waypoints = lw_waypoints_def();
  lwLineDef line           = lw_line_def();
  lwTarget target          = lw_target_pose();
  lwTrajectory* two[2]     = {NULL};
  lwIk* ik;
  waypoints.count = 2, waypoints.q = q, waypoints.duration = 2;
  line.q = q, line.duration = 2;
  lw_pose(robot->model, ws, q + 6, line.position, line.rotation);
  lw_pose(robot->model, ws, q + 6, target.position, target.rotation);
  assert_int_equal(lw_trajectory_create_quintic(robot->model, &waypoints, NULL, &two[0]), LW_OK);
  assert_int_equal(lw_trajectory_create_line(robot->model, ws, &line, NULL, &two[1]), LW_OK);
  assert_int_equal(lw_ik_create(robot->model, ws, NULL, NULL, &ik), LW_OK);
  long before = allocation_calls();
  for (int k = 0; k < 200; ++k) lw_trajectory_at(two[k % 2], k / 100.0, q, qd, qdd);
  lw_ik_solve(ik, &target, q);
  assert_int_equal(allocation_calls(), before);
  lw_ik_destroy(ik);
  for (int k = 0; k < 2; ++k) lw_trajectory_destroy(two[k]);
  lw_workspace_destroy(ws);
  robot_free(robot);
}

// An arm that slides, sticks and hits its stops, by every integrator.
static void runs_without_allocating(void** unused)
{
  (void)unused;
  if (allocation_calls() < 0) skip();
  Robot* robot       = sliding_block(2, 1, 0.5);
  lwLaw* law         = law_of("8*sin(3*t)");
  lwJointDrive drive = {
      .signal = LW_SIGNAL_LAW, .law = law, .converted = true, .dac = {0.05, 8, 9}};
  for (int i = 0; i < lw_integrator_method_count(); ++i)
  {
    lwArmDef def      = arm_with(robot->model, lw_integrator_method(i)->name, 1e-3);
    def.drives        = &drive;
    def.limits        = LW_LIMIT_MODE_HOLD;
    lwArmRun* run     = run_of(&def);
    long before       = allocation_calls();
    lwOutcome outcome = lw_arm_run_advance(run, 3, NULL);
    lwArmSample end   = lw_arm_run_sample(run);
    long after        = allocation_calls();
    assert_int_equal(outcome, LW_OUTCOME_ARRIVED);
    assert_same(end.t, 3);
    assert_greater(lw_arm_run_audit(run).counts[LW_NOTE_UPPER], 0);
    assert_int_equal(after, before);
    lw_arm_run_destroy(run);
  }
  lw_law_destroy(law);
  robot_free(robot);
}

// A fleet in which one arm diverges.
static void fleets_without_allocating(void** unused)
{
  (void)unused;
  if (allocation_calls() < 0) skip();
  Robot* robot            = any_robot(3);
  const lwModel* models[] = {robot->model, robot->model, robot->model};
  double tau[3 * MAX_DOF] = {1e300};
  lwFleetDef def          = lw_fleet_def();
  lwFleet* fleet;
  def.count = 3, def.models = models, def.threads = 2;
  assert_int_equal(lw_fleet_create(&def, NULL, &fleet), LW_OK);
  long before = allocation_calls();
  lw_fleet_set_torques(fleet, tau);
  lw_fleet_start(fleet, 0, NULL, NULL);
  int running = lw_fleet_advance(fleet, 0.01);
  long after  = allocation_calls();
  assert_int_equal(running, 2);
  assert_int_equal(after, before);
  lw_fleet_destroy(fleet);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_without_allocating), cmocka_unit_test(motions_without_allocating),
      cmocka_unit_test(runs_without_allocating), cmocka_unit_test(fleets_without_allocating)};
  return cmocka_run_group_tests_name("no allocation", tests, NULL, NULL);
}
