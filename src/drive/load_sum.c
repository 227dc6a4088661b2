// SPDX-License-Identifier: MIT
#include "drive/load_sum.h"

#include <math.h>

// Trapezoidal rule over an interval of h seconds.
static void add_interval(lwLoadSum* sum, double from, double to, double h)
{
  sum->integral += 0.5 * h * (from + to);
  sum->square += 0.5 * h * (from * from + to * to);
  sum->positive += 0.5 * h * (fmax(from, 0) + fmax(to, 0));
  sum->negative += 0.5 * h * (fmin(from, 0) + fmin(to, 0));
}

void lw_load_sum_add(lwLoadSum* sum, const lwLoadSpan* span, double before, double value, double t)
{
  if (span->count == 0 || fabs(value) > fabs(sum->peak))
  {
    sum->peak      = value;
    sum->peak_time = t;
  }
  if (span->count > 0) add_interval(sum, before, value, t - span->end);
}

double lw_load_sum_rms(const lwLoadSum* sum, const lwLoadSpan* span, double last)
{
  double duration = span->end - span->begin;
  return duration > 0 ? sqrt(sum->square / duration) : fabs(last);
}
