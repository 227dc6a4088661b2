// SPDX-License-Identifier: MIT
// MJCF: bodies inside each other, each with the joint that moves it. Without contacts.
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "model/transform.h"
#include "report/robot/robot_text.h"

typedef struct MjcfWriter
{
  lwOut* out;
  const lwRobotDef* robot;
  const lwRemarks* remarks;
  int *first,
      *next;  // (count + 1), (count) children of the base and of joint i - 1, from 1; 0: none
} MjcfWriter;

static void indent(lwOut* out, int depth)
{
  for (int i = 0; i < depth; ++i) lw_out_text(out, "  ");
}

static void attribute(lwOut* out, const char* key, const double* numbers, int count)
{
  lw_out_format(out, " %s=\"", key);
  lw_write_numbers(out, numbers, count, " ");
  lw_out_char(out, '"');
}

static void name_attribute(lwOut* out, const char* before, const char* name)
{
  lw_out_format(out, "%s=\"", before);
  lw_out_xml(out, true, name);
  lw_out_char(out, '"');
}

// Place and quaternion w x y z; neither where nothing is moved.
static void write_mjcf_place(lwOut* out, const double xyz[3], const double rpy[3])
{
  lwTransform place = lw_origin(xyz, rpy);
  double q[4];
  lw_quaternion(&place, q);
  double turned[4] = {q[3], q[0], q[1], q[2]};
  if (xyz[0] != 0 || xyz[1] != 0 || xyz[2] != 0) attribute(out, "pos", xyz, 3);
  if (rpy[0] != 0 || rpy[1] != 0 || rpy[2] != 0) attribute(out, "quat", turned, 4);
}

static void write_mjcf_inertial(lwOut* out, const lwLinkDef* link, int depth)
{
  if (!lw_link_has_mass(link)) return;
  indent(out, depth);
  lw_out_text(out, "<inertial");
  attribute(out, "pos", link->com, 3);
  attribute(out, "mass", &link->mass, 1);
  attribute(out, "fullinertia", link->inertia, 6);
  lw_out_text(out, "/>\n");
}

// Positions between limits that are both finite; a missing one becomes 1e9.
static void write_mjcf_joint(lwOut* out, const lwJointDef* joint, int depth)
{
  const lwLimits* limits = &joint->limits;
  double range[2]        = {fmax(limits->lower, -1e9), fmin(limits->upper, 1e9)};
  double effort[2]       = {-limits->effort, limits->effort};
  double armature        = lw_joint_rotor(joint);
  indent(out, depth);
  name_attribute(out, joint->type == LW_JOINT_FLOATING ? "<freejoint name" : "<joint name",
                 joint->name);
  if (joint->type == LW_JOINT_BALL) lw_out_text(out, " type=\"ball\"");
  if (joint->type <= LW_JOINT_PRISMATIC)
  {
    lw_out_format(out, " type=\"%s\"", joint->type == LW_JOINT_REVOLUTE ? "hinge" : "slide");
    attribute(out, "axis", joint->axis, 3);
    if (lw_is_limited(limits)) attribute(out, "range", range, 2);
    if (isfinite(limits->effort)) attribute(out, "actuatorfrcrange", effort, 2);
    if (joint->friction.viscous != 0) attribute(out, "damping", &joint->friction.viscous, 1);
    if (joint->friction.coulomb != 0) attribute(out, "frictionloss", &joint->friction.coulomb, 1);
    if (armature != 0) attribute(out, "armature", &armature, 1);
  }
  lw_out_text(out, "/>\n");
}

static void write_mjcf_body(MjcfWriter* writer, int i, int depth)
{
  lwOut* out              = writer->out;
  const lwJointDef* joint = &writer->robot->joints[i];
  const char* remark =
      writer->remarks && writer->remarks->joints ? writer->remarks->joints[i] : NULL;
  if (remark) indent(out, depth);
  if (remark) lw_xml_comment(out, "", remark);
  indent(out, depth);
  name_attribute(out, "<body name", lw_link_name(joint));
  write_mjcf_place(out, joint->xyz, joint->rpy);
  lw_out_text(out, ">\n");
  if (joint->type != LW_JOINT_FIXED) write_mjcf_joint(out, joint, depth + 1);
  write_mjcf_inertial(out, &joint->link, depth + 1);
  for (int k = writer->first[i + 1]; k > 0; k = writer->next[k - 1])
    write_mjcf_body(writer, k - 1, depth + 1);
  indent(out, depth);
  lw_out_text(out, "</body>\n");
}

static void write_mimics(lwOut* out, const lwRobotDef* robot)
{
  bool any = false;
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    double polynomial[5]    = {joint->mimic.offset, joint->mimic.multiplier, 0, 0, 0};
    if (!joint->mimic.given) continue;
    if (!any) lw_out_text(out, "  <equality>\n");
    any = true;
    name_attribute(out, "    <joint joint1", joint->name);
    name_attribute(out, " joint2", robot->joints[joint->mimic.leader].name);
    attribute(out, "polycoef", polynomial, 5);
    lw_out_text(out, "/>\n");
  }
  if (any) lw_out_text(out, "  </equality>\n");
}

// Children in the order of the description.
static bool find_children(MjcfWriter* writer)
{
  int count     = writer->robot->count;
  writer->first = calloc((size_t)count + 1, sizeof *writer->first);
  writer->next  = calloc((size_t)count + 1, sizeof *writer->next);
  if (!writer->first || !writer->next) return false;
  for (int i = count - 1; i >= 0; --i)
  {
    int* head       = &writer->first[writer->robot->joints[i].parent + 1];
    writer->next[i] = *head;
    *head           = i + 1;
  }
  return true;
}

// Bodies that carry each other are elements inside each other, of which readers take so many.
static bool is_too_deep(const lwRobotDef* robot, int i)
{
  int depth = 0;
  for (; i != LW_BASE && depth <= LW_MJCF_DEPTH; i = robot->joints[i].parent) ++depth;
  return depth > LW_MJCF_DEPTH;
}

static bool is_moved(const lwJointDef* joint)
{
  bool moved = joint->parent != LW_BASE;
  for (int k = 0; k < 3; ++k) moved = moved || joint->xyz[k] != 0 || joint->rpy[k] != 0;
  return moved;
}

const char* lw_mjcf_cannot(const lwRobotDef* robot, int* joint)
{
  for (*joint = 0; *joint < robot->count; ++*joint)
  {
    const lwJointDef* def = &robot->joints[*joint];
    if (def->type > LW_JOINT_FLOATING) return "has a type of joint that MJCF does not have";
    if (def->type == LW_JOINT_FLOATING && is_moved(def))
      return "floats, but not at the origin of the base, as free joints of MJCF do";
    if (is_too_deep(robot, *joint)) return "is carried by too many others for MJCF";
  }
  return NULL;
}

void lw_robot_write_mjcf(lwOut* out, const lwRobotDef* robot, const lwRemarks* remarks)
{
  MjcfWriter writer = {.out = out, .robot = robot, .remarks = remarks};
  bool based        = lw_link_has_mass(&robot->base);
  if (remarks && remarks->heading) lw_xml_comment(out, "", remarks->heading);
  if (robot->origin) lw_xml_comment(out, "", robot->origin);
  name_attribute(out, "<mujoco model", robot->name ? robot->name : "robot");
  lw_out_text(out, ">\n  <compiler angle=\"radian\" autolimits=\"true\"/>\n  <option");
  attribute(out, "gravity", robot->gravity, 3);
  lw_out_text(out, "/>\n  <worldbody>\n");
  if (based) name_attribute(out, "    <body name", lw_body_name(robot, LW_BASE));
  if (based) lw_out_text(out, ">\n");
  if (based) write_mjcf_inertial(out, &robot->base, 3);
  bool found = find_children(&writer);
  if (!found) out->error = ENOMEM;
  for (int k = found ? writer.first[0] : 0; k > 0; k = writer.next[k - 1])
    write_mjcf_body(&writer, k - 1, based ? 3 : 2);
  free(writer.first);
  free(writer.next);
  if (based) lw_out_text(out, "    </body>\n");
  lw_out_text(out, "  </worldbody>\n");
  write_mimics(out, robot);
  lw_out_text(out, "</mujoco>\n");
}
