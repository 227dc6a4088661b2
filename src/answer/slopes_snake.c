// SPDX-License-Identifier: MIT
// Derivatives of the motion of a snake, by dual numbers.
#define LW_SCALAR_dual
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include <stdlib.h>

#include "answer/own_snake.h"
#include "linkwork/slopes.h"
#include "model/snake_derived.h"

struct lwSnakeDifferentiator
{
  OwnSnake own;
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
  int n = d->own.snake.n;
  for (int i = 0; i < n; ++i)
  {
    const lwSnakeLink* link = &d->own.snake.links[i];
    d->own.parts[i]         = (Part){.mass    = constant(link->mass),
                                     .inertia = constant(link->inertia),
                                     .half    = constant(link->length / 2),
                                     .offset  = constant(link->wheel_offset)};
    for (int k = 0; k < count; ++k) set_part_slopes(&d->own.parts[i], i, k, &directions[k]);
  }
  d->own.sums.mass    = derive_parts(d->own.parts, n);
  d->own.sums.rolling = zero();
  for (int i = 0; i < n; ++i)
    d->own.sums.rolling = r_add(d->own.sums.rolling, d->own.parts[i].rolling);
}

static void snake_dual_block(lwSnakeDifferentiator* d, const lwSnakeStates* state,
                             const lwSnakeTangent* directions, int count, const lwSnakeOut* out)
{
  int n              = d->own.snake.n;
  lwSnakeState given = {d->own.theta, d->own.u, d->own.torque};
  set_values(d->own.theta, n, state->theta);
  set_values(d->own.u, 2, state->u);
  set_values(d->own.torque, n - 1, state->torque);
  for (int k = 0; k < count; ++k)
  {
    set_slopes(d->own.theta, n, k, directions[k].theta);
    set_slopes(d->own.u, 2, k, directions[k].u);
    set_slopes(d->own.torque, n - 1, k, directions[k].torque);
  }
  set_parts(d, directions, count);
  lw_dual_variant()->snake[d->own.method]->run(&d->own.snake, d->own.scratch, &given, out);
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
    out.to[k] = wanted[k][0] || wanted[k][1] || k == LW_SNAKE_OUT_UDOT ? d->own.out[k] : NULL;
  for (int done = 0; done == 0 || done < count; done += LW_SLOPES)
  {
    int next = count - done < LW_SLOPES ? count - done : LW_SLOPES;
    snake_dual_block(d, state, directions + done, next, &out);
    for (int o = 0; o < LW_SNAKE_OUTPUTS; ++o)
    {
      size_t size = lw_snake_output_size(o, d->own.snake.n);
      for (size_t i = 0; i < size && wanted[o][0]; ++i) wanted[o][0][i] = d->own.out[o][i].value;
      for (size_t i = 0; i < size && wanted[o][1]; ++i)
        for (int k = 0; k < next; ++k)
          wanted[o][1][(size_t)(done + k) * size + i] = lw_dual_slope(&d->own.out[o][i], k);
    }
  }
}

lwStatus lw_snake_differentiator_create(const lwSnake* snake, const lwSnakeWorkspaceDef* def,
                                        lwDiag* diag, lwSnakeDifferentiator** differentiator)
{
  *differentiator = NULL;
  lwSnakeWorkspace* settings;
  lwStatus status = lw_snake_workspace_create(snake, def, diag, &settings);
  if (status != LW_OK) return status;
  lwSnakeDifferentiator* made = calloc(1, sizeof *made);
  if (made)
  {
    made->own.snake         = *snake;
    made->own.snake.centred = false;  // wheels may leave the middle along a direction
    made->own.snake.uniform = false;
    made->own.method        = settings->method;
  }
  lw_snake_workspace_destroy(settings);
  if (made && own_snake_memory(&made->own, lw_dual_variant()))
  {
    *differentiator = made;
    return LW_OK;
  }
  lw_snake_differentiator_destroy(made);
  return LW_ERROR_MEMORY;
}

void lw_snake_differentiator_destroy(lwSnakeDifferentiator* d)
{
  if (!d) return;
  lw_arena_free(&d->own.arena);
  free(d);
}
