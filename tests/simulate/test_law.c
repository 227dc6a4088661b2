// SPDX-License-Identifier: MIT
// Torque laws: values by the compiler's own arithmetic, errors by their columns.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "linkwork/simulate.h"
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

// However deep or long: refused, not a crash.
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

// At the deepest that is allowed, with as many values waiting as there can be.
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
  assert_true(depth > 20 && depth < 100);
  lw_law_values(deepest, 0, 4, 3, values);
  assert_true(values[2] == 3);
  lw_law_destroy(deepest);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_right),
      cmocka_unit_test(errors_have_columns),
      cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(deepest_law_is_computed),
  };
  return cmocka_run_group_tests_name("torque laws", tests, NULL, NULL);
}
