// SPDX-License-Identifier: MIT
// Joints with several degrees of freedom: a ball joint against three revolute joints, a free body
// against Euler's equations, all methods against each other on random robots with all joint types,
// lanes against single states, and a snake as a floating planar chain on wheels.
#include <stdlib.h>
#include <string.h>

#include "linkwork/methods.h"
#include "math/lu.h"
#include "support/robots.h"
#include "support/snakes.h"
#include "support/testing.h"

enum
{
  MOST   = 64,  // entries of q
  ROBOTS = 24
};

static double cube(lwRandom* random)
{
  return lw_random_between(random, -1, 1);
}

static void random_mass(lwRandom* random, lwLinkDef* link)
{
  link->mass = lw_random_between(random, 0.5, 3);
  for (int i = 0; i < 3; ++i) link->com[i] = 0.2 * cube(random);
  for (int i = 0; i < 3; ++i) link->inertia[i] = lw_random_between(random, 0.03, 0.05);
  for (int i = 3; i < 6; ++i) link->inertia[i] = 0.003 * cube(random);
}

static lwJointDef* add_joint(Robot* robot, lwRandom* random, lwJointType type, int parent)
{
  lwJointDef* joint = robot_add(robot, type, parent);
  joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  for (int i = 0; i < 3; ++i)
  {
    joint->xyz[i]   = 0.3 * cube(random);
    joint->rpy[i]   = cube(random);
    joint->axis[i]  = cube(random);
    joint->axis2[i] = cube(random);
  }
  joint->pitch = 0.3;
  random_mass(random, &joint->link);
  return joint;
}

// Every kind of joint at least once, in any order, on a tree.
static Robot* robot_of_all_kinds(uint64_t seed)
{
  static const lwJointType kinds[] = {LW_JOINT_FLOATING, LW_JOINT_BALL,        LW_JOINT_REVOLUTE,
                                      LW_JOINT_PLANAR,   LW_JOINT_CYLINDRICAL, LW_JOINT_UNIVERSAL,
                                      LW_JOINT_FIXED,    LW_JOINT_PRISMATIC};
  enum
  {
    KINDS = sizeof kinds / sizeof *kinds
  };
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  bool screws     = seed % 3 == 0;
  for (int i = 0; i < KINDS; ++i)
  {
    bool fork  = i > 1 && cube(&random) > 0.5;
    int parent = fork ? i - 2 : i - 1;
    add_joint(robot, &random, kinds[(i + (int)(seed % KINDS)) % KINDS], parent);
  }
  if (screws) add_joint(robot, &random, LW_JOINT_SCREW, KINDS - 1);
  robot_build(robot);
  return robot;
}

static void random_positions(const lwModel* model, lwRandom* random, double* q)
{
  for (int i = 0; i < lw_model_nq(model); ++i) q[i] = cube(random);
  lw_model_normalize(model, q);
}

static void random_vector(const lwModel* model, lwRandom* random, double* v)
{
  for (int i = 0; i < lw_model_dof(model); ++i) v[i] = cube(random);
}

static double largest_of(const double* values, size_t count)
{
  double most = 1e-300;
  for (size_t i = 0; i < count; ++i) most = fmax(most, fabs(values[i]));
  return most;
}

static void assert_all_near(const double* got, const double* expected, size_t count,
                            double tolerance)
{
  double scale = largest_of(expected, count);
  for (size_t i = 0; i < count; ++i) assert_near(got[i], expected[i], tolerance * scale);
}

static lwWorkspace* workspace_by(const lwModel* model, lwQuestion question, const char* method)
{
  lwWorkspace* ws;
  lwWorkspaceDef def = lw_workspace_def();
  lw_workspace_def_set_method(&def, question, method);
  return lw_workspace_create(model, &def, NULL, &ws) == LW_OK ? ws : NULL;
}

// --- agreement

// Tolerance: 1e-9 of the largest entry, the rounding error of the worst method for random robots
// with some 20 degrees of freedom.
static void all_methods_agree(void** unused)
{
  (void)unused;
  int compared = 0;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot         = robot_of_all_kinds(seed);
    const lwModel* model = robot->model;
    lwRandom random      = {seed + 1000};
    size_t dof           = (size_t)lw_model_dof(model);
    double q[MOST], qd[MOST], qdd[MOST], tau[MOST], got[MOST * MOST], M[MOST * MOST];
    random_positions(model, &random, q);
    random_vector(model, &random, qd);
    random_vector(model, &random, qdd);
    lwWorkspace* reference = workspace_by(model, LW_QUESTION_INVERSE, "newton-euler");
    lw_inverse_dynamics(model, reference, q, qd, qdd, tau);
    lw_inertia_matrix(model, reference, q, M);
    for (int i = 0; i < lw_method_count(); ++i)
    {
      const lwMethod* method = lw_method(i);
      if (method->question > LW_QUESTION_GIBBS) continue;  // derivatives and related questions
      lwWorkspace* ws = workspace_by(model, method->question, method->name);
      if (!ws) continue;  // articulated-body does not support screw joints
      lwStates state = {.q = q, .qd = qd, .qdd = qdd, .tau = tau};
      lw_answer(model, ws, method->question, &state, got);
      bool matrix           = method->question == LW_QUESTION_INERTIA;
      const double* expects = matrix ? M : method->question == LW_QUESTION_FORWARD ? qdd : tau;
      assert_all_near(got, expects, matrix ? dof * dof : dof, 1e-9);
      lw_workspace_destroy(ws);
      ++compared;
    }
    lw_workspace_destroy(reference);
    robot_free(robot);
  }
  assert_at_least(compared, ROBOTS * 20);
}

// d(T + V)/dt = tau . qd along the motion, by central differences with step h: truncation h^2,
// rounding 1e-16/h.
static void power_is_the_rate_of_energy(void** unused)
{
  (void)unused;
  const double h = 1e-5;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot         = robot_of_all_kinds(seed);
    const lwModel* model = robot->model;
    lwRandom random      = {seed + 2000};
    int dof              = lw_model_dof(model);
    double q[MOST], qd[MOST], qdd[MOST], tau[MOST], at[MOST], v[MOST], total[2], power = 0;
    lwWorkspace* ws = workspace_by(model, LW_QUESTION_INVERSE, "newton-euler");
    random_positions(model, &random, q);
    random_vector(model, &random, qd);
    random_vector(model, &random, qdd);
    lw_inverse_dynamics(model, ws, q, qd, qdd, tau);
    for (int i = 0; i < dof; ++i) power += tau[i] * qd[i];
    for (int side = 0; side < 2; ++side)
    {
      double dt = side ? h : -h, kinetic, potential, step[MOST];
      for (int i = 0; i < dof; ++i)
      {
        step[i] = qd[i] * dt + qdd[i] * dt * dt / 2;
        v[i]    = qd[i] + qdd[i] * dt;
      }
      lw_model_integrate(model, q, step, at);
      lw_energy(model, ws, at, v, &kinetic, &potential);
      total[side] = kinetic + potential;
    }
    assert_near((total[1] - total[0]) / (2 * h), power,
                1e-6 * (1 + fabs(power) + fabs(total[0]) + fabs(total[1])));
    lw_workspace_destroy(ws);
    robot_free(robot);
  }
}

static void lanes_give_the_same_bits(void** unused)
{
  (void)unused;
  enum
  {
    STATES = 19
  };
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot         = robot_of_all_kinds(seed);
    const lwModel* model = robot->model;
    lwRandom random      = {seed + 3000};
    size_t nq = (size_t)lw_model_nq(model), dof = (size_t)lw_model_dof(model);
    static double q[STATES * MOST], qd[STATES * MOST], qdd[STATES * MOST];
    static double many[STATES * MOST * MOST * 10], one[MOST * MOST * 10];
    for (size_t k = 0; k < STATES; ++k)
    {
      random_positions(model, &random, q + k * nq);
      random_vector(model, &random, qd + k * dof);
      random_vector(model, &random, qdd + k * dof);
    }
    for (int precision = 0; precision < 2; ++precision)
      for (int question = 0; question < LW_QUESTION_COUNT; ++question)
      {
        lwWorkspace* ws;
        lwWorkspaceDef def = lw_workspace_def();
        def.precision      = (lwPrecision)precision;
        assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
        size_t size     = lw_question_outputs(model, (lwQuestion)question);
        lwStates states = {.q = q, .qd = qd, .qdd = qdd, .tau = qdd};
        lw_answer_many(model, ws, (lwQuestion)question, STATES, &states, many);
        for (size_t k = 0; k < STATES; ++k)
        {
          lwStates state = {
              .q = q + k * nq, .qd = qd + k * dof, .qdd = qdd + k * dof, .tau = qdd + k * dof};
          lw_answer(model, ws, (lwQuestion)question, &state, one);
          assert_memory_equal(one, many + k * size, size * sizeof *one);
        }
        lw_workspace_destroy(ws);
      }
    robot_free(robot);
  }
}

static void steps_and_differences_are_inverse(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Robot* robot         = robot_of_all_kinds(seed);
    const lwModel* model = robot->model;
    lwRandom random      = {seed + 4000};
    double q[MOST], v[MOST], to[MOST], back[MOST], rates[MOST];
    random_positions(model, &random, q);
    random_vector(model, &random, v);
    lw_model_integrate(model, q, v, to);
    assert_int_equal(lw_model_check_positions(model, to, NULL), LW_OK);
    lw_model_difference(model, q, to, back);
    assert_all_near(back, v, (size_t)lw_model_dof(model), 1e-13);
    lw_model_rates(model, q, v, rates);
    lw_model_velocities(model, q, rates, back);
    assert_all_near(back, v, (size_t)lw_model_dof(model), 1e-13);
    robot_free(robot);
  }
}

// A quaternion whose length is slightly off gives the same answers; one that is far off is refused.
static void quaternions_need_not_be_normal(void** unused)
{
  (void)unused;
  Robot* robot         = robot_of_all_kinds(8);
  const lwModel* model = robot->model;
  lwRandom random      = {1};
  size_t dof           = (size_t)lw_model_dof(model);
  double q[MOST], longer[MOST], v[MOST], tau[MOST], other[MOST];
  lwWorkspace* ws = workspace_by(model, LW_QUESTION_INVERSE, "newton-euler");
  random_positions(model, &random, q);
  random_vector(model, &random, v);
  memcpy(longer, q, sizeof q);
  for (int i = 0; i < lw_model_nq(model); ++i)
    if (lw_model_position(model, i).quaternion) longer[i] *= 1 + 9e-7;
  lw_inverse_dynamics(model, ws, q, v, v, tau);
  lw_inverse_dynamics(model, ws, longer, v, v, other);
  assert_all_near(other, tau, dof, 1e-13);
  assert_int_equal(lw_model_check_positions(model, longer, NULL), LW_OK);
  for (int i = 0; i < lw_model_nq(model); ++i)
    if (lw_model_position(model, i).quaternion) longer[i] *= 1 + 1e-6;
  lwDiag* diag = lw_diag_create();
  assert_int_equal(lw_model_check_positions(model, longer, diag), LW_ERROR_INPUT);
  assert_contains(lw_diag_message(diag, 0)->text, "expected 1 to within 1e-6");
  lw_diag_destroy(diag);
  lw_workspace_destroy(ws);
  robot_free(robot);
}

// --- a ball joint against three revolute joints, yaw a, pitch b, roll c

typedef struct Pair
{
  Robot *ball, *angles;
} Pair;

// Two robots with the same links; the second turns its first link by three joints.
static Pair ball_and_angles(void)
{
  Pair pair      = {robot_start(), robot_start()};
  lwRandom first = {5}, second = {5};
  static const double axes[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}};
  lwJointDef* ball               = add_joint(pair.ball, &first, LW_JOINT_BALL, LW_BASE);
  add_joint(pair.ball, &first, LW_JOINT_REVOLUTE, 0);
  for (int i = 0; i < 3; ++i)
  {
    lwJointDef* joint = robot_add(pair.angles, LW_JOINT_REVOLUTE, i - 1);
    joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
    memcpy(joint->axis, axes[i], sizeof joint->axis);
    if (i == 0) memcpy(joint->xyz, ball->xyz, sizeof joint->xyz);
    if (i == 0) memcpy(joint->rpy, ball->rpy, sizeof joint->rpy);
    if (i == 2) joint->link = ball->link;
  }
  Robot* spare = robot_start();
  add_joint(spare, &second, LW_JOINT_BALL, LW_BASE);  // the same random numbers
  robot_free(spare);
  add_joint(pair.angles, &second, LW_JOINT_REVOLUTE, 2);
  robot_build(pair.ball);
  robot_build(pair.angles);
  return pair;
}

// Rz(a) Ry(b) Rx(c)
static void quaternion_of(const double angles[3], double q[4])
{
  double ca = cos(angles[0] / 2), sa = sin(angles[0] / 2), cb = cos(angles[1] / 2);
  double sb = sin(angles[1] / 2), cc = cos(angles[2] / 2), sc = sin(angles[2] / 2);
  q[0] = ca * cb * sc - sa * sb * cc;
  q[1] = ca * sb * cc + sa * cb * sc;
  q[2] = sa * cb * cc - ca * sb * sc;
  q[3] = ca * cb * cc + sa * sb * sc;
}

// w = T(angles) rates in link axes, and wd including the terms quadratic in the rates.
static void spin_of(const double* angles, const double* r, const double* s, double w[3],
                    double wd[3], double T[3][3])
{
  double sb = sin(angles[1]), cb = cos(angles[1]), sc = sin(angles[2]), cc = cos(angles[2]);
  double own[3][3] = {{-sb, 0, 1}, {sc * cb, cc, 0}, {cc * cb, -sc, 0}};
  memcpy(T, own, sizeof own);
  double more[3] = {-r[0] * r[1] * cb,
                    -r[1] * r[2] * sc + r[0] * r[2] * cc * cb - r[0] * r[1] * sc * sb,
                    -r[1] * r[2] * cc - r[0] * r[2] * sc * cb - r[0] * r[1] * cc * sb};
  for (int i = 0; i < 3; ++i)
  {
    w[i]  = T[i][0] * r[0] + T[i][1] * r[1] + T[i][2] * r[2];
    wd[i] = T[i][0] * s[0] + T[i][1] * s[1] + T[i][2] * s[2] + more[i];
  }
}

static void a_ball_is_three_revolute_joints(void** unused)
{
  (void)unused;
  Pair pair       = ball_and_angles();
  lwRandom random = {77};
  lwWorkspace* ws = workspace_by(pair.ball->model, LW_QUESTION_INVERSE, "newton-euler");
  lwWorkspace* as = workspace_by(pair.angles->model, LW_QUESTION_INVERSE, "newton-euler");
  for (int state = 0; state < 20; ++state)
  {
    double y[4], yd[4], ydd[4], q[5], qd[4], qdd[4], T[3][3], tau[4], other[4], pose[12], same[12];
    for (int i = 0; i < 4; ++i) y[i] = cube(&random), yd[i] = cube(&random), ydd[i] = cube(&random);
    quaternion_of(y, q);
    spin_of(y, yd, ydd, qd, qdd, T);
    q[4] = y[3], qd[3] = yd[3], qdd[3] = ydd[3];
    lw_pose(pair.ball->model, ws, q, pose, pose + 3);
    lw_pose(pair.angles->model, as, y, same, same + 3);
    assert_all_near(pose, same, 12, 1e-13);
    double kinetic[2], potential[2];
    lw_energy(pair.ball->model, ws, q, qd, &kinetic[0], &potential[0]);
    lw_energy(pair.angles->model, as, y, yd, &kinetic[1], &potential[1]);
    assert_near(kinetic[0], kinetic[1], 1e-13 * kinetic[1]);
    assert_near(potential[0], potential[1], 1e-12 * (1 + fabs(potential[1])));
    lw_inverse_dynamics(pair.ball->model, ws, q, qd, qdd, tau);
    lw_inverse_dynamics(pair.angles->model, as, y, yd, ydd, other);
    double through[4] = {0, 0, 0, tau[3]};
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < 3; ++i) through[k] += T[i][k] * tau[i];
    assert_all_near(through, other, 4, 1e-12);
  }
  lw_workspace_destroy(ws);
  lw_workspace_destroy(as);
  robot_free(pair.ball);
  robot_free(pair.angles);
}

// --- a free body

// m (vd + w x v) = f + m R^T g, I wd + w x I w = n, with the centre of mass at the origin
static void a_free_body_obeys_euler(void** unused)
{
  (void)unused;
  Robot* robot      = robot_start();
  lwJointDef* joint = robot_add(robot, LW_JOINT_FLOATING, LW_BASE);
  joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  joint->link.mass  = 2.5;
  memcpy(joint->link.inertia, (const double[]){0.4, 0.6, 0.7, 0, 0, 0}, sizeof joint->link.inertia);
  robot_build(robot);
  lwWorkspace* ws = workspace_by(robot->model, LW_QUESTION_FORWARD, "articulated-body");
  const double *I = joint->link.inertia, g = -9.81;
  lwRandom random = {3};
  for (int state = 0; state < 50; ++state)
  {
    double q[7], v[6], tau[6], qdd[6], R[9], p[3], expected[6];
    random_positions(robot->model, &random, q);
    random_vector(robot->model, &random, v);
    random_vector(robot->model, &random, tau);
    lw_pose(robot->model, ws, q, p, R);
    lw_forward_dynamics(robot->model, ws, q, v, tau, qdd);
    const double* w = v + 3;
    for (int i = 0; i < 3; ++i)
    {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      expected[i]     = tau[i] / 2.5 + R[6 + i] * g - (w[j] * v[k] - w[k] * v[j]);
      expected[3 + i] = (tau[3 + i] - (I[k] - I[j]) * w[j] * w[k]) / I[i];
      assert_near(p[i], q[i], 1e-15);
    }
    assert_all_near(qdd, expected, 6, 1e-13);
  }
  lw_workspace_destroy(ws);
  robot_free(robot);
}

// --- a snake

// A planar joint carries link 1 at its middle; each further link is attached to the front end of
// the previous one.
static Robot* chain_of_snake(const lwSnake* snake)
{
  Robot* robot = robot_start();
  int n        = lw_snake_count(snake);
  for (int k = 0; k < n; ++k)
  {
    lwSnakeLink link       = lw_snake_get(snake, k);
    lwJointDef* joint      = robot_add(robot, k == 0 ? LW_JOINT_PLANAR : LW_JOINT_REVOLUTE, k - 1);
    joint->placement       = LW_PLACEMENT_ORIGIN_AXIS;
    double before          = k > 0 ? lw_snake_get(snake, k - 1).length : 0;
    joint->xyz[0]          = k == 0 ? 0 : k == 1 ? before / 2 : before;
    joint->link.mass       = link.mass;
    joint->link.com[0]     = k == 0 ? 0 : link.length / 2;
    joint->link.inertia[2] = link.inertia;
    joint->link.inertia[0] = joint->link.inertia[1] = 1;  // have no effect
  }
  robot->def.gravity[2] = 0;
  robot_build(robot);
  return robot;
}

// Row k: sideways velocity of the axle of link k per qd, and its rate without qdd, by differences.
static void wheel_rows(const Robot* robot, const lwSnake* snake, lwWorkspace* ws, const double* q,
                       double* A)
{
  int n = lw_snake_count(snake), dof = n + 2;
  double J[6 * (MAX_DOF + 2)], p[3], R[9];
  for (int k = 0; k < n; ++k)
  {
    lwSnakeLink link = lw_snake_get(snake, k);
    lwFrame frame    = {.joint = k};
    frame.xyz[0]     = (k == 0 ? 0 : link.length / 2) + link.wheel_offset;
    lw_workspace_set_frame(ws, robot->model, &frame, NULL);
    lw_jacobian(robot->model, ws, q, J);
    lw_pose(robot->model, ws, q, p, R);
    for (int i = 0; i < dof; ++i) A[k * dof + i] = R[1] * J[i] + R[4] * J[dof + i];
  }
}

// M qdd - A^T lambda = tau - b,  A qdd = -Ad qd; Ad by central differences along qd
static void chain_accelerations(const Robot* robot, const lwSnake* snake, lwWorkspace* ws,
                                const double* q, const double* qd, const double* tau, double* x)
{
  int n = lw_snake_count(snake), dof = n + 2, m = dof + n;
  const double h = 1e-5;
  static double A[MOST * MOST], B[MOST * MOST], K[MOST * MOST * 4], M[MOST * MOST], at[MOST];
  memset(x, 0, (size_t)m * sizeof *x);
  for (int side = 0; side < 2; ++side)
  {
    for (int i = 0; i < dof; ++i) at[i] = q[i] + (side ? h : -h) * qd[i];
    wheel_rows(robot, snake, ws, at, B);
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < dof; ++i)
        x[dof + k] -= (side ? 1 : -1) * B[k * dof + i] * qd[i] / (2 * h);
  }
  wheel_rows(robot, snake, ws, q, A);
  lw_inertia_matrix(robot->model, ws, q, M);
  lw_bias(robot->model, ws, q, qd, x);
  for (int i = 0; i < dof; ++i) x[i] = tau[i] - x[i];
  memset(K, 0, (size_t)(m * m) * sizeof *K);
  for (int i = 0; i < dof; ++i)
  {
    for (int j = 0; j < dof; ++j) K[i * m + j] = M[i * dof + j];
    for (int k = 0; k < n; ++k)
    {
      K[i * m + dof + k]   = -A[k * dof + i];
      K[(dof + k) * m + i] = A[k * dof + i];
    }
  }
  int pivots[2 * MOST];
  assert_true(lw_lu_factor(K, m, pivots));
  lw_lu_solve(K, m, pivots, x);
}

// Differences have errors of 1e-5^2 and 1e-16/1e-5; the condition of the constraints costs more
// digits.
static void a_snake_is_a_planar_chain_on_wheels(void** unused)
{
  (void)unused;
  enum
  {
    N = 5
  };
  for (uint64_t seed = 1; seed <= 8; ++seed)
  {
    lwSnake* snake     = random_snake(seed, N, 0.5);
    SnakeStates states = random_snake_states(seed, N, 1, 0.8);
    Robot* robot       = chain_of_snake(snake);
    lwWorkspace* ws    = workspace_by(robot->model, LW_QUESTION_INVERSE, "newton-euler");
    lwSnakeWorkspace* sw;
    assert_int_equal(lw_snake_workspace_create(snake, NULL, NULL, &sw), LW_OK);
    double udot[2], omega[N], q[N + 2] = {0}, qd[N + 2], tau[N + 2] = {0}, x[2 * N + 2];
    lw_snake_answer(snake, sw, &states.rows, &(lwSnakeAnswers){.udot = udot, .omega = omega});
    q[2] = states.theta[0];
    for (int k = 1; k < N; ++k) q[2 + k] = states.theta[k] - states.theta[k - 1];
    for (int k = 1; k < N; ++k) tau[2 + k] = states.torque[k - 1];
    // the middle of link 1 moves forward with V_1, and sideways so that its wheel does not slip
    double offset = lw_snake_get(snake, 0).wheel_offset, c = cos(q[2]), s = sin(q[2]);
    double across = -offset * states.u[1];
    qd[0] = states.u[0] * c - across * s, qd[1] = states.u[0] * s + across * c;
    for (int k = 0; k < N; ++k) qd[2 + k] = omega[k] - (k > 0 ? omega[k - 1] : 0);
    chain_accelerations(robot, snake, ws, q, qd, tau, x);
    // V_1 = xd c + yd s, so V_1 dot = xdd c + ydd s + theta_1 dot times the sideways speed
    double forward = x[0] * c + x[1] * s + states.u[1] * (-qd[0] * s + qd[1] * c);
    assert_near(forward, udot[0], 1e-7 * (1 + fabs(udot[0])));
    assert_near(x[2], udot[1], 1e-7 * (1 + fabs(udot[1])));
    lw_snake_workspace_destroy(sw);
    lw_workspace_destroy(ws);
    robot_free(robot);
    snake_states_free(&states);
    lw_snake_destroy(snake);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_methods_agree),
      cmocka_unit_test(power_is_the_rate_of_energy),
      cmocka_unit_test(lanes_give_the_same_bits),
      cmocka_unit_test(steps_and_differences_are_inverse),
      cmocka_unit_test(quaternions_need_not_be_normal),
      cmocka_unit_test(a_ball_is_three_revolute_joints),
      cmocka_unit_test(a_free_body_obeys_euler),
      cmocka_unit_test(a_snake_is_a_planar_chain_on_wheels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
