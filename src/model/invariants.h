// SPDX-License-Identifier: MIT
// What holds for every model that was built.
#ifndef LW_MODEL_INVARIANTS_H
#define LW_MODEL_INVARIANTS_H

#include "model/model_internal.h"

// Asserts it, in builds with assertions (LINKWORK_CHECKS).
void lw_model_assert(const lwModel* model);

#endif
