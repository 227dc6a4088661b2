// SPDX-License-Identifier: MIT
// The scalar that counts: which operations are executed, and which of them a program made for one
// robot would still contain.
#define LW_SCALAR_count
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "math/real.h"

#include <string.h>

#include "testing.h"

static const REAL STATE = {3, false}, OTHER = {4, false};

static lwCount counted(REAL (*operation)(REAL a, REAL b), REAL a, REAL b, REAL* result)
{
  lw_tally = (lwCount){0};
  *result  = operation(a, b);
  return lw_tally;
}

static REAL add_(REAL a, REAL b)
{
  return r_add(a, b);
}

static REAL subtract(REAL a, REAL b)
{
  return r_sub(a, b);
}

static REAL multiply(REAL a, REAL b)
{
  return r_mul(a, b);
}

static REAL divide(REAL a, REAL b)
{
  return r_div(a, b);
}

// Each operation is executed once; it is folded away if one side is a constant that makes it
// trivial, or if both are constants, and then its result is a constant, too.
static void trivial_operations_are_folded(void** state)
{
  (void)state;
  const struct
  {
    REAL (*operation)(REAL a, REAL b);
    REAL a, b;
    double value;
    bool counted, off_line;
  } cases[] = {
      {add_, STATE, OTHER, 7, true, false},
      {add_, STATE, constant(2), 5, true, false},
      {add_, STATE, constant(0), 3, false, false},
      {add_, constant(0), STATE, 3, false, false},
      {add_, constant(2), constant(5), 7, false, true},
      {subtract, constant(0), STATE, -3, false, false},
      {subtract, STATE, (REAL){0, false}, 3, true, false},
      {multiply, STATE, OTHER, 12, true, false},
      {multiply, STATE, constant(2), 6, true, false},
      {multiply, STATE, constant(-1), -3, false, false},
      {multiply, constant(1), STATE, 3, false, false},
      {multiply, constant(0), STATE, 0, false, true},
      {multiply, STATE, (REAL){1, false}, 3, true, false},
      {multiply, constant(2), constant(5), 10, false, true},
      {divide, STATE, OTHER, 0.75, true, false},
      {divide, STATE, constant(-1), -3, false, false},
      {divide, constant(0), STATE, 0, false, true},
      {divide, constant(1), STATE, 1.0 / 3, true, false},
      {divide, constant(1), constant(4), 0.25, false, true},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    REAL result;
    lwCount count = counted(cases[i].operation, cases[i].a, cases[i].b, &result);
    long folded   = (long)(count.add + count.mul + count.div);
    assert_int_equal(count.executed_add + count.executed_mul + count.executed_div, 1);
    if (folded != cases[i].counted || result.off_line != cases[i].off_line)
      fail_msg("case %zu: %ld operations, %s", i, folded, result.off_line ? "constant" : "not");
    assert_same(result.value, cases[i].value);
  }
}

static void roots_of_constants_are_free(void** state)
{
  (void)state;
  lw_tally = (lwCount){0};
  assert_same(r_sqrt(constant(9)).value, 3);
  assert_int_equal(lw_tally.sqrt, 0);
  assert_same(r_sqrt(OTHER).value, 2);
  assert_int_equal(lw_tally.sqrt, 1);
  assert_int_equal(lw_tally.executed_sqrt, 2);
  assert_same(r_neg(STATE).value, -3);
  assert_int_equal(lw_tally.mul + lw_tally.add, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trivial_operations_are_folded),
      cmocka_unit_test(roots_of_constants_are_free),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
