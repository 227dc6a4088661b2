// SPDX-License-Identifier: MIT
// Integrators against closed-form solutions, and the orders stated in their papers.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "linkwork/ode.h"
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

// y' = y cos(t): y = exp(sin(t))
static void swing(void* context, double t, const double* y, double* rates)
{
  (void)context;
  rates[0] = y[0] * cos(t);
}

static lwIntegrator* make(const lwIntegratorDef* def, int size, lwRates* rates, const double* y)
{
  lwIntegrator* integrator;
  assert_int_equal(lw_integrator_create(def, size, rates, NULL, NULL, &integrator), LW_OK);
  lw_integrator_start(integrator, 0, y);
  return integrator;
}

static lwIntegratorDef by(const char* method)
{
  lwIntegratorDef def = lw_integrator_def();
  def.method          = method;
  return def;
}

// The largest error at `count` times up to 3 s.
static double worst_error(const lwIntegratorDef* def, int count, long* steps)
{
  double y[3] = {0, 1, 0}, worst = 0;
  lwIntegrator* integrator = make(def, 3, oscillate, y);
  for (int i = 1; i <= count; ++i)
  {
    double t = 3.0 * i / count;
    assert_int_equal(lw_integrator_advance(integrator, t, y, NULL), LW_PROGRESS_ARRIVED);
    assert_same(lw_integrator_time(integrator), t);
    worst = fmax(worst, fabs(y[0] - sin(t)));
    worst = fmax(worst, fabs(y[1] - cos(t)));
    worst = fmax(worst, fabs(y[2] - sin(t)));
  }
  if (steps) *steps = lw_integrator_stats(integrator).steps;
  lw_integrator_destroy(integrator);
  return worst;
}

// --- orders with constant steps: adaptive methods get loose tolerances and a longest step

static lwIntegratorDef with_steps(const lwIntegratorMethod* method, double h)
{
  lwIntegratorDef def = by(method->name);
  def.step = def.first = def.longest = h;
  def.relative = def.absolute = 1e6;
  return def;
}

// Error of exp(sin(t)) at t = 2, or the largest at 200 times in between, with steps of length h.
static double error_with_steps(const lwIntegratorMethod* method, double h, bool between)
{
  double y = 1, worst = 0;
  int count                = between ? 200 : 1;
  lwIntegratorDef def      = with_steps(method, h);
  lwIntegrator* integrator = make(&def, 1, swing, &y);
  lw_integrator_bound(integrator, 2);
  for (int i = 1; i <= count; ++i)
  {
    double t = 2.0 * i / count;
    assert_int_equal(lw_integrator_advance(integrator, t, &y, NULL), LW_PROGRESS_ARRIVED);
    worst = fmax(worst, fabs(y - exp(sin(t))));
  }
  lwIntegratorStats stats = lw_integrator_stats(integrator);
  if (!between || method->adaptive)
  {
    assert_int_equal(stats.steps, lround(2 / h));
    assert_closer(stats.smallest, h, 1e-12);
    assert_closer(stats.largest, h, 1e-12);
  }
  lw_integrator_destroy(integrator);
  return worst;
}

// Order from halving the step: 3.0 +- 0.1 for kutta3, the others within 0.25. The steps are long
// enough for errors far above rounding.
static void every_method_has_its_order(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    const lwIntegratorMethod* method = lw_integrator_method(m);
    if (method->evaluations == 0) continue;  // its order varies
    double h = method->order > 5 ? 2.0 / 8 : 2.0 / 64;
    double order =
        log2(error_with_steps(method, h, false) / error_with_steps(method, h / 2, false));
    double far = method->order == 3 ? 0.1 : 0.25;
    if (fabs(order - method->order) > far) fail_msg("%s: order %g", method->name, order);
  }
}

// Within steps, dense output adds an error of order dense_order + 1 to that at the ends of steps:
// recorded solutions have at least the smaller of the two orders.
static void between_steps_nothing_is_spoilt(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    const lwIntegratorMethod* method = lw_integrator_method(m);
    if (method->evaluations == 0) continue;
    double h     = method->order > 5 ? 2.0 / 8 : 2.0 / 64;
    double order = log2(error_with_steps(method, h, true) / error_with_steps(method, h / 2, true));
    double least = fmin(method->order, method->dense_order + 1);
    if (order < least - 0.3) fail_msg("%s: order %g between steps", method->name, order);
    double ratio = error_with_steps(method, h, true) / error_with_steps(method, h, false);
    if (ratio > 30) fail_msg("%s: %g times the error of the ends", method->name, ratio);
  }
}

// --- fixed steps

// Steps from 0 to 3 do not depend on the times asked for, which are 0.3 s apart.
static void rk4_takes_whole_steps(void** unused)
{
  (void)unused;
  long steps;
  lwIntegratorDef def = lw_integrator_def();
  def.step            = 0.1;
  assert_less(worst_error(&def, 10, &steps), 1e-5);
  assert_int_equal(steps, 30);
  def.step = 0.11;  // the last one ends at 3.08
  assert_less(worst_error(&def, 10, &steps), 2e-5);
  assert_int_equal(steps, 28);
  def.end = 3;  // the last one is shorter
  assert_less(worst_error(&def, 10, &steps), 2e-5);
  assert_int_equal(steps, 28);
  def.step = 7;  // and the only one
  worst_error(&def, 10, &steps);
  assert_int_equal(steps, 1);
}

// --- tolerances

// Also within steps: many more times are requested than steps are taken. The errors of the steps
// may add up, but the motion does not amplify them.
static void tolerances_are_kept(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    lwIntegratorDef def = by(lw_integrator_method(m)->name);
    if (!lw_integrator_method(m)->adaptive) continue;
    for (double tolerance = 1e-4; tolerance > 1e-11; tolerance /= 100)
    {
      long few, many;
      def.relative = def.absolute = tolerance;
      double at_end = worst_error(&def, 1, &few), between = worst_error(&def, 1000, &many);
      if (!(fmax(at_end, between) < tolerance * fmax((double)few, 20)))
        fail_msg("%s: errors %g and %g by %g", def.method, at_end, between, tolerance);
      assert_int_equal(few, many);  // requesting more times changes nothing
    }
  }
}

// The number of steps grows as tolerance^(-1/p), where p is the order of the error estimate.
static void steps_grow_with_the_order(void** unused)
{
  (void)unused;
  static const struct
  {
    const char* method;
    double order;
  } expected[] = {{"bogacki-shampine", 3}, {"kutta-merson", 4}, {"fehlberg45", 5},
                  {"dormand-prince", 5},   {"dopri", 5},        {"dop853", 8}};
  for (size_t m = 0; m < sizeof expected / sizeof *expected; ++m)
  {
    long steps[2];
    lwIntegratorDef def = by(expected[m].method);
    for (int i = 0; i < 2; ++i)
    {
      double y[3]  = {0, 1, 0};
      def.relative = def.absolute = i == 0 ? 1e-6 : 1e-12;
      lwIntegrator* integrator    = make(&def, 3, oscillate, y);
      assert_int_equal(lw_integrator_advance(integrator, 60, y, NULL), LW_PROGRESS_ARRIVED);
      steps[i] = lw_integrator_stats(integrator).steps;
      // the motion is uniform, so that hardly any step is rejected
      if (lw_integrator_stats(integrator).rejected > 5)
        fail_msg("%s: %ld rejected", def.method, lw_integrator_stats(integrator).rejected);
      lw_integrator_destroy(integrator);
    }
    double order = 6 / log10((double)steps[1] / (double)steps[0]);
    if (fabs(order - expected[m].order) > 0.15 * expected[m].order)
      fail_msg("%s: order %g", def.method, order);
  }
}

// Two independent oscillators; the second may be inaccurate.
static void two_oscillate(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = y[1];
  rates[1] = -y[0];
  rates[2] = 30 * y[3];
  rates[3] = -30 * y[2];
}

static void tolerances_may_differ(void** unused)
{
  (void)unused;
  const double loose[4] = {1e-10, 1e-10, 1, 1}, tight[4] = {1e-10, 1e-10, 1e-10, 1e-10};
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    long steps[2];
    lwIntegratorDef def = by(lw_integrator_method(m)->name);
    if (!lw_integrator_method(m)->adaptive) continue;
    for (int i = 0; i < 2; ++i)
    {
      double y[4]   = {0, 1, 0, 1};
      def.relatives = def.absolutes = i == 0 ? loose : tight;
      lwIntegrator* integrator      = make(&def, 4, two_oscillate, y);
      assert_int_equal(lw_integrator_advance(integrator, 3, y, NULL), LW_PROGRESS_ARRIVED);
      if (!(fabs(y[0] - sin(3)) < 1e-8)) fail_msg("%s: off by %g", def.method, y[0] - sin(3));
      if (i == 1) assert_closer(y[2], sin(90), 1e-6);
      steps[i] = lw_integrator_stats(integrator).steps;
      lw_integrator_destroy(integrator);
    }
    if (!(steps[0] < steps[1])) fail_msg("%s: %ld, %ld steps", def.method, steps[0], steps[1]);
  }
}

// --- limits of steps

// Rates that jump at t = 1; while `bounded`, they must not be evaluated after the bound.
typedef struct Jump
{
  bool bounded;
  double latest;     // latest t of an evaluation
  int at_the_bound;  // number of evaluations at 1.1
} Jump;

static void jump(void* context, double t, const double* y, double* rates)
{
  Jump* seen   = context;
  seen->latest = fmax(seen->latest, t);
  seen->at_the_bound += t == 1.1;
  rates[0] = seen->bounded ? y[0] : -y[0];
}

static void no_step_crosses_a_bound(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y            = 1;
    Jump seen           = {.bounded = true};
    lwIntegratorDef def = by(lw_integrator_method(m)->name);
    lwIntegrator* integrator;
    assert_int_equal(lw_integrator_create(&def, 1, jump, &seen, NULL, &integrator), LW_OK);
    lw_integrator_start(integrator, 0, &y);
    lw_integrator_bound(integrator, 1.1);
    assert_int_equal(lw_integrator_advance(integrator, 0.7, &y, NULL), LW_PROGRESS_ARRIVED);
    assert_closer(y, exp(0.7), 1e-6);
    assert_int_equal(lw_integrator_advance(integrator, 1.1, &y, NULL), LW_PROGRESS_ARRIVED);
    if (seen.latest > 1.1) fail_msg("%s: %.17g", def.method, seen.latest);
    seen.bounded = false;
    lw_integrator_start(integrator, 1.1, &y);
    assert_int_equal(lw_integrator_advance(integrator, 2.2, &y, NULL), LW_PROGRESS_ARRIVED);
    if (!(fabs(y - 1) < 1e-6)) fail_msg("%s: off by %g", def.method, y - 1);
    seen.latest = 0;
    lw_integrator_bound(integrator, 1e-9);  // closer than the first step would be
    lw_integrator_start(integrator, 0, &y);
    assert_int_equal(lw_integrator_advance(integrator, 1e-9, &y, NULL), LW_PROGRESS_ARRIVED);
    assert_same(seen.latest, 1e-9);
    lw_integrator_destroy(integrator);
  }
}

// A step ends at the bound, also if a later time is requested.
static void bounds_are_met_on_the_way(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y            = 1;
    Jump seen           = {.bounded = true};
    lwIntegratorDef def = by(lw_integrator_method(m)->name);
    def.step            = 0.25;
    lwIntegrator* integrator;
    assert_int_equal(lw_integrator_create(&def, 1, jump, &seen, NULL, &integrator), LW_OK);
    lw_integrator_start(integrator, 0, &y);
    lw_integrator_bound(integrator, 1.1);
    assert_int_equal(lw_integrator_advance(integrator, 1.6, &y, NULL), LW_PROGRESS_ARRIVED);
    assert_greater(seen.at_the_bound, 0);
    assert_at_least(seen.latest, 1.6);
    lw_integrator_destroy(integrator);
  }
}

// The short step to a bound does not shorten the steps after it: 50 pairs of bounds, 1e-7 s apart,
// cost only a few steps each.
static void bounds_cost_little(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[3]         = {0, 1, 0};
    lwIntegratorDef def = by(lw_integrator_method(m)->name);
    if (!lw_integrator_method(m)->adaptive || lw_integrator_method(m)->evaluations == 0) continue;
    def.relative = def.absolute = 1e-6;
    long steps[2];
    for (int bounded = 0; bounded < 2; ++bounded)
    {
      lwIntegrator* integrator = make(&def, 3, oscillate, (const double[]){0, 1, 0});
      for (int k = 0; k < 100; ++k)
      {
        double t = k / 2 + 1 + (k % 2) * 1e-7;
        if (bounded) lw_integrator_bound(integrator, t);
        assert_int_equal(lw_integrator_advance(integrator, t, y, NULL), LW_PROGRESS_ARRIVED);
      }
      assert_closer(y[0], sin(50 + 1e-7), 1e-3);
      steps[bounded] = lw_integrator_stats(integrator).steps;
      lw_integrator_destroy(integrator);
    }
    if (steps[1] > steps[0] + 100 * 3) fail_msg("%s: %ld, %ld", def.method, steps[0], steps[1]);
  }
}

static void steps_keep_their_limit(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[3]         = {0, 1, 0};
    lwIntegratorDef def = by(lw_integrator_method(m)->name);
    def.relative = def.absolute = 1e-3;
    def.longest = def.step   = 0.01;
    def.first                = 1e-5;
    lwIntegrator* integrator = make(&def, 3, oscillate, y);
    assert_int_equal(lw_integrator_advance(integrator, 3, y, NULL), LW_PROGRESS_ARRIVED);
    lwIntegratorStats stats = lw_integrator_stats(integrator);
    assert_at_most(stats.largest, 0.01 * (1 + 1e-12));
    assert_greater(stats.largest, 0.009);
    double expected = lw_integrator_method(m)->adaptive ? 1e-5 : 0.01;
    if (stats.smallest > 1.001 * expected) fail_msg("%s: %g", def.method, stats.smallest);
    assert_greater(stats.smallest, 0);
    assert_at_least(stats.steps, 300);
    assert_at_least(stats.evaluations, stats.steps);
    lw_integrator_destroy(integrator);
  }
}

// --- failures

static void explosion_is_seen(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y                 = 1;
    lwIntegratorDef def      = by(lw_integrator_method(m)->name);
    lwIntegrator* integrator = make(&def, 1, explode, &y);
    assert_int_equal(lw_integrator_advance(integrator, 0.5, &y, NULL), LW_PROGRESS_ARRIVED);
    assert_closer(y, 2, 1e-6);
    lwProgress progress = lw_integrator_advance(integrator, 2, &y, NULL);
    if (progress != LW_PROGRESS_NOT_FINITE && progress != LW_PROGRESS_STEP_VANISHED)
      fail_msg("%s: progress %d", def.method, (int)progress);
    assert_finite(y);
    assert_greater(y, 100);
    assert_greater(lw_integrator_time(integrator), 0.9);
    assert_less(lw_integrator_time(integrator), 1.1);
    lw_integrator_destroy(integrator);
  }
}

// A rate without error that leads out of the range of doubles at t = 1.8
static void overflow(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  (void)y;
  rates[0] = 1e308;
}

static void overflow_is_seen(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y                 = 0;
    lwIntegratorDef def      = by(lw_integrator_method(m)->name);
    lwIntegrator* integrator = make(&def, 1, overflow, &y);
    lwProgress progress      = lw_integrator_advance(integrator, 3, &y, NULL);
    if (progress != LW_PROGRESS_NOT_FINITE && progress != LW_PROGRESS_STEP_VANISHED)
      fail_msg("%s: progress %d", def.method, (int)progress);
    double t = lw_integrator_time(integrator);
    if (!isfinite(y) || !(t < 1.8)) fail_msg("%s: y(%g) = %g", def.method, t, y);
    lw_integrator_destroy(integrator);
  }
}

// y' = 1 up to t = 1, NaN after it
static void end(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)y;
  rates[0] = t < 1 ? 1.0 : (double)NAN;
}

static void the_last_good_state_is_kept(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y                 = 0;
    lwIntegratorDef def      = by(lw_integrator_method(m)->name);
    lwIntegrator* integrator = make(&def, 1, end, &y);
    assert_int_equal(lw_integrator_advance(integrator, 2, &y, NULL), LW_PROGRESS_NOT_FINITE);
    double t = lw_integrator_time(integrator);
    if (!(t > 0.99 && t <= 1)) fail_msg("%s: ended at %.17g", def.method, t);
    assert_closer(y, t, 1e-9);
    assert_int_equal(lw_integrator_advance(integrator, 2, &y, NULL),
                     LW_PROGRESS_NOT_FINITE);  // still
    assert_at_least(lw_integrator_time(integrator), t);
    assert_closer(y, t, 1e-9);
    lw_integrator_destroy(integrator);
  }
}

static void stop_is_obeyed(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    volatile sig_atomic_t stop = 1;
    double y[3]                = {0, 1, 0};
    lwIntegratorDef def        = by(lw_integrator_method(m)->name);
    lwIntegrator* integrator   = make(&def, 3, oscillate, y);
    assert_int_equal(lw_integrator_advance(integrator, 3, y, &stop), LW_PROGRESS_STOPPED);
    double t = lw_integrator_time(integrator);
    assert_less(t, 0.1);
    assert_closer(y[0], sin(t), 1e-9);
    stop = 0;
    assert_int_equal(lw_integrator_advance(integrator, 3, y, &stop), LW_PROGRESS_ARRIVED);
    assert_closer(y[0], sin(3), 1e-6);
    lw_integrator_destroy(integrator);
  }
}

static void nonsense_is_refused(void** unused)
{
  (void)unused;
  lwIntegrator* integrator;
  const double negative[1] = {-1};
  lwIntegratorDef def      = by("euler");
  assert_null(lw_integrator_method_find("euler"));
  assert_int_equal(lw_integrator_create(&def, 1, explode, NULL, NULL, &integrator),
                   LW_ERROR_METHOD);
  def      = by("rk4");
  def.step = 0;
  assert_int_equal(lw_integrator_create(&def, 1, explode, NULL, NULL, &integrator), LW_ERROR_INPUT);
  def          = by("dopri");
  def.relative = NAN;
  assert_int_equal(lw_integrator_create(&def, 1, explode, NULL, NULL, &integrator), LW_ERROR_INPUT);
  def           = by("dop853");
  def.absolutes = negative;
  assert_int_equal(lw_integrator_create(&def, 1, explode, NULL, NULL, &integrator), LW_ERROR_INPUT);
  def         = by("dop853");
  def.longest = -1;
  assert_int_equal(lw_integrator_create(&def, 1, explode, NULL, NULL, &integrator), LW_ERROR_INPUT);
  def = by("kutta3");
  assert_int_equal(lw_integrator_create(&def, 0, explode, NULL, NULL, &integrator), LW_ERROR_INPUT);
  assert_null(integrator);
}

// --- long runs

// Kepler's ellipse of eccentricity 0.6: y = x, y, vx, vy
static void kepler(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  double r = sqrt(y[0] * y[0] + y[1] * y[1]), cube = r * r * r;
  rates[0] = y[2];
  rates[1] = y[3];
  rates[2] = -y[0] / cube;
  rates[3] = -y[1] / cube;
}

// 100 revolutions. The energy error grows in proportion to time and tolerance, the position error
// with the square of time: after 628 s, some 1e4 steps with errors up to the tolerance of 1e-13,
// the energy is accurate to 1e-9.
static void ellipse_is_closed(void** unused)
{
  (void)unused;
  static const char* const methods[] = {"dormand-prince", "dop853"};
  for (int m = 0; m < 2; ++m)
  {
    double y[4]         = {0.4, 0, 0, 2};
    lwIntegratorDef def = by(methods[m]);
    def.relative = def.absolute = 1e-13;
    lwIntegrator* integrator    = make(&def, 4, kepler, y);
    assert_int_equal(lw_integrator_advance(integrator, 200 * acos(-1), y, NULL),
                     LW_PROGRESS_ARRIVED);
    double energy = (y[2] * y[2] + y[3] * y[3]) / 2 - 1 / sqrt(y[0] * y[0] + y[1] * y[1]);
    if (!(fabs(energy + 0.5) < 1e-9)) fail_msg("%s: energy is off by %g", methods[m], energy + 0.5);
    double off = hypot(y[0] - 0.4, y[1]);
    if (!(off < 1e-6)) fail_msg("%s: off by %g", methods[m], off);
    lw_integrator_destroy(integrator);
  }
}

// The same run gives the same bits, and a restart is independent of the previous run.
static void runs_can_be_repeated(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[2][4];
    const double begin[4]    = {0.4, 0, 0, 2};
    lwIntegratorDef def      = by(lw_integrator_method(m)->name);
    lwIntegrator* integrator = make(&def, 4, kepler, begin);
    for (int i = 0; i < 2; ++i)
    {
      lw_integrator_start(integrator, 0, begin);
      assert_int_equal(lw_integrator_advance(integrator, 0.3, y[i], NULL), LW_PROGRESS_ARRIVED);
      assert_int_equal(lw_integrator_advance(integrator, 2, y[i], NULL), LW_PROGRESS_ARRIVED);
    }
    if (memcmp(y[0], y[1], sizeof y[0]) != 0) fail_msg("%s: not repeated", def.method);
    lw_integrator_destroy(integrator);
  }
}

static void circle_rates(void* context, double t, const double* y, double* rates)
{
  (void)context, (void)t;
  rates[0] = y[1];
  rates[1] = -y[0];
}

// An integrator ends when its steps or seconds are used up, at the place it has reached.
static void budgets_are_kept(void** unused)
{
  (void)unused;
  for (int i = 0; i < lw_integrator_method_count(); ++i)
  {
    lwIntegratorDef def = lw_integrator_def();
    lwIntegrator* integrator;
    double y[2]    = {1, 0};
    def.method     = lw_integrator_method(i)->name;
    def.most_steps = 7;
    assert_int_equal(lw_integrator_create(&def, 2, circle_rates, NULL, NULL, &integrator), LW_OK);
    lw_integrator_start(integrator, 0, y);
    assert_int_equal(lw_integrator_advance(integrator, 1e3, y, NULL), LW_PROGRESS_BUDGET);
    assert_int_equal(lw_integrator_stats(integrator).steps, 7);
    assert_near(y[0], cos(lw_integrator_time(integrator)), 1e-6);
    lw_integrator_destroy(integrator);
    def.most_steps   = 0;
    def.most_seconds = 1e-9;
    assert_int_equal(lw_integrator_create(&def, 2, circle_rates, NULL, NULL, &integrator), LW_OK);
    lw_integrator_start(integrator, 0, y);
    assert_int_equal(lw_integrator_advance(integrator, 1e3, y, NULL), LW_PROGRESS_BUDGET);
    lw_integrator_destroy(integrator);
    def.most_seconds = -1;
    assert_int_equal(lw_integrator_create(&def, 2, circle_rates, NULL, NULL, &integrator),
                     LW_ERROR_INPUT);
  }
}

// Rates that jump wherever they are looked at: no tolerance is met, steps become shorter and
// shorter, and 8192 of them lead nowhere.
static void noisy_rates(void* context, double t, const double* y, double* rates)
{
  (void)t, (void)y;
  long* calls = context;
  rates[0]    = *calls * 0.6180339887 - floor((double)*calls * 0.6180339887);
  ++*calls;
}

static void slow_runs_end(void** unused)
{
  (void)unused;
  for (int i = 0; i < lw_integrator_method_count(); ++i)
  {
    lwIntegratorDef def = lw_integrator_def();
    lwIntegrator* integrator;
    double y[1] = {0};
    long calls  = 0;
    def.method  = lw_integrator_method(i)->name;
    if (!lw_integrator_method(i)->adaptive) continue;
    def.relative = def.absolute = 1e-13;
    def.end                     = 10;
    assert_int_equal(lw_integrator_create(&def, 1, noisy_rates, &calls, NULL, &integrator), LW_OK);
    lw_integrator_start(integrator, 0, y);
    assert_int_equal(lw_integrator_advance(integrator, 10, y, NULL), LW_PROGRESS_STEP_VANISHED);
    assert_true(lw_integrator_stats(integrator).steps <= 1 << 15);
    lw_integrator_destroy(integrator);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(budgets_are_kept),
      cmocka_unit_test(slow_runs_end),
      cmocka_unit_test(every_method_has_its_order),
      cmocka_unit_test(between_steps_nothing_is_spoilt),
      cmocka_unit_test(rk4_takes_whole_steps),
      cmocka_unit_test(tolerances_are_kept),
      cmocka_unit_test(steps_grow_with_the_order),
      cmocka_unit_test(tolerances_may_differ),
      cmocka_unit_test(no_step_crosses_a_bound),
      cmocka_unit_test(bounds_are_met_on_the_way),
      cmocka_unit_test(bounds_cost_little),
      cmocka_unit_test(steps_keep_their_limit),
      cmocka_unit_test(explosion_is_seen),
      cmocka_unit_test(overflow_is_seen),
      cmocka_unit_test(the_last_good_state_is_kept),
      cmocka_unit_test(stop_is_obeyed),
      cmocka_unit_test(nonsense_is_refused),
      cmocka_unit_test(ellipse_is_closed),
      cmocka_unit_test(runs_can_be_repeated),
  };
  return cmocka_run_group_tests_name("integrators", tests, NULL, NULL);
}
