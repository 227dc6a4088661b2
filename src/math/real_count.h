// SPDX-License-Identifier: MIT
// REAL as a value that tallies the operations it takes part in. Included by real.h only.
//
// Executed: every operation. Folded: operations that a program specialised to this robot would
// still contain. What can be computed before the state is known (off-line) costs nothing, and
// neither does adding 0 or multiplying by 0, 1 or -1.
#include <math.h>
#include <stdbool.h>

#include "math/tally.h"

#define LW_SCALAR_NAME count

typedef double SCALAR;
typedef double CONST;

typedef struct
{
  double value;
  bool off_line;  // known when the model is built
} REAL;

enum
{
  LANES = 1
};

INLINE REAL constant(CONST x)
{
  return (REAL){x, true};
}

INLINE bool is_known(REAL a, double x)
{
  return a.off_line && a.value == x;
}

INLINE REAL sum(REAL a, REAL b, double value)
{
  lw_tally.executed_add++;
  if (is_known(b, 0)) return (REAL){value, a.off_line};
  if (is_known(a, 0)) return (REAL){value, b.off_line};
  if (a.off_line && b.off_line) return constant(value);
  lw_tally.add++;
  return (REAL){value, false};
}

INLINE REAL r_add(REAL a, REAL b)
{
  return sum(a, b, a.value + b.value);
}

INLINE REAL r_sub(REAL a, REAL b)
{
  return sum(a, b, a.value - b.value);
}

INLINE REAL r_mul(REAL a, REAL b)
{
  lw_tally.executed_mul++;
  if (is_known(a, 0) || is_known(b, 0)) return constant(0);
  double value = a.value * b.value;
  if (a.off_line && b.off_line) return constant(value);
  if (fabs(a.value) != 1 || !a.off_line)
    if (fabs(b.value) != 1 || !b.off_line) lw_tally.mul++;
  return (REAL){value, false};
}

INLINE REAL r_div(REAL a, REAL b)
{
  lw_tally.executed_div++;
  if (is_known(a, 0)) return constant(0);
  bool off_line = a.off_line && b.off_line;
  if (!off_line && !is_known(b, 1) && !is_known(b, -1)) lw_tally.div++;
  return (REAL){a.value / b.value, off_line};
}

INLINE REAL r_neg(REAL a)
{
  return (REAL){-a.value, a.off_line};
}

INLINE REAL r_sqrt(REAL a)
{
  lw_tally.executed_sqrt++;
  if (!a.off_line) lw_tally.sqrt++;
  return (REAL){sqrt(a.value), a.off_line};
}

// The angle a - b
INLINE REAL angle_sub(REAL a, REAL b)
{
  return r_sub(a, b);
}
