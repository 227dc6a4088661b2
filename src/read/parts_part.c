// SPDX-License-Identifier: MIT
// One part of a parts file: where its copies are, and its sections.
#include <math.h>

#include "read/parts_reader.h"

// Places of the keys of a part.
enum
{
  AT_PLACE = 1,
  AT_PLACES,
  AT_REPEAT,
  AT_WEIGHED,
  AT_MATERIAL,
  AT_DENSITY,
  AT_SECTIONS,
  AT_REPEAT_COUNT,
  AT_COUNT
};

typedef struct PartText
{
  const char* name;
  lwPlaceText place;
  lwNode* places;
  double repeat;     // how many copies
  lwPlaceText step;  // from one copy to the next, in the frame of the part
  int mirror;        // as in lwPlaceText
  double weighed;
  lwDensityText density;
  lwNode* sections;
} PartText;

static const lwKey repeat_keys[] = {
    LW_KEY_AS("count", PartText, repeat, .required = true, .slot = AT_REPEAT_COUNT),
    LW_KEY_AS("xyz", PartText, step.xyz, .size = 3, .measure = LW_MEASURE_LENGTH),
    LW_KEY_AS("rpy", PartText, step.rpy, .size = 3, .measure = LW_MEASURE_ANGLE),
};
static const lwTable repeat_table = LW_TABLE("a repetition", repeat_keys);

static const lwKey part_keys[] = {
    LW_KEY(PartText, name, .kind = LW_VALUE_NAME, .required = true),
    LW_KEY(PartText, place, .slot = AT_PLACE, .table = &lw_mirror_place_table),
    LW_KEY(PartText, places, .kind = LW_VALUE_NODE, .slot = AT_PLACES),
    {.name = "repeat", .slot = AT_REPEAT, .table = &repeat_table},
    LW_CHOICE_KEY(PartText, mirror, lw_mirror_words),
    LW_KEY(PartText, weighed, .slot = AT_WEIGHED, .measure = LW_MEASURE_MASS),
    LW_KEY_AS("material", PartText, density.material, .kind = LW_VALUE_NAME, .slot = AT_MATERIAL),
    LW_KEY_AS("density", PartText, density.density, .slot = AT_DENSITY,
              .measure = LW_MEASURE_DENSITY),
    LW_KEY(PartText, sections, .kind = LW_VALUE_NODE, .required = true, .slot = AT_SECTIONS),
};
static const lwTable part_table = LW_TABLE("a part", part_keys);

// False, and reported, if `before` and `count` together are more than a file may have.
static bool may_add(lwPartsReader* reader, lwPlace place, int before, double count)
{
  if (!reader->too_many && before + count > LW_MAX_PIECES)
  {
    lw_document_error(&reader->document, place, "the rest of the file is not read",
                      "the file has more than %d sections, copies counted", LW_MAX_PIECES);
    reader->too_many = true;
  }
  return !reader->too_many;
}

bool lw_parts_count_in(lwPartsReader* reader, lwPlace place, double count)
{
  if (!may_add(reader, place, reader->entries, count)) return false;
  reader->entries += (int)count;
  return true;
}

// --- copies

static lwTransform* take_copies(lwPartsReader* reader, lwPartDef* part, int count)
{
  lwTransform* copies = lw_arena_take(&reader->document.arena, (size_t)count, sizeof *copies);
  part->copies        = copies;
  part->copy_count    = copies ? count : 0;
  return copies;
}

// One copy for each entry of `places`.
static void read_places(lwPartsReader* reader, const PartText* text, lwPartDef* part)
{
  const lwNode* list = text->places;
  if (!lw_node_is_filled(&reader->document, list, "places", "at least one place")) return;
  if (!may_add(reader, list->place, reader->sections, list->count)) return;  // counted later
  lwTransform* copies = take_copies(reader, part, list->count);
  int i               = 0;
  for (const lwItem* item = list->items; item && copies; item = item->next, ++i)
  {
    lwPlaceText place = {0};
    lw_document_fill(&reader->document, item->value, &lw_mirror_place_table, &place, NULL);
    lw_place_settle(reader, item->value->place, &place, &copies[i]);
    copies[i] = lw_mirror(&copies[i], text->mirror);
  }
}

// Copy k is at place step^k: each step is relative to the copy before.
static void read_repeated(lwPartsReader* reader, const PartText* text, const lwPlace* places,
                          lwPartDef* part)
{
  lwTransform place, step;
  bool placed = lw_place_settle(reader, places[AT_PLACE], &text->place, &place);
  bool steps  = lw_place_settle(reader, places[AT_REPEAT], &text->step, &step);
  double n    = text->repeat;
  if (!(n >= 1) || n != floor(n))
    lw_document_error(&reader->document, places[AT_REPEAT_COUNT], NULL,
                      "'count' must be a whole number of at least 1, found %g", n);
  else if (placed && steps && may_add(reader, places[AT_REPEAT], reader->sections, n))
  {
    lwTransform* copies = take_copies(reader, part, (int)n);
    for (int k = 0; k < part->copy_count; ++k)
    {
      copies[k] = lw_mirror(&place, text->mirror);
      place     = lw_compose(&place, &step);
    }
  }
}

static void read_copies(lwPartsReader* reader, const PartText* text, const lwPlace* places,
                        lwPartDef* part)
{
  bool listed = text->places != NULL;
  if (listed && (places[AT_PLACE].line > 0 || places[AT_REPEAT].line > 0))
    lw_document_error(
        &reader->document, places[AT_PLACES], "give either 'places', or 'place' and 'repeat'",
        "both 'places' and '%s' are given", places[AT_PLACE].line > 0 ? "place" : "repeat");
  else if (listed)
    read_places(reader, text, part);
  else
    read_repeated(reader, text, places, part);
}

// --- sections

static void read_sections(lwPartsReader* reader, lwNode* list, const lwDensityText* usual,
                          lwPartDef* part)
{
  if (!lw_node_is_filled(&reader->document, list, "sections", "at least one section")) return;
  double copies = part->copy_count > 0 ? part->copy_count : 1;
  if (!may_add(reader, list->place, reader->sections, copies * list->count)) return;
  reader->sections += (int)copies * list->count;
  lwSectionDef* sections =
      lw_arena_take(&reader->document.arena, (size_t)list->count, sizeof *sections);
  if (!sections) return;
  part->sections      = sections;
  part->section_count = list->count;
  for (const lwItem* item = list->items; item; item = item->next)
    lw_section_read(reader, item->value, usual, sections++);
}

bool lw_part_read(lwPartsReader* reader, lwNode* node, lwPartDef* part)
{
  PartText text            = {.repeat = 1, .weighed = NAN};
  lwPlace places[AT_COUNT] = {{0}};
  int before               = reader->document.errors;
  if (!lw_parts_count_in(reader, node->place, 1)) return false;
  lw_document_fill(&reader->document, node, &part_table, &text, places);
  *part      = (lwPartDef){.name       = text.name,
                           .weighed    = isnan(text.weighed) ? 0 : text.weighed,
                           .at         = node->place,
                           .at_weighed = places[AT_WEIGHED]};
  bool known = lw_density_settle(reader, &text.density, places[AT_MATERIAL], places[AT_DENSITY]);
  if (!known) text.density.density = 1;  // so that sections do not complain as well
  if (!isnan(text.weighed))              // given, and a number
    lw_positive(reader, places[AT_WEIGHED], "weighed", text.weighed);
  read_copies(reader, &text, places, part);
  if (text.sections) read_sections(reader, text.sections, &text.density, part);
  return reader->document.errors == before && !lw_arena_failed(&reader->document.arena);
}
