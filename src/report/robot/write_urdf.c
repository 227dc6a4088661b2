// SPDX-License-Identifier: MIT
#include <math.h>

#include "report/robot/robot_text.h"

// What stands for a limit of effort or velocity that the description does not
// have: URDF demands both.
static const double NO_LIMIT = 1e9;

// --- texts

// A name between two pieces of markup.
static void write_name(lwOut* out, const char* before, const char* name, const char* after)
{
  lw_out_text(out, before);
  lw_out_xml(out, true, name);
  lw_out_text(out, after);
}

void lw_xml_comment(lwOut* out, const char* indent, const char* text)
{
  lw_out_format(out, "%s<!-- ", indent);
  for (const char* c = text; *c; ++c)
  {
    if (*c == '-' && c[1] == '-')
      lw_out_text(out, "- ");
    else if (*c == '\n' && c[1])
      lw_out_format(out, "\n%s     ", indent);
    else if (*c != '\n')
      lw_out_char(out, *c);
  }
  lw_out_text(out, " -->\n");
}

static void write_vector(lwOut* out, const char* key, const double v[3])
{
  lw_out_format(out, " %s=\"", key);
  lw_write_numbers(out, v, 3, " ");
  lw_out_char(out, '"');
}

static void write_number(lwOut* out, const char* key, double x)
{
  char digits[LW_NUMBER_SIZE];
  lw_out_format(out, " %s=\"%s\"", key, lw_digits(x, digits));
}

// --- links and joints

static void write_color(lwOut* out, const lwShape* shape)
{
  if (!(shape->visual && shape->color[3] > 0)) return;
  lw_out_text(out, "      <material name=\"\"><color rgba=\"");
  lw_write_numbers(out, shape->color, 4, " ");
  lw_out_text(out, "\"/></material>\n");
}

static void write_urdf_link(lwOut* out, const lwLinkDef* link, const char* name)
{
  bool empty = !lw_link_has_mass(link) && link->shape_count == 0;
  write_name(out, "  <link name=\"", name, empty ? "\"/>\n" : "\">\n");
  if (lw_link_has_mass(link))
  {
    static const char* const keys[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int order[]        = {0, 3, 4, 1, 5, 2};
    static const double zero[3]     = {0, 0, 0};
    lw_out_text(out, "    <inertial>\n      <origin");
    write_vector(out, "xyz", link->com);
    write_vector(out, "rpy", zero);
    lw_out_text(out, "/>\n      <mass");
    write_number(out, "value", link->mass);
    lw_out_text(out, "/>\n      <inertia");
    for (int k = 0; k < 6; ++k) write_number(out, keys[k], link->inertia[order[k]]);
    lw_out_text(out, "/>\n    </inertial>\n");
  }
  for (int i = 0; i < link->shape_count; ++i)
  {
    const char* use = link->shapes[i].visual ? "visual" : "collision";
    lw_out_format(out, "    <%s>\n      <origin", use);
    write_vector(out, "xyz", link->shapes[i].xyz);
    write_vector(out, "rpy", link->shapes[i].rpy);
    lw_out_text(out, "/>\n      <geometry>");
    if (link->shapes[i].kind == LW_SHAPE_BOX) lw_out_text(out, "<box");
    if (link->shapes[i].kind == LW_SHAPE_BOX) write_vector(out, "size", link->shapes[i].size);
    if (link->shapes[i].kind == LW_SHAPE_CYLINDER) lw_out_text(out, "<cylinder");
    if (link->shapes[i].kind == LW_SHAPE_SPHERE) lw_out_text(out, "<sphere");
    if (link->shapes[i].kind == LW_SHAPE_CYLINDER || link->shapes[i].kind == LW_SHAPE_SPHERE)
      write_number(out, "radius", link->shapes[i].size[0]);
    if (link->shapes[i].kind == LW_SHAPE_CYLINDER)
      write_number(out, "length", link->shapes[i].size[1]);
    if (link->shapes[i].kind == LW_SHAPE_MESH)
      write_name(out, "<mesh filename=\"", link->shapes[i].mesh, "\"");
    if (link->shapes[i].kind == LW_SHAPE_MESH) write_vector(out, "scale", link->shapes[i].size);
    lw_out_text(out, "/></geometry>\n");
    write_color(out, &link->shapes[i]);
    lw_out_format(out, "    </%s>\n", use);
  }
  if (!empty) lw_out_text(out, "  </link>\n");
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

static void write_limits(lwOut* out, const lwJointDef* joint)
{
  const lwLimits* limits = &joint->limits;
  bool positions         = joint->type == LW_JOINT_PRISMATIC || lw_is_limited(limits);
  if (!positions && isinf(limits->effort) && isinf(limits->velocity)) return;
  lw_out_text(out, "    <limit");
  if (positions) write_number(out, "lower", or_none(limits->lower));
  if (positions) write_number(out, "upper", or_none(limits->upper));
  write_number(out, "effort", or_none(limits->effort));
  write_number(out, "velocity", or_none(limits->velocity));
  lw_out_text(out, "/>\n");
}

static void write_motion(lwOut* out, const lwRobotDef* robot, const lwJointDef* joint)
{
  lw_out_text(out, "    <axis");
  write_vector(out, "xyz", joint->axis);
  lw_out_text(out, "/>\n");
  write_limits(out, joint);
  if (joint->friction.viscous != 0 || joint->friction.coulomb != 0)
  {
    lw_out_text(out, "    <dynamics");
    write_number(out, "damping", joint->friction.viscous);
    write_number(out, "friction", joint->friction.coulomb);
    lw_out_text(out, "/>\n");
  }
  if (!joint->mimic.given) return;
  write_name(out, "    <mimic joint=\"", robot->joints[joint->mimic.leader].name, "\"");
  write_number(out, "multiplier", joint->mimic.multiplier);
  write_number(out, "offset", joint->mimic.offset);
  lw_out_text(out, "/>\n");
}

static void write_transmission(lwOut* out, const lwJointDef* joint)
{
  char digits[LW_NUMBER_SIZE];
  if (joint->type == LW_JOINT_FIXED || (!joint->motor.given && joint->motor.gear == 1)) return;
  write_name(out, "  <transmission name=\"", joint->name, "_transmission\">\n");
  lw_out_text(out, "    <type>transmission_interface/SimpleTransmission</type>\n");
  write_name(out, "    <joint name=\"", joint->name, "\"/>\n");
  write_name(out, "    <actuator name=\"", joint->name, "_motor\">\n");
  lw_out_format(out, "      <mechanicalReduction>%s</mechanicalReduction>\n",
                lw_digits(joint->motor.gear, digits));
  lw_out_text(out, "    </actuator>\n  </transmission>\n");
}

// --- the robot

void lw_robot_write_urdf(lwOut* out, const lwRobotDef* robot, const lwRemarks* remarks)
{
  lw_out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
  if (remarks && remarks->heading) lw_xml_comment(out, "", remarks->heading);
  if (robot->origin) lw_xml_comment(out, "", robot->origin);
  write_name(out, "<robot name=\"", robot->name ? robot->name : "robot", "\">\n");
  write_urdf_link(out, &robot->base, lw_body_name(robot, LW_BASE));
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    if (remarks && remarks->joints && remarks->joints[i])
      lw_xml_comment(out, "  ", remarks->joints[i]);
    write_name(out, "  <joint name=\"", joint->name, "\"");
    lw_out_format(out, " type=\"%s\">\n    <origin", type_name(joint));
    write_vector(out, "xyz", joint->xyz);
    write_vector(out, "rpy", joint->rpy);
    lw_out_text(out, "/>\n");
    write_name(out, "    <parent link=\"", lw_body_name(robot, joint->parent), "\"/>\n");
    write_name(out, "    <child link=\"", lw_link_name(joint), "\"/>\n");
    if (joint->type != LW_JOINT_FIXED) write_motion(out, robot, joint);
    lw_out_text(out, "  </joint>\n");
    write_urdf_link(out, &joint->link, lw_link_name(joint));
  }
  for (int i = 0; i < robot->count; ++i) write_transmission(out, &robot->joints[i]);
  lw_out_text(out, "</robot>\n");
}
