// SPDX-License-Identifier: MIT
// Materials by name. Those of parts/materials.yaml are built in (cmake/embed.cmake);
// a file may add or override some.
#include <stddef.h>
#include <stdio.h>

#include "model/lint/lint.h"
#include "read/parts_reader.h"

// Made by the build.
extern const char lw_materials_text[];
extern const size_t lw_materials_length;

typedef struct MaterialsText
{
  lwNode* materials;
} MaterialsText;

static const lwKey file_keys[] = {
    {.name = "linkwork", .required = true, .read = lw_read_version},
    LW_KEY(MaterialsText, materials, .kind = LW_VALUE_NODE, .required = true),
};
static const lwTable file_table = LW_TABLE("a file of materials", file_keys);

static const lwKey name_key = {.name = "materials", .kind = LW_VALUE_NAME};

static void put_material(lwPartsReader* reader, lwMaterial material)
{
  lwMaterials* materials = &reader->materials;
  int* index             = lw_name_map_put(&materials->names, material.name);
  void* list = lw_parts_grow(reader, materials->list, materials->count, &materials->capacity,
                             sizeof *materials->list);
  if (!index || !list) return;
  materials->list = list;
  if (*index < 0) *index = materials->count++;
  materials->list[*index] = material;
}

static const lwMaterial* find_material(const lwPartsReader* reader, const char* name)
{
  int index = lw_name_map_find(&reader->materials.names, name);
  return index < 0 ? NULL : &reader->materials.list[index];
}

static void judge_density(lwPartsReader* reader, const lwNode* node, const lwMaterial* material,
                          const lwLint* lint)
{
  bool strict = lint && lint->strict;
  if (material->density >= LW_LIGHTEST && material->density <= LW_HEAVIEST) return;
  if (lw_warning_accepted(reader->accept, "density", material->name, NULL) ||
      lw_warning_accepted(lint ? lint->accept : NULL, "density", material->name, NULL))
    return;
  reader->document.errors += strict;
  lw_diag_report_id(reader->document.diag, strict ? LW_SEVERITY_ERROR : LW_SEVERITY_WARNING,
                    "density", &reader->document.source, node->place,
                    "densities are in kg/m^3, or written like '2.7 g/cm^3'",
                    "material '%.60s': a density of %.4g kg/m^3 (plausible is %g to %g)",
                    material->name, material->density, LW_LIGHTEST, LW_HEAVIEST);
}

static void read_material(lwPartsReader* reader, const lwItem* item, const lwLint* lint)
{
  const char* name = lw_node_text(&reader->document, item->key, &name_key);
  if (!name) return;
  lwKey key           = {.name = name, .measure = LW_MEASURE_DENSITY, .unit = "kg/m^3"};
  lwMaterial material = {.name = name, .line = item->key->place.line};
  if (!lw_node_number(&reader->document, item->value, &key, 0, &material.density)) return;
  if (!lw_positive(reader, item->value->place, name, material.density)) return;
  const lwMaterial* known = find_material(reader, name);
  if (known && known->line > 0)
    lw_document_error(&reader->document, item->key->place, NULL,
                      "material '%.60s' is given twice, first in line %d", name, known->line);
  else
    put_material(reader, material);
  judge_density(reader, item->value, &material, lint);
}

void lw_materials_read(lwPartsReader* reader, lwNode* node, const lwLint* lint)
{
  if (node->kind == LW_NODE_BROKEN)
    ++reader->document.errors;
  else if (node->kind != LW_NODE_MAPPING)
    lw_document_error(&reader->document, node->place, "materials: {my alloy: 2.7 g/cm^3}",
                      "'materials' must be a mapping of names to densities, found %s",
                      LW_FOUND(node));
  else
    for (const lwItem* item = node->items; item; item = item->next)
      read_material(reader, item, lint);
}

lwStatus lw_materials_read_file(const char* path, const lwLint* lint, lwDiag* diag)
{
  lwPartsReader reader = {0};
  MaterialsText file   = {0};
  lwStatus status      = lw_document_read_file(&reader.document, path, diag);
  if (status == LW_OK)
  {
    reader.materials.names = (lwNameMap){.arena = &reader.document.arena};
    lw_document_fill(&reader.document, reader.document.root, &file_table, &file, NULL);
    if (file.materials) lw_materials_read(&reader, file.materials, lint);
    if (reader.document.errors > 0) status = LW_ERROR_INPUT;
    if (lw_arena_failed(&reader.document.arena)) status = LW_ERROR_MEMORY;
  }
  lw_document_free(&reader.document);
  return status;
}

lwStatus lw_materials_start(lwPartsReader* reader)
{
  MaterialsText file     = {0};
  lwMaterials* materials = &reader->materials;
  materials->names       = (lwNameMap){.arena = &reader->document.arena};
  lwStatus status = lw_document_read_text(&materials->builtin, "materials.yaml", lw_materials_text,
                                          lw_materials_length, NULL);
  if (status != LW_OK) return status;
  if (!lw_document_fill(&materials->builtin, materials->builtin.root, &file_table, &file, NULL))
    return LW_ERROR_INPUT;
  for (const lwItem* item = file.materials->items; item; item = item->next)
  {
    lwKey key           = {.name = item->key->text};
    lwMaterial material = {.name = item->key->text};
    if (!lw_node_number(&materials->builtin, item->value, &key, 0, &material.density))
      return LW_ERROR_INPUT;
    put_material(reader, material);
  }
  return lw_arena_failed(&reader->document.arena) ? LW_ERROR_MEMORY : LW_OK;
}

static bool refuse_material(lwPartsReader* reader, const char* name, lwPlace at)
{
  char hint[LW_HINT_SIZE];
  lwNearest nearest      = lw_nearest(name);
  const lwMaterial* list = reader->materials.list;
  for (int i = 0; list && i < reader->materials.count; ++i) lw_nearest_try(&nearest, list[i].name);
  if (!lw_nearest_hint(&nearest, hint))
    snprintf(hint, sizeof hint, "materials: {%.40s: 2700} makes it known, in kg/m^3", name);
  return lw_document_reject(&reader->document, at, hint, "there is no material '%.60s'", name);
}

bool lw_density_settle(lwPartsReader* reader, lwDensityText* text, lwPlace material_at,
                       lwPlace density_at)
{
  bool by_material = material_at.line > 0, by_density = density_at.line > 0;
  if (by_material && by_density)
    return lw_document_reject(&reader->document, density_at, "leave one of them out",
                              "both 'material' and 'density' are given");
  if (by_density) return lw_positive(reader, density_at, "density", text->density);
  if (!by_material || !text->material) return !by_material;
  const lwMaterial* material = find_material(reader, text->material);
  if (!material) return refuse_material(reader, text->material, material_at);
  text->density = material->density;
  return true;
}
