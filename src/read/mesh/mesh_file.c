// SPDX-License-Identifier: MIT
// Mesh files of every format: their triangles, and the body that a closed mesh encloses.
#include <math.h>
#include <string.h>
#include <strings.h>

#include "parts/solids.h"
#include "read/mesh/mesh_reader.h"

static const lwPlace nowhere = {0, 0};

static const struct
{
  const char* ending;
  void (*read)(lwMeshReader* reader);
  bool text;
} formats[] = {
    {".stl", lw_stl_read, false}, {".obj", lw_obj_read, true}, {".dae", lw_collada_read, true}};

enum
{
  FORMATS = sizeof formats / sizeof *formats
};

static int format_of(const char* name)
{
  size_t length = strlen(name);
  int i         = 0;
  while (i < FORMATS && (length < 4 || strcasecmp(name + length - 4, formats[i].ending) != 0)) ++i;
  return i;
}

bool lw_mesh_is_known(const char* name)
{
  return format_of(name) < FORMATS;
}

bool lw_mesh_take(lwMeshReader* reader, lwPlace place, const double corner[3][3])
{
  ++reader->number;
  if (reader->number > LW_MESH_MOST_TRIANGLES)
    return lw_mesh_refuse(reader, place, NULL, "more than %d triangles", LW_MESH_MOST_TRIANGLES);
  for (int i = 0; i < 9; ++i)
  {
    double x          = corner[i / 3][i % 3];
    const char* fault = lw_size_fault(LW_SIZE_RULE_ANY, x * reader->scale);
    if (!fault) continue;
    return lw_mesh_refuse(
        reader, place, NULL,
        "triangle %u: a coordinate must be a finite number of at most 1e6 m, found %g",
        (unsigned)reader->number, x);
  }
  if (!lw_mesh_add(&reader->mesh, corner)) reader->status = LW_ERROR_MEMORY;
  return reader->status == LW_OK;
}

// --- what makes a mesh a body

static void report_edges(lwMeshReader* reader, const lwMeshEdges* edges)
{
  const double* a = reader->mesh.points[edges->first[0]];
  const double* b = reader->mesh.points[edges->first[1]];
  if (edges->open > 0)
    lw_document_error(
        &reader->document, nowhere,
        "it must enclose a volume without gaps; close it in the program it comes from",
        "the mesh is not closed: %d of its edges lack%s a second triangle, the first "
        "from (%g, %g, %g) to (%g, %g, %g) in the units of the file",
        edges->open, edges->open == 1 ? "s" : "", a[0], a[1], a[2], b[0], b[1], b[2]);
  else
    lw_document_error(
        &reader->document, nowhere, "corners go counter-clockwise seen from outside",
        "neighbouring triangles disagree about which side is outside at %d edges, the "
        "first from (%g, %g, %g) to (%g, %g, %g) in the units of the file",
        edges->turned, a[0], a[1], a[2], b[0], b[1], b[2]);
}

static lwStatus check_closed(lwMeshReader* reader)
{
  lwMeshEdges edges;
  if (reader->mesh.triangles == 0)
    return lw_document_refuse(&reader->document, nowhere, NULL, "the mesh has no triangles");
  if (!lw_mesh_edges(&reader->mesh, &edges)) return LW_ERROR_MEMORY;
  if (edges.open > 0 || edges.turned > 0)
  {
    report_edges(reader, &edges);
    return LW_ERROR_INPUT;
  }
  if (edges.crowded > 0)
    lw_diag_report(reader->document.diag, LW_SEVERITY_WARNING, &reader->document.source, nowhere,
                   "bodies that overlap are counted twice where they do",
                   "the mesh has %d edges with more than two triangles: bodies touch there",
                   edges.crowded);
  return LW_OK;
}

static lwStatus measure_triangles(lwMeshReader* reader, lwSolid* solid)
{
  lwStatus status = check_closed(reader);
  if (status != LW_OK) return status;
  lwSolid found = lw_mesh_solid(&reader->mesh, reader->scale);
  if (found.volume > 0)
  {
    *solid = found;
    return LW_OK;
  }
  if (found.volume < 0)
    lw_document_error(&reader->document, nowhere,
                      "reverse the order of the corners, or export it again with normals outwards",
                      "the mesh is inside out: its corners go clockwise seen from outside (volume "
                      "%.6g m^3)",
                      found.volume);
  else
    lw_document_error(&reader->document, nowhere, NULL, "the mesh is flat: it encloses no volume");
  return LW_ERROR_INPUT;
}

// --- files and bytes

// Reads the bytes of the document by the ending of the name.
static void read_triangles(lwMeshReader* reader, const char* name)
{
  int format = format_of(name);
  if (format == FORMATS) format = 0;
  if (reader->status == LW_OK) formats[format].read(reader);
}

static lwStatus open_mesh(lwMeshReader* reader, const char* path, lwDiag* diag)
{
  int format        = format_of(path);
  reader->from_file = true;
  return format < FORMATS && formats[format].text
             ? lw_document_open_file(&reader->document, path, diag)
             : lw_document_read_bytes(&reader->document, path, diag);
}

static lwStatus read_solid(lwMeshReader* reader, const char* name, lwSolid* solid)
{
  *solid = (lwSolid){0};
  read_triangles(reader, name);
  lwStatus status = reader->status == LW_OK ? measure_triangles(reader, solid) : reader->status;
  lw_mesh_free(&reader->mesh);
  lw_document_free(&reader->document);
  return status;
}

lwStatus lw_mesh_read_triangles(const char* path, bool first_object, lwDiag* diag, lwMesh* mesh)
{
  lwMeshReader reader = {.scale = 1, .first_object = first_object};
  reader.status       = open_mesh(&reader, path, diag);
  read_triangles(&reader, path);
  lw_document_free(&reader.document);
  *mesh = reader.mesh;
  return reader.status;
}

lwStatus lw_mesh_read_file(const char* path, double scale, lwDiag* diag, lwSolid* solid)
{
  lwMeshReader reader = {.scale = scale};
  reader.status       = open_mesh(&reader, path, diag);
  return read_solid(&reader, path, solid);
}

lwStatus lw_mesh_read_bytes(const char* name, const char* bytes, size_t length, double scale,
                            lwDiag* diag, lwSolid* solid)
{
  lwMeshReader reader = {.scale = scale};
  int format          = format_of(name);
  reader.status       = format < FORMATS && formats[format].text
                            ? lw_document_open_text(&reader.document, name, bytes, length, diag)
                            : lw_document_borrow_bytes(&reader.document, name, bytes, length, diag);
  return read_solid(&reader, name, solid);
}
