// SPDX-License-Identifier: MIT
// simulate: the motion under what the variables say, or under a schedule,
// as swartz1982's "voltage schedule".
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "io/files.h"
#include "linkwork/loop.h"
#include "shell.h"
#include "simulate/integrator_option.h"
#include "simulate/simulate.h"

// What was asked for, and what the run needs.
typedef struct ShellTrial
{
  Shell* shell;
  bool fresh;                // a new recording, at t = 0
  const char* path;          // of the schedule, or NULL
  lwSchedule* schedules[2];  // of the file: torques, voltages; NULL: it has none
  lwSchedule* held[2];       // of the variables
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

// Which kinds of columns the file has; if none, looks for voltages,
// so that the message names what is missing.
static int find_kinds(const char* path, bool kinds[2])
{
  lwLines lines;
  int status = lines_open(&lines, path, 1 << 20);
  if (status != DONE) return status;
  char* cursor = exit_of(lw_lines_next(&lines)) == DONE ? lines.line : NULL;
  while (cursor)
  {
    const char* name = lw_field_take(&cursor);
    if (!name) break;
    for (int i = 0; i < 2; ++i)
      kinds[i] = kinds[i] || lw_plot_column_is_in(name, SYMBOLS[i], strlen(SYMBOLS[i]));
  }
  lw_lines_close(&lines);
  if (!kinds[0]) kinds[1] = true;
  return DONE;
}

static int read_schedule(ShellTrial* trial, int kind, const char* const* names)
{
  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwScheduleDef def = {.symbol  = SYMBOLS[kind],
                       .width   = trial->shell->n,
                       .names   = names,
                       .partial = true,
                       .between = LW_BETWEEN_HELD};
  lwStatus status   = lw_schedule_read_file(trial->path, &def, diag, &trial->schedules[kind]);
  errors_print(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(INPUT, "%s: %s", trial->path, lw_status_text(status));
  inputs_add(diag);
  lw_diag_destroy(diag);
  return status == LW_OK ? DONE : INPUT;
}

static int read_schedules(ShellTrial* trial)
{
  Shell* shell       = trial->shell;
  bool kinds[2]      = {false, false};
  const char** names = calloc((size_t)shell->n + 1, sizeof *names);
  if (!names) return no_memory();
  for (int k = 0; k < shell->n; ++k) names[k] = joint_name(shell->model, k);
  int status = find_kinds(trial->path, kinds);
  for (int i = 0; i < 2 && status == DONE; ++i)
    if (kinds[i]) status = read_schedule(trial, i, names);
  free(names);
  return status;
}

// Columns of the file drive their joints, a voltage rather than a torque;
// other joints hold what the variables say.
static int take_schedule(ShellTrial* trial)
{
  Shell* shell = trial->shell;
  if (!strcmp(trial->path, "-"))
    return fail(USAGE,
                "simulate: the schedule cannot be standard input, where the commands come from");
  int status = read_schedules(trial);
  for (int k = 0; k < shell->n && status == DONE; ++k)
    for (int i = 0; i < 2; ++i)
    {
      if (!trial->schedules[i] || !lw_schedule_has(trial->schedules[i], k)) continue;
      if (i == 1 && !shell_joint(shell, k)->motor.given)
        status = fail(INPUT, "%s: joint '%s' has no motor: voltage unavailable, expected tau%d",
                      trial->path, joint_name(shell->model, k), k + 1);
      trial->drives[k] = (lwJointDrive){.signal   = LW_SIGNAL_SCHEDULE,
                                        .voltage  = i == 1,
                                        .schedule = trial->schedules[i],
                                        .column   = k};
    }
  return status;
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
  if (trial->skip > 0)
  {
    --trial->skip;
    return;
  }
  double* row = recording->values + recording->rows++ * recording->columns;
  memcpy(row, values, recording->columns * sizeof *row);
  row[0] += recording->t;
  row[recording->columns - 2] += recording->work;
  row[recording->columns - 1] += recording->S;
}

static int name_columns(Recording* recording, const Simulation* sim)
{
  recording->columns = sim->columns;
  recording->current = calloc((size_t)lw_model_dof(sim->model) + 1, sizeof(double));
  recording->names   = calloc(sim->columns, sizeof *recording->names);
  recording->labels  = calloc(sim->columns, sizeof *recording->labels);
  if (!recording->names || !recording->labels || !recording->current) return no_memory();
  for (size_t c = 0; c < sim->columns; ++c)
  {
    int joint = simulation_joint(sim, c);
    simulation_column(sim, c, recording->names[c]);
    if (joint < 0) continue;
    recording->labels[c] = strdup(joint_name(sim->model, joint));
    if (!recording->labels[c]) return no_memory();
  }
  return DONE;
}

static int check_columns(const Recording* recording, const Simulation* sim)
{
  bool same = recording->columns == sim->columns;
  for (size_t c = 0; c < sim->columns && same; ++c)
  {
    char name[LW_ROW_NAME];
    simulation_column(sim, c, name);
    same = !strcmp(name, recording->names[c]);
  }
  if (same) return DONE;
  return fail(USAGE, "simulate: the run before was not driven by the same torques and voltages; "
                     "start a new one, new=yes");
}

static int prepare_recording(ShellTrial* trial)
{
  Recording* recording = &trial->shell->recording;
  int status           = DONE;
  if (trial->fresh)
  {
    recording_clear(recording);
    status = name_columns(recording, &trial->sim);
  }
  else
    status = check_columns(recording, &trial->sim);
  if (status != DONE) return status;
  double count = ceil(trial->sim.run_loop.duration / trial->sim.run_loop.record) + 3;
  status       = recording_grow(recording, count < 1e15 ? (size_t)count : SIZE_MAX);
  if (status != DONE || trial->fresh) return status;
  const double* last = recording->values + (recording->rows - 1) * recording->columns;
  recording->t       = last[0];
  recording->work    = last[recording->columns - 2];
  recording->S       = last[recording->columns - 1];
  trial->skip        = 1;
  return DONE;
}

// What the drives command at time t becomes what the variables say. Voltages lead from then on if
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
  size_t places      = (size_t)shell->nq * sizeof(double);
  lwArmSample sample = lw_arm_run_sample(trial->sim.run);
  lwClock converter  = lw_clock_at(0, shell->period, sample.t);
  if (!isfinite(sample.S)) return;
  memcpy(shell->vectors[VECTOR_THETA], sample.q, places);
  memcpy(shell->vectors[VECTOR_OMEGA], sample.qd, bytes);
  memcpy(shell->vectors[VECTOR_ALPHA], sample.qdd, bytes);
  memcpy(shell->recording.current, sample.current, bytes);
  take_commands(trial, lw_clock_time(&converter));
  for (int k = 0; k < shell->n; ++k)
    if (trial->drives[k].voltage) shell->vectors[VECTOR_TORQUE][k] = sample.tau[k];
}

static void print_to_screen(void* to, const char* text)
{
  lw_out_text(to, text);
}

static int run_simulation(ShellTrial* trial)
{
  Shell* shell    = trial->shell;
  Simulation* sim = &trial->sim;
  sim->arm        = shell_arm(shell, trial->drives);
  if (!trial->fresh) sim->arm.current = shell->recording.current;
  sim->model = shell->model;
  sim->name  = shell->path;
  sim->keep  = keep_sample;
  sim->to    = trial;
  int status = integrator_choose(&shell->options, &sim->arm.integrator);
  if (status == DONE) status = simulation_begin(sim, "simulate");
  if (status == DONE) status = prepare_recording(trial);
  if (status != DONE) return status;
  status       = run_loop_run(&sim->run_loop, &sim->out, simulation_step, sim);
  sim->seconds = run_loop_seconds(&sim->run_loop);
  if (lw_arm_run_time(sim->run) > sim->reached) simulation_record(sim);  // where Ctrl-C came
  take_over(trial);
  audit_text(sim, print_to_screen, &shell->screen);
  double end = shell->recording.t + sim->reached;
  lw_out_format(&shell->screen, "%zu records up to t = %.9g s%s\n", shell->recording.rows, end,
                time_is_rounded(end, 9) ? ", rounded" : "");
  lwArmAudit audit = lw_arm_run_audit(sim->run);
  return status != DONE ? status : run_trusted(audit.trusted, audit.worst_S, audit.bound);
}

// --- what is asked

// steps=N: the duration of as many steps.
static int take_steps(ShellTrial* trial, double* duration)
{
  Shell* shell     = trial->shell;
  lwArmDef arm     = shell_arm(shell, NULL);
  double steps     = 0;
  const char* text = shell->given[ARGUMENT_STEPS];
  int status       = integrator_choose(&shell->options, &arm.integrator);
  if (status == DONE) status = ask_number(shell, ARGUMENT_STEPS, 0, 1, &steps);
  if (status != DONE) return status;
  if (lw_integrator_method_find(arm.integrator.method)->adaptive)
    return complain(shell, text, "steps: those of %s have no fixed length; expected duration=",
                    arm.integrator.method);
  if (steps != floor(steps))
    return complain(shell, text, "steps: '%s' is not a whole number", text);
  if (shell->given[ARGUMENT_DURATION])
    return complain(shell, text, "steps and duration exclude each other");
  *duration = steps * arm.integrator.step;
  lw_out_format(&shell->screen, "%.9g steps of %.9g s\n", steps, arm.integrator.step);
  return DONE;
}

static int ask_times(ShellTrial* trial)
{
  RunLoop* run_loop = &trial->sim.run_loop;
  double* duration  = &run_loop->duration;
  double fallback   = schedule_end(trial->schedules);
  int status        = trial->shell->given[ARGUMENT_STEPS]
                          ? take_steps(trial, duration)
                          : ask_number(trial->shell, ARGUMENT_DURATION, 0, fallback, duration);
  if (status != DONE) return status;
  fallback = run_loop->duration < 0.01 ? run_loop->duration : 0.01;
  return ask_number(trial->shell, ARGUMENT_RECORD, 0, fallback, &run_loop->record);
}

static int ask_all(ShellTrial* trial)
{
  Shell* shell     = trial->shell;
  bool zero        = false;
  const char* path = NULL;
  int status       = DONE;
  trial->fresh     = true;
  if (shell->recording.rows > 0) status = ask_yes(shell, ARGUMENT_NEW, true, &trial->fresh);
  if (status == DONE && trial->fresh) status = ask_yes(shell, ARGUMENT_ZERO, false, &zero);
  if (status == DONE) status = ask_file(shell, ARGUMENT_SCHEDULE, "none", &path);
  if (status != DONE) return status;
  trial->path = strcmp(path, "none") != 0 ? path : NULL;
  if (trial->path) status = take_schedule(trial);
  if (status == DONE) status = ask_times(trial);
  if (status != DONE || !zero) return status;
  if (lw_model_loop_count(shell->model) > 0)
    lw_model_start(shell->model, shell->vectors[VECTOR_THETA]);
  else
    lw_model_neutral(shell->model, shell->vectors[VECTOR_THETA]);
  memset(shell->vectors[VECTOR_OMEGA], 0, (size_t)shell->n * sizeof(double));
  shell->voltage_leads = true;  // it is what is held
  shell_tie(shell);
  return DONE;
}

// Drives by the converter, where it has a period.
static void to_shell_units(ShellTrial* trial)
{
  lwDac dac  = lw_dac_ideal();
  dac.period = trial->shell->period;
  for (int k = 0; k < trial->shell->n && dac.period > 0; ++k)
  {
    trial->drives[k].converted = true;
    trial->drives[k].dac       = dac;
  }
}

// Joints that the schedule does not drive hold their voltage (swartz1982: "the voltage is assumed
// to be held constant"), or without a motor their torque; after the questions, for the state may
// have become zero.
static int hold_others(ShellTrial* trial)
{
  Shell* shell            = trial->shell;
  const Vector vectors[2] = {VECTOR_TORQUE, VECTOR_DAC_OUT};
  int status              = DONE;
  for (int i = 0; i < 2 && status == DONE; ++i)
    status = shell_schedule(shell, SYMBOLS[i], shell->vectors[vectors[i]], &trial->held[i]);
  for (int k = 0; k < shell->n && status == DONE; ++k)
  {
    bool voltage = shell_joint(shell, k)->motor.given;
    if (trial->drives[k].signal == LW_SIGNAL_NONE)
      trial->drives[k] = (lwJointDrive){.signal   = LW_SIGNAL_SCHEDULE,
                                        .voltage  = voltage,
                                        .schedule = trial->held[voltage],
                                        .column   = k};
  }
  return status;
}

int shell_simulate(Shell* shell)
{
  ShellTrial* trial = calloc(1, sizeof *trial);
  if (!trial) return no_memory();
  trial->shell  = shell;
  trial->drives = calloc((size_t)shell->n + 1, sizeof *trial->drives);
  int status    = trial->drives ? shell_can_move(shell) : no_memory();
  if (status == DONE) status = ask_all(trial);
  if (status == DONE) status = hold_others(trial);
  if (status == DONE)
  {
    to_shell_units(trial);
    status = run_simulation(trial);
  }
  simulation_end(&trial->sim);
  for (int i = 0; i < 2; ++i)
  {
    lw_schedule_destroy(trial->schedules[i]);
    lw_schedule_destroy(trial->held[i]);
  }
  free(trial->drives);
  free(trial);
  return status;
}
