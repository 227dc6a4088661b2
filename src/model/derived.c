// SPDX-License-Identifier: MIT
// The derived constants of links in the number of the model; model/derived.h has the text.
#include "model/canonical.h"

#if defined(LW_NUMBER_QUAD)
#define LW_SCALAR_quad
#else
#define LW_SCALAR_f64
#endif
#define LW_ISA        baseline
#define LW_LANE_BYTES 0

typedef CanonicalLink Link;
#include "model/derived.h"

void lw_derive_links(const lwModel* model, CanonicalLink* links)
{
  derive_links(model, links);
}
