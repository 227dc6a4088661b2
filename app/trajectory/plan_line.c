// SPDX-License-Identifier: MIT
// The straight line of a plan, from the options.
#include <string.h>

#include "plan_command.h"

bool pose_read(const Options* options, double position[3], double rotation[9])
{
  lwFrame place = {0};
  int given     = frame_read(OPTION_POSE, options->value[OPTION_POSE], &place);
  memcpy(position, place.xyz, sizeof place.xyz);
  if (given == 6) lw_rotation_rpy(place.rpy, rotation);
  return given == 6;
}

// Joint positions of an option; loops are closed by the joints that are not driven.
static double* closed_values(const Options* options, Option option, const lwModel* model)
{
  double gap[2];
  lwLoops* loops = NULL;
  double* q      = allocate((size_t)lw_model_nq(model), sizeof *q);
  take_joints(options->value[option], option, model, q);
  if (lw_model_loop_count(model) == 0) return q;
  if (lw_loops_create(model, NULL, NULL, &loops) != LW_OK) leave(no_memory());
  if (lw_loops_close(hold_loops(loops), q, gap) != LW_OK)
    stop(NO, "%s: the loops cannot be closed there: a gap of %.3g m and %.3g rad",
         OPTIONS[option].name, gap[0], gap[1]);
  return q;
}

static void take_goal(lwLineDef* line, const Options* options, const lwModel* model,
                      lwWorkspace* ws)
{
  bool pose = options->value[OPTION_POSE], position = options->value[OPTION_POSITION];
  if (pose + position + (options->value[OPTION_TO] != NULL) != 1)
    stop(USAGE, "plan: a line needs --to, --pose or --position, one of them");
  if (position)
  {
    line->orientation = LW_ORIENTATION_FREE;
    list_parse(OPTION_POSITION, options->value[OPTION_POSITION], 3, "x,y,z", line->position);
  }
  else if (pose)
  {
    if (pose_read(options, line->position, line->rotation))
      line->orientation = LW_ORIENTATION_TURNED;
  }
  else
  {
    line->orientation = LW_ORIENTATION_TURNED;
    lw_pose(model, ws, closed_values(options, OPTION_TO, model), line->position, line->rotation);
  }
}

lwLineDef line_of(const Options* options, const lwModel* model, lwWorkspace* ws)
{
  lwLineDef line = lw_line_def();
  if (!options->value[OPTION_FROM]) stop(USAGE, "plan: a line needs --from");
  if ((options->value[OPTION_VELOCITY] != NULL) == (options->value[OPTION_DURATION] != NULL))
    stop(USAGE, "plan: a line needs --velocity or --duration, one of the two");
  take_goal(&line, options, model, ws);
  line.speed        = positive_of(options, OPTION_VELOCITY, "m/s", line.speed);
  line.duration     = positive_of(options, OPTION_DURATION, "s", line.duration);
  line.acceleration = positive_of(options, OPTION_ACCELERATION, "m/s^2", line.acceleration);
  line.jerk         = positive_of(options, OPTION_JERK, "m/s^3", line.jerk);
  line.q            = closed_values(options, OPTION_FROM, model);
  return line;
}
