// SPDX-License-Identifier: MIT
// The variables: their table, and what setting them changes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/units.h"
#include "command/ranges.h"
#include "io/program_text.h"
#include "shell.h"
#include "states/states.h"

const lwJointDef* shell_joint(const Shell* shell, int k)
{
  return &lw_model_robot(shell->model)->joints[lw_model_joint(shell->model, k)];
}

int vector_width(const Shell* shell, int vector)
{
  return vector == VECTOR_THETA ? shell->nq : shell->n;
}

lwCoordinate vector_entry(const Shell* shell, int vector, int k)
{
  return vector == VECTOR_THETA    ? lw_model_position(shell->model, k)
         : vector == VECTOR_TORQUE ? lw_model_effort(shell->model, k)
                                   : lw_model_velocity(shell->model, k);
}

// --- torque and voltage

void shell_tie(Shell* shell)
{
  double** v = shell->vectors;
  for (int k = 0; k < shell->n; ++k)
  {
    const lwMotor* motor = &shell_joint(shell, k)->motor;
    double qd            = v[VECTOR_OMEGA][k];
    if (!motor->given) continue;
    if (shell->voltage_leads)
    {
      lwMotorPoint point   = lw_motor_drive(motor, qd, v[VECTOR_DAC_OUT][k]);
      v[VECTOR_VOLTAGE][k] = point.voltage;
      v[VECTOR_TORQUE][k]  = point.joint_torque;
    }
    else
    {
      lwMotorPoint point   = lw_motor_need(motor, qd, v[VECTOR_TORQUE][k], 0);
      v[VECTOR_VOLTAGE][k] = point.voltage;
      v[VECTOR_DAC_OUT][k] = point.voltage;
    }
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
    const lwMotor* motor = &shell_joint(shell, k)->motor;
    double qd            = shell->vectors[VECTOR_OMEGA][k];
    if (!motor->given) continue;
    lwMotorPoint point = shell->voltage_leads
                             ? lw_motor_drive(motor, qd, shell->vectors[VECTOR_DAC_OUT][k])
                             : lw_motor_need(motor, qd, shell->vectors[VECTOR_TORQUE][k], 0);
    if (point.limits) say_limit(shell, k, &point);
  }
}

// --- setting

static int set_gravity(Shell* shell, double* values, int count)
{
  lwRobotDef robot = *lw_model_robot(shell->model);
  double field[3]  = {0, 0, 0 - values[0]};  // not -0
  lwWorkspace* ws  = NULL;
  memcpy(robot.gravity, count == 3 ? values : field, sizeof robot.gravity);
  int status = robot_rebuild(&shell->options, &robot, &shell->model);
  if (status != DONE) return status;
  lwStatus made = tree_workspace(shell->model, &ws);
  if (made != LW_OK) return fail(INPUT, "%s", lw_status_text(made));
  lw_workspace_destroy(shell->ws);
  shell->ws = ws;
  memcpy(shell->gravity, robot.gravity, sizeof shell->gravity);
  shell->gravity_set    = true;
  shell->gravity_scalar = count == 1;
  lw_workspace_set_wrench(shell->ws, shell->hand);
  return DONE;
}

static int set_hand(Shell* shell, int first, const double* values)
{
  memcpy(shell->hand + first, values, 3 * sizeof *values);
  shell->load = (lwLoadDef){.to = INFINITY};
  memcpy(shell->load.constant, shell->hand, sizeof shell->hand);
  lw_workspace_set_wrench(shell->ws, shell->hand);
  return DONE;
}

static int set_force(Shell* shell, double* values, int count)
{
  (void)count;
  return set_hand(shell, 0, values);
}

static int set_moment(Shell* shell, double* values, int count)
{
  (void)count;
  return set_hand(shell, 3, values);
}

static int set_period(Shell* shell, double* values, int count)
{
  (void)count;
  if (values[0] < 0)
    return complain(shell, NULL, "DACTimePeriod: %g is negative, expected seconds, 0: continuous",
                    values[0]);
  shell->period = values[0];
  return DONE;
}

static void copy_values(Shell* shell, Vector vector, const double* values)
{
  memcpy(shell->vectors[vector], values, (size_t)vector_width(shell, vector) * sizeof *values);
}

static int set_theta(Shell* shell, double* values, int count)
{
  (void)count;
  int status = positions_check(shell->model, "theta", USAGE, values);
  if (status != DONE) return status;
  copy_values(shell, VECTOR_THETA, values);
  ranges_positions(shell->model, "theta", 0, values, 1, false);
  ranges_report();
  return DONE;
}

static int set_omega(Shell* shell, double* values, int count)
{
  (void)count;
  copy_values(shell, VECTOR_OMEGA, values);
  shell_tie(shell);
  return DONE;
}

static int set_alpha(Shell* shell, double* values, int count)
{
  (void)count;
  copy_values(shell, VECTOR_ALPHA, values);
  return DONE;
}

static int set_torque(Shell* shell, double* values, int count)
{
  (void)count;
  copy_values(shell, VECTOR_TORQUE, values);
  shell->voltage_leads = false;
  shell_tie(shell);
  shell_say_limits(shell);
  return DONE;
}

static int set_voltage(Shell* shell, double* values, int count)
{
  for (int k = 0; k < count; ++k)
    if (values[k] != 0 && !shell_joint(shell, k)->motor.given)
      return complain(shell, NULL,
                      "joint '%s' has no motor in %s: voltage unavailable, expected 0; 'torque' "
                      "drives it",
                      joint_name(shell->model, k), shell->path);
  copy_values(shell, VECTOR_DAC_OUT, values);
  shell->voltage_leads = true;
  shell_tie(shell);
  shell_say_limits(shell);
  return DONE;
}

// --- values in a line

// "90 deg": revolute positions only.
static int take_unit(Shell* shell, const ShellVariable* variable, int k, const char** text,
                     double* value)
{
  const char* unit = lw_skip_spaces(*text);
  bool degrees     = !strncmp(unit, "deg", 3);
  if (!degrees && strncmp(unit, "rad", 3) != 0) return DONE;
  bool angle = variable->vector == VECTOR_THETA && k < shell->nq;
  if (angle) angle = !lw_model_position(shell->model, k).slides;
  if (!angle || lw_model_position(shell->model, k).quaternion)
    return complain(shell, unit, "%s: value %d is not an angle; expected a number without a unit",
                    variable->name, k + 1);
  if (degrees) *value = *value / 180 * LW_PI;
  *text = unit + 3;
  return DONE;
}

static int take_variable_value(Shell* shell, const ShellVariable* variable, int k,
                               const char** text, double* value)
{
  const char* at = *text;
  int shown      = (int)strcspn(at, " \t,");
  if (shown > 60) shown = 60;
  if (!lw_number_read(text, value) || !isfinite(*value))
    return complain(shell, at, "%s: '%.*s' is not a finite number", variable->name, shown, at);
  int status = take_unit(shell, variable, k, text, value);
  if (status != DONE) return status;
  if (!**text || strchr(" \t,", **text)) return DONE;
  return complain(shell, at, "%s: '%.*s' is not a number", variable->name, shown, at);
}

static int wrong_count(Shell* shell, const ShellVariable* variable, int given)
{
  const char* name = variable->name;
  if (variable->vector >= 0)
    return complain(shell, NULL, "%s: %d value%s given, %s needs %d, %s", name, given,
                    given == 1 ? "" : "s", lw_model_name(shell->model),
                    vector_width(shell, variable->vector),
                    shell->nq == shell->n ? "one for each moving joint" : "which its name shows");
  return complain(shell, NULL, "%s: %d value%s given, expected %s", name, given,
                  given == 1 ? "" : "s",
                  variable->set == set_gravity  ? "one or three"
                  : variable->set == set_period ? "one"
                                                : "three");
}

// Values separated by spaces, by commas, or both; no more than `most` are kept, all are counted.
static int parse_values(Shell* shell, const ShellVariable* variable, const char* text, int most,
                        double* values)
{
  int count = 0;
  for (text = lw_skip_spaces(text); *text; text = lw_skip_spaces(text))
  {
    double value = 0;
    if (take_variable_value(shell, variable, count, &text, &value) != DONE) return -1;
    if (count < most) values[count] = value;
    ++count;
    text = lw_skip_spaces(text);
    if (*text != ',') continue;
    text = lw_skip_spaces(text + 1);
    if (*text) continue;
    complain(shell, text, "%s: a comma without a value after it", variable->name);
    return -1;
  }
  return count;
}

static bool count_fits(const Shell* shell, const ShellVariable* variable, int count)
{
  if (variable->vector >= 0) return count == vector_width(shell, variable->vector);
  return variable->set == set_period ? count == 1
                                     : count == 3 || (count == 1 && variable->set == set_gravity);
}

int variable_assign(Shell* shell, const ShellVariable* variable, const char* text)
{
  int most       = shell->nq > 3 ? shell->nq : 3;
  double* values = calloc((size_t)most, sizeof *values);
  if (!values) return no_memory();
  int count  = parse_values(shell, variable, text, most, values);
  int status = count < 0 ? USAGE : DONE;
  if (status == DONE && !count_fits(shell, variable, count))
    status = wrong_count(shell, variable, count);
  if (status == DONE) status = variable->set(shell, values, count);
  free(values);
  return status;
}

int variable_assign_joint(Shell* shell, const ShellVariable* variable, int joint, const char* text)
{
  bool volts         = variable->set == set_voltage;
  const double* from = shell->vectors[volts ? VECTOR_DAC_OUT : (Vector)variable->vector];
  int width          = vector_width(shell, variable->vector);
  if (vector_entry(shell, variable->vector, joint).quaternion)
    return complain(shell, text, "%s: a quaternion is set as a whole, with all values of '%s = ..'",
                    variable->name, variable->name);
  double* values = malloc(((size_t)width + 1) * sizeof *values);
  if (!values) return no_memory();
  memcpy(values, from, (size_t)width * sizeof *values);
  text       = lw_skip_spaces(text);
  int status = take_variable_value(shell, variable, joint, &text, &values[joint]);
  if (status == DONE && *lw_skip_spaces(text))
    status = complain(shell, text, "%s of one joint: expected one value", variable->name);
  if (status == DONE) status = variable->set(shell, values, width);
  free(values);
  return status;
}

// --- groups of columns

// The variable that the word begins with, by either name, up to its end, a number or a point; *own:
// bytes of that name.
static const ShellVariable* variable_in(const char* word, size_t length, size_t* own)
{
  for (int i = 0; i < 2 * SHELL_VARIABLE_COUNT; ++i)
  {
    const ShellVariable* variable = &SHELL_VARIABLES[i / 2];
    const char* name              = i % 2 ? variable->alias : variable->name;
    *own                          = name ? strlen(name) : 0;
    if (!name || !variable->alias || *own > length || strncmp(name, word, *own) != 0) continue;
    if (*own == length || word[*own] == '.' || strspn(word + *own, "0123456789") >= length - *own)
      return variable;
  }
  return NULL;
}

// One group of theta2, theta.elbow, q.elbow as q2.
static char* put_group(const Shell* shell, const char* word, size_t length, char* to)
{
  size_t own;
  const ShellVariable* variable = variable_in(word, length, &own);
  int joint                     = -1;
  if (!variable) own = 0;
  if (variable) to = stpcpy(to, variable->alias);
  for (int k = 0; variable && own < length && word[own] == '.' && variable->vector >= 0 &&
                  k < vector_width(shell, variable->vector);
       ++k)
  {
    const char* name = vector_entry(shell, variable->vector, k).name;
    if (strlen(name) == length - own - 1 && !strncmp(name, word + own + 1, length - own - 1))
      joint = k;
  }
  if (joint >= 0) return to + sprintf(to, "%d", joint + 1);
  memcpy(to, word + own, length - own);
  return to + (length - own);
}

char* shell_groups(const Shell* shell, const char* groups)
{
  char* to = calloc(2 * strlen(groups) + 16, 1);
  for (char* end = to; to && *groups;)
  {
    size_t length = strcspn(groups, "+,");
    end           = put_group(shell, groups, length, end);
    groups += length;
    if (*groups) *end++ = *groups++;
  }
  return to;
}

// --- showing

static void show_hand(Shell* shell)
{
  const double* h = shell->hand;
  lw_out_format(&shell->screen, "force = %.9g %.9g %.9g N on the last link, in its frame\n", h[0],
                h[1], h[2]);
  lw_out_format(&shell->screen, "moment = %.9g %.9g %.9g N m\n", h[3], h[4], h[5]);
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

static void show_row(Shell* shell, const ShellVariable* variable, int k, int width)
{
  Vector vector      = (Vector)variable->vector;
  bool electric      = vector == VECTOR_VOLTAGE || vector == VECTOR_DAC_OUT;
  double value       = shell->vectors[vector][k];
  lwCoordinate entry = vector_entry(shell, variable->vector, k);
  lw_out_format(&shell->screen, "  %3d ", k + 1);
  lw_out_padded(&shell->screen, entry.name, width);
  if (electric && !shell_joint(shell, k)->motor.given)
    lw_out_text(&shell->screen, "  no motor, unavailable\n");
  else
    lw_out_format(&shell->screen, entry.quaternion ? " %15.9g\n" : " %15.9g %s\n",
                  value == 0 ? 0 : value, variable->units[entry.slides]);
}

void variable_show(Shell* shell, const ShellVariable* variable)
{
  if (variable->show) return variable->show(shell);
  int width = 0, count = vector_width(shell, variable->vector);
  for (int k = 0; k < count; ++k)
  {
    int own = lw_text_width(vector_entry(shell, variable->vector, k).name);
    width   = own > width ? own : width;
  }
  lw_out_format(&shell->screen, "%s =\n", variable->name);
  for (int k = 0; k < count; ++k) show_row(shell, variable, k, width);
}

void variable_show_joint(Shell* shell, const ShellVariable* variable, int joint)
{
  lw_out_format(&shell->screen, "%s =\n", variable->name);
  show_row(shell, variable, joint,
           lw_text_width(vector_entry(shell, variable->vector, joint).name));
}

void vector_show(Shell* shell, Vector vector)
{
  for (int i = 0; i < SHELL_VARIABLE_COUNT; ++i)
    if (SHELL_VARIABLES[i].vector == (int)vector) variable_show(shell, &SHELL_VARIABLES[i]);
}

// --- the table

const ShellVariable SHELL_VARIABLES[] = {
    {"gravity",
     NULL,
     "gravity, m/s^2 in base axes",
     "Three numbers are the field, as in a robot file: 'gravity = 0 0 -9.81'. One number is the\n"
     "acceleration of the base along z that stands for it, as in swartz1982: 'gravity = 9.81' "
     "where\n"
     "z points up, -9.81 where it points down; it is shown as it was set, with the vector beside\n"
     "it. At first it is that of the robot file.\n",
     -1,
     {NULL, NULL},
     set_gravity,
     show_gravity},
    {"force",
     NULL,
     "what pushes the hand, N",
     "fx fy fz that the environment exerts on the last link, at the origin and in the axes of its\n"
     "frame; inverse_arm, forward_arm, simulate and the commands of the program take it.\n",
     -1,
     {"N", "N"},
     set_force,
     show_hand},
    {"moment",
     NULL,
     "what twists the hand, N m",
     "nx ny nz that the environment exerts on the last link, in the axes of its frame; as force.\n",
     -1,
     {"N m", "N m"},
     set_moment,
     show_hand},
    {"DACTimePeriod",
     NULL,
     "how long the converter holds a value, s",
     "In a simulation the command (a schedule, voltage or torque) is sampled at multiples of this\n"
     "period and held between. 0, as at first: continuous.\n",
     -1,
     {NULL, NULL},
     set_period,
     show_period},
    {"theta",
     "q",
     "position of each joint",
     "rad, or m of a prismatic joint. 'theta = 90 deg 0 0' gives an angle in degrees. Ball and\n"
     "floating joints have a quaternion x y z w; at first it is the position of the robot file.\n",
     VECTOR_THETA,
     {"rad", "m"},
     set_theta,
     NULL},
    {"omega",
     "qd",
     "velocity of each joint",
     "rad/s, or m/s of a prismatic joint. Of torque and voltage, the one that was set last stays\n"
     "and the other is recomputed.\n",
     VECTOR_OMEGA,
     {"rad/s", "m/s"},
     set_omega,
     NULL},
    {"alpha",
     "qdd",
     "acceleration of each joint",
     "rad/s^2, or m/s^2 of a prismatic joint. inverse_arm reads it, forward_arm and simulate "
     "write\n"
     "it.\n",
     VECTOR_ALPHA,
     {"rad/s^2", "m/s^2"},
     set_alpha,
     NULL},
    {"torque",
     "tau",
     "what each drive gives to its joint",
     "N m, or N of a prismatic joint: for the rigid bodies, for the rotor of the motor, and "
     "against\n"
     "friction. Setting it recomputes voltage and DACOut through the motors, at the velocity "
     "omega.\n"
     "It is not clipped; a note says which limits it exceeds. forward_arm and simulate take the\n"
     "voltage of a joint with a motor, and the torque of one without.\n",
     VECTOR_TORQUE,
     {"N m", "N"},
     set_torque,
     NULL},
    {"voltage",
     "v",
     "what each motor has at its terminals",
     "V. Setting it recomputes torque through the motors, at the velocity omega, and sets DACOut.\n"
     "Limits of the motor cut it, which a note says. A joint without a motor has none: give 0 for\n"
     "it; its torque stays.\n",
     VECTOR_VOLTAGE,
     {"V", "V"},
     set_voltage,
     NULL},
    {"DACOut",
     NULL,
     "what the converter commands",
     "V, at the input of the amplifiers, whose gain is 1: voltage is this, cut by the limits of "
     "the\n"
     "motors. Setting it sets voltage, and so torque. After a simulation by a schedule it is what\n"
     "was held last.\n",
     VECTOR_DAC_OUT,
     {"V", "V"},
     set_voltage,
     NULL},
};

const int SHELL_VARIABLE_COUNT = sizeof SHELL_VARIABLES / sizeof SHELL_VARIABLES[0];
