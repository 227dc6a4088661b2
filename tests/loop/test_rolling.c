// SPDX-License-Identifier: MIT
// Robots with skates, wheels and discs. tests/data/rolling/states.txt has forward dynamics, forces
// and dJ/dt qd of four of them to 20 digits, computed with 110 digits from differences of positions
// alone: Lagrange's equations and the velocity of the point that touches the ground. The others are
// closed forms.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/arm.h"
#include "linkwork/loop.h"
#include "linkwork/read.h"
#include "linkwork/snake.h"
#include "loop/loop_workspace.h"
#include "support/testing.h"

enum
{
  MOST = 16
};

typedef struct Rolling
{
  lwModel* model;
  lwLoops* loops;
  int n, rows;
} Rolling;

static Rolling open_robot(const char* name)
{
  Rolling r;
  char path[300];
  snprintf(path, sizeof path, "%s/rolling/%s.yaml", LW_TEST_DATA, name);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &r.model), LW_OK);
  assert_int_equal(lw_loops_create(r.model, NULL, NULL, &r.loops), LW_OK);
  r.n    = lw_model_dof(r.model);
  r.rows = lw_model_loop_rows(r.model);
  return r;
}

static void close_robot(Rolling* r)
{
  lw_loops_destroy(r->loops);
  lw_model_destroy(r->model);
}

// --- states to 20 digits

typedef struct Golden
{
  char robot[20];
  double q[MOST], qd[MOST], tau[MOST], qdd[MOST], f[MOST], bias[MOST];
} Golden;

// The next state of the file; false at its end.
static bool read_golden(FILE* file, Golden* golden)
{
  double* const parts[] = {golden->q,   golden->qd, golden->tau,
                           golden->qdd, golden->f,  golden->bias};
  for (int k = 0; k < 6; ++k)
  {
    char kind[20];
    int count;
    if (fscanf(file, "%19s %19s %d", golden->robot, kind, &count) != 3) return false;
    assert_in_range(count, 1, MOST);
    for (int i = 0; i < count; ++i) assert_int_equal(fscanf(file, "%lf", &parts[k][i]), 1);
  }
  return true;
}

static void compare(const double* got, const double* expected, int n, double bound)
{
  double size = 1;
  for (int i = 0; i < n; ++i) size = fmax(size, fabs(expected[i]));
  for (int i = 0; i < n; ++i) assert_near(got[i], expected[i], bound * size);
}

// Forward dynamics at once and by the methods of its parts; then torques that balance the motion.
static void check_golden(Rolling* r, const Golden* golden)
{
  static const double none[6];
  double qdd[MOST], f[MOST], tau[MOST], back[MOST];
  lwStates state = {.q = golden->q, .qd = golden->qd, .tau = golden->tau};
  for (int pass = 0; pass < 2; ++pass)
  {
    state.wrench = pass ? none : NULL;
    lw_loops_forward(r->loops, &state, qdd, f);
    compare(qdd, golden->qdd, r->n, 1e-12);
    compare(f, golden->f, r->rows, 1e-12);
    lw_loops_forward(r->loops, &state, qdd, NULL);
    compare(qdd, golden->qdd, r->n, 1e-12);
  }
  lw_loops_at(r->loops, golden->q);
  lw_loop_bias(r->model, &r->loops->closer.motion, golden->qd, back);
  compare(back, golden->bias, r->rows, 1e-13);
  assert_int_equal(lw_loops_check(r->loops, golden->q, golden->qd, golden->qdd, NULL), LW_OK);
  lwStates motion = {.q = golden->q, .qd = golden->qd, .qdd = golden->qdd};
  if (lw_loops_inverse(r->loops, &motion, tau, f) != LW_OK) return;  // what rolls by itself
  state.tau = tau;
  lw_loops_forward(r->loops, &state, qdd, back);
  compare(qdd, golden->qdd, r->n, 1e-11);
  compare(back, f, r->rows, 1e-11);
}

static void states_to_20_digits(void** state)
{
  Golden golden;
  int count  = 0;
  FILE* file = fopen(LW_TEST_DATA "/rolling/states.txt", "r");
  (void)state;
  assert_non_null(file);
  for (; read_golden(file, &golden); ++count)
  {
    Rolling r = open_robot(golden.robot);
    check_golden(&r, &golden);
    close_robot(&r);
  }
  fclose(file);
  assert_int_equal(count, 12);
}

// --- closed forms

// A disc that leans by `lean` and precesses at rate `turn` rolls steadily at one rate of its axle.
// With w its angular velocity about the axle, A and C its moments of inertia,
//   (C + m R^2) w turn cos(lean) = A turn^2 sin(lean) cos(lean) - m g R sin(lean)
static void disc_precesses_steadily(void** state)
{
  const double m = 2, R = 0.3, A = 0.045, C = 0.09, g = 9.81, lean = 0.4, turn = 1.7;
  double s = sin(lean), c = cos(lean);
  double w    = (A * turn * turn * s * c - m * g * R * s) / ((C + m * R * R) * turn * c);
  double spin = w - turn * s, q[5] = {0.2, -0.1, 0.7, lean, 0.3}, qdd[5], f[2];
  double qd[5] = {R * spin * cos(q[2]), R * spin * sin(q[2]), turn, 0, spin};
  Rolling r    = open_robot("disc");
  (void)state;
  assert_int_equal(lw_loops_check(r.loops, q, qd, NULL, NULL), LW_OK);
  lw_loops_forward(r.loops, &(lwStates){.q = q, .qd = qd}, qdd, f);
  for (int i = 2; i < 5; ++i) assert_near(qdd[i], 0, 1e-12);
  assert_near(qdd[0], -R * spin * turn * sin(q[2]), 1e-12);
  assert_near(f[0], 0, 1e-12);
  assert_near(f[1], m * R * w * turn, 1e-11);  // towards the centre of the circle
  close_robot(&r);
}

// Chaplygin's sleigh, the skate at distance a behind its centre of mass, v along the skate:
//   dv/dt = a w^2     (I + m a^2) dw/dt = -m a v w
static void sleigh_follows_chaplygin(void** state)
{
  const double m = 1.5, a = 0.4, I = 0.06, v = 0.8, w = -1.3;
  double q[3]  = {0.3, 0.1, 2.1}, qdd[3], f[1];
  double qd[3] = {v * cos(q[2]), v * sin(q[2]), w};
  Rolling r    = open_robot("sleigh");
  (void)state;
  lw_loops_forward(r.loops, &(lwStates){.q = q, .qd = qd}, qdd, f);
  double along = qdd[0] * cos(q[2]) + qdd[1] * sin(q[2]);
  double wd    = -m * a * v * w / (I + m * a * a);
  assert_near(along, a * w * w, 1e-13);
  assert_near(qdd[2], wd, 1e-13);
  assert_near(f[0], m * (v * w + a * wd), 1e-12);
  close_robot(&r);
}

// A differential drive: v = R (l + r) / 2, turn = R (r - l) / track.
static void drive_moves_by_its_wheels(void** state)
{
  const double R = 0.1, track = 0.5, left = 3, right = -1.2;
  double q[7] = {1, 2, 0.9, 0.4, 5, 0, 0}, qd[7] = {0, 0, 0, left, right, 0, 0};
  Rolling r = open_robot("drive");
  (void)state;
  assert_int_equal(lw_model_mobility(r.model), 4);
  assert_int_equal(lw_loops_velocity(r.loops, q, qd), LW_OK);
  double v = R * (left + right) / 2;
  assert_near(qd[0], v * cos(q[2]), 1e-15);
  assert_near(qd[1], v * sin(q[2]), 1e-15);
  assert_near(qd[2], R * (right - left) / track, 1e-15);
  close_robot(&r);
}

// --- derivatives

// The state in which positions are moved by s along step, speeds by r along `rate`, and nothing else
// of what has names changes.
static lwStates moved_state(Rolling* r, const lwStates* from, const double* step, double s,
                            int rate, double change, double motion[3][MOST])
{
  double along[MOST];
  for (int i = 0; i < r->n; ++i) along[i] = s * step[i];
  lw_model_integrate(r->model, from->q, along, motion[0]);
  lw_loops_project(r->loops, motion[0], NULL);
  memcpy(motion[1], from->qd, (size_t)r->n * sizeof(double));
  memcpy(motion[2], from->qdd, (size_t)r->n * sizeof(double));
  if (rate >= 0) motion[1][lw_model_speed(r->model, rate)] += change;
  assert_int_equal(lw_loops_velocity(r->loops, motion[0], motion[1]), LW_OK);
  assert_int_equal(lw_loops_acceleration(r->loops, motion[0], motion[1], motion[2]), LW_OK);
  return (lwStates){.q = motion[0], .qd = motion[1], .qdd = motion[2], .tau = from->tau};
}

// Differences of order 8 of an answer (m) along step, or by a speed.
static void answer_slope(Rolling* r, lwQuestion question, const lwStates* from, const double* step,
                         int rate, double* slope)
{
  static const double weights[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280}, h = 0.01;
  int m = lw_model_mobility(r->model);
  memset(slope, 0, (size_t)m * sizeof *slope);
  for (int k = -4; k <= 4; ++k)
  {
    double motion[3][MOST], out[MOST], s = rate < 0 ? k * h : 0, change = rate < 0 ? 0 : k * h;
    if (k == 0) continue;
    lwStates state = moved_state(r, from, step, s, rate, change, motion);
    assert_int_equal(lw_loops_answer(r->loops, question, &state, out, NULL), LW_OK);
    for (int a = 0; a < m; ++a) slope[a] += (k > 0 ? 1 : -1) * weights[abs(k) - 1] * out[a] / h;
  }
}

// D (m, across) times a direction, against differences.
static void compare_slope(const double* D, int m, int across, const double* step,
                          const double* slope)
{
  double product[MOST] = {0};
  for (int a = 0; a < m; ++a)
    for (int b = 0; b < across; ++b) product[a] += D[a * across + b] * step[b];
  compare(product, slope, m, 1e-9);
}

// By the position of each joint, less what would open loops, and by each speed.
static void check_slopes(Rolling* r, lwQuestion question, lwQuestion of, const lwStates* state)
{
  int m = lw_model_mobility(r->model), n = r->n;
  double D[3 * MOST * MOST], slope[MOST];
  assert_int_equal(lw_loops_outputs(r->model, of),
                   m * (n + m) + (question == LW_QUESTION_FORWARD) * m * m);
  assert_int_equal(lw_loops_answer(r->loops, of, state, D, NULL), LW_OK);
  for (int b = 0; b < n; ++b)
  {
    double step[MOST] = {0};
    step[b]           = 1;
    lw_loops_tangent(r->loops, state->q, NULL);
    lw_loops_keep_tangent(r->loops, step);
    answer_slope(r, question, state, step, -1, slope);
    compare_slope(D, m, n, step, slope);
  }
  for (int b = 0; b < m; ++b)
  {
    double rate[MOST] = {0};
    rate[b]           = 1;
    answer_slope(r, question, state, rate, b, slope);
    compare_slope(D + m * n, m, m, rate, slope);
  }
}

static void derivatives_are_by_all_positions(void** state)
{
  static const char* const robots[] = {"disc", "sleigh", "drive", "trailer", "cart"};
  (void)state;
  for (int k = 0; k < 5; ++k)
  {
    Rolling r = open_robot(robots[k]);
    double q[MOST], qd[MOST], qdd[MOST], tau[MOST];
    lw_model_start(r.model, q);
    for (int i = 0; i < r.n; ++i)
    {
      q[i] += 0.1 * sin(1 + 2.3 * i + k);
      qd[i]  = cos(3 * i + k);
      qdd[i] = sin(5 * i + k);
      tau[i] = lw_model_is_driven(r.model, i) ? cos(7 * i + k) : 0;
    }
    lw_loops_project(r.loops, q, NULL);
    assert_int_equal(lw_loops_velocity(r.loops, q, qd), LW_OK);
    assert_int_equal(lw_loops_acceleration(r.loops, q, qd, qdd), LW_OK);
    lwStates moves = {.q = q, .qd = qd, .qdd = qdd, .tau = tau};
    check_slopes(&r, LW_QUESTION_INVERSE, LW_QUESTION_INVERSE_DERIVATIVES, &moves);
    check_slopes(&r, LW_QUESTION_FORWARD, LW_QUESTION_FORWARD_DERIVATIVES, &moves);
    close_robot(&r);
  }
}

// --- over time

// Energy and momentum of what rolls freely, for some seconds; velocities never slip.
static void run_robot(const char* name, double* q, double* qd, double seconds)
{
  Rolling r = open_robot(name);
  lw_loops_project(r.loops, q, qd);
  lwArmDef def = lw_arm_def();
  lwArmRun* run;
  def.model               = r.model;
  def.q                   = q;
  def.qd                  = qd;
  def.integrator.method   = "dop853";
  def.integrator.relative = def.integrator.absolute = 1e-11;
  assert_int_equal(lw_arm_run_create(&def, NULL, &run), LW_OK);
  for (int k = 1; k <= 10; ++k)
  {
    assert_int_equal(lw_arm_run_advance(run, seconds * k / 10, NULL), LW_OUTCOME_ARRIVED);
    lwArmSample sample = lw_arm_run_sample(run);
    lw_loops_at(r.loops, sample.q);
    for (int i = 0; i < r.rows; ++i)
    {
      double slip = 0;
      for (int j = 0; j < r.n; ++j) slip += r.loops->J[i * r.n + j] * sample.qd[j];
      assert_near(slip, 0, 1e-12);
    }
  }
  lwAudit audit = lw_arm_run_audit(run);
  assert_greater(audit.peak_kinetic, 0);
  assert_at_most(audit.worst_S, 1e-9 * audit.peak_kinetic);
  lw_arm_run_destroy(run);
  close_robot(&r);
}

static void what_rolls_keeps_its_energy(void** state)
{
  (void)state;
  run_robot("disc", (double[]){0, 0, 0, 0.2, 0}, (double[]){1.2, 0, 0.5, 0, 4}, 3);
  run_robot("sleigh", (double[]){0, 0, 0}, (double[]){0.5, 0, 2}, 5);
  run_robot("trailer", (double[]){0, 0, 0.3, 0.2, 0.3, 0}, (double[]){2, 0, 0, 0, 0, 0}, 3);
}

// --- a snake as a tree of joints whose links stand on skates

enum
{
  LINKS = 6
};

// Links in a row; the frame of the first one is in its middle, those of others are at their joints.
static lwModel* snake_tree(const lwSnake* snake)
{
  static const char* const names[LINKS] = {"l1", "l2", "l3", "l4", "l5", "l6"};
  lwRobotDef robot                      = lw_robot_def();
  lwJointDef joints[LINKS];
  lwLoopDef rows[LINKS];
  lwModel* model = NULL;
  for (int k = 0; k < LINKS; ++k)
  {
    lwSnakeLink link    = lw_snake_get(snake, k);
    double middle       = k > 0 ? link.length / 2 : 0;
    joints[k]           = lw_joint_def();
    joints[k].name      = names[k];
    joints[k].type      = k > 0 ? LW_JOINT_REVOLUTE : LW_JOINT_PLANAR;
    joints[k].placement = LW_PLACEMENT_ORIGIN_AXIS;
    joints[k].parent    = k - 1;
    joints[k].passive   = k == 0;
    joints[k].axis[2]   = 1;
    joints[k].link      = (lwLinkDef){.name    = names[k],
                                      .mass    = link.mass,
                                      .com     = {middle, 0, 0},
                                      .inertia = {link.inertia, link.inertia, link.inertia}};
    if (k > 0) joints[k].xyz[0] = lw_snake_get(snake, k - 1).length * (k > 1 ? 1 : 0.5);
    rows[k]                        = (lwLoopDef){.name   = names[k],
                                                 .type   = LW_LOOP_SKATE,
                                                 .second = {.joint = k, .xyz = {middle + link.wheel_offset, 0, 0}},
                                                 .axis   = {0, 1, 0}};
    joints[k].start[k > 0 ? 0 : 2] = 0.3 + 0.1 * k;  // not straight
  }
  robot.count      = LINKS;
  robot.joints     = joints;
  robot.loop_count = LINKS;
  robot.loops      = rows;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &model), LW_OK);
  return model;
}

// Positions or rates of the tree from those of the snake: x, y, theta_1, and differences.
static void to_tree(const double* theta, const double place[2], double* q)
{
  q[0] = place[0];
  q[1] = place[1];
  q[2] = theta[0];
  for (int k = 1; k < LINKS; ++k) q[2 + k] = theta[k] - theta[k - 1];
}

static void tree_is_a_snake(void** state)
{
  (void)state;
  lwSnake* snake;
  lwSnakeWorkspace* ws;
  lwLoops* loops;
  assert_int_equal(lw_snake_create_generic(LINKS, &snake), LW_OK);
  assert_int_equal(lw_snake_workspace_create(snake, NULL, NULL, &ws), LW_OK);
  lwModel* model = snake_tree(snake);
  assert_int_equal(lw_model_mobility(model), 2);
  assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
  for (int trial = 0; trial < 20; ++trial)
  {
    double theta[LINKS], u[2] = {0.4 + 0.1 * trial, 1 - 0.2 * trial}, T[LINKS - 1];
    double omega[LINKS], turns[LINKS], rates[2], accelerates[2], lambda[LINKS], kinetic;
    double q[LINKS + 2], qd[LINKS + 2], qdd[LINKS + 2], expected[LINKS + 2], f[LINKS];
    double tau[LINKS + 2] = {0}, energy[2];
    for (int k = 0; k < LINKS; ++k) theta[k] = 0.7 * trial + 0.6 * sin(1.3 * k + trial);
    for (int k = 0; k < LINKS - 1; ++k) tau[3 + k] = T[k] = cos(2.1 * k + trial);
    lw_snake_answer(snake, ws, &(lwSnakeStates){theta, u, T},
                    &(lwSnakeAnswers){.omega      = omega,
                                      .theta_ddot = turns,
                                      .lambda     = lambda,
                                      .rates      = rates,
                                      .rates_dot  = accelerates,
                                      .kinetic    = &kinetic});
    to_tree(theta, (double[]){0.2, -0.4}, q);
    to_tree(omega, rates, qd);
    to_tree(turns, accelerates, expected);
    assert_int_equal(lw_loops_check(loops, q, qd, NULL, NULL), LW_OK);
    lw_loops_forward(loops, &(lwStates){.q = q, .qd = qd, .tau = tau}, qdd, f);
    compare(qdd, expected, LINKS + 2, 1e-12);
    for (int k = 0; k < LINKS; ++k) lambda[k] = -lambda[k];  // on the snake
    compare(f, lambda, LINKS, 1e-12);
    assert_int_equal(
        lw_loops_answer(loops, LW_QUESTION_ENERGY, &(lwStates){.q = q, .qd = qd}, energy, NULL),
        LW_OK);
    assert_near(energy[0], kinetic, 1e-13 * (1 + kinetic));
  }
  lw_loops_destroy(loops);
  lw_model_destroy(model);
  lw_snake_workspace_destroy(ws);
  lw_snake_destroy(snake);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(states_to_20_digits),
      cmocka_unit_test(disc_precesses_steadily),
      cmocka_unit_test(sleigh_follows_chaplygin),
      cmocka_unit_test(drive_moves_by_its_wheels),
      cmocka_unit_test(what_rolls_keeps_its_energy),
      cmocka_unit_test(tree_is_a_snake),
      cmocka_unit_test(derivatives_are_by_all_positions),
  };
  return cmocka_run_group_tests_name("loop/rolling", tests, NULL, NULL);
}
