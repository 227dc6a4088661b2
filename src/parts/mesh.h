// SPDX-License-Identifier: MIT
// Triangle meshes: corners at the same point are one vertex, so that it can be
// checked whether the mesh is closed.
#ifndef LW_PARTS_MESH_H
#define LW_PARTS_MESH_H

#include "linkwork/parts.h"

// Triangles of one colour.
typedef struct lwMeshPart
{
  int first;        // triangle
  double color[4];  // as of lwShape
} lwMeshPart;

typedef struct lwMesh
{
  int triangles;
  int vertices;
  int* corners;         // (3 triangles) vertices, counter-clockwise seen from outside
  double (*points)[3];  // (vertices)
  int* table;           // (table_size) vertices by the hash of their point, -1: free
  int table_size;       // a power of 2
  int corner_capacity, point_capacity;
  int part_count, part_capacity;
  lwMeshPart* parts;  // (part_count) in the order of their triangles; none: no colours
} lwMesh;

void lw_mesh_free(lwMesh* mesh);

// The name ends like that of a file that can be read.
bool lw_mesh_is_known(const char* name);

// The triangles of an STL, OBJ or COLLADA file, by its ending, closed or not: those of COLLADA in m,
// of others in their own unit. first_object: of an OBJ file only the first object. The mesh is to
// be freed in any case. read/mesh/mesh_file.c
lwStatus lw_mesh_read_triangles(const char* path, bool first_object, lwDiag* diag, lwMesh* mesh);

// As lw_mesh_read_file(), from memory; name stands for the file in diagnostics, and its ending says the format.
lwStatus lw_mesh_read_bytes(const char* name, const char* bytes, size_t length, double scale,
                            lwDiag* diag, lwSolid* solid);

// Adds a triangle of finite numbers; false when out of memory. A triangle
// without area has no edges and is left out.
bool lw_mesh_add(lwMesh* mesh, const double corner[3][3]);

// Triangles from here on have this colour; false when out of memory.
bool lw_mesh_part(lwMesh* mesh, const double color[4]);

// Leaves about `most` triangles: corners in the same cell of a grid become one, of a grid coarse
// enough. False when out of memory.
bool lw_mesh_thin(lwMesh* mesh, int most);

// How the edges fit together. A mesh is closed if every edge is
// traversed equally often in both directions.
typedef struct lwMeshEdges
{
  int open;  // edges of one triangle only, or of an odd number
  // edges that two triangles run through in the same direction: they disagree about what is outside
  int turned;
  int crowded;   // closed edges of more than two triangles
  int first[2];  // vertices of the first edge that is open or, if none is, turned
} lwMeshEdges;

// False when out of memory.
bool lw_mesh_edges(const lwMesh* mesh, lwMeshEdges* edges);

// Volume, centre and inertia of what a closed mesh encloses, exact for polyhedra but for
// rounding; the volume is negative if the triangles are clockwise seen from outside.
// Lengths are multiplied by scale.
lwSolid lw_mesh_solid(const lwMesh* mesh, double scale);

#endif
