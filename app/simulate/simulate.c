// SPDX-License-Identifier: MIT
#include "simulate.h"

#include "command/ranges.h"
#include "io/files.h"
#include "io/note.h"
#include "io/picture.h"
#include <stdlib.h>

#include <stdio.h>

#include "follow.h"
#include "integrator_option.h"

// What is recorded is written at once, and kept for --plot.
static void keep_record(void* context, const double* values)
{
  Simulation* sim = context;
  lw_rows_add(&sim->rows, values);
  lw_plot_table_add(&sim->plot, values);
}

// --- the run

static void write_simulation_title(Simulation* sim)
{
  lw_out_format(&sim->out, "%s: %s, %d moving joints, %s\n", sim->name, lw_model_name(sim->model),
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
  sim->rows  = (lwRows){.out     = &sim->out,
                        .format  = sim->format,
                        .columns = sim->columns,
                        .name    = simulation_column,
                        .shown   = simulation_column_shown,
                        .unit    = simulation_unit,
                        .context = sim};
  int status = out_open(&sim->out, sim->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (sim->format == FORMAT_TABLE) write_simulation_title(sim);
  lw_rows_begin(&sim->rows);
  status       = run_loop_run(&sim->run_loop, &sim->out, simulation_step, sim);
  sim->seconds = run_loop_seconds(&sim->run_loop);
  lw_rows_end(&sim->rows);
  lw_out_flush(&sim->out);
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

void scenario_ranges(const lwScenario* scenario, const char* path)
{
  const double* q = lw_scenario_arm(scenario)->q;
  if (q) ranges_positions(lw_scenario_model(scenario), path, 0, q, 1, false);
}

int scenario_load(const Options* options, const char* path, lwScenario** scenario)
{
  lwModelOptions tolerate = robot_options(options);
  lwDiag* diag            = lw_diag_create();
  if (!diag) return no_memory();
  lwStatus status = lw_scenario_read_file(path, &tolerate, diag, scenario);
  errors_print(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(exit_of(status), "%s: %s", path, lw_status_text(status));
  inputs_add(diag);
  lw_diag_destroy(diag);
  if (status != LW_OK) return exit_of(status);
  scenario_ranges(*scenario, path);
  const Option outputs[] = {OPTION_OUT, OPTION_AUDIT, OPTION_PLOT};  // not onto what it refers to
  int refused            = add_payload(options, *scenario);
  for (int i = 0; i < 3 && refused == DONE; ++i) refused = output_check(options->value[outputs[i]]);
  if (refused == DONE) return DONE;
  lw_scenario_destroy(*scenario);
  *scenario = NULL;
  return refused;
}

static void apply_options(Simulation* sim)
{
  const Options* options = sim->options;
  sim->format            = format_of(options);
  sim->names             = options->value[OPTION_NAMES] != NULL;
  run_options(options, &sim->run_loop, &sim->arm.integrator);
  need(simulation_choose_columns(sim, options->value[OPTION_COLUMNS]));
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

static void release_simulation(void* context)
{
  Simulation* sim = context;
  lw_plot_table_destroy(&sim->plot);
  simulation_end(sim);
}

static int run_simulation(void* context)
{
  Simulation* sim        = context;
  const Options* options = sim->options;
  apply_options(sim);
  need(simulation_push(sim));
  sim->keep = keep_record;
  sim->to   = sim;
  hold(sim, release_simulation);
  need(simulation_begin(sim, options->operand));
  need(picture_begin(&sim->plot, options->value[OPTION_PLOT], sim->columns));
  int status = write_simulation(sim), drawn = draw_recorded(sim);
  int written =
      options->value[OPTION_AUDIT] ? audit_write(sim, options->value[OPTION_AUDIT]) : DONE;
  if (status != DONE || drawn != DONE || written != DONE)
    return status != DONE ? status : drawn != DONE ? drawn : written;
  lwArmAudit audit = lw_arm_run_audit(sim->run);
  return run_trusted(audit.trusted, audit.worst_S, audit.bound);
}

int simulation_run(Simulation* sim)
{
  return scope_run(run_simulation, sim);
}

int cmd_simulate(const Options* options)
{
  static const Option of_robot[] = {OPTION_CONTROL, OPTION_KP, OPTION_KD};
  Simulation sim                 = {.options = options};
  if (options->value[OPTION_IN]) return simulate_robot(options);
  for (int i = 0; i < 3; ++i)
    if (options->value[of_robot[i]])
      stop(USAGE, "simulate: %s needs a trajectory to follow, --in FILE",
           OPTIONS[of_robot[i]].name);
  need(scenario_load(options, options->operand, &sim.scenario));
  hold_scenario(sim.scenario);
  sim.model             = lw_scenario_model(sim.scenario);
  sim.name              = lw_scenario_name(sim.scenario);
  sim.arm               = *lw_scenario_arm(sim.scenario);
  sim.run_loop.duration = lw_scenario_duration(sim.scenario);
  sim.run_loop.record   = lw_scenario_record(sim.scenario);
  return simulation_run(&sim);
}
