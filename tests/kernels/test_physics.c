// SPDX-License-Identifier: MIT
// Physical laws that hold for any robot, tested for every method on seeded random robots.
//
// Bounds: C n eps size as in test_agreement.c, size from the oracle. Differences of 8th order with
// step h divide that by h; h is small enough to make the truncation error negligible.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

enum
{
  ROBOTS = CASES(150, 40),
  STATES = 3
};

static const double C = 32;

// One robot in one state, and the workspace of the method under test.
typedef struct
{
  const Robot* robot;
  const lwModel* model;
  lwWorkspace* ws;
  const lwStates* state;
  int n;
  double rounding;  // C n eps
  Trial trial;
} Case;

typedef void Law(Case* c);

static double* ask(const Case* c, lwQuestion question, const lwStates* state)
{
  return answer(c->model, c->ws, question, state);
}

static double* size_of(const Case* c, lwQuestion question, const lwStates* state)
{
  size_t count     = lw_question_outputs(c->model, question);
  double* expected = numbers(count);
  double* size     = numbers(count);
  reference_answer(&c->robot->def, question, state, expected, size);
  free(expected);
  return size;
}

static void try_robot(const Robot* robot, int method, Law* law)
{
  const lwModel* model = robot->model;
  int n                = lw_model_dof(model);
  lwWorkspace* ws      = work_with(model, method, LW_PRECISION_DOUBLE);
  States states        = random_states(robot->seed + 1, model, STATES);
  for (int k = 0; k < STATES; ++k)
  {
    lwStates state      = state_row(&states, model, k);
    lwQuestion question = method < 0 ? LW_QUESTION_ENERGY : lw_method(method)->question;
    Trial trial         = {robot->seed, NULL, n, question, method_name(method), NULL, &state};
    Case c              = {robot, model, ws, &state, n, C * n * DBL_EPSILON, trial};
    law(&c);
  }
  states_free(&states);
  lw_workspace_destroy(ws);
}

// Tests the law for every method of a question; LW_QUESTION_COUNT: with the defaults only.
static void for_all(lwQuestion question, Law* law)
{
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot = any_robot(seed);
    if (question == LW_QUESTION_COUNT) try_robot(robot, -1, law);
    for (int i = 0; i < lw_method_count(); ++i)
      if (lw_method(i)->question == question && !too_slow(i, robot->model))
        try_robot(robot, i, law);
    robot_free(robot);
  }
}

static void check(const Case* c, const double* got, const double* expected, const double* size)
{
  check_close(&c->trial, got, expected, size, c->rounding, (size_t)c->n);
}

// --- inertia

static void law_positive(Case* c)
{
  double* M    = ask(c, LW_QUESTION_INERTIA, c->state);
  double* size = size_of(c, LW_QUESTION_INERTIA, c->state);
  double* turn = numbers((size_t)c->n * (size_t)c->n);
  for (int i = 0; i < c->n * c->n; ++i) turn[i] = M[i % c->n * c->n + i / c->n];
  check_close(&c->trial, M, turn, size, c->rounding, (size_t)c->n * (size_t)c->n);
  if (!cholesky(c->n, M)) fail_msg("M of seed %d is not positive definite", (int)c->robot->seed);
  free(M);
  free(size);
  free(turn);
}

static void inertia_is_symmetric_positive(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_INERTIA, law_positive);
}

// T = qd^T M qd / 2
static void law_kinetic(Case* c)
{
  double* M    = ask(c, LW_QUESTION_INERTIA, c->state);
  double* got  = ask(c, LW_QUESTION_ENERGY, c->state);
  double* size = size_of(c, LW_QUESTION_ENERGY, c->state);
  double T     = 0;
  for (int i = 0; i < c->n * c->n; ++i)
    T += 0.5 * c->state->qd[i / c->n] * M[i] * c->state->qd[i % c->n];
  check_close(&c->trial, got, &T, size, c->rounding, 1);
  free(M);
  free(got);
  free(size);
}

static void kinetic_energy_is_half_qd_M_qd(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_INERTIA, law_kinetic);
}

// tau of a unit acceleration minus the bias is a column of M.
static void law_columns(Case* c)
{
  double* M       = ask(c, LW_QUESTION_INERTIA, c->state);
  double* unit    = numbers((size_t)c->n);
  lwStates moving = {.q = c->state->q, .qd = c->state->qd, .qdd = unit};
  double* bias    = ask(c, LW_QUESTION_BIAS, c->state);
  for (int k = 0; k < c->n; ++k)
  {
    unit[k]      = 1;
    double* tau  = ask(c, LW_QUESTION_INVERSE, &moving);
    double* size = size_of(c, LW_QUESTION_INVERSE, &moving);
    for (int i = 0; i < c->n; ++i) tau[i] -= bias[i] + M[i * c->n + k];
    unit[k] = 0;
    check(c, tau, unit, size);
    free(tau);
    free(size);
  }
  free(M);
  free(bias);
  free(unit);
}

static void inverse_is_linear_in_acceleration(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_INVERSE, law_columns);
}

// --- bias

static void law_bias(Case* c)
{
  double* bias     = ask(c, LW_QUESTION_BIAS, c->state);
  double* gravity  = ask(c, LW_QUESTION_GRAVITY, c->state);
  double* coriolis = ask(c, LW_QUESTION_CORIOLIS, c->state);
  double* size     = size_of(c, LW_QUESTION_BIAS, c->state);
  for (int i = 0; i < c->n; ++i) gravity[i] += coriolis[i];
  check(c, bias, gravity, size);
  free(bias);
  free(gravity);
  free(coriolis);
  free(size);
}

static void bias_is_gravity_and_coriolis(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_INVERSE, law_bias);
}

// c(q, 2 qd) = 4 c(q, qd), and c = 0 at rest
static void law_quadratic(Case* c)
{
  double* twice = numbers((size_t)c->n);
  for (int i = 0; i < c->n; ++i) twice[i] = 2 * c->state->qd[i];
  lwStates fast = {.q = c->state->q, .qd = twice}, rest = {.q = c->state->q};
  double* once     = ask(c, LW_QUESTION_CORIOLIS, c->state);
  double* fourfold = ask(c, LW_QUESTION_CORIOLIS, &fast);
  double* none     = ask(c, LW_QUESTION_CORIOLIS, &rest);
  double* size     = size_of(c, LW_QUESTION_CORIOLIS, &fast);
  for (int i = 0; i < c->n; ++i) once[i] *= 4;
  check(c, fourfold, once, size);
  for (int i = 0; i < c->n; ++i) assert_same(none[i], 0);
  free(twice);
  free(once);
  free(fourfold);
  free(none);
  free(size);
}

static void coriolis_is_quadratic_in_velocity(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_INVERSE, law_quadratic);
}

// --- forward and inverse

// Forward of inverse returns the accelerations; inverse of forward returns the torques.
static void law_identity(Case* c)
{
  lwStates state = *c->state;
  double* tau    = ask(c, LW_QUESTION_INVERSE, &state);
  state.tau      = tau;
  double* qdd    = ask(c, LW_QUESTION_FORWARD, &state);
  double* size   = size_of(c, LW_QUESTION_FORWARD, &state);
  check(c, qdd, state.qdd, size);
  free(qdd);
  free(size);

  state.tau    = c->state->tau;
  qdd          = ask(c, LW_QUESTION_FORWARD, &state);
  double* zero = numbers((size_t)c->n);
  double* left = numbers((size_t)c->n);
  size         = numbers((size_t)c->n);
  reference_residual(&c->robot->def, &state, qdd, left, size);
  state.qdd    = qdd;
  double* back = ask(c, LW_QUESTION_INVERSE, &state);
  for (int i = 0; i < c->n; ++i) left[i] = back[i] - state.tau[i];
  check(c, left, zero, size);
  free(tau);
  free(qdd);
  free(size);
  free(zero);
  free(left);
  free(back);
}

static void forward_undoes_inverse(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_FORWARD, law_identity);
  for_all(LW_QUESTION_INVERSE, law_identity);
}

// --- energy

// q(t) = q + qd sin t + qdd (1 - cos t), which has the state's qd and qdd at t = 0.
static void swing(const Case* c, double t, double* q, double* qd)
{
  const lwStates* s = c->state;
  for (int i = 0; i < c->n; ++i)
  {
    q[i]  = s->q[i] + s->qd[i] * sin(t) + s->qdd[i] * (1 - cos(t));
    qd[i] = s->qd[i] * cos(t) + s->qdd[i] * sin(t);
  }
}

static void total_energy(const void* context, double t, double* out)
{
  const Case* c = context;
  double q[MAX_DOF], qd[MAX_DOF], energy[2];
  swing(c, t, q, qd);
  lwStates state = {.q = q, .qd = qd};
  lw_answer(c->model, c->ws, LW_QUESTION_ENERGY, &state, energy);
  out[0] = energy[0] + energy[1];
}

// d/dt (T + V) = tau . qd + wrench . (velocity of the last link). The motion of n joints with 2
// rad/s has harmonics of 2 n rad/s and more: with n <= 12 and h = 5e-4 the truncation error is
// below 1e-15 of T.
static void law_power(Case* c)
{
  const double h = 5e-4;
  if (c->n > 12) return;
  double* tau  = ask(c, LW_QUESTION_INVERSE, c->state);
  double* J    = ask(c, LW_QUESTION_JACOBIAN, c->state);
  double* pose = ask(c, LW_QUESTION_POSE, c->state);
  double* size = size_of(c, LW_QUESTION_ENERGY, c->state);
  double power = 0, change, both = size[0] + size[1];
  const double* w = c->state->wrench;
  for (int i = 0; i < c->n; ++i) power += tau[i] * c->state->qd[i];
  for (int row = 0; row < 6; ++row)
  {
    const double* R = &pose[3 + 3 * (row % 3)];
    const double* f = row < 3 ? w : w + 3;
    double force    = R[0] * f[0] + R[1] * f[1] + R[2] * f[2];
    for (int i = 0; i < c->n; ++i) power += force * J[row * c->n + i] * c->state->qd[i];
  }
  derivative(total_energy, c, h, 1, &change);
  check_close(&c->trial, &power, &change, &both, c->rounding / h, 1);
  free(tau);
  free(J);
  free(pose);
  free(size);
}

static void power_is_change_of_energy(void** unused)
{
  (void)unused;
  check_worst();
  for_all(LW_QUESTION_INVERSE, law_power);
  print_message("  largest error: %.2g of the bound\n", check_worst());
}

// One joint moved by t.
typedef struct
{
  const Case* c;
  int joint;
  lwQuestion question;
} Push;

static void pushed(const void* context, double t, double* out)
{
  const Push* push = context;
  double q[MAX_DOF];
  memcpy(q, push->c->state->q, (size_t)push->c->n * sizeof *q);
  q[push->joint] += t;
  lw_answer(push->c->model, push->c->ws, push->question, &(lwStates){.q = q}, out);
}

static const double STEP = 0.04;  // rad or m; sines of q + t: h^8 / 630 is 1e-14

// gravity = dV/dq
static void law_gravity(Case* c)
{
  double* gravity = ask(c, LW_QUESTION_GRAVITY, c->state);
  double* size    = size_of(c, LW_QUESTION_ENERGY, &(lwStates){.q = c->state->q});
  for (int i = 0; i < c->n; ++i)
  {
    double slope[2];
    Push push = {c, i, LW_QUESTION_ENERGY};
    derivative(pushed, &push, STEP, 2, slope);
    check_close(&c->trial, &gravity[i], &slope[1], &size[1], c->rounding / STEP, 1);
  }
  free(gravity);
  free(size);
}

static void gravity_is_slope_of_potential(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_INVERSE, law_gravity);
}

// --- pose and Jacobian

// Column i of J is the velocity of the pose: p' and the axial vector of R' R^T.
static void law_jacobian(Case* c)
{
  double* J           = ask(c, LW_QUESTION_JACOBIAN, c->state);
  double* pose        = ask(c, LW_QUESTION_POSE, c->state);
  double* size        = size_of(c, LW_QUESTION_POSE, c->state);
  const double(*R)[3] = (const double(*)[3])(pose + 3);
  for (int i = 0; i < c->n; ++i)
  {
    double slope[12], column[6];
    Push push = {c, i, LW_QUESTION_POSE};
    derivative(pushed, &push, STEP, 12, slope);
    const double(*Rd)[3] = (const double(*)[3])(slope + 3);
    memcpy(column, slope, 3 * sizeof *column);
    for (int k = 0; k < 3; ++k)
    {
      const double *rd = Rd[(k + 2) % 3], *r = R[(k + 1) % 3];
      column[3 + k] = rd[0] * r[0] + rd[1] * r[1] + rd[2] * r[2];
    }
    for (int row = 0; row < 6; ++row)
    {
      double unit = 1 + size[0];
      check_close(&c->trial, &J[row * c->n + i], &column[row], &unit, c->rounding / STEP, 1);
    }
  }
  free(J);
  free(pose);
  free(size);
}

static void jacobian_is_slope_of_pose(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_COUNT, law_jacobian);
}

// tau without the wrench - tau with it = J^T w, w rotated to base axes
static void law_wrench(Case* c)
{
  lwStates free_state = *c->state;
  free_state.wrench   = NULL;
  double* with        = ask(c, LW_QUESTION_INVERSE, c->state);
  double* without     = ask(c, LW_QUESTION_INVERSE, &free_state);
  double* J           = ask(c, LW_QUESTION_JACOBIAN, c->state);
  double* pose        = ask(c, LW_QUESTION_POSE, c->state);
  double* size        = size_of(c, LW_QUESTION_INVERSE, c->state);
  for (int i = 0; i < c->n; ++i)
    for (int row = 0; row < 6; ++row)
      for (int k = 0; k < 3; ++k)
        with[i] += J[row * c->n + i] * pose[3 + 3 * (row % 3) + k] *
                   c->state->wrench[(row < 3 ? 0 : 3) + k];
  check(c, with, without, size);
  free(with);
  free(without);
  free(J);
  free(pose);
  free(size);
}

static void wrench_acts_through_jacobian(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_INVERSE, law_wrench);
}

// --- frames

// The robot on a rotated and translated base, with gravity rotated accordingly.
static Robot* on_moved_base(const Robot* robot)
{
  Robot* moved     = robot_start();
  lwJointDef* base = robot_add(moved, LW_JOINT_FIXED, LW_BASE);
  const double* g  = robot->def.gravity;
  double pose[12], size[12];
  base->placement = LW_PLACEMENT_ORIGIN_AXIS;
  memcpy(base->xyz, (double[3]){3, -2, 1}, sizeof base->xyz);
  memcpy(base->rpy, (double[3]){0.5, -0.8, 2}, sizeof base->rpy);
  reference_answer(&moved->def, LW_QUESTION_POSE, &(lwStates){0}, pose, size);
  for (int i = 0; i < 3; ++i)
  {
    const double* R       = &pose[3 + 3 * i];
    moved->def.gravity[i] = R[0] * g[0] + R[1] * g[1] + R[2] * g[2];
  }
  for (int i = 0; i < robot->def.count; ++i)
  {
    lwJointDef* joint = robot_add(moved, LW_JOINT_FIXED, 0);
    const char* name  = joint->name;
    *joint            = robot->joints[i];
    joint->name       = name;
    joint->parent     = robot->joints[i].parent + 1;
  }
  robot_build(moved);
  return moved;
}

static void law_base(Case* c)
{
  Robot* moved    = on_moved_base(c->robot);
  lwWorkspace* ws = work_with(moved->model, -1, LW_PRECISION_DOUBLE);
  double* here    = ask(c, LW_QUESTION_INVERSE, c->state);
  double* there   = answer(moved->model, ws, LW_QUESTION_INVERSE, c->state);
  double* size    = size_of(c, LW_QUESTION_INVERSE, c->state);
  check(c, there, here, size);
  free(here);
  free(there);
  free(size);
  lw_workspace_destroy(ws);
  robot_free(moved);
}

static void base_does_not_matter(void** unused)
{
  (void)unused;
  for_all(LW_QUESTION_COUNT, law_base);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inertia_is_symmetric_positive),
      cmocka_unit_test(kinetic_energy_is_half_qd_M_qd),
      cmocka_unit_test(inverse_is_linear_in_acceleration),
      cmocka_unit_test(bias_is_gravity_and_coriolis),
      cmocka_unit_test(coriolis_is_quadratic_in_velocity),
      cmocka_unit_test(forward_undoes_inverse),
      cmocka_unit_test(power_is_change_of_energy),
      cmocka_unit_test(gravity_is_slope_of_potential),
      cmocka_unit_test(jacobian_is_slope_of_pose),
      cmocka_unit_test(wrench_acts_through_jacobian),
      cmocka_unit_test(base_does_not_matter),
  };
  return cmocka_run_group_tests_name("laws of physics", tests, NULL, NULL);
}
