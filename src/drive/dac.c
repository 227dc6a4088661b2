// SPDX-License-Identifier: MIT
// Saturate and round; base/clock.h says when a converter samples. swartz1982 gives the period and
// the output voltage; bits and range are as in any converter with signed codes, -2^(bits-1) to
// 2^(bits-1) - 1.
#include "drive/dac.h"

#include <math.h>

static const int MAX_BITS = 32;

lwDac lw_dac_ideal(void)
{
  return (lwDac){0, 0, INFINITY};
}

const char* lw_dac_fault(const lwDac* dac)
{
  if (!(dac->period >= 0) || isinf(dac->period)) return "the period must be finite, 0 or above";
  if (dac->bits < 0 || dac->bits > MAX_BITS) return "bits must be 0 (no rounding) to 32";
  if (!(dac->range > 0)) return "the range must be above 0";
  if (dac->bits > 0 && isinf(dac->range)) return "rounding to levels needs a finite range";
  return NULL;
}

double lw_dac_level(const lwDac* dac, double value)
{
  if (dac->bits == 0) return fmax(-dac->range, fmin(dac->range, value));
  double codes = ldexp(1, dac->bits - 1);  // of each sign
  double step  = dac->range / codes;
  return step * fmax(-codes, fmin(codes - 1, rint(value / step)));
}
