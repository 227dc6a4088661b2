// SPDX-License-Identifier: MIT
// linkwork linearise: A and B of the state equations, at a point or along a trajectory.
//
//   ROBOT or SCENARIO, states --lw_linear_at()--> A, B --lw_modes()--> eigenvalues
//     --> table, csv, json, matlab
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "drives/cylinders.h"
#include "io/note.h"
#include "io/rows.h"
#include "linkwork/scenario.h"
#include "read/kind.h"
#include "simulate/simulate.h"
#include "states/states.h"

enum
{
  BLOCK_STATES = 64,
  MODE_TEXT    = 400
};

typedef struct LinearJob
{
  const Options* options;
  Format format;
  bool matlab;
  bool solved;           // eigenvalues can be found
  lwScenario* scenario;  // or NULL
  lwModel* own;          // or NULL: the scenario's
  CylinderMotion oil;    // of the robot file
  const lwModel* model;
  lwLinear* linear;
  int n, states;
  size_t columns;
  double *A, *B, *values;  // (states, states), (states, n), (columns)
  lwMode* modes;           // (states)
  double* shapes;          // (states, states, 2)
  int mode_count;
  lwStates point;
  double t;
  bool timed;
  long count;  // points done
  CsvBlock block;
  Lines lines;
  Header header;
  Rows rows;
  Out out;
} LinearJob;

// --- the robot

static int load_linear_robot(LinearJob* job)
{
  const char* path = job->options->operand;
  if (lw_file_kind(path, LW_FILE_KIND_ROBOT).kind == LW_FILE_KIND_SCENARIO)
  {
    int status = scenario_load(job->options, path, &job->scenario);
    if (status != DONE) return status;
    job->model = lw_scenario_model(job->scenario);
    if (lw_scenario_arm(job->scenario)->controller.kind != LW_CONTROL_NONE)
      note("the scenario's controller is not part of the linear model");
    return DONE;
  }
  int status = robot_load(job->options, path, &job->own);
  job->model = job->own;
  return status;
}

// Cylinders with closed valves: those that an event of the scenario closes, or with --drives those
// of the robot file.
static int choose_cylinders(LinearJob* job, lwLinearDef* def)
{
  if (job->scenario) def->cylinders = lw_scenario_cylinders(job->scenario);
  if (job->scenario || !job->options->value[OPTION_DRIVES]) return DONE;
  int status = cylinders_open(&job->oil, job->options, job->model);
  if (status == DONE && job->oil.count > 0) def->cylinders = job->oil.cylinders;
  return status;
}

static int make_linear(LinearJob* job)
{
  lwLinearDef def   = lw_linear_def();
  lwDiag* diag      = lw_diag_create();
  lwSpring* springs = calloc((size_t)lw_model_dof(job->model) + 1, sizeof *springs);
  lwStatus made     = LW_ERROR_MEMORY;
  int chosen        = choose_cylinders(job, &def);
  if (diag && springs && chosen == DONE)
  {
    def.rotors = def.friction = def.motors = job->options->value[OPTION_DRIVES] != NULL;
    if (job->scenario && lw_scenario_springs(job->scenario, springs) > 0) def.springs = springs;
    made = lw_linear_create(job->model, &def, diag, &job->linear);
  }
  int status = made == LW_OK ? DONE : INPUT;
  if (status != DONE && chosen == DONE)
    fail(INPUT, "%s: %s", job->options->operand, first_error(diag, made));
  lw_diag_destroy(diag);
  free(springs);
  return status;
}

static int make_room(LinearJob* job)
{
  job->n        = lw_model_dof(job->model);
  job->states   = lw_linear_states(job->linear);
  size_t states = (size_t)job->states, n = (size_t)job->n;
  job->columns = states * (states + n) + (job->solved ? 2 * states + 1 : 0);
  job->A       = calloc(states * states + 1, sizeof(double));
  job->B       = calloc(states * n + 1, sizeof(double));
  job->values  = calloc(job->columns + 1, sizeof(double));
  job->modes   = calloc(states + 1, sizeof *job->modes);
  job->shapes  = calloc(2 * states * states + 1, sizeof(double));
  return job->A && job->B && job->values && job->modes && job->shapes ? DONE : no_memory();
}

// --- one point

static int solve_point(LinearJob* job, lwStates point, double t)
{
  job->point = point;
  job->t     = t;
  ++job->count;
  if (lw_linear_at(job->linear, &point, job->A, job->B) != LW_OK)
    return fail(NUMERICAL,
                "linearise: state %ld has no linear model: the inertia matrix is singular or the "
                "values are too large",
                job->count);
  if (!job->solved) return DONE;
  lwStatus found = lw_modes(job->states, job->A, NULL, job->modes, job->shapes, &job->mode_count);
  return found == LW_OK ? DONE
                        : fail(NUMERICAL, "linearise: no eigenvalues in state %ld", job->count);
}

static const char* verdict_of(const LinearJob* job)
{
  return lw_stability_name(lw_modes_stability(job->modes, job->mode_count));
}

// --- csv

static void linear_column(const void* context, size_t k, char name[ROW_NAME])
{
  const LinearJob* job = context;
  size_t states = (size_t)job->states, n = (size_t)job->n;
  const char* between = states > 9 ? "_" : "";
  if (k < states * states)
    snprintf(name, ROW_NAME, "A%zu%s%zu", k / states + 1, between, k % states + 1);
  else if ((k -= states * states) < states * n)
    snprintf(name, ROW_NAME, "B%zu%s%zu", k / n + 1, between, k % n + 1);
  else if ((k -= states * n) < 2 * states)
    snprintf(name, ROW_NAME, "%s%zu", k < states ? "re" : "im", k % states + 1);
  else
    snprintf(name, ROW_NAME, "stable");
}

// Both eigenvalues of each pair.
static void list_eigenvalues(const LinearJob* job, double* re, double* im)
{
  int k = 0;
  for (int m = 0; m < job->mode_count; ++m)
    for (int sign = job->modes[m].im > 0 ? 1 : 0; sign >= -1 && k < job->states; sign -= 2)
    {
      re[k]   = job->modes[m].re;
      im[k++] = sign * job->modes[m].im;
      if (sign == 0) break;
    }
}

static void add_linear_row(LinearJob* job, const char* line)
{
  size_t states = (size_t)job->states, n = (size_t)job->n;
  double* values = job->values;
  memcpy(values, job->A, states * states * sizeof(double));
  memcpy(values + states * states, job->B, states * n * sizeof(double));
  if (job->solved)
  {
    double* re = values + states * (states + n);
    list_eigenvalues(job, re, re + states);
    re[2 * states] = lw_modes_stability(job->modes, job->mode_count) == LW_STABILITY_STABLE;
  }
  rows_add_kept(&job->rows, line, values);
}

// --- table, json, matlab

static void write_matrix(Out* out, const double* matrix, int rows, int columns, const char* open,
                         const char* between, const char* close)
{
  for (int i = 0; i < rows; ++i)
  {
    out_text(out, i == 0 ? open : between);
    for (int j = 0; j < columns; ++j)
    {
      if (j > 0) out_text(out, ", ");
      out_number(out, matrix[(size_t)i * (size_t)columns + (size_t)j]);
    }
  }
  out_text(out, rows > 0 ? close : "");
}

static void write_json_modes(LinearJob* job)
{
  char text[MODE_TEXT];
  out_text(&job->out, ",\n  \"modes\": [");
  for (int m = 0; m < job->mode_count; ++m)
  {
    const lwMode* mode  = &job->modes[m];
    const double* shape = job->shapes + 2 * (size_t)m * (size_t)job->states;
    lw_linear_mode_text(job->linear, shape, text, sizeof text);
    out_format(&job->out, "%s\n    {\"re\": ", m > 0 ? "," : "");
    out_number(&job->out, mode->re);
    out_text(&job->out, ", \"im\": ");
    out_number(&job->out, mode->im);
    out_text(&job->out, ", \"frequency_hz\": ");
    out_number(&job->out, mode->frequency / (2 * acos(-1)));
    out_text(&job->out, ", \"damping\": ");
    out_number(&job->out, mode->damping);
    out_text(&job->out, ", \"joints\": ");
    out_json(&job->out, text);
    out_text(&job->out, ", \"shape\": ");
    write_matrix(&job->out, shape, job->states, 2, "[[", "], [", "]]");
    out_text(&job->out, "}");
  }
  out_format(&job->out, "],\n  \"stability\": \"%s\"", verdict_of(job));
}

static void write_json_point(LinearJob* job)
{
  Out* out = &job->out;
  out_text(out, job->count > 1 ? ",\n{" : "{");
  if (job->timed)
  {
    out_text(out, "\"t\": ");
    out_number(out, job->t);
    out_text(out, ", ");
  }
  out_text(out, "\"states\": [");
  for (int i = 0; i < job->states; ++i)
    out_format(out, "%s\"%s\"", i > 0 ? ", " : "", lw_linear_state_name(job->linear, i));
  out_text(out, "], \"inputs\": [");
  for (int k = 0; k < job->n; ++k)
    out_format(out, "%s\"%s%d\"", k > 0 ? ", " : "",
               lw_linear_is_voltage(job->linear, k) ? "v" : "tau", k + 1);
  out_text(out, "],\n  \"A\": [");
  write_matrix(out, job->A, job->states, job->states, "[", "],\n        [", "]");
  out_text(out, "],\n  \"B\": [");
  write_matrix(out, job->B, job->states, job->n, "[", "],\n        [", "]");
  out_text(out, "]");
  if (job->solved) write_json_modes(job);
  out_text(out, "}");
}

static void write_matlab_point(LinearJob* job)
{
  Out* out = &job->out;
  char index[32];
  bool many = job->options->value[OPTION_IN] != NULL;
  index[0]  = 0;
  if (many) snprintf(index, sizeof index, "(:,:,%ld)", job->count);
  if (job->count == 1)
    out_format(out, "%% %s: xdot = A x + B u, x = [q; qd%s], by linkwork linearise\n",
               lw_model_name(job->model), job->states > 2 * job->n ? "; i" : "");
  out_format(out, "A%s = [", index);
  write_matrix(out, job->A, job->states, job->states, "", ";\n  ", "];\n");
  out_format(out, "B%s = [", index);
  write_matrix(out, job->B, job->states, job->n, "", ";\n  ", "];\n");
  if (job->timed) out_format(out, "t(%ld) = %.17g;\n", job->count, job->t);
  out_text(out, many ? "" : "x0 = [");
  for (int i = 0; i < 2 * job->n && !many; ++i)
  {
    const double* from = i < job->n ? job->point.q : job->point.qd;
    out_text(out, i > 0 ? "; " : "");
    out_number(out, from ? from[i % job->n] : 0);
  }
  out_text(out, many ? "" : "];\n");
  if (!job->solved || many) return;
  out_text(out, "lambda = [");
  list_eigenvalues(job, job->values, job->values + job->states);
  for (int i = 0; i < job->states; ++i)
    out_format(out, "%s%.17g%+.17gi", i > 0 ? "; " : "", job->values[i],
               job->values[job->states + i]);
  out_text(out, "];\n");
}

static void write_table_matrix(LinearJob* job, const char* title, const double* matrix, int columns,
                               bool inputs)
{
  char name[32];
  out_format(&job->out, "\n%-6s", title);
  for (int j = 0; j < columns; ++j)
  {
    snprintf(name, sizeof name, "%s%d", lw_linear_is_voltage(job->linear, j % job->n) ? "v" : "tau",
             j + 1);
    out_format(&job->out, " %11s", inputs ? name : lw_linear_state_name(job->linear, j));
  }
  for (int i = 0; i < job->states; ++i)
  {
    out_format(&job->out, "\n%-6s", lw_linear_state_name(job->linear, i));
    for (int j = 0; j < columns; ++j)
      out_format(&job->out, " %11.5g", matrix[(size_t)i * (size_t)columns + (size_t)j]);
  }
  out_text(&job->out, "\n");
}

static void write_table_modes(LinearJob* job)
{
  char text[MODE_TEXT];
  out_format(&job->out, "\n%11s %11s %11s %9s %11s  %s\n%11s %11s %11s %9s %11s\n", "re", "im",
             "frequency", "damping", "fades in", "joints that take part", "1/s", "rad/s", "Hz", "",
             "s");
  for (int m = 0; m < job->mode_count; ++m)
  {
    const lwMode* mode = &job->modes[m];
    lw_linear_mode_text(job->linear, job->shapes + 2 * (size_t)m * (size_t)job->states, text,
                        sizeof text);
    out_format(&job->out, "%11.5g %11.5g %11.5g %9.4f ", mode->re, mode->im,
               mode->frequency / (2 * acos(-1)), mode->damping);
    if (mode->re < 0)
      out_format(&job->out, "%11.4g  %s\n", -1 / mode->re, text);
    else
      out_format(&job->out, "%11s  %s\n", "never", text);
  }
  out_format(&job->out, "\n%s\n", verdict_of(job));
}

static void write_table_point(LinearJob* job)
{
  out_format(&job->out, "%s: xdot = A x + B u, %d states, %d inputs\n", lw_model_name(job->model),
             job->states, job->n);
  write_table_matrix(job, "A", job->A, job->states, false);
  write_table_matrix(job, "B", job->B, job->n, true);
  if (job->solved) write_table_modes(job);
}

static bool is_summary(const void* context, size_t k)
{
  const LinearJob* job = context;
  return k >= (size_t)job->states * (size_t)(job->states + job->n);
}

static void write_point(LinearJob* job, const char* line)
{
  bool many = job->options->value[OPTION_IN] != NULL;
  if (job->matlab)
    write_matlab_point(job);
  else if (job->format == FORMAT_JSON)
    write_json_point(job);
  else if (job->format == FORMAT_TABLE && !many)
    write_table_point(job);
  else
    add_linear_row(job, line);
}

static bool writes_rows(const LinearJob* job)
{
  bool many = job->options->value[OPTION_IN] != NULL;
  return !job->matlab && (job->format == FORMAT_CSV || (job->format == FORMAT_TABLE && many));
}

// --- all points

static int solve_lines(LinearJob* job)
{
  int status = DONE;
  while (status == DONE)
  {
    status = states_next(&job->header, &job->lines, &job->block);
    if (status != DONE || job->block.count == 0) break;
    for (int row = 0; row < job->block.count && status == DONE; ++row)
    {
      const double* times = job->block.values[GROUP_T];
      lwStates point      = block_state(&job->block, job->model, row);
      status              = solve_point(job, point, times ? times[row] : 0);
      if (status == DONE) write_point(job, job->block.keep ? job->block.text[row] : NULL);
    }
  }
  if (status == DONE && job->count == 0)
    return fail(INPUT, "%s: no states", job->options->value[OPTION_IN]);
  return status;
}

static const unsigned INPUTS = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD | LW_INPUT_WRENCH;

static int open_states(LinearJob* job)
{
  const char* path = job->options->value[OPTION_IN];
  StateNeeds needs = {.inputs = INPUTS | INPUT_TIME};
  int status       = states_open(&job->header, &job->lines, path, job->model, needs);
  if (status != DONE) return status;
  job->timed = job->header.present >> GROUP_T & 1;
  status     = block_create(&job->block, job->model, job->header.present, BLOCK_STATES);
  return status == DONE ? block_keep_text(&job->block) : status;
}

// The state of the options; a scenario has one of its own.
static int take_state(LinearJob* job)
{
  if (!job->scenario || job->options->value[OPTION_Q])
    return state_from_options(job->options, job->model, INPUTS, &job->block);
  const double* q = lw_scenario_arm(job->scenario)->q;
  int status      = block_create(&job->block, job->model, 1u << GROUP_Q, 1);
  if (status == DONE && q) memcpy(job->block.values[GROUP_Q], q, (size_t)job->n * sizeof(double));
  job->block.count = 1;
  return status;
}

static int write_all(LinearJob* job)
{
  bool many  = job->options->value[OPTION_IN] != NULL;
  int status = out_open(&job->out, job->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  job->rows = (Rows){.out     = &job->out,
                     .format  = job->format,
                     .columns = job->columns,
                     .name    = linear_column,
                     .shown   = is_summary,
                     .context = job};
  if (many && job->timed) job->rows.kept = &job->header, job->rows.kept_time = true;
  if (writes_rows(job)) rows_begin(&job->rows);
  if (many && job->format == FORMAT_JSON && !job->matlab) out_text(&job->out, "[");
  if (many)
    status = solve_lines(job);
  else
  {
    status = solve_point(job, block_state(&job->block, job->model, 0), 0);
    if (status == DONE) write_point(job, NULL);
  }
  if (writes_rows(job)) rows_end(&job->rows);
  if (job->format == FORMAT_JSON && !job->matlab) out_text(&job->out, many ? "]\n" : "\n");
  return out_close(&job->out, status, false);
}

static int choose_linear(LinearJob* job)
{
  const Options* options = job->options;
  const char* format     = options->value[OPTION_FORMAT];
  const char* in         = options->value[OPTION_IN];
  job->matlab            = format && !strcmp(format, "matlab");
  job->solved            = lw_lapack_available();
  for (int g = 0; g < GROUP_COUNT && in; ++g)
    if (options->value[GROUPS[g].option])
      return fail(USAGE, "%s and --in exclude each other", OPTIONS[GROUPS[g].option].name);
  if (format && !job->matlab && strcmp(format, "table") != 0 && strcmp(format, "csv") != 0 &&
      strcmp(format, "json") != 0)
    return fail(USAGE, "--format: unknown format '%s'; expected table, csv, json or matlab",
                format);
  if (!job->solved) note("this build has no LAPACK, so there are no eigenvalues");
  return job->matlab ? DONE : format_choose(options, &job->format);
}

static void linear_end(LinearJob* job)
{
  free(job->A);
  free(job->B);
  free(job->values);
  free(job->modes);
  free(job->shapes);
  block_destroy(&job->block);
  header_destroy(&job->header);
  lines_close(&job->lines);
  lw_linear_destroy(job->linear);
  cylinders_close(&job->oil);
  lw_scenario_destroy(job->scenario);
  lw_model_destroy(job->own);
}

int cmd_linearise(const Command* command, const Options* options)
{
  (void)command;
  LinearJob* job = calloc(1, sizeof *job);
  if (!job) return no_memory();
  job->options = options;
  int status   = choose_linear(job);
  if (status == DONE) status = load_linear_robot(job);
  if (status == DONE) status = make_linear(job);
  if (status == DONE) status = make_room(job);
  if (status == DONE) status = options->value[OPTION_IN] ? open_states(job) : take_state(job);
  if (status == DONE) status = write_all(job);
  linear_end(job);
  free(job);
  return status;
}
