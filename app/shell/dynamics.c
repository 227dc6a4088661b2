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

int shell_schedule(const Shell* shell, const char* symbol, const double* values,
                   lwSchedule** schedule)
{
  const double zero = 0;
  lwScheduleDef def = {.symbol = symbol, .width = shell->n, .between = LW_BETWEEN_HELD};
  lwStatus made     = lw_schedule_create(&def, 1, &zero, values, NULL, schedule);
  return made == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(made));
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

// Torques of the drives at the commanded voltages, swartz1982 (12): what currents settle at, so
// inductance does not matter here. A joint without a motor has its torque.
static void torques_from_voltages(const Shell* shell, double* tau)
{
  for (int k = 0; k < shell->n; ++k)
  {
    const lwMotor* motor = &shell_joint(shell, k)->motor;
    double qd            = shell->vectors[VECTOR_OMEGA][k];
    double voltage       = shell->vectors[VECTOR_DAC_OUT][k];
    tau[k]               = motor->given ? lw_motor_drive(motor, qd, voltage).joint_torque
                                        : shell->vectors[VECTOR_TORQUE][k];
  }
}

int shell_forward_arm(Shell* shell)
{
  lwSchedule* schedule = NULL;
  double* tau          = calloc((size_t)shell->n + 1, sizeof *tau);
  lwJointDrive* drives = calloc((size_t)shell->n + 1, sizeof *drives);
  int status           = tau && drives ? shell_can_move(shell) : no_memory();
  if (status == DONE && tau)
  {
    torques_from_voltages(shell, tau);
    status = shell_schedule(shell, "tau", tau, &schedule);
  }
  if (status == DONE && drives)
  {
    for (int k = 0; k < shell->n; ++k)
      drives[k] = (lwJointDrive){.signal = LW_SIGNAL_SCHEDULE, .schedule = schedule, .column = k};
    const lwArmDef arm = shell_arm(shell, drives);
    status             = accelerations_from_torques(shell, &arm);
  }
  if (status == DONE) vector_show(shell, VECTOR_ALPHA);
  lw_schedule_destroy(schedule);
  free(drives);
  free(tau);
  return status;
}
