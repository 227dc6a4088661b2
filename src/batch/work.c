// SPDX-License-Identifier: MIT
// Making a workspace: methods are looked up and memory is taken here, so that answering cannot fail.
#include "batch/work.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/registry.h"
#include "model/model.h"

// Lanes hold a state per lane in every temporary. Beyond these sizes they fall out of the caches and many states are
// answered one by one, with the same bits.
enum
{
  LANES_UP_TO        = 1024,  // joints, for questions of O(n) memory
  MATRIX_LANES_UP_TO = 64     // joints, for those of O(n^2)
};

// The question whose methods answer this one; itself where there is only one way.
static lwQuestion method_question(lwQuestion question)
{
  switch (question)
  {
    case LW_BIAS:
    case LW_GRAVITY:
    case LW_CORIOLIS:
      return LW_INVERSE;
    default:
      return question;
  }
}

int lw_kernel_index(const lwModel* model, lwQuestion question, const char* method)
{
  static const int single[LW_QUESTION_COUNT] = {[LW_ENERGY]   = LW_KERNEL_energy,
                                                [LW_POSE]     = LW_KERNEL_pose,
                                                [LW_JACOBIAN] = LW_KERNEL_jacobian};
  if (single[question]) return single[question];
  question = method_question(question);
  if (question == LW_FORWARD && !strcmp(method, "auto")) method = lw_registry_auto(model);
  return lw_method_find(question, method);
}

lwWorkDef lw_work_def(void)
{
  return (lwWorkDef){"newton-euler", "composite-body", "auto", LW_DOUBLE, 0, false};
}

size_t lw_question_outputs(const lwModel* model, lwQuestion question)
{
  size_t n = (size_t)model->n;
  switch (question)
  {
    case LW_INERTIA:
      return n * n;
    case LW_ENERGY:
      return 2;
    case LW_POSE:
      return 12;
    case LW_JACOBIAN:
      return 6 * n;
    default:
      return n;
  }
}

static bool choose_kernels(lwWork* work, const lwModel* model, const lwWorkDef* def)
{
  const char* by_question[LW_QUESTION_COUNT] = {
      [LW_INVERSE] = def->inverse,  [LW_BIAS] = def->inverse,    [LW_GRAVITY] = def->inverse,
      [LW_CORIOLIS] = def->inverse, [LW_INERTIA] = def->inertia, [LW_FORWARD] = def->forward};
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    int index = lw_kernel_index(model, (lwQuestion)k, by_question[k]);
    if (index < 0) return false;
    const lwKernel* kernel = work->isa->plain[LW_DOUBLE]->kernels[index];
    bool matrix            = kernel->per_pair || k == LW_INERTIA;
    work->kernel[k]        = index;
    work->method[k]        = index < LW_METHOD_COUNT ? lw_method(index)->name : "";
    work->in_lanes[k]      = model->n <= (matrix ? MATRIX_LANES_UP_TO : LANES_UP_TO);
  }
  return true;
}

static size_t larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

static bool take_memory(lwWork* work, const lwModel* model)
{
  const lwVariant* plain = work->isa->plain[work->precision];
  const lwVariant* lanes = work->isa->lanes[work->precision];
  size_t scratch = 0, outputs = 0, real = plain->real_size;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    scratch = larger(scratch, lw_kernel_bytes(plain->kernels[work->kernel[k]], model->n));
    if (!work->in_lanes[k]) continue;
    scratch = larger(scratch, lw_kernel_bytes(lanes->kernels[work->kernel[k]], model->n));
    outputs = larger(outputs, lw_question_outputs(model, (lwQuestion)k));
    real    = lanes->real_size;
  }
  work->scratch = lw_arena_take(&work->arena, scratch, 1);
  work->inputs  = lw_arena_take(&work->arena, 4 * (size_t)model->n + 6, real);
  work->outputs = lw_arena_take(&work->arena, outputs, real);
  return work->scratch && work->inputs && work->outputs;
}

lwStatus lw_work_create(const lwModel* model, const lwWorkDef* def, lwWork** work)
{
  *work                    = NULL;
  const lwWorkDef defaults = lw_work_def();
  const lwIsa* isa         = lw_isa_choose();
  if (!isa) return LW_ERROR_ISA;
  if (!def) def = &defaults;
  lwWork* made = calloc(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  made->isa       = isa;
  made->precision = def->precision;
  made->refine    = def->refine;
  made->rotors    = def->rotors;
  lwStatus status = choose_kernels(made, model, def) ? LW_OK : LW_ERROR_METHOD;
  if (status == LW_OK && !take_memory(made, model)) status = LW_ERROR_MEMORY;
  if (status == LW_OK)
    *work = made;
  else
    lw_work_destroy(made);
  return status;
}

void lw_work_destroy(lwWork* work)
{
  if (!work) return;
  lw_arena_free(&work->arena);
  free(work);
}

const char* lw_work_isa(const lwWork* work)
{
  return work->isa->name;
}

const char* lw_work_method(const lwWork* work, lwQuestion question)
{
  return work->method[question];
}

void lw_work_set_wrench(lwWork* work, const double wrench[6])
{
  work->has_wrench = wrench != NULL;
  if (wrench) memcpy(work->wrench, wrench, sizeof work->wrench);
}
