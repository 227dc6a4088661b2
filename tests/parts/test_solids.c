// SPDX-License-Identifier: MIT
// Every shape against textbook formulas and against numerical integration of its volume.
#include <math.h>
#include <string.h>

#include "linkwork/parts.h"
#include "support/testing.h"

#define PI 3.14159265358979323846

// --- whether a point is inside, from the definitions in docs/formats.md alone

typedef bool Inside(const double* s, double x, double y, double z);

static bool in_box(const double* s, double x, double y, double z)
{
  return fabs(x) < s[0] / 2 && fabs(y) < s[1] / 2 && fabs(z) < s[2] / 2;
}

static bool in_cylinder(const double* s, double x, double y, double z)
{
  return hypot(x, y) < s[0] && fabs(z) < s[1] / 2;
}

static bool in_tube(const double* s, double x, double y, double z)
{
  return hypot(x, y) < s[0] && hypot(x, y) > s[1] && fabs(z) < s[2] / 2;
}

static bool in_semi_cylinder(const double* s, double x, double y, double z)
{
  return y > 0 && in_cylinder(s, x, y, z);
}

static bool in_cone(const double* s, double x, double y, double z)
{
  return z > 0 && z < s[1] && hypot(x, y) < s[0] * (1 - z / s[1]);
}

static bool in_frustum(const double* s, double x, double y, double z)
{
  return z > 0 && z < s[2] && hypot(x, y) < s[0] + (s[1] - s[0]) * z / s[2];
}

static bool in_sphere(const double* s, double x, double y, double z)
{
  return x * x + y * y + z * z < s[0] * s[0];
}

static bool in_hemisphere(const double* s, double x, double y, double z)
{
  return z > 0 && in_sphere(s, x, y, z);
}

static bool in_shell(const double* s, double x, double y, double z)
{
  return in_sphere(s, x, y, z) && x * x + y * y + z * z > s[1] * s[1];
}

// Left of the three edges, in the order of the corners.
static bool in_prism(const double* s, double x, double y, double z)
{
  double base = s[0], height = s[1], apex = s[2];
  bool right = (x - base) * height - (apex - base) * y < 0;
  bool left  = x * height - apex * y > 0;
  return y > 0 && right && left && fabs(z) < s[3] / 2;
}

static bool in_torus(const double* s, double x, double y, double z)
{
  return hypot(hypot(x, y) - s[0], z) < s[1];
}

// --- textbook formulas

static lwSolid diagonal(double V, double z, double Ix, double Iy, double Iz)
{
  return (lwSolid){V, {0, 0, z}, {V * Ix, V * Iy, V * Iz, 0, 0, 0}};
}

static lwSolid book_box(const double* s)
{
  double a = s[0] * s[0], b = s[1] * s[1], c = s[2] * s[2];
  return diagonal(s[0] * s[1] * s[2], 0, (b + c) / 12, (a + c) / 12, (a + b) / 12);
}

static lwSolid book_tube(const double* s)
{
  double r2 = s[0] * s[0] + s[1] * s[1], I = (3 * r2 + s[2] * s[2]) / 12;
  return diagonal(PI * (s[0] * s[0] - s[1] * s[1]) * s[2], 0, I, I, r2 / 2);
}

static lwSolid book_cylinder(const double* s)
{
  double I = s[0] * s[0] / 4 + s[1] * s[1] / 12;
  return diagonal(PI * s[0] * s[0] * s[1], 0, I, I, s[0] * s[0] / 2);
}

static lwSolid book_semi_cylinder(const double* s)
{
  double r = s[0], l = s[1], k = 16 / (9 * PI * PI);
  lwSolid solid = diagonal(PI * r * r * l / 2, 0, r * r * (0.25 - k) + l * l / 12,
                           r * r / 4 + l * l / 12, r * r * (0.5 - k));
  solid.com[1]  = 4 * r / (3 * PI);
  return solid;
}

static lwSolid book_cone(const double* s)
{
  double r = s[0], h = s[1], I = 3 * (4 * r * r + h * h) / 80;
  return diagonal(PI * r * r * h / 3, h / 4, I, I, 0.3 * r * r);
}

// A cone minus its tip, a smaller cone, by the parallel axis theorem.
static lwSolid book_frustum(const double* s)
{
  double R = s[0], r = s[1], h = s[2], H = h * R / (R - r);
  lwSolid big = book_cone((const double[]){R, H}), tip = book_cone((const double[]){r, H - h});
  double V    = big.volume - tip.volume;
  double ztip = h + tip.com[2], z = (big.volume * big.com[2] - tip.volume * ztip) / V;
  double I = big.inertia[0] + big.volume * pow(big.com[2] - z, 2) - tip.inertia[0] -
             tip.volume * pow(ztip - z, 2);
  return (lwSolid){V, {0, 0, z}, {I, I, big.inertia[2] - tip.inertia[2], 0, 0, 0}};
}

static lwSolid book_shell(const double* s)
{
  double I = 0.4 * (pow(s[0], 5) - pow(s[1], 5)) / (pow(s[0], 3) - pow(s[1], 3));
  return diagonal(4 * PI / 3 * (pow(s[0], 3) - pow(s[1], 3)), 0, I, I, I);
}

static lwSolid book_sphere(const double* s)
{
  double I = 0.4 * s[0] * s[0];
  return diagonal(4 * PI / 3 * pow(s[0], 3), 0, I, I, I);
}

static lwSolid book_hemisphere(const double* s)
{
  double r2 = s[0] * s[0];
  return diagonal(2 * PI / 3 * pow(s[0], 3), 3 * s[0] / 8, 83 * r2 / 320, 83 * r2 / 320, 0.4 * r2);
}

// Area moments of a triangle about its centroid: b h^3 / 36 and so on.
static lwSolid book_prism(const double* s)
{
  double b = s[0], h = s[1], a = s[2], l = s[3], V = b * h / 2 * l;
  double Y = h * h / 18, X = (b * b - a * b + a * a) / 18, XY = h * (2 * a - b) / 36;
  lwSolid solid    = diagonal(V, 0, Y + l * l / 12, X + l * l / 12, X + Y);
  solid.com[0]     = (a + b) / 3;
  solid.com[1]     = h / 3;
  solid.inertia[3] = -V * XY;
  return solid;
}

static lwSolid book_torus(const double* s)
{
  double c = s[0] * s[0], a = s[1] * s[1], I = (4 * c + 5 * a) / 8;
  return diagonal(2 * PI * PI * s[0] * a, 0, I, I, c + 0.75 * a);
}

// --- the trials

typedef struct Trial
{
  lwSolidKind shape;
  double sizes[LW_SOLID_MAX_SIZES];
  double reach;  // the body lies within +-reach
  Inside* inside;
  lwSolid (*book)(const double* sizes);
} Trial;

static const Trial trials[] = {
    {LW_SOLID_BOX, {0.7, 1.1, 1.9}, 1, in_box, book_box},
    {LW_SOLID_CYLINDER, {0.6, 1.5}, 0.8, in_cylinder, book_cylinder},
    {LW_SOLID_TUBE, {0.9, 0.5, 0.7}, 1, in_tube, book_tube},
    {LW_SOLID_SEMI_CYLINDER, {0.8, 1.3}, 0.9, in_semi_cylinder, book_semi_cylinder},
    {LW_SOLID_CONE, {0.7, 0.9}, 1, in_cone, book_cone},
    {LW_SOLID_FRUSTUM, {0.9, 0.4, 0.7}, 1, in_frustum, book_frustum},
    {LW_SOLID_FRUSTUM, {0.3, 0.8, 0.9}, 1, in_frustum, book_frustum},
    {LW_SOLID_SPHERE, {0.9}, 1, in_sphere, book_sphere},
    {LW_SOLID_HEMISPHERE, {0.9}, 1, in_hemisphere, book_hemisphere},
    {LW_SOLID_SPHERICAL_SHELL, {0.9, 0.6}, 1, in_shell, book_shell},
    {LW_SOLID_TRIANGULAR_PRISM, {0.9, 0.8, -0.3, 0.7}, 1, in_prism, book_prism},
    {LW_SOLID_TRIANGULAR_PRISM, {0.7, 0.9, 0.95, 0.4}, 1, in_prism, book_prism},
    {LW_SOLID_TORUS, {0.6, 0.3}, 1, in_torus, book_torus},
};

enum
{
  TRIALS = sizeof trials / sizeof trials[0]
};

// Largest difference, relative to the size of the body.
static double difference(const lwSolid* a, const lwSolid* b, double reach)
{
  double worst = fabs(a->volume - b->volume) / a->volume;
  for (int i = 0; i < 3; ++i) worst = fmax(worst, fabs(a->com[i] - b->com[i]) / reach);
  for (int i = 0; i < 6; ++i)
    worst = fmax(worst, fabs(a->inertia[i] - b->inertia[i]) / (a->volume * reach * reach));
  return worst;
}

// A dozen operations on numbers of size 1, some with cancellation by a factor of 20 (the
// frustum as a difference).
static void as_in_textbooks(void** state)
{
  (void)state;
  for (int i = 0; i < TRIALS; ++i)
  {
    lwSolid solid, book = trials[i].book(trials[i].sizes);
    assert_int_equal(lw_solid_of(trials[i].shape, trials[i].sizes, NULL, &solid), LW_OK);
    double worst = difference(&solid, &book, trials[i].reach);
    if (worst > 1e-14) fail_msg("%s: %g", lw_solid_info(trials[i].shape)->name, worst);
  }
}

// --- numerical integration

enum
{
  POINTS = 1 << 22
};

// The next point of an additive recurrence that fills the unit cube evenly: steps of 1/g, 1/g^2,
// 1/g^3 modulo 1, g^4 = g + 1.
static void next_point(double u[3])
{
  static const double step[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
  for (int i = 0; i < 3; ++i) u[i] += u[i] + step[i] < 1 ? step[i] : step[i] - 1;
}

// Integrates by the mean over evenly spread points inside, times the volume of the enclosing cube.
static lwSolid integrate(const Trial* trial)
{
  double r = trial->reach, V = 0, first[3] = {0}, second[3][3] = {{0}};
  double u[3] = {0.5, 0.5, 0.5};
  for (int k = 0; k < POINTS; ++k)
  {
    double x[3];
    next_point(u);
    for (int i = 0; i < 3; ++i) x[i] = r * (2 * u[i] - 1);
    if (!trial->inside(trial->sizes, x[0], x[1], x[2])) continue;
    V += 1;
    for (int i = 0; i < 3; ++i) first[i] += x[i];
    for (int i = 0; i < 9; ++i) second[i / 3][i % 3] += x[i / 3] * x[i % 3];
  }
  double cell   = 8 * r * r * r / POINTS;
  lwSolid solid = {.volume = V * cell};
  for (int i = 0; i < 3; ++i) solid.com[i] = first[i] / V;
  for (int i = 0; i < 9; ++i)
    second[i / 3][i % 3] = cell * (second[i / 3][i % 3] - V * solid.com[i / 3] * solid.com[i % 3]);
  for (int i = 0; i < 3; ++i)
    solid.inertia[i] = second[(i + 1) % 3][(i + 1) % 3] + second[(i + 2) % 3][(i + 2) % 3];
  solid.inertia[3] = -second[0][1];
  solid.inertia[4] = -second[0][2];
  solid.inertia[5] = -second[1][2];
  return solid;
}

// N evenly spread points give a volume to about N^(-2/3) of the cube (the surface passes through
// N^(2/3) of the N cells, whose errors partly cancel): 4e-5 here, times the ratio of cube to body,
// which is up to 30 (the prism).
static void as_integrated(void** state)
{
  (void)state;
  for (int i = 0; i < TRIALS; ++i)
  {
    const Trial* trial = &trials[i];
    lwSolid solid;
    assert_int_equal(lw_solid_of(trial->shape, trial->sizes, NULL, &solid), LW_OK);
    lwSolid numeric = integrate(trial);
    double worst    = difference(&solid, &numeric, trial->reach);
    print_message("  %-18s differs by %.1e\n", lw_solid_info(trial->shape)->name, worst);
    if (worst > 5e-4) fail_msg("%s: %g", lw_solid_info(trial->shape)->name, worst);
  }
}

// Thin walls lose no digits: surface times thickness, to first order in the thickness.
static void thin_walls(void** state)
{
  (void)state;
  const double R = 0.3, t = 1e-9 * R, l = 0.7;
  lwSolid tube, shell;
  double inner = R - t;
  double wall  = R - inner;  // t after rounding in the subtraction
  assert_int_equal(lw_solid_of(LW_SOLID_TUBE, (const double[]){R, inner, l}, NULL, &tube), LW_OK);
  assert_int_equal(lw_solid_of(LW_SOLID_SPHERICAL_SHELL, (const double[]){R, inner}, NULL, &shell),
                   LW_OK);
  assert_closer(tube.volume / (2 * PI * R * wall * l), 1, 2e-9);
  assert_closer(tube.inertia[2] / (tube.volume * R * R), 1, 4e-9);
  assert_closer(shell.volume / (4 * PI * R * R * wall), 1, 4e-9);
  assert_closer(shell.inertia[0] / (shell.volume * R * R * 2 / 3), 1, 8e-9);
}

static void a_point_has_no_volume(void** state)
{
  (void)state;
  lwSolid solid, zero = {0};
  assert_int_equal(lw_solid_of(LW_SOLID_POINT, NULL, NULL, &solid), LW_OK);
  assert_memory_equal(&solid, &zero, sizeof zero);
}

static void impossible_sizes(void** state)
{
  (void)state;
  static const struct
  {
    lwSolidKind shape;
    double sizes[LW_SOLID_MAX_SIZES];
    const char* part;
  } refused[] = {
      {LW_SOLID_BOX, {1, 1, 0}, "at least 1e-9"},
      {LW_SOLID_BOX, {1, -1, 1}, "at least 1e-9"},
      {LW_SOLID_SPHERE, {NAN}, "finite"},
      {LW_SOLID_SPHERE, {INFINITY}, "finite"},
      {LW_SOLID_SPHERE, {1e7}, "at most 1e6"},
      {LW_SOLID_TUBE, {1, 1, 1}, "less than outer_radius"},
      {LW_SOLID_TUBE, {1, -0.1, 1}, "not be negative"},
      {LW_SOLID_SPHERICAL_SHELL, {1, 2}, "less than outer_radius"},
      {LW_SOLID_TORUS, {1, 1.1}, "not be more than ring_radius"},
      {LW_SOLID_TRIANGULAR_PRISM, {1, 1, INFINITY, 1}, "finite"},
      {LW_SOLID_MESH, {0}, "read from its file"},
  };
  lwSolid solid;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
  {
    lwDiag* diag    = lw_diag_create();
    lwStatus status = lw_solid_of(refused[i].shape, refused[i].sizes, diag, &solid);
    assert_int_equal(status, LW_ERROR_INPUT);
    const char* fault = lw_diag_message(diag, 0)->text;
    if (!strstr(fault, refused[i].part)) fail_msg("'%s' lacks '%s'", fault, refused[i].part);
    lw_diag_destroy(diag);
    assert_same(solid.volume, 0);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_in_textbooks),  cmocka_unit_test(as_integrated),
      cmocka_unit_test(thin_walls),       cmocka_unit_test(a_point_has_no_volume),
      cmocka_unit_test(impossible_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
