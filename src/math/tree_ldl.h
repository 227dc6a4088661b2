// SPDX-License-Identifier: MIT
// Factorisation M = L^T D L of an inertia matrix, and the solution of M x = b, in place.
//
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, tables 6.3 to 6.5. Going from the tip to
// the base keeps the branches of a tree apart: an entry for two joints on different branches is
// zero and stays zero, and is never visited. A serial chain is the full matrix.
#ifndef LW_MATH_TREE_LDL_H
#define LW_MATH_TREE_LDL_H

#include <stdbool.h>
#include <stddef.h>

#include "math/real.h"
#include "math/unroll.h"

// Along a chain the way to the base is all that stands before: then rows are walked from their
// beginning, several entries at a time.
INLINE bool is_chain(int n, const int* parent)
{
  for (int i = 0; i < n; ++i)
    if (parent[i] != i - 1) return false;
  return true;
}

// target -= k row, in all columns on the way from joint i to the base.
INLINE void subtract_row(REAL* restrict target, REAL k, const REAL* restrict row, int i,
                         const int* parent, bool chain)
{
  if (chain)
  {
    LONG_LOOP
    for (int j = 0; j <= i; ++j) target[j] = sub_mul(target[j], k, row[j]);
  }
  else
    for (int j = i; j >= 0; j = parent[j]) target[j] = sub_mul(target[j], k, row[j]);
}

// Rows of a chain two at a time: every row before them is loaded and stored once for both.
INLINE void chain_ldl_pair(size_t n, size_t k, REAL* M)
{
  REAL* restrict row = &M[k * n], * restrict next = &M[(k - 1) * n];
  REAL over_D = r_div(constant(1), row[k]);
  REAL L      = r_mul(row[k - 1], over_D);
  LONG_LOOP
  for (size_t j = 0; j < k; ++j) next[j] = sub_mul(next[j], L, row[j]);
  REAL next_over_D = r_div(constant(1), next[k - 1]);
  row[k]           = over_D;
  row[k - 1]       = L;
  next[k - 1]      = next_over_D;
  for (size_t i = k - 1; i-- > 0;)
  {
    REAL* restrict target = &M[i * n];
    REAL L_row = r_mul(row[i], over_D), L_next = r_mul(next[i], next_over_D);
    LONG_LOOP
    for (size_t j = 0; j <= i; ++j)
      target[j] = sub_mul(sub_mul(target[j], L_row, row[j]), L_next, next[j]);
    row[i]  = L_row;
    next[i] = L_next;
  }
}

// L below the diagonal, 1/D on it; n divisions.
INLINE void tree_ldl_factor(int n, const int* parent, REAL* M)
{
  bool chain = is_chain(n, parent);
  int k      = n - 1;
  for (; k > 0 && chain; k -= 2) chain_ldl_pair((size_t)n, (size_t)k, M);
  for (; k >= 0; --k)
  {
    REAL* row   = &M[(size_t)k * (size_t)n];
    REAL over_D = r_div(constant(1), row[k]);
    row[k]      = over_D;
    for (int i = parent[k]; i >= 0; i = parent[i])
    {
      REAL L = r_mul(row[i], over_D);
      subtract_row(&M[(size_t)i * (size_t)n], L, row, i, parent, false);
      row[i] = L;
    }
  }
}

// x holds b before and the solution after. Along a chain the newest value is used last, so the
// additions need not wait for it.
INLINE void tree_ldl_solve(int n, const int* parent, const REAL* M, REAL* x)
{
  bool chain = is_chain(n, parent);
  for (int k = n - 1; k > 0; --k)
    subtract_row(x, x[k], &M[(size_t)k * (size_t)n], parent[k], parent, chain);
  for (int k = 0; k < n; ++k)
  {
    const REAL* row = &M[(size_t)k * (size_t)n];
    REAL found      = r_mul(x[k], row[k]);
    if (chain)
      for (int i = 0; i < k; ++i) found = sub_mul(found, row[i], x[i]);
    else
      for (int i = parent[k]; i >= 0; i = parent[i]) found = sub_mul(found, row[i], x[i]);
    x[k] = found;
  }
}

#endif
