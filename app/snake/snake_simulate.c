// SPDX-License-Identifier: MIT
// linkwork snake simulate: a snake over time.
//
//   options --Drive--> torques --lw_snake_run_to()--> moments --Rows--> t,theta1..,u1,u2,x,y,kinetic,work,S
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/number.h"
#include "io/rows.h"
#include "snake.h"
#include "snake_drive.h"
#include "snake_plot.h"

static const double MOST_RECORDS = 1e8;

typedef struct Simulation
{
  const Options* options;
  Format format;
  lwSnakeWorkDef how;
  lwIntegratorDef integrator;
  double duration, record;  // s
  lwSnake* snake;
  lwSnakeWork* work;
  int n;
  Drive drive;
  lwSnakeRun* run;
  lwSnakeMoment moment;
  Out out;
  Rows rows;
  SnakePlot plot;
  double* values;      // (n + 8) one record
  double* lambda;      // (n) N; NULL: no wheel has a limit
  double S0;           // J, at the beginning
  double peak, worst;  // J, of the kinetic energy and of |S - S0|
  double slip_time;    // s, when a wheel slipped first; negative: none has
  bool progress;       // is shown
  double shown;        // s, when it was
} Simulation;

// --- signals: the run ends, what was computed stays

static volatile int stop;

static void on_signal(int number)
{
  stop = number;
}

static void catch_signals(void)
{
  static const int signals[] = {SIGINT, SIGTERM};
  for (int i = 0; i < 2; ++i)
  {
    struct sigaction old, action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(signals[i], NULL, &old);
    if (old.sa_handler != SIG_IGN) sigaction(signals[i], &action, NULL);
  }
}

// --- records

// t theta1..thetan u1 u2 x y kinetic work S
static void column_name(const void* context, size_t k, char name[ROW_NAME])
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

// The angles are left out of tables.
static bool column_shown(const void* context, size_t k)
{
  return k == 0 || k > (size_t)((const Simulation*)context)->n;
}

static void note_slip(Simulation* sim)
{
  if (sim->lambda && sim->slip_time < 0 && lw_snake_check_slip(sim->snake, sim->lambda, NULL) > 0)
    sim->slip_time = sim->moment.t;
}

static double kinetic_now(Simulation* sim)
{
  double kinetic              = 0;
  const lwSnakeMoment* moment = &sim->moment;
  double* torque              = sim->values;  // of n + 8
  memset(torque, 0, (size_t)sim->n * sizeof *torque);
  if (sim->lambda && sim->drive.torques)
    sim->drive.torques(&sim->drive, moment->t, moment->theta, moment->u, torque);
  lwSnakeStates state    = {.theta = moment->theta, .u = moment->u, .torque = torque};
  lwSnakeAnswers answers = {.kinetic = &kinetic, .lambda = sim->lambda};
  lw_snake_answer(sim->snake, sim->work, &state, &answers);
  note_slip(sim);
  return kinetic;
}

// Writes the moment; false if its energy is not finite.
static bool record(Simulation* sim)
{
  const lwSnakeMoment* moment = &sim->moment;
  double kinetic = kinetic_now(sim), S = kinetic - moment->work;
  double* to = sim->values + 1 + sim->n;
  if (!isfinite(S)) return false;
  sim->values[0] = moment->t;
  memcpy(sim->values + 1, moment->theta, (size_t)sim->n * sizeof(double));
  to[0] = moment->u[0];
  to[1] = moment->u[1];
  to[2] = moment->x;
  to[3] = moment->y;
  to[4] = kinetic;
  to[5] = moment->work;
  to[6] = S;
  if (sim->rows.count == 0) sim->S0 = S;
  sim->peak  = fmax(sim->peak, kinetic);
  sim->worst = fmax(sim->worst, fabs(S - sim->S0));
  rows_add(&sim->rows, sim->values);
  snake_plot_add(&sim->plot, moment, S);
  return true;
}

// --- progress, on a terminal that shows nothing else

static double clock_now(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show_progress(Simulation* sim, double began)
{
  double now = clock_now(), part = sim->moment.t / sim->duration;
  if (!sim->progress || now - sim->shown < 0.2) return;
  sim->shown = now;
  fprintf(stderr, "\rt = %.4g of %g s, %.0f s left   ", sim->moment.t, sim->duration,
          part > 0 ? (now - began) * (1 - part) / part : 0.0);
}

static void clear_progress(const Simulation* sim)
{
  if (sim->progress && sim->shown > 0) fprintf(stderr, "\r%50s\r", "");
}

// --- the run

static int not_finite(Simulation* sim)
{
  const char* what = drive_is_finite(&sim->drive, &sim->moment, sim->integrator.step)
                         ? "the motion is not finite, or too fast for any step,"
                         : "the torques are not finite";
  return fail(NUMERICAL, "snake simulate: %s after t = %.9g s; %ld records up to there are kept",
              what, sim->moment.t, sim->rows.count);
}

static int interrupted(const Simulation* sim)
{
  fprintf(stderr, "linkwork: interrupted at t = %.9g of %g s; %ld records up to there are kept\n",
          sim->moment.t, sim->duration, sim->rows.count);
  return 128 + stop;
}

// From record to record; DONE, or why it ended before.
static int run_all(Simulation* sim)
{
  double began = clock_now();
  double count = ceil(sim->duration / sim->record - 1e-9);
  if (!record(sim)) return not_finite(sim);
  for (double i = 1; i <= count && !out_stopped(&sim->out); ++i)
  {
    double t            = i < count ? i * sim->record : sim->duration;
    lwProgress progress = lw_snake_run_to(sim->run, t, &sim->moment, &stop);
    if (progress == LW_STOPPED) return interrupted(sim);
    if (progress != LW_ARRIVED || !record(sim)) return not_finite(sim);
    if (stop && i < count) return interrupted(sim);
    show_progress(sim, began);
  }
  return DONE;
}

static void out_title(Simulation* sim)
{
  out_format(&sim->out, "%s: %d links, by %s, %s precision, %s\n", lw_snake_name(sim->snake),
             sim->n, sim->how.method, sim->how.precision == LW_SINGLE ? "single" : "double",
             sim->integrator.method);
}

static void out_summary(Simulation* sim)
{
  lwIntegratorStats stats = lw_integrator_stats(lw_snake_run_integrator(sim->run));
  out_text(&sim->out, "units: t s, u1 m/s, u2 rad/s, x y m, kinetic work S J\n");
  out_format(&sim->out, "steps: %ld, evaluations: %ld\n", stats.steps, stats.evaluations);
  if (sim->peak > 0)
    out_format(&sim->out,
               "S = kinetic - work moved by %.3g J, %.2g of the largest kinetic energy\n",
               sim->worst, sim->worst / sim->peak);
}

static int write_all(Simulation* sim)
{
  bool table = sim->format == FORMAT_TABLE;
  sim->rows  = (Rows){.out     = &sim->out,
                      .format  = sim->format,
                      .columns = (size_t)sim->n + 8,
                      .name    = column_name,
                      .shown   = column_shown,
                      .context = sim};
  int status = out_open(&sim->out, sim->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  catch_signals();
  const char* out = sim->options->value[OPTION_OUT];
  bool visible    = (!out || !strcmp(out, "-")) && isatty(STDOUT_FILENO);
  sim->progress   = isatty(STDERR_FILENO) && !visible;
  if (table) out_title(sim);
  rows_begin(&sim->rows);
  status = run_all(sim);
  rows_end(&sim->rows);
  if (table) out_summary(sim);
  clear_progress(sim);
  if (sim->slip_time >= 0)
    fprintf(stderr,
            "linkwork: wheels would slip from t = %g s on: lambda is beyond friction_limit\n",
            sim->slip_time);
  return out_close(&sim->out, status, true);
}

// --- what is asked

// A positive number behind an option; *value stays if it is not given.
static int take_positive(const Options* options, Option option, double* value)
{
  const char* text = options->value[option];
  const char* end  = text;
  if (!text || (number_parse(&end, value) && !*end && *value > 0 && isfinite(*value))) return DONE;
  return fail(USAGE, "%s: '%s' is wrong, expected a positive number of seconds",
              OPTIONS[option].name, text);
}

// "rk4:1e-3", "dopri:1e-9", "dopri:1e-9,1e-12", or the name alone.
static int take_integrator(const Options* options, lwIntegratorDef* def)
{
  const char* text = options->value[OPTION_INTEGRATOR];
  *def             = lw_integrator_def();
  if (!text) return DONE;
  bool rk4 = !strncmp(text, "rk4", 3), dopri = !strncmp(text, "dopri", 5);
  const char* s = text + (rk4 ? 3 : 5);
  if ((!rk4 && !dopri) || (*s && *s != ':'))
    return fail(USAGE, "--integrator: '%s' is wrong, expected rk4:STEP or dopri:RTOL[,ATOL]", text);
  double values[2] = {rk4 ? def->step : def->relative, 0};
  bool good        = true;
  if (*s) ++s, good = number_parse(&s, &values[0]);
  values[1] = values[0];
  if (good && dopri && *s == ',') ++s, good = number_parse(&s, &values[1]);
  if (!good || *s || !(values[0] > 0) || !(values[1] > 0) || !isfinite(values[0] + values[1]))
    return fail(USAGE, "--integrator: '%s': expected positive numbers, rk4:1e-3 or dopri:1e-9",
                text);
  def->method = rk4 ? "rk4" : "dopri";
  if (rk4)
    def->step = values[0];
  else
    def->relative = values[0], def->absolute = values[1];
  return DONE;
}

static int check_options(Simulation* sim)
{
  static const Option drives[] = {OPTION_TORQUE_LAW, OPTION_TORQUES, OPTION_GAIT};
  const Options* options       = sim->options;
  const char* given            = NULL;
  for (int i = 0; i < 3; ++i)
  {
    if (!options->value[drives[i]]) continue;
    if (given) return fail(USAGE, "%s and %s exclude each other", given, OPTIONS[drives[i]].name);
    given = OPTIONS[drives[i]].name;
  }
  if (options->value[OPTION_TORQUES] && !strcmp(options->value[OPTION_TORQUES], "-") &&
      !strcmp(options->operand, "-"))
    return fail(USAGE, "SNAKE and --torques cannot both be standard input");
  int status = format_choose(options, &sim->format);
  if (status == DONE) status = snake_choose(options, &sim->how);
  if (status == DONE) status = take_positive(options, OPTION_DURATION, &sim->duration);
  if (status == DONE) status = take_positive(options, OPTION_RECORD, &sim->record);
  if (status == DONE) status = take_integrator(options, &sim->integrator);
  if (status == DONE && sim->duration / sim->record > MOST_RECORDS)
    status = fail(USAGE, "--record: %g records are too many, expected at most %g",
                  sim->duration / sim->record, MOST_RECORDS);
  return status;
}

static int load(Simulation* sim)
{
  int status = snake_load(sim->options, &sim->snake);
  if (status != DONE) return status;
  lwStatus made = lw_snake_work_create(sim->snake, &sim->how, &sim->work);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  sim->n      = lw_snake_count(sim->snake);
  size_t n    = (size_t)sim->n;
  sim->values = calloc(3 * n + 8, sizeof(double));
  if (!sim->values) return snake_no_memory();
  sim->moment.theta = sim->values + n + 8;
  if (snake_limits(sim->snake) > 0) sim->lambda = sim->moment.theta + n;
  status = drive_create(&sim->drive, sim->options, sim->snake, sim->work);
  if (status != DONE) return status;
  return snake_plot_create(&sim->plot, sim->options->value[OPTION_PLOT], sim->snake, sim->duration);
}

static int begin(Simulation* sim)
{
  const char* theta = sim->options->value[OPTION_THETA0];
  const char* u     = sim->options->value[OPTION_U0];
  int status        = DONE;
  drive_initial(&sim->drive, sim->moment.theta, sim->moment.u);
  if (theta)
    status = snake_list(OPTION_THETA0, theta, sim->n, "one for each link", sim->moment.theta);
  if (theta && !u) sim->moment.u[0] = sim->moment.u[1] = 0;
  if (u && status == DONE) status = snake_list(OPTION_U0, u, 2, "u1,u2", sim->moment.u);
  if (status != DONE) return status;
  lwStatus made = lw_snake_run_create(sim->snake, sim->work, &sim->integrator, sim->drive.torques,
                                      &sim->drive, &sim->run);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  lw_snake_run_start(sim->run, &sim->moment);
  return DONE;
}

static void simulation_end(Simulation* sim)
{
  lw_snake_run_destroy(sim->run);
  snake_plot_destroy(&sim->plot);
  drive_destroy(&sim->drive);
  free(sim->values);
  lw_snake_work_destroy(sim->work);
  lw_snake_destroy(sim->snake);
}

int cmd_snake_simulate(const Command* command, const Options* options)
{
  (void)command;
  Simulation sim = {.options = options, .duration = 10, .record = 0.01, .slip_time = -1};
  int status     = check_options(&sim);
  if (status == DONE) status = load(&sim);
  if (status == DONE) status = begin(&sim);
  if (status == DONE)
  {
    status    = write_all(&sim);
    int drawn = snake_plot_draw(&sim.plot);  // of a part, too
    if (status == DONE) status = drawn;
  }
  simulation_end(&sim);
  return status;
}
