// SPDX-License-Identifier: MIT
// The inverse of an inertia matrix from its factors M = L^T D L (math/tree_ldl.h), in place.
//
// M^-1 = K D^-1 K^T with K = L^-1. K has the zeros of L, and rows are traversed from their
// beginning, so a tree is treated as the full matrix with zeros in it.
#ifndef LW_MATH_TREE_INVERSE_H
#define LW_MATH_TREE_INVERSE_H

#include "math/tree_ldl.h"

// Row i of K from the rows before: K_i = -sum over m of L_im K_m
INLINE void invert_row(int n, REAL* M, int i)
{
  REAL* restrict row = M + (size_t)i * (size_t)n;
  for (int m = 0; m < i; ++m)
  {
    const REAL* restrict before = M + (size_t)m * (size_t)n;
    REAL L                      = row[m];
    for (int j = 0; j < m; ++j) row[j] = sub_mul(row[j], L, before[j]);
    row[m] = r_neg(L);
  }
}

// Row i of K D^-1 K^T; the rows before are still those of K, with 1/D on the diagonal.
INLINE void multiply_row(int n, REAL* M, int i)
{
  REAL* row  = M + (size_t)i * (size_t)n;
  REAL whole = row[i];
  for (int k = 0; k < i; ++k)
  {
    REAL scaled = r_mul(row[k], M[(size_t)k * (size_t)n + (size_t)k]);
    whole       = mul_add(scaled, row[k], whole);
    row[k]      = scaled;
  }
  row[i] = whole;
  for (int j = i - 1; j >= 0; --j)
  {
    const REAL* other = M + (size_t)j * (size_t)n;
    REAL sum          = row[j];
    for (int k = 0; k < j; ++k) sum = mul_add(row[k], other[k], sum);
    row[j]                               = sum;
    M[(size_t)j * (size_t)n + (size_t)i] = sum;
  }
}

// The factors become the inverse, both triangles.
INLINE void tree_ldl_invert(int n, REAL* M)
{
  for (int i = 1; i < n; ++i) invert_row(n, M, i);
  for (int i = n - 1; i >= 0; --i) multiply_row(n, M, i);
}

#endif
