// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "linkwork/loop.h"
#include "linkwork/trajectory.h"
#include "math/rotation.h"
#include "report/robot/robot_text.h"

// --- texts

// True if YAML reads the text as itself without quotes: words of letters,
// digits and a few signs that mean nothing.
static bool is_plain(const char* text)
{
  static const char first[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  static const char rest[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_ .()/+;-";
  static const char* const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};
  size_t length                    = strlen(text);
  if (length == 0 || !strchr(first, text[0]) || text[length - 1] == ' ') return false;
  if (strspn(text, rest) != length || length > 200) return false;
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
  {
    size_t k = 0;
    while (words[i][k] && (text[k] | 0x20) == words[i][k]) ++k;
    if (!words[i][k] && !text[k]) return false;
  }
  return true;
}

static void write_quoted(lwOut* out, const char* text)
{
  lw_out_char(out, '"');
  for (const unsigned char* c = (const unsigned char*)text; *c; ++c)
  {
    if (*c == '"' || *c == '\\')
      lw_out_format(out, "\\%c", *c);
    else if (*c == '\n')
      lw_out_text(out, "\\n");
    else if (*c < 0x20 || *c == 0x7F)
      lw_out_format(out, "\\x%02x", *c);
    else
      lw_out_char(out, *c);
  }
  lw_out_char(out, '"');
}

static void write_word(lwOut* out, const char* text)
{
  if (is_plain(text))
    lw_out_text(out, text);
  else
    write_quoted(out, text);
  lw_out_char(out, '\n');
}

static void write_text(lwOut* out, const char* key, const char* text)
{
  lw_out_format(out, "%s: ", key);
  write_word(out, text);
}

static void write_item(lwOut* out, const char* text)
{
  lw_out_text(out, "      - ");
  write_word(out, text);
}

// Each line behind the mark of a comment.
static void write_comment(lwOut* out, const char* indent, const char* text)
{
  while (*text)
  {
    int length = (int)strcspn(text, "\n");
    lw_out_format(out, "%s#%s%.*s\n", indent, length > 0 ? " " : "", length, text);
    text += length + (text[length] == '\n');
  }
}

// --- numbers

// `key: [..]` and what follows it.
static void write_list(lwOut* out, const char* key, const double* numbers, int count,
                       const char* end)
{
  lw_out_format(out, "%s: [", key);
  lw_write_numbers(out, numbers, count, ", ");
  lw_out_format(out, "]%s", end);
}

static void write_yaml_number(lwOut* out, const char* key, double x)
{
  char digits[LW_NUMBER_SIZE];
  lw_out_format(out, "%s: %s\n", key, lw_digits(x, digits));
}

// A number under a key, and what it is when the key is absent.
typedef struct Entry
{
  const char* key;
  double value, absent;
} Entry;

// `key: {..}` with the entries that differ from what their absence means;
// nothing if there are none.
static void write_entries(lwOut* out, const char* key, const Entry* entries, int count)
{
  char digits[LW_NUMBER_SIZE];
  int written = 0;
  for (int i = 0; i < count; ++i)
  {
    if (entries[i].value == entries[i].absent) continue;
    if (written++ == 0)
      lw_out_format(out, "    %s: {", key);
    else
      lw_out_text(out, ", ");
    lw_out_format(out, "%s: %s", entries[i].key, lw_digits(entries[i].value, digits));
  }
  if (written > 0) lw_out_text(out, "}\n");
}

#define ENTRIES(out, key, entries)                                                                 \
  write_entries(out, key, entries, (int)(sizeof(entries) / sizeof *(entries)))

// --- joints

static void write_place(lwOut* out, const lwJointDef* joint)
{
  if (joint->placement != LW_PLACEMENT_ORIGIN_AXIS)
  {
    write_yaml_number(out, "    alpha", joint->alpha);
    write_yaml_number(out, "    a", joint->a);
    write_yaml_number(out, "    d", joint->d);
    write_yaml_number(out, "    theta", joint->theta);
    return;
  }
  lw_out_text(out, "    origin: {");
  write_list(out, "xyz", joint->xyz, 3, ", ");
  write_list(out, "rpy", joint->rpy, 3, "}\n");
  bool turns = joint->type == LW_JOINT_BALL || joint->type == LW_JOINT_FLOATING;
  if (joint->type == LW_JOINT_FIXED || turns) return;
  write_list(out, "    axis", joint->axis, 3, "\n");
  if (joint->type == LW_JOINT_UNIVERSAL)
  {
    write_list(out, "    axis2", joint->axis2, 3, "\n");
  }
  if (joint->type == LW_JOINT_SCREW) write_yaml_number(out, "    pitch", joint->pitch);
}

static void write_drive(lwOut* out, const lwJointDef* joint)
{
  const lwLimits* limits         = &joint->limits;
  const lwFriction* friction     = &joint->friction;
  const lwMotor* motor           = &joint->motor;
  const Entry limit_entries[]    = {{"lower", limits->lower, -INFINITY},
                                    {"upper", limits->upper, INFINITY},
                                    {"velocity", limits->velocity, INFINITY},
                                    {"effort", limits->effort, INFINITY},
                                    {"acceleration", limits->acceleration, INFINITY},
                                    {"jerk", limits->jerk, INFINITY}};
  const Entry friction_entries[] = {{"viscous", friction->viscous, 0},
                                    {"coulomb", friction->coulomb, 0}};
  const Entry motor_entries[]    = {{"resistance", motor->resistance, NAN},
                                    {"torque_constant", motor->torque_constant, NAN},
                                    {"gear", motor->gear, 1},
                                    {"rotor_inertia", motor->rotor_inertia, 0},
                                    {"inductance", motor->inductance, 0},
                                    {"efficiency", motor->efficiency, 1},
                                    {"voltage", motor->voltage, INFINITY},
                                    {"current", motor->current, INFINITY}};
  ENTRIES(out, "limits", limit_entries);
  ENTRIES(out, "friction", friction_entries);
  if (joint->armature != 0) write_yaml_number(out, "    armature", joint->armature);
  if (motor->given) ENTRIES(out, "motor", motor_entries);
}

static void write_mimic(lwOut* out, const lwRobotDef* robot, const lwMimic* mimic)
{
  if (!mimic->given) return;
  lw_out_text(out, "    mimic:\n");
  write_text(out, "      joint", robot->joints[mimic->leader].name);
  write_yaml_number(out, "      multiplier", mimic->multiplier);
  write_yaml_number(out, "      offset", mimic->offset);
}

// key: with what stands before it
static void write_start(lwOut* out, const lwJointDef* joint, const char* key)
{
  int count = lw_joint_size(joint->type).nq;
  bool any  = false;
  for (int i = 0; i < count; ++i) any = any || joint->start[i] != 0;
  if (any && count == 1) write_yaml_number(out, key, joint->start[0]);
  if (any && count > 1) write_list(out, key, joint->start, count, "\n");
}

// Meshes are not written, and what has no size cannot be seen.
static bool shape_is_written(const lwShape* shape)
{
  bool box = shape->kind == LW_SHAPE_BOX, cylinder = shape->kind == LW_SHAPE_CYLINDER;
  return shape->kind != LW_SHAPE_MESH && shape->size[0] > 0 &&
         (!(box || cylinder) || shape->size[1] > 0) && (!box || shape->size[2] > 0);
}

static void write_yaml_shapes(lwOut* out, const lwLinkDef* link, const char* indent)
{
  static const char* const forms[] = {
      [LW_SHAPE_BOX] = "box", [LW_SHAPE_CYLINDER] = "cylinder", [LW_SHAPE_SPHERE] = "sphere"};
  char digits[LW_NUMBER_SIZE];
  double color[3];
  for (int i = 0, count = 0; i < link->shape_count; ++i)
  {
    const lwShape* shape = &link->shapes[i];
    if (!shape_is_written(shape)) continue;
    if (count++ == 0) lw_out_format(out, "%sshapes:\n", indent);
    lw_out_format(out, "%s  - {shape: %s, use: %s, ", indent, forms[shape->kind],
                  shape->visual ? "visual" : "collision");
    if (shape->kind == LW_SHAPE_BOX)
      write_list(out, "size", shape->size, 3, ", ");
    else
      lw_out_format(out, "radius: %s, ", lw_digits(shape->size[0], digits));
    if (shape->kind == LW_SHAPE_CYLINDER)
      lw_out_format(out, "length: %s, ", lw_digits(shape->size[1], digits));
    lw_out_text(out, "place: {");
    write_list(out, "xyz", shape->xyz, 3, ", ");
    write_list(out, "rpy", shape->rpy, 3, "}");
    lw_out_text(out, shape->color[3] > 0 ? ", " : "");
    for (int c = 0; c < 3; ++c) color[c] = fmin(fmax(shape->color[c], 0), 1);
    if (shape->color[3] > 0) write_list(out, "color", color, 3, "");
    lw_out_text(out, "}\n");
  }
}

static void write_yaml_link(lwOut* out, const lwLinkDef* link, const char* name, const char* indent)
{
  char digits[LW_NUMBER_SIZE];
  lw_out_text(out, indent);
  write_text(out, "name", name);
  if (!lw_link_has_mass(link)) return write_yaml_shapes(out, link, indent);
  lw_out_format(out, "%smass: %s\n%s", indent, lw_digits(link->mass, digits), indent);
  write_list(out, "com", link->com, 3, "\n");
  lw_out_text(out, indent);
  write_list(out, "inertia", link->inertia, 6, "\n");
  write_yaml_shapes(out, link, indent);
}

static void write_yaml_joint(lwOut* out, const lwRobotDef* robot, const lwJointDef* joint)
{
  bool on_base = joint->parent == LW_BASE;
  write_text(out, "  - name", joint->name);
  lw_out_format(out, "    type: %s\n", lw_joint_word(joint->type));
  write_text(out, "    parent", on_base ? "base" : robot->joints[joint->parent].name);
  write_place(out, joint);
  write_drive(out, joint);
  write_mimic(out, robot, &joint->mimic);
  if (joint->passive && joint->type != LW_JOINT_FIXED) lw_out_text(out, "    passive: true\n");
  write_start(out, joint, "    start");
  lw_out_text(out, "    link:\n");
  write_yaml_link(out, &joint->link, lw_link_name(joint), "      ");
}

// --- loops

static void write_frame(lwOut* out, const lwRobotDef* robot, const char* key, const lwFrame* frame)
{
  lw_out_format(out, "    %s:\n", key);
  write_text(out, "      link", lw_body_name(robot, frame->joint));
  write_list(out, "      xyz", frame->xyz, 3, "\n");
  write_list(out, "      rpy", frame->rpy, 3, "\n");
}

// Loops of a model without first frames hold velocities.
static bool is_rolling(const lwLoopDef* loop)
{
  return loop->type >= LW_LOOP_SKATE;
}

static void write_rolling(lwOut* out, const lwRobotDef* robot)
{
  int count = 0;
  for (int k = 0; k < robot->loop_count; ++k)
  {
    const lwLoopDef* loop = &robot->loops[k];
    double R[9], axis[3];
    if (!is_rolling(loop)) continue;
    if (count++ == 0) lw_out_text(out, "rolling:\n");
    lw_rotation_rpy(loop->second.rpy, R);
    lw_rotate(R, loop->axis, axis);
    lw_out_format(out, "  - %s", lw_loop_word(loop->type));
    write_text(out, "", lw_body_name(robot, loop->second.joint));
    write_list(out, "    at", loop->second.xyz, 3, "\n");
    write_list(out, loop->type == LW_LOOP_SKATE ? "    across" : "    axis", axis, 3, "\n");
    if (loop->type != LW_LOOP_SKATE) write_yaml_number(out, "    radius", loop->radius);
  }
}

static void write_loops(lwOut* out, const lwRobotDef* robot)
{
  for (int k = 0, count = 0; k < robot->loop_count; ++k)
  {
    const lwLoopDef* loop = &robot->loops[k];
    if (is_rolling(loop)) continue;
    if (count++ == 0) lw_out_text(out, "loops:\n");
    write_text(out, "  - name", loop->name);
    lw_out_format(out, "    type: %s\n", lw_loop_word(loop->type));
    if (loop->type == LW_LOOP_GEAR)
    {
      lw_out_text(out, "    joints:\n");
      write_item(out, robot->joints[loop->first.joint].name);
      write_item(out, robot->joints[loop->second.joint].name);
      write_yaml_number(out, "    ratio", loop->ratio);
      if (loop->offset != 0) write_yaml_number(out, "    offset", loop->offset);
      continue;
    }
    write_frame(out, robot, "first", &loop->first);
    write_frame(out, robot, "second", &loop->second);
    if (loop->type != LW_LOOP_HINGE && loop->type != LW_LOOP_LINE) continue;
    write_list(out, "    axis", loop->axis, 3, "\n");
  }
}

// --- the robot

static const char* convention(const lwRobotDef* robot)
{
  for (int i = 0; i < robot->count; ++i)
  {
    if (robot->joints[i].placement == LW_PLACEMENT_DH_MODIFIED) return "modified";
    if (robot->joints[i].placement == LW_PLACEMENT_DH_STANDARD) return "standard";
  }
  return NULL;
}

// The first joint is that of `base: {type: floating}`: a file cannot name a joint `base` itself.
static bool base_floats(const lwRobotDef* robot)
{
  return robot->count > 0 && robot->joints[0].type == LW_JOINT_FLOATING && robot->joints[0].name &&
         strcmp(robot->joints[0].name, "base") == 0;
}

static void write_base(lwOut* out, const lwRobotDef* robot)
{
  bool floats           = base_floats(robot);
  const lwLinkDef* base = floats ? &robot->joints[0].link : &robot->base;
  const char* name      = base->name ? base->name : "base";
  if (!floats && !lw_link_has_mass(base) && base->shape_count == 0 && strcmp(name, "base") == 0)
    return;
  lw_out_text(out, floats ? "base:\n  type: floating\n" : "base:\n");
  if (floats) write_start(out, &robot->joints[0], "  start");
  write_yaml_link(out, base, name, "  ");
}

// The warnings that are accepted, a line each; names may hold anything, so that they are quoted.
static void write_accept(lwOut* out, const char* lines)
{
  if (!lines || !*lines) return;
  lw_out_text(out, "accept:\n");
  for (const char* line = lines; *line;)
  {
    size_t length = strcspn(line, "\n");
    lw_out_text(out, "  - '");
    for (size_t i = 0; i < length; ++i)
    {
      if (line[i] == '\'') lw_out_char(out, '\'');
      lw_out_char(out, line[i]);
    }
    lw_out_text(out, "'\n");
    line += length + (line[length] == '\n');
  }
}

void lw_robot_write_yaml(lwOut* out, const lwRobotDef* robot, const lwRemarks* remarks)
{
  if (remarks && remarks->heading) write_comment(out, "", remarks->heading);
  lw_out_text(out, "linkwork: 1\n");
  write_text(out, "name", robot->name ? robot->name : "robot");
  if (robot->origin) write_text(out, "source", robot->origin);
  write_list(out, "gravity", robot->gravity, 3, "\n");
  write_accept(out, robot->accept);
  if (convention(robot)) lw_out_format(out, "dh: %s\n", convention(robot));
  write_base(out, robot);
  lw_out_text(out, "joints:\n");
  for (int i = base_floats(robot); i < robot->count; ++i)
  {
    if (remarks && remarks->joints && remarks->joints[i])
      write_comment(out, "  ", remarks->joints[i]);
    write_yaml_joint(out, robot, &robot->joints[i]);
  }
  write_loops(out, robot);
  write_rolling(out, robot);
}
