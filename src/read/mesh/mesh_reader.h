// SPDX-License-Identifier: MIT
// Reading mesh files: one reader for each format, all into lwMesh.
//
//   STL --stl.c--> OBJ --obj.c--> COLLADA --collada.c--> lwMesh --mesh_file.c--> lwSolid
#ifndef LW_READ_MESH_MESH_READER_H
#define LW_READ_MESH_MESH_READER_H

#include "parts/mesh.h"
#include "read/document/document.h"

enum
{
  LW_MESH_MOST_TRIANGLES = 4000000
};

typedef struct lwMeshReader
{
  lwDocument document;
  lwMesh mesh;
  double scale;       // m, what the lengths of the file are multiplied by, for its bound
  bool from_file;     // other files may be read beside it
  bool first_object;  // of an OBJ file only the first object that has triangles
  uint32_t number;    // of the last triangle, for messages
  lwStatus status;    // the first thing that went wrong
} lwMeshReader;

// Adds a triangle; false after reporting, at this place, that a coordinate is impossible or that
// there are too many.
bool lw_mesh_take(lwMeshReader* reader, lwPlace place, const double corner[3][3]);

// Reports an error and is false, for return.
#define lw_mesh_refuse(reader, place, hint, ...)                                                   \
  lw_mesh_refused(reader, lw_document_refuse(&(reader)->document, place, hint, __VA_ARGS__))

static inline bool lw_mesh_refused(lwMeshReader* reader, lwStatus status)
{
  reader->status = status;
  return false;
}

// Each takes the bytes in document.source.
void lw_stl_read(lwMeshReader* mesh);
void lw_obj_read(lwMeshReader* mesh);
void lw_collada_read(lwMeshReader* mesh);

#endif
