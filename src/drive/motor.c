// SPDX-License-Identifier: MIT
// DC motor behind a gear, both ways.
//
// swartz1982 (11), (12), which are for direct drive; gear, rotor, inductance and limits are added.
//
//   paper   here             meaning                      unit
//   V       voltage          at the terminals             V
//   R       resistance       of the armature              ohm
//   K_t     torque_constant  and back EMF constant        N m/A = V s/rad
//   I       current          in the armature              A
//   tau     torque           of the motor                 N m
//   theta.  speed            of the motor, gear qd        rad/s
#include <math.h>

#include "linkwork/drive.h"
#include "math/elementary.h"

double lw_friction_torque(const lwFriction* friction, double qd)
{
  double direction = (qd > 0) - (qd < 0);
  return friction->viscous * qd + friction->coulomb * direction;
}

static double clamp(double x, double most)
{
  return fmax(-most, fmin(most, x));
}

// efficiency^s: the fraction of a torque that passes the gear;
// tau of either side, with the sign as at the joint.
static double transmission(const lwMotor* motor, double qd, double tau)
{
  if (motor->efficiency == 1) return 1;
  double s = clamp(qd / LW_CREEP, 1);
  return lw_pow(motor->efficiency, tau < 0 ? -s : s);
}

static unsigned limits_passed(const lwMotor* motor, double voltage, double current)
{
  return (fabs(voltage) > motor->voltage ? LW_MOTOR_LIMIT_VOLTAGE : 0) |
         (fabs(current) > motor->current ? LW_MOTOR_LIMIT_CURRENT : 0);
}

lwMotorPoint lw_motor_need(const lwMotor* motor, double qd, double tau, double current_rate)
{
  double K        = motor->torque_constant;
  lwMotorPoint at = {.joint_torque = tau, .speed = motor->gear * qd};
  at.torque       = tau / (motor->gear * transmission(motor, qd, tau));
  at.current      = at.torque / K;
  at.voltage =
      motor->resistance * at.current + motor->inductance * current_rate + K * at.speed;  // (11)
  at.power  = at.voltage * at.current;
  at.limits = limits_passed(motor, at.voltage, at.current);
  return at;
}

// Torques that follow from the current.
static lwMotorPoint at_current(const lwMotor* motor, double qd, double current)
{
  lwMotorPoint at = {.speed = motor->gear * qd, .current = current};
  at.torque       = motor->torque_constant * current;
  double lossless = motor->gear * at.torque;
  at.joint_torque = lossless * transmission(motor, qd, lossless);
  return at;
}

lwMotorPoint lw_motor_drive(const lwMotor* motor, double qd, double voltage)
{
  double back     = motor->torque_constant * motor->gear * qd;  // EMF, V
  double applied  = clamp(voltage, motor->voltage);
  double flowing  = (applied - back) / motor->resistance;  // (12)
  double current  = clamp(flowing, motor->current);
  lwMotorPoint at = at_current(motor, qd, current);
  at.voltage      = current == flowing ? applied : motor->resistance * current + back;
  at.power        = at.voltage * current;
  at.limits       = limits_passed(motor, voltage, flowing) | limits_passed(motor, at.voltage, 0);
  return at;
}

lwMotorPoint lw_motor_drive_current(const lwMotor* motor, double qd, double voltage, double current,
                                    double* rate)
{
  *rate = 0;
  if (motor->inductance == 0) return lw_motor_drive(motor, qd, voltage);
  double flowing  = clamp(current, motor->current);
  lwMotorPoint at = at_current(motor, qd, flowing);
  double steady   = motor->resistance * flowing + motor->torque_constant * at.speed;  // V
  at.voltage      = clamp(voltage, motor->voltage);
  at.limits       = limits_passed(motor, voltage, current);
  *rate           = (at.voltage - steady) / motor->inductance;
  if (fabs(current) >= motor->current && *rate * current >= 0)
  {
    at.limits |= LW_MOTOR_LIMIT_CURRENT;
    at.voltage = steady;
    *rate      = 0;
  }
  at.power = at.voltage * at.current;
  return at;
}
