// SPDX-License-Identifier: MIT
// Answers about one state of a snake, and about many in lanes.
#include <assert.h>
#include <string.h>

#include "answer/snake_workspace.h"
#include "linkwork/snake.h"

// The caller's rows of inputs and outputs.
typedef struct SnakeRows
{
  const double* in[LW_SNAKE_INPUTS];  // NULL: zeros
  double* out[LW_SNAKE_OUTPUTS];      // NULL: not wanted
} SnakeRows;

static SnakeRows rows_of(const lwSnakeStates* states, const lwSnakeAnswers* answers)
{
  SnakeRows rows = {.in = {states->theta, states->u, states->torque}};
  memcpy(rows.out, answers, sizeof rows.out);
  return rows;
}

static void next_rows(const lwSnake* snake, SnakeRows* rows, int count)
{
  for (int k = 0; k < LW_SNAKE_INPUTS; ++k)
    if (rows->in[k]) rows->in[k] += (size_t)count * lw_snake_input_size(k, snake->n);
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    if (rows->out[k]) rows->out[k] += (size_t)count * lw_snake_output_size(k, snake->n);
}

// In double the kernel reads and writes the caller's own memory. udot is always made.
static void answer_double(const lwSnake* snake, lwSnakeWorkspace* ws, const SnakeRows* rows)
{
  lwSnakeState state = {rows->in[0], rows->in[1], rows->in[2]};
  lwSnakeOut out;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k) out.to[k] = rows->out[k];
  if (!out.to[LW_SNAKE_OUT_UDOT]) out.to[LW_SNAKE_OUT_UDOT] = ws->arrays.out[LW_SNAKE_OUT_UDOT];
  ws->isa->plain[LW_PRECISION_DOUBLE]->snake[ws->method]->run(snake, ws->scratch, &state, &out);
}

static lwGrid row_grid(const double* rows, size_t size)
{
  return (lwGrid){(double*)rows, size, 1};
}

// As many states as the variant has lanes, or fewer, through the workspace's own memory.
static void snake_answer_packed(const lwSnake* snake, lwSnakeWorkspace* ws,
                                const lwVariant* variant, int count, const SnakeRows* rows)
{
  const void* packed[LW_SNAKE_INPUTS] = {0};
  lwSnakeOut out;
  for (int k = 0; k < LW_SNAKE_INPUTS; ++k)
  {
    size_t size = lw_snake_input_size(k, snake->n);
    lwGrid grid = row_grid(rows->in[k], size);
    if (!rows->in[k]) continue;
    variant->pack(&grid, size, count, ws->arrays.in[k]);
    packed[k] = ws->arrays.in[k];
  }
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    out.to[k] = rows->out[k] || k == LW_SNAKE_OUT_UDOT ? ws->arrays.out[k] : NULL;
  lwSnakeState state = {packed[0], packed[1], packed[2]};
  variant->snake[ws->method]->run(snake, ws->scratch, &state, &out);
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
  {
    size_t size = lw_snake_output_size(k, snake->n);
    lwGrid grid = row_grid(rows->out[k], size);
    if (rows->out[k]) variant->unpack(out.to[k], size, count, &grid);
  }
}

static void answer_one(const lwSnake* snake, lwSnakeWorkspace* ws, const SnakeRows* rows)
{
  if (ws->precision == LW_PRECISION_DOUBLE)
    answer_double(snake, ws, rows);
  else
    snake_answer_packed(snake, ws, ws->isa->plain[LW_PRECISION_SINGLE], 1, rows);
}

void lw_snake_answer(const lwSnake* snake, lwSnakeWorkspace* ws, const lwSnakeStates* state,
                     const lwSnakeAnswers* answers)
{
  assert(ws->snake == snake && "the workspace was made for another snake");
  SnakeRows rows = rows_of(state, answers);
  answer_one(snake, ws, &rows);
}

void lw_snake_answer_many(const lwSnake* snake, lwSnakeWorkspace* ws, int count,
                          const lwSnakeStates* states, const lwSnakeAnswers* answers)
{
  assert(ws->snake == snake && "the workspace was made for another snake");
  const lwVariant* variant = ws->isa->lanes[ws->precision];
  SnakeRows rows           = rows_of(states, answers);
  int lanes                = ws->in_lanes ? variant->lanes : 1;
  for (int done = 0; done < count; done += lanes)
  {
    int next = count - done < lanes ? count - done : lanes;
    if (ws->in_lanes)
      snake_answer_packed(snake, ws, variant, next, &rows);
    else
      answer_one(snake, ws, &rows);
    next_rows(snake, &rows, next);
  }
}
