// SPDX-License-Identifier: MIT
// Answers about robots with closed loops in a scalar with constants of its own, as lw_loops_answer()
// has them, in the speeds u that people name: qd = N u. N is found by a fixed order of pivots, so the
// answer is that of one choice of speeds, singular where these do not determine the motion.
#ifndef LW_ANSWER_SCALAR_CLOSED_H
#define LW_ANSWER_SCALAR_CLOSED_H

#include "answer/constraints.h"
#include "answer/scalar_answer.h"
#include "model/loops.h"

typedef struct ScalarClosed
{
  const ScalarAnswer* scalar;  // of the tree; also answers inverse, inertia and jacobian
  lwConstraints rows;
  lwNullMotion* motion;
  int count;     // of speeds
  size_t width;  // of rows of N
  REAL* N;       // (n, width)
  REAL* e;       // (n)
  REAL* K;       // (count, count)
  void* work;
} ScalarClosed;

// Questions that the tree is asked for the answers.
static const unsigned SCALAR_CLOSED_NEEDS =
    LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_INERTIA) | LW_ASKS(LW_QUESTION_JACOBIAN);

// The rows of a model as constants of the scalar. LW_ERROR_METHOD as lw_constraints_build().
static inline lwStatus scalar_closed_open(ScalarClosed* closed, const ScalarAnswer* scalar,
                                          const lwModel* model, lwArena* arena, lwDiag* diag)
{
  size_t n        = (size_t)scalar->model.n;
  lwStatus status = lw_constraints_build(model, false, arena, &closed->rows, diag);
  if (status != LW_OK) return status;
  size_t ends       = 2 * (size_t)model->loops->count;
  View* views       = lw_arena_take(arena, ends, sizeof *views);
  lwView* seen      = lw_arena_take(arena, ends, sizeof *seen);
  REAL* own         = lw_arena_take(arena, 3 * (size_t)closed->rows.rows, sizeof *own);
  closed->scalar    = scalar;
  closed->rows.plan = &model->loops->by_name;
  closed->count     = closed->rows.plan->count;
  closed->width     = lw_speed_width(closed->count);
  closed->N         = lw_arena_take(arena, n * closed->width, sizeof(REAL));
  closed->e         = lw_arena_take(arena, n, sizeof(REAL));
  closed->K         = lw_arena_take(arena, n * n, sizeof(REAL));
  closed->work =
      lw_arena_take(arena, lw_formulation_numbers(scalar->model.n, &closed->rows), sizeof(REAL));
  if (!views || !seen || !own || !closed->N || !closed->e || !closed->K || !closed->work)
    return LW_ERROR_MEMORY;
  for (size_t k = 0; k < ends; ++k)
  {
    seen[k]            = closed->rows.ends[k];
    const double* from = (const double*)&seen[k].view64;
    for (size_t i = 0; i < sizeof views[k] / sizeof(REAL); ++i)
      ((REAL*)&views[k])[i] = constant(from[i]);
    seen[k].own = &views[k];
  }
  for (int i = 0; i < 3 * closed->rows.rows; ++i)
    own[i] = constant(closed->rows.row[i / 3].direction[i % 3]);
  closed->rows.ends = seen;
  closed->rows.own  = own;
  return LW_OK;
}

// out (count, columns) = N^T A, A (n, columns)
INLINE void closed_rows(const ScalarClosed* closed, size_t columns, const REAL* A, REAL* out)
{
  size_t count = (size_t)closed->count;
  for (size_t k = 0; k < count * columns; ++k) out[k] = zero();
  for (size_t i = 0; i < (size_t)closed->scalar->model.n; ++i)
    for (size_t a = 0; a < count; ++a)
      for (size_t c = 0; c < columns; ++c)
        out[a * columns + c] =
            mul_add(closed->N[i * closed->width + a], A[i * columns + c], out[a * columns + c]);
}

// out (rows, count) = A N, A (rows, n)
INLINE void closed_columns(const ScalarClosed* closed, size_t rows, const REAL* A, REAL* out)
{
  size_t count = (size_t)closed->count, n = (size_t)closed->scalar->model.n;
  for (size_t k = 0; k < rows * count; ++k) out[k] = zero();
  for (size_t r = 0; r < rows; ++r)
    for (size_t i = 0; i < n; ++i)
      for (size_t a = 0; a < count; ++a)
        out[r * count + a] =
            mul_add(A[r * n + i], closed->N[i * closed->width + a], out[r * count + a]);
}

INLINE void closed_project(const ScalarClosed* closed, lwQuestion question, const REAL* full,
                           REAL* out)
{
  const lwModel* model = &closed->scalar->model;
  size_t n             = (size_t)model->n;
  for (const lwQuantity* part = NULL; (part = lw_quantity_next(question, part));)
  {
    size_t size = lw_quantity_size(model, model->n, part);
    if (part->shape == LW_QUANTITY_SHAPE_VECTOR || part->shape == LW_QUANTITY_SHAPE_PARAMETERS)
      closed_rows(closed, size / n, full, out);
    else if (part->shape == LW_QUANTITY_SHAPE_ROWS)
      closed_columns(closed, (size_t)part->count, full, out);
    else if (part->shape == LW_QUANTITY_SHAPE_SQUARE)
    {
      closed_columns(closed, n, full, closed->K);
      closed_rows(closed, (size_t)closed->count, closed->K, out);
    }
    else
      for (size_t i = 0; i < size; ++i) out[i] = full[i];
    full += size;
    out += lw_quantity_size(model, closed->count, part);
  }
}

// What the tree answers, into scalar->answer.
INLINE const REAL* closed_tree(const ScalarClosed* closed, lwQuestion question,
                               const REAL* const in[])
{
  scalar_run(closed->scalar, question, closed->scalar->settings->kernel[question], in, false,
             closed->scalar->answer);
  return closed->scalar->answer;
}

// rows (count) += A e, A (count, n) the tree's answer to a question
INLINE void closed_add_steady(const ScalarClosed* closed, const REAL* A, int count, REAL* rows)
{
  int n = closed->scalar->model.n;
  for (int r = 0; r < count; ++r)
    for (int i = 0; i < n; ++i) rows[r] = mul_add(A[r * n + i], closed->e[i], rows[r]);
}

// The factors of N^T M N.
INLINE void closed_inertia(const ScalarClosed* closed, const REAL* const in[])
{
  const ScalarAnswer* scalar = closed->scalar;
  size_t n = (size_t)scalar->model.n, count = (size_t)closed->count;
  const REAL* at[SCALAR_INPUTS] = {in[0]};
  REAL* M                       = scalar->answer;
  closed_tree(closed, LW_QUESTION_INERTIA, at);
  for (size_t i = 0; i < n && scalar->settings->rotors; ++i)
    M[i * (n + 1)] = r_add(M[i * (n + 1)], rotor_of(&scalar->model, (int)i));
  closed_columns(closed, n, M, scalar->outputs);
  closed_rows(closed, count, scalar->outputs, closed->K);
  dense_ldl_factor(count, closed->K);
}

// N^T M N ud = N^T (tau - h - M e)
INLINE void closed_forward(const ScalarClosed* closed, const REAL* const in[], REAL* out)
{
  const ScalarAnswer* scalar       = closed->scalar;
  const REAL* moves[SCALAR_INPUTS] = {in[0], in[1], closed->e, NULL, in[SCALAR_WRENCH]};
  REAL* rest                       = scalar->outputs;
  closed_tree(closed, LW_QUESTION_INVERSE, moves);
  for (int i = 0; i < scalar->model.n; ++i)
  {
    REAL rotor = scalar->settings->rotors ? rotor_of(&scalar->model, i) : zero();
    rest[i]    = r_sub(given(in[3], i), mul_add(rotor, closed->e[i], scalar->answer[i]));
  }
  closed_rows(closed, 1, rest, out);
  closed_inertia(closed, in);
  dense_ldl_solve((size_t)closed->count, closed->K, out);
}

INLINE void closed_inverse_inertia(const ScalarClosed* closed, const REAL* const in[], REAL* out)
{
  size_t count = (size_t)closed->count;
  REAL* column = closed->scalar->outputs;
  closed_inertia(closed, in);
  for (size_t j = 0; j < count; ++j)
  {
    for (size_t i = 0; i < count; ++i) column[i] = constant(i == j);
    dense_ldl_solve(count, closed->K, column);
    for (size_t i = 0; i < count; ++i) out[i * count + j] = column[i];
  }
}

// As lw_loops_answer(), absent inputs NULL.
INLINE void scalar_closed_answer(const ScalarClosed* closed, lwQuestion question,
                                 const REAL* const in[], REAL* out)
{
  const ScalarAnswer* scalar       = closed->scalar;
  int n                            = scalar->model.n;
  lwState state                    = {.q = in[0], .qd = in[1]};
  const REAL* at[SCALAR_INPUTS]    = {in[0]};
  const REAL* moves[SCALAR_INPUTS] = {in[0], in[1], closed->e, NULL, NULL};
  closed->motion(&scalar->model, &closed->rows, closed->work, &state, closed->N);
  for (int i = 0; i < n; ++i)
    closed->e[i] = closed->N[(size_t)i * closed->width + (size_t)closed->count];
  if (question == LW_QUESTION_FORWARD) return closed_forward(closed, in, out);
  if (question == LW_QUESTION_INERTIA_INVERSE) return closed_inverse_inertia(closed, in, out);
  if (question == LW_QUESTION_BIAS)
    return closed_rows(closed, 1, closed_tree(closed, LW_QUESTION_INVERSE, moves), out);
  if (question == LW_QUESTION_JACOBIAN_RATE)
  {
    closed_project(closed, question, closed_tree(closed, question, in), out);
    return closed_add_steady(closed, closed_tree(closed, LW_QUESTION_JACOBIAN, at), 6, out + 6);
  }
  REAL* full = (REAL*)closed_tree(closed, question, in);
  if (question == LW_QUESTION_CONTROL)  // b, g, rate (6), pose (12), J (6, n), M (n, n)
  {
    closed_add_steady(closed, full + 2 * n + 18 + 6 * n, n, full);
    closed_add_steady(closed, full + 2 * n + 18, 6, full + 2 * n);
  }
  if (question == LW_QUESTION_CORIOLIS)
  {
    for (int i = 0; i < n; ++i) scalar->outputs[i] = full[i];
    closed_add_steady(closed, closed_tree(closed, LW_QUESTION_INERTIA, at), n, scalar->outputs);
    full = scalar->outputs;
  }
  closed_project(closed, question, full, out);
}

#endif
