// SPDX-License-Identifier: MIT
// Making a workspace for a snake: the method is looked up and memory is taken here,
// so that answering cannot fail.
#include "answer/snake_workspace.h"

#include "base/arrays.h"
#include "base/memory.h"
#include "linkwork/snake.h"

// Lanes hold a state per lane in every temporary. Beyond these sizes they fall out of the caches
// and many states are answered one by one, with the same bits.
enum
{
  LANES_UP_TO        = 1024,  // links, for methods of O(n) memory
  MATRIX_LANES_UP_TO = 64     // links, for those of O(n^2)
};

lwSnakeWorkspaceDef lw_snake_workspace_def(void)
{
  return (lwSnakeWorkspaceDef){.method = lw_snake_method(0)->name, .cookie = LW_COOKIE};
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

size_t lw_snake_input_size(int k, int n)
{
  const int sizes[LW_SNAKE_INPUTS] = {n, 2, n - 1};
  return (size_t)sizes[k];
}

bool lw_snake_arrays_take(lwArena* arena, int n, size_t size, lwSnakeArrays* arrays)
{
  for (int k = 0; k < LW_SNAKE_INPUTS; ++k)
    arrays->in[k] = lw_arena_take(arena, lw_snake_input_size(k, n), size);
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    arrays->out[k] = lw_arena_take(arena, lw_snake_output_size(k, n), size);
  return !lw_arena_failed(arena);
}

static bool snake_workspace_memory(lwSnakeWorkspace* ws, const lwSnake* snake)
{
  int n                  = snake->n;
  const lwVariant* plain = ws->isa->plain[ws->precision];
  const lwVariant* lanes = ws->isa->lanes[ws->precision];
  const lwSnakeKernel* inverse =
      ws->isa->plain[LW_PRECISION_DOUBLE]->snake[LW_KERNEL_snake_kane_linear];
  size_t real      = ws->in_lanes ? lanes->real_size : plain->real_size;
  size_t scratch   = lw_snake_kernel_bytes(plain->snake[ws->method], n);
  size_t others[2] = {lw_snake_kernel_bytes(inverse, n), 0};
  if (ws->in_lanes) others[1] = lw_snake_kernel_bytes(lanes->snake[ws->method], n);
  for (int i = 0; i < 2; ++i)
    if (others[i] > scratch) scratch = others[i];
  ws->scratch = lw_arena_take(&ws->arena, scratch, 1);
  ws->inverse = lw_arena_take(&ws->arena, 7 * (size_t)n, sizeof *ws->inverse);
  return lw_snake_arrays_take(&ws->arena, n, real, &ws->arrays);
}

lwStatus lw_snake_def_method(const lwSnakeWorkspaceDef* def, lwDiag* diag, int* method)
{
  *method         = 0;
  lwStatus status = def ? lw_def_check(def->cookie, "lw_snake_workspace_def()", diag) : LW_OK;
  if (!def || status != LW_OK) return status;
  *method = lw_snake_method_find(def->method);
  if (*method >= 0) return LW_OK;
  LW_REFUSE(diag, NULL, "no method '%.60s' for snakes", def->method);
  return LW_ERROR_METHOD;
}

lwStatus lw_snake_workspace_create(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                   lwDiag* diag, lwSnakeWorkspace** ws)
{
  int method;
  *ws              = NULL;
  const lwIsa* isa = lw_isa_choose();
  lwStatus status  = lw_snake_def_method(def, diag, &method);
  if (status != LW_OK) return status;
  if (!isa) return lw_isa_refuse(diag);
  lwSnakeWorkspace* made = lw_memory_zeros(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  bool matrix     = isa->plain[LW_PRECISION_DOUBLE]->snake[method]->per_pair > 0;
  made->snake     = snake;
  made->isa       = isa;
  made->precision = def ? def->precision : LW_PRECISION_DOUBLE;
  made->method    = method;
  made->in_lanes  = snake->n <= (matrix ? MATRIX_LANES_UP_TO : LANES_UP_TO);
  if (snake_workspace_memory(made, snake))
  {
    *ws = made;
    return LW_OK;
  }
  lw_snake_workspace_destroy(made);
  return LW_ERROR_MEMORY;
}

void lw_snake_workspace_destroy(lwSnakeWorkspace* ws)
{
  if (!ws) return;
  lw_arena_free(&ws->arena);
  lw_memory_give(ws);
}

const char* lw_snake_workspace_isa(const lwSnakeWorkspace* ws)
{
  return ws->isa->name;
}

const char* lw_snake_workspace_method(const lwSnakeWorkspace* ws)
{
  return lw_snake_method(ws->method)->name;
}
