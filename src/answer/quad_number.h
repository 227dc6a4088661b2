// SPDX-License-Identifier: MIT
// Converts between 113-bit numbers and the callers' doubles.
#ifndef LW_ANSWER_QUAD_NUMBER_H
#define LW_ANSWER_QUAD_NUMBER_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "linkwork/quad.h"
#include "math/quad_float.h"

#if LINKWORK_QUAD

// What is left after the first part is exact, and so is what is left after the second.
static inline lwQuad split_number(lwQuadNumber x)
{
  lwQuad out        = {{(double)x, 0, 0}};
  lwQuadNumber left = x - out.part[0];
  bool finite       = isfinite(out.part[0]);
  out.part[1]       = finite ? (double)left : 0;
  out.part[2]       = finite ? (double)(left - out.part[1]) : 0;
  return out;
}

static inline lwQuadNumber join_number(lwQuad number)
{
  return (lwQuadNumber)number.part[0] + number.part[1] + number.part[2];
}

// from NULL: NULL.
static inline const lwQuadNumber* widen_to_quad(const double* from, size_t count, lwQuadNumber* to)
{
  if (!from) return NULL;
  for (size_t i = 0; i < count; ++i) to[i] = from[i];
  return to;
}

#else

static inline lwStatus refuse_quad(lwDiag* diag)
{
  LW_REFUSE(diag, NULL, "%s", "this build has no 113-bit arithmetic");
  return LW_ERROR_QUAD;
}

#endif

#endif
