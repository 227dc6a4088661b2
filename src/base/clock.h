// SPDX-License-Identifier: MIT
// Clocks of converters, steps of fixed length and records: a whole number counts the samples, and
// the time of a sample is one product. No sample is found from a time that has been reached, so
// rounding of times can neither drop nor repeat one. Where times of two clocks differ by rounding
// only (15 * 0.01 and 3 * 0.05), each takes its own samples, in the order of these numbers.
#ifndef LW_BASE_CLOCK_H
#define LW_BASE_CLOCK_H

#include <math.h>
#include <stdint.h>

typedef struct lwClock
{
  double start;   // s, of sample 0
  double period;  // s
  int64_t k;      // the next sample
} lwClock;

static inline double lw_clock_time(const lwClock* clock)
{
  return clock->start + (double)clock->k * clock->period;
}

// A clock whose next sample is the last one that is not after t.
static inline lwClock lw_clock_at(double start, double period, double t)
{
  double quotient = (t - start) / period;
  if (!(fabs(quotient) < 0x1p53)) return (lwClock){t, period, 0};  // finer than the rounding of t
  lwClock clock = {start, period, (int64_t)floor(quotient) + 1};   // this is one off at most
  while (lw_clock_time(&clock) > t) --clock.k;
  return clock;
}

// Number of records of a run from 0 to its end: one every interval, and one at the end.
static inline int64_t lw_clock_records(double end, double interval)
{
  return (int64_t)ceil(end / interval - 1e-9) + 1;
}

// Time of record k of them.
static inline double lw_clock_record(int64_t k, double end, double interval)
{
  return k < lw_clock_records(end, interval) - 1 ? (double)k * interval : end;
}

#endif
