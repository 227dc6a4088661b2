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
  lwMissingMeshes* missing;
} Drawing;

// --- meshes

// Three corners of each triangle, three floats each; how many numbers were written.
static int write_triangles(lwOut* bytes, const lwMesh* mesh)
{
  int count = mesh->triangles * 3;
  for (int i = 0; i < count; ++i)
  {
    const double* point = mesh->points[mesh->corners[i]];
    const float place[] = {(float)point[0], (float)point[1], (float)point[2]};
    lw_out_bytes(bytes, (const char*)place, sizeof place);
  }
  return 3 * count;
}

// "offset": .., "count": .. of the triangles of a mesh file;
// false if there is none that can be shown.
static bool write_mesh(const Drawing* drawing, const char* name)
{
  lwMesh mesh;
  lwOut* bytes = &drawing->page->bytes;
  if (!lw_link_shapes_mesh(drawing->shapes, name, &mesh)) return false;
  while (lw_out_length(bytes) % 4 != 0) lw_out_char(bytes, 0);
  long offset = (long)lw_out_length(bytes);
  lw_json(&drawing->page->json, ",'offset':$l,'count':$d", offset, write_triangles(bytes, &mesh));
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
  lwOut* out = &drawing->page->json;
  double R[9];
  lw_rotation_rpy(shape->rpy, R);
  lw_json(out, "{'kind':$s,'visual':$b,'size':$c,'xyz':$c,'R':$c", kinds[shape->kind],
          shape->visual, shape->size, 3, shape->xyz, 3, R, 9);
  if (shape->kind == LW_SHAPE_MESH && !write_mesh(drawing, shape->mesh))
    lw_missing_mesh_add(drawing->missing, shape->mesh);
  lw_out_char(out, '}');
}

// --- shapes of a parts file

// The solids of a link that takes its mass from a parts file:
// material and no holes, points or payload.
static void write_pieces(lwOut* out, const lwPartsLink* link)
{
  const char* join = "";
  for (int i = 0; i < link->count; ++i)
  {
    const lwPiece* piece = &link->pieces[i];
    if (!lw_piece_is_solid(piece)) continue;
    lw_out_text(out, join);
    lw_json(out, "{'kind':$s,'visual':true,'size':$c,'xyz':$c,'R':$c}",
            lw_solid_info(piece->shape)->name, piece->sizes, LW_SOLID_MAX_SIZES, piece->origin, 3,
            piece->rotation, 9);
    join = ",";
  }
}

// joint: -1 of the base
static void write_page_link(const Drawing* drawing, const lwLinkDef* link, int joint,
                            const char* name)
{
  lwOut* out = &drawing->page->json;
  lw_json(out, "{'name':$s,'mass':$n,'com':$c,'inertia':$c,'shapes':[", name, link->mass, link->com,
          3, link->inertia, 6);
  for (int i = 0; i < link->shape_count; ++i)
  {
    if (i > 0) lw_out_char(out, ',');
    write_shape(drawing, &link->shapes[i]);
  }
  const lwPartsLink* parts_link;
  bool by_parts  = link->shape_count == 0 && joint >= 0;
  lwParts* parts = by_parts ? lw_link_shapes_parts(drawing->shapes, joint, &parts_link) : NULL;
  if (parts) write_pieces(out, parts_link);
  lw_parts_destroy(parts);
  lw_out_text(out, "]}");
}

void lw_page_links(lwPageData* page, const lwRobotDef* robot, const char* packages,
                   lwMissingMeshes* missing)
{
  lwLinkShapes shapes;
  const Drawing drawing = {page, &shapes, missing};
  lw_link_shapes_open(&shapes, robot, packages);
  lw_out_char(&page->json, '[');
  write_page_link(&drawing, &robot->base, -1, robot->base.name ? robot->base.name : "base");
  for (int i = 0; i < robot->count; ++i)
  {
    lw_out_text(&page->json, ",\n");
    write_page_link(&drawing, &robot->joints[i].link, i, lw_carried_name(&robot->joints[i]));
  }
  lw_out_char(&page->json, ']');
  lw_link_shapes_close(&shapes);
}
