// SPDX-License-Identifier: MIT
// The arm or the snake of a page.
#include <math.h>

#include "report/page/page_data.h"

void lw_page_member(FILE* out, const char* key)
{
  fprintf(out, ",\n\"%s\":", key);
}

void lw_page_text_member(FILE* out, const char* key, const char* text)
{
  lw_page_member(out, key);
  lw_json_text(out, text);
}

// An entry of q, or of qd and tau, with what its joint allows.
static void write_page_entry(FILE* out, const lwModel* model, const lwCoordinate* entry)
{
  const lwJointDef* joint   = &lw_model_robot(model)->joints[entry->joint];
  const char* const flags[] = {"false", "true"};
  const struct
  {
    const char* key;
    double value;
  } limits[] = {{"lower", joint->limits.lower},
                {"upper", joint->limits.upper},
                {"velocity", joint->limits.velocity},
                {"effort", joint->limits.effort},
                {"voltage", joint->motor.given ? joint->motor.voltage : INFINITY},
                {"current", joint->motor.given ? joint->motor.current : INFINITY}};
  fputs("{\"name\":", out);
  lw_json_text(out, entry->name);
  fprintf(out, ",\"index\":%d,\"slides\":%s,\"quaternion\":%s,\"alone\":%s", entry->joint,
          flags[entry->slides], flags[entry->quaternion],
          flags[lw_joint_size(joint->type).dof == 1]);
  for (size_t i = 0; i < sizeof limits / sizeof *limits; ++i)
  {
    fprintf(out, ",\"%s\":", limits[i].key);
    lw_json_number(out, limits[i].value);
  }
  fputc('}', out);
}

static void write_page_entries(FILE* out, const lwModel* model, const char* key, int count,
                               lwCoordinate (*get)(const lwModel* model, int i))
{
  lw_page_member(out, key);
  fputc('[', out);
  for (int i = 0; i < count; ++i)
  {
    const lwCoordinate entry = get(model, i);
    if (i > 0) fputs(",\n", out);
    write_page_entry(out, model, &entry);
  }
  fputc(']', out);
}

lwStatus lw_page_arm(lwPageData* page, const lwModel* model, const char* packages, int* missing)
{
  FILE* out               = page->json;
  const lwRobotDef* robot = lw_model_robot(model);
  lw_page_text_member(out, "source", robot->origin);
  lw_page_member(out, "robot");
  lwStatus status = lw_page_robot(out, robot);
  if (status != LW_OK) return status;
  lw_page_member(out, "parents");
  for (int i = 0; i < robot->count; ++i)
    fprintf(out, "%c%d", i > 0 ? ',' : '[', robot->joints[i].parent);
  fputs("]", out);
  write_page_entries(out, model, "positions", lw_model_nq(model), lw_model_position);
  write_page_entries(out, model, "joints", lw_model_dof(model), lw_model_velocity);
  lw_page_member(out, "links");
  lw_page_links(page, robot, packages, missing);
  return LW_OK;
}

void lw_page_snake(FILE* out, const lwSnake* snake)
{
  lw_page_text_member(out, "source", lw_snake_origin(snake));
  lw_page_member(out, "snake");
  for (int k = 0; k < lw_snake_count(snake); ++k)
  {
    const lwSnakeLink link = lw_snake_get(snake, k);
    const double values[]  = {link.length, link.wheel_offset, link.mass, link.inertia,
                              link.friction_limit};
    fputc(k > 0 ? ',' : '[', out);
    lw_json_numbers(out, values, 5);
  }
  fputc(']', out);
}
