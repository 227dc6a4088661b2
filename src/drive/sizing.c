// SPDX-License-Identifier: MIT
// What a motion demands of the drive of a joint: peaks and integrals,
// sample by sample, in constant memory.
#include <float.h>
#include <math.h>

#include "drive/load_sum.h"

void lw_joint_loads(const lwJointDef* joint, const lwJointSample* sample, double current_rate,
                    double* loads)
{
  double rotor    = lw_joint_rotor(joint) * sample->qdd;
  double friction = lw_friction_torque(&joint->friction, sample->qd);
  double torque   = sample->tau + rotor + friction;
  lwMotorPoint at = {0};
  if (joint->motor.given) at = lw_motor_need(&joint->motor, sample->qd, torque, current_rate);
  loads[LW_LOAD_RIGID]    = sample->tau;
  loads[LW_LOAD_ROTOR]    = rotor;
  loads[LW_LOAD_FRICTION] = friction;
  loads[LW_LOAD_TORQUE]   = torque;
  loads[LW_LOAD_SPEED]    = sample->qd;
  loads[LW_LOAD_POWER]    = torque * sample->qd;
  loads[LW_LOAD_CURRENT]  = at.current;
  loads[LW_LOAD_VOLTAGE]  = at.voltage;
  loads[LW_LOAD_ELECTRIC] = at.power;
}

static void note_margin(lwSizing* sizing, const lwLimits* limits, const lwJointSample* sample)
{
  double margin = fmin(sample->q - limits->lower, limits->upper - sample->q);
  if (sizing->count > 0 && margin >= sizing->margin) return;
  sizing->margin      = margin;
  sizing->margin_q    = sample->q;
  sizing->margin_time = sample->t;
}

double lw_rest_speed(double fastest, double farthest, double step)
{
  static const double MOTION   = 1e-12;            // of the largest speed
  static const double ROUNDING = 4 * DBL_EPSILON;  // of the largest position, in a step
  return fmax(MOTION * fastest, ROUNDING * fmax(farthest, 1) / (step > 0 ? step : 1));
}

void lw_sizing_take(lwSizing* sizing, const lwJointDef* joint, const lwJointSample* sample,
                    double current_rate)
{
  double loads[LW_LOAD_COUNT];
  lwLoadSpan span = {sizing->count, sizing->begin, sizing->end};
  lw_joint_loads(joint, sample, current_rate, loads);
  note_margin(sizing, &joint->limits, sample);
  if (sizing->count == 0) sizing->begin = sample->t;
  for (int k = 0; k < LW_LOAD_COUNT; ++k)
  {
    lw_load_sum_add(&sizing->sums[k], &span, sizing->loads[k], loads[k], sample->t);
    sizing->loads[k] = loads[k];
  }
  sizing->end = sample->t;
  ++sizing->count;
}

static double current_at(const lwJointDef* joint, const lwJointSample* sample)
{
  double loads[LW_LOAD_COUNT];
  lw_joint_loads(joint, sample, 0, loads);
  return loads[LW_LOAD_CURRENT];
}

// Slope at sample `at` of the polynomial through `count` (up to 3) samples.
static double current_rate(const lwJointDef* joint, int count, const lwJointSample* samples, int at)
{
  double h[2] = {0}, slope[2] = {0};
  if (joint->motor.inductance == 0 || count < 2) return 0;
  for (int k = 0; k < count - 1; ++k)
  {
    h[k]     = samples[k + 1].t - samples[k].t;
    slope[k] = (current_at(joint, &samples[k + 1]) - current_at(joint, &samples[k])) / h[k];
  }
  if (count == 2) return slope[0];
  double bend = (slope[1] - slope[0]) / (h[0] + h[1]);
  return slope[0] + bend * (at == 0 ? -h[0] : at == 1 ? h[0] : h[0] + 2 * h[1]);
}

void lw_current_rates(const lwJointDef* joint, long count, const lwJointSample* samples,
                      double* rates)
{
  for (long k = 0; k < count; ++k)
  {
    long first = k == 0 || count < 3 ? 0 : k == count - 1 ? k - 2 : k - 1;
    rates[k]   = current_rate(joint, count < 3 ? (int)count : 3, samples + first, (int)(k - first));
  }
}

// Samples in the window.
static int held(const lwSizing* sizing)
{
  long all = sizing->count + sizing->waiting;
  return all < 3 ? (int)all : 3;
}

static void take_waiting(lwSizing* sizing, const lwJointDef* joint)
{
  int count = held(sizing), at = count - sizing->waiting;
  double rate = current_rate(joint, count, sizing->window, at);
  --sizing->waiting;
  lw_sizing_take(sizing, joint, &sizing->window[at], rate);
}

void lw_sizing_add(lwSizing* sizing, const lwJointDef* joint, const lwJointSample* sample)
{
  int count = held(sizing);
  if (count == 3)
  {
    sizing->window[0] = sizing->window[1];
    sizing->window[1] = sizing->window[2];
    count             = 2;
  }
  sizing->window[count] = *sample;
  ++sizing->waiting;
  while (count == 2 && sizing->waiting > 1) take_waiting(sizing, joint);
}

void lw_sizing_end(lwSizing* sizing, const lwJointDef* joint)
{
  while (sizing->waiting > 0) take_waiting(sizing, joint);
}

double lw_sizing_rms(const lwSizing* sizing, lwLoad load)
{
  lwLoadSpan span = {sizing->count, sizing->begin, sizing->end};
  return lw_load_sum_rms(&sizing->sums[load], &span, sizing->loads[load]);
}

double lw_sizing_mean(const lwSizing* sizing, lwLoad load)
{
  double duration = sizing->end - sizing->begin;
  return duration > 0 ? sizing->sums[load].integral / duration : sizing->loads[load];
}

double lw_joint_limit(const lwJointDef* joint, lwLoad load)
{
  bool motor = joint->motor.given;
  switch (load)
  {
    case LW_LOAD_TORQUE:
      return joint->limits.effort;
    case LW_LOAD_SPEED:
      return joint->limits.velocity;
    case LW_LOAD_VOLTAGE:
      return motor ? joint->motor.voltage : INFINITY;
    case LW_LOAD_CURRENT:
      return motor ? joint->motor.current : INFINITY;
    default:
      return INFINITY;
  }
}
