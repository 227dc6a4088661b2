// SPDX-License-Identifier: MIT
// The derived constants of links in double; model/derived.h has the text.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "model/canonical.h"

typedef lwLink64 Link;
#include "model/derived.h"

void lw_derive_links(const lwModel* model, lwLink64* links)
{
  derive_links(model, links);
}
