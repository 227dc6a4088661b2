// SPDX-License-Identifier: MIT
// From the frames of a description to canonical ones.
#ifndef LW_MODEL_CANONICAL_H
#define LW_MODEL_CANONICAL_H

#include <stdbool.h>

#include "model/model_internal.h"

// Fills what lwModel lists under canonical.c, of a model whose split is set and valid. False: out
// of memory. With LW_NUMBER_QUAD (model/frame_number.h) places of joint frames are in 113 bits, and
// so are links, ends and members: scalar_links, scalar_ends, scalar_members.
bool lw_canonical_build(lwModel* model);

#if defined(LW_NUMBER_QUAD)
typedef struct
{
  LW_LINK_FIELDS(NUMBER)
} CanonicalLink;
typedef struct
{
  LW_ENDS_FIELDS(NUMBER)
} CanonicalEnds;
typedef struct
{
  LW_MEMBER_FIELDS(NUMBER)
} CanonicalMember;
#else
typedef lwLink64 CanonicalLink;
typedef lwEnds64 CanonicalEnds;
typedef lwMember64 CanonicalMember;
#endif

// Sets the fields of all links that follow from place, mass,
// first moment and inertia; see model/derived.h.
void lw_derive_links(const lwModel* model, CanonicalLink* links);

#endif
