// SPDX-License-Identifier: MIT
// What a kernel about snakes is to the rest of the library.
#ifndef LW_KERNELS_SNAKE_SNAKE_KERNEL_H
#define LW_KERNELS_SNAKE_SNAKE_KERNEL_H

#include "kernels/kernel.h"
#include "model/snake_internal.h"

// One state in the kernel's own scalar (a vector of states for lanes). NULL stands for zeros.
typedef struct lwSnakeState
{
  const void* theta;   // (n)
  const void* u;       // (2)
  const void* torque;  // (n-1)
} lwSnakeState;

// The answers in the order of lwSnakeAnswers:
//   X(NAME, field, entries per link, further entries)
#define LW_SNAKE_OUTPUT_LIST(X)                                                                    \
  X(UDOT, udot, 0, 2)                                                                              \
  X(V, V, 1, 0)                                                                                    \
  X(OMEGA, omega, 1, 0)                                                                            \
  X(THETA_DDOT, theta_ddot, 1, 0)                                                                  \
  X(LAMBDA, lambda, 1, 0)                                                                          \
  X(RATES, rates, 0, 2)                                                                            \
  X(RATES_DOT, rates_dot, 0, 2)                                                                    \
  X(M, M, 0, 4)                                                                                    \
  X(BIAS, bias, 0, 2)                                                                              \
  X(FORCE, force, 0, 2)                                                                            \
  X(PARTIAL, partial, 2, 0)                                                                        \
  X(KINETIC, kinetic, 0, 1)                                                                        \
  X(POWER, power, 0, 1)

#define LW_SNAKE_OUTPUT_INDEX(NAME, field, per_link, further) LW_SNAKE_OUT_##NAME,
enum
{
  LW_SNAKE_OUTPUT_LIST(LW_SNAKE_OUTPUT_INDEX) LW_SNAKE_OUTPUTS
};
#undef LW_SNAKE_OUTPUT_INDEX

// Where the answers go, in the kernel's scalar. NULL: not asked for. udot is always asked for.
typedef struct lwSnakeOut
{
  void* to[LW_SNAKE_OUTPUTS];
} lwSnakeOut;

// Reads the state, writes the answers. work has at least the bytes that the kernel asks for and is
// aligned to 64 bytes. Allocates nothing, cannot fail.
typedef void lwSnakeFn(const lwSnake* snake, void* work, const lwSnakeState* state,
                       const lwSnakeOut* out);

typedef struct lwSnakeKernel
{
  lwSnakeFn* run;
  size_t per_link;  // bytes of workspace per link; there are two links more than links
  size_t per_pair;  // bytes of workspace per pair of those
} lwSnakeKernel;

// The largest number of extra cache lines: every array that a kernel cuts from its workspace begins
// a new cache line, and some have two more lines for vectors of sines and cosines.
enum
{
  LW_SNAKE_LINES = 48
};

// Bytes of workspace that a kernel needs for n links.
static inline size_t lw_snake_kernel_bytes(const lwSnakeKernel* kernel, int n)
{
  size_t links = (size_t)n + 2;
  return lw_lines(links, kernel->per_link) + lw_lines(links * links, kernel->per_pair) +
         LW_SNAKE_LINES * 64;
}

#endif
