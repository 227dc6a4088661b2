// SPDX-License-Identifier: MIT
// The variables: their table, and what setting them changes.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "command/ranges.h"
#include "shell.h"

const lwJointDef* shell_joint(const Shell* shell, int k)
{
  return &lw_model_robot(shell->model)->joints[lw_model_joint(shell->model, k)];
}

// The input of a question that has as many values.
static Group group_like(int vector)
{
  return vector < VECTOR_VOLTAGE ? (Group)vector : GROUP_QD;
}

int vector_width(const Shell* shell, int vector)
{
  return group_width(shell->model, group_like(vector));
}

lwCoordinate vector_entry(const Shell* shell, int vector, int k)
{
  return coordinate(shell->model, group_like(vector), k);
}

// --- torque and voltage

// Where the motor of a joint is, by its voltage or its torque.
static lwMotorPoint motor_point(const Shell* shell, int k)
{
  const lwMotor* motor = &shell_joint(shell, k)->motor;
  double* const* v     = shell->vectors;
  return shell->voltage_leads ? lw_motor_drive(motor, v[VECTOR_OMEGA][k], v[VECTOR_DAC_OUT][k])
                              : lw_motor_need(motor, v[VECTOR_OMEGA][k], v[VECTOR_TORQUE][k], 0);
}

void shell_tie(Shell* shell)
{
  for (int k = 0; k < shell->n; ++k)
  {
    if (!shell_joint(shell, k)->motor.given) continue;
    lwMotorPoint point                = motor_point(shell, k);
    shell->vectors[VECTOR_VOLTAGE][k] = point.voltage;
    if (shell->voltage_leads)
      shell->vectors[VECTOR_TORQUE][k] = point.joint_torque;
    else
      shell->vectors[VECTOR_DAC_OUT][k] = point.voltage;
  }
}

// A command passes the voltage limit first and the current limit behind it, so where both act the
// current decides what is left of it. A torque that was set may need more than either.
static void say_limit(Shell* shell, int k, const lwMotorPoint* point)
{
  const lwMotor* motor = &shell_joint(shell, k)->motor;
  const char* name     = joint_name(shell->model, k);
  bool current         = point->limits & LW_MOTOR_LIMIT_CURRENT;
  bool voltage         = point->limits & LW_MOTOR_LIMIT_VOLTAGE;
  if (shell->voltage_leads)
    lw_out_format(&shell->screen,
                  "note: joint '%s': %.9g V cut to %.9g V by the %s limit of its motor, %.9g %s\n",
                  name, shell->vectors[VECTOR_DAC_OUT][k], point->voltage,
                  current ? "current" : "voltage", current ? motor->current : motor->voltage,
                  current ? "A" : "V");
  if (!shell->voltage_leads && voltage)
    lw_out_format(&shell->screen,
                  "note: joint '%s': %.9g V is beyond the voltage limit of its motor, %.9g V\n",
                  name, point->voltage, motor->voltage);
  if (!shell->voltage_leads && current)
    lw_out_format(&shell->screen,
                  "note: joint '%s': %.9g A is beyond the current limit of its motor, %.9g A\n",
                  name, point->current, motor->current);
}

void shell_say_limits(Shell* shell)
{
  for (int k = 0; k < shell->n; ++k)
  {
    if (!shell_joint(shell, k)->motor.given) continue;
    lwMotorPoint point = motor_point(shell, k);
    if (point.limits) say_limit(shell, k, &point);
  }
}

// --- setting

static void set_gravity(Shell* shell, const double* values, int count)
{
  lwRobotDef robot = *lw_model_robot(shell->model);
  double field[3]  = {0, 0, 0 - values[0]};  // not -0
  memcpy(robot.gravity, count == 3 ? values : field, sizeof robot.gravity);
  lwModel* model  = robot_rebuild(&shell->options, &robot);
  lwWorkspace* ws = tree_of(model);
  unhold(model);
  unhold(ws);
  memcpy(shell->gravity, robot.gravity, sizeof shell->gravity);
  lw_workspace_destroy(shell->ws);
  lw_model_destroy(shell->model);
  shell->ws             = ws;
  shell->model          = model;
  shell->gravity_set    = true;
  shell->gravity_scalar = count == 1;
  lw_workspace_set_wrench(shell->ws, shell->wrench);
}

static void set_wrench(Shell* shell, int first, const double* values)
{
  memcpy(shell->wrench + first, values, 3 * sizeof *values);
  shell->load = (lwLoadDef){.to = INFINITY};
  memcpy(shell->load.constant, shell->wrench, sizeof shell->wrench);
  lw_workspace_set_wrench(shell->ws, shell->wrench);
}

static void set_force(Shell* shell, const double* values, int count)
{
  (void)count;
  set_wrench(shell, 0, values);
}

static void set_moment(Shell* shell, const double* values, int count)
{
  (void)count;
  set_wrench(shell, 3, values);
}

static void set_period(Shell* shell, const double* values, int count)
{
  (void)count;
  if (values[0] < 0)
    complain(shell, NULL, "DACTimePeriod: %g is negative, expected seconds, 0: continuous",
             values[0]);
  shell->period = values[0];
}

// Setting a voltage sets DACOut, of which the voltage follows.
static Vector stored_vector(int vector)
{
  return vector == VECTOR_VOLTAGE ? VECTOR_DAC_OUT : (Vector)vector;
}

static void set_vector(Shell* shell, Vector vector, const double* values)
{
  size_t width = (size_t)vector_width(shell, vector);
  if (vector == VECTOR_THETA) positions_check(shell->model, "theta", USAGE, values);
  for (int k = 0; k < shell->n && vector == VECTOR_DAC_OUT; ++k)
    if (values[k] != 0 && !shell_joint(shell, k)->motor.given)
      complain(shell, NULL,
               "joint '%s' has no motor in %s: voltage unavailable, expected 0; 'torque' drives it",
               joint_name(shell->model, k), shell->path);
  memcpy(shell->vectors[vector], values, width * sizeof *values);
  if (vector == VECTOR_THETA) ranges_positions(shell->model, "theta", 0, values, 1, false);
  ranges_report();
  if (vector == VECTOR_THETA || vector == VECTOR_ALPHA) return;
  if (vector != VECTOR_OMEGA) shell->voltage_leads = vector == VECTOR_DAC_OUT;
  shell_tie(shell);
  if (vector != VECTOR_OMEGA) shell_say_limits(shell);
}

// --- values in a line

// Takes value k at *text; "90 deg" for angles only.
static double take_variable_value(Shell* shell, const ShellVariable* variable, int k,
                                  const char** text)
{
  const char* at = *text;
  double value   = 0;
  int shown      = (int)strcspn(at, " \t,");
  if (shown > 60) shown = 60;
  if (!lw_number_read(text, &value) || !isfinite(value))
    complain(shell, at, "%s: '%.*s' is not a finite number", variable->name, shown, at);
  const char* unit = lw_skip_spaces(*text);
  bool degrees     = !strncmp(unit, "deg", 3);
  if (degrees || !strncmp(unit, "rad", 3))
  {
    lwCoordinate entry = {.slides = true};
    if (variable->vector == VECTOR_THETA && k < shell->nq)
      entry = lw_model_position(shell->model, k);
    if (entry.slides || entry.quaternion)
      complain(shell, unit, "%s: value %d is not an angle; expected a number without a unit",
               variable->name, k + 1);
    if (degrees) value = value / 180 * LW_PI;
    *text = unit + 3;
  }
  if (**text && !strchr(" \t,", **text))
    complain(shell, at, "%s: '%.*s' is not a number", variable->name, shown, at);
  return value;
}

static _Noreturn void wrong_count(Shell* shell, const ShellVariable* variable, int given)
{
  const char* name = variable->name;
  if (variable->vector >= 0)
    complain(shell, NULL, "%s: %d value%s given, %s needs %d, %s", name, given,
             given == 1 ? "" : "s", lw_model_name(shell->model),
             vector_width(shell, variable->vector),
             shell->nq == shell->n ? "one for each moving joint" : "which its name shows");
  complain(shell, NULL, "%s: %d value%s given, expected %s", name, given, given == 1 ? "" : "s",
           variable->width == 1 || (shell->sim && variable->scalar) ? "one"
           : variable->scalar                                       ? "one or three"
                                                                    : "three");
}

// Values separated by spaces, by commas, or both.
void variable_assign(Shell* shell, const ShellVariable* variable, const char* text)
{
  int vector = variable->vector, count = 0;
  int width      = vector >= 0 ? vector_width(shell, vector) : variable->width;
  double* values = allocate((size_t)width, sizeof *values);
  for (text = lw_skip_spaces(text); *text; text = lw_skip_spaces(text))
  {
    double value = take_variable_value(shell, variable, count, &text);
    if (count < width) values[count] = value;
    ++count;
    text = lw_skip_spaces(text);
    if (*text != ',') continue;
    text = lw_skip_spaces(text + 1);
    if (!*text) complain(shell, text, "%s: a comma without a value after it", variable->name);
  }
  bool enough = count == width ? !(shell->sim && variable->scalar) : variable->scalar && count == 1;
  if (!enough) wrong_count(shell, variable, count);
  if (vector >= 0)
    set_vector(shell, stored_vector(vector), values);
  else
    variable->set(shell, values, count);
}

void variable_assign_joint(Shell* shell, const ShellVariable* variable, int joint, const char* text)
{
  Vector vector = stored_vector(variable->vector);
  size_t width  = (size_t)vector_width(shell, vector);
  if (vector_entry(shell, vector, joint).quaternion)
    complain(shell, text, "%s: a quaternion is set as a whole, with all values of '%s = ..'",
             variable->name, variable->name);
  double* values = allocate(width, sizeof *values);
  memcpy(values, shell->vectors[vector], width * sizeof *values);
  text          = lw_skip_spaces(text);
  values[joint] = take_variable_value(shell, variable, joint, &text);
  if (*lw_skip_spaces(text))
    complain(shell, text, "%s of one joint: expected one value", variable->name);
  set_vector(shell, vector, values);
}

// --- groups of columns

// The variable that the word begins with, by either name, up to its end, a number or a point;
// *used: bytes of that name.
static const ShellVariable* variable_in(const char* word, size_t length, size_t* used)
{
  for (int i = 0; i < 2 * SHELL_VARIABLE_COUNT; ++i)
  {
    const ShellVariable* variable = &SHELL_VARIABLES[i / 2];
    const char* name              = i % 2 ? variable->alias : variable->name;
    *used                         = name ? strlen(name) : 0;
    if (!name || !variable->alias || *used > length || strncmp(name, word, *used) != 0) continue;
    if (*used == length || word[*used] == '.' ||
        strspn(word + *used, "0123456789") >= length - *used)
      return variable;
  }
  *used = 0;
  return NULL;
}

// One group of theta2, theta.elbow, q.elbow as q2.
static char* put_group(const Shell* shell, const char* word, size_t length, char* to)
{
  size_t used;
  const ShellVariable* variable = variable_in(word, length, &used);
  if (variable) to = stpcpy(to, variable->alias);
  bool named = variable && used < length && word[used] == '.';
  for (int k = 0; named && k < vector_width(shell, variable->vector); ++k)
    if (text_is(vector_entry(shell, variable->vector, k).name, word + used + 1, length - used - 1))
      return to + sprintf(to, "%d", k + 1);
  memcpy(to, word + used, length - used);
  return to + (length - used);
}

const char* shell_groups(const Shell* shell, const char* groups)
{
  char* to = allocate(2 * strlen(groups) + 16, 1);
  for (char* end = to; *groups;)
  {
    size_t length = strcspn(groups, "+,");
    end           = put_group(shell, groups, length, end);
    groups += length;
    if (*groups) *end++ = *groups++;
  }
  return to;
}

// --- showing

static void show_wrench(Shell* shell)
{
  const double* w = shell->wrench;
  lw_out_format(&shell->screen, "force = %.9g %.9g %.9g N on the last link, in its frame\n", w[0],
                w[1], w[2]);
  lw_out_format(&shell->screen, "moment = %.9g %.9g %.9g N m\n", w[3], w[4], w[5]);
}

static void show_gravity(Shell* shell)
{
  const double* g = shell->gravity;
  if (shell->gravity_scalar)
    lw_out_format(&shell->screen,
                  "gravity = %.9g m/s^2, acceleration of the base along z: the vector is ",
                  0 - g[2]);
  else
    lw_out_text(&shell->screen, "gravity = ");
  lw_out_format(&shell->screen, "%.9g %.9g %.9g m/s^2, in base axes\n", g[0], g[1], g[2]);
}

static void show_period(Shell* shell)
{
  lw_out_format(&shell->screen, "DACTimePeriod = %.9g s%s\n", shell->period,
                shell->period == 0 ? ", continuous" : "");
}

static void show_row(Shell* shell, int vector, int k, int width)
{
  bool electric      = vector >= VECTOR_VOLTAGE;
  double value       = shell->vectors[vector][k];
  const char* unit   = electric ? "V" : joint_unit(shell->model, GROUPS[vector].option, k);
  lwCoordinate entry = vector_entry(shell, vector, k);
  lw_out_format(&shell->screen, "  %3d ", k + 1);
  lw_out_padded(&shell->screen, entry.name, width);
  if (electric && !shell_joint(shell, k)->motor.given)
    lw_out_text(&shell->screen, "  no motor, unavailable\n");
  else
    lw_out_format(&shell->screen, " %15.9g%s%s\n", value == 0 ? 0 : value, *unit ? " " : "", unit);
}

void variable_show(Shell* shell, const ShellVariable* variable, int joint)
{
  if (variable->show) return variable->show(shell);
  int width = 0, first = joint < 0 ? 0 : joint;
  int end = joint < 0 ? vector_width(shell, variable->vector) : joint + 1;
  for (int k = first; k < end; ++k)
  {
    int needed = lw_text_width(vector_entry(shell, variable->vector, k).name);
    width      = needed > width ? needed : width;
  }
  lw_out_format(&shell->screen, "%s =\n", variable->name);
  for (int k = first; k < end; ++k) show_row(shell, variable->vector, k, width);
}

void vector_show(Shell* shell, Vector vector)
{
  for (int i = 0; i < SHELL_VARIABLE_COUNT; ++i)
    if (SHELL_VARIABLES[i].vector == (int)vector) variable_show(shell, &SHELL_VARIABLES[i], -1);
}

// --- the table

const ShellVariable SHELL_VARIABLES[] = {
    {"gravity", NULL, "gravity, m/s^2 in base axes", -1, 3, 1, set_gravity, show_gravity},
    {"force", NULL, "what pushes the hand, N", -1, 3, 0, set_force, show_wrench},
    {"moment", NULL, "what twists the hand, N m", -1, 3, 0, set_moment, show_wrench},
    {"DACTimePeriod", NULL, "how long the converter holds a value, s", -1, 1, 0, set_period,
     show_period},
    {"theta", "q", "position of each joint", VECTOR_THETA, 0, 0, NULL, NULL},
    {"omega", "qd", "velocity of each joint", VECTOR_OMEGA, 0, 0, NULL, NULL},
    {"alpha", "qdd", "acceleration of each joint", VECTOR_ALPHA, 0, 0, NULL, NULL},
    {"torque", "tau", "what each drive gives to its joint", VECTOR_TORQUE, 0, 0, NULL, NULL},
    {"voltage", "v", "what each motor has at its terminals", VECTOR_VOLTAGE, 0, 0, NULL, NULL},
    {"DACOut", NULL, "what the converter commands", VECTOR_DAC_OUT, 0, 0, NULL, NULL},
};

const int SHELL_VARIABLE_COUNT = sizeof SHELL_VARIABLES / sizeof SHELL_VARIABLES[0];
