// SPDX-License-Identifier: MIT
// Factorisation M = L^T D L of an inertia matrix, and the solution of M x = b, in place.
//
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, tables 6.3 to 6.5. Going from the tip to the base keeps the
// branches of a tree apart: an entry between two joints of which neither carries the other is zero and stays zero, and
// is never visited. A serial chain is the full matrix.
#ifndef LW_MATH_TREE_LDL_H
#define LW_MATH_TREE_LDL_H

#include <stddef.h>

#include "math/real.h"

// L below the diagonal, 1/D on it; n divisions.
INLINE void tree_ldl_factor(int n, const int* parent, REAL* M)
{
  for (int k = n - 1; k >= 0; --k)
  {
    REAL* row   = &M[(size_t)k * (size_t)n];
    REAL over_D = r_div(constant(1), row[k]);
    row[k]      = over_D;
    for (int i = parent[k]; i >= 0; i = parent[i])
    {
      REAL* target = &M[(size_t)i * (size_t)n];
      REAL L       = r_mul(row[i], over_D);
      for (int j = i; j >= 0; j = parent[j]) target[j] = sub_mul(target[j], L, row[j]);
      row[i] = L;
    }
  }
}

// x holds b before and the solution after.
INLINE void tree_ldl_solve(int n, const int* parent, const REAL* M, REAL* x)
{
  for (int k = n - 1; k >= 0; --k)
    for (int i = parent[k]; i >= 0; i = parent[i])
      x[i] = sub_mul(x[i], M[(size_t)k * (size_t)n + (size_t)i], x[k]);
  for (int k = 0; k < n; ++k)
  {
    x[k] = r_mul(x[k], M[(size_t)k * (size_t)n + (size_t)k]);
    for (int i = parent[k]; i >= 0; i = parent[i])
      x[k] = sub_mul(x[k], M[(size_t)k * (size_t)n + (size_t)i], x[i]);
  }
}

#endif
