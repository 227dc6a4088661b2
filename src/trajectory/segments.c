// SPDX-License-Identifier: MIT
#include "trajectory/segments.h"

#include <math.h>

#include "math/roots.h"

bool lw_segments_take(lwSegments* pieces, lwArena* arena, int most)
{
  *pieces = (lwSegments){0, lw_arena_take(arena, (size_t)most, sizeof(lwSegment))};
  return pieces->piece != NULL;
}

lwSegment lw_segment_quintic(const double from[3], const double to[3], double start, double length)
{
  double h = length, h3 = h * h * h;
  double D  = to[0] - from[0] - h * (from[1] + 0.5 * h * from[2]);  // what three terms leave open
  double Dv = h * (to[1] - from[1] - h * from[2]);
  double Da = h * h * (to[2] - from[2]);
  return (lwSegment){start,
                     length,
                     {from[0], from[1], 0.5 * from[2], (10 * D - 4 * Dv + 0.5 * Da) / h3,
                      (-15 * D + 7 * Dv - Da) / (h3 * h),
                      (6 * D - 3 * Dv + 0.5 * Da) / (h3 * h * h)}};
}

// The last piece that has begun at t.
static const lwSegment* piece_at(const lwSegments* pieces, double t)
{
  int low = 0, high = pieces->count - 1;
  while (low < high)
  {
    int middle = (low + high + 1) / 2;
    if (pieces->piece[middle].start <= t)
      low = middle;
    else
      high = middle - 1;
  }
  return &pieces->piece[low];
}

// Coefficients of derivative `order`; returns its degree.
static int derive(const double* c, int order, double* out)
{
  for (int k = 0; k <= LW_PIECE_ORDER; ++k) out[k] = c[k];
  for (int o = 0; o < order; ++o)
    for (int k = 0; k <= LW_PIECE_ORDER; ++k)
      out[k] = k < LW_PIECE_ORDER ? (k + 1) * out[k + 1] : 0;
  return LW_PIECE_ORDER - order;
}

void lw_segments_at(const lwSegments* pieces, double t, double value[3])
{
  const lwSegment* piece = piece_at(pieces, t);
  lw_segment_value(piece->c, t - piece->start, value);
}

void lw_segments_range(const lwSegments* pieces, int order, lwExtreme* lowest, lwExtreme* highest)
{
  *lowest  = (lwExtreme){INFINITY, 0};
  *highest = (lwExtreme){-INFINITY, 0};
  for (int i = 0; i < pieces->count; ++i)
  {
    const lwSegment* piece = &pieces->piece[i];
    double values[LW_PIECE_ORDER + 1], rates[LW_PIECE_ORDER + 1];
    double times[LW_PIECE_ORDER + 2] = {0};  // ends, and where the derivative vanishes
    int degree                       = derive(piece->c, order, values);
    derive(piece->c, order + 1, rates);
    int count      = 1 + lw_real_roots(rates, degree - 1, 0, piece->length, times + 1);
    times[count++] = piece->length;
    for (int k = 0; k < count; ++k)
    {
      double value = lw_polynomial(values, degree, times[k]);
      lwExtreme at = {value, piece->start + times[k]};
      if (value < lowest->value) *lowest = at;
      if (value > highest->value) *highest = at;
    }
  }
}

lwExtreme lw_segments_peak(const lwSegments* pieces, int order)
{
  lwExtreme low, high;
  lw_segments_range(pieces, order, &low, &high);
  return -low.value > high.value ? low : high;
}
