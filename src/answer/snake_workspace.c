// SPDX-License-Identifier: MIT
// Making a workspace for a snake: the method is looked up and memory is taken here, so that answering cannot fail.
#include "answer/snake_workspace.h"

#include <stdlib.h>

#include "kernels/registry.h"
#include "linkwork/snake.h"

// Lanes hold a state per lane in every temporary. Beyond these sizes they fall out of the caches and many states are
// answered one by one, with the same bits.
enum
{
  LANES_UP_TO        = 1024,  // links, for methods of O(n) memory
  MATRIX_LANES_UP_TO = 64     // links, for those of O(n^2)
};

lwSnakeWorkDef lw_snake_work_def(void)
{
  return (lwSnakeWorkDef){lw_snake_method(0)->name, LW_DOUBLE};
}

size_t lw_snake_output_size(int output, int n)
{
#define SIZE(NAME, field, per_link, further) {per_link, further},
  static const struct
  {
    size_t per_link, further;
  } sizes[] = {LW_SNAKE_OUTPUT_LIST(SIZE)};
  return sizes[output].per_link * (size_t)n + sizes[output].further;
}

size_t lw_snake_outputs(int n)
{
  size_t sum = 0;
  for (int i = 0; i < LW_SNAKE_OUTPUTS; ++i) sum += lw_snake_output_size(i, n);
  return sum;
}

static bool take_memory(lwSnakeWork* work, const lwSnake* snake)
{
  int n                        = snake->n;
  const lwVariant* plain       = work->isa->plain[work->precision];
  const lwVariant* lanes       = work->isa->lanes[work->precision];
  const lwSnakeKernel* inverse = work->isa->plain[LW_DOUBLE]->snake[LW_KERNEL_snake_kane_linear];
  size_t real                  = work->in_lanes ? lanes->real_size : plain->real_size;
  size_t scratch               = lw_snake_kernel_bytes(plain->snake[work->method], n);
  size_t others[2]             = {lw_snake_kernel_bytes(inverse, n), 0};
  if (work->in_lanes) others[1] = lw_snake_kernel_bytes(lanes->snake[work->method], n);
  for (int i = 0; i < 2; ++i)
    if (others[i] > scratch) scratch = others[i];
  work->scratch = lw_arena_take(&work->arena, scratch, 1);
  work->inputs  = lw_arena_take(&work->arena, 2 * (size_t)n + 1, real);
  work->outputs = lw_arena_take(&work->arena, lw_snake_outputs(n), real);
  work->inverse = lw_arena_take(&work->arena, 7 * (size_t)n, sizeof *work->inverse);
  return work->scratch && work->inputs && work->outputs && work->inverse;
}

lwStatus lw_snake_work_create(const lwSnake* snake, const lwSnakeWorkDef* def, lwSnakeWork** work)
{
  *work                         = NULL;
  const lwSnakeWorkDef defaults = lw_snake_work_def();
  const lwIsa* isa              = lw_isa_choose();
  if (!isa) return LW_ERROR_ISA;
  if (!def) def = &defaults;
  int method = lw_snake_method_find(def->method);
  if (method < 0) return LW_ERROR_METHOD;
  lwSnakeWork* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  bool matrix     = isa->plain[LW_DOUBLE]->snake[method]->per_pair > 0;
  made->isa       = isa;
  made->precision = def->precision;
  made->method    = method;
  made->in_lanes  = snake->n <= (matrix ? MATRIX_LANES_UP_TO : LANES_UP_TO);
  if (take_memory(made, snake))
  {
    *work = made;
    return LW_OK;
  }
  lw_snake_work_destroy(made);
  return LW_ERROR_MEMORY;
}

void lw_snake_work_destroy(lwSnakeWork* work)
{
  if (!work) return;
  lw_arena_free(&work->arena);
  free(work);
}

const char* lw_snake_work_isa(const lwSnakeWork* work)
{
  return work->isa->name;
}

const char* lw_snake_work_method(const lwSnakeWork* work)
{
  return lw_snake_method(work->method)->name;
}
