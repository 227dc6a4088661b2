// SPDX-License-Identifier: MIT
// Converts numbers to text and back and compares with printf() and strtod() in the C locale, to the
// last bit, for numbers of every size and texts that are hard to round.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/random.h"
#include "testing.h"

static void check_read(const char* text)
{
  const char* end = text;
  char* wanted    = NULL;
  double value = NAN, expected = strtod(text, &wanted);
  bool number = lw_number_read(&end, &value);
  if (number && end == wanted && memcmp(&value, &expected, sizeof value) == 0) return;
  fail_msg("%.200s is read as %a up to %.20s, expected %a", text, value, end, expected);
}

// Number of significant digits, without leading and trailing zeros.
static int digits_in(const char* text)
{
  int count = 0, zeros = 0;
  for (; *text && *text != 'e'; ++text)
  {
    if (*text < '0' || *text > '9') continue;
    zeros = *text == '0' ? zeros + 1 : 0;
    if (count > 0 || *text != '0') ++count;
  }
  return count > zeros ? count - zeros : count;
}

// The smallest number of digits, at least 15, from which the C library reads back the same number.
static int digits_needed(double v)
{
  char text[64];
  for (int digits = 15; digits <= 17; ++digits)
  {
    snprintf(text, sizeof text, "%.*e", digits - 1, v);
    if (strtod(text, NULL) == v) return digits_in(text);
  }
  return 0;
}

static void check_number(double v)
{
  char text[LW_NUMBER_SIZE];
  int length  = lw_number_write(v, text);
  double back = strtod(text, NULL);
  assert_int_equal(length, strlen(text));
  if (memcmp(&back, &v, sizeof v) != 0) fail_msg("%.17g is written as %s", v, text);
  if (!isfinite(v)) return;
  if (v != 0 && digits_in(text) != digits_needed(v))
    fail_msg("%.17g is written as %s, %d digits are enough", v, text, digits_needed(v));
  check_read(text);
  for (int digits = 0; digits < 26; digits += 5)
  {
    char exact[64];
    snprintf(exact, sizeof exact, "%.*e", digits, v);
    check_read(exact);
  }
}

static void check_near(double v)
{
  check_number(v);
  check_number(nextafter(v, 0));
  check_number(nextafter(v, INFINITY));
  check_number(-v);
}

static double random_double(lwRandom* random)
{
  uint64_t bits = lw_random_bits(random);
  double v;
  memcpy(&v, &bits, sizeof v);
  return v;
}

static void numbers_of_every_size(void** state)
{
  (void)state;
  for (int e = -30; e < 30; ++e)
    for (int k = 1; k < 100; ++k) check_near(k * pow(10, e));
  for (int i = -2000; i < 2000; ++i)
  {
    check_number(i);
    check_number(i * 0.0625);
    check_number(i * 0.001);
  }
  for (int e = -1074; e < 1024; ++e) check_near(ldexp(1, e));
  check_near(0);
  check_near(0x1p52);
  check_number(INFINITY);
  lwRandom random = {1};
  for (int i = 0; i < 100000; ++i)
  {
    double v = random_double(&random);
    if (isfinite(v)) check_number(v);
    check_number(lw_random_between(&random, -10, 10));
    check_number(ldexp((double)(int64_t)lw_random_bits(&random), -(int)(i % 140)));
  }
}

static void texts_that_are_hard_to_round(void** state)
{
  (void)state;
  static const char* const texts[] = {"9007199254740993",
                                      "9007199254740992.9999999999999999999999",
                                      "9007199254740993.0000000000000000001",
                                      "4503599627370496.5",
                                      "2.4703282292062327208e-324",
                                      "2.4703282292062327209e-324",
                                      "4.9e-324",
                                      "2.47e-324",
                                      "2.2250738585072011e-308",
                                      "2.2250738585072012e-308",
                                      "2.225073858507201136057409796709131975934819546351645e-308",
                                      "1.7976931348623157e308",
                                      "1.7976931348623158e308",
                                      "1.7976931348623159e308",
                                      "1.7976931348623158079372897e308",
                                      "1e309",
                                      "-1e309",
                                      "1e400",
                                      "1e-400",
                                      "1e999999999999999999999",
                                      "1e-999999999999999999999",
                                      "0e999999999999",
                                      "-0",
                                      "-0.0e5",
                                      "+.5",
                                      "5.",
                                      "1e",
                                      "1e+",
                                      "1.5e-",
                                      "1.5.5",
                                      "00000000000000000000000001",
                                      "8.5e22",
                                      "7.2057594037927933e16",
                                      "1.448997445238699",
                                      "6929495644600919.5",
                                      "3.5",
                                      "1e23"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) check_read(texts[i]);
}

// Zeros before or after the point, compensated by an exponent.
static void zeros_and_an_exponent_cancel(void** state)
{
  (void)state;
  char text[1200];
  for (int zeros = 0; zeros < 1000; ++zeros)
  {
    snprintf(text, sizeof text, "0.%0*d1e%d", zeros, 0, zeros + 2);
    if (zeros == 0) snprintf(text, sizeof text, "0.1e1");
    check_read(text);
    snprintf(text, sizeof text, "12345%0*de-%d", zeros + 1, 0, zeros);
    check_read(text);
  }
  const char* end = text;
  double value    = 0;
  snprintf(text, sizeof text, "0.%0119d1e120", 0);
  assert_true(lw_number_read(&end, &value));
  assert_same(value, 1);
  end = text;
  snprintf(text, sizeof text, "0.%0119d1e100", 0);
  assert_true(lw_number_read(&end, &value));
  assert_same(value, 1e-20);
}

// The exact midpoint of two neighbours, and the same with one more digit far to the right.
static void middles_of_neighbours(void** state)
{
  (void)state;
  lwRandom random = {7};
  char text[2400];
  for (int i = 0; i < 3000; ++i)
  {
    double v =
        i % 3 ? random_double(&random) : ldexp(lw_random_between(&random, 0, 1), -1022 - i % 52);
    if (i % 3 == 1)
      v = ldexp((double)(lw_random_bits(&random) >> 11), (int)(lw_random_bits(&random) % 120) - 90);
    if (!isfinite(v) || fabs(v) > 0x1p1000) continue;
    // v and its neighbour differ by one unit, so their midpoint is exact in a long double of 64
    // bits
    long double middle = ((long double)v + (long double)nextafter(v, INFINITY)) / 2;
    snprintf(text, sizeof text, "%.1100Lf", middle);
    check_read(text);
    size_t length = strlen(text);
    memcpy(text + length, "0000000000000001", 17);
    check_read(text);
    snprintf(text, sizeof text, "%.760Le", middle);
    check_read(text);
  }
}

// Random texts of characters that occur in numbers: value and end are those of strtod().
static void random_texts(void** state)
{
  (void)state;
  static const char letters[] = "0123456789012345678900009999..eE+-";
  lwRandom random             = {3};
  for (int i = 0; i < 300000; ++i)
  {
    char text[64];
    int length = 1 + (int)(lw_random_bits(&random) % 40);
    for (int k = 0; k < length; ++k)
      text[k] = letters[lw_random_bits(&random) % (sizeof letters - 1)];
    text[length]    = 0;
    const char* end = text;
    char* wanted    = NULL;
    double value    = 0;
    strtod(text, &wanted);
    if (wanted == text)
      assert_false(lw_number_read(&end, &value));
    else
      check_read(text);
  }
}

static void what_is_no_number_is_refused(void** state)
{
  (void)state;
  static const char* const refused[] = {"",    "-",   ".",        "+-1", "e5", "nan",
                                        "inf", "x10", "infinity", ".e1", " 1"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
  {
    const char* end = refused[i];
    double value;
    assert_false(lw_number_read(&end, &value));
    assert_ptr_equal(end, refused[i]);
  }
}

static void as_people_write_them(void** state)
{
  (void)state;
  static const struct
  {
    double v;
    const char* text;
  } cases[] = {{0.03, "0.03"},
               {-9.81, "-9.81"},
               {0.1 + 0.2, "0.30000000000000004"},
               {1e-5, "1e-05"},
               {1e22, "1e+22"},
               {123456789, "123456789"},
               {1 / 3.0, "0.3333333333333333"},
               {0.5, "0.5"},
               {-0.0, "-0"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    char text[LW_NUMBER_SIZE];
    lw_number_write(cases[i].v, text);
    assert_string_equal(text, cases[i].text);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_of_every_size),
                                     cmocka_unit_test(as_people_write_them),
                                     cmocka_unit_test(texts_that_are_hard_to_round),
                                     cmocka_unit_test(zeros_and_an_exponent_cancel),
                                     cmocka_unit_test(middles_of_neighbours),
                                     cmocka_unit_test(random_texts),
                                     cmocka_unit_test(what_is_no_number_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
