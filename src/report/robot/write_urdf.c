// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "report/robot/robot_text.h"

// What stands for a limit of effort or velocity that the description does not
// have: URDF demands both.
static const double NO_LIMIT = 1e9;

// --- texts

static void write_escaped(FILE* out, const char* text)
{
  for (const unsigned char* c = (const unsigned char*)text; *c; ++c)
  {
    if (*c == '&')
      fputs("&amp;", out);
    else if (*c == '<')
      fputs("&lt;", out);
    else if (*c == '>')
      fputs("&gt;", out);
    else if (*c == '"')
      fputs("&quot;", out);
    else if (*c < 0x20)
      fprintf(out, "&#%d;", *c);
    else
      fputc(*c, out);
  }
}

// A name between two pieces of markup.
static void write_name(FILE* out, const char* before, const char* name, const char* after)
{
  fputs(before, out);
  write_escaped(out, name);
  fputs(after, out);
}

// A comment must not contain "--" or end with "-".
static void write_comment(FILE* out, const char* indent, const char* text)
{
  fprintf(out, "%s<!-- ", indent);
  for (const char* c = text; *c; ++c)
  {
    if (*c == '-' && c[1] == '-')
      fputs("- ", out);
    else if (*c == '\n' && c[1])
      fprintf(out, "\n%s     ", indent);
    else if (*c != '\n')
      fputc(*c, out);
  }
  fputs(" -->\n", out);
}

static void write_vector(FILE* out, const char* key, const double v[3])
{
  fprintf(out, " %s=\"", key);
  lw_write_numbers(out, v, 3, " ");
  fputc('"', out);
}

static void write_number(FILE* out, const char* key, double x)
{
  char digits[LW_NUMBER_SIZE];
  fprintf(out, " %s=\"%s\"", key, lw_digits(x, digits));
}

// --- links and joints

static void write_inertial(FILE* out, const lwLinkDef* link)
{
  static const char* const keys[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  static const int order[]        = {0, 3, 4, 1, 5, 2};
  static const double zero[3]     = {0, 0, 0};
  fputs("    <inertial>\n      <origin", out);
  write_vector(out, "xyz", link->com);
  write_vector(out, "rpy", zero);
  fputs("/>\n      <mass", out);
  write_number(out, "value", link->mass);
  fputs("/>\n      <inertia", out);
  for (int k = 0; k < 6; ++k) write_number(out, keys[k], link->inertia[order[k]]);
  fputs("/>\n    </inertial>\n", out);
}

static void write_geometry(FILE* out, const lwShape* shape)
{
  if (shape->kind == LW_SHAPE_BOX) fputs("<box", out);
  if (shape->kind == LW_SHAPE_BOX) write_vector(out, "size", shape->size);
  if (shape->kind == LW_SHAPE_CYLINDER) fputs("<cylinder", out);
  if (shape->kind == LW_SHAPE_SPHERE) fputs("<sphere", out);
  if (shape->kind == LW_SHAPE_CYLINDER || shape->kind == LW_SHAPE_SPHERE)
    write_number(out, "radius", shape->size[0]);
  if (shape->kind == LW_SHAPE_CYLINDER) write_number(out, "length", shape->size[1]);
  if (shape->kind == LW_SHAPE_MESH) write_name(out, "<mesh filename=\"", shape->mesh, "\"");
  if (shape->kind == LW_SHAPE_MESH) write_vector(out, "scale", shape->size);
  fputs("/>", out);
}

static void write_shape(FILE* out, const lwShape* shape)
{
  const char* use = shape->visual ? "visual" : "collision";
  fprintf(out, "    <%s>\n      <origin", use);
  write_vector(out, "xyz", shape->xyz);
  write_vector(out, "rpy", shape->rpy);
  fputs("/>\n      <geometry>", out);
  write_geometry(out, shape);
  fprintf(out, "</geometry>\n    </%s>\n", use);
}

static void write_urdf_link(FILE* out, const lwLinkDef* link, const char* name)
{
  bool empty = !lw_link_has_mass(link) && link->shape_count == 0;
  write_name(out, "  <link name=\"", name, empty ? "\"/>\n" : "\">\n");
  if (lw_link_has_mass(link)) write_inertial(out, link);
  for (int i = 0; i < link->shape_count; ++i) write_shape(out, &link->shapes[i]);
  if (!empty) fputs("  </link>\n", out);
}

static const char* type_name(const lwJointDef* joint)
{
  if (joint->type == LW_JOINT_FIXED) return "fixed";
  if (joint->type == LW_JOINT_PRISMATIC) return "prismatic";
  if (joint->type > LW_JOINT_FIXED) return lw_joint_word(joint->type);
  return lw_is_limited(&joint->limits) ? "revolute" : "continuous";
}

static double or_none(double limit)
{
  return isfinite(limit) ? limit : copysign(NO_LIMIT, limit);
}

static void write_limits(FILE* out, const lwJointDef* joint)
{
  const lwLimits* limits = &joint->limits;
  bool positions         = joint->type == LW_JOINT_PRISMATIC || lw_is_limited(limits);
  if (!positions && isinf(limits->effort) && isinf(limits->velocity)) return;
  fputs("    <limit", out);
  if (positions) write_number(out, "lower", or_none(limits->lower));
  if (positions) write_number(out, "upper", or_none(limits->upper));
  write_number(out, "effort", or_none(limits->effort));
  write_number(out, "velocity", or_none(limits->velocity));
  fputs("/>\n", out);
}

static void write_motion(FILE* out, const lwRobotDef* robot, const lwJointDef* joint)
{
  fputs("    <axis", out);
  write_vector(out, "xyz", joint->axis);
  fputs("/>\n", out);
  write_limits(out, joint);
  if (joint->friction.viscous != 0 || joint->friction.coulomb != 0)
  {
    fputs("    <dynamics", out);
    write_number(out, "damping", joint->friction.viscous);
    write_number(out, "friction", joint->friction.coulomb);
    fputs("/>\n", out);
  }
  if (!joint->mimic.given) return;
  write_name(out, "    <mimic joint=\"", robot->joints[joint->mimic.leader].name, "\"");
  write_number(out, "multiplier", joint->mimic.multiplier);
  write_number(out, "offset", joint->mimic.offset);
  fputs("/>\n", out);
}

static void write_urdf_joint(FILE* out, const lwRobotDef* robot, const lwJointDef* joint)
{
  write_name(out, "  <joint name=\"", joint->name, "\"");
  fprintf(out, " type=\"%s\">\n    <origin", type_name(joint));
  write_vector(out, "xyz", joint->xyz);
  write_vector(out, "rpy", joint->rpy);
  fputs("/>\n", out);
  write_name(out, "    <parent link=\"", lw_carrier_name(robot, joint), "\"/>\n");
  write_name(out, "    <child link=\"", lw_carried_name(joint), "\"/>\n");
  if (joint->type != LW_JOINT_FIXED) write_motion(out, robot, joint);
  fputs("  </joint>\n", out);
}

static void write_transmission(FILE* out, const lwJointDef* joint)
{
  char digits[LW_NUMBER_SIZE];
  if (joint->type == LW_JOINT_FIXED || (!joint->motor.given && joint->motor.gear == 1)) return;
  write_name(out, "  <transmission name=\"", joint->name, "_transmission\">\n");
  fputs("    <type>transmission_interface/SimpleTransmission</type>\n", out);
  write_name(out, "    <joint name=\"", joint->name, "\"/>\n");
  write_name(out, "    <actuator name=\"", joint->name, "_motor\">\n");
  fprintf(out, "      <mechanicalReduction>%s</mechanicalReduction>\n",
          lw_digits(joint->motor.gear, digits));
  fputs("    </actuator>\n  </transmission>\n", out);
}

// --- the robot

void lw_robot_write_urdf(FILE* out, const lwRobotDef* robot, const lwRemarks* remarks)
{
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
  if (remarks && remarks->heading) write_comment(out, "", remarks->heading);
  if (robot->origin) write_comment(out, "", robot->origin);
  write_name(out, "<robot name=\"", robot->name ? robot->name : "robot", "\">\n");
  write_urdf_link(out, &robot->base, robot->base.name ? robot->base.name : "base");
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    if (remarks && remarks->joints && remarks->joints[i])
      write_comment(out, "  ", remarks->joints[i]);
    write_urdf_joint(out, robot, joint);
    write_urdf_link(out, &joint->link, lw_carried_name(joint));
  }
  for (int i = 0; i < robot->count; ++i) write_transmission(out, &robot->joints[i]);
  fputs("</robot>\n", out);
}
