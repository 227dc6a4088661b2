// SPDX-License-Identifier: MIT
// Answers about a robot whose kernels have other coordinates than its users: some
// joints mimic others, or have quaternions.
//
// model/expand.h relates the coordinates. Energy and pose are those of the kernels' q. Forward
// dynamics of coupled joints is solved here, M_y ydd = tau_y - G^T b(q, G yd), with the inertia
// matrix M_y = G^T M G; with rotors, their reflected inertia is added to the diagonal of M. Without
// coupled joints the kernel itself solves it, and holds the joints that are held.
#include <string.h>

#include "answer/workspace.h"
#include "kernels/registry.h"
#include "linkwork/methods.h"
#include "math/dense_ldl.h"
#include "model/expand.h"
#include "model/model_internal.h"

enum
{
  Q,
  QD,
  QDD,
  TAU
};

// Rows of one entry for each joint, from `full` to `out`.
static void reduce_rows(const lwModel* model, size_t rows, const double* R, const double* full,
                        double* out)
{
  for (size_t row = 0; row < rows; ++row, full += model->n, out += model->dof)
  {
    reduce_vector(model, full, out);
    from_parent_axes(model, R, out);
  }
}

// Columns of one entry for each joint, from `full` to `out`, one after the other.
static void reduce_columns(const lwModel* model, size_t columns, const double* R,
                           const double* full, double* out)
{
  for (size_t i = 0; i < (size_t)model->dof * columns; ++i) out[i] = 0;
  for (size_t i = 0; i < (size_t)model->n; ++i)
    for (size_t c = 0; c < columns && model->leader[i] >= 0; ++c)
      out[(size_t)model->leader[i] * columns + c] += model->gain[i] * full[i * columns + c];
  turn_columns(model, R, columns, out);
}

static void reduce_quantity(const lwModel* model, const lwQuantity* part, const double* R,
                            const double* full, double* out)
{
  switch (part->shape)
  {
    case LW_QUANTITY_SHAPE_VECTOR:
      return reduce_rows(model, 1, R, full, out);
    case LW_QUANTITY_SHAPE_ROWS:
      return reduce_rows(model, (size_t)part->count, R, full, out);
    case LW_QUANTITY_SHAPE_SQUARE:
      return reduce_matrix(model, R, full, out);
    case LW_QUANTITY_SHAPE_PARAMETERS:
      return reduce_columns(model, lw_quantity_size(model, 1, part), R, full, out);
    case LW_QUANTITY_SHAPE_NUMBERS:
    case LW_QUANTITY_SHAPE_JOINTS:
    case LW_QUANTITY_SHAPE_LINKS:
      memcpy(out, full, lw_quantity_size(model, model->dof, part) * sizeof *out);
  }
}

static void reduce_answer(const lwModel* model, lwQuestion question, const double* R,
                          const double* full, double* out)
{
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(question, part));)
  {
    reduce_quantity(model, part, R, full, out);
    full += lw_quantity_size(model, model->n, part);
    out += lw_quantity_size(model, model->dof, part);
  }
}

// --- forward dynamics

// rest = M_y^-1 (tau_y - G^T torque)
static void solve_rest(const lwModel* model, lwReduced* reduced, const double* tau,
                       const double* torque)
{
  reduce_vector(model, torque, reduced->rest);
  for (int k = 0; k < model->dof; ++k) reduced->rest[k] = (tau ? tau[k] : 0) - reduced->rest[k];
  dense_ldl_solve((size_t)model->dof, reduced->factors, reduced->rest);
}

void lw_add_rotors(const lwModel* model, double* M)
{
  size_t dof = (size_t)model->dof;
  for (int i = 0; i < model->n; ++i)
  {
    if (model->leader[i] < 0) continue;
    size_t k = (size_t)model->leader[i];
    M[k * dof + k] += model->gain[i] * model->gain[i] * model->link64[i].rotor;
  }
}

// One row, whose bias and inertia matrix are known;
// steps of refinement as in kernels/forward/through_inertia.c.
static void mimic_accelerate(const lwModel* model, lwWorkspace* ws, const lwStates* full,
                             const double* bias, const double* M, double* ydd)
{
  lwReduced* reduced = &ws->reduced;
  lwAsked once       = {LW_QUESTION_INVERSE, reduced->bias.kernel, false};
  lwStates reached   = {full->q, full->qd, reduced->inputs[QDD], NULL, full->wrench};
  reduce_matrix(model, NULL, M, reduced->factors);
  if (ws->rotors) lw_add_rotors(model, reduced->factors);
  dense_ldl_factor((size_t)model->dof, reduced->factors);
  solve_rest(model, reduced, full->tau, bias);
  memcpy(ydd, reduced->rest, (size_t)model->dof * sizeof *ydd);
  for (int step = 0; step < ws->refine; ++step)
  {
    expand(model, ydd, reduced->inputs[QDD]);
    lw_answer_rows(model, ws, once, 1, &reached, reduced->torque);
    for (int i = 0; i < model->n && ws->rotors; ++i)
      reduced->torque[i] += model->link64[i].rotor * reduced->inputs[QDD][i];
    solve_rest(model, reduced, full->tau, reduced->torque);
    for (int k = 0; k < model->dof; ++k) ydd[k] += reduced->rest[k];
  }
}

// --- what is solved with an inertia matrix

// M_y^-1 from its factors, column by column.
static void mimic_invert(const double* factors, size_t n, double* column, double* out)
{
  for (size_t j = 0; j < n; ++j)
  {
    for (size_t i = 0; i < n; ++i) column[i] = i == j;
    dense_ldl_solve(n, factors, column);
    for (size_t i = 0; i < n; ++i) out[i * n + j] = column[i];
  }
  for (size_t i = 0; i < n; ++i)  // symmetric to the last bit
    for (size_t j = 0; j < i; ++j) out[i * n + j] = out[j * n + i];
}

// A = -M_y^-1 A from its factors
static void mimic_solve_matrix(const double* factors, size_t n, double* column, double* A)
{
  for (size_t j = 0; j < n; ++j)
  {
    for (size_t i = 0; i < n; ++i) column[i] = -A[i * n + j];
    dense_ldl_solve(n, factors, column);
    for (size_t i = 0; i < n; ++i) A[i * n + j] = column[i];
  }
}

// --- answers

// Row `row` of the kernels' states; tau is that of the coordinates between, and of dof entries.
static lwStates coupled_row(const lwModel* model, const lwWorkspace* ws, const lwStates* states,
                            int row)
{
  size_t k = (size_t)row, n = (size_t)model->n;
  return (lwStates){.q      = states->q + k * (size_t)lw_kernel_positions(model),
                    .qd     = states->qd ? states->qd + k * n : NULL,
                    .tau    = states->tau ? states->tau + k * (size_t)model->dof : NULL,
                    .wrench = states->wrench ? states->wrench + k * lw_wrench_size(ws) : NULL};
}

// ydd of coupled joints.
static void coupled_rows(const lwModel* model, lwWorkspace* ws, int count, const lwStates* full,
                         double* out)
{
  lwReduced* reduced = &ws->reduced;
  size_t n           = (size_t)model->n;
  bool all           = reduced->inertia.in_lanes;
  lwStates at_rest = {full->q, full->qd, NULL, NULL, full->wrench}, still = {.q = full->q};
  lwAsked bias = reduced->bias, inertia = reduced->inertia;
  bias.in_lanes    = bias.in_lanes && count > 1;
  inertia.in_lanes = inertia.in_lanes && count > 1;
  lw_answer_rows(model, ws, bias, count, &at_rest, reduced->full);
  if (all) lw_answer_rows(model, ws, inertia, count, &still, reduced->M);
  for (int row = 0; row < count; ++row)
  {
    lwStates state = coupled_row(model, ws, full, row);
    if (!all) lw_answer_rows(model, ws, inertia, 1, &(lwStates){.q = state.q}, reduced->M);
    mimic_accelerate(model, ws, &state, reduced->full + (size_t)row * n,
                     reduced->M + (all ? (size_t)row * n * n : 0), out + row * model->dof);
  }
}

// M_y^-1 of one state of coupled joints.
static void coupled_inverse(const lwModel* model, lwWorkspace* ws, const lwStates* full,
                            double* out)
{
  lwReduced* reduced = &ws->reduced;
  lwAsked once       = {LW_QUESTION_INERTIA, reduced->inertia.kernel, false};
  lw_answer_rows(model, ws, once, 1, &(lwStates){.q = full->q}, reduced->M);
  reduce_matrix(model, reduced->R, reduced->M, reduced->factors);
  if (ws->rotors) lw_add_rotors(model, reduced->factors);
  dense_ldl_factor((size_t)model->dof, reduced->factors);
  mimic_invert(reduced->factors, (size_t)model->dof, reduced->rest, out);
}

// Derivatives of the accelerations of one state of coupled joints, from those of torques.
static void coupled_slopes(const lwModel* model, lwWorkspace* ws, const lwStates* full, double* out)
{
  lwReduced* reduced = &ws->reduced;
  size_t n = (size_t)model->n, dof = (size_t)model->dof;
  lwStates moves = {full->q, full->qd, reduced->inputs[QDD], NULL, full->wrench};
  coupled_rows(model, ws, 1, full, out);  // leaves the factors of M_y
  expand(model, out, reduced->inputs[QDD]);
  lw_answer_rows(model, ws, reduced->slopes, 1, &moves, reduced->M);
  for (size_t k = 0; k < 2; ++k)
  {
    reduce_matrix(model, NULL, reduced->M + k * n * n, out + k * dof * dof);
    mimic_solve_matrix(reduced->factors, dof, reduced->rest, out + k * dof * dof);
  }
  mimic_invert(reduced->factors, dof, reduced->rest, out + 2 * dof * dof);
}

// ydd of joints that are not coupled: the kernel's accelerations without those of held joints.
static void uncoupled_rows(const lwModel* model, lwWorkspace* ws, int count, const lwStates* full,
                           double* out)
{
  lwReduced* reduced = &ws->reduced;
  size_t n           = (size_t)model->n;
  lwAsked asked      = {LW_QUESTION_FORWARD, ws->kernel[LW_QUESTION_FORWARD],
                        ws->in_lanes[LW_QUESTION_FORWARD] && count > 1};
  lw_answer_rows(model, ws, asked, count, full, reduced->full);
  for (size_t row = 0; row < (size_t)count; ++row)
    for (int i = 0; i < model->dof; ++i)
      out[row * (size_t)model->dof + (size_t)i] =
          reduced->full[row * n + (size_t)model->independent[i]];
}

static void reduced_rows(const lwModel* model, lwWorkspace* ws, lwQuestion question, int count,
                         const lwStates* full, double* out)
{
  lwReduced* reduced = &ws->reduced;
  bool matrix        = lw_question_is_matrix(question);
  double* answers    = matrix ? reduced->M : reduced->full;
  lwAsked asked      = {question, ws->kernel[question], ws->in_lanes[question] && count > 1};
  lw_answer_rows(model, ws, asked, count, full, answers);
  for (int row = 0; row < count; ++row)
    reduce_answer(model, question, reduced->R + (size_t)row * 9 * (size_t)model->ball_count,
                  answers + (size_t)row * lw_kernel_outputs(model, model->n, question),
                  out + (size_t)row * lw_question_outputs(model, question));
}

// A state as people know it; NULL where it is absent.
static lwStates given_row(const lwModel* model, const lwStates* states, int row)
{
  size_t k = (size_t)row, dof = (size_t)model->dof;
  return (lwStates){.q   = states->q ? states->q + k * (size_t)model->nq : NULL,
                    .qd  = states->qd ? states->qd + k * dof : NULL,
                    .qdd = states->qdd ? states->qdd + k * dof : NULL,
                    .tau = states->tau ? states->tau + k * dof : NULL};
}

// The kernel's state in row `row` of the workspace.
static void expand_state(const lwModel* model, lwReduced* reduced, bool accelerates,
                         const lwStates* given, size_t row)
{
  size_t n  = (size_t)model->n;
  double *R = reduced->R + row * 9 * (size_t)model->ball_count, *y = reduced->rest;
  ball_rotations(model, given->q, R);
  expand_positions(model, given->q, reduced->inputs[Q] + row * (size_t)lw_kernel_positions(model));
  if (given->qd)
  {
    to_parent_axes(model, R, given->qd, y);
    expand(model, y, reduced->inputs[QD] + row * n);
  }
  if (accelerates)
  {
    accelerations_in_parent_axes(model, R, given->qd, given->qdd, y);
    expand(model, y, reduced->inputs[QDD] + row * n);
  }
  if (!given->tau) return;
  to_parent_axes(model, R, given->tau, y);
  if (model->coupled)
    memcpy(reduced->inputs[TAU] + row * (size_t)model->dof, y, (size_t)model->dof * sizeof *y);
  else
    expand(model, y, reduced->inputs[TAU] + row * n);
}

// States of all moving joints, for the next count rows. At zero acceleration of a quaternion's
// joint, those of the kernels are not zero.
static lwStates expand_states(const lwModel* model, lwWorkspace* ws, lwQuestion question, int count,
                              const lwStates* states)
{
  double* const* inputs = ws->reduced.inputs;
  bool turns            = model->ball_count > 0 && states->qd && lw_question_is_moved(question);
  bool accelerates      = states->qdd || turns;
  for (int row = 0; row < count; ++row)
  {
    lwStates given = given_row(model, states, row);
    expand_state(model, &ws->reduced, accelerates, &given, (size_t)row);
  }
  return (lwStates){.q      = inputs[Q],
                    .qd     = states->qd ? inputs[QD] : NULL,
                    .qdd    = accelerates ? inputs[QDD] : NULL,
                    .tau    = states->tau ? inputs[TAU] : NULL,
                    .wrench = states->wrench};
}

static void forward_rows(const lwModel* model, lwWorkspace* ws, int count, const lwStates* states,
                         const lwStates* full, double* out)
{
  if (model->coupled)
    coupled_rows(model, ws, count, full, out);
  else
    uncoupled_rows(model, ws, count, full, out);
  for (int row = 0; row < count; ++row)
    accelerations_back(model, ws->reduced.R + (size_t)row * 9 * (size_t)model->ball_count,
                       given_row(model, states, row).qd, out + row * model->dof);
}

// Matrices that are solved with that of the independent joints.
static bool is_solved(const lwModel* model, lwQuestion question)
{
  return model->coupled &&
         (question == LW_QUESTION_INERTIA_INVERSE || question == LW_QUESTION_FORWARD_DERIVATIVES);
}

static int rows_at_once(const lwModel* model, const lwWorkspace* ws, lwQuestion question)
{
  bool coupled = question == LW_QUESTION_FORWARD && model->coupled;
  if (is_solved(model, question)) return 1;
  bool lanes = coupled ? ws->reduced.bias.in_lanes : ws->in_lanes[question];
  return lanes ? ws->isa->lanes[ws->precision]->lanes : 1;
}

void lw_reduced_answer(const lwModel* model, lwWorkspace* ws, lwQuestion question, int count,
                       const lwStates* states, double* out)
{
  unsigned asked = lw_question_info(question)->inputs;
  size_t dof     = (size_t)model->dof;
  int most       = rows_at_once(model, ws, question);
  lwStates left  = {
       states->q, asked & LW_INPUT_QD ? states->qd : NULL, asked & LW_INPUT_QDD ? states->qdd : NULL,
      asked & LW_INPUT_TAU ? states->tau : NULL, asked & LW_INPUT_WRENCH ? states->wrench : NULL};
  for (int done = 0; done < count; done += most)
  {
    int next      = count - done < most ? count - done : most;
    lwStates full = expand_states(model, ws, question, next, &left);
    if (question == LW_QUESTION_FORWARD)
      forward_rows(model, ws, next, &left, &full, out);
    else if (!is_solved(model, question))
      reduced_rows(model, ws, question, next, &full, out);
    else if (question == LW_QUESTION_INERTIA_INVERSE)
      coupled_inverse(model, ws, &full, out);
    else
      coupled_slopes(model, ws, &full, out);
    if (left.q) left.q += (size_t)next * (size_t)model->nq;
    if (left.qd) left.qd += (size_t)next * dof;
    if (left.qdd) left.qdd += (size_t)next * dof;
    if (left.tau) left.tau += (size_t)next * dof;
    if (left.wrench) left.wrench += (size_t)next * lw_wrench_size(ws);
    out += (size_t)next * lw_question_outputs(model, question);
  }
}

// --- making

static size_t larger_size(size_t a, size_t b)
{
  return a > b ? a : b;
}

// The longest answer that is asked for and no matrix; at least that of inverse dynamics.
static size_t longest_answer(const lwWorkspace* ws, const lwModel* model)
{
  size_t most = (size_t)model->n;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    if (lw_workspace_answers(ws, (lwQuestion)k) && !lw_question_is_matrix((lwQuestion)k))
      most = larger_size(most, lw_kernel_outputs(model, model->n, (lwQuestion)k));
  return most;
}

// The largest matrices that are asked for: of the kernels' joints, and of the users'.
// True if something is solved with M.
static bool largest_matrices(const lwWorkspace* ws, const lwModel* model, size_t* full,
                             size_t* reduced)
{
  bool solves = lw_workspace_solves(ws);
  *full = *reduced = 0;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    lwQuestion question = (lwQuestion)k;
    if (!lw_workspace_answers(ws, question) || !lw_question_is_matrix(question)) continue;
    size_t kernel = lw_kernel_outputs(model, model->n, question);
    size_t people = lw_question_outputs(model, question);
    *full         = larger_size(*full, kernel);
    *reduced      = larger_size(*reduced, people);
  }
  size_t square = (size_t)model->n * (size_t)model->n;
  if (solves && model->coupled && *full < square) *full = square;
  return solves;
}

lwStatus lw_reduced_create(lwWorkspace* ws, const lwModel* model, lwDiag* diag)
{
  lwReduced* reduced = &ws->reduced;
  size_t n = (size_t)model->n, dof = (size_t)model->dof, most = longest_answer(ws, model);
  int inertia = lw_kernel_index(model, LW_QUESTION_INERTIA, ws->method[LW_QUESTION_FORWARD]);
  if (inertia < 0 && model->coupled)
  {
    LW_REFUSE(diag, NULL,
              "'%s' cannot couple joints, and some joints of '%s' mimic others or are screws",
              ws->method[LW_QUESTION_FORWARD], model->robot.name);
    return LW_ERROR_METHOD;
  }
  reduced->inertia = (lwAsked){LW_QUESTION_INERTIA, inertia, ws->in_lanes[LW_QUESTION_INERTIA]};
  reduced->bias =
      (lwAsked){LW_QUESTION_INVERSE, lw_kernel_index(model, LW_QUESTION_INVERSE, "auto"),
                ws->in_lanes[LW_QUESTION_GRAVITY]};
  const char* slopes = ws->method[LW_QUESTION_FORWARD_DERIVATIVES];
  reduced->slopes =
      (lwAsked){LW_QUESTION_INVERSE_DERIVATIVES,
                lw_kernel_index(model, LW_QUESTION_INVERSE_DERIVATIVES, slopes), false};
  size_t lanes = (size_t)ws->isa->lanes[ws->precision]->lanes;
  size_t matrix, answer;
  bool solves     = largest_matrices(ws, model, &matrix, &answer) && model->coupled;
  size_t matrices = reduced->inertia.in_lanes ? lanes : 1;
  bool enough     = true;
  struct
  {
    double** array;
    size_t count;
  } arrays[] = {{&reduced->inputs[Q], lanes * (size_t)lw_kernel_positions(model)},
                {&reduced->inputs[QD], lanes * n},
                {&reduced->inputs[QDD], lanes * n},
                {&reduced->inputs[TAU], lanes * n},
                {&reduced->R, lanes * 9 * (size_t)model->ball_count},
                {&reduced->full, lanes * most},
                {&reduced->M, matrices * matrix},
                {&reduced->factors, solves ? dof * dof : 0},
                {&reduced->rest, dof},
                {&reduced->torque, n},
                {&reduced->row, (size_t)model->nq + 3 * dof + 6},
                {&reduced->answer, answer + most}};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
  {
    *arrays[k].array = lw_arena_take(&ws->arena, arrays[k].count, sizeof(double));
    enough           = enough && *arrays[k].array;
  }
  return enough ? LW_OK : LW_ERROR_MEMORY;
}
