// SPDX-License-Identifier: MIT
// 113-bit arithmetic gives all 20 digits of the reference data, which come from differences of the
// forward kinematics in 100-digit arithmetic (tests/data/golden). Every method of every question.
//
// Bound: half a unit in the last of the 20 digits, plus 1e-30 of the largest entry for rounding in
// 113 bits.
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/quad.h"
#include "support/check.h"
#include "support/golden.h"
#include "support/json.h"
#include "support/testing.h"

// An answer in the reference data, and whether the state has a wrench.
typedef struct Asked
{
  lwQuestion question;
  const char* key;
  bool wrench;
} Asked;

static const Asked asked[] = {{LW_QUESTION_INVERSE, "tau", true},
                              {LW_QUESTION_INVERSE, "tau_no_wrench", false},
                              {LW_QUESTION_INERTIA, "M", false},
                              {LW_QUESTION_BIAS, "bias", false},
                              {LW_QUESTION_GRAVITY, "gravity", false},
                              {LW_QUESTION_CORIOLIS, "coriolis", false},
                              {LW_QUESTION_ENERGY, "kinetic", false},
                              {LW_QUESTION_POSE, "ee_p", false},
                              {LW_QUESTION_JACOBIAN, "jacobian", false},
                              {LW_QUESTION_FORWARD, "fd_qdd", true},
                              {LW_QUESTION_FORWARD, "fd_qdd_no_wrench", false}};

// --- decimal numbers: +-0.ddd.. 10^exponent, in two groups of digits

enum
{
  GROUP = 17
};

typedef struct Decimal
{
  int sign, exponent;
  long long high, low;  // GROUP digits each
} Decimal;

static int decimal_exponent(const char* text)
{
  const char* e = strpbrk(text, "eE");
  int exponent  = e ? atoi(e + 1) : 0;
  bool point = false, digit = false;
  for (const char* s = text; *s && s != e; ++s)
  {
    if (*s == '.') point = true;
    if (!isdigit((unsigned char)*s)) continue;
    digit = digit || *s != '0';
    if (digit && !point) ++exponent;
    if (!digit && point) --exponent;
  }
  return digit ? exponent : 0;
}

static Decimal decimal(const char* text)
{
  Decimal number = {.sign = *text == '-' ? -1 : 1, .exponent = decimal_exponent(text)};
  int count      = 0;
  for (const char* s = text; count < 2 * GROUP; s += *s && *s != 'e')
  {
    int digit = isdigit((unsigned char)*s) ? *s - '0' : *s && *s != 'e' ? -1 : 0;
    if (digit < 0 || (digit == 0 && count == 0 && *s && *s != 'e')) continue;
    long long* group = count++ < GROUP ? &number.high : &number.low;
    *group           = 10 * *group + digit;
  }
  return number;
}

// |a - b|, accurate to a few digits; the leading digits may differ.
static double decimal_gap(Decimal a, Decimal b)
{
  if (a.exponent != b.exponent || a.sign != b.sign)
    return fabs(a.sign * ((double)a.high * pow(10, a.exponent)) -
                b.sign * ((double)b.high * pow(10, b.exponent))) *
           pow(10, -GROUP);
  double high = (double)(a.high - b.high), low = (double)(a.low - b.low);
  return fabs(high + low * pow(10, -GROUP)) * pow(10, a.exponent - GROUP);
}

// --- comparison

static size_t compare_json(const Json* expected, const lwQuad* got, size_t done, double size,
                           const char* what)
{
  if (expected->kind == JSON_LIST)
  {
    for (int i = 0; i < expected->count; ++i)
      done = compare_json(&expected->items[i], got, done, size, what);
    return done;
  }
  char text[LW_QUAD_TEXT];
  lw_quad_text(got[done], text);
  Decimal right = decimal(expected->text);
  double bound  = 0.51 * pow(10, right.exponent - 20) + 1e-30 * size;
  double gap    = decimal_gap(decimal(text), right);
  if (!(gap <= bound))
    fail_msg("%s, entry %zu: %s instead of %s, %.2g apart", what, done, text, expected->text, gap);
  return done + 1;
}

static void check_method(const Json* file, const Robot* robot, const char* name, const Asked* ask,
                         int method)
{
  const Json* list     = json_get(file, "states");
  const lwModel* model = robot->model;
  size_t n             = (size_t)lw_model_dof(model);
  lwWorkspaceDef def   = lw_workspace_def();
  if (method >= 0)
    lw_workspace_def_set_method(&def, lw_method(method)->question, lw_method(method)->name);
  lwQuadWorkspace* ws;
  assert_int_equal(lw_quad_workspace_create(model, &def, NULL, &ws), LW_OK);
  lwQuad* got     = calloc(lw_question_outputs(model, ask->question), sizeof *got);
  double* numbers = calloc(4 * n + 6, sizeof *numbers);
  assert_true(got && numbers);
  for (int k = 0; k < list->count; ++k)
  {
    const Json* state = &list->items[k];
    char what[128];
    snprintf(what, sizeof what, "%s, %s by %s, state %d", name, ask->key, method_name(method), k);
    lwStates in = {numbers, numbers + n, numbers + 2 * n, numbers + 3 * n, numbers + 4 * n};
    json_numbers(state, "q", n, numbers);
    json_numbers(state, "qd", n, numbers + n);
    json_numbers(state, "qdd", n, numbers + 2 * n);
    json_numbers(state, "fd_tau", n, numbers + 3 * n);
    json_numbers(state, "wrench_f", 3, numbers + 4 * n);
    json_numbers(state, "wrench_n", 3, numbers + 4 * n + 3);
    if (!ask->wrench) in.wrench = NULL;
    lw_quad_answer(ws, ask->question, &in, got);
    double size = 1;
    for (size_t i = 0; i < lw_question_outputs(model, ask->question); ++i)
      size = fmax(size, fabs(got[i].part[0]));
    compare_json(json_get(state, ask->key), got, 0, size, what);
  }
  free(numbers);
  free(got);
  lw_quad_workspace_destroy(ws);
}

static void all_digits(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  for (int f = 0; f < GOLDEN_ARMS; ++f)
  {
    Json* file   = json_read_golden(golden_arms[f]);
    Robot* robot = golden_robot(file);
    for (size_t k = 0; k < sizeof asked / sizeof *asked; ++k)
      for (int i = -1; i < lw_method_count(); ++i)
        if (answers(i, asked[k].question)) check_method(file, robot, golden_arms[f], &asked[k], i);
    robot_free(robot);
    json_free(file);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(all_digits)};
  return cmocka_run_group_tests_name("113 bits against reference data", tests, NULL, NULL);
}
