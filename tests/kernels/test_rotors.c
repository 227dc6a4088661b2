// SPDX-License-Identifier: MIT
// Forward dynamics with the inertia of the motors' rotors:
// (M + diag(gear^2 rotor_inertia)) qdd = tau - bias.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

enum
{
  ROBOTS = 200,
  STATES = 3
};

// As in test_agreement.c: C n eps size.
static const double C = 32;

// Every third joint has no motor; some rotors have much more inertia than the arm, some much less.
static void add_motors(Robot* robot)
{
  lwRandom random = {robot->seed ^ 0x524f544f52u};
  for (int i = 0; i < robot->def.count; ++i)
  {
    lwMotor* motor         = &robot->joints[i].motor;
    motor->given           = lw_random_between(&random, 0, 1) < 0.67;
    motor->resistance      = 1;
    motor->torque_constant = 0.1;
    motor->gear            = lw_random_between(&random, -100, 100);
    motor->rotor_inertia   = exp(lw_random_between(&random, -14, -2));
  }
  lw_model_destroy(robot->model);
  robot_build(robot);
}

static double reflected(const Robot* robot, int i)
{
  const lwMotor* motor = &robot->joints[lw_model_joint(robot->model, i)].motor;
  return motor->given ? motor->gear * motor->gear * motor->rotor_inertia : 0;
}

static lwWorkspace* work_of(const Robot* robot, int method, lwPrecision precision, int refine)
{
  lwWorkspace* ws    = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  assert_false(def.rotors);
  def.rotors    = true;
  def.precision = precision;
  def.refine    = refine;
  def.forward   = lw_method(method)->name;
  assert_int_equal(lw_workspace_create(robot->model, &def, NULL, &ws), LW_OK);
  return ws;
}

// The oracle's residual plus the torque of the rotors:
// |M qdd + J qdd - (tau - bias)| <= C n eps size.
static void check_residual(const Robot* robot, const Trial* trial, const double* qdd, double eps)
{
  size_t n         = (size_t)trial->n;
  double* residual = numbers(n);
  double* size     = numbers(n);
  double* none     = numbers(n);
  reference_residual(&robot->def, trial->state, qdd, residual, size);
  for (size_t i = 0; i < n; ++i)
  {
    residual[i] += reflected(robot, (int)i) * qdd[i];
    size[i] += fabs(reflected(robot, (int)i) * qdd[i]);
  }
  check_close(trial, residual, none, size, C * trial->n * eps, n);
  free(residual);
  free(size);
  free(none);
}

static void check_robot(const Robot* robot, lwPrecision precision, int refine, double eps)
{
  States states = random_states(robot->seed, robot->model, STATES);
  for (int i = 0; i < lw_method_count(); ++i)
  {
    if (lw_method(i)->question != LW_QUESTION_FORWARD) continue;
    lwWorkspace* ws = work_of(robot, i, precision, refine);
    for (int k = 0; k < STATES; ++k)
    {
      lwStates state = state_row(&states, robot->model, k);
      Trial trial    = {.seed     = robot->seed,
                        .n        = lw_model_dof(robot->model),
                        .question = LW_QUESTION_FORWARD,
                        .method   = lw_method(i)->name,
                        .state    = &state};
      double* qdd    = answer(robot->model, ws, LW_QUESTION_FORWARD, &state);
      check_residual(robot, &trial, qdd, eps);
      free(qdd);
    }
    lw_workspace_destroy(ws);
  }
  states_free(&states);
}

static void equation_of_motion(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot = any_robot(seed);
    add_motors(robot);
    check_robot(robot, LW_PRECISION_DOUBLE, 0, DBL_EPSILON);
    check_robot(robot, LW_PRECISION_DOUBLE, 1, DBL_EPSILON);
    robot_free(robot);
  }
  print_message("  largest error: %.2g of the bound\n", check_worst());
}

// Single precision without refinement; robots of up to 12 joints without near-singular links, so
// that float keeps some digits.
static void single_precision(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    RobotStyle style = {
        .dof = 1 + (int)(seed % 8), .prismatic = 0.3, .branch = 0.2, .placement = -1};
    Robot* robot = random_robot(seed, &style);
    add_motors(robot);
    check_robot(robot, LW_PRECISION_SINGLE, 0, FLT_EPSILON);
    robot_free(robot);
  }
  print_message("  largest error: %.2g of the bound\n", check_worst());
}

// Lanes give the same bits as the plain scalar, also with rotors.
static void lanes(void** unused)
{
  enum
  {
    MANY = 11
  };
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; ++seed)
  {
    Robot* robot = any_robot(seed);
    add_motors(robot);
    States states = random_states(seed, robot->model, MANY);
    size_t n      = (size_t)lw_model_dof(robot->model);
    double* many  = numbers(MANY * n);
    for (int i = 0; i < 2 * lw_method_count(); ++i)
    {
      int method = i / 2;
      if (lw_method(method)->question != LW_QUESTION_FORWARD) continue;
      lwWorkspace* ws =
          work_of(robot, method, i % 2 ? LW_PRECISION_SINGLE : LW_PRECISION_DOUBLE, 1);
      lw_answer_many(robot->model, ws, LW_QUESTION_FORWARD, MANY, &states.rows, many);
      for (int k = 0; k < MANY; ++k)
      {
        lwStates state = state_row(&states, robot->model, k);
        Trial trial    = {seed,    NULL,  (int)n, LW_QUESTION_FORWARD, lw_method(method)->name,
                          "lanes", &state};
        double* one    = answer(robot->model, ws, LW_QUESTION_FORWARD, &state);
        check_equal(&trial, many + (size_t)k * n, one, n);
        free(one);
      }
      lw_workspace_destroy(ws);
    }
    free(many);
    states_free(&states);
    robot_free(robot);
  }
}

// A pendulum of inertia 3 kg m^2 about its axis with a rotor of 5^2 * 0.04 = 1 kg m^2:
// 8 N m give 2 rad/s^2.
static void pendulum(void** unused)
{
  (void)unused;
  Robot* robot            = robot_start();
  lwJointDef* joint       = robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE);
  joint->link.mass        = 1;
  joint->link.inertia[2]  = 3;
  joint->link.inertia[0]  = 2;
  joint->link.inertia[1]  = 2;
  joint->motor.given      = true;
  joint->motor.resistance = joint->motor.torque_constant = 1;
  joint->motor.gear                                      = -5;
  joint->motor.rotor_inertia                             = 0.04;
  robot_build(robot);
  for (int i = 0; i < lw_method_count(); ++i)
  {
    if (lw_method(i)->question != LW_QUESTION_FORWARD) continue;
    lwWorkspace* ws = work_of(robot, i, LW_PRECISION_DOUBLE, 0);
    double q        = 0.3, qdd;
    lw_forward_dynamics(robot->model, ws, &q, NULL, (double[]){8}, &qdd);
    assert_near(qdd, 2, 8 * DBL_EPSILON);
    lw_workspace_destroy(ws);
  }
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum),
      cmocka_unit_test(equation_of_motion),
      cmocka_unit_test(single_precision),
      cmocka_unit_test(lanes),
  };
  return cmocka_run_group_tests_name("rotor inertia", tests, NULL, NULL);
}
