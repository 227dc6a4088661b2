// SPDX-License-Identifier: MIT
// Real roots of polynomials of low degree.
#ifndef LW_MATH_ROOTS_H
#define LW_MATH_ROOTS_H

enum
{
  LW_MAX_DEGREE    = 8,
  LW_QUARTIC_ROOTS = 7  // roots and places near to them
};

// c[0] + c[1] x + .. + c[degree] x^degree
double lw_polynomial(const double* c, int degree, double x);

// The roots between low and high, in increasing order, into roots (degree); returns how many. A
// place where the polynomial touches zero but for rounding counts as one root. A polynomial that is
// zero everywhere has none.
int lw_real_roots(const double* c, int degree, double low, double high, double* roots);

// The roots of c[0] + c[1] x + .. + c[4] x^4, wherever they are, and the places where it comes
// within `near` times the size of its terms of zero without crossing it; into roots
// (LW_QUARTIC_ROOTS), returns how many.
int lw_quartic_roots(const double c[5], double near, double* roots);

// Roots of f[0] + f[1] cos x + f[2] sin x + f[3] cos 2x + f[4] sin 2x, x in (-pi, pi].
int lw_trigonometric_roots(const double f[5], double near, double* angles);

#endif
