// SPDX-License-Identifier: MIT
// Replaces the URDF reader, which needs libxml2: the program hands URDF robots to the page as JSON.
#include "read/urdf/urdf.h"

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
