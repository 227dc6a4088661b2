// SPDX-License-Identifier: MIT
// The equations of the free chain of a snake in the directions of its links, with the constraints
// of its wheels: (1)-(5) of lagrange.c, which says what the letters mean.
#ifndef LW_KERNELS_SNAKE_FREE_CHAIN_H
#define LW_KERNELS_SNAKE_FREE_CHAIN_H

#include "kernels/snake/augmented.h"

// l_j and g_j times the direction of link j
typedef struct
{
  Turn l, g;
} LinkSpans;

INLINE Turn times(KNOWN length, Turn e)
{
  return (Turn){r_mul(K(length), e.c), r_mul(K(length), e.s)};
}

// a . b = cos of the angle between, and b x a = sin of it, times lengths
INLINE REAL cos_between(Turn a, Turn b)
{
  return mul_add(a.c, b.c, r_mul(a.s, b.s));
}

INLINE REAL sin_between(Turn a, Turn b)
{
  return mul_sub(a.s, b.c, r_mul(a.c, b.s));
}

INLINE Turn add_scaled(Turn sum, REAL x, Turn a)
{
  return (Turn){mul_add(x, a.c, sum.c), mul_add(x, a.s, sum.s)};
}

// (1), (2), (4)
INLINE void fill_matrices(const lwSnake* snake, const Turn* e, const LinkSpans* arms, Augmented* a)
{
  REAL mass                   = K(SUM_MASS(snake));
  row_of(a->M, 0, a->size)[0] = mass;
  row_of(a->M, 1, a->size)[0] = zero();
  row_of(a->M, 1, a->size)[1] = mass;
  for (int i = 0; i < a->n; ++i)
  {
    const Part* part = &PARTS(snake)[i];
    REAL* M          = row_of(a->M, i + 2, a->size);
    REAL* A          = row_of(a->A, i, a->size);
    M[0]             = r_neg(arms[i].g.s);
    M[1]             = arms[i].g.c;
    A[0]             = r_neg(e[i].s);
    A[1]             = e[i].c;
    for (int j = 0; j < i; ++j)
    {
      M[j + 2] = cos_between(arms[i].g, arms[j].l);
      A[j + 2] = cos_between(e[i], arms[j].l);
    }
    M[i + 2] = K(part->own);
    A[i + 2] = K(i == 0 ? part->offset : part->rear);
  }
}

// Q - B, by (3), and (5)
INLINE void fill_forces(const REAL* torque, const Turn* e, const LinkSpans* arms, SnakeMotion m,
                        Augmented* a)
{
  int n       = a->n;
  Turn behind = {zero(), zero()}, ahead = {zero(), zero()};
  for (int k = 0; k < n; ++k)
  {
    REAL pull      = sin_between(arms[k].g, behind);
    a->b[k + 2]    = r_sub(net_torque(torque, k, n), pull);
    a->drift[k]    = sub_mul(sin_between(e[k], behind), m.w[k], m.V[k]);
    REAL w_squared = r_mul(m.w[k], m.w[k]);
    m.Vd[k]        = w_squared;  // kept for the way back
    if (k < n - 1) behind = add_scaled(behind, w_squared, arms[k].l);
  }
  for (int k = n - 1; k >= 0; --k)
  {
    if (k < n - 1) a->b[k + 2] = r_sub(a->b[k + 2], sin_between(arms[k].l, ahead));
    ahead = add_scaled(ahead, m.Vd[k], arms[k].g);
  }
  a->b[0] = ahead.c;
  a->b[1] = ahead.s;
}

#endif
