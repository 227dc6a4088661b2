// SPDX-License-Identifier: MIT
// Arithmetic of a REAL that has the operators of C. Included by the scalars only.
INLINE REAL r_add(REAL a, REAL b)
{
  return a + b;
}

INLINE REAL r_sub(REAL a, REAL b)
{
  return a - b;
}

INLINE REAL r_mul(REAL a, REAL b)
{
  return a * b;
}

INLINE REAL r_div(REAL a, REAL b)
{
  return a / b;
}

INLINE REAL r_neg(REAL a)
{
  return -a;
}
