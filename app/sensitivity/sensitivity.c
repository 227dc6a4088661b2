// SPDX-License-Identifier: MIT
// linkwork sensitivity: how much each constant of a robot affects each torque.
//
//   states --compare/sensitivity.c--> effects, sorted; bands of tolerances --> table, csv, json
#include "compare/sensitivity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "command/list.h"
#include "io/sheet.h"
#include "robot/name_list.h"
#include "states/states.h"

enum
{
  BLOCK_STATES = 256,
  TABLE_ROWS   = 30
};

static const char* const UNITS[LW_PARAMETER_KIND_COUNT] = {"kg", "m",   "kg m^2",
                                                           "m",  "rad", "m/s^2"};
static const lwQuestion QUESTIONS[] = {LW_QUESTION_INVERSE, LW_QUESTION_FORWARD, LW_QUESTION_BIAS,
                                       LW_QUESTION_GRAVITY, LW_QUESTION_CORIOLIS};

enum
{
  QUESTION_CHOICES = sizeof QUESTIONS / sizeof *QUESTIONS
};

typedef struct SensitivityJob
{
  const Options* options;
  Format format;
  lwQuestion question;
  unsigned inputs;
  lwWorkspaceDef def;
  lwModel* model;
  unsigned kinds;                              // set of 1 << kind
  unsigned tolerated;                          // of these, kinds with a tolerance
  double absolute[LW_PARAMETER_KIND_COUNT];    // in SI units
  double percentage[LW_PARAMETER_KIND_COUNT];  // of the value
  int count;
  lwParameter* parameters;
  double* tolerances;
  lwSensitivity sensitivity;
  bool made, many, timed;
  int effects;
  CsvBlock block;
  Lines lines;
  Header header;
} SensitivityJob;

// --- what is asked

static int choose_question(SensitivityJob* job)
{
  const char* name = job->options->value[OPTION_QUESTION];
  job->question    = LW_QUESTION_INVERSE;
  if (!name) return DONE;
  for (int k = 0; k < QUESTION_CHOICES; ++k)
  {
    job->question = QUESTIONS[k];
    if (!strcmp(name, lw_question_info(QUESTIONS[k])->name)) return DONE;
  }
  return fail(USAGE,
              "--question: no '%s' here; expected inverse, forward, bias, gravity or coriolis",
              name);
}

// The kind of this name; -1, after reporting it, if there is none.
static int kind_of(const char* option, const char* name)
{
  for (int k = 0; k < LW_PARAMETER_KIND_COUNT; ++k)
    if (!strcmp(name, lw_parameter_kind_name((lwParameterKind)k))) return k;
  fail(USAGE, "%s: no parameter '%s'; expected mass, com, inertia, length, angle or gravity",
       option, name);
  return -1;
}

static int choose_kinds(SensitivityJob* job)
{
  const char* text = job->options->value[OPTION_WITH];
  NameList list;
  if (!text)
  {
    job->kinds = 1 << LW_PARAMETER_MASS | 1 << LW_PARAMETER_COM | 1 << LW_PARAMETER_LENGTH;
    if (job->options->value[OPTION_TOLERANCE]) job->kinds = 0;
    return DONE;
  }
  int status = names_read(&list, "--with", text, false);
  for (int i = 0; i < list.count && status == DONE; ++i)
  {
    int kind = kind_of("--with", list.names[i]);
    if (kind < 0) status = USAGE;
    if (kind >= 0) job->kinds |= 1u << kind;
  }
  names_free(&list);
  return status;
}

// "5%" or "0.5 mm"
static int take_tolerance(SensitivityJob* job, int kind, const char* name, const char* text)
{
  const char* percent = strchr(text, '%');
  char number[64];
  double value = 0;
  if (percent && (percent[1] || (size_t)(percent - text) >= sizeof number))
    return fail(USAGE, "--tolerance: '%s' is wrong, expected a number like 5%% or 0.5mm", text);
  snprintf(number, sizeof number, "%.*s", percent ? (int)(percent - text) : 63, text);
  int status =
      list_take_named(OPTION_TOLERANCE, name, number, percent ? NULL : UNITS[kind], &value);
  if (status != DONE) return status;
  if (!(value >= 0)) return fail(USAGE, "--tolerance: %s is negative", name);
  if (percent)
    job->percentage[kind] = value;
  else
    job->absolute[kind] = value;
  job->tolerated |= 1u << kind;
  job->kinds |= 1u << kind;
  return DONE;
}

static int choose_tolerances(SensitivityJob* job)
{
  const char* text = job->options->value[OPTION_TOLERANCE];
  NameList list;
  if (!text) return DONE;
  int status = names_read(&list, "--tolerance", text, true);
  for (int i = 0; i < list.count && status == DONE; ++i)
  {
    int kind = kind_of("--tolerance", list.names[i]);
    status   = kind < 0 ? USAGE : take_tolerance(job, kind, list.names[i], list.texts[i]);
  }
  names_free(&list);
  return status;
}

static int choose_sensitivity_method(SensitivityJob* job)
{
  const char* name;
  int status = method_choose(job->options, job->question, &name);
  if (status != DONE || !name) return status;
  if (job->question == LW_QUESTION_FORWARD)
    job->def.forward = name;
  else
    job->def.inverse = name;
  return DONE;
}

static int take_options(SensitivityJob* job)
{
  const Options* options = job->options;
  const char* in         = options->value[OPTION_IN];
  job->many              = in != NULL;
  int status             = format_choose(options, &job->format);
  if (status == DONE) status = choose_question(job);
  if (status == DONE) status = choose_sensitivity_method(job);
  if (status == DONE) status = choose_kinds(job);
  if (status == DONE) status = choose_tolerances(job);
  job->inputs = lw_question_info(job->question)->inputs;
  for (int g = 0; g < GROUP_COUNT && in && status == DONE; ++g)
    if (options->value[GROUPS[g].option])
      status = fail(USAGE, "%s and --in exclude each other", OPTIONS[GROUPS[g].option].name);
  return status;
}

static int list_parameters(SensitivityJob* job)
{
  for (int k = 0; k < LW_PARAMETER_KIND_COUNT; ++k)
    if (job->kinds >> k & 1) job->count += lw_parameter_count(job->model, (lwParameterKind)k);
  job->parameters = calloc((size_t)job->count + 1, sizeof *job->parameters);
  job->tolerances = calloc((size_t)job->count + 1, sizeof *job->tolerances);
  if (!job->parameters || !job->tolerances) return no_memory();
  int at = 0;
  for (int k = 0; k < LW_PARAMETER_KIND_COUNT; ++k)
    for (int i = 0; job->kinds >> k & 1 && i < lw_parameter_count(job->model, (lwParameterKind)k);
         ++i)
    {
      job->parameters[at]   = lw_parameter_get(job->model, (lwParameterKind)k, i);
      double value          = fabs(lw_parameter_value(job->model, job->parameters[at]));
      job->tolerances[at++] = job->absolute[k] + job->percentage[k] / 100 * value;
    }
  return DONE;
}

static int load_sensitivity(SensitivityJob* job)
{
  int status = robot_load(job->options, job->options->operand, &job->model);
  if (status == DONE && job->question == LW_QUESTION_FORWARD)
    status = forward_check(job->model, job->options->operand, &job->def);
  if (status == DONE) status = list_parameters(job);
  if (status != DONE) return status;
  job->made     = true;
  lwStatus made = lw_sensitivity_create(&job->sensitivity, job->model, &job->def, job->question,
                                        job->parameters, job->tolerances, job->count, NULL);
  return made == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(made));
}

// --- states

static int add_states(SensitivityJob* job)
{
  for (int row = 0; row < job->block.count; ++row)
  {
    const double* times = job->block.values[GROUP_T];
    lwStates state      = block_state(&job->block, job->model, row);
    if (!lw_sensitivity_add(&job->sensitivity, &state, times ? times[row] : 0))
      return fail(NUMERICAL,
                  "sensitivity: the answer to state %ld is not finite; the robot is singular or "
                  "the values are too large",
                  job->sensitivity.states);
  }
  return DONE;
}

static int add_lines(SensitivityJob* job)
{
  StateNeeds needs = {.inputs = job->inputs | INPUT_TIME};
  int status =
      states_open(&job->header, &job->lines, job->options->value[OPTION_IN], job->model, needs);
  if (status != DONE) return status;
  job->timed = job->header.present >> GROUP_T & 1;
  status     = block_create(&job->block, job->model, job->header.present, BLOCK_STATES);
  while (status == DONE)
  {
    status = states_next(&job->header, &job->lines, &job->block);
    if (status != DONE || job->block.count == 0) break;
    status = add_states(job);
  }
  if (status == DONE && job->sensitivity.states == 0)
    return fail(INPUT, "%s: no states", job->options->value[OPTION_IN]);
  return status;
}

static int add_all(SensitivityJob* job)
{
  if (job->many) return add_lines(job);
  int status = state_from_options(job->options, job->model, job->inputs, &job->block);
  return status == DONE ? add_states(job) : status;
}

// --- output

static const SheetColumn COLUMNS[] = {
    {"parameter", NULL, NULL}, {"of", NULL, NULL},        {"value", NULL, NULL},
    {"unit", NULL, NULL},      {"output", NULL, NULL},    {"per_unit", NULL, NULL},
    {"per_cent", NULL, NULL},  {"tolerance", NULL, NULL}, {"effect", NULL, NULL},
    {"state", NULL, NULL},     {"t", NULL, NULL}};

// The link of mass properties, the joint of lengths and angles.
static const char* owner_of(const SensitivityJob* job, lwParameter parameter)
{
  if (parameter.kind == LW_PARAMETER_GRAVITY) return NULL;
  const lwJointDef* joint = &lw_model_robot(job->model)->joints[parameter.joint];
  bool placed = parameter.kind == LW_PARAMETER_LENGTH || parameter.kind == LW_PARAMETER_ANGLE;
  return placed || !joint->link.name ? joint->name : joint->link.name;
}

typedef struct SlopeSheet
{
  const SensitivityJob* job;
  char (*outputs)[ROW_NAME];  // (outputs) names
} SlopeSheet;

// Effects, then a row for the band of each output.
static void sensitivity_row(const void* context, int i, Cell* cells)
{
  const SlopeSheet* sheet   = context;
  const SensitivityJob* job = sheet->job;
  const lwSensitivity* s    = &job->sensitivity;
  for (size_t k = 0; k < sizeof COLUMNS / sizeof *COLUMNS; ++k) cells[k] = cell_text(NULL);
  if (i >= job->effects)
  {
    const lwBand* band = &s->bands[i - job->effects];
    cells[0] = cell_text(lw_sensitivity_is_exact(s) ? "band, exact" : "band, first order");
    cells[2] = cell_number(band->value);
    cells[4] = cell_text(sheet->outputs[i - job->effects]);
    cells[8] = cell_number(band->width);
    cells[9] = cell_number((double)band->state);
    if (job->timed) cells[10] = cell_number(band->t);
    return;
  }
  const lwEffect* effect = &s->effects[i];
  lwParameter parameter  = job->parameters[effect->parameter];
  cells[0]               = cell_text(lw_parameter_name(job->model, parameter));
  cells[1]               = cell_text(owner_of(job, parameter));
  cells[2]               = cell_number(lw_parameter_value(job->model, parameter));
  cells[3]               = cell_text(UNITS[parameter.kind]);
  cells[4]               = cell_text(sheet->outputs[effect->output]);
  cells[5]               = cell_number(effect->slope);
  cells[6]               = cell_number(lw_effect_per_cent(s, effect));
  if (job->tolerated) cells[7] = cell_number(job->tolerances[effect->parameter]);
  if (job->tolerated) cells[8] = cell_number(lw_effect_of_tolerance(s, effect));
  cells[9] = cell_number((double)effect->state);
  if (job->timed) cells[10] = cell_number(effect->t);
}

static void write_effects(Out* out, const SlopeSheet* context, int rows)
{
  const SensitivityJob* job = context->job;
  out_format(out, "%-11s %-16s %12s %-6s %-8s %12s %12s", "parameter", "of", "value", "unit",
             "output", "per unit", "per cent");
  out_format(out, "%s%s\n", job->tolerated ? "    tolerance       effect" : "",
             job->timed  ? "            t"
             : job->many ? "        state"
                         : "");
  for (int i = 0; i < rows; ++i)
  {
    Cell c[sizeof COLUMNS / sizeof *COLUMNS];
    sensitivity_row(context, i, c);
    out_format(out, "%-11s %-16s %12.5g %-6s %-8s %12.5g %12.5g", c[0].text,
               c[1].text ? c[1].text : "-", c[2].number, c[3].text, c[4].text, c[5].number,
               c[6].number);
    if (job->tolerated) out_format(out, " %12.5g %12.5g", c[7].number, c[8].number);
    if (job->timed || job->many) out_format(out, " %12.5g", c[job->timed ? 10 : 9].number);
    out_text(out, "\n");
  }
}

static void write_bands(Out* out, const SlopeSheet* context)
{
  const lwSensitivity* s = &context->job->sensitivity;
  out_format(out, "band of all tolerances together, %s:\n",
             lw_sensitivity_is_exact(s) ? "exact" : "by first order");
  for (int i = 0; i < s->outputs; ++i)
  {
    out_format(out, "  %-8s %12.5g +- %.5g", context->outputs[i], s->bands[i].value,
               s->bands[i].width);
    if (context->job->timed) out_format(out, "  at t = %.5g", s->bands[i].t);
    out_text(out, "\n");
  }
}

static void write_table(Out* out, const SlopeSheet* context)
{
  const SensitivityJob* job = context->job;
  int rows                  = job->effects < TABLE_ROWS ? job->effects : TABLE_ROWS;
  out_format(out, "%s: derivatives of %s%s\n", lw_model_name(job->model),
             lw_question_info(job->question)->name, job->many ? ", the largest of all states" : "");
  write_effects(out, context, rows);
  if (rows < job->effects)
    out_format(out, "%d smaller effects are left out; csv and json have all\n",
               job->effects - rows);
  if (job->tolerated) write_bands(out, context);
}

static int write_all(SensitivityJob* job)
{
  Out out;
  int outputs        = job->sensitivity.outputs;
  SlopeSheet context = {job, calloc((size_t)outputs + 1, ROW_NAME)};
  job->effects       = lw_sensitivity_sort(&job->sensitivity);
  if (!context.outputs || job->effects < 0)
  {
    free(context.outputs);
    return no_memory();
  }
  for (int i = 0; i < outputs; ++i)
    joint_column(job->model, lw_question_info(job->question)->symbol, i,
                 job->options->value[OPTION_NAMES] != NULL, context.outputs[i]);
  int status = out_open(&out, job->options->value[OPTION_OUT]);
  if (status == DONE)
  {
    Sheet sheet = {.columns = sizeof COLUMNS / sizeof *COLUMNS,
                   .column  = COLUMNS,
                   .rows    = job->effects + (job->tolerated ? outputs : 0),
                   .row     = sensitivity_row,
                   .context = &context};
    if (job->format == FORMAT_TABLE)
      write_table(&out, &context);
    else
      sheet_write(&out, job->format, &sheet);
    status = out_close(&out, DONE, false);
  }
  free(context.outputs);
  return status;
}

int cmd_sensitivity(const Command* command, const Options* options)
{
  (void)command;
  SensitivityJob job = {.options = options, .def = lw_workspace_def()};
  int status         = take_options(&job);
  if (status == DONE) status = load_sensitivity(&job);
  if (status == DONE) status = add_all(&job);
  if (status == DONE) status = write_all(&job);
  if (job.made) lw_sensitivity_destroy(&job.sensitivity);
  block_destroy(&job.block);
  header_destroy(&job.header);
  lines_close(&job.lines);
  free(job.parameters);
  free(job.tolerances);
  lw_model_destroy(job.model);
  return status;
}
