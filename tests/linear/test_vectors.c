// SPDX-License-Identifier: MIT
// Products and sizes of vectors, and the condition number of a matrix.
#include "linear/vectors.h"

#include "linear/lapack.h"
#include "linkwork/linear.h"
#include "support/testing.h"

static void products_and_their_sizes(void** state)
{
  (void)state;
  const double a[] = {1, -2, 3}, b[] = {4, 5, -6};
  assert_same(lw_dot_product(3, a, b), -24);
  assert_same(lw_dot_size(3, a, b), 32);
  assert_same(lw_dot_product(0, a, b), 0);
}

static void largest_entries_notice_what_is_no_number(void** state)
{
  (void)state;
  const double plain[] = {1, -7, 3}, odd[] = {1, NAN, 3};
  assert_same(lw_largest_entry(3, plain), 7);
  assert_same(lw_largest_entry(0, plain), 0);
  assert_infinite(lw_largest_entry(3, odd));
}

// A rotation of diag(4, 1/2) has the singular values 4 and 1/2.
static void condition_is_the_ratio_of_singular_values(void** state)
{
  (void)state;
  if (!lw_lapack_available()) skip();
  double c = cos(0.3), s = sin(0.3), condition;
  double turned[] = {4 * c, 4 * s, -s / 2, c / 2}, singular[] = {1, 2, 2, 4};
  assert_int_equal(lw_lapack_condition(2, turned, &condition), LW_OK);
  assert_near(condition, 8, 1e-13);
  assert_int_equal(lw_lapack_condition(2, singular, &condition), LW_OK);
  assert_greater(condition, 1e15);
  assert_int_equal(lw_lapack_condition(0, turned, &condition), LW_OK);
  assert_infinite(condition);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(products_and_their_sizes),
      cmocka_unit_test(largest_entries_notice_what_is_no_number),
      cmocka_unit_test(condition_is_the_ratio_of_singular_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
