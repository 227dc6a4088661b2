// SPDX-License-Identifier: MIT
#include "printed.h"

#include <math.h>
#include <string.h>

// --- numbers and names

static void out_of_memory(lwDocument* document, lwPlace place)
{
  lw_document_error(document, place, NULL, "%s", lw_status_text(LW_ERROR_MEMORY));
}

// ~ is a number that is not printed.
static bool read_printed_number(const lwFill* fill, const lwKey* key, lwNode* node, int item,
                                double* value)
{
  *value = NAN;
  return lw_node_is_null(node) || lw_node_number(fill->document, node, key, item, value);
}

// A number or a list of numbers.
static void read_values(const lwFill* fill, const lwKey* key, lwNode* node)
{
  Values* values = (Values*)((char*)fill->target + key->offset);
  int count      = node->kind == LW_NODE_LIST ? node->count : 1;
  values->at     = lw_arena_take(&fill->document->arena, (size_t)count, sizeof *values->at);
  if (!values->at)
  {
    out_of_memory(fill->document, node->place);
    return;
  }
  values->count = count;
  if (node->kind != LW_NODE_LIST)
  {
    read_printed_number(fill, key, node, 0, values->at);
    return;
  }
  int k = 0;
  for (lwItem* item = node->items; item; item = item->next, ++k)
    read_printed_number(fill, key, item->value, k + 1, &values->at[k]);
}

static void read_names(const lwFill* fill, const lwKey* key, lwNode* node)
{
  PrintedNames* names = (PrintedNames*)((char*)fill->target + key->offset);
  if (node->kind != LW_NODE_LIST)
  {
    lw_document_error(fill->document, node->place, NULL, "'%s' must be a list of names", key->name);
    return;
  }
  names->at = lw_arena_take(&fill->document->arena, (size_t)node->count, sizeof *names->at);
  if (!names->at)
  {
    out_of_memory(fill->document, node->place);
    return;
  }
  for (lwItem* item = node->items; item; item = item->next)
    names->at[names->count++] = lw_node_text(fill->document, item->value, key);
}

// --- the keys

#define TEXT(type, member, needed)                                                                 \
  {                                                                                                \
    .name = #member, .kind = LW_VALUE_TEXT, .required = needed, .offset = offsetof(type, member)   \
  }
#define VALUES(type, member, needed)                                                               \
  {                                                                                                \
    .name = #member, .required = needed, .read = read_values, .offset = offsetof(type, member)     \
  }

static const char* const RELATIONS[] = {"equal", "at least", "at most", NULL};
static const char* const CASES[]     = {"no", "yes", NULL};

// As in docs/errata.md
const char* const ERRATUM_CLASSES[] = {"wrong",
                                       "damaged copy",
                                       "ambiguous",
                                       "inconsistent",
                                       "wrong or damaged copy",
                                       "wrong or ambiguous",
                                       "correct",
                                       NULL};

static const lwKey datum_keys[]    = {TEXT(Datum, id, true), TEXT(Datum, where, true),
                                      TEXT(Datum, says, true), TEXT(Datum, unit, false),
                                      VALUES(Datum, values, true)};
static const lwTable datum_table   = LW_TABLE("data of the document", datum_keys);
static const lwKey erratum_keys[]  = {TEXT(Erratum, id, true),
                                      TEXT(Erratum, where, true),
                                      TEXT(Erratum, printed, true),
                                      TEXT(Erratum, corrected, true),
                                      {.name     = "class",
                                       .required = true,
                                       .offset   = offsetof(Erratum, kind),
                                       .words    = ERRATUM_CLASSES}};
static const lwTable erratum_table = LW_TABLE("an erratum", erratum_keys);

static const lwKey claim_keys[] = {
    TEXT(Claim, id, true),
    TEXT(Claim, says, true),
    TEXT(Claim, unit, false),
    VALUES(Claim, printed, false),
    VALUES(Claim, corrected, false),
    TEXT(Claim, errata, false),
    {.name = "relation", .offset = offsetof(Claim, relation), .words = RELATIONS},
    {.name = "tolerance", .offset = offsetof(Claim, tolerance)},
    {.name = "absolute", .offset = offsetof(Claim, absolute)},
    TEXT(Claim, registry, false),
    TEXT(Claim, as, false),
    TEXT(Claim, why, false),
    TEXT(Claim, but, false),
};
static const lwTable claim_table = LW_TABLE("a claim", claim_keys);

typedef struct PrintedSection
{
  Section section;
  lwNode* claims;
} PrintedSection;

static const lwKey section_keys[] = {
    TEXT(Section, id, true),
    TEXT(Section, title, true),
    TEXT(Section, text, false),
    TEXT(Section, unit, false),
    {.name = "columns", .read = read_names, .offset = offsetof(Section, columns)},
    {.name = "cases", .offset = offsetof(Section, cases), .words = CASES},
    {.name = "claims", .kind = LW_VALUE_NODE, .offset = offsetof(PrintedSection, claims)},
};
static const lwTable section_table = LW_TABLE("a section", section_keys);

typedef struct PrintedText
{
  Printed* printed;
  const char *paper, *title, *authors, *source, *about, *moves;
  lwNode *data, *errata, *sections;
} PrintedText;

#define NODE(member)                                                                               \
  {                                                                                                \
    .name = #member, .kind = LW_VALUE_NODE, .offset = offsetof(PrintedText, member)                \
  }
static const lwKey file_keys[] = {
    {.name = "linkwork", .required = true, .read = lw_read_version},
    TEXT(PrintedText, paper, true),
    TEXT(PrintedText, title, true),
    TEXT(PrintedText, authors, true),
    TEXT(PrintedText, source, true),
    TEXT(PrintedText, about, true),
    TEXT(PrintedText, moves, true),
    NODE(data),
    NODE(errata),
    NODE(sections),
};
static const lwTable file_table = LW_TABLE("what a document says", file_keys);

// --- lists of entries

// Reads an entry of a list into its place.
typedef void ReadEntry(lwDocument* document, lwNode* node, void* entry);

static void read_datum(lwDocument* document, lwNode* node, void* entry)
{
  lw_document_fill(document, node, &datum_table, entry, NULL);
}

static void read_erratum(lwDocument* document, lwNode* node, void* entry)
{
  lw_document_fill(document, node, &erratum_table, entry, NULL);
}

static void read_claim(lwDocument* document, lwNode* node, void* entry)
{
  Claim* claim = entry;
  if (!lw_document_fill(document, node, &claim_table, claim, NULL)) return;
  if (claim->corrected.count > 0 && !claim->errata)
    lw_document_error(document, node->place, NULL, "claim '%s' is corrected by no erratum",
                      claim->id);
  if (claim->corrected.count > 0 && claim->corrected.count != claim->printed.count &&
      !claim->registry && !claim->as)
    lw_document_error(document, node->place, NULL,
                      "claim '%s' has %d printed, but %d corrected numbers", claim->id,
                      claim->printed.count, claim->corrected.count);
  if (claim->printed.count == 0 && !claim->why && !claim->registry && !claim->as)
    lw_document_error(document, node->place, NULL,
                      "claim '%s' has neither 'printed' numbers nor a 'registry' entry, an 'as' or "
                      "a 'why'",
                      claim->id);
}

// The entries of a list, size bytes each; NULL if there are none.
static void* read_printed_list(lwDocument* document, lwNode* list, size_t size, ReadEntry* read,
                               int* count)
{
  *count = 0;
  if (!list) return NULL;
  if (list->kind != LW_NODE_LIST)
  {
    lw_document_error(document, list->place, NULL, "expected a list");
    return NULL;
  }
  char* entries = lw_arena_take(&document->arena, (size_t)list->count, size);
  if (!entries)
  {
    out_of_memory(document, list->place);
    return NULL;
  }
  for (lwItem* item = list->items; item; item = item->next)
    read(document, item->value, entries + (size_t)(*count)++ * size);
  return entries;
}

static void check_columns(lwDocument* document, lwPlace place, const Section* section)
{
  int columns = section->columns.count > 0 ? section->columns.count : 1;
  for (int i = 0; i < section->count; ++i)
  {
    const Claim* claim = &section->claims[i];
    if (claim->printed.count > 0 && claim->printed.count != columns)
      lw_document_error(document, place, NULL,
                        "claim '%s' of section '%s' has %d numbers, the section %d columns",
                        claim->id, section->id, claim->printed.count, columns);
  }
}

static void read_section(lwDocument* document, lwNode* node, void* entry)
{
  PrintedSection text = {.claims = NULL};
  Section* section    = entry;
  if (!lw_document_fill(document, node, &section_table, &text, NULL)) return;
  *section      = text.section;
  section->last = &section->remarks;
  section->claims =
      read_printed_list(document, text.claims, sizeof(Claim), read_claim, &section->count);
  check_columns(document, node->place, section);
}

// The claim of "section/claim"; NULL: there is none.
static const Claim* claim_at(const Printed* printed, const char* path)
{
  size_t length = strcspn(path, "/");
  for (int i = 0; i < printed->section_count; ++i)
  {
    const Section* section = &printed->sections[i];
    if (strlen(section->id) != length || strncmp(section->id, path, length) != 0) continue;
    for (int k = 0; k < section->count && path[length]; ++k)
      if (!strcmp(section->claims[k].id, path + length + 1)) return &section->claims[k];
  }
  return NULL;
}

// A claim about numbers that are printed with another one takes them from there.
static void take_printed_numbers(lwDocument* document, const Printed* printed, Claim* claim)
{
  const Claim* from = claim_at(printed, claim->as);
  lwPlace place     = document->root->place;
  if (!from || from->printed.count == 0)
  {
    lw_document_error(document, place, NULL, "claim '%s' is about '%s', where nothing is printed",
                      claim->id, claim->as);
    return;
  }
  claim->printed = from->printed;
  if (claim->corrected.count > 0 && claim->corrected.count != claim->printed.count)
    lw_document_error(document, place, NULL, "claim '%s' has %d printed, but %d corrected numbers",
                      claim->id, claim->printed.count, claim->corrected.count);
}

static void share_numbers(lwDocument* document, Printed* printed)
{
  for (int i = 0; i < printed->section_count; ++i)
  {
    Section* section = &printed->sections[i];
    for (int k = 0; k < section->count; ++k)
      if (section->claims[k].as) take_printed_numbers(document, printed, &section->claims[k]);
    check_columns(document, document->root->place, section);
  }
}

lwStatus printed_read(Printed* printed, const char* name, const char* text, size_t length,
                      lwDiag* diag)
{
  PrintedText file     = {.printed = printed};
  lwDocument* document = &printed->document;
  *printed             = (Printed){.paper = name};
  lwStatus status      = lw_document_read_text(document, name, text, length, diag);
  if (status != LW_OK) return status;
  lw_document_fill(document, document->root, &file_table, &file, NULL);
  printed->paper   = file.paper;
  printed->title   = file.title;
  printed->authors = file.authors;
  printed->source  = file.source;
  printed->about   = file.about;
  printed->moves   = file.moves;
  printed->data =
      read_printed_list(document, file.data, sizeof(Datum), read_datum, &printed->data_count);
  printed->errata   = read_printed_list(document, file.errata, sizeof(Erratum), read_erratum,
                                        &printed->errata_count);
  printed->sections = read_printed_list(document, file.sections, sizeof(Section), read_section,
                                        &printed->section_count);
  if (document->errors == 0) share_numbers(document, printed);
  return document->errors == 0 ? LW_OK : LW_ERROR_INPUT;
}

void printed_free(Printed* printed)
{
  lw_document_free(&printed->document);
}
