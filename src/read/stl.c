// SPDX-License-Identifier: MIT
// STL, the format in which CAD programs export triangles. It has no units.
//
//   binary  80 bytes of anything, the number of triangles (4 bytes), and 50 bytes for each:
//           normal and three corners (3 floats each), 2 bytes of anything; all little-endian
//   text    solid NAME, any number of
//             facet normal x y z  outer loop  three times vertex x y z  endloop  endfacet,
//           endsolid NAME; several solids may follow each other
//
// Normals are not used: the order of the corners says which side is outside. Many binary files
// begin with the word solid, so a file whose length fits its number of triangles is binary,
// whatever it begins with.
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "linkwork/parts.h"
#include "parts/mesh.h"
#include "parts/solids.h"
#include "read/document/document.h"
#include "read/obj.h"

enum
{
  HEADER         = 80,
  START          = HEADER + 4,  // of the triangles
  RECORD         = 50,
  LONGEST_NUMBER = 100  // characters
};

static const lwPlace nowhere = {0, 0};

typedef struct StlReader
{
  lwDocument document;
  lwMesh mesh;
  double scale;
  const char* next;   // text that is not yet read
  const char* token;  // the last word; NULL in a binary file
  size_t length;      // of it; 0 at the end of the file
  lwStatus status;    // the first thing that went wrong
} StlReader;

// --- triangles

static lwPlace token_place(const StlReader* reader);

// Adds a triangle; its number is for messages.
static bool take_triangle(StlReader* reader, const double corner[3][3], uint32_t number)
{
  for (int i = 0; i < 9; ++i)
  {
    double x          = corner[i / 3][i % 3];
    const char* fault = lw_size_fault(LW_SIZE_RULE_ANY, x * reader->scale);
    if (!fault) continue;
    lw_document_error(
        &reader->document, token_place(reader), NULL,
        "triangle %u: a coordinate must be a finite number of at most 1e6 m, found %g",
        (unsigned)number, x);
    reader->status = LW_ERROR_INPUT;
    return false;
  }
  if (lw_mesh_add(&reader->mesh, corner)) return true;
  reader->status = LW_ERROR_MEMORY;
  return false;
}

// --- binary

static uint32_t integer_at(const char* bytes)
{
  const unsigned char* b = (const unsigned char*)bytes;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char* bytes)
{
  uint32_t bits = integer_at(bytes);
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static void read_binary(StlReader* reader)
{
  const lwSource* source = &reader->document.source;
  uint32_t count         = integer_at(source->text + HEADER);
  for (uint32_t k = 0; k < count; ++k)
  {
    const char* record = source->text + START + (size_t)RECORD * k + 12;  // after the normal
    double corner[3][3];
    for (int i = 0; i < 9; ++i) corner[i / 3][i % 3] = float_at(record + 4 * i);
    if (!take_triangle(reader, corner, k + 1)) return;
  }
}

static void refuse_binary(StlReader* reader)
{
  const lwSource* source = &reader->document.source;
  reader->status         = LW_ERROR_INPUT;
  if (source->length < START)
    lw_document_error(&reader->document, nowhere, NULL,
                      "this is no STL file: it has %zu bytes and does not begin with 'solid'",
                      source->length);
  else
    lw_document_error(
        &reader->document, nowhere, "the file is cut off or damaged, or it is no STL file",
        "a binary STL file of %u triangles has %llu bytes, this one has %zu",
        (unsigned)integer_at(source->text + HEADER),
        START + (unsigned long long)RECORD * integer_at(source->text + HEADER), source->length);
}

// --- text

static const char* text_end(const StlReader* reader)
{
  return reader->document.source.text + reader->document.source.length;
}

static bool is_space(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void next_token(StlReader* reader)
{
  const char *s = reader->next, *end = text_end(reader);
  while (s < end && is_space(*s)) ++s;
  reader->token = s;
  while (s < end && !is_space(*s)) ++s;
  reader->next   = s;
  reader->length = (size_t)(s - reader->token);
}

static bool token_is(const StlReader* reader, const char* word)
{
  return reader->length == strlen(word) && strncasecmp(reader->token, word, reader->length) == 0;
}

// The place of the last word, counted only when it is needed; nowhere in a binary file.
static lwPlace token_place(const StlReader* reader)
{
  if (!reader->token) return nowhere;
  lwPlace place = {1, 1};
  for (const char* s = reader->document.source.text; s < reader->token; ++s)
  {
    ++place.column;
    if (*s == '\n') place = (lwPlace){place.line + 1, 1};
  }
  return place;
}

static bool refuse_token(StlReader* reader, const char* expected)
{
  int shown      = reader->length < 30 ? (int)reader->length : 30;
  reader->status = LW_ERROR_INPUT;
  if (shown == 0)
    lw_document_error(&reader->document, token_place(reader), "the file is cut off",
                      "the text ends, expected %s", expected);
  else
    lw_document_error(&reader->document, token_place(reader), NULL, "expected %s, found '%.*s'",
                      expected, shown, reader->token);
  return false;
}

static bool expect_word(StlReader* reader, const char* word)
{
  next_token(reader);
  return token_is(reader, word) || refuse_token(reader, word);
}

static bool expect_number(StlReader* reader, double* number)
{
  char digits[LONGEST_NUMBER + 1];
  next_token(reader);
  if (reader->length == 0 || reader->length > LONGEST_NUMBER)
    return refuse_token(reader, "a number");
  memcpy(digits, reader->token, reader->length);
  digits[reader->length] = 0;
  const char* end        = digits;
  bool read              = lw_number_read(&end, number);
  return (read && *end == 0) || refuse_token(reader, "a number");
}

static bool read_facet(StlReader* reader, uint32_t number)
{
  double corner[3][3];
  if (!expect_word(reader, "normal")) return false;
  for (int i = 0; i < 3; ++i) next_token(reader);  // some programs write nan
  if (!expect_word(reader, "outer") || !expect_word(reader, "loop")) return false;
  for (int i = 0; i < 3; ++i)
  {
    if (!expect_word(reader, "vertex")) return false;
    for (int j = 0; j < 3; ++j)
      if (!expect_number(reader, &corner[i][j])) return false;
  }
  if (!expect_word(reader, "endloop") || !expect_word(reader, "endfacet")) return false;
  return take_triangle(reader, corner, number);
}

static void read_text(StlReader* reader)
{
  uint32_t number = 0;
  bool inside     = false;
  reader->next    = reader->document.source.text;
  for (next_token(reader); reader->length > 0 && reader->status == LW_OK; next_token(reader))
  {
    bool line = token_is(reader, inside ? "endsolid" : "solid");
    if (line)
    {
      inside = !inside;
      while (reader->next < text_end(reader) && *reader->next != '\n') ++reader->next;
    }
    else if (inside && token_is(reader, "facet"))
      read_facet(reader, ++number);
    else
      refuse_token(reader, inside ? "facet or endsolid" : "solid");
  }
  if (reader->status == LW_OK && inside) refuse_token(reader, "facet or endsolid");
}

static bool begins_with_solid(const lwSource* source)
{
  size_t i = 0;
  while (i < source->length && is_space(source->text[i])) ++i;
  return source->length - i >= 5 && strncasecmp(source->text + i, "solid", 5) == 0 &&
         !memchr(source->text, 0, source->length);
}

// --- what makes a mesh a body

static void report_edges(StlReader* reader, const lwMeshEdges* edges)
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

static lwStatus check_closed(StlReader* reader)
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

static lwStatus measure_triangles(StlReader* reader, lwSolid* solid)
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

// An OBJ file by its name; its text ends with a 0, which bytes of others do not.
static bool is_obj(const lwDocument* document)
{
  const char* file = document->source.file ? document->source.file : "";
  size_t length    = strlen(file);
  return document->buffer && length > 4 && strcasecmp(file + length - 4, ".obj") == 0;
}

static void read_triangles(StlReader* reader)
{
  const lwSource* source = &reader->document.source;
  if (is_obj(&reader->document))
    reader->status = lw_mesh_read_obj(&reader->document, false, &reader->mesh);
  else if (source->length >= START &&
           source->length - START == (uint64_t)RECORD * integer_at(source->text + HEADER))
    read_binary(reader);
  else if (begins_with_solid(source))
    read_text(reader);
  else
    refuse_binary(reader);
}

static lwStatus read_mesh(StlReader* reader, lwStatus status, lwSolid* solid)
{
  *solid         = (lwSolid){0};
  reader->status = status;
  if (status == LW_OK) read_triangles(reader);
  status = reader->status == LW_OK ? measure_triangles(reader, solid) : reader->status;
  lw_mesh_free(&reader->mesh);
  lw_document_free(&reader->document);
  return status;
}

lwStatus lw_mesh_read_triangles(const char* path, lwDiag* diag, lwMesh* mesh)
{
  StlReader reader = {.scale = 1};
  reader.status    = lw_document_read_bytes(&reader.document, path, diag);
  if (reader.status == LW_OK) read_triangles(&reader);
  lw_document_free(&reader.document);
  *mesh = reader.mesh;
  return reader.status;
}

lwStatus lw_mesh_read_file(const char* path, double scale, lwDiag* diag, lwSolid* solid)
{
  StlReader reader = {.scale = scale};
  lwStatus status  = lw_document_read_bytes(&reader.document, path, diag);
  return read_mesh(&reader, status, solid);
}

lwStatus lw_mesh_read_bytes(const char* name, const char* bytes, size_t length, double scale,
                            lwDiag* diag, lwSolid* solid)
{
  StlReader reader = {.scale = scale};
  lwStatus status  = lw_document_borrow_bytes(&reader.document, name, bytes, length, diag);
  return read_mesh(&reader, status, solid);
}
