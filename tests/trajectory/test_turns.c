// SPDX-License-Identifier: MIT
// Trajectories of ball and floating joints: they pass their waypoints, qd and qdd are consistent
// derivatives, and between two waypoints the rotation is about one axis.
#include "trajectory/turn.h"
#include "trajectory_arms.h"

enum
{
  NQ  = 12,  // floating base, a hinge, a ball joint
  DOF = 10
};

#define LINK "link: {mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.02, 0.02, 0, 0, 0]}"
static const char ROBOT[] =
    "linkwork: 1\n"
    "base: {type: floating, mass: 3, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}\n"
    "joints:\n"
    "  - {name: hinge, type: revolute, parent: base, axis: [0, 1, 0], " LINK "}\n"
    "  - {name: ball, type: ball, parent: hinge, origin: {xyz: [0.3, 0, 0]}, " LINK "}\n";

static lwModel* floating_robot(void)
{
  lwModel* model;
  assert_int_equal(lw_robot_read_text("robot", ROBOT, strlen(ROBOT), NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_model_nq(model), NQ);
  assert_int_equal(lw_model_dof(model), DOF);
  return model;
}

static void random_position(lwRandom* random, const lwModel* model, double* q)
{
  double v[DOF], neutral[NQ];
  for (int i = 0; i < DOF; ++i) v[i] = lw_random_between(random, -1.2, 1.2);
  lw_model_neutral(model, neutral);
  lw_model_integrate(model, neutral, v, q);
}

// qd and qdd against central differences of q and qd at t.
static void check_rates(const lwModel* model, const lwTrajectory* trajectory, double t)
{
  double q[3][NQ], qd[3][DOF], qdd[DOF], rates[NQ], h = 1e-5;
  for (int k = 0; k < 3; ++k) lw_trajectory_at(trajectory, t + (k - 1) * h, q[k], qd[k], NULL);
  lw_trajectory_at(trajectory, t, NULL, NULL, qdd);
  lw_model_rates(model, q[1], qd[1], rates);
  for (int i = 0; i < NQ; ++i)
  {
    double difference = (q[2][i] - q[0][i]) / (2 * h);
    if (!(fabs(rates[i] - difference) < 1e-8 * (1 + fabs(difference))))
      fail_msg("t = %g, rate of q%d: %.15g, by differences %.15g", t, i + 1, rates[i], difference);
  }
  for (int i = 0; i < DOF; ++i)
  {
    double difference = (qd[2][i] - qd[0][i]) / (2 * h);
    if (!(fabs(qdd[i] - difference) < 1e-7 * (1 + fabs(difference))))
      fail_msg("t = %g, qdd%d: %.15g, by differences %.15g", t, i + 1, qdd[i], difference);
  }
  assert_int_equal(lw_model_check_positions(model, q[1], NULL), LW_OK);
}

// Compares positions as rotations: a quaternion and its negative are the same.
static void check_position(const lwModel* model, const double* got, const double* want)
{
  double v[DOF];
  lw_model_difference(model, want, got, v);
  for (int i = 0; i < DOF; ++i)
    if (!(fabs(v[i]) < 1e-12)) fail_msg("velocity %d: %.3g away", i + 1, v[i]);
}

static void profiles_pass_their_points(void** unused)
{
  (void)unused;
  lwModel* model  = floating_robot();
  lwRandom random = {3};
  for (int trial = 0; trial < 20; ++trial)
  {
    enum
    {
      POINTS = 4
    };
    double way[POINTS * NQ], t[POINTS] = {0, 0.7, 1.5, 2}, ends[4][DOF];
    lwTrajectory* trajectory;
    lwWaypointsDef def = lw_waypoints_def();
    for (int k = 0; k < POINTS; ++k) random_position(&random, model, way + k * NQ);
    for (int k = 0; k < 4 * DOF; ++k) ends[k / DOF][k % DOF] = lw_random_between(&random, -1, 1);
    def.count              = POINTS;
    def.q                  = way;
    def.t                  = t;
    def.start_velocity     = ends[0];
    def.end_velocity       = ends[1];
    def.start_acceleration = ends[2];
    def.end_acceleration   = ends[3];
    assert_int_equal(lw_trajectory_create_quintic(model, &def, NULL, &trajectory), LW_OK);
    for (int k = 0; k < POINTS; ++k)
    {
      double q[NQ], qd[DOF], qdd[DOF];
      lw_trajectory_at(trajectory, t[k], q, qd, qdd);
      check_position(model, q, way + k * NQ);
      for (int i = 0; i < DOF && (k == 0 || k == POINTS - 1); ++i)
      {
        assert_near(qd[i], ends[k > 0][i], 1e-12);
        assert_near(qdd[i], ends[2 + (k > 0)][i], 1e-10);
      }
    }
    for (int k = 0; k < 15; ++k) check_rates(model, trajectory, 0.043 + 0.13 * k);
    lw_trajectory_destroy(trajectory);
  }
  lw_model_destroy(model);
}

// Between two waypoints a ball joint turns about one axis, and the velocity limit applies to that
// rotation.
static void two_points_turn_about_one_axis(void** unused)
{
  (void)unused;
  lwModel* model = floating_robot();
  double way[2 * NQ], limit[DOF], q[NQ], qd[DOF], most = 0;
  lwWaypointsDef def = lw_waypoints_def();
  lwTrajectory* trajectory;
  lw_model_neutral(model, way);
  lw_model_neutral(model, way + NQ);
  double* ball = way + NQ + 8;
  ball[0] = 0, ball[1] = sin(0.6), ball[2] = 0, ball[3] = cos(0.6);  // 1.2 rad about y
  for (int i = 0; i < DOF; ++i) limit[i] = 0.5;
  def.count        = 2;
  def.q            = way;
  def.velocity     = limit;
  def.acceleration = limit;
  assert_int_equal(lw_trajectory_create_trapezoid(model, &def, NULL, &trajectory), LW_OK);
  double end = lw_trajectory_duration(trajectory);
  assert_near(end, 1.2 / 0.5 + 0.5 / 0.5, 1e-12);  // ramps of 1 s
  for (int k = 0; k <= 100; ++k)
  {
    lw_trajectory_at(trajectory, end * k / 100, q, qd, NULL);
    assert_near(q[8], 0, 1e-15);
    assert_near(q[10], 0, 1e-15);
    assert_near(qd[7], 0, 1e-15);
    most = fmax(most, fabs(qd[8]));
  }
  assert_near(most, 0.5, 1e-12);
  lw_trajectory_destroy(trajectory);
  lw_model_destroy(model);
}

// A full turn in steps of a third: rotation vectors continue beyond half a turn.
static void whole_turns_go_on(void** unused)
{
  (void)unused;
  lwModel* model = floating_robot();
  double way[4 * NQ], t[] = {0, 1, 2, 3}, q[NQ], qd[DOF], third = acos(-1) / 3;
  lwWaypointsDef def = lw_waypoints_def();
  lwTrajectory* trajectory;
  for (int k = 0; k < 4; ++k)
  {
    lw_model_neutral(model, way + k * NQ);
    way[k * NQ + 8 + 2] = sin(k * third);
    way[k * NQ + 8 + 3] = cos(k * third);
  }
  def.count = 4;
  def.q     = way;
  def.t     = t;
  assert_int_equal(lw_trajectory_create_cubic(model, &def, NULL, &trajectory), LW_OK);
  for (int k = 0; k < 29; ++k)
  {
    double at = 0.13 + 0.1 * k;  // not at the waypoints, where the jerk jumps
    lw_trajectory_at(trajectory, at, q, qd, NULL);
    assert_at_least(qd[9], 0);  // never backwards
    check_rates(model, trajectory, at);
  }
  lw_trajectory_destroy(trajectory);
  lw_model_destroy(model);
}

// Samples of a smooth motion: exact at the samples, close between them, with consistent
// derivatives.
static void samples_of_quaternions(void** unused)
{
  (void)unused;
  enum
  {
    ROWS = 21
  };
  lwModel* model  = floating_robot();
  lwRandom random = {5};
  double way[2 * NQ], t[ROWS], q[ROWS * NQ], qd[ROWS * DOF], qdd[ROWS * DOF];
  lwWaypointsDef def = lw_waypoints_def();
  lwTrajectory *smooth, *sampled;
  for (int k = 0; k < 2; ++k) random_position(&random, model, way + k * NQ);
  def.count    = 2;
  def.q        = way;
  def.duration = 2;
  assert_int_equal(lw_trajectory_create_quintic(model, &def, NULL, &smooth), LW_OK);
  for (int k = 0; k < ROWS; ++k)
  {
    t[k] = 0.1 * k;
    lw_trajectory_at(smooth, t[k], q + k * NQ, qd + k * DOF, qdd + k * DOF);
  }
  for (int orders = 0; orders < 3; ++orders)
  {
    // linear, cubic and quintic segments over 0.1 s
    static const double near[] = {0.02, 1e-4, 1e-6};
    lwSamplesDef samples       = {.model = model, .dof = DOF, .count = ROWS, .t = t, .q = q};
    if (orders > 0) samples.qd = qd;
    if (orders > 1) samples.qdd = qdd;
    assert_int_equal(lw_trajectory_create_samples(&samples, NULL, &sampled), LW_OK);
    for (int k = 0; k < 28; ++k)
    {
      double a[NQ], b[NQ], v[DOF], at = 0.03 + 0.07 * k;
      lw_trajectory_at(smooth, at, a, NULL, NULL);
      lw_trajectory_at(sampled, at, b, NULL, NULL);
      lw_model_difference(model, a, b, v);
      for (int i = 0; i < DOF; ++i) assert_near(v[i], 0, near[orders]);
      if (orders == 2) check_rates(model, sampled, at);
    }
    lw_trajectory_destroy(sampled);
  }
  q[8] += 0.1;  // not a unit quaternion
  lwSamplesDef wrong = {.model = model, .dof = DOF, .count = ROWS, .t = t, .q = q};
  assert_int_equal(lw_trajectory_create_samples(&wrong, NULL, &sampled), LW_ERROR_INPUT);
  lw_trajectory_destroy(smooth);
  lw_model_destroy(model);
}

// Rates of small and large rotation vectors, converted to angular velocity and back.
static void rates_come_back(void** unused)
{
  (void)unused;
  lwRandom random             = {9};
  lwTurn turn                 = {.q = 3, .v = 3, .floats = true, .from = {0.1, -0.7, 0.1, 0.7}};
  static const double sizes[] = {0, 1e-9, 1e-3, 0.049, 0.051, 1, 3, 5};
  for (int s = 0; s < 8; ++s)
    for (int trial = 0; trial < 10; ++trial)
    {
      double y[LW_TURN_WIDTH], qd[6], qdd[6], rate[6], bend[6], value[6][3], got[2][6];
      for (int i = 0; i < 6; ++i)
      {
        y[i]   = lw_random_between(&random, -1, 1);
        qd[i]  = lw_random_between(&random, -1, 1);
        qdd[i] = lw_random_between(&random, -1, 1);
      }
      double length = sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5]);
      for (int i = 3; i < 6; ++i) y[i] *= sizes[s] / length;
      lw_turn_rates(&turn, y, qd, qdd, rate, bend);
      for (int i = 0; i < 6; ++i) value[i][0] = y[i], value[i][1] = rate[i], value[i][2] = bend[i];
      lw_turn_at(&turn, value, NULL, got[0], got[1]);
      for (int i = 0; i < 6; ++i)
        if (!(fabs(got[0][i] - qd[i]) < 1e-12 && fabs(got[1][i] - qdd[i]) < 1e-11))
          fail_msg("|e| = %g, %d: %.15g %.15g, expected %.15g %.15g", sizes[s], i, got[0][i],
                   got[1][i], qd[i], qdd[i]);
    }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(profiles_pass_their_points),
      cmocka_unit_test(two_points_turn_about_one_axis),
      cmocka_unit_test(whole_turns_go_on),
      cmocka_unit_test(samples_of_quaternions),
      cmocka_unit_test(rates_come_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
