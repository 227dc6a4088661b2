// SPDX-License-Identifier: MIT
// The waypoints of a plan: points, times and limits from the options or from a file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/list.h"
#include "plan_command.h"
#include "states/states.h"

enum
{
  BLOCK       = 256,    // points read at a time
  MOST_POINTS = 100000  // of a trajectory
};

// Reads one value per joint, or per driven joint if the robot has loops.
int take_joints(const char* list, Option option, const lwModel* model, double* values)
{
  if (lw_model_loop_count(model) == 0) return joint_values(model, option, list, values);
  bool positions = option == OPTION_FROM || option == OPTION_TO || option == OPTION_VIA;
  if (positions) lw_model_start(model, values);
  return driven_values(model, option, list, values);
}

int limits_read(const Options* options, Option option, const lwModel* model, double* room,
                const double** values)
{
  const char* list = options->value[option];
  int n            = lw_model_dof(model);
  if (!list) return DONE;
  int given = list_count(list) == 1 ? 1 : n;
  if (list_count(list) != given)
    return fail(USAGE, "%s: %d values given, expected 1 for all joints or %d, one for each",
                OPTIONS[option].name, list_count(list), n);
  bool alike = true;
  for (int i = 1; i < n; ++i) alike = alike && joint_slides(model, i) == joint_slides(model, 0);
  for (int i = 0; i < given; ++i)
  {
    const char* unit = given == n || alike ? joint_unit(model, option, i) : NULL;
    if (list_take(option, &list, i, unit, &room[i]) != DONE) return USAGE;
  }
  for (int i = given; i < n; ++i) room[i] = room[0];
  for (int i = 0; i < n; ++i)
    if (!(room[i] > 0))
      return fail(USAGE, "%s: value %d is %g, expected more than 0", OPTIONS[option].name, i + 1,
                  room[i]);
  *values = room;
  return DONE;
}

static int take_end(const Options* options, Option option, const lwModel* model, double* room,
                    const double** values)
{
  if (!options->value[option]) return DONE;
  *values = room;
  return take_joints(options->value[option], option, model, room);
}

// --- points

static int points_from_options(WaypointOptions* waypoints, const Options* options,
                               const lwModel* model)
{
  int n = lw_model_nq(model), status;
  if (!options->value[OPTION_FROM] || !options->value[OPTION_TO])
    return fail(USAGE, "plan: --from and --to are needed, or --in FILE");
  double* q = calloc((size_t)n * (size_t)(options->via_count + 2) + 1, sizeof *q);
  if (!q) return no_memory();
  waypoints->values    = q;
  waypoints->def.q     = q;
  waypoints->def.count = options->via_count + 2;
  status               = take_joints(options->value[OPTION_FROM], OPTION_FROM, model, q);
  for (int k = 0; k < options->via_count && status == DONE; ++k)
    status = take_joints(options->via[k], OPTION_VIA, model, q += n);
  return status == DONE ? take_joints(options->value[OPTION_TO], OPTION_TO, model, q + n) : status;
}

// The points of a file as they come: q (count, n), then t (count).
typedef struct Points
{
  int count, room;
  double *q, *t;
} Points;

static bool points_add(Points* points, const CsvBlock* block, int n)
{
  int needed = points->count + block->count;
  if (block->count == 0) return true;
  if (needed > points->room || !points->q || !points->t)
  {
    int room  = 2 * needed;
    double* q = realloc(points->q, ((size_t)room * (size_t)n + 1) * sizeof *q);
    double* t = q ? realloc(points->t, (size_t)room * sizeof *t) : NULL;
    if (q) points->q = q;
    if (t) points->t = t;
    if (!q || !t) return false;
    points->room = room;
  }
  memcpy(points->q + (size_t)points->count * (size_t)n, block->values[1],
         (size_t)block->count * (size_t)n * sizeof(double));
  if (block->values[0])
    memcpy(points->t + points->count, block->values[0], (size_t)block->count * sizeof(double));
  points->count = needed;
  return true;
}

static int points_read(CsvFile* csv, Points* points, int n)
{
  int status;
  do
  {
    status = csv_read(csv);
    if (status != DONE) lines_report(&csv->lines);
    if (status == DONE && !points_add(points, &csv->block, n)) status = no_memory();
    if (status == DONE && points->count > MOST_POINTS)
      status = fail(INPUT, "%s: more than %d points", csv->lines.name, MOST_POINTS);
  } while (status == DONE && csv->block.count > 0);
  return status;
}

// Times and points become one array, so that the waypoints own a single allocation.
static int points_keep(WaypointOptions* waypoints, const Points* points, bool timed, int n)
{
  size_t size = (size_t)points->count * (size_t)n;
  double* all = calloc(size + (size_t)points->count + 1, sizeof *all);
  if (!all) return no_memory();
  if (points->count > 0) memcpy(all, points->q, size * sizeof *all);
  if (points->count > 0) memcpy(all + size, points->t, (size_t)points->count * sizeof *all);
  waypoints->values    = all;
  waypoints->def.q     = all;
  waypoints->def.t     = timed ? all + size : NULL;
  waypoints->def.count = points->count;
  return DONE;
}

static int read_file(WaypointOptions* waypoints, const Options* options, const lwModel* model)
{
  int n               = lw_model_nq(model);
  Points points       = {0};
  CsvFile csv         = {.header = {.groups = 2, .increasing = -1}};
  csv.header.group[0] = CSV_TIME;
  csv.header.group[1] = (lwColumnGroup){
      .symbol = "q", .width = n, .names = joint_names(model, GROUP_Q, &csv.header.arena)};
  int status =
      csv.header.group[1].names ? csv_open(&csv, options->value[OPTION_IN], BLOCK) : no_memory();
  if (status == DONE) status = points_read(&csv, &points, n);
  if (status == DONE) status = points_keep(waypoints, &points, csv.block.values[0] != NULL, n);
  if (status == DONE && waypoints->def.t && options->value[OPTION_DURATION])
    status = fail(USAGE, "--duration: the times are in %s", options->value[OPTION_IN]);
  csv_close(&csv);
  free(points.q);
  free(points.t);
  return status;
}

static int points_from_file(WaypointOptions* waypoints, const Options* options,
                            const lwModel* model)
{
  static const Option others[] = {OPTION_FROM, OPTION_TO, OPTION_VIA};
  for (int i = 0; i < 3; ++i)
    if (options->value[others[i]])
      return fail(USAGE, "--in and %s exclude each other", OPTIONS[others[i]].name);
  return read_file(waypoints, options, model);
}

// --- everything else

static int take_join(const Options* options, lwJoin* join)
{
  static const char* const names[] = {
      [LW_JOIN_CLAMPED] = "clamped", [LW_JOIN_NATURAL] = "natural", [LW_JOIN_AVERAGE] = "average"};
  const char* name = options->value[OPTION_JOIN];
  if (!name) return DONE;
  for (int i = 0; i < 3; ++i)
  {
    *join = (lwJoin)i;
    if (!strcmp(name, names[i])) return DONE;
  }
  return fail(USAGE, "--join: '%s' is unknown, expected clamped, natural or average", name);
}

static int take_rates(WaypointOptions* waypoints, const Options* options, const lwModel* model,
                      double* room)
{
  int n               = lw_model_dof(model);
  lwWaypointsDef* def = &waypoints->def;
  const struct
  {
    Option option;
    const double** to;
    int (*take)(const Options*, Option, const lwModel*, double*, const double**);
  } rates[]  = {{OPTION_VELOCITY, &def->velocity, limits_read},
                {OPTION_ACCELERATION, &def->acceleration, limits_read},
                {OPTION_JERK, &def->jerk, limits_read},
                {OPTION_FROM_QD, &def->start_velocity, take_end},
                {OPTION_TO_QD, &def->end_velocity, take_end},
                {OPTION_FROM_QDD, &def->start_acceleration, take_end},
                {OPTION_TO_QDD, &def->end_acceleration, take_end}};
  int status = DONE;
  for (int i = 0; i < (int)(sizeof rates / sizeof rates[0]) && status == DONE; ++i)
    status =
        rates[i].take(options, rates[i].option, model, room + (size_t)i * (size_t)n, rates[i].to);
  return status;
}

int way_read(WaypointOptions* waypoints, const Options* options, const lwModel* model)
{
  *waypoints = (WaypointOptions){.def = lw_waypoints_def()};
  int status = take_join(options, &waypoints->def.join);
  if (status == DONE)
    status = list_positive(options, OPTION_DURATION, "s", &waypoints->def.duration);
  if (status != DONE) return status;
  status = options->value[OPTION_IN] ? points_from_file(waypoints, options, model)
                                     : points_from_options(waypoints, options, model);
  if (status != DONE) return status;
  waypoints->rates = calloc(7 * (size_t)lw_model_dof(model) + 1, sizeof *waypoints->rates);
  return waypoints->rates ? take_rates(waypoints, options, model, waypoints->rates) : no_memory();
}

void way_free(WaypointOptions* waypoints)
{
  free(waypoints->values);
  free(waypoints->rates);
}
