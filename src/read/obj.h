// SPDX-License-Identifier: MIT
#ifndef LW_READ_OBJ_H
#define LW_READ_OBJ_H

#include "parts/mesh.h"
#include "read/document/document.h"

// The triangles of an OBJ file whose text is in the document and ends with a 0. LW_ERROR_INPUT
// after reporting what is wrong. first: of the first object only.
lwStatus lw_mesh_read_obj(lwDocument* document, bool first, lwMesh* mesh);

#endif
