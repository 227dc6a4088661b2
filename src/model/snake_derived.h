// SPDX-License-Identifier: MIT
// The constants of a snake's links that follow from length, mass, inertia and wheel
// offset, over the scalar of math/real.h. The file that includes this defines Part,
// a struct of LW_SNAKE_PART_FIELDS(REAL).
#ifndef LW_MODEL_SNAKE_DERIVED_H
#define LW_MODEL_SNAKE_DERIVED_H

#include <stdbool.h>

#include "math/real.h"
#include "model/snake_internal.h"

// What follows from mass, inertia, half and offset of the link alone.
INLINE void derive_own_part(Part* part)
{
  part->first_moment    = r_mul(part->mass, part->offset);
  part->axle_inertia    = r_add(part->inertia, r_mul(part->first_moment, part->offset));
  part->front           = r_sub(part->half, part->offset);
  part->rear            = r_add(part->half, part->offset);
  part->over_front      = r_div(constant(1), part->front);
  part->over_rear       = r_div(constant(1), part->rear);
  part->front_over_rear = r_mul(part->front, part->over_rear);
  part->rolling         = r_mul(r_mul(part->axle_inertia, part->over_rear), part->over_rear);
  part->mass_less_J     = r_sub(part->mass, part->rolling);
}

// What depends on the mass ahead of it, and on whether x and y are in its middle (link 1).
INLINE void derive_carried_part(Part* part, bool first, REAL mass_ahead)
{
  REAL behind =
      first ? zero() : part->half;  // from the joint behind, or the middle, to the centre of mass
  part->reach         = r_add(behind, part->half);
  part->carried       = r_add(r_mul(behind, part->mass), r_mul(part->reach, mass_ahead));
  REAL own            = r_add(part->inertia, r_mul(r_mul(behind, behind), part->mass));
  part->own           = r_add(own, r_mul(r_mul(part->reach, part->reach), mass_ahead));
  part->ahead         = r_add(part->mass, mass_ahead);
  part->ahead_share   = r_div(mass_ahead, part->ahead);
  part->ahead_reduced = r_mul(part->mass, part->ahead_share);
}

// Both for all links; returns the mass of the snake.
INLINE REAL derive_parts(Part* parts, int n)
{
  REAL ahead = zero();
  for (int k = n - 1; k >= 0; --k)
  {
    derive_own_part(&parts[k]);
    derive_carried_part(&parts[k], k == 0, ahead);
    ahead = parts[k].ahead;
  }
  return ahead;
}

#endif
