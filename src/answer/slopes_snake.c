// SPDX-License-Identifier: MIT
// Derivatives of the motion of a snake, by dual numbers.
#define LW_SCALAR_dual
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include <stdlib.h>

#include "answer/snake_workspace.h"
#include "kernels/registry.h"
#include "kernels/snake/links.h"
#include "linkwork/slopes.h"
#include "model/snake_derived.h"

struct lwSnakeDifferentiator
{
  lwSnake snake;  // parts and sums in REAL
  Part* parts;    // (n)
  WholeSnake sums;
  int method;
  REAL *theta, *u, *torque;     // (n), (2), (n-1)
  REAL* out[LW_SNAKE_OUTPUTS];  // as many as lw_snake_output_size() says
  void* scratch;
  lwArena arena;
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
  int n = d->snake.n;
  for (int i = 0; i < n; ++i)
  {
    const lwSnakeLink* link = &d->snake.links[i];
    d->parts[i]             = (Part){.mass    = constant(link->mass),
                                     .inertia = constant(link->inertia),
                                     .half    = constant(link->length / 2),
                                     .offset  = constant(link->wheel_offset)};
    for (int k = 0; k < count; ++k) set_part_slopes(&d->parts[i], i, k, &directions[k]);
  }
  d->sums.mass    = derive_parts(d->parts, n);
  d->sums.rolling = zero();
  for (int i = 0; i < n; ++i) d->sums.rolling = r_add(d->sums.rolling, d->parts[i].rolling);
}

static void snake_dual_block(lwSnakeDifferentiator* d, const lwSnakeStates* state,
                             const lwSnakeTangent* directions, int count, const lwSnakeOut* out)
{
  int n              = d->snake.n;
  lwSnakeState given = {d->theta, d->u, d->torque};
  set_values(d->theta, n, state->theta);
  set_values(d->u, 2, state->u);
  set_values(d->torque, n - 1, state->torque);
  for (int k = 0; k < count; ++k)
  {
    set_slopes(d->theta, n, k, directions[k].theta);
    set_slopes(d->u, 2, k, directions[k].u);
    set_slopes(d->torque, n - 1, k, directions[k].torque);
  }
  set_parts(d, directions, count);
  lw_dual_variant()->snake[d->method]->run(&d->snake, d->scratch, &given, out);
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
    out.to[k] = wanted[k][0] || wanted[k][1] || k == LW_SNAKE_OUT_UDOT ? d->out[k] : NULL;
  for (int done = 0; done == 0 || done < count; done += LW_SLOPES)
  {
    int next = count - done < LW_SLOPES ? count - done : LW_SLOPES;
    snake_dual_block(d, state, directions + done, next, &out);
    for (int o = 0; o < LW_SNAKE_OUTPUTS; ++o)
    {
      size_t size = lw_snake_output_size(o, d->snake.n);
      for (size_t i = 0; i < size && wanted[o][0]; ++i) wanted[o][0][i] = d->out[o][i].value;
      for (size_t i = 0; i < size && wanted[o][1]; ++i)
        for (int k = 0; k < next; ++k)
          wanted[o][1][(size_t)(done + k) * size + i] = lw_dual_slope(&d->out[o][i], k);
    }
  }
}

static bool take_slopes_memory(lwSnakeDifferentiator* d)
{
  size_t n   = (size_t)d->snake.n;
  d->parts   = lw_arena_take(&d->arena, n, sizeof *d->parts);
  d->theta   = lw_arena_take(&d->arena, n, sizeof(REAL));
  d->u       = lw_arena_take(&d->arena, 2, sizeof(REAL));
  d->torque  = lw_arena_take(&d->arena, n, sizeof(REAL));
  d->scratch = lw_arena_take(
      &d->arena, lw_snake_kernel_bytes(lw_dual_variant()->snake[d->method], d->snake.n), 1);
  bool enough = d->parts && d->theta && d->u && d->torque && d->scratch;
  for (int k = 0; k < LW_SNAKE_OUTPUTS; ++k)
  {
    d->out[k] = lw_arena_take(&d->arena, lw_snake_output_size(k, d->snake.n), sizeof(REAL));
    enough    = enough && d->out[k];
  }
  return enough;
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
    made->snake          = *snake;
    made->snake.centred  = false;  // wheels may leave the middle along a direction
    made->snake.uniform  = false;
    made->snake.own_sums = &made->sums;
    made->method         = settings->method;
  }
  lw_snake_workspace_destroy(settings);
  if (made && take_slopes_memory(made))
  {
    made->snake.own_parts = made->parts;
    *differentiator       = made;
    return LW_OK;
  }
  lw_snake_differentiator_destroy(made);
  return LW_ERROR_MEMORY;
}

void lw_snake_differentiator_destroy(lwSnakeDifferentiator* d)
{
  if (!d) return;
  lw_arena_free(&d->arena);
  free(d);
}
