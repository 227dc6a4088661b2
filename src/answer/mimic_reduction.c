// SPDX-License-Identifier: MIT
// Answers about a robot some of whose joints mimic others.
//
// Kernels know all n moving joints, people the independent ones, y: q = G y + o (model/mimic.c). With virtual work,
//   tau_y = G^T tau      M_y = G^T M G      J_y = J G      M_y ydd = tau_y - G^T b(q, G yd)
// With rotors, their reflected inertia is added to the diagonal of M.
// Energy and pose are those of q. A row of G has one entry, gain[i], in column leader[i], or none.
#include <string.h>

#include "answer/workspace.h"
#include "kernels/registry.h"
#include "linkwork/methods.h"
#include "model/model.h"

enum
{
  Q,
  QD,
  QDD
};

// --- between the independent joints and all of them

// rows of y to rows of G y, and shifted by o for positions
static void expand(const lwModel* model, const double* rows, int count, bool shifted, double* out)
{
  for (int row = 0; row < count; ++row)
    for (int i = 0; i < model->n; ++i)
    {
      int leader   = model->leader[i];
      double moved = rows && leader >= 0 ? rows[(size_t)row * (size_t)model->dof + leader] : 0;
      out[(size_t)row * (size_t)model->n + i] =
          model->gain[i] * moved + (shifted ? model->shift[i] : 0);
    }
}

// G^T full
static void mimic_gather(const lwModel* model, const double* full, double* out)
{
  memset(out, 0, (size_t)model->dof * sizeof *out);
  for (int i = 0; i < model->n; ++i)
    if (model->leader[i] >= 0) out[model->leader[i]] += model->gain[i] * full[i];
}

// G^T M G, only between joints that move
static void gather_matrix(const lwModel* model, const double* M, double* out)
{
  size_t n = (size_t)model->n, dof = (size_t)model->dof;
  memset(out, 0, dof * dof * sizeof *out);
  for (size_t i = 0; i < n; ++i)
  {
    if (model->leader[i] < 0) continue;
    double* row = out + (size_t)model->leader[i] * dof;
    for (size_t j = 0; j < n; ++j)
      if (model->leader[j] >= 0)
        row[model->leader[j]] += model->gain[i] * model->gain[j] * M[i * n + j];
  }
}

static void mimic_reduce(const lwModel* model, lwQuestion question, const double* full, double* out)
{
  switch (question)
  {
    case LW_QUESTION_INERTIA:
      gather_matrix(model, full, out);
      break;
    case LW_QUESTION_ENERGY:
    case LW_QUESTION_POSE:
    case LW_QUESTION_REACTIONS:
      memcpy(out, full, lw_kernel_outputs(model, model->n, question) * sizeof *out);
      break;
    case LW_QUESTION_JACOBIAN:
      for (int row = 0; row < 6; ++row)
        mimic_gather(model, full + (size_t)row * (size_t)model->n,
                     out + (size_t)row * (size_t)model->dof);
      break;
    default:
      mimic_gather(model, full, out);
  }
}

// --- forward dynamics

// M = L D L^T in place, L below the diagonal, D on it
static void mimic_factor(double* M, size_t n)
{
  for (size_t j = 0; j < n; ++j)
  {
    for (size_t k = 0; k < j; ++k) M[j * n + j] -= M[j * n + k] * M[j * n + k] * M[k * n + k];
    for (size_t i = j + 1; i < n; ++i)
    {
      for (size_t k = 0; k < j; ++k) M[i * n + j] -= M[i * n + k] * M[k * n + k] * M[j * n + k];
      M[i * n + j] /= M[j * n + j];
    }
  }
}

static void mimic_solve(const double* M, size_t n, double* x)
{
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < i; ++k) x[i] -= M[i * n + k] * x[k];
  for (size_t i = n; i-- > 0;)
  {
    x[i] /= M[i * n + i];
    for (size_t k = i + 1; k < n; ++k) x[i] -= M[k * n + i] * x[k];
  }
}

// rest = M_y^-1 (tau_y - G^T torque)
static void solve_rest(const lwModel* model, lwReduced* reduced, const double* tau,
                       const double* torque)
{
  mimic_gather(model, torque, reduced->rest);
  for (int k = 0; k < model->dof; ++k) reduced->rest[k] = (tau ? tau[k] : 0) - reduced->rest[k];
  mimic_solve(reduced->factors, (size_t)model->dof, reduced->rest);
}

// M_y += G^T diag(rotors) G
static void add_rotors(const lwModel* model, double* M)
{
  size_t dof = (size_t)model->dof;
  for (int i = 0; i < model->n; ++i)
  {
    if (model->leader[i] < 0) continue;
    size_t k = (size_t)model->leader[i];
    M[k * dof + k] += model->gain[i] * model->gain[i] * model->link64[i].rotor;
  }
}

// One row, whose bias and inertia matrix are known; steps of refinement as in kernels/forward/through_inertia.c.
static void mimic_accelerate(const lwModel* model, lwWorkspace* ws, const lwStates* full,
                             const double* bias, const double* M, double* ydd)
{
  lwReduced* reduced = &ws->reduced;
  lwAsked once       = {LW_QUESTION_INVERSE, reduced->bias.kernel, false};
  lwStates reached   = {full->q, full->qd, reduced->inputs[QDD], NULL, full->wrench};
  gather_matrix(model, M, reduced->factors);
  if (ws->rotors) add_rotors(model, reduced->factors);
  mimic_factor(reduced->factors, (size_t)model->dof);
  solve_rest(model, reduced, full->tau, bias);
  memcpy(ydd, reduced->rest, (size_t)model->dof * sizeof *ydd);
  for (int step = 0; step < ws->refine; ++step)
  {
    expand(model, ydd, 1, false, reduced->inputs[QDD]);
    lw_answer_rows(model, ws, once, 1, &reached, reduced->torque);
    for (int i = 0; i < model->n && ws->rotors; ++i)
      reduced->torque[i] += model->link64[i].rotor * reduced->inputs[QDD][i];
    solve_rest(model, reduced, full->tau, reduced->torque);
    for (int k = 0; k < model->dof; ++k) ydd[k] += reduced->rest[k];
  }
}

// --- answers

// Row `row` of full states, of which tau are those of the independent joints.
static lwStates mimic_row(const lwModel* model, const lwStates* states, int row)
{
  size_t k = (size_t)row, n = (size_t)model->n;
  return (lwStates){.q      = states->q + k * n,
                    .qd     = states->qd ? states->qd + k * n : NULL,
                    .qdd    = states->qdd ? states->qdd + k * n : NULL,
                    .tau    = states->tau ? states->tau + k * (size_t)model->dof : NULL,
                    .wrench = states->wrench ? states->wrench + k * 6 : NULL};
}

static void forward_rows(const lwModel* model, lwWorkspace* ws, int count, const lwStates* full,
                         double* out)
{
  lwReduced* reduced = &ws->reduced;
  size_t n           = (size_t)model->n;
  bool all           = reduced->inertia.in_lanes;
  lwStates at_rest   = {full->q, full->qd, NULL, NULL, full->wrench};
  lwAsked bias = reduced->bias, inertia = reduced->inertia;
  bias.in_lanes    = bias.in_lanes && count > 1;
  inertia.in_lanes = inertia.in_lanes && count > 1;
  lw_answer_rows(model, ws, bias, count, &at_rest, reduced->full);
  if (all) lw_answer_rows(model, ws, inertia, count, full, reduced->M);
  for (int row = 0; row < count; ++row)
  {
    lwStates state = mimic_row(model, full, row);
    if (!all) lw_answer_rows(model, ws, inertia, 1, &state, reduced->M);
    mimic_accelerate(model, ws, &state, reduced->full + (size_t)row * n,
                     reduced->M + (all ? (size_t)row * n * n : 0), out + row * model->dof);
  }
}

static void mimic_answer_rows(const lwModel* model, lwWorkspace* ws, lwQuestion question, int count,
                              const lwStates* full, double* out)
{
  lwReduced* reduced = &ws->reduced;
  double* answers    = question == LW_QUESTION_INERTIA ? reduced->M : reduced->full;
  lwAsked asked      = {question, ws->kernel[question], ws->in_lanes[question] && count > 1};
  lw_answer_rows(model, ws, asked, count, full, answers);
  for (int row = 0; row < count; ++row)
    mimic_reduce(model, question,
                 answers + (size_t)row * lw_kernel_outputs(model, model->n, question),
                 out + (size_t)row * lw_question_outputs(model, question));
}

// States of all moving joints, for the next count rows.
static lwStates expand_states(const lwModel* model, lwWorkspace* ws, int count,
                              const lwStates* states)
{
  const double* given[] = {states->q, states->qd, states->qdd};
  double* const* inputs = ws->reduced.inputs;
  for (int k = Q; k <= QDD; ++k)
    if (given[k] || k == Q) expand(model, given[k], count, k == Q, inputs[k]);
  return (lwStates){.q      = inputs[Q],
                    .qd     = states->qd ? inputs[QD] : NULL,
                    .qdd    = states->qdd ? inputs[QDD] : NULL,
                    .tau    = states->tau,
                    .wrench = states->wrench};
}

static int rows_at_once(const lwWorkspace* ws, lwQuestion question)
{
  bool lanes = question == LW_QUESTION_FORWARD ? ws->reduced.bias.in_lanes : ws->in_lanes[question];
  return lanes ? ws->isa->lanes[ws->precision]->lanes : 1;
}

void lw_reduced_answer(const lwModel* model, lwWorkspace* ws, lwQuestion question, int count,
                       const lwStates* states, double* out)
{
  unsigned asked = lw_question_info(question)->inputs;
  size_t dof     = (size_t)model->dof;
  int most       = rows_at_once(ws, question);
  lwStates left  = {
       states->q, asked & LW_INPUT_QD ? states->qd : NULL, asked & LW_INPUT_QDD ? states->qdd : NULL,
      asked & LW_INPUT_TAU ? states->tau : NULL, asked & LW_INPUT_WRENCH ? states->wrench : NULL};
  for (int done = 0; done < count; done += most)
  {
    int next      = count - done < most ? count - done : most;
    lwStates full = expand_states(model, ws, next, &left);
    if (question == LW_QUESTION_FORWARD)
      forward_rows(model, ws, next, &full, out);
    else
      mimic_answer_rows(model, ws, question, next, &full, out);
    if (left.q) left.q += (size_t)next * dof;
    if (left.qd) left.qd += (size_t)next * dof;
    if (left.qdd) left.qdd += (size_t)next * dof;
    if (left.tau) left.tau += (size_t)next * dof;
    if (left.wrench) left.wrench += (size_t)next * 6;
    out += (size_t)next * lw_question_outputs(model, question);
  }
}

// --- making

lwStatus lw_reduced_create(lwWorkspace* ws, const lwModel* model, lwDiag* diag)
{
  lwReduced* reduced = &ws->reduced;
  size_t n = (size_t)model->n, dof = (size_t)model->dof, joints = (size_t)model->robot.count;
  int inertia = lw_kernel_index(model, LW_QUESTION_INERTIA, ws->method[LW_QUESTION_FORWARD]);
  if (inertia < 0)
  {
    LW_REFUSE(diag, NULL, "'%s' cannot couple joints, and some joints of '%s' mimic others",
              ws->method[LW_QUESTION_FORWARD], model->robot.name);
    return LW_ERROR_METHOD;
  }
  reduced->inertia = (lwAsked){LW_QUESTION_INERTIA, inertia, ws->in_lanes[LW_QUESTION_INERTIA]};
  reduced->bias    = (lwAsked){LW_QUESTION_INVERSE,
                               lw_kernel_index(model, LW_QUESTION_INVERSE, "newton-euler-grouped"),
                               ws->in_lanes[LW_QUESTION_GRAVITY]};
  size_t lanes     = (size_t)ws->isa->lanes[ws->precision]->lanes;
  bool forward     = lw_workspace_answers(ws, LW_QUESTION_FORWARD);
  bool matrix      = forward || lw_workspace_answers(ws, LW_QUESTION_INERTIA);
  size_t matrices  = !matrix ? 0 : reduced->inertia.in_lanes ? lanes : 1;
  size_t answers   = matrix ? dof * dof : 0;
  bool enough      = true;
  struct
  {
    double** array;
    size_t count;
  } arrays[] = {{&reduced->inputs[Q], lanes * n},
                {&reduced->inputs[QD], lanes * n},
                {&reduced->inputs[QDD], lanes * n},
                {&reduced->full, lanes * (6 * joints + 12)},
                {&reduced->M, matrices * n * n},
                {&reduced->factors, forward ? dof * dof : 0},
                {&reduced->rest, dof},
                {&reduced->torque, n},
                {&reduced->row, 4 * dof + 6},
                {&reduced->answer, answers + 6 * joints + 12}};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
  {
    *arrays[k].array = lw_arena_take(&ws->arena, arrays[k].count, sizeof(double));
    enough           = enough && *arrays[k].array;
  }
  return enough ? LW_OK : LW_ERROR_MEMORY;
}
