// SPDX-License-Identifier: MIT
#include "support/json.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/testing.h"

typedef struct
{
  const char* path;
  const char* next;
} Reader;

static void refuse(const Reader* reader, const char* expected)
{
  fail_msg("%s: %s expected at '%.20s'", reader->path, expected, reader->next);
}

static char look(Reader* reader)
{
  while (isspace((unsigned char)*reader->next)) ++reader->next;
  return *reader->next;
}

static void skip_char(Reader* reader, char c)
{
  char expected[] = {c, 0};
  if (look(reader) != c) refuse(reader, expected);
  ++reader->next;
}

// Escapes are not decoded; no test uses texts that have any.
static char* read_text(Reader* reader)
{
  skip_char(reader, '"');
  const char* end = reader->next;
  while (*end && *end != '"') end += end[0] == '\\' && end[1] ? 2 : 1;
  if (!*end) refuse(reader, "a closing quote");
  size_t length = (size_t)(end - reader->next);
  char* text    = calloc(length + 1, 1);
  assert_non_null(text);
  memcpy(text, reader->next, length);
  reader->next = end + 1;
  return text;
}

// true is 1, false is 0; null, which stands for a value that is not finite, is NaN.
static bool read_word(Reader* reader, double* number)
{
  static const struct
  {
    const char* word;
    double number;
  } words[] = {{"true", 1}, {"false", 0}, {"null", NAN}};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
  {
    size_t length = strlen(words[i].word);
    if (strncmp(reader->next, words[i].word, length) != 0) continue;
    reader->next += length;
    *number = words[i].number;
    return true;
  }
  return false;
}

static double read_number(Reader* reader)
{
  char* end;
  double number;
  if (read_word(reader, &number)) return number;
  number = strtod(reader->next, &end);
  if (end == reader->next) refuse(reader, "a value");
  reader->next = end;
  return number;
}

static Json* append(Json* list)
{
  if ((list->count & (list->count - 1)) == 0)  // capacity is the next power of two
  {
    size_t capacity = list->count ? 2 * (size_t)list->count : 1;
    list->items     = realloc(list->items, capacity * sizeof *list->items);
    assert_non_null(list->items);
  }
  Json* item = &list->items[list->count++];
  *item      = (Json){0};
  return item;
}

static void read_value(Reader* reader, Json* json);

static void read_items(Reader* reader, Json* json, char close)
{
  ++reader->next;
  while (look(reader) != close)
  {
    if (json->count) skip_char(reader, ',');
    Json* item = append(json);
    look(reader);
    if (json->kind == JSON_OBJECT)
    {
      item->key = read_text(reader);
      skip_char(reader, ':');
    }
    read_value(reader, item);
  }
  ++reader->next;
}

static void read_value(Reader* reader, Json* json)
{
  switch (look(reader))
  {
    case '{':
      json->kind = JSON_OBJECT;
      read_items(reader, json, '}');
      break;
    case '[':
      json->kind = JSON_LIST;
      read_items(reader, json, ']');
      break;
    case '"':
      json->kind = JSON_TEXT;
      json->text = read_text(reader);
      break;
    default:
    {
      const char* begin = reader->next;
      json->kind        = JSON_NUMBER;
      json->number      = read_number(reader);
      json->text        = strndup(begin, (size_t)(reader->next - begin));
    }
  }
}

static char* read_file(const char* path)
{
  FILE* file = fopen(path, "rb");
  if (!file) fail_msg("%s: cannot be opened", path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char* text = calloc((size_t)size + 1, 1);
  assert_non_null(text);
  assert_int_equal(fread(text, 1, (size_t)size, file), size);
  fclose(file);
  return text;
}

Json* json_read(const char* path)
{
  char* text    = read_file(path);
  Reader reader = {path, text};
  Json* json    = calloc(1, sizeof *json);
  assert_non_null(json);
  read_value(&reader, json);
  if (look(&reader)) refuse(&reader, "the end");
  free(text);
  return json;
}

static void free_parts(Json* json)
{
  for (int i = 0; i < json->count; ++i) free_parts(&json->items[i]);
  free(json->key);
  free(json->text);
  free(json->items);
}

Json* json_read_golden(const char* name)
{
  char path[512];
  snprintf(path, sizeof path, "%s/golden/%s.json", LW_TEST_DATA, name);
  return json_read(path);
}

void json_free(Json* json)
{
  free_parts(json);
  free(json);
}

const Json* json_find(const Json* object, const char* key)
{
  for (int i = 0; i < object->count; ++i)
    if (object->items[i].key && !strcmp(object->items[i].key, key)) return &object->items[i];
  return NULL;
}

const Json* json_get(const Json* object, const char* key)
{
  const Json* found = json_find(object, key);
  if (!found) fail_msg("the reference data has no '%s'", key);
  return found;
}

double json_number(const Json* object, const char* key)
{
  const Json* json = json_get(object, key);
  assert_int_equal(json->kind, JSON_NUMBER);
  return json->number;
}

const char* json_text(const Json* object, const char* key)
{
  const Json* json = json_get(object, key);
  assert_int_equal(json->kind, JSON_TEXT);
  return json->text;
}

static size_t flatten(const Json* json, size_t done, size_t size, double* out)
{
  if (json->kind == JSON_NUMBER)
  {
    if (done < size) out[done] = json->number;
    return done + 1;
  }
  assert_int_equal(json->kind, JSON_LIST);
  for (int i = 0; i < json->count; ++i) done = flatten(&json->items[i], done, size, out);
  return done;
}

void json_numbers(const Json* object, const char* key, size_t size, double* out)
{
  size_t found = flatten(json_get(object, key), 0, size, out);
  if (found != size) fail_msg("'%s' has %zu numbers instead of %zu", key, found, size);
}
