// SPDX-License-Identifier: MIT
// Simulates a snake in all coordinates: against the run in theta and u, with and without drift, and
// with slip and stops in many random runs.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/arm.h"
#include "support/check.h"
#include "support/snakes.h"
#include "support/testing.h"

#ifdef LW_TEST_SANITIZED
enum
{
  LOCKED_RUNS = 8
};
#else
enum
{
  LOCKED_RUNS = 60
};
#endif

enum
{
  MOST = 8
};

// Torques amplitude sin(frequency t + k).
typedef struct
{
  int n;
  double amplitude, frequency;
} Torques;

static void give_torques(void* context, double t, const double* theta, const double u[2],
                         const double place[2], double* torque)
{
  (void)place;
  const Torques* torques = context;
  (void)theta;
  (void)u;
  for (int k = 0; k + 1 < torques->n; ++k)
    torque[k] = torques->amplitude * sin(torques->frequency * t + k);
}

// sin(2 t + k) with joints counted from 1.
static void give_torques_from_1(void* context, double t, const double* theta, const double u[2],
                                const double place[2], double* torque)
{
  (void)place;
  const Torques* torques = context;
  (void)theta;
  (void)u;
  for (int k = 0; k + 1 < torques->n; ++k) torque[k] = sin(2 * t + k + 1);
}

typedef struct
{
  lwSnake* snake;
  Torques torques;
  lwSnakeRunDef def;
  lwSnakeRun* run;
  double theta[MOST], rates[MOST + 2];
  lwSnakeSample sample;
} Case;

// n links with friction limits from 0.5 to 3 N on most wheels, and stops on most joints.
static lwSnake* snake_with_limits(lwRandom* random, int n, bool slip, bool stops)
{
  lwSnakeLink links[MOST];
  for (int k = 0; k < n; ++k)
  {
    links[k]              = lw_snake_link();
    links[k].length       = lw_random_between(random, 0.15, 0.3);
    links[k].mass         = lw_random_between(random, 0.5, 1.5);
    links[k].inertia      = links[k].mass * links[k].length * links[k].length / 12;
    links[k].wheel_offset = lw_random_between(random, -0.1, 0.1) * links[k].length;
    double limit          = lw_random_between(random, 0.5, 3);
    if (slip && lw_random_between(random, 0, 1) < 0.9) links[k].friction_limit = limit;
    if (stops && k + 1 < n && lw_random_between(random, 0, 1) < 0.9)
    {
      links[k].lower = lw_random_between(random, -0.8, -0.2);
      links[k].upper = lw_random_between(random, 0.2, 0.8);
    }
  }
  return snake_of(links, n);
}

static void case_start(Case* c, lwRandom* random)
{
  int n          = lw_snake_count(c->snake);
  c->def.snake   = c->snake;
  c->def.drive   = give_torques;
  c->def.context = &c->torques;
  c->torques     = (Torques){n, lw_random_between(random, 0.1, 1), lw_random_between(random, 1, 9)};
  for (int k = 0; k < n; ++k) c->theta[k] = lw_random_between(random, -0.1, 0.1);
  c->sample = (lwSnakeSample){.theta = c->theta, .u = {lw_random_between(random, -1, 1), 0}};
  assert_int_equal(lw_snake_run_create(&c->def, NULL, &c->run), LW_OK);
  lw_snake_run_start(c->run, &c->sample);
  c->sample.rates = c->rates;
}

static void case_end(Case* c)
{
  lw_snake_run_destroy(c->run);
  lw_snake_destroy(c->snake);
}

static void assert_within_stops(const Case* c)
{
  for (int k = 0; k + 1 < lw_snake_count(c->snake); ++k)
  {
    lwSnakeLink link = lw_snake_get(c->snake, k);
    double phi       = c->theta[k + 1] - c->theta[k];
    assert_at_least(phi, link.lower - 1e-11);
    assert_at_most(phi, link.upper + 1e-11);  // 1e-12 and rounding
  }
}

// Invariants: no joint is beyond its stop, losses never decrease, and energy balances.
static void run_and_watch(Case* c, double duration, double tolerance)
{
  double slip = 0, stop = 0, S0 = 0;
  for (int i = 0; i <= 50; ++i)
  {
    lwProgress progress = lw_snake_run_to(c->run, duration * i / 50, &c->sample, NULL);
    assert_int_equal(progress, LW_PROGRESS_ARRIVED);
    if (c->def.stops) assert_within_stops(c);
    double scale = lw_snake_run_audit(c->run).peak_kinetic + c->sample.slip_loss;
    assert_at_least(c->sample.slip_loss, slip - 1e-12 * scale);
    assert_at_least(c->sample.stop_loss, stop - 1e-12 * scale);
    slip = c->sample.slip_loss;
    stop = c->sample.stop_loss;
    if (i == 0) S0 = c->sample.S;
    assert_near(c->sample.S, S0, tolerance * scale);
  }
}

static void slip_and_stops(void** unused)
{
  (void)unused;
  long hits = 0, slips = 0;
  for (uint64_t seed = 1; seed <= 42; ++seed)
  {
    lwRandom random = {seed};
    Case c          = {.def = lw_snake_run_def()};
    c.def.slip      = seed % 3 != 0;
    c.def.stops     = seed % 3 != 1;
    c.snake = snake_with_limits(&random, 2 + (int)(seed % (MOST - 1)), c.def.slip, c.def.stops);
    c.def.integrator.method = "dop853";
    case_start(&c, &random);
    run_and_watch(&c, 0.5, 1e-7);  // tolerances of 1e-9 in every step
    lwAudit audit = lw_snake_run_audit(c.run);
    assert_true(audit.trusted);
    hits += audit.counts[LW_NOTE_HIT];
    slips += audit.counts[LW_NOTE_SLIP];
    case_end(&c);
  }
  assert_greater(hits, 30);
  assert_greater(slips, 50);  // otherwise too little was tested
}

// A joint that an impact throws off its stop, less far than a coarse step resolves, must not hit it
// again and again without end: so ended 38 of 100 runs with bdf and 1e-5.
static void coarse_steps_leave_no_bounces(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 20; ++seed)
    for (int i = 4; i <= 6; ++i)
    {
      lwRandom random = {seed};
      Case c          = {.def = lw_snake_run_def()};
      c.def.slip = c.def.stops  = true;
      c.def.integrator.method   = "bdf";
      c.def.integrator.relative = c.def.integrator.absolute = pow(10, -i);
      c.snake = snake_with_limits(&random, 3 + (int)(seed % (MOST - 2)), true, true);
      case_start(&c, &random);
      c.torques.amplitude *= 5;
      run_and_watch(&c, 3, 0.05);
      assert_true(lw_snake_run_audit(c.run).trusted);
      case_end(&c);
    }
}

// Three links with strong torques.
static void give_strong_torques(void* context, double t, const double* theta, const double u[2],
                                const double place[2], double* torque)
{
  (void)place;
  (void)context, (void)theta, (void)u;
  for (int k = 0; k < 2; ++k) torque[k] = 1.55 * sin(4.81 * t + 1.85 * (k + 1));
}

static lwSnake* strong_snake(void)
{
  lwSnakeLink links[3];
  for (int k = 0; k < 3; ++k)
  {
    static const double L[] = {0.271, 0.329, 0.364}, m[] = {2.45, 0.206, 2.12};
    static const double J[] = {0.00402, 0.0145, 0.0323}, limit[] = {7.09, 4.74, 3.87};
    links[k]                = lw_snake_link();
    links[k].length         = L[k];
    links[k].mass           = m[k];
    links[k].inertia        = J[k];
    links[k].friction_limit = limit[k];
  }
  links[0].wheel_offset = 0.0424;
  links[0].lower = -1.03, links[0].upper = 0.604;
  links[1].lower = -0.832, links[1].upper = 0.16;
  return snake_of(links, 3);
}

// A wheel that begins to slip is slower than the errors of a step at first. That must not count as a
// stop, again and again without end. The energy error is that of the tolerance, times the steps.
static void every_integrator_slips(void** unused)
{
  (void)unused;
  for (int m = 0; m < lw_integrator_method_count(); ++m)
  {
    Case c     = {.def = lw_snake_run_def(), .snake = strong_snake()};
    c.def.slip = c.def.stops  = true;
    c.def.integrator.method   = lw_integrator_method(m)->name;
    c.def.integrator.relative = c.def.integrator.absolute = 1e-7;
    c.def.snake                                           = c.snake;
    c.def.drive                                           = give_strong_torques;
    c.theta[1]                                            = -0.0432;
    c.theta[2]                                            = 0.0063;
    c.sample = (lwSnakeSample){.theta = c.theta, .u = {0.79, 0.95}};
    assert_int_equal(lw_snake_run_create(&c.def, NULL, &c.run), LW_OK);
    lw_snake_run_start(c.run, &c.sample);
    c.sample.rates = c.rates;
    run_and_watch(&c, 4, 1e-4);
    assert_true(lw_snake_run_audit(c.run).trusted);
    case_end(&c);
  }
}

// Wheels that hold and joints at stops may leave one motion, in which the sideways speed of the last
// wheel vanishes while the snake moves on: that wheel must not be held, or all motion ends at once.
static lwSnake* snake_at_stops(void)
{
  static const double L[] = {0.18, 0.27, 0.31, 0.27, 0.36}, m[] = {1, 0.24, 1.5, 2.9, 1.1};
  static const double J[]     = {0.0021, 0.0027, 0.013, 0.0195, 0.007};
  static const double limit[] = {4.2, 30, 1.35, 20, 30};
  static const double lower[] = {-0.88, -1.1, -0.68, -0.73}, upper[] = {0.68, 0.7, 0.9, 0.76};
  lwSnakeLink links[5];
  for (int k = 0; k < 5; ++k)
  {
    links[k]                = lw_snake_link();
    links[k].length         = L[k];
    links[k].mass           = m[k];
    links[k].inertia        = J[k];
    links[k].friction_limit = limit[k];
    links[k].wheel_offset   = k == 1 ? 0.058 : 0;
    if (k < 4) links[k].lower = lower[k], links[k].upper = upper[k];
  }
  return snake_of(links, 5);
}

static void the_last_wheel_slips_on(void** unused)
{
  (void)unused;
  static const double theta[] = {0.08, -0.03, -0.16, 0.17, -0.2};
  Case c     = {.def = lw_snake_run_def(), .snake = snake_at_stops(), .torques = {5, 1, 2}};
  c.def.slip = c.def.stops = true;
  c.def.integrator.method  = "dopri";
  c.def.snake              = c.snake;
  c.def.drive              = give_torques_from_1;
  c.def.context            = &c.torques;
  memcpy(c.theta, theta, sizeof theta);
  c.sample = (lwSnakeSample){.theta = c.theta, .u = {-0.88, -0.59}};
  assert_int_equal(lw_snake_run_create(&c.def, NULL, &c.run), LW_OK);
  lw_snake_run_start(c.run, &c.sample);
  c.sample.rates = c.rates;
  run_and_watch(&c, 6, 1e-7);
  case_end(&c);
}

// Long runs with wheels from slippery to strong: about one in twelve has such a moment.
static void wheels_that_cannot_roll_together(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= LOCKED_RUNS; ++seed)
  {
    lwRandom random = {1000 + seed};
    Case c          = {.def = lw_snake_run_def()};
    int n           = 4 + (int)(seed % (MOST - 3));
    lwSnakeLink links[MOST];
    for (int k = 0; k < n; ++k)
    {
      links[k]         = lw_snake_link();
      links[k].length  = lw_random_between(&random, 0.12, 0.4);
      links[k].mass    = lw_random_between(&random, 0.2, 3);
      links[k].inertia = links[k].mass * links[k].length * links[k].length *
                         lw_random_between(&random, 0.05, 0.13);
      links[k].friction_limit = exp(lw_random_between(&random, log(0.5), log(40)));
      if (k + 1 == n) continue;
      links[k].lower = lw_random_between(&random, -1.2, -0.3);
      links[k].upper = lw_random_between(&random, 0.3, 1.2);
    }
    c.snake    = snake_of(links, n);
    c.def.slip = c.def.stops = true;
    c.def.integrator.method  = "dopri";
    case_start(&c, &random);
    run_and_watch(&c, 6, 1e-6);
    case_end(&c);
  }
}

// Linear momentum along x and y, and angular momentum about the origin.
static void momentum_of(const Case* c, double momentum[3])
{
  double px = c->sample.x, py = c->sample.y, vx = c->rates[0], vy = c->rates[1];
  memset(momentum, 0, 3 * sizeof *momentum);
  for (int k = 0; k < lw_snake_count(c->snake); ++k)
  {
    lwSnakeLink link = lw_snake_get(c->snake, k);
    double w = c->rates[k + 2], h = link.length / 2;
    double ex = h * cos(c->theta[k]), ey = h * sin(c->theta[k]);
    if (k > 0) px += ex, py += ey, vx -= w * ey, vy += w * ex;  // now at the middle
    momentum[0] += link.mass * vx;
    momentum[1] += link.mass * vy;
    momentum[2] += link.mass * (px * vy - py * vx) + link.inertia * w;
    px += ex, py += ey, vx -= w * ey, vy += w * ex;
  }
}

// On ice only joints and stops act, and these do not change the momentum.
static void ice_keeps_momentum(void** unused)
{
  (void)unused;
  long hits = 0;
  for (uint64_t seed = 1; seed <= 6; ++seed)
  {
    lwRandom random = {seed};
    Case c          = {.def = lw_snake_run_def()};
    lwSnake* model  = snake_with_limits(&random, 5, false, true);
    lwSnakeLink links[5];
    for (int k = 0; k < 5; ++k)
    {
      links[k]                = lw_snake_get(model, k);
      links[k].friction_limit = 1e-13;  // N
    }
    lw_snake_destroy(model);
    c.snake    = snake_of(links, 5);
    c.def.slip = c.def.stops = true;
    c.def.integrator.method  = "dop853";
    case_start(&c, &random);
    double first[3], last[3];
    lw_snake_run_to(c.run, 0, &c.sample, NULL);
    momentum_of(&c, first);
    assert_int_equal(lw_snake_run_to(c.run, 0.5, &c.sample, NULL), LW_PROGRESS_ARRIVED);
    momentum_of(&c, last);
    for (int i = 0; i < 3; ++i) assert_near(last[i], first[i], 1e-8);  // 1e-9 per step
    hits += lw_snake_run_audit(c.run).counts[LW_NOTE_HIT];
    case_end(&c);
  }
  assert_greater(hits, 6);
}

// Two equal links slide sideways: each is braked by its friction limit F, so they stop after
// m v / F and lose m v^2.
static void sliding_stops(void** unused)
{
  (void)unused;
  const double m = 2, F = 3, v = 0.9;
  lwSnakeLink link    = lw_snake_link();
  link.length         = 0.4;
  link.mass           = m;
  link.inertia        = 0.05;
  link.friction_limit = F;
  Case c      = {.snake = snake_of((lwSnakeLink[]){link, link}, 2), .def = lw_snake_run_def()};
  c.def.snake = c.snake;
  c.def.slip  = true;
  c.rates[1]  = v;
  c.sample    = (lwSnakeSample){.theta = c.theta, .rates = c.rates};
  assert_int_equal(lw_snake_run_create(&c.def, NULL, &c.run), LW_OK);
  lw_snake_run_start(c.run, &c.sample);
  lw_snake_run_to(c.run, m * v / F / 2, &c.sample, NULL);
  assert_near(c.rates[1], v / 2, 1e-12);
  lw_snake_run_to(c.run, 1, &c.sample, NULL);
  assert_near(c.sample.slip_loss, m * v * v, 1e-10);
  assert_near(c.sample.y, m * v * v / (2 * F), 1e-10);
  assert_near(c.sample.kinetic, 0, 1e-20);
  lwAudit audit = lw_snake_run_audit(c.run);
  assert_int_equal(audit.counts[LW_NOTE_STICK], 2);
  assert_near(audit.notes[audit.note_count - 1].t, m * v / F, 1e-10);
  case_end(&c);
}

// The motion agrees with that in theta and u.
static void agrees_with_reduced(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 5; ++seed)
  {
    lwRandom random         = {seed};
    Case c                  = {.def = lw_snake_run_def()};
    c.snake                 = snake_with_limits(&random, 3 + (int)seed, false, false);
    c.def.integrator.method = "dop853";
    c.def.stabilise         = seed % 2;
    case_start(&c, &random);
    double theta[MOST];
    memcpy(theta, c.theta, sizeof theta);
    lwSnakeSample other  = {.theta = theta, .u = {c.sample.u[0], c.sample.u[1]}};
    lwSnakeWorkspace* ws = snake_work_with(c.snake, 0, LW_PRECISION_DOUBLE);
    lwSnakeRun* run;
    lwSnakeRunDef reduced = c.def;
    reduced.ws            = ws;
    assert_int_equal(lw_snake_run_create(&reduced, NULL, &run), LW_OK);
    lw_snake_run_start(run, &other);
    lw_snake_run_to(run, 0.3, &other, NULL);
    lw_snake_run_to(c.run, 0.3, &c.sample, NULL);
    for (int k = 0; k < lw_snake_count(c.snake); ++k) assert_near(c.theta[k], theta[k], 1e-7);
    assert_near(c.sample.kinetic, other.kinetic, 1e-7);
    assert_near(c.sample.work, other.work, 1e-7);
    assert_near(c.sample.x, other.x, 1e-7);
    lw_snake_run_destroy(run);
    lw_snake_workspace_destroy(ws);
    case_end(&c);
  }
}

// Differentiated constraints drift, unless the state is projected after every step.
static void stabilised(void** unused)
{
  (void)unused;
  double sideways[2];
  for (int i = 0; i < 2; ++i)
  {
    lwRandom random       = {3};
    Case c                = {.def = lw_snake_run_def()};
    c.snake               = snake_with_limits(&random, 6, false, false);
    c.def.integrator.step = 5e-3;
    c.def.stabilise       = i == 1;
    case_start(&c, &random);
    assert_int_equal(lw_snake_run_to(c.run, 1, &c.sample, NULL), LW_PROGRESS_ARRIVED);
    sideways[i] = lw_snake_run_audit(c.run).worst_sideways;
    case_end(&c);
  }
  assert_greater(sideways[0], 1e-9);
  assert_less(sideways[1], 1e-13);  // m/s, rounding of speeds of 1 m/s
}

static void refused(void** unused)
{
  (void)unused;
  lwRandom random   = {1};
  lwSnakeRunDef def = lw_snake_run_def();
  lwSnakeRun* run   = NULL;
  def.snake         = snake_with_limits(&random, 4, true, true);
  def.precision     = LW_PRECISION_SINGLE;
  def.slip          = true;
  assert_int_equal(lw_snake_run_create(&def, NULL, &run), LW_ERROR_INPUT);
  assert_null(run);
  def.cookie = 0;
  assert_int_not_equal(lw_snake_run_create(&def, NULL, &run), LW_OK);
  lw_snake_destroy((lwSnake*)def.snake);
  lwSnake* longer;
  def = lw_snake_run_def();
  assert_int_equal(lw_snake_create_generic(LW_MAX_SNAKE_FULL + 1, &longer), LW_OK);
  def.snake = longer;
  assert_int_equal(lw_snake_run_create(&def, NULL, &run), LW_ERROR_INPUT);
  lw_snake_destroy(longer);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_and_stops),
      cmocka_unit_test(coarse_steps_leave_no_bounces),
      cmocka_unit_test(every_integrator_slips),
      cmocka_unit_test(ice_keeps_momentum),
      cmocka_unit_test(sliding_stops),
      cmocka_unit_test(agrees_with_reduced),
      cmocka_unit_test(stabilised),
      cmocka_unit_test(refused),
      cmocka_unit_test(the_last_wheel_slips_on),
      cmocka_unit_test(wheels_that_cannot_roll_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
