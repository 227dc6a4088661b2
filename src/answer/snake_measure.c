// SPDX-License-Identifier: MIT
// Operation counts of snake methods, by running a kernel's own text with a scalar that counts.
#define LW_SCALAR_count
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/real.h"

#include "answer/variants.h"
#include "kernels/registry.h"

// A state like any other: no entry is 0 or 1, and all are known only at run time.
static REAL* snake_arbitrary_values(lwArena* arena, int n, double start)
{
  REAL* values = lw_arena_take(arena, (size_t)n, sizeof *values);
  for (int i = 0; values && i < n; ++i) values[i] = (REAL){start + 0.01 * (i % 97), false};
  return values;
}

lwStatus lw_snake_method_measure(const lwSnake* snake, int i, lwCount* count)
{
  const lwSnakeKernel* kernel = lw_count_variant()->snake[i];
  lwArena arena               = {0};
  lwSnakeState state          = {.theta = snake_arbitrary_values(&arena, snake->n, 0.3)};
  lwSnakeOut out              = {{0}};
  state.u                     = snake_arbitrary_values(&arena, 2, 0.4);
  state.torque                = snake_arbitrary_values(&arena, snake->n - 1, 0.6);
  out.to[LW_SNAKE_OUT_UDOT]   = lw_arena_take(&arena, 2, sizeof(REAL));
  void* work                  = lw_arena_take(&arena, lw_snake_kernel_bytes(kernel, snake->n), 1);

  bool enough = state.theta && state.u && state.torque && out.to[LW_SNAKE_OUT_UDOT] && work;
  if (enough)
  {
    lw_tally = (lwCount){0};
    kernel->run(snake, work, &state, &out);
    *count = lw_tally;
  }
  lw_arena_free(&arena);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}
