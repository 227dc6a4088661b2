// SPDX-License-Identifier: MIT
// Answers about one state, and about many in lanes.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "answer/workspace.h"
#include "kernels/questions.h"
#include "math/stream.h"
#include "model/model_internal.h"

enum
{
  INPUTS = 5  // of lwStates
};

// A question about arrays of states, and where the answers go.
typedef struct Arrays
{
  lwAsked asked;
  int nq, joints;     // entries of q, and of qd, qdd and tau
  bool packed;        // inertia matrices are wanted as packed triangles
  lwGrid in[INPUTS];  // at NULL: absent, or not asked for
  lwGrid out;
} Arrays;

static size_t input_size(const lwWorkspace* ws, const Arrays* arrays, int k)
{
  return k == INPUTS - 1 ? lw_wrench_size(ws) : (size_t)(k == 0 ? arrays->nq : arrays->joints);
}

// Entries of an answer.
static size_t output_size(const lwModel* model, const Arrays* arrays)
{
  size_t n = (size_t)arrays->joints;
  return arrays->packed ? n * (n + 1) / 2
                        : lw_kernel_outputs(model, arrays->joints, arrays->asked.question);
}

// The kernel writes the requested layout directly.
static bool is_written_so(const lwWorkspace* ws, const Arrays* arrays)
{
  return !arrays->packed || lw_kernel_flags(ws, arrays->asked.kernel) & LW_KERNEL_PACKS;
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

// arrays: asked, nq, joints and packed are set.
static Arrays arrays_of(const lwModel* model, const lwWorkspace* ws, Arrays arrays, lwLayout layout,
                        int total, const lwStates* states, double* out)
{
  const double* in[INPUTS] = {states->q, states->qd, states->qdd, states->tau, states->wrench};
  for (int k = 0; k < INPUTS; ++k)
    arrays.in[k] = grid_of(layout, in[k], input_size(ws, &arrays, k), total);
  arrays.out = grid_of(layout, out, output_size(model, &arrays), total);
  return arrays;
}

static lwAsked asked_of(const lwWorkspace* ws, lwQuestion question)
{
  return (lwAsked){question, ws->kernel[question], ws->in_lanes[question]};
}

// The state without its numbers. Every member is set by name: GCC clears the
// others by `rep stos`, which takes as long as a joint of inverse dynamics.
static inline lwState kernel_state(const lwWorkspace* ws, lwQuestion question)
{
  return (lwState){.q          = NULL,
                   .qd         = NULL,
                   .qdd        = NULL,
                   .tau        = NULL,
                   .wrench     = NULL,
                   .weightless = ws->weightless & LW_ASKS(question),
                   .refine     = ws->refine,
                   .view       = &ws->view,
                   .rotors     = ws->rotors,
                   .base_axes  = ws->axes == LW_AXES_BASE,
                   .pushes     = ws->pushes,
                   .push_count = ws->push_count,
                   .subtract   = false,
                   .packed     = false,
                   .rows       = NULL,
                   .states     = 0};
}

static void run_or_push(const lwModel* model, lwWorkspace* ws, const lwVariant* variant,
                        lwAsked asked, const lwState* state, void* out)
{
  if (state->pushes && state->wrench)
    lw_run_pushed(model, ws, variant, asked, state, out);
  else
    variant->kernels[asked.kernel]->run(model, ws->scratch, state, out);
}

// Most kernels write answers about one state in double (Result in kernels/joints.h), others in the
// precision of the workspace.
static inline bool writes_doubles(const lwWorkspace* ws, lwQuestion question)
{
  return ws->precision == LW_PRECISION_DOUBLE ||
         !(lw_kernel_flags(ws, ws->kernel[question]) & LW_KERNEL_NARROW);
}

// One state: the kernel reads the caller's own memory.
static inline void answer_one(const lwModel* model, lwWorkspace* ws, lwAsked asked, bool packed,
                              lwStates in, void* out)
{
  lwState state = kernel_state(ws, asked.question);
  state.q       = in.q;
  state.qd      = in.qd;
  state.qdd     = in.qdd;
  state.tau     = in.tau;
  state.wrench  = in.wrench;
  state.packed  = packed;
  run_or_push(model, ws, ws->isa->plain[ws->precision], asked, &state, out);
}

// The answer of a kernel in single precision, for the caller. Few numbers are converted one by one;
// src/CMakeLists.txt keeps GCC from vectorising that. The kernel has just stored them one by one,
// and a load of several would wait until all are in the cache. Of many, most are there long before.
static __attribute__((noinline)) void convert_answer(const lwWorkspace* ws, lwQuestion question,
                                                     double* out)
{
  enum
  {
    FEW = 16
  };
  size_t outputs      = ws->output_count[question];
  const float* answer = ws->outputs;
  if (outputs <= FEW)
    for (size_t i = outputs; i-- > 0;) out[i] = answer[i];
  else
    ws->isa->plain[LW_PRECISION_SINGLE]->unpack(answer, outputs, 1, &(lwGrid){out, 0, 1});
}

// The triangle of matrices (n, n) from the diagonal on, row by row.
static void unpack_triangles(const lwVariant* variant, const char* from, size_t n, int count,
                             lwGrid to)
{
  for (size_t row = 0; row < n; ++row)
  {
    variant->unpack(from, n - row, count, &to);
    from += (n + 1) * variant->real_size;
    to.at += (n - row) * to.by_entry;
  }
}

// How states go through the memory of the workspace: the same for all of an array.
typedef struct Passage
{
  const lwVariant* variant;
  const lwVariant *in, *out;  // the variants whose numbers inputs and answer have
  lwState state;              // where the kernel finds its numbers
  void* inputs[INPUTS];       // arrays of the state by number; NULL: absent
  size_t sizes[INPUTS];       // entries of inputs
  size_t output_size;
  bool written;   // the kernel writes the answer as it is wanted
  bool by_rows;   // and whole vectors of states right into the caller's array
  bool in_place;  // and one state right into the caller's row
} Passage;

// Whether the kernel stores vectors of states right where they are wanted (lwState.rows).
static bool goes_by_rows(const lwVariant* variant, const Arrays* arrays)
{
  unsigned flags = variant->kernels[arrays->asked.kernel]->flags;
  if (variant->lanes == 1) return false;
  if (arrays->out.by_entry != 1) return flags & LW_KERNEL_STORES_ENTRIES;
  return flags & LW_KERNEL_STORES_ROWS && !arrays->packed;
}

static Passage passage_of(const lwModel* model, lwWorkspace* ws, const lwVariant* variant,
                          const Arrays* arrays)
{
  const lwVariant* plain = ws->isa->plain[LW_PRECISION_DOUBLE];
  lwQuestion question    = arrays->asked.question;
  bool one = variant->lanes == 1, doubles = one && writes_doubles(ws, question);
  char* next      = ws->inputs;
  Passage passage = {.variant     = variant,
                     .in          = one ? plain : variant,
                     .out         = doubles ? plain : variant,
                     .state       = kernel_state(ws, question),
                     .output_size = output_size(model, arrays),
                     .written     = is_written_so(ws, arrays),
                     .by_rows     = goes_by_rows(variant, arrays),
                     .in_place = doubles && arrays->out.by_entry == 1 && is_written_so(ws, arrays)};
  for (int k = 0; k < INPUTS; ++k)
  {
    passage.sizes[k]  = input_size(ws, arrays, k);
    passage.inputs[k] = arrays->in[k].at ? next : NULL;
    if (arrays->in[k].at) next += passage.sizes[k] * passage.in->real_size;
  }
  passage.state.q      = passage.inputs[0];
  passage.state.qd     = passage.inputs[1];
  passage.state.qdd    = passage.inputs[2];
  passage.state.tau    = passage.inputs[3];
  passage.state.wrench = passage.inputs[4];
  passage.state.packed = arrays->packed && passage.written;
  return passage;
}

// As many states as the variant has lanes, or fewer.
static inline void answer_through_memory(const lwModel* model, lwWorkspace* ws, Passage* passage,
                                         int count, const Arrays* arrays)
{
  const lwVariant* variant = passage->variant;
  bool rows                = passage->by_rows && count == variant->lanes;
  for (int k = 0; k < INPUTS; ++k)
    if (passage->inputs[k])
      passage->in->pack(&arrays->in[k], passage->sizes[k], count, passage->inputs[k]);
  passage->state.rows = rows ? &arrays->out : NULL;
  run_or_push(model, ws, variant, arrays->asked, &passage->state,
              passage->in_place ? arrays->out.at : ws->outputs);
  if (rows || passage->in_place) return;
  if (passage->written)
    passage->out->unpack(ws->outputs, passage->output_size, count, &arrays->out);
  else
    unpack_triangles(passage->out, ws->outputs, (size_t)arrays->joints, count, arrays->out);
}

static void next_states(Arrays* arrays, int count)
{
  for (int k = 0; k < INPUTS; ++k)
    if (arrays->in[k].at) arrays->in[k].at += (size_t)count * arrays->in[k].by_state;
  arrays->out.at += (size_t)count * arrays->out.by_state;
}

static void answer_next(const lwModel* model, lwWorkspace* ws, const Arrays* arrays, double* out)
{
  const lwGrid* in = arrays->in;
  lwStates state   = {in[0].at, in[1].at, in[2].at, in[3].at, in[4].at};
  answer_one(model, ws, arrays->asked, arrays->packed, state, out);
}

// Rows (count, size) to arrays by entry, side by side. Lines of the array are far from each other,
// so they are asked for ahead.
static inline void put_side_by_side(const double* rows, size_t size, size_t count, lwGrid to)
{
  enum
  {
    AHEAD = 32  // entries
  };
  for (size_t i = 0; i < size; ++i)
  {
    double* at = to.at + i * to.by_entry;
    __builtin_prefetch(i + AHEAD < size ? at + AHEAD * to.by_entry : at, 1);
    for (size_t k = 0; k < count; ++k) at[k] = rows[k * size + i];
  }
}

// Answers states one by one into arrays by entry: computes a few rows first, then stores each
// entry of these side by side. Stored one at a time, every entry would touch its own cache line,
// and from 100 joints on its own page.
static void answer_by_rows(const lwModel* model, lwWorkspace* ws, int count, Arrays* arrays)
{
  lwGrid out      = arrays->out;
  size_t size     = output_size(model, arrays);
  arrays->out     = (lwGrid){ws->rows, size, 1};
  Passage passage = passage_of(model, ws, ws->isa->plain[ws->precision], arrays);
  while (count > 0)
  {
    int some = count < ws->row_count ? count : ws->row_count;
    for (int k = 0; k < some; ++k)
    {
      arrays->out = (lwGrid){ws->rows + (size_t)k * size, size, 1};
      answer_through_memory(model, ws, &passage, 1, arrays);
      next_states(arrays, 1);
    }
    if (some == LW_MOST_ROWS)  // a constant number, so that the compiler unrolls the loop over them
      put_side_by_side(ws->rows, size, LW_MOST_ROWS, out);
    else
      put_side_by_side(ws->rows, size, (size_t)some, out);
    out.at += some;
    count -= some;
  }
  arrays->out = out;
}

// Answers up to LW_STREAM_STATES states at once; the kernel writes them into the array by entry.
static void answer_lanes(const lwModel* model, lwWorkspace* ws, Passage* passage, int count,
                         const Arrays* arrays)
{
  const lwVariant* variant = passage->variant;
  size_t size              = passage->sizes[0];
  lwGrid q                 = arrays->in[0];
  char* to                 = passage->inputs[0];
  for (int left = count; left > 0; left -= variant->lanes)
  {
    variant->pack(&q, size, left < variant->lanes ? left : variant->lanes, to);
    q.at += (size_t)variant->lanes * q.by_state;
    to += size * variant->real_size;
  }
  passage->state.rows   = &arrays->out;
  passage->state.states = count;
  variant->kernels[arrays->asked.kernel]->run(model, ws->scratch, &passage->state, ws->outputs);
}

// Whether an array is larger than most caches. With 32 MB of third-level cache, all that were
// measured gain from 20 MB on, also if the answers are read afterwards. With 5 to 12 MB most lose,
// by up to a half, except with AVX2 if lines of entries share few places in a cache (1024 states).
static bool is_large(size_t numbers)
{
  enum
  {
    LARGE = (1 << 24) / sizeof(double)
  };
  return numbers >= LARGE;
}

// Answers states one by one for a large array by state. Each answer is computed in the workspace,
// which stays in the cache, and then copied to the array without going through the cache. If the
// kernel wrote to the array itself, every line would first be read from memory: matrices of 300
// joints took 1.3 times as long, of 100 joints 1.6 times.
static void answer_and_copy(const lwModel* model, lwWorkspace* ws, int count, size_t size,
                            Arrays* arrays)
{
  for (int k = 0; k < count; ++k)
  {
    answer_next(model, ws, arrays, ws->outputs);
    stream_copy(arrays->out.at, ws->outputs, size);
    next_states(arrays, 1);
  }
  STREAM_END();
}

// The next count states of an array by entry, for kernels that write into it. If the array is
// large, many states are computed together.
static void answer_by_entry(const lwModel* model, lwWorkspace* ws, int count, Arrays* arrays)
{
  const lwVariant* variant = ws->isa->lanes[ws->precision];
  Passage passage          = passage_of(model, ws, variant, arrays);
  int most = is_large(output_size(model, arrays) * arrays->out.by_entry) ? LW_STREAM_STATES
                                                                         : variant->lanes;
  while (count > 0)
  {
    int some = count < most ? count : most;
    answer_lanes(model, ws, &passage, some, arrays);
    next_states(arrays, some);
    count -= some;
  }
}

// The next count states of the arrays.
static void answer_arrays(const lwModel* model, lwWorkspace* ws, int count, Arrays* arrays)
{
  if (ws->rows && !arrays->asked.in_lanes && arrays->out.by_state == 1)
  {
    answer_by_rows(model, ws, count, arrays);
    return;
  }
  bool streams = arrays->asked.in_lanes && lw_workspace_streams(ws, model, arrays->asked.question);
  if (streams && arrays->out.by_entry > 1)
  {
    answer_by_entry(model, ws, count, arrays);
    return;
  }
  bool lanes               = arrays->asked.in_lanes && !streams;  // there is only one state
  const lwVariant* variant = (lanes ? ws->isa->lanes : ws->isa->plain)[ws->precision];
  Passage passage          = passage_of(model, ws, variant, arrays);
  if (passage.in_place && lw_workspace_copies(ws, model, arrays->asked.question) &&
      is_large(passage.output_size * (size_t)count))
  {
    answer_and_copy(model, ws, count, passage.output_size, arrays);
    return;
  }
  for (; count > 0; count -= variant->lanes)
  {
    int some = count < variant->lanes ? count : variant->lanes;
    if (passage.in_place)
      answer_next(model, ws, arrays, arrays->out.at);
    else
      answer_through_memory(model, ws, &passage, some, arrays);
    next_states(arrays, some);
  }
}

void lw_answer_rows(const lwModel* model, lwWorkspace* ws, lwAsked asked, int count,
                    const lwStates* states, double* out)
{
  Arrays arrays = {.asked = asked, .nq = lw_kernel_positions(model), .joints = model->n};
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
  bool as_they_are       = by_state && !arrays->packed;
  int some               = as_they_are ? count : 1;
  for (int done = 0; done < count; done += some)
  {
    const double* in[INPUTS] = {0};
    double* next             = ws->reduced.row;
    double* out              = as_they_are ? arrays->out.at : ws->reduced.answer;
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
    if (arrays->packed)
      unpack_triangles(plain, (const char*)out, (size_t)model->dof, 1, arrays->out);
    else if (!by_state)
      plain->unpack(out, lw_question_outputs(model, question), 1, &arrays->out);
    next_states(arrays, some);
  }
}

// The answer, NaN, to questions that the workspace has no memory for.
static void answer_nothing(size_t size, const lwGrid* out, int count)
{
  for (size_t k = 0; k < (size_t)count; ++k)
    for (size_t i = 0; i < size; ++i) out->at[k * out->by_state + i * out->by_entry] = (double)NAN;
}

// If there is no such question, how many numbers the caller expects is not known: one is written.
static bool is_question(lwQuestion question, double* out)
{
  bool is = (unsigned)question < LW_QUESTION_COUNT;
  assert(is && "there is no such question");
  if (!is) *out = (double)NAN;
  return is;
}

// One state by a kernel of this workspace, about the caller's own coordinates.
static inline void answer_directly(const lwModel* model, lwWorkspace* ws, lwQuestion question,
                                   const lwStates* state, double* out)
{
  lwStates in  = needed_inputs(question, state);
  bool doubles = writes_doubles(ws, question);
  answer_one(model, ws, asked_of(ws, question), false, in, doubles ? (void*)out : ws->outputs);
  if (!doubles) convert_answer(ws, question, out);
}

// One state in every other way.
static __attribute__((noinline)) void answer_around(const lwModel* model, lwWorkspace* ws,
                                                    lwQuestion question, const lwStates* state,
                                                    double* out)
{
  if (!is_question(question, out)) return;
  if (!lw_workspace_answers(ws, question))
    answer_nothing(lw_question_outputs(model, question), &(lwGrid){out, 0, 1}, 1);
  else if (lw_workspace_is_native(ws, question))
    lw_answer(model->native, ws->native, question, state, out);
  else if (!model->direct)
    lw_reduced_answer(model, ws, question, 1, state, out);
  else
    answer_directly(model, ws, question, state, out);
  if (ws->inertia && lw_question_info(question)->chooses & LW_CHOOSES_ROTORS)
    lw_refuse_singular(model, ws, 1, (lwGrid){(double*)state->q, 0, 1},
                       lw_question_outputs(model, question), (lwGrid){out, 0, 1});
}

void lw_answer(const lwModel* model, lwWorkspace* ws, lwQuestion question, const lwStates* state,
               double* out)
{
  assert(ws->model == model && "the workspace was made for another model");
  if ((unsigned)question < LW_QUESTION_COUNT && ws->direct & LW_ASKS(question))
    answer_directly(model, ws, question, state, out);
  else
    answer_around(model, ws, question, state, out);
}

// Who answers many states: the workspace with wide joints if it can.
static const lwModel* native_of(const lwModel* model, lwWorkspace** ws, lwQuestion question)
{
  assert((*ws)->model == model && "the workspace was made for another model");
  if (!lw_workspace_answers(*ws, question) || !lw_workspace_is_native(*ws, question)) return model;
  *ws = (*ws)->native;
  return model->native;
}

// arrays: asked, nq, joints and packed are set.
static void answer_some(const lwModel* model, lwWorkspace* ws, Arrays arrays, lwLayout layout,
                        lwRange range, const lwStates* states, double* out)
{
  assert(ws->model == model && "the workspace was made for another model");
  lwStates in = needed_inputs(arrays.asked.question, states);
  arrays      = arrays_of(model, ws, arrays, layout, range.total, &in, out);
  next_states(&arrays, range.first);
  if (!lw_workspace_answers(ws, arrays.asked.question))
    answer_nothing(output_size(model, &arrays), &arrays.out, range.count);
  else if (!model->direct)
    answer_coupled(model, ws, range.count, &arrays);
  else
    answer_arrays(model, ws, range.count, &arrays);
}

void lw_answer_range(const lwModel* model, lwWorkspace* ws, lwQuestion question, lwRange range,
                     const lwStates* states, double* out)
{
  if (!is_question(question, out)) return;
  const lwModel* whole = model;
  lwWorkspace* outer   = ws;
  model                = native_of(model, &ws, question);
  Arrays arrays        = {.asked = asked_of(ws, question), .nq = model->nq, .joints = model->dof};
  answer_some(model, ws, arrays, ws->layout, range, states, out);
  if (!outer->inertia || !(lw_question_info(question)->chooses & LW_CHOOSES_ROTORS)) return;
  size_t nq = (size_t)whole->nq, size = lw_question_outputs(whole, question);
  lwGrid q       = grid_of(ws->layout, states->q, nq, range.total);
  lwGrid answers = grid_of(ws->layout, out, size, range.total);
  if (q.at) q.at += (size_t)range.first * q.by_state;
  answers.at += (size_t)range.first * answers.by_state;
  lw_refuse_singular(whole, outer, range.count, q, size, answers);
}

static Arrays packed_arrays(const lwModel* model, const lwWorkspace* ws)
{
  return (Arrays){.asked  = asked_of(ws, LW_QUESTION_INERTIA),
                  .nq     = model->nq,
                  .joints = model->dof,
                  .packed = true};
}

void lw_inertia_matrix_packed_many(const lwModel* model, lwWorkspace* ws, int count,
                                   const double* q, double* packed)
{
  model = native_of(model, &ws, LW_QUESTION_INERTIA);
  answer_some(model, ws, packed_arrays(model, ws), ws->layout, (lwRange){count, 0, count},
              &(lwStates){.q = q}, packed);
}

void lw_inertia_matrix_packed(const lwModel* model, lwWorkspace* ws, const double* q,
                              double* packed)
{
  model                 = native_of(model, &ws, LW_QUESTION_INERTIA);
  Arrays arrays         = packed_arrays(model, ws);
  arrays.asked.in_lanes = false;
  if (lw_workspace_answers(ws, LW_QUESTION_INERTIA) && model->direct &&
      is_written_so(ws, &arrays) && writes_doubles(ws, LW_QUESTION_INERTIA))
  {
    assert(ws->model == model && "the workspace was made for another model");
    answer_one(model, ws, arrays.asked, true, (lwStates){.q = q}, packed);
    return;
  }
  answer_some(model, ws, arrays, LW_LAYOUT_BY_STATE, (lwRange){1, 0, 1}, &(lwStates){.q = q},
              packed);
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
