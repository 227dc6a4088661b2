// SPDX-License-Identifier: MIT
// Answers about one state in a scalar with constants of its own (LW_OWN_CONSTANTS): 113-bit numbers
// and dual numbers. The file that includes this has chosen the scalar.
//
// Kernels have all n moving joints, users the independent ones, y: q = G y + o, as in reduction.c;
// positions of wide joints are those of users.
// A row of G has one entry, gain[i], in column leader[i], or none: then the joint is held at o.
// With virtual work,
//   tau_y = G^T tau      M_y = G^T M G      J_y = J G      M_y ydd = tau_y - G^T b(q, G yd)
// If no joint follows another, held joints get a rotor too heavy to move,
// so every forward method can be used.
#ifndef LW_ANSWER_SCALAR_ANSWER_H
#define LW_ANSWER_SCALAR_ANSWER_H

#include "answer/workspace.h"
#include "kernels/joints.h"
#include "kernels/questions.h"
#include "math/dense_ldl.h"
#include "model/model_internal.h"

enum
{
  SCALAR_INPUTS = 5,  // q, qd, qdd, tau, wrench
  SCALAR_WRENCH = 4
};

typedef struct ScalarAnswer
{
  lwModel model;  // n, kinds, parents; links and ends in REAL
  const lwVariant* variant;
  lwWorkspace* settings;  // methods, refine, rotors
  lwView view;            // of pose and Jacobian
  View place;             // the same in REAL
  int dof;
  const int* leader;            // (n)
  const double* gain;           // (n)
  REAL* shift;                  // (n)
  bool follows;                 // a joint follows another
  REAL* inputs[SCALAR_INPUTS];  // (nq or dof), (6)
  REAL* all[SCALAR_WRENCH];     // (n) q, qd, qdd, tau of all moving joints
  REAL* answer;                 // about all moving joints
  REAL* outputs;                // about the independent ones
  REAL* factors;                // (dof, dof)
  REAL* column;                 // (dof)
  void* scratch;
  lwArena arena;
} ScalarAnswer;

// kg m^2 or kg: so much that a joint does not move, and its square does not overflow
static const double SCALAR_HELD = 1e150;

INLINE bool scalar_coupled(const ScalarAnswer* scalar)
{
  return scalar->dof < scalar->model.n;
}

// --- between the independent joints and all of them

INLINE void scalar_expand(const ScalarAnswer* scalar, const REAL* given_y, REAL* out)
{
  for (int i = 0; i < scalar->model.n; ++i)
  {
    int leader = scalar->leader[i];
    REAL moved = given_y && leader >= 0 ? given_y[leader] : zero();
    out[i]     = r_mul(constant(scalar->gain[i]), moved);
  }
}

// Positions of kernels from those of users; q NULL: at rest.
INLINE void scalar_expand_positions(const ScalarAnswer* scalar, const REAL* q, REAL* out)
{
  const lwModel* model = &scalar->model;
  for (int i = 0; i < model->n; ++i)
  {
    int at   = model->q_index ? model->q_index[i] : i;
    int from = q && scalar->leader[i] >= 0 ? model->position[scalar->leader[i]] : -1;
    REAL y   = from >= 0 ? q[from] : zero();
    if (at >= 0) out[at] = r_add(r_mul(constant(scalar->gain[i]), y), scalar->shift[i]);
  }
  for (int k = 0; k < model->wide_count; ++k)
  {
    const lwWideJoint* wide = &model->wides[k];
    for (int i = 0, last = wide->floats ? 6 : 3; i <= last; ++i)
      out[wide->q + i] = q ? q[wide->given + i] : constant(i == last);
  }
}

// G^T full
INLINE void scalar_reduce_row(const ScalarAnswer* scalar, const REAL* full, REAL* out)
{
  for (int k = 0; k < scalar->dof; ++k) out[k] = zero();
  for (int i = 0; i < scalar->model.n; ++i)
  {
    int k = scalar->leader[i];
    if (k >= 0) out[k] = r_add(out[k], r_mul(constant(scalar->gain[i]), full[i]));
  }
}

// G^T M G
INLINE void scalar_reduce_matrix(const ScalarAnswer* scalar, const REAL* M, REAL* out)
{
  int n = scalar->model.n, dof = scalar->dof;
  for (int k = 0; k < dof * dof; ++k) out[k] = zero();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
    {
      if (scalar->leader[i] < 0 || scalar->leader[j] < 0) continue;
      REAL* to   = &out[scalar->leader[i] * dof + scalar->leader[j]];
      REAL gains = r_mul(constant(scalar->gain[i]), constant(scalar->gain[j]));
      *to        = r_add(*to, r_mul(gains, M[i * n + j]));
    }
}

// Columns of one entry for each joint.
INLINE void scalar_reduce_columns(const ScalarAnswer* scalar, size_t columns, const REAL* full,
                                  REAL* out)
{
  for (size_t k = 0; k < (size_t)scalar->dof * columns; ++k) out[k] = zero();
  for (int i = 0; i < scalar->model.n; ++i)
    for (size_t c = 0; c < columns && scalar->leader[i] >= 0; ++c)
    {
      REAL* to = &out[(size_t)scalar->leader[i] * columns + c];
      *to      = r_add(*to, r_mul(constant(scalar->gain[i]), full[(size_t)i * columns + c]));
    }
}

INLINE void scalar_reduce(const ScalarAnswer* scalar, lwQuestion question, const REAL* full,
                          REAL* out)
{
  size_t n = (size_t)scalar->model.n, dof = (size_t)scalar->dof;
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(question, part));)
  {
    size_t size = lw_quantity_size(&scalar->model, scalar->dof, part);
    size_t rows = part->shape == LW_QUANTITY_SHAPE_VECTOR ? 1 : (size_t)part->count;
    if (part->shape == LW_QUANTITY_SHAPE_SQUARE)
      scalar_reduce_matrix(scalar, full, out);
    else if (part->shape == LW_QUANTITY_SHAPE_PARAMETERS)
      scalar_reduce_columns(scalar, lw_quantity_size(&scalar->model, 1, part), full, out);
    else if (part->shape == LW_QUANTITY_SHAPE_VECTOR || part->shape == LW_QUANTITY_SHAPE_ROWS)
      for (size_t row = 0; row < rows; ++row)
        scalar_reduce_row(scalar, full + row * n, out + row * dof);
    else
      for (size_t i = 0; i < size; ++i) out[i] = full[i];
    full += lw_quantity_size(&scalar->model, scalar->model.n, part);
    out += size;
  }
}

// --- kernels

INLINE void scalar_run(const ScalarAnswer* scalar, lwQuestion question, int kernel,
                       const REAL* const in[], bool rotors, REAL* out)
{
  lwState state = {.q          = in[0],
                   .qd         = in[1],
                   .qdd        = in[2],
                   .tau        = in[3],
                   .wrench     = in[SCALAR_WRENCH],
                   .weightless = lw_question_row(question)->weightless,
                   .refine     = scalar->settings->refine,
                   .view       = &scalar->view,
                   .rotors     = rotors,
                   .base_axes  = scalar->settings->axes == LW_AXES_BASE};
  scalar->variant->kernels[kernel]->run(&scalar->model, scalar->scratch, &state, out);
}

// The factors of M_y, with rotors if they are wanted.
INLINE void scalar_inertia(const ScalarAnswer* scalar, const REAL* q)
{
  const lwReduced* reduced      = &scalar->settings->reduced;
  const REAL* at[SCALAR_INPUTS] = {q};
  int dof                       = scalar->dof;
  scalar_run(scalar, LW_QUESTION_INERTIA, reduced->inertia.kernel, at, false, scalar->answer);
  scalar_reduce_matrix(scalar, scalar->answer, scalar->factors);
  for (int i = 0; i < scalar->model.n && scalar->settings->rotors; ++i)
  {
    int k      = scalar->leader[i];
    REAL gain  = constant(scalar->gain[i]);
    REAL rotor = r_mul(r_mul(gain, gain), rotor_of(&scalar->model, i));
    if (k >= 0) scalar->factors[k * dof + k] = r_add(scalar->factors[k * dof + k], rotor);
  }
  dense_ldl_factor((size_t)dof, scalar->factors);
}

// M_y ydd = tau_y - G^T b. Refinement is for shorter numbers.
INLINE void scalar_forward(const ScalarAnswer* scalar, const REAL* const full[], const REAL* tau,
                           REAL* out)
{
  const REAL* resting[] = {full[0], full[1], NULL, NULL, full[SCALAR_WRENCH]};
  scalar_inertia(scalar, full[0]);
  scalar_run(scalar, LW_QUESTION_INVERSE, scalar->settings->reduced.bias.kernel, resting, false,
             scalar->answer);
  scalar_reduce_row(scalar, scalar->answer, out);
  for (int k = 0; k < scalar->dof; ++k) out[k] = r_sub(given(tau, k), out[k]);
  dense_ldl_solve((size_t)scalar->dof, scalar->factors, out);
}

// A = sign M_y^-1 A
INLINE void scalar_solve_matrix(const ScalarAnswer* scalar, double sign, REAL* A)
{
  int n = scalar->dof;
  for (int j = 0; j < n; ++j)
  {
    for (int i = 0; i < n; ++i) scalar->column[i] = r_mul(constant(sign), A[i * n + j]);
    dense_ldl_solve((size_t)n, scalar->factors, scalar->column);
    for (int i = 0; i < n; ++i) A[i * n + j] = scalar->column[i];
  }
}

INLINE void scalar_inverse(const ScalarAnswer* scalar, REAL* out)
{
  for (int i = 0; i < scalar->dof; ++i)
    for (int j = 0; j < scalar->dof; ++j) out[i * scalar->dof + j] = constant(i == j);
  scalar_solve_matrix(scalar, 1, out);
}

// Derivatives of ydd, from those of torques at that ydd.
INLINE void scalar_slopes(const ScalarAnswer* scalar, const REAL* const full[], const REAL* tau,
                          REAL* out)
{
  const REAL* moves[] = {full[0], full[1], scalar->all[2], NULL, full[SCALAR_WRENCH]};
  size_t square       = (size_t)scalar->dof * (size_t)scalar->dof;
  scalar_forward(scalar, full, tau, out);
  scalar_expand(scalar, out, scalar->all[2]);
  scalar_run(scalar, LW_QUESTION_INVERSE_DERIVATIVES, scalar->settings->reduced.slopes.kernel,
             moves, false, scalar->answer);
  scalar_reduce(scalar, LW_QUESTION_INVERSE_DERIVATIVES, scalar->answer, out);
  scalar_solve_matrix(scalar, -1, out);
  scalar_solve_matrix(scalar, -1, out + square);
  scalar_inverse(scalar, out + 2 * square);
}

// The answer to a question about the state `in`, absent inputs NULL.
INLINE void scalar_answer(const ScalarAnswer* scalar, lwQuestion question, const REAL* const in[],
                          REAL* out)
{
  int kernel = scalar->settings->kernel[question];
  if (!scalar_coupled(scalar))
    return scalar_run(scalar, question, kernel, in, scalar->settings->rotors, out);
  const REAL* full[SCALAR_INPUTS] = {scalar->all[0], NULL, NULL, NULL, in[SCALAR_WRENCH]};
  for (int k = 0; k < SCALAR_WRENCH; ++k)
  {
    if (k > 0 && !in[k]) continue;
    if (k == 0)
      scalar_expand_positions(scalar, in[k], scalar->all[k]);
    else
      scalar_expand(scalar, in[k], scalar->all[k]);
    full[k] = scalar->all[k];
  }
  if (question == LW_QUESTION_FORWARD && scalar->follows)
    return scalar_forward(scalar, full, in[3], out);
  if (question == LW_QUESTION_FORWARD_DERIVATIVES && scalar->follows)
    return scalar_slopes(scalar, full, in[3], out);
  if (question == LW_QUESTION_INERTIA_INVERSE && scalar->follows)
  {
    scalar_inertia(scalar, full[0]);
    return scalar_inverse(scalar, out);
  }
  scalar_run(scalar, question, kernel, full, true, scalar->answer);
  scalar_reduce(scalar, question, scalar->answer, out);
}

// --- life

// The rotors that forward methods see: those of the description if asked for, and for held joints
// one too heavy to move. links: of the model.
INLINE void scalar_hold(const ScalarAnswer* scalar, Link* links)
{
  for (int i = 0; i < scalar->model.n && scalar_coupled(scalar); ++i)
  {
    if (scalar->leader[i] < 0) links[i].rotor = constant(SCALAR_HELD);
    if (scalar->leader[i] >= 0 && !scalar->settings->rotors) links[i].rotor = zero();
  }
}

INLINE void scalar_need(const ScalarAnswer* scalar, int kernel, size_t* scratch)
{
  size_t bytes = lw_kernel_bytes(scalar->variant->kernels[kernel], scalar->model.n);
  if (bytes > *scratch) *scratch = bytes;
}

// Memory for the questions of the settings; model, variant, settings, dof, leader and follows are
// set. False: out of memory.
static inline __attribute__((unused)) bool scalar_memory(ScalarAnswer* scalar)
{
  size_t n = (size_t)scalar->model.n, dof = (size_t)scalar->dof, scratch = 0, outputs = 1;
  for (int k = 0; k < LW_QUESTION_COUNT; ++k)
  {
    if (!lw_workspace_answers(scalar->settings, (lwQuestion)k)) continue;
    size_t size = lw_kernel_outputs(&scalar->model, scalar->model.n, (lwQuestion)k);
    if (size > outputs) outputs = size;
    scalar_need(scalar, scalar->settings->kernel[k], &scratch);
  }
  bool slopes = lw_workspace_answers(scalar->settings, LW_QUESTION_FORWARD_DERIVATIVES);
  bool solves = scalar->follows && lw_workspace_solves(scalar->settings);
  if (scalar->follows && slopes)
    scalar_need(scalar, scalar->settings->reduced.slopes.kernel, &scratch);
  if (solves) scalar_need(scalar, scalar->settings->reduced.inertia.kernel, &scratch);
  if (solves) scalar_need(scalar, scalar->settings->reduced.bias.kernel, &scratch);
  if (solves && n * n > outputs) outputs = n * n;
  bool enough = true;
  for (int k = 0; k < SCALAR_INPUTS; ++k)
  {
    scalar->inputs[k] = lw_arena_take(
        &scalar->arena, k == SCALAR_WRENCH ? 6 : (size_t)scalar->model.nq + 1, sizeof(REAL));
    enough = enough && scalar->inputs[k];
  }
  for (int k = 0; k < SCALAR_WRENCH; ++k)
  {
    size_t size    = k == 0 ? (size_t)lw_kernel_positions(&scalar->model) : n;
    scalar->all[k] = lw_arena_take(&scalar->arena, size, sizeof(REAL));
    enough         = enough && scalar->all[k];
  }
  scalar->scratch = lw_arena_take(&scalar->arena, scratch, 1);
  scalar->answer  = lw_arena_take(&scalar->arena, outputs, sizeof(REAL));
  scalar->outputs = lw_arena_take(&scalar->arena, outputs, sizeof(REAL));
  scalar->factors = lw_arena_take(&scalar->arena, solves ? dof * dof : 1, sizeof(REAL));
  scalar->column  = lw_arena_take(&scalar->arena, dof + 1, sizeof(REAL));
  enough          = enough && scalar->column;
  return enough && scalar->scratch && scalar->answer && scalar->outputs && scalar->factors;
}

#endif
