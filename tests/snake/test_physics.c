// SPDX-License-Identifier: MIT
// Physical laws that every method must obey, and the inverse problem.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/snakes.h"
#include "support/testing.h"

enum
{
  N = 9
};

// A snake, a state and its answers by one method.
typedef struct
{
  lwSnake* snake;
  SnakeStates states;
  lwSnakeWorkspace* ws;
  lwSnakeAnswers got;
} Scene;

static Scene scene_create(uint64_t seed, int n, int method, double offset)
{
  Scene scene  = {.snake = random_snake(seed, n, offset)};
  scene.states = random_snake_states(seed, n, 1, 1.2);
  scene.ws     = snake_work_with(scene.snake, method, LW_PRECISION_DOUBLE);
  scene.got    = snake_answers(n, 1);
  lw_snake_answer(scene.snake, scene.ws, &scene.states.rows, &scene.got);
  return scene;
}

static void scene_free(Scene* scene)
{
  snake_answers_free(&scene->got);
  lw_snake_workspace_destroy(scene->ws);
  snake_states_free(&scene->states);
  lw_snake_destroy(scene->snake);
}

// With all wheels in the middle: V^2 + (h w)^2 is the same for all links, and M11 + M22 / h_1^2 is
// constant.
static void invariants(void** unused)
{
  (void)unused;
  for (int method = 0; method < lw_snake_method_count(); ++method)
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
      Scene s   = scene_create(seed, N, method, 0);
      double h1 = lw_snake_get(s.snake, 0).length / 2, sum = 0;
      double square = pow(s.states.u[0], 2) + pow(h1 * s.states.u[1], 2);
      for (int k = 0; k < N; ++k)
      {
        lwSnakeLink link = lw_snake_get(s.snake, k);
        double h         = link.length / 2;
        assert_near(pow(s.got.V[k], 2) + pow(h * s.got.omega[k], 2), square, 1e-14);
        sum += link.mass + link.inertia / (h * h);
      }
      assert_near(s.got.M[0] + s.got.M[3] / (h1 * h1), sum, 1e-13 * sum);
      scene_free(&s);
    }
}

// The state after time t, linear in (theta, u), which suffices for first derivatives.
static void later(const void* context, double t, double* out)
{
  const Scene* s = context;
  double theta[N], u[2], omega[N];
  for (int k = 0; k < N; ++k) theta[k] = s->states.theta[k] + t * s->got.omega[k];
  for (int i = 0; i < 2; ++i) u[i] = s->states.u[i] + t * s->got.udot[i];
  lwSnakeStates state = {theta, u, NULL};
  lw_snake_answer(s->snake, s->ws, &state,
                  &(lwSnakeAnswers){.kinetic = out, .rates = out + 1, .omega = omega});
  memcpy(out + 3, omega, N * sizeof *out);
}

// d kinetic / dt = power; d rates / dt = rates_dot; d omega / dt = theta_ddot.
static void energy_balance(void** unused)
{
  (void)unused;
  for (int method = 0; method < lw_snake_method_count(); ++method)
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
      Scene s = scene_create(seed, N, method, seed % 2 ? 0.3 : 0);
      double dot[3 + N], fastest = 1;
      for (int k = 0; k < N; ++k) fastest = fmax(fastest, fabs(s.got.omega[k]));
      derivative(later, &s, 0.002 / fastest, 3 + N, dot);
      double size = 1;
      for (int k = 0; k < N; ++k) size = fmax(size, fabs(s.got.theta_ddot[k]));
      assert_near(dot[0], *s.got.power, 1e-10 * size);
      for (int i = 0; i < 2; ++i) assert_near(dot[1 + i], s.got.rates_dot[i], 1e-10 * size);
      for (int k = 0; k < N; ++k) assert_near(dot[3 + k], s.got.theta_ddot[k], 1e-10 * size);
      scene_free(&s);
    }
}

// M udot + bias = force, kinetic = u . M u / 2, power = force . u.
static void reduced_equations(void** unused)
{
  (void)unused;
  for (int method = 0; method < lw_snake_method_count(); ++method)
    for (uint64_t seed = 1; seed <= 20; ++seed)
    {
      Scene s         = scene_create(seed, N, method, seed % 2 ? 0.5 : 0);
      const double *M = s.got.M, *u = s.states.u, *ud = s.got.udot, *f = s.got.force;
      double size = 1 + fabs(ud[0]) + fabs(ud[1]);
      for (int i = 0; i < 2; ++i)
        assert_near(M[2 * i] * ud[0] + M[2 * i + 1] * ud[1] + s.got.bias[i], f[i], 1e-11 * size);
      double energy = (M[0] * u[0] * u[0] + 2 * M[1] * u[0] * u[1] + M[3] * u[1] * u[1]) / 2;
      assert_near(*s.got.kinetic, energy, 1e-13 * (1 + energy));
      assert_near(*s.got.power, f[0] * u[0] + f[1] * u[1], 1e-12 * (1 + fabs(*s.got.power)));
      scene_free(&s);
    }
}

// The wheel forces move the snake: their sum is minus its mass times the acceleration of its centre
// of mass.
static void wheels_push_the_snake(void** unused)
{
  (void)unused;
  for (int method = 0; method < lw_snake_method_count(); ++method)
  {
    Scene s        = scene_create(4, N, method, 0.3);
    double push[2] = {0, 0}, momentum[2] = {0, 0};
    double a[2] = {s.got.rates_dot[0], s.got.rates_dot[1]};
    for (int k = 0; k < N; ++k)
    {
      lwSnakeLink link = lw_snake_get(s.snake, k);
      double c = cos(s.states.theta[k]), sn = sin(s.states.theta[k]);
      double w2 = pow(s.got.omega[k], 2), wd = s.got.theta_ddot[k], h = link.length / 2;
      double step[2] = {h * (-w2 * c - wd * sn), h * (-w2 * sn + wd * c)};
      for (int i = 0; i < 2; ++i)
      {
        if (k > 0) a[i] += step[i];
        momentum[i] += link.mass * a[i];
        a[i] += step[i];
      }
      push[0] += s.got.lambda[k] * sn;
      push[1] -= s.got.lambda[k] * c;
    }
    for (int i = 0; i < 2; ++i) assert_near(push[i], momentum[i], 1e-10 * (1 + fabs(push[i])));
    scene_free(&s);
  }
}

static void slipping_wheels(void** unused)
{
  (void)unused;
  lwSnakeLink links[] = {{0.2, 1, 0.005, 0, 2, -1, 1},
                         {0.2, 1, 0.005, 0, 3, -1, 1},
                         {0.2, 1, 0.005, 0, INFINITY, 0, 0}};
  lwSnake* snake      = snake_of(links, 3);
  bool slips[3];
  assert_int_equal(lw_snake_check_slip(snake, (double[]){2, -3, 1e9}, slips), 0);
  assert_int_equal(lw_snake_check_slip(snake, (double[]){-2.001, 2.9, 4}, slips), 1);
  assert_true(slips[0]);
  assert_false(slips[1]);
  assert_false(slips[2]);
  assert_int_equal(lw_snake_check_slip(snake, (double[]){1, 3.1, NAN}, NULL), 2);
  assert_false(lw_snake_is_uniform(snake));
  assert_near(lw_snake_length(snake), 0.6, 1e-15);
  lw_snake_destroy(snake);
}

// --- the inverse problem

// Torques of least norm are a combination of the two rows of G: their remainder after projection
// must vanish.
static void check_least(const Scene* s, const double* torque)
{
  double G[2][N - 1], gram[3] = {0}, b[2] = {0}, norm = 0;
  for (int k = 0; k < N - 1; ++k)
  {
    for (int i = 0; i < 2; ++i) G[i][k] = s->got.partial[2 * k + 2 + i] - s->got.partial[2 * k + i];
    gram[0] += G[0][k] * G[0][k];
    gram[1] += G[0][k] * G[1][k];
    gram[2] += G[1][k] * G[1][k];
    b[0] += G[0][k] * torque[k];
    b[1] += G[1][k] * torque[k];
    norm = fmax(norm, fabs(torque[k]));
  }
  double det  = gram[0] * gram[2] - gram[1] * gram[1];
  double c[2] = {(gram[2] * b[0] - gram[1] * b[1]) / det, (gram[0] * b[1] - gram[1] * b[0]) / det};
  for (int k = 0; k < N - 1; ++k)
    assert_near(c[0] * G[0][k] + c[1] * G[1][k], torque[k], 1e-9 * (1 + norm));
}

static void torque_for_acceleration(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; ++seed)
  {
    Scene s         = scene_create(seed, N, (int)(seed % 4), seed % 2 ? 0.4 : 0);
    double wanted[] = {0.3 * (double)seed, -2}, torque[N - 1], reached[2], udot[2];
    assert_int_equal(lw_snake_torque(s.snake, s.ws, &s.states.rows, wanted, torque, reached), 2);
    lw_snake_answer(s.snake, s.ws, &(lwSnakeStates){s.states.theta, s.states.u, torque},
                    &(lwSnakeAnswers){.udot = udot});
    for (int i = 0; i < 2; ++i)
    {
      assert_near(reached[i], wanted[i], 1e-10 * (1 + fabs(wanted[i])));
      assert_near(udot[i], wanted[i], 1e-8 * (1 + fabs(wanted[i])));
    }
    check_least(&s, torque);
    scene_free(&s);
  }
}

// A straight snake cannot push itself forward; two links have only one torque; three may suffice.
static void torque_below_full_rank(void** unused)
{
  (void)unused;
  double theta[N] = {0}, u[] = {0.5, 0}, wanted[] = {1, 2}, torque[N - 1], reached[2], udot[2];
  for (int n = 2; n <= 4; ++n)
  {
    lwSnake* snake       = random_snake(2, n, 0);
    lwSnakeWorkspace* ws = snake_work_with(snake, 0, LW_PRECISION_DOUBLE);
    lwSnakeStates state  = {theta, u, torque};
    assert_int_equal(lw_snake_torque(snake, ws, &state, wanted, torque, reached), 1);
    lw_snake_answer(snake, ws, &state, &(lwSnakeAnswers){.udot = udot});
    assert_near(reached[0], 0, 1e-13);  // coasting
    assert_near(reached[1], 2, 1e-12);
    for (int i = 0; i < 2; ++i) assert_near(udot[i], reached[i], 1e-11);
    double bent[] = {0, 0.7, 0.2, -0.5};
    state.theta   = bent;
    int rank      = lw_snake_torque(snake, ws, &state, wanted, torque, NULL);
    assert_int_equal(rank, n == 2 ? 1 : 2);
    lw_snake_workspace_destroy(ws);
    lw_snake_destroy(snake);
  }
}

// All joints follow a gait that is compatible with the wheels.
static void gait_that_rolls(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    Scene s = scene_create(seed, N, 0, seed % 2 ? 0.4 : 0);
    double phi_ddot[N - 1], torque[N - 1], udot[2];
    for (int k = 0; k < N - 1; ++k) phi_ddot[k] = s.got.theta_ddot[k + 1] - s.got.theta_ddot[k];
    lwSnakeGait gait = {phi_ddot, NULL};
    assert_int_equal(lw_snake_gait(s.snake, s.ws, &s.states.rows, &gait, torque, udot), 2);
    for (int i = 0; i < 2; ++i) assert_near(udot[i], s.got.udot[i], 1e-9 * (1 + fabs(udot[i])));
    check_least(&s, torque);
    scene_free(&s);
  }
}

// Any two joints can be prescribed; the others follow.
static void gait_that_leads(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 20; ++seed)
  {
    Scene s                = scene_create(seed, N, 0, 0);
    double phi_ddot[N - 1] = {3, -1}, weight[N - 1] = {1, 2}, torque[N - 1], udot[2], theta_ddot[N];
    lwSnakeGait gait    = {phi_ddot, weight};
    lwSnakeStates state = {s.states.theta, s.states.u, torque};
    assert_int_equal(lw_snake_gait(s.snake, s.ws, &s.states.rows, &gait, torque, udot), 2);
    lw_snake_answer(s.snake, s.ws, &state, &(lwSnakeAnswers){.theta_ddot = theta_ddot});
    double size = 1;
    for (int k = 0; k < N; ++k) size = fmax(size, fabs(theta_ddot[k]));
    for (int k = 0; k < 2; ++k)
      assert_near(theta_ddot[k + 1] - theta_ddot[k], phi_ddot[k], 1e-10 * size);
    scene_free(&s);
  }
}

// A gait does not accelerate a straight, coasting snake, and no number becomes infinite.
static void gait_of_a_straight_snake(void** unused)
{
  (void)unused;
  lwSnake* snake       = random_snake(5, N, 0);
  lwSnakeWorkspace* ws = snake_work_with(snake, 1, LW_PRECISION_SINGLE);
  double theta[N] = {0}, u[] = {0.4, 0}, phi_ddot[N - 1] = {1}, torque[N - 1], udot[2];
  lwSnakeStates state = {theta, u, NULL};
  lwSnakeGait gait    = {phi_ddot, NULL};
  assert_int_equal(lw_snake_gait(snake, ws, &state, &gait, torque, udot), 1);
  assert_near(udot[0], 0, 1e-13);
  for (int k = 0; k < N - 1; ++k) assert_finite(torque[k]);
  lw_snake_workspace_destroy(ws);
  lw_snake_destroy(snake);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(invariants),
      cmocka_unit_test(energy_balance),
      cmocka_unit_test(reduced_equations),
      cmocka_unit_test(wheels_push_the_snake),
      cmocka_unit_test(slipping_wheels),
      cmocka_unit_test(torque_for_acceleration),
      cmocka_unit_test(torque_below_full_rank),
      cmocka_unit_test(gait_that_rolls),
      cmocka_unit_test(gait_that_leads),
      cmocka_unit_test(gait_of_a_straight_snake),
  };
  return cmocka_run_group_tests_name("laws of snakes", tests, NULL, NULL);
}
