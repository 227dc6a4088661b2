// SPDX-License-Identifier: MIT
// Locates sign changes of functions to the resolution, on the far side, in few steps.
#include <math.h>

#include "math/bracket.h"
#include "support/testing.h"

static int calls;

static double cubic(void* context, double x)
{
  (void)context;
  ++calls;
  return (x - 0.3) * (x * x + 1);
}

static double flat(void* context, double x)  // its derivatives up to the sixth are 0 at the root
{
  (void)context;
  ++calls;
  return pow(x - 0.3, 7);
}

static double steep(void* context, double x)
{
  (void)context;
  ++calls;
  return x < 0.3 ? -1e-300 : 1e300;
}

static double falling(void* context, double x)
{
  return -cubic(context, x);
}

static double close(lwBracketFunction* function, double low, double high, double guess)
{
  lwBracket bracket = {.low        = low,
                       .high       = high,
                       .at_low     = function(NULL, low),
                       .at_high    = function(NULL, high),
                       .guess      = guess,
                       .resolution = 1e-15};
  calls             = 0;
  double x          = lw_bracket_close(&bracket, function, NULL);
  double at_x       = function(NULL, x);
  if (at_x != 0) assert_greater(at_x * bracket.at_high, 0);
  return x;
}

static void zeros_are_found(void** unused)
{
  (void)unused;
  static lwBracketFunction* const functions[] = {cubic, flat, steep, falling};
  // bisection takes 50 steps; smooth functions take a fifth of that, none more than twice as many
  static const int most[] = {10, 100, 100, 10};
  for (int f = 0; f < 4; ++f)
    for (double low = 0.29; low > -20; low = 3 * low - 1)
    {
      double x = close(functions[f], low, low + 2 * (0.31 - low), 0);
      // (x - 0.3)^7 underflows to 0 within 1e-46, far below the rounding of x
      if (!(fabs(x - 0.3) <= 2e-15)) fail_msg("function %d: %.17g", f, x);
      if (calls > most[f] + 5) fail_msg("function %d from %g: %d calls", f, low, calls);
    }
}

static void a_good_guess_helps(void** unused)
{
  (void)unused;
  close(cubic, -5, 7, 1);
  int without = calls;
  close(cubic, -5, 7, 0.3 + 1e-9);
  assert_less(calls, without);
  double outside = close(cubic, -5, 7, 1000);  // and a bad guess does no harm
  assert_near(outside, 0.3, 2e-15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zeros_are_found),
      cmocka_unit_test(a_good_guess_helps),
  };
  return cmocka_run_group_tests_name("bracket", tests, NULL, NULL);
}
