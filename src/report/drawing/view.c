// SPDX-License-Identifier: MIT
#include "report/drawing/view.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/units.h"
#include "math/rotation.h"

// Sines of whole right angles are exact, so that axes of such views stay axes.
static void exact_sincos(double angle, double* s, double* c)
{
  *s = sin(angle);
  *c = cos(angle);
  if (fabs(*s) < 1e-15) *s = 0;
  if (fabs(*c) < 1e-15) *c = 0;
}

lwViewpoint lw_view_from(double azimuth, double elevation)
{
  double sa, ca, se, ce;
  exact_sincos(azimuth, &sa, &ca);
  exact_sincos(elevation, &se, &ce);
  return (lwViewpoint){
      .right = {-sa, ca, 0}, .up = {-ca * se, -sa * se, ce}, .toward = {ca * ce, sa * ce, se}};
}

bool lw_view_named(const char* name, lwViewpoint* view)
{
  static const double right_angle = LW_PI / 2;
  static const struct
  {
    const char* name;
    double azimuth, elevation;
  } views[] = {
      {"front", -1, 0}, {"side", 0, 0}, {"top", -1, 1}, {"iso", -0.5, 0.39182655203060727}};
  for (size_t i = 0; i < sizeof views / sizeof *views; ++i)
  {
    if (strcmp(name, views[i].name) != 0) continue;
    *view = lw_view_from(views[i].azimuth * right_angle, views[i].elevation * right_angle);
    return true;
  }
  return false;
}

void lw_view_project(const lwViewpoint* view, const double p[3], double out[3])
{
  double right = lw_dot(view->right, p), up = lw_dot(view->up, p), toward = lw_dot(view->toward, p);
  out[0] = right, out[1] = up, out[2] = toward;
}
