// SPDX-License-Identifier: MIT
// M = L^T D L of matrices with the sparsity of a tree, and of full ones, against dense Cholesky.
//
// Bound: residual of M x = b within 8 n eps of the sum of |M||x| and |b| (Cholesky is backward
// stable).
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/dense_ldl.h"
#include "math/tree_ldl.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "support/reference.h"
#include "support/testing.h"

enum
{
  MOST = 30
};

typedef struct
{
  int n;
  int parent[MOST];
  double M[MOST * MOST];  // zero for pairs of joints on different branches
} Problem;

// A = sum of v v^T, each v nonzero on the path from one joint to the base only, like the inertia of
// a body on one branch.
static Problem random_problem(lwRandom* random, int n, int kind)
{
  Problem problem = {.n = n};
  for (int i = 0; i < n; ++i)
  {
    int any           = (int)(lw_random_bits(random) % (uint64_t)(i + 1)) - 1;
    problem.parent[i] = kind == 0 ? i - 1 : kind == 1 ? any : -1;
  }
  for (int tip = 0; tip < n; ++tip)
    for (int repeat = 0; repeat < 3; ++repeat)
    {
      double v[MOST] = {0};
      for (int i = tip; i >= 0; i = problem.parent[i]) v[i] = lw_random_between(random, -1, 1);
      for (int i = 0; i < n * n; ++i) problem.M[i] += v[i / n] * v[i % n];
    }
  for (int i = 0; i < n; ++i) problem.M[i * n + i] += 0.1;
  return problem;
}

static bool carries(const Problem* problem, int i, int j)
{
  while (j > i) j = problem->parent[j];
  return j == i;
}

// False for entries the factorisation must not touch: the upper triangle, and different branches.
static bool is_visited(const Problem* problem, int i)
{
  int n = problem->n;
  return i % n <= i / n && carries(problem, i % n, i / n);
}

static void fill_rest(const Problem* problem, double value, double* M)
{
  for (int i = 0; i < problem->n * problem->n; ++i)
    if (!is_visited(problem, i)) M[i] = value;
}

static void check_solution(const Problem* problem, const double* x, const double* b)
{
  int n = problem->n;
  for (int i = 0; i < n; ++i)
  {
    double residual = -b[i], size = fabs(b[i]);
    for (int j = 0; j < n; ++j)
    {
      residual += problem->M[i * n + j] * x[j];
      size += sqrt(problem->M[i * n + i] * problem->M[j * n + j]) * fabs(x[j]);
    }
    assert_at_most(fabs(residual), 8 * n * DBL_EPSILON * size);
  }
}

// The same as a full matrix, of which only the lower triangle is read.
static void check_dense(const Problem* problem, const double* b)
{
  int n = problem->n;
  double M[MOST * MOST], x[MOST];
  memcpy(x, b, sizeof x);
  for (int i = 0; i < n * n; ++i) M[i] = i % n <= i / n ? problem->M[i] : NAN;
  dense_ldl_factor((size_t)n, M);
  dense_ldl_solve((size_t)n, M, x);
  check_solution(problem, x, b);
}

static void check_problem(const Problem* problem, lwRandom* random)
{
  int n = problem->n;
  double M[MOST * MOST], b[MOST], x[MOST], other[MOST], L[MOST * MOST];
  memcpy(M, problem->M, sizeof M);
  memcpy(L, problem->M, sizeof L);
  for (int i = 0; i < n; ++i) other[i] = x[i] = b[i] = lw_random_between(random, -5, 5);
  fill_rest(problem, NAN, M);
  tree_ldl_factor(n, problem->parent, M);
  tree_ldl_solve(n, problem->parent, M, x);
  check_solution(problem, x, b);
  check_dense(problem, b);
  assert_true(cholesky(n, L));
  cholesky_solve(n, L, other);
  check_solution(problem, other, b);
  for (int i = 0; i < n; ++i) assert_greater(M[i * n + i], 0);  // 1/D
}

static void solves(void** unused)
{
  (void)unused;
  lwRandom random = {21};
  for (int kind = 0; kind < 3; ++kind)  // chain, tree, all on the base
    for (int n = 1; n <= MOST; ++n)
      for (int repeat = 0; repeat < 10; ++repeat)
      {
        Problem problem = random_problem(&random, n, kind);
        check_problem(&problem, &random);
      }
}

// L^T D L multiplied out is M.
static void factors(void** unused)
{
  (void)unused;
  lwRandom random = {22};
  for (int n = 1; n <= MOST; ++n)
  {
    Problem problem = random_problem(&random, n, n % 2);
    double M[MOST * MOST];
    memcpy(M, problem.M, sizeof M);
    tree_ldl_factor(n, problem.parent, M);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
      {
        double sum = 0;  // over k of L_ki D_k L_kj
        for (int k = i; k < n; ++k)
        {
          if (!carries(&problem, i, k) || !carries(&problem, j, k)) continue;
          double Li = k == i ? 1 : M[k * n + i], Lj = k == j ? 1 : M[k * n + j];
          sum += Li * Lj / M[k * n + k];
        }
        double size = sqrt(problem.M[i * n + i] * problem.M[j * n + j]);
        assert_near(sum, problem.M[i * n + j], 4 * n * DBL_EPSILON * size);
      }
  }
}

static void other_entries_stay(void** unused)
{
  (void)unused;
  const double mark = 7e77;
  lwRandom random   = {23};
  for (int n = 1; n <= MOST; ++n)
  {
    Problem problem = random_problem(&random, n, 1);
    fill_rest(&problem, mark, problem.M);
    tree_ldl_factor(n, problem.parent, problem.M);
    for (int i = 0; i < n * n; ++i)
      if (!is_visited(&problem, i)) assert_same(problem.M[i], mark);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(solves), cmocka_unit_test(factors),
                                     cmocka_unit_test(other_entries_stay)};
  return cmocka_run_group_tests_name("tree factorisation", tests, NULL, NULL);
}
