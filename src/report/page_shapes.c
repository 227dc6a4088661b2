// SPDX-License-Identifier: MIT
#include <string.h>
#include <strings.h>

#include "linkwork/trajectory.h"
#include "parts/mesh.h"
#include "read/urdf/urdf_shape.h"
#include "report/page_data.h"
#include "report/robot_text.h"

// A robot whose links are written, and its meshes: each is put into the page once.
typedef struct Drawing
{
  lwPageData* page;
  const lwRobotDef* robot;
  const char* packages;
  int* missing;
  lwDocument* document;  // the robot file, if it is YAML; else without a root
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

// --- shapes of a parts file

// The solids of a link that takes its mass from a parts file: material and no holes, points or payload.
static void write_pieces(FILE* out, const lwPartsLink* link)
{
  const char* join = "";
  for (int i = 0; i < link->count; ++i)
  {
    const lwPiece* piece = &link->pieces[i];
    if (piece->hole || !piece->section || piece->shape >= LW_SOLID_POINT) continue;
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

// What the robot file says behind `parts` of joint i; NULL: nothing.
static const char* parts_reference(const lwDocument* document, int i)
{
  const lwNode* joints = document->root ? lw_node_find(document->root, "joints") : NULL;
  const lwItem* item   = joints && joints->kind == LW_NODE_LIST ? joints->items : NULL;
  while (item && i-- > 0) item = item->next;
  const lwNode* link = item ? lw_node_find(item->value, "link") : NULL;
  const lwNode* name = link && link->kind == LW_NODE_MAPPING ? lw_node_find(link, "parts") : NULL;
  return name && name->kind == LW_NODE_SCALAR ? name->text : NULL;
}

// The file is read once more for every link: parts files are short.
static void write_parts(const Drawing* drawing, int joint, const char* name)
{
  char file[LW_URDF_LONGEST_PATH];
  lwParts* parts = NULL;
  const char* reference =
      drawing->document->root ? parts_reference(drawing->document, joint) : NULL;
  if (!reference) return;
  size_t length = strcspn(reference, "#");
  snprintf(file, sizeof file, "%.*s", (int)length, reference);
  const char* path = lw_document_beside(drawing->document, file);
  if (!path || lw_parts_read_file(path, NULL, NULL, &parts) != LW_OK) return;
  int i = lw_parts_find(parts, reference[length] ? reference + length + 1 : name);
  if (i >= 0) write_pieces(drawing->page->json, lw_parts_link(parts, i));
  lw_parts_destroy(parts);
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
  if (link->shape_count == 0 && joint >= 0) write_parts(drawing, joint, name);
  fputs("]}", out);
}

void lw_page_links(lwPageData* page, const lwRobotDef* robot, const char* packages,
                   int* missing)  // NOLINT(readability-non-const-parameter): counted up by drawing
{
  lwDocument document   = {0};
  const Drawing drawing = {page, robot, packages, missing, &document};
  if (robot->file && lw_document_open_file(&document, robot->file, NULL) == LW_OK &&
      !lw_urdf_is(&document.source))
    lw_document_parse(&document);
  fputc('[', page->json);
  write_page_link(&drawing, &robot->base, -1, robot->base.name ? robot->base.name : "base");
  for (int i = 0; i < robot->count; ++i)
  {
    fputs(",\n", page->json);
    write_page_link(&drawing, &robot->joints[i].link, i, lw_carried_name(&robot->joints[i]));
  }
  fputc(']', page->json);
  lw_document_free(&document);
}
