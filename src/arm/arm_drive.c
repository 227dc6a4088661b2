// SPDX-License-Identifier: MIT
// Time and state to torques: drives, controller, loads.
#include <math.h>
#include <string.h>

#include "arm/arm_internal.h"
#include "math/rotation.h"

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
  memcpy(run->want_q, run->start_q, (size_t)run->nq * sizeof(double));
  memset(run->want_qd, 0, bytes);
  memset(run->want_qdd, 0, bytes);
}

// kp (q* - q) + kd (qd* - qd) of joint k; for quaternions q* - q
// is the rotation vector from q to q*.
static double feedback(const lwArmRun* run, int k, const double* y)
{
  return run->kp[k] * run->gap[k] + run->kd[k] * (run->want_qd[k] - y[run->nq + k]);
}

static void pd_gravity(lwArmRun* run, const double* y)
{
  if (run->loops)
  {
    memset(run->trial, 0, (size_t)run->n * sizeof *run->trial);
    memset(run->right, 0, (size_t)run->n * sizeof *run->right);
    lw_arm_loops_control(run, y, run->right, run->trial);
  }
  else
    lw_gravity(run->believed, run->believed_ws, y, run->control);
  for (int k = 0; k < run->n; ++k) run->control[k] += feedback(run, k, y);
}

static void computed_torque(lwArmRun* run, const double* y)
{
  double* a = run->want_qdd;
  for (int k = 0; k < run->n; ++k) a[k] += feedback(run, k, y);
  if (run->loops)
    lw_arm_loops_control(run, y, y + run->nq, a);
  else
    lw_inverse_dynamics(run->believed, run->believed_ws, y, y + run->nq, a, run->control);
  for (int k = 0; k < run->n; ++k) run->control[k] += run->believed_reflected[k] * a[k];
}

static void feed_forward(lwArmRun* run, const double* y)
{
  if (run->loops)
    lw_arm_loops_control(run, run->want_q, run->want_qd, run->want_qdd);
  else
    lw_inverse_dynamics(run->believed, run->believed_ws, run->want_q, run->want_qd, run->want_qdd,
                        run->control);
  for (int k = 0; k < run->n; ++k)
    run->control[k] += run->believed_reflected[k] * run->want_qdd[k] + feedback(run, k, y);
}

// The torques that the controller commands, into run->control.
static void command_torques(lwArmRun* run, double t, const double* y)
{
  static void (*const laws[])(lwArmRun*,
                              const double*) = {[LW_CONTROL_PD_GRAVITY]      = pd_gravity,
                                                [LW_CONTROL_COMPUTED_TORQUE] = computed_torque,
                                                [LW_CONTROL_FEED_FORWARD]    = feed_forward};
  if (run->def.controller.kind == LW_CONTROL_NONE) return;
  const double* known = lw_arm_sense(run, t, y);
  read_reference(run, t);
  lw_arm_close_reference(run, known);
  lw_model_difference(run->model, known, run->want_q, run->gap);
  laws[run->def.controller.kind](run, known);
}

// --- drives

static double limit_magnitude(double value, double limit)
{
  return value > limit ? limit : value < -limit ? -limit : value;
}

double lw_arm_law(const lwArmRun* run, const lwLaw* law, int k, double t, const double* y)
{
  return lw_law_at(
      law,
      &(lwLawPoint){
          .t = t, .k = k + 1, .n = run->n, .q = lw_arm_position(run, y, k), .qd = y[run->nq + k]});
}

// The command at time t as it enters the drive: a torque, cut where the controller would
// exceed the effort limit, or a voltage.
static double drive_command(lwArmRun* run, int k, double t, const double* y)
{
  const lwJointDrive* drive = &run->drives[k];
  if (drive->signal == LW_SIGNAL_LAW) return lw_arm_law(run, drive->law, k, t, y);
  if (drive->signal == LW_SIGNAL_SCHEDULE)
    return lw_schedule_value(drive->schedule, drive->column, t);
  if (drive->signal == LW_SIGNAL_INPUT) return run->def.commands[k];
  if (drive->signal != LW_SIGNAL_CONTROL) return 0;
  double tau = limit_magnitude(run->control[k], run->limits[k].effort);
  return drive->voltage ? lw_motor_need(&run->motors[k], y[run->nq + k], tau, 0).voltage : tau;
}

// Commands that stay what they are until the next break.
static bool is_kept(const lwJointDrive* drive)
{
  return drive->converted || (drive->signal == LW_SIGNAL_SCHEDULE &&
                              lw_schedule_between(drive->schedule) == LW_BETWEEN_HELD);
}

// The torque of a motor at a voltage.
static double by_motor(lwArmRun* run, int k, double voltage, const double* y)
{
  const lwMotor* motor = &run->motors[k];
  int at               = run->current_at[k];
  lwMotorPoint point =
      at < 0 ? lw_motor_drive(motor, y[run->nq + k], voltage)
             : lw_motor_drive_current(motor, y[run->nq + k], voltage, y[at], &run->current_rate[k]);
  run->voltage[k] = point.voltage;
  run->current[k] = point.current;
  run->cut[k]     = point.limits;
  return point.joint_torque;
}

static double joint_drive_torque(lwArmRun* run, int k, double t, const double* y)
{
  const lwJointDrive* drive = &run->drives[k];
  double tau                = 0;
  if (drive->signal != LW_SIGNAL_NONE)
  {
    double value = is_kept(drive) ? run->kept[k] : drive_command(run, k, t, y);
    tau          = drive->voltage ? by_motor(run, k, value, y) : value;
  }
  if (drive->sprung)
    tau += lw_spring_torque(&drive->spring, lw_arm_position(run, y, k), y[run->nq + k]);
  return tau;
}

// --- commands that are kept

void lw_arm_sample(lwArmRun* run)
{
  bool controlled = false;
  for (int k = 0; k < run->n; ++k)
  {
    const lwJointDrive* drive = &run->drives[k];
    bool waits                = drive->converted && lw_clock_time(&run->clocks[k]) > run->t;
    if (waits || !is_kept(drive)) continue;
    if (drive->signal == LW_SIGNAL_CONTROL && !controlled)
    {
      command_torques(run, run->t, run->y);
      controlled = true;
    }
    run->kept[k] = drive_command(run, k, run->t, run->y);
    if (!drive->converted) continue;
    run->kept[k] = lw_dac_level(&drive->dac, run->kept[k]);
    ++run->clocks[k].k;
    ++run->audit.samples;
  }
}

double lw_arm_next_command(const lwArmRun* run)
{
  double next = INFINITY;
  for (int k = 0; k < run->n; ++k)
  {
    const lwJointDrive* drive = &run->drives[k];
    if (drive->converted)
      next = fmin(next, lw_clock_time(&run->clocks[k]));
    else if (drive->signal == LW_SIGNAL_SCHEDULE)
      next = fmin(next, lw_schedule_next(drive->schedule, run->t));
  }
  return next;
}

// --- another drive

void lw_arm_take_drive(lwArmRun* run, int k, const lwJointDrive* drive)
{
  double before  = run->tau[k];
  run->drives[k] = *drive;
  if (drive->converted) run->clocks[k] = lw_clock_at(0, drive->dac.period, run->t);
  run->voltage[k] = run->current[k] = run->current_rate[k] = 0;
  if (run->current_at[k] >= 0 && !drive->voltage) run->y[run->current_at[k]] = 0;
  if (drive->rest_here) run->drives[k].spring.rest = lw_arm_position(run, run->y, k);
  if (drive->preload_here) run->drives[k].spring.preload = before;
  run->tau[k]     = 0;
  run->controlled = run->timed = false;
  run->driven                  = run->def.torques || run->oil;
  for (int i = 0; i < run->n; ++i)
  {
    const lwJointDrive* now = &run->drives[i];
    bool follows            = now->signal == LW_SIGNAL_CONTROL && !now->converted;
    run->controlled         = run->controlled || follows;
    run->driven             = run->driven || now->signal != LW_SIGNAL_NONE || now->sprung;
    run->timed              = run->timed || now->converted || now->signal == LW_SIGNAL_SCHEDULE;
  }
}

// --- loads

// load += J^T w
static void add_load(lwArmRun* run, const lwLoadDef* load, double t, const double R[9])
{
  double w[6], base[6];
  for (int i = 0; i < 6; ++i)
    w[i] = load->constant[i] +
           (load->component[i] ? lw_law_at(load->component[i], &(lwLawPoint){.t = t}) : 0);
  memcpy(base, w, sizeof base);
  if (!load->in_base) lw_rotate(R, w, base), lw_rotate(R, w + 3, base + 3);
  for (int i = 0; i < 6; ++i)
    for (int k = 0; k < run->n; ++k) run->load[k] += run->jacobian[i * run->n + k] * base[i];
}

static void add_loads(lwArmRun* run, double t, const double* y)
{
  double p[3], R[9];
  const lwFrame* frame = NULL;  // that of the last link
  bool any             = false;
  memset(run->load, 0, (size_t)run->n * sizeof *run->load);
  for (int i = 0; i < run->load_count; ++i)
  {
    if (!run->acting[i]) continue;
    if (!any || run->loads[i].frame != frame)
    {
      frame = run->loads[i].frame;
      lw_workspace_set_frame(run->ws, run->model, frame, NULL);  // checked by lw_arm_run_create()
      lw_pose(run->model, run->ws, y, p, R);
      lw_jacobian(run->model, run->ws, y, run->jacobian);
      any = true;
    }
    add_load(run, &run->loads[i], t, R);
  }
  if (frame) lw_workspace_set_frame(run->ws, run->model, NULL, NULL);
}

void lw_arm_drive(lwArmRun* run, double t, const double* y)
{
  if (run->controlled) command_torques(run, t, y);
  for (int k = 0; k < run->n && run->driven; ++k) run->tau[k] = joint_drive_torque(run, k, t, y);
  if (run->def.torques)
  {
    run->def.torques(run->def.context, t, y, y + run->nq, run->further);
    for (int k = 0; k < run->n; ++k) run->tau[k] += run->further[k];
  }
  if (run->oil)
  {
    lw_cylinders_closed_torque(run->oil, y, y + run->nq, run->further, NULL);
    for (int k = 0; k < run->n; ++k) run->tau[k] += run->further[k];
  }
  if (run->load_count > 0) add_loads(run, t, y);
}
