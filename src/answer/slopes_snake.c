// SPDX-License-Identifier: MIT
// Derivatives of the motion of a snake, by dual numbers.
#define LW_SCALAR_dual
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include <stdlib.h>

#include "answer/scalar_snake.h"
#include "linkwork/slopes.h"

struct lwSnakeDifferentiator
{
  OwnSnake scalar;
};

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

static void set_parts(lwSnakeDifferentiator* d, const lwSnakeTangent* directions, int count)
{
  scalar_snake_links(&d->scalar);
  for (int i = 0; i < d->scalar.snake.n; ++i)
    for (int k = 0; k < count; ++k) set_part_slopes(&d->scalar.parts[i], i, k, &directions[k]);
  scalar_snake_derive(&d->scalar);
}

static void snake_dual_block(lwSnakeDifferentiator* d, const lwSnakeStates* state,
                             const lwSnakeTangent* directions, int count, const lwSnakeOut* out)
{
  int n              = d->scalar.snake.n;
  lwSnakeState given = {d->scalar.theta, d->scalar.u, d->scalar.torque};
  set_values(d->scalar.theta, n, state->theta);
  set_values(d->scalar.u, 2, state->u);
  set_values(d->scalar.torque, n - 1, state->torque);
  for (int k = 0; k < count; ++k)
  {
    set_slopes(d->scalar.theta, n, k, directions[k].theta);
    set_slopes(d->scalar.u, 2, k, directions[k].u);
    set_slopes(d->scalar.torque, n - 1, k, directions[k].torque);
  }
  set_parts(d, directions, count);
  lw_dual_variant()->snake[d->scalar.method]->run(&d->scalar.snake, d->scalar.scratch, &given, out);
}

void lw_snake_differentiate(lwSnakeDifferentiator* d, const lwSnakeStates* state,
                            const lwSnakeTangent* directions, int count,
                            const lwSnakeAnswers* values, const lwSnakeAnswers* slopes)
{
  static const lwSnakeAnswers none = {0};
  if (!values) values = &none;
#define FIELD(NAME, field, per_link, further) {values->field, slopes->field},
  double* const wanted[][2] = {LW_SNAKE_OUTPUT_LIST(FIELD)};
#undef FIELD
  lwSnakeOut out;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
    out.to[k] = wanted[k][0] || wanted[k][1] || k == LW_SNAKE_OUT_UDOT ? d->scalar.out[k] : NULL;
  for (int done = 0; done == 0 || done < count; done += LW_SLOPES)
  {
    int next = count - done < LW_SLOPES ? count - done : LW_SLOPES;
    snake_dual_block(d, state, directions + done, next, &out);
    for (int o = 0; o < LW_SNAKE_OUTPUTS; ++o)
    {
      size_t size = lw_snake_output_size(o, d->scalar.snake.n);
      for (size_t i = 0; i < size && wanted[o][0]; ++i) wanted[o][0][i] = d->scalar.out[o][i].value;
      for (size_t i = 0; i < size && wanted[o][1]; ++i)
        for (int k = 0; k < next; ++k)
          wanted[o][1][(size_t)(done + k) * size + i] = lw_dual_slope(&d->scalar.out[o][i], k);
    }
  }
}

lwStatus lw_snake_differentiator_create(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                        lwDiag* diag, lwSnakeDifferentiator** differentiator)
{
  lwSnakeDifferentiator* made = calloc(1, sizeof *made);
  *differentiator             = made;
  if (!made) return LW_ERROR_MEMORY;
  lwStatus status = scalar_snake_open(&made->scalar, lw_dual_variant(), snake, def, diag);
  made->scalar.snake.centred = false;  // wheels may leave the middle along a direction
  made->scalar.snake.uniform = false;
  if (status == LW_OK) return LW_OK;
  lw_snake_differentiator_destroy(made);
  *differentiator = NULL;
  return status;
}

void lw_snake_differentiator_destroy(lwSnakeDifferentiator* d)
{
  if (!d) return;
  lw_arena_free(&d->scalar.arena);
  free(d);
}
