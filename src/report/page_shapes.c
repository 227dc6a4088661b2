// SPDX-License-Identifier: MIT
#include <string.h>
#include <strings.h>

#include "linkwork/trajectory.h"
#include "parts/mesh.h"
#include "read/urdf_shape.h"
#include "report/page_data.h"
#include "report/robot_text.h"

// A robot whose links are written, and its meshes: each is put into the page once.
typedef struct Drawing
{
  lwPageData* page;
  const lwRobotDef* robot;
  const char* packages;
  int* missing;
} Drawing;

// --- meshes

// Three corners of each triangle, three floats each; how many numbers were written.
static size_t write_triangles(FILE* bytes, const lwMesh* mesh)
{
  size_t count = (size_t)mesh->triangles * 3;
  for (size_t i = 0; i < count; ++i)
  {
    const double* point = mesh->points[mesh->corners[i]];
    const float place[] = {(float)point[0], (float)point[1], (float)point[2]};
    fwrite(place, sizeof place, 1, bytes);
  }
  return 3 * count;
}

static bool is_stl(const char* name)
{
  size_t length = strlen(name);
  return length >= 4 && strcasecmp(name + length - 4, ".stl") == 0;
}

// "offset": .., "count": .. of the triangles of a mesh file; false if there is none that can be shown.
static bool write_mesh(const Drawing* drawing, const char* name)
{
  char path[LW_URDF_LONGEST_PATH];
  lwMesh mesh      = {0};
  FILE* bytes      = drawing->page->bytes;
  const char* file = drawing->robot->file ? drawing->robot->file : "";
  if (!is_stl(name) || !lw_urdf_find_mesh(file, drawing->packages, name, path)) return false;
  bool read = lw_mesh_read_triangles(path, NULL, &mesh) == LW_OK;
  if (read)
  {
    while (ftell(bytes) % 4 != 0) fputc(0, bytes);
    fprintf(drawing->page->json, ",\"offset\":%ld", ftell(bytes));
    fprintf(drawing->page->json, ",\"count\":%zu", write_triangles(bytes, &mesh));
  }
  lw_mesh_free(&mesh);
  return read;
}

// --- shapes

static void write_shape(const Drawing* drawing, const lwShape* shape)
{
  static const char* const kinds[] = {
      [LW_SHAPE_BOX]      = "box",
      [LW_SHAPE_CYLINDER] = "cylinder",
      [LW_SHAPE_SPHERE]   = "sphere",
      [LW_SHAPE_MESH]     = "mesh",
  };
  FILE* out = drawing->page->json;
  double R[9];
  lw_rotation_rpy(shape->rpy, R);
  fprintf(out, "{\"kind\":\"%s\",\"visual\":%s,\"size\":", kinds[shape->kind],
          shape->visual ? "true" : "false");
  lw_json_numbers(out, shape->size, 3);
  fputs(",\"xyz\":", out);
  lw_json_numbers(out, shape->xyz, 3);
  fputs(",\"R\":", out);
  lw_json_numbers(out, R, 9);
  if (shape->kind == LW_SHAPE_MESH && !write_mesh(drawing, shape->mesh)) ++*drawing->missing;
  fputc('}', out);
}

static void write_link(const Drawing* drawing, const lwLinkDef* link, const char* name)
{
  FILE* out = drawing->page->json;
  fputs("{\"name\":", out);
  lw_json_text(out, name);
  fputs(",\"mass\":", out);
  lw_json_number(out, link->mass);
  fputs(",\"com\":", out);
  lw_json_numbers(out, link->com, 3);
  fputs(",\"inertia\":", out);
  lw_json_numbers(out, link->inertia, 6);
  fputs(",\"shapes\":[", out);
  for (int i = 0; i < link->shape_count; ++i)
  {
    if (i > 0) fputc(',', out);
    write_shape(drawing, &link->shapes[i]);
  }
  fputs("]}", out);
}

void lw_page_links(lwPageData* page, const lwRobotDef* robot, const char* packages, int* missing)
{
  const Drawing drawing = {page, robot, packages, missing};
  fputc('[', page->json);
  write_link(&drawing, &robot->base, robot->base.name ? robot->base.name : "base");
  for (int i = 0; i < robot->count; ++i)
  {
    fputs(",\n", page->json);
    write_link(&drawing, &robot->joints[i].link, lw_carried_name(&robot->joints[i]));
  }
  fputc(']', page->json);
}
