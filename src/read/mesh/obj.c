// SPDX-License-Identifier: MIT
// OBJ, the text format of Wavefront, its polygons as triangles. It has no units.
//
//   v x y z              a corner; others are of textures and normals, which are not used
//   f a b/t c/t/n ..     a polygon by numbers of corners from 1; negative: from the last one back
//   usemtl NAME          of the faces that follow; colours are in the file of `mtllib`:
//   newmtl NAME, Kd r g b, d opacity
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/number.h"
#include "read/mesh/mesh_reader.h"

enum
{
  MOST_CORNERS = 1000,  // of a polygon
  MOST_EARS    = 64,    // corners of one that is cut carefully: the time grows with their cube
  LONGEST_WORD = 255
};

typedef struct ObjPaint
{
  char name[LONGEST_WORD + 1];
  double color[4];
  struct ObjPaint* next;
} ObjPaint;

typedef struct ObjReader
{
  lwMeshReader* mesh;
  double (*points)[3];
  int count, capacity;
  ObjPaint* paints;
  const char *at, *end;  // of the line under way
  lwPlace place;
  int polygon[MOST_CORNERS];  // corners of the face under way
  int corners;                // how many
} ObjReader;

// --- lines and words

static bool next_line(ObjReader* reader, const lwSource* source)
{
  const char* from = reader->at ? reader->end + 1 : source->text;
  if (from >= source->text + source->length) return false;
  const char* end = memchr(from, '\n', (size_t)(source->text + source->length - from));
  reader->at      = from;
  reader->end     = end ? end : source->text + source->length;
  reader->place   = (lwPlace){reader->place.line + 1, 1};
  return true;
}

static void skip_blanks(ObjReader* reader)
{
  while (reader->at < reader->end && strchr(" \t\r", *reader->at)) ++reader->at;
}

// The next word of the line, cut if it is long; false at its end.
static bool next_word(ObjReader* reader, char word[LONGEST_WORD + 1])
{
  size_t length = 0;
  skip_blanks(reader);
  for (; reader->at < reader->end && !strchr(" \t\r", *reader->at); ++reader->at)
    if (length < LONGEST_WORD) word[length++] = *reader->at;
  word[length] = 0;
  return length > 0;
}

static bool next_numbers(ObjReader* reader, double* numbers, int count)
{
  char word[LONGEST_WORD + 1];
  for (int i = 0; i < count; ++i)
  {
    const char* end = word;
    if (!next_word(reader, word) || !lw_number_read(&end, &numbers[i]) || *end) return false;
  }
  return true;
}

// --- colours

static const ObjPaint* find_paint(const ObjReader* reader, const char* name)
{
  const ObjPaint* paint = reader->paints;
  while (paint && strcmp(paint->name, name) != 0) paint = paint->next;
  return paint;
}

// Colours only: a file that cannot be read leaves the mesh without.
static void read_paints(ObjReader* reader, const char* name)
{
  lwDocument file  = {0};
  const char* path = lw_document_relative(&reader->mesh->document, name);
  ObjReader lines  = {0};
  char word[LONGEST_WORD + 1];
  if (!path || !reader->mesh->from_file || !lw_document_may_open(&file, lines.place, path)) return;
  bool read = lw_document_open_file(&file, path, NULL) == LW_OK;
  while (read && next_line(&lines, &file.source))
  {
    ObjPaint* paint = reader->paints;
    if (!next_word(&lines, word)) continue;
    if (!strcmp(word, "newmtl") && next_word(&lines, word))
    {
      paint = lw_arena_take(&reader->mesh->document.arena, 1, sizeof *paint);
      if (!paint) break;
      *paint = (ObjPaint){.color = {0, 0, 0, 1}, .next = reader->paints};
      memcpy(paint->name, word, sizeof paint->name);
      reader->paints = paint;
    }
    else if (paint && !strcmp(word, "Kd"))
      next_numbers(&lines, paint->color, 3);
    else if (paint && !strcmp(word, "d"))
      next_numbers(&lines, paint->color + 3, 1);
  }
  lw_document_free(&file);
}

// --- faces

static bool add_point(ObjReader* reader)
{
  double point[3];
  if (!next_numbers(reader, point, 3))
    return lw_mesh_refuse(reader->mesh, reader->place, NULL, "expected 'v' and three numbers");
  void* more =
      lw_array_grow(reader->points, reader->count + 1, &reader->capacity, sizeof *reader->points);
  if (!more) reader->mesh->status = LW_ERROR_MEMORY;
  if (!more) return false;
  reader->points = more;
  memcpy(reader->points[reader->count++], point, sizeof point);
  return true;
}

// The corner that a word like 3, 3/1, 3//2 or -1 names; -1 after reporting.
static int corner_of(ObjReader* reader, char* word)
{
  char* end   = NULL;
  long number = strtol(word, &end, 10);
  long corner = number > 0 ? number - 1 : reader->count + number;
  if (end > word && (!*end || *end == '/') && number != 0 && corner >= 0 && corner < reader->count)
    return (int)corner;
  lw_mesh_refuse(reader->mesh, reader->place, NULL,
                 "'%.40s' is no corner: expected 1 to %d, or from -1 back", word, reader->count);
  return -1;
}

static bool add_triangle(ObjReader* reader, int a, int b, int c)
{
  double triangle[3][3];
  memcpy(triangle[0], reader->points[reader->polygon[a]], sizeof triangle[0]);
  memcpy(triangle[1], reader->points[reader->polygon[b]], sizeof triangle[1]);
  memcpy(triangle[2], reader->points[reader->polygon[c]], sizeof triangle[2]);
  return lw_mesh_take(reader->mesh, reader->place, triangle);
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
  int n              = reader->corners;
  const int* polygon = reader->polygon;
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

static bool add_polygon(ObjReader* reader)
{
  char word[LONGEST_WORD + 1];
  for (reader->corners = 0; next_word(reader, word); ++reader->corners)
  {
    if (reader->corners == MOST_CORNERS)
      return lw_mesh_refuse(reader->mesh, reader->place, NULL, "a face of more than %d corners",
                            MOST_CORNERS);
    reader->polygon[reader->corners] = corner_of(reader, word);
    if (reader->polygon[reader->corners] < 0) return false;
  }
  if (reader->corners < 3)
    return lw_mesh_refuse(reader->mesh, reader->place, NULL, "a face of %d corners",
                          reader->corners);
  return reader->corners == 4 ? cut_quadrangle(reader) : cut_polygon(reader);
}

static bool read_line(ObjReader* reader)
{
  static const double none[4] = {0};
  char word[LONGEST_WORD + 1];
  if (!next_word(reader, word) || word[0] == '#') return true;
  bool object = !strcmp(word, "o") || !strcmp(word, "g");
  if (object && reader->mesh->first_object && reader->mesh->mesh.triangles > 0) return false;
  if (!strcmp(word, "v")) return add_point(reader);
  if (!strcmp(word, "f")) return add_polygon(reader);
  if (!strcmp(word, "mtllib") && next_word(reader, word)) read_paints(reader, word);
  if (!strcmp(word, "usemtl") && next_word(reader, word))
  {
    const ObjPaint* paint = find_paint(reader, word);
    if (lw_mesh_part(&reader->mesh->mesh, paint ? paint->color : none)) return true;
    reader->mesh->status = LW_ERROR_MEMORY;
  }
  return reader->mesh->status == LW_OK;
}

void lw_obj_read(lwMeshReader* mesh)
{
  ObjReader reader = {.mesh = mesh};
  while (next_line(&reader, &mesh->document.source) && read_line(&reader)) continue;
  free(reader.points);
}
