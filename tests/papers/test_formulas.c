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
                             "(8): b = sum(k, 1, n, m[k]*tilde(a)·b')\n"
                             "(9): dt(b) == d(c + b, q[1])\n"
                             "check: trace(A) == c\n";
  Formulas formulas;
  assert_string_equal(wrong_with(&formulas, text), "");
  assert_int_equal(formulas.count, 5);
  assert_int_equal(formulas.symbols, 1);
  const Formula* seven = &formulas.equation[1];
  assert_string_equal(seven->number, "(7)");
  assert_string_equal(seven->erratum, "0-3");
  assert_int_equal(seven->ranges, 1);
  assert_true(seven->down);
  assert_int_equal(seven->right->kind, TERM_DIVIDE);
  assert_null(formulas.equation[2].erratum);
  assert_int_equal(formulas.equation[2].right->kind, TERM_SUM);
  assert_false(formulas.equation[2].holds);
  assert_true(formulas.equation[3].holds);
  assert_true(formulas.derivatives);
  char* svg = formulas_svg(&formulas);
  assert_non_null(svg);
  assert_non_null(strstr(svg, "∂"));
  assert_null(strstr(svg, "tr</text>"));
  assert_non_null(strstr(svg, "ω"));
  assert_non_null(strstr(svg, "(7) corrected, 0-3"));
  assert_non_null(strstr(svg, "</svg>"));
  free(svg);
  formulas_free(&formulas);
}

static void test_refuses(void** state)
{
  (void)state;
  static const char* const wrong[] = {"(1): a = \n",
                                      "(1): a + b\n",
                                      "(1): a = b[1\n",
                                      "(1): a = (b\n",
                                      "a = b\n",
                                      "(1): a = sum(i, 1, b)\n",
                                      "(1): a = b, i = 1\n",
                                      "(1): a = b c\n",
                                      "(1): a*b = c\n",
                                      "(1): a = d(b)\n",
                                      "(1): a = d(b, 2)\n",
                                      "(1): a = dt(b\n"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k)
  {
    Formulas formulas;
    assert_string_not_equal(wrong_with(&formulas, wrong[k]), "");
    assert_non_null(strstr(formulas.wrong, "x:1: "));
    formulas_free(&formulas);
  }
}

// --- the equations of the documents, as they are and with every sign changed

typedef struct PaperFormulas
{
  const char* name;
  FormulaFrames frames;
  int count;
  FormulaAnswer answers[4];
} PaperFormulas;

static const PaperFormulas papers[] = {
    {"nia2005", FRAMES_SNAKE, 3, {{"V", false, false}, {"w", false, false}, {"ud", false, false}}},
    {"mata2002",
     FRAMES_MODIFIED,
     4,
     {{"tau", false, false}, {"D", true, false}, {"D21", true, false}, {"D22", true, false}}},
    {"silver1981", FRAMES_MODIFIED, 2, {{"tau", false, false}, {"t12", false, false}}},
    {"swartz1982", FRAMES_STANDARD, 2, {{"tau", false, false}, {"H", true, true}}},
    {"grigorov2013", FRAMES_MODIFIED, 2, {{"tau", false, false}, {"M", true, false}}}};

static char* read_equations(const char* name)
{
  char path[512];
  snprintf(path, sizeof path, LW_PAPERS "/%s/equations.txt", name);
  FILE* file = fopen(path, "rb");
  assert_non_null(file);
  char* text    = calloc(1, 1 << 16);
  size_t length = fread(text, 1, (1 << 16) - 1, file);
  fclose(file);
  assert_in_range(length, 1000, (1 << 16) - 2);
  return text;
}

static bool equations_hold(const PaperFormulas* paper, const char* text)
{
  Formulas formulas;
  FormulaTrial trial = {0};
  bool read          = formulas_read(&formulas, paper->name, text, strlen(text));
  if (read)
    assert_true(formulas_try_prime(&formulas, paper->frames, paper->count, paper->answers, &trial));
  formulas_free(&formulas);
  return read && !trial.wrong && trial.different == 0 && trial.entries > 0;
}

// A sign between terms, not one of an index or of a range, nor of words.
static bool is_sign(const char* line, const char* at)
{
  if ((*at != '+' && *at != '-') || at[1] != ' ' || at[-1] != ' ') return false;
  return strncmp(line, "symbol", 6) != 0 && strncmp(line, "text", 4) != 0 && *line != '#';
}

static void test_signs(void** state)
{
  (void)state;
  for (size_t k = 0; k < sizeof papers / sizeof *papers; ++k)
  {
    char* text       = read_equations(papers[k].name);
    const char* line = text;
    int signs        = 0;
    assert_true(equations_hold(&papers[k], text));
    for (char* at = text + 1; *at; ++at)
    {
      if (at[-1] == '\n') line = at;
      if (!is_sign(line, at) || signs++ % CASES(1, 8) != 0) continue;
      char sign = *at;
      *at       = sign == '+' ? '-' : '+';
      if (equations_hold(&papers[k], text))
        fail_msg("%s: a changed sign is not noticed: %.*s", papers[k].name,
                 (int)strcspn(line, "\n"), line);
      *at = sign;
    }
    assert_true(signs > 10);
    free(text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_reads), cmocka_unit_test(test_refuses),
                                     cmocka_unit_test(test_signs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
