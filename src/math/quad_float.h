// SPDX-License-Identifier: MIT
// 113-bit IEEE numbers. LINKWORK_QUAD is 1 if the compiler and its
// libm or libquadmath have them, else 0.
#ifndef LW_MATH_QUAD_FLOAT_H
#define LW_MATH_QUAD_FLOAT_H

#if LINKWORK_QUAD

#include <float.h>
#include <math.h>

#if LDBL_MANT_DIG == 113

typedef long double lwQuadNumber;
#define lw_quad_sin   sinl
#define lw_quad_cos   cosl
#define lw_quad_sqrt  sqrtl
#define lw_quad_atan2 atan2l

#elif LINKWORK_QUADMATH

typedef __float128 lwQuadNumber;
__float128 sinq(__float128 x);
__float128 cosq(__float128 x);
__float128 sqrtq(__float128 x);
__float128 atan2q(__float128 y, __float128 x);
#define lw_quad_sin   sinq
#define lw_quad_cos   cosq
#define lw_quad_sqrt  sqrtq
#define lw_quad_atan2 atan2q

#else

// Declared here because not every compiler that has the type lets <math.h> declare them.
typedef __float128 lwQuadNumber;
__float128 sinf128(__float128 x);
__float128 cosf128(__float128 x);
__float128 sqrtf128(__float128 x);
__float128 atan2f128(__float128 y, __float128 x);
#define lw_quad_sin   sinf128
#define lw_quad_cos   cosf128
#define lw_quad_sqrt  sqrtf128
#define lw_quad_atan2 atan2f128

#endif
#endif

#endif
