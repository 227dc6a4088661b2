// SPDX-License-Identifier: MIT
// linkwork ik: joint positions that bring the last link to a pose.
//
//   options, file --> lwTarget --search or closed form--> rows
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "command/ranges.h"
#include "io/note.h"
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
  lwFormat format;
  lwIkDef def;
  lwModel* model;
  lwIk* ik;
  int n;  // positions
  bool all;
  bool many;         // poses, from a file
  double arm_angle;  // rad, of --arm-angle
  bool words;        // the answer is written for people, joint by joint
  double weights[6];
  char frame[FRAME_TEXT];  // the frame that is to reach the pose
  double* q;               // (n) the guess, then the answer
  double* values;          // (n + 4) a row
  const char* line;        // of the pose, where its columns are kept
  long missed;             // poses that were not reached
  lwOut* out;
  lwRows* rows;
} IkSearch;

// --- what is asked

static void take_weights(IkSearch* search)
{
  const Options* options = search->options;
  const char* list       = options->value[OPTION_WEIGHTS];
  bool position          = options->value[OPTION_POSITION] != NULL;
  lwTarget target        = position                           ? lw_target_position()
                           : options->value[OPTION_DIRECTION] ? lw_target_direction()
                                                              : lw_target_pose();
  bool some              = false;
  memcpy(search->weights, target.weights, sizeof search->weights);
  if (!list) return;
  if (position || options->value[OPTION_DIRECTION])
    stop(USAGE, "--weights and %s exclude each other", position ? "--position" : "--direction");
  list_parse(OPTION_WEIGHTS, list, 6, "of x,y,z and of turns about x,y,z", search->weights);
  for (int k = 0; k < 6; ++k)
  {
    some = some || search->weights[k] > 0;
    if (search->weights[k] < 0)
      stop(USAGE, "--weights: value %d is %g, expected 0 or more", k + 1, search->weights[k]);
  }
  if (!some) stop(USAGE, "--weights: all are 0, so nothing is asked");
}

static void take_ik_options(IkSearch* search)
{
  static const Option one_full_pose[] = {OPTION_POSITION, OPTION_IN, OPTION_DIRECTION,
                                         OPTION_WEIGHTS, OPTION_RESTARTS};
  const Options* options              = search->options;
  const char* const* given            = options->value;
  search->many                        = given[OPTION_IN] != NULL;
  search->all                         = given[OPTION_ALL] != NULL;
  if ((given[OPTION_POSE] != NULL) + (given[OPTION_POSITION] != NULL) + search->many != 1)
    stop(USAGE, "ik: --pose, --position or --in is needed, one of them");
  if (given[OPTION_KEEP] && !search->many) stop(USAGE, "--keep is for --in");
  for (int i = 0; i < 5 && search->all; ++i)
    if (given[one_full_pose[i]])
      stop(USAGE, "--all and %s exclude each other: it is about one full pose",
           OPTIONS[one_full_pose[i]].name);
  if (given[OPTION_ARM_ANGLE] && !search->all) stop(USAGE, "--arm-angle is for --all");
  search->format = format_of(options);
  take_weights(search);
  if (given[OPTION_ARM_ANGLE])
    list_parse(OPTION_ARM_ANGLE, given[OPTION_ARM_ANGLE], 1, "an angle", &search->arm_angle);
  lwIkDef* def       = &search->def;
  def->restarts      = (int)integer_of(options, OPTION_RESTARTS, 0, MOST_RESTARTS, def->restarts);
  def->seed          = (unsigned long long)integer_of(options, OPTION_SEED, 0, LONG_MAX, 1);
  def->ignore_limits = given[OPTION_IGNORE_LIMITS] != NULL;
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
static void check_closed_form(const IkSearch* search)
{
  lwDiag* diag = hold_messages();
  double angle = 0;
  if (lw_ik_check_all(search->ik, diag) != LW_OK)
    stop(USAGE,
         "--all: a closed form is implemented for six joints with a spherical wrist or three "
         "parallel axes (UR), and for seven with spherical shoulder and wrist (S-R-S); %s is none "
         "of these: %s; use ik without --all",
         lw_model_name(search->model), first_error(diag, LW_ERROR_INPUT));
  if (search->options->value[OPTION_ARM_ANGLE] &&
      lw_ik_arm_angle(search->ik, search->q, diag, &angle) != LW_OK)
    stop(USAGE, "--arm-angle: %s", first_error(diag, LW_ERROR_INPUT));
}

static void take_guess(IkSearch* search)
{
  const char* guess = search->options->value[OPTION_Q];
  lw_model_neutral(search->model, search->q);
  for (int i = 0; i < search->n; ++i)
    if (lw_model_position(search->model, i).other >= 0)
      search->q[i] = middle_of_limits(&joint_of_column(search, i)->limits);
  bool loops = lw_model_loop_count(search->model) > 0;
  if (loops) lw_model_start(search->model, search->q);
  if (guess) (loops ? driven_values : joint_values)(search->model, OPTION_Q, guess, search->q);
}

static void ik_load(IkSearch* search)
{
  search->model  = robot_of(search->options);
  search->n      = lw_model_nq(search->model);
  search->q      = allocate((size_t)search->n, sizeof *search->q);
  search->values = allocate((size_t)search->n + 4, sizeof *search->values);
  take_guess(search);
  lwFrame frame = frame_of(search->options, search->model);
  frame_text(search->model, &frame, search->frame);
  lwWorkspace* ws = tree_of(search->model);
  need_ok(lw_workspace_set_frame(ws, search->model, &frame, NULL));
  need_ok(lw_ik_create(search->model, ws, &search->def, NULL, &search->ik));
  hold_ik(search->ik);
  if (search->all) check_closed_form(search);
}

static lwTarget target_of(const IkSearch* search)
{
  const char* position = search->options->value[OPTION_POSITION];
  lwTarget target      = lw_target_pose();
  memcpy(target.weights, search->weights, sizeof target.weights);
  if (position)
    list_parse(OPTION_POSITION, position, 3, "x,y,z", target.position);
  else if (!pose_read(search->options, target.position, target.rotation))
    stop(USAGE, "--pose: 3 values given, expected 6; --position leaves the orientation free");
  return target;
}

// --- rows

static void ik_column_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  static const char* const found[] = {"position_error", "angle_error", "iterations", "reached"};
  static const char* const all[]   = {"inside", "free_joint", "position_error", "angle_error"};
  const IkSearch* search           = context;
  size_t n                         = (size_t)search->n;
  if (k < n)
    joint_column(search->model, "q", (int)k, search->options->value[OPTION_NAMES], name);
  else
    snprintf(name, LW_ROW_NAME, "%s", (search->all ? all : found)[k - n]);
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
  lw_rows_add_kept(search->rows, search->line, search->values);
}

static void joint_row(const void* context, int i, lwCell* cells)
{
  const IkSearch* search  = context;
  const lwJointDef* joint = joint_of_column(search, i);
  lwCoordinate entry      = lw_model_position(search->model, i);
  bool angle              = !entry.slides && !entry.quaternion;
  cells[0]                = lw_cell_text(entry.name);
  cells[1]                = lw_cell_number(search->q[i]);
  cells[2]                = angle ? lw_cell_number(search->q[i] * 180 / LW_PI) : lw_cell_text(NULL);
  cells[3]                = lw_cell_limit(joint->limits.lower);
  cells[4]                = lw_cell_limit(joint->limits.upper);
}

// One answer for people: joint by joint.
static void out_answer(IkSearch* search, const lwIkResult* result)
{
  static const char columns[] = "joint,q,angle,lower,upper";
  const char* place           = joints_unit(search->model, OPTION_Q);
  const char* units[]         = {"", place, "deg", place, place};
  lwOut* out                  = search->out;
  lwSheet sheet               = {
                    .columns = columns, .unit = units, .rows = search->n, .row = joint_row, .context = search};
  lw_out_format(out, "%s: %s\n", lw_model_name(search->model), search->frame);
  lw_sheet_write(out, LW_FORMAT_TABLE, &sheet);
  lw_out_format(out, "%s: position off by %.3g m, angle by %.3g rad; %d iterations, %d restarts\n",
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

// The columns of a file of poses.
enum
{
  IN_PLACE,
  IN_ROTATION,
  IN_RPY,
  IN_TIME,
  IN_GROUPS
};

static const char* const TURNS[] = {"roll", "pitch", "yaw"};

static void find_block(IkSearch* search, const lwCsvFile* csv)
{
  const lwCsvBlock* block = &csv->block;
  const double *R = block->values[IN_ROTATION], *rpy = block->values[IN_RPY];
  for (int row = 0; row < block->count && !lw_out_stopped(search->out); ++row)
  {
    lwTarget target = R || rpy ? lw_target_pose() : lw_target_position();
    long line       = block->first + row + 1;
    if (R || rpy) memcpy(target.weights, search->weights, sizeof target.weights);
    memcpy(target.position, block->values[IN_PLACE] + 3 * row, sizeof target.position);
    if (R)
      memcpy(target.rotation, R + 9 * row, sizeof target.rotation);
    else if (rpy)
    {
      ranges_angles(csv->lines.name, line, rpy + 3 * row, 3, TURNS, 0);
      lw_rotation_rpy(rpy + 3 * row, target.rotation);
    }
    if (!is_rotation(target.rotation))
    {
      say("%s:%ld:1: error: r11..r33 are no rotation, expected rows of length 1 at right angles\n",
          csv->lines.name, line);
      leave(INPUT);
    }
    search->line = block->keep ? block->text[row] : NULL;
    find_one(search, &target);
  }
}

static lwCsvFile* open_poses(const Options* options)
{
  static const char* const places[]     = {"x", "y", "z"};
  static const char* const turns[]      = {"r11", "r12", "r13", "r21", "r22",
                                           "r23", "r31", "r32", "r33"};
  const lwColumnGroup groups[IN_GROUPS] = {
      [IN_PLACE]    = {.symbol = "x, y, z", .width = 3, .own = places},
      [IN_ROTATION] = {.symbol = "all of r11..r33 or none",
                       .width  = 9,
                       .own    = turns,
                       .need   = LW_COLUMNS_ALL_OR_NONE},
      [IN_RPY]      = {.symbol = "roll, pitch and yaw or none",
                       .width  = 3,
                       .own    = TURNS,
                       .need   = LW_COLUMNS_ALL_OR_NONE},
      [IN_TIME]     = lw_csv_time};
  return csv_of(options->value[OPTION_IN], groups, IN_GROUPS, BLOCK);
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
      lw_out_format(
          search->out,
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
  if (!search->options->value[OPTION_ARM_ANGLE])
    lw_ik_arm_angle(search->ik, search->q, NULL, &angle);
  lw_out_format(search->out, "at the arm angle %.6g rad; --arm-angle gives others\n", angle);
}

static void find_all(IkSearch* search, const lwTarget* target)
{
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  int count = 0;
  if (search->options->value[OPTION_ARM_ANGLE])
    lw_ik_all_at(search->ik, target, search->arm_angle, search->q, NULL, solutions, &count);
  else
    lw_ik_all(search->ik, target, search->q, NULL, solutions, &count);
  for (int k = 0; k < count; ++k)
  {
    const lwIkSolution* s = &solutions[k];
    const double last[4]  = {s->inside, s->free_joint + 1, s->position_error, s->angle_error};
    ik_row_add(search, s->q, last);
  }
  if (search->format == LW_FORMAT_TABLE)
  {
    out_families(search, solutions, count);
    out_arm_angle(search);
  }
  if (count == 0) stop(NO, "ik: no solution: the pose is out of the arm's reach");
}

int cmd_ik(const Options* options)
{
  IkSearch* search = allocate(1, sizeof *search);
  search->options  = options;
  search->def      = lw_ik_def();
  take_ik_options(search);
  ik_load(search);
  search->words   = search->format == LW_FORMAT_TABLE && !search->all && !search->many;
  lwCsvFile* csv  = NULL;
  lwTarget target = search->many ? lw_target_pose() : target_of(search);
  search->out     = output_of(options);
  lwRows rows     = {.out     = search->out,
                     .format  = search->format,
                     .columns = (size_t)search->n + 4,
                     .name    = ik_column_name,
                     .unit    = column_unit,
                     .context = search};
  if (search->many) csv = open_poses(options);
  if (csv) rows_keep(&rows, csv, options->value[OPTION_KEEP]);
  if (!search->words) search->rows = rows_begin(rows);
  for (bool more = csv != NULL; more; more = csv->block.count > 0)
  {
    lwStatus read = lw_csv_next_block(csv);
    find_block(search, csv);  // the poses before a wrong line are answered
    if (read != LW_OK) leave(lines_report(&csv->lines));
  }
  if (search->all) find_all(search, &target);
  if (!search->all && !search->many) find_one(search, &target);
  int status = DONE;  // a pose that is not reached is an answer, and is kept
  if (search->missed > 0 && search->many)
    status = fail(NO, "ik: %ld of %ld poses are not reached", search->missed, search->rows->count);
  else if (search->missed > 0)
    status = fail(NO, "ik: not reached; the output is the nearest pose found");
  if (search->rows) rows_end(search->rows);
  return output_end(search->out, status);
}
