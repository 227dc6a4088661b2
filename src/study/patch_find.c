// SPDX-License-Identifier: MIT
// Which number a target names: links.upper_arm.mass, joints.*.viscous,
// payload.mass or scenario.controller.kp.2.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "study/study_internal.h"

// --- numbers of joints and links

typedef struct Field
{
  const char* name;
  size_t offset;
} Field;

#define JOINT(name, member)                                                                        \
  {                                                                                                \
    name, offsetof(lwJointDef, member)                                                             \
  }
static const Field joint_fields[] = {
    JOINT("alpha", alpha),
    JOINT("a", a),
    JOINT("d", d),
    JOINT("theta", theta),
    JOINT("x", xyz[0]),
    JOINT("y", xyz[1]),
    JOINT("z", xyz[2]),
    JOINT("roll", rpy[0]),
    JOINT("pitch", rpy[1]),
    JOINT("yaw", rpy[2]),
    JOINT("viscous", friction.viscous),
    JOINT("coulomb", friction.coulomb),
    JOINT("armature", armature),
    JOINT("lower", limits.lower),
    JOINT("upper", limits.upper),
    JOINT("velocity", limits.velocity),
    JOINT("effort", limits.effort),
    JOINT("acceleration", limits.acceleration),
    JOINT("jerk", limits.jerk),
    JOINT("resistance", motor.resistance),
    JOINT("torque_constant", motor.torque_constant),
    JOINT("gear", motor.gear),
    JOINT("rotor_inertia", motor.rotor_inertia),
    JOINT("inductance", motor.inductance),
    JOINT("efficiency", motor.efficiency),
    JOINT("voltage", motor.voltage),
    JOINT("current", motor.current),
};
static const Field link_fields[] = {
    JOINT("mass", link.mass),
    JOINT("com.x", link.com[0]),
    JOINT("com.y", link.com[1]),
    JOINT("com.z", link.com[2]),
    JOINT("inertia", link.inertia[0]),
    JOINT("inertia.xx", link.inertia[0]),
    JOINT("inertia.yy", link.inertia[1]),
    JOINT("inertia.zz", link.inertia[2]),
    JOINT("inertia.xy", link.inertia[3]),
    JOINT("inertia.xz", link.inertia[4]),
    JOINT("inertia.yz", link.inertia[5]),
};

enum
{
  JOINT_FIELDS = sizeof joint_fields / sizeof *joint_fields,
  LINK_FIELDS  = sizeof link_fields / sizeof *link_fields
};

// A target while it is looked for.
typedef struct Target
{
  lwStudyReader* reader;
  const lwNode* node;  // that names it
  lwPatch patch;
  int found;
} Target;

static void target_error(Target* target, const char* hint, const char* what)
{
  lw_document_error(&target->reader->document, target->node->place, hint, "'%s': %s",
                    target->node->text, what);
}

static void add_patch(Target* target, lwPatch patch)
{
  lwStudy* study = target->reader->study;
  if ((study->patch_count & (study->patch_count + 1)) == 0)  // 0, 1, 3, 7 ..: full
  {
    size_t capacity = 2 * (size_t)study->patch_count + 1;
    lwPatch* larger = lw_keep_take(target->reader->keep, capacity, sizeof *larger);
    if (!larger) return;
    if (study->patch_count > 0)
      memcpy(larger, study->patches, (size_t)study->patch_count * sizeof *larger);
    study->patches = larger;
  }
  study->patches[study->patch_count++] = patch;
  ++target->found;
}

static const Field* find_field(Target* target, const Field* fields, int count, const char* name)
{
  char hint[100];
  lwNearest near = lw_nearest(name);
  for (int i = 0; i < count; ++i)
  {
    if (!strcmp(fields[i].name, name)) return &fields[i];
    lw_nearest_try(&near, fields[i].name);
  }
  snprintf(hint, sizeof hint, "did you mean '%s'?", near.best ? near.best : "mass");
  target_error(target, near.best ? hint : NULL, "a robot has no such number");
  return NULL;
}

// Splits "upper_arm.com.x" into "upper_arm" and "com.x", at the longest name of a joint or link.
static const char* match_name(const char* text, const char* name)
{
  size_t length = strlen(name);
  return !strncmp(text, name, length) && text[length] == '.' ? text + length + 1 : NULL;
}

// joint NULL: the payload.
static void patch_joint(Target* target, int i, const lwJointDef* joint, const Field* field,
                        bool link)
{
  lwPatch patch = target->patch;
  patch.joint   = i;
  patch.offset  = field->offset;
  patch.where   = LW_PATCH_FIELD;
  if (link && !strcmp(field->name, "mass")) patch.where = LW_PATCH_MASS;
  if (link && !strcmp(field->name, "inertia")) patch.where = LW_PATCH_INERTIA;
  if (patch.where == LW_PATCH_INERTIA && patch.op == LW_PATCH_SET)
    return target_error(target, NULL,
                        "an inertia as a whole takes 'scale'; 'set' one entry, inertia.xx");
  if (!link &&
      (field->offset >= offsetof(lwJointDef, motor) &&
       field->offset < offsetof(lwJointDef, motor) + sizeof(lwMotor)) &&
      !joint->motor.given)
    return;
  add_patch(target, patch);
}

static void find_in_joints(Target* target, const char* text, bool link)
{
  const lwRobotDef* robot = lw_model_robot(target->reader->study->robot);
  const Field* fields     = link ? link_fields : joint_fields;
  int count               = link ? LINK_FIELDS : JOINT_FIELDS;
  bool all                = text[0] == '*' && text[1] == '.';
  const Field* field      = all ? find_field(target, fields, count, text + 2) : NULL;
  if (all && !field) return;
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    const char* name        = link && joint->link.name ? joint->link.name : joint->name;
    const char* rest        = all ? NULL : match_name(text, name);
    if (rest)
    {
      field = find_field(target, fields, count, rest);
      if (!field) return;
    }
    if (all ? link || joint->type != LW_JOINT_FIXED : rest != NULL)
      patch_joint(target, i, joint, field, link);
  }
  if (target->found == 0)
    target_error(target, NULL,
                 link ? "the robot has no such link" : "the robot has no such joint or motor");
}

// --- the payload and gravity

static void find_in_payload(Target* target, const char* text)
{
  const lwStudy* study = target->reader->study;
  if (study->payload_joint < 0)
    return target_error(target, "payload: {link: hand, mass: 2}", "the study has no payload");
  const Field* field = find_field(target, link_fields, LINK_FIELDS, text);
  if (field) patch_joint(target, lw_model_robot(study->robot)->count, NULL, field, true);
}

static void find_gravity(Target* target, const char* text)
{
  lwPatch patch = target->patch;
  patch.where   = LW_PATCH_GRAVITY;
  if (!*text && patch.op == LW_PATCH_SET)
    return target_error(target, NULL,
                        "gravity as a whole takes 'scale'; 'set' one entry, gravity.z");
  if (*text)
  {
    patch.where = LW_PATCH_GRAVITY_ENTRY;
    bool right  = text[0] == '.' && text[1] >= 'x' && text[1] <= 'z' && !text[2];
    if (!right)
      return target_error(target, NULL, "expected gravity, gravity.x, gravity.y or gravity.z");
    patch.joint = text[1] - 'x';
  }
  add_patch(target, patch);
}

// --- numbers in a text file

// The bytes of a scalar in the text; false: it is not there as the node has it.
static bool find_bytes(const lwTextFile* file, const lwNode* node, lwPatch* patch)
{
  size_t length;
  const char* line = lw_text_line(file->text, file->length, node->place.line, &length);
  if (!line || node->kind != LW_NODE_SCALAR) return false;
  const char* at = line + node->place.column - 1;
  if (!node->plain) ++at;
  patch->offset = (size_t)(at - file->text);
  patch->length = (size_t)node->count;
  return patch->offset + patch->length <= file->length &&
         !memcmp(at, node->text, (size_t)node->count);
}

static void patch_scalar(Target* target, const lwTextFile* file, const lwNode* node)
{
  lwPatch patch    = target->patch;
  const char* rest = node->kind == LW_NODE_SCALAR ? node->text : "";
  patch.where      = LW_PATCH_TEXT;
  if (!find_bytes(file, node, &patch))
    return target_error(target, NULL, "this is no single number or text in the file");
  if (!patch.form && !lw_number_read(&rest, &patch.number))
    return target_error(target, "form: 2*sin($*t) puts the value in place of $ into a law",
                        "the file has no number there");
  const lwStudy* study = target->reader->study;
  for (int k = 0; k < study->patch_count; ++k)
    if (study->patches[k].where == LW_PATCH_TEXT && study->patches[k].offset == patch.offset &&
        !(study->patches[k].parameter == patch.parameter &&
          study->patches[k].choice != patch.choice))
      return target_error(target, NULL, "this number varies already");
  patch.after = lw_keep_text(target->reader->keep, patch.form ? "" : rest);
  add_patch(target, patch);
}

static const lwNode* list_item(const lwNode* list, const char* name)
{
  int number = atoi(name), i = 0;
  for (const lwItem* item = list->items; item; item = item->next)
  {
    const lwNode* named =
        item->value->kind == LW_NODE_MAPPING ? lw_node_find(item->value, "name") : NULL;
    if (++i == number || (named && lw_node_is_word(named, name))) return item->value;
  }
  return NULL;
}

static void find_in_text(Target* target, const lwTextFile* file, const lwNode* node,
                         const char* path)
{
  char name[100];
  if (!*path) return patch_scalar(target, file, node);
  size_t length    = strcspn(path, ".");
  const char* rest = path[length] ? path + length + 1 : path + length;
  snprintf(name, sizeof name, "%.*s", (int)(length < 99 ? length : 99), path);
  bool many = node->kind == LW_NODE_MAPPING || node->kind == LW_NODE_LIST;
  if (many && !strcmp(name, "*"))
  {
    for (const lwItem* item = node->items; item; item = item->next)
      find_in_text(target, file, item->value, rest);
    return;
  }
  const lwNode* next = node->kind == LW_NODE_MAPPING ? lw_node_find(node, name)
                       : node->kind == LW_NODE_LIST  ? list_item(node, name)
                                                     : NULL;
  if (!next)
  {
    char what[240];
    snprintf(what, sizeof what, "there is no '%s' in %.80s", name, file->path);
    return target_error(target, NULL, what);
  }
  find_in_text(target, file, next, rest);
}

// --- any of them

static bool starts_with(const char* text, const char* prefix)
{
  return !strncmp(text, prefix, strlen(prefix));
}

void lw_study_find_target(lwStudyReader* reader, const lwPatch* like, const lwNode* node)
{
  lwKey key              = {.name = "target", .kind = LW_VALUE_NAME};
  const char* text       = lw_node_text(&reader->document, node, &key);
  const lwStudy* study   = reader->study;
  const char* prefix     = study->run && study->job ? study->run->text : NULL;
  const lwTextFile* file = prefix ? study->job : NULL;  // the first member of these jobs
  if (!text) return;
  Target target = {.reader = reader, .node = node, .patch = *like};
  bool robot    = study->robot != NULL;
  if (robot && starts_with(text, "joints."))
    find_in_joints(&target, text + 7, false);
  else if (robot && starts_with(text, "links."))
    find_in_joints(&target, text + 6, true);
  else if (robot && starts_with(text, "payload."))
    find_in_payload(&target, text + 8);
  else if (robot && starts_with(text, "gravity"))
    find_gravity(&target, text + 7);
  else if (!strcmp(text, "trajectory.time") && study->run == &LW_RUN_INVERSE)
  {
    target.patch.where = LW_PATCH_TIME;
    add_patch(&target, target.patch);
  }
  else if (file && file->root && starts_with(text, prefix))
  {
    find_in_text(&target, file, file->root, text + strlen(prefix));
    reader->study->text_varies = true;
  }
  else
    target_error(&target, NULL,
                 "expected joints.NAME.., links.NAME.., payload.., gravity, trajectory.time, "
                 "scenario.. or snake.., as the run has them");
}
