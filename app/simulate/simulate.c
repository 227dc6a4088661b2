// SPDX-License-Identifier: MIT
#include "simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "integrator.h"
#include "io/text.h"

static const double MOST_RECORDS = 1e8;

// --- records

// Groups of columns that have one for each joint, or for some.
typedef enum Part
{
  PART_Q,
  PART_QD,
  PART_QDD,
  PART_TAU,
  PART_V,
  PART_I,
  PART_COUNT
} Part;

static const char* const PARTS[PART_COUNT] = {"q", "qd", "qdd", "tau", "v", "i"};
static const char* const ENERGIES[]        = {"kinetic", "potential", "work", "S"};

static bool has(const Simulation* sim, int part, int k)
{
  if (part == PART_V) return lw_arm_run_has_voltage(sim->run, k);
  return part != PART_I || lw_arm_run_has_current(sim->run, k);
}

// The part and the joint of column c; PART_COUNT: the energies, by `joint`.
static Part part_of(const Simulation* sim, size_t c, int* joint)
{
  size_t next = 1;
  for (int part = 0; part < PART_COUNT; ++part)
    for (*joint = 0; *joint < sim->n; ++*joint)
      if (has(sim, part, *joint) && next++ == c) return (Part)part;
  *joint = (int)(c - next);
  return PART_COUNT;
}

static size_t count_columns(const Simulation* sim)
{
  size_t count = 5;  // t and the energies
  for (int part = 0; part < PART_COUNT; ++part)
    for (int k = 0; k < sim->n; ++k) count += has(sim, part, k);
  return count;
}

static void column_name(const void* context, size_t c, char name[ROW_NAME])
{
  int joint = 0;
  Part part = c > 0 ? part_of(context, c, &joint) : PART_COUNT;
  if (c == 0)
    snprintf(name, ROW_NAME, "t");
  else if (part == PART_COUNT)
    snprintf(name, ROW_NAME, "%s", ENERGIES[joint]);
  else
    snprintf(name, ROW_NAME, "%s%d", PARTS[part], joint + 1);
}

// Tables show positions and energies.
static bool column_shown(const void* context, size_t c)
{
  int joint = 0;
  Part part = c > 0 ? part_of(context, c, &joint) : PART_COUNT;
  return part == PART_COUNT || part == PART_Q;
}

// Writes the moment; false if its energy is not finite.
static bool record(Simulation* sim)
{
  const lwArmMoment moment         = lw_arm_run_moment(sim->run);
  const double* arrays[PART_COUNT] = {moment.q,   moment.qd,      moment.qdd,
                                      moment.tau, moment.voltage, moment.current};
  double* to                       = sim->values;
  if (!isfinite(moment.S)) return false;
  *to++ = moment.t;
  for (int part = 0; part < PART_COUNT; ++part)
    for (int k = 0; k < sim->n; ++k)
      if (part < PART_V || has(sim, part, k)) *to++ = arrays[part][k];
  *to++ = moment.kinetic;
  *to++ = moment.potential;
  *to++ = moment.work;
  *to++ = moment.S;
  rows_add(&sim->rows, sim->values);
  plot_table_add(&sim->plot, sim->values);
  sim->reached = moment.t;
  return true;
}

// --- the run

static int interrupted(const Simulation* sim)
{
  fprintf(stderr, "linkwork: interrupted at t = %.9g of %g s; %ld records up to there are kept\n",
          sim->reached, sim->course.duration, sim->rows.count);
  return 128 + course_stop;
}

static int broke_down(const Simulation* sim)
{
  static const char* const what[] = {[LW_RUN_CHATTER]    = "too many events in too short a time",
                                     [LW_RUN_NOT_FINITE] = "the motion is not finite",
                                     [LW_RUN_STEP_VANISHED] =
                                         "no step is short enough for the tolerance"};
  char why[200];
  int joint        = lw_arm_run_why(sim->run, why, sizeof why);
  const char* name = joint < 0 ? "the arm" : joint_name(lw_scenario_model(sim->scenario), joint);
  return fail(NUMERICAL, "simulate: %s after t = %.9g s, joint '%s': %s; %ld records are kept",
              what[sim->outcome], lw_arm_run_time(sim->run), name, why, sim->rows.count);
}

// A run that an event ends has its last record there.
static int ended_early(Simulation* sim)
{
  if (!record(sim)) return broke_down(sim);
  fprintf(stderr, "linkwork: the run ends at t = %.9g of %g s: %s\n", sim->reached,
          sim->course.duration,
          sim->outcome == LW_RUN_LIMIT ? "a joint reached its limit" : "an event says so");
  return NO;
}

static int step(void* context, double t)
{
  Simulation* sim = context;
  sim->outcome    = lw_arm_run_advance(sim->run, t, &course_stop);
  if (sim->outcome == LW_RUN_STOPPED) return interrupted(sim);
  if (sim->outcome == LW_RUN_CONDITION || sim->outcome == LW_RUN_LIMIT) return ended_early(sim);
  if (sim->outcome == LW_RUN_ARRIVED && !record(sim)) sim->outcome = LW_RUN_NOT_FINITE;
  if (sim->outcome != LW_RUN_ARRIVED) return broke_down(sim);
  if (!course_stop || t >= sim->course.duration) return DONE;
  sim->outcome = LW_RUN_STOPPED;
  return interrupted(sim);
}

static void out_title(Simulation* sim)
{
  const lwModel* model = lw_scenario_model(sim->scenario);
  out_format(&sim->out, "%s: %s, %d moving joints, %s\n", lw_scenario_name(sim->scenario),
             lw_model_name(model), sim->n, sim->arm.integrator.method);
}

static void print_to_out(void* to, const char* text)
{
  out_text(to, text);
}

static void print_to_stderr(void* to, const char* text)
{
  (void)to;
  fputs(text, stderr);
}

static void show_audit(Simulation* sim)
{
  if (sim->format == FORMAT_TABLE)
  {
    out_text(&sim->out, "units: t s, q rad or m, energies J\n");
    audit_text(sim, print_to_out, &sim->out);
  }
  else
    audit_text(sim, print_to_stderr, NULL);
}

static int write_all(Simulation* sim)
{
  sim->rows  = (Rows){.out     = &sim->out,
                      .format  = sim->format,
                      .columns = count_columns(sim),
                      .name    = column_name,
                      .shown   = column_shown,
                      .context = sim};
  int status = out_open(&sim->out, sim->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (sim->format == FORMAT_TABLE) out_title(sim);
  rows_begin(&sim->rows);
  status       = course_run(&sim->course, &sim->out, step, sim);
  sim->seconds = course_seconds(&sim->course);
  rows_end(&sim->rows);
  show_audit(sim);
  if (simulation_is_partial(sim)) return out_close_partial(&sim->out, status);
  return out_close(&sim->out, DONE, true);
}

// --- what is asked

static int load(Simulation* sim)
{
  const Options* options  = sim->options;
  lwModelOptions tolerate = robot_options(options);
  lwDiag* diag            = lw_diag_create();
  if (!diag) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  lwStatus status = lw_scenario_read_file(options->operand, &tolerate, diag, &sim->scenario);
  errors_print(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(INPUT, "%s: %s", options->operand, lw_status_text(status));
  lw_diag_destroy(diag);
  return status == LW_OK ? DONE : INPUT;
}

static int apply_options(Simulation* sim)
{
  const Options* options = sim->options;
  sim->arm               = *lw_scenario_arm(sim->scenario);
  sim->course.duration   = lw_scenario_duration(sim->scenario);
  sim->course.record     = lw_scenario_record(sim->scenario);
  int status             = seconds_choose(options, OPTION_DURATION, &sim->course.duration);
  if (status == DONE) status = seconds_choose(options, OPTION_RECORD, &sim->course.record);
  if (status == DONE) status = integrator_choose(options, &sim->arm.integrator);
  double records = sim->course.duration / sim->course.record;
  if (status == DONE && records > MOST_RECORDS)
    status = fail(USAGE, "%s: %g records are too many, expected at most %g", options->operand,
                  records, MOST_RECORDS);
  return status;
}

static int begin(Simulation* sim)
{
  lwStatus made = lw_arm_run_create(&sim->arm, &sim->run);
  if (made != LW_OK) return fail(INPUT, "%s: %s", sim->options->operand, lw_status_text(made));
  sim->n      = lw_model_dof(lw_scenario_model(sim->scenario));
  sim->values = calloc(count_columns(sim), sizeof *sim->values);
  if (!sim->values) return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  return plot_table_create(&sim->plot, sim->options->value[OPTION_PLOT], count_columns(sim));
}

// The picture of what was recorded, of a part, too.
static int draw(Simulation* sim)
{
  const char* path = sim->options->value[OPTION_PLOT];
  if (!path) return DONE;
  for (size_t c = 0; c < sim->plot.columns; ++c)
  {
    char name[ROW_NAME];
    int joint = 0;
    Part part = c > 0 ? part_of(sim, c, &joint) : PART_COUNT;
    column_name(sim, c, name);
    const char* label =
        part < PART_COUNT ? joint_name(lw_scenario_model(sim->scenario), joint) : NULL;
    if (!plot_table_name(&sim->plot, c, name, label)) return INPUT;
  }
  sim->plot.title = lw_scenario_name(sim->scenario);
  return plot_table_draw(&sim->plot, path, "t", "q,qd,tau,v,S", true);
}

int cmd_simulate(const Command* command, const Options* options)
{
  (void)command;
  Simulation sim = {.options = options};
  int status     = format_choose(options, &sim.format);
  if (status == DONE) status = load(&sim);
  if (status == DONE) status = apply_options(&sim);
  if (status == DONE) status = begin(&sim);
  if (status == DONE)
  {
    status    = write_all(&sim);
    int drawn = draw(&sim);
    if (status == DONE) status = drawn;
    if (options->value[OPTION_AUDIT])
    {
      int written = audit_write(&sim, options->value[OPTION_AUDIT]);
      if (status == DONE) status = written;
    }
  }
  plot_table_destroy(&sim.plot);
  free(sim.values);
  lw_arm_run_destroy(sim.run);
  lw_scenario_destroy(sim.scenario);
  return status;
}
