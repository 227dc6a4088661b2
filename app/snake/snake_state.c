// SPDX-License-Identifier: MIT
// linkwork snake state: accelerations, speeds, wheel forces, energy and power of states.
// linkwork snake inverse: torques for desired accelerations in states.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/csv.h"
#include "io/note.h"
#include "io/rows.h"
#include "snake_command.h"

enum
{
  BLOCK_BYTES  = 1 << 22,  // aimed at for the inputs and outputs of a block
  BLOCK_STATES = 4096      // at most
};

// Inputs, in the order of the groups of the file.
enum
{
  THETA,
  U,
  THIRD,  // torques; for the inverse problem, the desired accelerations
  INPUTS
};

typedef struct SnakeStateJob
{
  const Options* options;
  bool inverse;  // torques are asked for
  Format format;
  lwSnakeWorkspaceDef def;
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  int n;
  int capacity;  // states of a block
  bool many;     // states, from a file
  CsvFile csv;
  double* input[INPUTS];   // (capacity) rows; NULL: zeros
  lwSnakeAnswers answers;  // (capacity) rows each
  double* values;          // (3 n + 4) one row of the output
  bool* slips;             // (n)
  bool in_quad;            // 113 bits, state by state
  lwQuadSnakeWorkspace* quad;
  lwQuad* exact;  // (3 n + 4) one row of the output
  Out out;
  Rows rows;
  long slipping, slipped;  // states in which wheels slip, and wheels in them
} SnakeStateJob;

// udot1 udot2 V1..Vn w1..wn lambda1..lambdan kinetic power
static void snake_column_name(const void* context, size_t k, char name[ROW_NAME])
{
  static const char* const parts[] = {"V", "w", "lambda"};
  size_t n                         = (size_t)((const SnakeStateJob*)context)->n;
  if (k < 2)
    snprintf(name, ROW_NAME, "udot%zu", k + 1);
  else if (k < 2 + 3 * n)
    snprintf(name, ROW_NAME, "%s%zu", parts[(k - 2) / n], (k - 2) % n + 1);
  else
    snprintf(name, ROW_NAME, "%s", k == 2 + 3 * n ? "kinetic" : "power");
}

static const char* snake_column_unit(const void* context, size_t k)
{
  static const char* const parts[] = {"m/s", "rad/s", "N"};
  size_t n                         = (size_t)((const SnakeStateJob*)context)->n;
  if (k < 2) return k == 0 ? "m/s^2" : "rad/s^2";
  return k < 2 + 3 * n ? parts[(k - 2) / n] : k == 2 + 3 * n ? "J" : "W";
}

static void pack_snake_answer(SnakeStateJob* job, int row)
{
  size_t n                  = (size_t)job->n;
  const lwSnakeAnswers* got = &job->answers;
  const double* parts[]     = {got->V, got->omega, got->lambda};
  double* to                = job->values;
  memcpy(to, got->udot + 2 * (size_t)row, 2 * sizeof *to);
  for (int p = 0; p < 3; ++p)
    memcpy(to + 2 + (size_t)p * n, parts[p] + (size_t)row * n, n * sizeof *to);
  to[2 + 3 * n] = got->kinetic[row];
  to[3 + 3 * n] = got->power[row];
}

// T1..Tn-1 udot1 udot2 rank
static void inverse_column_name(const void* context, size_t k, char name[ROW_NAME])
{
  size_t joints = (size_t)((const SnakeStateJob*)context)->n - 1;
  if (k < joints)
    snprintf(name, ROW_NAME, "T%zu", k + 1);
  else if (k < joints + 2)
    snprintf(name, ROW_NAME, "udot%zu", k - joints + 1);
  else
    snprintf(name, ROW_NAME, "rank");
}

static const char* inverse_column_unit(const void* context, size_t k)
{
  size_t joints = (size_t)((const SnakeStateJob*)context)->n - 1;
  return k < joints ? "N m" : k == joints ? "m/s^2" : k == joints + 1 ? "rad/s^2" : "";
}

static void answer_inverse(SnakeStateJob* job, int row)
{
  size_t n = (size_t)job->n, at = (size_t)row;
  double* to          = job->values;
  lwSnakeStates state = {.theta = job->input[THETA] + at * n,
                         .u     = job->input[U] ? job->input[U] + 2 * at : NULL};
  int rank =
      lw_snake_torque(job->snake, job->ws, &state, job->input[THIRD] + 2 * at, to, to + n - 1);
  to[n + 1] = rank;
  job->slipping += rank < 2;
}

// --- one state for people

static void write_snake_title(SnakeStateJob* job)
{
  if (job->inverse)
  {
    out_format(&job->out, "%s: torques of least norm\n", lw_snake_name(job->snake));
    return;
  }
  out_format(&job->out, "%s: motion by %s, %s precision\n", lw_snake_name(job->snake),
             lw_snake_workspace_method(job->ws),
             job->in_quad                                ? "quad"
             : job->def.precision == LW_PRECISION_SINGLE ? "single"
                                                         : "double");
}

static void out_link(SnakeStateJob* job, int k)
{
  const double* v = job->values + 2;
  int n           = job->n;
  double limit    = lw_snake_get(job->snake, k).friction_limit;
  out_format(&job->out, "  %5d %13.6g %13.6g %13.6g", k + 1, v[k], v[n + k], v[2 * n + k]);
  if (job->slips[k]) out_format(&job->out, "  SLIPS: its limit is %g N", limit);
  out_text(&job->out, "\n");
}

static void out_torques(SnakeStateJob* job)
{
  const double* v = job->values;
  int joints      = job->n - 1;
  out_format(&job->out, "  %5s %13s\n", "joint", "T N m");
  for (int k = 0; k < joints; ++k) out_format(&job->out, "  %5d %13.6g\n", k + 1, v[k]);
  out_format(&job->out, "they give udot1 = %.6g m/s^2, udot2 = %.6g rad/s^2", v[joints],
             v[joints + 1]);
  out_format(&job->out, v[joints + 2] < 2 ? ": as near as this posture allows, rank %g\n" : "\n",
             v[joints + 2]);
}

static void out_state(SnakeStateJob* job)
{
  const double* v = job->values;
  int n           = job->n;
  out_format(&job->out, "  udot1   %13.6g m/s^2    of link 1 along itself\n", v[0]);
  out_format(&job->out, "  udot2   %13.6g rad/s^2  angular acceleration of link 1\n", v[1]);
  out_format(&job->out, "  kinetic %13.6g J\n  power   %13.6g W        of the torques\n",
             v[2 + 3 * n], v[3 + 3 * n]);
  out_format(&job->out, "  %5s %13s %13s %13s\n", "link", "V m/s", "w rad/s", "lambda N");
  for (int k = 0; k < n; ++k) out_link(job, k);
  out_text(&job->out,
           "lambda: sideways force of the wheel on the ground, to the left of the link\n");
}

// --- all formats

static int snake_not_finite(const SnakeStateJob* job, int row)
{
  if (!job->many)
    return fail(NUMERICAL, "snake: the answer is not finite, the values are too large");
  long state = job->csv.block.first + row;
  return fail(NUMERICAL,
              "snake: the answer to state %ld (%s:%ld) is not finite, the values are too large",
              state, job->csv.lines.name, state + 1);
}

// The row in 113 bits, and as the nearest doubles.
static void answer_in_quad(SnakeStateJob* job, int row)
{
  size_t n = (size_t)job->n, at = (size_t)row;
  const double* theta       = job->input[THETA] + at * n;
  const double* u           = job->input[U] ? job->input[U] + 2 * at : NULL;
  const double* T           = job->input[THIRD] ? job->input[THIRD] + (n - 1) * at : NULL;
  lwQuad* to                = job->exact;
  lwQuadSnakeAnswers wanted = {.udot    = to,
                               .V       = to + 2,
                               .omega   = to + 2 + n,
                               .lambda  = to + 2 + 2 * n,
                               .kinetic = to + 2 + 3 * n,
                               .power   = to + 3 + 3 * n};
  lw_quad_snake_answer(job->quad, &(lwSnakeStates){theta, u, T}, &wanted);
  for (size_t k = 0; k < job->rows.columns; ++k) job->values[k] = to[k].part[0];
}

static int answer_rows(SnakeStateJob* job, int count)
{
  lwSnakeStates states = {job->input[THETA], job->input[U], job->input[THIRD]};
  size_t lambda        = 2 + 2 * (size_t)job->n;  // column of the first
  if (!job->in_quad && !job->inverse)
    lw_snake_answer_many(job->snake, job->ws, count, &states, &job->answers);
  job->rows.exact = job->in_quad ? job->exact : NULL;
  for (int row = 0; row < count; ++row)
  {
    if (job->inverse)
      answer_inverse(job, row);
    else if (job->in_quad)
      answer_in_quad(job, row);
    else
      pack_snake_answer(job, row);
    if (!all_finite(job->values, job->rows.columns)) return snake_not_finite(job, row);
    int slips =
        job->inverse ? 0 : lw_snake_check_slip(job->snake, job->values + lambda, job->slips);
    job->slipping += slips > 0;
    job->slipped += slips;
    if (job->many || job->format != FORMAT_TABLE)
      rows_add_kept(&job->rows, job->csv.block.keep ? job->csv.block.text[row] : NULL, job->values);
    else
      (job->inverse ? out_torques : out_state)(job);
  }
  return DONE;
}

// Reads and answers block after block; the states before a wrong line are answered.
static int answer_file(SnakeStateJob* job)
{
  while (!out_stopped(&job->out))
  {
    int read = csv_read(&job->csv);
    for (int g = 0; g < INPUTS; ++g) job->input[g] = job->csv.block.values[g];
    int status = job->csv.block.count > 0 ? answer_rows(job, job->csv.block.count) : DONE;
    if (status != DONE) return status;
    if (read != DONE) lines_report(&job->csv.lines);
    if (read != DONE || job->csv.block.count == 0) return read;
  }
  return DONE;
}

// Warns of slipping wheels, except for the table of a single state, which marks them.
static void warn_of_slip(const SnakeStateJob* job)
{
  if (job->slipping == 0 || (!job->many && job->format == FORMAT_TABLE)) return;
  if (job->inverse)
  {
    note("in %ld states the posture does not allow every acceleration: see rank", job->slipping);
    return;
  }
  char where[64] = "";
  if (job->many) snprintf(where, sizeof where, " in %ld of the states", job->slipping);
  note("%ld wheel%s would slip%s: lambda is beyond friction_limit", job->slipped,
       job->slipped == 1 ? "" : "s", where);
}

static int answer_all(SnakeStateJob* job)
{
  bool table = job->format == FORMAT_TABLE;
  job->rows  = (Rows){.out     = &job->out,
                      .format  = job->format,
                      .columns = job->inverse ? (size_t)job->n + 2 : 3 * (size_t)job->n + 4,
                      .name    = job->inverse ? inverse_column_name : snake_column_name,
                      .unit    = job->inverse ? inverse_column_unit : snake_column_unit,
                      .context = job};
  int status =
      job->many ? rows_keep(&job->rows, &job->csv, job->options->value[OPTION_KEEP]) : DONE;
  if (status == DONE) status = out_open(&job->out, job->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  if (table) write_snake_title(job);
  if (!table || job->many) rows_begin(&job->rows);
  status = job->many ? answer_file(job) : answer_rows(job, 1);
  rows_end(&job->rows);
  status = out_close(&job->out, status, false);
  warn_of_slip(job);
  return status;
}

// --- what is asked

static int check_snake_options(SnakeStateJob* job)
{
  const Option lists[] = {OPTION_THETA, OPTION_U, job->inverse ? OPTION_UDOT : OPTION_TORQUE};
  const char* in       = job->options->value[OPTION_IN];
  for (int i = 0; i < INPUTS && in; ++i)
    if (job->options->value[lists[i]])
      return fail(USAGE, "%s and --in exclude each other", OPTIONS[lists[i]].name);
  if (job->options->value[OPTION_KEEP] && !in) return fail(USAGE, "--keep is for --in");
  int status = format_choose(job->options, &job->format);
  if (status == DONE) status = snake_choose_method(job->options, &job->def);
  if (status == DONE) status = precision_or_quad(job->options, &job->def.precision, &job->in_quad);
  return status;
}

static int snake_state_load(SnakeStateJob* job)
{
  int status = snake_load(job->options, &job->snake);
  if (status != DONE) return status;
  lwStatus made = lw_snake_workspace_create(job->snake, &job->def, NULL, &job->ws);
  if (made == LW_OK && job->in_quad)
    made = lw_quad_snake_workspace_create(job->snake, &job->def, NULL, &job->quad);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  job->n        = lw_snake_count(job->snake);
  size_t bytes  = (5 * (size_t)job->n + 7) * sizeof(double);
  size_t states = BLOCK_BYTES / bytes;
  job->capacity = !job->many              ? 1
                  : states < 1            ? 1
                  : states > BLOCK_STATES ? BLOCK_STATES
                                          : (int)states;
  return DONE;
}

static int make_answers(SnakeStateJob* job)
{
  size_t n = (size_t)job->n, rows = (size_t)job->capacity;
  double* values = calloc(rows * (3 * n + 4) + 3 * n + 4, sizeof *values);
  job->slips     = calloc(n, sizeof *job->slips);
  job->exact     = calloc(3 * n + 4, sizeof *job->exact);
  job->values    = values;
  if (!values || !job->slips || !job->exact) return no_memory();
  double* to           = values + 3 * n + 4;
  job->answers.V       = to;
  job->answers.omega   = to + rows * n;
  job->answers.lambda  = to + 2 * rows * n;
  job->answers.udot    = to + 3 * rows * n;
  job->answers.kinetic = job->answers.udot + 2 * rows;
  job->answers.power   = job->answers.kinetic + rows;
  return DONE;
}

// The single state of the options.
static int take_lists(SnakeStateJob* job)
{
  const struct
  {
    Option option;
    const char* each;
  } lists[INPUTS]          = {{OPTION_THETA, "one for each link"},
                              {OPTION_U, "u1,u2"},
                              {job->inverse ? OPTION_UDOT : OPTION_TORQUE,
                      job->inverse ? "udot1,udot2" : "one for each joint"}};
  const int widths[INPUTS] = {job->n, 2, job->inverse ? 2 : job->n - 1};
  if (!job->options->value[OPTION_THETA])
    return fail(USAGE,
                "--theta is missing: give the directions of the %d links of %s, or --in FILE",
                job->n, lw_snake_name(job->snake));
  if (job->inverse && !job->options->value[OPTION_UDOT])
    return fail(USAGE, "--udot is missing: give the accelerations udot1,udot2, or --in FILE");
  for (int i = 0; i < INPUTS; ++i)
  {
    const char* list = job->options->value[lists[i].option];
    if (!list) continue;
    job->input[i] = calloc((size_t)widths[i] + 1, sizeof(double));
    if (!job->input[i]) return no_memory();
    int status = snake_list(lists[i].option, list, widths[i], lists[i].each, job->input[i]);
    if (status != DONE) return status;
  }
  return DONE;
}

static int open_file(SnakeStateJob* job)
{
  const lwColumnGroup groups[INPUTS] = {
      {.symbol = "theta", .width = job->n},
      {.symbol = "u", .width = 2, .need = LW_COLUMNS_ALL_OR_NONE},
      {.symbol = job->inverse ? "udot" : "T",
       .width  = job->inverse ? 2 : job->n - 1,
       .need   = job->inverse ? LW_COLUMNS_ALL : LW_COLUMNS_ALL_OR_NONE}};
  job->csv = (CsvFile){.header = {.groups = INPUTS, .increasing = -1}};
  memcpy(job->csv.header.group, groups, sizeof groups);
  return csv_open(&job->csv, job->options->value[OPTION_IN], job->capacity);
}

static void snake_job_end(SnakeStateJob* job)
{
  for (int i = 0; i < INPUTS && !job->many; ++i) free(job->input[i]);
  if (job->csv.header.groups > 0) csv_close(&job->csv);
  free(job->values);
  free(job->slips);
  free(job->exact);
  lw_quad_snake_workspace_destroy(job->quad);
  lw_snake_workspace_destroy(job->ws);
  lw_snake_destroy(job->snake);
}

static int answer_snake(SnakeStateJob* job)
{
  int status = check_snake_options(job);
  if (status == DONE) status = snake_state_load(job);
  if (status == DONE) status = make_answers(job);
  if (status == DONE) status = job->many ? open_file(job) : take_lists(job);
  if (status == DONE) status = answer_all(job);
  snake_job_end(job);
  return status;
}

int cmd_snake_state(const Command* command, const Options* options)
{
  (void)command;
  return answer_snake(
      &(SnakeStateJob){.options = options, .many = options->value[OPTION_IN] != NULL});
}

int cmd_snake_inverse(const Command* command, const Options* options)
{
  (void)command;
  return answer_snake(&(SnakeStateJob){
      .options = options, .many = options->value[OPTION_IN] != NULL, .inverse = true});
}
