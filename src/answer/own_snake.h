// SPDX-License-Identifier: MIT
// A snake in a scalar with constants of its own (LW_OWN_CONSTANTS), and the memory of its kernels:
// 113-bit numbers and dual numbers. The file that includes this has chosen the scalar.
#ifndef LW_ANSWER_OWN_SNAKE_H
#define LW_ANSWER_OWN_SNAKE_H

#include "answer/snake_workspace.h"
#include "kernels/registry.h"
#include "kernels/snake/links.h"

typedef struct OwnSnake
{
  lwSnake snake;  // parts and sums in REAL
  Part* parts;    // (n)
  WholeSnake sums;
  int method;
  REAL *theta, *u, *torque;     // (n), (2), (n-1)
  REAL* out[LW_SNAKE_OUTPUTS];  // as many as lw_snake_output_size() says
  void* scratch;
  lwArena arena;
} OwnSnake;

// snake and method are set. False: out of memory.
static inline bool own_snake_memory(OwnSnake* own, const lwVariant* variant)
{
  size_t n     = (size_t)own->snake.n;
  size_t bytes = lw_snake_kernel_bytes(variant->snake[own->method], own->snake.n);
  own->parts   = lw_arena_take(&own->arena, n, sizeof *own->parts);
  own->theta   = lw_arena_take(&own->arena, n, sizeof(REAL));
  own->u       = lw_arena_take(&own->arena, 2, sizeof(REAL));
  own->torque  = lw_arena_take(&own->arena, n, sizeof(REAL));
  own->scratch = lw_arena_take(&own->arena, bytes, 1);
  bool enough  = own->parts && own->theta && own->u && own->torque && own->scratch;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
  {
    own->out[k] = lw_arena_take(&own->arena, lw_snake_output_size(k, own->snake.n), sizeof(REAL));
    enough      = enough && own->out[k];
  }
  own->snake.own_parts = own->parts;
  own->snake.own_sums  = &own->sums;
  return enough;
}

#endif
