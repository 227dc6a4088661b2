// SPDX-License-Identifier: MIT
// Runs the equations of mata2002 and compares their results with the library's.
#include "literal_study.h"

#include <stdlib.h>
#include <string.h>

#include "words.h"

typedef struct Kind
{
  Answer* answer;
  lwQuestion question;
  bool bias;  // without accelerations
} Kind;

static const Kind KINDS[LITERAL_KINDS] = {
    [LITERAL_INVERSE]       = {study_inverse, LW_QUESTION_INVERSE, false},
    [LITERAL_INVERSE_WRONG] = {study_inverse_wrong, LW_QUESTION_INVERSE, false},
    [LITERAL_BIAS]          = {study_inverse, LW_QUESTION_INVERSE, true},
    [LITERAL_INERTIA]       = {study_inertia, LW_QUESTION_INERTIA, true},
    [LITERAL_GIBBS]         = {study_gibbs, LW_QUESTION_INVERSE, false},
    [LITERAL_HESSIAN]       = {study_hessian, LW_QUESTION_INERTIA, true},
    [LITERAL_SUM_22]        = {study_sum_22, LW_QUESTION_INERTIA, true},
    [LITERAL_SUM_22_WRONG]  = {study_sum_22_wrong, LW_QUESTION_INERTIA, true},
};

// An arbitrary state; NULL: out of memory.
static LiteralStudy* study_create(const lwModel* chain, bool bias)
{
  LiteralStudy* study = calloc(1, sizeof *study);
  if (!study) return NULL;
  study->chain = chain;
  study->n     = chain->n;
  for (int i = 0; i < chain->n; ++i)
  {
    study->q[i]   = (REAL){0.3 + 0.01 * i, false};
    study->qd[i]  = (REAL){0.4 + 0.01 * i, false};
    study->qdd[i] = bias ? zero() : (REAL){0.5 + 0.01 * i, false};
  }
  joint_turns(chain, study->q, study->turns);
  for (int i = 0; i < chain->n; ++i)
  {
    Joint j         = joint_at(chain, i, study->turns, study->q);
    study->joint[i] = j;
    study->s[i]     = add(known_vector(j.link->span), alpha_to_parent(j, v3(zero(), zero(), j.d)));
  }
  return study;
}

static double worst_difference(int count, const double* expected, const REAL* values)
{
  double plain[LITERAL_MOST * LITERAL_MOST];
  for (int i = 0; i < count; ++i) plain[i] = values[i].value;
  return relative_difference(count, expected, plain);
}

// Compares with the library's answer to the same question for the same state, by other methods.
static lwStatus compare_with_library(const LiteralStudy* study, lwQuestion question,
                                     Literal* literal)
{
  double q[LITERAL_MOST], qd[LITERAL_MOST], qdd[LITERAL_MOST];
  double expected[LITERAL_MOST * LITERAL_MOST], gravity[LITERAL_MOST];
  lwWorkspace* ws = NULL;
  int count       = (int)lw_question_outputs(study->chain, question);
  lwStatus status = lw_workspace_create(study->chain, NULL, NULL, &ws);
  if (status != LW_OK) return status;
  for (int i = 0; i < study->n; ++i)
  {
    q[i]   = study->q[i].value;
    qd[i]  = study->qd[i].value;
    qdd[i] = study->qdd[i].value;
  }
  lw_answer(study->chain, ws, question, &(lwStates){.q = q, .qd = qd, .qdd = qdd}, expected);
  lw_gravity(study->chain, ws, q, gravity);
  lw_workspace_destroy(ws);
  literal->error   = worst_difference(count, expected, study->out);
  literal->gravity = largest(study->n, gravity) / largest(count, expected);
  return LW_OK;
}

lwStatus literal_run(LiteralKind kind, const lwModel* chain, Literal* literal)
{
  LiteralStudy* study = study_create(chain, KINDS[kind].bias);
  if (!study) return LW_ERROR_MEMORY;
  KINDS[kind].answer(study, literal);
  lwStatus status = compare_with_library(study, KINDS[kind].question, literal);
  free(study);
  return status;
}

// --- the linear system

// D = L L^T, L in the lower triangle.
static void factor(int n, REAL* D)
{
  for (int j = 0; j < n; ++j)
  {
    for (int i = j; i < n; ++i)
      for (int k = 0; k < j; ++k) D[i * n + j] = sub_mul(D[i * n + j], D[i * n + k], D[j * n + k]);
    D[j * n + j] = r_sqrt(D[j * n + j]);
    for (int i = j + 1; i < n; ++i) D[i * n + j] = r_div(D[i * n + j], D[j * n + j]);
  }
}

// L y = b, L^T x = y, in place.
static void substitute(int n, const REAL* L, REAL* x)
{
  for (int i = 0; i < n; ++i)
  {
    for (int k = 0; k < i; ++k) x[i] = sub_mul(x[i], L[i * n + k], x[k]);
    x[i] = r_div(x[i], L[i * n + i]);
  }
  for (int i = n - 1; i >= 0; --i)
  {
    for (int k = i + 1; k < n; ++k) x[i] = sub_mul(x[i], L[k * n + i], x[k]);
    x[i] = r_div(x[i], L[i * n + i]);
  }
}

// D x of a symmetric matrix, to check the solution x.
static void multiply_symmetric(int n, const REAL* D, const REAL* x, REAL* b)
{
  for (int i = 0; i < n; ++i)
  {
    b[i] = zero();
    for (int k = 0; k < n; ++k) b[i] = mul_add(D[i * n + k], x[k], b[i]);
  }
}

// D x = b, with the matrix of section 4.2 in study->out; b in x before the solution.
typedef struct LiteralSystem
{
  LiteralStudy* study;
  REAL D[LITERAL_MOST * LITERAL_MOST];  // a copy
  REAL x[LITERAL_MOST];
  double b[LITERAL_MOST];
} LiteralSystem;

static bool system_create(const lwModel* chain, LiteralSystem* system)
{
  LiteralStudy* study = system->study = study_create(chain, true);
  Literal matrix;
  if (!study) return false;
  study_inertia(study, &matrix);
  memcpy(system->D, study->out, sizeof system->D);
  for (int i = 0; i < study->n; ++i)
  {
    system->x[i] = study->qd[i];  // any right-hand side
    system->b[i] = system->x[i].value;
  }
  return true;
}

// Largest entry of D x - b, relative to that of b. Frees the study.
static double system_close(LiteralSystem* system)
{
  REAL back[LITERAL_MOST];
  int n = system->study->n;
  multiply_symmetric(n, system->D, system->x, back);
  free(system->study);
  return worst_difference(n, system->b, back);
}

lwStatus literal_cholesky(const lwModel* chain, Literal* decomposition, Literal* substitutions)
{
  LiteralSystem system;
  if (!system_create(chain, &system)) return LW_ERROR_MEMORY;
  count_start(decomposition);
  factor(system.study->n, system.study->out);
  mark(decomposition, 0);
  count_start(substitutions);
  substitute(system.study->n, system.study->out, system.x);
  mark(substitutions, 0);
  substitutions->error = decomposition->error = system_close(&system);
  return LW_OK;
}

// [D | b] to [1 | x], in place. What becomes 0 or 1 is not computed.
static void eliminate(int n, REAL* D, REAL* b)
{
  for (int k = 0; k < n; ++k)
  {
    for (int c = k + 1; c < n; ++c) D[k * n + c] = r_div(D[k * n + c], D[k * n + k]);
    b[k] = r_div(b[k], D[k * n + k]);
    for (int i = 0; i < n; ++i)
    {
      if (i == k) continue;
      for (int c = k + 1; c < n; ++c)
        D[i * n + c] = sub_mul(D[i * n + c], D[i * n + k], D[k * n + c]);
      b[i] = sub_mul(b[i], D[i * n + k], b[k]);
    }
  }
}

lwStatus literal_gauss_jordan(const lwModel* chain, Literal* elimination)
{
  LiteralSystem system;
  if (!system_create(chain, &system)) return LW_ERROR_MEMORY;
  count_start(elimination);
  eliminate(system.study->n, system.study->out, system.x);
  mark(elimination, 0);
  elimination->error = system_close(&system);
  return LW_OK;
}
