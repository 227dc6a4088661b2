// SPDX-License-Identifier: MIT
// A function of time in polynomial pieces of up to fifth order: one joint of a
// trajectory, or the distance along a line.
#ifndef LW_TRAJECTORY_PIECES_H
#define LW_TRAJECTORY_PIECES_H

#include <stdbool.h>

#include "base/arena.h"

enum
{
  LW_PIECE_ORDER = 5
};

typedef struct lwSegment
{
  double start;                  // s
  double length;                 // s
  double c[LW_PIECE_ORDER + 1];  // of powers of t - start
} lwSegment;

typedef struct lwSegments
{
  int count;
  lwSegment* piece;  // (count) one after the other, the first from t = 0
} lwSegments;

// The quintic with this value, first and second derivative at both ends.
lwSegment lw_segment_quintic(const double from[3], const double to[3], double start, double length);

// Room for this many pieces; false: out of memory. count stays 0.
bool lw_segments_take(lwSegments* pieces, lwArena* arena, int most);

// The polynomial of coefficients c at x, and its first two derivatives.
static inline void lw_segment_value(const double c[LW_PIECE_ORDER + 1], double x, double value[3])
{
  value[0] = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
  value[1] = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * (4 * c[4] + x * 5 * c[5])));
  value[2] = 2 * c[2] + x * (6 * c[3] + x * (12 * c[4] + x * 20 * c[5]));
}

// Value and first two derivatives at t, which is between start and end.
void lw_segments_at(const lwSegments* pieces, double t, double value[3]);

// An extreme value of a derivative and when it occurs.
typedef struct lwExtreme
{
  double value;
  double t;  // s
} lwExtreme;

// Lowest and highest value of derivative `order` (0:
// the function itself) over all pieces, to rounding.
void lw_segments_range(const lwSegments* pieces, int order, lwExtreme* lowest, lwExtreme* highest);

// The one that is larger in size.
lwExtreme lw_segments_peak(const lwSegments* pieces, int order);

#endif
