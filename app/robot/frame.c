// SPDX-License-Identifier: MIT
// The frame that --link and --tool name.
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "io/lines.h"
#include "io/text.h"
#include "robot/names.h"

enum
{
  SHORT_LIST = 300,  // bytes of names that are worth listing
  TOOL_SIZE  = 64    // of one of its numbers
};

static void offer_link(Nearest* nearest, char* list, size_t size, const char* name)
{
  nearest_offer(nearest, name);
  if (strlen(list) < SHORT_LIST) text_append(list, size, list[0] ? ", " : "", name);
}

static int unknown_link(const lwModel* model, const char* name)
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
    return fail(USAGE, "--link: %s has no link '%s', did you mean '%s'?%s%s", lw_model_name(model),
                name, nearest.best, whole ? " There are: " : "", whole ? list : "");
  return fail(USAGE, "--link: %s has no link '%s', expected one of %s%s", lw_model_name(model),
              name, list, whole ? "" : ", ..");
}

int frame_read(Option option, const char* text, lwFrame* frame, int* given)
{
  double* numbers[] = {&frame->xyz[0], &frame->xyz[1], &frame->xyz[2],
                       &frame->rpy[0], &frame->rpy[1], &frame->rpy[2]};
  int count         = 0;
  for (const char* s = text; s; ++count)
  {
    char number[TOOL_SIZE];
    bool angle    = false;
    size_t length = strcspn(s, ",");
    snprintf(number, sizeof number, "%.*s", (int)(length < TOOL_SIZE ? length : TOOL_SIZE - 1), s);
    bool good = count < 6 && quantity_read(number, numbers[count], &angle);
    if (!good || (angle && count < 3))
      return fail(USAGE,
                  "%s: value %d, '%s', of '%s' is wrong, expected x,y,z in m or x,y,z,r,p,y "
                  "with angles in rad, or like 90 deg",
                  OPTIONS[option].name, count + 1, number, text);
    s = s[length] == ',' ? s + length + 1 : NULL;
  }
  *given = count;
  if (count == 3 || count == 6) return DONE;
  return fail(USAGE, "%s: %d value%s given, expected 3, x,y,z, or 6, x,y,z,r,p,y",
              OPTIONS[option].name, count, count == 1 ? "" : "s");
}

int frame_choose(const Options* options, const lwModel* model, lwFrame* frame)
{
  const char* link = options->value[OPTION_LINK];
  const char* tool = options->value[OPTION_TOOL];
  *frame           = (lwFrame){.joint = lw_model_joint_count(model) - 1};
  if (link && !lw_model_find_link(model, link, &frame->joint)) return unknown_link(model, link);
  int given;
  return tool ? frame_read(OPTION_TOOL, tool, frame, &given) : DONE;
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
