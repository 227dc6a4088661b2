// SPDX-License-Identifier: MIT
// linkwork snake state: accelerations, speeds, wheel forces, energy and power of states.
// linkwork snake inverse: torques for desired accelerations in states.
#include <stdio.h>
#include <string.h>

#include "snake_command.h"

#include "command/ranges.h"

enum
{
  BLOCK_BYTES  = 1 << 22,  // aimed at for the inputs and outputs of a block
  BLOCK_STATES = 4096,     // at most
  INPUTS       = 3,        // theta, u, and torques or, for the inverse problem, accelerations
  PARTS        = 6         // of an answer: udot, V, omega, lambda, kinetic, power
};

typedef struct SnakeStateJob
{
  const Options* options;
  bool inverse;  // torques are asked for
  bool many;     // states, from a file
  lwFormat format;
  lwSnakeWorkspaceDef def;
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  bool in_quad;  // 113 bits, state by state
  int n;
  lwColumnGroup inputs[INPUTS];
  lwColumnGroup columns[8];  // of the output; the last has no name
  lwCsvFile* csv;            // the states, or the one of the options
  size_t width[PARTS];       // numbers of each part of an answer
  double* part[PARTS];       // (capacity, width) of a block
  double* values;            // one row of the output
  lwQuad* exact;             // the same in 113 bits, and its parts one behind the other
  double* exact_parts;       // (3, columns)
  bool* slips;               // (n)
  lwOut* out;
  lwRows rows;
  long slipping, slipped;  // states in which wheels slip, and wheels in them
} SnakeStateJob;

// --- answers

// Input g of a state of the block; NULL: zeros.
static const double* input_at(const SnakeStateJob* job, int g, int row)
{
  const double* values = job->csv->block.values[g];
  return values ? values + (size_t)row * (size_t)job->inputs[g].width : NULL;
}

static lwSnakeStates states_from(const SnakeStateJob* job, int row)
{
  return (lwSnakeStates){input_at(job, 0, row), input_at(job, 1, row), input_at(job, 2, row)};
}

static void answer_inverse(SnakeStateJob* job, int row)
{
  double* reached     = job->values + job->n - 1;
  lwSnakeStates state = states_from(job, row);
  reached[2] =
      lw_snake_torque(job->snake, job->ws, &state, input_at(job, 2, row), job->values, reached);
  job->slipping += reached[2] < 2;
}

// Answers that go to these parts of rows.
static lwSnakeAnswers answers_to(double* const to[PARTS])
{
  return (lwSnakeAnswers){
      .udot = to[0], .V = to[1], .omega = to[2], .lambda = to[3], .kinetic = to[4], .power = to[5]};
}

// A row in 113 bits, and as the nearest doubles.
static void answer_in_quad(SnakeStateJob* job, int row)
{
  size_t columns      = job->rows.columns;
  lwSnakeStates state = states_from(job, row);
  lwSnakeAnswers parts[3];
  for (size_t i = 0; i < 3; ++i)
  {
    double* to[PARTS] = {job->exact_parts + i * columns};
    for (int p = 1; p < PARTS; ++p) to[p] = to[p - 1] + job->width[p - 1];
    parts[i] = answers_to(to);
  }
  need_ok(lw_quad_snake_answer(job->snake, &job->def, &state, parts, NULL));
  for (size_t k = 0; k < columns; ++k)
    for (size_t i = 0; i < 3; ++i) job->exact[k].part[i] = job->exact_parts[i * columns + k];
  memcpy(job->values, job->exact_parts, columns * sizeof *job->values);
}

static void answer_motions(SnakeStateJob* job)
{
  lwSnakeStates states   = states_from(job, 0);
  lwSnakeAnswers answers = answers_to(job->part);
  lw_snake_answer_many(job->snake, job->ws, job->csv->block.count, &states, &answers);
}

static void pack_motion(SnakeStateJob* job, int row)
{
  double* to = job->values;
  for (int p = 0; p < PARTS; to += job->width[p++])
    memcpy(to, job->part[p] + (size_t)row * job->width[p], job->width[p] * sizeof *to);
}

static void count_slips(SnakeStateJob* job)
{
  int slips = lw_snake_check_slip(job->snake, job->values + 2 + 2 * job->n, job->slips);
  job->slipping += slips > 0;
  job->slipped += slips;
}

// --- one state for people

static void write_snake_title(SnakeStateJob* job)
{
  if (job->inverse)
    lw_out_format(job->out, "%s: torques of least norm\n", lw_snake_name(job->snake));
  else
    lw_out_format(job->out, "%s: motion by %s, %s precision\n", lw_snake_name(job->snake),
                  lw_snake_workspace_method(job->ws),
                  job->in_quad                                ? "quad"
                  : job->def.precision == LW_PRECISION_SINGLE ? "single"
                                                              : "double");
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
  for (int k = 0; k < n; ++k)
  {
    lw_out_format(job->out, "  %5d %13.6g %13.6g %13.6g", k + 1, v[2 + k], v[2 + n + k],
                  v[2 + 2 * n + k]);
    if (job->slips[k])
      lw_out_format(job->out, "  SLIPS: its limit is %g N",
                    lw_snake_get(job->snake, k).friction_limit);
    lw_out_text(job->out, "\n");
  }
  lw_out_text(job->out,
              "lambda: sideways force of the wheel on the ground, to the left of the link\n");
}

// --- all formats

static int snake_not_finite(const SnakeStateJob* job, int row)
{
  if (!job->many)
    return fail(NUMERICAL, "snake: the answer is not finite, the values are too large");
  long state = job->csv->block.first + row;
  return fail(NUMERICAL,
              "snake: the answer to state %ld (%s:%ld) is not finite, the values are too large",
              state, job->csv->lines.name, state + 1);
}

static int answer_states(SnakeStateJob* job)
{
  const lwCsvBlock* block = &job->csv->block;
  if (!job->in_quad && !job->inverse) answer_motions(job);
  for (int row = 0; row < block->count; ++row)
  {
    (job->inverse ? answer_inverse : job->in_quad ? answer_in_quad : pack_motion)(job, row);
    if (!all_finite(job->values, job->rows.columns)) return snake_not_finite(job, row);
    if (!job->inverse) count_slips(job);
    if (job->many || job->format != LW_FORMAT_TABLE)
      lw_rows_add_kept(&job->rows, block->keep ? block->text[row] : NULL, job->values);
    else
      (job->inverse ? out_torques : out_state)(job);
  }
  return DONE;
}

// Directions beyond a whole turn are reported; of rows in the order of time, in which a snake may
// wind many times, only the first.
static void check_directions(const SnakeStateJob* job)
{
  const lwCsvFile* csv = job->csv;
  bool timed           = lw_csv_header_has(&csv->header, "t");
  for (int row = 0; row < csv->block.count && job->many; ++row)
    if (!timed || csv->block.first + row == 1)
      ranges_angles(csv->lines.name, csv->block.first + row + 1, input_at(job, 0, row), job->n,
                    NULL, 1);
}

// Reads and answers block after block; the states before a wrong line are answered.
static int answer_file(SnakeStateJob* job)
{
  while (!lw_out_stopped(job->out))
  {
    int read = exit_of(lw_csv_next_block(job->csv));
    check_directions(job);
    int status = answer_states(job);
    if (status != DONE) return status;
    if (read != DONE) lines_report(&job->csv->lines);
    if (read != DONE || job->csv->block.count == 0) return read;
  }
  return DONE;
}

// Warns of slipping wheels, except for the table of a single state, which marks them.
static void warn_of_slip(const SnakeStateJob* job)
{
  if (job->slipping == 0 || (!job->many && job->format == LW_FORMAT_TABLE)) return;
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
  const Options* options = job->options;
  bool table             = job->format == LW_FORMAT_TABLE;
  if (job->many) rows_keep(&job->rows, job->csv, options->value[OPTION_KEEP]);
  job->rows.out = job->out = output_of(options);
  if (table) write_snake_title(job);
  if (!table || job->many) lw_rows_begin(&job->rows);
  int status = job->many ? answer_file(job) : answer_states(job);
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
  const char* single     = first_given(options, "--theta --u --udot --torque");
  job->many              = options->value[OPTION_IN] != NULL;
  if (job->many && single) stop(USAGE, "%s and --in exclude each other", single);
  if (options->value[OPTION_KEEP] && !job->many) stop(USAGE, "--keep is for --in");
  job->format        = format_of(options);
  job->def           = snake_method_of(options);
  job->def.precision = precision_or_quad(options, &job->in_quad);
}

static void snake_state_load(SnakeStateJob* job)
{
  job->snake = snake_of(job->options);
  job->ws    = snake_workspace_of(job->snake, &job->def);
  job->n     = lw_snake_count(job->snake);
}

static void choose_snake_columns(SnakeStateJob* job)
{
  int n                        = job->n;
  const lwColumnGroup motion[] = {
      {.symbol = "udot1", .unit = "m/s^2", .width = 1, .single = true},
      {.symbol = "udot2", .unit = "rad/s^2", .width = 1, .single = true},
      {.symbol = "V", .unit = "m/s", .width = n},
      {.symbol = "w", .unit = "rad/s", .width = n},
      {.symbol = "lambda", .unit = "N", .width = n},
      {.symbol = "kinetic", .unit = "J", .width = 1, .single = true},
      {.symbol = "power", .unit = "W", .width = 1, .single = true},
      {.symbol = NULL}};
  const lwColumnGroup torques[] = {{.symbol = "T", .unit = "N m", .width = n - 1},
                                   motion[0],
                                   motion[1],
                                   {.symbol = "rank", .unit = "", .width = 1, .single = true},
                                   {.symbol = NULL}};
  const lwColumnGroup inputs[]  = {{.symbol = "theta", .width = n},
                                   {.symbol = "u", .width = 2, .need = LW_COLUMNS_ALL_OR_NONE},
                                   {.symbol = "T", .width = n - 1, .need = LW_COLUMNS_ALL_OR_NONE}};
  memcpy(job->inputs, inputs, sizeof inputs);
  if (job->inverse) job->inputs[2] = (lwColumnGroup){.symbol = "udot", .width = 2};
  memcpy(job->columns, job->inverse ? torques : motion,
         job->inverse ? sizeof torques : sizeof motion);
  job->rows = (lwRows){.format  = job->format,
                       .columns = lw_groups_columns(job->columns),
                       .name    = lw_groups_name,
                       .unit    = lw_groups_unit,
                       .context = job->columns};
}

// The single state of the options.
static void take_lists(SnakeStateJob* job)
{
  const Options* options = job->options;
  const struct
  {
    Option option;
    const char* each;
  } lists[INPUTS] = {{OPTION_THETA, "one for each link"},
                     {OPTION_U, "u1,u2"},
                     {job->inverse ? OPTION_UDOT : OPTION_TORQUE,
                      job->inverse ? "udot1,udot2" : "one for each joint"}};
  if (!options->value[OPTION_THETA])
    stop(USAGE, "--theta is missing: give the directions of the %d links of %s, or --in FILE",
         job->n, lw_snake_name(job->snake));
  if (job->inverse && !options->value[OPTION_UDOT])
    stop(USAGE, "--udot is missing: give the accelerations udot1,udot2, or --in FILE");
  job->csv              = allocate(1, sizeof *job->csv);
  job->csv->block.count = job->csv->block.capacity = 1;
  for (int g = 0; g < INPUTS; ++g)
  {
    const char* list = options->value[lists[g].option];
    double* values   = list ? allocate((size_t)job->inputs[g].width, sizeof *values) : NULL;
    if (list) list_parse(lists[g].option, list, job->inputs[g].width, lists[g].each, values);
    job->csv->block.values[g] = values;
  }
}

static void open_file(SnakeStateJob* job)
{
  size_t states = BLOCK_BYTES / ((5 * (size_t)job->n + 7) * sizeof(double));
  int capacity  = states < 1 ? 1 : states > BLOCK_STATES ? BLOCK_STATES : (int)states;
  job->csv      = csv_of(job->options->value[OPTION_IN], job->inputs, INPUTS, capacity);
}

static void make_answers(SnakeStateJob* job)
{
  size_t n = (size_t)job->n, rows = (size_t)job->csv->block.capacity;
  const size_t widths[PARTS] = {2, n, n, n, 1, 1};
  memcpy(job->width, widths, sizeof widths);
  for (int p = 0; p < PARTS; ++p) job->part[p] = allocate(rows * widths[p], sizeof(double));
  job->values      = allocate(3 * n + 4, sizeof(double));
  job->slips       = allocate(n, sizeof *job->slips);
  job->exact       = allocate(3 * n + 4, sizeof *job->exact);
  job->exact_parts = allocate(3 * (3 * n + 4), sizeof(double));
  if (job->in_quad && !job->inverse) job->rows.exact = job->exact;
}

static int answer_snake(const Options* options, bool inverse)
{
  SnakeStateJob* job = allocate(1, sizeof *job);
  job->options       = options;
  job->inverse       = inverse;
  check_snake_options(job);
  snake_state_load(job);
  choose_snake_columns(job);
  (job->many ? open_file : take_lists)(job);
  make_answers(job);
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
