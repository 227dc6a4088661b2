// SPDX-License-Identifier: MIT
#include "simulate.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "command/ranges.h"
#include "io/files.h"
#include "io/note.h"
#include "io/picture.h"
#include "linkwork/linear.h"
#include "states/wrench_options.h"

// --- the audit: how the run went, and whether to believe it

static bool is_partial(const void* context)
{
  const Simulation* sim = context;
  return sim->timed.output_error != 0 ||
         (sim->outcome != LW_OUTCOME_ARRIVED && sim->outcome != LW_OUTCOME_CONDITION &&
          sim->outcome != LW_OUTCOME_LIMIT);
}

static lwRunFacts simulation_facts(const Simulation* sim)
{
  int error          = sim->timed.output_error;
  const char* failed = error == EPIPE ? "ended: reader closed" : "ended: output failed";
  return (lwRunFacts){.source     = {"scenario", sim->name},
                      .robot      = {"robot", lw_model_name(sim->model)},
                      .integrator = sim->arm.integrator.method,
                      .outcome    = error ? failed : lw_outcome_text(sim->outcome),
                      .partial    = is_partial(sim),
                      .reached    = sim->reached,
                      .seconds    = sim->timed.seconds};
}

void audit_text(const void* context, lwPrint* print, void* to)
{
  const Simulation* sim        = context;
  const lwRunFacts facts       = simulation_facts(sim);
  const lwAuditPrinter printer = {print, to};
  lw_arm_audit_text(&facts, &sim->arm, sim->run, &printer);
}

static void audit_json(const void* context, lwOut* out)
{
  const Simulation* sim  = context;
  const lwRunFacts facts = simulation_facts(sim);
  lw_arm_audit_json(&facts, &sim->arm, sim->run, out);
}

// --- the run

// What is recorded is written at once, and kept for --plot.
static void keep_record(void* context, const double* values)
{
  Simulation* sim = context;
  run_keep(&sim->timed, values);
  lw_plot_table_add(sim->plot, values);
}

static void write_simulation_title(const void* context, lwOut* out)
{
  const Simulation* sim = context;
  lw_out_format(out, "%s: %s, %d moving joints, %s\n", sim->name, lw_model_name(sim->model), sim->n,
                sim->arm.integrator.method);
}

// The picture of the recording; a partial one does not replace a complete one.
static int draw_recorded(void* context, const char* path)
{
  Simulation* sim   = context;
  lwPlotTable* plot = sim->plot;
  for (size_t c = 0; c < sim->columns; ++c)
  {
    char name[LW_ROW_NAME];
    int joint = simulation_joint(sim, c);
    simulation_column(sim, c, name);
    plot_name(plot, c, name, joint >= 0 ? joint_name(sim->model, joint) : NULL);
  }
  lwAudit audit    = lw_arm_run_audit(sim->run);
  plot->title      = sim->name;
  plot->model      = plotted_model(sim->model);
  plot->notes      = audit.notes;
  plot->note_count = audit.note_count;
  plot->arm        = &sim->arm;
  plot->ending     = is_partial(sim) ? PARTIAL : NULL;
  return picture_draw(plot, path, "t", SIMULATION_PANELS, true);
}

// Adds the constant wrenches of --wrench to those of the scenario.
static void add_wrenches(Simulation* sim)
{
  lwCsvBlock one    = {.capacity = 1};
  Wrenches wrenches = wrenches_of(sim->timed.options, sim->model, NULL, &one);
  size_t given = (size_t)sim->arm.load_count, count = (size_t)wrenches.count;
  lwLoadDef* loads = allocate(given + count, sizeof *loads);
  lwFrame* frames  = allocate(count, sizeof *frames);
  if (given) memcpy(loads, sim->arm.loads, given * sizeof *loads);
  for (size_t k = 0; k < count; ++k)
  {
    const lwWrenchPlace* place = &wrenches.places[k];
    frames[k].joint            = place->joint;
    memcpy(frames[k].xyz, place->xyz, sizeof place->xyz);
    lwLoadDef* load = &loads[given + k];
    *load =
        (lwLoadDef){.frame = &frames[k], .in_base = place->axes == LW_AXES_BASE, .to = INFINITY};
    memcpy(load->constant, wrenches.constants + 6 * k, sizeof load->constant);
  }
  sim->arm.loads = loads;
  sim->arm.load_count += wrenches.count;
}

void simulation_warn_of_steps(const Simulation* sim)
{
  lwStableStep stable;
  if (lw_arm_run_stable_step(sim->run, &stable) != LW_OK) leave(no_memory());
  if (stable.joint < 0) return;
  warn("steps of %g s are beyond the stability limit of %s where the run begins: a mode of joint "
       "'%s', %.4g%+.4gi 1/s, needs steps below %.3g s; take shorter steps, or bdf",
       sim->arm.integrator.step, sim->arm.integrator.method, joint_name(sim->model, stable.joint),
       stable.mode.re, stable.mode.im, stable.step);
}

static size_t save_arm(const void* run, void* state, size_t capacity)
{
  return lw_arm_run_save(run, state, capacity);
}

static lwStatus restore_arm(void* run, const void* state, size_t size, lwDiag* diag)
{
  return lw_arm_run_restore(run, state, size, diag);
}

static double arm_time(const void* run)
{
  return lw_arm_run_time(run);
}

int simulation_run(Simulation* sim)
{
  RunWriter* timed       = &sim->timed;
  const Options* options = timed->options;
  timed->format          = format_of(options);
  run_options(options, &timed->loop, &sim->arm.integrator);
  simulation_choose_columns(sim, options->value[OPTION_COLUMNS]);
  add_wrenches(sim);
  sim->keep = keep_record;
  sim->to   = sim;
  simulation_begin(sim, options->operand);
  const RunState state = {sim->run, save_arm, restore_arm, arm_time};
  run_from(options, &state, &timed->loop);
  simulation_warn_of_steps(sim);
  sim->plot         = plot_begin(options->value[OPTION_PLOT], sim->columns);
  timed->context    = sim;
  timed->step       = simulation_step;
  timed->title      = write_simulation_title;
  timed->is_partial = is_partial;
  timed->audit_text = audit_text;
  timed->audit_json = audit_json;
  timed->draw       = draw_recorded;
  timed->rows       = (lwRows){.columns = sim->columns,
                               .name    = simulation_column,
                               .shown   = simulation_column_shown,
                               .unit    = simulation_unit,
                               .context = sim};
  int status        = run_write(timed);
  if (status == DONE) status = run_save(options, &state);
  lwAudit audit = lw_arm_run_audit(sim->run);
  return status != DONE ? status : run_trusted(audit.trusted, audit.worst_S, audit.bound);
}

// --- scenarios

void scenario_ranges(const lwScenario* scenario, const char* path)
{
  const double* q = lw_scenario_arm(scenario)->q;
  if (q) ranges_positions(lw_scenario_model(scenario), path, 0, q, 1, false);
}

lwScenario* scenario_read(const Options* options, const char* path)
{
  lwScenario* scenario    = NULL;
  lwModelOptions tolerate = robot_options(options);
  lwDiag* diag            = hold_messages();
  lwStatus status         = lw_scenario_read_file(path, &tolerate, diag, &scenario);
  hold_scenario(scenario);
  errors_print(diag);
  inputs_add(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(exit_of(status), "%s: %s", path, lw_status_text(status));
  need(exit_of(status));
  scenario_ranges(scenario, path);
  const lwModel* model = lw_scenario_model(scenario);
  lwModel* loaded      = payload_model(options, model);
  if (loaded) lw_scenario_set_model(scenario, loaded);  // which then owns it
  unhold(loaded);
  const Option outputs[] = {OPTION_OUT, OPTION_AUDIT, OPTION_PLOT};  // not onto what it refers to
  for (int i = 0; i < 3; ++i) need(output_check(options->value[outputs[i]]));
  return scenario;
}

Simulation scenario_simulation(const Options* options, const lwScenario* scenario)
{
  return (Simulation){.timed = {.options = options,
                                .loop    = {.duration = lw_scenario_duration(scenario),
                                            .record   = lw_scenario_record(scenario)}},
                      .model = lw_scenario_model(scenario),
                      .name  = lw_scenario_name(scenario),
                      .arm   = *lw_scenario_arm(scenario)};
}

int cmd_simulate(const Options* options)
{
  const char* of_robot = first_given(options, "--control --kp --kd");
  if (options->value[OPTION_IN]) return simulate_robot(options);
  if (of_robot) stop(USAGE, "simulate: %s needs a trajectory to follow, --in FILE", of_robot);
  Simulation* sim = allocate(1, sizeof *sim);
  *sim            = scenario_simulation(options, scenario_read(options, options->operand));
  return simulation_run(sim);
}
