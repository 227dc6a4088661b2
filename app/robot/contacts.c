// SPDX-License-Identifier: MIT
// --contact: points of links that stand on the ground, as rows that hold their velocities; and what
// the ground does to them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app.h"
#include "math/elementary.h"

// "LINK" or "LINK@x,y,z".
static lwLoopDef read_contact(const lwModel* model, const char* text)
{
  char* name      = text_copy(text);
  lwFrame* second = &(lwFrame){.joint = LW_BASE};
  char* at        = strrchr(name, '@');
  if (lw_model_find_link(model, name, &second->joint) != LW_OK && at)
  {
    *at = 0;
    if (frame_read(OPTION_CONTACT, at + 1, second) != 3)
      stop(USAGE, "--contact: 6 values after '%s@', expected the point x,y,z", name);
  }
  second->joint = frame_link(model, OPTION_CONTACT, name);
  if (second->joint == LW_BASE)
    stop(USAGE, "--contact: '%s' is the base, which stands already; --base floating lets it move",
         name);
  return (lwLoopDef){
      .type = LW_LOOP_CONTACT, .name = name, .first = {.joint = LW_BASE}, .second = *second};
}

// The name of the link, with a number if it has a loop or contact already.
static const char* contact_name(const lwRobotDef* robot, const lwLoopDef* loops, const char* link)
{
  size_t size = strlen(link) + 12;
  char* name  = allocate(size, 1);
  bool taken  = true;
  strcpy(name, link);
  for (int number = 2; taken; ++number)
  {
    taken = false;
    for (int k = 0; k < robot->loop_count; ++k) taken = taken || !strcmp(loops[k].name, name);
    if (taken) snprintf(name, size, "%s_%d", link, number);
  }
  return name;
}

lwModel* contacts_model(const Options* options, const lwModel* model)
{
  if (!options->value[OPTION_CONTACT]) return NULL;
  lwRobotDef robot = *lw_model_robot(model);
  size_t count     = (size_t)robot.loop_count + (size_t)options->via_count;
  lwLoopDef* loops = allocate(count, sizeof *loops);
  if (robot.loop_count > 0) memcpy(loops, robot.loops, (size_t)robot.loop_count * sizeof *loops);
  for (int i = 0; i < options->via_count; ++i)
  {
    lwLoopDef* loop = &loops[robot.loop_count];
    *loop           = read_contact(model, options->via[i]);
    loop->name      = contact_name(&robot, loops, loop->name);
    ++robot.loop_count;
  }
  robot.loops = loops;
  return robot_rebuild(options, &robot);
}

double contact_friction(const Options* options)
{
  double mu = number_in(options, OPTION_FRICTION, 0, 100, "0 to 100", -1);
  if (mu >= 0 && !options->value[OPTION_CONTACT])
    stop(USAGE, "--friction is that of the points of --contact, and there are none");
  return mu;
}

bool contacts_judge(int contacts, double friction, const double* forces, double* out)
{
  bool all = true;
  memset(out, 0, 3 * sizeof *out);
  for (int k = 0; k < contacts; ++k, forces += 3)
  {
    for (int i = 0; i < 3; ++i) out[i] += forces[i];
    bool within = lw_hypot(forces[0], forces[1]) <= friction * forces[2];
    if (friction >= 0) out[3 + k] = within;
    all = all && (friction < 0 || within);
  }
  return all;
}
