// SPDX-License-Identifier: MIT
// linkwork snake state: accelerations, speeds, wheel forces, energy and power of states.
// linkwork snake inverse: torques for desired accelerations in states.
#include <stdio.h>
#include <string.h>

#include "io/note.h"
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
  SnakeColumns columns;
  bool inverse;  // torques are asked for
  lwFormat format;
  lwSnakeWorkspaceDef def;
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  int n;
  int capacity;            // states of a block
  lwCsvFile* csv;          // of states; NULL: one state, from options
  double* input[INPUTS];   // (capacity) rows; NULL: zeros
  lwSnakeAnswers answers;  // (capacity) rows each
  double* values;          // (3 n + 4) one row of the output
  bool* slips;             // (n)
  bool in_quad;            // 113 bits, state by state
  lwQuadSnakeWorkspace* quad;
  lwQuad* exact;  // (3 n + 4) one row of the output
  lwOut* out;
  lwRows rows;
  long slipping, slipped;  // states in which wheels slip, and wheels in them
} SnakeStateJob;

static const SnakeColumn STATE_COLUMNS[] = {
    {"udot1", "m/s^2", PER_SNAKE}, {"udot2", "rad/s^2", PER_SNAKE},
    {"V", "m/s", PER_LINK},        {"w", "rad/s", PER_LINK},
    {"lambda", "N", PER_LINK},     {"kinetic", "J", PER_SNAKE},
    {"power", "W", PER_SNAKE},     {0}};
static const SnakeColumn INVERSE_COLUMNS[] = {{"T", "N m", PER_JOINT},
                                              {"udot1", "m/s^2", PER_SNAKE},
                                              {"udot2", "rad/s^2", PER_SNAKE},
                                              {"rank", "", PER_SNAKE},
                                              {0}};

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
    lw_out_format(job->out, "%s: torques of least norm\n", lw_snake_name(job->snake));
    return;
  }
  lw_out_format(job->out, "%s: motion by %s, %s precision\n", lw_snake_name(job->snake),
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
  lw_out_format(job->out, "  %5d %13.6g %13.6g %13.6g", k + 1, v[k], v[n + k], v[2 * n + k]);
  if (job->slips[k]) lw_out_format(job->out, "  SLIPS: its limit is %g N", limit);
  lw_out_text(job->out, "\n");
}

static void out_torques(SnakeStateJob* job)
{
  const double* v = job->values;
  int joints      = job->n - 1;
  lw_out_format(job->out, "  %5s %13s\n", "joint", "T N m");
  for (int k = 0; k < joints; ++k) lw_out_format(job->out, "  %5d %13.6g\n", k + 1, v[k]);
  lw_out_format(job->out, "they give udot1 = %.6g m/s^2, udot2 = %.6g rad/s^2", v[joints],
                v[joints + 1]);
  lw_out_format(job->out, v[joints + 2] < 2 ? ": as near as this posture allows, rank %g\n" : "\n",
                v[joints + 2]);
}

static void out_state(SnakeStateJob* job)
{
  const double* v = job->values;
  int n           = job->n;
  lw_out_format(job->out, "  udot1   %13.6g m/s^2    of link 1 along itself\n", v[0]);
  lw_out_format(job->out, "  udot2   %13.6g rad/s^2  angular acceleration of link 1\n", v[1]);
  lw_out_format(job->out, "  kinetic %13.6g J\n  power   %13.6g W        of the torques\n",
                v[2 + 3 * n], v[3 + 3 * n]);
  lw_out_format(job->out, "  %5s %13s %13s %13s\n", "link", "V m/s", "w rad/s", "lambda N");
  for (int k = 0; k < n; ++k) out_link(job, k);
  lw_out_text(job->out,
              "lambda: sideways force of the wheel on the ground, to the left of the link\n");
}

// --- all formats

static int snake_not_finite(const SnakeStateJob* job, int row)
{
  if (!job->csv)
    return fail(NUMERICAL, "snake: the answer is not finite, the values are too large");
  long state = job->csv->block.first + row;
  return fail(NUMERICAL,
              "snake: the answer to state %ld (%s:%ld) is not finite, the values are too large",
              state, job->csv->lines.name, state + 1);
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
    if (job->csv || job->format != LW_FORMAT_TABLE)
      lw_rows_add_kept(&job->rows,
                       job->csv && job->csv->block.keep ? job->csv->block.text[row] : NULL,
                       job->values);
    else
      (job->inverse ? out_torques : out_state)(job);
  }
  return DONE;
}

// Reads and answers block after block; the states before a wrong line are answered.
static int answer_file(SnakeStateJob* job)
{
  while (!lw_out_stopped(job->out))
  {
    int read = exit_of(lw_csv_next_block(job->csv));
    for (int g = 0; g < INPUTS; ++g) job->input[g] = job->csv->block.values[g];
    int status = job->csv->block.count > 0 ? answer_rows(job, job->csv->block.count) : DONE;
    if (status != DONE) return status;
    if (read != DONE) lines_report(&job->csv->lines);
    if (read != DONE || job->csv->block.count == 0) return read;
  }
  return DONE;
}

// Warns of slipping wheels, except for the table of a single state, which marks them.
static void warn_of_slip(const SnakeStateJob* job)
{
  if (job->slipping == 0 || (!job->csv && job->format == LW_FORMAT_TABLE)) return;
  if (job->inverse)
  {
    note("in %ld states the posture does not allow every acceleration: see rank", job->slipping);
    return;
  }
  char where[64] = "";
  if (job->csv) snprintf(where, sizeof where, " in %ld of the states", job->slipping);
  note("%ld wheel%s would slip%s: lambda is beyond friction_limit", job->slipped,
       job->slipped == 1 ? "" : "s", where);
}

static int answer_all(SnakeStateJob* job)
{
  const Options* options = job->options;
  bool table             = job->format == LW_FORMAT_TABLE;
  job->rows              = (lwRows){.format  = job->format,
                                    .columns = snake_column_count(&job->columns),
                                    .name    = snake_column_name,
                                    .unit    = snake_column_unit,
                                    .context = &job->columns};
  if (job->csv) rows_keep(&job->rows, job->csv, options->value[OPTION_KEEP]);
  job->rows.out = job->out = output_of(options);
  if (table) write_snake_title(job);
  if (!table || job->csv) lw_rows_begin(&job->rows);
  int status = job->csv ? answer_file(job) : answer_rows(job, 1);
  lw_rows_end(&job->rows);
  unhold(job->out);
  status = out_close(job->out, status, false);
  warn_of_slip(job);
  return status;
}

// --- what is asked

static void check_snake_options(SnakeStateJob* job)
{
  const Options* options = job->options;
  const char* in         = options->value[OPTION_IN];
  const char* single     = first_given(options, with(THETA) | with(U) | with(UDOT) | with(TORQUE));
  if (in && single) stop(USAGE, "%s and --in exclude each other", single);
  if (options->value[OPTION_KEEP] && !in) stop(USAGE, "--keep is for --in");
  job->format        = format_of(options);
  job->def           = snake_method_of(options);
  job->def.precision = precision_or_quad(options, &job->in_quad);
}

static void snake_state_load(SnakeStateJob* job)
{
  job->snake = snake_of(job->options);
  need_ok(lw_snake_workspace_create(job->snake, &job->def, NULL, &job->ws));
  hold_snake_workspace(job->ws);
  if (job->in_quad)
    need_ok(lw_quad_snake_workspace_create(job->snake, &job->def, NULL, &job->quad));
  hold_quad_snake_workspace(job->quad);
  job->n = lw_snake_count(job->snake);
  job->columns =
      (SnakeColumns){.list = job->inverse ? INVERSE_COLUMNS : STATE_COLUMNS, .n = job->n};
  size_t states = BLOCK_BYTES / ((5 * (size_t)job->n + 7) * sizeof(double));
  job->capacity = !job->options->value[OPTION_IN] || states < 1 ? 1
                  : states > BLOCK_STATES                       ? BLOCK_STATES
                                                                : (int)states;
}

static void make_answers(SnakeStateJob* job)
{
  size_t n = (size_t)job->n, rows = (size_t)job->capacity;
  job->values  = allocate(3 * n + 4, sizeof(double));
  job->slips   = allocate(n, sizeof *job->slips);
  job->exact   = allocate(3 * n + 4, sizeof *job->exact);
  job->answers = (lwSnakeAnswers){.V       = allocate(rows * n, sizeof(double)),
                                  .omega   = allocate(rows * n, sizeof(double)),
                                  .lambda  = allocate(rows * n, sizeof(double)),
                                  .udot    = allocate(rows * 2, sizeof(double)),
                                  .kinetic = allocate(rows, sizeof(double)),
                                  .power   = allocate(rows, sizeof(double))};
}

// The single state of the options.
static void take_lists(SnakeStateJob* job)
{
  const Options* options = job->options;
  const struct
  {
    Option option;
    const char* each;
    int width;
  } lists[] = {{OPTION_THETA, "one for each link", job->n},
               {OPTION_U, "u1,u2", 2},
               {OPTION_TORQUE, "one for each joint", job->n - 1},
               {OPTION_UDOT, "udot1,udot2", 2}};
  if (!options->value[OPTION_THETA])
    stop(USAGE, "--theta is missing: give the directions of the %d links of %s, or --in FILE",
         job->n, lw_snake_name(job->snake));
  if (job->inverse && !options->value[OPTION_UDOT])
    stop(USAGE, "--udot is missing: give the accelerations udot1,udot2, or --in FILE");
  for (int i = 0; i < INPUTS; ++i)
  {
    int k            = i + (job->inverse && i == THIRD);
    const char* list = options->value[lists[k].option];
    if (!list) continue;
    job->input[i] = allocate((size_t)lists[k].width, sizeof(double));
    list_parse(lists[k].option, list, lists[k].width, lists[k].each, job->input[i]);
  }
}

static void open_file(SnakeStateJob* job)
{
  const lwColumnGroup groups[INPUTS] = {
      {.symbol = "theta", .width = job->n},
      {.symbol = "u", .width = 2, .need = LW_COLUMNS_ALL_OR_NONE},
      {.symbol = job->inverse ? "udot" : "T",
       .width  = job->inverse ? 2 : job->n - 1,
       .need   = job->inverse ? LW_COLUMNS_ALL : LW_COLUMNS_ALL_OR_NONE}};
  job->csv = csv_of(job->options->value[OPTION_IN], groups, INPUTS, job->capacity);
}

static int answer_snake(const Options* options, bool inverse)
{
  SnakeStateJob* job = allocate(1, sizeof *job);
  job->options       = options;
  job->inverse       = inverse;
  check_snake_options(job);
  snake_state_load(job);
  make_answers(job);
  (options->value[OPTION_IN] ? open_file : take_lists)(job);
  return answer_all(job);
}

int cmd_snake_state(const Options* options)
{
  return answer_snake(options, false);
}

int cmd_snake_inverse(const Options* options)
{
  return answer_snake(options, true);
}
