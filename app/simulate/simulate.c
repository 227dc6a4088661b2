// SPDX-License-Identifier: MIT
#include "simulate.h"

#include "io/files.h"
#include "io/note.h"
#include "io/picture.h"
#include <stdlib.h>

#include <stdio.h>

#include "follow.h"
#include "integrator_option.h"

static const double MOST_RECORDS = 1e8;

// What is recorded is written at once, and kept for --plot.
static void keep_record(void* context, const double* values)
{
  Simulation* sim = context;
  rows_add(&sim->rows, values);
  lw_plot_table_add(&sim->plot, values);
}

// --- the run

static void write_simulation_title(Simulation* sim)
{
  out_format(&sim->out, "%s: %s, %d moving joints, %s\n", sim->name, lw_model_name(sim->model),
             sim->n, sim->arm.integrator.method);
}

static void show_audit(Simulation* sim)
{
  if (sim->format == FORMAT_TABLE)
    audit_text(sim, print_to_out, &sim->out);
  else if (notes_on())
    audit_text(sim, print_to_stderr, NULL);
}

static int write_simulation(Simulation* sim)
{
  sim->rows  = (Rows){.out     = &sim->out,
                      .format  = sim->format,
                      .columns = sim->columns,
                      .name    = simulation_column,
                      .shown   = simulation_column_shown,
                      .unit    = simulation_unit,
                      .context = sim};
  int status = out_open(&sim->out, sim->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (sim->format == FORMAT_TABLE) write_simulation_title(sim);
  rows_begin(&sim->rows);
  status       = course_run(&sim->course, &sim->out, simulation_step, sim);
  sim->seconds = course_seconds(&sim->course);
  rows_end(&sim->rows);
  out_flush(&sim->out);
  sim->output_error = sim->out.error;
  show_audit(sim);
  if (simulation_is_partial(sim)) return out_close_partial(&sim->out, status);
  return out_close(&sim->out, DONE, true);
}

// --- what is asked

// Adds --payload to the payload of the scenario. DONE, or why not.
static int add_payload(const Options* options, lwScenario* scenario)
{
  lwModel* loaded;
  int status = payload_model(options, lw_scenario_model(scenario), &loaded);
  if (loaded) lw_scenario_set_model(scenario, loaded);
  return status;
}

int scenario_load(const Options* options, const char* path, lwScenario** scenario)
{
  lwModelOptions tolerate = robot_options(options);
  lwDiag* diag            = lw_diag_create();
  if (!diag) return no_memory();
  lwStatus status = lw_scenario_read_file(path, &tolerate, diag, scenario);
  errors_print(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(INPUT, "%s: %s", path, lw_status_text(status));
  inputs_add(diag);
  lw_diag_destroy(diag);
  if (status != LW_OK) return INPUT;
  const Option outputs[] = {OPTION_OUT, OPTION_AUDIT, OPTION_PLOT};  // not onto what it refers to
  int refused            = add_payload(options, *scenario);
  for (int i = 0; i < 3 && refused == DONE; ++i) refused = output_check(options->value[outputs[i]]);
  if (refused == DONE) return DONE;
  lw_scenario_destroy(*scenario);
  *scenario = NULL;
  return refused;
}

static int apply_options(Simulation* sim)
{
  const Options* options = sim->options;
  int status             = format_choose(options, &sim->format);
  if (status == DONE) status = seconds_choose(options, OPTION_DURATION, &sim->course.duration);
  if (status == DONE) status = seconds_choose(options, OPTION_DT, &sim->course.record);
  if (status == DONE) status = integrator_choose(options, &sim->arm.integrator);
  if (status == DONE) status = steps_check(&sim->arm.integrator, sim->course.duration);
  if (status == DONE) status = simulation_choose_columns(sim, options->value[OPTION_COLUMNS]);
  sim->names     = options->value[OPTION_NAMES] != NULL;
  double records = sim->course.duration / sim->course.record;
  if (status == DONE && records > MOST_RECORDS)
    status = fail(USAGE, "%s: %g records are too many, expected at most %g", options->operand,
                  records, MOST_RECORDS);
  return status;
}

static int simulation_open(Simulation* sim)
{
  sim->keep  = keep_record;
  sim->to    = sim;
  int status = simulation_begin(sim, sim->options->operand);
  if (status != DONE) return status;
  return picture_begin(&sim->plot, sim->options->value[OPTION_PLOT], sim->columns);
}

// The picture of the recording; a partial one does not replace a complete one.
static int draw_recorded(Simulation* sim)
{
  const char* path = sim->options->value[OPTION_PLOT];
  if (!path) return DONE;
  if (!simulation_plot_names(sim, &sim->plot)) return INPUT;
  lwArmAudit audit     = lw_arm_run_audit(sim->run);
  sim->plot.title      = sim->name;
  sim->plot.model      = plotted_model(sim->model);
  sim->plot.notes      = audit.notes;
  sim->plot.note_count = audit.note_count;
  sim->plot.arm        = &sim->arm;
  sim->plot.ending     = simulation_is_partial(sim) ? PARTIAL : NULL;
  return picture_draw(&sim->plot, path, "t", SIMULATION_PANELS, true);
}

int simulation_run(Simulation* sim)
{
  const char* audit = sim->options->value[OPTION_AUDIT];
  int status        = apply_options(sim);
  if (status == DONE) status = simulation_push(sim);
  if (status == DONE) status = simulation_open(sim);
  if (status == DONE)
  {
    status      = write_simulation(sim);
    int drawn   = draw_recorded(sim);
    int written = audit ? audit_write(sim, audit) : DONE;
    if (status == DONE) status = drawn;
    if (status == DONE) status = written;
  }
  lw_plot_table_destroy(&sim->plot);
  simulation_end(sim);
  free(sim->loads);
  free(sim->frames);
  return status;
}

static int simulate_scenario(const Options* options)
{
  Simulation sim = {.options = options};
  int status     = scenario_load(options, options->operand, &sim.scenario);
  if (status != DONE) return status;
  sim.model           = lw_scenario_model(sim.scenario);
  sim.name            = lw_scenario_name(sim.scenario);
  sim.arm             = *lw_scenario_arm(sim.scenario);
  sim.course.duration = lw_scenario_duration(sim.scenario);
  sim.course.record   = lw_scenario_record(sim.scenario);
  status              = simulation_run(&sim);
  lw_scenario_destroy(sim.scenario);
  return status;
}

int cmd_simulate(const Command* command, const Options* options)
{
  static const Option of_robot[] = {OPTION_CONTROL, OPTION_KP, OPTION_KD};
  (void)command;
  if (options->value[OPTION_IN]) return simulate_robot(options);
  for (int i = 0; i < 3; ++i)
    if (options->value[of_robot[i]])
      return fail(USAGE, "simulate: %s needs a trajectory to follow, --in FILE",
                  OPTIONS[of_robot[i]].name);
  return simulate_scenario(options);
}
