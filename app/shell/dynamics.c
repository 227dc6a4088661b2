// SPDX-License-Identifier: MIT
// inverse_arm and forward_arm: swartz1982's models, with friction and the rotors of the motors.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/loop.h"
#include "shell.h"

// Torques of the driven joints, with closed loops. DONE, or prints an error and returns its code.
static int closed_torques(Shell* shell, double* tau)
{
  double** v     = shell->vectors;
  lwLoops* loops = NULL;
  lwDiag* diag   = lw_diag_create();
  lwStates state = {v[VECTOR_THETA], v[VECTOR_OMEGA], v[VECTOR_ALPHA], NULL, shell->hand};
  lwStatus found = diag ? lw_loops_create(shell->model, NULL, diag, &loops) : LW_ERROR_MEMORY;
  if (found == LW_OK) found = lw_loops_check(loops, state.q, state.qd, state.qdd, diag);
  if (found == LW_OK) found = lw_loops_inverse(loops, &state, tau, NULL);
  const char* why = lw_status_text(found);
  if (found != LW_OK && diag && lw_diag_size(diag) > 0) why = lw_diag_message(diag, 0)->text;
  int status = found == LW_OK ? DONE : fail(INPUT, "inverse_arm: %s; 'close' says how", why);
  lw_loops_destroy(loops);
  lw_diag_destroy(diag);
  return status;
}

// Torques of the rigid bodies, rotors and friction.
static int needed_torques(Shell* shell, double* tau)
{
  double** v = shell->vectors;
  int status = DONE;
  if (lw_model_loop_count(shell->model) > 0)
    status = closed_torques(shell, tau);
  else
    lw_inverse_dynamics(shell->model, shell->ws, v[VECTOR_THETA], v[VECTOR_OMEGA], v[VECTOR_ALPHA],
                        tau);
  for (int k = 0; k < shell->n && status == DONE; ++k)
  {
    int at = lw_model_velocity(shell->model, k).other;
    double loads[LW_LOAD_COUNT];
    lwJointSample sample = {.q   = at < 0 ? 0 : v[VECTOR_THETA][at],
                            .qd  = v[VECTOR_OMEGA][k],
                            .qdd = v[VECTOR_ALPHA][k],
                            .tau = tau[k]};
    lw_joint_loads(shell_joint(shell, k), &sample, 0, loads);
    tau[k] = loads[LW_LOAD_TORQUE];
  }
  return status;
}

int shell_inverse_arm(Shell* shell)
{
  double* tau = calloc((size_t)shell->n + 1, sizeof *tau);
  if (!tau) return no_memory();
  int status  = needed_torques(shell, tau);
  bool finite = status == DONE && all_finite(tau, (size_t)shell->n);
  if (finite)
  {
    memcpy(shell->vectors[VECTOR_TORQUE], tau, (size_t)shell->n * sizeof *tau);
    shell->voltage_leads = false;
    shell_tie(shell);
    vector_show(shell, VECTOR_TORQUE);
    vector_show(shell, VECTOR_VOLTAGE);
    shell_say_limits(shell);
  }
  free(tau);
  if (finite || status != DONE) return status;
  return fail(NUMERICAL, "inverse_arm: the torques are not finite; the values are too large");
}

// --- forward

int shell_schedules(const Shell* shell, lwSchedule* schedules[2])
{
  static const char* const symbols[2] = {"tau", "v"};
  const Vector vectors[2]             = {VECTOR_TORQUE, VECTOR_DAC_OUT};
  const double zero                   = 0;
  for (int i = 0; i < 2; ++i)
  {
    lwScheduleDef def = {.symbol = symbols[i], .width = shell->n, .between = LW_BETWEEN_HELD};
    lwStatus made =
        lw_schedule_create(&def, 1, &zero, shell->vectors[vectors[i]], NULL, &schedules[i]);
    if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  }
  return DONE;
}

lwArmDef shell_arm(const Shell* shell, lwJointDrive* drives)
{
  lwArmDef arm = lw_arm_def();
  arm.model    = shell->model;
  arm.q        = shell->vectors[VECTOR_THETA];
  arm.qd       = shell->vectors[VECTOR_OMEGA];
  arm.drives   = drives;
  for (int k = 0; k < 6; ++k) arm.load_count = arm.load_count || shell->hand[k] != 0;
  arm.loads             = &shell->load;
  arm.integrator.method = "kutta3";  // with steps of 1 ms: swartz1982, "Runge-Kutta Integration"
  return arm;
}

// Joint by joint: the voltage if it was set last and there is a motor, else the torque.
void shell_hold(const Shell* shell, lwSchedule* const schedules[2], lwJointDrive* drives)
{
  for (int k = 0; k < shell->n; ++k)
  {
    bool voltage = shell->voltage_leads && shell_joint(shell, k)->motor.given;
    drives[k]    = (lwJointDrive){.signal   = LW_SIGNAL_SCHEDULE,
                                  .voltage  = voltage,
                                  .schedule = schedules[voltage],
                                  .column   = k};
  }
}

int shell_can_move(const Shell* shell)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.rotors         = true;
  return forward_check(shell->model, shell->path, &def);
}

// The sample at which a simulation would begin: friction holds what it can.
static int accelerations_from_torques(Shell* shell, const lwArmDef* arm)
{
  lwArmRun* run = NULL;
  lwStatus made = lw_arm_run_create(arm, NULL, &run);
  if (made != LW_OK) return fail(INPUT, "forward_arm: %s", lw_status_text(made));
  lwArmSample sample = lw_arm_run_sample(run);
  bool finite        = all_finite(sample.qdd, (size_t)shell->n);
  if (finite) memcpy(shell->vectors[VECTOR_ALPHA], sample.qdd, (size_t)shell->n * sizeof(double));
  lw_arm_run_destroy(run);
  if (finite) return DONE;
  return fail(NUMERICAL, "forward_arm: the accelerations are not finite; the robot is singular or "
                         "the values are too large");
}

int shell_forward_arm(Shell* shell)
{
  lwSchedule* schedules[2] = {NULL, NULL};
  lwJointDrive* drives     = calloc((size_t)shell->n + 1, sizeof *drives);
  if (!drives) return no_memory();
  int status = shell_can_move(shell);
  if (status == DONE) status = shell_schedules(shell, schedules);
  if (status == DONE)
  {
    shell_hold(shell, schedules, drives);
    const lwArmDef arm = shell_arm(shell, drives);
    status             = accelerations_from_torques(shell, &arm);
  }
  if (status == DONE) vector_show(shell, VECTOR_ALPHA);
  lw_schedule_destroy(schedules[0]);
  lw_schedule_destroy(schedules[1]);
  free(drives);
  return status;
}
