// SPDX-License-Identifier: MIT
// Replaces the readers that need libxml2, of URDF and of COLLADA, and that of tables: the program
// hands robots to the page as JSON, and their meshes as triangles.
#include "read/dh_table.h"
#include "read/mesh/mesh_reader.h"
#include "read/mjcf/mjcf.h"
#include "read/urdf/urdf.h"

void lw_collada_read(lwMeshReader* mesh)
{
  mesh->status = LW_ERROR_INPUT;
}

bool lw_urdf_is(const lwSource* source)
{
  (void)source;
  return false;
}

lwStatus lw_urdf_read(lwDocument* document, const lwModelOptions* options, lwModel** model)
{
  (void)document;
  (void)options;
  (void)model;
  return LW_ERROR_INPUT;
}

bool lw_mjcf_is_file(const lwSource* source)
{
  (void)source;
  return false;
}

lwStatus lw_mjcf_read(lwDocument* document, const lwModelOptions* options, lwModel** model)
{
  return lw_urdf_read(document, options, model);
}

bool lw_dh_table_is(const char* path)
{
  (void)path;
  return false;
}

lwStatus lw_dh_table_open(lwDocument* document, const char* path, lwDiag* diag, char** text)
{
  (void)document;
  (void)path;
  (void)diag;
  (void)text;
  return LW_ERROR_INPUT;
}
