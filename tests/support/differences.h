// SPDX-License-Identifier: MIT
// Derivatives by central differences of 8th order:
// df/dt = sum_k w_k (f(k h) - f(-k h)) / h + O(h^8 / 630).
#ifndef LW_TESTS_DIFFERENCES_H
#define LW_TESTS_DIFFERENCES_H

#include <stddef.h>

#include "linkwork/quad.h"

typedef void Curve(const void* context, double t, double* out);

// d/dt of the count functions of a curve at t = 0. At most 12 of them.
void derivative(Curve* curve, const void* context, double h, size_t count, double* out);

// a - b for two close 113-bit numbers: the differences of their parts are exact.
double quad_difference(lwQuad a, lwQuad b);

#endif
