// SPDX-License-Identifier: MIT
// One joint of a robot file, with the link that it carries.
#include <string.h>

#include "base/arrays.h"
#include "model/lint/validate.h"
#include "read/robot_joints.h"

// Places of keys of a joint, beyond those of lwField and of its link.
enum
{
  AT_TYPE = LW_AT_LINK_COUNT,
  AT_ALPHA,
  AT_A,
  AT_D,
  AT_THETA,
  AT_ORIGIN,
  AT_AXIS2,
  AT_PITCH,
  AT_ARMATURE,
  AT_COUNT
};

typedef struct JointText
{
  lwJointDef def;
  lwLinkText link;
  int type;     // lwJointType, or -1: not read
  int passive;  // 1: it is
  const char* parent;
  const char* leader;
} JointText;

static lwReadValue read_limits, read_motor, read_mimic, read_start;

// --- the keys of a joint

// In the order of lwJointType.
static const char* const type_words[] = {"revolute", "prismatic", "fixed",       "ball",
                                         "floating", "planar",    "cylindrical", "universal",
                                         "screw",    NULL};

static const char* const yes_words[] = {"false", "true", NULL};

#define NUMBER(type, member, ...) LW_KEY(type, member, __VA_ARGS__)

static const lwKey limits_turning_keys[] = {
    NUMBER(lwLimits, lower, .measure = LW_MEASURE_ANGLE),
    NUMBER(lwLimits, upper, .measure = LW_MEASURE_ANGLE),
    NUMBER(lwLimits, velocity, .measure = LW_MEASURE_ANGULAR_SPEED),
    NUMBER(lwLimits, effort, .unit = "N m"),
    NUMBER(lwLimits, acceleration, .unit = "rad/s^2"),
    NUMBER(lwLimits, jerk, .unit = "rad/s^3"),
};
static const lwTable limits_turning = LW_TABLE("limits", limits_turning_keys);

static const lwKey limits_sliding_keys[] = {
    NUMBER(lwLimits, lower, .unit = "m"),
    NUMBER(lwLimits, upper, .unit = "m"),
    NUMBER(lwLimits, velocity, .unit = "m/s"),
    NUMBER(lwLimits, effort, .unit = "N"),
    NUMBER(lwLimits, acceleration, .unit = "m/s^2"),
    NUMBER(lwLimits, jerk, .unit = "m/s^3"),
};
static const lwTable limits_sliding = LW_TABLE("limits", limits_sliding_keys);

static const lwKey friction_keys[] = {
    NUMBER(lwFriction, viscous, .unit = "N m s/rad or N s/m"),
    NUMBER(lwFriction, coulomb, .unit = "N m or N"),
};
static const lwTable friction_table = LW_TABLE("friction", friction_keys);

static const lwKey motor_keys[] = {
    NUMBER(lwMotor, resistance, .required = true, .unit = "ohm"),
    NUMBER(lwMotor, torque_constant, .required = true, .unit = "N m/A"),
    LW_KEY(lwMotor, gear, .kind = LW_VALUE_NUMBER),
    NUMBER(lwMotor, rotor_inertia, .unit = "kg m^2"),
    NUMBER(lwMotor, inductance, .unit = "H"),
    LW_KEY(lwMotor, efficiency, .kind = LW_VALUE_NUMBER),
    NUMBER(lwMotor, voltage, .unit = "V"),
    NUMBER(lwMotor, current, .unit = "A"),
};
static const lwTable motor_table = LW_TABLE("a motor", motor_keys);

static const lwKey origin_keys[] = {
    LW_KEY(lwJointDef, xyz, .size = 3, .unit = "m"),
    LW_KEY(lwJointDef, rpy, .size = 3, .measure = LW_MEASURE_ANGLE),
};
static const lwTable origin_table = LW_TABLE("an origin", origin_keys);

static const lwKey joint_keys[] = {
    LW_KEY_AS("name", JointText, def.name, .kind = LW_VALUE_NAME, .required = true,
              .slot = LW_FIELD_NAME),
    LW_KEY(JointText, type, .required = true, .slot = AT_TYPE, .words = type_words),
    LW_KEY(JointText, parent, .kind = LW_VALUE_NAME, .slot = LW_FIELD_PARENT),
    LW_KEY_AS("alpha", JointText, def.alpha, .measure = LW_MEASURE_ANGLE, .slot = AT_ALPHA),
    LW_KEY_AS("a", JointText, def.a, .unit = "m", .slot = AT_A),
    LW_KEY_AS("d", JointText, def.d, .unit = "m", .slot = AT_D),
    LW_KEY_AS("theta", JointText, def.theta, .measure = LW_MEASURE_ANGLE, .slot = AT_THETA),
    LW_KEY_AS("origin", JointText, def, .slot = AT_ORIGIN, .table = &origin_table),
    LW_KEY_AS("axis", JointText, def.axis, .size = 3, .slot = LW_FIELD_AXIS),
    LW_KEY_AS("axis2", JointText, def.axis2, .size = 3, .slot = AT_AXIS2),
    LW_KEY_AS("pitch", JointText, def.pitch, .unit = "m", .slot = AT_PITCH),
    {.name = "limits", .slot = LW_FIELD_LIMITS, .read = read_limits},
    LW_KEY_AS("friction", JointText, def.friction, .slot = LW_FIELD_FRICTION,
              .table = &friction_table),
    LW_KEY_AS("armature", JointText, def.armature, .unit = "kg m^2 or kg", .slot = AT_ARMATURE),
    {.name = "motor", .slot = LW_FIELD_MOTOR, .read = read_motor},
    {.name = "mimic", .slot = LW_FIELD_MIMIC, .read = read_mimic},
    LW_CHOICE_KEY(JointText, passive, yes_words),
    LW_KEY_AS("start", JointText, def.start, .read = read_start),
    LW_KEY(JointText, link, .slot = LW_FIELD_LINK, .table = &lw_link_table),
};
static const lwTable joint_table = LW_TABLE("a joint", joint_keys);

// --- values with their own readers

// The units of limits and of a mimic joint's offset depend on the type of the joint.
static bool joint_slides(const lwFill* fill)
{
  const lwNode* type = lw_node_find(fill->mapping, "type");
  return type && lw_node_is_word(type, "prismatic");
}

// Limits that are not given are infinite.
static void read_limits(const lwFill* fill, const lwKey* key, lwNode* value)
{
  lwLimits* limits = &((JointText*)fill->target)->def.limits;
  *limits          = lw_joint_def().limits;
  (void)key;
  lw_document_fill(fill->document, value, joint_slides(fill) ? &limits_sliding : &limits_turning,
                   limits, NULL);
}

static void read_motor(const lwFill* fill, const lwKey* key, lwNode* value)
{
  lwMotor* motor = &((JointText*)fill->target)->def.motor;
  *motor         = lw_joint_def().motor;
  motor->given   = true;
  (void)key;
  lw_document_fill(fill->document, value, &motor_table, motor, NULL);
}

typedef struct MimicText
{
  const char* joint;
  lwMimic mimic;
} MimicText;

#define MIMIC_KEYS(...)                                                                            \
  {                                                                                                \
    LW_KEY(MimicText, joint, .kind = LW_VALUE_NAME, .required = true),                             \
        LW_KEY_AS("multiplier", MimicText, mimic.multiplier, .kind = LW_VALUE_NUMBER),             \
        LW_KEY_AS("offset", MimicText, mimic.offset, __VA_ARGS__),                                 \
  }
static const lwKey mimic_turning_keys[] = MIMIC_KEYS(.measure = LW_MEASURE_ANGLE);
static const lwKey mimic_sliding_keys[] = MIMIC_KEYS(.unit = "m");
static const lwTable mimic_turning      = LW_TABLE("mimic", mimic_turning_keys);
static const lwTable mimic_sliding      = LW_TABLE("mimic", mimic_sliding_keys);

static void read_mimic(const lwFill* fill, const lwKey* key, lwNode* value)
{
  JointText* joint = fill->target;
  MimicText text   = {.mimic = joint->def.mimic};
  (void)key;
  if (!lw_document_fill(fill->document, value, joint_slides(fill) ? &mimic_sliding : &mimic_turning,
                        &text, NULL))
    return;
  joint->leader          = text.joint;
  joint->def.mimic       = text.mimic;
  joint->def.mimic.given = true;
}

// A number where the joint has one entry of q, else a list of all of them.
static void read_start(const lwFill* fill, const lwKey* key, lwNode* value)
{
  double* start      = (double*)(void*)((char*)fill->target + key->offset);
  const lwNode* type = lw_node_find(fill->mapping, "type");
  lwJointSize size   = {0, 0};
  int at             = 0;
  for (int i = 0; type && type_words[i]; ++i)
    if (lw_node_is_word(type, type_words[i])) size = lw_joint_size((lwJointType)i);
  lwKey number = {.name = "start", .unit = ""};
  if (!joint_slides(fill)) number.measure = LW_MEASURE_ANGLE;
  if (size.nq == 0)
    lw_document_error(fill->document, value->place, NULL, "a fixed joint has no start");
  else if (value->kind != LW_NODE_LIST && size.nq == 1)
    lw_node_number(fill->document, value, &number, 0, start);
  else if (value->kind != LW_NODE_LIST || value->count != size.nq)
    lw_document_error(fill->document, value->place, NULL,
                      "'start' must be the %d entries of q of this joint", size.nq);
  else
    for (const lwItem* item = value->items; item; item = item->next, ++at)
      lw_node_number(fill->document, item->value, &number, at + 1, start + at);
}

// --- joints

// Decides how the joint is placed, and where findings about that point to.
static void settle_placement(lwDocument* document, JointText* joint, lwPlace* places, int dh)
{
  int first_dh = 0;
  for (int i = AT_ALPHA; i <= AT_THETA && !first_dh; ++i) first_dh = places[i].line > 0 ? i : 0;
  bool has_axis = places[LW_FIELD_AXIS].line > 0, has_origin = places[AT_ORIGIN].line > 0;
  int at = has_origin ? AT_ORIGIN : has_axis ? (int)LW_FIELD_AXIS : first_dh;

  bool compound = joint->type > LW_JOINT_FIXED, placed = has_origin || has_axis;
  bool turns = joint->type == LW_JOINT_BALL || joint->type == LW_JOINT_FLOATING;

  joint->def.placement =
      placed || (compound && !first_dh) ? LW_PLACEMENT_ORIGIN_AXIS : (lwPlacement)dh;
  places[LW_FIELD_PLACEMENT] = places[at];
  bool moves                 = joint->type >= 0 && joint->type != LW_JOINT_FIXED && !turns;
  if (first_dh && (has_origin || has_axis))
    lw_document_error(document, places[at], "give either alpha, a, d and theta, or origin and axis",
                      "the joint mixes DH parameters with %s",
                      has_origin ? "an origin" : "an axis");
  else if (!has_axis && moves && (has_origin || (compound && !first_dh)))
    lw_document_error(document, has_origin ? places[at] : places[LW_FIELD_JOINT],
                      "about z of the origin it is axis: [0, 0, 1]",
                      has_origin ? "the joint has an origin but no axis" : "the joint has no axis");
  else if (has_axis && (joint->type == LW_JOINT_FIXED || turns))
    lw_document_error(document, places[LW_FIELD_AXIS], "leave the axis out",
                      "a %s joint has no axis", type_words[joint->type]);
}

// Keys that one type of joint has.
static void settle_keys(lwDocument* document, const JointText* joint, const lwPlace* places)
{
  bool screw = joint->type == LW_JOINT_SCREW, universal = joint->type == LW_JOINT_UNIVERSAL;
  if (joint->type < 0) return;
  if (places[AT_AXIS2].line > 0 && !universal)
    lw_document_error(document, places[AT_AXIS2], NULL, "only a universal joint has axis2");
  if (places[AT_PITCH].line > 0 && !screw)
    lw_document_error(document, places[AT_PITCH], NULL, "only a screw has a pitch");
  if (places[AT_PITCH].line == 0 && screw)
    lw_document_error(document, places[LW_FIELD_JOINT],
                      "pitch: m that it moves along its axis per turn", "the screw has no pitch");
}

void lw_joint_read(lwDocument* document, lwNode* node, int dh, lwJointList* list, int i)
{
  JointText joint          = {.def = lw_joint_def(), .type = -1};
  lwPlace places[AT_COUNT] = {[LW_FIELD_JOINT] = node->place};
  int before               = document->errors;
  lw_document_fill(document, node, &joint_table, &joint, places);
  settle_placement(document, &joint, places, dh);
  if (places[LW_FIELD_MOTOR].line == 0) places[LW_FIELD_MOTOR] = places[AT_ARMATURE];
  settle_keys(document, &joint, places);
  lw_link_settle(document, &joint.link, joint.def.name, places, &list->shelf, &joint.def.link);
  if (joint.def.name && strcmp(joint.def.name, "base") == 0)
    lw_document_error(document, places[LW_FIELD_NAME], "choose another name",
                      "joint 'base': 'base' is what the robot stands on, no joint may have this "
                      "name");
  if (joint.type >= 0) joint.def.type = (lwJointType)joint.type;
  joint.def.passive     = joint.passive == 1;
  list->joints[i]       = joint.def;
  list->joints[i].line  = node->place.line;
  list->parent_names[i] = joint.parent;
  list->leader_names[i] = joint.leader;
  list->unread[i]       = document->errors > before;
  memcpy(&list->places[(size_t)i * LW_FIELD_COUNT], places, LW_FIELD_COUNT * sizeof *places);
}

// --- all joints

bool lw_joints_take(lwJointList* list, lwArena* arena, int count)
{
  size_t size        = (size_t)count;
  list->count        = count;
  list->joints       = lw_arena_take(arena, size, sizeof *list->joints);
  list->parent_names = lw_arena_take(arena, size, sizeof *list->parent_names);
  list->leader_names = lw_arena_take(arena, size, sizeof *list->leader_names);
  list->places       = lw_arena_take(arena, size * LW_FIELD_COUNT, sizeof *list->places);
  list->unread       = lw_arena_take(arena, size, sizeof *list->unread);
  return !lw_arena_failed(arena);
}

lwStatus lw_joints_finish(lwDocument* document, const lwJointList* list, const lwRobotDef* robot,
                          const lwModelOptions* options, lwModel** model)
{
  if (document->errors == 0) return lw_model_create(robot, options, document->diag, model);
  lwStatus status = lw_robot_validate_rest(robot, list->unread, options, document->diag);
  return status == LW_ERROR_MEMORY ? status : LW_ERROR_INPUT;
}

lwNearest lw_joints_nearest(const lwJointList* list, const char* name, bool links)
{
  lwNearest nearest = lw_nearest(name);
  for (int i = 0; i < list->count; ++i)
  {
    const lwJointDef* joint = &list->joints[i];
    const char* known       = links && joint->link.name ? joint->link.name : joint->name;
    if (known) lw_nearest_try(&nearest, known);
  }
  return nearest;
}
