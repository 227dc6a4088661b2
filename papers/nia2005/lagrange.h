// SPDX-License-Identifier: MIT
// Lagrange's method as nia2005 integrates it: all n + 2 coordinates q = (x, y, theta_1 .. theta_n) and their rates are
// the state, and the wheels enter as differentiated constraints, A q'' = -A' q'. Only the equations keep A q'
// at 0. (The library's own Lagrange has theta and u as its state, so that A q' is 0 whatever happens.)
#ifndef PAPERS_NIA2005_LAGRANGE_H
#define PAPERS_NIA2005_LAGRANGE_H

#include "linkwork/snake.h"

typedef struct Lagrange
{
  const lwSnake* snake;
  lwPrecision precision;  // of the arithmetic
  void* memory;           // of lagrange_bytes(), aligned to 64 bytes
} Lagrange;

size_t lagrange_bytes(int n);

// q'' (n + 2) by (26) and (27), corrected.
void lagrange_accelerations(const Lagrange* lagrange, const double* q, const double* qd,
                            const double* torque, double* qdd);

// The same by one precision.
void lagrange_single(const Lagrange* lagrange, const double* q, const double* qd,
                     const double* torque, double* qdd);
void lagrange_double(const Lagrange* lagrange, const double* q, const double* qd,
                     const double* torque, double* qdd);

#endif
