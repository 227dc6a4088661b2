// SPDX-License-Identifier: MIT
// Validation of descriptions made by a C program: all errors and doubtful values are found.
#include "model/lint/validate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/reader_findings.h"
#include "support/testing.h"

enum
{
  COUNT = 3
};

// A correct arm of three revolute joints, to be modified.
typedef struct Arm
{
  lwRobotDef robot;
  lwJointDef joints[COUNT];
  lwModelOptions options;
} Arm;

static void make_arm(Arm* arm)
{
  static const char* const names[] = {"waist", "elbow", "wrist"};
  *arm                             = (Arm){.robot = lw_robot_def()};
  for (int i = 0; i < COUNT; ++i)
  {
    lwJointDef* joint = &arm->joints[i];
    *joint            = lw_joint_def();
    joint->name       = names[i];
    joint->parent     = i - 1;
    joint->a          = 0.5;
    joint->link       = (lwLinkDef){.mass = 2, .com = {0.2, 0, 0}, .inertia = {0.01, 0.02, 0.02}};
  }
  arm->robot.count  = COUNT;
  arm->robot.joints = arm->joints;
}

static lwStatus validate(const Arm* arm, lwDiag* diag)
{
  return lw_robot_validate(&arm->robot, &arm->options, diag);
}

// The message expected for one wrong number, name or enumerator.
typedef struct Spoilt
{
  void (*spoil)(Arm* arm);
  lwSeverity severity;
  const char* text;  // part of the only message
} Spoilt;

static bool leads_to(const Spoilt* spoilt)
{
  Arm arm;
  make_arm(&arm);
  spoilt->spoil(&arm);
  lwDiag* diag     = lw_diag_create();
  lwStatus status  = validate(&arm, diag);
  lwStatus without = lw_robot_validate(&arm.robot, &arm.options, NULL);
  bool error       = spoilt->severity == LW_SEVERITY_ERROR;
  bool right       = status == (error ? LW_ERROR_INPUT : LW_OK) && without == status &&
               lw_diag_size(diag) == 1 && lw_diag_count(diag, spoilt->severity) == 1 &&
               strstr(lw_diag_message(diag, 0)->text, spoilt->text);
  if (!right)
  {
    fprintf(stderr, "expected '%s', found\n", spoilt->text);
    findings_print(diag);
  }
  lw_diag_destroy(diag);
  return right;
}

// --- one function per mistake

#define SPOIL(name, statement)                                                                     \
  static void name(Arm* arm)                                                                       \
  {                                                                                                \
    lwJointDef* joint = &arm->joints[1];                                                           \
    (void)joint;                                                                                   \
    statement;                                                                                     \
  }

SPOIL(no_joints, arm->robot.count = 0)
SPOIL(negative_count, arm->robot.count = -4)
SPOIL(null_joints, arm->robot.joints = NULL)
SPOIL(too_many, arm->robot.count = LW_MAX_JOINTS + 1)
SPOIL(gravity_nan, arm->robot.gravity[1] = NAN)
SPOIL(gravity_infinite, arm->robot.gravity[2] = -INFINITY)
SPOIL(all_fixed, for (int i = 0; i < COUNT; ++i) arm->joints[i].type = LW_JOINT_FIXED)
SPOIL(no_name, joint->name = NULL)
SPOIL(empty_name, joint->name = "")
SPOIL(same_name, joint->name = "waist")
SPOIL(same_link, arm->joints[0].link.name = arm->joints[2].link.name = "tube")
SPOIL(type_unknown, joint->type = (lwJointType)17)
SPOIL(type_negative, joint->type = (lwJointType)-1)
SPOIL(placement_unknown, joint->placement = (lwPlacement)9)
SPOIL(parent_itself, joint->parent = 1)
SPOIL(parent_later, joint->parent = 2)
SPOIL(parent_below, joint->parent = -2)
SPOIL(alpha_nan, joint->alpha = NAN)
SPOIL(a_infinite, joint->a = INFINITY)
SPOIL(d_huge, joint->d = 1e31)
SPOIL(theta_nan, joint->theta = NAN)
SPOIL(xyz_nan, joint->xyz[1] = NAN)
SPOIL(rpy_nan, joint->rpy[2] = NAN)
SPOIL(axis_nan, joint->axis[0] = NAN)
SPOIL(axis_zero, joint->placement = LW_PLACEMENT_ORIGIN_AXIS; joint->axis[2] = 0)
SPOIL(axis_tiny, joint->placement = LW_PLACEMENT_ORIGIN_AXIS; joint->axis[2] = 1e-200)
SPOIL(lower_nan, joint->limits.lower = NAN)
SPOIL(upper_nan, joint->limits.upper = NAN)
SPOIL(limits_crossed, joint->limits.lower = 2; joint->limits.upper = 1)
SPOIL(limits_nowhere, joint->limits.lower = INFINITY)
SPOIL(velocity_zero, joint->limits.velocity = 0)
SPOIL(velocity_nan, joint->limits.velocity = NAN)
SPOIL(effort_negative, joint->limits.effort = -3)
SPOIL(viscous_negative, joint->friction.viscous = -0.1)
SPOIL(coulomb_infinite, joint->friction.coulomb = INFINITY)
SPOIL(mass_negative, joint->link.mass = -2)
SPOIL(mass_nan, joint->link.mass = NAN)
SPOIL(com_infinite, joint->link.com[2] = INFINITY)
SPOIL(inertia_nan, joint->link.inertia[5] = NAN)

#define SPOIL_MOTOR(name, statement)                                                               \
  SPOIL(name, lwMotor* motor = &joint->motor; motor->given = true; motor->resistance = 1;          \
        motor->torque_constant = 1; statement)
SPOIL_MOTOR(resistance_zero, motor->resistance = 0)
SPOIL_MOTOR(constant_zero, motor->torque_constant = 0)
SPOIL_MOTOR(gear_zero, motor->gear = 0)
SPOIL_MOTOR(rotor_negative, motor->rotor_inertia = -1)
SPOIL_MOTOR(inductance_negative, motor->inductance = -1)
SPOIL_MOTOR(efficiency_zero, motor->efficiency = 0)
SPOIL_MOTOR(efficiency_over, motor->efficiency = 1.01)
SPOIL_MOTOR(voltage_zero, motor->voltage = 0)
SPOIL_MOTOR(current_nan, motor->current = NAN)
SPOIL_MOTOR(motor_fixed, joint->type = LW_JOINT_FIXED)
SPOIL(limits_fixed, joint->type = LW_JOINT_FIXED; joint->limits.lower = 0)
SPOIL(friction_fixed, joint->type = LW_JOINT_FIXED; joint->friction.coulomb = 1)

#define SPOIL_MIMIC(name, statement)                                                               \
  SPOIL(name, joint->mimic = ((lwMimic){true, 0, -2, 0.1}); statement)
SPOIL_MIMIC(mimic_nobody, joint->mimic.leader = COUNT)
SPOIL_MIMIC(mimic_base, joint->mimic.leader = LW_BASE)
SPOIL_MIMIC(mimic_itself, joint->mimic.leader = 1)
SPOIL_MIMIC(mimic_circle, joint->mimic.leader = 2; arm->joints[2].mimic = joint->mimic;
            arm->joints[2].mimic.leader = 1)
SPOIL_MIMIC(mimic_nan, joint->mimic.multiplier = NAN)
SPOIL_MIMIC(mimic_far, joint->mimic.offset = INFINITY)
SPOIL_MIMIC(mimic_fixed, joint->type = LW_JOINT_FIXED)
SPOIL_MIMIC(mimic_all, arm->joints[0].type = LW_JOINT_FIXED; arm->joints[2].type = LW_JOINT_FIXED)
SPOIL(base_negative, arm->robot.base.mass = -1)
SPOIL(base_com, arm->robot.base.com[1] = NAN)
SPOIL(base_inertia,
      arm->robot.base = ((lwLinkDef){.name = "stand", .mass = 1, .inertia = {0.01, 0.02, 0.04}}))
SPOIL(base_link, arm->robot.base.name = "stand"; joint->link.name = "stand")

static void set_inertia(Arm* arm, double mass, const double inertia[6])
{
  arm->joints[1].link.mass = mass;
  memcpy(arm->joints[1].link.inertia, inertia, 6 * sizeof *inertia);
}
#define INERTIA(name, mass, ...) SPOIL(name, set_inertia(arm, mass, (const double[]){__VA_ARGS__}))
INERTIA(inertia_negative, 2, -0.01, 0.02, 0.02, 0, 0, 0)
INERTIA(inertia_indefinite, 2, 0.01, 0.01, 0.01, 0.02, 0, 0)
INERTIA(inertia_xz, 2, 0.01, 0.01, 0.01, 0, 0.02, 0)
INERTIA(inertia_yz, 2, 0.01, 0.01, 0.01, 0, 0, 0.02)
INERTIA(triangle_x, 2, 0.05, 0.02, 0.02, 0, 0, 0)
INERTIA(triangle_z, 2, 0.012, 0.011, 0.031, 0, 0, 0)
INERTIA(triangle_turned, 2, 0.02, 0.02, 0.01, 0.015, 0, 0)
INERTIA(no_mass, 0, 0.01, 0.01, 0.01, 0, 0, 0)
INERTIA(too_wide, 2, 0, 200, 200, 0, 0, 0)
INERTIA(too_dense, 2, 2e-5, 2e-5, 2e-5, 0, 0, 0)
INERTIA(too_light, 2, 0.5, 0.5, 0.5, 0, 0, 0)
SPOIL(triangle_strict, triangle_z(arm); arm->options.lint.strict = true)
SPOIL(indefinite_allowed, inertia_negative(arm); arm->options.lint.allow_bad_inertia = true)
SPOIL(indefinite_allowed_but_strict, indefinite_allowed(arm); arm->options.lint.strict = true)

static const Spoilt spoilt[] = {
    {no_joints, LW_SEVERITY_ERROR, "the robot has no joints"},
    {negative_count, LW_SEVERITY_ERROR, "the robot has no joints"},
    {null_joints, LW_SEVERITY_ERROR, "the robot has no joints"},
    {too_many, LW_SEVERITY_ERROR, "the robot has 100001 joints; at most 100000 are possible"},
    {gravity_nan, LW_SEVERITY_ERROR, "item 2 of gravity must be a finite number (nan m/s^2)"},
    {gravity_infinite, LW_SEVERITY_ERROR, "item 3 of gravity must be a finite number (-inf m/s^2)"},
    {all_fixed, LW_SEVERITY_ERROR, "the robot has no moving joint"},
    {no_name, LW_SEVERITY_ERROR, "joint 2: has no name"},
    {empty_name, LW_SEVERITY_ERROR, "has no name"},
    {same_name, LW_SEVERITY_ERROR, "joint 'waist': this name is already given to number 1"},
    {same_link, LW_SEVERITY_ERROR, "link 'tube': this name is already given to number 1"},
    {type_unknown, LW_SEVERITY_ERROR, "joint 'elbow': 17 is not a type of joint"},
    {type_negative, LW_SEVERITY_ERROR, "joint 'elbow': -1 is not a type of joint"},
    {placement_unknown, LW_SEVERITY_ERROR, "joint 'elbow': 9 is not a kind of placement"},
    {parent_itself, LW_SEVERITY_ERROR, "parent 1 must be LW_BASE or an earlier joint (this is 1)"},
    {parent_later, LW_SEVERITY_ERROR, "parent 2 must be LW_BASE or an earlier joint"},
    {parent_below, LW_SEVERITY_ERROR, "parent -2 must be LW_BASE or an earlier joint"},
    {alpha_nan, LW_SEVERITY_ERROR, "joint 'elbow': alpha must be a finite number (nan rad)"},
    {a_infinite, LW_SEVERITY_ERROR, "a must be a finite number (inf m)"},
    {d_huge, LW_SEVERITY_ERROR, "d must be within +-1e30 (1e+31 m)"},
    {theta_nan, LW_SEVERITY_ERROR, "theta must be a finite number"},
    {xyz_nan, LW_SEVERITY_ERROR, "item 2 of origin xyz must be a finite number"},
    {rpy_nan, LW_SEVERITY_ERROR, "item 3 of origin rpy must be a finite number"},
    {axis_nan, LW_SEVERITY_ERROR, "item 1 of axis must be a finite number (nan)"},
    {axis_zero, LW_SEVERITY_ERROR, "joint 'elbow': axis has no direction (0, 0, 0)"},
    {axis_tiny, LW_SEVERITY_ERROR, "axis has no direction (0, 0, 1e-200)"},
    {lower_nan, LW_SEVERITY_ERROR, "lower limit must be a number"},
    {upper_nan, LW_SEVERITY_ERROR, "upper limit must be a number"},
    {limits_crossed, LW_SEVERITY_ERROR, "lower limit is above upper limit (2 > 1)"},
    {limits_nowhere, LW_SEVERITY_ERROR, "lower limit is above upper limit (inf > inf)"},
    {velocity_zero, LW_SEVERITY_ERROR, "velocity limit must be positive (0 rad/s or m/s)"},
    {velocity_nan, LW_SEVERITY_ERROR, "velocity limit must be a number"},
    {effort_negative, LW_SEVERITY_ERROR, "effort limit must be positive (-3 N m or N)"},
    {viscous_negative, LW_SEVERITY_ERROR, "viscous friction must not be negative (-0.1"},
    {coulomb_infinite, LW_SEVERITY_ERROR, "coulomb friction must be a finite number"},
    {mass_negative, LW_SEVERITY_ERROR, "link 'elbow': mass must not be negative (-2 kg)"},
    {mass_nan, LW_SEVERITY_ERROR, "mass must be a number (nan kg)"},
    {com_infinite, LW_SEVERITY_ERROR, "item 3 of com must be a finite number (inf m)"},
    {inertia_nan, LW_SEVERITY_ERROR, "item 6 of inertia must be a finite number (nan kg m^2)"},
    {resistance_zero, LW_SEVERITY_ERROR, "motor resistance must be positive (0 ohm)"},
    {constant_zero, LW_SEVERITY_ERROR, "motor torque_constant must be positive (0 N m/A)"},
    {gear_zero, LW_SEVERITY_ERROR, "motor gear must not be 0 (0)"},
    {rotor_negative, LW_SEVERITY_ERROR, "motor rotor_inertia must not be negative (-1 kg m^2)"},
    {inductance_negative, LW_SEVERITY_ERROR, "motor inductance must not be negative (-1 H)"},
    {efficiency_zero, LW_SEVERITY_ERROR, "motor efficiency must be greater than 0 and at most 1"},
    {efficiency_over, LW_SEVERITY_ERROR, "at most 1 (1.01)"},
    {voltage_zero, LW_SEVERITY_ERROR, "motor voltage must be positive (0 V)"},
    {current_nan, LW_SEVERITY_ERROR, "motor current must be a number (nan A)"},
    {motor_fixed, LW_SEVERITY_WARNING, "joint 'elbow': motor without effect: the joint is fixed"},
    {limits_fixed, LW_SEVERITY_WARNING, "limits without effect"},
    {friction_fixed, LW_SEVERITY_WARNING, "friction without effect"},
    {mimic_nobody, LW_SEVERITY_ERROR, "joint 'elbow': mimics joint number 4, which does not exist"},
    {mimic_base, LW_SEVERITY_ERROR, "mimics joint number 0, which does not exist"},
    {mimic_itself, LW_SEVERITY_ERROR,
     "a circle of joints that mimic each other: 'elbow' -> 'elbow'"},
    {mimic_circle, LW_SEVERITY_ERROR, "mimic each other: 'elbow' -> 'wrist' -> 'elbow'"},
    {mimic_nan, LW_SEVERITY_ERROR, "mimic multiplier must be a finite number"},
    {mimic_far, LW_SEVERITY_ERROR, "mimic offset must be a finite number (inf rad or m)"},
    {mimic_fixed, LW_SEVERITY_WARNING, "mimic without effect: the joint is fixed"},
    {mimic_all, LW_SEVERITY_ERROR, "the robot has no moving joint"},
    {base_negative, LW_SEVERITY_ERROR, "link 'base': mass must not be negative (-1 kg)"},
    {base_com, LW_SEVERITY_ERROR, "link 'base': item 2 of com must be a finite number"},
    {base_inertia, LW_SEVERITY_WARNING, "link 'stand': inertia breaks the triangle rule"},
    {base_link, LW_SEVERITY_ERROR, "link 'stand': this name is already given to the base"},
    {inertia_negative, LW_SEVERITY_ERROR,
     "link 'elbow': inertia is not positive semidefinite: a principal moment is negative "
     "(-0.01, 0.02, 0.02 kg m^2)"},
    {inertia_indefinite, LW_SEVERITY_ERROR, "a principal moment is negative (-0.01, 0.01, 0.03"},
    {inertia_xz, LW_SEVERITY_ERROR, "a principal moment is negative (-0.01, 0.01, 0.03"},
    {inertia_yz, LW_SEVERITY_ERROR, "a principal moment is negative (-0.01, 0.01, 0.03"},
    {indefinite_allowed, LW_SEVERITY_WARNING, "inertia is not positive semidefinite"},
    {indefinite_allowed_but_strict, LW_SEVERITY_ERROR, "inertia is not positive semidefinite"},
    {triangle_x, LW_SEVERITY_WARNING, "triangle rule: Iyy + Izz < Ixx (0.02 + 0.02 < 0.05 kg m^2)"},
    {triangle_z, LW_SEVERITY_WARNING, "Ixx + Iyy < Izz (0.012 + 0.011 < 0.031 kg m^2)"},
    {triangle_turned, LW_SEVERITY_WARNING, "I1 + I2 < I3 (0.005 + 0.01 < 0.035 kg m^2)"},
    {triangle_strict, LW_SEVERITY_ERROR, "triangle rule"},
    {no_mass, LW_SEVERITY_WARNING, "inertia without mass (largest principal moment 0.01 kg m^2"},
    {too_wide, LW_SEVERITY_WARNING,
     "radius of gyration 10 m is more than 3 times the reach of the robot, 2.1 m"},
    {too_dense, LW_SEVERITY_WARNING, "the density 3.82e+06 kg/m^3"},
    {too_light, LW_SEVERITY_WARNING, "the density 0.9663 kg/m^3"},
};

static void every_rule_is_kept(void** state)
{
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof spoilt / sizeof *spoilt; ++i) wrong += !leads_to(&spoilt[i]);
  assert_int_equal(wrong, 0);
}

// --- correct descriptions

SPOIL(nothing, )
SPOIL(point_mass, memset(joint->link.inertia, 0, sizeof joint->link.inertia))
SPOIL(massless, joint->link = (lwLinkDef){0})
SPOIL(no_robot_name, arm->robot.name = NULL)
SPOIL(plate, set_inertia(arm, 2, (const double[]){0.01, 0.02, 0.03, 0, 0, 0}))
SPOIL(rod, set_inertia(arm, 2, (const double[]){0, 0.02, 0.02, 0, 0, 0}))
SPOIL(rounded_rod, set_inertia(arm, 2, (const double[]){-1e-9, 0.02, 0.02, 0, 0, 0}))
SPOIL(noise, set_inertia(arm, 2, (const double[]){1e-16, 1e-16, 1e-16, 2e-16, 0, 0}))
SPOIL(turned_rod, set_inertia(arm, 2, (const double[]){0.01, 0.01, 0.02, -0.01, 0, 0}))
SPOIL_MIMIC(mimic_first, )
SPOIL_MIMIC(mimic_later, joint->mimic.leader = 2)
SPOIL_MIMIC(mimic_chain, arm->joints[2].mimic = ((lwMimic){true, 1, 0, 0}))
SPOIL(infinite_limits,
      joint->limits = ((lwLimits){-INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY}))
SPOIL(equal_limits, joint->limits.lower = joint->limits.upper = 1)
SPOIL_MOTOR(reversed_gear, motor->gear = -60)
SPOIL(fixed_without_axis, joint->type = LW_JOINT_FIXED; joint->placement = LW_PLACEMENT_ORIGIN_AXIS;
      joint->axis[2] = 0)
SPOIL(base_twice, joint->parent = LW_BASE)

static void sound_robots_pass_without_a_word(void** state)
{
  (void)state;
  void (*const sound[])(Arm*) = {
      nothing,     point_mass, massless,        no_robot_name, plate,         rod,
      rounded_rod, turned_rod, infinite_limits, equal_limits,  reversed_gear, fixed_without_axis,
      base_twice,  noise,      mimic_first,     mimic_later,   mimic_chain};
  for (size_t i = 0; i < sizeof sound / sizeof *sound; ++i)
  {
    Arm arm;
    make_arm(&arm);
    sound[i](&arm);
    arm.options.lint.strict = true;
    lwDiag* diag            = lw_diag_create();
    assert_int_equal(validate(&arm, diag), LW_OK);
    if (lw_diag_size(diag)) findings_print(diag);
    assert_int_equal(lw_diag_size(diag), 0);
    lw_diag_destroy(diag);
  }
}

static void without_reach_no_radius_is_implausible(void** state)
{
  (void)state;
  Arm arm;
  make_arm(&arm);
  for (int i = 0; i < COUNT; ++i)
  {
    arm.joints[i].a           = 0;
    arm.joints[i].link.com[0] = 0;
  }
  assert_int_equal(validate(&arm, NULL), LW_OK);
  arm.options.lint.strict = true;
  assert_int_equal(validate(&arm, NULL), LW_OK);
  assert_int_equal(lw_robot_validate(NULL, NULL, NULL), LW_ERROR_INPUT);
}

static void findings_point_into_the_file(void** state)
{
  (void)state;
  Arm arm;
  make_arm(&arm);
  lwPlace places[COUNT * LW_FIELD_COUNT]      = {{0}};
  places[1 * LW_FIELD_COUNT + LW_FIELD_JOINT] = (lwPlace){2, 5};
  places[1 * LW_FIELD_COUNT + LW_FIELD_MASS]  = (lwPlace){3, 7};
  arm.robot.places                            = places;
  arm.robot.file                              = "arm.yaml";
  arm.robot.text                              = "one\ntwo\nmass: -1\n";
  arm.joints[1].link.mass                     = -1;
  arm.joints[1].link.name                     = "forearm";
  arm.joints[1].limits.velocity               = 0;
  lwDiag* diag                                = lw_diag_create();
  assert_int_equal(validate(&arm, diag), LW_ERROR_INPUT);
  assert_int_equal(lw_diag_size(diag), 2);
  const lwMessage* velocity =
      lw_diag_message(diag, 0);  // its own place is unknown: the joint's is reported
  assert_int_equal(velocity->place.line, 2);
  assert_int_equal(velocity->place.column, 5);
  char text[512];
  lw_message_format(lw_diag_message(diag, 1), text, sizeof text);
  assert_string_equal(text,
                      "arm.yaml:3:7: error: link 'forearm': mass must not be negative (-1 kg)\n"
                      "    3 | mass: -1\n");
  lw_diag_destroy(diag);
}

static void all_findings_are_reported(void** state)
{
  (void)state;
  Arm arm;
  make_arm(&arm);
  arm.joints[0].link.mass       = NAN;
  arm.joints[1].limits.effort   = 0;
  arm.joints[2].link.inertia[2] = 9;
  arm.joints[2].name            = "waist";
  lwDiag* diag                  = lw_diag_create();
  assert_int_equal(validate(&arm, diag), LW_ERROR_INPUT);
  assert_int_equal(lw_diag_count(diag, LW_SEVERITY_ERROR), 3);
  assert_int_equal(lw_diag_count(diag, LW_SEVERITY_WARNING), 1);
  lw_diag_destroy(diag);
}

static void joints_that_could_not_be_read_are_passed_over(void** state)
{
  (void)state;
  Arm arm;
  make_arm(&arm);
  const bool unread[COUNT] = {true, false, true};
  arm.joints[0].a          = NAN;
  arm.joints[0].name       = NULL;
  arm.joints[1].a          = NAN;
  lwDiag* diag             = lw_diag_create();
  assert_int_equal(lw_robot_validate_rest(&arm.robot, unread, NULL, diag), LW_ERROR_INPUT);
  assert_int_equal(lw_diag_size(diag), 1);
  assert_contains(lw_diag_message(diag, 0)->text, "joint 'elbow': a must be");
  lw_diag_destroy(diag);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_rule_is_kept),
      cmocka_unit_test(sound_robots_pass_without_a_word),
      cmocka_unit_test(without_reach_no_radius_is_implausible),
      cmocka_unit_test(findings_point_into_the_file),
      cmocka_unit_test(all_findings_are_reported),
      cmocka_unit_test(joints_that_could_not_be_read_are_passed_over),
  };
  return cmocka_run_group_tests_name("validate", tests, NULL, NULL);
}
