// SPDX-License-Identifier: MIT
// M = L^T D L of a full symmetric positive definite matrix, and the solution of M x = b, in place.
// For the inertia matrix of a tree of joints, math/tree_ldl.h skips the entries that are zero.
#ifndef LW_MATH_DENSE_LDL_H
#define LW_MATH_DENSE_LDL_H

#include <stddef.h>

#include "math/real.h"

// Reads the lower triangle of M (n, n); L below the diagonal, 1/D on it; n divisions.
INLINE void dense_ldl_factor(size_t n, REAL* M)
{
  for (size_t k = n; k-- > 0;)
  {
    REAL* row   = &M[k * n];
    REAL over_D = r_div(constant(1), row[k]);
    for (size_t i = k; i-- > 0;)
    {
      REAL L = r_mul(row[i], over_D);
      for (size_t j = 0; j <= i; ++j) M[i * n + j] = sub_mul(M[i * n + j], L, row[j]);
      row[i] = L;
    }
    row[k] = over_D;
  }
}

// x (n) holds b before and the solution after.
INLINE void dense_ldl_solve(size_t n, const REAL* M, REAL* x)
{
  for (size_t k = n; k-- > 0;)
    for (size_t i = 0; i < k; ++i) x[i] = sub_mul(x[i], M[k * n + i], x[k]);
  for (size_t k = 0; k < n; ++k)
  {
    x[k] = r_mul(x[k], M[k * n + k]);
    for (size_t i = 0; i < k; ++i) x[k] = sub_mul(x[k], M[k * n + i], x[i]);
  }
}

#endif
