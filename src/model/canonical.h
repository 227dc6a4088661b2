// SPDX-License-Identifier: MIT
// From the frames of a description to canonical ones.
#ifndef LW_MODEL_CANONICAL_H
#define LW_MODEL_CANONICAL_H

#include <stdbool.h>

#include "model/model.h"

// Fills n, parent, end, kind, joint, seat, links, ends and tool of a model whose robot is set and valid. False: out of memory.
bool lw_canonical_build(lwModel* model);

// Sets the fields of all links that follow from place, mass, first moment and inertia; see model/derived.h.
void lw_derive_links(const lwModel* model, lwLink64* links);

#endif
