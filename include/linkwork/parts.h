// SPDX-License-Identifier: MIT
/// @file parts.h Shapes to mass properties: the mass of a link from its drawing. See
/// docs/formats.md, parts files.
///
/// A link is a list of parts, a part a list of sections, a section a shape with a density or
/// a mass. SI units and radians; inertia is about the centre of mass, order xx yy zz xy xz
/// yz, true tensor elements.
#ifndef LINKWORK_PARTS_H
#define LINKWORK_PARTS_H

#include "linkwork/model.h"

/// The shapes of sections. lw_solid_info() says what their sizes are and where their frames lie.
typedef enum lwSolidKind
{
  /// Box.
  LW_SOLID_BOX,
  /// Solid cylinder.
  LW_SOLID_CYLINDER,
  /// Hollow cylinder.
  LW_SOLID_TUBE,
  /// Half of a cylinder, cut along its axis.
  LW_SOLID_SEMI_CYLINDER,
  /// Cone.
  LW_SOLID_CONE,
  /// Cone without its tip.
  LW_SOLID_FRUSTUM,
  /// Solid sphere.
  LW_SOLID_SPHERE,
  /// Half of a sphere.
  LW_SOLID_HEMISPHERE,
  /// Hollow sphere.
  LW_SOLID_SPHERICAL_SHELL,
  /// Prism on a triangle.
  LW_SOLID_TRIANGULAR_PRISM,
  /// Torus.
  LW_SOLID_TORUS,
  /// Point mass.
  LW_SOLID_POINT,
  /// Closed triangle mesh: no sizes; lw_mesh_read_file() gives its lwSolid.
  LW_SOLID_MESH,
  /// Number of shapes.
  LW_SOLID_COUNT
} lwSolidKind;

enum
{
  /// Most sizes of a shape.
  LW_SOLID_MAX_SIZES = 4,
  /// Parts files with more sections, copies counted, are refused.
  LW_MAX_PIECES = 100000
};

/// A body of density 1 kg/m^3, in the frame of its shape.
typedef struct lwSolid
{
  /// Volume, m^3; a point has none.
  double volume;
  /// (3) Centre of mass, m.
  double com[3];
  /// (6) Inertia about com for 1 kg/m^3, m^5, xx yy zz xy xz yz.
  double inertia[6];
} lwSolid;

/// What a size may be.
typedef enum lwSizeRule
{
  /// Above 0.
  LW_SIZE_RULE_POSITIVE,
  /// 0 or above; 0 when not given.
  LW_SIZE_RULE_NOT_NEGATIVE,
  /// Any finite number; 0 when not given.
  LW_SIZE_RULE_ANY
} lwSizeRule;

/// One size of a shape.
typedef struct lwSolidSize
{
  /// Its key in files.
  const char* name;
  /// The key under which twice its value may be given, or NULL.
  const char* diameter;
  /// What it may be.
  lwSizeRule rule;
} lwSolidSize;

/// What a shape is called and which sizes it has.
typedef struct lwSolidInfo
{
  /// Its name in files.
  const char* name;
  /// Where its origin and axes are, in words.
  const char* frame;
  /// Number of sizes.
  int count;
  /// (count) The sizes.
  lwSolidSize sizes[LW_SOLID_MAX_SIZES];
} lwSolidInfo;

/// What is known about a shape. It is constant.
LW_API const lwSolidInfo* lw_solid_info(lwSolidKind shape);

/// The body of a shape with these sizes, in m and in the order of lw_solid_info(). LW_ERROR_INPUT
/// for a size that is impossible, which diag (or NULL) names, and for a mesh, which has no sizes;
/// solid is zero then.
LW_API lwStatus lw_solid_of(lwSolidKind shape, const double* sizes, lwDiag* diag, lwSolid* solid);

/// Reads a closed triangle mesh (STL, binary or text) whose lengths are `scale` times 1 m.
/// Everything wrong or doubtful is in diag: LW_ERROR_FILE, LW_ERROR_INPUT for a mesh that encloses
/// no volume, LW_ERROR_MEMORY. diag may be NULL.
LW_API lwStatus lw_mesh_read_file(const char* path, double scale, lwDiag* diag, lwSolid* solid);

/// One section in one copy of a part, as it sits in the link; or the link's payload.
typedef struct lwPiece
{
  /// Name of the part; "payload".
  const char* part;
  /// Name of the section, or of its shape; NULL for a payload.
  const char* section;
  /// Name of the material, or NULL.
  const char* material;
  /// Its shape.
  lwSolidKind shape;
  /// Copy of the part, from 1.
  int copy;
  /// It is a hole: volume and mass are negative.
  bool hole;
  /// Volume, m^3; 0 for a point and a payload.
  double volume;
  /// Density after weighing, kg/m^3; 0 where there is no volume.
  double density;
  /// Mass after weighing, kg.
  double mass;
  /// (3) Centre of mass from the link's origin, m, link axes.
  double com[3];
  /// (6) Its share of the inertia about the LINK's centre of mass, kg m^2, link axes,
  /// xx yy zz xy xz yz.
  double inertia[6];
  /// (LW_SOLID_MAX_SIZES) Sizes of the shape in the order of lw_solid_info(), m.
  double sizes[LW_SOLID_MAX_SIZES];
  /// (3) Origin of the shape's frame from the link's origin, m, link axes.
  double origin[3];
  /// (9) Axes of the shape's frame in those of the link, row by row; determinant -1 if mirrored.
  double rotation[9];
} lwPiece;

/// A link and its contributions: masses and shares of inertia add up to those of the body.
typedef struct lwPartsLink
{
  /// Name, mass, centre of mass and inertia, payload included.
  lwLinkDef body;
  /// Mass of the sections before weighed masses and without payload, kg.
  double computed;
  /// Number of pieces.
  int count;
  /// (count) The pieces.
  const lwPiece* pieces;
} lwPartsLink;

/// The links of a parts file; immutable.
typedef struct lwParts lwParts;

/// Reads a parts file. Everything wrong or doubtful is in diag; *parts is NULL unless the status is
/// LW_OK. Of lint only strict matters; NULL: false. Meshes are looked for beside the file.
LW_API lwStatus lw_parts_read_file(const char* path, const lwLint* lint, lwDiag* diag,
                                   lwParts** parts);

/// Reads parts from text in memory; name stands for the file in diagnostics,
/// and says beside which file meshes are.
LW_API lwStatus lw_parts_read_text(const char* name, const char* text, size_t length,
                                   const lwLint* lint, lwDiag* diag, lwParts** parts);

/// Reads a file that has materials only, names and densities as in the key 'materials' of a
/// parts file, and checks them. Everything wrong or doubtful is in diag. Of lint, strict and
/// accept matter; NULL: neither.
LW_API lwStatus lw_materials_read_file(const char* path, const lwLint* lint, lwDiag* diag);

/// Frees the parts. NULL is allowed.
LW_API void lw_parts_destroy(lwParts* parts);

/// Name that the file gives, or NULL.
LW_API const char* lw_parts_name(const lwParts* parts);

/// Number of links.
LW_API int lw_parts_count(const lwParts* parts);

/// Link i, 0 <= i < lw_parts_count().
LW_API const lwPartsLink* lw_parts_link(const lwParts* parts, int i);

/// Index of the link of that name, or -1.
LW_API int lw_parts_find(const lwParts* parts, const char* name);

#endif
