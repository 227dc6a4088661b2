// SPDX-License-Identifier: MIT
// Robot files. This file reads syntax, types and names of parents; model/lint/validate.c checks the
// meaning of the numbers, and reports at the places collected here.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/read.h"
#include "read/accept.h"
#include "read/dh_table.h"
#include "read/document/document.h"
#include "read/mjcf/mjcf.h"
#include "read/robot_cylinders.h"
#include "read/robot_joints.h"
#include "read/urdf/urdf.h"

typedef struct RobotText
{
  lwRobotDef def;
  int dh;             // lwPlacement
  lwNode* joints;     // the list, or NULL: not read
  lwNode* loops;      // or NULL: none
  lwNode* rolling;    // or NULL: nothing rolls
  lwNode* cylinders;  // or NULL: none
  lwLinkText base;
  lwPlace base_places[LW_AT_LINK_COUNT];
} RobotText;

static lwReadValue read_joints, read_base;

// --- the keys of a robot file

static const char* const dh_words[] = {"modified", "standard", NULL};

static const lwKey robot_keys[] = {
    {.name = "linkwork", .required = true, .read = lw_read_version},
    LW_KEY_AS("name", RobotText, def.name, .kind = LW_VALUE_NAME),
    LW_KEY_AS("source", RobotText, def.origin, .kind = LW_VALUE_TEXT),
    LW_KEY_AS("gravity", RobotText, def.gravity, .size = 3, .unit = "m/s^2"),
    LW_CHOICE_KEY(RobotText, dh, dh_words),
    LW_KEY_AS("accept", RobotText, def.accept, .read = lw_read_accept),
    {.name = "base", .read = read_base},
    LW_NODE_KEY(RobotText, cylinders),
    {.name = "joints", .required = true, .read = read_joints},
    LW_NODE_KEY(RobotText, loops),
    LW_NODE_KEY(RobotText, rolling),
};
static const lwTable robot_table = LW_TABLE("a robot", robot_keys);

static void read_base(const lwFill* fill, const lwKey* key, lwNode* value)
{
  RobotText* robot = fill->target;
  (void)key;
  robot->base_places[LW_FIELD_JOINT] = robot->base_places[LW_FIELD_LINK] = value->place;
  robot->def.base_places                                                 = robot->base_places;
  if (lw_node_is_word(value, "floating") || lw_node_is_word(value, "fixed"))
    robot->base.mounting = lw_node_is_word(value, "floating");
  else
    lw_document_fill(fill->document, value, &lw_base_table, &robot->base, robot->base_places);
  robot->def.floating_base = robot->base.mounting == 1;
  memcpy(robot->def.base_start, robot->base.start, sizeof robot->base.start);
  if (robot->base_places[LW_AT_START].line > 0 && !robot->def.floating_base)
    lw_document_error(fill->document, robot->base_places[LW_AT_START], "type: floating",
                      "a base that does not float has no 'start'");
}

static void read_joints(const lwFill* fill, const lwKey* key, lwNode* value)
{
  RobotText* robot = fill->target;
  if (!lw_node_is_filled(fill->document, value, key->name, "at least one joint")) return;
  if (value->count > LW_MAX_JOINTS)
    lw_document_error(fill->document, value->place, NULL,
                      "the robot has %d joints; at most %d are possible", value->count,
                      LW_MAX_JOINTS);
  else
    robot->joints = value;
}

// --- the robot

typedef struct Reader
{
  lwDocument document;
  RobotText robot;
  lwJointList list;
} Reader;

static lwStatus read_joint_list(Reader* reader, const lwModelOptions* options)
{
  const lwNode* joints = reader->robot.joints;
  if (!lw_joints_take(&reader->list, &reader->document.arena, joints->count))
    return LW_ERROR_MEMORY;
  int i = 0;
  for (lwItem* item = joints->items; item; item = item->next)
    lw_joint_read(&reader->document, item->value, reader->robot.dh, &reader->list, i++);
  lwStatus status = lw_parents_resolve(&reader->document, &reader->list);
  if (status == LW_OK && options && options->read.fix)
  {
    status = lw_fix_check(&reader->document, &reader->list, options->read.fix);
    lw_joints_fix(&reader->list, options->read.fix);
  }
  bool coupled = !options || !options->joints.free_mimics;
  return status == LW_OK && coupled ? lw_mimics_resolve(&reader->document, &reader->list) : status;
}

static lwStatus read_robot(Reader* reader, const lwModelOptions* options)
{
  lwRobotDef* def = &reader->robot.def;
  *def            = lw_robot_def();
  def->file       = reader->document.source.file;
  def->text       = reader->document.source.text;
  lw_document_fill(&reader->document, reader->document.root, &robot_table, &reader->robot, NULL);
  if (reader->robot.def.accept == lw_accept_lost) return LW_ERROR_MEMORY;
  lw_link_settle(&reader->document, &reader->robot.base, "base", reader->robot.base_places,
                 &reader->list.shelf, &def->base);
  if (!reader->robot.joints) return LW_ERROR_INPUT;
  lwStatus status = read_joint_list(reader, options);
  def->count      = reader->list.count;
  def->joints     = reader->list.joints;
  def->places     = reader->list.places;
  if (status == LW_OK && (reader->robot.loops || reader->robot.rolling))
    status = lw_loops_read(&reader->document, reader->robot.loops, reader->robot.rolling,
                           &reader->list, def);
  return status;
}

// The cylinders are part of the file, not of the model: here they are only checked.
static lwStatus finish_robot(Reader* reader, const lwModelOptions* options, lwModel** model)
{
  lwCylinderList list;
  lwStatus status =
      lw_joints_finish(&reader->document, &reader->list, &reader->robot.def, options, model);
  if (status != LW_OK) return status;
  status = lw_cylinder_list_read(&reader->document, reader->robot.cylinders, *model, &list);
  if (status == LW_OK) return status;
  lw_model_destroy(*model);
  *model = NULL;
  return status;
}

// A file, or a text if there is one.
static lwStatus read_robot_document(const char* path, const char* text, size_t length,
                                    const lwModelOptions* options, lwDiag* diag, lwModel** model)
{
  Reader reader           = {.list.shelf.options = options};
  *model                  = NULL;
  lwStatus status         = text ? lw_document_open_text(&reader.document, path, text, length, diag)
                                 : lw_document_open_file(&reader.document, path, diag);
  lwModelOptions of_table = options ? *options : (lwModelOptions){0};
  char* table             = NULL;
  if (status == LW_OK && lw_dh_table_is(path))
  {
    status                    = lw_dh_table_open(&reader.document, path, diag, &table);
    of_table.lint.allow_inert = true;  // as in URDF, there may be no masses
    options = reader.list.shelf.options = &of_table;
  }
  if (status == LW_OK && lw_mjcf_is_file(&reader.document.source))
    status = lw_mjcf_read(&reader.document, options, model);
  else if (status == LW_OK && lw_urdf_is(&reader.document.source))
    status = lw_urdf_read(&reader.document, options, model);
  else
  {
    if (status == LW_OK) status = lw_document_parse(&reader.document);
    if (status == LW_OK) status = read_robot(&reader, options);
    if (status == LW_OK) status = finish_robot(&reader, options, model);
  }
  lw_shelf_free(&reader.list.shelf);
  lw_document_free(&reader.document);
  free(table);
  return status;
}

lwStatus lw_robot_read_file(const char* path, const lwModelOptions* options, lwDiag* diag,
                            lwModel** model)
{
  return read_robot_document(path, NULL, 0, options, diag, model);
}

lwStatus lw_robot_read_text(const char* name, const char* text, size_t length,
                            const lwModelOptions* options, lwDiag* diag, lwModel** model)
{
  return read_robot_document(name, text ? text : "", length, options, diag, model);
}
