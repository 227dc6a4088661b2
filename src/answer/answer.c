// SPDX-License-Identifier: MIT
// Answers about one state, and about many in lanes.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "answer/workspace.h"
#include "linkwork/methods.h"
#include "model/model_internal.h"

enum
{
  INPUTS = 5,  // of lwStates
  TRIANGLE_FROM =
      16  // joints: where mirroring costs less than computing and loading the mirror image
};

// A question about arrays of states, and where the answers go.
typedef struct Arrays
{
  lwAsked asked;
  int nq, joints;     // entries of q, and of qd, qdd and tau
  lwGrid in[INPUTS];  // at NULL: absent, or not asked for
  lwGrid out;
} Arrays;

static size_t input_size(const lwWorkspace* ws, const Arrays* arrays, int k)
{
  return k == INPUTS - 1 ? lw_wrench_size(ws) : (size_t)(k == 0 ? arrays->nq : arrays->joints);
}

// An array of `total` states of `size` entries each.
static lwGrid grid_of(lwLayout layout, const double* array, size_t size, int total)
{
  bool by_state = layout == LW_LAYOUT_BY_STATE;
  return (lwGrid){(double*)array, by_state ? size : 1, by_state ? 1 : (size_t)total};
}

// The inputs of a question in the order of lwStates;
// NULL for those that are absent or not asked for.
static inline lwStates needed_inputs(lwQuestion question, const lwStates* states)
{
  unsigned needed = lw_question_info(question)->inputs;
  return (lwStates){.q      = needed & LW_INPUT_Q ? states->q : NULL,
                    .qd     = needed & LW_INPUT_QD ? states->qd : NULL,
                    .qdd    = needed & LW_INPUT_QDD ? states->qdd : NULL,
                    .tau    = needed & LW_INPUT_TAU ? states->tau : NULL,
                    .wrench = needed & LW_INPUT_WRENCH ? states->wrench : NULL};
}

// arrays: asked, nq and joints are set.
static Arrays arrays_of(const lwModel* model, const lwWorkspace* ws, Arrays arrays, lwLayout layout,
                        int total, const lwStates* states, double* out)
{
  const double* in[INPUTS] = {states->q, states->qd, states->qdd, states->tau, states->wrench};
  for (int k = 0; k < INPUTS; ++k)
    arrays.in[k] = grid_of(layout, in[k], input_size(ws, &arrays, k), total);
  arrays.out =
      grid_of(layout, out, lw_kernel_outputs(model, arrays.joints, arrays.asked.question), total);
  return arrays;
}

static lwAsked asked_of(const lwWorkspace* ws, lwQuestion question)
{
  return (lwAsked){question, ws->kernel[question], ws->in_lanes[question]};
}

// The state without its numbers.
static inline lwState kernel_state(const lwWorkspace* ws, lwQuestion question)
{
  return (lwState){.weightless = question == LW_QUESTION_CORIOLIS,
                   .refine     = ws->refine,
                   .view       = &ws->view,
                   .rotors     = ws->rotors,
                   .base_axes  = ws->axes == LW_AXES_BASE,
                   .pushes     = ws->pushes,
                   .push_count = ws->push_count};
}

static void run_or_push(const lwModel* model, lwWorkspace* ws, const lwVariant* variant,
                        lwAsked asked, const lwState* state, void* out)
{
  if (state->pushes && state->wrench)
    lw_run_pushed(model, ws, variant, asked, state, out);
  else
    variant->kernels[asked.kernel]->run(model, ws->scratch, state, out);
}

// One state in double: the kernel reads and writes the caller's own memory.
static inline void answer_in_place(const lwModel* model, lwWorkspace* ws, lwAsked asked,
                                   lwStates in, double* out)
{
  lwState state = kernel_state(ws, asked.question);
  state.q       = in.q;
  state.qd      = in.qd;
  state.qdd     = in.qdd;
  state.tau     = in.tau;
  state.wrench  = in.wrench;
  run_or_push(model, ws, ws->isa->plain[LW_PRECISION_DOUBLE], asked, &state, out);
}

// Where numbers (size) are in single precision: from *next on, or nowhere if there are none.
static inline const float* to_single(const double* in, size_t size, float** next)
{
  float* out = *next;
  if (!in) return NULL;
  for (size_t i = 0; i < size; ++i) out[i] = (float)in[i];
  *next += size;
  return out;
}

// One state in single precision: converted on the way in and out. The robot is direct, so all
// inputs but the wrench have n entries.
static void answer_converted(const lwModel* model, lwWorkspace* ws, lwAsked asked, lwStates in,
                             double* out)
{
  const lwVariant* variant = ws->isa->plain[LW_PRECISION_SINGLE];
  lwState state            = kernel_state(ws, asked.question);
  size_t n                 = (size_t)model->n;
  float* next              = ws->inputs;
  state.q                  = to_single(in.q, n, &next);
  state.qd                 = to_single(in.qd, n, &next);
  state.qdd                = to_single(in.qdd, n, &next);
  state.tau                = to_single(in.tau, n, &next);
  state.wrench             = to_single(in.wrench, lw_wrench_size(ws), &next);
  run_or_push(model, ws, variant, asked, &state, ws->outputs);
  variant->unpack(ws->outputs, lw_kernel_outputs(model, model->n, asked.question), 1,
                  &(lwGrid){out, 1, 1});
}

// As many states as the variant has lanes, or fewer, through the memory of the workspace.
static void answer_packed(const lwModel* model, lwWorkspace* ws, const lwVariant* variant,
                          int count, const Arrays* arrays)
{
  const void* packed[INPUTS] = {0};
  lwAsked asked              = arrays->asked;
  char* next                 = ws->inputs;
  for (int k = 0; k < INPUTS; ++k)
  {
    if (!arrays->in[k].at) continue;
    size_t size = input_size(ws, arrays, k);
    variant->pack(&arrays->in[k], size, count, next);
    packed[k] = next;
    next += size * variant->real_size;
  }
  lwState state  = kernel_state(ws, asked.question);
  state.q        = packed[0];
  state.qd       = packed[1];
  state.qdd      = packed[2];
  state.tau      = packed[3];
  state.wrench   = packed[4];
  state.triangle = asked.question == LW_QUESTION_INERTIA && variant->lanes > 1 &&
                   arrays->joints >= TRIANGLE_FROM;
  bool rows = asked.question == LW_QUESTION_REGRESSOR && variant->lanes > 1 &&
              count == variant->lanes && arrays->out.by_entry == 1;
  state.rows = rows ? &arrays->out : NULL;
  run_or_push(model, ws, variant, asked, &state, ws->outputs);
  if (rows) return;
  if (state.triangle)  // half of it is written here, and once
    variant->unpack_symmetric(ws->outputs, arrays->joints, count, &arrays->out);
  else
    variant->unpack(ws->outputs, lw_kernel_outputs(model, arrays->joints, asked.question), count,
                    &arrays->out);
}

static void next_states(Arrays* arrays, int count)
{
  for (int k = 0; k < INPUTS; ++k)
    if (arrays->in[k].at) arrays->in[k].at += (size_t)count * arrays->in[k].by_state;
  arrays->out.at += (size_t)count * arrays->out.by_state;
}

static void answer_next_in_place(const lwModel* model, lwWorkspace* ws, const Arrays* arrays)
{
  const lwGrid* in = arrays->in;
  lwStates state   = {in[0].at, in[1].at, in[2].at, in[3].at, in[4].at};
  answer_in_place(model, ws, arrays->asked, state, arrays->out.at);
}

// Answers states one by one into arrays by entry: computes a few rows first, then stores each
// entry of these side by side. Stored one at a time, every entry would touch its own cache line,
// and from 100 joints on its own page.
static void answer_by_rows(const lwModel* model, lwWorkspace* ws, int count, Arrays* arrays)
{
  const lwVariant* variant = ws->isa->plain[ws->precision];
  size_t size              = lw_kernel_outputs(model, arrays->joints, arrays->asked.question);
  lwGrid out               = arrays->out;
  while (count > 0)
  {
    int some = count < ws->row_count ? count : ws->row_count;
    for (int k = 0; k < some; ++k)
    {
      arrays->out = (lwGrid){ws->rows + (size_t)k * size, size, 1};
      answer_packed(model, ws, variant, 1, arrays);
      next_states(arrays, 1);
    }
    for (size_t i = 0; i < size; ++i)
      for (int k = 0; k < some; ++k)
        out.at[i * out.by_entry + (size_t)k] = ws->rows[(size_t)k * size + i];
    out.at += some;
    count -= some;
  }
  arrays->out = out;
}

// The next count states of the arrays.
static void answer_arrays(const lwModel* model, lwWorkspace* ws, int count, Arrays* arrays)
{
  if (ws->rows && !arrays->asked.in_lanes && arrays->out.by_state == 1)
  {
    answer_by_rows(model, ws, count, arrays);
    return;
  }
  bool lanes               = arrays->asked.in_lanes;
  const lwVariant* variant = (lanes ? ws->isa->lanes : ws->isa->plain)[ws->precision];
  bool in_place = !lanes && ws->precision == LW_PRECISION_DOUBLE && arrays->out.by_entry == 1;
  for (; count > 0; count -= variant->lanes)
  {
    int some = count < variant->lanes ? count : variant->lanes;
    if (in_place)
      answer_next_in_place(model, ws, arrays);
    else
      answer_packed(model, ws, variant, some, arrays);
    next_states(arrays, some);
  }
}

void lw_answer_rows(const lwModel* model, lwWorkspace* ws, lwAsked asked, int count,
                    const lwStates* states, double* out)
{
  Arrays arrays = {.asked = asked, .nq = model->n, .joints = model->n};
  arrays        = arrays_of(model, ws, arrays, LW_LAYOUT_BY_STATE, count, states, out);
  answer_arrays(model, ws, count, &arrays);
}

// States of a robot whose kernels have other coordinates: by state they go as they are, otherwise
// one by one through a row.
static void answer_coupled(const lwModel* model, lwWorkspace* ws, int count, Arrays* arrays)
{
  const lwVariant* plain = ws->isa->plain[LW_PRECISION_DOUBLE];
  lwQuestion question    = arrays->asked.question;
  bool by_state          = arrays->out.by_entry == 1;
  int some               = by_state ? count : 1;
  for (int done = 0; done < count; done += some)
  {
    const double* in[INPUTS] = {0};
    double* next             = ws->reduced.row;
    double* out              = by_state ? arrays->out.at : ws->reduced.answer;
    for (int k = 0; k < INPUTS; ++k)
    {
      in[k] = arrays->in[k].at;
      if (by_state || !in[k]) continue;
      size_t size = input_size(ws, arrays, k);
      plain->pack(&arrays->in[k], size, 1, next);
      in[k] = next;
      next += size;
    }
    lwStates states = {in[0], in[1], in[2], in[3], in[4]};
    lw_reduced_answer(model, ws, question, some, &states, out);
    if (!by_state) plain->unpack(out, lw_question_outputs(model, question), 1, &arrays->out);
    next_states(arrays, some);
  }
}

// The answer, NaN, to questions that the workspace has no memory for.
static void answer_nothing(const lwModel* model, lwQuestion question, const lwGrid* out, int count)
{
  size_t size = lw_question_outputs(model, question);
  for (size_t k = 0; k < (size_t)count; ++k)
    for (size_t i = 0; i < size; ++i) out->at[k * out->by_state + i * out->by_entry] = (double)NAN;
}

void lw_answer(const lwModel* model, lwWorkspace* ws, lwQuestion question, const lwStates* state,
               double* out)
{
  assert(ws->model == model && "the workspace was made for another model");
  if (!lw_workspace_answers(ws, question))
    answer_nothing(model, question, &(lwGrid){out, 0, 1}, 1);
  else if (!model->direct)
    lw_reduced_answer(model, ws, question, 1, state, out);
  else
  {
    lwStates in = needed_inputs(question, state);
    if (ws->precision == LW_PRECISION_DOUBLE)
      answer_in_place(model, ws, asked_of(ws, question), in, out);
    else
      answer_converted(model, ws, asked_of(ws, question), in, out);
  }
}

void lw_answer_range(const lwModel* model, lwWorkspace* ws, lwQuestion question, lwRange range,
                     const lwStates* states, double* out)
{
  assert(ws->model == model && "the workspace was made for another model");
  Arrays arrays = {.asked = asked_of(ws, question), .nq = model->nq, .joints = model->dof};
  lwStates in   = needed_inputs(question, states);
  arrays        = arrays_of(model, ws, arrays, ws->layout, range.total, &in, out);
  next_states(&arrays, range.first);
  if (!lw_workspace_answers(ws, question))
    answer_nothing(model, question, &arrays.out, range.count);
  else if (!model->direct)
    answer_coupled(model, ws, range.count, &arrays);
  else
    answer_arrays(model, ws, range.count, &arrays);
}

void lw_answer_many(const lwModel* model, lwWorkspace* ws, lwQuestion question, int count,
                    const lwStates* states, double* out)
{
  lw_answer_range(model, ws, question, (lwRange){count, 0, count}, states, out);
}

static const double* wrench_of(const lwWorkspace* ws)
{
  return ws->has_wrench ? ws->wrench : NULL;
}

void lw_inverse_dynamics(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                         const double* qdd, double* tau)
{
  lwStates state = {.q = q, .qd = qd, .qdd = qdd, .wrench = wrench_of(ws)};
  lw_answer(model, ws, LW_QUESTION_INVERSE, &state, tau);
}

void lw_forward_dynamics(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                         const double* tau, double* qdd)
{
  lwStates state = {.q = q, .qd = qd, .tau = tau, .wrench = wrench_of(ws)};
  lw_answer(model, ws, LW_QUESTION_FORWARD, &state, qdd);
}

void lw_inertia_matrix(const lwModel* model, lwWorkspace* ws, const double* q, double* M)
{
  lw_answer(model, ws, LW_QUESTION_INERTIA, &(lwStates){.q = q}, M);
}

void lw_bias(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd, double* bias)
{
  lw_answer(model, ws, LW_QUESTION_BIAS, &(lwStates){.q = q, .qd = qd}, bias);
}

void lw_gravity(const lwModel* model, lwWorkspace* ws, const double* q, double* gravity)
{
  lw_answer(model, ws, LW_QUESTION_GRAVITY, &(lwStates){.q = q}, gravity);
}

void lw_coriolis(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                 double* coriolis)
{
  lw_answer(model, ws, LW_QUESTION_CORIOLIS, &(lwStates){.q = q, .qd = qd}, coriolis);
}

void lw_energy(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
               double* kinetic, double* potential)
{
  double energy[2];
  lw_answer(model, ws, LW_QUESTION_ENERGY, &(lwStates){.q = q, .qd = qd}, energy);
  *kinetic   = energy[0];
  *potential = energy[1];
}

void lw_pose(const lwModel* model, lwWorkspace* ws, const double* q, double p[3], double R[9])
{
  double pose[12];
  lw_answer(model, ws, LW_QUESTION_POSE, &(lwStates){.q = q}, pose);
  memcpy(p, pose, 3 * sizeof *p);
  memcpy(R, pose + 3, 9 * sizeof *R);
}

void lw_jacobian(const lwModel* model, lwWorkspace* ws, const double* q, double* J)
{
  lw_answer(model, ws, LW_QUESTION_JACOBIAN, &(lwStates){.q = q}, J);
}

void lw_reactions(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
                  const double* qdd, double* reactions)
{
  lwStates state = {.q = q, .qd = qd, .qdd = qdd, .wrench = wrench_of(ws)};
  lw_answer(model, ws, LW_QUESTION_REACTIONS, &state, reactions);
}

void lw_gibbs(const lwModel* model, lwWorkspace* ws, const double* q, const double* qd,
              const double* qdd, double* gibbs)
{
  lw_answer(model, ws, LW_QUESTION_GIBBS, &(lwStates){.q = q, .qd = qd, .qdd = qdd}, gibbs);
}
