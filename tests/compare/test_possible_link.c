// SPDX-License-Identifier: MIT
// Whether a link can have mass parameters, and which body is found where torques leave freedom.
#include "compare/torques/causes.h"
#include "identify/regressor.h"
#include "testing.h"

static const lwLinkDef ROD = {
    .mass = 2, .com = {0.3, 0, 0}, .inertia = {0.001, 0.06, 0.06, 0, 0, 0}};

static void bodies_can_be_added_and_negative_ones_cannot(void** state)
{
  (void)state;
  const double none[LW_LINK_PARAMETERS] = {0};
  double own[LW_LINK_PARAMETERS], change[LW_LINK_PARAMETERS], G[100] = {0};
  lw_link_parameters(&ROD, own);
  lw_link_parameters(&(lwLinkDef){.mass = 1, .com = {0.5, 0.1, 0}}, change);
  assert_true(lw_link_is_possible(own, change, G, false, none));
  for (int k = 0; k < LW_LINK_PARAMETERS; ++k) change[k] = -2 * own[k];
  assert_false(lw_link_is_possible(own, change, G, false, none));
}

// Torques that depend on Iyy alone: a change of Iyy that breaks the triangle rule by itself becomes
// possible with another Ixx and Izz, which nothing feels.
static void unfelt_parameters_move(void** state)
{
  (void)state;
  const double none[LW_LINK_PARAMETERS] = {0};
  double own[LW_LINK_PARAMETERS], change[LW_LINK_PARAMETERS] = {0}, G[100] = {0};
  lw_link_parameters(&ROD, own);
  change[5] = 0.3;
  assert_false(lw_link_is_possible(own, change, G, false, none));
  G[5 * LW_LINK_PARAMETERS + 5] = 1;
  assert_true(lw_link_is_possible(own, change, G, true, none));
  assert_near(change[5], 0.3, 1e-5);
  double Ixx = own[4] + change[4], Iyy = own[5] + change[5], Izz = own[6] + change[6];
  assert_at_most(Iyy, (Ixx + Izz) * (1 + 1e-5));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_can_be_added_and_negative_ones_cannot),
      cmocka_unit_test(unfelt_parameters_move),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
