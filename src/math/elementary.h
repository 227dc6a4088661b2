// SPDX-License-Identifier: MIT
// Elementary functions of the project's own, in place of those of libm, whose last bits differ
// between C libraries, their versions and processors. These consist of additions, multiplications,
// divisions, square roots and exact operations (ldexp, frexp, rounding to integers) in one order,
// without fused operations, so that they give the same bits on every machine of IEEE 754. Special
// values are those of C17, annex F. Errors are below the bound beside each, in ulp: spacings of
// doubles at the exact value (tests/math/test_elementary.c measures them against 113 bits).
//
// sqrt, fabs, floor, remainder and the like are exact in every libm and are called there.
#ifndef LW_MATH_ELEMENTARY_H
#define LW_MATH_ELEMENTARY_H

double lw_sin(double x);              // 0.8 ulp, of angles of any size
double lw_cos(double x);              // 0.8 ulp
double lw_tan(double x);              // 2.2 ulp
double lw_exp(double x);              // 0.61 ulp, where the result is not below 2^-1022
double lw_log(double x);              // 0.51 ulp
double lw_log10(double x);            // 0.51 ulp
double lw_log1p(double x);            // 0.8 ulp
double lw_pow(double x, double y);    // 0.6 ulp, where the result is not below 2^-1022
double lw_cbrt(double x);             // 0.51 ulp
double lw_hypot(double x, double y);  // 0.51 ulp
double lw_atan2(double y, double x);  // 0.52 ulp, where the result is not below 2^-1022
double lw_acos(double x);             // 0.52 ulp
double lw_erfc(double x);             // 5 ulp, where the result is not below 2^-1022

// Sine and cosine of an angle beyond FAST_RANGE of math/sincos.h; NaN of one that is not finite.
void lw_huge_sin_cos(double x, double* sine, double* cosine);

#endif
