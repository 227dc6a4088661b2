// SPDX-License-Identifier: MIT
// What a motion demands of the drive of a joint: peaks and integrals,
// sample by sample, in constant memory.
#include <math.h>

#include "drive/load_sum.h"

void lw_joint_loads(const lwJointDef* joint, const lwJointSample* sample, double current_rate,
                    double* loads)
{
  double rotor    = lw_motor_rotor(&joint->motor) * sample->qdd;
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

// Adds a sample to the sums.
static void take_extreme(lwSizing* sizing, const lwJointDef* joint, const lwJointSample* sample,
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
  if (joint->motor.inductance == 0) return 0;
  lw_joint_loads(joint, sample, 0, loads);
  return loads[LW_LOAD_CURRENT];
}

void lw_sizing_add(lwSizing* sizing, const lwJointDef* joint, const lwJointSample* sample)
{
  double current            = current_at(joint, sample);
  const lwJointSample* last = &sizing->window[1];
  if (sizing->waiting > 0)
  {
    double h = sample->t - last->t, slope = (current - sizing->currents[1]) / h;
    if (sizing->count > 0)
    {
      double h0 = last->t - sizing->window[0].t;
      double s0 = (sizing->currents[1] - sizing->currents[0]) / h0;
      slope     = (s0 * h + slope * h0) / (h0 + h);
    }
    take_extreme(sizing, joint, last, slope);
  }
  sizing->window[0]   = sizing->window[1];
  sizing->currents[0] = sizing->currents[1];
  sizing->window[1]   = *sample;
  sizing->currents[1] = current;
  sizing->waiting     = 1;
}

void lw_sizing_end(lwSizing* sizing, const lwJointDef* joint)
{
  double slope = 0;
  if (sizing->waiting == 0) return;
  if (sizing->count > 0)
    slope =
        (sizing->currents[1] - sizing->currents[0]) / (sizing->window[1].t - sizing->window[0].t);
  take_extreme(sizing, joint, &sizing->window[1], slope);
  sizing->waiting = 0;
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
