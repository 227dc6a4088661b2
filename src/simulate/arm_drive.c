// SPDX-License-Identifier: MIT
// Time and state to torques: drives, controller, loads.
#include <math.h>
#include <string.h>

#include "simulate/arm.h"

// --- control

static void read_reference(lwArmRun* run, double t)
{
  size_t bytes = (size_t)run->n * sizeof(double);
  if (run->def.controller.reference)
  {
    run->def.controller.reference(run->def.controller.context, t, run->want_q, run->want_qd,
                                  run->want_qdd);
    return;
  }
  memcpy(run->want_q, run->start_q, bytes);
  memset(run->want_qd, 0, bytes);
  memset(run->want_qdd, 0, bytes);
}

// kp (q* - q) + kd (qd* - qd) of joint k
static double feedback(const lwArmRun* run, int k, const double* y)
{
  return run->kp[k] * (run->want_q[k] - y[k]) + run->kd[k] * (run->want_qd[k] - y[run->n + k]);
}

static void pd_gravity(lwArmRun* run, const double* y)
{
  lw_gravity(run->model, run->work, y, run->control);
  for (int k = 0; k < run->n; ++k) run->control[k] += feedback(run, k, y);
}

static void computed_torque(lwArmRun* run, const double* y)
{
  double* a = run->want_qdd;
  for (int k = 0; k < run->n; ++k) a[k] += feedback(run, k, y);
  lw_inverse_dynamics(run->model, run->work, y, y + run->n, a, run->control);
  for (int k = 0; k < run->n; ++k) run->control[k] += run->reflected[k] * a[k];
}

static void feed_forward(lwArmRun* run, const double* y)
{
  lw_inverse_dynamics(run->model, run->work, run->want_q, run->want_qd, run->want_qdd,
                      run->control);
  for (int k = 0; k < run->n; ++k)
    run->control[k] += run->reflected[k] * run->want_qdd[k] + feedback(run, k, y);
}

void lw_arm_control(lwArmRun* run, double t, const double* y)
{
  static void (*const laws[])(lwArmRun*,
                              const double*) = {[LW_CONTROL_PD_GRAVITY]      = pd_gravity,
                                                [LW_CONTROL_COMPUTED_TORQUE] = computed_torque,
                                                [LW_CONTROL_FEED_FORWARD]    = feed_forward};
  if (run->def.controller.kind == LW_CONTROL_NONE) return;
  read_reference(run, t);
  laws[run->def.controller.kind](run, y);
}

// --- drives

static double limited(double value, double limit)
{
  return value > limit ? limit : value < -limit ? -limit : value;
}

static double by_law(const lwArmRun* run, const lwLaw* law, int k, double t, const double* y)
{
  lwLawPoint point = {.t = t, .k = k + 1, .n = run->n, .q = y[k], .qd = y[run->n + k]};
  return lw_law_at(law, &point);
}

void lw_arm_take_drive(lwArmRun* run, int k, const lwJointDrive* drive)
{
  run->drives[k]  = *drive;
  run->controlled = false;
  for (int i = 0; i < run->n; ++i)
    run->controlled = run->controlled || run->drives[i].signal == LW_SIGNAL_CONTROL;
}

// The command of a drive: a torque, cut where the controller would go beyond the limit of effort.
static double command(lwArmRun* run, int k, double t, const double* y)
{
  const lwJointDrive* drive = &run->drives[k];
  if (drive->signal == LW_SIGNAL_LAW) return by_law(run, drive->law, k, t, y);
  if (drive->signal == LW_SIGNAL_CONTROL) return limited(run->control[k], run->limits[k].effort);
  return 0;
}

// --- loads

static double component(const lwLaw* law, double t)
{
  lwLawPoint point = {.t = t};
  return law ? lw_law_at(law, &point) : 0;
}

// v in the base frame, R its axes row by row.
static void to_base(const double R[9], const double v[3], double out[3])
{
  for (int i = 0; i < 3; ++i) out[i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
}

// load += J^T w
static void add_load(lwArmRun* run, const lwLoadDef* load, double t, const double R[9])
{
  double w[6], base[6];
  for (int i = 0; i < 6; ++i) w[i] = component(load->component[i], t);
  memcpy(base, w, sizeof base);
  if (!load->in_base) to_base(R, w, base), to_base(R, w + 3, base + 3);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < run->n; ++k) run->load[k] += run->jacobian[i * run->n + k] * base[i];
}

static void add_loads(lwArmRun* run, double t, const double* y)
{
  double p[3], R[9];
  bool any = false;
  memset(run->load, 0, (size_t)run->n * sizeof *run->load);
  for (int i = 0; i < run->load_count; ++i)
  {
    if (!run->acting[i]) continue;
    if (!any)
    {
      lw_pose(run->model, run->work, y, p, R);
      lw_jacobian(run->model, run->work, y, run->jacobian);
      any = true;
    }
    add_load(run, &run->loads[i], t, R);
  }
}

void lw_arm_drive(lwArmRun* run, double t, const double* y)
{
  if (run->controlled) lw_arm_control(run, t, y);
  for (int k = 0; k < run->n; ++k) run->tau[k] = command(run, k, t, y);
  if (run->def.torques)
  {
    run->def.torques(run->def.context, t, y, y + run->n, run->further);
    for (int k = 0; k < run->n; ++k) run->tau[k] += run->further[k];
  }
  if (run->load_count > 0) add_loads(run, t, y);
}
