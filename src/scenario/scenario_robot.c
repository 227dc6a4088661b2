// SPDX-License-Identifier: MIT
// The robot of a scenario: its file, and what the scenario adds to it.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "linkwork/read.h"
#include "scenario/scenario_internal.h"

static void read_payload(lwScenarioReader* reader, lwNode* node, lwJointDef* joints)
{
  lwLinkDef load;
  int i;
  if (lw_node_payload(&reader->document, reader->scenario->model, node, &i, &load))
    lw_link_def_add(&joints[i].link, load.mass, load.com, load.inertia);
}

// The robot of the file with payload and gravity of the scenario.
static lwStatus change_robot(lwScenarioReader* reader, const lwScenarioRobot* text,
                             const lwModelOptions* options)
{
  lwScenario* scenario = reader->scenario;
  lwRobotDef robot     = *lw_model_robot(scenario->model);
  lwNode* payload      = text->payload;
  lwJointDef* joints   = lw_keep_take(reader->keep, (size_t)robot.count + 1, sizeof *joints);
  lwModel* changed     = NULL;
  if (!joints) return LW_ERROR_MEMORY;
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  bool list = payload && payload->kind == LW_NODE_LIST;
  if (payload && !list) read_payload(reader, payload, joints);
  for (const lwItem* item = list ? payload->items : NULL; item; item = item->next)
    read_payload(reader, item->value, joints);
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
  const char* path     = lw_keep_path(reader->keep, &reader->document, text->path);
  reader->robot        = path;
  lwStatus status      = lw_robot_read_file(path, options, reader->document.diag, &scenario->model);
  lw_keep_file(reader->keep, &reader->document, status, path, text->place);
  if (status != LW_OK) return status == LW_ERROR_FILE ? LW_ERROR_INPUT : status;
  scenario->n = lw_model_dof(scenario->model);
  return text->payload || text->gravity ? change_robot(reader, text, options) : LW_OK;
}
