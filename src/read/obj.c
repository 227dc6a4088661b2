// SPDX-License-Identifier: MIT
// OBJ, triangles and polygons as text; only vertices (v) and faces (f) are used.
//
//   v x y z [w]          f v/vt/vn ...: three or more vertices by number, from 1, or from the last
//                        one backwards if negative; polygons are cut into a fan
#include "read/obj.h"

#include <math.h>
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
  int* polygon;  // (MOST_CORNERS) vertices of the face that is read
  int corners;   // of it
  int line;
  lwStatus status;
} ObjReader;

enum
{
  MOST_CORNERS = 10000,  // of a face
  MOST_EARS    = 1000    // corners of a face that is cut carefully: the time grows with their cube
};

static bool obj_refuse(ObjReader* reader, const char* what)
{
  lw_document_error(reader->document, ((lwPlace){reader->line, 1}), NULL, "%s", what);
  reader->status = LW_ERROR_INPUT;
  return false;
}

static bool grow_points(ObjReader* reader)
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
  if (!grow_points(reader)) return false;
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

// --- polygons

static bool add_triangle(ObjReader* reader, int a, int b, int c)
{
  double triangle[3][3];
  memcpy(triangle[0], reader->points[reader->polygon[a]], sizeof triangle[0]);
  memcpy(triangle[1], reader->points[reader->polygon[b]], sizeof triangle[1]);
  memcpy(triangle[2], reader->points[reader->polygon[c]], sizeof triangle[2]);
  if (lw_mesh_add(reader->mesh, triangle)) return true;
  reader->status = LW_ERROR_MEMORY;
  return false;
}

static double squared_distance(const ObjReader* reader, int a, int b)
{
  const double *p = reader->points[reader->polygon[a]], *q = reader->points[reader->polygon[b]];
  double sum = 0;
  for (int i = 0; i < 3; ++i) sum += (p[i] - q[i]) * (p[i] - q[i]);
  return sum;
}

// Along its shorter diagonal.
static bool cut_quadrangle(ObjReader* reader)
{
  if (squared_distance(reader, 0, 2) < squared_distance(reader, 1, 3))
    return add_triangle(reader, 0, 1, 2) && add_triangle(reader, 0, 2, 3);
  return add_triangle(reader, 0, 1, 3) && add_triangle(reader, 1, 2, 3);
}

// The polygon as seen along the axis that it faces most, counter-clockwise: coordinates x, y.
static void choose_plane(const ObjReader* reader, int* x, int* y)
{
  double normal[3] = {0, 0, 0};
  for (int i = 0; i < reader->corners; ++i)
  {
    const double* p = reader->points[reader->polygon[i]];
    const double* q = reader->points[reader->polygon[(i + 1) % reader->corners]];
    for (int k = 0; k < 3; ++k)
      normal[k] += (p[(k + 1) % 3] - q[(k + 1) % 3]) * (p[(k + 2) % 3] + q[(k + 2) % 3]);
  }
  int k = 0;
  for (int i = 1; i < 3; ++i)
    if (fabs(normal[i]) > fabs(normal[k])) k = i;
  *x = (k + (normal[k] > 0 ? 1 : 2)) % 3;
  *y = (k + (normal[k] > 0 ? 2 : 1)) % 3;
}

// Twice the area of a triangle in the plane.
static double signed_area(const ObjReader* reader, int x, int y, int a, int b, int c)
{
  const double *p = reader->points[a], *q = reader->points[b], *r = reader->points[c];
  return (q[x] - p[x]) * (r[y] - p[y]) - (q[y] - p[y]) * (r[x] - p[x]);
}

// True if the corner is convex and no other corner is inside its triangle.
static bool is_ear(const ObjReader* reader, int x, int y, int at)
{
  int n = reader->corners, *polygon = reader->polygon;
  int a = polygon[(at + n - 1) % n], b = polygon[at], c = polygon[(at + 1) % n];
  bool ear = signed_area(reader, x, y, a, b, c) > 0;
  for (int i = 0; i < n && ear; ++i)
  {
    int p = polygon[i];
    if (p == a || p == b || p == c) continue;
    ear = !(signed_area(reader, x, y, a, b, p) >= 0 && signed_area(reader, x, y, b, c, p) >= 0 &&
            signed_area(reader, x, y, c, a, p) >= 0);
  }
  return ear;
}

// Ears are cut off until a triangle is left; where there is none, any corner.
static bool cut_polygon(ObjReader* reader)
{
  int x, y;
  choose_plane(reader, &x, &y);
  for (; reader->corners > 3; --reader->corners)
  {
    int n = reader->corners, at = 0;
    while (n <= MOST_EARS && at < n && !is_ear(reader, x, y, at)) ++at;
    at = at % n;
    if (!add_triangle(reader, (at + n - 1) % n, at, (at + 1) % n)) return false;
    memmove(reader->polygon + at, reader->polygon + at + 1,
            (size_t)(n - at - 1) * sizeof *reader->polygon);
  }
  return add_triangle(reader, 0, 1, 2);
}

static bool read_face(ObjReader* reader, const char* text)
{
  int corner;
  for (reader->corners = 0; (corner = next_corner(reader, &text)) >= 0;)
  {
    if (reader->corners == MOST_CORNERS)
      return obj_refuse(reader, "the face has more than 10000 corners");
    reader->polygon[reader->corners++] = corner;
  }
  if (reader->status != LW_OK || reader->corners < 3) return reader->status == LW_OK;
  return reader->corners == 4 ? cut_quadrangle(reader) : cut_polygon(reader);
}

lwStatus lw_mesh_read_obj(lwDocument* document, bool first, lwMesh* mesh)
{
  ObjReader reader = {.document = document, .mesh = mesh};
  reader.polygon   = malloc(MOST_CORNERS * sizeof *reader.polygon);
  if (!reader.polygon) return LW_ERROR_MEMORY;
  const char *text = document->source.text, *end = text + document->source.length;
  bool sound = true;
  for (; text < end && sound; ++text)
  {
    ++reader.line;
    if (text[0] == 'v' && (text[1] == ' ' || text[1] == '\t'))
      sound = read_vertex(&reader, text + 2);
    if (text[0] == 'f' && (text[1] == ' ' || text[1] == '\t')) sound = read_face(&reader, text + 2);
    if (first && mesh->triangles > 0 && (text[0] == 'o' || text[0] == 'g')) break;
    const char* line = memchr(text, '\n', (size_t)(end - text));
    if (!line) break;
    text = line;
  }
  free(reader.points);
  free(reader.polygon);
  return reader.status;
}
