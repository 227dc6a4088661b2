// SPDX-License-Identifier: MIT
// linkwork snake simulate: a snake over time.
//
//   options --lwSnakeRunDef--> lw_snake_run_to() --> samples
//     --lwRows--> t,theta1..,u1,u2,x,y,kinetic,work,S,..,phi1..
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arm/snake_record.h"
#include "base/units.h"
#include "io/files.h"
#include "io/picture.h"
#include "io/progress.h"
#include "report/plot/snake_plot.h"
#include "simulate/timed_run.h"
#include "snake_command.h"

typedef struct SnakeSimulation
{
  RunWriter timed;
  lwColumnGroup groups[LW_SNAKE_GROUPS];
  lwSnakeWorkspaceDef how;
  bool full;  // in all coordinates
  int n;
  lwSnakeRunDef def;
  lwSerpenoidDrive* gait;    // or NULL
  lwSnakeGuideDrive* guide;  // or NULL
  lwSnakeRun* run;
  lwSnakeSample sample;
  lwPlotTable* plot;
  double* values;       // (columns) one record
  const char* outcome;  // for the audit
} SnakeSimulation;

// --- what drives the joints: a law, a file of torques, or a gait

// The errors of the law, each with a mark below its place.
static void print_errors(const lwDiag* diag)
{
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    const lwMessage* message = lw_diag_message(diag, i);
    char text[2048];
    lw_message_format(message, text, sizeof text);
    fputs(text, stderr);
    if (message->source && strncmp(message->source, "...", 3) != 0)
      fprintf(stderr, "      | %*s\n", message->place.column, "^");
  }
}

static void take_law(SnakeSimulation* sim, const char* text)
{
  lwLaw* law      = NULL;
  lwDiag* diag    = hold_messages();
  lwStatus status = lw_law_create("--torque-law", text, diag, &law);
  print_errors(diag);
  inputs_add(diag);
  sim->def.law = hold_law(law);
  if (status != LW_OK) leave(status == LW_ERROR_INPUT ? USAGE : no_memory());
}

static void by_schedule(void* context, double t, const double* theta, const double u[2],
                        const double place[2], double* torque)
{
  (void)theta;
  (void)u;
  (void)place;
  lw_schedule_values(context, t, torque);
}

static void take_schedule(SnakeSimulation* sim, const char* path)
{
  lwScheduleDef def    = {.symbol = "T", .width = sim->n - 1, .between = LW_BETWEEN_LINEAR};
  lwSchedule* schedule = NULL;
  lwDiag* diag         = hold_messages();
  need_read(lw_schedule_read_file(path, &def, diag, &schedule), path, diag, false);
  sim->def.drive   = by_schedule;
  sim->def.context = hold_schedule(schedule);
}

// Numbers of a gait behind its name: at least `least` of `most`; the others are 0.
static void take_gait_numbers(const char* text, int least, int most, const char* each,
                              double* values)
{
  int given = list_count(text);
  list_parse(OPTION_GAIT, text, given < least ? least : given > most ? most : given, each, values);
}

static void take_serpenoid(SnakeSimulation* sim, lwSnakeWorkspace* ws, const char* text)
{
  double v[5] = {0};
  take_gait_numbers(text, 3, 5, "serpenoid:ALPHA,BETA,GAMMA[,STEER[,RISE]]", v);
  const lwSerpenoid gait = {
      .alpha = v[0], .beta = v[1], .gamma = v[2], .steer = v[3], .rise = v[4]};
  if (gait.rise < 0) stop(USAGE, "--gait: RISE must not be negative");
  if (lw_serpenoid_create(sim->def.snake, ws, &gait, &sim->gait) != LW_OK) leave(no_memory());
  sim->def.drive   = lw_serpenoid_torques;
  sim->def.context = hold_gait(sim->gait);
}

static void take_guide(SnakeSimulation* sim, lwSnakeWorkspace* ws, const char* text)
{
  double v[4] = {0};
  take_gait_numbers(text, 3, 4, "head:SPEED,WINDING,LENGTH[,CURVATURE]", v);
  const lwSnakeGuide guide = {
      .speed = v[0], .winding = v[1], .wavelength = v[2], .curvature = v[3]};
  lwDiag* diag    = hold_messages();
  lwStatus status = lw_snake_guide_create(sim->def.snake, ws, &guide, diag, &sim->guide);
  if (status == LW_ERROR_INPUT) stop(USAGE, "--gait: %s", lw_diag_message(diag, 0)->text);
  if (status != LW_OK) leave(no_memory());
  sim->def.drive   = lw_snake_guide_torques;
  sim->def.context = hold_guide(sim->guide);
}

static void take_gait(SnakeSimulation* sim, const char* text)
{
  static const struct
  {
    const char* name;
    void (*take)(SnakeSimulation* sim, lwSnakeWorkspace* ws, const char* text);
  } gaits[]            = {{"serpenoid:", take_serpenoid}, {"head:", take_guide}};
  lwSnakeWorkspace* ws = sim->def.ws ? sim->def.ws : snake_workspace_of(sim->def.snake, NULL);
  for (size_t k = 0; k < sizeof gaits / sizeof *gaits; ++k)
    if (!strncmp(text, gaits[k].name, strlen(gaits[k].name)))
    {
      gaits[k].take(sim, ws, text + strlen(gaits[k].name));
      return;
    }
  stop(USAGE,
       "--gait: unknown gait '%s'; expected serpenoid:ALPHA,BETA,GAMMA or head:SPEED,"
       "WINDING,LENGTH",
       text);
}

static const struct
{
  Option option;
  void (*take)(SnakeSimulation* sim, const char* text);
} DRIVES[] = {{OPTION_TORQUE_LAW, take_law}, {OPTION_IN, take_schedule}, {OPTION_GAIT, take_gait}};

enum
{
  DRIVE_COUNT = sizeof DRIVES / sizeof *DRIVES
};

// --- the run

// The angles are left out of tables.
static bool column_shown(const void* context, size_t k)
{
  return strcmp(lw_groups_unit(context, k), "rad") != 0;
}

// Writes the sample; false if its energy is not finite.
static bool snake_run_record(SnakeSimulation* sim)
{
  if (!isfinite(sim->sample.S)) return false;
  lw_snake_record_values(sim->n, sim->full, &sim->sample, sim->values);
  run_keep(&sim->timed, sim->values);
  lw_plot_table_add(sim->plot, sim->values);
  return true;
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
  if (progress == LW_PROGRESS_ARRIVED && snake_run_record(sim))
    return run_loop_stop && t < sim->timed.loop.duration ? snake_run_interrupted(sim) : DONE;
  sim->outcome = lw_snake_run_why(sim->run, progress);
  return fail(NUMERICAL, "snake simulate: %s after t = %.9g s; %ld records up to there are kept",
              sim->outcome, sim->sample.t, sim->timed.rows.count);
}

static void write_run_title(const void* context, lwOut* out)
{
  const SnakeSimulation* sim = context;
  lw_out_format(out, "%s: %d links, by %s, %s precision, %s\n", lw_snake_name(sim->def.snake),
                sim->n, sim->how.method,
                sim->how.precision == LW_PRECISION_SINGLE ? "single" : "double",
                sim->def.integrator.method);
}

static bool is_partial(const void* context)
{
  return ((const SnakeSimulation*)context)->outcome != NULL;
}

static lwRunFacts facts_of(const SnakeSimulation* sim)
{
  return (lwRunFacts){.source     = {"file", sim->timed.options->operand},
                      .robot      = {"snake", lw_snake_name(sim->def.snake)},
                      .method     = sim->how.method,
                      .integrator = sim->def.integrator.method,
                      .outcome    = sim->outcome ? sim->outcome : "complete",
                      .partial    = is_partial(sim),
                      .reached    = sim->sample.t,
                      .seconds    = sim->timed.seconds};
}

static void snake_run_text(const void* context, lwPrint* print, void* to)
{
  const SnakeSimulation* sim = context;
  lwRunFacts facts           = facts_of(sim);
  lwAudit audit              = lw_snake_run_audit(sim->run);
  if (!sim->timed.output_error) lw_snake_audit_text(&facts, &audit, &(lwAuditPrinter){print, to});
}

static void snake_run_json(const void* context, lwOut* out)
{
  const SnakeSimulation* sim = context;
  lwRunFacts facts           = facts_of(sim);
  lwAudit audit              = lw_snake_run_audit(sim->run);
  lw_snake_audit_json(&facts, &audit, out);
}

static int draw_snake(void* context, const char* path)
{
  SnakeSimulation* sim = context;
  char message[LW_PLOT_MESSAGE];
  picture_wait(path);
  sim->plot->ending = is_partial(sim) ? PARTIAL : "";
  bool drawn =
      lw_snake_plot_draw(sim->def.snake, sim->plot, sim->timed.loop.duration, path, message);
  progress_clear();
  return drawn ? DONE : picture_failed(path, message);
}

// --- what is asked

// lagrange-full if it is named, or if something is asked for that only it can do.
static void choose_equations(SnakeSimulation* sim)
{
  const Options* options = sim->timed.options;
  const char* name       = options->value[OPTION_METHOD];
  const char* needs      = first_given(options, "--slip --stops --stabilise");
  sim->full              = name ? !strcmp(name, FULL_METHOD) : needs != NULL;
  if (!sim->full && needs)
    stop(USAGE, "%s needs --method %s, found '%s'", needs, FULL_METHOD, name);
  sim->how           = sim->full ? lw_snake_workspace_def() : snake_method_of(options);
  sim->how.precision = precision_of(options);
  if (sim->full) sim->how.method = FULL_METHOD;
  sim->def.precision          = sim->how.precision;
  sim->def.slip               = options->value[OPTION_SLIP] != NULL;
  sim->def.stops              = options->value[OPTION_STOPS] != NULL;
  sim->def.rolling_resistance = number_in(options, OPTION_ROLLING, 0, 1e9, "N s/m, 0 or more", 0);
  if (sim->full && sim->def.rolling_resistance > 0)
    stop(USAGE, "--rolling-resistance and --method %s exclude each other", FULL_METHOD);
  sim->def.stabilise = options->value[OPTION_STABILISE] != NULL;
}

static void check_run_options(SnakeSimulation* sim)
{
  const Options* options = sim->timed.options;
  const char* given      = NULL;
  for (int i = 0; i < DRIVE_COUNT; ++i)
  {
    Option drive = DRIVES[i].option;
    if (!options->value[drive]) continue;
    if (given) stop(USAGE, "%s and %s exclude each other", given, OPTIONS[drive].name);
    given = OPTIONS[drive].name;
  }
  sim->timed.format = format_of(options);
  choose_equations(sim);
  run_options(options, &sim->timed.loop, &sim->def.integrator);
}

static void snake_run_load(SnakeSimulation* sim)
{
  const Options* options = sim->timed.options;
  sim->def.snake         = snake_of(options);
  sim->n                 = lw_snake_count(sim->def.snake);
  if (!sim->full) sim->def.ws = snake_workspace_of(sim->def.snake, &sim->how);
  lw_snake_record_groups(sim->n, sim->full, sim->groups);
  size_t columns    = lw_groups_columns(sim->groups);
  sim->values       = allocate(columns, sizeof(double));
  sim->sample.theta = allocate((size_t)sim->n, sizeof(double));
  for (int i = 0; i < DRIVE_COUNT; ++i)
    if (options->value[DRIVES[i].option]) DRIVES[i].take(sim, options->value[DRIVES[i].option]);
  sim->plot       = plot_begin(options->value[OPTION_PLOT], columns);
  sim->timed.rows = (lwRows){.columns = columns,
                             .name    = lw_groups_name,
                             .shown   = column_shown,
                             .unit    = lw_groups_unit,
                             .context = sim->groups};
}

// The start: of the options; of the gait; otherwise Table II of nia2005 at rest.
static void choose_start(SnakeSimulation* sim)
{
  const char* theta = sim->timed.options->value[OPTION_THETA0];
  const char* u     = sim->timed.options->value[OPTION_U0];
  double *at = sim->sample.theta, *speeds = sim->sample.u;
  for (int k = 1; k <= sim->n; ++k) at[k - 1] = (k % 2 ? -LW_PI : LW_PI) / 6;
  if (sim->gait) lw_serpenoid_start(sim->gait, at, speeds);
  if (sim->guide)
  {
    double place[2];
    lw_snake_guide_start(sim->guide, at, place);
    sim->sample.x = place[0], sim->sample.y = place[1];
  }
  if (theta) list_parse(OPTION_THETA0, theta, sim->n, "one for each link", at);
  if (theta && !u) speeds[0] = speeds[1] = 0;
  if (u) list_parse(OPTION_U0, u, 2, "u1,u2", speeds);
  int beyond = sim->def.stops ? lw_snake_find_beyond(sim->def.snake, at) : -1;
  if (beyond >= 0)
    stop(USAGE, "snake simulate: joint %d begins at %g rad, beyond its limits %g to %g rad",
         beyond + 1, at[beyond + 1] - at[beyond], lw_snake_get(sim->def.snake, beyond).lower,
         lw_snake_get(sim->def.snake, beyond).upper);
}

static void snake_run_begin(SnakeSimulation* sim)
{
  lwDiag* diag  = hold_messages();
  lwStatus made = lw_snake_run_create(&sim->def, diag, &sim->run);
  errors_print(diag);
  if (made != LW_OK) leave(made == LW_ERROR_MEMORY ? no_memory() : INPUT);
  hold_snake_run(sim->run);
  lw_snake_run_start(sim->run, &sim->sample);
}

static size_t save_snake(const void* run, void* state, size_t capacity)
{
  return lw_snake_run_save(run, state, capacity);
}

static lwStatus restore_snake(void* run, const void* state, size_t size, lwDiag* diag)
{
  return lw_snake_run_restore(run, state, size, diag);
}

static double snake_time(const void* run)
{
  return lw_snake_run_time(run);
}

int cmd_snake_simulate(const Options* options)
{
  SnakeSimulation* sim = allocate(1, sizeof *sim);
  sim->def             = lw_snake_run_def();
  sim->timed           = (RunWriter){.options    = options,
                                     .loop       = {.duration = 10, .record = 0.01},
                                     .context    = sim,
                                     .step       = snake_run_step,
                                     .title      = write_run_title,
                                     .is_partial = is_partial,
                                     .audit_text = snake_run_text,
                                     .audit_json = snake_run_json,
                                     .draw       = draw_snake};
  check_run_options(sim);
  snake_run_load(sim);
  choose_start(sim);
  snake_run_begin(sim);
  const RunState state = {sim->run, save_snake, restore_snake, snake_time};
  run_from(options, &state, &sim->timed.loop);
  int status = run_write(&sim->timed);
  if (status == DONE) status = run_save(options, &state);
  lwAudit audit = lw_snake_run_audit(sim->run);
  if (audit.counts[LW_NOTE_BEYOND] > 0 && !sim->timed.output_error)
    note("wheels would slip from t = %g s on: lambda is beyond friction_limit; see --slip",
         audit.first[LW_NOTE_BEYOND]);
  return status != DONE ? status : run_trusted(audit.trusted, audit.worst_S, audit.bound);
}
