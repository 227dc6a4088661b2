// SPDX-License-Identifier: MIT
// Operation counts, by running a kernel's own text with a scalar that counts.
#define LW_SCALAR_count
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/real.h"

#include "answer/workspace.h"
#include "kernels/registry.h"
#include "model/model_internal.h"

// A state like any other: no entry is 0 or 1, and all are known only at run time.
static REAL* arbitrary_values(lwArena* arena, int n, double start)
{
  REAL* values = lw_arena_take(arena, (size_t)n, sizeof *values);
  for (int i = 0; values && i < n; ++i) values[i] = (REAL){start + 0.01 * i, false};
  return values;
}

// The same for velocities and accelerations: joints that are held have none.
static REAL* arbitrary_rates(lwArena* arena, const lwModel* model, double start)
{
  REAL* values = arbitrary_values(arena, model->n, start);
  for (int i = 0; values && i < model->n; ++i)
    if (model->kind[i] & LW_KIND_HELD) values[i] = zero();
  return values;
}

static lwStatus measure_kernel(const lwModel* model, int i, lwQuestion question, lwCount* count)
{
  const lwKernel* kernel = lw_count_variant()->kernels[i];
  const lwView view      = lw_last_view(model);
  lwArena arena          = {0};
  lwState state          = {.q = arbitrary_values(&arena, model->n, 0.3), .view = &view};
  void* out  = lw_arena_take(&arena, lw_kernel_outputs(model, model->n, question), sizeof(REAL));
  void* work = lw_arena_take(&arena, lw_kernel_bytes(kernel, model->n), 1);
  state.qd   = arbitrary_rates(&arena, model, 0.4);
  state.qdd  = arbitrary_rates(&arena, model, 0.5);
  state.tau  = arbitrary_values(&arena, model->n, 0.6);

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
  return measure_kernel(model, lw_kernel_index(model, question, ""), question, count);
}
