// SPDX-License-Identifier: MIT
// number_check: app/io/number.c against printf("%.17g") and strtod(), to the last bit, on numbers of
// every size.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../app/io/number.h"
#include "../../src/base/random.h"

static int failures;

static void wrong(const char* what, const char* text, const char* expected)
{
  if (++failures <= 10) printf("%s %s, expected %s\n", what, text, expected);
}

static void check_parse(const char* text)
{
  const char* end = text;
  double value    = 0;
  double expected = strtod(text, NULL);
  bool number     = number_parse(&end, &value);
  if (!number || *end || memcmp(&value, &expected, sizeof value) != 0)
    wrong("read", text, "as strtod");
}

static void check(double v)
{
  char text[NUMBER_SIZE], expected[64];
  int length = number_format(v, text);
  snprintf(expected, sizeof expected, "%.17g", v);
  if (strcmp(text, expected) != 0 || length != (int)strlen(expected))
    wrong("wrote", text, expected);
  if (!isfinite(v)) return;
  check_parse(expected);
  for (int digits = 0; digits < 21; digits += 5)
  {
    snprintf(expected, sizeof expected, "%.*e", digits, v);
    check_parse(expected);
  }
}

static void check_near(double v)
{
  check(v);
  check(nextafter(v, 0));
  check(nextafter(v, INFINITY));
  check(-v);
}

static void check_refused(const char* text)
{
  double value;
  const char* end = text;
  if (number_parse(&end, &value) && *end == 0) wrong("read", text, "a refusal");
}

int main(void)
{
  static const char* const refused[] = {"",   "-",   ".",   "+-1",  "e5",
                                        "1e", "nan", "inf", "0x10", "1,5"};
  for (int i = 0; i < (int)(sizeof refused / sizeof refused[0]); ++i) check_refused(refused[i]);
  for (int e = -30; e < 30; ++e)
    for (int k = 1; k < 100; ++k) check_near(k * pow(10, e));
  for (int i = -2000; i < 2000; ++i)
  {
    check(i);
    check(i * 0.0625);
    check(i * 0.001);
  }
  check_near(0);
  check_near(0x1p52);
  check(INFINITY);
  lwRandom random = {1};
  for (int i = 0; i < 100000; ++i)
  {
    uint64_t bits = lw_random_bits(&random);
    double v;
    memcpy(&v, &bits, sizeof v);
    if (isfinite(v)) check(v);
    check(lw_random_between(&random, -10, 10));
    check(ldexp((double)(int64_t)bits, -(int)(bits % 140)));
  }
  if (failures) printf("%d failures\n", failures);
  return failures > 0;
}
