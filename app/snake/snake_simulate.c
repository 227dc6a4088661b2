// SPDX-License-Identifier: MIT
// linkwork snake simulate: a snake over time.
//
//   options --Drive--> torques --lw_snake_run_to()--> samples
//     --Rows--> t,theta1..,u1,u2,x,y,kinetic,work,S,..,phi1..
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/list.h"
#include "io/csv.h"
#include "io/files.h"
#include "io/note.h"
#include "io/picture.h"
#include "io/progress.h"
#include "io/run_loop.h"
#include "report/audit/audit.h"
#include "report/plot/snake_plot.h"
#include "simulate/integrator_option.h"
#include "snake_command.h"
#include "snake_drive.h"

static const char FULL_METHOD[] = "lagrange-full";  // not of the registry: it is about runs

typedef struct SnakeSimulation
{
  const Options* options;
  SnakeColumns columns;
  Format format;
  lwSnakeWorkspaceDef how;
  lwIntegratorDef integrator;
  RunLoop run_loop;
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  SnakeDrive drive;
  lwSnakeRun* run;
  lwSnakeSample sample;
  lwOut out;
  lwRows rows;
  lwSnakePlot plot;
  lwSnakeRunDef def;    // of a run in all coordinates
  double* values;       // (columns) one record
  const char* outcome;  // for the audit
} SnakeSimulation;

// --- records

static const SnakeColumn COLUMNS[] = {{"t", "s", PER_SNAKE},
                                      {"theta", "rad", PER_LINK},
                                      {"u1", "m/s", PER_SNAKE},
                                      {"u2", "rad/s", PER_SNAKE},
                                      {"x", "m", PER_SNAKE},
                                      {"y", "m", PER_SNAKE},
                                      {"kinetic", "J", PER_SNAKE},
                                      {"work", "J", PER_SNAKE},
                                      {"S", "J", PER_SNAKE},
                                      {"sideways", "m/s", PER_FULL_RUN},
                                      {"slip_loss", "J", PER_FULL_RUN},
                                      {"stop_loss", "J", PER_FULL_RUN},
                                      {"phi", "rad", PER_JOINT},
                                      {0}};

// The angles are left out of tables.
static bool column_shown(const void* context, size_t k)
{
  return strcmp(snake_column_unit(context, k), "rad") != 0;
}

// Writes the sample; false if its energy is not finite.
static bool snake_run_record(SnakeSimulation* sim)
{
  const lwSnakeSample* at = &sim->sample;
  const double others[]   = {at->u[0], at->u[1], at->x,        at->y,         at->kinetic,
                             at->work, at->S,    at->sideways, at->slip_loss, at->stop_loss};
  if (!isfinite(at->S)) return false;
  sim->values[0] = at->t;
  memcpy(sim->values + 1, at->theta, (size_t)sim->columns.n * sizeof(double));
  double* to   = sim->values + 1 + sim->columns.n;
  size_t count = sim->columns.full ? 10 : 7;
  memcpy(to, others, count * sizeof *to);
  to += count;
  for (int k = 0; k + 1 < sim->columns.n; ++k) to[k] = at->theta[k + 1] - at->theta[k];
  lw_rows_add(&sim->rows, sim->values);
  lw_snake_plot_add(&sim->plot, at, at->S);
  return true;
}

// --- the run

static int run_not_finite(SnakeSimulation* sim, lwProgress progress)
{
  const char* what = !drive_is_finite(&sim->drive, &sim->sample, sim->integrator.step)
                         ? "the torques are not finite"
                     : progress == LW_PROGRESS_STEP_VANISHED ? "the motion is too fast for any step"
                                                             : "the motion is not finite";
  sim->outcome     = what;
  return fail(NUMERICAL, "snake simulate: %s after t = %.9g s; %ld records up to there are kept",
              what, sim->sample.t, sim->rows.count);
}

static int snake_run_interrupted(SnakeSimulation* sim)
{
  sim->outcome = "interrupted";
  return run_interrupted(&sim->run_loop, sim->sample.t, sim->rows.count);
}

static int snake_run_step(void* context, double t)
{
  SnakeSimulation* sim = context;
  lwProgress progress  = lw_snake_run_to(sim->run, t, &sim->sample, &run_loop_stop);
  if (progress == LW_PROGRESS_STOPPED) return snake_run_interrupted(sim);
  if (progress != LW_PROGRESS_ARRIVED || !snake_run_record(sim))
    return run_not_finite(sim, progress);
  return run_loop_stop && t < sim->run_loop.duration ? snake_run_interrupted(sim) : DONE;
}

static void write_run_title(SnakeSimulation* sim)
{
  lw_out_format(&sim->out, "%s: %d links, by %s, %s precision, %s\n", lw_snake_name(sim->snake),
                sim->columns.n, sim->how.method,
                sim->how.precision == LW_PRECISION_SINGLE ? "single" : "double",
                sim->integrator.method);
}

static lwRunFacts facts_of(const SnakeSimulation* sim)
{
  return (lwRunFacts){.source     = {"file", sim->options->operand},
                      .robot      = {"snake", lw_snake_name(sim->snake)},
                      .method     = sim->how.method,
                      .integrator = sim->integrator.method,
                      .outcome    = sim->outcome ? sim->outcome : "complete",
                      .partial    = sim->outcome != NULL,
                      .reached    = sim->sample.t,
                      .seconds    = run_loop_seconds(&sim->run_loop)};
}

static void show_audit(SnakeSimulation* sim)
{
  lwRunFacts facts   = facts_of(sim);
  lwSnakeAudit audit = lw_snake_run_audit(sim->run);
  if (sim->out.error) return;
  if (sim->format == FORMAT_TABLE)
    lw_snake_audit_text(&facts, &audit, print_to_out, &sim->out);
  else if (notes_on())
    lw_snake_audit_text(&facts, &audit, print_to_stderr, NULL);
  if (audit.counts[LW_SNAKE_NOTE_BEYOND] > 0)
    note("wheels would slip from t = %g s on: lambda is beyond friction_limit; see --slip",
         audit.first[LW_SNAKE_NOTE_BEYOND]);
}

// The audit of a run that was interrupted or failed does not replace an older one.
static int write_audit_file(const SnakeSimulation* sim)
{
  const char* path = sim->options->value[OPTION_AUDIT];
  lwOut out;
  int status = path ? out_open(&out, path) : DONE;
  if (!path || status != DONE) return status;
  lwRunFacts facts   = facts_of(sim);
  lwSnakeAudit audit = lw_snake_run_audit(sim->run);
  lw_snake_audit_json(&facts, &audit, &out);
  return facts.partial ? out_close_partial(&out, DONE) : out_close(&out, DONE, false);
}

static int write_snake_run(SnakeSimulation* sim)
{
  bool table = sim->format == FORMAT_TABLE;
  sim->rows  = (lwRows){.out     = &sim->out,
                        .format  = sim->format,
                        .columns = snake_column_count(&sim->columns),
                        .name    = snake_column_name,
                        .shown   = column_shown,
                        .unit    = snake_column_unit,
                        .context = &sim->columns};
  int status = out_open(&sim->out, sim->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (table) write_run_title(sim);
  lw_rows_begin(&sim->rows);
  status = run_loop_run(&sim->run_loop, &sim->out, snake_run_step, sim);
  lw_rows_end(&sim->rows);
  lw_out_flush(&sim->out);
  show_audit(sim);
  return status == DONE ? out_close(&sim->out, DONE, true) : out_close_partial(&sim->out, status);
}

// --- what is asked

// lagrange-full if it is named, or if something is asked for that only it can do.
static void choose_equations(SnakeSimulation* sim)
{
  const Options* options   = sim->options;
  const char* name         = options->value[OPTION_METHOD];
  static const Option of[] = {OPTION_SLIP, OPTION_STOPS, OPTION_STABILISE};
  const char* needs        = NULL;
  for (int i = 0; i < 3 && !needs; ++i)
    if (options->value[of[i]]) needs = OPTIONS[of[i]].name;
  sim->columns.full = name ? !strcmp(name, FULL_METHOD) : needs != NULL;
  if (!sim->columns.full && needs)
    stop(USAGE, "%s needs --method %s, found '%s'", needs, FULL_METHOD, name);
  sim->how           = lw_snake_workspace_def();
  sim->def           = lw_snake_run_def();
  sim->def.slip      = options->value[OPTION_SLIP] != NULL;
  sim->def.stops     = options->value[OPTION_STOPS] != NULL;
  sim->def.stabilise = options->value[OPTION_STABILISE] != NULL;
  sim->how.method    = FULL_METHOD;
  if (!sim->columns.full) need(snake_choose_method(options, &sim->how));
  need(precision_choose(options, &sim->how.precision));
}

static void check_run_options(SnakeSimulation* sim)
{
  static const Option drives[] = {OPTION_TORQUE_LAW, OPTION_IN, OPTION_GAIT};
  const Options* options       = sim->options;
  const char* given            = NULL;
  for (int i = 0; i < 3; ++i)
  {
    if (!options->value[drives[i]]) continue;
    if (given) stop(USAGE, "%s and %s exclude each other", given, OPTIONS[drives[i]].name);
    given = OPTIONS[drives[i]].name;
  }
  sim->format = format_of(options);
  choose_equations(sim);
  run_options(options, &sim->run_loop, &sim->integrator);
}

static void release_plot(void* plot)
{
  lw_snake_plot_destroy(plot);
}

static void snake_run_load(SnakeSimulation* sim)
{
  sim->snake = snake_of(sim->options);
  need_ok(
      lw_snake_workspace_create(sim->snake, sim->columns.full ? NULL : &sim->how, NULL, &sim->ws));
  hold_snake_workspace(sim->ws);
  sim->columns.n    = lw_snake_count(sim->snake);
  sim->values       = capacity(snake_column_count(&sim->columns), sizeof(double));
  sim->sample.theta = capacity((size_t)sim->columns.n, sizeof(double));
  drive_create(&sim->drive, sim->options, sim->snake, sim->ws);
  need(picture_check(sim->options->value[OPTION_PLOT]));
  if (!sim->options->value[OPTION_PLOT]) return;
  hold(&sim->plot, release_plot);
  need_ok(lw_snake_plot_create(&sim->plot, sim->snake, sim->run_loop.duration));
}

static void make_full_run(SnakeSimulation* sim)
{
  const double* theta = sim->sample.theta;
  lwDiag* diag        = hold_messages();
  int beyond          = sim->def.stops ? lw_snake_find_beyond(sim->snake, theta) : -1;
  if (beyond >= 0)
    stop(USAGE, "snake simulate: joint %d begins at %g rad, beyond its limits %g to %g rad",
         beyond + 1, theta[beyond + 1] - theta[beyond], lw_snake_get(sim->snake, beyond).lower,
         lw_snake_get(sim->snake, beyond).upper);
  sim->def.snake      = sim->snake;
  sim->def.precision  = sim->how.precision;
  sim->def.integrator = sim->integrator;
  sim->def.drive      = sim->drive.torques;
  sim->def.context    = sim->drive.context;
  lwStatus made       = lw_snake_run_create_full(&sim->def, diag, &sim->run);
  errors_print(diag);
  if (made != LW_OK) leave(made == LW_ERROR_MEMORY ? no_memory() : INPUT);
}

static void release_run(void* run)
{
  lw_snake_run_destroy(run);
}

static void snake_run_begin(SnakeSimulation* sim)
{
  const char* theta = sim->options->value[OPTION_THETA0];
  const char* u     = sim->options->value[OPTION_U0];
  drive_initial(&sim->drive, sim->sample.theta, sim->sample.u);
  if (theta)
    need(list_parse(OPTION_THETA0, theta, sim->columns.n, "one for each link", sim->sample.theta));
  if (theta && !u) sim->sample.u[0] = sim->sample.u[1] = 0;
  if (u) need(list_parse(OPTION_U0, u, 2, "u1,u2", sim->sample.u));
  if (sim->columns.full)
    make_full_run(sim);
  else
    need_ok(lw_snake_run_create(sim->snake, sim->ws, &sim->integrator, sim->drive.torques,
                                sim->drive.context, NULL, &sim->run));
  hold(sim->run, release_run);
  lw_snake_run_start(sim->run, &sim->sample);
}

static int draw_snake(const SnakeSimulation* sim, bool partial)
{
  char message[LW_PLOT_MESSAGE];
  const char* path = sim->options->value[OPTION_PLOT];
  if (!path) return DONE;
  picture_wait(path);
  bool drawn = lw_snake_plot_draw(&sim->plot, path, partial ? PARTIAL : "", message);
  progress_clear();
  return drawn ? DONE : picture_failed(path, message);
}

int cmd_snake_simulate(const Options* options)
{
  SnakeSimulation* sim = capacity(1, sizeof *sim);
  *sim                 = (SnakeSimulation){.options    = options,
                                           .columns    = {.list = COLUMNS},
                                           .run_loop   = {.duration = 10, .record = 0.01},
                                           .integrator = lw_integrator_def()};
  check_run_options(sim);
  snake_run_load(sim);
  snake_run_begin(sim);
  int status = write_snake_run(sim);
  int drawn = draw_snake(sim, status != DONE), written = write_audit_file(sim);
  if (status != DONE || drawn != DONE || written != DONE)
    return status != DONE ? status : drawn != DONE ? drawn : written;
  lwSnakeAudit audit = lw_snake_run_audit(sim->run);
  return run_trusted(audit.trusted, audit.worst_S, audit.bound);
}
