// SPDX-License-Identifier: MIT
// linkwork draw: a picture of a robot or a snake, as SVG.
//
//   --q, --theta, or rows of --in --> poses, path --lwDrawing--> SVG
#include <string.h>

#include "base/units.h"
#include "command/ranges.h"
#include "io/note.h"
#include "io/picture.h"
#include "snake/snake_command.h"
#include "states/states.h"

enum
{
  BLOCK_ROWS = 256,
  POSES      = 6,       // of a file that are drawn
  PATH       = 400,     // points of the path
  MOST_ROWS  = 1000000  // of a file
};

typedef struct DrawJob
{
  const Options* options;
  lwModel* model;
  lwSnake* snake;
  lwViewpoint view;
  lwDrawing drawing;
  size_t width;  // of a row: nq; n + 2 of a snake
  size_t rows;
  double* values;  // (rows, width)
} DrawJob;

// --- what the options say

static void choose_view(DrawJob* job)
{
  const char* text = job->options->value[OPTION_VIEW];
  double angles[2];
  if (!text) return;
  job->drawing.view = &job->view;
  if (lw_view_named(text, &job->view)) return;
  if (!strchr(text, ','))
    stop(USAGE,
         "--view: unknown view '%s'; expected front, side, top, iso or AZIMUTH,ELEVATION, rad or "
         "like 30 deg",
         text);
  list_parse(OPTION_VIEW, text, 2, "azimuth and elevation, rad or like 30 deg", angles);
  job->view = lw_view_from(angles[0], angles[1]);
}

static void check_draw_options(const DrawJob* job)
{
  const char* const* value = job->options->value;
  const char* out          = value[OPTION_OUT];
  if (value[OPTION_IN] && (value[OPTION_Q] || value[OPTION_THETA]))
    stop(USAGE, "%s and --in exclude each other", value[OPTION_Q] ? "--q" : "--theta");
  if (value[job->snake ? OPTION_Q : OPTION_THETA])
    stop(USAGE, "%s",
         job->snake ? "--q is for robots; a snake takes --theta"
                    : "--theta is for snakes; a robot takes --q");
  if (out && strcmp(out, "-") != 0 && !text_ends_with(out, ".svg"))
    stop(USAGE, "'%s' does not end with .svg", out);
}

// --- poses

// Appends the rows of the file, the groups side by side; those that it does not have are zeros.
static void read_rows(DrawJob* job, lwCsvFile* csv, const size_t* widths)
{
  while (csv_more(csv))
  {
    size_t count = (size_t)csv->block.count;
    if (job->rows + count > MOST_ROWS)
      stop(USAGE, "--in: more than %d rows are too many for a drawing", MOST_ROWS);
    job->values = reallocate(job->values, (job->rows + count) * job->width, sizeof *job->values);
    for (size_t row = 0; row < count; ++row)
    {
      double* to = job->values + job->rows++ * job->width;
      memset(to, 0, job->width * sizeof *to);
      for (size_t g = 0, at = 0; widths[g]; at += widths[g++])
      {
        const double* from = csv->block.values[g];
        if (from) memcpy(to + at, from + row * widths[g], widths[g] * sizeof *to);
      }
    }
  }
  if (job->rows == 0)
    stop(INPUT, "%s: no rows, expected at least one below the header", csv->lines.name);
}

static void read_snake_rows(DrawJob* job)
{
  int n                        = lw_snake_count(job->snake);
  const size_t widths[]        = {(size_t)n, 1, 1, 0};
  const lwColumnGroup groups[] = {
      {.symbol = "theta", .width = n},
      {.symbol = "x", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE},
      {.symbol = "y", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE}};
  read_rows(job, csv_of(job->options->value[OPTION_IN], groups, 3, BLOCK_ROWS), widths);
}

// The point that simulate records, from a file that can be read twice.
static void check_recorded_point(const DrawJob* job)
{
  const char* path             = job->options->value[OPTION_IN];
  const size_t widths[]        = {1, 1, 1, 0};
  const lwColumnGroup groups[] = {
      {.symbol = "x", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE},
      {.symbol = "y", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE},
      {.symbol = "z", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE}};
  DrawJob point = {.options = job->options, .width = 3};
  if (!strcmp(path, "-")) return;
  lwCsvFile* csv = csv_of(path, groups, 3, BLOCK_ROWS);
  for (int g = 0; g < 3; ++g)
    if (!lw_csv_header_has(&csv->header, groups[g].symbol)) return;
  read_rows(&point, csv, widths);
  carried_check(job->model, path, job->options->operand, job->values, point.values, job->rows);
}

static void read_robot_rows(DrawJob* job)
{
  const size_t widths[] = {job->width, 0};
  StateNeeds needs      = {.inputs = LW_INPUT_Q};
  lwCsvFile* csv        = states_file(job->options, job->model, needs, BLOCK_ROWS);
  const char* name      = csv->lines.name;
  read_rows(job, csv, widths);
  for (size_t i = 0; i < job->rows; ++i)
    positions_check(job->model, name, INPUT, job->values + i * job->width);
  closed_check(job->model, name, 1, job->values, job->rows);
  check_recorded_point(job);
  ranges_positions(job->model, name, 2, job->values, (int)job->rows,
                   lw_csv_header_has(&csv->header, "t"));
}

// The pose of the options. Passive joints go where the loops put them.
static void take_pose(DrawJob* job)
{
  const char* q     = job->options->value[OPTION_Q];
  const char* theta = job->options->value[OPTION_THETA];
  int n             = job->snake ? lw_snake_count(job->snake) : 0;
  lwLoops* loops    = NULL;
  double gap[2]     = {0};
  job->rows         = 1;
  job->values       = allocate(job->width, sizeof *job->values);
  // Without --theta the posture in which a simulation of the snake begins.
  for (int k = 0; k < n; ++k) job->values[k] = LW_PI / 6 * (k % 2 ? 1 : -1);
  if (theta) list_parse(OPTION_THETA, theta, n, "one for each link", job->values);
  if (job->snake) return;
  lw_model_start(job->model, job->values);
  if (q) joint_values(job->model, OPTION_Q, q, job->values);
  if (lw_model_loop_count(job->model) == 0) return;
  need_ok(lw_loops_create(job->model, NULL, NULL, &loops));
  if (lw_loops_close(hold_loops(loops), job->values, gap) != LW_OK)
    stop(NO, "--q: the loops of %s cannot be closed there: a gap of %.3g m and %.3g rad",
         lw_model_name(job->model), gap[0], gap[1]);
}

// Of many rows the first, the last and some between: row k of count.
static const double* thinned_row(const DrawJob* job, size_t k, size_t count)
{
  return job->values + (count > 1 ? k * (job->rows - 1) / (count - 1) : 0) * job->width;
}

static void thin_poses(DrawJob* job)
{
  size_t count  = job->rows < POSES ? job->rows : POSES;
  double* poses = allocate(count * job->width, sizeof *poses);
  for (size_t k = 0; k < count; ++k)
    memcpy(poses + k * job->width, thinned_row(job, k, count), job->width * sizeof *poses);
  job->drawing.poses = poses;
  job->drawing.count = (int)count;
}

// The path of the last link, or of the frame of --link and --tool; of a snake's head.
static void trace_path(DrawJob* job)
{
  size_t count    = job->rows < PATH ? job->rows : PATH;
  double* path    = allocate(3 * count, sizeof *path);
  lwWorkspace* ws = NULL;
  double R[9];
  if (count < 2) return;
  job->drawing.path       = path;
  job->drawing.path_count = (int)count;
  if (job->model)
  {
    lwFrame frame = frame_of(job->options, job->model);
    ws            = tree_of(job->model);
    need_ok(lw_workspace_set_frame(ws, job->model, &frame, NULL));
  }
  for (size_t k = 0; k < count; ++k)
    if (job->model)
      lw_pose(job->model, ws, thinned_row(job, k, count), path + 3 * k, R);
    else
      memcpy(path + 3 * k, thinned_row(job, k, count) + job->width - 2, 2 * sizeof *path);
}

// --- the picture

static void draw_load(DrawJob* job)
{
  const Options* options = job->options;
  const char* path       = options->operand;
  bool snake             = kind_is_snake(path);
  if (snake)
    job->snake = snake_of(options);
  else
    job->model = robot_of(options);
  bool file              = strcmp(path, "-") != 0 && strcmp(path, BUILT_IN_ARM) != 0;
  lwCylinders* cylinders = NULL;
  lwStatus read =
      snake || !file ? LW_OK : lw_cylinders_read_file(path, job->model, NULL, &cylinders);
  if (read == LW_ERROR_MEMORY) leave(no_memory());
  if (read != LW_OK) stop(INPUT, "%s: its cylinders are wrong; 'linkwork lint' says what", path);
  job->drawing.cylinders = hold_cylinders(cylinders);
  job->width = snake ? (size_t)lw_snake_count(job->snake) + 2 : (size_t)lw_model_nq(job->model);
  job->drawing.model    = job->model;
  job->drawing.snake    = job->snake;
  job->drawing.packages = options->value[OPTION_PACKAGE_PATH];
  check_draw_options(job);
}

int cmd_draw(const Options* options)
{
  DrawJob job = {.options = options};
  choose_view(&job);
  const char* names[LW_SHOW_COUNT + 1] = {0};
  for (int i = 0; i < LW_SHOW_COUNT; ++i) names[i] = lw_show_name(i);
  job.drawing.shown = set_of(options, OPTION_SHOW, names, true);
  draw_load(&job);
  if (!options->value[OPTION_IN])
    take_pose(&job);
  else if (job.snake)
    read_snake_rows(&job);
  else
    read_robot_rows(&job);
  thin_poses(&job);
  trace_path(&job);
  int left_out = 0;
  int status   = picture_write(&job.drawing, options->value[OPTION_OUT], &left_out);
  if (status == DONE && left_out > 0)
    note("%s: %d mesh%s could not be read and %s not drawn; meshes must be STL, OBJ or DAE "
         "files, "
         "and --package-path says where to look",
         options->operand, left_out, left_out == 1 ? "" : "es", left_out == 1 ? "is" : "are");
  return status;
}
