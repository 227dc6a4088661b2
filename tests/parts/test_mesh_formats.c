// SPDX-License-Identifier: MIT
// OBJ and COLLADA: the same cube in every format is the same body, and what is wrong is refused.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/parts.h"
#include "parts/mesh.h"
#include "support/testing.h"

// Corners of a cube from 0 to 1, and its faces counter-clockwise seen from outside, numbered from 0.
#define CORNERS "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1"
#define FACES   "0 2 3 1 4 5 7 6 0 1 5 4 2 6 7 3 0 4 6 2 1 3 7 5"

static const char OBJ[] =
    "# made for a test\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nv 0 0 1\nv 1 0 1\nv 0 1 1\nv 1 1 1\n"
    "vn 0 0 1\nusemtl none\nf 1//1 3//1 4//1 2//1\nf 5/1 6/2 8/3 7/4\nf 1 2 6 5\r\nf 3 7 8 4\n"
    "f -8 -4 -2 -6\nf 2 4 8 6\n";

static const char DAE[] =
    "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
    "version=\"1.4.1\"><asset><unit meter=\"0.5\"/></asset>"
    "<library_effects><effect id=\"e\"><profile_COMMON><technique sid=\"c\"><phong><diffuse>"
    "<color>0.25 0.5 0.75 1</color></diffuse></phong></technique></profile_COMMON></effect>"
    "</library_effects><library_materials><material id=\"m\"><instance_effect url=\"#e\"/>"
    "</material></library_materials><library_geometries><geometry id=\"g\"><mesh>"
    "<source id=\"p\"><float_array id=\"pa\" count=\"24\">" CORNERS
    "</float_array><technique_common><accessor source=\"#pa\" count=\"8\" stride=\"3\"/>"
    "</technique_common></source><vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/>"
    "</vertices><polylist material=\"s\" count=\"6\"><input semantic=\"VERTEX\" source=\"#v\" "
    "offset=\"0\"/><vcount>4 4 4 4 4 4</vcount><p>" FACES
    "</p></polylist></mesh></geometry></library_geometries><library_visual_scenes>"
    "<visual_scene id=\"s\"><node><translate>2 0 0</translate><rotate>0 0 1 90</rotate>"
    "<scale>1 2 1</scale><instance_geometry url=\"#g\"><bind_material><technique_common>"
    "<instance_material symbol=\"s\" target=\"#m\"/></technique_common></bind_material>"
    "</instance_geometry></node></visual_scene></library_visual_scenes>"
    "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>";

static lwStatus read_as(const char* name, const char* text, lwDiag* diag, lwSolid* solid)
{
  return lw_mesh_read_bytes(name, text, strlen(text), 1, diag, solid);
}

static void obj_cube(void** state)
{
  (void)state;
  lwSolid solid;
  assert_int_equal(read_as("cube.OBJ", OBJ, NULL, &solid), LW_OK);
  assert_near(solid.volume, 1, 1e-14);
  for (int i = 0; i < 3; ++i) assert_near(solid.com[i], 0.5, 1e-14);
  for (int i = 0; i < 3; ++i) assert_near(solid.inertia[i], 1.0 / 6, 1e-14);
}

// Scaled by 1 2 1, turned by 90 degrees about z, moved by 2 along x, in units of 0.5 m.
static void collada_cube(void** state)
{
  (void)state;
  lwSolid solid;
  assert_int_equal(read_as("cube.dae", DAE, NULL, &solid), LW_OK);
  assert_near(solid.volume, 2 * 0.125, 1e-14);
  assert_near(solid.com[0], 0.5 * (2 - 1), 1e-14);
  assert_near(solid.com[1], 0.25, 1e-14);
  assert_near(solid.com[2], 0.25, 1e-14);
}

static void collada_colours(void** state)
{
  (void)state;
  lwMesh mesh;
  char path[] = "cube_colours.dae";
  FILE* file  = fopen(path, "w");
  assert_non_null(file);
  fputs(DAE, file);
  fclose(file);
  assert_int_equal(lw_mesh_read_triangles(path, false, NULL, &mesh), LW_OK);
  remove(path);
  assert_int_equal(mesh.triangles, 12);
  assert_int_equal(mesh.part_count, 1);
  for (int k = 0; k < 4; ++k) assert_near(mesh.parts[0].color[k], 0.25 * (k + 1), 1e-15);
  // clustered: fewer triangles, the colour stays
  assert_true(lw_mesh_thin(&mesh, 12));
  assert_int_equal(mesh.triangles, 12);
  assert_true(lw_mesh_thin(&mesh, 0));
  assert_int_equal(mesh.triangles, 12);  // a grid of four cells keeps all eight corners
  lw_mesh_free(&mesh);
}

// An L of 0.1 m, its reflex corner first, that faces along every axis either way: triangles inside it.
static void concave_polygons(void** state)
{
  (void)state;
  static const double L[6][2] = {{1, 1}, {1, 2}, {0, 2}, {0, 0}, {2, 0}, {2, 1}};
  char path[]                 = "concave.obj";
  for (int face = 0; face < 6; ++face)
  {
    int axis   = face / 2;
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < 6; ++i)
    {
      double p[3]       = {0};
      p[(axis + 1) % 3] = 0.05 * L[i][0];
      p[(axis + 2) % 3] = 0.05 * L[i][1];
      fprintf(file, "v %g %g %g\n", p[0], p[1], p[2]);
    }
    fputs(face % 2 ? "f 1 6 5 4 3 2\n" : "f 1 2 3 4 5 6\n", file);
    fclose(file);
    lwMesh mesh;
    double area = 0;
    assert_int_equal(lw_mesh_read_triangles(path, false, NULL, &mesh), LW_OK);
    assert_int_equal(mesh.triangles, 4);
    for (int i = 0; i < mesh.triangles; ++i)
    {
      const int* at   = mesh.corners + 3 * i;
      const double *a = mesh.points[at[0]], *b = mesh.points[at[1]], *c = mesh.points[at[2]];
      int u = (axis + 1) % 3, v = (axis + 2) % 3;
      double twice = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
      assert_true(face % 2 ? twice <= 0 : twice >= 0);
      area += 0.5 * (face % 2 ? -twice : twice);
    }
    assert_near(area, 3 * 0.05 * 0.05, 1e-15);
    lw_mesh_free(&mesh);
  }
  remove(path);
}

static void wrong_files(void** state)
{
  (void)state;
  static const struct
  {
    const char *name, *from, *to, *said;
  } faults[] = {
      {"a.obj", "v 1 0 0\n", "v 1 x 0\n", "expected 'v' and three numbers"},
      {"a.obj", "f 1 2 6 5", "f 1 2 9 5", "'9' is no corner: expected 1 to 8"},
      {"a.obj", "f 1 2 6 5", "f 1 2 0 5", "'0' is no corner"},
      {"a.obj", "f 1 2 6 5", "f 1 2", "a face of 2 corners"},
      {"a.obj", "v 1 0 0\n", "v 1e300 0 0\n", "at most 1e6 m"},
      {"a.dae", "0 2 3 1 4", "0 2 8 1 4", "names a corner that does not exist"},
      {"a.dae", "0 2 3 1 4", "0 2 -1 1 4", "names a corner that does not exist"},
      {"a.dae", "0 0 0 1 0 0", "0 0 0 1 0 o", "holds something else than numbers"},
      {"a.dae", "<translate>2 0 0", "<translate>2 0", "has too few numbers"},
      {"a.dae", "<translate>2 0 0</translate>", "<lookat>2 0 0</lookat>", "is not read"},
      {"a.dae", "0.5\"/></asset>", "-1\"/></asset>", "must be above 0"},
      {"a.dae", "</COLLADA>", "", "no well-formed XML"},
      {"a.dae", "semantic=\"POSITION\"", "semantic=\"NORMAL\"", "without positions"},
  };
  for (size_t i = 0; i < sizeof faults / sizeof *faults; ++i)
  {
    const char* whole = strstr(faults[i].name, ".obj") ? OBJ : DAE;
    const char* at    = strstr(whole, faults[i].from);
    char text[4096];
    lwSolid solid;
    lwDiag* diag = lw_diag_create();
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - whole), whole, faults[i].to,
             at + strlen(faults[i].from));
    assert_int_equal(read_as(faults[i].name, text, diag, &solid), LW_ERROR_INPUT);
    const char* said = lw_diag_message(diag, 0)->text;
    if (!strstr(said, faults[i].said)) fail_msg("'%s' lacks '%s'", said, faults[i].said);
    assert_true(solid.volume == 0);
    lw_diag_destroy(diag);
  }
}

// Nodes that refer to themselves end with an error, not without an end.
static void endless_nodes(void** state)
{
  (void)state;
  static const char text[] =
      "<COLLADA><library_visual_scenes><visual_scene id=\"s\"><node id=\"n\">"
      "<instance_node url=\"#n\"/><instance_node url=\"#n\"/></node></visual_scene>"
      "</library_visual_scenes></COLLADA>";
  lwSolid solid;
  lwDiag* diag = lw_diag_create();
  assert_int_equal(read_as("a.dae", text, diag, &solid), LW_ERROR_INPUT);
  assert_non_null(strstr(lw_diag_message(diag, 0)->text, "too many nodes"));
  lw_diag_destroy(diag);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(obj_cube),        cmocka_unit_test(collada_cube),
      cmocka_unit_test(collada_colours), cmocka_unit_test(wrong_files),
      cmocka_unit_test(endless_nodes),   cmocka_unit_test(concave_polygons),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
