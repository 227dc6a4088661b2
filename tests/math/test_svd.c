// SPDX-License-Identifier: MIT
// Singular values, least squares, and rotations as vectors.
#include "math/svd.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "math/rotation.h"
#include "support/testing.h"

enum
{
  MOST = 20
};

static const double PI = 3.14159265358979323846;

static void random_matrix(lwRandom* random, int rows, int columns, int rank, double* A)
{
  double left[6 * 6], right[6 * MOST];
  for (int k = 0; k < 36; ++k) left[k] = lw_random_between(random, -1, 1);
  for (int k = 0; k < 6 * MOST; ++k) right[k] = lw_random_between(random, -1, 1);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
    {
      double sum = 0;
      for (int k = 0; k < rank; ++k) sum += left[i * 6 + k] * right[k * MOST + j];
      A[i * columns + j] = sum;
    }
}

// A = V B, V orthogonal, rows of B orthogonal.
static void decomposes(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 500; ++seed)
  {
    lwRandom random = {seed};
    int rows = seed % 2 ? 6 : 3, columns = 1 + (int)(seed % MOST), rank = 1 + (int)(seed % 6);
    double A[6 * MOST], B[6 * MOST];
    random_matrix(&random, rows, columns, rank, A);
    memcpy(B, A, sizeof A);
    lwSvd svd = {.rows = rows, .columns = columns, .B = B};
    lw_svd(&svd);
    double size = lw_svd_largest(&svd);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
      {
        double sum = 0;
        for (int k = 0; k < rows; ++k) sum += svd.V[i][k] * B[k * columns + j];
        assert_closer(sum, A[i * columns + j], 1e-14 * size);
      }
    for (int i = 0; i < rows; ++i)
      for (int k = 0; k < i; ++k)
      {
        double rows_dot = 0, columns_dot = 0;
        for (int j = 0; j < columns; ++j) rows_dot += B[i * columns + j] * B[k * columns + j];
        for (int j = 0; j < rows; ++j) columns_dot += svd.V[j][i] * svd.V[j][k];
        assert_less(fabs(rows_dot), 1e-14 * size * size);
        assert_less(fabs(columns_dot), 1e-14);
      }
    int full = rows < columns ? rows : columns;
    if (rank >= full)
      assert_greater(lw_svd_smallest(&svd), 1e-12 * size);
    else
      assert_at_most(lw_svd_smallest(&svd), 1e-12 * size);
  }
}

// The residual is orthogonal to the columns of A, and x to its null space: x is a combination of
// rows.
static void solves(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 500; ++seed)
  {
    lwRandom random = {seed};
    int columns = 1 + (int)(seed % MOST), rank = 1 + (int)(seed % 6);
    double damping = seed % 3 == 0 ? 0.1 : 0;
    double A[6 * MOST], B[6 * MOST], b[6], x[MOST], rest[6];
    random_matrix(&random, 6, columns, rank, A);
    for (int k = 0; k < 6; ++k) b[k] = lw_random_between(&random, -1, 1);
    memcpy(B, A, sizeof A);
    lwSvd svd = {.rows = 6, .columns = columns, .B = B};
    lw_svd(&svd);
    double size = lw_svd_largest(&svd), most = 1;
    lw_svd_solve(&svd, b, damping, 1e-10 * size, x);
    for (int j = 0; j < columns; ++j) most = fmax(most, fabs(x[j]));
    for (int i = 0; i < 6; ++i)
    {
      rest[i] = b[i];
      for (int j = 0; j < columns; ++j) rest[i] -= A[i * columns + j] * x[j];
    }
    for (int j = 0; j < columns; ++j)  // A^T (b - A x) = damping x
    {
      double sum = -damping * x[j];
      for (int i = 0; i < 6; ++i) sum += A[i * columns + j] * rest[i];
      assert_less(fabs(sum), 1e-12 * size * size * most);
    }
  }
}

// --- rotations

static void random_vector(lwRandom* random, double length, double e[3])
{
  double size;
  do
  {
    for (int k = 0; k < 3; ++k) e[k] = lw_random_between(random, -1, 1);
    size = lw_length(e);
  } while (size > 1 || size < 0.1);
  for (int k = 0; k < 3; ++k) e[k] *= length / size;
}

static void logarithm_undoes_exponential(void** unused)
{
  (void)unused;
  static const double angles[] = {0, 1e-300, 1e-12, 1e-6, 0.1, 1, 2, 3, 3.14159, PI - 1e-9};
  lwRandom random              = {1};
  for (int k = 0; k < 10; ++k)
    for (int trial = 0; trial < 50; ++trial)
    {
      double e[3], R[9], back[3];
      random_vector(&random, angles[k], e);
      lw_rotation_exp(e, R);
      lw_rotation_log(R, back);
      for (int i = 0; i < 3; ++i) assert_closer(back[i], e[i], 2e-15 * (1 + angles[k]));
    }
  const double half[9] = {-1, 0, 0, 0, -1, 0, 0, 0, 1};  // exactly half a turn about z
  double e[3];
  lw_rotation_log(half, e);
  assert_same(e[0], 0);
  assert_same(e[1], 0);
  assert_closer(fabs(e[2]), PI, 1e-15);
}

// e(t) = log(exp(w t) exp(e)): its derivative at t = 0 is D w.
static void rate_of_the_logarithm(void** unused)
{
  (void)unused;
  lwRandom random = {2};
  for (int trial = 0; trial < 200; ++trial)
  {
    double e[3], w[3], D[9], rate[3], h = 1e-5, ends[2][3];
    random_vector(&random, trial % 10 == 0 ? 1e-4 : lw_random_between(&random, 0, 3), e);
    random_vector(&random, 1, w);
    lw_rotation_log_rate(e, D);
    lw_rotate(D, w, rate);
    for (int side = 0; side < 2; ++side)
    {
      double by[3], R[9], turn[9];
      for (int k = 0; k < 3; ++k) by[k] = (side ? h : -h) * w[k];
      lw_rotation_exp(e, R);
      lw_rotation_exp(by, turn);
      lw_rotation_product(turn, R, R);
      lw_rotation_log(R, ends[side]);
    }
    // central differences: h^2 times a third derivative that grows near half a turn, and eps / h
    for (int k = 0; k < 3; ++k) assert_closer((ends[1][k] - ends[0][k]) / (2 * h), rate[k], 1e-6);
  }
}

// Below 1e-3 a series, which goes on where the closed form ends: D = 1 - [e]/2 + f [e]^2 with
// f = 1/12 + a^2/720 + .. The symmetric part of an entry beside the diagonal is f e_x e_y; half of
// [e] cancels there to eps a, so f is known to eps / a, and the closed form to eps / a^2.
static void rate_of_small_angles(void** unused)
{
  (void)unused;
  for (double a = 2e-4; a < 3e-3; a *= 1.1)
  {
    const double e[3] = {0.48 * a, -0.6 * a, 0.64 * a};
    double D[9], off = 0;
    lw_rotation_log_rate(e, D);
    off = (D[1] + D[3]) / 2;  // f e_x e_y, without rounding of the 1
    assert_near(off / (e[0] * e[1]), 1.0 / 12 + a * a / 720, 1e-7);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(decomposes), cmocka_unit_test(solves),
                                     cmocka_unit_test(logarithm_undoes_exponential),
                                     cmocka_unit_test(rate_of_the_logarithm),
                                     cmocka_unit_test(rate_of_small_angles)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
