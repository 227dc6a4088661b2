// SPDX-License-Identifier: MIT
// Inverse kinematics and lines for robots with loops: they reach the pose, close the loops and
// respect the limits.
#include "base/random.h"
#include "linkwork/loop.h"
#include "trajectory_arms.h"

enum
{
  MOST = 64
};

// A robot file of robots/ with loops.
typedef struct Machine
{
  lwModel* model;
  lwWorkspace* ws;
  lwLoops* loops;
} Machine;

static Machine machine_open(const char* name, const char* link)
{
  Machine machine    = {.model = shipped(name)};
  lwWorkspaceDef def = lw_workspace_def();
  def.open_tree      = true;
  assert_int_equal(lw_workspace_create(machine.model, &def, NULL, &machine.ws), LW_OK);
  assert_int_equal(lw_loops_create(machine.model, NULL, NULL, &machine.loops), LW_OK);
  assert_at_most(lw_model_nq(machine.model), MOST);
  lwFrame frame = {.joint = -1};
  if (!link) return machine;
  assert_int_equal(lw_model_find_link(machine.model, link, &frame.joint), LW_OK);
  assert_int_equal(lw_workspace_set_frame(machine.ws, machine.model, &frame, NULL), LW_OK);
  return machine;
}

static void machine_close(Machine* machine)
{
  lw_loops_destroy(machine->loops);
  lw_workspace_destroy(machine->ws);
  lw_model_destroy(machine->model);
}

static int limit_passed(const lwModel* model, const double* q)
{
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    int at                 = lw_model_velocity(model, i).other;
    const lwLimits* limits = &joint_of(model, i)->limits;
    if (at >= 0 && !(q[at] >= limits->lower && q[at] <= limits->upper)) return at;
  }
  return -1;
}

// Random positions of the driven joints, the others close the loops; false if that violates limits.
static bool somewhere(const Machine* machine, lwRandom* random, double* q)
{
  const lwModel* model = machine->model;
  lw_model_start(model, q);
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    int at = lw_model_velocity(model, i).other;
    if (at < 0 || !lw_model_is_driven(model, i)) continue;
    const lwLimits* limits = &joint_of(model, i)->limits;
    double low             = isinf(limits->lower) ? -1 : limits->lower,
           high            = isinf(limits->upper) ? 1 : limits->upper;
    q[at] += lw_random_between(random, 0.6, 1) * (lw_random_between(random, low, high) - q[at]);
  }
  return lw_loops_close(machine->loops, q, NULL) == LW_OK && limit_passed(model, q) < 0;
}

// Poses of closed positions are found again, starting from the file's position. Components that the
// robot cannot control are free: a four-bar and a delta control position only, a palletiser also
// rotation about the vertical.
static void poses_are_reached(const char* name, const char* link, lwTarget kind)
{
  Machine machine = machine_open(name, link);
  lwRandom random = {7};
  lwIk* ik;
  int tried = 0;
  assert_int_equal(lw_ik_create(machine.model, machine.ws, NULL, NULL, &ik), LW_OK);
  for (int k = 0; k < 12; ++k)
  {
    double q[MOST], found[MOST], gap[2];
    if (!somewhere(&machine, &random, q)) continue;
    lwTarget target = target_at(machine.model, machine.ws, q);
    memcpy(target.weights, kind.weights, sizeof target.weights);
    lw_model_start(machine.model, found);
    lwIkResult result = lw_ik_solve(ik, &target, found);
    if (!result.reached)
      fail_msg("%s, pose %d: missed by %g m, %g rad", name, k, result.position_error,
               result.angle_error);
    lw_loops_gap(machine.loops, found, gap);
    if (!(gap[0] < 1e-10 && gap[1] < 1e-10))
      fail_msg("%s, pose %d: gaps of %g m, %g rad", name, k, gap[0], gap[1]);
    int passed = limit_passed(machine.model, found);
    if (passed >= 0) fail_msg("%s, pose %d: q%d = %.17g", name, k, passed + 1, found[passed]);
    ++tried;
  }
  assert_at_least(tried, 6);
  lw_ik_destroy(ik);
  machine_close(&machine);
}

static void machines_reach_poses(void** unused)
{
  (void)unused;
  poses_are_reached("four_bar.yaml", "coupler", lw_target_position());
  poses_are_reached("palletizer.yaml", NULL, lw_target_pose());
  poses_are_reached("delta.yaml", NULL, lw_target_position());
  poses_are_reached("stewart.yaml", NULL, lw_target_pose());
  poses_are_reached("excavator.yaml", NULL, lw_target_position());
}

// A point that the coupler cannot reach: the result is the closest, with closed loops.
static void out_of_reach_stays_closed(void** unused)
{
  (void)unused;
  Machine machine = machine_open("four_bar.yaml", "coupler");
  lwIkDef def     = lw_ik_def();
  lwTarget target = lw_target_position();
  double q[MOST], gap[2];
  lwIk* ik;
  def.restarts       = 5;
  target.position[0] = 0.5;  // the crank's pin is at 0.2 m
  assert_int_equal(lw_ik_create(machine.model, machine.ws, &def, NULL, &ik), LW_OK);
  lw_model_start(machine.model, q);
  lwIkResult result = lw_ik_solve(ik, &target, q);
  assert_false(result.reached);
  assert_near(result.position_error, 0.3, 1e-6);
  lw_loops_gap(machine.loops, q, gap);
  assert_at_most(gap[0], 1e-10);
  assert_int_equal(lw_ik_check_all(ik, NULL), LW_ERROR_INPUT);
  lw_ik_destroy(ik);
  machine_close(&machine);
}

// --- lines

// Checks q, qd and qdd of a line at t: loops closed, on the line, and derivatives consistent.
static void check_line_at(const Machine* machine, const lwTrajectory* trajectory, double t,
                          const double from[3], const double to[3])
{
  double q[3][MOST], qd[3][MOST], qdd[MOST], v[MOST], p[3], R[9], h = 1e-4;
  const lwModel* model = machine->model;
  double part          = t / lw_trajectory_duration(trajectory);
  for (int k = 0; k < 3; ++k) lw_trajectory_at(trajectory, t + (k - 1) * h, q[k], qd[k], NULL);
  lw_trajectory_at(trajectory, t, NULL, NULL, qdd);
  assert_int_equal(lw_loops_check(machine->loops, q[1], qd[1], qdd, NULL), LW_OK);
  lw_pose(model, machine->ws, q[1], p, R);
  for (int k = 0; k < 3; ++k) assert_near(p[k], from[k] + part * (to[k] - from[k]), 1e-9);
  lw_model_difference(model, q[0], q[2], v);
  for (int i = 0; i < lw_model_dof(model); ++i)
  {
    double bend = (qd[2][i] - qd[0][i]) / (2 * h);
    // differences over 2e-4 s, for motions with rates of some 1/s
    if (!(fabs(qdd[i] - bend) < 1e-5 * (1 + fabs(qdd[i]))))
      fail_msg("t = %g, qdd%d: %.12g, by differences %.12g", t, i + 1, qdd[i], bend);
    bool floats = lw_model_velocity(model, i).other < 0;
    double rate = v[i] / (2 * h);
    if (!floats && !(fabs(qd[1][i] - rate) < 1e-6 * (1 + fabs(rate))))
      fail_msg("t = %g, qd%d: %.12g, by differences %.12g", t, i + 1, qd[1][i], rate);
  }
}

static void line_is_followed(const char* name, const double by[3], lwOrientation orientation)
{
  Machine machine = machine_open(name, NULL);
  lwLineDef line  = lw_line_def();
  double q[MOST], from[3], R[9];
  lwTrajectory* trajectory;
  lwDiag* diag = lw_diag_create();
  lw_model_start(machine.model, q);
  lw_pose(machine.model, machine.ws, q, from, R);
  for (int k = 0; k < 3; ++k) line.position[k] = from[k] + by[k];
  line.q           = q;
  line.orientation = orientation;
  line.duration    = 1;
  lwStatus made    = lw_trajectory_create_line(machine.model, machine.ws, &line, diag, &trajectory);
  if (made != LW_OK)
    fail_msg("%s: %s", name, lw_diag_size(diag) ? lw_diag_message(diag, 0)->text : "");
  for (int k = 1; k < 8; ++k) check_line_at(&machine, trajectory, 0.125 * k, from, line.position);
  lw_trajectory_destroy(trajectory);
  lw_diag_destroy(diag);
  machine_close(&machine);
}

static void lines_keep_loops_closed(void** unused)
{
  (void)unused;
  line_is_followed("palletizer.yaml", (double[]){-0.1, 0.3, -0.2}, LW_ORIENTATION_FREE);
  line_is_followed("delta.yaml", (double[]){0.05, 0.08, -0.06}, LW_ORIENTATION_FREE);
  line_is_followed("stewart.yaml", (double[]){0.05, 0.04, -0.06}, LW_ORIENTATION_KEPT);
  line_is_followed("stewart.yaml", (double[]){0.05, 0.04, -0.06}, LW_ORIENTATION_FREE);
}

// A line that starts at a position with open loops is refused.
static void open_beginning_is_refused(void** unused)
{
  (void)unused;
  Machine machine = machine_open("palletizer.yaml", NULL);
  lwLineDef line  = lw_line_def();
  double q[MOST];
  lwTrajectory* trajectory;
  lw_model_start(machine.model, q);
  q[3] += 0.1;
  line.q           = q;
  line.orientation = LW_ORIENTATION_FREE;
  line.duration    = 1;
  assert_int_equal(lw_trajectory_create_line(machine.model, machine.ws, &line, NULL, &trajectory),
                   LW_ERROR_INPUT);
  assert_null(trajectory);
  machine_close(&machine);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(machines_reach_poses),
      cmocka_unit_test(out_of_reach_stays_closed),
      cmocka_unit_test(lines_keep_loops_closed),
      cmocka_unit_test(open_beginning_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
