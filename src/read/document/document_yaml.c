// SPDX-License-Identifier: MIT
// Builds nodes from text, using the events of libyaml.
//
// An alias is a second way to the node of its anchor: nothing is copied, so a file of a few
// lines that names 2^64 values costs a few nodes. Everything is one loop over the events
// with a stack of fixed depth.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/arrays.h"
#include "base/text.h"
#include "read/document/document.h"
#include "read/document/document_syntax.h"

// A list or mapping whose end is not read yet.
typedef struct Level
{
  lwNode* node;
  lwItem* last;
  const lwNode* key;  // mapping: waits for its value
} Level;

typedef struct YamlParser
{
  lwDocument* document;
  Level levels[LW_DOCUMENT_MAX_DEPTH];
  int depth;
  int nodes;
  int documents;
  lwNameMap anchors;  // name to index in anchored
  lwNode** anchored;
  int anchor_count, anchor_capacity;
} YamlParser;

// --- nodes

static lwNode* node_add(YamlParser* parser, lwNodeKind kind, const yaml_event_t* event)
{
  lwNode* node = lw_document_take(parser->document, sizeof *node);
  if (node) *node = (lwNode){.kind = kind, .place = lw_document_place(event->start_mark)};
  return node;
}

// Adds a node to the current level. In a mapping keys and values alternate.
static lwStatus place_node(YamlParser* parser, lwNode* node)
{
  if (parser->depth == 0)
  {
    parser->document->root = node;
    return LW_OK;
  }
  Level* level = &parser->levels[parser->depth - 1];
  if (level->node->kind == LW_NODE_MAPPING && !level->key)
  {
    level->key = node;
    return LW_OK;
  }
  lwItem* item = lw_document_take(parser->document, sizeof *item);
  if (!item) return LW_ERROR_MEMORY;
  *item      = (lwItem){.key = level->key, .value = node};
  level->key = NULL;
  if (level->last)
    level->last->next = item;
  else
    level->node->items = item;
  level->last = item;
  ++level->node->count;
  return LW_OK;
}

static lwStatus anchor_add(YamlParser* parser, const char* name, lwNode* node)
{
  if (!name) return LW_OK;
  lwNode** nodes = lw_array_grow((void*)parser->anchored, parser->anchor_count + 1,
                                 &parser->anchor_capacity, sizeof(lwNode*));
  if (!nodes) return LW_ERROR_MEMORY;
  parser->anchored = nodes;
  size_t size      = strlen(name) + 1;
  char* copy       = lw_document_take(parser->document, size);
  int* index       = copy ? lw_name_map_put(&parser->anchors, memcpy(copy, name, size)) : NULL;
  if (!index) return LW_ERROR_MEMORY;
  *index                                   = parser->anchor_count;
  parser->anchored[parser->anchor_count++] = node;
  return LW_OK;
}

static void refuse_tag(YamlParser* parser, const yaml_char_t* tag, lwPlace place)
{
  if (tag)
    lw_document_error(parser->document, place, "leave it out",
                      "tags like '%.40s' are not supported", (const char*)tag);
}

static lwStatus on_scalar(YamlParser* parser, const yaml_event_t* event)
{
  size_t length = event->data.scalar.length;
  lwNode* node  = node_add(parser, LW_NODE_SCALAR, event);
  char* text    = node ? lw_document_take(parser->document, length + 1) : NULL;
  if (!text) return LW_ERROR_MEMORY;
  memcpy(text, event->data.scalar.value, length);
  text[length]    = 0;
  node->text      = text;
  node->count     = (int)length;
  node->plain     = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
  const char* tag = (const char*)event->data.scalar.tag;
  node->degrees   = parser->document->units && tag && strcmp(tag, "!degrees") == 0;
  if (!parser->document->units || !tag || (!node->degrees && strcmp(tag, "!radians") != 0))
    refuse_tag(parser, event->data.scalar.tag, node->place);
  lwStatus status = anchor_add(parser, (const char*)event->data.scalar.anchor, node);
  return status == LW_OK ? place_node(parser, node) : status;
}

static lwStatus begin_parser(YamlParser* parser, const yaml_event_t* event, lwNodeKind kind,
                             const yaml_char_t* anchor, const yaml_char_t* tag)
{
  lwNode* node = node_add(parser, kind, event);
  if (!node) return LW_ERROR_MEMORY;
  if (parser->depth == LW_DOCUMENT_MAX_DEPTH)
    return lw_document_refuse(parser->document, node->place, NULL,
                              "more than %d lists and mappings inside each other",
                              LW_DOCUMENT_MAX_DEPTH);
  lwStatus status = anchor_add(parser, (const char*)anchor, node);
  if (status == LW_OK) status = place_node(parser, node);
  if (status != LW_OK) return status;
  refuse_tag(parser, tag, node->place);
  node->open                      = true;
  parser->levels[parser->depth++] = (Level){.node = node};
  return LW_OK;
}

static lwStatus on_list(YamlParser* parser, const yaml_event_t* event)
{
  return begin_parser(parser, event, LW_NODE_LIST, event->data.sequence_start.anchor,
                      event->data.sequence_start.tag);
}

static lwStatus on_mapping(YamlParser* parser, const yaml_event_t* event)
{
  return begin_parser(parser, event, LW_NODE_MAPPING, event->data.mapping_start.anchor,
                      event->data.mapping_start.tag);
}

static lwStatus on_end(YamlParser* parser, const yaml_event_t* event)
{
  (void)event;
  parser->levels[--parser->depth].node->open = false;
  return LW_OK;
}

static lwStatus on_alias(YamlParser* parser, const yaml_event_t* event)
{
  const char* name     = (const char*)event->data.alias.anchor;
  lwDocument* document = parser->document;
  lwPlace place        = lw_document_place(event->start_mark);
  int index            = lw_name_map_find(&parser->anchors, name);
  lwNode* node         = index < 0 ? NULL : parser->anchored[index];
  if (node && !node->open) return place_node(parser, node);

  if (node)
    lw_document_error(document, place, NULL,
                      "alias '*%.40s' is inside the value that it stands for, from line %d", name,
                      node->place.line);
  else
    lw_document_error(document, place, "an anchor '&name' must come before the alias '*name'",
                      "alias '*%.40s' stands for nothing: there is no '&%.40s' before it", name,
                      name);
  lwNode* broken = node_add(parser, LW_NODE_BROKEN, event);
  return broken ? place_node(parser, broken) : LW_ERROR_MEMORY;
}

static lwStatus on_document(YamlParser* parser, const yaml_event_t* event)
{
  if (++parser->documents == 1) return LW_OK;
  return lw_document_refuse(parser->document, lw_document_place(event->start_mark),
                            "put each into a file of its own",
                            "a second document begins here; a file holds one");
}

// --- the loop

typedef lwStatus OnEvent(YamlParser* parser, const yaml_event_t* event);

static OnEvent* const on_event[] = {
    [YAML_DOCUMENT_START_EVENT] = on_document, [YAML_ALIAS_EVENT] = on_alias,
    [YAML_SCALAR_EVENT] = on_scalar,           [YAML_SEQUENCE_START_EVENT] = on_list,
    [YAML_SEQUENCE_END_EVENT] = on_end,        [YAML_MAPPING_START_EVENT] = on_mapping,
    [YAML_MAPPING_END_EVENT] = on_end,
};

static lwStatus handle(YamlParser* parser, const yaml_event_t* event)
{
  size_t type     = (size_t)event->type;
  OnEvent* action = type < sizeof on_event / sizeof *on_event ? on_event[type] : NULL;
  if (!action) return LW_OK;
  if (action == on_end || ++parser->nodes <= LW_DOCUMENT_MAX_NODES) return action(parser, event);
  return lw_document_refuse(parser->document, lw_document_place(event->start_mark), NULL,
                            "more than %d values in one file", LW_DOCUMENT_MAX_NODES);
}

static lwStatus run_parser(YamlParser* parser, yaml_parser_t* yaml)
{
  lwStatus status = LW_OK;
  for (bool done = false; !done && status == LW_OK;)
  {
    yaml_event_t event;
    if (!yaml_parser_parse(yaml, &event)) return lw_document_syntax_error(parser->document, yaml);
    done   = event.type == YAML_STREAM_END_EVENT;
    status = handle(parser, &event);
    yaml_event_delete(&event);
  }
  return status;
}

static lwStatus check_root(lwDocument* document)
{
  const lwNode* root = document->root;
  if (root && (root->kind == LW_NODE_MAPPING || root->kind == LW_NODE_BROKEN)) return LW_OK;
  if (!root && document->source.length == 0)
    lw_document_error(document, ((lwPlace){0, 0}), NULL, "the file is empty");
  else if (!root)
    lw_document_error(document, ((lwPlace){0, 0}), NULL,
                      "the file holds nothing but comments and space");
  else
    lw_document_error(document, root->place, NULL,
                      "the file must be a mapping, 'key: value' on each line; found %s",
                      LW_FOUND(root));
  return LW_ERROR_INPUT;
}

static lwStatus parse_text(lwDocument* document, const char* text)
{
  yaml_parser_t yaml;
  if (!yaml_parser_initialize(&yaml)) return LW_ERROR_MEMORY;
  yaml_parser_set_encoding(&yaml, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&yaml, (const unsigned char*)text, document->source.length);
  YamlParser parser = {.document = document, .anchors.arena = &document->arena};
  lwStatus status   = run_parser(&parser, &yaml);
  yaml_parser_delete(&yaml);
  free(parser.anchored);
  return status;
}

// --- JSON

// The code unit of an escape \\uXXXX; 0: there is none.
static unsigned escaped_unit(const char* s)
{
  unsigned value = 0;
  if (s[0] != '\\' || s[1] != 'u') return 0;
  for (int i = 2; i < 6; ++i)
  {
    const char* digits = "0123456789abcdefABCDEF";
    const char* digit  = s[i] ? strchr(digits, s[i]) : NULL;
    if (!digit) return 0;
    unsigned index = (unsigned)(digit - digits);
    value          = value << 4 | (index < 16 ? index : index - 6);
  }
  return value;
}

// Replaces a surrogate pair in place by YAML's escape of the same character;
// returns how many bytes shorter it is.
static int join_surrogates(char* s)
{
  char joined[16];
  unsigned high = escaped_unit(s), low = high >> 10 == 0x36 ? escaped_unit(s + 6) : 0;
  if (low >> 10 != 0x37) return 0;
  snprintf(joined, sizeof joined, "\\U%08X", 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF));
  memcpy(s, joined, 10);
  return 2;
}

// JSON writes characters beyond 16 bits as surrogate pairs, which libyaml refuses.
// The text becomes YAML of the same length: leftover blanks go after the closing
// quote, so everything else stays in place.
static void join_all_surrogates(char* text)
{
  char* to    = text;
  bool inside = false;
  int spare   = 0;
  for (char* s = text; *s;)
  {
    int shorter = inside && *s == '\\' ? join_surrogates(s) : 0;
    int length  = shorter ? 12 : inside && *s == '\\' && s[1] ? 2 : 1;
    bool quote  = *s == '"';
    memmove(to, s, (size_t)(length - shorter));
    to += length - shorter;
    s += length;
    spare += shorter;
    if (quote) inside = !inside;
    for (; quote && spare > 0; --spare) *to++ = ' ';
  }
  memset(to, ' ', (size_t)spare);
}

// A text that begins with a bracket is taken for JSON. NULL with *enough: it can be read as it is.
static char* text_of_json(const lwDocument* document, bool* enough)
{
  const char* text = document->source.text;
  size_t length    = document->source.length;
  char first       = text[strspn(text, " \t\r\n")];
  *enough          = true;
  if ((first != '{' && first != '[') || !strstr(text, "\\u")) return NULL;
  char* copy = malloc(length + 1);
  *enough    = copy != NULL;
  if (!copy) return NULL;
  memcpy(copy, text, length + 1);
  join_all_surrogates(copy);
  return copy;
}

lwStatus lw_document_parse(lwDocument* document)
{
  bool enough;
  char* json = text_of_json(document, &enough);
  if (!enough) return LW_ERROR_MEMORY;
  lwStatus status = parse_text(document, json ? json : document->source.text);
  free(json);
  return status == LW_OK ? check_root(document) : status;
}
