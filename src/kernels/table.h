// SPDX-License-Identifier: MIT
// All kernels of one variant, in the order of kernels/method_list.h.
#ifndef LW_KERNELS_TABLE_H
#define LW_KERNELS_TABLE_H

#include "kernels/kernel.h"
#include "kernels/lanes.h"
#include "kernels/method_list.h"
#include "kernels/snake/snake_kernel.h"

typedef struct lwVariant
{
  const char* isa;     // "baseline", "avx2", "avx512"
  const char* scalar;  // "f64", "f32", "f64_lanes", "f32_lanes", "count"
  int lanes;           // states in one REAL
  size_t real_size;    // bytes of one REAL
  lwPack* pack;
  lwUnpack* unpack;
  const lwKernel* kernels[LW_KERNEL_COUNT];
  const lwSnakeKernel* snake[LW_SNAKE_METHOD_COUNT];
} lwVariant;

#endif
