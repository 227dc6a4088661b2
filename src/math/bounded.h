// SPDX-License-Identifier: MIT
// Forces between bounds: contacts and friction that hold as far as they can.
#ifndef LW_MATH_BOUNDED_H
#define LW_MATH_BOUNDED_H

#include <stdbool.h>
#include <stddef.h>

// Where a force is.
typedef enum lwBound
{
  LW_BOUND_NONE,  // between its bounds: its acceleration is 0
  LW_BOUND_LOW,   // at the lower bound: the acceleration is not negative
  LW_BOUND_HIGH   // at the upper one: it is not positive
} lwBound;

// a = W x + c, each x_i between low_i and high_i (which may be infinite).
typedef struct lwBounded
{
  int n;
  const double* W;     // (n x n) symmetric, positive semidefinite
  const double* c;     // (n)
  const double* low;   // (n)
  const double* high;  // (n)
  double slack;        // a bound may be exceeded by this part of itself
  lwBound* side;       // (n) a guess before, the answer after
  double* x;           // (n) the answer
  double* memory;      // lw_bounded_memory(n) doubles
} lwBounded;

size_t lw_bounded_memory(int n);

// x for the current sides. Of rows that depend on others, the later ones get x = 0.
void lw_bounded_equal(lwBounded* problem);

// Finds sides and x by Murty's principal pivoting: the first that is wrong changes its side, again
// and again (Murty 1974). Rows that contradict each other (wheels at the moment in which they
// cannot roll together) yield a little, so that their forces grow until one is at a bound and lets
// go. If none has a bound, they are left as lw_bounded_equal() does. False if that does not end,
// which only a singular W can cause; x then is that of the last sides.
bool lw_bounded_solve(lwBounded* problem);

#endif
