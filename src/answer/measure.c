// SPDX-License-Identifier: MIT
// Operation counts, by running a kernel's own text with a scalar that counts.
#define LW_SCALAR_count
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/real.h"

#include "answer/constraints.h"
#include "answer/variants.h"
#include "answer/workspace.h"
#include "base/arrays.h"
#include "linkwork/loop.h"
#include "linkwork/snake.h"
#include "model/model_internal.h"

// A state like any other: no entry is 0 or 1, and all are known only at run time.
static REAL* arbitrary_values(lwArena* arena, int n, double start)
{
  REAL* values = lw_arena_take(arena, (size_t)n, sizeof *values);
  for (int i = 0; values && i < n; ++i) values[i] = (REAL){start + 0.01 * (i % 97), false};
  return values;
}

// Arbitrary velocities or accelerations; joints that are held have none.
static REAL* arbitrary_rates(lwArena* arena, const lwModel* model, double start)
{
  REAL* values = arbitrary_values(arena, model->n, start);
  for (int i = 0; values && i < model->n; ++i)
    if (lw_joint_is_held(model, i)) values[i] = zero();
  return values;
}

static lwStatus measure_kernel(const lwModel* model, int i, lwQuestion question, lwCount* count)
{
  const lwKernel* kernel = lw_count_variant()->kernels[i];
  if (kernel->flags & LW_KERNEL_WIDE) model = lw_model_native(model);
  const lwView view = lw_last_view(model);
  lwArena arena     = {0};
  lwState state = {.q = arbitrary_values(&arena, lw_kernel_positions(model), 0.3), .view = &view};
  void* out     = lw_arena_take(&arena, lw_kernel_outputs(model, model->n, question), sizeof(REAL));
  void* work    = lw_arena_take(&arena, lw_kernel_bytes(kernel, model->n), 1);
  state.qd      = arbitrary_rates(&arena, model, 0.4);
  state.qdd     = arbitrary_rates(&arena, model, 0.5);
  state.tau     = arbitrary_values(&arena, model->n, 0.6);

  bool enough = state.q && state.qd && state.qdd && state.tau && out && work;
  if (enough)
  {
    lw_tally = (lwCount){0};
    kernel->run(model, work, &state, out);
    *count = lw_tally;
  }
  lw_arena_free(&arena);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}

lwStatus lw_method_measure(const lwModel* model, int i, lwCount* count)
{
  return measure_kernel(model, i, lw_method(i)->question, count);
}

lwStatus lw_question_measure(const lwModel* model, lwQuestion question, lwCount* count)
{
  return measure_kernel(model, lw_kernel_index(model, question, "auto"), question, count);
}

lwStatus lw_snake_method_measure(const lwSnake* snake, int i, lwCount* count)
{
  const lwSnakeKernel* kernel = lw_count_variant()->snake[i];
  lwArena arena               = {0};
  lwSnakeState state          = {.theta  = arbitrary_values(&arena, snake->n, 0.3),
                                 .u      = arbitrary_values(&arena, 2, 0.4),
                                 .torque = arbitrary_values(&arena, snake->n - 1, 0.6)};
  lwSnakeOut out              = {{[LW_SNAKE_OUT_UDOT] = lw_arena_take(&arena, 2, sizeof(REAL))}};
  void* work                  = lw_arena_take(&arena, lw_snake_kernel_bytes(kernel, snake->n), 1);
  bool enough                 = !lw_arena_failed(&arena);
  lw_tally                    = (lwCount){0};
  if (enough) kernel->run(snake, work, &state, &out);
  *count = lw_tally;
  lw_arena_free(&arena);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}

// A step of a proximal iteration is counted once.
lwStatus lw_formulation_measure(const lwModel* model, int i, lwCount* count)
{
  lwArena arena             = {0};
  lwConstraints constraints = {0};
  const lwModel* native     = lw_model_native(model);
  lwStatus status =
      lw_constraints_build(model, lw_formulation_takes_redundant(i), &arena, &constraints, NULL);
  if (status == LW_OK)
  {
    lwState state  = {.q      = arbitrary_values(&arena, lw_kernel_positions(native), 0.3),
                      .qd     = arbitrary_values(&arena, native->n, 0.4),
                      .tau    = arbitrary_values(&arena, native->n, 0.6),
                      .refine = 1};
    size_t numbers = lw_formulation_numbers(native->n, &constraints);
    void* work     = lw_arena_take(&arena, numbers, sizeof(REAL));
    REAL* force    = arbitrary_values(&arena, constraints.rows, 0.7);
    REAL* qdd      = lw_arena_take(&arena, (size_t)native->n, sizeof(REAL));
    lw_tally       = (lwCount){0};
    if (lw_arena_failed(&arena))
      status = LW_ERROR_MEMORY;
    else
      lw_count_formulations()->run[i](native, &constraints, work, &state, qdd, force);
    *count = lw_tally;
  }
  lw_arena_free(&arena);
  return status;
}
