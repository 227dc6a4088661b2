// SPDX-License-Identifier: MIT
// `convert` and back: a robot that can be read is written as YAML in one of three forms, or as
// URDF. The text can be read again, and writing it again gives the same text.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/express.h"
#include "reading.h"
#include "report/robot/robot_text.h"
#include "text/out.h"

enum
{
  MOST_JOINTS = 12  // more joints only take longer
};

// Lengths whose squares and inverses are finite. Robots with other lengths need not be readable
// after writing.
static bool is_moderate(double x)
{
  return x == 0 || (fabs(x) > 1e-100 && fabs(x) < 1e100);
}

static bool all_moderate(const double* x, int count)
{
  for (int i = 0; i < count; ++i)
    if (!is_moderate(x[i])) return false;
  return true;
}

static bool is_moderate_robot(const lwRobotDef* robot)
{
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    const double own[]      = {joint->a, joint->d, joint->alpha, joint->theta};
    if (!all_moderate(own, 4) || !all_moderate(joint->xyz, 3) || !all_moderate(joint->rpy, 3) ||
        !all_moderate(joint->axis, 3) || !all_moderate(joint->link.com, 3) ||
        !all_moderate(joint->link.inertia, 6) || !is_moderate(joint->link.mass))
      return false;
  }
  return robot->count <= MOST_JOINTS && all_moderate(robot->gravity, 3);
}

// Leaves out the source: in URDF it is a comment, which the reader skips.
static void write_robot(lwOut* text, const lwRobotDef* robot, bool urdf)
{
  lwRobotDef written = *robot;
  if (urdf) written.origin = NULL;
  *text = (lwOut){.in_memory = true};
  if (urdf)
    lw_robot_write_urdf(text, &written, &(lwRemarks){0});
  else
    lw_robot_write_yaml(text, &written, &(lwRemarks){0});
  require(lw_out_finish(text));
}

// Writes, reads and writes again: both texts must be equal.
static void there_and_back(const lwRobotDef* robot, bool urdf)
{
  static const lwModelOptions again = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwOut first, second;
  write_robot(&first, robot, urdf);
  lwModel* model = read_model(urdf ? "again.urdf" : "again.yaml", first.text, first.length, &again);
  require(model != NULL);
  write_robot(&second, lw_model_robot(model), urdf);
  require(first.length == second.length && !memcmp(first.text, second.text, first.length));
  lw_out_free(&first);
  lw_out_free(&second);
  lw_model_destroy(model);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  static const lwPlacement forms[] = {LW_PLACEMENT_ORIGIN_AXIS, LW_PLACEMENT_DH_MODIFIED,
                                      LW_PLACEMENT_DH_STANDARD};
  int way                          = way_of(data, size, 4);
  bool urdf                        = size > 0 && data[0] == '<';
  lwModel* model =
      read_model(urdf ? "fuzz.urdf" : "fuzz.yaml", (const char*)data, size, &(lwModelOptions){0});
  if (!model) return 0;
  lwExpressed* expressed = NULL;
  if (is_moderate_robot(lw_model_robot(model)))
    lw_robot_express(lw_model_robot(model), forms[way % 3], NULL, &expressed);
  if (expressed) there_and_back(lw_expressed_robot(expressed), way == 3);
  lw_expressed_destroy(expressed);
  lw_model_destroy(model);
  return 0;
}
