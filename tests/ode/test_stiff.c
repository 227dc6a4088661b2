// SPDX-License-Identifier: MIT
// Stiff equations by bdf: accurate to its tolerance, in few steps. Reference values without a
// closed form are from stiff_reference.py in this folder: Radau IIA of order 9 in 30 digits, with
// steps refined until they agree to 1e-18.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/ode.h"
#include "support/testing.h"

enum
{
  MAX_SIZE = 64
};

static lwIntegrator* make(const char* method, double relative, double absolute, int size,
                          lwRates* rates, const double* y)
{
  lwIntegrator* integrator;
  lwIntegratorDef def = lw_integrator_def();
  def.method          = method;
  def.relative        = relative;
  def.absolute        = absolute;
  assert_int_equal(lw_integrator_create(&def, size, rates, NULL, NULL, &integrator), LW_OK);
  lw_integrator_start(integrator, 0, y);
  return integrator;
}

// Runs to time t; returns the cost, and the state there in y.
static lwIntegratorStats run(const char* method, double relative, double absolute, int size,
                             lwRates* rates, double* y, double t)
{
  lwIntegrator* integrator = make(method, relative, absolute, size, rates, y);
  lwProgress progress      = lw_integrator_advance(integrator, t, y, NULL);
  if (progress != LW_PROGRESS_ARRIVED) fail_msg("%s: progress %d", method, (int)progress);
  lwIntegratorStats stats = lw_integrator_stats(integrator);
  lw_integrator_destroy(integrator);
  return stats;
}

// --- y' = -y, z' = -1e6 z

static void decay(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = -y[0];
  rates[1] = -1e6 * y[1];
}

// An explicit method would need more than 3e5 steps per second, whatever the tolerance.
static void linear_decay(void** unused)
{
  (void)unused;
  for (double tolerance = 1e-4; tolerance > 1e-11; tolerance /= 100)
  {
    double y[2]             = {1, 1};
    lwIntegratorStats stats = run("bdf", tolerance, tolerance, 2, decay, y, 10);
    if (!(fabs(y[0] - exp(-10)) < 10 * tolerance)) fail_msg("off by %g", y[0] - exp(-10));
    assert_less(fabs(y[1]), 10 * tolerance);
    if (stats.steps > 600 || stats.jacobians > 3)
      fail_msg("%ld steps, %ld Jacobians", stats.steps, stats.jacobians);
  }
}

// --- Robertson 1966, a chemical reaction

static void react(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  rates[2] = 3e7 * y[1] * y[1];
  rates[1] = -rates[0] - rates[2];
}

static void chemical_reaction(void** unused)
{
  (void)unused;
  static const double expected[4][4] = {
      {0.4, 0.985172113860989862, 3.38639537897490414e-5, 0.0147940221852203885},
      {40, 0.71582706871940509, 9.1855347645577639e-6, 0.284163745745830352},
      {1e4, 0.107300428537804042, 4.80016697257165979e-7, 0.892699091445498701},
      {1e6, 0.00203148392497341551, 8.14227778335616189e-9, 0.997968507932748801}};
  for (double tolerance = 1e-4; tolerance > 1e-9; tolerance /= 100)
  {
    double y[3]              = {1, 0, 0};
    lwIntegrator* integrator = make("bdf", tolerance, 1e-4 * tolerance, 3, react, y);
    for (int k = 0; k < 4; ++k)
    {
      assert_int_equal(lw_integrator_advance(integrator, expected[k][0], y, NULL),
                       LW_PROGRESS_ARRIVED);
      for (int i = 0; i < 3; ++i)
        if (!(fabs(y[i] - expected[k][i + 1]) < 20 * tolerance * expected[k][i + 1]))
          fail_msg("t = %g, tolerance %g: entry %d is %.12g, expected %.12g", expected[k][0],
                   tolerance, i, y[i], expected[k][i + 1]);
      assert_closer(y[0] + y[1] + y[2], 1, 1e-12);  // linear invariants are conserved
    }
    if (lw_integrator_stats(integrator).steps > 1000)
      fail_msg("%ld steps", lw_integrator_stats(integrator).steps);
    lw_integrator_destroy(integrator);
  }
}

// --- Van der Pol's oscillator, mu = 1000: slow drifts and jumps

static void relax(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = y[1];
  rates[1] = 1000 * (1 - y[0] * y[0]) * y[1] - y[0];
}

// The time of the jumps is sensitive: errors at t = 2000 are some 500 times the tolerance.
static void relaxation_oscillator(void** unused)
{
  (void)unused;
  static const double expected[3][3] = {{500, 1.59676895105266176, -0.00103039118783935667},
                                        {1000, -1.86364625480813389, 0.00075354308654354336},
                                        {2000, 1.70616773217046501, -0.000892809701024816548}};
  for (double tolerance = 1e-6; tolerance > 1e-11; tolerance /= 100)
  {
    double y[2]              = {2, 0};
    lwIntegrator* integrator = make("bdf", tolerance, tolerance, 2, relax, y);
    for (int k = 0; k < 3; ++k)
    {
      assert_int_equal(lw_integrator_advance(integrator, expected[k][0], y, NULL),
                       LW_PROGRESS_ARRIVED);
      if (!(fabs(y[0] - expected[k][1]) < 1000 * tolerance))
        fail_msg("t = %g, tolerance %g: %.12g, expected %.12g", expected[k][0], tolerance, y[0],
                 expected[k][1]);
    }
    lwIntegratorStats stats = lw_integrator_stats(integrator);
    if (stats.steps > 5000) fail_msg("%ld steps", stats.steps);
    lw_integrator_destroy(integrator);
  }
}

// --- a motor with little inductance: y = current, speed; L i' = V - R i - K w, J w' = K i - b w

static const double L = 1e-5, R = 1, K = 0.1, J = 1e-3, B = 1e-4, V = 10;  // SI

static void motor(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = (V - R * y[0] - K * y[1]) / L;
  rates[1] = (K * y[0] - B * y[1]) / J;
}

// Two exponentials: y(t) = end + sum c_k (1, u_k) exp(l_k t)
static void motor_at(double t, double y[2])
{
  double half = -(R / L + B / J) / 2, product = (R * B + K * K) / (L * J);
  double fast = half - sqrt(half * half - product), slow = product / fast;
  double l[2]   = {fast, slow}, u[2], c[2];
  double end[2] = {V * B / (R * B + K * K), V * K / (R * B + K * K)};
  for (int k = 0; k < 2; ++k) u[k] = K / J / (l[k] + B / J);
  c[0] = (-end[1] + u[1] * end[0]) / (u[0] - u[1]);
  c[1] = -end[0] - c[0];
  y[0] = end[0] + c[0] * exp(l[0] * t) + c[1] * exp(l[1] * t);
  y[1] = end[1] + c[0] * u[0] * exp(l[0] * t) + c[1] * u[1] * exp(l[1] * t);
}

static void motor_with_little_inductance(void** unused)
{
  (void)unused;
  long evaluations[2];
  static const char* const methods[2] = {"bdf", "dormand-prince"};
  for (int m = 0; m < 2; ++m)
  {
    double y[2]    = {0, 0}, expected[2];
    evaluations[m] = run(methods[m], 1e-6, 1e-6, 2, motor, y, 1).evaluations;
    motor_at(1, expected);
    for (int i = 0; i < 2; ++i)
      if (!(fabs(y[i] - expected[i]) < 2e-5 * (1 + fabs(expected[i]))))
        fail_msg("%s: %.12g, expected %.12g", methods[m], y[i], expected[i]);
  }
  if (!(100 * evaluations[0] < evaluations[1]))
    fail_msg("%ld and %ld evaluations", evaluations[0], evaluations[1]);
}

// An event in a stiff run: the speed passes 63 % of its final value.
static void speed(void* context, double t, const double* y, double* values)
{
  (void)context;
  (void)t;
  values[0] = y[1] - 63;
}

static void stiff_runs_have_events(void** unused)
{
  (void)unused;
  double y[2] = {0, 0}, expected[2];
  for (double tolerance = 1e-5; tolerance > 1e-10; tolerance /= 100)
  {
    y[0] = y[1]              = 0;
    lwIntegrator* integrator = make("bdf", tolerance, tolerance, 2, motor, y);
    assert_int_equal(lw_integrator_watch(integrator, 1, speed, NULL), LW_OK);
    assert_int_equal(lw_integrator_advance(integrator, 1, y, NULL), LW_PROGRESS_EVENT);
    motor_at(lw_integrator_time(integrator), expected);
    assert_closer(y[1], 63, 1e-10);
    if (!(fabs(expected[1] - 63) < 1e4 * tolerance)) fail_msg("speed %.12g", expected[1]);
    assert_int_equal(lw_integrator_advance(integrator, 1, y, NULL), LW_PROGRESS_ARRIVED);
    lw_integrator_destroy(integrator);
  }
}

// --- a cooling rod, 64 points: the heat equation, whose Jacobian must be right in every column

static void cool(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  for (int i = 0; i < MAX_SIZE; ++i)
  {
    double left = i > 0 ? y[i - 1] : 0, right = i < MAX_SIZE - 1 ? y[i + 1] : 0;
    rates[i] = (MAX_SIZE + 1) * (MAX_SIZE + 1) * (left - 2 * y[i] + right);
  }
}

// sin(pi x) keeps its shape and decays at the rate 4 (n + 1)^2 sin^2(pi / 2 (n + 1)).
static void cooling_rod(void** unused)
{
  (void)unused;
  double y[MAX_SIZE], pi = acos(-1), n1 = MAX_SIZE + 1;
  double rate = pow(2 * n1 * sin(pi / (2 * n1)), 2);
  for (int i = 0; i < MAX_SIZE; ++i) y[i] = sin(pi * (i + 1) / n1);
  lwIntegratorStats stats = run("bdf", 1e-8, 1e-8, MAX_SIZE, cool, y, 0.5);
  for (int i = 0; i < MAX_SIZE; ++i)
    assert_closer(y[i], exp(-rate * 0.5) * sin(pi * (i + 1) / n1), 1e-7);
  assert_less(stats.steps, 500);
  assert_at_most(stats.jacobians, 5);
}

// A step as short as rounding, caused by a bound, does not keep later steps that short.
static void still_rates(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  (void)y;
  rates[0] = 0;
}

static void steps_grow_again(void** unused)
{
  (void)unused;
  double y[]          = {1};
  lwIntegratorDef def = lw_integrator_def();
  lwIntegrator* integrator;
  def.method   = "bdf";
  def.relative = def.absolute = 1e-6;
  assert_int_equal(lw_integrator_create(&def, 1, still_rates, NULL, NULL, &integrator), LW_OK);
  lw_integrator_start(integrator, 0, y);
  const double bounds[] = {0.08, nextafter(0.08, 1), INFINITY};
  for (int i = 0; i < 3; ++i)
  {
    lw_integrator_bound(integrator, bounds[i]);
    assert_int_equal(lw_integrator_advance(integrator, fmin(bounds[i], 1), y, NULL),
                     LW_PROGRESS_ARRIVED);
  }
  assert_less(lw_integrator_stats(integrator).steps, 200);
  lw_integrator_destroy(integrator);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear_decay),           cmocka_unit_test(chemical_reaction),
      cmocka_unit_test(relaxation_oscillator),  cmocka_unit_test(motor_with_little_inductance),
      cmocka_unit_test(stiff_runs_have_events), cmocka_unit_test(cooling_rod),
      cmocka_unit_test(steps_grow_again)};
  return cmocka_run_group_tests_name("stiff equations", tests, NULL, NULL);
}
