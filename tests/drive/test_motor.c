// SPDX-License-Identifier: MIT
// Motors, friction and springs against closed forms, and round trips.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "linkwork/drive.h"
#include "support/check.h"
#include "support/testing.h"

// A motor with a gear of 50 and no losses: stall torque 50 * 0.1 * 24 / 2 = 60 N m, no-load speed
// 24 / 0.1 / 50 = 4.8.
static lwMotor motor_def(void)
{
  lwMotor motor         = lw_joint_def().motor;
  motor.given           = true;
  motor.resistance      = 2;
  motor.torque_constant = 0.1;
  motor.gear            = 50;
  motor.voltage         = 24;
  return motor;
}

// Equal up to a few roundings.
static void near(double got, double expected)
{
  double bound = 16 * DBL_EPSILON * fmax(fabs(got), fabs(expected));
  if (!(fabs(got - expected) <= bound)) fail_msg("%.17g instead of %.17g", got, expected);
}

static void direct_drive(void** unused)
{
  (void)unused;
  lwMotor motor   = motor_def();
  motor.gear      = 1;
  lwMotorPoint at = lw_motor_need(&motor, 30, 0.5, 0);
  near(at.voltage, 2 * 0.5 / 0.1 + 0.1 * 30);  // swartz1982 (11)
  near(at.current, 5);
  near(at.power, 13 * 5);
  assert_int_equal(at.limits, 0);
  near(lw_motor_drive(&motor, 30, 13).joint_torque, 0.1 * (13 - 0.1 * 30) / 2);  // (12)
}

static void stall_and_no_load(void** unused)
{
  (void)unused;
  lwMotor motor      = motor_def();
  lwMotorPoint stall = lw_motor_drive(&motor, 0, 24);
  near(stall.joint_torque, 60);
  near(stall.current, 12);
  near(stall.power, 288);
  assert_same(stall.speed, 0);
  assert_int_equal(stall.limits, 0);
  lwMotorPoint idle = lw_motor_drive(&motor, 4.8, 24);
  assert_at_most(fabs(idle.joint_torque), 60 * 4 * DBL_EPSILON);
  near(idle.speed, 240);
  // beyond the no-load speed the motor brakes and returns power
  lwMotorPoint brake = lw_motor_drive(&motor, 6, 24);
  near(brake.joint_torque, 50 * 0.1 * (24 - 30) / 2);
  assert_less(brake.power, 0);
}

// Power is multiplied by the efficiency in both directions, from motor to joint and back.
static void efficiency(void** unused)
{
  (void)unused;
  lwMotor motor    = motor_def();
  motor.efficiency = 0.8;
  for (int sign = -1; sign <= 1; sign += 2)
  {
    motor.gear          = sign * 50;
    lwMotorPoint drives = lw_motor_need(&motor, 2, 40, 0);
    near(drives.torque * drives.speed * 0.8, 40 * 2);
    lwMotorPoint driven = lw_motor_need(&motor, -2, 40, 0);
    near(driven.torque * driven.speed, 40 * -2 * 0.8);
    near(lw_motor_need(&motor, 0, 40, 0).torque, sign * 0.8);  // at rest: no loss
  }
  near(lw_motor_drive(&motor, 0, 24).joint_torque, 60);
}

// The gear loses power whichever way the joint turns and whichever way the torque acts.
static void gears_lose_in_every_quadrant(void** unused)
{
  (void)unused;
  lwMotor motor    = motor_def();
  motor.efficiency = 0.8;
  for (int turn = -1; turn <= 1; turn += 2)
    for (int push = -1; push <= 1; push += 2)
    {
      double qd = 2 * turn, tau = 40 * push, joint = tau * qd;
      lwMotorPoint need = lw_motor_need(&motor, qd, tau, 0);
      near(need.torque * need.speed, joint > 0 ? joint / 0.8 : joint * 0.8);
      lwMotorPoint driven = lw_motor_drive(&motor, qd, 12 * push);
      double shaft        = driven.torque * driven.speed;
      near(driven.joint_torque * qd, shaft > 0 ? shaft * 0.8 : shaft / 0.8);
    }
}

// No jumps in speed or torque; the steepest slope is that of the stated creep.
static void efficiency_is_continuous(void** unused)
{
  (void)unused;
  lwMotor motor    = motor_def();
  motor.efficiency = 0.7;
  double before    = lw_motor_need(&motor, -2 * LW_CREEP, 30, 0).torque;
  double most = 30.0 / 50 / 0.7 * -log(0.7) * 0.01;  // slope of tau efficiency^-s, a hundredth of s
  for (int k = -199; k <= 200; ++k)
  {
    double torque = lw_motor_need(&motor, k * LW_CREEP / 100, 30, 0).torque;
    assert_at_least(torque, before);
    assert_at_most(torque - before, most * (1 + 1e-9));
    before = torque;
  }
  assert_less(fabs(lw_motor_need(&motor, 1, 1e-9, 0).torque), 1e-10);
  assert_less(fabs(lw_motor_need(&motor, 1, -1e-9, 0).torque), 1e-10);
}

// From torque to voltage and back, for any speed and torque, up to rounding.
static void there_and_back(void** unused)
{
  (void)unused;
  lwRandom random = {17};
  for (int k = 0; k < 2000; ++k)
  {
    lwMotor motor         = lw_joint_def().motor;
    motor.given           = true;
    motor.resistance      = lw_random_between(&random, 0.1, 10);
    motor.torque_constant = lw_random_between(&random, 0.01, 1);
    motor.gear            = lw_random_between(&random, -120, 120);
    motor.efficiency      = lw_random_between(&random, 0.3, 1);
    double qd             = lw_random_between(&random, -3, 3);
    double tau            = lw_random_between(&random, -50, 50);
    if (k % 5 == 0) qd = 0;
    if (k % 7 == 0) qd *= 1e-4;
    lwMotorPoint need   = lw_motor_need(&motor, qd, tau, 0);
    lwMotorPoint driven = lw_motor_drive(&motor, qd, need.voltage);
    // the voltage is a sum of two terms; the back EMF is subtracted again
    double R = motor.resistance, K = motor.torque_constant;
    double size = fabs(need.current) + fabs(K * need.speed / R);
    assert_near(driven.current, need.current, 4 * DBL_EPSILON * size);
    double scale = fabs(motor.gear) * K / motor.efficiency;
    assert_near(driven.joint_torque, tau, 16 * DBL_EPSILON * size * scale);
    assert_int_equal(need.limits, 0);
    assert_int_equal(driven.limits, 0);
  }
}

static void limits(void** unused)
{
  (void)unused;
  lwMotor motor = motor_def();
  motor.current = 5;

  lwMotorPoint need = lw_motor_need(&motor, 1, 40, 0);  // 8 A, 21 V: not cut
  near(need.current, 8);
  assert_int_equal(need.limits, LW_MOTOR_LIMIT_CURRENT);
  need = lw_motor_need(&motor, 4.6, 20, 0);  // 4 A, 31 V
  assert_int_equal(need.limits, LW_MOTOR_LIMIT_VOLTAGE);

  lwMotorPoint cut = lw_motor_drive(&motor, 0, 100);  // 24 V would be 12 A
  near(cut.current, 5);
  near(cut.voltage, 10);
  near(cut.joint_torque, 25);
  assert_int_equal(cut.limits, LW_MOTOR_LIMIT_VOLTAGE | LW_MOTOR_LIMIT_CURRENT);
  cut = lw_motor_drive(&motor, 4, 100);  // 24 V - 20 V
  near(cut.current, 2);
  near(cut.voltage, 24);
  assert_int_equal(cut.limits, LW_MOTOR_LIMIT_VOLTAGE);
  cut = lw_motor_drive(&motor, 0, -12);
  near(cut.current, -5);
  assert_int_equal(cut.limits, LW_MOTOR_LIMIT_CURRENT);
}

// i' = (v - R i)/L from rest: (v/R) (1 - exp(-t R/L)), 63 % after one time constant.
static void time_constant(void** unused)
{
  (void)unused;
  lwMotor motor    = motor_def();
  motor.inductance = 0.004;
  double i = 0, rate, tau = motor.inductance / motor.resistance;
  enum
  {
    STEPS = 1000
  };
  double h = tau / STEPS;
  for (int k = 0; k < STEPS; ++k)  // midpoint rule: error (h/tau)^2 / 6 of the change
  {
    lw_motor_drive_current(&motor, 0, 10, i, &rate);
    lw_motor_drive_current(&motor, 0, 10, i + 0.5 * h * rate, &rate);
    i += h * rate;
  }
  assert_closer(i, 5 * (1 - exp(-1)), 5e-6);
  // the final current is that without inductance, and the inverse gives the same voltage
  lwMotorPoint steady = lw_motor_drive(&motor, 1.5, 12);
  lwMotorPoint at     = lw_motor_drive_current(&motor, 1.5, 12, steady.current, &rate);
  assert_at_most(fabs(rate), 4 * DBL_EPSILON * 12 / motor.inductance);
  near(at.joint_torque, steady.joint_torque);
  at = lw_motor_drive_current(&motor, 1.5, 12, 1.25, &rate);
  near(lw_motor_need(&motor, 1.5, at.joint_torque, rate).voltage, 12);
}

// Without inductance the current follows at once, and has no state that changes.
static void without_inductance_nothing_lags(void** unused)
{
  (void)unused;
  lwMotor motor   = motor_def();
  double rate     = 7;
  lwMotorPoint at = lw_motor_drive_current(&motor, 1.5, 12, 3, &rate);
  assert_same(rate, 0);
  assert_same(at.current, lw_motor_drive(&motor, 1.5, 12).current);
}

// A current at its limit does not grow, but may fall.
static void current_limit_with_inductance(void** unused)
{
  (void)unused;
  lwMotor motor    = motor_def();
  motor.inductance = 0.004;
  motor.current    = 5;
  double rate;
  lwMotorPoint at = lw_motor_drive_current(&motor, 0, 24, 5, &rate);
  assert_same(rate, 0);
  assert_int_equal(at.limits, LW_MOTOR_LIMIT_CURRENT);
  near(at.voltage, 10);
  at = lw_motor_drive_current(&motor, 0, 24, -5, &rate);
  near(rate, (24 + 10) / 0.004);
  assert_int_equal(at.limits, 0);
  at = lw_motor_drive_current(&motor, 0, 24, 9, &rate);  // beyond the limit: treated as the limit
  near(at.torque, 0.5);
  assert_same(rate, 0);
  assert_int_equal(at.limits, LW_MOTOR_LIMIT_CURRENT);
}

static void friction(void** unused)
{
  (void)unused;
  lwFriction friction = {.viscous = 2, .coulomb = 3};
  near(lw_friction_torque(&friction, 4), 11);
  near(lw_friction_torque(&friction, -4), -11);
  assert_same(lw_friction_torque(&friction, 0), 0);
}

// What is stored in a spring, J.
static double spring_energy(const lwSpring* spring, double q)
{
  double x = q - spring->rest;
  return 0.5 * spring->stiffness * x * x - spring->preload * x;
}

// The spring pulls back to its rest position: its torque is minus the derivative of its energy, and
// damping dissipates power.
static void spring(void** unused)
{
  (void)unused;
  lwSpring spring = {.stiffness = 5000, .damping = 50, .rest = 0.2, .preload = 30};
  near(lw_spring_torque(&spring, 0.21, 0), 30 - 5000 * (0.21 - 0.2));
  near(lw_spring_torque(&spring, 0.2, 0.5), 30 - 25);
  double slope = (spring_energy(&spring, 0.26) - spring_energy(&spring, 0.24)) / 0.02;
  assert_closer(lw_spring_torque(&spring, 0.25, 0), -slope, 1e-9);

  // grigorov2013: J = 12, k = 5000, d = 50 decays (erratum 4-12: with the printed sign it
  // diverges); semi-implicit steps
  spring.preload = 0;
  double q = 0.21, qd = 0, h = 1e-4;
  for (int k = 0; k < 10000; ++k)
  {
    qd += h * lw_spring_torque(&spring, q, qd) / 12;
    q += h * qd;
  }
  assert_closer(q, 0.2, 1.3e-3);  // 0.01 exp(-50/24 * 1 s) = 1.25e-3
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(direct_drive),
      cmocka_unit_test(stall_and_no_load),
      cmocka_unit_test(efficiency),
      cmocka_unit_test(gears_lose_in_every_quadrant),
      cmocka_unit_test(without_inductance_nothing_lags),
      cmocka_unit_test(efficiency_is_continuous),
      cmocka_unit_test(there_and_back),
      cmocka_unit_test(limits),
      cmocka_unit_test(time_constant),
      cmocka_unit_test(current_limit_with_inductance),
      cmocka_unit_test(friction),
      cmocka_unit_test(spring),
  };
  return cmocka_run_group_tests_name("motors, friction, springs", tests, NULL, NULL);
}
