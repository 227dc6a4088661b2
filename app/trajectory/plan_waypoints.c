// SPDX-License-Identifier: MIT
// The waypoints of a plan: points, times and limits from the options or from a file.

#include "plan_command.h"

#include <math.h>
#include <string.h>

#include "command/ranges.h"
#include "io/note.h"
#include "states/states.h"

enum
{
  BLOCK       = 256,     // points read at a time
  MOST_POINTS = 100000,  // of a trajectory
  REACHED     = 2        // the column of ik, behind t and q
};

// Warns of values of joints that are not driven and do not close the loops: others replace them.
static void warn_of_followers(Option option, const lwModel* model, const double* given)
{
  size_t nq      = (size_t)lw_model_nq(model);
  lwLoops* loops = NULL;
  double *closed = allocate(2 * nq + 1, sizeof *closed), *start = closed + nq, gap[2];
  lw_model_start(model, start);
  memcpy(closed, given, nq * sizeof *closed);
  if (lw_loops_create(model, NULL, NULL, &loops) != LW_OK) leave(no_memory());
  if (lw_loops_close(hold_loops(loops), closed, gap) != LW_OK) return;  // reported along the plan
  for (int v = 0; v < lw_model_dof(model); ++v)
  {
    int i = lw_model_velocity(model, v).other;
    if (i < 0 || entry_is_driven(model, GROUP_Q, i) || given[i] == start[i]) continue;
    if (fabs(closed[i] - given[i]) <= 1e-6) continue;
    warn("%s: joint '%s' is not driven and closes the loops at %.6g %s, not at %.6g",
         OPTIONS[option].name, lw_model_joint_name(model, v), closed[i],
         joint_slides(model, v) ? "m" : "rad", given[i]);
    return;
  }
}

void take_joints(const char* list, Option option, const lwModel* model, double* values)
{
  if (lw_model_loop_count(model) == 0) return joint_values(model, option, list, values);
  bool positions = option == OPTION_FROM || option == OPTION_TO || option == OPTION_VIA;
  if (positions) lw_model_start(model, values);
  driven_values(model, option, list, values);
  if (positions) warn_of_followers(option, model, values);
}

const double* limits_of(const Options* options, Option option, const lwModel* model)
{
  const char* list = options->value[option];
  int n            = lw_model_dof(model);
  if (!list) return NULL;
  int given = list_count(list) == 1 ? 1 : n;
  if (list_count(list) != given)
    stop(USAGE, "%s: %d values given, expected 1 for all joints or %d, one for each",
         OPTIONS[option].name, list_count(list), n);
  double* values = allocate((size_t)n, sizeof *values);
  bool alike     = true;
  for (int i = 1; i < n; ++i) alike = alike && joint_slides(model, i) == joint_slides(model, 0);
  for (int i = 0; i < given; ++i)
    values[i] =
        list_take(option, &list, i, given == n || alike ? joint_unit(model, option, i) : NULL);
  for (int i = given; i < n; ++i) values[i] = values[0];
  for (int i = 0; i < n; ++i)
    if (!(values[i] > 0))
      stop(USAGE, "%s: value %d is %g, expected more than 0", OPTIONS[option].name, i + 1,
           values[i]);
  return values;
}

// Velocities or accelerations at an end; NULL: not given.
static const double* rates_of(const Options* options, Option option, const lwModel* model)
{
  if (!options->value[option]) return NULL;
  double* values = allocate((size_t)lw_model_dof(model), sizeof *values);
  take_joints(options->value[option], option, model, values);
  return values;
}

// --- points

static void points_from_options(lwWaypointsDef* def, const Options* options, const lwModel* model)
{
  int n = lw_model_nq(model);
  if (!options->value[OPTION_FROM] || !options->value[OPTION_TO])
    stop(USAGE, "plan: --from and --to are needed, or --in FILE");
  def->count = options->via_count + 2;
  double* q  = allocate((size_t)n * (size_t)def->count, sizeof *q);
  def->q     = q;
  take_joints(options->value[OPTION_FROM], OPTION_FROM, model, q);
  for (int k = 0; k < options->via_count; ++k)
    take_joints(options->via[k], OPTION_VIA, model, q += n);
  take_joints(options->value[OPTION_TO], OPTION_TO, model, q + n);
}

// Rows of ik that did not reach their pose are no waypoints.
static void check_reached(const lwCsvFile* csv)
{
  const double* reached = csv->block.values[REACHED];
  for (int row = 0; row < csv->block.count && reached; ++row)
    if (reached[row] == 0)
      stop(USAGE,
           "plan: %s:%ld: the pose of this row is not reached (reached = 0), expected waypoints "
           "that are",
           csv->lines.name, csv->block.first + row + 1);
}

// The points of a file as they come.
typedef struct Points
{
  size_t count, capacity, n;
  double *q, *t;  // (capacity, n), (capacity)
} Points;

static void points_add(Points* points, const lwCsvBlock* block)
{
  size_t rows = (size_t)block->count, n = points->n;
  if (points->count + rows > points->capacity || !points->q)
  {
    points->capacity = 2 * (points->count + rows);
    points->q        = reallocate(points->q, points->capacity * n, sizeof(double));
    points->t        = reallocate(points->t, points->capacity, sizeof(double));
  }
  memcpy(points->q + points->count * n, block->values[1], rows * n * sizeof(double));
  if (block->values[0]) memcpy(points->t + points->count, block->values[0], rows * sizeof(double));
  points->count += rows;
}

static void points_from_file(lwWaypointsDef* def, const Options* options, const lwModel* model)
{
  const char* other = first_given(options, "--from --to --via");
  if (other) stop(USAGE, "--in and %s exclude each other", other);
  Points points                = {.n = (size_t)lw_model_nq(model)};
  const lwColumnGroup groups[] = {
      lw_csv_time,
      {.symbol = "q", .width = (int)points.n, .names = joint_names(model, GROUP_Q)},
      [REACHED] = {
          .symbol = "reached", .width = 1, .single = true, .need = LW_COLUMNS_ALL_OR_NONE}};
  lwCsvFile* file         = csv_of(options->value[OPTION_IN], groups, REACHED + 1, BLOCK);
  const lwCsvBlock* block = &file->block;
  while (csv_more(file))
  {
    check_reached(file);
    ranges_positions(model, file->lines.name, block->first + 1, block->values[1], block->count,
                     block->values[0] != NULL);
    points_add(&points, block);
    if (points.count > MOST_POINTS)
      stop(USAGE, "%s: more than %d points", file->lines.name, MOST_POINTS);
  }
  def->q     = points.q;
  def->t     = block->values[0] ? points.t : NULL;
  def->count = (int)points.count;
  if (def->t && options->value[OPTION_DURATION])
    stop(USAGE, "--duration: the times are in %s", options->value[OPTION_IN]);
}

lwWaypointsDef waypoints_of(const Options* options, const lwModel* model)
{
  static const char* const joins[] = {[LW_JOIN_CLAMPED] = "clamped",
                                      [LW_JOIN_NATURAL] = "natural",
                                      [LW_JOIN_AVERAGE] = "average",
                                      NULL};
  lwWaypointsDef def               = lw_waypoints_def();
  def.join                         = (lwJoin)choice_of(options, OPTION_JOIN, joins, (int)def.join);
  def.duration                     = positive_of(options, OPTION_DURATION, "s", def.duration);
  if (options->value[OPTION_IN])
    points_from_file(&def, options, model);
  else
    points_from_options(&def, options, model);
  def.velocity           = limits_of(options, OPTION_VELOCITY, model);
  def.acceleration       = limits_of(options, OPTION_ACCELERATION, model);
  def.jerk               = limits_of(options, OPTION_JERK, model);
  def.start_velocity     = rates_of(options, OPTION_FROM_QD, model);
  def.end_velocity       = rates_of(options, OPTION_TO_QD, model);
  def.start_acceleration = rates_of(options, OPTION_FROM_QDD, model);
  def.end_acceleration   = rates_of(options, OPTION_TO_QDD, model);
  return def;
}
