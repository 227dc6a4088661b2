// SPDX-License-Identifier: MIT
// Parses JSON into nodes, in place of document_yaml.c: the page has no libyaml, so the program
// converts robots and scenarios to JSON for it. The readers above this layer are shared.
//
// A string counts as a plain scalar, since YAML's '90 deg' and '-pi/2' become strings in JSON;
// '' and null are kept apart from plain scalars.
#include <string.h>

#include "read/document/document.h"

typedef struct JsonParser
{
  lwDocument* document;
  const char* next;
  lwPlace place;
  lwStatus status;
} JsonParser;

static lwNode* read_value(JsonParser* parser, int depth);

static void refuse(JsonParser* parser, const char* what)
{
  if (parser->status != LW_OK) return;
  lw_document_error(parser->document, parser->place, NULL, "expected %s", what);
  parser->status = LW_ERROR_INPUT;
}

static void* take(JsonParser* parser, size_t size)
{
  void* memory = lw_document_take(parser->document, size);
  if (!memory) parser->status = LW_ERROR_MEMORY;
  return memory;
}

static void step(JsonParser* parser)
{
  ++parser->place.column;
  if (*parser->next++ == '\n') parser->place = (lwPlace){parser->place.line + 1, 1};
}

static void skip_space(JsonParser* parser)
{
  while (*parser->next && strchr(" \t\r\n", *parser->next)) step(parser);
}

static bool take_sign(JsonParser* parser, char sign)
{
  skip_space(parser);
  if (*parser->next != sign) return false;
  step(parser);
  return true;
}

static lwNode* node_add(JsonParser* parser, lwNodeKind kind)
{
  lwNode* node = take(parser, sizeof *node);
  if (node) *node = (lwNode){.kind = kind, .place = parser->place};
  return node;
}

// --- strings

static int hex_digit(char c)
{
  static const char digits[] = "0123456789abcdef";
  const char* at             = c ? strchr(digits, c | 0x20) : NULL;
  return at ? (int)(at - digits) : -1;
}

static uint32_t take_hex(JsonParser* parser)
{
  uint32_t code = 0;
  for (int i = 0; i < 4; ++i)
  {
    int digit = hex_digit(*parser->next);
    if (digit < 0)
    {
      refuse(parser, "four hexadecimal digits");
      return 0;
    }
    code = code << 4 | (uint32_t)digit;
    step(parser);
  }
  return code;
}

static char* put_utf8(char* to, uint32_t code)
{
  int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  if (more == 0)
    *to++ = (char)code;
  else
    *to++ = (char)((0xFF00 >> (more + 1) & 0xFF) | code >> 6 * more);
  while (more-- > 0) *to++ = (char)(0x80 | (code >> 6 * more & 0x3F));
  return to;
}

static char* take_escape(JsonParser* parser, char* to)
{
  static const char names[] = "\"\\/bfnrt", signs[] = "\"\\/\b\f\n\r\t";
  char name         = *parser->next;
  const char* known = name ? strchr(names, name) : NULL;
  if (!known && name != 'u') refuse(parser, "a JSON escape sequence");
  if (parser->status != LW_OK) return to;
  step(parser);
  if (known)
  {
    *to = signs[known - names];
    return to + 1;
  }
  uint32_t code = take_hex(parser);
  if (code >= 0xD800 && code < 0xDC00 && parser->next[0] == '\\' && parser->next[1] == 'u')
  {
    step(parser);
    step(parser);
    code = 0x10000 + ((code - 0xD800) << 10) + (take_hex(parser) - 0xDC00);
  }
  return put_utf8(to, code);
}

static lwNode* read_string(JsonParser* parser)
{
  lwNode* node = node_add(parser, LW_NODE_SCALAR);
  if (!node) return NULL;
  step(parser);
  size_t room = 1;  // an escape is never shorter than its character
  for (const char* s = parser->next; *s && *s != '"'; s += *s == '\\' && s[1] ? 2 : 1) room += 2;
  char *text = take(parser, room), *to = text;
  if (!text) return NULL;
  while (*parser->next && *parser->next != '"' && parser->status == LW_OK)
    if (*parser->next == '\\')
    {
      step(parser);
      to = take_escape(parser, to);
    }
    else
    {
      *to++ = *parser->next;
      step(parser);
    }
  if (*parser->next != '"') refuse(parser, "the end of a string");
  if (parser->status != LW_OK) return NULL;
  step(parser);
  *to         = 0;
  node->text  = text;
  node->count = (int)(to - text);
  node->plain = node->count > 0 && strcmp(text, "null") != 0 && strcmp(text, "~") != 0;
  return node;
}

// A number, true, false or null.
static lwNode* read_word(JsonParser* parser)
{
  lwNode* node  = node_add(parser, LW_NODE_SCALAR);
  size_t length = strspn(parser->next, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
  if (length == 0) refuse(parser, "a value");
  char* text = node && length > 0 ? take(parser, length + 1) : NULL;
  if (!text) return NULL;
  memcpy(text, parser->next, length);
  text[length] = 0;
  node->text   = text;
  node->count  = (int)length;
  node->plain  = true;
  for (size_t i = 0; i < length; ++i) step(parser);
  return node;
}

// --- lists and mappings

static lwItem* read_item(JsonParser* parser, bool mapping, int depth)
{
  lwItem* item = take(parser, sizeof *item);
  if (!item) return NULL;
  *item = (lwItem){0};
  skip_space(parser);
  if (mapping && *parser->next != '"') refuse(parser, "a name in quotes");
  if (mapping && parser->status == LW_OK)
  {
    item->key = read_string(parser);
    if (!take_sign(parser, ':')) refuse(parser, "':'");
  }
  item->value = parser->status == LW_OK ? read_value(parser, depth + 1) : NULL;
  return item;
}

static lwNode* read_items(JsonParser* parser, lwNodeKind kind, char end, int depth)
{
  lwNode* node = node_add(parser, kind);
  if (!node) return NULL;
  step(parser);
  if (depth == LW_DOCUMENT_MAX_DEPTH) refuse(parser, "less deeply nested values");
  lwItem** last = &node->items;
  bool done     = take_sign(parser, end);
  while (!done && parser->status == LW_OK)
  {
    *last = read_item(parser, kind == LW_NODE_MAPPING, depth);
    if (parser->status != LW_OK) break;
    last = &(*last)->next;
    ++node->count;
    done = take_sign(parser, end);
    if (!done && !take_sign(parser, ',')) refuse(parser, "',' or the end of the list");
  }
  return parser->status == LW_OK ? node : NULL;
}

static lwNode* read_value(JsonParser* parser, int depth)
{
  skip_space(parser);
  if (*parser->next == '{') return read_items(parser, LW_NODE_MAPPING, '}', depth);
  if (*parser->next == '[') return read_items(parser, LW_NODE_LIST, ']', depth);
  return *parser->next == '"' ? read_string(parser) : read_word(parser);
}

lwStatus lw_document_parse(lwDocument* document)
{
  JsonParser parser = {.document = document, .next = document->source.text, .place = {1, 1}};
  document->root    = read_value(&parser, 0);
  skip_space(&parser);
  if (*parser.next) refuse(&parser, "the end of the text");
  if (parser.status == LW_OK && document->root->kind != LW_NODE_MAPPING)
    refuse(&parser, "a mapping");
  return parser.status;
}
