// SPDX-License-Identifier: MIT
// Semidefinite equations of any rank: the shortest least-squares solution, by either factorisation.
#include "math/psd.h"

#include <string.h>

#include "base/random.h"
#include "testing.h"

enum
{
  N = 6
};

static const double LEAST = 1e-10;  // pivots below this part of the first are taken for 0

// A = B B^T with B (N, rank); entries of B are of size 1, so A x is about N.
static void random_matrix(lwRandom* random, int rank, double* A)
{
  double B[N][N];
  for (int i = 0; i < N; ++i)
    for (int k = 0; k < rank; ++k) B[i][k] = lw_random_between(random, -1, 1);
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j)
    {
      A[i * N + j] = 0;
      for (int k = 0; k < rank; ++k) A[i * N + j] += B[i][k] * B[j][k];
    }
}

static void times(const double* A, const double* x, double* y)
{
  for (int i = 0; i < N; ++i)
  {
    y[i] = 0;
    for (int j = 0; j < N; ++j) y[i] += A[i * N + j] * x[j];
  }
}

// x = A z has no part that A does not see, so it is the shortest solution of A x = b.
static void check_rank(int rank, bool by_rank)
{
  lwArena arena = {0};
  lwPsd psd;
  assert_true(lw_psd_take(&psd, &arena, N));
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    lwRandom random = {seed};
    double A[N * N], z[N], x[N], b[N];
    random_matrix(&random, rank, A);
    for (int i = 0; i < N; ++i) z[i] = lw_random_between(&random, -1, 1);
    times(A, z, x);
    times(A, x, b);
    memcpy(psd.A, A, sizeof A);
    (by_rank ? lw_psd_factor_by_rank : lw_psd_factor)(&psd, LEAST);
    assert_int_equal(psd.rank, rank);
    lw_psd_solve(&psd, b);
    // the condition of random matrices of this size stays below 1e7, and it counts once
    for (int i = 0; i < N; ++i) assert_near(b[i], x[i], 1e-8 * N);
  }
  lw_arena_free(&arena);
}

static void every_rank(void** state)
{
  (void)state;
  for (int rank = 1; rank <= N; ++rank) check_rank(rank, true);
  for (int rank = 1; rank <= N; ++rank) check_rank(rank, false);
}

static void zero_has_no_rank(void** state)
{
  (void)state;
  lwArena arena = {0};
  lwPsd psd;
  double b[N] = {1, 2, 3};
  assert_true(lw_psd_take(&psd, &arena, N));
  memset(psd.A, 0, N * N * sizeof *psd.A);
  lw_psd_factor(&psd, LEAST);
  assert_int_equal(psd.rank, 0);
  lw_psd_solve(&psd, b);
  for (int i = 0; i < N; ++i) assert_same(b[i], 0);
  lw_arena_free(&arena);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_rank),
                                     cmocka_unit_test(zero_has_no_rank)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
