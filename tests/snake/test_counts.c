// SPDX-License-Identifier: MIT
// Measured operation counts of the snake methods: formulas in n, growth, and target values.
#include <string.h>

#include "support/snakes.h"
#include "support/testing.h"

// (c[0] + c[1] n + c[2] n^2 + c[3] n^3) / 6
typedef struct
{
  const char* method;
  long mul[4], add[4], div[4];
} Formula;

static const Formula formulas[] = {
    {"kane-linear", {-36, 102}, {-90, 84}, {6}},
    {"kane", {-318, 243, 33}, {-204, 132, 18}, {6}},
    {"lagrange", {-84, 248, 60, 4}, {-114, 146, 42, 4}, {6, 12}},
    {"newton-euler", {-390, 602, 78, 4}, {-522, 485, 75, 4}, {12, 12}},
};

static long value(const long c[4], long n)
{
  return (c[0] + c[1] * n + c[2] * n * n + c[3] * n * n * n) / 6;
}

static lwCount measured(const lwSnake* snake, const char* method)
{
  lwCount count, again;
  int i = lw_snake_method_find(method);
  assert_int_equal(lw_snake_method_measure(snake, i, &count), LW_OK);
  assert_int_equal(lw_snake_method_measure(snake, i, &again), LW_OK);
  assert_memory_equal(&count, &again, sizeof count);
  return count;
}

static lwCount measured_generic(int n, const char* method)
{
  lwSnake* snake = NULL;
  assert_int_equal(lw_snake_create_generic(n, &snake), LW_OK);
  lwCount count = measured(snake, method);
  lw_snake_destroy(snake);
  return count;
}

static void formulas_hold(void** unused)
{
  (void)unused;
  for (size_t f = 0; f < sizeof formulas / sizeof *formulas; ++f)
    for (int n = 3; n <= 40; ++n)
    {
      lwCount count = measured_generic(n, formulas[f].method);
      assert_int_equal(count.mul, value(formulas[f].mul, n));
      assert_int_equal(count.add, value(formulas[f].add, n));
      assert_int_equal(count.div, value(formulas[f].div, n));
      assert_int_equal(count.sqrt, 0);
      assert_at_least(count.executed_mul, count.mul);
      assert_at_least(count.executed_add, count.add);
    }
}

// Counts of the closed form, from two links up to thousands.
static void closed_form_is_cheap(void** unused)
{
  (void)unused;
  const int sizes[] = {2, 3, 20, 1000, 5000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i)
  {
    long n        = sizes[i];
    lwCount count = measured_generic((int)n, "kane-linear");
    assert_at_most(count.mul, 17 * n - 6);
    assert_at_most(count.add, 14 * n - 15);
    assert_int_equal(count.div, 1);
  }
}

// Table I of nia2005, with its swapped formulas of Kane and Newton-Euler corrected, against its
// numbers.
static void printed_counts(void** unused)
{
  (void)unused;
  static const struct
  {
    const char* method;
    long n, add, mul;
  } printed[] = {
      {"kane", 3, 72, 192},
      {"kane", 12, 693, 1641},
      {"kane", 20, 1653, 3949},
      {"lagrange", 3, 184, 268},
      {"lagrange", 12, 4360, 7639},
      {"lagrange", 20, 16708, 30579},
      {"newton-euler", 3, 663, 835},
      {"newton-euler", 12, 6744, 8329},
      {"newton-euler", 20, 20740, 24737},
  };
  for (size_t i = 0; i < sizeof printed / sizeof *printed; ++i)
  {
    const lwMethod* method = lw_snake_method(lw_snake_method_find(printed[i].method));
    double n = (double)printed[i].n, mul = 0, add = 0, power = 1;
    for (int k = 0; k < 4; ++k, power *= n)
    {
      mul += method->printed.mul[k] * power;
      add += method->printed.add[k] * power;
    }
    assert_closer(mul, (double)printed[i].mul, 1);
    assert_closer(add, (double)printed[i].add, 1);
    lwCount count = measured_generic((int)printed[i].n, printed[i].method);
    if (strcmp(printed[i].method, "newton-euler") != 0 || printed[i].n > 3)
    {
      assert_less(count.mul, printed[i].mul);
      assert_less(count.add, printed[i].add);
    }
  }
}

// With wheels off the middle the closed form gets longer, but stays O(n).
static void offsets_stay_linear(void** unused)
{
  (void)unused;
  lwSnake *small = random_snake(1, 10, 0.5), *large = random_snake(1, 20, 0.5);
  lwCount few = measured(small, "kane-linear"), many = measured(large, "kane-linear");
  assert_less(many.mul, 2.2 * (double)few.mul);
  assert_less(many.mul, 45 * 20);
  assert_int_equal(many.div, 1);
  lw_snake_destroy(small);
  lw_snake_destroy(large);
}

static void registry(void** unused)
{
  (void)unused;
  assert_int_equal(lw_snake_method_count(), 5);
  assert_string_equal(lw_snake_method(0)->name, "kane-linear");
  assert_string_equal(lw_snake_workspace_def().method, "kane-linear");
  for (int i = 0; i < lw_snake_method_count(); ++i)
  {
    assert_int_equal(lw_snake_method(i)->question, LW_QUESTION_SNAKE);
    assert_int_equal(lw_snake_method_find(lw_snake_method(i)->name), i);
  }
  assert_int_equal(lw_snake_method_find("auto"), -1);
  assert_string_equal(lw_question_info(LW_QUESTION_SNAKE)->name, "snake");
  for (int i = 0; i < lw_method_count(); ++i)
    assert_int_not_equal(lw_method(i)->question, LW_QUESTION_SNAKE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas_hold),  cmocka_unit_test(closed_form_is_cheap),
      cmocka_unit_test(printed_counts), cmocka_unit_test(offsets_stay_linear),
      cmocka_unit_test(registry),
  };
  return cmocka_run_group_tests_name("operation counts of snakes", tests, NULL, NULL);
}
