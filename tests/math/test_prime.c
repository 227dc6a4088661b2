// SPDX-License-Identifier: MIT
// Numbers modulo 2^61 - 1: the rules of a field, derivatives, sines and cosines, and the degrees
// from which the probability of a chance is computed.
#include "math/prime.h"

#include "testing.h"

static lwPrime number(int64_t n)
{
  return lw_prime_halves(2 * n);
}

static void expect_equal(lwPrime a, lwPrime b)
{
  assert_true(a.value == b.value);
  assert_true(a.slope == b.slope);
}

static void rules_of_a_field(void** state)
{
  (void)state;
  lwRandom random = {1};
  lw_prime_start(1);
  for (int i = 0; i < 100; ++i)
  {
    lwPrime a = lw_prime_random(&random), b = lw_prime_random(&random),
            c = lw_prime_random(&random);
    expect_equal(lw_prime_multiply(a, lw_prime_add(b, c)),
                 lw_prime_add(lw_prime_multiply(a, b), lw_prime_multiply(a, c)));
    expect_equal(lw_prime_add(a, lw_prime_negate(a)), number(0));
  }
  expect_equal(lw_prime_add(lw_prime_halves(1), lw_prime_halves(1)), number(1));
  expect_equal(lw_prime_multiply(number(-3), number(5)), number(-15));
  assert_true(lw_prime_invert(number(0)).value == 0);
}

// 1/a a = 1 with a derivative of 0, also after more divisions than denominators are kept apart;
// their degrees are then in D.
static void inverses(void** state)
{
  (void)state;
  lwRandom random = {2};
  lw_prime_start(1);
  for (int i = 0; i < LW_PRIME_FACTORS + 5; ++i)
  {
    lwPrime a = lw_prime_random(&random);
    a.slope   = 12345;
    lwPrime x = lw_prime_invert(a);
    expect_equal(lw_prime_multiply(a, x), number(1));
    assert_int_equal(x.factors, i < LW_PRIME_FACTORS ? i + 1 : 0);
    assert_same(x.den, i < LW_PRIME_FACTORS ? 0 : a.num);
  }
  lw_prime_start(1);
}

// What was kept is divided by again without another denominator, and stays apart in results: sums
// of 1/a have one, the others are multiplied into D.
static void kept_divisors_are_shared(void** state)
{
  (void)state;
  lwRandom random = {4};
  lw_prime_start(1);
  lwPrime a = lw_prime_random(&random), b = lw_prime_random(&random);
  lw_prime_invert(a);
  lw_prime_keep();
  lwPrime x[2];
  for (int k = 0; k < 2; ++k)
  {
    lw_prime_restart();
    x[k] = lw_prime_multiply(lw_prime_invert(a), lw_prime_invert(b));
    assert_int_equal(x[k].factors, 2);
    lw_prime_settle(&x[k], 1);
    assert_int_equal(x[k].factors, 1);
    assert_int_equal(x[k].exponent[0], 1);
    assert_same(x[k].den, 1);
  }
  lw_prime_restart();
  lwPrime sum = lw_prime_add(x[0], x[1]);
  assert_int_equal(sum.exponent[0], 1);
  assert_same(sum.den, 2);
  assert_same(lw_prime_degree(lw_prime_invert(a), x[0]), 3);  // (b - 1) a b
  lw_prime_start(1);
}

// (1/a)' = -a'/a^2 has the denominator a twice, and two degrees more in the numerator for a' than
// the quotient has; of a polynomial nothing is divided.
static void slopes_have_denominators_once_more(void** state)
{
  (void)state;
  lwRandom random = {3};
  lw_prime_start(1);
  lwPrime a = lw_prime_random(&random), rate = lw_prime_random(&random);
  a.slope       = rate.value;
  lwPrime slope = lw_prime_slope(lw_prime_invert(a));
  lwPrime over  = lw_prime_invert(lw_prime_multiply(a, a));
  assert_true(slope.value == lw_prime_negate(lw_prime_multiply(rate, over)).value);
  assert_true(slope.slope == 0);
  assert_int_equal(slope.exponent[0], 2);
  assert_same(slope.num, lw_prime_invert(a).num + 2 + a.num);
  lwPrime plain = lw_prime_slope(a);
  assert_true(plain.value == rate.value);
  assert_same(plain.num, a.num + 2);
  lw_prime_start(1);
}

// s^2 + c^2 = 1, and its derivative is 0; the sine of a difference by the theorem.
static void sines_and_cosines(void** state)
{
  (void)state;
  lwRandom random = {4};
  for (int i = 0; i < 50; ++i)
  {
    lw_prime_start(2);
    lwPrime a = lw_prime_random(&random), b = lw_prime_random(&random), s, c, sa, ca, sb, cb;
    a.slope = 77;
    b.slope = 5;
    lw_prime_turn(a, &sa, &ca);
    lw_prime_turn(b, &sb, &cb);
    lw_prime_turn(lw_prime_angle_difference(a, b), &s, &c);
    expect_equal(lw_prime_add(lw_prime_multiply(s, s), lw_prime_multiply(c, c)), number(1));
    expect_equal(
        s, lw_prime_add(lw_prime_multiply(sa, cb), lw_prime_negate(lw_prime_multiply(ca, sb))));
    expect_equal(c, lw_prime_add(lw_prime_multiply(ca, cb), lw_prime_multiply(sa, sb)));
  }
  lw_prime_start(1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_of_a_field),
      cmocka_unit_test(inverses),
      cmocka_unit_test(kept_divisors_are_shared),
      cmocka_unit_test(slopes_have_denominators_once_more),
      cmocka_unit_test(sines_and_cosines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
