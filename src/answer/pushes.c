// SPDX-License-Identifier: MIT
// Wrenches on any links: where they act, and how every method answers with them.
//
//   inverse: the kernel without them, then tau less J^T w
//   forward: tau and J^T w, then the kernel without them
//   reactions, derivatives: the kernel itself takes them, link by link
#include <assert.h>
#include <string.h>

#include "answer/workspace.h"

// tau, and or less J^T w, into out, which may be where tau is
static void push_torques(const lwModel* model, lwWorkspace* ws, const lwVariant* variant,
                         const lwState* state, const void* tau, bool subtract, void* out)
{
  lwState pushed  = *state;
  pushed.tau      = tau;
  pushed.subtract = subtract;
  variant->kernels[LW_KERNEL_pushed_torques]->run(model, ws->scratch, &pushed, out);
}

void lw_run_pushed(const lwModel* model, lwWorkspace* ws, const lwVariant* variant, lwAsked asked,
                   const lwState* state, void* out)
{
  lwKernelFn* run = variant->kernels[asked.kernel]->run;
  if (variant->kernels[asked.kernel]->flags & LW_KERNEL_TAKES_PUSHES)
    return run(model, ws->scratch, state, out);
  lwState without = *state;
  without.wrench  = NULL;
  if (asked.question == LW_QUESTION_FORWARD)
  {
    push_torques(model, ws, variant, state, state->tau, false, ws->pushed);
    without.tau = ws->pushed;
  }
  run(model, ws->scratch, &without, out);
  if (asked.question != LW_QUESTION_FORWARD)
    push_torques(model, ws, variant, state, out, true, out);
}

lwStatus lw_wrench_places_check(const lwModel* model, int count, const lwWrenchPlace* places,
                                lwDiag* diag)
{
  lwStatus status = LW_OK;
  for (int k = 0; k < count && status == LW_OK; ++k)
  {
    lwFrame frame = {.joint = places[k].joint};
    memcpy(frame.xyz, places[k].xyz, sizeof frame.xyz);
    status = lw_frame_check(model, &frame, diag);
    if (status != LW_OK || frame.joint != LW_BASE) continue;
    LW_REFUSE(diag, NULL, "the wrench is on the base, which nothing moves, expected joint 0 to %d",
              model->robot.count - 1);
    status = LW_ERROR_FRAME;
  }
  return status;
}

// Larger arrays, where the old ones do not suffice; those stay in the arena.
static bool take_arrays(lwWorkspace* ws, const lwModel* model, size_t count)
{
  const lwVariant* lanes = ws->isa->lanes[ws->precision];
  size_t n = (size_t)model->n, wrench = 6 * count;
  void* inputs   = lw_arena_take(&ws->arena, lw_input_bytes(lanes, model, wrench), 1);
  void* pushed   = lw_arena_take(&ws->arena, n * lanes->real_size, 1);
  double* values = lw_arena_take(&ws->arena, wrench, sizeof(double));
  size_t state   = (size_t)model->nq + 3 * (size_t)model->dof;
  double* row    = lw_arena_take(&ws->arena, state + wrench, sizeof(double));
  if (!inputs || !pushed || !values || !row) return false;
  ws->inputs      = inputs;
  ws->pushed      = pushed;
  ws->wrench      = values;
  ws->reduced.row = row;
  return true;
}

lwStatus lw_workspace_set_wrench_places(lwWorkspace* ws, const lwModel* model, int count,
                                        const lwWrenchPlace* places, lwDiag* diag)
{
  assert(ws->model == model && "the workspace was made for another model");
  lwStatus status = lw_wrench_places_check(model, count, places, diag);
  if (status != LW_OK) return status;
  size_t most    = count > 0 ? (size_t)count : 1;
  lwPush* pushes = lw_arena_take(&ws->arena, most, sizeof *pushes);
  if (!pushes || !take_arrays(ws, model, most)) return LW_ERROR_MEMORY;
  for (int k = 0; k < count; ++k)
  {
    lwFrame frame = {.joint = places[k].joint};
    memcpy(frame.xyz, places[k].xyz, sizeof frame.xyz);
    pushes[k] =
        (lwPush){places[k].joint, places[k].axes == LW_AXES_BASE, lw_view_of(model, &frame)};
  }
  ws->pushes     = count > 0 ? pushes : NULL;
  ws->push_count = count > 0 ? count : 0;
  ws->has_wrench = false;
  if (!ws->native) return LW_OK;
  return lw_workspace_set_wrench_places(ws->native, model->native, count, places, diag);
}
