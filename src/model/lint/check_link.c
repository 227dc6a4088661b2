// SPDX-License-Identifier: MIT
// Could a rigid body have this mass and inertia, and could this robot carry it?
//
// With principal moments I1 <= I2 <= I3 (kg m^2) about the centre of mass and mass m (kg):
//   I1 >= 0              inertia is positive semidefinite; else kinetic energy could be negative
//   I1 + I2 >= I3        triangle rule, from I = integral of (r^2 E - r r^T) dm with dm >= 0
//   sqrt(I3 / m) <= 3 R  no link is much wider than the robot reaches, R
//   5 <= density <= 25000 kg/m^3 of the solid ellipsoid with this m and these moments: foam to
//                        platinum
// A point mass (all moments 0) passes, unless the file spells out the zeros. check_slips.c looks
// for placeholders and wrong units, check_bulk.c compares with the shapes of the link.
#include <math.h>

#include "base/units.h"
#include "math/symmetric.h"
#include "model/lint/check_mass.h"

// Moments in files have about six digits: smaller differences, relative to the trace, are rounding.
static const double rounding = 1e-6;

// kg m^2. Moments below are noise of the program that wrote the file:
// a grain of 1 mg and 1 mm has 1e-12.
static const double noise = 1e-15;

// An ellipsoid flatter than this (squares of semi-axes) is a rod or plate; volume means nothing.
static const double flat = 1e-6;

static const double lightest = LW_LIGHTEST, heaviest = LW_HEAVIEST;

static const char order_hint[] =
    "check the signs and the order xx yy zz xy xz yz; lwLint.allow_bad_inertia reads it as it is";
static const char triangle_hint[] =
    "no rigid body has these principal moments; check the order xx yy zz xy xz yz";
static const char flipped_hint[] =
    "with the other sign of its products it is possible: they are elements of the tensor, xy is "
    "-integral of x y dm";
static const char radius_hint[] =
    "inertia is in kg m^2, about the centre of mass; check the units and the reference point";

static void sort3(double x[3])
{
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2 - i; ++j)
    {
      double low = fmin(x[j], x[j + 1]), high = fmax(x[j], x[j + 1]);
      x[j]     = low;
      x[j + 1] = high;
    }
}

void lw_principal_moments(const double I[6], double moments[3])
{
  double A[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}, V[9];
  lw_jacobi(3, A, V);
  for (int i = 0; i < 3; ++i) moments[i] = A[4 * i];
  sort3(moments);
}

static bool is_zero(const double* x, int count)
{
  for (int i = 0; i < count; ++i)
    if (x[i] != 0) return false;
  return true;
}

// The triangle rule in the terms of the file if the tensor is diagonal, else in principal moments.
static void report_triangle(lwCheck* check, int joint, const double moments[3])
{
  static const char* const principal[] = {"I1", "I2", "I3"};
  static const char* const diagonal[]  = {"Ixx", "Iyy", "Izz"};
  const double* I                      = lw_check_def(check, joint)->link.inertia;
  bool plain                           = is_zero(I + 3, 3);
  const double* x                      = plain ? I : moments;
  const char* const* names             = plain ? diagonal : principal;
  int most                             = 0;
  for (int i = 1; i < 3; ++i) most = x[i] > x[most] ? i : most;
  int first = most == 0 ? 1 : 0, second = most == 2 ? 1 : 2;
  lw_check_warn(check, "triangle-rule", joint, LW_FIELD_INERTIA,
                lw_products_are_flipped(I) ? flipped_hint : triangle_hint,
                "inertia breaks the triangle rule: %s + %s < %s (%.6g + %.6g < %.6g kg m^2)",
                names[first], names[second], names[most], x[first], x[second], x[most]);
}

static double tolerance(const double moments[3])
{
  return rounding * (fabs(moments[0]) + fabs(moments[1]) + fabs(moments[2])) + noise;
}

static bool keeps_triangle(const double moments[3])
{
  return moments[0] + moments[1] >= moments[2] - tolerance(moments);
}

bool lw_moments_are_possible(const double moments[3])
{
  return moments[0] >= -tolerance(moments) && keeps_triangle(moments);
}

// True if the link never moves: only fixed joints are between it and a base that does not float.
static bool is_part_of_base(const lwCheck* check, int joint)
{
  if (check->robot->floating_base || check->options.mount.floating) return false;
  while (joint > LW_BASE && check->robot->joints[joint].type == LW_JOINT_FIXED &&
         check->robot->joints[joint].parent < joint)
    joint = check->robot->joints[joint].parent;
  return joint == LW_BASE;
}

// An impossible inertia is an error where something depends on it.
static void report_negative(lwCheck* check, int joint, const double moments[3])
{
  const double* I  = lw_check_def(check, joint)->link.inertia;
  const char* hint = lw_products_are_flipped(I) ? flipped_hint : order_hint;
  lwSeverity severity =
      check->options.lint.allow_bad_inertia ? LW_SEVERITY_WARNING : LW_SEVERITY_ERROR;
  if (is_part_of_base(check, joint))
    lw_check_warn(check, "base-inertia", joint, LW_FIELD_INERTIA, hint,
                  "inertia is not positive semidefinite: a principal moment is negative "
                  "(%.6g, %.6g, %.6g kg m^2); nothing depends on it while the base is fixed",
                  moments[0], moments[1], moments[2]);
  else
    lw_check_report(check, severity, joint, LW_FIELD_INERTIA, hint,
                    "inertia is not positive semidefinite: a principal moment is negative "
                    "(%.6g, %.6g, %.6g kg m^2)",
                    moments[0], moments[1], moments[2]);
}

// Both rules about the moments alone; false if one is broken.
static bool check_moments(lwCheck* check, int joint, const double moments[3])
{
  if (moments[0] < -tolerance(moments))
  {
    report_negative(check, joint, moments);
    return false;
  }
  if (keeps_triangle(moments)) return true;
  report_triangle(check, joint, moments);
  return false;
}

static bool check_radius(lwCheck* check, int joint, double mass, const double moments[3])
{
  char buffer[LW_HINT_SIZE];
  const double plausible = 3 * check->reach;
  double radius          = sqrt(moments[2] / mass);
  if (!(plausible > 0) || radius <= plausible) return false;
  const char* hint = lw_slip_hint(mass, moments, check->reach, buffer);
  lw_check_warn(check, "gyration-radius", joint, LW_FIELD_INERTIA, hint ? hint : radius_hint,
                "radius of gyration %.4g m is more than 3 times the reach of the robot, %.4g m "
                "(moment %.4g kg m^2, mass %.4g kg)",
                radius, check->reach, moments[2], mass);
  return true;
}

// The solid ellipsoid with semi-axes a b c has moments m (b^2 + c^2) / 5, and so on round.
double lw_ellipsoid_volume(double mass, const double I[3])
{
  double squares[3] = {I[1] + I[2] - I[0], I[2] + I[0] - I[1], I[0] + I[1] - I[2]};
  for (int i = 0; i < 3; ++i) squares[i] *= 2.5 / mass;
  double least = fmin(squares[0], fmin(squares[1], squares[2]));
  double most  = fmax(squares[0], fmax(squares[1], squares[2]));
  if (!(least > flat * most)) return 0;
  return 4 * LW_PI / 3 * sqrt(squares[0]) * sqrt(squares[1]) * sqrt(squares[2]);
}

static void check_density(lwCheck* check, int joint, double mass, const double moments[3])
{
  char buffer[LW_HINT_SIZE];
  double volume  = lw_ellipsoid_volume(mass, moments);
  double density = mass / volume;
  if (!(volume > 0) || (density >= lightest && density <= heaviest)) return;
  const char* hint = lw_slip_hint(mass, moments, check->reach, buffer);
  lw_check_warn(check, "density", joint, LW_FIELD_INERTIA,
                hint ? hint : "mass is in kg, inertia in kg m^2; check the units of both",
                "a solid with this mass and inertia would have the density %.4g kg/m^3 "
                "(%.4g kg in %.4g m^3; plausible is %g to %g kg/m^3)",
                density, mass, volume, lightest, heaviest);
}

// True if a field of the joint is written in the file, so that its zeros are meant.
static bool is_written(const lwCheck* check, int joint, lwField field)
{
  const lwPlace* places = joint == LW_BASE ? check->robot->base_places : check->robot->places;
  if (places && joint != LW_BASE) places += (size_t)joint * LW_FIELD_COUNT;
  return places && places[field].line > 0;
}

static void check_point(lwCheck* check, int joint)
{
  const lwJointDef* def = lw_check_def(check, joint);
  const lwLinkDef* link = &def->link;
  bool lint             = check->options.lint.pedantic;
  if (lint && link->mass == 0 && link->shape_count > 0 && def->type != LW_JOINT_FIXED)
    lw_check_warn(check, "no-mass", joint, LW_FIELD_LINK,
                  "lwReadOptions.estimate_inertia fills mass and inertia in from its shapes", "%s",
                  "it moves and has shapes, but no mass");
  if (lint && link->mass > 0 && is_written(check, joint, LW_FIELD_INERTIA))
    lw_check_warn(check, "point-mass", joint, LW_FIELD_INERTIA,
                  "give the inertia of its shape; leave it out where a point mass is meant",
                  "a mass of %.6g kg with an inertia of zero is a point", link->mass);
  lw_check_bulk(check, joint, NULL);
}

void lw_check_link(lwCheck* check, int joint)
{
  const lwLinkDef* link = &lw_check_def(check, joint)->link;
  double moments[3];
  if (is_zero(link->inertia, 6))
  {
    check_point(check, joint);
    return;
  }
  lw_principal_moments(link->inertia, moments);
  bool empty = lw_check_placeholder(check, joint);
  bool sound = !empty && check_moments(check, joint, moments);
  if (link->mass == 0)
    lw_check_warn(check, "inertia-without-mass", joint, LW_FIELD_INERTIA,
                  "give the mass too, or leave the inertia out",
                  "inertia without mass (largest principal moment %.6g kg m^2, mass 0 kg)",
                  moments[2]);
  else if (!lw_check_bulk(check, joint, sound ? moments : NULL) && sound &&
           !check_radius(check, joint, link->mass, moments))
    check_density(check, joint, link->mass, moments);
}
