// SPDX-License-Identifier: MIT
// (5)-(13), corrected, on generic arms: torques, inertia matrices and accelerations of the literal
// equations, compared with other formulations.
#include <math.h>

#include "bed.h"
#include "math/lu.h"

enum
{
  MOST_ARMS = 8
};

// --- inertia matrix and accelerations

typedef enum MatrixCheck
{
  MATRIX_VALUES,    // against composite bodies
  MATRIX_SYMMETRY,  // M - M^T
  MATRIX_SOLUTION,  // accelerations of (13) against articulated bodies
  MATRIX_CHECKS
} MatrixCheck;

static double asymmetry(int n, const double* M)
{
  double most = 0;
  for (int j = 0; j < n; ++j)
    for (int k = 0; k < j; ++k) most = fmax(most, fabs(M[j * n + k] - M[k * n + j]));
  return most / largest(n * n, M);
}

// (13): M th.. = tau - H + G, where H - G is the torque of (12) without accelerations. The error of
// the accelerations is expressed as a torque, by multiplying it with M.
static double solution_error(Bed* bed, LiteralArm* literal, const lwStates* state, double* M)
{
  int n          = bed->n;
  double* qdd    = bed->tau;
  double* truth  = bed->truth;
  lwStates still = *state;
  still.qdd      = NULL;
  literal_move(literal, &still);
  for (int j = 0; j < n; ++j) qdd[j] = state->tau[j] - literal_torque(literal, EQUATION_12, j);
  if (!lw_lu_factor(M, n, bed->pivots)) return INFINITY;
  lw_lu_solve(M, n, bed->pivots, qdd);
  lw_forward_dynamics(bed->model, bed->ws, state->q, state->qd, state->tau, truth);
  double size = 0, most = 0;
  double* true_M = bed->matrix + (size_t)n * (size_t)n;
  for (int j = 0; j < n; ++j)
  {
    double torque = 0, error = 0;
    for (int k = 0; k < n; ++k)
    {
      torque += true_M[j * n + k] * truth[k];
      error += true_M[j * n + k] * (qdd[k] - truth[k]);
    }
    size = fmax(size, fabs(torque));
    most = fmax(most, fabs(error));
  }
  return most / size;
}

static void check_matrix(Bed* bed, Page* page, double worst[MATRIX_CHECKS])
{
  LiteralArm* literal = NULL;
  int n               = bed->n;
  double *M = bed->matrix, *truth = M + (size_t)n * (size_t)n;
  page_check(page, literal_create(lw_model_robot(bed->model), 0, &literal));
  for (int k = 0; k < bed->ring.count && page->status == DONE; ++k)
  {
    const lwStates* state = &bed->ring.states[k];
    literal_move(literal, state);
    literal_matrix(literal, M);
    lw_inertia_matrix(bed->model, bed->ws, state->q, truth);
    double found[MATRIX_CHECKS] = {relative_difference(n * n, truth, M), asymmetry(n, M), 0};
    found[MATRIX_SOLUTION]      = solution_error(bed, literal, state, M);
    for (int c = 0; c < MATRIX_CHECKS; ++c) worst[c] = fmax(worst[c], found[c]);
  }
  literal_destroy(literal);
}

static void check_motions(Bed* bed, Page* page, double worst[LITERAL_MOTIONS])
{
  LiteralArm* literal = NULL;
  page_check(page, literal_create(lw_model_robot(bed->model), 0, &literal));
  for (int k = 0; k < bed->ring.count && page->status == DONE; ++k)
  {
    double found[LITERAL_MOTIONS];
    literal_move(literal, &bed->ring.states[k]);
    literal_compare_motions(literal, found);
    for (int c = 0; c < LITERAL_MOTIONS; ++c) worst[c] = fmax(worst[c], found[c]);
  }
  literal_destroy(literal);
}

void write_equations(Page* page)
{
  static const char* const equations[] = {"equations/moments", "equations/vectors",
                                          "equations/matrices"};
  static const char* const matrix[] = {"forward/matrix", "forward/symmetric", "forward/solution"};
  Values arms                       = page_data(page, "arms");
  double torques[EQUATION_COUNT][MOST_ARMS], checks[MATRIX_CHECKS][MOST_ARMS] = {{0}};
  double motions[LITERAL_MOTIONS] = {0}, pushed[MOST_ARMS] = {0};
  int count = arms.count < MOST_ARMS ? arms.count : MOST_ARMS;
  for (int a = 0; a < count && page->status == DONE; ++a)
  {
    Bed bed;
    double worst[MATRIX_CHECKS] = {0};
    bed_open(&bed, page, (int)arms.at[a]);
    for (int e = 0; e < EQUATION_COUNT && page->status == DONE; ++e)
      torques[e][a] = bed_torque_error(&bed, page, (Equation)e, 0);
    if (page->status == DONE) check_matrix(&bed, page, worst);
    if (page->status == DONE) check_motions(&bed, page, motions);
    if (page->status == DONE) pushed[a] = any_link_error(&bed, page);
    for (int c = 0; c < MATRIX_CHECKS; ++c) checks[c][a] = worst[c];
    bed_close(&bed);
  }
  if (page->status != DONE) return;
  for (int e = 0; e < EQUATION_COUNT; ++e) page_measure(page, equations[e], count, torques[e]);
  for (int c = 0; c < MATRIX_CHECKS; ++c) page_measure(page, matrix[c], count, checks[c]);
  page_measure(page, "equations/any-link", count, pushed);
  page_measure(page, "motions/closed-form", LITERAL_MOTIONS, motions);
}
