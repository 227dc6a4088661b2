// SPDX-License-Identifier: MIT
// Parts files: swartz1982's parts database as text. This file reads syntax, types, sizes,
// materials and meshes; parts/assemble.c adds them up and checks the result, and reports at
// the places collected here.
#include <math.h>
#include <stddef.h>

#include "read/accept.h"
#include "read/parts_reader.h"
#include "read/payload.h"

// Places of the keys of a link.
enum
{
  AT_NAME = 1,
  AT_PLACE,
  AT_WEIGHED,
  AT_COUNT
};

typedef struct LinkText
{
  const char* name;
  lwNode* parts;
  lwPlaceText place;
  double weighed;
  lwNode* payload;
} LinkText;

static const lwKey link_keys[] = {
    LW_KEY(LinkText, name, .kind = LW_VALUE_NAME, .required = true, .slot = AT_NAME),
    LW_KEY(LinkText, parts, .kind = LW_VALUE_NODE, .required = true),
    LW_KEY(LinkText, place, .slot = AT_PLACE, .table = &lw_place_table),
    LW_KEY(LinkText, weighed, .slot = AT_WEIGHED, .measure = LW_MEASURE_MASS),
    LW_NODE_KEY(LinkText, payload),
};
static const lwTable link_table = LW_TABLE("a link", link_keys);

typedef struct FileText
{
  const char* accept;
  const char* name;
  const char* origin;
  lwNode* materials;
  lwNode* links;
} FileText;

static const lwKey file_keys[] = {
    {.name = "linkwork", .required = true, .read = lw_read_version},
    LW_KEY(FileText, name, .kind = LW_VALUE_NAME),
    LW_KEY_AS("source", FileText, origin, .kind = LW_VALUE_TEXT),
    LW_KEY(FileText, accept, .read = lw_read_accept),
    LW_NODE_KEY(FileText, materials),
    LW_KEY(FileText, links, .kind = LW_VALUE_NODE, .required = true),
};
static const lwTable file_table = LW_TABLE("a parts file", file_keys);

static void read_link_parts(lwPartsReader* reader, lwNode* list, lwPartsLinkDef* link)
{
  if (!lw_node_is_filled(&reader->document, list, "parts", "at least one part")) return;
  if (!lw_parts_count_in(reader, list->place, list->count)) return;
  lwPartDef* parts = lw_arena_take(&reader->document.arena, (size_t)list->count, sizeof *parts);
  link->parts      = parts;
  for (const lwItem* item = parts ? list->items : NULL; item && !reader->too_many;
       item               = item->next)
    lw_part_read(reader, item->value, &parts[link->part_count++]);
}

static void read_link(lwPartsReader* reader, lwNode* node, lwPartsLinkDef* link)
{
  LinkText text            = {.weighed = NAN};
  lwPlace places[AT_COUNT] = {{0}};
  int before               = reader->document.errors;
  lw_document_fill(&reader->document, node, &link_table, &text, places);
  *link = (lwPartsLinkDef){.name       = text.name,
                           .weighed    = isnan(text.weighed) ? 0 : text.weighed,
                           .at         = places[AT_NAME].line > 0 ? places[AT_NAME] : node->place,
                           .at_weighed = places[AT_WEIGHED]};
  if (!isnan(text.weighed))  // given, and a number
    lw_positive(reader, places[AT_WEIGHED], "weighed", text.weighed);
  lw_place_settle(reader, places[AT_PLACE], &text.place, &link->place);
  if (text.payload)
    link->has_payload = lw_payload_read(&reader->document, text.payload, &link->payload);
  if (text.parts) read_link_parts(reader, text.parts, link);
  link->unread = reader->document.errors > before || lw_arena_failed(&reader->document.arena);
}

// Reports a name that another link has.
static void check_part_name(lwPartsReader* reader, lwNameMap* names, const lwPartsLinkDef* links,
                            int i)
{
  int* first = links[i].name ? lw_name_map_put(names, links[i].name) : NULL;
  if (first && *first >= 0)
    lw_document_error(&reader->document, links[i].at, NULL,
                      "link '%.60s': this name is already given in line %d", links[i].name,
                      links[*first].at.line);
  else if (first)
    *first = i;
}

static lwStatus read_links(lwPartsReader* reader, lwNode* list, lwPartsDef* def)
{
  lwArena* arena = &reader->document.arena;
  if (!lw_node_is_filled(&reader->document, list, "links", "at least one link") ||
      !lw_parts_count_in(reader, list->place, list->count))
    return LW_ERROR_INPUT;
  lwPartsLinkDef* links = lw_arena_take(arena, (size_t)list->count, sizeof *links);
  lwNameMap names       = {.arena = arena};
  def->links            = links;
  for (const lwItem* item = links ? list->items : NULL; item && !reader->too_many;
       item               = item->next)
  {
    read_link(reader, item->value, &links[def->count]);
    check_part_name(reader, &names, links, def->count++);
  }
  return lw_arena_failed(arena) ? LW_ERROR_MEMORY : LW_OK;
}

// Reports everything it can about a file with errors, and creates lwParts if there are none.
static lwStatus read_file(lwPartsReader* reader, const lwLint* lint, lwParts** parts)
{
  FileText file        = {0};
  lwDocument* document = &reader->document;
  lwPartsDef def       = {.source = document->source};
  lwStatus status      = lw_materials_start(reader);
  if (status != LW_OK) return status;
  lw_document_fill(document, document->root, &file_table, &file, NULL);
  def.name   = file.name;
  def.accept = reader->accept = file.accept;
  if (file.accept == lw_accept_lost) return LW_ERROR_MEMORY;
  if (file.materials) lw_materials_read(reader, file.materials, lint);
  if (!file.links) return LW_ERROR_INPUT;
  status = read_links(reader, file.links, &def);
  if (status != LW_OK) return status;
  status = lw_parts_create(&def, lint, document->diag, parts);
  if (status != LW_OK || document->errors == 0) return status;
  lw_parts_destroy(*parts);
  *parts = NULL;
  return LW_ERROR_INPUT;
}

// A file, or a text if there is one.
static lwStatus read_parts_document(const char* path, const char* text, size_t length,
                                    const lwLint* lint, lwDiag* diag, lwParts** parts)
{
  lwPartsReader reader = {0};
  *parts               = NULL;
  lwStatus status      = text ? lw_document_read_text(&reader.document, path, text, length, diag)
                              : lw_document_read_file(&reader.document, path, diag);
  if (status == LW_OK) status = read_file(&reader, lint, parts);
  lw_document_free(&reader.materials.builtin);
  lw_document_free(&reader.document);
  return status;
}

lwStatus lw_parts_read_file(const char* path, const lwLint* lint, lwDiag* diag, lwParts** parts)
{
  return read_parts_document(path, NULL, 0, lint, diag, parts);
}

lwStatus lw_parts_read_text(const char* name, const char* text, size_t length, const lwLint* lint,
                            lwDiag* diag, lwParts** parts)
{
  return read_parts_document(name, text ? text : "", length, lint, diag, parts);
}
