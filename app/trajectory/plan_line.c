// SPDX-License-Identifier: MIT
// The straight line of a plan, from the options.
#include <math.h>
#include <string.h>

#include "command/list.h"
#include "linkwork/loop.h"
#include "plan_command.h"
#include "states/states.h"

int pose_read(const Options* options, double position[3], double rotation[9], bool* orientation)
{
  int given;
  lwFrame place = {0};
  int status    = frame_read(OPTION_POSE, options->value[OPTION_POSE], &place, &given);
  if (status != DONE) return status;
  *orientation = given == 6;
  memcpy(position, place.xyz, sizeof place.xyz);
  if (*orientation) lw_rotation_rpy(place.rpy, rotation);
  return DONE;
}

// Joint positions; loops are closed by the joints that are not driven.
static int closed_values(const lwModel* model, Option option, const char* list, double* q)
{
  double gap[2];
  lwLoops* loops = NULL;
  int status     = take_joints(list, option, model, q);
  if (status != DONE || lw_model_loop_count(model) == 0) return status;
  if (lw_loops_create(model, NULL, NULL, &loops) != LW_OK) return no_memory();
  if (lw_loops_close(loops, q, gap) != LW_OK)
    status = fail(NO, "%s: the loops cannot be closed there: a gap of %.3g m and %.3g rad",
                  OPTIONS[option].name, gap[0], gap[1]);
  lw_loops_destroy(loops);
  return status;
}

static int take_goal(lwLineDef* line, const Options* options, const lwModel* model, lwWorkspace* ws,
                     double* q)
{
  bool orientation = true, pose = options->value[OPTION_POSE] != NULL;
  bool position = options->value[OPTION_POSITION] != NULL;
  if (pose + position + (options->value[OPTION_TO] != NULL) != 1)
    return fail(USAGE, "plan: a line needs --to, --pose or --position, one of them");
  if (position)
  {
    line->orientation = LW_ORIENTATION_FREE;
    return list_parse(OPTION_POSITION, options->value[OPTION_POSITION], 3, "x,y,z", line->position);
  }
  if (pose)
  {
    int status = pose_read(options, line->position, line->rotation, &orientation);
    if (orientation) line->orientation = LW_ORIENTATION_TURNED;
    return status;
  }
  int status = closed_values(model, OPTION_TO, options->value[OPTION_TO], q);
  if (status != DONE) return status;
  line->orientation = LW_ORIENTATION_TURNED;
  lw_pose(model, ws, q, line->position, line->rotation);
  return DONE;
}

int line_read(lwLineDef* line, double* q, const Options* options, const lwModel* model,
              lwWorkspace* ws)
{
  *line = lw_line_def();
  if (!options->value[OPTION_FROM]) return fail(USAGE, "plan: a line needs --from");
  if ((options->value[OPTION_VELOCITY] != NULL) == (options->value[OPTION_DURATION] != NULL))
    return fail(USAGE, "plan: a line needs --velocity or --duration, one of the two");
  int status = take_goal(line, options, model, ws, q);
  if (status == DONE) status = list_positive(options, OPTION_VELOCITY, "m/s", &line->speed);
  if (status == DONE) status = list_positive(options, OPTION_DURATION, "s", &line->duration);
  if (status == DONE)
    status = list_positive(options, OPTION_ACCELERATION, "m/s^2", &line->acceleration);
  if (status == DONE) status = list_positive(options, OPTION_JERK, "m/s^3", &line->jerk);
  if (status == DONE) status = closed_values(model, OPTION_FROM, options->value[OPTION_FROM], q);
  line->q = q;
  return status;
}
