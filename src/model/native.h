// SPDX-License-Identifier: MIT
// The model whose ball and floating joints are wide.
#ifndef LW_MODEL_NATIVE_H
#define LW_MODEL_NATIVE_H

#include "model/model_internal.h"

// Fills native of a complete model that has ball or floating joints and no coupled ones; leaves it
// NULL otherwise. False: out of memory.
bool lw_native_build(lwModel* model);

#endif
