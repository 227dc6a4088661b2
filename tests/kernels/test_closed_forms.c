// SPDX-License-Identifier: MIT
// Robots small enough for textbook equations; every method, several states.
//
// Bound: 1e-14 of max(1, |expected|), some 45 eps for sums of less than ten products of order 1;
// 1e-13 for accelerations, because of M^-1.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/testing.h"

static const double half_pi = 1.57079632679489661923;
static const double G       = 9.81;

// The equations of a robot with up to two joints, in one state.
typedef struct
{
  double M[4], c[2], g[2];  // inertia row by row, Coriolis and gravity torques
  double T, V;              // J
  double p[3];              // m, origin of the last link
} Closed;

typedef Closed ClosedForm(const double q[2], const double qd[2]);

static void check_one(Trial* trial, const lwModel* model, const lwStates* state,
                      const double* expected, double relative)
{
  size_t count = lw_question_outputs(model, trial->question);
  if (trial->question == LW_QUESTION_POSE) count = 3;
  double size = 1;
  for (size_t i = 0; i < count; ++i) size = fmax(size, fabs(expected[i]));
  for (int i = -1; i < lw_method_count(); ++i)
  {
    if (!answers(i, trial->question)) continue;
    trial->method   = method_name(i);
    lwWorkspace* ws = work_with(model, i, LW_PRECISION_DOUBLE);
    double* got     = answer(model, ws, trial->question, state);
    check_close(trial, got, expected, NULL, relative * size, count);
    free(got);
    lw_workspace_destroy(ws);
  }
}

static void check_state(const char* name, const Robot* robot, const lwStates* given,
                        ClosedForm* form)
{
  const lwModel* model = robot->model;
  int n                = lw_model_dof(model);
  Closed closed        = form(given->q, given->qd);
  double bias[2], tau[2], energy[2] = {closed.T, closed.V};
  for (int i = 0; i < n; ++i)
  {
    bias[i] = closed.c[i] + closed.g[i];
    tau[i]  = bias[i];
    for (int j = 0; j < n; ++j) tau[i] += closed.M[i * n + j] * given->qdd[j];
  }
  lwStates state = {.q = given->q, .qd = given->qd, .qdd = given->qdd, .tau = tau};
  const struct
  {
    lwQuestion question;
    const double* expected;
    double relative;
  } all[] = {{LW_QUESTION_INVERSE, tau, 1e-14},      {LW_QUESTION_BIAS, bias, 1e-14},
             {LW_QUESTION_GRAVITY, closed.g, 1e-14}, {LW_QUESTION_CORIOLIS, closed.c, 1e-14},
             {LW_QUESTION_INERTIA, closed.M, 1e-14}, {LW_QUESTION_FORWARD, state.qdd, 1e-13},
             {LW_QUESTION_ENERGY, energy, 1e-14},    {LW_QUESTION_POSE, closed.p, 1e-14}};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
  {
    Trial trial = {.robot = name, .n = n, .question = all[k].question, .state = &state};
    check_one(&trial, model, &state, all[k].expected, all[k].relative);
  }
}

static void check_form(const char* name, Robot* robot, ClosedForm* form)
{
  enum
  {
    STATES = 20
  };
  robot_build(robot);
  States states = random_states(7, robot->model, STATES);
  for (int k = 0; k < STATES; ++k)
  {
    lwStates state = state_row(&states, robot->model, k);
    check_state(name, robot, &state, form);
  }
  states_free(&states);
  robot_free(robot);
}

static void set_mass(lwJointDef* joint, double mass, double x, double Izz)
{
  joint->link.mass       = mass;
  joint->link.com[0]     = x;
  joint->link.inertia[0] = 0.6 * Izz;
  joint->link.inertia[1] = 0.7 * Izz;
  joint->link.inertia[2] = Izz;
}

// --- pendulum: q from the horizontal, x of the link along the rod

static Closed pendulum_form(const double q[2], const double qd[2])
{
  double m = 2, l = 0.7, I = 0.05, J = I + m * l * l;
  return (Closed){.M = {J},
                  .g = {m * G * l * cos(q[0])},
                  .T = 0.5 * J * qd[0] * qd[0],
                  .V = m * G * l * sin(q[0])};
}

static void pendulum(void** unused)
{
  (void)unused;
  Robot* robot    = robot_start();
  lwJointDef* rod = robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE);
  rod->alpha      = half_pi;
  set_mass(rod, 2, 0.7, 0.05);
  check_form("pendulum", robot, pendulum_form);
}

// --- a pendulum on a post that stands on the base, with a ball fixed to its end

static Closed post_form(const double q[2], const double qd[2])
{
  double m = 2, l = 0.7, J = 0.05 + m * l * l, ball = 0.5, end = 1.5, height = 1.25;
  J += ball * end * end;
  return (Closed){.M = {J},
                  .g = {(m * l + ball * end) * G * cos(q[0])},
                  .T = 0.5 * J * qd[0] * qd[0],
                  .V =
                      (m * l + ball * end) * G * sin(q[0]) + (m + ball) * G * height + 40 * G * 0.5,
                  .p = {end * cos(q[0]) + 0.25, -0.5, end * sin(q[0]) + height}};
}

static void pendulum_on_post(void** unused)
{
  (void)unused;
  Robot* robot     = robot_start();
  lwJointDef* post = robot_add(robot, LW_JOINT_FIXED, LW_BASE);
  post->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  memcpy(post->xyz, (double[3]){0.25, -0.5, 1.25}, sizeof post->xyz);
  post->link.mass   = 40;
  post->link.com[2] = 0.5 - 1.25;
  lwJointDef* rod   = robot_add(robot, LW_JOINT_REVOLUTE, 0);
  rod->alpha        = half_pi;
  set_mass(rod, 2, 0.7, 0.05);
  lwJointDef* ball = robot_add(robot, LW_JOINT_FIXED, 1);
  ball->a          = 1.5;
  ball->link.mass  = 0.5;
  check_form("pendulum on a post", robot, post_form);
}

// --- planar arm of two links in a vertical plane, the standard textbook example

static Closed planar_form(const double q[2], const double qd[2])
{
  double m1 = 3, m2 = 1.5, l1 = 0.6, r1 = 0.35, r2 = 0.25, I1 = 0.08, I2 = 0.03;
  double c1 = cos(q[0]), c12 = cos(q[0] + q[1]), c2 = cos(q[1]), h = -m2 * l1 * r2 * sin(q[1]);
  double M11 = I1 + I2 + m1 * r1 * r1 + m2 * (l1 * l1 + r2 * r2 + 2 * l1 * r2 * c2);
  double M12 = I2 + m2 * (r2 * r2 + l1 * r2 * c2), M22 = I2 + m2 * r2 * r2;
  double height1 = r1 * sin(q[0]), height2 = l1 * sin(q[0]) + r2 * sin(q[0] + q[1]);
  return (Closed){.M = {M11, M12, M12, M22},
                  .c = {h * (2 * qd[0] * qd[1] + qd[1] * qd[1]), -h * qd[0] * qd[0]},
                  .g = {(m1 * r1 + m2 * l1) * G * c1 + m2 * r2 * G * c12, m2 * r2 * G * c12},
                  .T = 0.5 * (M11 * qd[0] * qd[0] + 2 * M12 * qd[0] * qd[1] + M22 * qd[1] * qd[1]),
                  .V = G * (m1 * height1 + m2 * height2),
                  .p = {l1 * c1, 0, l1 * sin(q[0])}};
}

static Robot* planar_robot(void)
{
  Robot* robot      = robot_start();
  lwJointDef* upper = robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE);
  upper->alpha      = half_pi;
  set_mass(upper, 3, 0.35, 0.08);
  lwJointDef* lower = robot_add(robot, LW_JOINT_REVOLUTE, 0);
  lower->a          = 0.6;
  set_mass(lower, 1.5, 0.25, 0.03);
  return robot;
}

static void planar_arm(void** unused)
{
  (void)unused;
  check_form("planar arm", planar_robot(), planar_form);
}

// --- cart and pole: x along the rail, q2 from the horizontal

static Closed cart_form(const double q[2], const double qd[2])
{
  double cart = 4, m = 1.2, l = 0.4, J = 0.02 + m * l * l;
  double c = cos(q[1]), s = sin(q[1]);
  return (Closed){.M = {cart + m, -m * l * s, -m * l * s, J},
                  .c = {-m * l * c * qd[1] * qd[1], 0},
                  .g = {0, m * G * l * c},
                  .T = 0.5 * (cart + m) * qd[0] * qd[0] - m * l * s * qd[0] * qd[1] +
                       0.5 * J * qd[1] * qd[1],
                  .V = m * G * l * s,
                  .p = {q[0], 0, 0}};
}

static void cart_and_pole(void** unused)
{
  (void)unused;
  Robot* robot     = robot_start();
  lwJointDef* cart = robot_add(robot, LW_JOINT_PRISMATIC, LW_BASE);
  cart->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  memcpy(cart->axis, (double[3]){2, 0, 0}, sizeof cart->axis);
  cart->link.mass  = 4;
  lwJointDef* pole = robot_add(robot, LW_JOINT_REVOLUTE, 0);
  pole->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  memcpy(pole->axis, (double[3]){0, -3, 0}, sizeof pole->axis);
  pole->link.mass       = 1.2;
  pole->link.com[0]     = 0.4;
  pole->link.inertia[1] = 0.02;
  check_form("cart and pole", robot, cart_form);
}

// --- lift: a mass on a vertical rail

static Closed lift_form(const double q[2], const double qd[2])
{
  return (Closed){.M = {7},
                  .g = {7 * G},
                  .T = 3.5 * qd[0] * qd[0],
                  .V = 7 * G * (q[0] + 0.3 + 0.125),
                  .p = {0.5, 0, q[0] + 0.3}};
}

static void lift(void** unused)
{
  (void)unused;
  Robot* robot     = robot_start();
  lwJointDef* rail = robot_add(robot, LW_JOINT_PRISMATIC, LW_BASE);
  rail->a          = 0.5;
  rail->d          = 0.3;
  set_mass(rail, 7, 0.9, 0.2);
  rail->link.com[2] = 0.125;
  check_form("lift", robot, lift_form);
}

// --- polar arm: turns about the vertical, and reaches out

static Closed polar_form(const double q[2], const double qd[2])
{
  double m = 1.5, I = 0.4 + 0.05, r = q[1] + 0.8;
  double J = I + m * r * r;
  return (Closed){.M = {J, 0, 0, m},
                  .c = {2 * m * r * qd[1] * qd[0], -m * r * qd[0] * qd[0]},
                  .T = 0.5 * (J * qd[0] * qd[0] + m * qd[1] * qd[1]),
                  .V = 0,
                  .p = {r * cos(q[0]), r * sin(q[0]), 0}};
}

static void polar_arm(void** unused)
{
  (void)unused;
  Robot* robot      = robot_start();
  lwJointDef* table = robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE);
  set_mass(table, 3, 0, 0.4);
  lwJointDef* slide = robot_add(robot, LW_JOINT_PRISMATIC, 0);
  slide->placement  = LW_PLACEMENT_ORIGIN_AXIS;
  slide->xyz[0]     = 0.8;
  memcpy(slide->axis, (double[3]){1, 0, 0}, sizeof slide->axis);
  set_mass(slide, 1.5, 0, 0.05);
  check_form("polar arm", robot, polar_form);
}

// --- rotor with three different moments on a turntable: gyroscopic torques alone

static Closed rotor_form(const double q[2], const double qd[2])
{
  double A = 0.02, B = 0.05, C = 0.06, s = sin(q[1]), c = cos(q[1]);
  double M11 = 0.3 + A * s * s + B * c * c, slope = 2 * (A - B) * s * c;
  return (Closed){.M = {M11, 0, 0, C},
                  .c = {slope * qd[0] * qd[1], -0.5 * slope * qd[0] * qd[0]},
                  .T = 0.5 * (M11 * qd[0] * qd[0] + C * qd[1] * qd[1])};
}

static void rotor(void** unused)
{
  (void)unused;
  Robot* robot      = robot_start();
  lwJointDef* table = robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE);
  set_mass(table, 3, 0, 0.3);
  lwJointDef* wheel = robot_add(robot, LW_JOINT_REVOLUTE, 0);
  wheel->alpha      = half_pi;
  wheel->link.mass  = 1;
  memcpy(wheel->link.inertia, (double[6]){0.02, 0.05, 0.06}, sizeof wheel->link.inertia);
  check_form("rotor", robot, rotor_form);
}

// --- wrench: a force at the tip of the planar arm, in the frame of the tip

static void tip_force(void** unused)
{
  (void)unused;
  Robot* robot    = planar_robot();
  lwJointDef* tip = robot_add(robot, LW_JOINT_FIXED, 1);
  tip->a          = 0.5;
  robot_build(robot);

  const double q[2] = {0.3, -1.1}, wrench[6] = {2, -3, 5, 7, 11, -13};
  const double l1 = 0.6, l2 = 0.5;
  // in the frame of link 1: the force rotated by q2, at the tip
  double fy      = wrench[0] * sin(q[1]) + wrench[1] * cos(q[1]);
  double by_tip  = wrench[1] * l2 + wrench[5];
  Closed closed  = planar_form(q, (double[2]){0, 0});
  double tau[2]  = {closed.g[0] - by_tip - fy * l1, closed.g[1] - by_tip};
  lwStates state = {.q = q, .wrench = wrench};
  Trial trial = {.robot = "planar arm", .n = 2, .question = LW_QUESTION_INVERSE, .state = &state};
  const double J[6 * 2] = {-l1 * sin(q[0]) - l2 * sin(q[0] + q[1]),
                           -l2 * sin(q[0] + q[1]),
                           0,
                           0,
                           l1 * cos(q[0]) + l2 * cos(q[0] + q[1]),
                           l2 * cos(q[0] + q[1]),
                           0,
                           0,
                           -1,
                           -1,
                           0,
                           0};
  check_one(&trial, robot->model, &state, tau, 1e-14);
  trial.question = LW_QUESTION_JACOBIAN;
  check_one(&trial, robot->model, &state, J, 1e-14);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pendulum),   cmocka_unit_test(pendulum_on_post),
      cmocka_unit_test(planar_arm), cmocka_unit_test(cart_and_pole),
      cmocka_unit_test(lift),       cmocka_unit_test(polar_arm),
      cmocka_unit_test(rotor),      cmocka_unit_test(tip_force),
  };
  return cmocka_run_group_tests_name("closed forms", tests, NULL, NULL);
}
