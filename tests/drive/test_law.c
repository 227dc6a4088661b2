// SPDX-License-Identifier: MIT
// Torque laws: values agree with the compiler's arithmetic, errors are reported at the right
// column.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linkwork/drive.h"
#include "support/arms.h"
#include "support/testing.h"

enum
{
  LINKS = 7
};

static const double T = 0.7, PI = 3.14159265358979323846;

static void check_value(const char* text, int k, double expected)
{
  double values[LINKS - 1];
  lwLaw* law;
  assert_int_equal(lw_law_create("law", text, NULL, &law), LW_OK);
  lw_law_values(law, T, LINKS, LINKS - 1, values);
  if (fabs(values[k - 1] - expected) > 1e-15 * fabs(expected))
    fail_msg("%s: %.17g, expected %.17g", text, values[k - 1], expected);
  lw_law_destroy(law);
}

static void values_are_right(void** unused)
{
  (void)unused;
  check_value("sin(t)/(n-k)", 3, sin(T) / 4);
  check_value("-2^2", 1, -4);
  check_value("2^3^2", 1, 512);
  check_value("2^-1", 1, 0.5);
  check_value("1 - 2 - 3", 1, -4);
  check_value("12/3/2*5", 1, 10);
  check_value("1+2*3^2", 1, 19);
  check_value("--+-1", 1, -1);
  check_value("1.5e-3*.5", 1, 0.00075);
  check_value("\t2 * ( k + 1 ) ", 4, 10);
  check_value("cos(2*pi*k/n) + exp(-t)*abs(-k) + tan(t) + sqrt(k)", 5,
              cos(2 * PI * 5 / 7) + exp(-T) * 5 + tan(T) + sqrt(5));
  check_value("k*t^2 - n*(t - k)/(1 + k)", 2, 2 * T * T - 7 * (T - 2) / 3);
}

static void check_error(const char* text, int column, const char* part)
{
  lwLaw* law;
  lwDiag* diag = lw_diag_create();
  assert_int_equal(lw_law_create("law", text, diag, &law), LW_ERROR_INPUT);
  assert_null(law);
  assert_int_equal(lw_diag_size(diag), 1);
  const lwMessage* message = lw_diag_message(diag, 0);
  if (message->place.line != 1 || message->place.column != column || !strstr(message->text, part))
    fail_msg("'%s': %d: %s", text, message->place.column, message->text);
  lw_diag_destroy(diag);
}

static void errors_have_columns(void** unused)
{
  (void)unused;
  check_error("", 1, "ends here");
  check_error("sin(t", 6, "expected ')'");
  check_error("sin t", 5, "'('");
  check_error("1 +", 4, "ends here, expected a number");
  check_error("2 t", 3, "operator");
  check_error("sin(q)/2", 5, "unknown name 'q'");
  check_error("t + sine(t)", 5, "unknown name 'sine'");
  check_error("1)", 2, "operator");
  check_error("3*\xC3\xA4", 3, "is not expected");
  check_error("k + 1e999", 5, "finite");
  check_error("0x10", 1, "decimal");
  check_error("t\n", 2, "not expected");
  check_error("system(1)", 1, "unknown name");
}

// Expressions that are too deep or too long are refused without a crash.
static void depth_is_bounded(void** unused)
{
  (void)unused;
  static char text[200001];
  static const char* const parts[] = {"(", "-", "sin(", "2^", "1+", "1+(2*3^("};
  for (int i = 0; i < 6; ++i)
  {
    size_t length = strlen(parts[i]), used = 0;
    for (; used + length < sizeof text; used += length) memcpy(text + used, parts[i], length);
    text[used] = 0;
    lwLaw* law;
    assert_int_equal(lw_law_create("law", text, NULL, &law), LW_ERROR_INPUT);
  }
}

// The deepest law allowed, with the largest number of values on the stack.
static void deepest_law_is_computed(void** unused)
{
  (void)unused;
  char text[1024] = "";
  int depth       = 0;
  lwLaw *law = NULL, *deepest = NULL;
  do
  {
    lw_law_destroy(deepest);
    deepest = law;
    law     = NULL;
    snprintf(text, sizeof text, "%s", "");
    for (int i = 0; i < depth; ++i) strcat(text, "1+2*1^(");
    strcat(text, "k");
    for (int i = 0; i < depth; ++i) strcat(text, ")");
    ++depth;
  } while (lw_law_create("law", text, NULL, &law) == LW_OK && depth < 100);
  double values[3];
  assert_non_null(deepest);
  assert_greater(depth, 20);
  assert_less(depth, 100);
  lw_law_values(deepest, 0, 4, 3, values);
  assert_same(values[2], 3);
  lw_law_destroy(deepest);
}

// --- laws of a joint

static void state_may_be_named(void** unused)
{
  (void)unused;
  const lwLawPoint at = {.t = 2, .k = 3, .n = 5, .q = 0.7, .qd = -1.5};
  lwLaw* law          = law_of("k*q - n*qd^2 + t");
  assert_closer(lw_law_at(law, &at), 3 * 0.7 - 5 * 2.25 + 2, 1e-14);
  lw_law_destroy(law);
  check_error("2*q", 3, "unknown name 'q'");
}

// First and second derivatives against differences of fourth order, which are accurate to about
// 1e-9 and 1e-6 of their size.
static void derivatives_are_right(void** unused)
{
  (void)unused;
  static const char* const texts[] = {
      "3 - t",
      "sin(2*t)*cos(t)/(1 + t^2)",
      "tan(t/3) - exp(-t)*sqrt(t + 1)",
      "abs(t - 5)^2.5",
      "(1 + t)^(t/2)",
      "2^t - t^3 + (t - 0.7)^2",
      "k*t^0 + n*t^1",
      "-(-t)/(2 - t*t)",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
  {
    lwLaw* law = law_of(texts[i]);
    double jet[3], v[5], h = 1e-3;
    lwLawPoint p = {.t = T, .k = 2, .n = 4};
    lw_law_jet(law, &p, jet);
    for (int j = 0; j < 5; ++j)
    {
      p.t  = T + (j - 2) * h;
      v[j] = lw_law_at(law, &p);
    }
    double d  = (v[0] - 8 * v[1] + 8 * v[3] - v[4]) / (12 * h);
    double dd = (-v[0] + 16 * v[1] - 30 * v[2] + 16 * v[3] - v[4]) / (12 * h * h);
    if (jet[0] != v[2] || fabs(jet[1] - d) > 1e-9 * (1 + fabs(d)) ||
        fabs(jet[2] - dd) > 1e-6 * (1 + fabs(dd)))
      fail_msg("%s: %g %g %g, expected %g %g %g", texts[i], jet[0], jet[1], jet[2], v[2], d, dd);
    lw_law_destroy(law);
  }
}

// A power or root without a derivative at 0 is no problem if the derivative is not needed.
static void derivatives_at_zero(void** unused)
{
  (void)unused;
  double jet[3];
  const lwLawPoint zero = {.t = 0};
  lwLaw* law            = law_of("t^2 + 3*t^1 + sqrt(4) + 0^2");
  lw_law_jet(law, &zero, jet);
  assert_same(jet[0], 2);
  assert_same(jet[1], 3);
  assert_same(jet[2], 2);
  lw_law_destroy(law);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(state_may_be_named),      cmocka_unit_test(derivatives_are_right),
      cmocka_unit_test(derivatives_at_zero),     cmocka_unit_test(values_are_right),
      cmocka_unit_test(errors_have_columns),     cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(deepest_law_is_computed),
  };
  return cmocka_run_group_tests_name("torque laws", tests, NULL, NULL);
}
