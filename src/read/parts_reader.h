// SPDX-License-Identifier: MIT
// What the files that read parts files share.
//
//   parts.c: the file, its links --> parts_part.c: parts, copies
//     --> parts_section.c: sections, meshes, densities
#ifndef LW_READ_PARTS_READER_H
#define LW_READ_PARTS_READER_H

#include "base/arrays.h"
#include "base/text.h"
#include "parts/parts_internal.h"
#include "read/document/document.h"

typedef struct lwMaterial
{
  const char* name;
  double density;  // kg/m^3
  int line;        // of the file that defines it; 0: it is built in
} lwMaterial;

typedef struct lwMaterials
{
  lwDocument builtin;  // parts/materials.yaml
  lwNameMap names;     // to the index in list
  int count, capacity;
  lwMaterial* list;  // (count)
} lwMaterials;

// A mesh that has been read, or could not be.
typedef struct lwShelvedMesh
{
  bool sound;
  lwSolid solid;
} lwShelvedMesh;

typedef struct lwMeshShelf
{
  lwNameMap names;  // scale and path, to the index in list
  int count, capacity;
  lwShelvedMesh* list;  // (count)
} lwMeshShelf;

typedef struct lwPartsReader
{
  lwDocument document;
  lwMaterials materials;
  lwMeshShelf meshes;
  int sections;        // read so far, copies counted
  int entries;         // links and parts
  bool too_many;       // sections, links or parts, which has been reported
  const char* accept;  // known warnings of the file, or NULL
} lwPartsReader;

// A place as it is written. In tables, `lw_place_table` is without
// mirror, `lw_mirror_place_table` with it.
typedef struct lwPlaceText
{
  double xyz[3];  // m
  double rpy[3];  // rad
  int mirror;     // 0: none, 1 to 3: x, y, z changes its sign before the place is applied
} lwPlaceText;
extern const lwTable lw_place_table, lw_mirror_place_table;
extern const char* const lw_mirror_words[];

// Converts the place to a transform; false after reporting that it is too far away.
bool lw_place_settle(lwPartsReader* reader, lwPlace at, const lwPlaceText* text,
                     lwTransform* place);

// Replaces what is at the place by its mirror image; mirror as in lwPlaceText.
lwTransform lw_mirror(const lwTransform* place, int mirror);

// What sections without a density of their own are made of.
typedef struct lwDensityText
{
  const char* material;  // or NULL
  double density;        // kg/m^3; 0: not given
} lwDensityText;

// Finds the density of a material. The places are those of the two keys, line 0 if one is not
// given; giving both is an error. False after reporting what is wrong.
bool lw_density_settle(lwPartsReader* reader, lwDensityText* text, lwPlace material_at,
                       lwPlace density_at);

// Counts that many more links or parts; false, reported once, if there are too many.
bool lw_parts_count_in(lwPartsReader* reader, lwPlace place, double count);

// A number from a file: greater than 0 and at most 1e30. False after reporting what is wrong.
bool lw_positive(lwPartsReader* reader, lwPlace place, const char* key, double number);

// Read one section or part; false if something is wrong with it, which is reported.
bool lw_section_read(lwPartsReader* reader, lwNode* node, const lwDensityText* usual,
                     lwSectionDef* section);
bool lw_part_read(lwPartsReader* reader, lwNode* node, lwPartDef* part);

// parts_materials.c: those that are built in, and those of the file
lwStatus lw_materials_start(lwPartsReader* reader);
void lw_materials_read(lwPartsReader* reader, lwNode* node, const lwLint* lint);

// Makes an array in the document's arena large enough for one more element, doubling it; NULL when
// out of memory.
void* lw_parts_grow(lwPartsReader* reader, void* list, int count, int* capacity, size_t size);

#endif
