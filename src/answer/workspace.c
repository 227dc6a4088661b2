// SPDX-License-Identifier: MIT
// Making a workspace: methods are looked up and memory is taken here,
// so that answering cannot fail.
#include "answer/workspace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/registry.h"
#include "model/loops.h"
#include "model/model_internal.h"

// Lanes hold a state per lane in every temporary. Beyond these sizes they fall out of the caches
// and many states are answered one by one, with the same bits.
enum
{
  LANES_UP_TO        = 4096,  // joints, for questions of O(n) memory
  MATRIX_LANES_UP_TO = 64     // joints, for those of O(n^2)
};

// Rows are kept until their entries can be written side by side: LW_MOST_ROWS of them, and less
// where that would be more than this.
enum
{
  MOST_ROW_BYTES = 1 << 24
};

int lw_kernel_index(const lwModel* model, lwQuestion question, const char* method)
{
  const lwQuestionRow* row = lw_question_row(question);
  if (row->kernel && !row->replaced) return row->kernel;
  if (row->automatic && (!method || !strcmp(method, "auto"))) method = row->automatic(model);
  int index = lw_method_find(row->info.methods, method);
  return index >= 0 && row->replaced && lw_method_is(lw_method(index), row->replaced) ? row->kernel
                                                                                      : index;
}

unsigned lw_kernel_flags(const lwWorkspace* ws, int kernel)
{
  return ws->isa->lanes[ws->precision]->kernels[kernel]->flags;
}

lwWorkspaceDef lw_workspace_def(void)
{
  return (lwWorkspaceDef){.inverse         = "auto",
                          .inertia         = "auto",
                          .forward         = "auto",
                          .inertia_inverse = "auto",
                          .derivatives     = "singh-russell-wensing",
                          .cookie          = LW_COOKIE};
}

// Where def has the method of a question; NULL: there is one way only.
static const char** method_field(lwWorkspaceDef* def, lwQuestion question)
{
  switch (lw_question_info(question)->methods)
  {
    case LW_QUESTION_INVERSE:
      return &def->inverse;
    case LW_QUESTION_INERTIA:
      return &def->inertia;
    case LW_QUESTION_FORWARD:
      return &def->forward;
    case LW_QUESTION_INERTIA_INVERSE:
      return &def->inertia_inverse;
    case LW_QUESTION_INVERSE_DERIVATIVES:
    case LW_QUESTION_FORWARD_DERIVATIVES:
      return &def->derivatives;
    default:
      return NULL;
  }
}

size_t lw_question_outputs(const lwModel* model, lwQuestion question)
{
  return lw_kernel_outputs(model, model->dof, question);
}

bool lw_workspace_def_set_method(lwWorkspaceDef* def, lwQuestion question, const char* method)
{
  const char** field = method_field(def, question);
  if (field) *field = method;
  return field;
}

bool lw_question_is_matrix(lwQuestion question)
{
  const lwQuantity* part = lw_question_info(question)->quantities;
  while (part->symbol && part->shape != LW_QUANTITY_SHAPE_SQUARE &&
         part->shape != LW_QUANTITY_SHAPE_PARAMETERS)
    ++part;
  return part->symbol;
}

size_t lw_kernel_outputs(const lwModel* model, int joints, lwQuestion question)
{
  size_t numbers = 0;
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(question, part));)
    numbers += lw_quantity_size(model, joints, part);
  return numbers;
}

static const char* method_name(lwQuestion question, int kernel)
{
  if (kernel < LW_METHOD_COUNT) return lw_method(kernel)->name;
  const char* replaced = lw_question_row(question)->replaced;
  return replaced ? replaced : "";
}

bool lw_workspace_streams(const lwWorkspace* ws, const lwModel* model, lwQuestion question)
{
  return lw_kernel_flags(ws, ws->kernel[question]) & LW_KERNEL_STORES_ENTRIES && model->chain &&
         model->wide_count == 0 && model->direct && ws->layout == LW_LAYOUT_BY_ENTRY;
}

bool lw_workspace_copies(const lwWorkspace* ws, const lwModel* model, lwQuestion question)
{
  enum
  {
    MOST_BYTES = 1 << 20
  };
  size_t outputs = lw_kernel_outputs(model, model->n, question);
  return model->direct && ws->layout == LW_LAYOUT_BY_STATE &&
         outputs * sizeof(double) <= MOST_BYTES;
}

// Whether a question about many states is answered in lanes.
static bool is_for_lanes(const lwWorkspace* ws, const lwModel* model, lwQuestion question)
{
  const lwKernel* kernel = ws->isa->plain[LW_PRECISION_DOUBLE]->kernels[ws->kernel[question]];
  bool matrix            = (kernel->per_pair || lw_question_is_matrix(question)) &&
                !lw_workspace_streams(ws, model, question);
  return model->n <= (matrix ? MATRIX_LANES_UP_TO : LANES_UP_TO);
}

static lwStatus choose_kernels(lwWorkspace* ws, const lwModel* model, const lwWorkspaceDef* def,
                               lwDiag* diag)
{
  lwWorkspaceDef methods = *def;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    const char** method = method_field(&methods, (lwQuestion)k);
    int index           = lw_kernel_index(model, (lwQuestion)k, method ? *method : "");
    if (index < 0)
    {
      LW_REFUSE(diag, NULL, "no method '%.60s' for the question '%s'", *method,
                lw_question_info((lwQuestion)k)->name);
      return LW_ERROR_METHOD;
    }
    ws->kernel[k]       = index;
    ws->method[k]       = method_name((lwQuestion)k, index);
    ws->in_lanes[k]     = is_for_lanes(ws, model, (lwQuestion)k);
    ws->output_count[k] = lw_kernel_outputs(model, model->n, (lwQuestion)k);
  }
  return LW_OK;
}

bool lw_workspace_solves(const lwWorkspace* ws)
{
  bool solves = false;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    solves = solves || (lw_workspace_answers(ws, (lwQuestion)k) &&
                        lw_question_info((lwQuestion)k)->chooses & LW_CHOOSES_ROTORS);
  return solves;
}

static size_t larger(size_t a, size_t b)
{
  return a > b ? a : b;
}

// Bytes of scratch, entries of an answer in lanes, bytes of a number: the most of all kernels.
typedef struct Needs
{
  size_t scratch, inputs, outputs;  // bytes
  size_t row;                       // entries of an answer that is computed one by one, by entry
} Needs;

// Scratch and inputs of many vectors of states. Returned is what outputs have to hold: tiles; the
// answer about one state is written in place.
static size_t add_stream_needs(Needs* needs, const lwWorkspace* ws, const lwModel* model,
                               lwAsked asked)
{
  const lwVariant* lanes = ws->isa->lanes[ws->precision];
  int joints             = model->n * (LW_STREAM_STATES / lanes->lanes);
  needs->scratch = larger(needs->scratch, lw_kernel_bytes(lanes->kernels[asked.kernel], joints));
  needs->inputs  = larger(needs->inputs, (size_t)joints * lanes->real_size);
  return LW_STREAM_DOUBLES * sizeof(double);
}

static void add_needs(Needs* needs, const lwWorkspace* ws, const lwModel* model, lwAsked asked)
{
  const lwVariant* plain = ws->isa->plain[ws->precision];
  const lwVariant* lanes = ws->isa->lanes[ws->precision];
  const lwVariant* many  = asked.in_lanes ? lanes : plain;
  bool in_place          = ws->precision == LW_PRECISION_DOUBLE && ws->layout == LW_LAYOUT_BY_STATE;
  size_t answer  = lw_kernel_outputs(model, model->n, asked.question) * lw_number_size(many);
  needs->scratch = larger(needs->scratch, lw_kernel_bytes(plain->kernels[asked.kernel], model->n));
  needs->scratch = larger(needs->scratch, lw_kernel_bytes(many->kernels[asked.kernel], model->n));
  size_t inputs  = lw_input_bytes(many, model, 6);
  needs->inputs  = larger(needs->inputs, inputs);
  if (asked.in_lanes && lw_workspace_streams(ws, model, asked.question))
    answer = add_stream_needs(needs, ws, model, asked);
  // triangles of kernels that do not pack are taken from the whole matrix
  bool cut = asked.question == LW_QUESTION_INERTIA &&
             !(lw_kernel_flags(ws, asked.kernel) & LW_KERNEL_PACKS);
  bool copied = lw_workspace_copies(ws, model, asked.question);
  if (asked.in_lanes || !in_place || cut || copied) needs->outputs = larger(needs->outputs, answer);
  if (!asked.in_lanes && ws->layout == LW_LAYOUT_BY_ENTRY)
    needs->row = larger(needs->row, lw_kernel_outputs(model, model->n, asked.question));
}

// Memory for rows, if an answer needs any.
static bool take_rows(lwWorkspace* ws, size_t row)
{
  if (!row) return true;
  size_t most   = MOST_ROW_BYTES / (row * sizeof *ws->rows);
  ws->row_count = most < 1 ? 1 : most < LW_MOST_ROWS ? (int)most : LW_MOST_ROWS;
  ws->rows      = lw_arena_take(&ws->arena, (size_t)ws->row_count * row, sizeof *ws->rows);
  return ws->rows;
}

static size_t pushed_bytes(const lwWorkspace* ws, const lwModel* model)
{
  const lwKernel* plain = ws->isa->plain[ws->precision]->kernels[LW_KERNEL_pushed_torques];
  const lwKernel* lanes = ws->isa->lanes[ws->precision]->kernels[LW_KERNEL_pushed_torques];
  bool in_lanes         = model->n <= LANES_UP_TO;
  return lw_kernel_bytes(in_lanes ? lanes : plain, model->n);
}

static bool workspace_memory(lwWorkspace* ws, const lwModel* model)
{
  const lwReduced* reduced = &ws->reduced;
  bool coupled             = model->coupled;
  Needs needs              = {0};
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    if (lw_workspace_answers(ws, (lwQuestion)k) && (k != LW_QUESTION_FORWARD || !coupled))
      add_needs(&needs, ws, model, (lwAsked){(lwQuestion)k, ws->kernel[k], ws->in_lanes[k]});
  if (coupled && lw_workspace_answers(ws, LW_QUESTION_FORWARD_DERIVATIVES))
    add_needs(&needs, ws, model, reduced->slopes);
  if (coupled && lw_workspace_solves(ws))
  {
    add_needs(&needs, ws, model, reduced->inertia);
    add_needs(&needs, ws, model, reduced->bias);
  }
  // of wrenches, should they get places
  needs.scratch = larger(needs.scratch, pushed_bytes(ws, model));
  ws->scratch   = lw_arena_take(&ws->arena, needs.scratch, 1);
  ws->inputs    = lw_arena_take(&ws->arena, needs.inputs, 1);
  ws->outputs   = lw_arena_take(&ws->arena, needs.outputs, 1);
  ws->wrench    = lw_arena_take(&ws->arena, 6, sizeof *ws->wrench);
  return ws->scratch && ws->inputs && ws->outputs && ws->wrench && take_rows(ws, needs.row);
}

// Without a choice, all that the robot allows. Robots with loops allow too little for that.
static lwStatus choose_questions(lwWorkspace* ws, const lwModel* model, const lwWorkspaceDef* def,
                                 lwDiag* diag)
{
  if (!def->questions && !def->open_tree)
  {
    lwStatus status = lw_tree_check(model, "every question but pose and energy", diag);
    if (status != LW_OK) return status;
  }
  ws->questions = def->questions ? def->questions : ~0u;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    bool wanted = def->questions & LW_ASKS(k);
    if (lw_question_check(model, (lwQuestion)k, def->open_tree, wanted ? diag : NULL) == LW_OK)
      continue;
    if (wanted) return LW_ERROR_METHOD;
    ws->questions &= ~LW_ASKS(k);
  }
  return LW_OK;
}

// The questions that kernels with wide joints answer, of those that the workspace does.
static unsigned native_questions(const lwWorkspace* ws, const lwModel* native,
                                 const lwWorkspaceDef* def)
{
  unsigned questions     = 0;
  lwWorkspaceDef methods = *def;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    const char** method = method_field(&methods, (lwQuestion)k);
    int index           = lw_kernel_index(native, (lwQuestion)k, method ? *method : "");
    bool wide           = index >= 0 && lw_kernel_flags(ws, index) & LW_KERNEL_WIDE;
    if (wide && lw_workspace_answers(ws, (lwQuestion)k)) questions |= LW_ASKS(k);
  }
  return questions;
}

// The workspace for model->native, with the questions that it answers.
static lwStatus create_native(lwWorkspace* ws, const lwModel* model, const lwWorkspaceDef* def,
                              lwDiag* diag)
{
  lwWorkspaceDef native = *def;
  native.questions      = native_questions(ws, model->native, def);
  native.open_tree      = true;  // whether loops may be left open was decided
  if (!native.questions) return LW_OK;
  return lw_workspace_create(model->native, &native, diag, &ws->native);
}

// Which questions take the shortest way, so that a call need not find out: a kernel of this
// workspace answers them, and the answer needs no look at the inertia matrix.
static void sort_questions(lwWorkspace* ws, const lwModel* model)
{
  unsigned native = ws->native ? ws->native->questions : 0;
  ws->direct      = model->direct ? ws->questions & ~native : 0;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    const lwQuestionRow* row = lw_question_row((lwQuestion)k);
    if (row->weightless) ws->weightless |= LW_ASKS(k);
    if (ws->inertia && row->info.chooses & LW_CHOOSES_ROTORS) ws->direct &= ~LW_ASKS(k);
  }
}

// What every call relies on.
static void assert_workspace(const lwWorkspace* ws, const lwModel* model)
{
  assert(ws->model == model && ws->isa);
  assert(ws->precision >= LW_PRECISION_DOUBLE && ws->precision <= LW_PRECISION_SINGLE);
  assert(ws->questions != 0);
  assert(!(ws->direct & ~ws->questions));
  assert(!ws->direct || model->direct);
  assert(!ws->native || ws->native->model == model->native);
  assert(!ws->inertia || ws->inertia->model == model);
  assert(!ws->pivots == !ws->pivot_q);
  assert(ws->refine >= 0);
  (void)ws;
  (void)model;
}

lwStatus lw_workspace_create(const lwModel* model, const lwWorkspaceDef* def, lwDiag* diag,
                             lwWorkspace** ws)
{
  *ws                           = NULL;
  const lwWorkspaceDef defaults = lw_workspace_def();
  const lwIsa* isa              = lw_isa_choose();
  if (!def) def = &defaults;
  lwStatus status = lw_def_check(def->cookie, "lw_workspace_def()", diag);
  if (status != LW_OK) return status;
  if (!isa) return lw_isa_refuse(diag);
  lwWorkspace* made = lw_memory_zeros(1, sizeof *made);
  if (!made) return LW_ERROR_MEMORY;
  made->model     = model;
  made->isa       = isa;
  made->precision = def->precision;
  made->layout    = def->layout;
  made->refine    = def->refine;
  made->rotors    = def->rotors;
  made->axes      = def->axes;
  status          = choose_questions(made, model, def, diag);
  if (status == LW_OK) status = choose_kernels(made, model, def, diag);
  if (status == LW_OK && model->native) status = create_native(made, model, def, diag);
  if (status == LW_OK && !model->direct) status = lw_reduced_create(made, model, diag);
  if (status == LW_OK && !workspace_memory(made, model)) status = LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_workspace_set_frame(made, model, NULL, diag);
  if (status == LW_OK) status = lw_pivots_create(made, model, def, diag);
  if (status == LW_OK) sort_questions(made, model);
  if (status == LW_OK) assert_workspace(made, model);
  if (status == LW_OK)
    *ws = made;
  else
    lw_workspace_destroy(made);
  return status;
}

void lw_workspace_destroy(lwWorkspace* ws)
{
  if (!ws) return;
  lw_workspace_destroy(ws->native);
  lw_workspace_destroy(ws->inertia);
  lw_arena_free(&ws->arena);
  lw_memory_give(ws);
}

const char* lw_workspace_isa(const lwWorkspace* ws)
{
  return ws->isa->name;
}

const char* lw_workspace_method(const lwWorkspace* ws, lwQuestion question)
{
  return lw_workspace_is_native(ws, question) ? ws->native->method[question] : ws->method[question];
}

void lw_workspace_set_wrench(lwWorkspace* ws, const double* wrench)
{
  ws->has_wrench = wrench != NULL;
  if (wrench) memcpy(ws->wrench, wrench, lw_wrench_size(ws) * sizeof *ws->wrench);
  if (ws->native) lw_workspace_set_wrench(ws->native, wrench);
}

lwStatus lw_frame_check(const lwModel* model, const lwFrame* frame, lwDiag* diag)
{
  bool finite = true, linked = frame->joint >= LW_BASE && frame->joint < model->robot.count;
  for (int k = 0; k < 3; ++k) finite = finite && isfinite(frame->xyz[k]) && isfinite(frame->rpy[k]);
  if (!finite) LW_REFUSE(diag, NULL, "the place of the frame is not finite");
  if (!linked)
    LW_REFUSE(diag, NULL, "the frame is on joint %d, expected LW_BASE or 0 to %d", frame->joint,
              model->robot.count - 1);
  return finite && linked ? LW_OK : LW_ERROR_FRAME;
}

lwView lw_view_of(const lwModel* model, const lwFrame* frame)
{
  const lwJointFrame base = {LW_BASE, lw_identity};
  const lwJointFrame* joint_frame =
      frame->joint == LW_BASE ? &base : &model->joint_frame[frame->joint];
  lwTransform offset = lw_origin(frame->xyz, frame->rpy);
  lwTransform place  = lw_compose(&joint_frame->place, &offset);
  lwView view        = {.carrier = joint_frame->carrier};
  for (int k = 0; k < 9; ++k) view.view64.rotation[k] = place.R[k / 3][k % 3];
  for (int k = 0; k < 3; ++k) view.view64.position[k] = place.p[k];
  for (int k = 0; k < 9; ++k) view.view32.rotation[k] = (float)view.view64.rotation[k];
  for (int k = 0; k < 3; ++k) view.view32.position[k] = (float)view.view64.position[k];
  return view;
}

lwView lw_last_view(const lwModel* model)
{
  return lw_view_of(model, &(lwFrame){.joint = model->robot.count - 1});
}

lwStatus lw_workspace_set_frame(lwWorkspace* ws, const lwModel* model, const lwFrame* frame,
                                lwDiag* diag)
{
  assert(ws->model == model && "the workspace was made for another model");
  const lwFrame last = {.joint = model->robot.count - 1};
  if (!frame) frame = &last;
  lwStatus status = lw_frame_check(model, frame, diag);
  if (status != LW_OK) return status;
  ws->view = lw_view_of(model, frame);
  return ws->native ? lw_workspace_set_frame(ws->native, model->native, frame, diag) : LW_OK;
}
