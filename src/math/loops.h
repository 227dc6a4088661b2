// SPDX-License-Identifier: MIT
// What the compiler is told about short loops.
#ifndef LW_MATH_LOOPS_H
#define LW_MATH_LOOPS_H

// Loops whose step costs as much as their work, and loops over the joints of a block, which GCC
// would take apart before it sees that they are vectors.
#if defined(__GNUC__) && !defined(__clang__)
#define SHORT_LOOP _Pragma("GCC unroll 32")
#define WHOLE_LOOP _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#else
#define SHORT_LOOP
#define WHOLE_LOOP
#endif

#endif
