// SPDX-License-Identifier: MIT
// The robot of a scenario: its file, and what the scenario adds to it.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "linkwork/read.h"
#include "scenario/scenario_internal.h"

typedef struct PayloadText
{
  lwNode* link;
  double mass, com[3], inertia[6];
  lwPlace places[2];
} PayloadText;

static const lwKey payload_keys[] = {
    {.name     = "link",
     .kind     = LW_VALUE_NODE,
     .required = true,
     .offset   = offsetof(PayloadText, link)},
    {.name     = "mass",
     .kind     = LW_VALUE_NUMBER,
     .required = true,
     .offset   = offsetof(PayloadText, mass),
     .slot     = 1,
     .unit     = "kg"},
    {.name   = "com",
     .kind   = LW_VALUE_NUMBERS,
     .offset = offsetof(PayloadText, com),
     .size   = 3,
     .unit   = "m"},
    {.name   = "inertia",
     .kind   = LW_VALUE_NUMBERS,
     .offset = offsetof(PayloadText, inertia),
     .size   = 6,
     .unit   = "kg m^2"},
};
static const lwTable payload_table = LW_TABLE("a payload", payload_keys);

static const char* scenario_link_name(const lwJointDef* joint)
{
  return joint->link.name ? joint->link.name : joint->name;
}

int lw_scenario_link(lwScenarioReader* reader, const lwRobotDef* robot, const lwNode* name)
{
  char found[LW_DESCRIPTION_SIZE], hint[160];
  lwNearest nearest = lw_nearest(name->kind == LW_NODE_SCALAR ? name->text : "");
  for (int i = 0; i < robot->count; ++i)
  {
    if (lw_node_is_word(name, scenario_link_name(&robot->joints[i]))) return i;
    lw_nearest_try(&nearest, scenario_link_name(&robot->joints[i]));
  }
  if (nearest.best) snprintf(hint, sizeof hint, "did you mean '%.100s'?", nearest.best);
  lw_document_error(&reader->document, name->place, nearest.best ? hint : NULL,
                    "the robot has no link %s", lw_node_describe(name, found));
  return -1;
}

static void read_payload(lwScenarioReader* reader, lwNode* node, const lwRobotDef* robot,
                         lwJointDef* joints)
{
  PayloadText payload = {0};
  if (!lw_document_fill(&reader->document, node, &payload_table, &payload, payload.places)) return;
  int i = lw_scenario_link(reader, robot, payload.link);
  if (!(payload.mass >= 0))
    lw_document_error(&reader->document, payload.places[1], NULL,
                      "'mass' must not be negative, found %g kg", payload.mass);
  else if (i >= 0)
    lw_link_def_add(&joints[i].link, payload.mass, payload.com, payload.inertia);
}

// The robot of the file with payload and gravity of the scenario.
static lwStatus change_robot(lwScenarioReader* reader, const lwScenarioRobot* text,
                             const lwModelOptions* options)
{
  lwScenario* scenario = reader->scenario;
  lwRobotDef robot     = *lw_model_robot(scenario->model);
  lwNode* payload      = text->payload;
  lwJointDef* joints   = lw_scenario_take(reader, (size_t)robot.count + 1, sizeof *joints);
  lwModel* changed     = NULL;
  if (!joints) return LW_ERROR_MEMORY;
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  bool list = payload && payload->kind == LW_NODE_LIST;
  if (payload && !list) read_payload(reader, payload, &robot, joints);
  for (const lwItem* item = list ? payload->items : NULL; item; item = item->next)
    read_payload(reader, item->value, &robot, joints);
  robot.joints = joints;
  if (text->gravity) memcpy(robot.gravity, text->gravity, sizeof robot.gravity);
  if (reader->document.errors > 0) return LW_OK;                  // the model is not needed
  lwDiag* diag         = payload ? reader->document.diag : NULL;  // else nothing new to report
  lwModelOptions again = options ? *options : (lwModelOptions){0};
  again.mount.floating = false;  // it floats already
  if (!text->gravity && !again.mount.gravity)
    again.mount.base_rpy = NULL;  // the model is mounted already
  again.lint.accept = "density";  // a payload may be a point; that of the links is reported
  lwStatus status   = lw_model_create(&robot, &again, diag, &changed);
  if (status != LW_OK) return status;
  lw_model_destroy(scenario->model);
  scenario->model = changed;
  return LW_OK;
}

lwStatus lw_scenario_robot(lwScenarioReader* reader, const lwScenarioRobot* text,
                           const lwModelOptions* options)
{
  lwScenario* scenario = reader->scenario;
  char* path           = lw_scenario_path(reader, text->path);
  if (!path) return LW_ERROR_MEMORY;
  reader->robot   = path;
  lwStatus status = lw_robot_read_file(path, options, reader->document.diag, &scenario->model);
  lw_scenario_file_read(reader, status, path, text->place);
  if (status != LW_OK) return status == LW_ERROR_FILE ? LW_ERROR_INPUT : status;
  scenario->n = lw_model_dof(scenario->model);
  return text->payload || text->gravity ? change_robot(reader, text, options) : LW_OK;
}
