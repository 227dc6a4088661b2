// SPDX-License-Identifier: MIT
// Parameters of a link, its pseudo-inertia, and base parameters of matrices of known rank.
#include "identify/regressor.h"

#include "base/random.h"
#include "identify/base_parameters.h"
#include "math/symmetric.h"
#include "support/testing.h"

// A body of five points has mass parameters that some body can have.
static void points_into(lwRandom* random, double pi[LW_LINK_PARAMETERS])
{
  for (int k = 0; k < LW_LINK_PARAMETERS; ++k) pi[k] = 0;
  for (int point = 0; point < 5; ++point)
  {
    lwLinkDef link = {.mass = lw_random_between(random, 0.1, 2)};
    double one[LW_LINK_PARAMETERS];
    for (int k = 0; k < 3; ++k) link.com[k] = lw_random_between(random, -1, 1);
    lw_link_parameters(&link, one);
    for (int k = 0; k < LW_LINK_PARAMETERS; ++k) pi[k] += one[k];
  }
}

static void links_come_back_from_their_parameters(void** state)
{
  (void)state;
  lwRandom random = {3};
  for (int run = 0; run < 20; ++run)
  {
    double pi[LW_LINK_PARAMETERS], again[LW_LINK_PARAMETERS];
    lwLinkDef link = {0};
    points_into(&random, pi);
    lw_link_from_parameters(pi, &link);
    lw_link_parameters(&link, again);
    for (int k = 0; k < LW_LINK_PARAMETERS; ++k) assert_near(again[k], pi[k], 1e-14 * pi[0]);
  }
}

// P of points with masses m is the sum of m (p, 1) (p, 1)^T: positive definite for five points.
static void pseudo_inertias_of_points_are_positive(void** state)
{
  (void)state;
  lwRandom random = {5};
  for (int run = 0; run < 20; ++run)
  {
    double pi[LW_LINK_PARAMETERS], again[LW_LINK_PARAMETERS], P[4][4];
    points_into(&random, pi);
    lw_pseudo_inertia(pi, P);
    lw_pseudo_parameters((const double(*)[4])P, again);
    for (int k = 0; k < LW_LINK_PARAMETERS; ++k) assert_near(again[k], pi[k], 1e-14 * pi[0]);
    assert_int_equal(lw_cholesky(4, 4, P[0], 0), 4);
    pi[4] = 3 * (pi[5] + pi[6]);  // breaks the triangle rule
    lw_pseudo_inertia(pi, P);
    assert_int_not_equal(lw_cholesky(4, 4, P[0], 0), 4);
  }
}

// The third column is the first less twice the second.
static void dependent_columns_are_no_base_parameters(void** state)
{
  (void)state;
  enum
  {
    ROWS    = 6,
    COLUMNS = 4
  };
  const int order[COLUMNS] = {0, 1, 2, 3};
  double X[COLUMNS * ROWS];
  lwRandom random = {7};
  lwBaseParameters base;
  for (int k = 0; k < COLUMNS * ROWS; ++k) X[k] = lw_random_between(&random, -1, 1);
  for (int k = 0; k < ROWS; ++k) X[2 * ROWS + k] = X[k] - 2 * X[ROWS + k];
  assert_int_equal(lw_base_sort(&base, X, ROWS, COLUMNS, order, LW_BASE_DEPENDS), LW_OK);
  assert_int_equal(base.count, 3);
  assert_int_equal(base.kept[2], 3);
  assert_near(base.factor[0 * COLUMNS + 2], 1, 1e-13);
  assert_near(base.factor[1 * COLUMNS + 2], -2, 1e-13);
  assert_at_most(base.most_dropped, 1e-13);
  assert_greater(base.least_kept, 0.01);
  const double values[COLUMNS] = {5, 7, 11, 13};
  assert_near(lw_base_value(&base, 0, values), 16, 1e-12);
  assert_near(lw_base_value(&base, 1, values), -15, 1e-12);
  lw_base_free(&base);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_come_back_from_their_parameters),
      cmocka_unit_test(pseudo_inertias_of_points_are_positive),
      cmocka_unit_test(dependent_columns_are_no_base_parameters),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
