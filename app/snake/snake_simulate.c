// SPDX-License-Identifier: MIT
// linkwork snake simulate: a snake over time.
//
//   options --Drive--> torques --lw_snake_run_to()--> samples
//     --Rows--> t,theta1..,u1,u2,x,y,kinetic,work,S,..
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/list.h"
#include "io/course.h"
#include "io/files.h"
#include "io/note.h"
#include "io/picture.h"
#include "io/progress.h"
#include "io/rows.h"
#include "report/audit/snake_audit.h"
#include "report/plot/snake_plot.h"
#include "simulate/integrator_option.h"
#include "snake_command.h"
#include "snake_drive.h"

static const double MOST_RECORDS = 1e8;

static const char FULL_METHOD[] = "lagrange-full";  // not of the registry: it is about runs

typedef struct SnakeSimulation
{
  const Options* options;
  Format format;
  lwSnakeWorkspaceDef how;
  lwIntegratorDef integrator;
  Course course;
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  int n;
  SnakeDrive drive;
  lwSnakeRun* run;
  lwSnakeSample sample;
  Out out;
  Rows rows;
  lwSnakePlot plot;
  bool full;            // in all coordinates
  lwSnakeRunDef def;    // of such a run
  double* values;       // (n + 11) one record
  const char* outcome;  // for the audit
} SnakeSimulation;

// --- records

// t theta1..thetan u1 u2 x y kinetic work S, and in all coordinates three more
static const struct
{
  const char *name, *unit;
} OTHERS[] = {{"u1", "m/s"},      {"u2", "rad/s"},   {"x", "m"}, {"y", "m"},
              {"kinetic", "J"},   {"work", "J"},     {"S", "J"}, {"sideways", "m/s"},
              {"slip_loss", "J"}, {"stop_loss", "J"}};

static void run_column_name(const void* context, size_t k, char name[ROW_NAME])
{
  size_t n = (size_t)((const SnakeSimulation*)context)->n;
  if (k == 0)
    snprintf(name, ROW_NAME, "t");
  else if (k <= n)
    snprintf(name, ROW_NAME, "theta%zu", k);
  else
    snprintf(name, ROW_NAME, "%s", OTHERS[k - n - 1].name);
}

static const char* run_column_unit(const void* context, size_t k)
{
  size_t n = (size_t)((const SnakeSimulation*)context)->n;
  if (k == 0) return "s";
  return k <= n ? "rad" : OTHERS[k - n - 1].unit;
}

// The angles are left out of tables.
static bool column_shown(const void* context, size_t k)
{
  return k == 0 || k > (size_t)((const SnakeSimulation*)context)->n;
}

// Writes the sample; false if its energy is not finite.
static bool snake_run_record(SnakeSimulation* sim)
{
  const lwSnakeSample* at = &sim->sample;
  const double others[]   = {at->u[0], at->u[1], at->x,        at->y,         at->kinetic,
                             at->work, at->S,    at->sideways, at->slip_loss, at->stop_loss};
  if (!isfinite(at->S)) return false;
  sim->values[0] = at->t;
  memcpy(sim->values + 1, at->theta, (size_t)sim->n * sizeof(double));
  memcpy(sim->values + 1 + sim->n, others, sizeof others);
  rows_add(&sim->rows, sim->values);
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
  say("linkwork: interrupted at t = %.9g of %g s; %ld records up to there are kept\n",
      sim->sample.t, sim->course.duration, sim->rows.count);
  return 128 + course_stop;
}

static int snake_run_step(void* context, double t)
{
  SnakeSimulation* sim = context;
  lwProgress progress  = lw_snake_run_to(sim->run, t, &sim->sample, &course_stop);
  if (progress == LW_PROGRESS_STOPPED) return snake_run_interrupted(sim);
  if (progress != LW_PROGRESS_ARRIVED || !snake_run_record(sim))
    return run_not_finite(sim, progress);
  return course_stop && t < sim->course.duration ? snake_run_interrupted(sim) : DONE;
}

static void write_run_title(SnakeSimulation* sim)
{
  out_format(&sim->out, "%s: %d links, by %s, %s precision, %s\n", lw_snake_name(sim->snake),
             sim->n, sim->how.method,
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
                      .seconds    = course_seconds(&sim->course)};
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
  Out out;
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
  sim->rows  = (Rows){.out     = &sim->out,
                      .format  = sim->format,
                      .columns = (size_t)sim->n + (sim->full ? 11 : 8),
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
  out_flush(&sim->out);
  show_audit(sim);
  return status == DONE ? out_close(&sim->out, DONE, true) : out_close_partial(&sim->out, status);
}

// --- what is asked

// lagrange-full if it is named, or if something is asked for that only it can do.
static int choose_equations(SnakeSimulation* sim)
{
  const Options* options   = sim->options;
  const char* name         = options->value[OPTION_METHOD];
  static const Option of[] = {OPTION_SLIP, OPTION_STOPS, OPTION_STABILISE};
  const char* needs        = NULL;
  for (int i = 0; i < 3 && !needs; ++i)
    if (options->value[of[i]]) needs = OPTIONS[of[i]].name;
  sim->full = name ? !strcmp(name, FULL_METHOD) : needs != NULL;
  if (!sim->full && needs)
    return fail(USAGE, "%s needs --method %s, found '%s'", needs, FULL_METHOD, name);
  if (!sim->full) return snake_choose(options, &sim->how);
  sim->how           = lw_snake_workspace_def();
  sim->def           = lw_snake_run_def();
  sim->def.slip      = options->value[OPTION_SLIP] != NULL;
  sim->def.stops     = options->value[OPTION_STOPS] != NULL;
  sim->def.stabilise = options->value[OPTION_STABILISE] != NULL;
  sim->how.method    = FULL_METHOD;
  return precision_choose(options, &sim->how.precision);
}

static int check_run_options(SnakeSimulation* sim)
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
  int status = format_choose(options, &sim->format);
  if (status == DONE) status = choose_equations(sim);
  if (status == DONE) status = seconds_choose(options, OPTION_DURATION, &sim->course.duration);
  if (status == DONE) status = seconds_choose(options, OPTION_DT, &sim->course.record);
  if (status == DONE) status = integrator_choose(options, &sim->integrator);
  if (status == DONE) status = steps_check(&sim->integrator, sim->course.duration);
  if (status == DONE && sim->course.duration / sim->course.record > MOST_RECORDS)
    status = fail(USAGE, "--dt: %g records are too many, expected at most %g",
                  sim->course.duration / sim->course.record, MOST_RECORDS);
  return status;
}

static int snake_run_load(SnakeSimulation* sim)
{
  int status = snake_load(sim->options, &sim->snake);
  if (status != DONE) return status;
  lwStatus made =
      lw_snake_workspace_create(sim->snake, sim->full ? NULL : &sim->how, NULL, &sim->ws);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  sim->n      = lw_snake_count(sim->snake);
  size_t n    = (size_t)sim->n;
  sim->values = calloc(2 * n + 11, sizeof(double));
  if (!sim->values) return no_memory();
  sim->sample.theta = sim->values + n + 11;
  status            = drive_create(&sim->drive, sim->options, sim->snake, sim->ws);
  if (status != DONE) return status;
  status = picture_check(sim->options->value[OPTION_PLOT]);
  if (status != DONE || !sim->options->value[OPTION_PLOT]) return status;
  made = lw_snake_plot_create(&sim->plot, sim->snake, sim->course.duration);
  return made == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(made));
}

static int make_run(SnakeSimulation* sim)
{
  lwStatus made = lw_snake_run_create(sim->snake, sim->ws, &sim->integrator, sim->drive.torques,
                                      sim->drive.context, NULL, &sim->run);
  return made == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(made));
}

static int make_full_run(SnakeSimulation* sim)
{
  int beyond = sim->def.stops ? lw_snake_find_beyond(sim->snake, sim->sample.theta) : -1;
  if (beyond >= 0)
    return fail(INPUT, "snake simulate: joint %d begins at %g rad, beyond its limits %g to %g rad",
                beyond + 1, sim->sample.theta[beyond + 1] - sim->sample.theta[beyond],
                lw_snake_get(sim->snake, beyond).lower, lw_snake_get(sim->snake, beyond).upper);
  sim->def.snake      = sim->snake;
  sim->def.precision  = sim->how.precision;
  sim->def.integrator = sim->integrator;
  sim->def.drive      = sim->drive.torques;
  sim->def.context    = sim->drive.context;
  lwDiag* diag        = lw_diag_create();
  if (!diag) return no_memory();
  lwStatus made = lw_snake_run_create_full(&sim->def, diag, &sim->run);
  errors_print(diag);
  lw_diag_destroy(diag);
  return made == LW_OK ? DONE : made == LW_ERROR_MEMORY ? no_memory() : INPUT;
}

static int snake_run_begin(SnakeSimulation* sim)
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
  status = sim->full ? make_full_run(sim) : make_run(sim);
  if (status == DONE) lw_snake_run_start(sim->run, &sim->sample);
  return status;
}

static void simulation_end(SnakeSimulation* sim)
{
  lw_snake_run_destroy(sim->run);
  lw_snake_plot_destroy(&sim->plot);
  drive_destroy(&sim->drive);
  free(sim->values);
  lw_snake_workspace_destroy(sim->ws);
  lw_snake_destroy(sim->snake);
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

int cmd_snake_simulate(const Command* command, const Options* options)
{
  (void)command;
  SnakeSimulation sim = {.options    = options,
                         .course     = {.duration = 10, .record = 0.01},
                         .integrator = lw_integrator_def()};
  int status          = check_run_options(&sim);
  if (status == DONE) status = snake_run_load(&sim);
  if (status == DONE) status = snake_run_begin(&sim);
  if (status == DONE)
  {
    status    = write_snake_run(&sim);
    int drawn = draw_snake(&sim, status != DONE), written = write_audit_file(&sim);
    if (status == DONE) status = drawn;
    if (status == DONE) status = written;
  }
  simulation_end(&sim);
  return status;
}
