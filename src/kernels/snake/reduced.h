// SPDX-License-Identifier: MIT
// The two equations M udot + bias = F, once their sums are known.
#ifndef LW_KERNELS_SNAKE_REDUCED_H
#define LW_KERNELS_SNAKE_REDUCED_H

#include "kernels/snake/links.h"

typedef struct
{
  REAL M11, M12, M22;
  REAL bias[2];
  REAL force[2];
} Reduced;

INLINE Reduced no_sums(void)
{
  REAL none = zero();
  return (Reduced){none, none, none, {none, none}, {none, none}};
}

// udot = M^-1 b by Cramer's rule; M is positive definite. One division.
INLINE void solve_reduced(REAL M11, REAL M12, REAL M22, const REAL b[2], REAL udot[2])
{
  REAL det      = mul_sub(M11, M22, r_mul(M12, M12));
  REAL over_det = r_div(constant(1), det);
  udot[0]       = r_mul(mul_sub(M22, b[0], r_mul(M12, b[1])), over_det);
  udot[1]       = r_mul(mul_sub(M11, b[1], r_mul(M12, b[0])), over_det);
}

INLINE void report_reduced(const Reduced* r, const lwSnakeOut* out)
{
  REAL* M = OUT(out, M);
  if (M)
  {
    M[0] = r->M11;
    M[1] = M[2] = r->M12;
    M[3]        = r->M22;
  }
  for (int i = 0; i < 2; ++i)
  {
    if (OUT(out, BIAS)) OUT(out, BIAS)[i] = r->bias[i];
    if (OUT(out, FORCE)) OUT(out, FORCE)[i] = r->force[i];
  }
}

INLINE bool wants_reduced(const lwSnakeOut* out)
{
  return OUT(out, M) || OUT(out, BIAS) || OUT(out, FORCE);
}

#endif
