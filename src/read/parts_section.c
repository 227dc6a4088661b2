// SPDX-License-Identifier: MIT
// One section of a parts file: a shape, its sizes, its place, and what it is made of. The keys
// depend on the shape.
#include <stdio.h>
#include <string.h>

#include "parts/solids.h"
#include "read/parts_reader.h"

// Places of the keys of a section.
enum
{
  AT_PLACE = 1,
  AT_MATERIAL,
  AT_DENSITY,
  AT_MASS,
  AT_FILE,
  AT_SCALE,
  AT_SIZE,  // one for each size, and behind them one for each diameter
  AT_DIAMETER = AT_SIZE + LW_SOLID_MAX_SIZES,
  AT_COUNT    = AT_DIAMETER + LW_SOLID_MAX_SIZES
};

typedef struct SectionText
{
  const char* name;
  int shape;  // lwSolidKind, or -1: not read
  lwPlaceText place;
  lwDensityText density;
  double mass;
  int hole;
  const char* file;
  double scale;
  double sizes[LW_SOLID_MAX_SIZES];      // m
  double diameters[LW_SOLID_MAX_SIZES];  // m
} SectionText;

// --- places

const char* const lw_mirror_words[] = {"none", "x", "y", "z", NULL};

static const lwKey place_keys[] = {
    LW_KEY(lwPlaceText, xyz, .size = 3, .measure = LW_MEASURE_LENGTH),
    LW_KEY(lwPlaceText, rpy, .size = 3, .measure = LW_MEASURE_ANGLE),
    LW_CHOICE_KEY(lwPlaceText, mirror, lw_mirror_words),
};
const lwTable lw_place_table        = {"a place", place_keys, 2};
const lwTable lw_mirror_place_table = {"a place", place_keys, 3};

lwTransform lw_mirror(const lwTransform* place, int mirror)
{
  lwTransform mirrored = *place;
  for (int i = 0; i < 3 && mirror > 0; ++i) mirrored.R[i][mirror - 1] = -place->R[i][mirror - 1];
  return mirrored;
}

bool lw_place_settle(lwPartsReader* reader, lwPlace at, const lwPlaceText* text, lwTransform* place)
{
  lwTransform origin = lw_origin(text->xyz, text->rpy);
  *place             = lw_mirror(&origin, text->mirror);
  for (int i = 0; i < 3; ++i)
  {
    const char* fault = lw_size_fault(LW_SIZE_RULE_ANY, text->xyz[i]);
    if (!fault) continue;
    return lw_document_reject(&reader->document, at, NULL,
                              "item %d of 'xyz' must be within 1e6 m (%g m)", i + 1, text->xyz[i]);
  }
  return true;
}

// --- the keys of a section

static const char* const hole_words[] = {"false", "true", NULL};

static const lwKey common_keys[] = {
    LW_KEY(SectionText, name, .kind = LW_VALUE_NAME),
    LW_KEY(SectionText, place, .slot = AT_PLACE, .table = &lw_place_table),
    LW_KEY_AS("material", SectionText, density.material, .kind = LW_VALUE_NAME,
              .slot = AT_MATERIAL),
    LW_KEY_AS("density", SectionText, density.density, .slot = AT_DENSITY,
              .measure = LW_MEASURE_DENSITY),
    LW_KEY(SectionText, mass, .slot = AT_MASS, .measure = LW_MEASURE_MASS),
    LW_CHOICE_KEY(SectionText, hole, hole_words),
};
static const lwKey mesh_keys[] = {
    LW_KEY(SectionText, file, .kind = LW_VALUE_NAME, .slot = AT_FILE),
    LW_KEY(SectionText, scale, .slot = AT_SCALE, .unit = "m per unit of the file"),
};

typedef struct Keys
{
  const char* words[LW_SOLID_COUNT + 1];  // names of shapes
  lwKey list[LW_TABLE_MAX_KEYS];
  int count;
} Keys;

// Keeps a key that exists already: several shapes have a radius.
static void add_key(Keys* keys, const lwKey* key)
{
  for (int i = 0; i < keys->count; ++i)
    if (strcmp(keys->list[i].name, key->name) == 0) return;
  keys->list[keys->count++] = *key;
}

static void add_sizes(Keys* keys, lwSolidKind shape)
{
  const lwSolidInfo* info = lw_solid_info(shape);
  for (int i = 0; i < info->count; ++i)
  {
    lwKey key = {.name    = info->sizes[i].name,
                 .offset  = offsetof(SectionText, sizes) + (size_t)i * sizeof(double),
                 .slot    = AT_SIZE + i,
                 .measure = LW_MEASURE_LENGTH};
    add_key(keys, &key);
    if (!info->sizes[i].diameter) continue;
    key.name   = info->sizes[i].diameter;
    key.offset = offsetof(SectionText, diameters) + (size_t)i * sizeof(double);
    key.slot   = AT_DIAMETER + i;
    add_key(keys, &key);
  }
  for (int i = 0; i < 2 && shape == LW_SOLID_MESH; ++i) add_key(keys, &mesh_keys[i]);
}

// The shape that a section names, or -1.
static int shape_of(const lwNode* node)
{
  const lwNode* word = lw_node_find(node, "shape");
  for (int i = 0; word && i < LW_SOLID_COUNT; ++i)
    if (lw_node_is_word(word, lw_solid_info((lwSolidKind)i)->name)) return i;
  return -1;
}

// The keys of this shape; of all shapes if it is not known, so that only the shape is reported.
static void make_keys(Keys* keys, int shape)
{
  keys->count = 0;
  for (int i = 0; i < LW_SOLID_COUNT; ++i) keys->words[i] = lw_solid_info((lwSolidKind)i)->name;
  keys->words[LW_SOLID_COUNT] = NULL;
  lwKey shape_key             = {.name     = "shape",
                                 .required = true,
                                 .offset   = offsetof(SectionText, shape),
                                 .words    = keys->words};
  add_key(keys, &shape_key);
  for (size_t i = 0; i < sizeof common_keys / sizeof *common_keys; ++i)
    add_key(keys, &common_keys[i]);
  for (int i = 0; i < LW_SOLID_COUNT; ++i)
    if (shape < 0 || shape == i) add_sizes(keys, (lwSolidKind)i);
}

// --- sizes

bool lw_positive(lwPartsReader* reader, lwPlace place, const char* key, double number)
{
  if (number > 0 && number <= 1e30) return true;
  return lw_document_reject(&reader->document, place, NULL, "'%.60s' must be %s (%g)", key,
                            number > 0 ? "at most 1e30" : "positive", number);
}

static bool settle_size(lwPartsReader* reader, const lwNode* node, SectionText* text, int i,
                        const lwPlace* places)
{
  const lwSolidInfo* info = lw_solid_info((lwSolidKind)text->shape);
  const lwSolidSize* size = &info->sizes[i];
  bool plain = places[AT_SIZE + i].line > 0, doubled = places[AT_DIAMETER + i].line > 0;
  lwPlace at = doubled ? places[AT_DIAMETER + i] : plain ? places[AT_SIZE + i] : node->place;
  if (doubled && !plain) text->sizes[i] = text->diameters[i] / 2;
  const char* fault = lw_size_fault(size->rule, text->sizes[i]);
  if (plain && doubled)
    lw_document_error(&reader->document, at, "leave one of them out",
                      "both '%s' and '%s' are given", size->name, size->diameter);
  else if (!plain && !doubled && size->rule == LW_SIZE_RULE_POSITIVE)
    lw_document_error(&reader->document, at, NULL, "a %s needs the key '%s'%s%s%s", info->name,
                      size->name, size->diameter ? " or '" : "",
                      size->diameter ? size->diameter : "", size->diameter ? "'" : "");
  else if (fault)
    lw_document_error(&reader->document, at, NULL, "'%s': %s (%g m)",
                      doubled ? size->diameter : size->name, fault,
                      doubled ? text->diameters[i] : text->sizes[i]);
  else
    return true;
  return false;
}

static bool settle_sizes(lwPartsReader* reader, const lwNode* node, SectionText* text,
                         const lwPlace* places, lwSolid* solid)
{
  lwSolidKind shape = (lwSolidKind)text->shape;
  bool sound        = true;
  for (int i = 0; i < lw_solid_info(shape)->count; ++i)
    sound &= settle_size(reader, node, text, i, places);
  if (!sound) return false;
  const char* fault = lw_solid_make(shape, text->sizes, solid);
  if (fault) lw_document_error(&reader->document, node->place, NULL, "%s", fault);
  return !fault;
}

// --- meshes

void* lw_parts_grow(lwPartsReader* reader, void* list, int count, int* capacity, size_t size)
{
  if (count < *capacity) return list;
  int wanted = *capacity ? 2 * *capacity : 64;
  void* more = lw_arena_grow(&reader->document.arena, list, (size_t)count, (size_t)wanted, size);
  if (more) *capacity = wanted;
  return more;
}

// The mesh of a file, read at its first use; NULL when out of memory.
static const lwShelvedMesh* shelved_mesh(lwPartsReader* reader, const char* path, double scale)
{
  lwMeshShelf* shelf = &reader->meshes;
  shelf->names.arena = &reader->document.arena;
  size_t length      = strlen(path) + 40;
  char* name         = lw_arena_take(&reader->document.arena, length, 1);
  if (!name) return NULL;
  snprintf(name, length, "%a %s", scale, path);
  int* index = lw_name_map_put(&shelf->names, name);
  if (!index) return NULL;
  if (*index >= 0) return &shelf->list[*index];
  void* list =
      lw_parts_grow(reader, shelf->list, shelf->count, &shelf->capacity, sizeof *shelf->list);
  if (!list) return NULL;
  shelf->list         = list;
  *index              = shelf->count++;
  lwShelvedMesh* mesh = &shelf->list[*index];
  mesh->sound = lw_mesh_read_file(path, scale, reader->document.diag, &mesh->solid) == LW_OK;
  return mesh;
}

static bool settle_mesh(lwPartsReader* reader, const lwNode* node, const SectionText* text,
                        const lwPlace* places, lwSolid* solid)
{
  if (places[AT_FILE].line == 0)
    lw_document_error(&reader->document, node->place, NULL, "a mesh needs the key 'file'");
  bool scaled =
      places[AT_SCALE].line == 0 || lw_positive(reader, places[AT_SCALE], "scale", text->scale);
  if (!text->file || !scaled) return false;
  const char* path = lw_document_relative(&reader->document, text->file);
  if (path && !lw_document_may_open(&reader->document, places[AT_FILE], path)) return false;
  const lwShelvedMesh* mesh = path ? shelved_mesh(reader, path, text->scale) : NULL;
  if (mesh && !mesh->sound)
    lw_document_error(&reader->document, places[AT_FILE], NULL, "the mesh '%.200s' cannot be used",
                      text->file);
  if (mesh) *solid = mesh->solid;
  return mesh && mesh->sound;
}

// --- materials

static bool settle_density(lwPartsReader* reader, const lwNode* node, const SectionText* text,
                           const lwPlace* places, lwSectionDef* section)
{
  lwDensityText own    = text->density;
  bool by_mass         = places[AT_MASS].line > 0;
  bool by_density      = places[AT_DENSITY].line > 0 || places[AT_MATERIAL].line > 0;
  bool point           = section->shape == LW_SOLID_POINT;
  bool sound           = lw_density_settle(reader, &own, places[AT_MATERIAL], places[AT_DENSITY]);
  section->at_density  = places[by_mass ? AT_MASS : AT_DENSITY];
  section->own_density = by_mass || places[AT_DENSITY].line > 0;
  if (by_mass && by_density)
    lw_document_error(&reader->document, places[AT_MASS], "leave one of them out",
                      "both a mass and a density are given");
  else if (point && !by_mass)
    lw_document_error(&reader->document, node->place, "a point has no volume",
                      "a point needs the key 'mass'");
  else if (by_mass)
  {
    section->mass     = text->mass;
    section->density  = 0;
    section->material = NULL;
    return lw_positive(reader, places[AT_MASS], "mass", text->mass) && sound;
  }
  else if (by_density)
  {
    section->density  = own.density;
    section->material = own.material;
    return sound;
  }
  else if (section->density == 0)
    lw_document_error(&reader->document, node->place,
                      "give it material, density or mass, or its part a material",
                      "the section is made of nothing");
  else
    return true;
  return false;
}

bool lw_section_read(lwPartsReader* reader, lwNode* node, const lwDensityText* usual,
                     lwSectionDef* section)
{
  Keys keys;
  SectionText text         = {.shape = -1, .scale = 1};
  lwPlace places[AT_COUNT] = {{0}};
  int before               = reader->document.errors;
  char what[32]            = "a section";
  int named                = shape_of(node);
  make_keys(&keys, named);
  if (named >= 0) snprintf(what, sizeof what, "a %s", lw_solid_info((lwSolidKind)named)->name);
  lwTable table = {what, keys.list, keys.count};
  lw_document_fill(&reader->document, node, &table, &text, places);
  *section = (lwSectionDef){.name     = text.name,
                            .material = usual->material,
                            .density  = usual->density,
                            .hole     = text.hole != 0,
                            .at       = node->place};
  // keys with errors leave their values unchanged: nothing more is reported about them
  if (text.shape < 0 || reader->document.errors > before) return false;
  section->shape = (lwSolidKind)text.shape;
  lw_place_settle(reader, places[AT_PLACE], &text.place, &section->place);
  if (section->shape == LW_SOLID_MESH)
    settle_mesh(reader, node, &text, places, &section->solid);
  else
    settle_sizes(reader, node, &text, places, &section->solid);
  memcpy(section->sizes, text.sizes, sizeof section->sizes);
  settle_density(reader, node, &text, places, section);
  return reader->document.errors == before && !lw_arena_failed(&reader->document.arena);
}
