// SPDX-License-Identifier: MIT
// The meaning of a description: structure, names and numbers. Numbers one by one are in
// check_numbers.c, mass properties in check_link.c.
#include "model/lint/validate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "model/joint_types.h"
#include "model/lint/lint.h"
#include "model/mimic.h"

static const double shortest_axis = 1e-30;  // its square is still a normal number

// --- reporting

const lwJointDef* lw_check_def(const lwCheck* check, int joint)
{
  return joint == LW_BASE ? &check->base : &check->robot->joints[joint];
}

const char* lw_check_subject(const lwCheck* check, int joint, lwField field,
                             char buffer[LW_SUBJECT_SIZE])
{
  const lwJointDef* def = lw_check_def(check, joint);
  bool about_link       = field >= LW_FIELD_LINK;
  const char* kind      = about_link ? "link" : "joint";
  const char* name      = about_link && def->link.name ? def->link.name : def->name;
  if (name)
    snprintf(buffer, LW_SUBJECT_SIZE, "%s '%.60s'", kind, name);
  else
    snprintf(buffer, LW_SUBJECT_SIZE, "%s %d", kind, joint + 1);
  return buffer;
}

lwPlace lw_check_place(const lwCheck* check, int joint, lwField field)
{
  const lwPlace* places = joint == LW_BASE ? check->robot->base_places : check->robot->places;
  if (!places) return (lwPlace){0, 0};
  if (joint != LW_BASE) places += (size_t)joint * LW_FIELD_COUNT;
  return places[field].line > 0 ? places[field] : places[LW_FIELD_JOINT];
}

lwFindings lw_findings(const char* file, const char* text, const char* accept, const lwLint* lint,
                       lwDiag* diag)
{
  return (lwFindings){.diag   = diag,
                      .source = {file, text, text ? strlen(text) : 0},
                      .accept = {accept, lint ? lint->accept : NULL},
                      .strict = lint && lint->strict};
}

lwSeverity lw_finding_severity(lwFindings* findings, lwSeverity severity)
{
  if (findings->strict) severity = LW_SEVERITY_ERROR;
  findings->errors += severity == LW_SEVERITY_ERROR;
  return severity;
}

// About the robot as a whole: no place is known.
#define report_robot(check, ...)                                                                   \
  lw_find(&(check)->found, LW_SEVERITY_ERROR, ((lwPlace){0, 0}), NULL, __VA_ARGS__)

// --- joints

static const char* const WARNINGS[] = {"angle-in-degrees",
                                       "axis-length",
                                       "base-inertia",
                                       "cannot-move",
                                       "density",
                                       "estimated",
                                       "far-com",
                                       "far-joint",
                                       "gyration-radius",
                                       "held-outside-limits",
                                       "inertia-without-mass",
                                       "limits-in-degrees",
                                       "negative-mass",
                                       "no-effect",
                                       "no-limit",
                                       "no-mass",
                                       "no-name",
                                       "no-such-joint",
                                       "placeholder",
                                       "point-mass",
                                       "product-signs",
                                       "reduction",
                                       "repeated",
                                       "shape-com",
                                       "shape-density",
                                       "shape-radius",
                                       "shape-size",
                                       "triangle-rule",
                                       "velocity-in-degrees",
                                       "weighing"};

const char* lw_warning_id(int index)
{
  return index >= 0 && (size_t)index < sizeof WARNINGS / sizeof *WARNINGS ? WARNINGS[index] : NULL;
}

static bool is_text(const char* text, const char* begin, size_t length)
{
  return text && strlen(text) == length && !strncmp(begin, text, length);
}

bool lw_warning_accepted(const char* lines, const char* id, const char* name, const char* other)
{
  size_t size = strlen(id);
  while (lines && *lines)
  {
    size_t length   = strcspn(lines, "\n");
    bool same       = length >= size && !strncmp(lines, id, size);
    const char* who = lines + size + 1;  // behind a space
    if (same && length == size) return true;
    if (same && lines[size] == ' ' &&
        (is_text(name, who, length - size - 1) || is_text(other, who, length - size - 1)))
      return true;
    lines += length + (lines[length] == '\n');
  }
  return false;
}

bool lw_finding_accepted(const lwFindings* findings, const char* id, const char* name,
                         const char* other)
{
  return lw_warning_accepted(findings->accept[0], id, name, other) ||
         lw_warning_accepted(findings->accept[1], id, name, other);
}

static bool check_structure(lwCheck* check, int joint)
{
  const lwJointDef* def = &check->robot->joints[joint];
  int before            = check->found.errors;
  if (!def->name || !*def->name)
    lw_check_report(check, LW_SEVERITY_ERROR, joint, LW_FIELD_NAME, NULL, "%s", "has no name");
  if ((unsigned)def->type >= LW_JOINT_TYPE_COUNT)
    lw_check_report(check, LW_SEVERITY_ERROR, joint, LW_FIELD_JOINT, NULL,
                    "%d is not a type of joint", (int)def->type);
  if ((unsigned)def->placement > LW_PLACEMENT_ORIGIN_AXIS)
    lw_check_report(check, LW_SEVERITY_ERROR, joint, LW_FIELD_PLACEMENT, NULL,
                    "%d is not a kind of placement", (int)def->placement);
  if (def->type > LW_JOINT_FIXED && (unsigned)def->type < LW_JOINT_TYPE_COUNT &&
      def->placement != LW_PLACEMENT_ORIGIN_AXIS)
    lw_check_report(check, LW_SEVERITY_ERROR, joint, LW_FIELD_PLACEMENT,
                    "DH parameters place revolute, prismatic and fixed joints",
                    "a %s joint is placed by an origin, not by DH parameters",
                    lw_joint_word(def->type));
  if (def->parent < LW_BASE || def->parent >= joint)
    lw_check_report(check, LW_SEVERITY_ERROR, joint, LW_FIELD_PARENT, NULL,
                    "parent %d must be LW_BASE or an earlier joint (this is %d)", def->parent,
                    joint);
  return check->found.errors == before;
}

static double vector_length(const double v[3])
{
  return lw_hypot(lw_hypot(v[0], v[1]), v[2]);
}

// The sine of the angle between the axes of a universal joint, below which they count as parallel.
static const double SMALLEST_ANGLE = 1e-6;

static void check_second_axis(lwCheck* check, int joint)
{
  const lwJointDef* def = &check->robot->joints[joint];
  double across[3];
  lw_cross(def->axis, def->axis2, across);
  double size = vector_length(def->axis) * vector_length(def->axis2);
  if (vector_length(def->axis2) > shortest_axis && vector_length(across) > SMALLEST_ANGLE * size)
    return;
  lw_check_report(check, LW_SEVERITY_ERROR, joint, LW_FIELD_AXIS, NULL,
                  "the second axis (%g, %g, %g) has no direction of its own beside the first "
                  "(%g, %g, %g)",
                  def->axis2[0], def->axis2[1], def->axis2[2], def->axis[0], def->axis[1],
                  def->axis[2]);
}

static void check_axis(lwCheck* check, int joint)
{
  const lwJointDef* def = &check->robot->joints[joint];
  if (def->placement != LW_PLACEMENT_ORIGIN_AXIS || !lw_joint_has_axis(def->type)) return;
  if (vector_length(def->axis) > shortest_axis)
  {
    if (def->type == LW_JOINT_UNIVERSAL) check_second_axis(check, joint);
    return;
  }
  lw_check_report(check, LW_SEVERITY_ERROR, joint, LW_FIELD_AXIS, NULL,
                  "axis has no direction (%g, %g, %g)", def->axis[0], def->axis[1], def->axis[2]);
}

static void check_limits(lwCheck* check, int joint)
{
  const lwLimits* limits = &check->robot->joints[joint].limits;
  bool possible          = limits->lower < INFINITY && limits->upper > -INFINITY;
  if (possible && limits->lower <= limits->upper) return;
  lw_check_report(check, LW_SEVERITY_ERROR, joint, LW_FIELD_LIMITS, NULL,
                  "lower limit is above upper limit (%g > %g)", limits->lower, limits->upper);
}

// Limits that are possible but probably not meant. Very large ones stand for none.
static void check_travel(lwCheck* check, int joint)
{
  static const double turns = 20, fast = 100, none = 1e4;  // rad, rad/s, both
  const lwJointDef* def  = &check->robot->joints[joint];
  const lwLimits* limits = &def->limits;
  double farthest        = fmax(fabs(limits->lower), fabs(limits->upper));
  if (def->type == LW_JOINT_FIXED) return;
  if (check->options.lint.pedantic && limits->lower == limits->upper)
    lw_check_warn(check, "cannot-move", joint, LW_FIELD_LIMITS,
                  "give it a range, or make it a fixed joint",
                  "the joint cannot move: both limits are %g", limits->lower);
  if (def->type != LW_JOINT_REVOLUTE) return;
  if (farthest > turns && farthest < none)
    lw_check_warn(check, "limits-in-degrees", joint, LW_FIELD_LIMITS,
                  "limits are in rad; robot files may say 170 deg",
                  "limits of %g to %g rad are several turns, as if they were in degrees",
                  limits->lower, limits->upper);
  if (limits->velocity > fast && limits->velocity < none)
    lw_check_warn(check, "velocity-in-degrees", joint, LW_FIELD_LIMITS,
                  "it is in rad/s; robot files may say 90 deg/s",
                  "a velocity limit of %g rad/s looks as if it were in deg/s", limits->velocity);
}

// Lengths in mm make a robot a thousand times as large.
static void check_lengths(lwCheck* check, int joint)
{
  static const double longest = 50;  // m
  const lwJointDef* def       = &check->robot->joints[joint];
  double step                 = def->placement == LW_PLACEMENT_ORIGIN_AXIS ? vector_length(def->xyz)
                                                                           : lw_hypot(def->a, def->d);
  if (step > longest)
    lw_check_warn(check, "far-joint", joint, LW_FIELD_PLACEMENT, "lengths are in m; is it in mm?",
                  "the joint is %.4g m away from the one before", step);
}

// No angle of a frame is beyond a whole turn; in degrees most are.
static void check_angles(lwCheck* check, int joint)
{
  static const double turn = 6.2831854;  // 2 pi and a little, so that rounding does not matter
  const lwJointDef* def    = &check->robot->joints[joint];
  bool origin              = def->placement == LW_PLACEMENT_ORIGIN_AXIS;
  const double angles[3]   = {origin ? def->rpy[0] : def->alpha, origin ? def->rpy[1] : def->theta,
                            origin ? def->rpy[2] : 0};
  const char* const names[2][3] = {{"alpha", "theta", ""}, {"roll", "pitch", "yaw"}};
  for (int k = 0; k < 3; ++k)
    if (fabs(angles[k]) > turn)
      lw_check_warn(check, "angle-in-degrees", joint, LW_FIELD_PLACEMENT,
                    "angles are in rad; robot files may say 90 deg",
                    "%s = %g rad is more than a turn, as if it were in degrees", names[origin][k],
                    angles[k]);
}

// A centre of mass beyond the reach of the whole robot.
static void check_com(lwCheck* check, int joint)
{
  const double* com = check->robot->joints[joint].link.com;
  if (check->arm > 0 && vector_length(com) > 10 * check->arm)
    lw_check_warn(check, "far-com", joint, LW_FIELD_COM, "lengths are in m; is it in mm?",
                  "centre of mass is %.4g m away from the origin of its link, more than 10 times "
                  "the reach of the robot, %.4g m",
                  vector_length(com), check->arm);
}

// Values that have no effect on a fixed joint, and no meaning for one with several freedoms.
static void check_unused(lwCheck* check, int joint)
{
  const lwJointDef* def = &check->robot->joints[joint];
  bool compound         = lw_joint_is_compound(def->type);
  if (def->type != LW_JOINT_FIXED && !compound) return;
  const lwLimits* limits = &def->limits;
  bool limited = isfinite(limits->lower) || isfinite(limits->upper) || isfinite(limits->velocity) ||
                 isfinite(limits->effort) || isfinite(limits->acceleration) ||
                 isfinite(limits->jerk);
  const struct
  {
    bool given;
    lwField field;
    const char* name;
  } vain[] = {
      {limited, LW_FIELD_LIMITS, "limits"},
      {def->friction.viscous > 0 || def->friction.coulomb > 0, LW_FIELD_FRICTION, "friction"},
      {def->armature > 0, LW_FIELD_MOTOR, "armature"},
      {def->motor.given, LW_FIELD_MOTOR, "motor"},
      {def->mimic.given, LW_FIELD_MIMIC, "mimic"}};
  for (size_t i = 0; i < sizeof vain / sizeof *vain; ++i)
  {
    if (vain[i].given && compound)
      lw_check_report(check, LW_SEVERITY_ERROR, joint, vain[i].field,
                      "only joints with one degree of freedom have them",
                      "a %s joint cannot have '%s'", lw_joint_word(def->type), vain[i].name);
    else if (vain[i].given)
      lw_check_warn(check, "no-effect", joint, vain[i].field, NULL,
                    "%s without effect: the joint is fixed", vain[i].name);
  }
}

static void check_joint(lwCheck* check, int joint)
{
  bool structure = check_structure(check, joint);
  bool finite    = lw_check_numbers(check, joint);
  if (!structure || !finite) return;
  check_axis(check, joint);
  check_limits(check, joint);
  check_travel(check, joint);
  check_lengths(check, joint);
  check_angles(check, joint);
  check_com(check, joint);
  check_unused(check, joint);
  lw_check_link(check, joint);
}

// --- names

// Reports a name that was given before; -1 as number in the map: it is new.
static bool check_name(lwCheck* check, lwNameMap* map, int joint, lwField field)
{
  const lwJointDef* def = lw_check_def(check, joint);
  const char* name      = field == LW_FIELD_NAME ? def->name : def->link.name;
  if (!name) return true;
  int* first = lw_name_map_put(map, name);  // one more than the number of the joint; 0: the base
  if (!first) return false;
  int line = *first < 0 ? 0 : lw_check_place(check, *first - 1, field).line;
  if (*first < 0)
    *first = joint + 1;
  else if (*first == 0 && line == 0)
    lw_check_report(check, LW_SEVERITY_ERROR, joint, field, NULL, "%s",
                    "this name is already given to the base");
  else if (line > 0)
    lw_check_report(check, LW_SEVERITY_ERROR, joint, field, NULL,
                    "this name is already given in line %d", line);
  else
    lw_check_report(check, LW_SEVERITY_ERROR, joint, field, NULL,
                    "this name is already given to number %d", *first);
  return true;
}

static bool check_names(lwCheck* check)
{
  lwArena arena    = {0};
  lwNameMap joints = {.arena = &arena}, links = {.arena = &arena};
  bool done = check_name(check, &links, LW_BASE, LW_FIELD_LINK);
  for (int i = 0; i < check->robot->count && done; ++i)
    done =
        check_name(check, &joints, i, LW_FIELD_NAME) && check_name(check, &links, i, LW_FIELD_LINK);
  lw_arena_free(&arena);
  return done;
}

// --- the robot

static bool check_robot(lwCheck* check)
{
  const lwRobotDef* robot = check->robot;
  for (int i = 0; i < 3; ++i)
  {
    const char* what = lw_number_fault(LW_RULE_FINITE, robot->gravity[i]);
    if (what)
      report_robot(check, "item %d of gravity %s (%g m/s^2)", i + 1, what, robot->gravity[i]);
  }
  if (robot->count <= 0 || !robot->joints)
    report_robot(check, "the robot has no joints");
  else if (robot->count > LW_MAX_JOINTS)
    report_robot(check, "the robot has %d joints; at most %d are possible", robot->count,
                 LW_MAX_JOINTS);
  else
    return true;
  return false;
}

static void check_moves(lwCheck* check)
{
  for (int i = 0; i < check->robot->count; ++i)
  {
    const lwJointDef* joint = &check->robot->joints[i];
    bool follows            = joint->mimic.given && !check->options.joints.free_mimics;
    if (joint->type != LW_JOINT_FIXED && !follows) return;
  }
  report_robot(check, "the robot has no moving joint");
}

// Distance from the base to the end of the stretched robot, or more: all placements and travels,
// and for the reach all centres of mass.
static void measure_robot(lwCheck* check)
{
  const lwRobotDef* robot = check->robot;
  double reach = 0, arm = 0;
  for (int i = 0; i < robot->count; ++i)
  {
    const lwJointDef* def = &robot->joints[i];
    bool dh               = def->placement != LW_PLACEMENT_ORIGIN_AXIS;
    double travel         = fmax(fabs(def->limits.lower), fabs(def->limits.upper));
    arm += dh ? lw_hypot(def->a, def->d) : vector_length(def->xyz);
    reach += vector_length(def->link.com);
    if (def->type == LW_JOINT_PRISMATIC && isfinite(travel)) arm += travel;
  }
  check->arm   = isfinite(arm) ? arm : 0;
  check->reach = isfinite(reach + arm) ? reach + arm : 0;
}

static lwCheck check_begin(const lwRobotDef* robot, const lwModelOptions* options, lwDiag* diag)
{
  lwCheck check = {.robot = robot};
  if (options) check.options = *options;
  check.found     = lw_findings(robot->file, robot->text, robot->accept, &check.options.lint, diag);
  check.base      = lw_joint_def();
  check.base.type = LW_JOINT_FIXED;
  check.base.link = robot->base;
  check.base.name = "base";
  return check;
}

// unread: (count) joints that could not be read, or NULL: all could.
static lwStatus check_all(lwCheck* check, const bool* unread)
{
  for (int i = 0; i < check->robot->count; ++i)
    if (!unread || !unread[i]) check_joint(check, i);
  if (lw_check_numbers(check, LW_BASE)) lw_check_link(check, LW_BASE);
  bool mimics = !unread && !check->options.joints.free_mimics;
  if (!check_names(check) || (mimics && !lw_check_mimics(check))) return LW_ERROR_MEMORY;
  return check->found.errors > 0 ? LW_ERROR_INPUT : LW_OK;
}

lwStatus lw_robot_validate_rest(const lwRobotDef* robot, const bool* unread,
                                const lwModelOptions* options, lwDiag* diag)
{
  lwCheck check = check_begin(robot, options, diag);
  return check_all(&check, unread);
}

lwStatus lw_robot_validate(const lwRobotDef* robot, const lwModelOptions* options, lwDiag* diag)
{
  if (!robot) return LW_ERROR_INPUT;
  lwStatus made = lw_def_check(robot->cookie, "lw_robot_def()", diag);
  if (made != LW_OK) return made;
  lwCheck check = check_begin(robot, options, diag);
  if (!check_robot(&check)) return LW_ERROR_INPUT;
  for (int i = 0; i < robot->count && made == LW_OK; ++i)
    made = lw_def_check(robot->joints[i].cookie, "lw_joint_def()", diag);
  if (made != LW_OK) return made;
  measure_robot(&check);
  check_moves(&check);
  return check_all(&check, NULL);
}
