// SPDX-License-Identifier: MIT
// Vectors of double of any length.
#ifndef LW_LINEAR_VECTORS_H
#define LW_LINEAR_VECTORS_H

#include <math.h>

#include "math/rotation.h"  // lw_dot_product()

// |a| . |b|, to judge a . b by.
static inline double lw_dot_size(int n, const double* a, const double* b)
{
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += fabs(a[i] * b[i]);
  return sum;
}

// The largest |a_i|; infinite if one of them is not a number.
static inline double lw_largest_entry(int n, const double* a)
{
  double most = 0;
  for (int i = 0; i < n; ++i) most = isnan(a[i]) ? INFINITY : fmax(most, fabs(a[i]));
  return most;
}

#endif
