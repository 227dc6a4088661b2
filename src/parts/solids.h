// SPDX-License-Identifier: MIT
#ifndef LW_PARTS_SOLIDS_H
#define LW_PARTS_SOLIDS_H

#include "linkwork/parts.h"

// The sentence about a size that may not be, or NULL.
const char* lw_size_fault(lwSizeRule rule, double size);

#endif
