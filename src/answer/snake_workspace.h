// SPDX-License-Identifier: MIT
// The workspace of one thread for one snake.
#ifndef LW_BATCH_SNAKE_WORK_H
#define LW_BATCH_SNAKE_WORK_H

#include "answer/variants.h"
#include "base/arena.h"
#include "linkwork/snake.h"

enum
{
  LW_SNAKE_INPUTS = 3  // theta, u, torques
};

// Theta, u and torques, and all answers, in one scalar.
typedef struct lwSnakeArrays
{
  void* in[LW_SNAKE_INPUTS];
  void* out[LW_SNAKE_OUTPUTS];
} lwSnakeArrays;

// For n links, of numbers of `size` bytes. False: out of memory.
bool lw_snake_arrays_take(lwArena* arena, int n, size_t size, lwSnakeArrays* arrays);

struct lwSnakeWorkspace
{
  const lwSnake* snake;  // the one it was made for; only compared
  const lwIsa* isa;
  lwPrecision precision;
  int method;            // index in a variant's table
  bool in_lanes;         // many states are answered in lanes
  void* scratch;         // of the kernels
  lwSnakeArrays arrays;  // of the widest variant
  double* inverse;       // (7 n) for lw_snake_torque() and lw_snake_gait()
  lwArena arena;
};

// The method that a definition (NULL: the defaults) names; as lw_snake_workspace_create().
lwStatus lw_snake_def_method(const lwSnakeWorkspaceDef* def, lwDiag* diag, int* method);

// The answers by number, LW_SNAKE_OUT_..
static inline double* const* lw_snake_answer_list(const lwSnakeAnswers* answers)
{
  _Static_assert(sizeof *answers == LW_SNAKE_OUTPUTS * sizeof(double*), "one array for each");
  return (double* const*)answers;
}

// Entries of input k, and of an answer (LW_SNAKE_OUT_..), for n links.
size_t lw_snake_input_size(int k, int n);
size_t lw_snake_output_size(int output, int n);

#endif
