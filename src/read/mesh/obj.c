// SPDX-License-Identifier: MIT
// OBJ, the text format of Wavefront, its polygons as triangles. It has no units.
//
//   v x y z              a corner; others are of textures and normals, which are not used
//   f a b/t c/t/n ..     a polygon by numbers of corners from 1; negative: from the last one back
//   usemtl NAME          of the faces that follow; colours are in the file of `mtllib`:
//   newmtl NAME, Kd r g b, d opacity
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "read/mesh/mesh_reader.h"

enum
{
  MOST_CORNERS = 1000,  // of a polygon
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
  if (reader->count == reader->capacity)
  {
    int capacity = reader->capacity ? 2 * reader->capacity : 1024;
    void* more   = realloc(reader->points, (size_t)capacity * sizeof *reader->points);
    if (!more) reader->mesh->status = LW_ERROR_MEMORY;
    if (!more) return false;
    reader->points   = more;
    reader->capacity = capacity;
  }
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

// A fan of triangles from the first corner.
static bool add_polygon(ObjReader* reader)
{
  char word[LONGEST_WORD + 1];
  int corners[3] = {0}, count = 0;
  while (next_word(reader, word))
  {
    int corner = corner_of(reader, word);
    if (corner < 0) return false;
    if (count == MOST_CORNERS)
      return lw_mesh_refuse(reader->mesh, reader->place, NULL, "a face of more than %d corners",
                            MOST_CORNERS);
    corners[count < 2 ? count : 2] = corner;
    if (++count < 3) continue;
    double triangle[3][3];
    for (int i = 0; i < 3; ++i) memcpy(triangle[i], reader->points[corners[i]], sizeof *triangle);
    if (!lw_mesh_take(reader->mesh, reader->place, triangle)) return false;
    corners[1] = corner;
  }
  return count >= 3 ||
         lw_mesh_refuse(reader->mesh, reader->place, NULL, "a face of %d corners", count);
}

static bool read_line(ObjReader* reader)
{
  static const double none[4] = {0};
  char word[LONGEST_WORD + 1];
  if (!next_word(reader, word) || word[0] == '#') return true;
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
