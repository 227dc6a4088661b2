// SPDX-License-Identifier: MIT
// The life of a document, and single values: text and numbers.
#include "read/document/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/text.h"
#include "base/units.h"

enum
{
  CHUNK          = 64 << 10,  // bytes from which nodes are cut
  LARGE          = CHUNK / 4,
  LONGEST_TEXT   = 4096,  // bytes
  LONGEST_NUMBER = 100    // characters
};

// --- life

lwStatus lw_document_read_file(lwDocument* document, const char* path, lwDiag* diag)
{
  lwStatus status = lw_document_open_file(document, path, diag);
  return status == LW_OK ? lw_document_parse(document) : status;
}

lwStatus lw_document_read_text(lwDocument* document, const char* name, const char* text,
                               size_t length, lwDiag* diag)
{
  lwStatus status = lw_document_open_text(document, name, text, length, diag);
  return status == LW_OK ? lw_document_parse(document) : status;
}

void lw_document_free(lwDocument* document)
{
  lw_arena_free(&document->arena);
  free(document->buffer);
  *document = (lwDocument){0};
}

const char* lw_document_relative(lwDocument* document, const char* path)
{
  const char* slash = strrchr(document->source.file, '/');
  if (path[0] == '/') return path;
  // "-" alone would be standard input
  const char* folder = slash ? document->source.file : "./";
  size_t length      = slash ? (size_t)(slash - folder) + 1 : strcmp(path, "-") == 0 ? 2 : 0;
  char* joined       = lw_arena_take(&document->arena, length + strlen(path) + 1, 1);
  if (joined) strcpy((char*)memcpy(joined, folder, length) + length, path);
  return joined;
}

void* lw_document_take(lwDocument* document, size_t size)
{
  size = (size + 7) / 8 * 8;
  if (size > LARGE) return lw_arena_take(&document->arena, 1, size);
  if (size > document->chunk_left)
  {
    document->chunk      = lw_arena_take(&document->arena, 1, CHUNK);
    document->chunk_left = document->chunk ? CHUNK : 0;
    if (!document->chunk) return NULL;
  }
  void* piece = document->chunk;
  document->chunk += size;
  document->chunk_left -= size;
  return piece;
}

// --- nodes

bool lw_node_is_word(const lwNode* node, const char* word)
{
  return node->kind == LW_NODE_SCALAR && (size_t)node->count == strlen(word) &&
         memcmp(node->text, word, (size_t)node->count) == 0;
}

const lwNode* lw_node_find(const lwNode* mapping, const char* key)
{
  if (mapping->kind != LW_NODE_MAPPING) return NULL;
  for (const lwItem* item = mapping->items; item; item = item->next)
    if (lw_node_is_word(item->key, key)) return item->value;
  return NULL;
}

bool lw_node_is_list(lwDocument* document, const lwNode* node, const char* key, const char* of)
{
  if (node->kind == LW_NODE_LIST) return true;
  return lw_document_reject(document, node->place, NULL, "'%s' must be a list%s, found %s", key, of,
                            LW_FOUND(node));
}

bool lw_node_is_filled(lwDocument* document, const lwNode* node, const char* key, const char* of)
{
  if (node->kind == LW_NODE_LIST && node->count > 0) return true;
  if (node->kind == LW_NODE_BROKEN)
    ++document->errors;
  else
    lw_document_error(document, node->place, NULL, "'%s' must be a list of %s, found %s", key, of,
                      node->kind == LW_NODE_LIST ? "an empty list" : LW_FOUND(node));
  return false;
}

bool lw_node_is_null(const lwNode* node)
{
  if (node->kind != LW_NODE_SCALAR || !node->plain) return false;
  static const char* const nulls[] = {"", "~", "null", "Null", "NULL"};
  for (size_t i = 0; i < sizeof nulls / sizeof *nulls; ++i)
    if (strcmp(node->text, nulls[i]) == 0) return true;
  return false;
}

const char* lw_node_describe(const lwNode* node, char buffer[LW_DESCRIPTION_SIZE])
{
  static const int SHOWN = 30;
  if (node->kind == LW_NODE_LIST) return "a list";
  if (node->kind == LW_NODE_MAPPING) return "a mapping";
  if (node->kind == LW_NODE_BROKEN || lw_node_is_null(node)) return "nothing";
  size_t length = strlen(node->text);
  size_t shown  = lw_text_skip(node->text, length, SHOWN);
  snprintf(buffer, LW_DESCRIPTION_SIZE, "'%.*s%s'", (int)shown, node->text,
           shown < length ? "..." : "");
  return buffer;
}

// --- text

static bool has_control(const lwNode* node, bool lines)
{
  size_t length = (size_t)node->count;
  for (size_t i = 0; i < length;)
  {
    uint32_t code;
    size_t bytes = lw_text_decode(node->text + i, length - i, &code);
    bool line    = code == '\n' || code == '\t';
    if (bytes == 0 || (lw_text_is_control(code) && !(lines && line))) return true;
    i += bytes;
  }
  return false;
}

const char* lw_node_text(lwDocument* document, const lwNode* node, const lwKey* key)
{
  size_t length = node->kind == LW_NODE_SCALAR ? (size_t)node->count : 0;
  while (length > 0 && strchr(" \t\n", node->text[length - 1])) --length;
  if (node->kind == LW_NODE_BROKEN)
    ++document->errors;
  else if (length == 0 || lw_node_is_null(node))
    lw_document_error(document, node->place, NULL, "'%s' must be a text, found %s", key->name,
                      LW_FOUND(node));
  else if (node->count > LONGEST_TEXT)
    lw_document_error(document, node->place, NULL, "'%s' is longer than %d bytes", key->name,
                      LONGEST_TEXT);
  else if (has_control(node, key->kind == LW_VALUE_TEXT))
    lw_document_error(document, node->place, NULL, "'%s' contains a control character", key->name);
  else
    return length == (size_t)node->count ? node->text
                                         : lw_arena_text(&document->arena, node->text, length);
  return NULL;
}

// --- numbers

// The SI unit of what a number measures.
static const char* const si_units[] = {
    [LW_MEASURE_OTHER] = NULL, [LW_MEASURE_ANGLE] = "rad", [LW_MEASURE_ANGULAR_SPEED] = "rad/s",
    [LW_MEASURE_LENGTH] = "m", [LW_MEASURE_MASS] = "kg",   [LW_MEASURE_DENSITY] = "kg/m^3",
};

// Why a scalar is not a number, and a hint.
typedef struct Fault
{
  const char* text;
  const char* hint;
} Fault;

static bool is_infinite_word(const char* text)
{
  static const char* const words[] = {"inf", "infinity", "nan"};
  if (*text == '+' || *text == '-') ++text;
  if (*text == '.') ++text;
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strcasecmp(text, words[i]) == 0) return true;
  return false;
}

static const char* const unit_hints[] = {
    [LW_MEASURE_OTHER]         = "write the number alone, in SI units",
    [LW_MEASURE_ANGLE]         = "angles are in radians, or written like '90 deg'",
    [LW_MEASURE_ANGULAR_SPEED] = "angular speeds are in rad/s, or written like '90 deg/s'",
    [LW_MEASURE_LENGTH]        = "lengths are in m, or written like '120 mm' or '12 cm'",
    [LW_MEASURE_MASS]          = "masses are in kg, or written like '250 g'",
    [LW_MEASURE_DENSITY]       = "densities are in kg/m^3, or written like '2.7 g/cm^3'",
};

static Fault parse_number(const lwNode* node, lwMeasure measure, double* number)
{
  const char* text = node->text;
  bool bare        = node->text[strspn(node->text, "+-.0123456789eE")] == 0;
  if (!node->plain && bare) return (Fault){"must be a number", "write it without quotes"};
  if (node->count > LONGEST_NUMBER)
    return (Fault){"must be a number of at most 100 characters", NULL};
  const char* end = text;
  double value    = 0;
  bool read       = lw_number_read(&end, &value);
  if (!read && is_infinite_word(text)) return (Fault){"must be a finite number", NULL};
  if (!read) return (Fault){"must be a number", NULL};
  if (!isfinite(value)) return (Fault){"must be a number below 1.8e308", NULL};
  if (*end == ',') return (Fault){"must be a number", "the decimal mark is a point"};
  if (!lw_unit_apply(si_units[measure], end, &value))
    return (Fault){"must be a number", unit_hints[measure]};
  *number = value;
  return (Fault){NULL, NULL};
}

bool lw_node_number(lwDocument* document, const lwNode* node, const lwKey* key, int item,
                    double* number)
{
  Fault fault = {"must be a number", NULL};
  if (node->kind == LW_NODE_SCALAR && !lw_node_is_null(node))
    fault = parse_number(node, key->measure, number);
  if (!fault.text) return true;
  if (node->kind == LW_NODE_BROKEN)
  {
    ++document->errors;
    return false;
  }
  char which[32] = "";
  if (item > 0) snprintf(which, sizeof which, "item %d of ", item);
  const char* unit = key->unit ? key->unit : si_units[key->measure];
  bool named       = unit && *unit;
  return lw_document_reject(document, node->place, fault.hint, "%s'%s' %s%s%s, found %s", which,
                            key->name, fault.text, named ? ", in " : "", named ? unit : "",
                            LW_FOUND(node));
}
