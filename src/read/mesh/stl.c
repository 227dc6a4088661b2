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
#include "read/mesh/mesh_reader.h"

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
  lwMeshReader* mesh;
  const char* next;    // text that is not yet read
  const char* token;   // the last word; NULL in a binary file
  size_t length;       // of it; 0 at the end of the file
  const char* placed;  // text whose place is known
  lwPlace place;       // of it
} StlReader;

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
  const lwSource* source = &reader->mesh->document.source;
  uint32_t count         = integer_at(source->text + HEADER);
  for (uint32_t k = 0; k < count; ++k)
  {
    const char* record = source->text + START + (size_t)RECORD * k + 12;  // after the normal
    double corner[3][3];
    for (int i = 0; i < 9; ++i) corner[i / 3][i % 3] = float_at(record + 4 * i);
    if (!lw_mesh_take(reader->mesh, nowhere, corner)) return;
  }
}

static void refuse_binary(StlReader* reader)
{
  const lwSource* source = &reader->mesh->document.source;
  if (source->length < START)
    lw_mesh_refuse(reader->mesh, nowhere, NULL,
                   "this is no STL file: it has %zu bytes and does not begin with 'solid'",
                   source->length);
  else
    lw_mesh_refuse(reader->mesh, nowhere, "the file is cut off or damaged, or it is no STL file",
                   "a binary STL file of %u triangles has %llu bytes, this one has %zu",
                   (unsigned)integer_at(source->text + HEADER),
                   START + (unsigned long long)RECORD * integer_at(source->text + HEADER),
                   source->length);
}

// --- text

static const char* text_end(const StlReader* reader)
{
  return reader->mesh->document.source.text + reader->mesh->document.source.length;
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
static lwPlace token_place(StlReader* reader)
{
  if (!reader->token) return nowhere;
  if (!reader->placed) reader->place = (lwPlace){1, 1};
  if (!reader->placed) reader->placed = reader->mesh->document.source.text;
  for (; reader->placed < reader->token; ++reader->placed)
  {
    ++reader->place.column;
    if (*reader->placed == '\n') reader->place = (lwPlace){reader->place.line + 1, 1};
  }
  return reader->place;
}

static bool refuse_token(StlReader* reader, const char* expected)
{
  int shown = reader->length < 30 ? (int)reader->length : 30;
  if (shown == 0)
    return lw_mesh_refuse(reader->mesh, token_place(reader), "the file is cut off",
                          "the text ends, expected %s", expected);
  return lw_mesh_refuse(reader->mesh, token_place(reader), NULL, "expected %s, found '%.*s'",
                        expected, shown, reader->token);
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

static bool read_facet(StlReader* reader)
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
  return lw_mesh_take(reader->mesh, token_place(reader), corner);
}

static void read_text(StlReader* reader)
{
  bool inside  = false;
  reader->next = reader->mesh->document.source.text;
  for (next_token(reader); reader->length > 0 && reader->mesh->status == LW_OK; next_token(reader))
  {
    bool line = token_is(reader, inside ? "endsolid" : "solid");
    if (line)
    {
      inside = !inside;
      while (reader->next < text_end(reader) && *reader->next != '\n') ++reader->next;
    }
    else if (inside && token_is(reader, "facet"))
      read_facet(reader);
    else
      refuse_token(reader, inside ? "facet or endsolid" : "solid");
  }
  if (reader->mesh->status == LW_OK && inside) refuse_token(reader, "facet or endsolid");
}

static bool begins_with_solid(const lwSource* source)
{
  size_t i = 0;
  while (i < source->length && is_space(source->text[i])) ++i;
  return source->length - i >= 5 && strncasecmp(source->text + i, "solid", 5) == 0 &&
         !memchr(source->text, 0, source->length);
}

void lw_stl_read(lwMeshReader* mesh)
{
  const lwSource* source = &mesh->document.source;
  StlReader reader       = {.mesh = mesh};
  if (source->length >= START &&
      source->length - START == (uint64_t)RECORD * integer_at(source->text + HEADER))
    read_binary(&reader);
  else if (begins_with_solid(source))
    read_text(&reader);
  else
    refuse_binary(&reader);
}
