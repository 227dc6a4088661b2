// SPDX-License-Identifier: MIT
// linkwork snake simulate: a snake over time.
//
//   options --Drive--> torques --lw_snake_run_to()--> samples --Rows--> t,theta1..,u1,u2,x,y,kinetic,work,S
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/course.h"
#include "io/list.h"
#include "io/note.h"
#include "io/picture.h"
#include "io/progress.h"
#include "io/rows.h"
#include "report/snake_plot.h"
#include "simulate/integrator_option.h"
#include "snake.h"
#include "snake_drive.h"

static const double MOST_RECORDS = 1e8;

typedef struct Simulation
{
  const Options* options;
  Format format;
  lwSnakeWorkspaceDef how;
  lwIntegratorDef integrator;
  Course course;
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  int n;
  Drive drive;
  lwSnakeRun* run;
  lwSnakeSample sample;
  Out out;
  Rows rows;
  lwSnakePlot plot;
  double* values;      // (n + 8) one record
  double* lambda;      // (n) N; NULL: no wheel has a limit
  double S0;           // J, at the beginning
  double peak, worst;  // J, of the kinetic energy and of |S - S0|
  double slip_time;    // s, when a wheel slipped first; negative: none has
} Simulation;

// --- records

// t theta1..thetan u1 u2 x y kinetic work S
static void run_column_name(const void* context, size_t k, char name[ROW_NAME])
{
  static const char* const others[] = {"u1", "u2", "x", "y", "kinetic", "work", "S"};
  size_t n                          = (size_t)((const Simulation*)context)->n;
  if (k == 0)
    snprintf(name, ROW_NAME, "t");
  else if (k <= n)
    snprintf(name, ROW_NAME, "theta%zu", k);
  else
    snprintf(name, ROW_NAME, "%s", others[k - n - 1]);
}

static const char* run_column_unit(const void* context, size_t k)
{
  static const char* const others[] = {"m/s", "rad/s", "m", "m", "J", "J", "J"};
  size_t n                          = (size_t)((const Simulation*)context)->n;
  if (k == 0) return "s";
  return k <= n ? "rad" : others[k - n - 1];
}

// The angles are left out of tables.
static bool column_shown(const void* context, size_t k)
{
  return k == 0 || k > (size_t)((const Simulation*)context)->n;
}

static void note_slip(Simulation* sim)
{
  if (sim->lambda && sim->slip_time < 0 && lw_snake_check_slip(sim->snake, sim->lambda, NULL) > 0)
    sim->slip_time = sim->sample.t;
}

static double kinetic_now(Simulation* sim)
{
  double kinetic              = 0;
  const lwSnakeSample* sample = &sim->sample;
  double* torque              = sim->values;  // of n + 8
  memset(torque, 0, (size_t)sim->n * sizeof *torque);
  if (sim->lambda && sim->drive.torques)
    sim->drive.torques(&sim->drive, sample->t, sample->theta, sample->u, torque);
  lwSnakeStates state    = {.theta = sample->theta, .u = sample->u, .torque = torque};
  lwSnakeAnswers answers = {.kinetic = &kinetic, .lambda = sim->lambda};
  lw_snake_answer(sim->snake, sim->ws, &state, &answers);
  note_slip(sim);
  return kinetic;
}

// Writes the sample; false if its energy is not finite.
static bool snake_run_record(Simulation* sim)
{
  const lwSnakeSample* sample = &sim->sample;
  double kinetic = kinetic_now(sim), S = kinetic - sample->work;
  double* to = sim->values + 1 + sim->n;
  if (!isfinite(S)) return false;
  sim->values[0] = sample->t;
  memcpy(sim->values + 1, sample->theta, (size_t)sim->n * sizeof(double));
  to[0] = sample->u[0];
  to[1] = sample->u[1];
  to[2] = sample->x;
  to[3] = sample->y;
  to[4] = kinetic;
  to[5] = sample->work;
  to[6] = S;
  if (sim->rows.count == 0) sim->S0 = S;
  sim->peak  = fmax(sim->peak, kinetic);
  sim->worst = fmax(sim->worst, fabs(S - sim->S0));
  rows_add(&sim->rows, sim->values);
  lw_snake_plot_add(&sim->plot, sample, S);
  return true;
}

// --- the run

static int run_not_finite(Simulation* sim, lwProgress progress)
{
  const char* what = !drive_is_finite(&sim->drive, &sim->sample, sim->integrator.step)
                         ? "the torques are not finite"
                     : progress == LW_PROGRESS_STEP_VANISHED ? "the motion is too fast for any step"
                                                             : "the motion is not finite";
  return fail(NUMERICAL, "snake simulate: %s after t = %.9g s; %ld records up to there are kept",
              what, sim->sample.t, sim->rows.count);
}

static int snake_run_interrupted(const Simulation* sim)
{
  say("linkwork: interrupted at t = %.9g of %g s; %ld records up to there are kept\n",
      sim->sample.t, sim->course.duration, sim->rows.count);
  return 128 + course_stop;
}

static int snake_run_step(void* context, double t)
{
  Simulation* sim     = context;
  lwProgress progress = lw_snake_run_to(sim->run, t, &sim->sample, &course_stop);
  if (progress == LW_PROGRESS_STOPPED) return snake_run_interrupted(sim);
  if (progress != LW_PROGRESS_ARRIVED || !snake_run_record(sim))
    return run_not_finite(sim, progress);
  return course_stop && t < sim->course.duration ? snake_run_interrupted(sim) : DONE;
}

static void write_run_title(Simulation* sim)
{
  out_format(&sim->out, "%s: %d links, by %s, %s precision, %s\n", lw_snake_name(sim->snake),
             sim->n, sim->how.method,
             sim->how.precision == LW_PRECISION_SINGLE ? "single" : "double",
             sim->integrator.method);
}

static void out_summary(Simulation* sim)
{
  lwIntegratorStats stats = lw_integrator_stats(lw_snake_run_integrator(sim->run));
  out_format(&sim->out, "steps: %ld, evaluations: %ld\n", stats.steps, stats.evaluations);
  if (sim->peak > 0)
    out_format(&sim->out,
               "S = kinetic - work moved by %.3g J, %.2g of the largest kinetic energy\n",
               sim->worst, sim->worst / sim->peak);
}

static int write_snake_run(Simulation* sim)
{
  bool table = sim->format == FORMAT_TABLE;
  sim->rows  = (Rows){.out     = &sim->out,
                      .format  = sim->format,
                      .columns = (size_t)sim->n + 8,
                      .name    = run_column_name,
                      .shown   = column_shown,
                      .unit    = run_column_unit,
                      .context = sim};
  int status = out_open(&sim->out, sim->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (table) write_run_title(sim);
  rows_begin(&sim->rows);
  status = course_run(&sim->course, &sim->out, snake_run_step, sim);
  rows_end(&sim->rows);
  if (table) out_summary(sim);
  if (sim->slip_time >= 0)
    note("wheels would slip from t = %g s on: lambda is beyond friction_limit", sim->slip_time);
  return status == DONE ? out_close(&sim->out, DONE, true) : out_close_partial(&sim->out, status);
}

// --- what is asked

static int check_run_options(Simulation* sim)
{
  static const Option drives[] = {OPTION_TORQUE_LAW, OPTION_IN, OPTION_GAIT};
  const Options* options       = sim->options;
  const char* given            = NULL;
  for (int i = 0; i < 3; ++i)
  {
    if (!options->value[drives[i]]) continue;
    if (given) return fail(USAGE, "%s and %s exclude each other", given, OPTIONS[drives[i]].name);
    given = OPTIONS[drives[i]].name;
  }
  if (options->value[OPTION_IN] && !strcmp(options->value[OPTION_IN], "-") &&
      !strcmp(options->operand, "-"))
    return fail(USAGE, "SNAKE and --in cannot both be standard input");
  int status = format_choose(options, &sim->format);
  if (status == DONE) status = snake_choose(options, &sim->how);
  if (status == DONE) status = seconds_choose(options, OPTION_DURATION, &sim->course.duration);
  if (status == DONE) status = seconds_choose(options, OPTION_DT, &sim->course.record);
  if (status == DONE) status = integrator_choose(options, &sim->integrator);
  if (status == DONE) status = steps_check(&sim->integrator, sim->course.duration);
  if (status == DONE && sim->course.duration / sim->course.record > MOST_RECORDS)
    status = fail(USAGE, "--dt: %g records are too many, expected at most %g",
                  sim->course.duration / sim->course.record, MOST_RECORDS);
  return status;
}

static int snake_run_load(Simulation* sim)
{
  int status = snake_load(sim->options, &sim->snake);
  if (status != DONE) return status;
  lwStatus made = lw_snake_workspace_create(sim->snake, &sim->how, NULL, &sim->ws);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  sim->n      = lw_snake_count(sim->snake);
  size_t n    = (size_t)sim->n;
  sim->values = calloc(3 * n + 8, sizeof(double));
  if (!sim->values) return no_memory();
  sim->sample.theta = sim->values + n + 8;
  if (snake_limits(sim->snake) > 0) sim->lambda = sim->sample.theta + n;
  status = drive_create(&sim->drive, sim->options, sim->snake, sim->ws);
  if (status != DONE) return status;
  status = picture_check(sim->options->value[OPTION_PLOT]);
  if (status != DONE || !sim->options->value[OPTION_PLOT]) return status;
  made = lw_snake_plot_create(&sim->plot, sim->snake, sim->course.duration);
  return made == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(made));
}

static int snake_run_begin(Simulation* sim)
{
  const char* theta = sim->options->value[OPTION_THETA0];
  const char* u     = sim->options->value[OPTION_U0];
  int status        = DONE;
  drive_initial(&sim->drive, sim->sample.theta, sim->sample.u);
  if (theta)
    status = snake_list(OPTION_THETA0, theta, sim->n, "one for each link", sim->sample.theta);
  if (theta && !u) sim->sample.u[0] = sim->sample.u[1] = 0;
  if (u && status == DONE) status = snake_list(OPTION_U0, u, 2, "u1,u2", sim->sample.u);
  if (status != DONE) return status;
  lwStatus made = lw_snake_run_create(sim->snake, sim->ws, &sim->integrator, sim->drive.torques,
                                      &sim->drive, NULL, &sim->run);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  lw_snake_run_start(sim->run, &sim->sample);
  return DONE;
}

static void simulation_end(Simulation* sim)
{
  lw_snake_run_destroy(sim->run);
  lw_snake_plot_destroy(&sim->plot);
  drive_destroy(&sim->drive);
  free(sim->values);
  lw_snake_workspace_destroy(sim->ws);
  lw_snake_destroy(sim->snake);
}

static int draw_snake(const Simulation* sim, bool partial)
{
  char message[LW_PLOT_MESSAGE];
  const char* path = sim->options->value[OPTION_PLOT];
  if (!path) return DONE;
  picture_wait(path);
  bool drawn = lw_snake_plot_draw(&sim->plot, path, partial ? PARTIAL : "", message);
  progress_clear();
  return drawn ? DONE : picture_failed(path, message);
}

int cmd_snake_simulate(const Command* command, const Options* options)
{
  (void)command;
  Simulation sim = {.options    = options,
                    .course     = {.duration = 10, .record = 0.01},
                    .slip_time  = -1,
                    .integrator = lw_integrator_def()};
  int status     = check_run_options(&sim);
  if (status == DONE) status = snake_run_load(&sim);
  if (status == DONE) status = snake_run_begin(&sim);
  if (status == DONE)
  {
    status    = write_snake_run(&sim);
    int drawn = draw_snake(&sim, status != DONE);
    if (status == DONE) status = drawn;
  }
  simulation_end(&sim);
  return status;
}
