// SPDX-License-Identifier: MIT
#include "linkwork/trajectory.h"
#include "report/page/link_shapes.h"
#include "report/page/page_data.h"
#include "report/robot/robot_text.h"

// A robot whose links are written, and its meshes: each is put into the page once.
typedef struct Drawing
{
  lwPageData* page;
  lwLinkShapes* shapes;
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

// "offset": .., "count": .. of the triangles of a mesh file;
// false if there is none that can be shown.
static bool write_mesh(const Drawing* drawing, const char* name)
{
  lwMesh mesh;
  FILE* bytes = drawing->page->bytes;
  if (!lw_link_shapes_mesh(drawing->shapes, name, &mesh)) return false;
  while (ftell(bytes) % 4 != 0) fputc(0, bytes);
  fprintf(drawing->page->json, ",\"offset\":%ld", ftell(bytes));
  fprintf(drawing->page->json, ",\"count\":%zu", write_triangles(bytes, &mesh));
  lw_mesh_free(&mesh);
  return true;
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

// --- shapes of a parts file

// The solids of a link that takes its mass from a parts file:
// material and no holes, points or payload.
static void write_pieces(FILE* out, const lwPartsLink* link)
{
  const char* join = "";
  for (int i = 0; i < link->count; ++i)
  {
    const lwPiece* piece = &link->pieces[i];
    if (!lw_piece_is_solid(piece)) continue;
    fprintf(out, "%s{\"kind\":\"%s\",\"visual\":true,\"size\":", join,
            lw_solid_info(piece->shape)->name);
    lw_json_numbers(out, piece->sizes, LW_SOLID_MAX_SIZES);
    fputs(",\"xyz\":", out);
    lw_json_numbers(out, piece->origin, 3);
    fputs(",\"R\":", out);
    lw_json_numbers(out, piece->rotation, 9);
    fputc('}', out);
    join = ",";
  }
}

// joint: -1 of the base
static void write_page_link(const Drawing* drawing, const lwLinkDef* link, int joint,
                            const char* name)
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
  const lwPartsLink* parts_link;
  bool by_parts  = link->shape_count == 0 && joint >= 0;
  lwParts* parts = by_parts ? lw_link_shapes_parts(drawing->shapes, joint, &parts_link) : NULL;
  if (parts) write_pieces(out, parts_link);
  lw_parts_destroy(parts);
  fputs("]}", out);
}

void lw_page_links(lwPageData* page, const lwRobotDef* robot, const char* packages,
                   int* missing)  // NOLINT(readability-non-const-parameter): counted up by drawing
{
  lwLinkShapes shapes;
  const Drawing drawing = {page, &shapes, missing};
  lw_link_shapes_open(&shapes, robot, packages);
  fputc('[', page->json);
  write_page_link(&drawing, &robot->base, -1, robot->base.name ? robot->base.name : "base");
  for (int i = 0; i < robot->count; ++i)
  {
    fputs(",\n", page->json);
    write_page_link(&drawing, &robot->joints[i].link, i, lw_carried_name(&robot->joints[i]));
  }
  fputc(']', page->json);
  lw_link_shapes_close(&shapes);
}
