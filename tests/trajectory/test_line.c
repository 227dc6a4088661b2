// SPDX-License-Identifier: MIT
// Straight lines: the last link follows them at the right speed, qd and qdd are the derivatives of
// q, and impossible lines are refused with the point where they fail.
#include "support/check.h"
#include "trajectory_arms.h"

enum
{
  MOST    = 12,
  SAMPLES = 60
};

static const double PI = 3.14159265358979323846;

// mata2002, 5.2: orientation (Z, Y, Z) = (0, 90, 180) deg, from (0.50, 0, 0.05) m to
// (0.62, 0.30, 0.11) m.
static const double MATA_FROM[3] = {0.50, 0.00, 0.05}, MATA_TO[3] = {0.62, 0.30, 0.11};
static const double MATA_LENGTH =
    0.32863353450309968;  // sqrt(0.12^2 + 0.30^2 + 0.06^2), not 0.5 (erratum 1-26)

static void mata_start(const lwModel* model, lwWorkspace* ws, double q[6])
{
  lwIk* ik;
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  lwTarget target     = lw_target_pose();
  const double rpy[3] = {0, -0.5 * PI, PI};  // the same orientation
  memcpy(target.position, MATA_FROM, sizeof target.position);
  lw_rotation_rpy(rpy, target.rotation);
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  int count = 0, k = 0;
  assert_int_equal(lw_ik_all(ik, &target, NULL, NULL, solutions, &count), LW_OK);
  while (k < count && !solutions[k].inside) ++k;
  assert_less(k, count);
  memcpy(q, solutions[k].q, 6 * sizeof *q);
  lw_ik_destroy(ik);
}

static lwTrajectory* made(const lwModel* model, lwWorkspace* ws, const lwLineDef* line)
{
  lwTrajectory* trajectory;
  lwDiag* diag = lw_diag_create();
  if (lw_trajectory_create_line(model, ws, line, diag, &trajectory) != LW_OK)
    fail_msg("%s", first_error(diag));
  lw_diag_destroy(diag);
  return trajectory;
}

// A time on a line, for differences of q, qd or v = J qd.
typedef struct At
{
  const lwTrajectory* trajectory;
  const lwModel* model;
  lwWorkspace* ws;
  double t;
  int what;  // 0: q, 1: qd, 2: J qd
} At;

static void curve(const void* context, double h, double* out)
{
  const At* at = context;
  int n        = lw_model_dof(at->model);
  double q[MOST], qd[MOST], J[6 * MOST];
  lw_trajectory_at(at->trajectory, at->t + h, q, qd, NULL);
  if (at->what < 2) memcpy(out, at->what ? qd : q, (size_t)n * sizeof *q);
  if (at->what < 2) return;
  lw_jacobian(at->model, at->ws, q, J);
  for (int row = 0; row < 6; ++row)
  {
    out[row] = 0;
    for (int i = 0; i < n; ++i) out[row] += J[row * n + i] * qd[i];
  }
}

static void close_to(const char* what, const double* got, const double* expected, int count,
                     double by)
{
  for (int k = 0; k < count; ++k)
    if (!(fabs(got[k] - expected[k]) <= by))
      fail_msg("%s %d: %.17g, expected %.17g", what, k, got[k], expected[k]);
}

// Checks at time t: on the line, at the right speed, and qd and qdd are derivatives.
static void check_rates(const At* now, const double v[6], double by)
{
  int n = lw_model_dof(now->model);
  double q[MOST], qd[MOST], qdd[MOST], d[MOST];
  At at = *now;
  lw_trajectory_at(at.trajectory, at.t, q, qd, qdd);
  at.what = 2;
  curve(&at, 0, d);
  close_to("velocity of the last link", d, v, 6, 1e-12);
  at.what = 0;
  derivative(curve, &at, 1e-3, (size_t)n,
             d);  // h^8 f9 / 630 and eps / h are both far below the bound
  close_to("qd", d, qd, n, by);
  at.what = 1;
  derivative(curve, &at, 1e-3, (size_t)n, d);
  close_to("qdd", d, qdd, n, by);
}

// --- the line of mata2002

static void line_of_mata2002(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("puma560.yaml");
  lwWorkspace* ws = plain_work(model);
  lwLineDef line  = lw_line_def();
  double q[6], p[3], R[9], R0[9];
  mata_start(model, ws, q);
  lw_pose(model, ws, q, p, R0);
  line.q     = q;
  line.speed = 0.1;
  memcpy(line.position, MATA_TO, sizeof line.position);
  lwTrajectory* trajectory = made(model, ws, &line);
  double T                 = lw_trajectory_duration(trajectory);
  assert_closer(T, MATA_LENGTH / 0.1, 1e-13);
  double v[6] = {0};
  for (int k = 0; k < 3; ++k) v[k] = 0.1 * (MATA_TO[k] - MATA_FROM[k]) / MATA_LENGTH;
  for (int s = 0; s <= SAMPLES; ++s)
  {
    double t = T * s / SAMPLES, there[6], on[3];
    lw_trajectory_at(trajectory, t, there, NULL, NULL);
    lw_pose(model, ws, there, p, R);
    for (int k = 0; k < 3; ++k) on[k] = MATA_FROM[k] + t * v[k];
    close_to("position", p, on, 3, 1e-13);
    close_to("orientation", R, R0, 9, 1e-13);
    if (s == 0 || s == SAMPLES) continue;
    const At at = {trajectory, model, ws, t, 0};
    check_rates(&at, v, 1e-9);
  }
  lw_trajectory_destroy(trajectory);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// --- any arm

// A line between the poses of two nearby positions, with ramps; the orientation changes along the
// line.
static void lines_of_random_arms(void** unused)
{
  (void)unused;
  int tried = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed)
  {
    const RobotStyle style = {
        .dof = 6 + (int)(seed % 3), .fixed = 0.3, .prismatic = 0.2, .placement = -1};
    lwRandom random = {seed};
    Robot* robot    = random_robot(seed, &style);
    lwModel* model  = robot->model;
    lwWorkspace* ws = plain_work(model);
    lwLineDef line  = lw_line_def();
    lwTrajectory* trajectory;
    int n = lw_model_dof(model);
    double from[MOST], to[MOST], p0[3], R0[9], v[6];
    for (int i = 0; i < n; ++i) from[i] = lw_random_between(&random, -2, 2);
    for (int i = 0; i < n; ++i) to[i] = from[i] + lw_random_between(&random, -0.1, 0.1);
    lw_pose(model, ws, from, p0, R0);
    lw_pose(model, ws, to, line.position, line.rotation);
    line.q = from, line.orientation = LW_ORIENTATION_TURNED, line.duration = 4,
    line.acceleration = 1;
    lwStatus status   = lw_trajectory_create_line(model, ws, &line, NULL, &trajectory);
    if (status == LW_OK)
    {
      const At middle = {trajectory, model, ws, 2, 2};
      double goal[MOST], p[3], R[9], most = 0;
      ++tried;
      curve(&middle, 0, v);
      check_rates(&middle, v, 1e-8);
      lw_trajectory_at(trajectory, 4, goal, NULL, NULL);
      lw_pose(model, ws, goal, p, R);
      close_to("end", p, line.position, 3, 1e-12);
      close_to("orientation at the end", R, line.rotation, 9, 1e-12);
      lw_trajectory_at(trajectory, 2, goal, NULL,
                       NULL);  // half the path at half the time, by symmetry
      lw_pose(model, ws, goal, p, R);
      for (int k = 0; k < 3; ++k) most = fmax(most, fabs(p[k] - 0.5 * (p0[k] + line.position[k])));
      assert_less(most, 1e-12);
    }
    lw_trajectory_destroy(trajectory);
    lw_workspace_destroy(ws);
    robot_free(robot);
  }
  assert_greater(tried, 45);  // few short lines meet a singularity
}

// One of two arms, with a tool: the joints of the other arm do not move.
static void line_of_a_frame_in_a_tree(void** unused)
{
  (void)unused;
  lwModel* model      = shipped("torso.yaml");
  lwWorkspace* ws     = plain_work(model);
  const lwFrame frame = {
      .joint = lw_model_joint(model, 8), .xyz = {0.05, 0.02, 0.1}, .rpy = {0.1, 0.2, 0.3}};
  lwLineDef line = lw_line_def();
  int n          = lw_model_dof(model);
  double q[40]   = {0}, p[3], R[9], J[6 * 40], qd[40], v[6];
  for (int i = 0; i < n; ++i)
  {
    const lwLimits* limits = &joint_of(model, i)->limits;
    q[i]                   = 0.6 * limits->lower + 0.4 * limits->upper;
  }
  assert_int_equal(lw_workspace_set_frame(ws, model, &frame, NULL), LW_OK);
  lw_pose(model, ws, q, p, R);
  line.q = q, line.speed = 0.05;
  const double way[3] = {0.02, -0.01, 0.03};
  for (int k = 0; k < 3; ++k) line.position[k] = p[k] + way[k];
  lwTrajectory* trajectory = made(model, ws, &line);
  lw_trajectory_at(trajectory, 0.5 * lw_trajectory_duration(trajectory), q, qd, NULL);
  lw_jacobian(model, ws, q, J);
  double length = sqrt(0.0014);
  for (int row = 0; row < 6; ++row)
  {
    v[row] = row < 3 ? -0.05 * way[row] / length : 0;
    for (int i = 0; i < n; ++i) v[row] += J[row * n + i] * qd[i];
    assert_less(fabs(v[row]), 1e-13);
  }
  lw_trajectory_destroy(trajectory);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

static void position_only(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("planar2r.yaml");
  lwWorkspace* ws = plain_work(model);
  lwLineDef line  = lw_line_def();
  double q[2]     = {0.3, 1.2}, p0[3], p[3], R[9];
  lw_pose(model, ws, q, p0, R);
  line.q = q, line.speed = 0.2, line.orientation = LW_ORIENTATION_FREE;
  line.position[0] = p0[0] - 0.3, line.position[1] = p0[1] - 0.6;
  lwTrajectory* trajectory = made(model, ws, &line);
  double T                 = lw_trajectory_duration(trajectory);
  for (int s = 1; s < SAMPLES; ++s)
  {
    double there[2];
    lw_trajectory_at(trajectory, T * s / SAMPLES, there, NULL, NULL);
    lw_pose(model, ws, there, p, R);
    const double on[3] = {p0[0] - 0.3 * s / SAMPLES, p0[1] - 0.6 * s / SAMPLES, p0[2]};
    close_to("position", p, on, 3, 1e-13);
  }
  lw_trajectory_destroy(trajectory);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// --- refused lines

static void refused(const lwModel* model, lwWorkspace* ws, const lwLineDef* line, const char* part)
{
  lwTrajectory* trajectory;
  lwDiag* diag = lw_diag_create();
  assert_int_equal(lw_trajectory_create_line(model, ws, line, diag, &trajectory), LW_ERROR_INPUT);
  assert_null(trajectory);
  if (!strstr(first_error(diag), part)) fail_msg("'%s' does not say '%s'", first_error(diag), part);
  lw_diag_destroy(diag);
}

static void what_cannot_be_done_is_said(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("puma560.yaml");
  lwWorkspace* ws = plain_work(model);
  lwLineDef line  = lw_line_def();
  double q[6], p[3], R[9];
  mata_start(model, ws, q);
  lw_pose(model, ws, q, p, R);
  line.q = q;
  memcpy(line.position, MATA_TO, sizeof line.position);
  refused(model, ws, &line, "a speed or a duration");
  line.speed = 0.1, line.duration = 2;
  refused(model, ws, &line, "one of the two");
  line.duration    = 0;
  line.position[0] = 2;
  refused(model, ws, &line, "the line leaves the reach of the arm");
  memcpy(line.position, p, sizeof p);
  refused(model, ws, &line, "turns in place");
  memcpy(line.position, MATA_TO, sizeof line.position);
  line.speed = 3;
  refused(model, ws, &line, "needs a velocity of");
  line.speed = 0, line.duration = 0.5, line.acceleration = 0.1;
  refused(model, ws, &line, "too short for these ramps, expected at least 3.6");
  line.acceleration = -1;
  refused(model, ws, &line, "must be more than 0");
  line = lw_line_def(), line.q = q, line.speed = 0.05, line.orientation = LW_ORIENTATION_FREE;
  line.position[0] = 0.3, line.position[2] = -0.1;
  refused(model, ws, &line, "joint 'elbow' passes its upper limit of 3.92699 rad at t = ");
  q[1] = 2;
  refused(model, ws, &line, "the start: joint 'shoulder' is at 2 rad");
  lw_workspace_destroy(ws);
  lw_model_destroy(model);

  model = shipped("planar2r.yaml");  // two joints cannot keep an orientation
  ws    = plain_work(model);
  line  = lw_line_def();
  q[0] = 0.3, q[1] = 1.2;
  line.q = q, line.speed = 0.1, line.position[0] = 1;
  refused(model, ws, &line, "the arm cannot move in this direction");
  q[1]             = 0;  // stretched out, and outwards
  line.orientation = LW_ORIENTATION_FREE, line.position[0] = 3 * cos(0.3),
  line.position[1] = 3 * sin(0.3);
  refused(model, ws, &line, "after 0 of");
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// With ramps alone, a line of length s takes 2 sqrt(s / a): that is enough, and less is refused.
static void shortest_time_of_ramps(void** unused)
{
  (void)unused;
  lwModel* model  = shipped("cart_pole.yaml");
  lwWorkspace* ws = plain_work(model);
  lwLineDef line  = lw_line_def();
  double q[2]     = {0}, p[3], R[9], out[2];
  const double a = 0.5, length = 0.3, least = 2 * sqrt(length / a);
  lwTrajectory* trajectory;
  lw_pose(model, ws, q, p, R);
  line.q            = q;
  line.acceleration = a;
  line.orientation  = LW_ORIENTATION_KEPT;
  memcpy(line.position, p, sizeof p);
  line.position[0] += length;
  line.duration = least * (1 - 1e-9);
  refused(model, ws, &line, "too short for these ramps, expected at least 1.54919 s");
  for (int k = 0; k < 2; ++k)
  {
    line.duration = least * (1 + k);
    assert_int_equal(lw_trajectory_create_line(model, ws, &line, NULL, &trajectory), LW_OK);
    assert_near(lw_trajectory_duration(trajectory), line.duration, 1e-12);
    lw_trajectory_at(trajectory, line.duration / 2, out, NULL, NULL);
    assert_near(out[0], length / 2, 1e-9);  // both ramps are alike
    lw_trajectory_destroy(trajectory);
  }
  line.duration = 0, line.speed = 0.2;  // t = s / v + v / a
  assert_int_equal(lw_trajectory_create_line(model, ws, &line, NULL, &trajectory), LW_OK);
  assert_near(lw_trajectory_duration(trajectory), length / 0.2 + 0.2 / a, 1e-12);
  lw_trajectory_destroy(trajectory);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// A finger whose third joint mimics the second: inverse kinematics works, but lines are refused.
static void joints_that_mimic(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  for (int i = 0; i < 4; ++i)
  {
    lwJointDef* joint = robot_add(robot, i < 3 ? LW_JOINT_REVOLUTE : LW_JOINT_FIXED, i - 1);
    joint->a          = i > 0 ? 0.5 : 0;
    joint->link       = (lwLinkDef){.mass = 1, .com = {0.2, 0, 0}};
    if (i == 2) joint->mimic = (lwMimic){.given = true, .leader = 1, .multiplier = 0.7};
  }
  robot_build(robot);
  lwWorkspace* ws = plain_work(robot->model);
  lwTarget target = lw_target_position();
  lwLineDef line  = lw_line_def();
  double q[2]     = {0.2, 0.6}, R[9];
  lwIk* ik;
  assert_int_equal(lw_model_dof(robot->model), 2);
  lw_pose(robot->model, ws, q, target.position, R);
  q[0] = 0.9, q[1] = 0.1;
  assert_int_equal(lw_ik_create(robot->model, ws, NULL, NULL, &ik), LW_OK);
  assert_true(lw_ik_solve(ik, &target, q).reached);
  line.q = q, line.speed = 0.1, line.orientation = LW_ORIENTATION_FREE;
  line.position[0] = 1;
  refused(robot->model, ws, &line, "joints that mimic others");
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(line_of_mata2002),
      cmocka_unit_test(lines_of_random_arms),
      cmocka_unit_test(line_of_a_frame_in_a_tree),
      cmocka_unit_test(position_only),
      cmocka_unit_test(what_cannot_be_done_is_said),
      cmocka_unit_test(joints_that_mimic),
      cmocka_unit_test(shortest_time_of_ramps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
