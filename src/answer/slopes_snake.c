// SPDX-License-Identifier: MIT
// Derivatives of the motion of a snake, by dual numbers.
#define LW_SCALAR_dual
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "answer/scalar_snake.h"
#include "linkwork/slopes.h"

static void set_slopes(REAL* numbers, int count, int k, const double* rates)
{
  for (int i = 0; i < count && rates; ++i) lw_dual_set_slope(&numbers[i], k, rates[i]);
}

static void set_values(REAL* numbers, int count, const double* values)
{
  for (int i = 0; i < count; ++i) numbers[i] = constant(values ? values[i] : 0);
}

static void set_part_slopes(Part* part, int link, int k, const lwSnakeTangent* direction)
{
  const double* const* rates = direction->parameters;
  const double* length       = rates[LW_SNAKE_PARAMETER_LENGTH];
  const double* mass         = rates[LW_SNAKE_PARAMETER_MASS];
  const double* inertia      = rates[LW_SNAKE_PARAMETER_INERTIA];
  const double* offset       = rates[LW_SNAKE_PARAMETER_WHEEL_OFFSET];
  if (length) lw_dual_set_slope(&part->half, k, length[link] / 2);
  if (mass) lw_dual_set_slope(&part->mass, k, mass[link]);
  if (inertia) lw_dual_set_slope(&part->inertia, k, inertia[link]);
  if (offset) lw_dual_set_slope(&part->offset, k, offset[link]);
}

static void set_parts(OwnSnake* scalar, const lwSnakeTangent* directions, int count)
{
  scalar_snake_links(scalar);
  for (int i = 0; i < scalar->snake.n; ++i)
    for (int k = 0; k < count; ++k) set_part_slopes(&scalar->parts[i], i, k, &directions[k]);
  scalar_snake_derive(scalar);
}

static void set_state(OwnSnake* scalar, const lwSnakeStates* state,
                      const lwSnakeTangent* directions, int count)
{
  int n = scalar->snake.n;
  set_values(scalar->theta, n, state->theta);
  set_values(scalar->u, 2, state->u);
  set_values(scalar->torque, n - 1, state->torque);
  for (int k = 0; k < count; ++k)
  {
    set_slopes(scalar->theta, n, k, directions[k].theta);
    set_slopes(scalar->u, 2, k, directions[k].u);
    set_slopes(scalar->torque, n - 1, k, directions[k].torque);
  }
  set_parts(scalar, directions, count);
}

// Slopes along `count` directions, of which the first is number `first`.
static void take_slopes(const OwnSnake* scalar, int first, int count, double* const* slopes)
{
  for (int o = 0; o < LW_SNAKE_OUTPUTS; ++o)
  {
    size_t size = lw_snake_output_size(o, scalar->snake.n);
    for (size_t i = 0; i < size && slopes[o]; ++i)
      for (int k = 0; k < count; ++k)
        slopes[o][(size_t)(first + k) * size + i] = lw_dual_slope(&scalar->out[o][i], k);
  }
}

lwStatus lw_snake_differentiate(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                const lwSnakeStates* state, const lwSnakeTangent* directions,
                                int count, const lwSnakeAnswers* slopes)
{
  OwnSnake scalar = {.method = 0};
  bool wanted[LW_SNAKE_OUTPUTS];
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k) wanted[k] = lw_snake_answer_list(slopes)[k];
  lwStatus status      = scalar_snake_open(&scalar, lw_dual_variant(), snake, def, NULL);
  scalar.snake.centred = false;  // wheels may leave the middle along a direction
  scalar.snake.uniform = false;
  lwSnakeState given   = {scalar.theta, scalar.u, scalar.torque};
  for (int done = 0; done < count && status == LW_OK; done += LW_SLOPES)
  {
    int next = count - done < LW_SLOPES ? count - done : LW_SLOPES;
    set_state(&scalar, state, directions + done, next);
    scalar_snake_run(&scalar, lw_dual_variant(), &given, wanted);
    take_slopes(&scalar, done, next, lw_snake_answer_list(slopes));
  }
  lw_arena_free(&scalar.arena);
  return status;
}
