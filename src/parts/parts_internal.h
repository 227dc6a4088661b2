// SPDX-License-Identifier: MIT
// A parts file as it is written, before anything is added up. Readers fill this in; assemble.c
// makes lwParts of it.
//
//   link --place--> part (each copy) --place--> section
#ifndef LW_PARTS_PARTS_INTERNAL_H
#define LW_PARTS_PARTS_INTERNAL_H

#include "base/diag.h"
#include "linkwork/parts.h"
#include "model/transform.h"

typedef struct lwSectionDef
{
  const char* name;      // or NULL: that of the shape
  const char* material;  // or NULL
  lwSolidKind shape;
  double sizes[LW_SOLID_MAX_SIZES];  // m
  lwSolid solid;                     // of density 1, in the frame of the shape
  lwTransform place;                 // of that frame in the frame of the part
  double density;                    // kg/m^3; 0: by mass
  double mass;                       // kg, where density is 0
  bool hole;
  bool own_density;  // density or mass are written in the section, so they are judged there
  lwPlace at, at_density;
} lwSectionDef;

typedef struct lwPartDef
{
  const char* name;
  int section_count;
  const lwSectionDef* sections;
  int copy_count;
  // (copy_count) places in the frame of the link's parts; a mirrored one has det R = -1
  const lwTransform* copies;
  double weighed;  // kg, of one copy; 0: not weighed
  lwPlace at, at_weighed;
} lwPartDef;

typedef struct lwPartsLinkDef
{
  const char* name;
  bool unread;  // it had errors: nothing more is reported about it
  int part_count;
  const lwPartDef* parts;
  lwTransform place;  // of the frame in which parts are placed, in the frame of the link
  double weighed;     // kg, of all parts; 0: not weighed
  bool has_payload;
  lwLinkDef payload;
  lwPlace at, at_weighed;
} lwPartsLinkDef;

typedef struct lwPartsDef
{
  const char* name;  // or NULL
  int count;
  const lwPartsLinkDef* links;
  lwSource source;
  const char* accept;  // known warnings, as in lwRobotDef; or NULL
} lwPartsDef;

// Adds everything up and reports what is wrong or doubtful about the result; *parts is NULL
// unless LW_OK is returned, which requires that all links were read without errors.
// Everything is copied. lint may be NULL.
lwStatus lw_parts_create(const lwPartsDef* def, const lwLint* lint, lwDiag* diag, lwParts** parts);

#endif
