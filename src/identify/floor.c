// SPDX-License-Identifier: MIT
#include "identify/floor.h"

#include <math.h>

#include "linkwork/trajectory.h"

// Half the sides of the box around a shape whose origin is in its middle; false: not known.
static bool half_box(const lwShape* shape, double half[3])
{
  const double* size = shape->size;
  switch (shape->kind)
  {
    case LW_SHAPE_BOX:
      for (int k = 0; k < 3; ++k) half[k] = size[k] / 2;
      return true;
    case LW_SHAPE_CYLINDER:
      half[0] = half[1] = size[0];
      half[2]           = size[1] / 2;
      return true;
    case LW_SHAPE_SPHERE:
      half[0] = half[1] = half[2] = size[0];
      return true;
    case LW_SHAPE_MESH:
    default:
      return false;
  }
}

// Lowest point along `up`, given in the axes of the link, of a link's shapes;
// infinite where none is known.
static double lowest_of(const lwLinkDef* link, const double up[3])
{
  double lowest = INFINITY;
  for (int s = 0; s < link->shape_count; ++s)
  {
    double half[3], R[9], height = 0;
    if (!half_box(&link->shapes[s], half)) continue;
    lw_rotation_rpy(link->shapes[s].rpy, R);
    for (int k = 0; k < 3; ++k)
    {
      double along = R[k] * up[0] + R[3 + k] * up[1] + R[6 + k] * up[2];
      height += up[k] * link->shapes[s].xyz[k] - fabs(along) * half[k];
    }
    lowest = fmin(lowest, height);
  }
  for (int corner = 0; link->bulk && corner < 8; ++corner)
  {
    double height = 0;
    for (int k = 0; k < 3; ++k)
      height += up[k] * (corner >> k & 1 ? link->bulk->high[k] : link->bulk->low[k]);
    lowest = fmin(lowest, height);
  }
  return lowest;
}

// Carried by a moving joint that does not stand on the base.
static bool may_collide(const lwRobotDef* robot, int i)
{
  int moving = 0;
  for (; i != LW_BASE; i = robot->joints[i].parent)
    moving += robot->joints[i].type != LW_JOINT_FIXED;
  return moving > 1;
}

lwStatus lw_floor_create(lwFloor* floor, const lwModel* model)
{
  const lwRobotDef* robot = lw_model_robot(model);
  const double* g         = robot->gravity;
  double size             = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
  lwWorkspaceDef def      = lw_workspace_def();
  *floor                  = (lwFloor){.model = model, .up = {0, 0, 1}};
  for (int k = 0; k < 3 && size > 0; ++k) floor->up[k] = -g[k] / size;
  double lowest = lowest_of(&robot->base, floor->up);
  floor->height = isfinite(lowest) ? lowest : 0;
  for (int i = 0; i < robot->count; ++i)
    floor->known = floor->known || (may_collide(robot, i) &&
                                    isfinite(lowest_of(&robot->joints[i].link, floor->up)));
  def.questions = LW_ASKS(LW_QUESTION_POSE);
  return lw_workspace_create(model, &def, NULL, &floor->ws);
}

void lw_floor_free(lwFloor* floor)
{
  lw_workspace_destroy(floor->ws);
}

double lw_floor_clearance(const lwFloor* floor, const double* q)
{
  const lwRobotDef* robot = lw_model_robot(floor->model);
  double least            = INFINITY;
  for (int i = 0; i < robot->count && floor->known; ++i)
  {
    double p[3], R[9], up[3];
    if (!may_collide(robot, i)) continue;
    if (lw_workspace_set_frame(floor->ws, floor->model, &(lwFrame){.joint = i}, NULL) != LW_OK)
      continue;
    lw_pose(floor->model, floor->ws, q, p, R);
    double height = -floor->height;
    for (int k = 0; k < 3; ++k)
    {
      height += floor->up[k] * p[k];
      up[k] = R[k] * floor->up[0] + R[3 + k] * floor->up[1] + R[6 + k] * floor->up[2];
    }
    least = fmin(least, height + lowest_of(&robot->joints[i].link, up));
  }
  return least;
}
