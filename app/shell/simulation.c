// SPDX-License-Identifier: MIT
// simulate: the motion under what the variables say, or under a schedule,
// as swartz1982's "voltage schedule".
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "shell.h"
#include "simulate/recorded.h"
#include "simulate/simulate.h"

// What was asked for, and what the run needs.
typedef struct ShellTrial
{
  Shell* shell;
  bool fresh;                // a new recording, at t = 0
  const char* path;          // of the schedule, or NULL
  lwSchedule* schedules[2];  // of the file: torques, voltages; NULL: it has none
  lwJointDrive* drives;      // (n)
  size_t skip;               // records, of a run that goes on: its first is there already
  Simulation sim;
} ShellTrial;

enum
{
  ARGUMENT_NEW,
  ARGUMENT_ZERO,
  ARGUMENT_SCHEDULE,
  ARGUMENT_DURATION,
  ARGUMENT_RECORD,
  ARGUMENT_STEPS
};

// --- schedules: [0] torques, [1] voltages

static const char* const SYMBOLS[2] = {"tau", "v"};

static lwSchedule* read_schedule(const ShellTrial* trial, int kind)
{
  lwSchedule* schedule = NULL;
  lwDiag* diag         = hold_messages();
  lwScheduleDef def    = {.symbol  = SYMBOLS[kind],
                          .width   = trial->shell->n,
                          .names   = joint_names(trial->shell->model, GROUP_QD),
                          .partial = true,
                          .between = LW_BETWEEN_HELD};
  lwStatus status      = lw_schedule_read_file(trial->path, &def, diag, &schedule);
  hold_schedule(schedule);
  need_read(status, trial->path, diag, false);
  return schedule;
}

// Columns of the file drive their joints, a voltage rather than a torque;
// other joints hold what the variables say.
static void take_schedule(ShellTrial* trial)
{
  const Shell* shell = trial->shell;
  bool kinds[2]      = {false, false};
  if (!strcmp(trial->path, "-"))
    stop(USAGE, "simulate: the schedule cannot be standard input, where the commands come from");
  Recorded file = recorded_open(trial->path);
  for (size_t c = 0; c < file.fields; ++c)
    for (int i = 0; i < 2; ++i) kinds[i] = kinds[i] || column_is_in(file.names[c], SYMBOLS[i]);
  if (!kinds[0]) kinds[1] = true;  // the message then names what is missing
  for (int i = 0; i < 2; ++i)
    if (kinds[i]) trial->schedules[i] = read_schedule(trial, i);
  for (int k = 0; k < shell->n; ++k)
    for (int i = 0; i < 2; ++i)
    {
      if (!trial->schedules[i] || !lw_schedule_has(trial->schedules[i], k)) continue;
      if (i == 1 && !shell_joint(shell, k)->motor.given)
        stop(INPUT, "%s: joint '%s' has no motor: voltage unavailable, expected tau%d", trial->path,
             joint_name(shell->model, k), k + 1);
      trial->drives[k] = (lwJointDrive){.signal   = LW_SIGNAL_SCHEDULE,
                                        .voltage  = i == 1,
                                        .schedule = trial->schedules[i],
                                        .column   = k};
    }
}

// The time of the last row; 1 s if there is none behind 0.
static double schedule_end(lwSchedule* const schedules[2])
{
  double end                 = 0;
  const lwSchedule* schedule = schedules[0] ? schedules[0] : schedules[1];
  if (!schedule) return 1;
  for (double t = lw_schedule_next(schedule, 0); isfinite(t); t = lw_schedule_next(schedule, t))
    end = t;
  return end > 0 ? end : 1;
}

// --- the run

// Times, work and S go on where the run before ended.
static void keep_sample(void* to, const double* values)
{
  ShellTrial* trial    = to;
  Recording* recording = &trial->shell->recording;
  size_t width         = recording->width;
  if (trial->skip > 0)
  {
    --trial->skip;
    return;
  }
  double* row = recording->values + recording->rows++ * width;
  memcpy(row, values, width * sizeof *row);
  row[0] += recording->t;
  row[width - 2] += recording->work;
  row[width - 1] += recording->S;
}

static void name_columns(Recording* recording, const Simulation* sim)
{
  recording_clear(recording);
  recording->width   = sim->columns;
  recording->current = calloc((size_t)lw_model_dof(sim->model) + 1, sizeof(double));
  recording->columns = calloc(sim->columns, sizeof *recording->columns);
  if (!recording->columns || !recording->current) leave(no_memory());
  for (size_t c = 0; c < sim->columns; ++c)
  {
    recording->columns[c].joint = simulation_joint(sim, c);
    simulation_column(sim, c, recording->columns[c].name);
  }
}

static void check_columns(const Recording* recording, const Simulation* sim)
{
  bool same = recording->width == sim->columns;
  for (size_t c = 0; c < sim->columns && same; ++c)
  {
    char name[LW_ROW_NAME];
    simulation_column(sim, c, name);
    same = !strcmp(name, recording->columns[c].name);
  }
  if (!same)
    stop(USAGE, "simulate: the run before was not driven by the same torques and voltages; "
                "start a new one, new=yes");
}

static void prepare_recording(ShellTrial* trial)
{
  Recording* recording = &trial->shell->recording;
  const RunLoop* loop  = &trial->sim.timed.loop;
  if (trial->fresh)
    name_columns(recording, &trial->sim);
  else
    check_columns(recording, &trial->sim);
  double count = ceil(loop->duration / loop->record) + 3;
  recording_grow(recording, count < 1e15 ? (size_t)count : SIZE_MAX);
  if (trial->fresh) return;
  const double* last = recording->values + (recording->rows - 1) * recording->width;
  recording->t       = last[0];
  recording->work    = last[recording->width - 2];
  recording->S       = last[recording->width - 1];
  trial->skip        = 1;
}

// Copies the drive commands at time t into the shell's variables. Voltages lead from then on if
// there are any; those of motors that a torque drives are what it needs now.
static void take_commands(ShellTrial* trial, double t)
{
  Shell* shell = trial->shell;
  bool voltage = false;
  for (int k = 0; k < shell->n; ++k)
    if (!trial->drives[k].voltage)
      shell->vectors[VECTOR_TORQUE][k] = lw_schedule_value(trial->drives[k].schedule, k, t);
  shell->voltage_leads = false;
  shell_tie(shell);
  for (int k = 0; k < shell->n; ++k)
    if (trial->drives[k].voltage)
    {
      shell->vectors[VECTOR_DAC_OUT][k] = lw_schedule_value(trial->drives[k].schedule, k, t);
      voltage                           = true;
    }
  shell->voltage_leads = voltage;
  shell_tie(shell);
}

// The variables become those of the sample that was reached.
static void take_over(ShellTrial* trial)
{
  Shell* shell       = trial->shell;
  size_t bytes       = (size_t)shell->n * sizeof(double);
  lwArmSample sample = lw_arm_run_sample(trial->sim.run);
  lwClock converter  = lw_clock_at(0, shell->period, sample.t);
  if (!isfinite(sample.S)) return;
  memcpy(shell->vectors[VECTOR_THETA], sample.q, (size_t)shell->nq * sizeof(double));
  memcpy(shell->vectors[VECTOR_OMEGA], sample.qd, bytes);
  memcpy(shell->vectors[VECTOR_ALPHA], sample.qdd, bytes);
  memcpy(shell->recording.current, sample.current, bytes);
  take_commands(trial, lw_clock_time(&converter));
  for (int k = 0; k < shell->n; ++k)
    if (trial->drives[k].voltage) shell->vectors[VECTOR_TORQUE][k] = sample.tau[k];
}

static void run_trial(ShellTrial* trial)
{
  Shell* shell    = trial->shell;
  Simulation* sim = &trial->sim;
  sim->arm        = shell_arm(shell, trial->drives);
  if (!trial->fresh) sim->arm.current = shell->recording.current;
  sim->timed.options = &shell->options;
  sim->model         = shell->model;
  sim->name          = shell->path;
  sim->keep          = keep_sample;
  sim->to            = trial;
  integrator_choose(&shell->options, &sim->arm.integrator);
  simulation_begin(sim, "simulate");
  prepare_recording(trial);
  simulation_warn_of_steps(sim);
  int status         = run_loop_run(&sim->timed.loop, &shell->screen, simulation_step, sim);
  sim->timed.seconds = run_loop_seconds(&sim->timed.loop);
  if (lw_arm_run_time(sim->run) > sim->reached) simulation_record(sim);  // where Ctrl-C came
  take_over(trial);
  audit_text(sim, print_to_out, &shell->screen);
  double end = shell->recording.t + sim->reached;
  lw_out_format(&shell->screen, "%zu records up to t = %.9g s%s\n", shell->recording.rows, end,
                time_is_rounded(end, 9) ? ", rounded" : "");
  lwAudit audit = lw_arm_run_audit(sim->run);
  need(status != DONE ? status : run_trusted(audit.trusted, audit.worst_S, audit.bound));
}

// --- what is asked

// steps=N: the duration of as many steps.
static double duration_of_steps(Shell* shell)
{
  lwArmDef arm     = shell_arm(shell, NULL);
  const char* text = shell->given[ARGUMENT_STEPS];
  integrator_choose(&shell->options, &arm.integrator);
  double steps = ask_number(shell, ARGUMENT_STEPS, 0, 1);
  if (lw_integrator_method_find(arm.integrator.method)->adaptive)
    complain(shell, text,
             "steps: those of %s have no fixed length; expected duration=", arm.integrator.method);
  if (steps != floor(steps)) complain(shell, text, "steps: '%s' is not a whole number", text);
  if (shell->given[ARGUMENT_DURATION])
    complain(shell, text, "steps and duration exclude each other");
  lw_out_format(&shell->screen, "%.9g steps of %.9g s\n", steps, arm.integrator.step);
  return steps * arm.integrator.step;
}

static void rest_at_zero(Shell* shell)
{
  if (lw_model_loop_count(shell->model) > 0)
    lw_model_start(shell->model, shell->vectors[VECTOR_THETA]);
  else
    lw_model_neutral(shell->model, shell->vectors[VECTOR_THETA]);
  memset(shell->vectors[VECTOR_OMEGA], 0, (size_t)shell->n * sizeof(double));
  shell->voltage_leads = true;  // it is what is held
  shell_tie(shell);
}

static void ask_all(ShellTrial* trial)
{
  Shell* shell = trial->shell;
  trial->fresh = shell->recording.rows == 0 || ask_yes(shell, ARGUMENT_NEW, true);
  bool zero    = trial->fresh && ask_yes(shell, ARGUMENT_ZERO, false);
  trial->path  = ask_file(shell, ARGUMENT_SCHEDULE, "none");
  if (strcmp(trial->path, "none") != 0) take_schedule(trial);
  RunLoop* loop  = &trial->sim.timed.loop;
  loop->duration = shell->given[ARGUMENT_STEPS]
                       ? duration_of_steps(shell)
                       : ask_number(shell, ARGUMENT_DURATION, 0, schedule_end(trial->schedules));
  loop->record   = ask_number(shell, ARGUMENT_RECORD, 0, fmin(loop->duration, 0.01));
  if (zero) rest_at_zero(shell);
}

// The questions of sim, in its order.
static void ask_timesteps(ShellTrial* trial)
{
  enum
  {
    NEW,
    ZERO,
    SCHEDULED,
    SCHEDULE,
    TIMESTEPS
  };
  Shell* shell  = trial->shell;
  RunLoop* loop = &trial->sim.timed.loop;
  trial->fresh  = ask_yes(shell, NEW, true) || shell->recording.rows == 0;
  bool zero     = ask_yes(shell, ZERO, false);
  loop->record  = shell_arm(shell, NULL).integrator.step;
  if (ask_yes(shell, SCHEDULED, false))
  {
    trial->path = ask_file(shell, SCHEDULE, NULL);
    take_schedule(trial);
    if (trial->schedules[0])
      stop(INPUT, "%s: torques do not drive this arm, expected voltages v1..v%d", trial->path,
           shell->n);
    loop->duration = schedule_end(trial->schedules);
  }
  else
  {
    double steps = ask_number(shell, TIMESTEPS, 0, 1000);
    if (steps != floor(steps)) complain(shell, NULL, "timesteps: expected a whole number");
    loop->duration = steps * loop->record;
  }
  if (zero) rest_at_zero(shell);
}

// Joints that the schedule does not drive hold their voltage (swartz1982: "the voltage is assumed
// to be held constant"), or without a motor their torque; after the questions, for the state may
// have become zero. All drives go by the converter, where it has a period.
static void complete_drives(ShellTrial* trial)
{
  Shell* shell            = trial->shell;
  const Vector vectors[2] = {VECTOR_TORQUE, VECTOR_DAC_OUT};
  const lwSchedule* held[2];
  lwDac dac  = lw_dac_ideal();
  dac.period = shell->period;
  for (int i = 0; i < 2; ++i)
    held[i] = shell_schedule(shell, SYMBOLS[i], shell->vectors[vectors[i]]);
  for (int k = 0; k < shell->n; ++k)
  {
    lwJointDrive* drive = &trial->drives[k];
    bool voltage        = shell_joint(shell, k)->motor.given;
    if (drive->signal == LW_SIGNAL_NONE)
      *drive = (lwJointDrive){
          .signal = LW_SIGNAL_SCHEDULE, .voltage = voltage, .schedule = held[voltage], .column = k};
    if (dac.period > 0) drive->converted = true;
    if (dac.period > 0) drive->dac = dac;
  }
}

static void simulate_asking(Shell* shell, void (*questions)(ShellTrial* trial))
{
  ShellTrial* trial = allocate(1, sizeof *trial);
  trial->shell      = shell;
  trial->drives     = allocate((size_t)shell->n, sizeof *trial->drives);
  shell_check_forward(shell);
  questions(trial);
  complete_drives(trial);
  run_trial(trial);
}

void shell_simulate(Shell* shell)
{
  simulate_asking(shell, ask_all);
}

void shell_simulate_timesteps(Shell* shell)
{
  simulate_asking(shell, ask_timesteps);
}
