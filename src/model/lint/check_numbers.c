// SPDX-License-Identifier: MIT
// Checks every number of a joint and its link against its rule, by a table.
#include <math.h>
#include <stddef.h>
#include <stdio.h>

#include "model/lint/lint.h"

static const double largest = 1e30, smallest = 1e-30;  // products of a few stay normal numbers

static const char* const rule_texts[] = {
    [LW_RULE_FINITE]               = "must be a finite number",
    [LW_RULE_NOT_NEGATIVE]         = "must not be negative",
    [LW_RULE_POSITIVE]             = "must be positive",
    [LW_RULE_POSITIVE_OR_INFINITE] = "must be positive",
    [LW_RULE_NORMAL]               = "must be positive",
    [LW_RULE_NOT_ZERO]             = "must not be 0",
    [LW_RULE_FRACTION]             = "must be greater than 0 and at most 1",
    [LW_RULE_LIMIT]                = "must be a number",
};

typedef struct Number
{
  const char* name;
  const char* unit;
  size_t offset;  // in lwJointDef
  int size;
  lwField field;
  lwNumberRule rule;
} Number;

#define AT(member) offsetof(lwJointDef, member)
static const Number numbers[] = {
    {"alpha", "rad", AT(alpha), 1, LW_FIELD_PLACEMENT, LW_RULE_FINITE},
    {"a", "m", AT(a), 1, LW_FIELD_PLACEMENT, LW_RULE_FINITE},
    {"d", "m", AT(d), 1, LW_FIELD_PLACEMENT, LW_RULE_FINITE},
    {"theta", "rad", AT(theta), 1, LW_FIELD_PLACEMENT, LW_RULE_FINITE},
    {"origin xyz", "m", AT(xyz), 3, LW_FIELD_PLACEMENT, LW_RULE_FINITE},
    {"origin rpy", "rad", AT(rpy), 3, LW_FIELD_PLACEMENT, LW_RULE_FINITE},
    {"axis", "", AT(axis), 3, LW_FIELD_AXIS, LW_RULE_FINITE},
    {"lower limit", "rad or m", AT(limits.lower), 1, LW_FIELD_LIMITS, LW_RULE_LIMIT},
    {"upper limit", "rad or m", AT(limits.upper), 1, LW_FIELD_LIMITS, LW_RULE_LIMIT},
    {"velocity limit", "rad/s or m/s", AT(limits.velocity), 1, LW_FIELD_LIMITS,
     LW_RULE_POSITIVE_OR_INFINITE},
    {"effort limit", "N m or N", AT(limits.effort), 1, LW_FIELD_LIMITS,
     LW_RULE_POSITIVE_OR_INFINITE},
    {"acceleration limit", "rad/s^2 or m/s^2", AT(limits.acceleration), 1, LW_FIELD_LIMITS,
     LW_RULE_POSITIVE_OR_INFINITE},
    {"jerk limit", "rad/s^3 or m/s^3", AT(limits.jerk), 1, LW_FIELD_LIMITS,
     LW_RULE_POSITIVE_OR_INFINITE},
    {"viscous friction", "N m s/rad or N s/m", AT(friction.viscous), 1, LW_FIELD_FRICTION,
     LW_RULE_NOT_NEGATIVE},
    {"coulomb friction", "N m or N", AT(friction.coulomb), 1, LW_FIELD_FRICTION,
     LW_RULE_NOT_NEGATIVE},
    {"armature", "kg m^2 or kg", AT(armature), 1, LW_FIELD_MOTOR, LW_RULE_NOT_NEGATIVE},
    {"mass", "kg", AT(link.mass), 1, LW_FIELD_MASS, LW_RULE_NOT_NEGATIVE},
    {"com", "m", AT(link.com), 3, LW_FIELD_COM, LW_RULE_FINITE},
    {"inertia", "kg m^2", AT(link.inertia), 6, LW_FIELD_INERTIA, LW_RULE_FINITE},
};

// Only where a motor is given. A negative gear turns the joint against the motor.
static const Number motor_numbers[] = {
    {"motor resistance", "ohm", AT(motor.resistance), 1, LW_FIELD_MOTOR, LW_RULE_POSITIVE},
    {"motor torque_constant", "N m/A", AT(motor.torque_constant), 1, LW_FIELD_MOTOR,
     LW_RULE_POSITIVE},
    {"motor gear", "", AT(motor.gear), 1, LW_FIELD_MOTOR, LW_RULE_NOT_ZERO},
    {"motor rotor_inertia", "kg m^2", AT(motor.rotor_inertia), 1, LW_FIELD_MOTOR,
     LW_RULE_NOT_NEGATIVE},
    {"motor inductance", "H", AT(motor.inductance), 1, LW_FIELD_MOTOR, LW_RULE_NOT_NEGATIVE},
    {"motor efficiency", "", AT(motor.efficiency), 1, LW_FIELD_MOTOR, LW_RULE_FRACTION},
    {"motor voltage", "V", AT(motor.voltage), 1, LW_FIELD_MOTOR, LW_RULE_POSITIVE_OR_INFINITE},
    {"motor current", "A", AT(motor.current), 1, LW_FIELD_MOTOR, LW_RULE_POSITIVE_OR_INFINITE},
};

// Only where a joint mimics another.
static const Number mimic_numbers[] = {
    {"mimic multiplier", "", AT(mimic.multiplier), 1, LW_FIELD_MIMIC, LW_RULE_FINITE},
    {"mimic offset", "rad or m", AT(mimic.offset), 1, LW_FIELD_MIMIC, LW_RULE_FINITE},
};

// Only of universal joints, and only of screws.
static const Number universal_numbers[] = {
    {"axis2", "", AT(axis2), 3, LW_FIELD_AXIS, LW_RULE_FINITE}};
static const Number screw_numbers[] = {
    {"pitch", "m", AT(pitch), 1, LW_FIELD_AXIS, LW_RULE_NOT_ZERO}};

static bool keeps(lwNumberRule rule, double x)
{
  switch (rule)
  {
    case LW_RULE_NOT_NEGATIVE:
      return x >= 0;
    case LW_RULE_POSITIVE:
    case LW_RULE_POSITIVE_OR_INFINITE:
    case LW_RULE_NORMAL:
      return x > 0;
    case LW_RULE_NOT_ZERO:
      return x != 0;
    case LW_RULE_FRACTION:
      return x > 0 && x <= 1;
    default:
      return true;
  }
}

const char* lw_number_fault(lwNumberRule rule, double x)
{
  bool may_be_infinite = rule == LW_RULE_POSITIVE_OR_INFINITE || rule == LW_RULE_LIMIT;
  if (isnan(x)) return rule_texts[rule == LW_RULE_FINITE ? LW_RULE_FINITE : LW_RULE_LIMIT];
  if (isinf(x) && !may_be_infinite) return rule_texts[LW_RULE_FINITE];
  if (!keeps(rule, x)) return rule_texts[rule];
  if (rule == LW_RULE_NORMAL && x < smallest) return "must be at least 1e-30";
  return !isinf(x) && fabs(x) > largest ? "must be within +-1e30" : NULL;
}

static bool check_number(lwCheck* check, int joint, const Number* number)
{
  const char* def      = (const char*)lw_check_def(check, joint);
  const double* values = (const double*)(const void*)(def + number->offset);
  for (int i = 0; i < number->size; ++i)
  {
    const char* what = lw_number_fault(number->rule, values[i]);
    if (!what) continue;
    char item[24] = "";
    if (number->size > 1) snprintf(item, sizeof item, "item %d of ", i + 1);
    lw_check_report(check, LW_SEVERITY_ERROR, joint, number->field, NULL, "%s%s %s (%g%s%s)", item,
                    number->name, what, values[i], *number->unit ? " " : "", number->unit);
    return false;
  }
  return true;
}

bool lw_check_numbers(lwCheck* check, int joint)
{
  const lwJointDef* def = lw_check_def(check, joint);
  bool sound            = true;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
    sound &= check_number(check, joint, &numbers[i]);
  for (size_t i = 0; def->motor.given && i < sizeof motor_numbers / sizeof *motor_numbers; ++i)
    sound &= check_number(check, joint, &motor_numbers[i]);
  for (size_t i = 0; def->mimic.given && i < sizeof mimic_numbers / sizeof *mimic_numbers; ++i)
    sound &= check_number(check, joint, &mimic_numbers[i]);
  if (def->type == LW_JOINT_UNIVERSAL) sound &= check_number(check, joint, universal_numbers);
  if (def->type == LW_JOINT_SCREW) sound &= check_number(check, joint, screw_numbers);
  return sound;
}
