// SPDX-License-Identifier: MIT
// Angles of many turns: adding an offset loses no digits, neither one by one nor in lanes.
#include <float.h>
#include <math.h>
#include <string.h>

#include "linkwork/dynamics.h"
#include "linkwork/read.h"
#include "support/testing.h"

static const char TEXT[] = "linkwork: 1\nname: rod\ndh: standard\njoints:\n"
                           "  - {name: a, type: revolute, alpha: 0, a: 1, d: 0, theta: 0.7,\n"
                           "     link: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n";

static const double FAR[] = {0.3, 63.9, 64.1, 1e3, -1e4, 1e5, 823000, 1e6, -1e6, 1e9, 0x1p40};
enum
{
  COUNT = sizeof FAR / sizeof *FAR
};

// The true tip of the rod, by the addition theorem: the sum itself would be rounded.
static void check_tip(const double p[3], double q)
{
  long double s = sinl(q), c = cosl(q), offset_s = sinl(0.7), offset_c = cosl(0.7);
  assert_at_most(fabsl(c * offset_c - s * offset_s - (long double)p[0]),
                 2 * (long double)DBL_EPSILON);
  assert_at_most(fabsl(s * offset_c + c * offset_s - (long double)p[1]),
                 2 * (long double)DBL_EPSILON);
}

static void offsets_cost_no_digits(void** state)
{
  (void)state;
  if (LDBL_MANT_DIG < 64) skip();
  lwModel* model  = NULL;
  lwWorkspace* ws = NULL;
  double torque[COUNT], one;
  assert_int_equal(lw_robot_read_text("rod.yaml", TEXT, strlen(TEXT), NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  lw_answer_many(model, ws, LW_QUESTION_GRAVITY, COUNT, &(lwStates){.q = FAR}, torque);
  for (int i = 0; i < COUNT; ++i)
  {
    double p[3], R[9];
    lw_pose(model, ws, &FAR[i], p, R);
    check_tip(p, FAR[i]);
    lw_answer_many(model, ws, LW_QUESTION_GRAVITY, 1, &(lwStates){.q = &FAR[i]}, &one);
    assert_same(one, torque[i]);  // the same bits in lanes
  }
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(offsets_cost_no_digits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
