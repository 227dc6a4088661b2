// SPDX-License-Identifier: MIT
// Joints of a URDF file, and the transmissions that drive them.
#include <math.h>
#include <string.h>

#include "math/elementary.h"
#include "read/urdf/urdf.h"

static const char* name_of(const lwUrdfJoint* joint)
{
  return joint->def.name ? joint->def.name : "?";
}

// --- type

static const struct
{
  const char* name;
  lwJointType type;
  bool unlimited;  // in position
} types[] = {{"revolute", LW_JOINT_REVOLUTE, false},   {"continuous", LW_JOINT_REVOLUTE, true},
             {"prismatic", LW_JOINT_PRISMATIC, false}, {"fixed", LW_JOINT_FIXED, true},
             {"floating", LW_JOINT_FLOATING, true},    {"planar", LW_JOINT_PLANAR, true}};

// Index in types, or -1 after reporting what is wrong.
static int read_type(lwUrdf* urdf, const lwXml* element)
{
  lwPlace place    = element->place;
  const char* name = lw_urdf_name(urdf, element, "type", &place);
  if (!name) return -1;
  lwNearest nearest = lw_nearest(name);
  for (int i = 0; i < (int)(sizeof types / sizeof *types); ++i)
  {
    if (strcmp(name, types[i].name) == 0) return i;
    lw_nearest_try(&nearest, types[i].name);
  }
  lw_document_error(urdf->document, place, LW_DID_YOU_MEAN(nearest),
                    "'type' must be revolute, continuous, prismatic, fixed, floating or planar, "
                    "found '%.40s'",
                    name);
  return -1;
}

// --- axis

static bool read_axis(lwUrdf* urdf, lwUrdfJoint* joint)
{
  static const lwUrdfNumbers numbers[] = {{"xyz", 0, 3, NULL, true, false}};
  static const double digits           = 1e-6;  // a direction written with six digits is rounded
  const lwXml* element                 = lw_urdf_only(urdf, joint->element, "axis");
  double* axis                         = joint->def.axis;
  memcpy(axis, (const double[]){1, 0, 0}, 3 * sizeof *axis);
  if (!element) return true;
  joint->places[LW_FIELD_AXIS] = element->place;
  if (!lw_urdf_numbers(urdf, element, numbers, 1, NULL, axis)) return false;
  double length = lw_hypot(lw_hypot(axis[0], axis[1]), axis[2]);
  if (!(length > 1e-30) || length > 1e30) return true;  // refused later, with the other numbers
  if (fabs(length - 1) > digits)
    lw_urdf_warn(urdf, "axis-length", joint->def.name, element->place, "its direction is used",
                 "joint '%.60s': the axis (%g, %g, %g) has the length %g, expected 1",
                 name_of(joint), axis[0], axis[1], axis[2], length);
  for (int i = 0; i < 3; ++i) axis[i] /= length;
  return true;
}

// --- limits

#define AT(member) offsetof(lwLimits, member)
static const lwUrdfNumbers limit_numbers[] = {
    {"lower", AT(lower), 1, "rad or m", false, true},
    {"upper", AT(upper), 1, "rad or m", false, true},
    {"velocity", AT(velocity), 1, "rad/s or m/s", false, true},
    {"effort", AT(effort), 1, "N m or N", false, true},
};
#undef AT

// A limit that is not positive means no limit.
static void settle_limit(lwUrdf* urdf, const lwUrdfJoint* joint, const char* name, double* limit)
{
  if (*limit > 0 || isnan(*limit)) return;
  lw_urdf_warn(urdf, "no-limit", joint->def.name, joint->places[LW_FIELD_LIMITS],
               "it is taken as not limited",
               "joint '%.60s': the %s limit is %g, expected a positive number", name_of(joint),
               name, *limit);
  *limit = INFINITY;
}

static void settle_travel(lwUrdf* urdf, lwUrdfJoint* joint, bool given)
{
  lwLimits* limits = &joint->def.limits;
  if (limits->lower < limits->upper) return;
  if (given)
    lw_urdf_warn(urdf, "no-limit", joint->def.name, joint->places[LW_FIELD_LIMITS],
                 "it is taken as not limited",
                 "joint '%.60s': the lower limit is not below the upper one (%g, %g)",
                 name_of(joint), limits->lower, limits->upper);
  limits->lower = -INFINITY;
  limits->upper = INFINITY;
}

// lower and upper are 0 by default, as URDF says; neither: not limited.
static bool read_limits(lwUrdf* urdf, lwUrdfJoint* joint, bool unlimited)
{
  const lwXml* element = lw_urdf_only(urdf, joint->element, "limit");
  lwLimits* limits     = &joint->def.limits;
  if (!element && !unlimited && urdf->options.lint.pedantic)
    lw_urdf_warn(
        urdf, "no-limit", joint->def.name, joint->places[LW_FIELD_JOINT],
        "it is taken as not limited",
        "joint '%.60s' has no <limit>, which URDF demands of revolute and prismatic joints",
        name_of(joint));
  if (!element) return true;
  joint->places[LW_FIELD_LIMITS] = element->place;
  limits->lower = limits->upper = 0;
  if (!lw_urdf_numbers(urdf, element, limit_numbers, 4, NULL, limits)) return false;
  bool given  = lw_xml_attribute(element, "lower") || lw_xml_attribute(element, "upper");
  bool effort = lw_xml_attribute(element, "effort"), speed = lw_xml_attribute(element, "velocity");
  if (!(effort && speed) && urdf->options.lint.pedantic)
    lw_urdf_warn(urdf, "no-limit", joint->def.name, element->place, "it is taken as not limited",
                 "joint '%.60s': <limit> has no %s, which URDF demands", name_of(joint),
                 effort  ? "velocity"
                 : speed ? "effort"
                         : "effort and no velocity");
  if (unlimited) limits->lower = -INFINITY, limits->upper = INFINITY;
  settle_travel(urdf, joint, given);
  settle_limit(urdf, joint, "velocity", &limits->velocity);
  settle_limit(urdf, joint, "effort", &limits->effort);
  return true;
}

// --- friction, mimic

static bool read_dynamics(lwUrdf* urdf, lwUrdfJoint* joint)
{
  static const lwUrdfNumbers numbers[] = {
      {"damping", offsetof(lwFriction, viscous), 1, "N m s/rad or N s/m", false, false},
      {"friction", offsetof(lwFriction, coulomb), 1, "N m or N", false, false},
  };
  const lwXml* element = lw_urdf_only(urdf, joint->element, "dynamics");
  if (element) joint->places[LW_FIELD_FRICTION] = element->place;
  return lw_urdf_numbers(urdf, element, numbers, 2, NULL, &joint->def.friction);
}

static bool read_mimic(lwUrdf* urdf, lwUrdfJoint* joint)
{
  static const lwUrdfNumbers numbers[] = {
      {"multiplier", offsetof(lwMimic, multiplier), 1, NULL, false, false},
      {"offset", offsetof(lwMimic, offset), 1, "rad or m", false, false},
  };
  const lwXml* element = lw_urdf_only(urdf, joint->element, "mimic");
  if (!element) return true;
  joint->places[LW_FIELD_MIMIC] = element->place;
  joint->leader          = lw_urdf_name(urdf, element, "joint", &joint->places[LW_FIELD_MIMIC]);
  bool sound             = lw_urdf_numbers(urdf, element, numbers, 2, "joint", &joint->def.mimic);
  joint->def.mimic.given = joint->leader != NULL;
  return sound && joint->leader;
}

// --- the joint

static const char* const children[]       = {"origin", "parent",   "child", "axis",
                                             "limit",  "dynamics", "mimic", NULL};
static const char* const fixed_children[] = {"origin", "parent", "child", "axis", "mimic", NULL};

// For a joint with several freedoms: URDF does not define its limits, friction and mimic.
static bool read_compound(lwUrdf* urdf, lwUrdfJoint* joint)
{
  static const char* const vain[] = {"limit", "dynamics", "mimic"};
  lw_urdf_unused_children(urdf, joint->element, children);
  for (int i = 0; i < 3; ++i)
    if (lw_xml_child(joint->element, vain[i]))
      lw_urdf_note(urdf, "<%s> of joint '%.60s' is without effect: the joint is %s", vain[i],
                   name_of(joint), lw_joint_word(joint->def.type));
  return joint->def.type != LW_JOINT_PLANAR || read_axis(urdf, joint);
}

static bool read_moving(lwUrdf* urdf, lwUrdfJoint* joint, bool unlimited)
{
  bool sound = read_axis(urdf, joint);
  sound &= read_limits(urdf, joint, unlimited);
  sound &= read_dynamics(urdf, joint);
  sound &= read_mimic(urdf, joint);
  lw_urdf_unused_children(urdf, joint->element, children);
  return sound;
}

void lw_urdf_read_joint(lwUrdf* urdf, lwUrdfJoint* joint)
{
  const lwXml* element = joint->element;
  lwPlace* places      = joint->places;
  joint->def.placement = LW_PLACEMENT_ORIGIN_AXIS;
  int type             = read_type(urdf, element);
  bool sound           = type >= 0 && joint->def.name;
  joint->parent        = lw_urdf_link_of(urdf, element, "parent", &places[LW_FIELD_PARENT]);
  joint->child         = lw_urdf_link_of(urdf, element, "child", NULL);
  sound &= joint->parent >= 0 && joint->child >= 0;
  sound &=
      lw_urdf_origin(urdf, element, joint->def.xyz, joint->def.rpy, &places[LW_FIELD_PLACEMENT]);
  if (type >= 0) joint->def.type = types[type].type;
  bool held = joint->def.name && lw_fix_names(urdf->options.read.fix, joint->def.name);
  if (held) joint->def.type = LW_JOINT_FIXED;
  if (type >= 0 && joint->def.type == LW_JOINT_FIXED)
  {
    lw_urdf_unused_children(urdf, element, fixed_children);
    if (lw_xml_child(element, "mimic"))
      lw_urdf_note(urdf, "mimic of joint '%.60s' is without effect: the joint is fixed",
                   name_of(joint));
  }
  else if (type >= 0 && joint->def.type > LW_JOINT_FIXED)
    sound &= read_compound(urdf, joint);
  else if (type >= 0)
    sound &= read_moving(urdf, joint, types[type].unlimited);
  if (type >= 0 && held && types[type].type > LW_JOINT_FIXED)
    lw_urdf_note(urdf, "joint '%.60s' (%s) is fixed, as asked for", joint->def.name,
                 types[type].name);
  joint->wrong |= !sound;
}

// --- transmissions

// The first element of a name inside, at most two levels deep:
// <actuator> and <joint> hold it, or the transmission itself.
static const lwXml* find_inside(const lwXml* element, const char* name)
{
  const lwXml* found = lw_xml_child(element, name);
  for (const lwXml* child = element->children; child && !found; child = child->next)
    found = lw_xml_child(child, name);
  return found;
}

static void set_gear(lwUrdf* urdf, const lwXml* owner, double gear)
{
  const char* name = lw_urdf_name(urdf, owner, "name", NULL);
  int joint        = name ? lw_name_map_find(&urdf->joint_names, name) : -1;
  if (joint >= 0)
    urdf->joints[joint].def.motor.gear = gear;
  else if (name)
    lw_urdf_warn(urdf, "no-such-joint", name, owner->place, "it is left out",
                 "a transmission drives joint '%.60s', which does not exist", name);
}

void lw_urdf_read_transmission(lwUrdf* urdf, const lwXml* element)
{
  static const lwUrdfNumbers number = {"mechanicalReduction", 0, 1, NULL, false, false};
  double gear                       = 1;
  const lwXml* reduction            = find_inside(element, "mechanicalReduction");
  if (reduction)
  {
    if (!lw_urdf_number_text(urdf, reduction->text, reduction->place, &number, &gear)) return;
    if (gear == 0 || fabs(gear) > 1e30)
    {
      lw_urdf_warn(
          urdf, "reduction", NULL, reduction->place, "it is taken as 1",
          "mechanicalReduction is %g, expected the turns of the motor per turn of the joint", gear);
      gear = 1;
    }
  }
  for (const lwXml* child = element->children; child; child = child->next)
    if (strcmp(child->name, "joint") == 0) set_gear(urdf, child, gear);
}
