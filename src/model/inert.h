// SPDX-License-Identifier: MIT
// Moving joints without inertia.
#ifndef LW_MODEL_INERT_H
#define LW_MODEL_INERT_H

#include "model/model_internal.h"

// Marks the moving joints, inert (n), for which forward dynamics is impossible in every
// configuration, because what they move gives them no inertia about their axis (no mass along it,
// for a prismatic joint), be it that joints further out move along. moves (n): all joints of the
// first such motion. rotors: those of motors count, too. False: out of memory.
bool lw_model_find_inert(const lwModel* model, bool rotors, bool* inert, bool* moves);

// Whether some configuration may make the inertia matrix singular: only if a joint moves its own
// link without energy. Otherwise no motion of all joints is without energy.
bool lw_model_may_be_singular(const lwModel* model);

#endif
