// SPDX-License-Identifier: MIT
// Sample, hold, saturate, round. swartz1982 gives the period and the output voltage; bits and range
// are as in any converter with signed codes, -2^(bits-1) to 2^(bits-1) - 1.
#include "drive/dac.h"

#include <math.h>

#include "base/diag.h"

enum
{
  MAX_BITS = 32
};

// How close a sample must be to count as reached, as a fraction of the period.
static const double NEAR = 1e-9;

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

lwStatus lw_dac_check(const lwDac* dac, lwDiag* diag)
{
  const char* fault = lw_dac_fault(dac);
  if (fault) LW_REFUSE(diag, NULL, "%s", fault);
  return fault ? LW_ERROR_INPUT : LW_OK;
}

double lw_dac_level(const lwDac* dac, double value)
{
  if (dac->bits == 0) return fmax(-dac->range, fmin(dac->range, value));
  double codes = ldexp(1, dac->bits - 1);  // of each sign
  double step  = dac->range / codes;
  return step * fmax(-codes, fmin(codes - 1, rint(value / step)));
}

static double sample_number(const lwDac* dac, double t)
{
  return floor(t / dac->period + NEAR);
}

double lw_dac_sampled(const lwDac* dac, double t)
{
  return dac->period > 0 ? sample_number(dac, t) * dac->period : t;
}

double lw_dac_next(const lwDac* dac, double t)
{
  return dac->period > 0 ? (sample_number(dac, t) + 1) * dac->period : INFINITY;
}
