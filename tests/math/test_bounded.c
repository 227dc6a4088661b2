// SPDX-License-Identifier: MIT
// Forces between bounds, a = W x + c: random problems with dependent rows, and rows that contradict
// each other.
//
// Bound: the conditions hold within 1e-8 of the terms of each sum; dependent rows lose digits.
#include "math/bounded.h"

#include <math.h>

#include "base/random.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  MOST = 8
};

typedef struct
{
  double W[MOST * MOST], c[MOST], low[MOST], high[MOST], x[MOST];
  double memory[MOST * MOST + 2 * MOST];
  lwBound side[MOST];
} Rows;

static lwBounded problem_of(Rows* rows, int n)
{
  return (lwBounded){.n      = n,
                     .W      = rows->W,
                     .c      = rows->c,
                     .low    = rows->low,
                     .high   = rows->high,
                     .side   = rows->side,
                     .x      = rows->x,
                     .memory = rows->memory};
}

// n rows of a space of fewer dimensions.
static void fill_rows(Rows* rows, lwRandom* random, int n, int dimensions)
{
  double C[MOST][MOST];
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < dimensions; ++k) C[i][k] = lw_random_between(random, -1, 1);
  for (int i = 0; i < n; ++i)
  {
    for (int j = 0; j < n; ++j)
    {
      rows->W[i * n + j] = 0;
      for (int k = 0; k < dimensions; ++k) rows->W[i * n + j] += C[i][k] * C[j][k];
    }
    rows->c[i]    = lw_random_between(random, -1, 1);
    rows->high[i] = lw_random_between(random, 0.1, 10);
    rows->low[i]  = i % 2 ? 0 : -rows->high[i];
    rows->side[i] = LW_BOUND_NONE;
  }
}

static void assert_solved(const Rows* rows, int n)
{
  for (int i = 0; i < n; ++i)
  {
    double a = rows->c[i], size = fabs(a);
    for (int j = 0; j < n; ++j)
    {
      a += rows->W[i * n + j] * rows->x[j];
      size += fabs(rows->W[i * n + j] * rows->x[j]);
    }
    double small = 1e-8 * size;
    assert_at_least(rows->x[i], rows->low[i] - 1e-8 * rows->high[i]);
    assert_at_most(rows->x[i], rows->high[i] * (1 + 1e-8));
    if (rows->x[i] < rows->high[i] * (1 - 1e-6)) assert_at_least(a, -small);
    if (rows->x[i] > rows->low[i] + 1e-6 * rows->high[i]) assert_at_most(a, small);
  }
}

static void every_row_is_decided(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 2000; ++seed)
  {
    lwRandom random = {seed};
    Rows rows;
    int n = 1 + (int)(seed % MOST), dimensions = 1 + (int)(seed / MOST % (uint64_t)n);
    fill_rows(&rows, &random, n, dimensions);
    lwBounded problem = problem_of(&rows, n);
    assert_true(lw_bounded_solve(&problem));
    assert_solved(&rows, n);
  }
}

// Two equal rows that want different accelerations: the weaker one lets go.
static void the_weaker_of_two_lets_go(void** unused)
{
  (void)unused;
  Rows rows         = {.W = {1, 1, 1, 1}, .c = {1, -1}, .low = {-5, -2}, .high = {5, 2}};
  lwBounded problem = problem_of(&rows, 2);
  assert_true(lw_bounded_solve(&problem));
  assert_near(rows.x[1], 2, 1e-9);
  assert_near(rows.x[0], -3, 1e-9);
}

// Without bounds nothing can let go, and the first row holds.
static void the_first_holds_without_bounds(void** unused)
{
  (void)unused;
  Rows rows = {
      .W = {1, 1, 1, 1}, .c = {1, -1}, .low = {-INFINITY, -INFINITY}, .high = {INFINITY, INFINITY}};
  lwBounded problem = problem_of(&rows, 2);
  assert_true(lw_bounded_solve(&problem));
  assert_near(rows.x[0], -1, 1e-12);
  assert_near(rows.x[1], 0, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_row_is_decided),
      cmocka_unit_test(the_weaker_of_two_lets_go),
      cmocka_unit_test(the_first_holds_without_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
