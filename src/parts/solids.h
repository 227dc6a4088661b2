// SPDX-License-Identifier: MIT
#ifndef LW_PARTS_SOLIDS_H
#define LW_PARTS_SOLIDS_H

#include "linkwork/parts.h"

// The error message about an invalid size, or NULL.
const char* lw_size_fault(lwSizeRule rule, double size);

// The body of a shape with these sizes. Returns NULL, or a sentence that says
// why there is none; solid is then zero.
const char* lw_solid_make(lwSolidKind shape, const double* sizes, lwSolid* solid);

#endif
