// SPDX-License-Identifier: MIT
// What links weigh, and where every kilogram comes from, as a table, as csv or as json.
#ifndef LW_REPORT_ROBOT_PARTS_TABLE_H
#define LW_REPORT_ROBOT_PARTS_TABLE_H

#include "linkwork/parts.h"
#include "text/out.h"

// The links that are shown.
typedef struct lwPartsShown
{
  const lwParts* parts;
  int first, count;
} lwPartsShown;

void lw_parts_write(lwOut* out, lwFormat format, const lwPartsShown* shown);

#endif
