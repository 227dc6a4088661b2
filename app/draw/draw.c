// SPDX-License-Identifier: MIT
// linkwork draw: a picture of a robot or a snake, as SVG.
//
//   --q, --theta, or rows of --in --> poses, path --lwDrawing--> SVG
#include <stdlib.h>
#include <string.h>

#include "command/file_kind.h"
#include "command/list.h"
#include "io/note.h"
#include "io/picture.h"
#include "linkwork/loop.h"
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
  lwCylinders* cylinders;
  lwViewpoint view;
  lwDrawing drawing;
  size_t width;  // of a row: nq; n + 2 of a snake
  size_t rows;
  double* values;  // (rows, width)
  double* poses;   // (at most POSES, width) of them
  double* path;    // (at most PATH, 3)
} DrawJob;

// --- what the options say

static int choose_view(DrawJob* job)
{
  const char* text = job->options->value[OPTION_VIEW];
  double angles[2];
  if (!text) return DONE;
  job->drawing.view = &job->view;
  if (lw_view_named(text, &job->view)) return DONE;
  if (!strchr(text, ','))
    return fail(USAGE,
                "--view: unknown view '%s'; expected front, side, top, iso or AZIMUTH,ELEVATION, "
                "rad or like 30 deg",
                text);
  int status =
      list_parse(OPTION_VIEW, text, 2, "azimuth and elevation, rad or like 30 deg", angles);
  job->view = lw_view_from(angles[0], angles[1]);
  return status;
}

static int show_one(DrawJob* job, const char* name, size_t length)
{
  Nearest nearest = nearest_to(name, length);
  for (int i = 0; i < LW_SHOW_COUNT; ++i)
  {
    const char* known = lw_show_name(i);
    nearest_offer(&nearest, known);
    if (strlen(known) != length || strncmp(known, name, length) != 0) continue;
    job->drawing.shown |= 1u << i;
    return DONE;
  }
  if (nearest_found(&nearest))
    return fail(USAGE, "--show: unknown part '%.*s'; did you mean '%s'?", (int)length, name,
                nearest.best);
  return fail(USAGE,
              "--show: unknown part '%.*s'; expected links, joints, names, frames, dimensions, "
              "masses, forces",
              (int)length, name);
}

static int choose_shown(DrawJob* job)
{
  const char* list = job->options->value[OPTION_SHOW];
  int status       = DONE;
  while (list && status == DONE)
  {
    size_t length = strcspn(list, ",");
    status        = show_one(job, list, length);
    list          = list[length] ? list + length + 1 : NULL;
  }
  return status;
}

static int check_draw_options(const DrawJob* job)
{
  const Options* options = job->options;
  const char* in         = options->value[OPTION_IN];
  const char* out        = options->value[OPTION_OUT];
  for (int k = 0; k < 2 && in; ++k)
    if (options->value[k == 0 ? OPTION_Q : OPTION_THETA])
      return fail(USAGE, "%s and --in exclude each other", k == 0 ? "--q" : "--theta");
  if (options->value[job->snake ? OPTION_Q : OPTION_THETA])
    return fail(USAGE, "%s",
                job->snake ? "--q is for robots; a snake takes --theta"
                           : "--theta is for snakes; a robot takes --q");
  if (out && strcmp(out, "-") != 0 && !text_ends_with(out, ".svg"))
    return fail(USAGE, "'%s' does not end with .svg", out);
  return DONE;
}

// --- poses

static int add_rows(DrawJob* job, const double* const* groups, const size_t* widths, int count)
{
  if (job->rows + (size_t)count > MOST_ROWS)
    return fail(INPUT, "--in: more than %d rows are too many for a drawing", MOST_ROWS);
  double* values =
      realloc(job->values, (job->rows + (size_t)count + 1) * job->width * sizeof *values);
  if (!values) return no_memory();
  job->values = values;
  for (int row = 0; row < count; ++row)
  {
    double* to = job->values + job->rows++ * job->width;
    memset(to, 0, job->width * sizeof *to);
    for (size_t g = 0, at = 0; widths[g]; at += widths[g++])
      if (groups[g]) memcpy(to + at, groups[g] + (size_t)row * widths[g], widths[g] * sizeof *to);
  }
  return DONE;
}

static int read_blocks(DrawJob* job, CsvFile* csv, const size_t* widths)
{
  int status = DONE;
  do
  {
    status = csv_read(csv);
    if (status != DONE) return lines_report(&csv->lines);
    status = add_rows(job, (const double* const*)csv->block.values, widths, csv->block.count);
  } while (status == DONE && csv->block.count > 0);
  if (status == DONE && job->rows == 0)
    return fail(INPUT, "%s: no rows, expected at least one below the header", csv->lines.name);
  return status;
}

static int read_snake_rows(DrawJob* job)
{
  int n                        = lw_snake_count(job->snake);
  const size_t widths[]        = {(size_t)n, 1, 1, 0};
  const lwColumnGroup groups[] = {
      {.symbol = "theta", .width = n},
      {.symbol = "x", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE},
      {.symbol = "y", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE}};
  CsvFile csv = {.header = {.groups = 3, .increasing = -1}};
  memcpy(csv.header.group, groups, sizeof groups);
  int status = csv_open(&csv, job->options->value[OPTION_IN], BLOCK_ROWS);
  if (status == DONE) status = read_blocks(job, &csv, widths);
  csv_close(&csv);
  return status;
}

static int read_robot_rows(DrawJob* job)
{
  const size_t widths[] = {job->width, 0};
  CsvFile csv           = {0};
  int status = states_open(&csv.header, &csv.lines, job->options->value[OPTION_IN], job->model,
                           (StateNeeds){.inputs = LW_INPUT_Q});
  if (status == DONE) status = block_create(&csv.block, job->model, csv.header.present, BLOCK_ROWS);
  if (status == DONE) status = read_blocks(job, &csv, widths);
  csv_close(&csv);
  for (size_t i = 0; i < job->rows && status == DONE; ++i)
    status = positions_check(job->model, csv.lines.name, job->values + i * job->width);
  return status;
}

// Without --theta the posture in which a simulation begins.
static int take_posture(DrawJob* job)
{
  int n            = lw_snake_count(job->snake);
  const char* list = job->options->value[OPTION_THETA];
  if (list) return snake_list(OPTION_THETA, list, n, "one for each link", job->values);
  for (int k = 0; k < n; ++k) job->values[k] = 0.52359877559829887308 * (k % 2 ? 1 : -1);
  return DONE;
}

// Passive joints go where the loops put them.
static int close_pose(DrawJob* job)
{
  lwLoops* loops = NULL;
  double gap[2]  = {0};
  if (lw_model_loop_count(job->model) == 0) return DONE;
  lwStatus made = lw_loops_create(job->model, NULL, NULL, &loops);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  lwStatus closed = lw_loops_close(loops, job->values, gap);
  lw_loops_destroy(loops);
  if (closed == LW_OK) return DONE;
  return fail(NO, "--q: the loops of %s cannot be closed there: a gap of %.3g m and %.3g rad",
              lw_model_name(job->model), gap[0], gap[1]);
}

static int take_pose(DrawJob* job)
{
  job->rows   = 1;
  job->values = calloc(job->width + 1, sizeof *job->values);
  if (!job->values) return no_memory();
  if (job->snake) return take_posture(job);
  lw_model_start(job->model, job->values);
  const char* q = job->options->value[OPTION_Q];
  int status    = q ? joint_values(job->model, OPTION_Q, q, job->values) : DONE;
  return status == DONE ? close_pose(job) : status;
}

// Of many rows the first, the last and some between.
static int thin_poses(DrawJob* job)
{
  size_t count = job->rows < POSES ? job->rows : POSES;
  job->poses   = calloc(count * job->width + 1, sizeof *job->poses);
  if (!job->poses) return no_memory();
  for (size_t k = 0; k < count; ++k)
  {
    size_t row = count > 1 ? k * (job->rows - 1) / (count - 1) : 0;
    memcpy(job->poses + k * job->width, job->values + row * job->width,
           job->width * sizeof *job->poses);
  }
  job->drawing.poses = job->poses;
  job->drawing.count = (int)count;
  return DONE;
}

// The path of the last link, or of the frame of --link and --tool.
static int trace_robot(DrawJob* job, size_t count)
{
  lwFrame frame;
  lwWorkspace* ws = NULL;
  double R[9];
  int status    = frame_choose(job->options, job->model, &frame);
  lwStatus made = status == DONE ? lw_workspace_create(job->model, NULL, NULL, &ws) : LW_OK;
  if (status == DONE && made == LW_OK) made = lw_workspace_set_frame(ws, job->model, &frame, NULL);
  for (size_t k = 0; k < count && status == DONE && made == LW_OK; ++k)
  {
    size_t row = k * (job->rows - 1) / (count - 1);
    lw_pose(job->model, ws, job->values + row * job->width, job->path + 3 * k, R);
  }
  lw_workspace_destroy(ws);
  return made == LW_OK ? status : fail(INPUT, "%s", lw_status_text(made));
}

static int trace_path(DrawJob* job)
{
  size_t count = job->rows < PATH ? job->rows : PATH;
  if (count < 2) return DONE;
  job->path = calloc(3 * count, sizeof *job->path);
  if (!job->path) return no_memory();
  job->drawing.path       = job->path;
  job->drawing.path_count = (int)count;
  if (!job->snake) return trace_robot(job, count);
  for (size_t k = 0; k < count; ++k)
    memcpy(job->path + 3 * k,
           job->values + k * (job->rows - 1) / (count - 1) * job->width + job->width - 2,
           2 * sizeof *job->path);
  return DONE;
}

// --- the picture

static int write_drawing(DrawJob* job)
{
  int left_out = 0;
  int status   = picture_write(&job->drawing, job->options->value[OPTION_OUT], &left_out);
  if (status == DONE && left_out > 0)
    note("%s: %d mesh%s could not be read and %s not drawn; meshes must be STL files, "
         "and --package-path says where to look",
         job->options->operand, left_out, left_out == 1 ? "" : "es", left_out == 1 ? "is" : "are");
  return status;
}

static int draw_load(DrawJob* job)
{
  const Options* options = job->options;
  bool snake             = kind_is_snake(options->operand);
  int status =
      snake ? snake_load(options, &job->snake) : robot_load(options, options->operand, &job->model);
  if (status != DONE) return status;
  bool file = strcmp(options->operand, "-") != 0 && strcmp(options->operand, BUILT_IN_ARM) != 0;
  if (!snake && file &&
      lw_cylinders_read_file(options->operand, job->model, NULL, &job->cylinders) != LW_OK)
    return fail(INPUT, "%s: its cylinders are wrong; 'linkwork lint' says what", options->operand);
  job->drawing.cylinders = job->cylinders;
  job->width = snake ? (size_t)lw_snake_count(job->snake) + 2 : (size_t)lw_model_nq(job->model);
  job->drawing.model    = job->model;
  job->drawing.snake    = job->snake;
  job->drawing.packages = options->value[OPTION_PACKAGE_PATH];
  return check_draw_options(job);
}

int cmd_draw(const Command* command, const Options* options)
{
  (void)command;
  DrawJob job = {.options = options};
  int status  = choose_view(&job);
  if (status == DONE) status = choose_shown(&job);
  if (status == DONE) status = draw_load(&job);
  if (status == DONE)
    status = !options->value[OPTION_IN] ? take_pose(&job)
             : job.snake                ? read_snake_rows(&job)
                                        : read_robot_rows(&job);
  if (status == DONE) status = thin_poses(&job);
  if (status == DONE) status = trace_path(&job);
  if (status == DONE) status = write_drawing(&job);
  free(job.values);
  free(job.poses);
  free(job.path);
  lw_cylinders_destroy(job.cylinders);
  lw_model_destroy(job.model);
  lw_snake_destroy(job.snake);
  return status;
}
