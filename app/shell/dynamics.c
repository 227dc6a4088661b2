// SPDX-License-Identifier: MIT
// inverse_arm and forward_arm: swartz1982's models, with friction and the rotors of the motors.
#include <string.h>

#include "shell.h"

// Torques of the driven joints, with closed loops.
static void closed_torques(Shell* shell, double* tau)
{
  double** v     = shell->vectors;
  lwLoops* loops = NULL;
  lwDiag* diag   = hold_messages();
  lwStates state = {v[VECTOR_THETA], v[VECTOR_OMEGA], v[VECTOR_ALPHA], NULL, shell->wrench};
  lwStatus found = lw_loops_create(shell->model, NULL, diag, &loops);
  hold_loops(loops);
  if (found == LW_OK) found = lw_loops_check(loops, state.q, state.qd, state.qdd, diag);
  if (found == LW_OK) found = lw_loops_inverse(loops, &state, tau, NULL);
  if (found != LW_OK) stop(INPUT, "inverse_arm: %s; 'close' says how", first_error(diag, found));
}

// Torques of the rigid bodies, rotors and friction.
static void needed_torques(Shell* shell, double* tau)
{
  double** v = shell->vectors;
  if (lw_model_loop_count(shell->model) > 0)
    closed_torques(shell, tau);
  else
    lw_inverse_dynamics(shell->model, shell->ws, v[VECTOR_THETA], v[VECTOR_OMEGA], v[VECTOR_ALPHA],
                        tau);
  for (int k = 0; k < shell->n; ++k)
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
}

void shell_inverse_arm(Shell* shell)
{
  double* tau = allocate((size_t)shell->n, sizeof *tau);
  needed_torques(shell, tau);
  if (!all_finite(tau, (size_t)shell->n))
    stop(NUMERICAL, "inverse_arm: the torques are not finite; the values are too large");
  memcpy(shell->vectors[VECTOR_TORQUE], tau, (size_t)shell->n * sizeof *tau);
  shell->voltage_leads = false;
  shell_tie(shell);
  vector_show(shell, VECTOR_TORQUE);
  vector_show(shell, VECTOR_VOLTAGE);
  shell_say_limits(shell);
}

// --- forward

lwSchedule* shell_schedule(const Shell* shell, const char* symbol, const double* values)
{
  const double zero    = 0;
  lwSchedule* schedule = NULL;
  lwScheduleDef def    = {.symbol = symbol, .width = shell->n, .between = LW_BETWEEN_HELD};
  need_ok(lw_schedule_create(&def, 1, &zero, values, NULL, &schedule));
  return hold_schedule(schedule);
}

lwArmDef shell_arm(const Shell* shell, lwJointDrive* drives)
{
  lwArmDef arm = lw_arm_def();
  arm.model    = shell->model;
  arm.q        = shell->vectors[VECTOR_THETA];
  arm.qd       = shell->vectors[VECTOR_OMEGA];
  arm.drives   = drives;
  for (int k = 0; k < 6; ++k) arm.load_count = arm.load_count || shell->wrench[k] != 0;
  arm.loads             = &shell->load;
  arm.integrator.method = "kutta3";  // with steps of 1 ms: swartz1982, "Runge-Kutta Integration"
  return arm;
}

void shell_check_forward(const Shell* shell)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.rotors         = true;
  forward_check(shell->model, shell->path, &def);
}

// Torques of the drives at the commanded voltages, swartz1982 (12): what currents settle at, so
// inductance does not matter here. A joint without a motor has its torque.
static const double* torques_from_voltages(const Shell* shell)
{
  double* tau = allocate((size_t)shell->n, sizeof *tau);
  for (int k = 0; k < shell->n; ++k)
  {
    const lwMotor* motor = &shell_joint(shell, k)->motor;
    double qd            = shell->vectors[VECTOR_OMEGA][k];
    double voltage       = shell->vectors[VECTOR_DAC_OUT][k];
    tau[k]               = motor->given ? lw_motor_drive(motor, qd, voltage).joint_torque
                                        : shell->vectors[VECTOR_TORQUE][k];
  }
  return tau;
}

// The accelerations with which a simulation would begin: friction holds what it can.
void shell_forward_arm(Shell* shell)
{
  lwArmRun* run = NULL;
  shell_check_forward(shell);
  lwJointDrive* drives       = allocate((size_t)shell->n, sizeof *drives);
  const lwSchedule* schedule = shell_schedule(shell, "tau", torques_from_voltages(shell));
  for (int k = 0; k < shell->n; ++k)
    drives[k] = (lwJointDrive){.signal = LW_SIGNAL_SCHEDULE, .schedule = schedule, .column = k};
  const lwArmDef arm = shell_arm(shell, drives);
  lwStatus made      = lw_arm_run_create(&arm, NULL, &run);
  if (made != LW_OK) stop(INPUT, "forward_arm: %s", lw_status_text(made));
  lwArmSample sample = lw_arm_run_sample(hold_arm_run(run));
  if (!all_finite(sample.qdd, (size_t)shell->n))
    stop(NUMERICAL, "forward_arm: the accelerations are not finite; the robot is singular or the "
                    "values are too large");
  memcpy(shell->vectors[VECTOR_ALPHA], sample.qdd, (size_t)shell->n * sizeof(double));
  vector_show(shell, VECTOR_ALPHA);
}
