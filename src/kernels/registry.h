// SPDX-License-Identifier: MIT
// Which kernel answers what.
#ifndef LW_KERNELS_REGISTRY_H
#define LW_KERNELS_REGISTRY_H

#include "kernels/table.h"
#include "linkwork/methods.h"

#endif
