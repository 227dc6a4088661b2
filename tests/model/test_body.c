// SPDX-License-Identifier: MIT
// Rigidly joined bodies against the sum over their point masses, and massless bodies.
#include "support/testing.h"

#include <math.h>

#include "base/random.h"
#include "linkwork/model.h"

enum
{
  POINTS = 9
};

// Mass, centre of mass and inertia of point masses by their definitions.
static lwLinkDef sum_of(const double (*points)[4], int count)
{
  lwLinkDef body = {0};
  for (int k = 0; k < count; ++k)
  {
    body.mass += points[k][3];
    for (int i = 0; i < 3; ++i) body.com[i] += points[k][3] * points[k][i];
  }
  for (int i = 0; i < 3; ++i) body.com[i] /= body.mass;
  for (int k = 0; k < count; ++k)
  {
    double m = points[k][3], r[3];
    for (int i = 0; i < 3; ++i) r[i] = points[k][i] - body.com[i];
    body.inertia[0] += m * (r[1] * r[1] + r[2] * r[2]);
    body.inertia[1] += m * (r[0] * r[0] + r[2] * r[2]);
    body.inertia[2] += m * (r[0] * r[0] + r[1] * r[1]);
    body.inertia[3] -= m * r[0] * r[1];
    body.inertia[4] -= m * r[0] * r[2];
    body.inertia[5] -= m * r[1] * r[2];
  }
  return body;
}

// Some ten sums of numbers of size 1 to 10: 100 roundings are enough.
static void check_same(const lwLinkDef* got, const lwLinkDef* expected)
{
  const double bound = 100 * 2.3e-16 * 50;
  assert_near(got->mass, expected->mass, bound);
  for (int i = 0; i < 3; ++i) assert_near(got->com[i], expected->com[i], bound);
  for (int i = 0; i < 6; ++i) assert_near(got->inertia[i], expected->inertia[i], bound);
}

static void points_in_two_bodies(void** state)
{
  (void)state;
  for (uint64_t seed = 1; seed <= 100; ++seed)
  {
    lwRandom random = {seed};
    double points[POINTS][4];
    for (int k = 0; k < POINTS; ++k)
    {
      for (int i = 0; i < 3; ++i) points[k][i] = lw_random_between(&random, -1, 1);
      points[k][3] = lw_random_between(&random, 0.1, 2);
    }
    lwLinkDef whole = sum_of(points, POINTS), link = sum_of(points, 4);
    lwLinkDef body = sum_of(points + 4, POINTS - 4);
    lw_link_def_add(&link, body.mass, body.com, body.inertia);
    check_same(&link, &whole);
  }
}

static void without_mass(void** state)
{
  (void)state;
  const double com[3] = {1, 2, 3}, inertia[6] = {4, 5, 6, 0.1, 0.2, 0.3}, zeros[6] = {0};
  lwLinkDef link = {.com = {7, 8, 9}};
  lw_link_def_add(&link, 2, com, inertia);  // a massless link takes the body's properties
  lwLinkDef body = {.mass = 2, .com = {1, 2, 3}, .inertia = {4, 5, 6, 0.1, 0.2, 0.3}};
  check_same(&link, &body);
  lw_link_def_add(&link, 0, zeros, zeros);
  check_same(&link, &body);
  lwLinkDef nothing = {.com = {7, 8, 9}};
  lw_link_def_add(&nothing, 0, com, inertia);
  assert_same(nothing.mass, 0);
  assert_same(nothing.com[0], 7);
  assert_same(nothing.inertia[3], 0.1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(points_in_two_bodies),
                                     cmocka_unit_test(without_mass)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
