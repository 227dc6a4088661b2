// SPDX-License-Identifier: MIT
// Robot files. This file reads syntax, types and names of parents; model/lint/validate.c checks the
// meaning of the numbers, and reports at the places collected here.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "linkwork/read.h"
#include "model/lint/lint.h"
#include "model/lint/validate.h"
#include "read/accept.h"
#include "read/document/document.h"
#include "read/robot_cylinders.h"
#include "read/robot_joints.h"
#include "read/urdf/urdf.h"

typedef struct RobotText
{
  lwRobotDef def;
  int dh;             // lwPlacement
  lwNode* joints;     // the list, or NULL: not read
  lwNode* loops;      // or NULL: none
  lwNode* cylinders;  // or NULL: none
  lwLinkText base;
  lwPlace base_places[LW_AT_LINK_COUNT];
} RobotText;

static lwReadValue read_joints, read_base;

// --- the keys of a robot file

static const char* const dh_words[] = {"modified", "standard", NULL};

static const lwKey robot_keys[] = {
    {.name = "linkwork", .kind = LW_VALUE_CUSTOM, .required = true, .read = lw_read_version},
    LW_KEY_AS("name", RobotText, def.name, .kind = LW_VALUE_NAME),
    LW_KEY_AS("source", RobotText, def.origin, .kind = LW_VALUE_TEXT),
    LW_KEY_AS("gravity", RobotText, def.gravity, .kind = LW_VALUE_NUMBERS, .size = 3,
              .unit = "m/s^2"),
    LW_CHOICE_KEY(RobotText, dh, dh_words),
    LW_KEY_AS("accept", RobotText, def.accept, .kind = LW_VALUE_CUSTOM, .read = lw_read_accept),
    {.name = "base", .kind = LW_VALUE_CUSTOM, .read = read_base},
    LW_NODE_KEY(RobotText, cylinders),
    {.name = "joints", .kind = LW_VALUE_CUSTOM, .required = true, .read = read_joints},
    LW_NODE_KEY(RobotText, loops),
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
}

static void read_joints(const lwFill* fill, const lwKey* key, lwNode* value)
{
  char found[LW_DESCRIPTION_SIZE];
  RobotText* robot = fill->target;
  (void)key;
  if (value->kind != LW_NODE_LIST || value->count == 0)
    lw_document_error(fill->document, value->place, NULL,
                      "'joints' must be a list of at least one joint, found %s",
                      value->kind == LW_NODE_LIST ? "an empty list"
                                                  : lw_node_describe(value, found));
  else if (value->count > LW_MAX_JOINTS)
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
  bool* unread;  // (count) joints with errors
} Reader;

static bool take_list(Reader* reader)
{
  lwArena* arena     = &reader->document.arena;
  lwJointList* list  = &reader->list;
  size_t count       = (size_t)reader->robot.joints->count;
  list->count        = (int)count;
  list->joints       = lw_arena_take(arena, count, sizeof *list->joints);
  list->parent_names = lw_arena_take(arena, count, sizeof *list->parent_names);
  list->leader_names = lw_arena_take(arena, count, sizeof *list->leader_names);
  list->places       = lw_arena_take(arena, count * LW_FIELD_COUNT, sizeof *list->places);
  reader->unread     = lw_arena_take(arena, count, sizeof *reader->unread);
  return list->joints && list->parent_names && list->leader_names && list->places && reader->unread;
}

static lwStatus read_joint_list(Reader* reader, const lwModelOptions* options)
{
  if (!take_list(reader)) return LW_ERROR_MEMORY;
  int i = 0;
  for (lwItem* item = reader->robot.joints->items; item; item = item->next, ++i)
    reader->unread[i] =
        !lw_joint_read(&reader->document, item->value, reader->robot.dh, &reader->list, i);
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
  if (status == LW_OK && reader->robot.loops)
    status = lw_loops_read(&reader->document, reader->robot.loops, &reader->list, def);
  return status;
}

// The cylinders are part of the file, not of the model: here they are only checked.
static lwStatus check_cylinders(Reader* reader, lwModel** model)
{
  lwCylinderList list;
  lwStatus status =
      lw_cylinder_list_read(&reader->document, reader->robot.cylinders, *model, &list);
  if (status == LW_OK) return status;
  lw_model_destroy(*model);
  *model = NULL;
  return status;
}

// Reports everything it can about a file with errors, and builds a model if there are none.
static lwStatus finish_robot(Reader* reader, const lwModelOptions* options, lwModel** model)
{
  lwDiag* diag = reader->document.diag;
  if (reader->document.errors == 0)
  {
    lwStatus made = lw_model_create(&reader->robot.def, options, diag, model);
    return made == LW_OK ? check_cylinders(reader, model) : made;
  }
  lwStatus status = lw_robot_validate_rest(&reader->robot.def, reader->unread, options, diag);
  return status == LW_ERROR_MEMORY ? status : LW_ERROR_INPUT;
}

static lwStatus read_robot_document(Reader* reader, lwStatus status, const lwModelOptions* options,
                                    lwModel** model)
{
  reader->list.shelf.options = options;
  bool urdf                  = status == LW_OK && lw_urdf_is(&reader->document.source);
  if (urdf) status = lw_urdf_read(&reader->document, options, model);
  if (!urdf && status == LW_OK) status = lw_document_parse(&reader->document);
  if (!urdf && status == LW_OK) status = read_robot(reader, options);
  if (!urdf && status == LW_OK) status = finish_robot(reader, options, model);
  lw_shelf_free(&reader->list.shelf);
  lw_document_free(&reader->document);
  return status;
}

lwStatus lw_robot_read_file(const char* path, const lwModelOptions* options, lwDiag* diag,
                            lwModel** model)
{
  Reader reader   = {0};
  *model          = NULL;
  lwStatus status = lw_document_open_file(&reader.document, path, diag);
  return read_robot_document(&reader, status, options, model);
}

lwStatus lw_robot_read_text(const char* name, const char* text, size_t length,
                            const lwModelOptions* options, lwDiag* diag, lwModel** model)
{
  Reader reader   = {0};
  *model          = NULL;
  lwStatus status = lw_document_open_text(&reader.document, name, text, length, diag);
  return read_robot_document(&reader, status, options, model);
}
