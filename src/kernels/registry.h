// SPDX-License-Identifier: MIT
// Which kernel answers what.
#ifndef LW_KERNELS_REGISTRY_H
#define LW_KERNELS_REGISTRY_H

#include "kernels/questions.h"
#include "kernels/table.h"

#endif
