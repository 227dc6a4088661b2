// SPDX-License-Identifier: MIT
// Events with every method: times in closed form, several at once, and none reported twice.
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "linkwork/ode.h"
#include "ode/events.h"
#include "support/testing.h"

static const double PI = 3.14159265358979323846;

static lwIntegratorDef by(int method, double tolerance)
{
  lwIntegratorDef def = lw_integrator_def();
  def.method          = lw_integrator_method(method)->name;
  def.step            = 0.01;
  def.relative = def.absolute = tolerance;
  return def;
}

static lwIntegrator* make(const lwIntegratorDef* def, int size, lwRates* rates, void* context,
                          const double* y)
{
  lwIntegrator* integrator;
  assert_int_equal(lw_integrator_create(def, size, rates, context, NULL, &integrator), LW_OK);
  lw_integrator_start(integrator, 0, y);
  return integrator;
}

// --- a body in free fall: y = height, velocity; g = 9.81 m/s^2

static const double G = 9.81;

static void fall(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = y[1];
  rates[1] = -G;
}

static void height(void* context, double t, const double* y, double* values)
{
  (void)context;
  (void)t;
  values[0] = y[0];
}

// A ball dropped from 1 m keeps 0.8 of its speed at each bounce: it hits the ground at
// t0 = sqrt(2/g) and then after 2 (0.8)^k t0. Parabolas are exact for every method except bdf,
// whose errors depend on its tolerance; events are exact up to rounding, which the bounces amplify
// to at most 1e-12.
static void ball_bounces_when_it_should(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[2]              = {1, 0};
    lwIntegratorDef def      = by(m, 1e-10);
    bool exact               = lw_integrator_method(m)->evaluations > 0;
    lwIntegrator* integrator = make(&def, 2, fall, NULL, y);
    assert_int_equal(lw_integrator_watch(integrator, 1, height, NULL), LW_OK);
    double first = sqrt(2 / G), expected = first, speed = G * first;
    for (int bounce = 0; bounce < 20; ++bounce)
    {
      assert_int_equal(lw_integrator_advance(integrator, 10, y, NULL), LW_PROGRESS_EVENT);
      assert_int_equal(lw_integrator_event(integrator), 0);
      assert_false(lw_integrator_event_rising(integrator));
      double t = lw_integrator_time(integrator);
      if (!(fabs(t - expected) < (exact ? 1e-12 : 1e-7)))
        fail_msg("%s: bounce %d at %.15g, expected %.15g", def.method, bounce, t, expected);
      if (!(fabs(y[1] + speed) < (exact ? 1e-11 : 1e-6) && fabs(y[0]) < 1e-14))
        fail_msg("%s: height %g, speed %g", def.method, y[0], y[1]);
      speed *= 0.8;
      expected += 2 * speed / G;
      y[1] *= -0.8;  // the height is kept, a rounding error of either sign
      lw_integrator_start(integrator, t, y);
    }
    assert_int_equal(lw_integrator_advance(integrator, 4.0, y, NULL), LW_PROGRESS_ARRIVED);
    lw_integrator_destroy(integrator);
  }
}

// Two balls hit the ground at the same time: both bounces are reported at that time, although the
// first restarts the run.
static void fall_twice(void* context, double t, const double* y, double* rates)
{
  fall(context, t, y, rates);
  fall(context, t, y + 2, rates + 2);
}

static void heights(void* context, double t, const double* y, double* values)
{
  (void)context;
  (void)t;
  values[0] = y[0];
  values[1] = y[2];
}

static void balls_bounce_together(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[4]              = {1, 0, 1, 0};
    lwIntegratorDef def      = by(m, 1e-10);
    lwIntegrator* integrator = make(&def, 4, fall_twice, NULL, y);
    assert_int_equal(lw_integrator_watch(integrator, 2, heights, NULL), LW_OK);
    for (int bounce = 0; bounce < 5; ++bounce)
    {
      double at[2];
      for (int i = 0; i < 2; ++i)
      {
        assert_int_equal(lw_integrator_advance(integrator, 10, y, NULL), LW_PROGRESS_EVENT);
        assert_int_equal(lw_integrator_event(integrator), i);
        at[i] = lw_integrator_time(integrator);
        y[2 * i + 1] *= -0.9;
        lw_integrator_start(integrator, at[i], y);
      }
      assert_same(at[0], at[1]);
    }
    assert_same(y[0], y[2]);
    assert_same(y[1], y[3]);
    lw_integrator_destroy(integrator);
  }
}

// --- an oscillator: y = sin t, cos t

static void oscillate(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = y[1];
  rates[1] = -y[0];
}

// sin t, cos t, t - 2, and sin t - 1/2
static void places(void* context, double t, const double* y, double* values)
{
  (void)context;
  values[0] = y[0];
  values[1] = y[1];
  values[2] = t - 2;
  values[3] = y[0] - 0.5;
}

typedef struct Expected
{
  int event;
  bool rising;
  double t;
} Expected;

// Events in order, without restarts; sin t, which is 0 at the start, is not reported there.
static void events_come_in_order(void** unused)
{
  (void)unused;
  const Expected expected[] = {
      {3, true, PI / 6},      {1, false, PI / 2},     {2, true, 2},
      {3, false, 5 * PI / 6}, {0, false, PI},         {1, true, 3 * PI / 2},
      {0, true, 2 * PI},      {3, true, 13 * PI / 6}, {1, false, 5 * PI / 2}};
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[2]              = {0, 1};
    lwIntegratorDef def      = by(m, 1e-11);
    lwIntegrator* integrator = make(&def, 2, oscillate, NULL, y);
    assert_int_equal(lw_integrator_watch(integrator, 4, places, NULL), LW_OK);
    double bound = lw_integrator_method(m)->adaptive     ? 1e-8
                   : lw_integrator_method(m)->order == 3 ? 1e-5
                                                         : 1e-8;
    for (size_t k = 0; k < sizeof expected / sizeof *expected; ++k)
    {
      const Expected* e = &expected[k];
      assert_int_equal(lw_integrator_advance(integrator, 8, y, NULL), LW_PROGRESS_EVENT);
      double t = lw_integrator_time(integrator);
      if (lw_integrator_event(integrator) != e->event || fabs(t - e->t) > bound ||
          lw_integrator_event_rising(integrator) != e->rising)
        fail_msg("%s: event %d at %.15g, expected %d at %.15g", def.method,
                 lw_integrator_event(integrator), t, e->event, e->t);
      if (e->event == 2) assert_near(t, 2, 1e-15);  // depends on t only: exact up to rounding
      assert_closer(y[0], sin(t), bound);
      assert_closer(y[1], cos(t), bound);
      double values[4];
      places(NULL, t, y, values);
      assert_less(fabs(values[e->event]), 1e-14);  // two roundings of t
    }
    assert_int_equal(lw_integrator_advance(integrator, 8, y, NULL), LW_PROGRESS_ARRIVED);
    assert_same(lw_integrator_time(integrator), 8);
    lw_integrator_destroy(integrator);
  }
}

// Recording between events changes neither their number nor any bit of their times.
static void recording_changes_no_event(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double times[2][16];
    int counts[2] = {0};
    for (int run = 0; run < 2; ++run)
    {
      double y[2] = {0, 1}, interval = run == 0 ? 8 : 0.05, t = 0;
      lwIntegratorDef def      = by(m, 1e-9);
      lwIntegrator* integrator = make(&def, 2, oscillate, NULL, y);
      assert_int_equal(lw_integrator_watch(integrator, 4, places, NULL), LW_OK);
      for (int k = 1; t < 8; t = k++ * interval)
        while (lw_integrator_advance(integrator, fmin(8, k * interval), y, NULL) ==
               LW_PROGRESS_EVENT)
          times[run][counts[run]++] = lw_integrator_time(integrator);
      lw_integrator_destroy(integrator);
    }
    assert_int_equal(counts[0], 9);
    assert_int_equal(counts[1], 9);
    for (int k = 0; k < 9; ++k) assert_same(times[0][k], times[1][k]);
  }
}

// y' = y cos(t): y = exp(sin(t))
static void swing(void* context, double t, const double* y, double* rates)
{
  (void)context;
  rates[0] = y[0] * cos(t);
}

static void above_two(void* context, double t, const double* y, double* values)
{
  (void)context;
  (void)t;
  values[0] = y[0] - 2;
}

// The largest error of an event's time with steps a little shorter than h, for it depends on where
// in its step the event is.
static double event_error(int m, double h)
{
  double worst = 0;
  for (int i = 0; i < 10; ++i)
  {
    double y                 = 1;
    lwIntegratorDef def      = by(m, 1e-9);
    def.step                 = h * (1 - 0.01 * i);
    lwIntegrator* integrator = make(&def, 1, swing, NULL, &y);
    assert_int_equal(lw_integrator_watch(integrator, 1, above_two, NULL), LW_OK);
    for (int k = 0; k < 2; ++k)
      assert_int_equal(lw_integrator_advance(integrator, 10, &y, NULL), LW_PROGRESS_EVENT);
    worst = fmax(worst, fabs(lw_integrator_time(integrator) - (PI - asin(log(2)))));
    // the interpolation takes at most the rate at the end of a step, the first of the next
    lwIntegratorStats stats = lw_integrator_stats(integrator);
    assert_at_most(stats.evaluations, stats.steps * lw_integrator_method(m)->evaluations + 1);
    lw_integrator_destroy(integrator);
  }
  return worst;
}

// Event times have the order of a method with fixed steps: halving the step divides their error by
// 2^order.
static void events_have_the_order_of_fixed_steps(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    if (lw_integrator_method(m)->adaptive) continue;
    double order = log2(event_error(m, 0.04) / event_error(m, 0.01)) / 2;
    if (fabs(order - lw_integrator_method(m)->order) > 0.35)
      fail_msg("%s: order %g", lw_integrator_method(m)->name, order);
  }
}

// --- special times

// y' = 0; only time passes
static void rest(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  (void)y;
  rates[0] = 0;
}

// 0.5 - t, t - 0.5, (t - 0.5)^3, t - 0.75, and one that is always 0
static void clocks(void* context, double t, const double* y, double* values)
{
  (void)context;
  (void)y;
  values[0] = 0.5 - t;
  values[1] = t - 0.5;
  values[2] = (t - 0.5) * (t - 0.5) * (t - 0.5);
  values[3] = t - 0.75;
  values[4] = 0;
}

// Three events at once, exactly at the end of a fixed step.
static void several_at_one_time(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y                 = 1;
    lwIntegratorDef def      = by(m, 1e-6);
    def.step                 = 0.125;
    lwIntegrator* integrator = make(&def, 1, rest, NULL, &y);
    assert_int_equal(lw_integrator_watch(integrator, 5, clocks, NULL), LW_OK);
    for (int i = 0; i < 4; ++i)
    {
      assert_int_equal(lw_integrator_advance(integrator, 1, &y, NULL), LW_PROGRESS_EVENT);
      assert_int_equal(lw_integrator_event(integrator), i);
      assert_int_equal(lw_integrator_event_rising(integrator), i > 0);
      // (t - 0.5)^3 is tiny already 5e-6 s before 0.5, but its sign is exact
      assert_closer(lw_integrator_time(integrator), i < 3 ? 0.5 : 0.75, 1e-15);
    }
    assert_int_equal(lw_integrator_advance(integrator, 1, &y, NULL), LW_PROGRESS_ARRIVED);
    lw_integrator_destroy(integrator);
  }
}

// An event exactly at the requested time is reported before arrival; a later one is not reported.
static void at_the_end(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y                 = 1;
    lwIntegratorDef def      = by(m, 1e-6);
    lwIntegrator* integrator = make(&def, 1, rest, NULL, &y);
    assert_int_equal(lw_integrator_watch(integrator, 1, clocks, NULL), LW_OK);
    assert_int_equal(lw_integrator_advance(integrator, 0.49, &y, NULL), LW_PROGRESS_ARRIVED);
    assert_int_equal(lw_integrator_advance(integrator, 0.5, &y, NULL), LW_PROGRESS_EVENT);
    assert_int_equal(lw_integrator_advance(integrator, 0.5, &y, NULL), LW_PROGRESS_ARRIVED);
    assert_int_equal(lw_integrator_advance(integrator, 2, &y, NULL), LW_PROGRESS_ARRIVED);
    lw_integrator_start(integrator, 0.25, &y);  // again
    assert_int_equal(lw_integrator_advance(integrator, 2, &y, NULL), LW_PROGRESS_EVENT);
    lw_integrator_start(integrator, 0.25, &y);
    assert_int_equal(lw_integrator_watch(integrator, 0, NULL, NULL), LW_OK);
    assert_int_equal(lw_integrator_advance(integrator, 2, &y, NULL), LW_PROGRESS_ARRIVED);
    lw_integrator_destroy(integrator);
  }
}

// t (0.1 - t): 0 at the start, positive just after it, negative at the end of a first step of 1 s.
static void parabola(void* context, double t, const double* y, double* values)
{
  (void)context;
  (void)y;
  values[0] = t * (0.1 - t);
}

static void the_sign_is_that_just_after_the_start(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y            = 1;
    lwIntegratorDef def = by(m, 1e-6);
    def.step = def.first     = 1;
    lwIntegrator* integrator = make(&def, 1, rest, NULL, &y);
    assert_int_equal(lw_integrator_watch(integrator, 1, parabola, NULL), LW_OK);
    assert_int_equal(lw_integrator_advance(integrator, 1, &y, NULL), LW_PROGRESS_EVENT);
    assert_false(lw_integrator_event_rising(integrator));
    assert_closer(lw_integrator_time(integrator), 0.1, 1e-15);
    assert_int_equal(lw_integrator_advance(integrator, 1, &y, NULL), LW_PROGRESS_ARRIVED);
    lw_integrator_destroy(integrator);
  }
}

// A run to infinite time ends at an event.
static void events_end_endless_runs(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[2]              = {1, 0};
    lwIntegratorDef def      = by(m, 1e-9);
    lwIntegrator* integrator = make(&def, 2, fall, NULL, y);
    assert_int_equal(lw_integrator_watch(integrator, 1, height, NULL), LW_OK);
    assert_int_equal(lw_integrator_advance(integrator, INFINITY, y, NULL), LW_PROGRESS_EVENT);
    double off = lw_integrator_time(integrator) - sqrt(2 / G);
    if (!(fabs(off) < 1e-6)) fail_msg("%s: off by %g", def.method, off);
    assert_int_equal(lw_integrator_advance(integrator, NAN, y, NULL), LW_PROGRESS_NOT_FINITE);
    assert_finite(lw_integrator_time(integrator));
    assert_less(fabs(y[0]), 1e-14);
    lw_integrator_destroy(integrator);
  }
}

// Watching for events may start in the middle of a run, or of a step.
static void watching_begins_late(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[2]              = {0, 1};
    lwIntegratorDef def      = by(m, 1e-9);
    lwIntegrator* integrator = make(&def, 2, oscillate, NULL, y);
    assert_int_equal(lw_integrator_advance(integrator, 3.13, y, NULL), LW_PROGRESS_ARRIVED);
    assert_int_equal(lw_integrator_watch(integrator, 1, height, NULL), LW_OK);
    assert_int_equal(lw_integrator_advance(integrator, 4, y, NULL), LW_PROGRESS_EVENT);
    assert_closer(lw_integrator_time(integrator), PI, 1e-5);
    lw_integrator_destroy(integrator);
  }
}

// --- guards: a body that brakes and turns near the ground, y'' = g

static void brake(void* context, double t, const double* y, double* rates)
{
  (void)context;
  (void)t;
  rates[0] = y[1];
  rates[1] = G;
}

static lwGuardRow height_row(const void* context, int i)
{
  (void)context;
  return (lwGuardRow){i, -1};
}

static const bool GUARD[] = {true};

// Starts from 1 m so fast that it turns at this depth below the ground, with steps longer than the
// time below ground.
static lwIntegrator* braking(const lwIntegratorDef* def, double depth, bool guarded)
{
  double y[2]              = {1, -sqrt(2 * G * (1 + depth))};
  lwIntegrator* integrator = make(def, 2, brake, NULL, y);
  assert_int_equal(lw_integrator_watch(integrator, 1, height, NULL), LW_OK);
  if (guarded) lw_events_guard(integrator, GUARD, height_row);
  return integrator;
}

// A guard that dips below 0 and returns within a step is an event at its first zero; one that stays
// above 0 is not. The time is as accurate as the height: with a depth of 1e-4 m the body still
// falls at 0.04 m/s.
static void dips_within_a_step_are_seen(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[2], depth = 1e-4, speed = sqrt(2 * G * (1 + depth));
    double first        = (speed - sqrt(speed * speed - 2 * G)) / G;
    lwIntegratorDef def = by(m, 1e-10);
    bool exact          = lw_integrator_method(m)->evaluations > 0;
    def.step = def.first     = 0.7;
    lwIntegrator* integrator = braking(&def, depth, true);
    assert_int_equal(lw_integrator_advance(integrator, 0.7, y, NULL), LW_PROGRESS_EVENT);
    if (!(fabs(lw_integrator_time(integrator) - first) < (exact ? 1e-11 : 1e-6)))
      fail_msg("%s: at %.15g, expected %.15g", def.method, lw_integrator_time(integrator), first);
    lw_integrator_destroy(integrator);

    integrator = braking(&def, -1e-6, true);
    assert_int_equal(lw_integrator_advance(integrator, 0.7, y, NULL), LW_PROGRESS_ARRIVED);
    lw_integrator_destroy(integrator);
    if (def.step == 0.7 && !lw_integrator_method(m)->adaptive)  // only the guard can find it
    {
      integrator = braking(&def, depth, false);
      assert_int_equal(lw_integrator_advance(integrator, 0.7, y, NULL), LW_PROGRESS_ARRIVED);
      lw_integrator_destroy(integrator);
    }
  }
}

// A guard that is not positive where the integrator starts is reported there, at every start.
static void guards_are_looked_at_where_it_starts(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[2]              = {-1e-15, -1};
    lwIntegratorDef def      = by(m, 1e-9);
    lwIntegrator* integrator = make(&def, 2, fall, NULL, y);
    assert_int_equal(lw_integrator_watch(integrator, 1, height, NULL), LW_OK);
    lw_events_guard(integrator, GUARD, height_row);
    for (int again = 0; again < 3; ++again)
    {
      assert_int_equal(lw_integrator_advance(integrator, 1, y, NULL), LW_PROGRESS_EVENT);
      assert_same(lw_integrator_time(integrator), 0);
      assert_same(y[0], -1e-15);
      lw_integrator_start(integrator, 0, y);
    }
    lw_integrator_destroy(integrator);
  }
}

// --- steps without progress

// The calls return, with the state reached.
static void endless_runs_end(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    double y[2]         = {1, 0};
    lwIntegratorDef def = by(m, 1e-9);
    def.step = def.longest   = 1e-300;
    lwIntegrator* integrator = make(&def, 2, fall, NULL, y);
    assert_int_equal(lw_integrator_advance(integrator, 1, y, NULL), LW_PROGRESS_STEP_VANISHED);
    assert_less(lw_integrator_time(integrator), 1e-6);
    assert_closer(y[0], 1, 1e-9);
    lw_integrator_destroy(integrator);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_bounces_when_it_should),
      cmocka_unit_test(balls_bounce_together),
      cmocka_unit_test(events_come_in_order),
      cmocka_unit_test(recording_changes_no_event),
      cmocka_unit_test(events_have_the_order_of_fixed_steps),
      cmocka_unit_test(several_at_one_time),
      cmocka_unit_test(at_the_end),
      cmocka_unit_test(the_sign_is_that_just_after_the_start),
      cmocka_unit_test(events_end_endless_runs),
      cmocka_unit_test(watching_begins_late),
      cmocka_unit_test(dips_within_a_step_are_seen),
      cmocka_unit_test(guards_are_looked_at_where_it_starts),
      cmocka_unit_test(endless_runs_end),
  };
  return cmocka_run_group_tests_name("events", tests, NULL, NULL);
}
