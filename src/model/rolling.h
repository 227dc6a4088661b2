// SPDX-License-Identifier: MIT
// Rows that hold velocities: skates, wheels, discs and feet. A row says g . V = 0, V the velocity of
// the point of a link that touches the ground, g a direction:
//
//   n   axle, or direction of a skate's edge; turns with the link      n' = w x n
//   h   heading, n x z / |n x z|                u   across it, z x h
//   d   from the centre to the lowest point, per radius: n x h
//   V   v + R w x d, v of the centre; the point is another one of the link at every time, so that
//       dV/dt = a + R (dw/dt x d + w x d'), with d' that of n and not w x d
//
//   skate   g = n, R = 0      wheel   g = h      disc   g = h and u      contact   g = x, y, z, R = 0
#ifndef LW_MODEL_ROLLING_H
#define LW_MODEL_ROLLING_H

#include "model/changing.h"
#include "model/loops.h"

enum
{
  LW_ROLLING_MOST_ROWS = 3
};

// Whether a loop of this type holds velocities only.
bool lw_loop_rolls(lwLoopType type);

// Where the rows of a link act: g of each, and from the origin of frame B to the point that touches
// the ground; canonical base axes.
typedef struct lwRollingPlace
{
  double g[LW_ROLLING_MOST_ROWS][3], arm[3];
} lwRollingPlace;

// frames: (2) those of the pair, A being that of the base.
lwRollingPlace lw_rolling_place(const lwLoopPair* pair, const lwTransform* frames);

// The motion of frame B, and how it changes along a direction: velocity and acceleration of its
// origin, angular ones; and the rotation of the link along that direction.
typedef struct lwRollingMotion
{
  lwChanging v, a, w, wd;
  double turn[3];
} lwRollingMotion;

// g . V of each row, and its derivative by time.
typedef struct lwRollingRates
{
  lwChangingNumber velocity[LW_ROLLING_MOST_ROWS], acceleration[LW_ROLLING_MOST_ROWS];
} lwRollingRates;

lwRollingRates lw_rolling_rates(const lwLoopPair* pair, const lwTransform* frames,
                                const lwRollingMotion* motion);

#endif
