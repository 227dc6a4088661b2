// SPDX-License-Identifier: MIT
// Arms with motors: from a motion to voltages and back, and swartz1982's arm under voltages over
// time.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/drive.h"
#include "support/check.h"
#include "support/golden.h"
#include "support/reference.h"
#include "support/testing.h"

// An arm whose joints all have motors and friction.
static Robot* motor_arm(uint64_t seed)
{
  RobotStyle style = {.dof = 1 + (int)(seed % 7), .prismatic = 0.3, .placement = -1};
  Robot* robot     = random_robot(seed, &style);
  lwRandom random  = {seed ^ 0x4d4f544f52u};
  for (int i = 0; i < robot->def.count; ++i)
  {
    lwJointDef* joint            = &robot->joints[i];
    joint->friction.viscous      = lw_random_between(&random, 0, 5);
    joint->friction.coulomb      = lw_random_between(&random, 0, 5);
    joint->motor.given           = true;
    joint->motor.resistance      = lw_random_between(&random, 0.5, 5);
    joint->motor.torque_constant = lw_random_between(&random, 0.05, 0.5);
    joint->motor.gear            = lw_random_between(&random, 20, 120);
    joint->motor.rotor_inertia   = lw_random_between(&random, 1e-5, 1e-3);
    joint->motor.efficiency      = lw_random_between(&random, 0.5, 1);
  }
  lw_model_destroy(robot->model);
  robot_build(robot);
  return robot;
}

static const lwJointDef* joint_of(const Robot* robot, int i)
{
  return &robot->joints[lw_model_joint(robot->model, i)];
}

// From the torque that a joint needs to the voltage of its motor, and back. size: the size of the
// rounded terms, which are the torque and the back EMF as a torque, added and subtracted again.
static double through_motor(const lwJointDef* joint, double qd, double qdd, double tau,
                            double* size)
{
  const lwMotor* motor = &joint->motor;
  double friction      = lw_friction_torque(&joint->friction, qd);
  double all           = tau + lw_joint_rotor(joint) * qdd + friction;
  double K             = motor->torque_constant * motor->gear;
  double voltage       = lw_motor_need(motor, qd, all, 0).voltage;
  *size = fabs(all) + fabs(friction) + K * K * fabs(qd) / motor->resistance / motor->efficiency;
  return lw_motor_drive(motor, qd, voltage).joint_torque - friction;
}

// |(M + J) (got - wanted)| <= 64 n eps size, the residual of the equation of motion.
static void check_motion(const Robot* robot, const lwStates* wanted, const double* got,
                         const double* rounded)
{
  size_t n         = (size_t)lw_model_dof(robot->model);
  double* residual = numbers(n);
  double* size     = numbers(n);
  double* none     = numbers(n);
  reference_residual(&robot->def, wanted, got, residual, size);
  for (size_t i = 0; i < n; ++i)
  {
    double rotor = lw_joint_rotor(joint_of(robot, (int)i));
    residual[i] += rotor * (got[i] - wanted->qdd[i]);
    size[i] += rounded[i] + fabs(rotor * got[i]);
  }
  Trial trial = {
      .seed = robot->seed, .n = (int)n, .question = LW_QUESTION_FORWARD, .state = wanted};
  check_close(&trial, residual, none, size, 64 * (double)n * DBL_EPSILON, n);
  free(residual);
  free(size);
  free(none);
}

// The voltages computed for a motion produce that motion.
static void round_trip(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 300; ++seed)
  {
    Robot* robot       = motor_arm(seed);
    size_t n           = (size_t)lw_model_dof(robot->model);
    lwWorkspace* ws    = NULL;
    lwWorkspaceDef def = lw_workspace_def();
    def.rotors         = true;
    States states      = random_states(seed, robot->model, 1);
    double *tau = numbers(n), *qdd = numbers(n), *rounded = numbers(n);
    assert_int_equal(lw_workspace_create(robot->model, &def, NULL, &ws), LW_OK);
    lw_workspace_set_wrench(ws, states.wrench);
    lw_inverse_dynamics(robot->model, ws, states.q, states.qd, states.qdd, states.tau);
    for (size_t i = 0; i < n; ++i)
      tau[i] = through_motor(joint_of(robot, (int)i), states.qd[i], states.qdd[i], states.tau[i],
                             &rounded[i]);
    lw_forward_dynamics(robot->model, ws, states.q, states.qd, tau, qdd);
    check_motion(robot, &states.rows, qdd, rounded);
    free(tau);
    free(qdd);
    free(rounded);
    states_free(&states);
    lw_workspace_destroy(ws);
    robot_free(robot);
  }
}

// --- swartz1982: voltages over time

typedef struct
{
  Robot* robot;
  lwWorkspace* ws;
  double voltage[2];
} Arm;

static void accelerations(const Arm* arm, const double* q, const double* qd, double* qdd)
{
  double tau[2];
  for (int i = 0; i < 2; ++i)
  {
    const lwJointDef* joint = joint_of(arm->robot, i);
    tau[i]                  = lw_motor_drive(&joint->motor, qd[i], arm->voltage[i]).joint_torque -
             lw_friction_torque(&joint->friction, qd[i]);
  }
  lw_forward_dynamics(arm->robot->model, arm->ws, q, qd, tau, qdd);
}

// One step of Kutta's third-order method as swartz1982 writes it, c and k the slopes of q and qd.
static void kutta_step(const Arm* arm, double h, double* q, double* qd)
{
  double c1[2], c2[2], c3[2], k1[2], k2[2], k3[2], at[2];
  for (int i = 0; i < 2; ++i) c1[i] = qd[i];
  accelerations(arm, q, qd, k1);
  for (int i = 0; i < 2; ++i) at[i] = q[i] + 0.5 * h * c1[i];
  for (int i = 0; i < 2; ++i) c2[i] = qd[i] + 0.5 * h * k1[i];
  accelerations(arm, at, c2, k2);
  for (int i = 0; i < 2; ++i) at[i] = q[i] + 2 * h * c2[i] - h * c1[i];
  for (int i = 0; i < 2; ++i) c3[i] = qd[i] + 2 * h * k2[i] - h * k1[i];
  accelerations(arm, at, c3, k3);
  for (int i = 0; i < 2; ++i) q[i] += h / 6 * (c1[i] + 4 * c2[i] + c3[i]);
  for (int i = 0; i < 2; ++i) qd[i] += h / 6 * (k1[i] + 4 * k2[i] + k3[i]);
}

// Against the recursion in 100 digits, tests/data/golden/rk3_motor.json; 64 steps in double are
// accurate to 1e-12.
static void forward_arm(void** unused)
{
  (void)unused;
  Json* file = json_read_golden("rk3_motor");
  Arm arm    = {.robot = golden_robot(file)};
  double K[2], R[2], b[2], q[2], qd[2], qdd[2], expected[10], rates[10], steps[5];
  json_numbers(file, "Kt", 2, K);
  json_numbers(file, "R", 2, R);
  json_numbers(file, "b", 2, b);
  json_numbers(file, "V", 2, arm.voltage);
  json_numbers(file, "q0", 2, q);
  json_numbers(file, "qd0", 2, qd);
  json_numbers(file, "q", 10, expected);
  json_numbers(file, "qd", 10, rates);
  json_numbers(file, "steps", 5, steps);
  for (int i = 0; i < 2; ++i)
  {
    lwJointDef* joint            = &arm.robot->joints[i];
    joint->motor.given           = true;
    joint->motor.resistance      = R[i];
    joint->motor.torque_constant = K[i];
    joint->friction.viscous      = b[i];
  }
  lw_model_destroy(arm.robot->model);
  robot_build(arm.robot);
  assert_int_equal(lw_workspace_create(arm.robot->model, NULL, NULL, &arm.ws), LW_OK);
  double first[2];
  json_numbers(file, "qdd0", 2, first);
  accelerations(&arm, q, qd, qdd);
  for (int i = 0; i < 2; ++i) assert_near(qdd[i], first[i], 1e-12 * fabs(first[i]));
  for (int row = 0, done = 0; row < 5; ++row)
  {
    for (; done < (int)steps[row]; ++done) kutta_step(&arm, json_number(file, "h"), q, qd);
    for (int i = 0; i < 2; ++i)
    {
      assert_near(q[i], expected[2 * row + i], 1e-12);
      assert_near(qd[i], rates[2 * row + i], 1e-12);
    }
  }
  lw_workspace_destroy(arm.ws);
  robot_free(arm.robot);
  json_free(file);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(forward_arm)};
  return cmocka_run_group_tests_name("arms with motors", tests, NULL, NULL);
}
