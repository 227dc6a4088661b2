// SPDX-License-Identifier: MIT
// Polynomials with rational coefficients, fitted exactly through integer values.
#ifndef LW_REPORT_POLYNOMIAL_H
#define LW_REPORT_POLYNOMIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
  LW_POLYNOMIAL_DEGREE      = 5,    // at most
  LW_POLYNOMIAL_DENOMINATOR = 120,  // 5!, which every integer-valued polynomial of that degree has
  LW_POLYNOMIAL_CHECKS      = 3,    // values beyond those that determine it that it must meet
  LW_POLYNOMIAL_TEXT        = 128   // room for its text
};

typedef struct lwPolynomial
{
  int degree;                                   // -1: there is none
  int from;                                     // the first n for which it holds
  int64_t numerator[LW_POLYNOMIAL_DEGREE + 1];  // of n^0, n^1, .. over the denominator, as a whole
} lwPolynomial;

// The polynomial of lowest degree that has value[k] at n = first + k for all k from some k
// on, the earliest possible.
lwPolynomial lw_polynomial_fit(int first, int count, const long* value);

// The polynomial with these coefficients of n^0 .. n^3 as people print them: 11.5 is 23/2.
lwPolynomial lw_polynomial_from(const double coefficient[4]);

bool lw_polynomial_meets(const lwPolynomial* polynomial, int n, long value);

// "23/2 n^2 + 15/2 n - 25"; "none" if there is none.
void lw_polynomial_text(const lwPolynomial* polynomial, char* buffer, size_t size);

#endif
