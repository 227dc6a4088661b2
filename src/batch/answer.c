// SPDX-License-Identifier: MIT
// Answers about one state, and about many in lanes.
#include <string.h>

#include "batch/work.h"
#include "linkwork/methods.h"
#include "model/model.h"

enum
{
  INPUTS = 5  // of lwStates
};

// A question about arrays of states, and where the answers go.
typedef struct Asked
{
  const lwModel* model;
  lwQuestion question;
  lwGrid in[INPUTS];  // at NULL: absent, or not asked for
  lwGrid out;
} Asked;

static size_t input_size(const lwModel* model, int k)
{
  return k == INPUTS - 1 ? 6 : (size_t)model->n;
}

// An array of `total` states of `size` entries each.
static lwGrid grid_of(lwLayout layout, const double* array, size_t size, int total)
{
  bool by_state = layout == LW_BY_STATE;
  return (lwGrid){(double*)array, by_state ? size : 1, by_state ? 1 : (size_t)total};
}

// The inputs of a question in the order of lwStates; NULL for those that are absent or not asked for.
static void needed_inputs(lwQuestion question, const lwStates* states, const double* in[INPUTS])
{
  unsigned needed     = lw_question_info(question)->inputs;
  const double* all[] = {states->q, states->qd, states->qdd, states->tau, states->wrench};
  for (int k = 0; k < INPUTS; ++k) in[k] = needed & (1u << k) ? all[k] : NULL;
}

static Asked asked_of(const lwModel* model, lwLayout layout, lwQuestion question, int total,
                      const lwStates* states, double* out)
{
  const double* in[INPUTS];
  Asked asked = {.model = model, .question = question};
  needed_inputs(question, states, in);
  for (int k = 0; k < INPUTS; ++k)
    asked.in[k] = grid_of(layout, in[k], input_size(model, k), total);
  asked.out = grid_of(layout, out, lw_question_outputs(model, question), total);
  return asked;
}

static lwState kernel_state(const lwWork* work, lwQuestion question, const void* const in[INPUTS])
{
  return (lwState){in[0], in[1], in[2], in[3], in[4], question == LW_CORIOLIS, work->refine};
}

// One state in double: the kernel reads and writes the caller's own memory.
static void answer_in_place(const lwModel* model, lwWork* work, lwQuestion question,
                            const double* const in[INPUTS], double* out)
{
  const void* given[INPUTS];
  for (int k = 0; k < INPUTS; ++k) given[k] = in[k];
  lwState state = kernel_state(work, question, given);
  work->isa->plain[LW_DOUBLE]->kernels[work->kernel[question]]->run(model, work->scratch, &state,
                                                                    out);
}

// As many states as the variant has lanes, or fewer, through the memory of the workspace.
static void answer_packed(const Asked* asked, lwWork* work, const lwVariant* variant, int count)
{
  const void* packed[INPUTS] = {0};
  char* next                 = work->inputs;
  for (int k = 0; k < INPUTS; ++k)
  {
    if (!asked->in[k].at) continue;
    size_t size = input_size(asked->model, k);
    variant->pack(&asked->in[k], size, count, next);
    packed[k] = next;
    next += size * variant->real_size;
  }
  lwState state = kernel_state(work, asked->question, packed);
  variant->kernels[work->kernel[asked->question]]->run(asked->model, work->scratch, &state,
                                                       work->outputs);
  variant->unpack(work->outputs, lw_question_outputs(asked->model, asked->question), count,
                  &asked->out);
}

static void next_states(Asked* asked, int count)
{
  for (int k = 0; k < INPUTS; ++k)
    if (asked->in[k].at) asked->in[k].at += (size_t)count * asked->in[k].by_state;
  asked->out.at += (size_t)count * asked->out.by_state;
}

void lw_answer(const lwModel* model, lwWork* work, lwQuestion question, const lwStates* state,
               double* out)
{
  if (work->precision == LW_DOUBLE)
  {
    const double* in[INPUTS];
    needed_inputs(question, state, in);
    answer_in_place(model, work, question, in, out);
    return;
  }
  Asked asked = asked_of(model, LW_BY_STATE, question, 1, state, out);
  answer_packed(&asked, work, work->isa->plain[LW_SINGLE], 1);
}

static void answer_next_in_place(const Asked* asked, lwWork* work)
{
  const double* in[INPUTS];
  for (int k = 0; k < INPUTS; ++k) in[k] = asked->in[k].at;
  answer_in_place(asked->model, work, asked->question, in, asked->out.at);
}

void lw_answer_range(const lwModel* model, lwWork* work, lwQuestion question, lwRange range,
                     const lwStates* states, double* out)
{
  Asked asked              = asked_of(model, work->layout, question, range.total, states, out);
  bool lanes               = work->in_lanes[question];
  const lwVariant* variant = (lanes ? work->isa->lanes : work->isa->plain)[work->precision];
  bool in_place            = !lanes && work->precision == LW_DOUBLE && work->layout == LW_BY_STATE;
  next_states(&asked, range.first);
  for (int left = range.count; left > 0; left -= variant->lanes)
  {
    int count = left < variant->lanes ? left : variant->lanes;
    if (in_place)
      answer_next_in_place(&asked, work);
    else
      answer_packed(&asked, work, variant, count);
    next_states(&asked, count);
  }
}

void lw_answer_many(const lwModel* model, lwWork* work, lwQuestion question, int count,
                    const lwStates* states, double* out)
{
  lw_answer_range(model, work, question, (lwRange){count, 0, count}, states, out);
}

static const double* wrench_of(const lwWork* work)
{
  return work->has_wrench ? work->wrench : NULL;
}

void lw_inverse_dynamics(const lwModel* model, lwWork* work, const double* q, const double* qd,
                         const double* qdd, double* tau)
{
  lwStates state = {.q = q, .qd = qd, .qdd = qdd, .wrench = wrench_of(work)};
  lw_answer(model, work, LW_INVERSE, &state, tau);
}

void lw_forward_dynamics(const lwModel* model, lwWork* work, const double* q, const double* qd,
                         const double* tau, double* qdd)
{
  lwStates state = {.q = q, .qd = qd, .tau = tau, .wrench = wrench_of(work)};
  lw_answer(model, work, LW_FORWARD, &state, qdd);
}

void lw_inertia_matrix(const lwModel* model, lwWork* work, const double* q, double* M)
{
  lw_answer(model, work, LW_INERTIA, &(lwStates){.q = q}, M);
}

void lw_bias(const lwModel* model, lwWork* work, const double* q, const double* qd, double* bias)
{
  lw_answer(model, work, LW_BIAS, &(lwStates){.q = q, .qd = qd}, bias);
}

void lw_gravity(const lwModel* model, lwWork* work, const double* q, double* gravity)
{
  lw_answer(model, work, LW_GRAVITY, &(lwStates){.q = q}, gravity);
}

void lw_coriolis(const lwModel* model, lwWork* work, const double* q, const double* qd,
                 double* coriolis)
{
  lw_answer(model, work, LW_CORIOLIS, &(lwStates){.q = q, .qd = qd}, coriolis);
}

void lw_energy(const lwModel* model, lwWork* work, const double* q, const double* qd,
               double* kinetic, double* potential)
{
  double energy[2];
  lw_answer(model, work, LW_ENERGY, &(lwStates){.q = q, .qd = qd}, energy);
  *kinetic   = energy[0];
  *potential = energy[1];
}

void lw_pose(const lwModel* model, lwWork* work, const double* q, double p[3], double R[9])
{
  double pose[12];
  lw_answer(model, work, LW_POSE, &(lwStates){.q = q}, pose);
  memcpy(p, pose, 3 * sizeof *p);
  memcpy(R, pose + 3, 9 * sizeof *R);
}

void lw_jacobian(const lwModel* model, lwWork* work, const double* q, double* J)
{
  lw_answer(model, work, LW_JACOBIAN, &(lwStates){.q = q}, J);
}
