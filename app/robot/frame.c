// SPDX-License-Identifier: MIT
// The frame that --link and --tool name.
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "command/list.h"
#include "command/ranges.h"
#include "io/program_text.h"

static const size_t SHORT_LIST = 300;  // bytes of names that are worth listing

static void offer_link(Nearest* nearest, char* list, size_t size, const char* name)
{
  nearest_offer(nearest, name);
  if (strlen(list) < SHORT_LIST) lw_text_append(list, size, list[0] ? ", " : "", name);
}

static _Noreturn void unknown_link(const lwModel* model, Option option, const char* name)
{
  const lwRobotDef* robot = lw_model_robot(model);
  Nearest nearest         = nearest_to(name, strlen(name));
  char list[1024]         = "";
  offer_link(&nearest, list, sizeof list, base_name(model));
  for (int i = 0; i < robot->count; ++i)
  {
    offer_link(&nearest, list, sizeof list, link_name(&robot->joints[i]));
    nearest_offer(&nearest, robot->joints[i].name);
  }
  bool whole = strlen(list) < SHORT_LIST;
  if (nearest_found(&nearest))
    stop(USAGE, "%s: %s has no link '%s', did you mean '%s'?%s%s", OPTIONS[option].name,
         lw_model_name(model), name, nearest.best, whole ? " There are: " : "", whole ? list : "");
  stop(USAGE, "%s: %s has no link '%s', expected one of %s%s", OPTIONS[option].name,
       lw_model_name(model), name, list, whole ? "" : ", ..");
}

int frame_link(const lwModel* model, Option option, const char* name)
{
  int joint;
  if (lw_model_find_link(model, name, &joint) != LW_OK) unknown_link(model, option, name);
  return joint;
}

int frame_read(Option option, const char* text, lwFrame* frame)
{
  int given = list_count(text);
  if (given != 3 && given != 6)
    stop(USAGE, "%s: %d value%s given, expected 3, x,y,z, or 6, x,y,z,r,p,y", OPTIONS[option].name,
         given, given == 1 ? "" : "s");
  for (int k = 0; k < 3; ++k) frame->xyz[k] = list_take(option, &text, k, "m");
  if (given == 3) return given;
  for (int k = 0; k < 3; ++k) frame->rpy[k] = list_take(option, &text, 3 + k, "rad");
  ranges_angles(OPTIONS[option].name, 0, frame->rpy, 3, NULL, 4);
  return given;
}

lwFrame frame_of(const Options* options, const lwModel* model)
{
  const char* link = options->value[OPTION_LINK];
  const char* tool = options->value[OPTION_TOOL];
  lwFrame frame    = {.joint = lw_model_joint_count(model) - 1};
  if (link) frame.joint = frame_link(model, OPTION_LINK, link);
  if (tool) frame_read(OPTION_TOOL, tool, &frame);
  return frame;
}

void frame_text(const lwModel* model, const lwFrame* frame, char text[FRAME_TEXT])
{
  const lwRobotDef* robot = lw_model_robot(model);
  bool offset             = false;
  for (int k = 0; k < 3; ++k) offset = offset || frame->xyz[k] != 0 || frame->rpy[k] != 0;
  const char* name =
      frame->joint == LW_BASE ? base_name(model) : link_name(&robot->joints[frame->joint]);
  snprintf(text, FRAME_TEXT, "%slink %.150s", offset ? "the tool on " : "", name);
}
