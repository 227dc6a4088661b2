// SPDX-License-Identifier: MIT
// What can be wrong with a log before anything is computed.
#include <math.h>

#include "base/diag.h"
#include "base/units.h"
#include "identify/equations.h"
#include "model/loops.h"

static const int LEAST_SAMPLES = 50;

static lwStatus check_log_columns(const lwModel* model, const lwLogDef* log,
                                  const lwIdentifyDef* def, lwDiag* diag)
{
  lwStatus status = lw_tree_check(model, "identification", diag);
  if (status != LW_OK) return status;
  if (lw_model_nq(model) != lw_model_dof(model))
    return lw_refuse(diag, LW_ERROR_METHOD, NULL,
                     "identification needs joints with one freedom each");
  if (def->current && !log->current)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL,
                     "the log has no currents, expected columns i1, i2, ..");
  if (!def->current && !log->tau)
    return lw_refuse(diag, LW_ERROR_INPUT,
                     log->current ? "with lwIdentifyDef.current, currents are taken for torques"
                                  : NULL,
                     "the log has no torques, expected columns tau1, tau2, ..");
  for (int i = 0; def->current && i < lw_model_dof(model); ++i)
    if (!lw_model_joint_def(model, i)->motor.given)
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
static lwStatus check_numbers(const lwLogDef* log, const lwIdentifyDef* def, int n, lwDiag* diag)
{
  const double* torques            = def->current ? log->current : log->tau;
  bool any                         = false;
  const double* all[]              = {log->q, log->qd, log->qdd, log->tau, log->current};
  static const char* const names[] = {"q", "qd", "qdd", "tau", "i"};
  for (int g = 0; g < 5; ++g)
    for (long k = 0; all[g] && k < log->count * n; ++k)
      if (!isfinite(all[g][k]))
        return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s%ld of sample %ld is not a finite number",
                         names[g], k % n + 1, k / n + 1);
  for (long k = 0; k < log->count * n; ++k) any = any || torques[k] != 0;
  return any ? LW_OK
             : lw_refuse(diag, LW_ERROR_INPUT, NULL, "all %s of the log are 0",
                         def->current ? "currents" : "torques");
}

// Angles of more than two turns, or far beyond the limits,
// that would be within them if they were degrees.
static lwStatus check_degrees(const lwModel* model, const lwLogDef* log, lwDiag* diag)
{
  int n = lw_model_dof(model);
  for (int i = 0; i < n; ++i)
  {
    const lwLimits* limits = &lw_model_joint_def(model, i)->limits;
    double most            = 0;
    if (lw_model_velocity(model, i).slides) continue;
    for (long k = 0; k < log->count; ++k) most = fmax(most, fabs(log->q[k * n + i]));
    double bound = fmax(fabs(limits->lower), fabs(limits->upper));
    if (!isfinite(bound)) bound = 4 * LW_PI;
    if (!(most > 3 * bound) || !(most * LW_PI / 180 <= 1.05 * bound)) continue;
    return lw_refuse(
        diag, LW_ERROR_INPUT, "write angles in radians, velocities in rad/s",
        "q%d goes to %.4g rad, far beyond the limit %.4g of joint '%s', and %.4g deg would "
        "be within: the log seems to be in degrees",
        i + 1, most, bound, lw_model_joint_name(model, i), most);
  }
  return LW_OK;
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
      double low = INFINITY, high = -INFINITY;
      bool slides = lw_model_velocity(model, i).slides;
      for (long k = 0; k < log->count; ++k)
      {
        low  = fmin(low, log->q[k * n + i]);
        high = fmax(high, log->q[k * n + i]);
      }
      if (pass == 0) most[slides] = fmax(most[slides], high - low);
      moved[i] = high - low > fmax(1e-4, 0.005 * most[slides]);
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
  if (status == LW_OK) status = check_numbers(log, def, lw_model_dof(model), diag);
  if (status == LW_OK) status = check_degrees(model, log, diag);
  if (status == LW_OK) status = find_moved(model, log, moved, diag);
  return status;
}
