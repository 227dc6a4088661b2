// SPDX-License-Identifier: MIT
// Mass properties that look like mistakes: placeholders that a
// program left, and units that are not SI.
#include <math.h>
#include <stdio.h>

#include "math/elementary.h"
#include "model/lint/check_mass.h"

// --- placeholders

static bool nearly(double a, double b)
{
  return fabs(a - b) <= 1e-4 * fabs(b);
}

static bool all_equal(const double* x, int count, double value)
{
  for (int i = 0; i < count; ++i)
    if (!nearly(x[i], value)) return false;
  return true;
}

// What the inertia of a link looks like; NULL: like none of the placeholders.
static const char* placeholder_of(const lwLinkDef* link)
{
  const double* I = link->inertia;
  bool diagonal = I[3] == 0 && I[4] == 0 && I[5] == 0, heavy = link->mass > 0;
  if (diagonal && all_equal(I, 3, 1)) return "the identity";
  if (all_equal(I, 6, I[0])) return "six times the same number";
  // 0.1, 0.01, .. on the diagonal, where that is nothing that a link is made of
  double power  = I[0] > 0 ? lw_pow(10, round(lw_log10(I[0]))) : 0;
  double volume = heavy ? lw_ellipsoid_volume(link->mass, I) : 0;
  bool odd = volume > 0 && (link->mass / volume < LW_LIGHTEST || link->mass / volume > LW_HEAVIEST);
  if (odd && diagonal && all_equal(I, 3, power)) return "a round number three times";
  if (heavy && diagonal && all_equal(I, 3, link->mass / 6))
    return "that of a cube with sides of 1 m, mass/6";
  return NULL;
}

// True if the shapes of the link, filled with its mass, have about these moments.
static bool fits_bulk(const lwLinkDef* link)
{
  if (!link->bulk || !(link->bulk->volume > 0)) return false;
  double density = link->mass / link->bulk->volume;
  for (int i = 0; i < 3; ++i)
    if (fabs(link->inertia[i] - density * link->bulk->inertia[i]) > 0.2 * link->inertia[i])
      return false;
  return true;
}

bool lw_check_placeholder(lwCheck* check, int joint)
{
  const lwLinkDef* link = &lw_check_def(check, joint)->link;
  const char* what      = fits_bulk(link) ? NULL : placeholder_of(link);
  if (what)
    lw_check_warn(check, "placeholder", joint, LW_FIELD_INERTIA,
                  "compute it from the shape of the link; for URDF lwReadOptions.estimate_inertia "
                  "does, if it is left out",
                  "inertia looks like a placeholder: it is %s (xx %.6g kg m^2, mass %.6g kg)", what,
                  link->inertia[0], link->mass);
  return what != NULL;
}

// --- products of inertia

bool lw_products_are_flipped(const double I[6])
{
  double moments[3];
  const double flipped[6] = {I[0], I[1], I[2], -I[3], -I[4], -I[5]};
  lw_principal_moments(flipped, moments);
  return lw_moments_are_possible(moments);
}

// --- units

// How the numbers would have to be multiplied.
static const struct
{
  double mass, inertia;
  const char* text;
} slips[] = {
    {1, 1e-9, "as if the inertia were in g mm^2"},
    {1, 1e-6, "as if the inertia were in kg mm^2"},
    {1e-3, 1, "as if the mass were in g"},
    {1e-3, 1e-9, "as if mass and inertia were in g and g mm^2"},
    {1e-3, 1e-3, "as if mass and inertia were in g and g m^2"},
    {1, 1e-4, "as if the inertia were in kg cm^2"},
    {1, 1e-7, "as if the inertia were in g cm^2"},
    {1, 1e-3, "as if the inertia were in g m^2"},
    {1e3, 1, "as if the mass were in t"},
    {1, 1e3, "as if the inertia were divided by 1e3 too often"},
    {1, 1e6, "as if the inertia were divided by 1e6 too often"},
    {1, 1e9, "as if the inertia were divided by 1e9 too often"},
};

// Whether density and width, compared with `size`, are usual for the link of an arm.
static bool is_usual(double mass, const double moments[3], double factor, double size)
{
  double scaled[3] = {factor * moments[0], factor * moments[1], factor * moments[2]};
  double radius    = sqrt(scaled[2] / mass);
  double volume    = lw_ellipsoid_volume(mass, scaled);
  if (size > 0 && (radius > 0.5 * size || radius < 0.01 * size)) return false;
  return volume == 0 ? size > 0 : mass / volume > 200 && mass / volume < 12000;
}

const char* lw_slip_hint(double mass, const double moments[3], double size,
                         char buffer[LW_HINT_SIZE])
{
  for (size_t i = 0; i < sizeof slips / sizeof *slips; ++i)
  {
    double m = slips[i].mass * mass, factor = slips[i].inertia;
    if (!is_usual(m, moments, factor, size)) continue;
    snprintf(buffer, LW_HINT_SIZE,
             "it looks %s: with %.4g kg and %.4g kg m^2 the radius of gyration would be %.3g m",
             slips[i].text, m, factor * moments[2], sqrt(factor * moments[2] / m));
    return buffer;
  }
  return NULL;
}
