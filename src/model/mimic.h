// SPDX-License-Identifier: MIT
// Joints that follow others.
#ifndef LW_MODEL_MIMIC_H
#define LW_MODEL_MIMIC_H

#include "model/lint/lint.h"
#include "model/model_internal.h"

// Reports leaders that do not exist and joints that follow themselves. False: out of memory.
bool lw_check_mimics(lwCheck* check);

// Fills dof, independent, leader, gain and shift of a model whose moving joints are known.
// False: out of memory.
bool lw_mimic_build(lwModel* model);

#endif
