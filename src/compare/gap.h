// SPDX-License-Identifier: MIT
// Differences between answers, and the scale by which they are measured.
#ifndef LW_COMPARE_GAP_H
#define LW_COMPARE_GAP_H

#include <math.h>

// A disagreement: how large, and the size of the terms that make up the answer. |difference| / (eps
// scale) is its size in units of rounding.
typedef struct lwGap
{
  double difference;
  double scale;
} lwGap;

// The larger one; infinite if one of them is not a number.
static inline double lw_gap_larger(double a, double b)
{
  if (isnan(a) || isnan(b)) return INFINITY;
  return a > b ? a : b;
}

// Adds a difference, and the size of the terms that it is one of.
static inline void lw_gap_add(lwGap* gap, double difference, double scale)
{
  gap->difference = lw_gap_larger(gap->difference, fabs(difference));
  gap->scale      = lw_gap_larger(gap->scale, fabs(scale));
}

static inline double lw_gap_units(lwGap gap, double epsilon)
{
  double units = gap.difference == 0 ? 0 : gap.difference / (epsilon * gap.scale);
  return isnan(units) ? INFINITY : units;
}

// The larger one in units of rounding: entries of different units have scales of their own.
static inline lwGap lw_gap_worse(lwGap a, lwGap b)
{
  return lw_gap_units(a, 1) < lw_gap_units(b, 1) ? b : a;
}

// The derivative at 0 of f by central differences with steps h, h/2, h/4, extrapolated twice: the
// error is of order h^6.
// values: f(h), f(-h), f(h/2), f(-h/2), f(h/4), f(-h/4).
static inline double lw_gap_derivative(const double values[6], double h)
{
  double D[3];
  for (int k = 0; k < 3; ++k, h /= 2) D[k] = (values[2 * k] - values[2 * k + 1]) / (2 * h);
  double first = (4 * D[1] - D[0]) / 3, second = (4 * D[2] - D[1]) / 3;
  return (16 * second - first) / 15;
}

#endif
