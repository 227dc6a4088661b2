// SPDX-License-Identifier: MIT
// linkwork ik: joint positions that bring the last link to a pose.
//
//   options, file --> lwTarget --search or closed form--> rows
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check_command.h"
#include "command/list.h"
#include "io/rows.h"
#include "io/sheet.h"
#include "plan_command.h"
#include "states/states.h"

enum
{
  BLOCK         = 256,  // poses read at a time
  MOST_RESTARTS = 1000000
};

typedef struct IkSearch
{
  const Options* options;
  Format format;
  lwIkDef def;
  lwModel* model;
  lwWorkspace* ws;
  lwIk* ik;
  int n;  // positions
  bool all;
  bool arm_angle_given;
  double arm_angle;  // rad
  bool names;        // columns are named by joint
  bool words;        // the answer is written for people, joint by joint
  double weights[6];
  char frame[FRAME_TEXT];  // the frame that is to reach the pose
  double* q;               // (n) the guess, then the answer
  double* values;          // (n + 4) a row
  const char* line;        // of the pose, where its columns are kept
  long missed;             // poses that were not reached
  Out out;
  Rows rows;
} IkSearch;

// --- what is asked

static int take_weights(IkSearch* search)
{
  const Options* options = search->options;
  const char* list       = options->value[OPTION_WEIGHTS];
  bool position          = options->value[OPTION_POSITION] != NULL;
  lwTarget target        = position                           ? lw_target_position()
                           : options->value[OPTION_DIRECTION] ? lw_target_direction()
                                                              : lw_target_pose();
  memcpy(search->weights, target.weights, sizeof search->weights);
  if (!list) return DONE;
  if (position || options->value[OPTION_DIRECTION])
    return fail(USAGE, "--weights and %s exclude each other",
                position ? "--position" : "--direction");
  int status =
      list_parse(OPTION_WEIGHTS, list, 6, "of x,y,z and of turns about x,y,z", search->weights);
  bool some = false;
  for (int k = 0; k < 6 && status == DONE; ++k)
  {
    some = some || search->weights[k] > 0;
    if (search->weights[k] < 0)
      status =
          fail(USAGE, "--weights: value %d is %g, expected 0 or more", k + 1, search->weights[k]);
  }
  return status == DONE && !some ? fail(USAGE, "--weights: all are 0, so nothing is asked")
                                 : status;
}

static int check_ik_options(IkSearch* search)
{
  static const Option where[] = {OPTION_POSE, OPTION_POSITION, OPTION_IN};
  const Options* options      = search->options;
  const char* in              = options->value[OPTION_IN];
  int given                   = 0;
  for (int i = 0; i < 3; ++i) given += options->value[where[i]] != NULL;
  if (given != 1) return fail(USAGE, "ik: --pose, --position or --in is needed, one of them");
  if (options->value[OPTION_KEEP] && !in) return fail(USAGE, "--keep is for --in");
  search->all   = options->value[OPTION_ALL] != NULL;
  search->names = options->value[OPTION_NAMES] != NULL;
  for (int i = 0; i < OPTION_COUNT && search->all; ++i)
    if (options->value[i] && (i == OPTION_POSITION || i == OPTION_IN || i == OPTION_DIRECTION ||
                              i == OPTION_WEIGHTS || i == OPTION_RESTARTS))
      return fail(USAGE, "--all and %s exclude each other: it is about one full pose",
                  OPTIONS[i].name);
  const char* arm_angle   = options->value[OPTION_ARM_ANGLE];
  search->arm_angle_given = arm_angle != NULL;
  if (arm_angle && !search->all) return fail(USAGE, "--arm-angle is for --all");
  long restarts = search->def.restarts, seed = 1;
  int status = format_choose(options, &search->format);
  if (status == DONE) status = take_weights(search);
  if (status == DONE && arm_angle)
    status = list_parse(OPTION_ARM_ANGLE, arm_angle, 1, "an angle", &search->arm_angle);
  if (status == DONE) status = check_integer(options, OPTION_RESTARTS, 0, MOST_RESTARTS, &restarts);
  if (status == DONE) status = check_integer(options, OPTION_SEED, 0, LONG_MAX, &seed);
  search->def.restarts      = (int)restarts;
  search->def.seed          = (unsigned long long)seed;
  search->def.ignore_limits = options->value[OPTION_IGNORE_LIMITS] != NULL;
  return status;
}

// The middle of the limits; zero where there are none.
static double middle_of_limits(const lwLimits* limits)
{
  if (isfinite(limits->lower) && isfinite(limits->upper))
    return 0.5 * (limits->lower + limits->upper);
  return fmin(fmax(0, limits->lower), limits->upper);
}

static const lwJointDef* joint_of_column(const IkSearch* search, int i)
{
  return &lw_model_robot(search->model)->joints[lw_model_position(search->model, i).joint];
}

// Whether all solutions can be found in closed form; if not, says why.
static int check_closed_form(const IkSearch* search)
{
  lwDiag* diag = lw_diag_create();
  int status   = DONE;
  double angle = 0;
  if (lw_ik_check_all(search->ik, diag) != LW_OK)
    status = fail(NO,
                  "--all: a closed form is implemented for six joints with a spherical wrist or "
                  "three parallel axes (UR), and for seven with spherical shoulder and wrist "
                  "(S-R-S); %s is none of these: %s; use ik without --all",
                  lw_model_name(search->model), first_error(diag, LW_ERROR_INPUT));
  else if (search->options->value[OPTION_ARM_ANGLE] &&
           lw_ik_arm_angle(search->ik, search->q, diag, &angle) != LW_OK)
    status = fail(USAGE, "--arm-angle: %s", first_error(diag, LW_ERROR_INPUT));
  lw_diag_destroy(diag);
  return status;
}

static int ik_load(IkSearch* search)
{
  int status = robot_load(search->options, search->options->operand, &search->model);
  if (status != DONE) return status;
  search->n      = lw_model_nq(search->model);
  search->q      = calloc((size_t)search->n + 1, sizeof *search->q);
  search->values = calloc((size_t)search->n + 5, sizeof *search->values);
  if (!search->q || !search->values) return no_memory();
  lw_model_neutral(search->model, search->q);
  for (int i = 0; i < search->n; ++i)
    if (lw_model_position(search->model, i).other >= 0)
      search->q[i] = middle_of_limits(&joint_of_column(search, i)->limits);
  const char* guess = search->options->value[OPTION_Q];
  if (lw_model_loop_count(search->model) > 0)
  {
    lw_model_start(search->model, search->q);
    if (guess) status = driven_values(search->model, OPTION_Q, guess, search->q);
  }
  else if (guess)
    status = joint_values(search->model, OPTION_Q, guess, search->q);
  if (status != DONE) return status;
  lwFrame frame;
  status = frame_choose(search->options, search->model, &frame);
  if (status != DONE) return status;
  frame_text(search->model, &frame, search->frame);
  lwStatus made = lw_workspace_create(search->model, NULL, NULL, &search->ws);
  if (made == LW_OK) made = lw_workspace_set_frame(search->ws, search->model, &frame, NULL);
  if (made == LW_OK)
    made = lw_ik_create(search->model, search->ws, &search->def, NULL, &search->ik);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  return search->all ? check_closed_form(search) : DONE;
}

static int take_target(const IkSearch* search, lwTarget* target)
{
  bool orientation;
  *target = lw_target_pose();
  memcpy(target->weights, search->weights, sizeof target->weights);
  if (search->options->value[OPTION_POSITION])
    return list_parse(OPTION_POSITION, search->options->value[OPTION_POSITION], 3, "x,y,z",
                      target->position);
  int status = pose_read(search->options, target->position, target->rotation, &orientation);
  if (status == DONE && !orientation)
    return fail(USAGE,
                "--pose: 3 values given, expected 6; --position leaves the orientation free");
  return status;
}

// --- rows

static void ik_column_name(const void* context, size_t k, char name[ROW_NAME])
{
  static const char* const found[] = {"position_error", "angle_error", "iterations", "reached"};
  static const char* const all[]   = {"inside", "free_joint", "position_error", "angle_error"};
  const IkSearch* search           = context;
  size_t n                         = (size_t)search->n;
  if (k < n)
    joint_column(search->model, "q", (int)k, search->names, name);
  else
    snprintf(name, ROW_NAME, "%s", (search->all ? all : found)[k - n]);
}

static const char* column_unit(const void* context, size_t k)
{
  static const char* const found[] = {"m", "rad", "", ""};
  static const char* const all[]   = {"", "", "m", "rad"};
  const IkSearch* search           = context;
  size_t n                         = (size_t)search->n;
  return k < n ? joint_unit(search->model, OPTION_Q, (int)k) : (search->all ? all : found)[k - n];
}

static void ik_row_add(IkSearch* search, const double* q, const double last[4])
{
  memcpy(search->values, q, (size_t)search->n * sizeof *q);
  memcpy(search->values + search->n, last, 4 * sizeof *last);
  rows_add_kept(&search->rows, search->line, search->values);
}

static void joint_row(const void* context, int i, Cell* cells)
{
  const IkSearch* search  = context;
  const lwJointDef* joint = joint_of_column(search, i);
  lwCoordinate entry      = lw_model_position(search->model, i);
  bool angle              = !entry.slides && !entry.quaternion;
  cells[0]                = cell_text(entry.name);
  cells[1]                = cell_number(search->q[i]);
  cells[2] = angle ? cell_number(search->q[i] * 180 / 3.14159265358979323846) : cell_text(NULL);
  cells[3] = cell_limit(joint->limits.lower);
  cells[4] = cell_limit(joint->limits.upper);
}

// One answer for people: joint by joint.
static void out_answer(IkSearch* search, const lwIkResult* result)
{
  static const SheetColumn columns[] = {{"joint", NULL, NULL},
                                        {"q", NULL, NULL},
                                        {"angle", NULL, NULL},
                                        {"lower", NULL, NULL},
                                        {"upper", NULL, NULL}};
  const char* place                  = joints_unit(search->model, OPTION_Q);
  const char* units[]                = {"", place, "deg", place, place};
  Out* out                           = &search->out;
  Sheet sheet                        = {.columns = 5,
                                        .column  = columns,
                                        .unit    = units,
                                        .rows    = search->n,
                                        .row     = joint_row,
                                        .context = search};
  out_format(out, "%s: %s\n", lw_model_name(search->model), search->frame);
  sheet_write(out, FORMAT_TABLE, &sheet);
  out_format(out, "%s: position off by %.3g m, angle by %.3g rad; %d iterations, %d restarts\n",
             result->reached ? "reached" : "not reached, this is the nearest found",
             result->position_error, result->angle_error, result->iterations, result->restarts);
}

static void find_one(IkSearch* search, const lwTarget* target)
{
  lwIkResult result = lw_ik_solve(search->ik, target, search->q);
  search->missed += !result.reached;
  const double last[4] = {result.position_error, result.angle_error, result.iterations,
                          result.reached};
  if (search->words)
    out_answer(search, &result);
  else
    ik_row_add(search, search->q, last);
}

// --- poses of a file

static bool is_rotation(const double R[9])
{
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
    {
      double sum = 0;
      for (int j = 0; j < 3; ++j) sum += R[3 * i + j] * R[3 * k + j];
      if (!(fabs(sum - (i == k)) < 1e-6)) return false;
    }
  return true;
}

static int no_rotation(const CsvFile* csv, int row)
{
  fprintf(stderr,
          "%s:%ld:1: error: r11..r33 are no rotation, expected rows of length 1 at right angles\n",
          csv->lines.name, csv->block.first + row + 1);
  return INPUT;
}

// The columns of a file of poses.
enum
{
  IN_PLACE,
  IN_ROTATION,
  IN_RPY,
  IN_TIME,
  IN_GROUPS
};

static int find_block(IkSearch* search, const CsvFile* csv)
{
  const CsvBlock* block = &csv->block;
  const double *R = block->values[IN_ROTATION], *rpy = block->values[IN_RPY];
  for (int row = 0; row < block->count && !out_stopped(&search->out); ++row)
  {
    lwTarget target = R || rpy ? lw_target_pose() : lw_target_position();
    if (R || rpy) memcpy(target.weights, search->weights, sizeof target.weights);
    memcpy(target.position, block->values[IN_PLACE] + 3 * row, sizeof target.position);
    if (R)
      memcpy(target.rotation, R + 9 * row, sizeof target.rotation);
    else if (rpy)
      lw_rotation_rpy(rpy + 3 * row, target.rotation);
    if (!is_rotation(target.rotation)) return no_rotation(csv, row);
    search->line = block->keep ? block->text[row] : NULL;
    find_one(search, &target);
  }
  return DONE;
}

static int open_poses(IkSearch* search, CsvFile* csv)
{
  static const char* const places[] = {"x", "y", "z"};
  static const char* const turns[]  = {"r11", "r12", "r13", "r21", "r22",
                                       "r23", "r31", "r32", "r33"};
  static const char* const angles[] = {"roll", "pitch", "yaw"};
  *csv                              = (CsvFile){.header = {.groups = IN_GROUPS, .increasing = -1}};
  csv->header.group[IN_PLACE]    = (lwColumnGroup){.symbol = "x, y, z", .width = 3, .own = places};
  csv->header.group[IN_ROTATION] = (lwColumnGroup){.symbol = "all of r11..r33 or none",
                                                   .width  = 9,
                                                   .own    = turns,
                                                   .need   = LW_COLUMNS_ALL_OR_NONE};
  csv->header.group[IN_RPY]      = (lwColumnGroup){.symbol = "roll, pitch and yaw or none",
                                                   .width  = 3,
                                                   .own    = angles,
                                                   .need   = LW_COLUMNS_ALL_OR_NONE};
  csv->header.group[IN_TIME]     = CSV_TIME;
  int status                     = csv_open(csv, search->options->value[OPTION_IN], BLOCK);
  if (status != DONE) return status;
  return rows_keep(&search->rows, csv, search->options->value[OPTION_KEEP]);
}

static int find_many(IkSearch* search)
{
  CsvFile csv;
  int status = open_poses(search, &csv);
  if (status == DONE) rows_begin(&search->rows);
  while (status == DONE)
  {
    int read = csv_read(&csv);
    if (csv.block.count > 0) status = find_block(search, &csv);
    if (status == DONE && read != DONE) lines_report(&csv.lines);
    if (status == DONE) status = read;
    if (csv.block.count == 0) break;
  }
  rows_end(&search->rows);
  csv_close(&csv);
  return status;
}

// --- all solutions

// What a free joint means, for people.
static void out_families(IkSearch* search, const lwIkSolution* solutions, int count)
{
  for (int joint = 0; joint < search->n; ++joint)
  {
    int members = 0;
    for (int k = 0; k < count; ++k) members += solutions[k].free_joint == joint;
    if (members > 0)
      out_format(&search->out,
                 "%d of them singular: '%s' (joint %d) may have any value; this solution takes it "
                 "from --q\n",
                 members, joint_name(search->model, joint), joint + 1);
  }
}

// Of seven joints, for people: which of their many solutions these are.
static void out_arm_angle(IkSearch* search)
{
  double angle = search->arm_angle;
  if (lw_model_dof(search->model) != 7) return;
  if (!search->arm_angle_given) lw_ik_arm_angle(search->ik, search->q, NULL, &angle);
  out_format(&search->out, "at the arm angle %.6g rad; --arm-angle gives others\n", angle);
}

static int find_all(IkSearch* search, const lwTarget* target)
{
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  int count = 0;
  if (search->arm_angle_given)
    lw_ik_all_at(search->ik, target, search->arm_angle, search->q, NULL, solutions, &count);
  else
    lw_ik_all(search->ik, target, search->q, NULL, solutions, &count);
  for (int k = 0; k < count; ++k)
  {
    const lwIkSolution* s = &solutions[k];
    const double last[4]  = {s->inside, s->free_joint + 1, s->position_error, s->angle_error};
    ik_row_add(search, s->q, last);
  }
  if (search->format == FORMAT_TABLE)
  {
    out_families(search, solutions, count);
    out_arm_angle(search);
  }
  if (count > 0) return DONE;
  return fail(NO, "ik: no solution: the pose is out of the arm's reach");
}

static int ik_find(IkSearch* search, const lwTarget* target)
{
  if (search->options->value[OPTION_IN]) return find_many(search);
  if (!search->words) rows_begin(&search->rows);
  if (search->all) return find_all(search, target);
  find_one(search, target);
  return DONE;
}

// A pose that is not reached is an answer, and is kept.
static int conclude(IkSearch* search, int status)
{
  bool many = search->options->value[OPTION_IN] != NULL;
  if (status == DONE && search->missed > 0 && many)
    return fail(NO, "ik: %ld of %ld poses are not reached", search->missed, search->rows.count);
  if (status == DONE && search->missed > 0)
    return fail(NO, "ik: not reached; the output is the nearest pose found");
  return status;
}

static int write_solutions(IkSearch* search)
{
  lwTarget target;
  bool many  = search->options->value[OPTION_IN] != NULL;
  int status = many ? DONE : take_target(search, &target);
  if (status != DONE) return status;
  status = out_open(&search->out, search->options->value[OPTION_OUT]);
  if (status != DONE) return status;
  search->words = search->format == FORMAT_TABLE && !search->all && !many;
  search->rows  = (Rows){.out     = &search->out,
                         .format  = search->format,
                         .columns = (size_t)search->n + 4,
                         .name    = ik_column_name,
                         .unit    = column_unit,
                         .context = search};
  status        = conclude(search, ik_find(search, &target));
  rows_end(&search->rows);
  return out_close(&search->out, status, status == NO && search->rows.count > 0);
}

int cmd_ik(const Command* command, const Options* options)
{
  (void)command;
  IkSearch search = {.options = options, .def = lw_ik_def()};
  int status      = check_ik_options(&search);
  if (status == DONE) status = ik_load(&search);
  if (status == DONE) status = write_solutions(&search);
  lw_ik_destroy(search.ik);
  lw_workspace_destroy(search.ws);
  lw_model_destroy(search.model);
  free(search.q);
  free(search.values);
  return status;
}
