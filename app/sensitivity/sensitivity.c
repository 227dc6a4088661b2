// SPDX-License-Identifier: MIT
// linkwork sensitivity: how much each constant of a robot affects each torque.
//
//   states --compare/sensitivity.c--> effects, sorted; bands of tolerances --> table, csv, json
#include "compare/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "states/states.h"

enum
{
  BLOCK_STATES = 256,
  TABLE_ROWS   = 30
};

static const char* const UNITS[LW_PARAMETER_KIND_COUNT] = {"kg", "m",   "kg m^2",
                                                           "m",  "rad", "m/s^2"};
typedef struct SensitivityJob
{
  const Options* options;
  lwQuestion question;
  lwModel* model;
  unsigned kinds;                              // set of 1 << kind
  unsigned tolerated;                          // of these, kinds with a tolerance
  double absolute[LW_PARAMETER_KIND_COUNT];    // in SI units
  double percentage[LW_PARAMETER_KIND_COUNT];  // of the value
  int count;
  lwParameter* parameters;
  double* tolerances;
  lwSensitivity sensitivity;
  bool many, timed;
  int effects;
  char (*outputs)[LW_ROW_NAME];  // (outputs) names
} SensitivityJob;

// --- what is asked

static lwQuestion chosen_question(const Options* options)
{
  const char* name = options->value[OPTION_QUESTION];
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    const lwQuestionInfo* info = lw_question_info((lwQuestion)k);
    if (info->quantities->shape != LW_QUANTITY_SHAPE_VECTOR) continue;
    if (!name || !strcmp(name, info->name)) return (lwQuestion)k;
  }
  stop(USAGE, "--question: no '%s' here; expected inverse, forward, bias, gravity or coriolis",
       name);
}

static int kind_named(const char* option, const char* name)
{
  for (int k = 0; k < LW_PARAMETER_KIND_COUNT; ++k)
    if (!strcmp(name, lw_parameter_kind_name((lwParameterKind)k))) return k;
  stop(USAGE, "%s: no parameter '%s'; expected mass, com, inertia, length, angle or gravity",
       option, name);
}

// "5%" or "0.5 mm"
static void take_tolerance(SensitivityJob* job, int kind, const char* name, const char* text)
{
  const char* percent = strchr(text, '%');
  char number[64];
  double value = 0;
  if (percent && (percent[1] || (size_t)(percent - text) >= sizeof number))
    stop(USAGE, "--tolerance: '%s' is wrong, expected a number like 5%% or 0.5mm", text);
  snprintf(number, sizeof number, "%.*s", percent ? (int)(percent - text) : 63, text);
  value = list_take_named(OPTION_TOLERANCE, name, number, percent ? NULL : UNITS[kind]);
  if (!(value >= 0)) stop(USAGE, "--tolerance: %s is negative", name);
  *(percent ? &job->percentage[kind] : &job->absolute[kind]) = value;
  job->tolerated |= 1u << kind;
  job->kinds |= 1u << kind;
}

static void list_parameters(SensitivityJob* job)
{
  for (int k = 0; k < LW_PARAMETER_KIND_COUNT; ++k)
    if (job->kinds >> k & 1) job->count += lw_parameter_count(job->model, (lwParameterKind)k);
  job->parameters = allocate((size_t)job->count + 1, sizeof *job->parameters);
  job->tolerances = allocate((size_t)job->count + 1, sizeof *job->tolerances);
  int at          = 0;
  for (int k = 0; k < LW_PARAMETER_KIND_COUNT; ++k)
    for (int i = 0; job->kinds >> k & 1 && i < lw_parameter_count(job->model, (lwParameterKind)k);
         ++i)
    {
      job->parameters[at]   = lw_parameter_get(job->model, (lwParameterKind)k, i);
      double value          = fabs(lw_parameter_value(job->model, job->parameters[at]));
      job->tolerances[at++] = job->absolute[k] + job->percentage[k] / 100 * value;
    }
}

static void release_job(void* job)
{
  lw_sensitivity_destroy(&((SensitivityJob*)job)->sensitivity);
}

static void load_sensitivity(SensitivityJob* job, const lwWorkspaceDef* def)
{
  job->model = robot_of(job->options);
  if (!job->kinds) job->kinds = 1 << LW_PARAMETER_MASS | 1 << LW_PARAMETER_COM;
  if (!lw_model_loop_count(job->model) && !job->options->value[OPTION_WITH] && !job->tolerated)
    job->kinds |= 1 << LW_PARAMETER_LENGTH;
  if (job->question == LW_QUESTION_FORWARD) forward_check(job->model, job->options->operand, def);
  list_parameters(job);
  lwDiag* diag  = hold_messages();
  lwStatus made = lw_sensitivity_create(&job->sensitivity, job->model, def, job->question,
                                        job->parameters, job->tolerances, job->count, diag);
  hold(job, release_job);
  need_made(made, job->options->operand, diag);
}

// --- states

// With loops: that the state is closed; accelerations that are not given are those of constant speeds.
static void need_closed_state(SensitivityJob* job, lwStates* state, int row)
{
  lwLoops* loops = job->sensitivity.loops;
  double* qdd    = job->sensitivity.qdd;
  if (!loops) return;
  lwDiag* diag = hold_messages();
  if (state->qd && !state->qdd)
  {
    memset(qdd, 0, (size_t)lw_model_dof(job->model) * sizeof *qdd);
    if (lw_loops_acceleration(loops, state->q, state->qd, qdd) == LW_OK) state->qdd = qdd;
  }
  lwStatus closed = lw_loops_check(loops, state->q, state->qd, state->qdd, diag);
  if (closed != LW_OK)
    stop(job->many ? INPUT : USAGE, "sensitivity: state %d: %s", row + 1,
         first_error(diag, closed));
  unhold(diag);
  lw_diag_destroy(diag);
}

static void add_states(SensitivityJob* job, const lwCsvBlock* block)
{
  for (int row = 0; row < block->count; ++row)
  {
    const double* times = block->values[GROUP_T];
    lwStates state      = block_state(block, job->model, row);
    need_closed_state(job, &state, row);
    if (!lw_sensitivity_add(&job->sensitivity, &state, times ? times[row] : 0))
      stop(NUMERICAL,
           "sensitivity: the answer to state %ld is not finite; the robot is singular or the "
           "values are too large",
           job->sensitivity.states);
  }
}

// --- output

static const char COLUMNS[] =
    "parameter,of,value,unit,output,per_unit,per_cent,tolerance,effect,state,t";

// The link of mass properties, the joint of lengths and angles.
static const char* owner_of(const SensitivityJob* job, lwParameter parameter)
{
  if (parameter.kind == LW_PARAMETER_GRAVITY) return NULL;
  const lwJointDef* joint = &lw_model_robot(job->model)->joints[parameter.joint];
  bool placed = parameter.kind == LW_PARAMETER_LENGTH || parameter.kind == LW_PARAMETER_ANGLE;
  return placed || !joint->link.name ? joint->name : joint->link.name;
}

// Effects, then a row for the band of each output.
static void sensitivity_row(const void* context, int i, lwCell* cells)
{
  const SensitivityJob* job = context;
  const lwSensitivity* s    = &job->sensitivity;
  if (i >= job->effects)
  {
    const lwBand* band = &s->bands[i - job->effects];
    cells[0] = lw_cell_text(lw_sensitivity_is_exact(s) ? "band, exact" : "band, first order");
    cells[2] = lw_cell_number(band->value);
    cells[4] = lw_cell_text(job->outputs[i - job->effects]);
    cells[8] = lw_cell_number(band->width);
    cells[9] = lw_cell_number((double)band->state);
    if (job->timed) cells[10] = lw_cell_number(band->t);
    return;
  }
  const lwEffect* effect = &s->effects[i];
  lwParameter parameter  = job->parameters[effect->parameter];
  cells[0]               = lw_cell_text(lw_parameter_name(job->model, parameter));
  cells[1]               = lw_cell_text(owner_of(job, parameter));
  cells[2]               = lw_cell_number(lw_parameter_value(job->model, parameter));
  cells[3]               = lw_cell_text(UNITS[parameter.kind]);
  cells[4]               = lw_cell_text(job->outputs[effect->output]);
  cells[5]               = lw_cell_number(effect->slope);
  cells[6]               = lw_cell_number(lw_effect_per_cent(s, effect));
  if (job->tolerated) cells[7] = lw_cell_number(job->tolerances[effect->parameter]);
  if (job->tolerated) cells[8] = lw_cell_number(lw_effect_of_tolerance(s, effect));
  cells[9] = lw_cell_number((double)effect->state);
  if (job->timed) cells[10] = lw_cell_number(effect->t);
}

static void write_effects(lwOut* out, const SensitivityJob* job, int rows)
{
  lw_out_format(out, "%-11s %-16s %12s %-6s %-8s %12s %12s", "parameter", "of", "value", "unit",
                "output", "per unit", "per cent");
  lw_out_format(out, "%s%s\n", job->tolerated ? "    tolerance       effect" : "",
                job->timed  ? "            t"
                : job->many ? "        state"
                            : "");
  for (int i = 0; i < rows; ++i)
  {
    lwCell c[11] = {0};  // of COLUMNS
    sensitivity_row(job, i, c);
    lw_out_format(out, "%-11s %-16s %12.5g %-6s %-8s %12.5g %12.5g", c[0].text,
                  c[1].text ? c[1].text : "-", c[2].number, c[3].text, c[4].text, c[5].number,
                  c[6].number);
    if (job->tolerated) lw_out_format(out, " %12.5g %12.5g", c[7].number, c[8].number);
    if (job->timed || job->many) lw_out_format(out, " %12.5g", c[job->timed ? 10 : 9].number);
    lw_out_text(out, "\n");
  }
}

static void write_bands(lwOut* out, const SensitivityJob* job)
{
  const lwSensitivity* s = &job->sensitivity;
  lw_out_format(out, "band of all tolerances together, %s:\n",
                lw_sensitivity_is_exact(s) ? "exact" : "by first order");
  for (int i = 0; i < s->outputs; ++i)
  {
    lw_out_format(out, "  %-8s %12.5g +- %.5g", job->outputs[i], s->bands[i].value,
                  s->bands[i].width);
    if (job->timed) lw_out_format(out, "  at t = %.5g", s->bands[i].t);
    lw_out_text(out, "\n");
  }
}

static void write_table(lwOut* out, const SensitivityJob* job)
{
  int rows = job->effects < TABLE_ROWS ? job->effects : TABLE_ROWS;
  lw_out_format(out, "%s: derivatives of %s%s\n", lw_model_name(job->model),
                lw_question_info(job->question)->name,
                job->many ? ", the largest of all states" : "");
  write_effects(out, job, rows);
  if (rows < job->effects)
    lw_out_format(out, "%d smaller effects are left out; csv and json have all\n",
                  job->effects - rows);
  if (job->tolerated) write_bands(out, job);
}

static int write_all(SensitivityJob* job, lwFormat format)
{
  int outputs  = job->sensitivity.outputs;
  job->outputs = allocate((size_t)outputs, LW_ROW_NAME);
  job->effects = lw_sensitivity_sort(&job->sensitivity);
  if (job->effects < 0) leave(no_memory());
  for (int i = 0; i < outputs; ++i)
    joint_column(job->model, lw_question_info(job->question)->symbol,
                 job->sensitivity.loops ? lw_model_speed(job->model, i) : i,
                 job->sensitivity.loops || job->options->value[OPTION_NAMES], job->outputs[i]);
  lwSheet sheet = {.columns = COLUMNS,
                   .rows    = job->effects + (job->tolerated ? outputs : 0),
                   .row     = sensitivity_row,
                   .context = job};
  lwOut* out    = output_of(job->options);
  if (format == LW_FORMAT_TABLE)
    write_table(out, job);
  else
    lw_sheet_write(out, format, &sheet);
  return output_end(out, DONE);
}

int cmd_sensitivity(const Options* options)
{
  SensitivityJob* job = allocate(1, sizeof *job);
  lwWorkspaceDef def  = lw_workspace_def();
  lwFormat format     = format_of(options);
  job->options        = options;
  job->many           = options->value[OPTION_IN] != NULL;
  job->question       = chosen_question(options);
  const char* method  = method_of(options, job->question);
  if (method) *(job->question == LW_QUESTION_FORWARD ? &def.forward : &def.inverse) = method;
  const char *with_kinds = options->value[OPTION_WITH],
             *tolerances = options->value[OPTION_TOLERANCE];
  NameList list          = {0};
  if (with_kinds) list = names_of("--with", with_kinds, false);
  for (int i = 0; i < list.count; ++i) job->kinds |= 1u << kind_named("--with", list.names[i]);
  list = tolerances ? names_of("--tolerance", tolerances, true) : (NameList){0};
  for (int i = 0; i < list.count; ++i)
    take_tolerance(job, kind_named("--tolerance", list.names[i]), list.names[i], list.texts[i]);
  states_check_options(options);
  load_sensitivity(job, &def);
  lwCsvFile* csv =
      states_of(options, job->model, lw_question_info(job->question)->inputs, BLOCK_STATES);
  job->timed = csv->header.present >> GROUP_T & 1;
  if (!job->many) add_states(job, &csv->block);
  while (job->many && states_more(csv)) add_states(job, &csv->block);
  if (job->sensitivity.states == 0) stop(INPUT, "%s: no states", options->value[OPTION_IN]);
  return write_all(job, format);
}
