// SPDX-License-Identifier: MIT
// A robot file as a text in memory.
#include <math.h>
#include <stdlib.h>

#include "base/diag.h"
#include "linkwork/express.h"
#include "linkwork/write.h"
#include "report/robot/robot_text.h"
#include "text/out.h"

struct lwText
{
  lwOut out;  // in memory
};

// YAML has one DH convention for the whole file.
static bool is_mixed(const lwRobotDef* robot)
{
  bool modified = false, standard = false;
  for (int i = 0; i < robot->count; ++i)
  {
    modified = modified || robot->joints[i].placement == LW_PLACEMENT_DH_MODIFIED;
    standard = standard || robot->joints[i].placement == LW_PLACEMENT_DH_STANDARD;
  }
  return modified && standard;
}

static lwStatus write_robot(const lwRobotDef* robot, lwRobotFormat format, lwOut* out)
{
  static const lwRemarks none = {NULL, NULL};
  *out                        = (lwOut){.in_memory = true};
  if (format == LW_ROBOT_FORMAT_URDF) lw_robot_write_urdf(out, robot, &none);
  if (format == LW_ROBOT_FORMAT_MJCF) lw_robot_write_mjcf(out, robot, &none);
  if (format == LW_ROBOT_FORMAT_YAML) lw_robot_write_yaml(out, robot, &none);
  return lw_out_finish(out) ? LW_OK : LW_ERROR_MEMORY;
}

lwStatus lw_robot_text(const lwRobotDef* robot, lwRobotFormat format, lwDiag* diag, lwText** text)
{
  lwExpressed* expressed = NULL;
  lwStatus status        = lw_def_check(robot->cookie, "lw_robot_def()", diag);
  for (int i = 0; i < robot->count && status == LW_OK; ++i)
    status = lw_def_check(robot->joints[i].cookie, "lw_joint_def()", diag);
  *text = NULL;
  if (status != LW_OK) return status;
  if (format != LW_ROBOT_FORMAT_YAML || is_mixed(robot))
  {
    status = lw_robot_express(robot, LW_PLACEMENT_ORIGIN_AXIS, diag, &expressed);
    if (status != LW_OK) return status;
    robot = lw_expressed_robot(expressed);
  }
  int joint;
  const char* why = format == LW_ROBOT_FORMAT_MJCF ? lw_mjcf_cannot(robot, &joint) : NULL;
  if (why) LW_REFUSE(diag, NULL, "joint '%.60s' %s", robot->joints[joint].name, why);
  lwText* made = why ? NULL : calloc(1, sizeof *made);
  status = why ? LW_ERROR_INPUT : made ? write_robot(robot, format, &made->out) : LW_ERROR_MEMORY;
  lw_expressed_destroy(expressed);
  if (status == LW_OK)
    *text = made;
  else
    lw_text_destroy(made);
  return status;
}

lwText* lw_text_of(char* bytes, size_t length)
{
  lwText* text = calloc(1, sizeof *text);
  if (text) text->out.text = bytes;
  if (text) text->out.length = length;
  return text;
}

const char* lw_text_bytes(const lwText* text)
{
  return text->out.text;
}

size_t lw_text_length(const lwText* text)
{
  return text->out.length;
}

void lw_text_destroy(lwText* text)
{
  if (!text) return;
  lw_out_free(&text->out);
  free(text);
}

const char* lw_digits(double x, char buffer[LW_NUMBER_SIZE])
{
  lw_number_write(x == 0 ? 0 : x, buffer);  // no -0
  return buffer;
}

void lw_write_numbers(lwOut* out, const double* numbers, int count, const char* join)
{
  char digits[LW_NUMBER_SIZE];
  for (int i = 0; i < count; ++i)
    lw_out_format(out, "%s%s", i > 0 ? join : "", lw_digits(numbers[i], digits));
}

bool lw_is_limited(const lwLimits* limits)
{
  return isfinite(limits->lower) || isfinite(limits->upper);
}

bool lw_link_has_mass(const lwLinkDef* link)
{
  bool has = link->mass != 0;
  for (int i = 0; i < 3; ++i) has = has || link->com[i] != 0;
  for (int i = 0; i < 6; ++i) has = has || link->inertia[i] != 0;
  return has;
}
