// SPDX-License-Identifier: MIT
// LU factors and solutions of random matrices, and singular matrices.
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "math/lu.h"
#include "support/testing.h"

enum
{
  MAX = 40
};

// The residual of a solution is n eps of |A| |x|, whatever the condition, with a margin for pivot
// growth.
static void solutions_solve(void** unused)
{
  (void)unused;
  lwRandom random = {7};
  for (int n = 1; n <= MAX; ++n)
  {
    double a[MAX * MAX], factors[MAX * MAX], b[MAX], x[MAX];
    int pivots[MAX];
    for (int i = 0; i < n * n; ++i) a[i] = lw_random_between(&random, -1, 1);
    for (int i = 0; i < n; ++i) b[i] = lw_random_between(&random, -1, 1);
    if (n > 2) a[0] = 0;  // needs a swap
    memcpy(factors, a, sizeof a);
    memcpy(x, b, sizeof b);
    assert_true(lw_lu_factor(factors, n, pivots));
    lw_lu_solve(factors, n, pivots, x);
    for (int i = 0; i < n; ++i)
    {
      double sum = -b[i], size = fabs(b[i]);
      for (int j = 0; j < n; ++j)
      {
        sum += a[i * n + j] * x[j];
        size += fabs(a[i * n + j] * x[j]);
      }
      if (!(fabs(sum) < 1e-14 * n * size)) fail_msg("n = %d, row %d: %g of %g", n, i, sum, size);
    }
  }
}

static void singular_matrices_are_refused(void** unused)
{
  (void)unused;
  int pivots[2];
  double zero[4] = {0}, column[4] = {0, 1, 0, 2}, rank[4] = {1, 2, 2, 4};
  double infinite[4] = {INFINITY, 1, 1, 1}, none[4] = {NAN, 1, 1, 1};
  assert_false(lw_lu_factor(zero, 2, pivots));
  assert_false(lw_lu_factor(column, 2, pivots));
  assert_false(lw_lu_factor(rank, 2, pivots));
  assert_false(lw_lu_factor(infinite, 2, pivots));
  assert_false(lw_lu_factor(none, 2, pivots));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_solve),
      cmocka_unit_test(singular_matrices_are_refused),
  };
  return cmocka_run_group_tests_name("LU", tests, NULL, NULL);
}
