// SPDX-License-Identifier: MIT
// The model whose ball and floating joints are wide.
#ifndef LW_MODEL_NATIVE_H
#define LW_MODEL_NATIVE_H

#include "model/model_internal.h"

// Fills native of a complete model that has ball or floating joints; leaves it NULL otherwise.
// False: out of memory.
bool lw_native_build(lwModel* model);

// Finds the wide joints of a canonical robot, which are the ball and floating joints of the model,
// in their order. False: out of memory.
bool lw_freedoms_build(lwModel* native, const lwModel* model);

#endif
