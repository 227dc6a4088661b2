// SPDX-License-Identifier: MIT
// Faces of the shapes that links are made of. All are made in one of two ways: a polygon extruded
// along z, or a profile turned about z.
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "linkwork/parts.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "report/drawing/scene.h"
#include "trajectory/ik/screws.h"

enum
{
  AROUND       = 24,  // faces around an axis
  HALF         = AROUND / 2,
  STEPS        = 6,  // of a hemisphere, from its edge to its top
  MOST_PROFILE = 16
};

static const double TURN = 2 * LW_PI;

typedef struct SolidBody
{
  lwScene* scene;
  const lwPlace3* place;
  lwPaint paint;
  bool mirrored;  // the place turns counter-clockwise into clockwise
} SolidBody;

static double determinant(const double R[9])
{
  double x[3];
  lw_cross(R, R + 3, x);
  return lw_dot(x, R + 6);
}

static void put_face(const SolidBody* body, const double (*corners)[3], int count, bool outline)
{
  double placed[AROUND + 2][3];
  lwPaint paint = body->paint;
  paint.outline = outline;
  for (int i = 0; i < count; ++i)
  {
    double* to = placed[body->mirrored ? count - 1 - i : i];
    lw_rotate(body->place->R, corners[i], to);
    for (int c = 0; c < 3; ++c) to[c] += body->place->p[c];
  }
  lw_scene_face(body->scene, (const double(*)[3])placed, count, paint);
}

// A polygon (count, 2), counter-clockwise, from z0 to z1. The first `flat` sides have edges.
static void extrude(const SolidBody* body, const double (*polygon)[2], int count, double z0,
                    double z1, int flat)
{
  double low[AROUND + 2][3], high[AROUND + 2][3];
  for (int i = 0; i < count; ++i)
  {
    const double *up = polygon[i], *down = polygon[count - 1 - i];
    memcpy(high[i], (double[3]){up[0], up[1], z1}, sizeof *high);
    memcpy(low[i], (double[3]){down[0], down[1], z0}, sizeof *low);
  }
  put_face(body, (const double(*)[3])low, count, true);
  put_face(body, (const double(*)[3])high, count, true);
  for (int i = 0; i < count; ++i)
  {
    const double *a = polygon[i], *b = polygon[(i + 1) % count];
    const double side[4][3] = {
        {a[0], a[1], z0}, {b[0], b[1], z0}, {b[0], b[1], z1}, {a[0], a[1], z1}};
    put_face(body, side, 4, i < flat);
  }
}

static void put_cap(const SolidBody* body, double radius, double z, bool up)
{
  double corners[AROUND][3];
  if (radius <= 0) return;
  for (int i = 0; i < AROUND; ++i)
  {
    double angle = TURN * (up ? i : -i) / AROUND;
    memcpy(corners[i], (double[3]){radius * lw_cos(angle), radius * lw_sin(angle), z},
           sizeof *corners);
  }
  put_face(body, (const double(*)[3])corners, AROUND, true);
}

// A profile (count, 2) of radius and z, from below to above,
// with caps where it does not end on the axis.
static void revolve(const SolidBody* body, const double (*profile)[2], int count, bool capped)
{
  for (int k = 0; k + 1 < count; ++k)
    for (int i = 0; i < AROUND; ++i)
    {
      const double *a = profile[k], *b = profile[k + 1];
      double c0 = lw_cos(TURN * i / AROUND), s0 = lw_sin(TURN * i / AROUND);
      double c1 = lw_cos(TURN * (i + 1) / AROUND), s1 = lw_sin(TURN * (i + 1) / AROUND);
      const double side[4][3] = {{a[0] * c0, a[0] * s0, a[1]},
                                 {a[0] * c1, a[0] * s1, a[1]},
                                 {b[0] * c1, b[0] * s1, b[1]},
                                 {b[0] * c0, b[0] * s0, b[1]}};
      put_face(body, side, 4, false);
    }
  if (!capped) return;
  put_cap(body, profile[0][0], profile[0][1], false);
  put_cap(body, profile[count - 1][0], profile[count - 1][1], true);
}

static void put_frustum(const SolidBody* body, double bottom, double top, double z0, double z1)
{
  const double profile[2][2] = {{bottom, z0}, {top, z1}};
  revolve(body, profile, 2, true);
}

static void put_rectangle(const SolidBody* body, const double sizes[3])
{
  double x = sizes[0] / 2, y = sizes[1] / 2, z = sizes[2] / 2;
  const double polygon[4][2] = {{-x, -y}, {x, -y}, {x, y}, {-x, y}};
  extrude(body, polygon, 4, -z, z, 4);
}

// The flat side is the last one, from the last point to the first.
static void put_semi_cylinder(const SolidBody* body, double radius, double length)
{
  double polygon[HALF + 1][2];
  for (int i = 0; i <= HALF; ++i)
  {
    int k         = (i + HALF) % (HALF + 1);  // so that the flat side comes first
    polygon[i][0] = radius * lw_cos(TURN * k / AROUND);
    polygon[i][1] = radius * lw_sin(TURN * k / AROUND);
  }
  extrude(body, (const double(*)[2])polygon, HALF + 1, -length / 2, length / 2, 1);
}

static void put_hemisphere(const SolidBody* body, double radius)
{
  double profile[STEPS + 1][2];
  for (int i = 0; i <= STEPS; ++i)
  {
    profile[i][0] = i == STEPS ? 0 : radius * lw_cos(TURN / 4 * i / STEPS);
    profile[i][1] = radius * lw_sin(TURN / 4 * i / STEPS);
  }
  revolve(body, (const double(*)[2])profile, STEPS + 1, true);
}

static void put_torus(const SolidBody* body, double ring, double tube)
{
  double profile[MOST_PROFILE][2];
  for (int i = 0; i < MOST_PROFILE; ++i)
  {
    double angle  = TURN * i / (MOST_PROFILE - 1);
    profile[i][0] = ring + tube * lw_cos(angle);
    profile[i][1] = tube * lw_sin(angle);
  }
  revolve(body, (const double(*)[2])profile, MOST_PROFILE, false);
}

static void put_prism(const SolidBody* body, const double* s)
{
  const double polygon[3][2] = {{0, 0}, {s[0], 0}, {s[2], s[1]}};
  extrude(body, polygon, 3, -s[3] / 2, s[3] / 2, 3);
}

void lw_scene_solid(lwScene* scene, const lwPlace3* place, int solid, const double* s,
                    lwPaint paint)
{
  const SolidBody body = {scene, place, paint, determinant(place->R) < 0};
  if (solid == LW_SOLID_BOX) put_rectangle(&body, s);
  if (solid == LW_SOLID_CYLINDER) put_frustum(&body, s[0], s[0], -s[1] / 2, s[1] / 2);
  if (solid == LW_SOLID_TUBE) put_frustum(&body, s[0], s[0], -s[2] / 2, s[2] / 2);
  if (solid == LW_SOLID_SEMI_CYLINDER) put_semi_cylinder(&body, s[0], s[1]);
  if (solid == LW_SOLID_CONE) put_frustum(&body, s[0], 0, 0, s[1]);
  if (solid == LW_SOLID_FRUSTUM) put_frustum(&body, s[0], s[1], 0, s[2]);
  if (solid == LW_SOLID_HEMISPHERE) put_hemisphere(&body, s[0]);
  if (solid == LW_SOLID_TRIANGULAR_PRISM) put_prism(&body, s);
  if (solid == LW_SOLID_TORUS) put_torus(&body, s[0], s[1]);
  if (solid == LW_SOLID_SPHERE || solid == LW_SOLID_SPHERICAL_SHELL)
    lw_scene_disc(scene, place->p, s[0], paint);
}

void lw_scene_along(lwScene* scene, const double middle[3], const double axis[3], int solid,
                    const double* sizes, lwPaint paint)
{
  lwPlace3 place = {.p = {middle[0], middle[1], middle[2]}};
  double x[3], y[3];
  lw_across(axis, x, y);
  for (int c = 0; c < 3; ++c) memcpy(place.R + 3 * c, (double[3]){x[c], y[c], axis[c]}, sizeof x);
  lw_scene_solid(scene, &place, solid, sizes, paint);
}
