// SPDX-License-Identifier: MIT
// What the compiler is told about loops.
#ifndef LW_MATH_UNROLL_H
#define LW_MATH_UNROLL_H

// SHORT_LOOP: few steps, each of which costs as much as its work. WHOLE_LOOP: over the joints of a
// block, which GCC would take apart before it sees that they are vectors. LONG_LOOP: many short
// steps. Unrolled, it does not depend on where in a cache line the compiler puts it.
#if defined(__GNUC__) && !defined(__clang__)
#define SHORT_LOOP _Pragma("GCC unroll 32")
#define WHOLE_LOOP _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#define LONG_LOOP  _Pragma("GCC unroll 4")
#else
#define SHORT_LOOP
#define WHOLE_LOOP
#define LONG_LOOP
#endif

#endif
