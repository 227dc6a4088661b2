// SPDX-License-Identifier: MIT
// Every question about a robot with loops, in the speeds u that people name: qd = N u.
//
// The tree answers, and its answer is projected: torques by N^T, matrices of joints by N^T and N,
// Jacobians by N. At constant u joints accelerate by e = dN/dt u, which is part of what velocities
// cause. Numbers about links stay as they are.
#include <string.h>

#include "answer/workspace.h"
#include "kernels/questions.h"
#include "loop/loop_workspace.h"
#include "math/dense_ldl.h"

unsigned lw_loops_needs(unsigned questions)
{
  if (!questions) return 0;  // all
  if (questions & LW_ASKS(LW_QUESTION_JACOBIAN_RATE)) questions |= LW_ASKS(LW_QUESTION_JACOBIAN);
  if (questions & LW_ASKS(LW_QUESTION_FORWARD_DERIVATIVES))
    questions |= LW_ASKS(LW_QUESTION_INVERSE_DERIVATIVES);
  return questions | LW_ASKS(LW_QUESTION_INERTIA) | LW_ASKS(LW_QUESTION_INVERSE);
}

size_t lw_loops_outputs(const lwModel* model, lwQuestion question)
{
  size_t size = 0;
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(question, part));)
    size += lw_quantity_size(model, lw_model_mobility(model), part);
  return size;
}

// Places links and rows, and finds N and e there.
static lwStatus find_speeds(lwLoops* loops, const lwStates* state, lwDiag* diag)
{
  lw_loops_at(loops, state->q);
  memset(loops->bias, 0, (size_t)loops->rows * sizeof *loops->bias);
  if (state->qd) lw_loop_bias(loops->model, &loops->closer.motion, state->qd, loops->bias);
  return lw_loops_named_speeds(loops, diag);
}

// --- projection

// out (count, columns) = N^T A, A (dof, columns)
static void project_rows(const lwLoops* loops, size_t columns, const double* A, double* out)
{
  const lwSpeedSystem* speeds = &loops->speeds;
  size_t count                = (size_t)speeds->count;
  memset(out, 0, count * columns * sizeof *out);
  for (size_t i = 0; i < (size_t)loops->dof; ++i)
    for (size_t a = 0; a < count; ++a)
      for (size_t c = 0; c < columns; ++c)
        out[a * columns + c] += speeds->N[i * speeds->width + a] * A[i * columns + c];
}

// out (rows, count) = A N, A (rows, dof)
static void project_columns(const lwLoops* loops, size_t rows, const double* A, double* out)
{
  const lwSpeedSystem* speeds = &loops->speeds;
  size_t count = (size_t)speeds->count, dof = (size_t)loops->dof;
  memset(out, 0, rows * count * sizeof *out);
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < dof; ++i)
      for (size_t a = 0; a < count; ++a)
        out[r * count + a] += A[r * dof + i] * speeds->N[i * speeds->width + a];
}

static void project_quantity(lwLoops* loops, const lwQuantity* part, const double* full,
                             double* out)
{
  const lwModel* model = loops->model;
  switch (part->shape)
  {
    case LW_QUANTITY_SHAPE_VECTOR:
      return project_rows(loops, 1, full, out);
    case LW_QUANTITY_SHAPE_ROWS:
      return project_columns(loops, (size_t)part->count, full, out);
    case LW_QUANTITY_SHAPE_SQUARE:
      project_columns(loops, (size_t)loops->dof, full, loops->V);
      return project_rows(loops, (size_t)loops->speeds.count, loops->V, out);
    case LW_QUANTITY_SHAPE_PARAMETERS:
      return project_rows(loops, lw_quantity_size(model, 1, part), full, out);
    case LW_QUANTITY_SHAPE_NUMBERS:
    case LW_QUANTITY_SHAPE_JOINTS:
    case LW_QUANTITY_SHAPE_LINKS:
      memcpy(out, full, lw_quantity_size(model, loops->dof, part) * sizeof *out);
  }
}

static void project_answer(lwLoops* loops, lwQuestion question, const double* full, double* out)
{
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(question, part));)
  {
    project_quantity(loops, part, full, out);
    full += lw_quantity_size(loops->model, loops->dof, part);
    out += lw_quantity_size(loops->model, loops->speeds.count, part);
  }
}

// --- what constant speeds cause

// e (dof) into loops->other.
static const double* constant_speeds(lwLoops* loops)
{
  const lwSpeedSystem* speeds = &loops->speeds;
  for (int i = 0; i < loops->dof; ++i)
    loops->other[i] = speeds->N[(size_t)i * speeds->width + (size_t)speeds->count];
  return loops->other;
}

// full (rows) += A e, A (rows, dof) the tree's answer to a question
static void add_of_constant_speeds(lwLoops* loops, lwQuestion question, const lwStates* state,
                                   int rows, double* full)
{
  const double *e = constant_speeds(loops), *A = loops->more;
  lw_answer(loops->model, loops->ws, question, state, loops->more);
  for (int r = 0; r < rows; ++r, A += loops->dof)
    for (int i = 0; i < loops->dof; ++i) full[r] += A[i] * e[i];
}

// C qd + M e, and gravity
static void answer_bias(lwLoops* loops, lwQuestion question, const lwStates* state, double* out)
{
  (void)question;
  lwStates moves = {.q = state->q, .qd = state->qd, .qdd = constant_speeds(loops)};
  lw_answer(loops->model, loops->ws, LW_QUESTION_INVERSE, &moves, loops->full);
  project_rows(loops, 1, loops->full, out);
}

static void answer_coriolis(lwLoops* loops, lwQuestion question, const lwStates* state, double* out)
{
  lw_answer(loops->model, loops->ws, question, state, loops->full);
  add_of_constant_speeds(loops, LW_QUESTION_INERTIA, state, loops->dof, loops->full);
  project_rows(loops, 1, loops->full, out);
}

static void answer_jacobian_rate(lwLoops* loops, lwQuestion question, const lwStates* state,
                                 double* out)
{
  lw_answer(loops->model, loops->ws, question, state, out);
  add_of_constant_speeds(loops, LW_QUESTION_JACOBIAN, state, 6, out + 6);
}

// Torques, acceleration, pose, Jacobian and inertia of the tree, in the order of the question; what
// e adds to the first and to the acceleration is by the last two.
static void answer_control(lwLoops* loops, lwQuestion question, const lwStates* state, double* out)
{
  size_t dof      = (size_t)loops->dof;
  const double* e = constant_speeds(loops);
  double *bias = loops->full, *rate = bias + 2 * dof;
  const double *J = rate + 18, *M = J + 6 * dof;
  lw_answer(loops->model, loops->ws, question, state, loops->full);
  for (size_t i = 0; i < dof; ++i)
    for (size_t k = 0; k < dof; ++k) bias[i] += M[i * dof + k] * e[k];
  for (size_t c = 0; c < 6; ++c)
    for (size_t k = 0; k < dof; ++k) rate[c] += J[c * dof + k] * e[k];
  project_answer(loops, question, loops->full, out);
}

// --- what is solved

static void answer_inertia_inverse(lwLoops* loops, lwQuestion question, const lwStates* state,
                                   double* out)
{
  size_t count = (size_t)loops->speeds.count;
  double* K    = loops->speeds.K;
  (void)question;
  lw_answer(loops->model, loops->ws, LW_QUESTION_INERTIA, state, loops->M);
  if (loops->rotors) lw_loops_add_rotors(loops);
  loops->isa->null_space->project(&loops->speeds);
  dense_ldl_factor(count, K);
  for (size_t j = 0; j < count; ++j)
  {
    double* column = loops->speeds.speed;
    for (size_t i = 0; i < count; ++i) column[i] = i == j;
    dense_ldl_solve(count, K, column);
    for (size_t i = 0; i < count; ++i) out[i * count + j] = column[i];
  }
}

static void answer_forward(lwLoops* loops, lwQuestion question, const lwStates* state, double* out)
{
  (void)question;
  lw_loops_forward(loops, state, loops->full, NULL);
  for (int a = 0; a < loops->set->speeds.count; ++a)
    out[a] = loops->full[loops->set->speeds.named[a]];
}

// --- derivatives

static void answer_inverse_derivatives(lwLoops* loops, lwQuestion question, const lwStates* state,
                                       double* out)
{
  double *F = loops->more, *F_q = loops->full;
  lw_answer(loops->model, loops->ws, LW_QUESTION_INVERSE, state, F);
  lw_answer(loops->model, loops->ws, question, state, F_q);
  lw_answer(loops->model, loops->ws, LW_QUESTION_INERTIA, state, loops->M);
  lw_loops_torque_slopes(loops, state->qd, state->qdd, F, F_q, out, NULL);
}

// By the inverse of N^T M N, with F that of the motion and less the torques: N^T F = 0.
static void answer_forward_derivatives(lwLoops* loops, lwQuestion question, const lwStates* state,
                                       double* out)
{
  size_t dof = (size_t)loops->dof, count = (size_t)loops->set->speeds.count;
  size_t steps = lw_loops_steps(loops);
  double *F = loops->more, *qdd = loops->more + dof, *F_q = loops->full;
  double* W      = out + count * (steps + count);
  lwStates moves = {state->q, state->qd, qdd, NULL, state->wrench};
  lw_loops_forward(loops, state, qdd, NULL);
  find_speeds(loops, state, NULL);
  answer_inertia_inverse(loops, question, state, W);
  lw_answer(loops->model, loops->ws, LW_QUESTION_INVERSE, &moves, F);
  lw_answer(loops->model, loops->ws, LW_QUESTION_INVERSE_DERIVATIVES, &moves, F_q);
  for (size_t i = 0; i < dof; ++i)
  {
    double rotor = loops->rotors ? lw_loops_rotor(loops, (int)i) : 0;
    F[i] += rotor * qdd[i] - (state->tau ? state->tau[i] : 0);
  }
  find_speeds(loops, state, NULL);
  lw_loops_torque_slopes(loops, state->qd, qdd, F, F_q, out, NULL);
  for (size_t part = 0; part < 2; ++part)
  {
    size_t across = part == 0 ? steps : count;
    double *of = out + part * count * steps, *by = loops->V;
    memcpy(by, of, count * across * sizeof *by);
    for (size_t a = 0; a < count; ++a)
      for (size_t b = 0; b < across; ++b)
      {
        of[a * across + b] = 0;
        for (size_t k = 0; k < count; ++k)
          of[a * across + b] -= W[a * count + k] * by[k * across + b];
      }
  }
}

static void answer_coriolis_matrix(lwLoops* loops, lwQuestion question, const lwStates* state,
                                   double* out)
{
  lw_answer(loops->model, loops->ws, question, state, loops->full);
  lw_answer(loops->model, loops->ws, LW_QUESTION_INERTIA, state, loops->M);
  lw_loops_coriolis_matrix(loops, state->qd, loops->full, out);
}

// --- all of them

static void answer_projected(lwLoops* loops, lwQuestion question, const lwStates* state,
                             double* out)
{
  lw_answer(loops->model, loops->ws, question, state, loops->full);
  project_answer(loops, question, loops->full, out);
}

typedef void AnswerClosed(lwLoops* loops, lwQuestion question, const lwStates* state, double* out);

// Those that are more than a projection.
static AnswerClosed* const ANSWERS[LW_QUESTION_COUNT + 1] = {
    [LW_QUESTION_FORWARD]             = answer_forward,
    [LW_QUESTION_BIAS]                = answer_bias,
    [LW_QUESTION_CORIOLIS]            = answer_coriolis,
    [LW_QUESTION_JACOBIAN_RATE]       = answer_jacobian_rate,
    [LW_QUESTION_INERTIA_INVERSE]     = answer_inertia_inverse,
    [LW_QUESTION_INVERSE_DERIVATIVES] = answer_inverse_derivatives,
    [LW_QUESTION_FORWARD_DERIVATIVES] = answer_forward_derivatives,
    [LW_QUESTION_CORIOLIS_MATRIX]     = answer_coriolis_matrix,
    [LW_QUESTION_CONTROL]             = answer_control,
};

static bool is_about_links(lwQuestion question)
{
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(question, part));)
    if (part->shape != LW_QUANTITY_SHAPE_NUMBERS && part->shape != LW_QUANTITY_SHAPE_LINKS)
      return false;
  return question != LW_QUESTION_JACOBIAN_RATE;
}

lwStatus lw_loops_answer(lwLoops* loops, lwQuestion question, const lwStates* state, double* out,
                         lwDiag* diag)
{
  if (!lw_workspace_answers(loops->ws, question)) return LW_ERROR_METHOD;
  if (question == LW_QUESTION_REACTIONS) return lw_loops_reactions(loops, state, out);
  if (is_about_links(question))
  {
    lw_answer(loops->model, loops->ws, question, state, out);
    return LW_OK;
  }
  lwStatus status = find_speeds(loops, state, diag);
  if (status == LW_OK)
    (ANSWERS[question] ? ANSWERS[question] : answer_projected)(loops, question, state, out);
  return status;
}

lwStatus lw_loops_to_speeds(lwLoops* loops, const double* q, size_t columns, const double* full,
                            double* out, lwDiag* diag)
{
  lwStatus status = find_speeds(loops, &(lwStates){.q = q}, diag);
  if (status == LW_OK) project_rows(loops, columns, full, out);
  return status;
}

lwStatus lw_loops_linearise(lwLoops* loops, const lwStates* state, const double* rotor,
                            const double* damping, double* tau, double* M, double* slopes,
                            double* bent, double* N)
{
  size_t dof = (size_t)loops->dof, count = (size_t)loops->set->speeds.count;
  double *F = loops->more, *F_q = loops->full;
  lw_answer(loops->model, loops->ws, LW_QUESTION_INVERSE, state, F);
  lw_answer(loops->model, loops->ws, LW_QUESTION_INVERSE_DERIVATIVES, state, F_q);
  lwStatus status = find_speeds(loops, state, NULL);
  if (status != LW_OK) return status;
  lw_answer(loops->model, loops->ws, LW_QUESTION_INERTIA, state, loops->M);
  for (size_t i = 0; i < dof; ++i)
  {
    if (state->qdd) F[i] += rotor[i] * state->qdd[i];
    if (state->qd) F[i] += damping[i] * state->qd[i];
    F_q[dof * dof + i * (dof + 1)] += damping[i];
    loops->M[i * (dof + 1)] += rotor[i];
  }
  project_rows(loops, 1, F, tau);
  project_columns(loops, dof, loops->M, loops->V);
  project_rows(loops, count, loops->V, M);
  for (size_t i = 0; i < dof && N; ++i)
    memcpy(N + i * count, loops->speeds.N + i * loops->speeds.width, count * sizeof *N);
  lw_loops_torque_slopes(loops, state->qd, state->qdd, F, F_q, slopes, bent);
  return LW_OK;
}
