// SPDX-License-Identifier: MIT
// cmocka with the headers it needs, and assertions that print both values when they fail.
#ifndef LW_TESTS_TESTING_H
#define LW_TESTS_TESTING_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// For numbers of any type: long double holds every double, float and 64-bit integer without
// rounding. A NaN on either side fails, except in assert_different(). For equal integers use
// cmocka's assert_int_equal().
#define assert_less(a, b)      assert_numbers(a, <, b, #a " < " #b)
#define assert_at_most(a, b)   assert_numbers(a, <=, b, #a " <= " #b)
#define assert_greater(a, b)   assert_numbers(a, >, b, #a " > " #b)
#define assert_at_least(a, b)  assert_numbers(a, >=, b, #a " >= " #b)
#define assert_same(a, b)      assert_numbers(a, ==, b, #a " == " #b)
#define assert_different(a, b) assert_numbers(a, !=, b, #a " != " #b)

// |got - expected| <= bound, or < bound for assert_closer(); computed in double, as by fabs().
#define assert_near(got, expected, bound)                                                          \
  assert_distance(got, expected, <=, bound, "|" #got " - " #expected "| <= " #bound)
#define assert_closer(got, expected, bound)                                                        \
  assert_distance(got, expected, <, bound, "|" #got " - " #expected "| < " #bound)

#define assert_finite(a)   assert_kind(a, isfinite, "finite " #a)
#define assert_infinite(a) assert_kind(a, isinf, "infinite " #a)
#define assert_nan(a)      assert_kind(a, isnan, "NaN as " #a)

// The text contains this part.
#define assert_contains(text, part) check_contains(#text, text, part, __FILE__, __LINE__)

// Used by the macros above. Arguments are evaluated once.
#define assert_numbers(a, relation, b, text)                                                       \
  do                                                                                               \
  {                                                                                                \
    const long double left_ = (long double)(a), right_ = (long double)(b);                         \
    if (!(left_ relation right_)) numbers_fail(text, left_, right_, __FILE__, __LINE__);           \
  } while (0)
#define assert_distance(got, expected, relation, bound, text)                                      \
  do                                                                                               \
  {                                                                                                \
    const double got_ = (double)(got), expected_ = (double)(expected), bound_ = (double)(bound);   \
    if (!(fabs(got_ - expected_) relation bound_))                                                 \
      distance_fail(text, got_, expected_, bound_, __FILE__, __LINE__);                            \
  } while (0)
#define assert_kind(a, is, text)                                                                   \
  do                                                                                               \
  {                                                                                                \
    const double value_ = (double)(a);                                                             \
    if (!is(value_)) kind_fail(text, value_, __FILE__, __LINE__);                                  \
  } while (0)

// How many cases a test takes: fewer where sanitizers or gcov make it ten times as slow.
#ifdef LW_TEST_SANITIZED
#define CASES(usual, instrumented) (instrumented)
#else
#define CASES(usual, instrumented) (usual)
#endif

// Fail the test with the line of the assertion, what was expected and the values found.
void numbers_fail(const char* text, long double left, long double right, const char* file,
                  int line);
void distance_fail(const char* text, double got, double expected, double bound, const char* file,
                   int line);
void kind_fail(const char* text, double value, const char* file, int line);
void check_contains(const char* what, const char* text, const char* part, const char* file,
                    int line);

#endif
