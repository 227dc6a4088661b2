// SPDX-License-Identifier: MIT
// Integrators against solutions in closed form, and the orders that their papers promise.
#include <math.h>
#include <stdbool.h>

#include "linkwork/simulate.h"
#include "support/testing.h"

// x'' = -x, and t' = cos(t) beside it
static void oscillate(void* context, double t, const double* y, double* rates)
{
  (void)context;
  rates[0] = y[1];
  rates[1] = -y[0];
  rates[2] = cos(t);
}

// y' = y^2, which is infinite at t = 1
static void explode(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = y[0] * y[0];
}

static lwIntegrator* make(const lwIntegratorDef* def, int size, lwRates* rates, const double* y)
{
  lwIntegrator* integrator;
  assert_int_equal(lw_integrator_create(def, size, rates, NULL, &integrator), LW_OK);
  lw_integrator_start(integrator, 0, y);
  return integrator;
}

// The largest error at `count` times up to 3 s.
static double worst_error(const lwIntegratorDef* def, int count, long* steps)
{
  double y[3] = {0, 1, 0}, worst = 0;
  lwIntegrator* integrator = make(def, 3, oscillate, y);
  for (int i = 1; i <= count; ++i)
  {
    double t = 3.0 * i / count;
    assert_int_equal(lw_integrator_advance(integrator, t, y, NULL), LW_ARRIVED);
    assert_true(lw_integrator_time(integrator) == t);
    worst = fmax(worst, fabs(y[0] - sin(t)));
    worst = fmax(worst, fabs(y[1] - cos(t)));
    worst = fmax(worst, fabs(y[2] - sin(t)));
  }
  if (steps) *steps = lw_integrator_stats(integrator).steps;
  lw_integrator_destroy(integrator);
  return worst;
}

static void rk4_has_order_four(void** unused)
{
  (void)unused;
  lwIntegratorDef def = lw_integrator_def();
  double errors[2];
  for (int i = 0; i < 2; ++i)
  {
    def.step  = i == 0 ? 0.05 : 0.025;
    errors[i] = worst_error(&def, 3, NULL);
  }
  double order = log2(errors[0] / errors[1]);
  assert_true(order > 3.9 && order < 4.1);
}

static void rk4_takes_whole_steps(void** unused)
{
  (void)unused;
  long steps;
  lwIntegratorDef def = lw_integrator_def();
  def.step            = 0.1;
  assert_true(worst_error(&def, 10, &steps) < 1e-5);  // 0.3 s apart: 3 steps
  assert_int_equal(steps, 30);
  def.step = 0.11;  // 3 steps of 0.1 s, none of which is longer than asked for
  assert_true(worst_error(&def, 10, &steps) < 1e-5);
  assert_int_equal(steps, 30);
  def.step = 7;
  assert_true(worst_error(&def, 10, &steps) < 1e-3);
  assert_int_equal(steps, 10);
}

// Between steps too: many more times are asked for than steps are taken.
static void dopri_keeps_its_tolerance(void** unused)
{
  (void)unused;
  lwIntegratorDef def = lw_integrator_def();
  def.method          = "dopri";
  for (double tolerance = 1e-4; tolerance > 1e-13; tolerance /= 100)
  {
    long few, many;
    def.relative = def.absolute = tolerance;
    double at_end = worst_error(&def, 1, &few), between = worst_error(&def, 1000, &many);
    assert_true(at_end < 20 * tolerance);
    assert_true(between < 20 * tolerance);
    assert_int_equal(few, many);  // asking changes nothing
    assert_true(few < 1000);
  }
}

// The number of steps grows with the fifth root of the tolerance's inverse.
static void dopri_has_order_five(void** unused)
{
  (void)unused;
  long steps[2];
  lwIntegratorDef def = lw_integrator_def();
  def.method          = "dopri";
  for (int i = 0; i < 2; ++i)
  {
    def.relative = def.absolute = i == 0 ? 1e-7 : 1e-12;
    worst_error(&def, 1, &steps[i]);
  }
  double order = 5 / log10((double)steps[1] / (double)steps[0]);
  assert_true(order > 4.5 && order < 5.5);
}

static void explosion_is_seen(void** unused)
{
  (void)unused;
  static const char* const methods[] = {"rk4", "dopri"};
  for (int i = 0; i < 2; ++i)
  {
    double y                 = 1;
    lwIntegratorDef def      = lw_integrator_def();
    def.method               = methods[i];
    lwIntegrator* integrator = make(&def, 1, explode, &y);
    assert_int_equal(lw_integrator_advance(integrator, 0.5, &y, NULL), LW_ARRIVED);
    assert_true(fabs(y - 2) < 1e-6);
    assert_true(lw_integrator_advance(integrator, 2, &y, NULL) > LW_STOPPED);
    assert_true(isfinite(y) && y > 100);
    assert_true(lw_integrator_time(integrator) > 0.9 && lw_integrator_time(integrator) < 1.1);
    lw_integrator_destroy(integrator);
  }
}

static void stop_is_obeyed(void** unused)
{
  (void)unused;
  static const char* const methods[] = {"rk4", "dopri"};
  for (int i = 0; i < 2; ++i)
  {
    volatile int stop        = 1;
    double y[3]              = {0, 1, 0};
    lwIntegratorDef def      = lw_integrator_def();
    def.method               = methods[i];
    lwIntegrator* integrator = make(&def, 3, oscillate, y);
    assert_int_equal(lw_integrator_advance(integrator, 3, y, &stop), LW_STOPPED);
    double t = lw_integrator_time(integrator);
    assert_true(t < 0.1);
    assert_true(fabs(y[0] - sin(t)) < 1e-9);
    stop = 0;
    assert_int_equal(lw_integrator_advance(integrator, 3, y, &stop), LW_ARRIVED);
    assert_true(fabs(y[0] - sin(3)) < 1e-7);
    lw_integrator_destroy(integrator);
  }
}

static void nonsense_is_refused(void** unused)
{
  (void)unused;
  lwIntegrator* integrator;
  lwIntegratorDef def = lw_integrator_def();
  def.method          = "euler";
  assert_int_equal(lw_integrator_create(&def, 1, explode, NULL, &integrator), LW_ERROR_METHOD);
  def.method = "rk4";
  def.step   = 0;
  assert_int_equal(lw_integrator_create(&def, 1, explode, NULL, &integrator), LW_ERROR_INPUT);
  def.method   = "dopri";
  def.relative = NAN;
  assert_int_equal(lw_integrator_create(&def, 1, explode, NULL, &integrator), LW_ERROR_INPUT);
  assert_null(integrator);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rk4_has_order_four),        cmocka_unit_test(rk4_takes_whole_steps),
      cmocka_unit_test(dopri_keeps_its_tolerance), cmocka_unit_test(dopri_has_order_five),
      cmocka_unit_test(explosion_is_seen),         cmocka_unit_test(stop_is_obeyed),
      cmocka_unit_test(nonsense_is_refused),
  };
  return cmocka_run_group_tests_name("integrators", tests, NULL, NULL);
}
