// SPDX-License-Identifier: MIT
// Derivatives of the motion of snakes by dual numbers against differences in 113 bits, by every
// method.
//
// The differences are central, with steps of 2^-30 and 2^-31 and Richardson extrapolation, so the
// error is of fourth order in the step. The two steps differ by the second-order error, which shows
// how accurate they are; the test fails if this is not far below the bound (REFERENCE).
// The bound is BOUND times the largest derivative of that snake with respect to any number; 200
// random snakes of 2 to 8 links stay within 1e-14. Relative to the derivatives with respect to a
// single number the error is up to 4e-12, because small derivatives are differences of large,
// rounded terms.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/quad.h"
#include "linkwork/slopes.h"
#include "support/snakes.h"
#include "support/testing.h"

static const double STEP      = 0x1p-30;
static const double BOUND     = 1e-13;
static const double REFERENCE = 1e-14;

enum
{
  SEEDS        = 6,
  MOST         = 8,  // links
  MOST_NUMBERS = 6 * MOST + 1,
  ANSWERS      = 2 + 2 * MOST
};

// udot, lambda and omega of one state
static void quad_motion(const lwSnakeLink* links, int n, const lwSnakeStates* state, lwQuad* out)
{
  lwSnake* snake = snake_of(links, n);
  double part[3][ANSWERS];
  lwSnakeAnswers parts[3];
  for (int i = 0; i < 3; ++i)
    parts[i] = (lwSnakeAnswers){.udot = part[i], .lambda = part[i] + 2, .omega = part[i] + 2 + n};
  assert_int_equal(lw_quad_snake_answer(snake, NULL, state, parts, NULL), LW_OK);
  for (int k = 0; k < 2 + 2 * n; ++k)
    for (int i = 0; i < 3; ++i) out[k].part[i] = part[i][k];
  lw_snake_destroy(snake);
}

// Variable k: theta, u and torque of the state, then the constants of the links, kind by kind.
static double* number_at(lwSnakeLink* links, int n, SnakeStates* states, int k)
{
  if (k < n) return &states->theta[k];
  if (k < n + 2) return &states->u[k - n];
  if (k < 2 * n + 1) return &states->torque[k - n - 2];
  int kind = (k - 2 * n - 1) / n, link = (k - 2 * n - 1) % n;
  double* of[] = {&links[link].length, &links[link].mass, &links[link].inertia,
                  &links[link].wheel_offset};
  return of[kind];
}

static void direction_of(int n, int k, double* unit, lwSnakeTangent* direction)
{
  *direction = (lwSnakeTangent){0};
  memset(unit, 0, MOST * sizeof *unit);
  if (k < n)
    direction->theta = unit, unit[k] = 1;
  else if (k < n + 2)
    direction->u = unit, unit[k - n] = 1;
  else if (k < 2 * n + 1)
    direction->torque = unit, unit[k - n - 2] = 1;
  else
    direction->parameters[(k - 2 * n - 1) / n] = unit, unit[(k - 2 * n - 1) % n] = 1;
}

static void central(lwSnakeLink* links, int n, SnakeStates* states, int k, double step,
                    double* slope)
{
  lwQuad sides[2][ANSWERS];
  double moved[2], *at = number_at(links, n, states, k), old = *at;
  for (int side = 0; side < 2; ++side)
  {
    *at         = old + (side ? -step : step);
    moved[side] = *at;
    quad_motion(links, n, &states->rows, sides[side]);
  }
  *at = old;
  for (int i = 0; i < 2 + 2 * n; ++i)
  {
    double gap = 0;
    for (int part = 0; part < 3; ++part) gap += sides[0][i].part[part] - sides[1][i].part[part];
    slope[i] = gap / (moved[0] - moved[1]);
  }
}

static double largest(const double* values, int count)
{
  double most = 0;
  for (int i = 0; i < count; ++i) most = fmax(most, fabs(values[i]));
  return most;
}

// Returns the difference between the two steps, relative to the largest entry.
static double difference(lwSnakeLink* links, int n, SnakeStates* states, int k, double* slope)
{
  int count = 2 + 2 * n;
  double one[ANSWERS], half[ANSWERS], apart = 0;
  central(links, n, states, k, STEP, one);
  central(links, n, states, k, STEP / 2, half);
  for (int i = 0; i < count; ++i)
  {
    slope[i] = half[i] + (half[i] - one[i]) / 3;
    apart    = fmax(apart, fabs(half[i] - one[i]));
  }
  return apart / fmax(largest(slope, count), 1);
}

static void compare_method(const lwSnake* snake, int method, const lwSnakeStates* state, int k,
                           const double* right, double scale)
{
  int n                   = lw_snake_count(snake);
  lwSnakeWorkspaceDef def = lw_snake_workspace_def();
  def.method              = lw_snake_method(method)->name;
  double unit[MOST], got[ANSWERS];
  lwSnakeTangent direction;
  direction_of(n, k, unit, &direction);
  lwSnakeAnswers slopes = {.udot = got, .lambda = got + 2, .omega = got + 2 + n};
  assert_int_equal(lw_snake_differentiate(snake, &def, state, &direction, 1, &slopes), LW_OK);
  for (int i = 0; i < 2 + 2 * n; ++i)
    if (!(fabs(got[i] - right[i]) <= BOUND * scale))
      fail_msg("%s, %d links, number %d, entry %d: %.17g instead of %.17g", def.method, n, k, i,
               got[i], right[i]);
}

static void check_snake(uint64_t seed)
{
  int n = 2 + (int)(seed % 4), numbers       = 6 * n + 1;
  double right[MOST_NUMBERS][ANSWERS], scale = 0;
  lwSnake* snake     = random_snake(seed, n, seed % 2 ? 0.3 : 0);
  SnakeStates states = random_snake_states(seed, n, 1, 1);
  lwSnakeLink links[MOST];
  for (int i = 0; i < n; ++i) links[i] = lw_snake_get(snake, i);
  for (int k = 0; k < numbers; ++k)
  {
    double unsure = difference(links, n, &states, k, right[k]);
    if (!(unsure <= REFERENCE))
      fail_msg("seed %d, number %d: differences disagree by %.2g", (int)seed, k, unsure);
    scale = fmax(scale, largest(right[k], 2 + 2 * n));
  }
  for (int k = 0; k < numbers; ++k)
    for (int i = 0; i < lw_snake_method_count(); ++i)
      compare_method(snake, i, &states.rows, k, right[k], scale);
  snake_states_free(&states);
  lw_snake_destroy(snake);
}

static void every_number(void** unused)
{
  (void)unused;
  if (!lw_quad_available()) skip();
  for (uint64_t seed = 1; seed <= SEEDS; ++seed) check_snake(seed);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_number)};
  return cmocka_run_group_tests_name("derivatives of snakes against 113-bit differences", tests,
                                     NULL, NULL);
}
