// SPDX-License-Identifier: MIT
// linkwork snake simulate: a snake over time.
//
//   options --Drive--> torques --lw_snake_run_to()--> samples
//     --Rows--> t,theta1..,u1,u2,x,y,kinetic,work,S,..,phi1..
#include <math.h>
#include <string.h>

#include "io/note.h"
#include "io/picture.h"
#include "io/progress.h"
#include "report/audit/audit.h"
#include "simulate/timed_run.h"
#include "snake_command.h"

static const char FULL_METHOD[] = "lagrange-full";  // not of the registry: it is about runs

typedef struct SnakeSimulation
{
  RunWriter timed;
  SnakeColumns columns;
  lwSnakeWorkspaceDef how;
  lwIntegratorDef integrator;
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  SnakeDrive drive;
  lwSnakeRun* run;
  lwSnakeSample sample;
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
  lw_rows_add(&sim->timed.rows, sim->values);
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
              what, sim->sample.t, sim->timed.rows.count);
}

static int snake_run_interrupted(SnakeSimulation* sim)
{
  sim->outcome = "interrupted";
  return run_interrupted(&sim->timed.loop, sim->sample.t, sim->timed.rows.count);
}

static int snake_run_step(void* context, double t)
{
  SnakeSimulation* sim = context;
  lwProgress progress  = lw_snake_run_to(sim->run, t, &sim->sample, &run_loop_stop);
  if (progress == LW_PROGRESS_STOPPED) return snake_run_interrupted(sim);
  if (progress != LW_PROGRESS_ARRIVED || !snake_run_record(sim))
    return run_not_finite(sim, progress);
  return run_loop_stop && t < sim->timed.loop.duration ? snake_run_interrupted(sim) : DONE;
}

static void write_run_title(const void* context, lwOut* out)
{
  const SnakeSimulation* sim = context;
  lw_out_format(out, "%s: %d links, by %s, %s precision, %s\n", lw_snake_name(sim->snake),
                sim->columns.n, sim->how.method,
                sim->how.precision == LW_PRECISION_SINGLE ? "single" : "double",
                sim->integrator.method);
}

static bool is_partial(const void* context)
{
  return ((const SnakeSimulation*)context)->outcome != NULL;
}

static lwRunFacts facts_of(const SnakeSimulation* sim)
{
  return (lwRunFacts){.source     = {"file", sim->timed.options->operand},
                      .robot      = {"snake", lw_snake_name(sim->snake)},
                      .method     = sim->how.method,
                      .integrator = sim->integrator.method,
                      .outcome    = sim->outcome ? sim->outcome : "complete",
                      .partial    = is_partial(sim),
                      .reached    = sim->sample.t,
                      .seconds    = sim->timed.seconds};
}

static void audit_text(const void* context, lwPrint* print, void* to)
{
  const SnakeSimulation* sim = context;
  lwRunFacts facts           = facts_of(sim);
  lwSnakeAudit audit         = lw_snake_run_audit(sim->run);
  if (!sim->timed.output_error) lw_snake_audit_text(&facts, &audit, print, to);
}

static void audit_json(const void* context, lwOut* out)
{
  const SnakeSimulation* sim = context;
  lwRunFacts facts           = facts_of(sim);
  lwSnakeAudit audit         = lw_snake_run_audit(sim->run);
  lw_snake_audit_json(&facts, &audit, out);
}

static int draw_snake(void* context, const char* path)
{
  const SnakeSimulation* sim = context;
  char message[LW_PLOT_MESSAGE];
  picture_wait(path);
  bool drawn = lw_snake_plot_draw(&sim->plot, path, is_partial(sim) ? PARTIAL : "", message);
  progress_clear();
  return drawn ? DONE : picture_failed(path, message);
}

// --- what is asked

// lagrange-full if it is named, or if something is asked for that only it can do.
static void choose_equations(SnakeSimulation* sim)
{
  const Options* options = sim->timed.options;
  const char* name       = options->value[OPTION_METHOD];
  const char* needs      = first_given(options, with(SLIP) | with(STOPS) | with(STABILISE));
  sim->columns.full      = name ? !strcmp(name, FULL_METHOD) : needs != NULL;
  if (!sim->columns.full && needs)
    stop(USAGE, "%s needs --method %s, found '%s'", needs, FULL_METHOD, name);
  sim->how           = lw_snake_workspace_def();
  sim->def           = lw_snake_run_def();
  sim->def.slip      = options->value[OPTION_SLIP] != NULL;
  sim->def.stops     = options->value[OPTION_STOPS] != NULL;
  sim->def.stabilise = options->value[OPTION_STABILISE] != NULL;
  sim->how.method    = FULL_METHOD;
  if (!sim->columns.full) sim->how = snake_method_of(options);
  sim->how.precision = precision_of(options);
}

static void check_run_options(SnakeSimulation* sim)
{
  static const Option drives[] = {OPTION_TORQUE_LAW, OPTION_IN, OPTION_GAIT};
  const Options* options       = sim->timed.options;
  const char* given            = NULL;
  for (int i = 0; i < 3; ++i)
  {
    if (!options->value[drives[i]]) continue;
    if (given) stop(USAGE, "%s and %s exclude each other", given, OPTIONS[drives[i]].name);
    given = OPTIONS[drives[i]].name;
  }
  sim->timed.format = format_of(options);
  choose_equations(sim);
  run_options(options, &sim->timed.loop, &sim->integrator);
}

static void snake_run_load(SnakeSimulation* sim)
{
  sim->snake = snake_of(sim->timed.options);
  need_ok(
      lw_snake_workspace_create(sim->snake, sim->columns.full ? NULL : &sim->how, NULL, &sim->ws));
  hold_snake_workspace(sim->ws);
  sim->columns.n    = lw_snake_count(sim->snake);
  sim->values       = allocate(snake_column_count(&sim->columns), sizeof(double));
  sim->sample.theta = allocate((size_t)sim->columns.n, sizeof(double));
  drive_create(&sim->drive, sim->timed.options, sim->snake, sim->ws);
  need(picture_check(sim->timed.options->value[OPTION_PLOT]));
  if (!sim->timed.options->value[OPTION_PLOT]) return;
  hold_snake_plot(&sim->plot);
  need_ok(lw_snake_plot_create(&sim->plot, sim->snake, sim->timed.loop.duration));
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

static void snake_run_begin(SnakeSimulation* sim)
{
  const char* theta = sim->timed.options->value[OPTION_THETA0];
  const char* u     = sim->timed.options->value[OPTION_U0];
  drive_initial(&sim->drive, sim->sample.theta, sim->sample.u);
  if (theta)
    list_parse(OPTION_THETA0, theta, sim->columns.n, "one for each link", sim->sample.theta);
  if (theta && !u) sim->sample.u[0] = sim->sample.u[1] = 0;
  if (u) list_parse(OPTION_U0, u, 2, "u1,u2", sim->sample.u);
  if (sim->columns.full)
    make_full_run(sim);
  else
    need_ok(lw_snake_run_create(sim->snake, sim->ws, &sim->integrator, sim->drive.torques,
                                sim->drive.context, NULL, &sim->run));
  hold_snake_run(sim->run);
  lw_snake_run_start(sim->run, &sim->sample);
}

int cmd_snake_simulate(const Options* options)
{
  SnakeSimulation* sim = allocate(1, sizeof *sim);
  *sim                 = (SnakeSimulation){.timed      = {.options    = options,
                                                          .loop       = {.duration = 10, .record = 0.01},
                                                          .context    = sim,
                                                          .step       = snake_run_step,
                                                          .title      = write_run_title,
                                                          .is_partial = is_partial,
                                                          .audit_text = audit_text,
                                                          .audit_json = audit_json,
                                                          .draw       = draw_snake},
                                           .columns    = {.list = COLUMNS},
                                           .integrator = lw_integrator_def()};
  check_run_options(sim);
  snake_run_load(sim);
  snake_run_begin(sim);
  sim->timed.rows    = (lwRows){.columns = snake_column_count(&sim->columns),
                                .name    = snake_column_name,
                                .shown   = column_shown,
                                .unit    = snake_column_unit,
                                .context = &sim->columns};
  int status         = run_write(&sim->timed);
  lwSnakeAudit audit = lw_snake_run_audit(sim->run);
  if (audit.counts[LW_SNAKE_NOTE_BEYOND] > 0 && !sim->timed.output_error)
    note("wheels would slip from t = %g s on: lambda is beyond friction_limit; see --slip",
         audit.first[LW_SNAKE_NOTE_BEYOND]);
  return status != DONE ? status : run_trusted(audit.trusted, audit.worst_S, audit.bound);
}
