// SPDX-License-Identifier: MIT
// The workspace of one thread.
#ifndef LW_BATCH_WORK_H
#define LW_BATCH_WORK_H

#include "base/arena.h"
#include "batch/variants.h"

struct lwWork
{
  const lwIsa* isa;
  lwPrecision precision;
  int kernel[LW_QUESTION_COUNT];     // index in a variant's table
  bool in_lanes[LW_QUESTION_COUNT];  // many states are answered in lanes
  const char* method[LW_QUESTION_COUNT];
  void* scratch;     // of the kernels
  void* inputs;      // (4 n + 6) REAL of the widest variant
  void* outputs;     // REAL, the answer in lanes
  double wrench[6];  // N, N m
  bool has_wrench;
  int refine;
  bool rotors;
  lwArena arena;
};

// Index of the kernel that answers a question by a method (NULL for questions with one way only), or -1.
int lw_kernel_index(const lwModel* model, lwQuestion question, const char* method);

#endif
