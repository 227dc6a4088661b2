// SPDX-License-Identifier: MIT
// Meshes: exact for polyhedra, second-order accurate for round shapes; and files that are not
// closed meshes or not STL.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/parts.h"
#include "parts/mesh.h"
#include "support/testing.h"

// --- triangles, and their file formats

typedef double Point[3];
typedef struct Triangles
{
  int count;
  Point (*list)[3];
} Triangles;

static Triangles triangles(int capacity)
{
  return (Triangles){0, calloc((size_t)capacity, sizeof(Point[3]))};
}

static void add(Triangles* t, const Point a, const Point b, const Point c)
{
  memcpy(t->list[t->count][0], a, sizeof(Point));
  memcpy(t->list[t->count][1], b, sizeof(Point));
  memcpy(t->list[t->count++][2], c, sizeof(Point));
}

// Six faces of two triangles, counter-clockwise seen from outside.
static Triangles cube(double from, double to)
{
  static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  Point corner[8];
  Triangles t = triangles(12);
  for (int k = 0; k < 24; ++k) corner[k / 3][k % 3] = k / 3 >> k % 3 & 1 ? to : from;
  for (int f = 0; f < 6; ++f)
  {
    add(&t, corner[face[f][0]], corner[face[f][1]], corner[face[f][2]]);
    add(&t, corner[face[f][0]], corner[face[f][2]], corner[face[f][3]]);
  }
  return t;
}

// An octahedron, each triangle repeatedly split in four, with vertices moved to the unit sphere.
static void halfway(const Point a, const Point b, Point m)
{
  for (int i = 0; i < 3; ++i) m[i] = a[i] + b[i];
  double length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
  for (int i = 0; i < 3; ++i) m[i] /= length;
}

static void add_round(Triangles* t, const Point a, const Point b, const Point c, int depth)
{
  if (depth == 0)
  {
    add(t, a, b, c);
    return;
  }
  Point ab, bc, ca;
  halfway(a, b, ab);
  halfway(b, c, bc);
  halfway(c, a, ca);
  add_round(t, a, ab, ca, depth - 1);
  add_round(t, ab, b, bc, depth - 1);
  add_round(t, ca, bc, c, depth - 1);
  add_round(t, ab, bc, ca, depth - 1);
}

static Triangles sphere(int depth)
{
  Triangles t = triangles(8 << 2 * depth);
  for (int k = 0; k < 8; ++k)
  {
    Point x = {k & 1 ? 1 : -1, 0, 0}, y = {0, k & 2 ? 1 : -1, 0}, z = {0, 0, k & 4 ? 1 : -1};
    bool odd = (k & 1) + (k >> 1 & 1) + (k >> 2 & 1) == 1 || k == 7;
    add_round(&t, x, odd ? y : z, odd ? z : y, depth);
  }
  return t;
}

typedef struct Bytes
{
  char* data;
  size_t length;
} Bytes;

static void put_integer(char* to, uint32_t x)
{
  for (int i = 0; i < 4; ++i) to[i] = (char)(x >> 8 * i & 255);
}

// Rounds vertices to float.
static Bytes binary(const Triangles* t)
{
  Bytes bytes = {calloc(1, 84 + 50 * (size_t)t->count), 84 + 50 * (size_t)t->count};
  strcpy(bytes.data, "solid by name only");  // as many programs write
  put_integer(bytes.data + 80, (uint32_t)t->count);
  for (int k = 0; k < t->count; ++k)
    for (int i = 0; i < 9; ++i)
    {
      float x = (float)t->list[k][i / 3][i % 3];
      uint32_t bits;
      memcpy(&bits, &x, sizeof bits);
      put_integer(bytes.data + 84 + 50 * k + 12 + 4 * i, bits);
    }
  return bytes;
}

static Bytes text(const Triangles* t)
{
  size_t capacity = 64 + 400 * (size_t)t->count;
  Bytes bytes     = {malloc(capacity), 0};
  char* s         = bytes.data;
  s += sprintf(s, "solid made for a test\n");
  for (int k = 0; k < t->count; ++k)
  {
    s += sprintf(s, "  facet normal nan nan nan\n    outer loop\n");
    for (int i = 0; i < 3; ++i)
    {
      const double* p = t->list[k][i];
      s += sprintf(s, "      vertex %.17g %.17g %.17g\n", p[0], p[1], p[2]);
    }
    s += sprintf(s, "    endloop\n  endfacet\n");
  }
  s += sprintf(s, "endsolid made for a test\n");
  bytes.length = (size_t)(s - bytes.data);
  return bytes;
}

// --- reading

typedef struct Reading
{
  lwStatus status;
  lwSolid solid;
  lwDiag* diag;
} Reading;

static Reading read_bytes(Bytes bytes, double scale)
{
  // a copy of exactly this size, so that sanitizers notice reads beyond the end
  char* exact = malloc(bytes.length ? bytes.length : 1);
  memcpy(exact, bytes.data, bytes.length);
  Reading r = {.diag = lw_diag_create()};
  r.status  = lw_mesh_read_bytes("body.stl", exact, bytes.length, scale, r.diag, &r.solid);
  free(exact);
  assert_int_equal(r.status == LW_OK, r.solid.volume > 0);
  assert_int_equal(r.status == LW_OK, lw_diag_count(r.diag, LW_SEVERITY_ERROR) == 0);
  return r;
}

static lwSolid solid_of(Triangles t, bool as_text, double scale)
{
  Bytes bytes = as_text ? text(&t) : binary(&t);
  Reading r   = read_bytes(bytes, scale);
  if (r.status != LW_OK) fail_msg("%s", lw_diag_message(r.diag, 0)->text);
  lw_diag_destroy(r.diag);
  free(bytes.data);
  free(t.list);
  return r.solid;
}

static void check_solid(const lwSolid* got, const lwSolid* expected, double size, double bound)
{
  assert_near(got->volume / expected->volume, 1, bound);
  for (int i = 0; i < 3; ++i) assert_near(got->com[i], expected->com[i], bound * size);
  double unit = expected->volume * size * size;
  for (int i = 0; i < 6; ++i) assert_near(got->inertia[i], expected->inertia[i], bound * unit);
}

// Some dozens of operations: 1e-14. The vertices of the cubes are exact as floats.
static void cubes(void** state)
{
  (void)state;
  lwSolid unit   = {1, {0, 0, 0}, {1.0 / 6, 1.0 / 6, 1.0 / 6, 0, 0, 0}};
  lwSolid binary = solid_of(cube(-0.5, 0.5), false, 1), texts = solid_of(cube(-0.5, 0.5), true, 1);
  check_solid(&binary, &unit, 1, 1e-14);
  check_solid(&texts, &unit, 1, 1e-14);
  // far away: tetrahedra are taken from the middle of the mesh, so that no digits are lost
  lwSolid away    = solid_of(cube(1000, 1001), false, 1);
  lwSolid shifted = {1, {1000.5, 1000.5, 1000.5}, {1.0 / 6, 1.0 / 6, 1.0 / 6, 0, 0, 0}};
  check_solid(&away, &shifted, 1, 1e-12);
  // 24 mm a side, from a file in mm
  lwSolid scaled = solid_of(cube(-12, 12), true, 0.001);
  double V = 0.024 * 0.024 * 0.024, I = V * 0.024 * 0.024 / 6;
  lwSolid small = {V, {0, 0, 0}, {I, I, I, 0, 0, 0}};
  check_solid(&scaled, &small, 0.024, 1e-14);
}

// integral of r r^T dV over a tetrahedron with corners v: V / 20 (sum v v^T + s s^T), s = sum v.
static lwSolid tetrahedron_solid(Point v[4])
{
  double e[3][3], s[3] = {0}, S[3][3], c[3];
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 3; ++i) s[i] += v[k][i];
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 3; ++i) e[k][i] = v[k + 1][i] - v[0][i];
  double V = (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
              e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
              e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
             6;
  for (int i = 0; i < 3; ++i) c[i] = s[i] / 4;
  for (int i = 0; i < 9; ++i)
  {
    int a = i / 3, b = i % 3;
    S[a][b] = s[a] * s[b];
    for (int k = 0; k < 4; ++k) S[a][b] += v[k][a] * v[k][b];
    S[a][b] = S[a][b] * V / 20 - V * c[a] * c[b];
  }
  return (lwSolid){
      V,
      {c[0], c[1], c[2]},
      {S[1][1] + S[2][2], S[0][0] + S[2][2], S[0][0] + S[1][1], -S[0][1], -S[0][2], -S[1][2]}};
}

static void tetrahedra(void** state)
{
  (void)state;
  lwRandom random = {7};
  for (int trial = 0; trial < 200; ++trial)
  {
    Point v[4];
    for (int i = 0; i < 12; ++i) v[i / 3][i % 3] = lw_random_between(&random, -1, 1);
    lwSolid expected = tetrahedron_solid(v);
    if (fabs(expected.volume) < 0.01) continue;  // flat tetrahedra lose digits
    bool turned = expected.volume < 0;
    if (turned)  // exchange two corners
    {
      Point kept;
      memcpy(kept, v[2], sizeof kept);
      memcpy(v[2], v[3], sizeof kept);
      memcpy(v[3], kept, sizeof kept);
      expected = tetrahedron_solid(v);
    }
    Triangles t = triangles(4);
    add(&t, v[0], v[2], v[1]);
    add(&t, v[0], v[1], v[3]);
    add(&t, v[1], v[2], v[3]);
    add(&t, v[0], v[3], v[2]);
    lwSolid got = solid_of(t, true, 1);
    check_solid(&got, &expected, 1, 1e-12);
  }
}

// An inscribed polyhedron has less volume and inertia than the sphere; the difference falls by a
// factor of four with every halving of the edges.
static void spheres(void** state)
{
  (void)state;
  const double pi = 3.14159265358979323846, V = 4 * pi / 3, I = 8 * pi / 15;
  double lack_V = 0, lack_I = 0;
  for (int depth = 3; depth <= 6; ++depth)
  {
    lwSolid solid = solid_of(sphere(depth), true, 1);
    double now_V = 1 - solid.volume / V, now_I = 1 - solid.inertia[1] / I;
    assert_greater(now_V, 0);
    assert_greater(now_I, 0);
    if (depth > 3)
    {
      assert_closer(lack_V / now_V, 4, 0.15);
      assert_closer(lack_I / now_I, 4, 0.15);
    }
    lack_V = now_V;
    lack_I = now_I;
    for (int i = 0; i < 3; ++i) assert_less(fabs(solid.com[i]), 1e-14);  // of up to 32,768 terms
    for (int i = 3; i < 6; ++i) assert_less(fabs(solid.inertia[i]), 1e-14);
  }
  assert_less(lack_V, 1e-3);
  assert_less(lack_I, 2e-3);
}

// A cavity is a closed inner surface with inward normals.
static void cavities(void** state)
{
  (void)state;
  Triangles outer = cube(-1, 1), inner = cube(-0.5, 0.5), both = triangles(24);
  for (int k = 0; k < 12; ++k)
  {
    add(&both, outer.list[k][0], outer.list[k][1], outer.list[k][2]);
    add(&both, inner.list[k][0], inner.list[k][2], inner.list[k][1]);
  }
  free(outer.list);
  free(inner.list);
  double I         = 8 * 4 / 6.0 - 1 / 6.0;
  lwSolid expected = {7, {0, 0, 0}, {I, I, I, 0, 0, 0}}, got = solid_of(both, false, 1);
  check_solid(&got, &expected, 1, 1e-14);
}

// --- what is refused

static void expect_error(Bytes bytes, lwStatus status, const char* part)
{
  Reading r = read_bytes(bytes, 1);
  assert_int_equal(r.status, status);
  const char* said = lw_diag_message(r.diag, 0)->text;
  if (!strstr(said, part)) fail_msg("'%s' lacks '%s'", said, part);
  lw_diag_destroy(r.diag);
}

static void wrong_meshes(void** state)
{
  (void)state;
  Triangles t = cube(0, 1);
  t.count     = 11;
  Bytes open  = binary(&t);
  expect_error(open, LW_ERROR_INPUT, "not closed: 3 of its edges");
  t.count      = 12;
  Bytes turned = binary(&t);
  char* corner = turned.data + 84 + 12;
  char kept[12];
  memcpy(kept, corner, 12);
  memcpy(corner, corner + 12, 12);
  memcpy(corner + 12, kept, 12);
  expect_error(turned, LW_ERROR_INPUT, "disagree about which side is outside at 3 edges");
  Triangles inside_out = triangles(12);
  for (int k = 0; k < 12; ++k) add(&inside_out, t.list[k][0], t.list[k][2], t.list[k][1]);
  Bytes inwards = text(&inside_out);
  expect_error(inwards, LW_ERROR_INPUT, "inside out");
  Triangles flat = triangles(2);
  add(&flat, t.list[0][0], t.list[0][1], t.list[0][2]);
  add(&flat, t.list[0][0], t.list[0][2], t.list[0][1]);
  Bytes paper = binary(&flat);
  expect_error(paper, LW_ERROR_INPUT, "flat");
  flat.count  = 0;
  Bytes empty = binary(&flat), none = text(&flat);
  expect_error(empty, LW_ERROR_INPUT, "no triangles");
  expect_error(none, LW_ERROR_INPUT, "no triangles");
  Bytes* all[] = {&open, &turned, &inwards, &paper, &empty, &none};
  for (int i = 0; i < 6; ++i) free(all[i]->data);
  free(t.list);
  free(inside_out.list);
  free(flat.list);
}

// Two cubes that share an edge give a warning, and the volume of both.
static void touching(void** state)
{
  (void)state;
  Triangles a = cube(0, 1), both = triangles(24);
  for (int k = 0; k < 12; ++k)
  {
    Point moved[3];
    memcpy(moved, a.list[k], sizeof moved);
    for (int i = 0; i < 3; ++i)
    {
      moved[i][0] += 1;
      moved[i][1] += 1;
    }
    add(&both, a.list[k][0], a.list[k][1], a.list[k][2]);
    add(&both, moved[0], moved[1], moved[2]);
  }
  Bytes bytes = binary(&both);
  Reading r   = read_bytes(bytes, 1);
  assert_int_equal(r.status, LW_OK);
  assert_closer(r.solid.volume, 2, 1e-14);
  assert_int_equal(lw_diag_count(r.diag, LW_SEVERITY_WARNING), 1);
  assert_contains(lw_diag_message(r.diag, 0)->text, "1 edges with more than two triangles");
  lw_diag_destroy(r.diag);
  free(bytes.data);
  free(a.list);
  free(both.list);
}

// Truncated files are refused, and files with a wrong number of triangles.
static void damaged_files(void** state)
{
  (void)state;
  Triangles t   = cube(0, 1);
  Bytes files[] = {binary(&t), text(&t)};
  for (int f = 0; f < 2; ++f)
    for (size_t length = 0; length < files[f].length - 22; ++length)  // "endsolid .." may be cut
    {
      Reading r = read_bytes((Bytes){files[f].data, length}, 1);
      assert_int_equal(r.status, LW_ERROR_INPUT);
      lw_diag_destroy(r.diag);
    }
  static const uint32_t lies[] = {0, 1, 11, 13, 1000000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};
  for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i)
  {
    put_integer(files[0].data + 80, lies[i]);
    expect_error(files[0], LW_ERROR_INPUT, "binary STL file of");
  }
  put_integer(files[0].data + 80, 12);
  static const uint32_t numbers[] = {0x7FC00000, 0x7F800000, 0xFF800000,
                                     0x7E967699};  // nan, inf, 1e38
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i)
  {
    put_integer(files[0].data + 84 + 50 * 4 + 20, numbers[i]);
    expect_error(files[0], LW_ERROR_INPUT, "triangle 5: a coordinate must be a finite number");
  }
  free(files[0].data);
  free(files[1].data);
  free(t.list);
}

static void wrong_texts(void** state)
{
  (void)state;
  static const struct
  {
    const char* text;
    int line, column;
    const char* part;
  } cases[] = {
      {"solid\nfacet normal 0 0 1\nouter lop\n", 3, 7, "expected loop, found 'lop'"},
      {"solid\nfacet normal 0 0 1\nouter loop\nvertex 1 x 2\n", 4, 10,
       "expected a number, found 'x'"},
      {"solid\nfacet normal 0 0 1\nouter loop\nvertex 1 0x1p3 2\n", 4, 10, "expected a number"},
      {"solid\nfacet normal 0 0 1\nouter loop\nvertex 1 nan 2\n", 4, 10, "expected a number"},
      {"solid\nfacet normal 0 0 1\nouter loop\nvertex 1 2\nvertex", 5, 1,
       "expected a number, found 'vertex'"},
      {"solid\nfacet normal 0 0 1 outer loop vertex 1 1e999 1 vertex 0 0 0 vertex 1 0 0 endloop "
       "endfacet",
       2, 82, "triangle 1: a coordinate must be a finite number"},
      {"solid a\nendsolid a\nfacets", 3, 1, "expected solid, found 'facets'"},
      {"solid a\nloop", 2, 1, "expected facet or endsolid, found 'loop'"},
      {"solid a\n", 2, 1, "the text ends, expected facet or endsolid"},
      {"STL", 0, 0, "this is no STL file: it has 3 bytes"},
      {"", 0, 0, "this is no STL file: it has 0 bytes"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    Reading r = read_bytes((Bytes){(char*)cases[i].text, strlen(cases[i].text)}, 1);
    assert_int_equal(r.status, LW_ERROR_INPUT);
    assert_int_equal(lw_diag_size(r.diag), 1);
    const lwMessage* said = lw_diag_message(r.diag, 0);
    bool placed = said->place.line == cases[i].line && said->place.column == cases[i].column;
    if (!placed || !strstr(said->text, cases[i].part))
      fail_msg("case %zu: %d:%d %s", i, said->place.line, said->place.column, said->text);
    lw_diag_destroy(r.diag);
  }
}

// A file that is too large is refused before it is read.
static void large_files(void** state)
{
  (void)state;
  char path[]  = "/tmp/linkwork-mesh-XXXXXX";
  int file     = mkstemp(path);
  FILE* sparse = fdopen(file, "wb");
  assert_non_null(sparse);
  assert_int_equal(fseek(sparse, 1L << 30, SEEK_SET), 0);
  assert_int_equal(fputc(0, sparse), 0);
  fclose(sparse);
  lwSolid solid;
  lwDiag* diag = lw_diag_create();
  assert_int_equal(lw_mesh_read_file(path, 1, diag, &solid), LW_ERROR_FILE);
  assert_contains(lw_diag_message(diag, 0)->text, "larger than 64 MB");
  lw_diag_destroy(diag);
  remove(path);
  diag = lw_diag_create();
  assert_int_equal(lw_mesh_read_file(path, 1, diag, &solid), LW_ERROR_FILE);
  assert_contains(lw_diag_message(diag, 0)->text, "cannot be opened");
  lw_diag_destroy(diag);
}

// A triangle with two corners at one point, whichever they are, has no edges.
static void flat_triangles(void** unused)
{
  (void)unused;
  static const int corners[4][3] = {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {0, 0, 0}};
  static const Point points[2]   = {{0, 0, 0}, {1, 2, 3}};
  for (int k = 0; k < 4; ++k)
  {
    lwMesh mesh = {0};
    Point corner[3];
    for (int i = 0; i < 3; ++i) memcpy(corner[i], points[corners[k][i]], sizeof(Point));
    assert_true(lw_mesh_add(&mesh, (const double(*)[3])corner));
    assert_int_equal(mesh.triangles, 0);
    lw_mesh_free(&mesh);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubes),         cmocka_unit_test(tetrahedra),
      cmocka_unit_test(spheres),       cmocka_unit_test(cavities),
      cmocka_unit_test(wrong_meshes),  cmocka_unit_test(touching),
      cmocka_unit_test(damaged_files), cmocka_unit_test(wrong_texts),
      cmocka_unit_test(large_files),   cmocka_unit_test(flat_triangles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
