// SPDX-License-Identifier: MIT
// The key `cylinders` of a robot file.
#ifndef LW_READ_ROBOT_CYLINDERS_H
#define LW_READ_ROBOT_CYLINDERS_H

#include "linkwork/cylinder.h"
#include "read/document/document.h"

typedef struct lwCylinderList
{
  int count;
  lwCylinderDef* defs;  // (count) in the document's memory
} lwCylinderList;

// Reads and checks the list; node NULL: there is none.
// LW_ERROR_INPUT after reporting what is wrong.
lwStatus lw_cylinder_list_read(lwDocument* document, lwNode* node, const lwModel* model,
                               lwCylinderList* list);

#endif
