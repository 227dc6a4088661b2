// SPDX-License-Identifier: MIT
// Sketches of deviations: bins of less than one per cent, and quantiles as of the sorted values.
#include <math.h>
#include <stdlib.h>

#include "study/study_internal.h"
#include "support/robots.h"
#include "support/testing.h"

enum
{
  COUNT = 2000
};

static void bins_are_narrow_and_in_order(void** unused)
{
  (void)unused;
  lwRandom random = {1};
  for (int k = 0; k < COUNT; ++k)
  {
    double x = ldexp(lw_random_between(&random, 1, 2), (int)(lw_random_bits(&random) % 600) - 300);
    double y = lw_sketch_value(lw_sketch_key(x));
    assert_near(y, x, x / 256);  // half of 2^-7 of it
    assert_int_equal(lw_sketch_key(y), lw_sketch_key(x));
    assert_int_equal(lw_sketch_key(-x), -lw_sketch_key(x));
    assert_same(lw_sketch_value(lw_sketch_key(-x)), -y);
    assert_greater(lw_sketch_key(1.01 * x), lw_sketch_key(x));
  }
  assert_int_equal(lw_sketch_key(0), 0);
  assert_int_equal(lw_sketch_key(-0.0), 0);
  assert_same(lw_sketch_value(0), 0);
}

static int compare_numbers(const void* a, const void* b)
{
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

// In any order, one by one or several at a time: the same bins.
static void quantiles_are_those_of_the_sorted_values(void** unused)
{
  (void)unused;
  static double x[COUNT];
  lwRandom random  = {7};
  lwSketch forward = {0}, backward = {0};
  for (int k = 0; k < COUNT; ++k) x[k] = pow(lw_random_between(&random, -2, 3), 3);
  for (int k = 0; k < COUNT; ++k) assert_true(lw_sketch_add(&forward, lw_sketch_key(x[k]), 3));
  for (int k = COUNT - 1; k >= 0; --k)
  {
    assert_true(lw_sketch_add(&backward, lw_sketch_key(x[k]), 1));
    assert_true(lw_sketch_add(&backward, lw_sketch_key(x[k]), 2));
  }
  assert_greater(forward.count, 500);  // so that it has grown
  assert_int_equal(forward.count, backward.count);
  for (int k = 0; k < forward.count; ++k)
  {
    assert_int_equal(forward.key[k], backward.key[k]);
    assert_int_equal(forward.times[k], backward.times[k]);
    if (k > 0) assert_greater(forward.key[k], forward.key[k - 1]);
  }
  qsort(x, COUNT, sizeof *x, compare_numbers);
  for (int k = 1; k <= COUNT; ++k)
  {
    double p = (k - 0.5) / COUNT;
    assert_same(lw_sketch_quantile(&forward, p), lw_sketch_value(lw_sketch_key(x[k - 1])));
  }
  assert_same(lw_sketch_quantile(&forward, 0), lw_sketch_value(lw_sketch_key(x[0])));
  assert_same(lw_sketch_quantile(&forward, 1), lw_sketch_value(lw_sketch_key(x[COUNT - 1])));
  lw_sketch_free(&forward);
  lw_sketch_free(&backward);
  assert_int_equal(forward.count, 0);
}

// p of all counts is reached: the median of 1, 1, 2, 2 is 1.
static void a_quantile_has_its_share_below(void** unused)
{
  (void)unused;
  lwSketch sketch = {0};
  assert_nan(lw_sketch_quantile(&sketch, 0.5));
  assert_true(lw_sketch_add(&sketch, lw_sketch_key(2), 2));
  assert_true(lw_sketch_add(&sketch, lw_sketch_key(1), 2));
  assert_same(lw_sketch_quantile(&sketch, 0.5), lw_sketch_value(lw_sketch_key(1)));
  assert_same(lw_sketch_quantile(&sketch, 0.51), lw_sketch_value(lw_sketch_key(2)));
  lw_sketch_free(&sketch);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bins_are_narrow_and_in_order),
      cmocka_unit_test(quantiles_are_those_of_the_sorted_values),
      cmocka_unit_test(a_quantile_has_its_share_below),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
