// SPDX-License-Identifier: MIT
// Equations of a page: read, set as a picture, and refused where they cannot be read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formulas.h"
#include "testing.h"

static const char* wrong_with(Formulas* formulas, const char* text)
{
  formulas_read(formulas, "x", text, strlen(text));
  return formulas->wrong;
}

static void test_reads(void** state)
{
  (void)state;
  static const char text[] = "# comment\n"
                             "symbol w \\omega\n"
                             "text Velocities\n"
                             "mark 0-3\n"
                             "(7): w[i+1] = (V[i]*S[i] - w[i]*h[i])/h[i+1], i = 1..n-1, down\n"
                             "(8): b = sum(k, 1, n, m[k]*tilde(a)·b')\n";
  Formulas formulas;
  assert_string_equal(wrong_with(&formulas, text), "");
  assert_int_equal(formulas.count, 3);
  assert_int_equal(formulas.symbols, 1);
  const Formula* seven = &formulas.equation[1];
  assert_string_equal(seven->number, "(7)");
  assert_string_equal(seven->erratum, "0-3");
  assert_int_equal(seven->ranges, 1);
  assert_true(seven->down);
  assert_int_equal(seven->right->kind, TERM_DIVIDE);
  assert_null(formulas.equation[2].erratum);
  assert_int_equal(formulas.equation[2].right->kind, TERM_SUM);
  char* svg = formulas_svg(&formulas);
  assert_non_null(svg);
  assert_non_null(strstr(svg, "ω"));
  assert_non_null(strstr(svg, "(7) corrected, 0-3"));
  assert_non_null(strstr(svg, "</svg>"));
  free(svg);
  formulas_free(&formulas);
}

static void test_refuses(void** state)
{
  (void)state;
  static const char* const wrong[] = {
      "(1): a = \n",         "(1): a + b\n",  "(1): a = b[1\n",
      "(1): a = (b\n",       "a = b\n",       "(1): a = sum(i, 1, b)\n",
      "(1): a = b, i = 1\n", "(1): a = b c\n"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
  {
    Formulas formulas;
    assert_string_not_equal(wrong_with(&formulas, wrong[k]), "");
    assert_non_null(strstr(formulas.wrong, "x:1: "));
    formulas_free(&formulas);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads), cmocka_unit_test(test_refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
