// SPDX-License-Identifier: MIT
// Operation counts: their values for the main kernels, and that counting does not change results.
#define LW_SCALAR_count
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/real.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/workspace.h"
#include "base/arena.h"
#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

// c[0] + c[1] n + c[2] n^2
typedef struct
{
  lwQuestion question;
  const char* method;
  int from;  // the smallest n: links near the base are spared what is zero there
  long mul[3], add[3], div[3];
} Expected;

// Folded counts of generic chains. Update a line when a kernel gets faster; the test fails
// if one gets slower.
static const Expected table[] = {
    {LW_QUESTION_INVERSE, "newton-euler", 2, {-90, 91, 0}, {-81, 79, 0}, {0, 0, 0}},
    {LW_QUESTION_INVERSE, "newton-euler-grouped", 2, {-80, 81, 0}, {-72, 69, 0}, {0, 0, 0}},
    {LW_QUESTION_INERTIA, "composite-body", 2, {-25, 8, 10}, {-39, 26, 6}, {0, 0, 0}},
    {LW_QUESTION_FORWARD, "articulated-body", 3, {-261, 206, 0}, {-266, 186, 0}, {-1, 1, 0}},
};

static long at(const long c[3], long n)
{
  return c[0] + n * (c[1] + n * c[2]);
}

static void folded_counts(void** unused)
{
  (void)unused;
  for (size_t k = 0; k < sizeof table / sizeof *table; ++k)
    for (int n = table[k].from; n <= 12; ++n)
    {
      const Expected* expected = &table[k];
      lwModel* model;
      lwCount count;
      int method = lw_method_find(expected->question, expected->method);
      assert_at_least(method, 0);
      assert_int_equal(lw_model_create_generic(n, &model), LW_OK);
      assert_int_equal(lw_method_measure(model, method, &count), LW_OK);
      if (count.mul != at(expected->mul, n) || count.add != at(expected->add, n) ||
          count.div != at(expected->div, n))
        fail_msg("%s, n = %d: %ld mul, %ld add, %ld div instead of %ld, %ld, %ld", expected->method,
                 n, count.mul, count.add, count.div, at(expected->mul, n), at(expected->add, n),
                 at(expected->div, n));
      lw_model_destroy(model);
    }
}

// Folded operations are a subset of the executed ones; counting twice gives the same numbers.
static void folded_is_part_of_executed(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 60; ++seed)
  {
    Robot* robot = any_robot(seed);
    for (int i = 0; i < lw_method_count(); ++i)
    {
      lwCount count, again;
      if (lw_model_dof(robot->model) > 12) continue;
      assert_int_equal(lw_method_measure(robot->model, i, &count), LW_OK);
      assert_int_equal(lw_method_measure(robot->model, i, &again), LW_OK);
      assert_memory_equal(&count, &again, sizeof count);
      assert_at_most(count.mul, count.executed_mul);
      assert_at_most(count.add, count.executed_add);
      assert_at_most(count.div, count.executed_div);
      assert_at_most(count.sqrt, count.executed_sqrt);
      assert_at_least(count.mul, 0);
      assert_at_least(count.add, 0);
      assert_greater(count.executed_add, 0);
    }
    robot_free(robot);
  }
}

// Counts grow no faster with n than the order given in the registry.
static void growth_is_as_stated(void** unused)
{
  (void)unused;
  static const char* const orders[] = {"n", "n^2", "n^3", "n^4"};
  lwModel *small, *large;
  assert_int_equal(lw_model_create_generic(10, &small), LW_OK);
  assert_int_equal(lw_model_create_generic(20, &large), LW_OK);
  for (int i = 0; i < lw_method_count(); ++i)
  {
    lwCount few, many;
    double most = 0;
    for (int k = 0; k < 4; ++k)
      if (!strcmp(lw_method(i)->order, orders[k])) most = (double)(2 << k);
    if (most == 0) fail_msg("%s: unknown order '%s'", lw_method(i)->name, lw_method(i)->order);
    assert_int_equal(lw_method_measure(small, i, &few), LW_OK);
    assert_int_equal(lw_method_measure(large, i, &many), LW_OK);
    double grown = (double)(many.executed_mul + many.executed_add) /
                   (double)(few.executed_mul + few.executed_add);
    if (grown > 1.2 * most)
      fail_msg("%s grows by %.2f from n = 10 to 20, order %s", lw_method(i)->name, grown,
               lw_method(i)->order);
  }
  lw_model_destroy(small);
  lw_model_destroy(large);
}

// --- values

static REAL* online(lwArena* arena, const double* values, int count)
{
  REAL* copy = lw_arena_take(arena, (size_t)count, sizeof *copy);
  assert_non_null(copy);
  for (int i = 0; i < count; ++i) copy[i] = (REAL){values[i], false};
  return copy;
}

// Runs the kernels of the count variant as lw_answer() would.
static void check_values(const Robot* robot, int i, const lwStates* given)
{
  const lwModel* model   = robot->model;
  const lwKernel* kernel = lw_count_variant()->kernels[i];
  lwQuestion question    = lw_method(i)->question;
  int n                  = lw_model_dof(model);
  size_t outputs         = lw_question_outputs(model, question);
  lwArena arena          = {0};
  REAL* out              = lw_arena_take(&arena, outputs, sizeof *out);
  void* ws               = lw_arena_take(&arena, lw_kernel_bytes(kernel, n), 1);
  lwView view            = lw_last_view(model);
  lwState state          = {.view   = &view,
                            .q      = online(&arena, given->q, n),
                            .qd     = online(&arena, given->qd, n),
                            .qdd    = online(&arena, given->qdd, n),
                            .tau    = online(&arena, given->tau, n),
                            .wrench = online(&arena, given->wrench, 6)};
  assert_non_null(out);
  assert_non_null(ws);
  kernel->run(model, ws, &state, out);

  double* got        = numbers(outputs);
  double* size       = numbers(outputs);
  double* unused     = numbers(outputs);
  lwWorkspace* plain = work_with(model, i, LW_PRECISION_DOUBLE);
  double* expected   = answer(model, plain, question, given);
  for (size_t k = 0; k < outputs; ++k) got[k] = out[k].value;
  double most = 1e-9;
  for (size_t k = 0; k < outputs; ++k) most = fmax(most, 1e3 * fabs(expected[k]));
  for (size_t k = 0; k < outputs; ++k) size[k] = most;  // for derivatives
  if (reference_knows(question)) reference_answer(&robot->def, question, given, unused, size);
  Trial trial = {robot->seed, NULL, n, question, lw_method(i)->name, "count", given};
  check_close(&trial, got, expected, size, 32 * n * DBL_EPSILON, outputs);
  free(got);
  free(size);
  free(unused);
  free(expected);
  lw_workspace_destroy(plain);
  lw_arena_free(&arena);
}

// Results differ only by the sines and cosines, which the count variant takes from the C library:
// C n eps size, as between two methods.
static void counting_changes_no_result(void** unused)
{
  (void)unused;
  setenv("LINKWORK_ISA", "baseline", 1);
  for (uint64_t seed = 1; seed <= 60; ++seed)
  {
    Robot* robot   = any_robot(seed);
    States states  = random_states(seed, robot->model, 1);
    lwStates state = state_row(&states, robot->model, 0);
    for (int i = 0; i < lw_method_count(); ++i)
      if (!too_slow(i, robot->model)) check_values(robot, i, &state);
    states_free(&states);
    robot_free(robot);
  }
  unsetenv("LINKWORK_ISA");
}

// --- the scalar itself

static lwCount counted(REAL a, REAL b)
{
  lw_tally = (lwCount){0};
  REAL c   = r_mul(a, b);
  c        = r_add(c, b);
  c        = r_div(c, a);
  r_sqrt(c);
  return lw_tally;
}

// Arithmetic among constants and with 0, 1 and -1 is not counted as folded, but as executed.
static void folding(void** unused)
{
  (void)unused;
  const REAL x = {1.5, false}, one = constant(1), none = constant(0), two = constant(2);
  lwCount c = counted(x, x);
  assert_int_equal(c.mul, 1);
  assert_int_equal(c.add, 1);
  assert_int_equal(c.div, 1);
  assert_int_equal(c.sqrt, 1);
  c = counted(two, two);
  assert_int_equal(c.mul, 0);
  assert_int_equal(c.add, 0);
  assert_int_equal(c.div, 0);
  assert_int_equal(c.sqrt, 0);
  c = counted(one, x);
  assert_int_equal(c.mul, 0);
  assert_int_equal(c.add, 1);
  assert_int_equal(c.div, 0);
  assert_int_equal(c.sqrt, 1);
  c = counted(constant(-1), x);
  assert_int_equal(c.mul, 0);
  assert_int_equal(c.add, 1);
  assert_int_equal(c.div, 0);
  c = counted(x, none);
  assert_int_equal(c.mul, 0);
  assert_int_equal(c.add, 0);
  assert_int_equal(c.div, 0);
  assert_int_equal(c.sqrt, 0);
  assert_int_equal(c.executed_mul, 1);
  assert_int_equal(c.executed_add, 1);
  assert_int_equal(c.executed_div, 1);
  lw_tally = (lwCount){0};
  r_neg(x);
  assert_int_equal(lw_tally.add, 0);
  assert_int_equal(lw_tally.executed_add, 0);
  assert_same(mul_add(x, two, one).value, 4);
  assert_same(mul_sub(x, two, one).value, 2);
  assert_same(sub_mul(one, x, two).value, -2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folding),
      cmocka_unit_test(folded_counts),
      cmocka_unit_test(folded_is_part_of_executed),
      cmocka_unit_test(growth_is_as_stated),
      cmocka_unit_test(counting_changes_no_result),
  };
  return cmocka_run_group_tests_name("operation counts", tests, NULL, NULL);
}
