// SPDX-License-Identifier: MIT
// linkwork linearise: A and B of the state equations, at a point or along a trajectory.
//
//   ROBOT or SCENARIO, states --lw_linear_at()--> A, B --lw_modes()--> eigenvalues
//     --> table, csv, json, matlab
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "drives/drives.h"
#include "io/note.h"
#include "read/kind.h"
#include "simulate/simulate.h"

enum
{
  BLOCK_STATES = 64,
  MODE_TEXT    = 400
};

typedef struct LinearJob
{
  const Options* options;
  lwFormat format;
  bool matlab;
  bool many;             // states, from a file
  bool timed;            // with a column t
  bool solved;           // eigenvalues can be found
  lwScenario* scenario;  // or NULL
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
  long count;  // points done
  lwRows* rows;
  lwOut* out;
} LinearJob;

// --- the robot

static void load_linear_robot(LinearJob* job)
{
  const char* path = job->options->operand;
  if (lw_file_kind(path, LW_FILE_KIND_ROBOT).kind != LW_FILE_KIND_SCENARIO)
  {
    job->model = robot_of(job->options);
    return;
  }
  if (job->options->value[OPTION_OPEN_TREE])
    stop(USAGE, "--open-tree is for a ROBOT, and %s is a scenario", path);
  job->scenario = scenario_read(job->options, path);
  job->model    = lw_scenario_model(job->scenario);
  if (lw_scenario_arm(job->scenario)->controller.kind != LW_CONTROL_NONE)
    note("the scenario's controller is not part of the linear model");
  if (lw_scenario_arm(job->scenario)->torques)
    stop(USAGE, "%s: linearise takes springs of drives, not 'forces'", path);
}

// Cylinders have closed valves: those that an event of the scenario closes, or with --drives those
// of the robot file.
static void make_linear(LinearJob* job)
{
  lwLinearDef def   = lw_linear_def();
  lwDiag* diag      = hold_messages();
  bool drives       = job->options->value[OPTION_DRIVES] != NULL;
  lwSpring* springs = allocate((size_t)lw_model_dof(job->model) + 1, sizeof *springs);
  if (job->scenario)
    def.cylinders = lw_scenario_cylinders(job->scenario);
  else if (drives)
  {
    CylinderMotion oil = cylinders_open(job->options, job->model);
    if (oil.count > 0) def.cylinders = oil.cylinders;
  }
  def.rotors = def.friction = def.motors = drives;
  if (job->scenario && lw_scenario_springs(job->scenario, springs) > 0) def.springs = springs;
  lwStatus made = lw_linear_create(job->model, &def, diag, &job->linear);
  hold_linear(job->linear);
  need_made(made, job->options->operand, diag);
  job->n        = lw_model_mobility(job->model);
  job->states   = lw_linear_states(job->linear);
  size_t states = (size_t)job->states, n = (size_t)job->n;
  job->columns = states * (states + n) + (job->solved ? 2 * states + 1 : 0);
  job->A       = allocate(states * states, sizeof(double));
  job->B       = allocate(states * n, sizeof(double));
  job->values  = allocate(job->columns, sizeof(double));
  job->modes   = allocate(states, sizeof *job->modes);
  job->shapes  = allocate(2 * states * states, sizeof(double));
}

// --- one point

static void solve_point(LinearJob* job, lwStates point, double t)
{
  job->point = point;
  job->t     = t;
  ++job->count;
  lwStatus solved = lw_linear_at(job->linear, &point, job->A, job->B);
  if (solved == LW_ERROR_OPEN)
    stop(job->many ? INPUT : USAGE,
         "linearise: the loops are not closed in state %ld; 'linkwork close' finds the passive "
         "joints",
         job->count);
  if (solved == LW_ERROR_MEMORY) leave(no_memory());
  if (solved != LW_OK)
    stop(NUMERICAL,
         "linearise: state %ld has no linear model: the inertia matrix is singular or the values "
         "are too large",
         job->count);
  if (job->solved)
    solved = lw_modes(job->states, job->A, NULL, job->modes, job->shapes, &job->mode_count);
  if (solved == LW_ERROR_MEMORY) leave(no_memory());
  if (solved != LW_OK) stop(NUMERICAL, "linearise: no eigenvalues in state %ld", job->count);
}

static const char* verdict_of(const LinearJob* job)
{
  return lw_stability_name(lw_modes_stability(job->modes, job->mode_count));
}

// v1 or tau1; with loops tau.crank
static const char* input_name(const LinearJob* job, int k, char name[LW_ROW_NAME])
{
  bool voltage = lw_linear_is_voltage(job->linear, k), names = lw_model_loop_count(job->model) > 0;
  int entry = lw_model_speed(job->model, k);
  joint_column(job->model, voltage ? "v" : "tau", entry, names, name);
  return name;
}

// --- csv

static void linear_column(const void* context, size_t k, char name[LW_ROW_NAME])
{
  const LinearJob* job = context;
  size_t states = (size_t)job->states, n = (size_t)job->n;
  const char* between = states > 9 ? "_" : "";
  if (k < states * states)
    snprintf(name, LW_ROW_NAME, "A%zu%s%zu", k / states + 1, between, k % states + 1);
  else if ((k -= states * states) < states * n)
    snprintf(name, LW_ROW_NAME, "B%zu%s%zu", k / n + 1, between, k % n + 1);
  else if ((k -= states * n) < 2 * states)
    snprintf(name, LW_ROW_NAME, "%s%zu", k < states ? "re" : "im", k % states + 1);
  else
    snprintf(name, LW_ROW_NAME, "stable");
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
  lw_rows_add_kept(job->rows, line, values);
}

// --- table, json, matlab

static void write_matrix(lwOut* out, const double* matrix, int rows, int columns, const char* open,
                         const char* between, const char* close)
{
  for (int i = 0; i < rows; ++i)
  {
    lw_out_text(out, i == 0 ? open : between);
    for (int j = 0; j < columns; ++j)
    {
      if (j > 0) lw_out_text(out, ", ");
      lw_out_number(out, matrix[(size_t)i * (size_t)columns + (size_t)j]);
    }
  }
  lw_out_text(out, rows > 0 ? close : "");
}

static void write_json_modes(LinearJob* job)
{
  char text[MODE_TEXT];
  lw_out_text(job->out, ",\n  \"modes\": [");
  for (int m = 0; m < job->mode_count; ++m)
  {
    const lwMode* mode  = &job->modes[m];
    const double* shape = job->shapes + 2 * (size_t)m * (size_t)job->states;
    lw_linear_mode_text(job->linear, shape, text, sizeof text);
    lw_out_text(job->out, m > 0 ? ",\n    " : "\n    ");
    lw_json(job->out,
            "{'re': $n, 'im': $n, 'frequency_hz': $n, 'damping': $n, 'joints': $s, 'shape': ",
            mode->re, mode->im, mode->frequency / (2 * LW_PI), mode->damping, text);
    write_matrix(job->out, shape, job->states, 2, "[[", "], [", "]]");
    lw_out_text(job->out, "}");
  }
  lw_out_format(job->out, "],\n  \"stability\": \"%s\"", verdict_of(job));
}

static void write_json_point(LinearJob* job)
{
  lwOut* out = job->out;
  lw_out_text(out, job->count > 1 ? ",\n{" : "{");
  if (job->timed) lw_json(out, "'t': $n, ", job->t);
  lw_json(out, "'states': [");
  for (int i = 0; i < job->states; ++i)
    lw_json(out, i > 0 ? ", $s" : "$s", lw_linear_state_name(job->linear, i));
  lw_json(out, "], 'inputs': [");
  for (int k = 0; k < job->n; ++k)
  {
    char name[LW_ROW_NAME];
    lw_json(out, k > 0 ? ", $s" : "$s", input_name(job, k, name));
  }
  lw_out_text(out, "],\n  \"A\": [");
  write_matrix(out, job->A, job->states, job->states, "[", "],\n        [", "]");
  lw_out_text(out, "],\n  \"B\": [");
  write_matrix(out, job->B, job->states, job->n, "[", "],\n        [", "]");
  lw_out_text(out, "]");
  if (job->solved) write_json_modes(job);
  lw_out_text(out, "}");
}

static void write_column(lwOut* out, const double* values, int count)
{
  for (int i = 0; i < count; ++i)
  {
    lw_out_text(out, i > 0 ? "; " : "");
    lw_out_number(out, values ? values[i] : 0);
  }
}

// Positions among the states.
static int places_of(const LinearJob* job)
{
  return lw_model_rolling_rows(job->model) > 0 ? lw_model_dof(job->model) : job->n;
}

// The point: x0; with quaternions q0 and qd0, from which x is a step.
static void write_matlab_state(LinearJob* job)
{
  bool steps = lw_model_nq(job->model) != job->n && lw_model_dof(job->model) == job->n;
  lw_out_text(job->out, steps ? "q0 = [" : "x0 = [");
  if (steps) write_column(job->out, job->point.q, lw_model_nq(job->model));
  if (steps) lw_out_text(job->out, "];\nqd0 = [");
  if (steps) write_column(job->out, job->point.qd, job->n);
  int places = places_of(job);
  bool rolls = places > job->n;
  for (int i = 0; i < places + job->n && !steps; ++i)
  {
    const double* from = i < places ? job->point.q : job->point.qd;
    int entry = i < places && rolls ? i : lw_model_speed(job->model, i < places ? i : i - places);
    int at    = i < places ? lw_model_velocity(job->model, entry).other : entry;
    lw_out_text(job->out, i > 0 ? "; " : "");
    lw_out_number(job->out, from ? from[at] : 0);
  }
  lw_out_text(job->out, "];\n");
}

static void write_matlab_point(LinearJob* job)
{
  lwOut* out = job->out;
  char index[32];
  index[0] = 0;
  if (job->many) snprintf(index, sizeof index, "(:,:,%ld)", job->count);
  if (job->count == 1)
    lw_out_format(out, "%% %s: xdot = A x + B u, x = [q; qd%s], by linkwork linearise\n",
                  lw_model_name(job->model), job->states > places_of(job) + job->n ? "; i" : "");
  lw_out_format(out, "A%s = [", index);
  write_matrix(out, job->A, job->states, job->states, "", ";\n  ", "];\n");
  lw_out_format(out, "B%s = [", index);
  write_matrix(out, job->B, job->states, job->n, "", ";\n  ", "];\n");
  if (job->timed) lw_out_format(out, "t(%ld) = %.17g;\n", job->count, job->t);
  if (!job->many) write_matlab_state(job);
  if (!job->solved || job->many) return;
  lw_out_text(out, "lambda = [");
  list_eigenvalues(job, job->values, job->values + job->states);
  for (int i = 0; i < job->states; ++i)
    lw_out_format(out, "%s%.17g%+.17gi", i > 0 ? "; " : "", job->values[i],
                  job->values[job->states + i]);
  lw_out_text(out, "];\n");
}

static void write_table_matrix(LinearJob* job, const char* title, const double* matrix, int columns,
                               bool inputs)
{
  char name[LW_ROW_NAME];
  lw_out_format(job->out, "\n%-6s", title);
  for (int j = 0; j < columns; ++j)
  {
    const char* state = inputs ? input_name(job, j, name) : lw_linear_state_name(job->linear, j);
    lw_out_format(job->out, " %11s", state);
  }
  for (int i = 0; i < job->states; ++i)
  {
    lw_out_format(job->out, "\n%-6s", lw_linear_state_name(job->linear, i));
    for (int j = 0; j < columns; ++j)
      lw_out_format(job->out, " %11.5g", matrix[(size_t)i * (size_t)columns + (size_t)j]);
  }
  lw_out_text(job->out, "\n");
}

static void write_table_modes(LinearJob* job)
{
  char text[MODE_TEXT];
  lw_out_format(job->out, "\n%11s %11s %11s %9s %11s  %s\n%11s %11s %11s %9s %11s\n", "re", "im",
                "frequency", "damping", "fades in", "joints that take part", "1/s", "rad/s", "Hz",
                "", "s");
  for (int m = 0; m < job->mode_count; ++m)
  {
    const lwMode* mode = &job->modes[m];
    lw_linear_mode_text(job->linear, job->shapes + 2 * (size_t)m * (size_t)job->states, text,
                        sizeof text);
    lw_out_format(job->out, "%11.5g %11.5g %11.5g %9.4f ", mode->re, mode->im,
                  mode->frequency / (2 * LW_PI), mode->damping);
    if (mode->re < 0)
      lw_out_format(job->out, "%11.4g  %s\n", -1 / mode->re, text);
    else
      lw_out_format(job->out, "%11s  %s\n", "never", text);
  }
  lw_out_format(job->out, "\n%s\n", verdict_of(job));
}

static bool is_summary(const void* context, size_t k)
{
  const LinearJob* job = context;
  return k >= (size_t)job->states * (size_t)(job->states + job->n);
}

static void write_point(LinearJob* job, const char* line)
{
  if (job->matlab) return write_matlab_point(job);
  if (job->format == LW_FORMAT_JSON) return write_json_point(job);
  if (job->rows) return add_linear_row(job, line);
  lw_out_format(job->out, "%s: xdot = A x + B u, %d states, %d inputs\n", lw_model_name(job->model),
                job->states, job->n);
  write_table_matrix(job, "A", job->A, job->states, false);
  write_table_matrix(job, "B", job->B, job->n, true);
  if (job->solved) write_table_modes(job);
}

// --- all points

static void solve_rows(LinearJob* job, const lwCsvBlock* block)
{
  for (int row = 0; row < block->count; ++row)
  {
    const double* times = block->values[GROUP_T];
    solve_point(job, block_state(block, job->model, row), times ? times[row] : 0);
    write_point(job, block->keep ? block->text[row] : NULL);
  }
}

// The position of a scenario as a run begins with it: driven joints stay, and the others are closed
// near the file's configuration. to: that configuration.
static void take_start(const lwModel* model, const double* q, double* to)
{
  lwLoops* loops = NULL;
  bool closes    = lw_model_loop_count(model) > 0;
  if (closes) need_ok(lw_loops_create(model, NULL, NULL, &loops));
  hold_loops(loops);
  bool closed = !closes || lw_loops_check(loops, q, NULL, NULL, NULL) == LW_OK;
  for (int i = 0; i < lw_model_nq(model); ++i)
    if (closed || entry_is_driven(model, GROUP_Q, i)) to[i] = q[i];
  if (!closed) lw_loops_close(loops, to, NULL);
}

// Those of the file, or the state of the options; a scenario has one of its own.
static lwCsvFile* open_points(LinearJob* job)
{
  unsigned inputs = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD | LW_INPUT_WRENCH;
  if (job->many || !job->scenario || job->options->value[OPTION_Q])
    return states_of(job->options, job->model, inputs, BLOCK_STATES);
  lwCsvFile* csv  = hold_csv(allocate(1, sizeof *csv));
  const double* q = lw_scenario_arm(job->scenario)->q;
  block_create(&csv->block, job->model, 1u << GROUP_Q, 1);
  lw_model_start(job->model, csv->block.values[GROUP_Q]);
  if (q) take_start(job->model, q, csv->block.values[GROUP_Q]);
  csv->block.count = 1;
  return csv;
}

static int write_all(LinearJob* job, lwCsvFile* csv)
{
  bool json  = !job->matlab && job->format == LW_FORMAT_JSON;
  bool table = !job->matlab && job->format == LW_FORMAT_TABLE && !job->many;
  bool rows  = !job->matlab && !json && !table;
  if (!job->many) solve_point(job, block_state(&csv->block, job->model, 0), 0);  // or refuse it
  job->count = 0;
  job->out   = output_of(job->options);
  if (rows)
    job->rows = rows_begin((lwRows){.out       = job->out,
                                    .format    = job->format,
                                    .columns   = job->columns,
                                    .name      = linear_column,
                                    .shown     = is_summary,
                                    .context   = job,
                                    .kept      = job->timed ? &csv->header : NULL,
                                    .kept_time = job->timed});
  if (json && job->many) lw_out_text(job->out, "[");
  if (!job->many) solve_rows(job, &csv->block);
  while (job->many && states_more(csv)) solve_rows(job, &csv->block);
  if (job->count == 0) stop(INPUT, "%s: no states", job->options->value[OPTION_IN]);
  if (rows) rows_end(job->rows);
  if (json) lw_out_text(job->out, job->many ? "]\n" : "\n");
  return output_end(job->out, DONE);
}

int cmd_linearise(const Options* options)
{
  static const char* const formats[] = {"table", "csv", "json", "matlab", NULL};
  LinearJob* job                     = allocate(1, sizeof *job);
  job->options                       = options;
  job->many                          = options->value[OPTION_IN] != NULL;
  job->solved                        = lw_lapack_available();
  states_check_options(options);
  job->matlab = choice_of(options, OPTION_FORMAT, formats, 0) == 3;
  if (!job->solved) note("this build has no LAPACK, so there are no eigenvalues");
  if (!job->matlab) job->format = format_of(options);
  load_linear_robot(job);
  make_linear(job);
  lwCsvFile* csv = open_points(job);
  job->timed     = csv->header.present >> GROUP_T & 1;
  if (job->many) csv_keep_text(csv);
  return write_all(job, csv);
}
