// SPDX-License-Identifier: MIT
// Real roots of polynomials of low degree.
#ifndef LW_MATH_ROOTS_H
#define LW_MATH_ROOTS_H

enum
{
  LW_MAX_DEGREE = 8
};

// c[0] + c[1] x + .. + c[degree] x^degree
double lw_polynomial(const double* c, int degree, double x);

// The roots between low and high, in increasing order, into roots (degree); returns how many. A place where the
// polynomial touches zero but for rounding counts as one root. A polynomial that is zero everywhere has none.
int lw_real_roots(const double* c, int degree, double low, double high, double* roots);

#endif
