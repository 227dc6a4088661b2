// SPDX-License-Identifier: MIT
// OBJ, triangles and polygons as text; only vertices (v) and faces (f) are used.
//
//   v x y z [w]          f v/vt/vn ...: three or more vertices by number, from 1, or from the last
//                        one backwards if negative; polygons are cut into a fan
#include "read/obj.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "parts/solids.h"

typedef struct ObjReader
{
  lwDocument* document;
  lwMesh* mesh;
  double (*points)[3];
  int count, capacity;
  int line;
  lwStatus status;
} ObjReader;

static bool obj_refuse(ObjReader* reader, const char* what)
{
  lw_document_error(reader->document, ((lwPlace){reader->line, 1}), NULL, "%s", what);
  reader->status = LW_ERROR_INPUT;
  return false;
}

static bool grow(ObjReader* reader)
{
  if (reader->count < reader->capacity) return true;
  int wanted = reader->capacity > 0 ? 2 * reader->capacity : 1024;
  void* more = realloc(reader->points, (size_t)wanted * sizeof *reader->points);
  if (!more) reader->status = LW_ERROR_MEMORY;
  if (!more) return false;
  reader->points   = more;
  reader->capacity = wanted;
  return true;
}

static bool read_vertex(ObjReader* reader, const char* text)
{
  if (!grow(reader)) return false;
  double* point = reader->points[reader->count++];
  for (int i = 0; i < 3; ++i)
  {
    text += strspn(text, " \t");
    text += *text == '+';
    if (!lw_number_read(&text, &point[i]) || lw_size_fault(LW_SIZE_RULE_ANY, point[i]))
      return obj_refuse(reader, "a vertex must be three finite numbers of at most 1e6");
  }
  return true;
}

// The next corner of a face, or -1 at the end of the line or after reporting what is wrong.
static int next_corner(ObjReader* reader, const char** text)
{
  char* end;
  *text += strspn(*text, " \t\r");
  if (**text == 0 || **text == '\n' || **text == '#') return -1;
  long number = strtol(*text, &end, 10);
  bool read   = end != *text;
  *text       = end + strcspn(end, " \t\r\n");
  long index  = number > 0 ? number - 1 : reader->count + number;
  if (read && number != 0 && index >= 0 && index < reader->count) return (int)index;
  obj_refuse(reader, "a face must be numbers of vertices that come before it");
  return -1;
}

static bool read_face(ObjReader* reader, const char* text)
{
  int first = next_corner(reader, &text), before = next_corner(reader, &text), corner;
  if (first < 0 || before < 0) return reader->status == LW_OK;
  while ((corner = next_corner(reader, &text)) >= 0)
  {
    double triangle[3][3];
    memcpy(triangle[0], reader->points[first], sizeof triangle[0]);
    memcpy(triangle[1], reader->points[before], sizeof triangle[1]);
    memcpy(triangle[2], reader->points[corner], sizeof triangle[2]);
    if (!lw_mesh_add(reader->mesh, triangle)) reader->status = LW_ERROR_MEMORY;
    if (reader->status != LW_OK) return false;
    before = corner;
  }
  return reader->status == LW_OK;
}

lwStatus lw_mesh_read_obj(lwDocument* document, lwMesh* mesh)
{
  ObjReader reader = {.document = document, .mesh = mesh};
  const char *text = document->source.text, *end = text + document->source.length;
  bool sound       = true;
  for (; text < end && sound; ++text)
  {
    ++reader.line;
    if (text[0] == 'v' && (text[1] == ' ' || text[1] == '\t')) sound = read_vertex(&reader, text + 2);
    if (text[0] == 'f' && (text[1] == ' ' || text[1] == '\t')) sound = read_face(&reader, text + 2);
    const char* line = memchr(text, '\n', (size_t)(end - text));
    if (!line) break;
    text = line;
  }
  free(reader.points);
  return reader.status;
}
