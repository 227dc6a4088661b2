// SPDX-License-Identifier: MIT
/// @file parts.h  Shapes to mass properties: what a link weighs, from its drawing. See docs/formats.md, parts files.
///
/// A link is a list of parts, a part a list of sections, a section a shape with a density or a mass. SI units and
/// radians; inertia is about the centre of mass, order xx yy zz xy xz yz, true tensor elements.
#ifndef LINKWORK_PARTS_H
#define LINKWORK_PARTS_H

#include "linkwork/model.h"

/// The shapes of sections. lw_solid_info() says what their sizes are and where their frames lie.
typedef enum lwSolidKind
{
  LW_SOLID_BOX,
  LW_SOLID_CYLINDER,
  LW_SOLID_TUBE,
  LW_SOLID_SEMI_CYLINDER,
  LW_SOLID_CONE,
  LW_SOLID_FRUSTUM,
  LW_SOLID_SPHERE,
  LW_SOLID_HEMISPHERE,
  LW_SOLID_SPHERICAL_SHELL,
  LW_SOLID_TRIANGULAR_PRISM,
  LW_SOLID_TORUS,
  LW_SOLID_POINT,
  LW_SOLID_MESH,  ///< a closed triangle mesh: no sizes; lw_mesh_read() gives its lwSolid
  LW_SOLID_COUNT
} lwSolidKind;

enum
{
  LW_SOLID_MAX_SIZES = 4,
  LW_MAX_PIECES      = 100000  ///< sections of a parts file, copies counted; more is refused
};

/// A body of density 1 kg/m^3, in the frame of its shape.
typedef struct lwSolid
{
  double volume;      // m^3; a point has none
  double com[3];      // m
  double inertia[6];  // kg m^2 for 1 kg/m^3: m^5, about com
} lwSolid;

/// What a size may be.
typedef enum lwSizeRule
{
  LW_SIZE_RULE_POSITIVE,
  LW_SIZE_RULE_NOT_NEGATIVE,  ///< 0 when not given
  LW_SIZE_RULE_ANY            ///< 0 when not given
} lwSizeRule;

typedef struct lwSolidSize
{
  const char* name;      // its key in files
  const char* diameter;  // the key under which twice its value may be given, or NULL
  lwSizeRule rule;
} lwSolidSize;

typedef struct lwSolidInfo
{
  const char* name;   // in files
  const char* frame;  // where its origin and axes are
  int count;          // of sizes
  lwSolidSize sizes[LW_SOLID_MAX_SIZES];
} lwSolidInfo;

LW_API const lwSolidInfo* lw_solid_info(lwSolidKind shape);

/// The body of a shape with these sizes, in m and in the order of lw_solid_info(). LW_ERROR_INPUT for a size
/// that is impossible, which diag (or NULL) names, and for a mesh, which has no sizes; solid is zero then.
LW_API lwStatus lw_solid_of(lwSolidKind shape, const double* sizes, lwDiag* diag, lwSolid* solid);

/// Reads a closed triangle mesh (STL, binary or text) whose lengths are `scale` times 1 m. Everything wrong or doubtful
/// is in diag: LW_ERROR_FILE, LW_ERROR_INPUT for a mesh that encloses no volume, LW_ERROR_MEMORY. diag may be NULL.
LW_API lwStatus lw_mesh_read_file(const char* path, double scale, lwDiag* diag, lwSolid* solid);

/// The same from memory; name stands for the file in diagnostics.
LW_API lwStatus lw_mesh_read_bytes(const char* name, const char* bytes, size_t length, double scale,
                                   lwDiag* diag, lwSolid* solid);

/// One section in one copy of a part, as it sits in the link; or the link's payload.
typedef struct lwPiece
{
  const char* part;      // name; "payload"
  const char* section;   // name, or that of the shape; NULL for a payload
  const char* material;  // or NULL
  lwSolidKind shape;
  int copy;           // of the part, from 1
  bool hole;          // volume and mass are negative
  double volume;      // m^3; 0 for a point and a payload
  double density;     // kg/m^3, after weighing; 0 where there is no volume
  double mass;        // kg, after weighing
  double com[3];      // m, link axes, from the link's origin
  double inertia[6];  // kg m^2, its share of the inertia about the LINK's centre of mass, link axes
} lwPiece;

/// A link and where its kilograms come from: masses and shares of inertia add up to those of the body.
typedef struct lwPartsLink
{
  lwLinkDef body;         // name, mass, com and inertia, payload included
  double computed;        // kg, as the sections have it, before weighed masses and without payload
  int count;              // of pieces
  const lwPiece* pieces;  // (count)
} lwPartsLink;

/// The links of a parts file; immutable.
typedef struct lwParts lwParts;

/// Reads a parts file. Everything wrong or doubtful is in diag; *parts is NULL unless the status is LW_OK. Of lint
/// only strict matters; NULL: false. Meshes are looked for beside the file.
LW_API lwStatus lw_parts_read_file(const char* path, const lwLint* lint, lwDiag* diag,
                                   lwParts** parts);

/// The same from memory; name stands for the file in diagnostics, and says beside which file meshes are.
LW_API lwStatus lw_parts_read_text(const char* name, const char* text, size_t length,
                                   const lwLint* lint, lwDiag* diag, lwParts** parts);
LW_API void lw_parts_destroy(lwParts* parts);

LW_API const char* lw_parts_name(const lwParts* parts);                ///< or NULL
LW_API int lw_parts_count(const lwParts* parts);                       ///< of links
LW_API const lwPartsLink* lw_parts_link(const lwParts* parts, int i);  ///< 0 <= i < count
LW_API int lw_parts_find(const lwParts* parts, const char* name);      ///< index of a link, or -1

#endif
