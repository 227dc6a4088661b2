// SPDX-License-Identifier: MIT
// Joints that nothing resists.
#ifndef LW_MODEL_INERT_H
#define LW_MODEL_INERT_H

#include "model/model.h"

enum
{
  LW_NO_INERT_JOINT  = -1,
  LW_INERT_NO_MEMORY = -2
};

// The first moving joint for which forward dynamics is impossible in every configuration, because what it moves gives
// it no inertia about its axis (no mass along it, for a prismatic joint).
int lw_model_find_inert(const lwModel* model);

#endif
