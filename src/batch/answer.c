// SPDX-License-Identifier: MIT
// Answers about one state, and about many in lanes.
#include <string.h>

#include "batch/work.h"
#include "linkwork/methods.h"
#include "model/model.h"

enum
{
  INPUTS = 5
};

// The inputs of a question in the order of lwStates; NULL for those that are absent or not asked for.
static void asked_inputs(lwQuestion question, const lwStates* states, const double* inputs[INPUTS])
{
  unsigned asked      = lw_question_info(question)->inputs;
  const double* all[] = {states->q, states->qd, states->qdd, states->tau, states->wrench};
  for (int k = 0; k < INPUTS; ++k) inputs[k] = asked & (1u << k) ? all[k] : NULL;
}

static int input_size(const lwModel* model, int k)
{
  return k == INPUTS - 1 ? 6 : model->n;
}

static lwState kernel_state(const lwWork* work, lwQuestion question,
                            const void* const inputs[INPUTS])
{
  return (lwState){inputs[0],    inputs[1],   inputs[2],
                   inputs[3],    inputs[4],   question == LW_CORIOLIS,
                   work->refine, &work->view, work->rotors};
}

// count doubles written over the floats that stand in the first half of their memory
static void widen(double* out, size_t count)
{
  const char* floats = (const char*)out;
  for (size_t i = count; i-- > 0;)
  {
    float narrow;
    memcpy(&narrow, floats + i * sizeof narrow, sizeof narrow);
    out[i] = narrow;
  }
}

static void answer_single(const lwModel* model, lwWork* work, lwAsked asked,
                          const double* const inputs[INPUTS], double* out)
{
  const void* narrow[INPUTS] = {0};
  float* next                = work->inputs;
  for (int k = 0; k < INPUTS; ++k)
  {
    if (!inputs[k]) continue;
    int size  = input_size(model, k);
    narrow[k] = next;
    for (int i = 0; i < size; ++i) *next++ = (float)inputs[k][i];
  }
  lwState state = kernel_state(work, asked.question, narrow);
  work->isa->plain[LW_SINGLE]->kernels[asked.kernel]->run(model, work->scratch, &state, out);
  widen(out, lw_kernel_outputs(model->n, asked.question));
}

static void answer_one(const lwModel* model, lwWork* work, lwAsked asked,
                       const double* const inputs[INPUTS], double* out)
{
  if (work->precision == LW_SINGLE)
  {
    answer_single(model, work, asked, inputs, out);
    return;
  }
  const void* given[INPUTS];
  for (int k = 0; k < INPUTS; ++k) given[k] = inputs[k];
  lwState state = kernel_state(work, asked.question, given);
  work->isa->plain[LW_DOUBLE]->kernels[asked.kernel]->run(model, work->scratch, &state, out);
}

static lwAsked asked_of(const lwWork* work, lwQuestion question)
{
  return (lwAsked){question, work->kernel[question], work->in_lanes[question]};
}

void lw_answer(const lwModel* model, lwWork* work, lwQuestion question, const lwStates* state,
               double* out)
{
  const double* inputs[INPUTS];
  if (model->dof < model->n)
  {
    lw_reduced_answer(model, work, question, 1, state, out);
    return;
  }
  asked_inputs(question, state, inputs);
  answer_one(model, work, asked_of(work, question), inputs, out);
}

// Rows of `count` states to lanes: entry i of all lanes side by side. Lanes without a state repeat the last one.
static void pack(const double* rows, int size, int count, const lwVariant* variant, void* out)
{
  bool single = variant->real_size / (size_t)variant->lanes == sizeof(float);
  for (int lane = 0; lane < variant->lanes; ++lane)
  {
    const double* row = rows + (size_t)(lane < count ? lane : count - 1) * (size_t)size;
    float* floats     = (float*)out + lane;
    double* doubles   = (double*)out + lane;
    for (int i = 0; i < size; ++i)
      if (single)
        floats[(size_t)i * (size_t)variant->lanes] = (float)row[i];
      else
        doubles[(size_t)i * (size_t)variant->lanes] = row[i];
  }
}

static void unpack(const void* in, size_t size, int count, const lwVariant* variant, double* rows)
{
  bool single = variant->real_size / (size_t)variant->lanes == sizeof(float);
  for (int lane = 0; lane < count; ++lane)
  {
    const float* floats   = (const float*)in + lane;
    const double* doubles = (const double*)in + lane;
    double* row           = rows + (size_t)lane * size;
    for (size_t i = 0; i < size; ++i)
      row[i] = single ? floats[i * (size_t)variant->lanes] : doubles[i * (size_t)variant->lanes];
  }
}

// As many states as there are lanes, or fewer.
static void answer_lanes(const lwModel* model, lwWork* work, lwAsked asked, int count,
                         const double* const inputs[INPUTS], double* out)
{
  const lwVariant* variant   = work->isa->lanes[work->precision];
  const void* packed[INPUTS] = {0};
  char* next                 = work->inputs;
  for (int k = 0; k < INPUTS; ++k)
  {
    if (!inputs[k]) continue;
    int size = input_size(model, k);
    pack(inputs[k], size, count, variant, next);
    packed[k] = next;
    next += (size_t)size * variant->real_size;
  }
  lwState state = kernel_state(work, asked.question, packed);
  variant->kernels[asked.kernel]->run(model, work->scratch, &state, work->outputs);
  unpack(work->outputs, lw_kernel_outputs(model->n, asked.question), count, variant, out);
}

void lw_answer_many(const lwModel* model, lwWork* work, lwQuestion question, int count,
                    const lwStates* states, double* out)
{
  if (model->dof < model->n)
    lw_reduced_answer(model, work, question, count, states, out);
  else
    lw_answer_rows(model, work, asked_of(work, question), count, states, out);
}

void lw_answer_rows(const lwModel* model, lwWork* work, lwAsked asked, int count,
                    const lwStates* states, double* out)
{
  int lanes = asked.in_lanes ? work->isa->lanes[work->precision]->lanes : 1;
  const double* inputs[INPUTS];
  asked_inputs(asked.question, states, inputs);
  for (int done = 0; done < count; done += lanes)
  {
    int next = count - done < lanes ? count - done : lanes;
    if (asked.in_lanes)
      answer_lanes(model, work, asked, next, inputs, out);
    else
      answer_one(model, work, asked, inputs, out);
    for (int k = 0; k < INPUTS; ++k)
      if (inputs[k]) inputs[k] += (size_t)next * (size_t)input_size(model, k);
    out += (size_t)next * lw_kernel_outputs(model->n, asked.question);
  }
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
