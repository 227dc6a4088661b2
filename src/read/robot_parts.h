// SPDX-License-Identifier: MIT
// `parts: file.yaml` or `parts: file.yaml#link` of a link in a robot file.
#ifndef LW_READ_ROBOT_PARTS_H
#define LW_READ_ROBOT_PARTS_H

#include "base/text.h"
#include "linkwork/parts.h"
#include "read/document/document.h"

// The parts files that the links of a robot name, each read once.
typedef struct lwPartsShelf
{
  const lwModelOptions* options;  // or NULL
  lwNameMap paths;                // to the index in files
  int count, capacity;
  lwParts** files;  // (count) NULL: it could not be read, which has been reported
} lwPartsShelf;

// Gives the link the mass properties that its reference names. A reference without # is to the link
// of the same name, `name`, which may be NULL. False after reporting what is wrong, at `place` or
// in the parts file.
bool lw_shelf_fill(lwPartsShelf* shelf, lwDocument* document, const char* reference,
                   const char* name, lwPlace place, lwLinkDef* link);

void lw_shelf_free(lwPartsShelf* shelf);

#endif
