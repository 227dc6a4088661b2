// SPDX-License-Identifier: MIT
// Factorisations of symmetric matrices: random ones of known rank, and their solutions.
#include "math/symmetric.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "support/testing.h"

enum
{
  MAX = 12
};

// A = B B^T with B (n, rank): of this rank, and positive semidefinite.
static void random_gram(lwRandom* random, int n, int rank, double* A)
{
  double B[MAX * MAX];
  for (int i = 0; i < n * rank; ++i) B[i] = lw_random_between(random, -1, 1);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
    {
      double sum = 0;
      for (int k = 0; k < rank; ++k) sum += B[i * rank + k] * B[j * rank + k];
      A[i * n + j] = sum;
    }
}

// The largest |A x - b| beside the sum of the magnitudes that make it up.
static double residual(int n, const double* A, const double* x, const double* b)
{
  double worst = 0;
  for (int i = 0; i < n; ++i)
  {
    double sum = -b[i], size = fabs(b[i]);
    for (int j = 0; j < n; ++j)
    {
      sum += A[i * n + j] * x[j];
      size += fabs(A[i * n + j] * x[j]);
    }
    worst = fmax(worst, fabs(sum) / size);
  }
  return worst;
}

// Rows beyond the rank depend on those before. What is left of their diagonal entries is rounding,
// which the smallest eigenvalue of a random B B^T may enlarge to 1e-8.
static void ranks_are_found(void** unused)
{
  (void)unused;
  lwRandom random = {3};
  for (int n = 1; n <= MAX; ++n)
    for (int rank = 0; rank <= n; ++rank)
    {
      double A[MAX * MAX], factors[MAX * MAX], x[MAX], b[MAX] = {0};
      random_gram(&random, n, rank, A);
      memcpy(factors, A, sizeof A);
      assert_int_equal(lw_ldl_factor(n, factors, 1e-9), rank);
      for (int i = 0; i < n; ++i) x[i] = lw_random_between(&random, -1, 1);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) b[i] += A[i * n + j] * x[j];  // has a solution
      memcpy(x, b, sizeof b);
      lw_ldl_solve(n, factors, x);
      for (int i = rank; i < n; ++i) assert_same(x[i], 0);
      if (rank > 0) assert_true(residual(n, A, x, b) < 1e-7);
    }
}

// A first row of zeros, or with a negative entry, is one that depends on nothing.
static void first_pivots(void** unused)
{
  (void)unused;
  double zero[4] = {0, 0, 0, 4}, negative[4] = {-1, 0, 0, 4}, one[1] = {5};
  assert_int_equal(lw_ldl_factor(2, zero, 1e-9), 1);
  assert_int_equal(lw_ldl_factor(2, negative, 1e-9), 1);
  assert_same(negative[0], 0);
  assert_int_equal(lw_ldl_factor(1, one, 1e-9), 1);
}

// Rows `stride` apart; the residual is n eps, for Cholesky is stable without pivoting.
static void cholesky_solves(void** unused)
{
  (void)unused;
  lwRandom random = {4};
  for (int n = 1; n <= MAX; ++n)
  {
    double A[MAX * MAX], L[MAX * MAX] = {0}, b[MAX], x[MAX];
    random_gram(&random, n, n, A);
    for (int i = 0; i < n; ++i) A[i * n + i] += 0.1;
    for (int i = 0; i < n; ++i) memcpy(L + i * MAX, A + i * n, (size_t)n * sizeof *A);
    for (int i = 0; i < n; ++i) b[i] = x[i] = lw_random_between(&random, -1, 1);
    assert_int_equal(lw_cholesky(n, MAX, L, 0), n);
    lw_cholesky_solve(n, MAX, L, x);
    assert_true(residual(n, A, x, b) < 1e-14 * n);
  }
  double indefinite[4] = {1, 2, 2, 1};
  assert_int_equal(lw_cholesky(2, 2, indefinite, 0), 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(ranks_are_found),
                                     cmocka_unit_test(first_pivots),
                                     cmocka_unit_test(cholesky_solves)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
