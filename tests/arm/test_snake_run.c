// SPDX-License-Identifier: MIT
// Simulated snakes: golden trajectories, the energy function, and the path with wheels off the
// middle.
#include <math.h>
#include <stdlib.h>

#include "linkwork/arm.h"
#include "support/json.h"
#include "support/testing.h"

enum
{
  MAX_LINKS = 12,
  MAX_TIMES = 64
};

// Table II of nia2005.
static lwSnake* table2(int n, double wheel_offset)
{
  lwSnake* snake;
  lwSnakeDef def    = lw_snake_def();
  lwSnakeLink link  = lw_snake_link();
  link.length       = 0.2;
  link.mass         = 1;
  link.inertia      = 0.005;
  link.wheel_offset = wheel_offset;
  def.count         = n;
  def.alike         = true;
  def.links         = &link;
  def.name          = "Table II";
  assert_int_equal(lw_snake_create(&def, NULL, NULL, &snake), LW_OK);
  return snake;
}

static void zigzag(int n, double* theta)
{
  for (int k = 1; k <= n; ++k) theta[k - 1] = (k % 2 ? -1 : 1) * 3.14159265358979323846 / 6;
}

static void by_law(void* context, double t, const double* theta, const double u[2],
                   const double place[2], double* torque)
{
  (void)place;
  const lwSnake* snake = context;
  int n                = lw_snake_count(snake);
  (void)theta;
  (void)u;
  for (int k = 1; k < n; ++k) torque[k - 1] = sin(t) / (n - k);
}

// A run and its data.
typedef struct Case
{
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  lwSnakeRun* run;
  double theta[MAX_LINKS];
  lwSnakeSample sample;
} Case;

static void begin(Case* c, int n, double wheel_offset, const char* method,
                  const lwIntegratorDef* def)
{
  lwSnakeWorkspaceDef how = lw_snake_workspace_def();
  how.method              = method;
  c->snake                = table2(n, wheel_offset);
  c->sample               = (lwSnakeSample){.theta = c->theta};
  zigzag(n, c->theta);
  assert_int_equal(lw_snake_workspace_create(c->snake, &how, NULL, &c->ws), LW_OK);
  lwSnakeRunDef run = lw_snake_run_def();
  run.snake         = c->snake;
  run.ws            = c->ws;
  run.integrator    = *def;
  run.drive         = by_law;
  run.context       = c->snake;
  assert_int_equal(lw_snake_run_create(&run, NULL, &c->run), LW_OK);
  lw_snake_run_start(c->run, &c->sample);
}

static void end(Case* c)
{
  lw_snake_run_destroy(c->run);
  lw_snake_workspace_destroy(c->ws);
  lw_snake_destroy(c->snake);
}

static double kinetic(const Case* c)
{
  double energy          = 0;
  lwSnakeStates state    = {.theta = c->sample.theta, .u = c->sample.u};
  lwSnakeAnswers answers = {.kinetic = &energy};
  lw_snake_answer(c->snake, c->ws, &state, &answers);
  return energy;
}

static void close_to(const char* what, double t, double got, double expected, double bound)
{
  if (!(fabs(got - expected) <= bound))
    fail_msg("t = %g: %s is %.15g, expected %.15g, off by %.2g", t, what, got, expected,
             fabs(got - expected));
}

static void follow_golden(const Json* file, Case* c, double bound)
{
  int n     = lw_snake_count(c->snake);
  int count = json_get(file, "t")->count;
  double t[MAX_TIMES], theta[MAX_TIMES * MAX_LINKS], u[2 * MAX_TIMES], xy[2 * MAX_TIMES];
  double work[MAX_TIMES], energy[MAX_TIMES];
  json_numbers(file, "t", (size_t)count, t);
  json_numbers(file, "theta", (size_t)(count * n), theta);
  json_numbers(file, "u", 2 * (size_t)count, u);
  json_numbers(file, "xy", 2 * (size_t)count, xy);
  json_numbers(file, "work", (size_t)count, work);
  json_numbers(file, "kinetic", (size_t)count, energy);
  for (int i = 0; i < count; ++i)
  {
    assert_int_equal(lw_snake_run_to(c->run, t[i], &c->sample, NULL), LW_PROGRESS_ARRIVED);
    for (int k = 0; k < n; ++k) close_to("theta", t[i], c->theta[k], theta[i * n + k], bound);
    for (int k = 0; k < 2; ++k) close_to("u", t[i], c->sample.u[k], u[2 * i + k], bound);
    close_to("x", t[i], c->sample.x, xy[2 * i], bound);
    close_to("y", t[i], c->sample.y, xy[2 * i + 1], bound);
    close_to("work", t[i], c->sample.work, work[i], bound);
    close_to("kinetic", t[i], kinetic(c), energy[i], bound);
  }
}

// Every method follows them to 1e-8.
static void golden_trajectories(void** unused)
{
  (void)unused;
  static const char* const files[] = {"traj_snake_tableII_n3", "traj_snake_tableII_n6"};
  lwIntegratorDef def              = lw_integrator_def();
  def.method                       = "dopri";
  def.relative = def.absolute = 1e-12;
  for (int f = 0; f < 2; ++f)
  {
    Json* file = json_read_golden(files[f]);
    for (int m = 0; m < lw_snake_method_count(); ++m)
    {
      Case c;
      begin(&c, (int)json_number(file, "n"), 0, lw_snake_method(m)->name, &def);
      follow_golden(file, &c, 1e-8);
      end(&c);
    }
    json_free(file);
  }
}

// S = kinetic - work stays 0 within the accuracy of the integrator, with wheels anywhere on the
// links.
static void energy_function_is_constant(void** unused)
{
  (void)unused;
  static const double offsets[] = {0, 0.03, -0.04};
  for (int i = 0; i < 6; ++i)
  {
    Case c;
    double peak = 0, off = 0;
    lwIntegratorDef def = lw_integrator_def();
    def.method          = i < 3 ? "rk4" : "dopri";
    def.step            = 2.5e-4;
    begin(&c, 8, offsets[i % 3], "kane-linear", &def);
    for (int k = 1; k <= 100; ++k)
    {
      assert_int_equal(lw_snake_run_to(c.run, 0.02 * k, &c.sample, NULL), LW_PROGRESS_ARRIVED);
      peak = fmax(peak, kinetic(&c));
      off  = fmax(off, fabs(kinetic(&c) - c.sample.work));
    }
    assert_greater(peak, 0.01);
    if (!(off < 1e-6 * peak)) fail_msg("%s: S is off by %g of %g", def.method, off, peak);
    end(&c);
  }
}

// The path of the middle of link 1 is the integral of its velocity from lw_snake_answer(), and rk4
// agrees with dopri.
static void path_has_its_velocity(void** unused)
{
  (void)unused;
  Case c;
  double rates[2], before[2], after[2], h = 1e-4;
  lwIntegratorDef def = lw_integrator_def();
  def.step            = 1e-4;
  begin(&c, 5, 0.05, "kane-linear", &def);
  assert_int_equal(lw_snake_run_to(c.run, 1 - h, &c.sample, NULL), LW_PROGRESS_ARRIVED);
  before[0] = c.sample.x, before[1] = c.sample.y;
  assert_int_equal(lw_snake_run_to(c.run, 1, &c.sample, NULL), LW_PROGRESS_ARRIVED);
  lwSnakeStates state    = {.theta = c.theta, .u = c.sample.u};
  lwSnakeAnswers answers = {.rates = rates};
  lw_snake_answer(c.snake, c.ws, &state, &answers);
  assert_int_equal(lw_snake_run_to(c.run, 1 + h, &c.sample, NULL), LW_PROGRESS_ARRIVED);
  after[0] = c.sample.x, after[1] = c.sample.y;
  for (int k = 0; k < 2; ++k)
    close_to("velocity", 1, (after[k] - before[k]) / (2 * h), rates[k], 1e-6);
  assert_greater(fabs(rates[0]) + fabs(rates[1]), 0.01);
  end(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(golden_trajectories),
      cmocka_unit_test(energy_function_is_constant),
      cmocka_unit_test(path_has_its_velocity),
  };
  return cmocka_run_group_tests_name("snakes over time", tests, NULL, NULL);
}
