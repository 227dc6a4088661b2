// SPDX-License-Identifier: MIT
// Parts files: results, and errors reported at exactly their place.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/parts.h"
#include "linkwork/read.h"
#include "support/reader_findings.h"
#include "support/testing.h"

#define PI 3.14159265358979323846

// --- reading

typedef struct Reading
{
  lwStatus status;
  lwParts* parts;
  lwDiag* diag;
} Reading;

static Reading read_with(const char* text, bool strict)
{
  Reading r   = {.diag = lw_diag_create()};
  lwLint lint = {.strict = strict};
  r.status    = lw_parts_read_text("arm.parts.yaml", text, strlen(text), &lint, r.diag, &r.parts);
  assert_int_equal(r.status == LW_OK, r.parts != NULL);
  return r;
}

static void forget(Reading* r)
{
  lw_parts_destroy(r->parts);
  lw_diag_destroy(r->diag);
}

// A file with one link; the text follows `parts:` and may end with further keys of the link.
static Reading read_link(const char* parts)
{
  char text[8192];
  int length =
      snprintf(text, sizeof text, "linkwork: 1\nlinks:\n  - name: link\n    parts: %s\n", parts);
  assert_less(length, (int)sizeof text);
  Reading r = read_with(text, false);
  if (r.status != LW_OK || lw_diag_size(r.diag) > 0) findings_print(r.diag);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_diag_size(r.diag), 0);
  return r;
}

static lwLinkDef body_of(const char* parts)
{
  Reading r      = read_link(parts);
  lwLinkDef body = lw_parts_link(r.parts, 0)->body;
  forget(&r);
  body.name = NULL;
  return body;
}

// Differences relative to the mass, to 1 m, and to the mass times 1 m^2.
static void check_body(const lwLinkDef* got, const lwLinkDef* expected, double bound)
{
  double worst = fabs(got->mass - expected->mass) / expected->mass;
  for (int i = 0; i < 3; ++i) worst = fmax(worst, fabs(got->com[i] - expected->com[i]));
  for (int i = 0; i < 6; ++i)
    worst = fmax(worst, fabs(got->inertia[i] - expected->inertia[i]) / expected->mass);
  if (!(worst <= bound)) fail_msg("differs by %g", worst);
}

static const double exact = 1e-14;  // some dozens of roundings

// --- results

static void a_plain_box(void** state)
{
  (void)state;
  lwLinkDef box = {
      .mass    = 6e-3 * 2700,
      .com     = {1, 2, 3},
      .inertia = {6e-3 * 2700 * 0.13 / 12, 6e-3 * 2700 * 0.1 / 12, 6e-3 * 2700 * 0.05 / 12}};
  lwLinkDef got = body_of("[{name: a, sections: [{shape: box, x: 0.1, y: 20 cm, z: 300 mm, "
                          "density: 2.7 g/cm^3, place: {xyz: [1, 200 cm, 3000 mm]}}]}]");
  check_body(&got, &box, exact);
  // the same with a material, with a mass, and with the offset split between part and section
  got = body_of("[{name: a, material: aluminium, place: {xyz: [0, 2, 0]}, sections: [{shape: box, "
                "x: 0.1, y: 0.2, z: 0.3, place: {xyz: [1, 0, 3]}}]}]");
  check_body(&got, &box, exact);
  got = body_of("[{name: a, sections: [{shape: box, x: 0.1, y: 0.2, z: 0.3, mass: 16200 g}]}]\n"
                "    place: {xyz: [1, 2, 3]}");
  check_body(&got, &box, exact);
}

static void diameters_are_twice_radii(void** state)
{
  (void)state;
  lwLinkDef a = body_of("[{name: a, material: steel, sections: [{shape: tube, outer_radius: 0.2, "
                        "inner_radius: 0.1, length: 0.5}]}]");
  lwLinkDef b = body_of("[{name: a, material: steel, sections: [{shape: tube, outer_diameter: 0.4, "
                        "inner_diameter: 20 cm, length: 0.5}]}]");
  check_body(&a, &b, 0);
}

// A cylinder with a cylindrical hole is a tube.
static void holes(void** state)
{
  (void)state;
  lwLinkDef tube =
      body_of("[{name: a, material: steel, sections: [{shape: tube, outer_radius: 0.2, "
              "inner_radius: 0.1, length: 0.5}]}]");
  lwLinkDef drilled =
      body_of("[{name: a, material: steel, sections: [{shape: cylinder, radius: 0.2, "
              "length: 0.5}, {shape: cylinder, radius: 0.1, length: 0.5, hole: true}]}]");
  check_body(&drilled, &tube, exact);
}

// n screws on a circle of radius R: zz = n (m R^2 + m r^2 / 2), and xx = yy = zz / 2 plus the
// contribution of the screws' length.
static void repeated_on_a_circle(void** state)
{
  (void)state;
  double m = 7850 * PI * 0.005 * 0.005 * 0.03, R = 0.11, r2 = 0.005 * 0.005, l2 = 0.03 * 0.03;
  double xx        = 7 * m * (R * R / 2 + r2 / 4 + l2 / 12);
  lwLinkDef circle = {
      .mass = 7 * m, .com = {0.3, 0, 0.2}, .inertia = {xx, xx, 7 * m * (R * R + r2 / 2), 0, 0, 0}};
  lwLinkDef got = body_of(
      "[{name: screw, material: steel, place: {xyz: [0.3, 0, 0.2]}, repeat: {count: 7, rpy: [0, 0, "
      "51.428571428571428571 deg]}, sections: [{shape: cylinder, diameter: 10 mm, length: 30 mm, "
      "place: {xyz: [110 mm, 0, 0]}}]}]");
  check_body(&got, &circle, exact);
}

// A row: copies at 0, d, 2 d along the rotated axes of the part.
static void repeated_in_a_row(void** state)
{
  (void)state;
  lwLinkDef row =
      body_of("[{name: a, place: {xyz: [1, 0, 0], rpy: [0, 0, 90 deg]}, repeat: {count: 3, "
              "xyz: [0.1, 0, 0]}, sections: [{shape: point, mass: 2}]}]");
  lwLinkDef expected = {.mass = 6, .com = {1, 0.1, 0}, .inertia = {0.04, 0, 0.04}};
  check_body(&row, &expected, exact);
  lwLinkDef listed =
      body_of("[{name: a, places: [{xyz: [1, 0, 0]}, {xyz: [1, 0.1, 0]}, {xyz: [1, 0.2, "
              "0]}], sections: [{shape: point, mass: 2}]}]");
  check_body(&listed, &expected, exact);
}

// A body without symmetry and its mirror image: quantities odd in y change sign.
static void mirrored(void** state)
{
  (void)state;
  static const char format[] =
      "[{name: a, %s material: brass, sections: [{shape: triangular-prism, base: 0.3, height: 0.2, "
      "apex: 0.1, length: 0.05, place: {xyz: [0.1, 0.3, 0.2], rpy: [0.3, -0.7, 1.1]}}, {shape: "
      "point, "
      "mass: 1, place: {xyz: [0.5, 0.1, -0.2]}}]}]";
  char text[1024];
  snprintf(text, sizeof text, format, "");
  lwLinkDef plain = body_of(text);
  assert_greater(fabs(plain.inertia[3]), 1e-3);
  assert_greater(fabs(plain.inertia[5]), 1e-3);
  plain.com[1]                    = -plain.com[1];
  plain.inertia[3]                = -plain.inertia[3];
  plain.inertia[5]                = -plain.inertia[5];
  static const char* const ways[] = {"mirror: y,", "place: {mirror: y},", "places: [{mirror: y}],",
                                     "mirror: x, place: {rpy: [0, 0, 180 deg]},"};
  for (int i = 0; i < 4; ++i)
  {
    snprintf(text, sizeof text, format, ways[i]);
    lwLinkDef image = body_of(text);
    check_body(&image, &plain, exact);
  }
  // together with its image it is exactly symmetric
  snprintf(text, sizeof text, format, "places: [{xyz: [0, 0, 0]}, {mirror: y}],");
  lwLinkDef both = body_of(text);
  assert_same(both.com[1], 0);
  assert_same(both.inertia[3], 0);
  assert_same(both.inertia[5], 0);
}

static void weighed(void** state)
{
  (void)state;
  static const char format[] = "[{name: a, %s material: steel, places: [{xyz: [0, 0, 0]}, {xyz: "
                               "[0, 0, 1]}], sections: [{shape: "
                               "box, x: 0.1, y: 0.2, z: 0.1}]}, {name: b, sections: [{shape: "
                               "point, mass: 5, place: {xyz: [1, 0, "
                               "0]}}]}]%s";
  char text[1024];
  snprintf(text, sizeof text, format, "", "");
  lwLinkDef plain = body_of(text);
  double box      = 7850 * 0.002;
  // scales all parts of a link by the same factor
  snprintf(text, sizeof text, format, "", "\n    weighed: 40 kg");
  lwLinkDef link   = body_of(text);
  double factor    = 40 / (2 * box + 5);
  lwLinkDef scaled = plain;
  scaled.mass      = 40;
  for (int i = 0; i < 6; ++i) scaled.inertia[i] *= factor;
  check_body(&link, &scaled, exact);
  // scales one part only: each of its copies
  snprintf(text, sizeof text, format, "weighed: 20,", "");
  Reading r               = read_link(text);
  const lwPartsLink* made = lw_parts_link(r.parts, 0);
  assert_closer(made->body.mass, 45, 1e-13);
  assert_closer(made->computed, 2 * box + 5, 1e-13);
  assert_closer(made->pieces[1].mass, 20, 1e-13);
  assert_int_equal(made->pieces[1].copy, 2);
  assert_closer(made->pieces[0].density, 20 / 0.002, 1e-10);
  assert_same(made->pieces[2].mass, 5);
  assert_closer(made->pieces[0].inertia[0] - 20 * (0.04 + 0.01) / 12,
                20 * pow(made->body.com[2], 2), 1e-14);
  forget(&r);
}

static void payloads(void** state)
{
  (void)state;
  lwLinkDef got =
      body_of("[{name: a, sections: [{shape: sphere, radius: 0.1, mass: 3}]}]\n"
              "    weighed: 4\n"
              "    place: {xyz: [0, 1, 0], rpy: [90 deg, 0, 0]}\n"
              "    payload: {mass: 2, com: [0, 0, 500 mm], inertia: [0.1, 0.2, 0.25, 0, 0, 0.01]}");
  double I           = 0.4 * 4 * 0.01;
  lwLinkDef expected = {.mass = 4, .com = {0, 1, 0}, .inertia = {I, I, I}};
  lw_link_def_add(&expected, 2, (const double[]){0, 0, 0.5},
                  (const double[]){0.1, 0.2, 0.25, 0, 0, 0.01});
  check_body(&got, &expected, exact);
}

static void materials(void** state)
{
  (void)state;
  Reading r =
      read_with("linkwork: 1\nmaterials: {steel: 8 g/cm^3, my foam: 30}\nlinks:\n"
                "  - {name: a, parts: [{name: p, sections: [{shape: box, x: 1, y: 1, z: 1, "
                "material: steel}]}]}\n"
                "  - {name: b, parts: [{name: p, material: my foam, sections: [{shape: box, "
                "x: 1, y: 1, z: 1}, {shape: box, x: 1, y: 1, z: 1, material: water}]}]}\n",
                true);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_parts_count(r.parts), 2);
  assert_same(lw_parts_link(r.parts, 0)->body.mass, 8000);
  assert_same(lw_parts_link(r.parts, lw_parts_find(r.parts, "b"))->body.mass, 1028);
  assert_string_equal(lw_parts_link(r.parts, 1)->pieces[0].material, "my foam");
  assert_int_equal(lw_parts_find(r.parts, "c"), -1);
  forget(&r);
}

// --- random links

// The rotation with this roll, pitch and yaw.
static void rotation(const double rpy[3], double R[3][3])
{
  double a = cos(rpy[0]), b = sin(rpy[0]), c = cos(rpy[1]), d = sin(rpy[1]), e = cos(rpy[2]),
         f                = sin(rpy[2]);
  const double made[3][3] = {{e * c, e * d * b - f * a, e * d * a + f * b},
                             {f * c, f * d * b + e * a, f * d * a - e * b},
                             {-d, c * b, c * a}};
  memcpy(R, made, sizeof made);
}

static void turn_body(lwLinkDef* body, double R[3][3], const double p[3])
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  lwLinkDef old     = *body;
  double full[3][3] = {{old.inertia[0], old.inertia[3], old.inertia[4]},
                       {old.inertia[3], old.inertia[1], old.inertia[5]},
                       {old.inertia[4], old.inertia[5], old.inertia[2]}};
  for (int i = 0; i < 3; ++i)
    body->com[i] = p[i] + R[i][0] * old.com[0] + R[i][1] * old.com[1] + R[i][2] * old.com[2];
  for (int k = 0; k < 6; ++k)
  {
    body->inertia[k] = 0;
    for (int i = 0; i < 9; ++i)
      body->inertia[k] += R[row[k]][i / 3] * full[i / 3][i % 3] * R[column[k]][i % 3];
  }
}

typedef struct RandomPlace
{
  double xyz[3], rpy[3], R[3][3];
  char text[256];
} RandomPlace;

static RandomPlace random_place(lwRandom* random)
{
  RandomPlace place;
  for (int i = 0; i < 3; ++i) place.xyz[i] = lw_random_between(random, -1, 1);
  for (int i = 0; i < 3; ++i) place.rpy[i] = lw_random_between(random, -3, 3);
  rotation(place.rpy, place.R);
  snprintf(place.text, sizeof place.text,
           "place: {xyz: [%.17g, %.17g, %.17g], rpy: [%.17g, %.17g, %.17g]}", place.xyz[0],
           place.xyz[1], place.xyz[2], place.rpy[0], place.rpy[1], place.rpy[2]);
  return place;
}

// Sections in parts in a link, each at a random pose: the poses are composed, and the pieces add up
// to the link.
static void placed_anyhow(void** state)
{
  (void)state;
  static const char* const shapes[] = {
      "shape: box, x: 0.3, y: 0.1, z: 0.2", "shape: semi-cylinder, radius: 0.2, length: 0.3",
      "shape: frustum, bottom_radius: 0.2, top_radius: 0.1, height: 0.3",
      "shape: hemisphere, radius: 0.2",
      "shape: triangular-prism, base: 0.3, height: 0.2, apex: 0.4, length: 0.1"};
  for (uint64_t seed = 1; seed <= 40; ++seed)
  {
    lwRandom random = {seed};
    const char *a = shapes[seed % 5], *b = shapes[seed / 5 % 5];
    RandomPlace section = random_place(&random), part = random_place(&random),
                link = random_place(&random);
    char text[2048], alone[256];
    snprintf(alone, sizeof alone, "[{name: a, density: 1000, sections: [{%s}]}]", a);
    lwLinkDef expected = body_of(alone);
    turn_body(&expected, section.R, section.xyz);
    snprintf(alone, sizeof alone, "[{name: a, density: 3000, sections: [{%s}]}]", b);
    lwLinkDef other = body_of(alone);
    lw_link_def_add(&expected, other.mass, other.com, other.inertia);
    turn_body(&expected, part.R, part.xyz);
    turn_body(&expected, link.R, link.xyz);
    snprintf(text, sizeof text,
             "[{name: a, density: 3000, %s, sections: [{%s, density: 1000, %s}, {%s}]}]\n    %s",
             part.text, a, section.text, b, link.text);
    Reading r               = read_link(text);
    const lwPartsLink* made = lw_parts_link(r.parts, 0);
    check_body(&made->body, &expected, 1e-13);
    lwLinkDef sum = {0};
    for (int i = 0; i < made->count; ++i)
    {
      sum.mass += made->pieces[i].mass;
      for (int k = 0; k < 3; ++k)
        sum.com[k] += made->pieces[i].mass * made->pieces[i].com[k] / made->body.mass;
      for (int k = 0; k < 6; ++k) sum.inertia[k] += made->pieces[i].inertia[k];
    }
    check_body(&made->body, &sum, exact);
    forget(&r);
  }
}

// --- what is refused

#define HEAD         "linkwork: 1\nlinks:\n"
#define LINK(parts)  HEAD "  - {name: a, parts: [" parts "]}\n"
#define PART(rest)   LINK("{name: p, " rest "}")
#define SECTION(key) PART("sections: [{" key "}]")

static const struct
{
  const char* text;
  Finding finding;
} refused[] = {
    {"linkwork: 1\n", {1, 1, "a parts file needs the key 'links'", NULL}},
    {"linkwork: 1\nlinks: {}\n", {2, 8, "'links' must be a list of at least one link", NULL}},
    {"linkwork: 1\nlinks: []\n", {2, 8, "found an empty list", NULL}},
    {"linkwork: 1\nlink: []\n",
     {2, 1, "unknown key 'link' in a parts file", "did you mean 'links'?"}},
    {HEAD "  - {name: a}\n", {3, 5, "a link needs the key 'parts'", NULL}},
    {HEAD "  - {name: a, parts: 3}\n",
     {3, 22, "'parts' must be a list of at least one part, found '3'", NULL}},
    {LINK("{name: p}"), {3, 23, "a part needs the key 'sections'", NULL}},
    {PART("sections: []"), {3, 43, "'sections' must be a list of at least one section", NULL}},
    {SECTION("shape: bx, mass: 1"),
     {3, 52, "'shape' must be box, cylinder", "did you mean 'box'?"}},
    {SECTION("mass: 1, radius: 3, x: 2"), {3, 44, "a section needs the key 'shape'", NULL}},
    {SECTION("shape: sphere, radus: 1, mass: 1"),
     {3, 60, "unknown key 'radus' in a sphere", "did you mean 'radius'?"}},
    {SECTION("shape: sphere, length: 1, mass: 1"), {3, 60, "unknown key 'length'", NULL}},
    {SECTION("shape: sphere, mass: 1"),
     {3, 44, "a sphere needs the key 'radius' or 'diameter'", NULL}},
    {SECTION("shape: sphere, radius: 1, diameter: 2, mass: 1"),
     {3, 81, "both 'radius' and 'diameter' are given", "leave one of them out"}},
    {SECTION("shape: sphere, radius: -1, mass: 1"),
     {3, 68, "'radius': a size must be at least", NULL}},
    {SECTION("shape: sphere, radius: 3 in, mass: 1"),
     {3, 68, "'radius' must be a number, in m, found '3 in'", "'120 mm'"}},
    {SECTION("shape: tube, outer_radius: 1, inner_radius: 2, length: 1, mass: 1"),
     {3, 44, "inner_radius must be less than outer_radius", NULL}},
    {SECTION("shape: sphere, radius: 1"), {3, 44, "made of nothing", "material, density or mass"}},
    {SECTION("shape: sphere, radius: 1, mass: 1, density: 2"),
     {3, 77, "both a mass and a density", "one of them"}},
    {SECTION("shape: sphere, radius: 1, material: steel, density: 2"),
     {3, 97, "both 'material' and 'density'", "one of them"}},
    {SECTION("shape: sphere, radius: 1, mass: 0"), {3, 77, "'mass' must be positive (0)", NULL}},
    {SECTION("shape: sphere, radius: 1, density: -7"),
     {3, 80, "'density' must be positive (-7)", NULL}},
    {SECTION("shape: sphere, radius: 1, material: stel"),
     {3, 81, "there is no material 'stel'", "did you mean 'steel'?"}},
    {SECTION("shape: sphere, radius: 1, material: unobtainium"),
     {3, 81, "there is no material 'unobtainium'", "makes it known"}},
    {SECTION("shape: point"), {3, 44, "a point needs the key 'mass'", "no volume"}},
    {SECTION("shape: sphere, radius: 1, mass: 1, hole: yes"),
     {3, 86, "'hole' must be false or true", NULL}},
    {SECTION("shape: point, mass: 1, place: {xyz: [1e9, 0, 0]}"),
     {3, 75, "item 1 of 'xyz' must be within", NULL}},
    {SECTION("shape: point, mass: 1, place: {mirror: x}"),
     {3, 76, "unknown key 'mirror' in a place", NULL}},
    {SECTION("shape: mesh, mass: 1"), {3, 44, "a mesh needs the key 'file'", NULL}},
    {SECTION("shape: mesh, file: a.stl, scale: 0, mass: 1"),
     {3, 78, "'scale' must be positive", NULL}},
    {SECTION("shape: mesh, file: /dev/zero, mass: 1"), {3, 64, "'/dev/zero' is not a file", NULL}},
    {PART("material: stel, sections: [{shape: sphere, radius: 1}]"),
     {3, 43, "there is no material 'stel'", "did you mean 'steel'?"}},
    {PART("weighed: -1, sections: [{shape: point, mass: 1}]"),
     {3, 42, "'weighed' must be positive", NULL}},
    {PART("repeat: {count: 2.5}, sections: [{shape: point, mass: 1}]"),
     {3, 49, "'count' must be a whole number of at least 1, found 2.5", NULL}},
    {PART("repeat: {xyz: [1, 0, 0]}, sections: [{shape: point, mass: 1}]"),
     {3, 41, "a repetition needs the key 'count'", NULL}},
    {PART("repeat: {count: 1e9}, sections: [{shape: point, mass: 1}]"),
     {3, 41, "more than 100000 sections", "not read"}},
    {PART("places: [], sections: [{shape: point, mass: 1}]"),
     {3, 41, "'places' must be a list of", NULL}},
    {PART("places: [{}], place: {}, sections: [{shape: point, mass: 1}]"),
     {3, 41, "both 'places' and 'place' are given", "either"}},
    {PART("mirror: w, sections: [{shape: point, mass: 1}]"),
     {3, 41, "'mirror' must be none, x, y or z", NULL}},
    {LINK("{name: p, sections: [{shape: point, mass: 1}]}") "  - {name: a, parts: [{name: p, "
                                                            "sections: "
                                                            "[{shape: point, mass: 1}]}]}\n",
     {4, 12, "link 'a': this name is already given in line 3", NULL}},
    {"linkwork: 1\nmaterials: [steel]\nlinks: [{name: a, parts: [{name: p, sections: [{shape: "
     "point, mass: 1}]}]}]\n",
     {2, 12, "'materials' must be a mapping", "materials: {"}},
    {"linkwork: 1\nmaterials: {a: 1000, a: 2000}\nlinks: [{name: a, parts: [{name: p, sections: "
     "[{shape: point, mass: 1}]}]}]\n",
     {2, 22, "material 'a' is given twice, first in line 2", NULL}},
    {"linkwork: 1\nmaterials: {a: heavy}\nlinks: [{name: a, parts: [{name: p, sections: [{shape: "
     "point, mass: 1}]}]}]\n",
     {2, 16, "'a' must be a number, in kg/m^3, found 'heavy'", NULL}},
    // errors in the resulting body
    {PART("material: steel, sections: [{shape: sphere, radius: 1}, {shape: sphere, radius: 2, "
          "hole: true}]") "#",
     {3, 12, "link 'a' has a mass of -", "holes are larger"}},
    {HEAD "  - {name: a, weighed: 3, parts: [{name: p, sections: [{shape: point, mass: 1}, {shape: "
          "point, mass: 2, "
          "hole: true}]}]}\n#",
     {3, 24, "link 'a' is weighed, but its sections have a mass of -1 kg", "holes"}},
    {PART("sections: [{shape: sphere, radius: 1, density: 1000}, {shape: point, mass: 1000, place: "
          "{xyz: [2, 0, "
          "0]}, hole: true}]"),
     {3, 12, "no rigid body has these principal moments", "a hole lies outside"}},
    // warnings
    {SECTION("shape: sphere, radius: 1, mass: 1"),
     {3, 77, "a density of 0.2387 kg/m^3", "sizes are in m"}},
    {SECTION("shape: sphere, radius: 1 mm, density: 1e5"),
     {3, 83, "a density of 1e+05 kg/m^3", "sizes"}},
    {PART("weighed: 5, sections: [{shape: point, mass: 1}]"),
     {3, 42, "part 'p' is weighed as 5 kg, but its sections have 1 kg", "missing"}},
    {"linkwork: 1\nmaterials: {a: 1}\nlinks: [{name: a, parts: [{name: p, sections: [{shape: "
     "point, mass: 1}]}]}]\n",
     {2, 16, "material 'a': a density of 1 kg/m^3", "g/cm^3"}},
};

static void everything_wrong_is_said(void** state)
{
  (void)state;
  int failures = 0;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
  {
    Reading r = read_with(refused[i].text, true);  // warnings are errors too
    assert_int_not_equal(r.status, LW_OK);
    bool two = refused[i].text[strlen(refused[i].text) - 1] == '#';  // the part is reported as well
    bool right = two ? lw_diag_size(r.diag) > 0 &&
                           finding_matches(&refused[i].finding,
                                           lw_diag_message(r.diag, lw_diag_size(r.diag) - 1))
                     : finding_is_only(r.diag, &refused[i].finding);
    if (!right)
      print_error("case %zu, expected %d:%d: %s", i, refused[i].finding.line,
                  refused[i].finding.column, refused[i].text);
    if (!right) findings_print(r.diag);
    failures += !right;
    forget(&r);
  }
  assert_int_equal(failures, 0);
}

static void doubtful_is_a_warning(void** state)
{
  (void)state;
  Reading r = read_with(SECTION("shape: sphere, radius: 1, mass: 1"), false);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_diag_count(r.diag, LW_SEVERITY_WARNING), 1);
  forget(&r);
}

// All errors of a file at once.
static void all_errors(void** state)
{
  (void)state;
  static const Finding findings[] = {{4, 29, "'radius' must be a number", NULL},
                                     {5, 38, "there is no material 'gold leaf'", "makes it known"},
                                     {5, 12, "both a mass and a density are given", "one of them"},
                                     {7, 13, "a part needs the key 'name'", NULL}};
  Reading r =
      read_with("linkwork: 1\nlinks:\n  - {name: a, parts: [{name: p, sections: [\n"
                "    {shape: sphere, radius: wide, mass: 1},\n"
                "    {mass: 1, shape: cone, material: gold leaf, radius: 1, height: 1}]}]}\n"
                "  - name: b\n    parts: [{sections: [{shape: point, mass: 1}]}]\n",
                false);
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_true(findings_are(r.diag, findings, sizeof findings / sizeof *findings));
  forget(&r);
}

// Aliases can multiply the content of a file; the total is limited.
static void bounded(void** state)
{
  (void)state;
  size_t capacity = 4 << 20;
  char* text      = malloc(capacity);
  char* s = text + sprintf(text, "linkwork: 1\nlinks:\n  - name: a\n    parts:\n    - &p {name: p, "
                                 "repeat: {count: 100}, sections: [");
  for (int i = 0; i < 100; ++i) s += sprintf(s, "{shape: point, mass: 1},");
  s += sprintf(s, "]}\n");
  for (int i = 0; i < 100000; ++i) s += sprintf(s, "    - *p\n");
  Reading r = read_with(text, false);
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_int_equal(lw_diag_size(r.diag), 1);
  assert_contains(lw_diag_message(r.diag, 0)->text, "more than 100000 sections");
  forget(&r);
  r = read_with("linkwork: 1\nlinks: [{name: a, parts: [{name: p, repeat: {count: 100000}, "
                "sections: [{shape: point, "
                "mass: 1}]}]}]\n",
                false);
  assert_int_equal(r.status, LW_OK);  // the documented limit
  forget(&r);
  free(text);
}

// --- robots made of parts

static void write_file(const char* path, const char* text)
{
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_at_least(fputs(text, file), 0);
  fclose(file);
}

#define ROBOT(link) "linkwork: 1\njoints:\n  - {name: waist, type: revolute, link: {" link "}}\n"

typedef struct Folder
{
  char path[64], robot[96], parts[96];
} Folder;

static Folder make_folder(void)
{
  Folder folder = {.path = "/tmp/linkwork-parts-XXXXXX"};
  assert_non_null(mkdtemp(folder.path));
  snprintf(folder.robot, sizeof folder.robot, "%s/robot.yaml", folder.path);
  snprintf(folder.parts, sizeof folder.parts, "%s/p.yaml", folder.path);
  return folder;
}

static void remove_folder(Folder* folder)
{
  remove(folder->robot);
  remove(folder->parts);
  remove(folder->path);
}

static void robots_of_parts(void** state)
{
  (void)state;
  Folder folder = make_folder();
  write_file(folder.parts,
             SECTION("shape: box, x: 1, y: 2, z: 3, density: 100, place: {xyz: [1, 0, 0]}"));
  static const char* const links[] = {
      ROBOT("name: a, parts: p.yaml"), ROBOT("parts: p.yaml#a"),
      ROBOT("name: a, parts: p.yaml, payload: {mass: 2, com: [1, 0, 0]}")};
  for (int i = 0; i < 3; ++i)
  {
    lwModel* model = NULL;
    lwDiag* diag   = lw_diag_create();
    write_file(folder.robot, links[i]);
    lwStatus status = lw_robot_read_file(folder.robot, NULL, diag, &model);
    if (status != LW_OK) findings_print(diag);
    assert_int_equal(status, LW_OK);
    const lwLinkDef* link = &lw_model_robot(model)->joints[0].link;
    assert_same(link->mass, i == 2 ? 602 : 600);
    assert_same(link->com[0], 1);
    assert_same(link->inertia[0], 650);
    lw_model_destroy(model);
    lw_diag_destroy(diag);
  }
  remove_folder(&folder);
}

// Parts given by the caller: the file named by the link is not opened.
static void robots_of_given_parts(void** state)
{
  (void)state;
  Reading r                        = read_with(SECTION("shape: point, mass: 3"), false);
  lwModelOptions options           = {.read.parts = r.parts, .lint.allow_inert = true};
  static const char* const texts[] = {ROBOT("parts: nowhere.yaml#a"), ROBOT("parts: nowhere.yaml")};
  for (int i = 0; i < 2; ++i)
  {
    lwModel* model = NULL;
    lwDiag* diag   = lw_diag_create();
    lwStatus status =
        lw_robot_read_text("robot.yaml", texts[i], strlen(texts[i]), &options, diag, &model);
    assert_int_equal(status, i == 0 ? LW_OK : LW_ERROR_INPUT);
    if (i == 0)
      assert_same(lw_model_robot(model)->joints[0].link.mass, 3);
    else
      assert_contains(lw_diag_message(diag, 0)->text, "has no link 'waist'");
    lw_model_destroy(model);
    lw_diag_destroy(diag);
  }
  forget(&r);
}

static void robots_of_wrong_parts(void** state)
{
  (void)state;
  static const struct
  {
    const char *robot, *parts;
    const char* file;  // the end of its name
    Finding finding;   // the first message
  } cases[] = {
      {ROBOT("parts: p.yaml"),
       SECTION("shape: point, mass: 1"),
       "robot.yaml",
       {3, 49, "has no link 'waist'", "the first is '#a'"}},
      {ROBOT("parts: p.yaml#aa"),
       SECTION("shape: point, mass: 1"),
       "robot.yaml",
       {3, 49, "has no link 'aa'", NULL}},
      {ROBOT("parts: p.yaml#a, mass: 3"),
       SECTION("shape: point, mass: 1"),
       "robot.yaml",
       {3, 65, "both 'parts' and 'mass' are given", "one of them"}},
      {ROBOT("parts: q.yaml#a"),
       SECTION("shape: point, mass: 1"),
       "q.yaml",
       {0, 0, "cannot be opened", NULL}},
      {ROBOT("parts: p.yaml#a"),
       SECTION("shape: point"),
       "p.yaml",
       {3, 44, "needs the key 'mass'", "no volume"}},
  };
  Folder folder = make_folder();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    lwModel* model = NULL;
    lwDiag* diag   = lw_diag_create();
    write_file(folder.robot, cases[i].robot);
    write_file(folder.parts, cases[i].parts);
    assert_int_not_equal(lw_robot_read_file(folder.robot, NULL, diag, &model), LW_OK);
    const lwMessage* first = lw_diag_message(diag, 0);
    bool named             = strstr(first->file, cases[i].file) != NULL;
    Finding finding        = cases[i].finding;
    if (i == 1) finding.hint = first->hint;
    if (!named || !finding_matches(&finding, first))
    {
      findings_print(diag);
      fail_msg("case %zu", i);
    }
    lw_diag_destroy(diag);
  }
  remove_folder(&folder);
}

// The files in parts/.
static void shipped(void** state)
{
  (void)state;
  lwParts* parts = NULL;
  lwDiag* diag   = lw_diag_create();
  assert_int_equal(
      lw_parts_read_file(LW_PARTS "/ddarm.yaml", &(lwLint){.strict = true}, diag, &parts), LW_OK);
  assert_int_equal(lw_diag_size(diag), 0);
  assert_int_equal(lw_parts_count(parts), 6);
  lw_parts_destroy(parts);
  lw_diag_destroy(diag);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_plain_box),
      cmocka_unit_test(diameters_are_twice_radii),
      cmocka_unit_test(holes),
      cmocka_unit_test(repeated_on_a_circle),
      cmocka_unit_test(repeated_in_a_row),
      cmocka_unit_test(mirrored),
      cmocka_unit_test(weighed),
      cmocka_unit_test(payloads),
      cmocka_unit_test(materials),
      cmocka_unit_test(placed_anyhow),
      cmocka_unit_test(everything_wrong_is_said),
      cmocka_unit_test(doubtful_is_a_warning),
      cmocka_unit_test(all_errors),
      cmocka_unit_test(bounded),
      cmocka_unit_test(robots_of_parts),
      cmocka_unit_test(robots_of_given_parts),
      cmocka_unit_test(robots_of_wrong_parts),
      cmocka_unit_test(shipped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
