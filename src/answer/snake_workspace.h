// SPDX-License-Identifier: MIT
// The workspace of one thread for one snake.
#ifndef LW_BATCH_SNAKE_WORK_H
#define LW_BATCH_SNAKE_WORK_H

#include "answer/variants.h"
#include "base/arena.h"

struct lwSnakeWorkspace
{
  const lwSnake* snake;  // the one it was made for; only compared
  const lwIsa* isa;
  lwPrecision precision;
  int method;       // index in a variant's table
  bool in_lanes;    // many states are answered in lanes
  void* scratch;    // of the kernels
  void* inputs;     // (2 n + 1) REAL of the widest variant: theta, u, torque
  void* outputs;    // REAL, all answers
  double* inverse;  // (7 n) for lw_snake_torque() and lw_snake_gait()
  lwArena arena;
};

// Entries of an answer (LW_SNAKE_OUT_..) for n links.
size_t lw_snake_output_size(int output, int n);

// Entries of all answers together.
size_t lw_snake_outputs(int n);

#endif
