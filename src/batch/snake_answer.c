// SPDX-License-Identifier: MIT
// Answers about one state of a snake, and about many in lanes.
#include <string.h>

#include "batch/snake_work.h"
#include "linkwork/snake.h"

enum
{
  INPUTS = 3
};

// Rows of the caller: what is given and what is wanted.
typedef struct Rows
{
  const double* in[INPUTS];       // NULL: zeros
  double* out[LW_SNAKE_OUTPUTS];  // NULL: not wanted
} Rows;

static Rows rows_of(const lwSnakeStates* states, const lwSnakeAnswers* answers)
{
#define FIELD(NAME, field, per_link, further) answers->field,
  return (Rows){{states->theta, states->u, states->torque}, {LW_SNAKE_OUTPUT_LIST(FIELD)}};
}

static size_t input_size(const lwSnake* snake, int k)
{
  const size_t sizes[INPUTS] = {(size_t)snake->n, 2, (size_t)snake->n - 1};
  return sizes[k];
}

static void next_rows(const lwSnake* snake, Rows* rows, int count)
{
  for (int k = 0; k < INPUTS; ++k)
    if (rows->in[k]) rows->in[k] += (size_t)count * input_size(snake, k);
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    if (rows->out[k]) rows->out[k] += (size_t)count * lw_snake_output_size(k, snake->n);
}

// In double the kernel reads and writes the caller's own memory. udot is always made.
static void answer_double(const lwSnake* snake, lwSnakeWork* work, const Rows* rows)
{
  lwSnakeState state = {rows->in[0], rows->in[1], rows->in[2]};
  lwSnakeOut out;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k) out.to[k] = rows->out[k];
  if (!out.to[LW_SNAKE_OUT_UDOT]) out.to[LW_SNAKE_OUT_UDOT] = work->outputs;
  work->isa->plain[LW_DOUBLE]->snake[work->method]->run(snake, work->scratch, &state, &out);
}

// Entry i of all lanes side by side. Lanes without a state repeat the last one.
static void pack(const double* rows, size_t size, int count, const lwVariant* variant, void* out)
{
  bool single = variant->real_size / (size_t)variant->lanes == sizeof(float);
  for (int lane = 0; lane < variant->lanes; ++lane)
  {
    const double* row = rows + (size_t)(lane < count ? lane : count - 1) * size;
    float* floats     = (float*)out + lane;
    double* doubles   = (double*)out + lane;
    for (size_t i = 0; i < size; ++i)
      if (single)
        floats[i * (size_t)variant->lanes] = (float)row[i];
      else
        doubles[i * (size_t)variant->lanes] = row[i];
  }
}

static void unpack(const void* in, size_t size, int count, const lwVariant* variant, double* rows)
{
  bool single = variant->real_size / (size_t)variant->lanes == sizeof(float);
  for (int lane = 0; lane < count; ++lane)
  {
    const float* floats   = (const float*)in + lane;
    const double* doubles = (const double*)in + lane;
    double* row           = rows + (size_t)lane * size;
    for (size_t i = 0; i < size; ++i)
      row[i] = single ? floats[i * (size_t)variant->lanes] : doubles[i * (size_t)variant->lanes];
  }
}

// As many states as the variant has lanes, or fewer, through the workspace's own memory.
static void answer_packed(const lwSnake* snake, lwSnakeWork* work, const lwVariant* variant,
                          int count, const Rows* rows)
{
  const void* packed[INPUTS] = {0};
  char* next                 = work->inputs;
  for (int k = 0; k < INPUTS; ++k)
  {
    if (!rows->in[k]) continue;
    pack(rows->in[k], input_size(snake, k), count, variant, next);
    packed[k] = next;
    next += input_size(snake, k) * variant->real_size;
  }
  lwSnakeState state = {packed[0], packed[1], packed[2]};
  lwSnakeOut out;
  next = work->outputs;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
  {
    out.to[k] = rows->out[k] || k == LW_SNAKE_OUT_UDOT ? next : NULL;
    next += lw_snake_output_size(k, snake->n) * variant->real_size;
  }
  variant->snake[work->method]->run(snake, work->scratch, &state, &out);
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    if (rows->out[k])
      unpack(out.to[k], lw_snake_output_size(k, snake->n), count, variant, rows->out[k]);
}

static void answer_one(const lwSnake* snake, lwSnakeWork* work, const Rows* rows)
{
  if (work->precision == LW_DOUBLE)
    answer_double(snake, work, rows);
  else
    answer_packed(snake, work, work->isa->plain[LW_SINGLE], 1, rows);
}

void lw_snake_answer(const lwSnake* snake, lwSnakeWork* work, const lwSnakeStates* state,
                     const lwSnakeAnswers* answers)
{
  Rows rows = rows_of(state, answers);
  answer_one(snake, work, &rows);
}

void lw_snake_answer_many(const lwSnake* snake, lwSnakeWork* work, int count,
                          const lwSnakeStates* states, const lwSnakeAnswers* answers)
{
  const lwVariant* variant = work->isa->lanes[work->precision];
  Rows rows                = rows_of(states, answers);
  int lanes                = work->in_lanes ? variant->lanes : 1;
  for (int done = 0; done < count; done += lanes)
  {
    int next = count - done < lanes ? count - done : lanes;
    if (work->in_lanes)
      answer_packed(snake, work, variant, next, &rows);
    else
      answer_one(snake, work, &rows);
    next_rows(snake, &rows, next);
  }
}

void lw_snake_motion(const lwSnake* snake, lwSnakeWork* work, const lwSnakeStates* state,
                     double udot[2], double* omega)
{
  lw_snake_answer(snake, work, state, &(lwSnakeAnswers){.udot = udot, .omega = omega});
}
