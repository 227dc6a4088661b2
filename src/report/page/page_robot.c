// SPDX-License-Identifier: MIT
// The arm or the snake of a page.
#include <math.h>

#include "report/page/page_data.h"

// An entry of q, or of qd and tau, with what its joint allows.
static void write_page_entry(lwOut* out, const lwModel* model, const lwCoordinate* entry)
{
  const lwJointDef* joint = &lw_model_robot(model)->joints[entry->joint];
  const lwMotor* motor    = &joint->motor;
  lw_json(out, "{'name':$s,'index':$d,'slides':$b,'quaternion':$b,'alone':$b", entry->name,
          entry->joint, entry->slides, entry->quaternion, lw_joint_size(joint->type).dof == 1);
  lw_json(out, ",'lower':$n,'upper':$n,'velocity':$n,'effort':$n,'voltage':$n,'current':$n}",
          joint->limits.lower, joint->limits.upper, joint->limits.velocity, joint->limits.effort,
          motor->given ? motor->voltage : INFINITY, motor->given ? motor->current : INFINITY);
}

static void write_page_entries(lwOut* out, const lwModel* model, const char* key, int count,
                               lwCoordinate (*get)(const lwModel* model, int i))
{
  lw_out_format(out, ",\n\"%s\":[", key);
  for (int i = 0; i < count; ++i)
  {
    const lwCoordinate entry = get(model, i);
    if (i > 0) lw_out_text(out, ",\n");
    write_page_entry(out, model, &entry);
  }
  lw_out_char(out, ']');
}

lwStatus lw_page_arm(lwPageData* page, const lwModel* model, const char* packages,
                     lwMissingMeshes* missing, lwDiag* diag)
{
  lwOut* out              = &page->json;
  const lwRobotDef* robot = lw_model_robot(model);
  lw_json(out, ",\n'source':$s,\n'robot':", robot->origin);
  lwStatus status = lw_page_robot(out, robot, diag);
  if (status != LW_OK) return status;
  lw_json(out, ",\n'parents':");
  for (int i = 0; i < robot->count; ++i)
    lw_out_format(out, "%c%d", i > 0 ? ',' : '[', robot->joints[i].parent);
  lw_out_text(out, "]");
  write_page_entries(out, model, "positions", lw_model_nq(model), lw_model_position);
  write_page_entries(out, model, "joints", lw_model_dof(model), lw_model_velocity);
  lw_json(out, ",\n'links':");
  lw_page_links(page, robot, packages, missing);
  return LW_OK;
}

void lw_page_snake(lwOut* out, const lwSnake* snake)
{
  lw_json(out, ",\n'source':$s,\n'snake':", lw_snake_origin(snake));
  for (int k = 0; k < lw_snake_count(snake); ++k)
  {
    const lwSnakeLink link = lw_snake_get(snake, k);
    const double values[]  = {link.length,         link.wheel_offset, link.mass, link.inertia,
                              link.friction_limit, link.lower,        link.upper};
    lw_json(out, k > 0 ? ",$c" : "[$c", values, (int)(sizeof values / sizeof *values));
  }
  lw_out_char(out, ']');
}
