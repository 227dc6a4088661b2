// SPDX-License-Identifier: MIT
// A program whose locale has a decimal comma: numbers are still read and written with a point.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "linkwork/read.h"
#include "linkwork/scenario.h"
#include "support/reader_findings.h"
#include "testing.h"

// Compiles a locale with a decimal comma into a temporary folder; false: not possible here.
static bool use_comma(void)
{
  char folder[] = "/tmp/linkwork-locale-XXXXXX", command[256], text[16];
  if (!mkdtemp(folder)) return false;
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/comma >/dev/null 2>&1", folder);
  int made = system(command);
  setenv("LOCPATH", folder, 1);
  bool set = made >= 0 && setlocale(LC_ALL, "comma");
  snprintf(command, sizeof command, "rm -r %s", folder);
  if (system(command) != 0) return false;
  snprintf(text, sizeof text, "%.1f", 0.5);
  return set && strcmp(text, "0,5") == 0;
}

static void numbers_have_a_point(void** state)
{
  (void)state;
  if (!use_comma()) skip();
  char text[LW_NUMBER_SIZE];
  double value    = 0;
  const char* end = "2.5e-3";
  assert_true(lw_number_read(&end, &value));
  assert_same(value, 2.5e-3);
  assert_int_equal(*end, '\0');
  lw_number_write(1.5e300, text);
  assert_string_equal(text, "1.5e+300");
  lw_number_write(0.25, text);
  assert_string_equal(text, "0.25");
}

// Degrees in a scenario are parsed through a law, which writes and reads the number again.
static void degrees_of_a_scenario_are_read(void** state)
{
  (void)state;
  if (!use_comma()) skip();
  lwDiag* diag         = lw_diag_create();
  lwScenario* scenario = NULL;
  lw_scenario_read_file(LW_ROBOTS "/../scenarios/puma_pd.yaml", NULL, diag, &scenario);
  findings_print(diag);
  assert_non_null(scenario);
  lw_scenario_destroy(scenario);
  lw_diag_destroy(diag);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_have_a_point),
                                     cmocka_unit_test(degrees_of_a_scenario_are_read)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
