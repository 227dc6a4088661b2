// SPDX-License-Identifier: MIT
// The shapes of sections: sizes, frames, and their volume, centre of mass and inertia in closed
// form, for a density of 1 kg/m^3. To add one: an enumerator in linkwork/parts.h, a function and a
// row of the table here.
//
// With I = integral of (r^2 1 - r r^T) dV, a function below gives the second moments
//   X = integral of x^2 dV, Y, Z about the centre of volume,  xx = Y + Z, yy = X + Z, zz = X + Y.
// Differences of powers are written as products, so that thin walls lose no digits.
#include "parts/solids.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/diag.h"
#include "base/units.h"

static const double smallest = 1e-9, largest = 1e6;  // m, of a size: products of five stay numbers

// A body whose axes through the centre of volume are principal axes.
static lwSolid body(double volume, const double com[3], double X, double Y, double Z)
{
  return (lwSolid){volume, {com[0], com[1], com[2]}, {Y + Z, X + Z, X + Y, 0, 0, 0}};
}

static const double centre[3] = {0, 0, 0};

// --- one function per shape: s are its sizes in the order of the table

static lwSolid box(const double* s)
{
  double V = s[0] * s[1] * s[2];
  return body(V, centre, V * s[0] * s[0] / 12, V * s[1] * s[1] / 12, V * s[2] * s[2] / 12);
}

static lwSolid tube(const double* s)
{
  double R = s[0], r = s[1], l = s[2];
  double V = LW_PI * (R - r) * (R + r) * l;
  double X = V * (R * R + r * r) / 4;
  return body(V, centre, X, X, V * l * l / 12);
}

static lwSolid cylinder(const double* s)
{
  return tube((const double[]){s[0], 0, s[1]});
}

// Half of a cylinder, y >= 0: its second moments about the axis are half of the whole cylinder's.
static lwSolid semi_cylinder(const double* s)
{
  double r = s[0], l = s[1];
  double V = LW_PI * r * r * l / 2, y = 4 * r / (3 * LW_PI);
  double about_axis = V * r * r / 4;
  return body(V, (const double[]){0, y, 0}, about_axis, about_axis - V * y * y, V * l * l / 12);
}

// Discs of radius R (1 - t) + r t, t = z / h.
static lwSolid frustum(const double* s)
{
  double R = s[0], r = s[1], h = s[2];
  double R2 = R * R, r2 = r * r, Rr = R * r;
  double square = R2 + Rr + r2;
  double V      = LW_PI * h * square / 3;
  double z      = h * (R2 + 2 * Rr + 3 * r2) / (4 * square);
  double X      = LW_PI * h * (R2 * R2 + R2 * Rr + R2 * r2 + Rr * r2 + r2 * r2) / 20;
  double Z      = LW_PI * h * h * h * (R2 + 3 * Rr + 6 * r2) / 30;
  return body(V, (const double[]){0, 0, z}, X, X, Z - V * z * z);
}

static lwSolid cone(const double* s)
{
  return frustum((const double[]){s[0], 0, s[1]});
}

static lwSolid spherical_shell(const double* s)
{
  double R = s[0], r = s[1], R2 = R * R, r2 = r * r;
  double V = 4 * LW_PI / 3 * (R - r) * (R2 + R * r + r2);
  double X = 4 * LW_PI / 15 * (R - r) * (R2 * R2 + R2 * R * r + R2 * r2 + R * r * r2 + r2 * r2);
  return body(V, centre, X, X, X);
}

static lwSolid sphere(const double* s)
{
  return spherical_shell((const double[]){s[0], 0});
}

static lwSolid hemisphere(const double* s)
{
  double r = s[0], z = 3 * r / 8;
  double V = 2 * LW_PI / 3 * r * r * r;
  double X = V * r * r / 5;
  return body(V, (const double[]){0, 0, z}, X, X, X - V * z * z);
}

// A triangle of area A with corners x_i from its centroid: integral of x y dA = A / 12 sum x_i y_i.
static lwSolid triangular_prism(const double* s)
{
  double base = s[0], height = s[1], apex = s[2], l = s[3];
  double V = base * height / 2 * l;
  double x = (base + apex) / 3, y = height / 3;
  double corner[3][2] = {{-x, -y}, {base - x, -y}, {apex - x, height - y}};
  double X = 0, Y = 0, XY = 0;
  for (int i = 0; i < 3; ++i)
  {
    X += V / 12 * corner[i][0] * corner[i][0];
    Y += V / 12 * corner[i][1] * corner[i][1];
    XY += V / 12 * corner[i][0] * corner[i][1];
  }
  lwSolid solid    = body(V, (const double[]){x, y, 0}, X, Y, V * l * l / 12);
  solid.inertia[3] = -XY;
  return solid;
}

static lwSolid torus(const double* s)
{
  double c = s[0], a = s[1];
  double V = 2 * LW_PI * LW_PI * c * a * a;
  double X = V * (4 * c * c + 3 * a * a) / 8;
  return body(V, centre, X, X, V * a * a / 4);
}

static lwSolid point(const double* s)
{
  (void)s;
  return (lwSolid){0};
}

// --- sizes that do not fit together: a sentence, or NULL

static const char* wall(const double* s)
{
  return s[1] < s[0] ? NULL : "inner_radius must be less than outer_radius";
}

static const char* ring(const double* s)
{
  return s[1] <= s[0] ? NULL : "tube_radius must not be more than ring_radius";
}

// --- the table

typedef struct SolidShape
{
  lwSolidInfo info;
  lwSolid (*solid)(const double* sizes);
  const char* (*fault)(const double* sizes);  // or NULL
} SolidShape;

#define RADIUS(before)                                                                             \
  {                                                                                                \
    before "radius", before "diameter", LW_SIZE_RULE_POSITIVE                                      \
  }
#define RADIUS_OR_0(before)                                                                        \
  {                                                                                                \
    before "radius", before "diameter", LW_SIZE_RULE_NOT_NEGATIVE                                  \
  }
#define LENGTH(name)                                                                               \
  {                                                                                                \
    name, NULL, LW_SIZE_RULE_POSITIVE                                                              \
  }

#define ANY(name)                                                                                  \
  {                                                                                                \
    name, NULL, LW_SIZE_RULE_ANY                                                                   \
  }

#define IN_CENTRE "origin in the centre, z along the axis"

// Its name; its body and the check of its sizes, or NULL; its frame; how many sizes, and these.
#define SHAPE(kind, word, make, check, where, n, ...)                                              \
  [LW_SOLID_##kind] = {{word, where, n, {__VA_ARGS__}}, make, check}

static const SolidShape shapes[LW_SOLID_COUNT] = {
    SHAPE(BOX, "box", box, NULL, "origin in the centre, edges along x, y, z", 3, LENGTH("x"),
          LENGTH("y"), LENGTH("z")),
    SHAPE(CYLINDER, "cylinder", cylinder, NULL, IN_CENTRE, 2, RADIUS(""), LENGTH("length")),
    SHAPE(TUBE, "tube", tube, wall, IN_CENTRE, 3, RADIUS("outer_"), RADIUS_OR_0("inner_"),
          LENGTH("length")),
    SHAPE(
        SEMI_CYLINDER, "semi-cylinder", semi_cylinder, NULL,
        "origin in the middle of the axis, z along it, flat side in y = 0, body on the side of +y",
        2, RADIUS(""), LENGTH("length")),
    SHAPE(CONE, "cone", cone, NULL, "origin in the centre of the base, tip at z = height", 2,
          RADIUS(""), LENGTH("height")),
    SHAPE(FRUSTUM, "frustum", frustum, NULL,
          "origin in the centre of the bottom, top at z = height", 3, RADIUS("bottom_"),
          RADIUS_OR_0("top_"), LENGTH("height")),
    SHAPE(SPHERE, "sphere", sphere, NULL, "origin in the centre", 1, RADIUS("")),
    SHAPE(HEMISPHERE, "hemisphere", hemisphere, NULL,
          "origin in the centre of the flat side, which is in z = 0, body on the side of +z", 1,
          RADIUS("")),
    SHAPE(SPHERICAL_SHELL, "spherical-shell", spherical_shell, wall, "origin in the centre", 2,
          RADIUS("outer_"), RADIUS_OR_0("inner_")),
    SHAPE(
        TRIANGULAR_PRISM, "triangular-prism", triangular_prism, NULL,
        "corners (0, 0), (base, 0) and (apex, height) in x, y; z along the prism, from its middle",
        4, LENGTH("base"), LENGTH("height"), ANY("apex"), LENGTH("length")),
    SHAPE(TORUS, "torus", torus, ring, IN_CENTRE, 2, RADIUS("ring_"), RADIUS("tube_")),
    SHAPE(POINT, "point", point, NULL, "in the origin", 0, {0}),
    SHAPE(MESH, "mesh", NULL, NULL, "that of the file", 0, {0}),
};

const lwSolidInfo* lw_solid_info(lwSolidKind shape)
{
  return &shapes[shape].info;
}

const char* lw_size_fault(lwSizeRule rule, double size)
{
  if (!isfinite(size)) return "a size must be a finite number";
  if (fabs(size) > largest) return "a size must be at most 1e6 m";
  if (rule == LW_SIZE_RULE_NOT_NEGATIVE && size < 0) return "a radius must not be negative";
  if (rule == LW_SIZE_RULE_POSITIVE && !(size >= smallest)) return "a size must be at least 1e-9 m";
  return NULL;
}

const char* lw_solid_make(lwSolidKind shape, const double* sizes, lwSolid* solid)
{
  memset(solid, 0, sizeof *solid);
  const SolidShape* row = &shapes[shape];
  if (!row->solid) return "a mesh is read from its file";
  for (int i = 0; i < row->info.count; ++i)
  {
    const char* fault = lw_size_fault(row->info.sizes[i].rule, sizes[i]);
    if (fault) return fault;
  }
  const char* fault = row->fault ? row->fault(sizes) : NULL;
  if (!fault) *solid = row->solid(sizes);
  return fault;
}

lwStatus lw_solid_of(lwSolidKind shape, const double* sizes, lwDiag* diag, lwSolid* solid)
{
  const char* fault = lw_solid_make(shape, sizes, solid);
  if (fault) LW_REFUSE(diag, NULL, "%s: %s", lw_solid_info(shape)->name, fault);
  return fault ? LW_ERROR_INPUT : LW_OK;
}
