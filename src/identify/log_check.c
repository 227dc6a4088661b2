// SPDX-License-Identifier: MIT
// What can be wrong with a log before anything is computed.
#include <math.h>

#include "base/diag.h"
#include "base/units.h"
#include "identify/closed_motion.h"

static const int LEAST_SAMPLES = 50;

static lwStatus check_log_columns(const lwModel* model, const lwLogDef* log,
                                  const lwIdentifyDef* def, lwDiag* diag)
{
  if (def->current && !log->current)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "the log has no currents, expected columns i1, i2, ..");
  if (!def->current && !log->tau)
    return lw_refuse(diag, LW_ERROR_INPUT,
                     log->current ? "with lwIdentifyDef.current, currents are taken for torques"
                                  : NULL,
                     "the log has no torques, expected columns tau1, tau2, ..");
  for (int i = 0; def->current && i < lw_model_dof(model); ++i)
    if (lw_model_is_driven(model, i) && !lw_is_speed(model, i))
      return lw_refuse(diag, LW_ERROR_METHOD, "give torques",
                       "joint '%s' is driven besides those that the motion needs: how the motors "
                       "share the load is not told by currents",
                       lw_model_joint_name(model, i));
    else if (lw_model_is_driven(model, i) && !lw_model_joint_def(model, i)->motor.given)
      return lw_refuse(
          diag, LW_ERROR_METHOD, NULL,
          "joint '%s' has no motor in the robot file: currents need its gear and torque "
          "constant",
          lw_model_joint_name(model, i));
  if (log->count >= LEAST_SAMPLES) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL, "the log has %ld samples, expected at least %d",
                   log->count, LEAST_SAMPLES);
}

static lwStatus check_times(const lwLogDef* log, lwDiag* diag)
{
  double step = (log->t[log->count - 1] - log->t[0]) / (double)(log->count - 1);
  for (long k = 1; k < log->count; ++k)
  {
    double own = log->t[k] - log->t[k - 1];
    if (fabs(own - step) <= 0.05 * step) continue;
    return lw_refuse(diag, LW_ERROR_INPUT, "resample the log",
                     "t goes from %g to %g s in sample %ld, expected equal steps of %g s",
                     log->t[k - 1], log->t[k], k + 1, step);
  }
  return LW_OK;
}

// All numbers are finite, and not all torques are 0.
static lwStatus check_numbers(const lwModel* model, const lwLogDef* log, const lwIdentifyDef* def,
                              lwDiag* diag)
{
  int n                            = lw_model_dof(model);
  const double* torques            = def->current ? log->current : log->tau;
  bool any                         = false;
  const double* all[]              = {log->q, log->qd, log->qdd, log->tau, log->current};
  static const char* const names[] = {"q", "qd", "qdd", "tau", "i"};
  for (int g = 0; g < 5; ++g)
    for (long k = 0, width = g == 0 ? lw_model_nq(model) : n; all[g] && k < log->count * width; ++k)
      if (!isfinite(all[g][k]))
        return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s%ld of sample %ld is not a finite number",
                         names[g], k % width + 1, k / width + 1);
  for (long k = 0; k < log->count * n; ++k) any = any || torques[k] != 0;
  return any ? LW_OK
             : lw_refuse(diag, LW_ERROR_INPUT, NULL, "all %s of the log are 0",
                         def->current ? "currents" : "torques");
}

// Quaternions are measured, so their lengths may be off by more than rounding.
static lwStatus check_quaternions(const lwModel* model, const lwLogDef* log, lwDiag* diag)
{
  const double SLACK = 1e-3;
  for (long k = 0; k < log->count; ++k)
    for (int b = 0; b < model->ball_count; ++b)
    {
      int at          = model->balls[b].q;
      const double* q = log->q + k * model->nq + at;
      double length   = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
      if (fabs(length - 1) > SLACK)
        return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                         "the quaternion of joint '%s' in sample %ld, q%d to q%d, has the length "
                         "%.4g, expected 1",
                         model->robot.joints[model->positions[at].joint].name, k + 1, at + 1,
                         at + 4, length);
    }
  return LW_OK;
}

// Angles of more than two turns, or far beyond the limits,
// that would be within them if they were degrees.
static lwStatus check_degrees(const lwModel* model, const lwLogDef* log, lwDiag* diag)
{
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    const lwLimits* limits = &lw_model_joint_def(model, i)->limits;
    double most            = 0;
    int at                 = lw_model_velocity(model, i).other;
    if (lw_model_velocity(model, i).slides || at < 0) continue;
    for (long k = 0; k < log->count; ++k)
      most = fmax(most, fabs(log->q[k * lw_model_nq(model) + at]));
    double bound = fmax(fabs(limits->lower), fabs(limits->upper));
    if (!isfinite(bound)) bound = 4 * LW_PI;
    if (!(most > 3 * bound) || !(most * LW_PI / 180 <= 1.05 * bound)) continue;
    return lw_refuse(
        diag, LW_ERROR_INPUT, "write angles in radians, velocities in rad/s",
        "q%d goes to %.4g rad, far beyond the limit %.4g of joint '%s', and %.4g deg would "
        "be within: the log seems to be in degrees",
        at + 1, most, bound, lw_model_joint_name(model, i), most);
  }
  return LW_OK;
}

// How far entry `at` of q goes in the log.
static double range_of(const lwModel* model, const lwLogDef* log, int at)
{
  double low = INFINITY, high = -INFINITY;
  for (long k = 0; k < log->count; ++k)
  {
    low  = fmin(low, log->q[k * lw_model_nq(model) + at]);
    high = fmax(high, log->q[k * lw_model_nq(model) + at]);
  }
  return high - low;
}

// Of freedom i; of a ball or floating joint the largest of all entries of q that it has.
static double freedom_range(const lwModel* model, const lwLogDef* log, int i)
{
  lwCoordinate freedom = lw_model_velocity(model, i);
  double most          = 0;
  if (freedom.other >= 0) return range_of(model, log, freedom.other);
  for (int k = 0; k < lw_model_nq(model); ++k)
    if (lw_model_position(model, k).joint == freedom.joint)
      most = fmax(most, range_of(model, log, k));
  return most;
}

// A joint moved if it covered more than a thousandth of what the most active joint
// of its kind did, and 1e-4 rad or m.
static lwStatus find_moved(const lwModel* model, const lwLogDef* log, bool* moved, lwDiag* diag)
{
  int n = lw_model_dof(model), count = 0;
  double most[2] = {0, 0};
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < n; ++i)
    {
      lwCoordinate freedom = lw_model_velocity(model, i);
      double range         = freedom_range(model, log, i);
      bool plain           = freedom.other >= 0;
      if (pass == 0 && plain) most[freedom.slides] = fmax(most[freedom.slides], range);
      moved[i] = range > fmax(1e-4, plain ? 0.005 * most[freedom.slides] : 0);
      count += pass == 1 && moved[i];
    }
  if (count > 0) return LW_OK;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                   "no joint moves in this log, so it says nothing about the robot");
}

lwStatus lw_log_check(const lwModel* model, const lwLogDef* log, const lwIdentifyDef* def,
                      bool* moved, lwDiag* diag)
{
  lwStatus status = check_log_columns(model, log, def, diag);
  if (status == LW_OK) status = check_times(log, diag);
  if (status == LW_OK) status = check_numbers(model, log, def, diag);
  if (status == LW_OK) status = check_quaternions(model, log, diag);
  if (status == LW_OK) status = check_degrees(model, log, diag);
  if (status == LW_OK) status = find_moved(model, log, moved, diag);
  return status;
}
