// SPDX-License-Identifier: MIT
// The load of a motion on a drive, against closed forms.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "linkwork/drive.h"
#include "support/check.h"
#include "support/testing.h"

static const double pi = 3.14159265358979323846;

enum
{
  SAMPLES = 400  // per period
};

// A wheel of 3 kg m^2 with friction 2 qd, a motor of 2 ohm, 0.5 N m/A, gear 5, and a rotor of 1 kg
// m^2 at the joint.
static lwJointDef wheel(void)
{
  lwJointDef joint            = lw_joint_def();
  joint.friction.viscous      = 2;
  joint.motor.given           = true;
  joint.motor.resistance      = 2;
  joint.motor.torque_constant = 0.5;
  joint.motor.gear            = 5;
  joint.motor.rotor_inertia   = 0.04;
  return joint;
}

// q = A sin(w t) with A = 0.5 rad, w = 4 rad/s.
static lwJointSample swing(double t)
{
  const double A = 0.5, w = 4;
  lwJointSample sample = {t, A * sin(w * t), A * w * cos(w * t), -A * w * w * sin(w * t), 0};
  sample.tau           = 3 * sample.qdd;
  return sample;
}

// A whole period: the trapezoidal rule is exact up to rounding for trigonometric polynomials of low
// order.
static lwSizing one_period(const lwJointDef* joint)
{
  lwSizing sizing = {0};
  for (int k = 0; k <= SAMPLES; ++k)
  {
    lwJointSample sample = swing(0.5 * pi * k / SAMPLES);
    lw_sizing_add(&sizing, joint, &sample);
    assert_int_equal(sizing.count, k < 2 ? 0 : k);  // the first ones wait for the third
  }
  lw_sizing_end(&sizing, joint);
  return sizing;
}

static void sinusoid(void** unused)
{
  (void)unused;
  lwJointDef joint = wheel();
  lwSizing sizing  = one_period(&joint);
  const double eps = 1e-12;
  assert_int_equal(sizing.count, SAMPLES + 1);
  // 3 A w^2, first at a quarter of the period
  assert_near(sizing.sums[LW_LOAD_RIGID].peak, -24, eps);
  assert_near(sizing.sums[LW_LOAD_RIGID].peak_time, pi / 8, eps);
  assert_near(lw_sizing_rms(&sizing, LW_LOAD_RIGID), 24 / sqrt(2), eps);
  assert_near(lw_sizing_rms(&sizing, LW_LOAD_ROTOR), 8 / sqrt(2), eps);
  assert_near(lw_sizing_rms(&sizing, LW_LOAD_FRICTION), 4 / sqrt(2), eps);
  assert_near(lw_sizing_rms(&sizing, LW_LOAD_TORQUE), sqrt((32 * 32 + 16) / 2.0), eps);
  assert_near(sizing.sums[LW_LOAD_SPEED].peak, 2, eps);
  // only friction dissipates energy: 2 qd^2
  assert_near(lw_sizing_mean(&sizing, LW_LOAD_POWER), 2 * 4 / 2.0, eps);
  assert_near(sizing.sums[LW_LOAD_POWER].integral, 4 * pi / 2, eps);
  assert_near(sizing.sums[LW_LOAD_POWER].positive + sizing.sums[LW_LOAD_POWER].negative, 4 * pi / 2,
              eps);
  // i = tau / 2.5, v = 2 i + 2.5 qd: electrical power is mechanical power and 2 i^2
  assert_near(lw_sizing_rms(&sizing, LW_LOAD_CURRENT), sqrt((32 * 32 + 16) / 2.0) / 2.5, eps);
  assert_near(lw_sizing_mean(&sizing, LW_LOAD_ELECTRIC), 4 + 2 * (32 * 32 + 16) / 2.0 / 6.25, eps);
  double v = sqrt(25.6 * 25.6 + 8.2 * 8.2);  // amplitudes of 2 tau/2.5 + 2.5 qd in sin and cos
  assert_near(fabs(sizing.sums[LW_LOAD_VOLTAGE].peak), v, v * 0.5 * pow(pi / SAMPLES, 2));
}

// With inductance, L di/dt is added: 0.1 H times amplitudes of i, shifted by a quarter period.
static void inductance(void** unused)
{
  (void)unused;
  lwJointDef joint       = wheel();
  joint.motor.inductance = 0.1;
  lwSizing sizing        = one_period(&joint);
  double in_sin = -25.6 - 0.1 * 1.6 * 4, in_cos = 8.2 - 0.1 * 12.8 * 4;
  double v = sqrt(in_sin * in_sin + in_cos * in_cos);
  // differences of h = period / 400: (w h)^2 / 6 of L di/dt (5.2 V), at the ends w h / 2 of it
  assert_near(fabs(sizing.sums[LW_LOAD_VOLTAGE].peak), v, 1e-2);
  assert_near(lw_sizing_rms(&sizing, LW_LOAD_VOLTAGE), v / sqrt(2), 1e-2);
}

// A current that is a parabola in t, at random uneven times: its slope is exact in every sample, at
// both ends too, sample by sample and for all at once. The tolerance is the rounding of differences
// of currents over the shortest step.
static void slope_of_current(void** unused)
{
  (void)unused;
  enum
  {
    CASES = 200,
    MOST  = 9
  };
  lwJointDef joint       = wheel();
  joint.motor.inductance = 0.1;
  lwRandom random        = {31};
  for (int c = 0; c < CASES; ++c)
  {
    lwJointSample samples[MOST] = {0};
    double rates[MOST], a = lw_random_between(&random, -3, 3),
                        b = lw_random_between(&random, -3, 3), t = 0;
    int count       = 3 + c % (MOST - 2);
    lwSizing sizing = {0};
    for (int k = 0; k < count; ++k, t += lw_random_between(&random, 0.01, 2))
      samples[k] = (lwJointSample){.t = t, .tau = 1 + a * t + b * t * t};
    lw_current_rates(&joint, count, samples, rates);
    for (int k = 0; k < count; ++k)
    {
      double slope = (a + 2 * b * samples[k].t) / 2.5;
      assert_near(rates[k], slope, 1e-11);
      lw_sizing_add(&sizing, &joint, &samples[k]);
    }
    lw_sizing_end(&sizing, &joint);
    double last = samples[count - 1].tau / 2.5;
    assert_int_equal(sizing.count, count);
    assert_near(sizing.loads[LW_LOAD_VOLTAGE], 2 * last + 0.1 * rates[count - 1], 1e-11);
  }
}

// The sums are the same bits whether samples arrive one by one or with their rates.
static void one_by_one_and_at_once(void** unused)
{
  (void)unused;
  lwJointDef joint       = wheel();
  joint.motor.inductance = 0.1;
  joint.motor.efficiency = 0.8;
  for (int count = 1; count < 6; ++count)
  {
    lwJointSample samples[6];
    double rates[6];
    lwSizing streamed = {0}, taken = {0};
    for (int k = 0; k < count; ++k)
    {
      samples[k] = swing(0.1 * k + 0.02 * k * k);
      lw_sizing_add(&streamed, &joint, &samples[k]);
    }
    lw_sizing_end(&streamed, &joint);
    lw_current_rates(&joint, count, samples, rates);
    for (int k = 0; k < count; ++k) lw_sizing_take(&taken, &joint, &samples[k], rates[k]);
    assert_memory_equal(streamed.sums, taken.sums, sizeof taken.sums);
    assert_memory_equal(streamed.loads, taken.loads, sizeof taken.loads);
  }
}

// Rounding of a standing joint is rest, at any scale of the motion; slow motion is not.
static void rest(void** unused)
{
  (void)unused;
  assert_true(lw_rest_speed(0, 0, 0.01) > 1e-15);     // all joints stand
  assert_true(lw_rest_speed(1, 1, 0.001) > 1e-15);    // one of several
  assert_true(lw_rest_speed(1000, 1, 1e-6) > 1e-13);  // a fast motion
  assert_true(lw_rest_speed(1, 1, 0.001) < 7e-5);     // a telescope that follows the sky
  assert_true(lw_rest_speed(1e-9, 1, 1e6) < 1e-15);   // creep over months
}

// Uneven times, by hand: torques 8, 0, -4 N m at t = 0, 1, 3 s.
static void by_hand(void** unused)
{
  (void)unused;
  lwJointDef joint         = wheel();
  joint.friction.viscous   = 0;
  joint.limits.lower       = -1;
  joint.limits.upper       = 6;
  joint.limits.effort      = 10;
  const lwJointSample at[] = {{0, 0, 0, 2, 6}, {1, 1, 2, 0, 0}, {3, 5, 2, -1, -3}};
  lwSizing sizing          = {0};
  for (int k = 0; k < 3; ++k) lw_sizing_add(&sizing, &joint, &at[k]);
  lw_sizing_end(&sizing, &joint);
  lw_sizing_end(&sizing, &joint);  // changes nothing
  const double eps = 16 * DBL_EPSILON;
  assert_near(lw_sizing_rms(&sizing, LW_LOAD_TORQUE), 4, 4 * eps);
  assert_near(lw_sizing_rms(&sizing, LW_LOAD_CURRENT), 1.6, 2 * eps);
  assert_near(sizing.sums[LW_LOAD_CURRENT].peak, 3.2, 4 * eps);
  assert_near(sizing.sums[LW_LOAD_VOLTAGE].peak, 6.4, 7 * eps);
  assert_near(lw_sizing_mean(&sizing, LW_LOAD_POWER), -8 / 3.0, 3 * eps);
  assert_near(sizing.sums[LW_LOAD_POWER].positive, 0, 0);
  assert_near(sizing.sums[LW_LOAD_POWER].negative, -8, 8 * eps);
  assert_near(sizing.sums[LW_LOAD_ELECTRIC].positive, 10.24, 11 * eps);
  assert_near(sizing.sums[LW_LOAD_ELECTRIC].negative, -2.88, 3 * eps);
  assert_near(sizing.margin, 1, 0);
  assert_near(sizing.margin_time, 0, 0);
  assert_near(lw_joint_limit(&joint, LW_LOAD_TORQUE), 10, 0);
  assert_infinite(lw_joint_limit(&joint, LW_LOAD_VOLTAGE));
}

static void single_sample(void** unused)
{
  (void)unused;
  lwJointDef joint     = wheel();
  lwSizing sizing      = {0};
  lwJointSample sample = {7, 0, 0, -2, -6};
  lw_sizing_end(&sizing, &joint);
  assert_int_equal(sizing.count, 0);
  lw_sizing_add(&sizing, &joint, &sample);
  lw_sizing_end(&sizing, &joint);
  assert_near(lw_sizing_rms(&sizing, LW_LOAD_TORQUE), 8, 0);
  assert_near(lw_sizing_mean(&sizing, LW_LOAD_TORQUE), -8, 0);
  assert_near(sizing.sums[LW_LOAD_TORQUE].peak_time, 7, 0);
}

// Without a motor only the loads at the joint are known.
static void no_motor(void** unused)
{
  (void)unused;
  lwJointDef joint     = wheel();
  joint.motor.given    = false;
  lwJointSample sample = {0, 0, 1, 1, 5};
  double loads[LW_LOAD_COUNT];
  lw_joint_loads(&joint, &sample, 0, loads);
  assert_near(loads[LW_LOAD_TORQUE], 7, 0);
  assert_near(loads[LW_LOAD_ROTOR], 0, 0);
  assert_near(loads[LW_LOAD_VOLTAGE], 0, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sinusoid),
      cmocka_unit_test(inductance),
      cmocka_unit_test(by_hand),
      cmocka_unit_test(slope_of_current),
      cmocka_unit_test(one_by_one_and_at_once),
      cmocka_unit_test(rest),
      cmocka_unit_test(single_sample),
      cmocka_unit_test(no_motor),
  };
  return cmocka_run_group_tests_name("sizing", tests, NULL, NULL);
}
