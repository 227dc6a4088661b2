// SPDX-License-Identifier: MIT
// What links look like, for the page and for drawings: shapes of the description, meshes from their
// files, and solids of the parts file that a link takes its mass from.
#ifndef LW_REPORT_PAGE_LINK_SHAPES_H
#define LW_REPORT_PAGE_LINK_SHAPES_H

#include "linkwork/parts.h"
#include "parts/mesh.h"
#include "read/document/document.h"

// A mesh file, read once.
typedef struct lwNamedMesh
{
  struct lwNamedMesh* next;
  const char* name;  // as the description has it
  bool read;
  lwMesh mesh;
  long offset;  // for whoever writes it: where it was put, or -1
} lwNamedMesh;

typedef struct lwLinkShapes
{
  const lwRobotDef* robot;
  const char* packages;
  lwDocument document;  // the robot file, if it is YAML; else without a root
  lwNamedMesh* meshes;
  lwDiag* diag;  // remembers the files of meshes that are opened; or NULL
} lwLinkShapes;

// packages: see lwReadOptions. To be closed.
void lw_link_shapes_open(lwLinkShapes* shapes, const lwRobotDef* robot, const char* packages);
void lw_link_shapes_close(lwLinkShapes* shapes);

// The triangles of a mesh file, in its own unit, as long as the shapes are open. NULL: there is none
// that can be read.
lwNamedMesh* lw_link_shapes_mesh(lwLinkShapes* shapes, const char* name);

// Whether the link is drawn by its visual shapes: otherwise, because there are none that can be
// drawn, by those for collisions.
bool lw_link_shapes_visual(lwLinkShapes* shapes, const lwLinkDef* link);

// Meshes that cannot be drawn.
typedef struct lwMissingMeshes
{
  int count;
  char first[256];  // what the description calls it, cut if it is longer
} lwMissingMeshes;

void lw_missing_mesh_add(lwMissingMeshes* missing, const char* name);

// Warns about visual meshes that cannot be drawn.
void lw_link_shapes_lint(const lwRobotDef* robot, const char* packages, lwDiag* diag);

// The parts file that the link of a joint takes its mass from, with *link in it; the caller
// destroys it. NULL: none.
lwParts* lw_link_shapes_parts(lwLinkShapes* shapes, int joint, const lwPartsLink** link);

// It is material with a shape: no hole, no point, no payload.
bool lw_piece_is_solid(const lwPiece* piece);

#endif
