// SPDX-License-Identifier: MIT
// What a form cannot hold.
#include <math.h>

#include "report/robot/robot_text.h"

const char* const LW_LOSS_NAMES[LW_LOSS_COUNT] = {"loops",  "cylinders", "motors",
                                                  "limits", "gravity",   "shapes"};

static bool lacks_position(const lwJointDef* joint)
{
  bool open = isinf(joint->limits.lower) || isinf(joint->limits.upper);
  return open && (joint->type == LW_JOINT_PRISMATIC || lw_is_limited(&joint->limits));
}

static bool lacks_effort(const lwJointDef* joint)
{
  bool effort = isfinite(joint->limits.effort), velocity = isfinite(joint->limits.velocity);
  bool demanded =
      joint->type == LW_JOINT_PRISMATIC || lw_is_limited(&joint->limits) || effort || velocity;
  return demanded && !(effort && velocity);
}

static bool loses_rates(const lwJointDef* joint)
{
  return isfinite(joint->limits.acceleration) || isfinite(joint->limits.jerk);
}

static bool lacks_end(const lwJointDef* joint)
{
  return isfinite(joint->limits.lower) != isfinite(joint->limits.upper);
}

static bool loses_speed(const lwJointDef* joint)
{
  return isfinite(joint->limits.velocity) || loses_rates(joint);
}

static bool loses_motor(const lwJointDef* joint)
{
  const lwMotor* m = &joint->motor;
  return m->given &&
         (m->resistance != 0 || m->torque_constant != 0 || m->rotor_inertia != 0 ||
          m->inductance != 0 || m->efficiency != 1 || isfinite(m->voltage) || isfinite(m->current));
}

static bool loses_armature(const lwJointDef* joint)
{
  return joint->armature != 0;
}

static bool loses_gear(const lwJointDef* joint)
{
  return !joint->motor.given && joint->motor.gear != 1;
}

static const struct
{
  bool (*lost)(const lwJointDef* joint);
  lwRobotFormat format;
  lwLoss loss;
  const char* text;
} LOSSES[] = {
    {lacks_position, LW_ROBOT_FORMAT_URDF, LW_LOSS_LIMITS,
     "a position limit is missing, which URDF demands; it becomes 1e9"},
    {lacks_effort, LW_ROBOT_FORMAT_URDF, LW_LOSS_LIMITS,
     "a limit of effort or velocity is missing, which URDF demands; it becomes 1e9"},
    {loses_rates, LW_ROBOT_FORMAT_URDF, LW_LOSS_LIMITS,
     "limits of acceleration and jerk are lost, which URDF does not have"},
    {loses_motor, LW_ROBOT_FORMAT_URDF, LW_LOSS_MOTORS,
     "of the motor only the gear stays, as the reduction of a transmission"},
    {loses_armature, LW_ROBOT_FORMAT_URDF, LW_LOSS_MOTORS,
     "the armature is lost, which URDF does not have"},
    {lacks_end, LW_ROBOT_FORMAT_MJCF, LW_LOSS_LIMITS,
     "a position limit is missing, which MJCF demands beside the other; it becomes 1e9"},
    {loses_speed, LW_ROBOT_FORMAT_MJCF, LW_LOSS_LIMITS,
     "limits of velocity, acceleration and jerk are lost, which MJCF does not have"},
    {loses_motor, LW_ROBOT_FORMAT_MJCF, LW_LOSS_MOTORS,
     "of the motor only the rotor's inertia at the joint stays, as armature"},
    {loses_gear, LW_ROBOT_FORMAT_MJCF, LW_LOSS_MOTORS,
     "the gear of a transmission, without a motor, has no place in MJCF"},
    {loses_gear, LW_ROBOT_FORMAT_YAML, LW_LOSS_MOTORS,
     "the gear of a transmission, without a motor, has no place in a robot file"},
};

// One line that names the joints concerned, the first few of them.
static bool write_loss(lwOut* out, const lwRobotDef* robot, bool (*lost)(const lwJointDef*),
                       const char* text)
{
  const int named = 5;
  int count       = 0;
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* joint = &robot->joints[i];
    if (joint->type == LW_JOINT_FIXED || !lost(joint)) continue;
    if (count < named) lw_out_format(out, "%s%s", count > 0 ? ", " : "joint ", joint->name);
    ++count;
  }
  if (count > named) lw_out_format(out, " and %d more", count - named);
  if (count > 0) lw_out_format(out, ": %s\n", text);
  return count > 0;
}

// MJCF: all shapes. Robot files: meshes, whose paths are those of another file.
static bool loses_shapes(const lwLinkDef* link, bool all)
{
  for (int i = 0; i < link->shape_count; ++i)
    if (all || link->shapes[i].kind == LW_SHAPE_MESH) return true;
  return false;
}

static bool write_shapes_lost(lwOut* out, const lwRobotDef* robot, lwRobotFormat format)
{
  bool all  = format == LW_ROBOT_FORMAT_MJCF;
  int count = loses_shapes(&robot->base, all);
  for (int i = 0; i < robot->count; ++i) count += loses_shapes(&robot->joints[i].link, all);
  if (count > 0)
    lw_out_format(out, "the %s of %d link%s: they are not written %s\n", all ? "shapes" : "meshes",
                  count, count == 1 ? "" : "s", all ? "as MJCF" : "to robot files");
  return count > 0;
}

unsigned lw_robot_write_losses(lwOut* out, const lwRobotDef* robot, lwRobotFormat format)
{
  bool urdf       = format == LW_ROBOT_FORMAT_URDF;
  const double* g = robot->gravity;
  unsigned lost   = 0;
  if (urdf && (g[0] != 0 || g[1] != 0 || g[2] != -9.81))
  {
    lw_out_format(out, "gravity %g %g %g m/s^2: URDF has none; who reads it takes 0 0 -9.81\n",
                  g[0], g[1], g[2]);
    lost |= 1u << LW_LOSS_GRAVITY;
  }
  if (format != LW_ROBOT_FORMAT_YAML && robot->loop_count > 0)
  {
    lw_out_format(out, "%d loop%s, starts and passive joints: %s\n", robot->loop_count,
                  robot->loop_count == 1 ? "" : "s",
                  urdf ? "URDF has trees of joints only" : "only trees are written as MJCF");
    lost |= 1u << LW_LOSS_LOOPS;
  }
  if (!urdf && write_shapes_lost(out, robot, format)) lost |= 1u << LW_LOSS_SHAPES;
  for (size_t k = 0; k < sizeof LOSSES / sizeof *LOSSES; ++k)
    if (LOSSES[k].format == format && write_loss(out, robot, LOSSES[k].lost, LOSSES[k].text))
      lost |= 1u << LOSSES[k].loss;
  return lost;
}
