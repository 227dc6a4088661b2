// SPDX-License-Identifier: MIT
// A snake in a scalar with constants of its own (LW_OWN_CONSTANTS), and the memory of its kernels:
// 113-bit numbers and dual numbers. The file that includes this has chosen the scalar.
#ifndef LW_ANSWER_OWN_SNAKE_H
#define LW_ANSWER_OWN_SNAKE_H

#include <string.h>

#include "answer/snake_workspace.h"
#include "kernels/registry.h"
#include "kernels/snake/links.h"
#include "linkwork/snake.h"
#include "model/snake_derived.h"

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
static inline bool scalar_snake_memory(OwnSnake* scalar, const lwVariant* variant)
{
  int n        = scalar->snake.n;
  size_t bytes = lw_snake_kernel_bytes(variant->snake[scalar->method], n);
  lwSnakeArrays arrays;
  scalar->parts   = lw_arena_take(&scalar->arena, (size_t)n, sizeof *scalar->parts);
  scalar->scratch = lw_arena_take(&scalar->arena, bytes, 1);
  bool enough     = lw_snake_arrays_take(&scalar->arena, n, sizeof(REAL), &arrays);
  scalar->theta   = arrays.in[0];
  scalar->u       = arrays.in[1];
  scalar->torque  = arrays.in[2];
  memcpy(scalar->out, arrays.out, sizeof arrays.out);
  scalar->snake.scalar_parts = scalar->parts;
  scalar->snake.scalar_sums  = &scalar->sums;
  return enough;
}

// The parts as the description has them, without what is derived.
static inline void scalar_snake_links(OwnSnake* scalar)
{
  for (int k = 0; k < scalar->snake.n; ++k)
  {
    const lwSnakeLink* link = &scalar->snake.links[k];
    scalar->parts[k]        = (Part){.mass    = constant(link->mass),
                                     .inertia = constant(link->inertia),
                                     .half    = constant(link->length / 2),
                                     .offset  = constant(link->wheel_offset)};
  }
}

static inline void scalar_snake_derive(OwnSnake* scalar)
{
  scalar->sums.mass    = derive_parts(scalar->parts, scalar->snake.n);
  scalar->sums.rolling = zero();
  for (int k = 0; k < scalar->snake.n; ++k)
    scalar->sums.rolling = r_add(scalar->sums.rolling, scalar->parts[k].rolling);
}

// The snake with the method of a definition. Its arena is to be freed in any case.
static inline lwStatus scalar_snake_open(OwnSnake* scalar, const lwVariant* variant,
                                         const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                         lwDiag* diag)
{
  lwStatus status = lw_snake_def_method(def, diag, &scalar->method);
  if (status != LW_OK) return status;
  scalar->snake = *snake;
  return scalar_snake_memory(scalar, variant) ? LW_OK : LW_ERROR_MEMORY;
}

// Runs the kernel, for the answers that are wanted and udot; NULL: all.
static inline void scalar_snake_run(OwnSnake* scalar, const lwVariant* variant,
                                    const lwSnakeState* state, const bool* wanted)
{
  lwSnakeOut out;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    out.to[k] = !wanted || wanted[k] || k == LW_SNAKE_OUT_UDOT ? scalar->out[k] : NULL;
  variant->snake[scalar->method]->run(&scalar->snake, scalar->scratch, state, &out);
}

#endif
