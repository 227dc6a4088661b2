// SPDX-License-Identifier: MIT
// Snake files. This file reads syntax and types; model/lint/check_snake.c checks the meaning of the
// numbers, and reports at the places collected here.
//
//   linkwork: 1
//   snake: {name: Table II, source: nia2005, count: 6,
//           link: {length: 0.2, mass: 1, inertia: 0.005}}
// or, instead of count and link, links: [ {...}, ... ]; count may then be left out.
#include <limits.h>
#include <math.h>
#include <stddef.h>

#include "base/arrays.h"
#include "linkwork/read.h"
#include "model/snake_internal.h"
#include "read/accept.h"
#include "read/document/document.h"

// Places of the keys of a snake.
enum
{
  AT_COUNT = 1,
  AT_LINK,
  AT_LINKS,
  AT_END
};

typedef struct SnakeText
{
  const char* name;
  const char* origin;
  double count;
  lwNode* link;   // or NULL
  lwNode* links;  // or NULL
} SnakeText;

typedef struct SnakeFileText
{
  lwNode* snake;
  const char* accept;
} SnakeFileText;

// --- the keys of a snake file

#define NUMBER(key, member, si, needed, at)                                                        \
  LW_KEY_AS(key, lwSnakeLink, member, .required = needed, .unit = si, .slot = at)
static const lwKey link_keys[] = {
    NUMBER("length", length, "m", true, LW_SNAKE_FIELD_LENGTH),
    NUMBER("mass", mass, "kg", true, LW_SNAKE_FIELD_MASS),
    NUMBER("inertia", inertia, "kg m^2", true, LW_SNAKE_FIELD_INERTIA),
    NUMBER("wheel_offset", wheel_offset, "m", false, LW_SNAKE_FIELD_WHEEL_OFFSET),
    NUMBER("friction_limit", friction_limit, "N", false, LW_SNAKE_FIELD_FRICTION_LIMIT),
    LW_KEY(lwSnakeLink, lower, .measure = LW_MEASURE_ANGLE, .slot = LW_SNAKE_FIELD_LOWER),
    LW_KEY(lwSnakeLink, upper, .measure = LW_MEASURE_ANGLE, .slot = LW_SNAKE_FIELD_UPPER),
};
static const lwTable link_table = LW_TABLE("a link", link_keys);

static const lwKey snake_keys[] = {
    LW_KEY(SnakeText, name, .kind = LW_VALUE_NAME),
    LW_KEY_AS("source", SnakeText, origin, .kind = LW_VALUE_TEXT),
    LW_KEY(SnakeText, count, .slot = AT_COUNT),
    LW_KEY(SnakeText, link, .kind = LW_VALUE_NODE, .slot = AT_LINK),
    LW_KEY(SnakeText, links, .kind = LW_VALUE_NODE, .slot = AT_LINKS),
};
static const lwTable snake_table = LW_TABLE("a snake", snake_keys);

static const lwKey file_keys[] = {
    {.name = "linkwork", .required = true, .read = lw_read_version},
    LW_KEY(SnakeFileText, accept, .read = lw_read_accept),
    LW_KEY(SnakeFileText, snake, .kind = LW_VALUE_NODE, .required = true),
};
static const lwTable file_table = LW_TABLE("a snake file", file_keys);

// --- the snake

typedef struct SnakeReader
{
  lwDocument document;
  SnakeText snake;
  lwPlace places[AT_END];
  lwSnakeDef def;
  lwSnakeLink* links;    // (entries)
  lwPlace* link_places;  // (entries * LW_SNAKE_FIELD_COUNT)
  bool* unread;          // (entries) with errors
  bool countless;        // it is not known how many links there are
  bool sound;            // every key of the snake is known and could be read
} SnakeReader;

static bool take_links(SnakeReader* reader, int entries)
{
  lwArena* arena      = &reader->document.arena;
  size_t count        = (size_t)entries;
  reader->links       = lw_arena_take(arena, count, sizeof *reader->links);
  reader->link_places = lw_arena_take(arena, count * LW_SNAKE_FIELD_COUNT, sizeof(lwPlace));
  reader->unread      = lw_arena_take(arena, count, sizeof *reader->unread);
  reader->def.links   = reader->links;
  reader->def.places  = reader->link_places;
  return !lw_arena_failed(arena);
}

static void read_link(SnakeReader* reader, lwNode* node, int k)
{
  lwPlace* places             = &reader->link_places[(size_t)k * LW_SNAKE_FIELD_COUNT];
  places[LW_SNAKE_FIELD_LINK] = node->place;
  reader->links[k]            = lw_snake_link();
  reader->unread[k] =
      !lw_document_fill(&reader->document, node, &link_table, &reader->links[k], places);
}

// `count`, a whole number; 0 if it is not one.
static int read_count(SnakeReader* reader)
{
  double count = reader->snake.count;
  if (count == floor(count) && fabs(count) <= INT_MAX) return (int)count;
  lw_document_error(&reader->document, reader->places[AT_COUNT], NULL,
                    "'count' must be a whole number of links, found %g", count);
  reader->countless = true;
  return 0;
}

static lwStatus read_alike(SnakeReader* reader)
{
  bool given = reader->places[AT_COUNT].line > 0;
  if (!given && reader->sound)  // otherwise it may be there, misspelt
    lw_document_error(&reader->document, reader->def.place, "count: 6 makes six links like this",
                      "'count', the number of links, is missing");
  reader->countless = !given;
  reader->def.alike = true;
  reader->def.count = given ? read_count(reader) : 0;
  if (given && !reader->countless) reader->def.place = reader->places[AT_COUNT];
  if (!take_links(reader, 1)) return LW_ERROR_MEMORY;
  read_link(reader, reader->snake.link, 0);
  return LW_OK;
}

static lwStatus read_each(SnakeReader* reader)
{
  lwNode* list  = reader->snake.links;
  lwPlace place = reader->places[AT_COUNT];
  if (list->kind != LW_NODE_LIST)
  {
    if (list->kind != LW_NODE_BROKEN)
      lw_document_error(&reader->document, list->place, "link: {..} with count makes all alike",
                        "'links' must be a list of links, found %s", LW_FOUND(list));
    return LW_ERROR_INPUT;
  }
  int count = place.line > 0 ? read_count(reader) : list->count;
  if (!reader->countless && count != list->count)
    lw_document_error(&reader->document, place, "leave it out: the list says how many there are",
                      "'count' is %d, but 'links' has %d entries", count, list->count);
  reader->def.count = list->count;
  reader->def.place = list->place;
  if (!take_links(reader, list->count > 0 ? list->count : 1)) return LW_ERROR_MEMORY;
  int k = 0;
  for (lwItem* item = list->items; item; item = item->next) read_link(reader, item->value, k++);
  return LW_OK;
}

static lwStatus read_links(SnakeReader* reader)
{
  const SnakeText* snake = &reader->snake;
  if (snake->link && !snake->links) return read_alike(reader);
  if (snake->links && !snake->link) return read_each(reader);
  if (!snake->link && !reader->sound) return LW_ERROR_INPUT;
  return lw_document_refuse(
      &reader->document, snake->link ? reader->places[AT_LINKS] : reader->def.place,
      "give either 'count' and 'link' for links that are alike, or 'links'",
      snake->link ? "the snake has both 'link' and 'links'" : "the snake has no links");
}

static lwStatus read_snake(SnakeReader* reader)
{
  SnakeFileText file   = {0};
  lwSnakeDef* def      = &reader->def;
  lwDocument* document = &reader->document;
  *def                 = lw_snake_def();
  def->file            = document->source.file;
  def->text            = document->source.text;
  lw_document_fill(document, document->root, &file_table, &file, NULL);
  def->accept = file.accept;
  if (file.accept == lw_accept_lost) return LW_ERROR_MEMORY;
  if (!file.snake) return LW_ERROR_INPUT;
  def->place = file.snake->place;
  reader->sound =
      lw_document_fill(document, file.snake, &snake_table, &reader->snake, reader->places);
  if (file.snake->kind != LW_NODE_MAPPING) return LW_ERROR_INPUT;
  if (reader->snake.name) def->name = reader->snake.name;
  def->origin = reader->snake.origin;
  return read_links(reader);
}

// A file, or a text if there is one. Reports everything it can about a file with errors, and
// creates a snake if there are none.
static lwStatus read_snake_document(const char* path, const char* text, size_t length,
                                    const lwLint* lint, lwDiag* diag, lwSnake** snake)
{
  SnakeReader reader   = {0};
  lwDocument* document = &reader.document;
  *snake               = NULL;
  lwStatus status      = text ? lw_document_read_text(document, path, text, length, diag)
                              : lw_document_read_file(document, path, diag);
  if (status == LW_OK) status = read_snake(&reader);
  if (status == LW_OK && document->errors == 0)
    status = lw_snake_create(&reader.def, lint, diag, snake);
  else if (status == LW_OK)
  {
    status = lw_snake_validate_rest(&reader.def, reader.unread, lint, diag);
    if (status != LW_ERROR_MEMORY) status = LW_ERROR_INPUT;
  }
  lw_document_free(document);
  return status;
}

lwStatus lw_snake_read_file(const char* path, const lwLint* lint, lwDiag* diag, lwSnake** snake)
{
  return read_snake_document(path, NULL, 0, lint, diag, snake);
}

lwStatus lw_snake_read_text(const char* name, const char* text, size_t length, const lwLint* lint,
                            lwDiag* diag, lwSnake** snake)
{
  return read_snake_document(name, text ? text : "", length, lint, diag, snake);
}
