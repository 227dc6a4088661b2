// SPDX-License-Identifier: MIT
// The four-bar robots/four_bar.yaml against its closed form: both branches, velocities,
// accelerations and torque.
//
// Crank a from (0, 0) at angle A, coupler b at angle B to the pin, rocker c from (g, 0) at angle C,
// all in the plane. The pin is an intersection of the circles about the crank's end and about
// (g, 0):
//   a e(A) + b e(B) = (g, 0) + c e(C),    e(x) = (cos x, sin x)
#include "linkwork/loop.h"
#include "linkwork/read.h"
#include "support/testing.h"

static const double CRANK = 0.2, COUPLER = 0.5, GROUND = 0.4, ROCKER = 0.5, G = 9.81;

typedef struct Fixture
{
  lwModel* model;
  lwLoops* loops;
} Fixture;

static int begin(void** state)
{
  static Fixture f;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/four_bar.yaml", NULL, NULL, &f.model), LW_OK);
  assert_int_equal(lw_loops_create(f.model, NULL, NULL, &f.loops), LW_OK);
  *state = &f;
  return 0;
}

static int end(void** state)
{
  Fixture* f = *state;
  lw_loops_destroy(f->loops);
  lw_model_destroy(f->model);
  return 0;
}

// B and C for a branch, side = 1 or -1.
static void closed_form(double A, double side, double* B, double* C)
{
  double x = CRANK * cos(A) - GROUND, y = CRANK * sin(A);
  double d = hypot(x, y), to = atan2(y, x);
  double corner = acos((d * d + ROCKER * ROCKER - COUPLER * COUPLER) / (2 * d * ROCKER));
  *C            = to + side * corner;
  *B            = atan2(ROCKER * sin(*C) - y, ROCKER * cos(*C) - x);
}

static double turns_apart(double a, double b)
{
  double turn = 2 * acos(-1);
  return (a - b) - turn * round((a - b) / turn);
}

// b e'(B) B' - c e'(C) C' = right: Cramer's rule.
static void pin_rates(double B, double C, const double right[2], double* Bd, double* Cd)
{
  double m[2][2] = {{-COUPLER * sin(B), ROCKER * sin(C)}, {COUPLER * cos(B), -ROCKER * cos(C)}};
  double det     = m[0][0] * m[1][1] - m[0][1] * m[1][0];
  *Bd            = (right[0] * m[1][1] - m[0][1] * right[1]) / det;
  *Cd            = (m[0][0] * right[1] - m[1][0] * right[0]) / det;
}

// Angles with their first and second time derivatives.
typedef struct Motion
{
  double A[3], B[3], C[3];
} Motion;

static Motion motion_of(double A, double side, double Ad, double Add)
{
  Motion m = {.A = {A, Ad, Add}};
  closed_form(A, side, &m.B[0], &m.C[0]);
  double sA = sin(A), cA = cos(A), sB = sin(m.B[0]), cB = cos(m.B[0]), sC = sin(m.C[0]),
         cC            = cos(m.C[0]);
  const double rate[2] = {CRANK * sA * Ad, -CRANK * cA * Ad};
  pin_rates(m.B[0], m.C[0], rate, &m.B[1], &m.C[1]);
  double B2 = m.B[1] * m.B[1], C2 = m.C[1] * m.C[1];
  const double bend[2] = {CRANK * (sA * Add + cA * Ad * Ad) + COUPLER * cB * B2 - ROCKER * cC * C2,
                          CRANK * (-cA * Add + sA * Ad * Ad) + COUPLER * sB * B2 -
                              ROCKER * sC * C2};
  pin_rates(m.B[0], m.C[0], bend, &m.B[2], &m.C[2]);
  return m;
}

// Virtual power of a bar's weight and inertia per unit speed of the crank: its pivot p has
// acceleration pdd and virtual displacement dp, its middle is at distance r, and it turns by
// `turn`.
static double bar_power(double mass, double inertia, double r, const double angle[3],
                        const double pdd[2], const double dp[2], double turn)
{
  double s = sin(angle[0]), c = cos(angle[0]);
  double ax = pdd[0] - r * (s * angle[2] + c * angle[1] * angle[1]);
  double ay = pdd[1] + r * (c * angle[2] - s * angle[1] * angle[1]) + G;
  double dx = dp[0] - r * s * turn, dy = dp[1] + r * c * turn;
  return mass * (ax * dx + ay * dy) + inertia * angle[2] * turn;
}

// The crank torque by virtual work.
static double closed_form_torque(const Motion* m)
{
  double unit[2] = {CRANK * sin(m->A[0]), -CRANK * cos(m->A[0])}, Bu, Cu;
  pin_rates(m->B[0], m->C[0], unit, &Bu, &Cu);
  const double still[2] = {0, 0}, dp[2] = {-unit[0], -unit[1]};
  double s = sin(m->A[0]), c = cos(m->A[0]), A2 = m->A[1] * m->A[1];
  const double pdd[2] = {-CRANK * (s * m->A[2] + c * A2), CRANK * (c * m->A[2] - s * A2)};
  return bar_power(0.628, 0.0021770666666666665, 0.1, m->A, still, still, 1) +
         bar_power(3.14, 0.2620853333333333, 0.5, m->B, pdd, dp, Bu) +
         bar_power(1.57, 0.03291766666666667, 0.25, m->C, still, still, Cu);
}

static void branches(void** state)
{
  Fixture* f = *state;
  for (double A = -3; A < 3.2; A += 0.1)
  {
    double q[3] = {A, -0.5, 1.4}, all[4 * 3];
    assert_int_equal(lw_loops_close_all(f->loops, q, 4, all), 2);
    for (int branch = 0; branch < 2; ++branch)
    {
      double B, C, nearest = 10;
      closed_form(A, branch ? 1 : -1, &B, &C);
      for (int k = 0; k < 2; ++k)
        nearest = fmin(nearest,
                       hypot(turns_apart(all[3 * k + 1], B - A), turns_apart(all[3 * k + 2], C)));
      assert_near(nearest, 0,
                  1e-12);  // of angles: rounding divided by the sine of the angle at the pin
    }
  }
}

// Positions, velocities and accelerations of one state; the torque by inverse and forward dynamics.
static void check_motion(Fixture* f, double A, double side, double Ad, double Add)
{
  Motion m    = motion_of(A, side, Ad, Add);
  double q[3] = {A, m.B[0] - A + 0.05, m.C[0] - 0.05}, qd[3] = {Ad, 0, 0}, qdd[3] = {Add, 0, 0};
  assert_int_equal(lw_loops_close(f->loops, q, NULL), LW_OK);
  assert_int_equal(lw_loops_velocity(f->loops, q, qd), LW_OK);
  assert_int_equal(lw_loops_acceleration(f->loops, q, qd, qdd), LW_OK);
  assert_near(q[1], m.B[0] - A, 1e-12);
  assert_near(q[2], m.C[0], 1e-12);
  assert_near(qd[1], m.B[1] - Ad, 1e-12 * (1 + fabs(m.B[1])));
  assert_near(qd[2], m.C[1], 1e-12 * (1 + fabs(m.C[1])));
  assert_near(qdd[1], m.B[2] - Add, 1e-11 * (1 + fabs(m.B[2])));
  assert_near(qdd[2], m.C[2], 1e-11 * (1 + fabs(m.C[2])));

  double tau[3], force[5], reached[3], torque = closed_form_torque(&m);
  lwStates motion = {.q = q, .qd = qd, .qdd = qdd};
  assert_int_equal(lw_loops_check(f->loops, q, qd, qdd, NULL), LW_OK);
  assert_int_equal(lw_loops_inverse(f->loops, &motion, tau, force), LW_OK);
  double scale = 10 + fabs(torque);
  assert_near(tau[0], torque, 1e-11 * scale);
  assert_same(tau[1], 0);
  assert_same(tau[2], 0);
  lwStates driven = {.q = q, .qd = qd, .tau = tau};
  double again[5];
  lw_loops_forward(f->loops, &driven, reached, again);
  for (int i = 0; i < 3; ++i) assert_near(reached[i], qdd[i], 1e-10 * (1 + fabs(qdd[i])));
  for (int i = 0; i < 5; ++i) assert_near(again[i], force[i], 1e-9 * (100 + fabs(force[i])));
}

static void motion(void** state)
{
  Fixture* f = *state;
  for (int k = 0; k < 60; ++k)
    check_motion(f, -3 + 0.1 * k, k % 2 ? 1 : -1, 3 * sin(k), 5 * cos(3 * k));
}

// A planar linkage in space: three rows of its hinge are redundant.
static void redundant_rows(void** state)
{
  Fixture* f                       = *state;
  static const bool redundant[5]   = {false, false, true, true, true};
  static const char* const name[5] = {"x", "y", "z", "about x", "about y"};
  assert_int_equal(lw_model_loop_rows(f->model), 5);
  assert_int_equal(lw_model_mobility(f->model), 1);
  for (int i = 0; i < 5; ++i)
  {
    lwLoopRowInfo row = lw_model_loop_row(f->model, i);
    assert_string_equal(row.name, name[i]);
    assert_int_equal(row.redundant, redundant[i]);
    assert_int_equal(row.turns, i > 2);
  }
  assert_true(lw_model_is_driven(f->model, 0));
  assert_false(lw_model_is_driven(f->model, 1));
  assert_false(lw_model_is_driven(f->model, 2));
}

static void states_that_are_open(void** state)
{
  Fixture* f   = *state;
  lwDiag* diag = lw_diag_create();
  double q[3], qd[3] = {1, 0, 0};
  lw_model_start(f->model, q);
  assert_int_equal(lw_loops_check(f->loops, q, qd, NULL, diag), LW_ERROR_OPEN);
  assert_contains(lw_diag_message(diag, 0)->text, "velocities open loop 'pin'");
  q[2] += 0.01;
  assert_int_equal(lw_loops_check(f->loops, q, NULL, NULL, diag), LW_ERROR_OPEN);
  assert_contains(lw_diag_message(diag, 1)->text, "a gap of 0.005 m");
  lw_diag_destroy(diag);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(branches),
      cmocka_unit_test(motion),
      cmocka_unit_test(redundant_rows),
      cmocka_unit_test(states_that_are_open),
  };
  return cmocka_run_group_tests(tests, begin, end);
}
