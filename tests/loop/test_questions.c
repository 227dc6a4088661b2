// SPDX-License-Identifier: MIT
// Every question of robots with loops against minimal coordinates: q is a function of the positions
// of the driven joints, which lw_loops_close() evaluates without any derivative. Differences of it
// give N and dN/dt u, with which the tree alone answers.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/linkwork.h"
#include "linkwork/loop.h"
#include "support/testing.h"

static const char* const ROBOTS[] = {"four_bar", "excavator", "palletizer", "delta", "stewart"};

enum
{
  ROBOT_COUNT = sizeof ROBOTS / sizeof *ROBOTS,
  MOST        = 24,   // positions
  LONGEST     = 4096  // answer
};

// Differences of order 8: what they leave out and rounding are below 1e-11.
static const double NEAR = 1e-10;
// Slopes of answers have the third derivatives of closed positions in them.
static const double SLOPE = 1e-9;

// A robot in a closed state, and the same by differences.
typedef struct Closed
{
  lwModel* model;
  lwLoops* loops;
  lwWorkspace* tree;
  int dof, nq, count;
  double h;  // rad or m, step of differences
  double q[MOST], u[MOST], qd[MOST], qdd[MOST];
  double N[MOST][MOST];  // column by column
  double e[MOST];        // dN/dt u
} Closed;

// Which entry of q speed a is.
static int position_of(const Closed* closed, int a)
{
  return lw_model_velocity(closed->model, lw_model_speed(closed->model, a)).other;
}

// Closes the loops with the driven joints moved by s along v (count).
static void close_along(const Closed* closed, const double* v, double s, double* q)
{
  memcpy(q, closed->q, sizeof closed->q);
  for (int a = 0; a < closed->count; ++a) q[position_of(closed, a)] += s * v[a];
  assert_int_equal(lw_loops_close(closed->loops, q, NULL), LW_OK);
}

static const double FIRST[4]  = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
static const double SECOND[4] = {8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};

// First and second derivatives of q along v, in the tangent space at q.
static void differentiate(const Closed* closed, const double* v, double* first, double* second)
{
  double q[MOST], step[2][MOST];
  for (int i = 0; i < closed->dof; ++i) first[i] = second[i] = 0;
  for (int k = 1; k <= 4; ++k)
  {
    for (int side = 0; side < 2; ++side)
    {
      close_along(closed, v, side ? k * closed->h : -k * closed->h, q);
      lw_model_difference(closed->model, closed->q, q, step[side]);
    }
    for (int i = 0; i < closed->dof; ++i)
    {
      first[i] += FIRST[k - 1] * (step[1][i] - step[0][i]) / closed->h;
      second[i] += SECOND[k - 1] * (step[1][i] + step[0][i]) / (closed->h * closed->h);
    }
  }
}

// The rate of a floating joint's velocity, whose axes turn with its link: less w x v.
static void turn_rates(const Closed* closed, const double* v, double* rate)
{
  const lwRobotDef* robot = lw_model_robot(closed->model);
  for (int i = 0; i < closed->dof; ++i)
  {
    if (robot->joints[lw_model_velocity(closed->model, i).joint].type != LW_JOINT_FLOATING)
      continue;
    const double* w = v + i + 3;
    for (int c = 0; c < 3; ++c)
      rate[i + c] -= w[(c + 1) % 3] * v[i + (c + 2) % 3] - w[(c + 2) % 3] * v[i + (c + 1) % 3];
    i += 5;
  }
}

static void open_robot(int i, Closed* closed)
{
  char path[300];
  lwWorkspaceDef def = lw_workspace_def();
  *closed            = (Closed){0};
  snprintf(path, sizeof path, "%s/%s.yaml", LW_ROBOTS, ROBOTS[i]);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &closed->model), LW_OK);
  def.open_tree = true;
  assert_int_equal(lw_loops_create(closed->model, NULL, NULL, &closed->loops), LW_OK);
  assert_int_equal(lw_workspace_create(closed->model, &def, NULL, &closed->tree), LW_OK);
  closed->dof   = lw_model_dof(closed->model);
  closed->nq    = lw_model_nq(closed->model);
  closed->count = lw_model_mobility(closed->model);
  closed->h     = closed->count > 4 ? 0.006 : 0.012;  // a platform bends its paths more
  assert_true(closed->nq <= MOST);
}

static void close_robot(Closed* closed)
{
  lw_workspace_destroy(closed->tree);
  lw_loops_destroy(closed->loops);
  lw_model_destroy(closed->model);
}

// A position near the file's, random speeds and accelerations.
static void move_robot(Closed* closed, lwRandom* random)
{
  double acceleration[MOST], v[MOST], second[MOST];
  lw_model_start(closed->model, closed->q);
  for (int a = 0; a < closed->count; ++a) v[a] = lw_random_between(random, -0.05, 0.05);
  close_along(closed, v, 1, closed->q);
  for (int a = 0; a < closed->count; ++a)
  {
    double unit[MOST] = {0};
    unit[a]           = 1;
    differentiate(closed, unit, closed->N[a], second);
    closed->u[a]    = lw_random_between(random, -1, 1);
    acceleration[a] = lw_random_between(random, -1, 1);
  }
  differentiate(closed, closed->u, closed->qd, closed->e);
  turn_rates(closed, closed->qd, closed->e);
  for (int i = 0; i < closed->dof; ++i)
  {
    closed->qdd[i] = closed->e[i];
    for (int a = 0; a < closed->count; ++a) closed->qdd[i] += closed->N[a][i] * acceleration[a];
  }
}

static void ask(Closed* closed, lwQuestion question, const lwStates* state, double* out)
{
  assert_true(lw_loops_outputs(closed->model, question) <= LONGEST);
  assert_int_equal(lw_loops_answer(closed->loops, question, state, out, NULL), LW_OK);
}

// Each number to a part of the largest.
static void assert_numbers_near(const double* got, const double* expected, int count, double part)
{
  double size = 1;
  for (int k = 0; k < count; ++k) size = fmax(size, fabs(expected[k]));
  for (int k = 0; k < count; ++k) assert_near(got[k], expected[k], part * size);
}

static void assert_answers(const double* got, const double* expected, int count)
{
  assert_numbers_near(got, expected, count, NEAR);
}

// N^T of a vector of the tree.
static void project(const Closed* closed, const double* full, double* out)
{
  for (int a = 0; a < closed->count; ++a)
  {
    out[a] = 0;
    for (int i = 0; i < closed->dof; ++i) out[a] += closed->N[a][i] * full[i];
  }
}

// --- torques

static void check_torques(Closed* closed)
{
  double full[MOST], expected[MOST], got[MOST];
  lwStates moves = {.q = closed->q, .qd = closed->qd, .qdd = closed->qdd};
  lw_answer(closed->model, closed->tree, LW_QUESTION_INVERSE, &moves, full);
  project(closed, full, expected);
  ask(closed, LW_QUESTION_INVERSE, &moves, got);
  assert_answers(got, expected, closed->count);
  lw_answer(closed->model, closed->tree, LW_QUESTION_GRAVITY, &moves, full);
  project(closed, full, expected);
  ask(closed, LW_QUESTION_GRAVITY, &moves, got);
  assert_answers(got, expected, closed->count);
  lwStates steady = {.q = closed->q, .qd = closed->qd, .qdd = closed->e}, rest = {.q = closed->q};
  lw_answer(closed->model, closed->tree, LW_QUESTION_INVERSE, &steady, full);
  project(closed, full, expected);
  ask(closed, LW_QUESTION_BIAS, &moves, got);
  assert_answers(got, expected, closed->count);
  ask(closed, LW_QUESTION_CORIOLIS, &moves, expected);
  ask(closed, LW_QUESTION_GRAVITY, &rest, full);
  for (int a = 0; a < closed->count; ++a) expected[a] += full[a];
  assert_answers(got, expected, closed->count);
}

// The potential is that of closed positions, so its slope is the torque.
static void check_potential(Closed* closed)
{
  double got[MOST], E[2], kinetic;
  ask(closed, LW_QUESTION_GRAVITY, &(lwStates){.q = closed->q}, got);
  for (int a = 0; a < closed->count; ++a)
  {
    double slope = 0, size = 1, unit[MOST] = {0}, q[MOST], still[MOST] = {0};
    unit[a] = 1;
    for (int k = 1; k <= 4; ++k)
    {
      for (int side = 0; side < 2; ++side)
      {
        close_along(closed, unit, side ? k * closed->h : -k * closed->h, q);
        lw_energy(closed->model, closed->tree, q, still, &kinetic, &E[side]);
      }
      slope += FIRST[k - 1] * (E[1] - E[0]) / closed->h;
      size = fmax(size, fabs(E[0]));
    }
    assert_near(got[a], slope, NEAR * size);
  }
}

// --- matrices

static void check_inertia(Closed* closed)
{
  static double full[LONGEST], got[LONGEST], inverse[LONGEST], hessian[LONGEST];
  int n = closed->dof, m = closed->count;
  double expected[MOST * MOST] = {0};
  lwStates moves               = {.q = closed->q, .qd = closed->qd, .qdd = closed->qdd};
  lw_answer(closed->model, closed->tree, LW_QUESTION_INERTIA, &moves, full);
  for (int a = 0; a < m; ++a)
    for (int b = 0; b < m; ++b)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          expected[a * m + b] += closed->N[a][i] * full[i * n + j] * closed->N[b][j];
  ask(closed, LW_QUESTION_INERTIA, &moves, got);
  assert_answers(got, expected, m * m);
  ask(closed, LW_QUESTION_INERTIA_INVERSE, &moves, inverse);
  for (int a = 0; a < m; ++a)
    for (int b = 0; b < m; ++b)
    {
      double sum = -(a == b);
      for (int k = 0; k < m; ++k) sum += inverse[a * m + k] * expected[k * m + b];
      assert_near(sum, 0, 1e-8);  // the condition of these matrices is below 1e3
    }
  if (lw_question_check(closed->model, LW_QUESTION_GIBBS, true, NULL) != LW_OK) return;
  ask(closed, LW_QUESTION_GIBBS, &moves, hessian);
  assert_answers(hessian + 1, expected, m * m);
}

// The Jacobian and its rate, from positions of the last link.
static void check_jacobian(Closed* closed)
{
  double J[6 * MOST], rate[12], first[3] = {0}, second[3] = {0}, q[MOST], p[3][3], R[9];
  lwStates moves = {.q = closed->q, .qd = closed->qd};
  ask(closed, LW_QUESTION_JACOBIAN, &moves, J);
  ask(closed, LW_QUESTION_JACOBIAN_RATE, &moves, rate);
  lw_pose(closed->model, closed->tree, closed->q, p[2], R);
  for (int k = 1; k <= 4; ++k)
  {
    for (int side = 0; side < 2; ++side)
    {
      close_along(closed, closed->u, side ? k * closed->h : -k * closed->h, q);
      lw_pose(closed->model, closed->tree, q, p[side], R);
    }
    for (int c = 0; c < 3; ++c)
    {
      first[c] += FIRST[k - 1] * (p[1][c] - p[0][c]) / closed->h;
      second[c] += SECOND[k - 1] * (p[1][c] + p[0][c] - 2 * p[2][c]) / (closed->h * closed->h);
    }
  }
  for (int c = 0; c < 3; ++c)
  {
    double v = 0;
    for (int a = 0; a < closed->count; ++a) v += J[c * closed->count + a] * closed->u[a];
    assert_near(v, first[c], NEAR);
    assert_near(rate[c], first[c], NEAR);
    assert_near(rate[6 + c], second[c], NEAR * (1 + fabs(second[c])));
  }
}

// Every part as by its own question.
static void check_control(Closed* closed)
{
  static double got[LONGEST], expected[LONGEST];
  static const lwQuestion parts[] = {LW_QUESTION_BIAS,          LW_QUESTION_GRAVITY,
                                     LW_QUESTION_JACOBIAN_RATE, LW_QUESTION_POSE,
                                     LW_QUESTION_JACOBIAN,      LW_QUESTION_INERTIA};
  lwStates moves                  = {.q = closed->q, .qd = closed->qd};
  size_t at                       = 0;
  ask(closed, LW_QUESTION_CONTROL, &moves, got);
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
  {
    size_t skip = parts[k] == LW_QUESTION_JACOBIAN_RATE ? 6 : 0;  // J qd, which control leaves out
    size_t size = lw_loops_outputs(closed->model, parts[k]) - skip;
    ask(closed, parts[k], &moves, expected);
    assert_answers(got + at, expected + skip, (int)size);
    at += size;
  }
  assert_int_equal(at, lw_loops_outputs(closed->model, LW_QUESTION_CONTROL));
}

// Torques of the regressor; the tree's, projected.
static void check_regressor(Closed* closed)
{
  static double full[LONGEST * 8], got[LONGEST * 8];
  lwStates moves = {.q = closed->q, .qd = closed->qd, .qdd = closed->qdd};
  size_t width   = lw_question_outputs(closed->model, LW_QUESTION_REGRESSOR) / (size_t)closed->dof;
  assert_true(width * (size_t)closed->dof <= LONGEST * 8);
  lw_answer(closed->model, closed->tree, LW_QUESTION_REGRESSOR, &moves, full);
  assert_int_equal(lw_loops_answer(closed->loops, LW_QUESTION_REGRESSOR, &moves, got, NULL), LW_OK);
  for (int a = 0; a < closed->count; ++a)
    for (size_t c = 0; c < width; ++c)
    {
      double sum = 0;
      for (int i = 0; i < closed->dof; ++i) sum += closed->N[a][i] * full[(size_t)i * width + c];
      assert_near(got[(size_t)a * width + c], sum, NEAR * (1 + fabs(sum)));
    }
}

// --- forward dynamics and forces

static void check_forward(Closed* closed)
{
  double tau[MOST], all[MOST], got[MOST], back[MOST], forces[64];
  lwStates moves = {.q = closed->q, .qd = closed->qd, .qdd = closed->qdd};
  assert_int_equal(lw_loops_inverse(closed->loops, &moves, tau, forces), LW_OK);
  ask(closed, LW_QUESTION_INVERSE, &moves, got);
  for (int a = 0; a < closed->count; ++a)
    assert_near(tau[lw_model_speed(closed->model, a)], got[a], NEAR * (1 + fabs(got[a])));
  lwStates driven = {.q = closed->q, .qd = closed->qd, .tau = tau};
  lw_loops_forward(closed->loops, &driven, all, forces);
  assert_answers(all, closed->qdd, closed->dof);
  ask(closed, LW_QUESTION_FORWARD, &driven, back);
  for (int a = 0; a < closed->count; ++a)
    assert_near(back[a], all[lw_model_speed(closed->model, a)], NEAR * (1 + fabs(back[a])));
}

// What a joint transmits along its own axis is the torque of its drive: none if it is passive.
static void check_reactions(Closed* closed)
{
  static double wrenches[LONGEST];
  const lwRobotDef* robot = lw_model_robot(closed->model);
  double tau[MOST], largest = 1, w[6] = {3, -2, 5, 0.3, 0.2, -0.4};
  lwStates moves = {closed->q, closed->qd, closed->qdd, NULL, w};
  assert_int_equal(lw_loops_inverse(closed->loops, &moves, tau, NULL), LW_OK);
  ask(closed, LW_QUESTION_REACTIONS, &moves, wrenches);
  for (int k = 0; k < 6 * robot->count; ++k) largest = fmax(largest, fabs(wrenches[k]));
  for (int i = 0; i < closed->dof; ++i)
  {
    lwCoordinate entry      = lw_model_velocity(closed->model, i);
    const lwJointDef* joint = &robot->joints[entry.joint];
    const double* wrench    = wrenches + 6 * entry.joint + (entry.slides ? 0 : 3);
    bool plain              = joint->type == LW_JOINT_REVOLUTE || joint->type == LW_JOINT_PRISMATIC;
    if (!plain) continue;
    double length = sqrt(joint->axis[0] * joint->axis[0] + joint->axis[1] * joint->axis[1] +
                         joint->axis[2] * joint->axis[2]);
    double along  = 0;
    for (int c = 0; c < 3; ++c) along += wrench[c] * joint->axis[c] / length;
    assert_near(along, tau[i], NEAR * largest);
  }
}

// --- derivatives

// A state in which the driven joints are moved by s along v, their speeds by r along it, and
// nothing else of them changes.
static lwStates moved_state(const Closed* closed, const double* v, double s, double r,
                            double motion[3][MOST])
{
  close_along(closed, v, s, motion[0]);
  for (int i = 0; i < closed->dof; ++i) motion[1][i] = closed->qd[i];
  for (int i = 0; i < closed->dof; ++i) motion[2][i] = closed->qdd[i];
  for (int a = 0; a < closed->count; ++a) motion[1][lw_model_speed(closed->model, a)] += r * v[a];
  assert_int_equal(lw_loops_velocity(closed->loops, motion[0], motion[1]), LW_OK);
  assert_int_equal(lw_loops_acceleration(closed->loops, motion[0], motion[1], motion[2]), LW_OK);
  return (lwStates){.q = motion[0], .qd = motion[1], .qdd = motion[2]};
}

// The derivative of an answer (size) along v, in position or in speed; tau as it is.
static void answer_slope(Closed* closed, lwQuestion question, const double* v, bool rate,
                         const double* tau, int size, double* slope)
{
  static double answer[2][LONGEST];
  double motion[3][MOST];
  memset(slope, 0, (size_t)size * sizeof *slope);
  for (int k = 1; k <= 4; ++k)
  {
    for (int side = 0; side < 2; ++side)
    {
      double s       = side ? k * closed->h : -k * closed->h;
      lwStates state = moved_state(closed, v, rate ? 0 : s, rate ? s : 0, motion);
      state.tau      = tau;
      ask(closed, question, &state, answer[side]);
    }
    for (int i = 0; i < size; ++i)
      slope[i] += FIRST[k - 1] * (answer[1][i] - answer[0][i]) / closed->h;
  }
}

static void check_derivatives(Closed* closed)
{
  static double dtau[LONGEST], dqdd[LONGEST];
  int m = closed->count;
  double tau[MOST], slope[MOST], columns[2][MOST];
  lwStates moves = {.q = closed->q, .qd = closed->qd, .qdd = closed->qdd};
  assert_int_equal(lw_loops_inverse(closed->loops, &moves, tau, NULL), LW_OK);
  tau[0] += 0.3;  // other accelerations than those of moves
  lwStates driven = {.q = closed->q, .qd = closed->qd, .tau = tau};
  ask(closed, LW_QUESTION_INVERSE_DERIVATIVES, &moves, dtau);
  ask(closed, LW_QUESTION_FORWARD_DERIVATIVES, &driven, dqdd);
  for (int b = 0; b < m; ++b)
    for (int rate = 0; rate < 2; ++rate)
    {
      double unit[MOST] = {0};
      unit[b]           = 1;
      for (int a = 0; a < m; ++a) columns[0][a] = dtau[(rate * m + a) * m + b];
      for (int a = 0; a < m; ++a) columns[1][a] = dqdd[(rate * m + a) * m + b];
      answer_slope(closed, LW_QUESTION_INVERSE, unit, rate, NULL, m, slope);
      assert_numbers_near(columns[0], slope, m, SLOPE);
      answer_slope(closed, LW_QUESTION_FORWARD, unit, rate, tau, m, slope);
      assert_numbers_near(columns[1], slope, m, SLOPE);
    }
  static double W[LONGEST];
  ask(closed, LW_QUESTION_INERTIA_INVERSE, &driven, W);
  assert_answers(dqdd + 2 * m * m, W, m * m);
}

// C u = coriolis, dM/dt = C + C^T.
static void check_coriolis_matrix(Closed* closed)
{
  static double rate[LONGEST], C[LONGEST];
  int m = closed->count;
  double c[MOST], product[MOST];
  lwStates moves = {.q = closed->q, .qd = closed->qd};
  ask(closed, LW_QUESTION_CORIOLIS_MATRIX, &moves, C);
  ask(closed, LW_QUESTION_CORIOLIS, &moves, c);
  answer_slope(closed, LW_QUESTION_INERTIA, closed->u, false, NULL, m * m, rate);
  for (int a = 0; a < m; ++a)
  {
    product[a] = 0;
    for (int b = 0; b < m; ++b) product[a] += C[a * m + b] * closed->u[b];
    for (int b = 0; b < m; ++b) rate[a * m + b] -= C[a * m + b] + C[b * m + a];
  }
  assert_answers(product, c, m);
  double size = 1;
  for (int k = 0; k < m * m; ++k) size = fmax(size, fabs(C[k]));
  for (int k = 0; k < m * m; ++k) assert_near(rate[k], 0, SLOPE * size);
}

static void answers_are_those_of_minimal_coordinates(void** state)
{
  (void)state;
  for (int i = 0; i < ROBOT_COUNT; ++i)
  {
    Closed closed;
    lwRandom random = {(uint64_t)i + 7};
    open_robot(i, &closed);
    for (int k = 0; k < 3; ++k)
    {
      move_robot(&closed, &random);
      check_torques(&closed);
      check_potential(&closed);
      check_inertia(&closed);
      check_jacobian(&closed);
      check_control(&closed);
      check_regressor(&closed);
      check_forward(&closed);
      check_reactions(&closed);
      check_derivatives(&closed);
      check_coriolis_matrix(&closed);
    }
    close_robot(&closed);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_those_of_minimal_coordinates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
