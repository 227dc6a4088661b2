// SPDX-License-Identifier: MIT
// Grouped (base) inertial parameters.
#ifndef LW_MODEL_GROUPED_H
#define LW_MODEL_GROUPED_H

#include "model/model.h"

// Sets the grouped_ fields of all links from their mass, moment and pseudo. See grouped.c.
void lw_group_inertials(const lwModel* model, lwLink64* links);

#endif
