// SPDX-License-Identifier: MIT
// Robots with mimic joints: answers are those of the reduced system, q = G y + o,
//   tau_y = G^T tau    M_y = G^T M G    J_y = J G    M_y ydd + b_y = tau_y
// with tau, M, J of the same robot with all joints independent, and G by its definition.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/testing.h"

enum
{
  SEEDS  = 40,
  COUNT  = 19,  // states: some full vectors and a remainder
  MOST   = MAX_JOINTS,
  SQUARE = 10 * MOST * MOST + 1
};

// Both robots, and the map q = G y + o between them.
typedef struct Pair
{
  Robot* robot;
  lwModel* alone;  // all joints independent
  int n, dof;
  double G[SQUARE];  // (n, dof)
  double o[MOST];    // (n)
} Pair;

// q of joint i of the description, computed through the joints that it mimics.
static double follow(const Pair* pair, int i, const double* y, bool shifted)
{
  const lwJointDef* joint = &pair->robot->joints[i];
  if (joint->type == LW_JOINT_FIXED) return 0;
  if (joint->mimic.given)
    return joint->mimic.multiplier * follow(pair, joint->mimic.leader, y, shifted) +
           (shifted ? joint->mimic.offset : 0);
  for (int k = 0; k < pair->dof; ++k)
    if (lw_model_joint(pair->robot->model, k) == i) return y[k];
  fail_msg("joint %d is neither independent nor a follower", i + 1);
  return 0;
}

static Pair* pair_make(uint64_t seed)
{
  Pair* pair           = calloc(1, sizeof *pair);
  lwModelOptions alone = {.joints.free_mimics = true};
  assert_non_null(pair);
  pair->robot = any_robot(seed);
  robot_couple(pair->robot, seed);
  assert_int_equal(lw_model_create(&pair->robot->def, &alone, NULL, &pair->alone), LW_OK);
  pair->n        = lw_model_dof(pair->alone);
  pair->dof      = lw_model_dof(pair->robot->model);
  double y[MOST] = {0};
  for (int i = 0; i < pair->n; ++i)
  {
    int joint  = lw_model_joint(pair->alone, i);
    pair->o[i] = follow(pair, joint, y, true);
    for (int k = 0; k < pair->dof; ++k)
    {
      y[k]                       = 1;
      pair->G[i * pair->dof + k] = follow(pair, joint, y, false);
      y[k]                       = 0;
    }
  }
  return pair;
}

static void pair_free(Pair* pair)
{
  lw_model_destroy(pair->alone);
  robot_free(pair->robot);
  free(pair);
}

static void expand(const Pair* pair, const double* y, bool shifted, double* q)
{
  for (int i = 0; i < pair->n; ++i)
  {
    q[i] = shifted ? pair->o[i] : 0;
    for (int k = 0; k < pair->dof; ++k) q[i] += pair->G[i * pair->dof + k] * y[k];
  }
}

// out = x G: rows over all joints to rows over independent joints, and the size of the terms
static void reduce(const Pair* pair, const double* full, int rows, double* out, double* size)
{
  for (int row = 0; row < rows; ++row)
    for (int k = 0; k < pair->dof; ++k)
    {
      double* sum = &out[row * pair->dof + k];
      *sum        = 0;
      for (int i = 0; i < pair->n; ++i)
      {
        double term = full[row * pair->n + i] * pair->G[i * pair->dof + k];
        *sum += term;
        size[row * pair->dof + k] = fmax(size[row * pair->dof + k], fabs(term));
      }
    }
}

static void reduce_matrix(const Pair* pair, const double* full, double* out)
{
  static double between[SQUARE], size[SQUARE];
  size_t n = (size_t)pair->n, dof = (size_t)pair->dof;
  reduce(pair, full, pair->n, between, size);  // (n, dof) M G
  for (size_t k = 0; k < dof; ++k)
    for (size_t l = 0; l < dof; ++l)
    {
      out[k * dof + l] = 0;
      for (size_t i = 0; i < n; ++i)
        out[k * dof + l] += pair->G[i * dof + k] * between[i * dof + l];
    }
}

// G^T Y
static void reduce_columns(const Pair* pair, const double* full, double* out)
{
  size_t width = 10 * (size_t)pair->robot->def.count;
  for (size_t k = 0; k < (size_t)pair->dof * width; ++k)
  {
    out[k] = 0;
    for (size_t i = 0; i < (size_t)pair->n; ++i)
      out[k] += pair->G[i * (size_t)pair->dof + k / width] * full[i * width + k % width];
  }
}

// True for questions solved with the inertia matrix of the reduced system.
static bool is_solved(int question)
{
  return question == LW_QUESTION_FORWARD || question == LW_QUESTION_FORWARD_DERIVATIVES ||
         question == LW_QUESTION_INERTIA_INVERSE;
}

// The answer for one state by the definition.
static void expected_answer(const Pair* pair, lwQuestion question, const double* full, double* out)
{
  static double size[SQUARE];
  switch (question)
  {
    case LW_QUESTION_ENERGY:
    case LW_QUESTION_POSE:
    case LW_QUESTION_REACTIONS:
    case LW_QUESTION_POSES:
    case LW_QUESTION_VELOCITIES:
    case LW_QUESTION_ACCELERATIONS:
      memcpy(out, full, lw_question_outputs(pair->alone, question) * sizeof *out);
      break;
    case LW_QUESTION_JACOBIAN:
      reduce(pair, full, 6, out, size);
      break;
    case LW_QUESTION_CONTROL:
    {
      int n = pair->n, dof = pair->dof;
      reduce(pair, full, 2, out, size);
      memcpy(out + 2 * dof, full + 2 * n, 18 * sizeof *out);
      reduce(pair, full + 2 * n + 18, 6, out + 2 * dof + 18, size);
      reduce_matrix(pair, full + 8 * n + 18, out + 8 * dof + 18);
      break;
    }
    case LW_QUESTION_GIBBS:
      out[0] = full[0];
      reduce_matrix(pair, full + 1, out + 1);
      break;
    case LW_QUESTION_INERTIA:
    case LW_QUESTION_CORIOLIS_MATRIX:
      reduce_matrix(pair, full, out);
      break;
    case LW_QUESTION_INVERSE_DERIVATIVES:
      reduce_matrix(pair, full, out);
      reduce_matrix(pair, full + pair->n * pair->n, out + pair->dof * pair->dof);
      break;
    case LW_QUESTION_CENTROIDAL:
    case LW_QUESTION_JACOBIAN_RATE:
      memcpy(out, full, lw_question_outputs(pair->alone, question) * sizeof *out);
      break;
    case LW_QUESTION_REGRESSOR:
      reduce_columns(pair, full, out);
      break;
    default:
      reduce(pair, full, 1, out, size);
  }
}

// Compares one answer with the definition. Both robots use the same kernels, so only sums of a few
// terms differ: 200 roundings of the largest one.
static void compare(const Pair* pair, lwWorkspace* ws, lwWorkspace* other, lwQuestion question,
                    const lwStates* y)
{
  static double q[MOST], qd[MOST], qdd[MOST], full[SQUARE], expected[SQUARE], got[SQUARE],
      size[SQUARE];
  size_t count   = lw_question_outputs(pair->robot->model, question);
  lwStates state = {q, qd, qdd, NULL, y->wrench};
  expand(pair, y->q, true, q);
  expand(pair, y->qd, false, qd);
  expand(pair, y->qdd, false, qdd);
  lw_answer(pair->alone, other, question, &state, full);
  expected_answer(pair, question, full, expected);
  lw_answer(pair->robot->model, ws, question, y, got);
  double scale = largest_of(full, lw_question_outputs(pair->alone, question)) *
                 fmax(1, pow(largest_of(pair->G, (size_t)(pair->n * pair->dof)), 2));
  for (size_t i = 0; i < count; ++i) size[i] = fmax(scale, 1e-9);
  Trial trial = {pair->robot->seed, NULL, pair->dof, question, NULL, "mimic", y};
  check_close(&trial, got, expected, size, 200 * DBL_EPSILON, count);
}

static void answers_are_those_of_the_reduced_system(void** unused)
{
  (void)unused;
  int coupled = 0;
  for (uint64_t seed = 1; seed <= SEEDS; ++seed)
  {
    Pair* pair         = pair_make(seed);
    lwWorkspace* ws    = work_with(pair->robot->model, -1, LW_PRECISION_DOUBLE);
    lwWorkspace* other = work_with(pair->alone, -1, LW_PRECISION_DOUBLE);
    States states      = random_states(seed, pair->robot->model, 3);
    coupled += pair->dof < pair->n;
    for (int k = 0; k < states.count; ++k)
      for (int question = 0; question < LW_QUESTION_COUNT; ++question)
      {
        lwStates y = state_row(&states, pair->robot->model, k);
        if (!is_solved(question)) compare(pair, ws, other, (lwQuestion)question, &y);
      }
    states_free(&states);
    lw_workspace_destroy(ws);
    lw_workspace_destroy(other);
    pair_free(pair);
  }
  assert_greater(coupled, SEEDS / 2);
}

// --- forward dynamics

// tau - (M_y ydd + b_y), relative to its terms: a few roundings, whatever the condition of M_y.
static double residual(const lwModel* model, lwWorkspace* ws, lwWorkspace* check,
                       const lwStates* state)
{
  static double ydd[MOST], tau[MOST], bias[MOST], M[SQUARE];
  int dof          = lw_model_dof(model);
  lwStates reached = {state->q, state->qd, ydd, NULL, state->wrench}, rest = reached;
  double worst = 0;
  rest.qdd     = NULL;
  lw_answer(model, ws, LW_QUESTION_FORWARD, state, ydd);
  lw_answer(model, check, LW_QUESTION_INVERSE, &reached, tau);
  lw_answer(model, check, LW_QUESTION_INVERSE, &rest, bias);
  lw_answer(model, check, LW_QUESTION_INERTIA, state, M);
  double size = largest_of(tau, (size_t)dof) + largest_of(bias, (size_t)dof);
  for (int i = 0; i < dof; ++i)
    for (int j = 0; j < dof; ++j) size = fmax(size, fabs(M[i * dof + j] * ydd[j]));
  for (int i = 0; i < dof; ++i) worst = fmax(worst, fabs(tau[i] - state->tau[i]) / size);
  return worst;
}

static void forward_undoes_inverse_by_every_method(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 12; ++seed)
  {
    Pair* pair           = pair_make(seed);
    const lwModel* model = pair->robot->model;
    lwWorkspace* check   = work_with(model, -1, LW_PRECISION_DOUBLE);
    States states        = random_states(seed, model, 2);
    for (int i = 0; i < lw_method_count() && pair->dof < pair->n; ++i)
    {
      lwWorkspaceDef def = lw_workspace_def();
      lwWorkspace* ws    = NULL;
      if (lw_method(i)->question != LW_QUESTION_FORWARD) continue;
      def.forward     = lw_method(i)->name;
      bool couples    = lw_method_find(LW_QUESTION_INERTIA, def.forward) >= 0;
      lwStatus status = lw_workspace_create(model, &def, NULL, &ws);
      assert_int_equal(status, couples ? LW_OK : LW_ERROR_METHOD);
      for (int k = 0; couples && k < states.count; ++k)
      {
        lwStates state = state_row(&states, model, k);
        double off     = residual(model, ws, check, &state);
        if (!(off < 100 * pair->n * DBL_EPSILON))
          fail_msg("seed %d, %s: the equation of motion is off by %g", (int)seed, def.forward, off);
      }
      lw_workspace_destroy(ws);
    }
    states_free(&states);
    lw_workspace_destroy(check);
    pair_free(pair);
  }
}

// The torques that the accelerations need, off by this much of the wanted ones. A rounded inertia
// matrix of an ill-conditioned arm makes it large; refinement does not use the matrix for it.
static double torque_error(const lwModel* model, lwWorkspace* ws, lwWorkspace* check,
                           const lwStates* state)
{
  static double ydd[MOST], tau[MOST];
  int dof      = lw_model_dof(model);
  double worst = 0;
  lw_answer(model, ws, LW_QUESTION_FORWARD, state, ydd);
  lw_answer(model, check, LW_QUESTION_INVERSE,
            &(lwStates){state->q, state->qd, ydd, NULL, state->wrench}, tau);
  for (int i = 0; i < dof; ++i) worst = fmax(worst, fabs(tau[i] - state->tau[i]));
  return worst / largest_of(state->tau, (size_t)dof);
}

// In single precision, refinement mends what the rounded matrix costs. Rounding of the torques
// remains and goes either way, so states that are clearly better and clearly worse are counted.
static void refinement_works_on_the_reduced_system(void** unused)
{
  (void)unused;
  int better = 0, worse = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed)
  {
    Pair* pair           = pair_make(seed);
    const lwModel* model = pair->robot->model;
    lwWorkspace* check   = work_with(model, -1, LW_PRECISION_DOUBLE);
    lwWorkspace* ws[2]   = {NULL, NULL};
    States states        = random_states(seed, model, 2);
    for (int steps = 0; steps < 2; ++steps)
    {
      lwWorkspaceDef def = lw_workspace_def();
      def.forward        = "composite-body";
      def.precision      = LW_PRECISION_SINGLE;
      def.refine         = 2 * steps;
      assert_int_equal(lw_workspace_create(model, &def, NULL, &ws[steps]), LW_OK);
    }
    for (int k = 0; k < states.count; ++k)
    {
      lwStates state = state_row(&states, model, k);
      double plain   = torque_error(model, ws[0], check, &state),
             refined = torque_error(model, ws[1], check, &state);
      assert_less(plain, 1e-2);
      better += plain > 2 * refined;
      worse += refined > 2 * plain;
    }
    for (int steps = 0; steps < 2; ++steps) lw_workspace_destroy(ws[steps]);
    states_free(&states);
    lw_workspace_destroy(check);
    pair_free(pair);
  }
  assert_greater(better, 8);
  assert_greater(better, worse);
}

// M_y W = 1, and M_y d ydd/dx = - d tau_y/dx at that ydd, relative to the terms of the sums.
static void check_solved(const Pair* pair, lwWorkspace* ws, const lwStates* given)
{
  static double M[SQUARE], W[SQUARE], by[SQUARE], slopes[SQUARE], ydd[MOST];
  const lwModel* model = pair->robot->model;
  size_t n             = (size_t)pair->dof;
  lwStates state       = *given;
  lw_answer(model, ws, LW_QUESTION_FORWARD, &state, ydd);
  lw_answer(model, ws, LW_QUESTION_INERTIA, &state, M);
  lw_answer(model, ws, LW_QUESTION_INERTIA_INVERSE, &state, W);
  lw_answer(model, ws, LW_QUESTION_FORWARD_DERIVATIVES, &state, by);
  state.qdd = ydd;
  lw_answer(model, ws, LW_QUESTION_INVERSE_DERIVATIVES, &state, slopes);
  for (size_t k = 0; k < 3 * n * n; ++k)
  {
    size_t block = k / (n * n), i = k % (n * n) / n, j = k % n;
    double sum = block < 2 ? slopes[k] : i == j ? -1 : 0, size = fabs(sum);
    for (size_t l = 0; l < n; ++l)
    {
      double term = M[i * n + l] * by[block * n * n + l * n + j];
      sum += term;
      size += fabs(term);
    }
    double rows = largest_of(M, n * n) * largest_of(by + block * n * n, n * n);
    assert_near(sum, 0, 1e-12 * (size + rows));
    if (block == 2) assert_same(by[k], W[i * n + j]);
  }
}

static void matrices_are_solved_with_the_reduced_inertia(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= SEEDS; ++seed)
  {
    Pair* pair      = pair_make(seed);
    lwWorkspace* ws = work_with(pair->robot->model, -1, LW_PRECISION_DOUBLE);
    States states   = random_states(seed, pair->robot->model, 1);
    lwStates state  = state_row(&states, pair->robot->model, 0);
    if (lw_model_inert(pair->robot->model) < 0) check_solved(pair, ws, &state);
    states_free(&states);
    lw_workspace_destroy(ws);
    pair_free(pair);
  }
}

// --- many states

static void many_states_give_the_same_bits(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 12; ++seed)
    for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
    {
      Pair* pair           = pair_make(seed);
      const lwModel* model = pair->robot->model;
      lwWorkspace* ws      = work_with(model, -1, (lwPrecision)precision);
      States states        = random_states(seed, model, COUNT);
      for (int question = 0; question < LW_QUESTION_COUNT; ++question)
      {
        size_t size  = lw_question_outputs(model, (lwQuestion)question);
        double* many = numbers(size * COUNT);
        double* one  = numbers(size);
        lw_answer_many(model, ws, (lwQuestion)question, COUNT, &states.rows, many);
        for (int k = 0; k < COUNT; ++k)
        {
          lwStates state = state_row(&states, model, k);
          Trial trial    = {seed, NULL, pair->dof, (lwQuestion)question, NULL, "in lanes", &state};
          lw_answer(model, ws, (lwQuestion)question, &state, one);
          check_equal(&trial, many + (size_t)k * size, one, size);
        }
        free(many);
        free(one);
      }
      states_free(&states);
      lw_workspace_destroy(ws);
      pair_free(pair);
    }
}

// --- by hand

// Two fingers, 1 kg and 3 kg, coupled so that they slide apart along y:
// tau = (m1 + k^2 m3) ydd - weight.
static void fingers_move_as_one(void** unused)
{
  (void)unused;
  Robot* robot    = robot_start();
  double masses[] = {1, 3}, k = -0.5, y = 0.2, ydd = 4, tau, M, back, energy[2];
  for (int i = 0; i < 2; ++i)
  {
    lwJointDef* joint = robot_add(robot, LW_JOINT_PRISMATIC, LW_BASE);
    joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
    joint->axis[1]    = 1;
    joint->axis[2]    = 0;
    joint->link.mass  = masses[i];
  }
  robot->joints[0].mimic = (lwMimic){true, 1, k, 0.1};  // the first mimics the second
  robot->def.gravity[1]  = -10;
  robot->def.gravity[2]  = 0;
  robot_build(robot);
  assert_int_equal(lw_model_dof(robot->model), 1);
  assert_int_equal(lw_model_joint(robot->model, 0), 1);
  lwWorkspace* ws = work_with(robot->model, -1, LW_PRECISION_DOUBLE);
  lw_inverse_dynamics(robot->model, ws, &y, NULL, &ydd, &tau);
  lw_inertia_matrix(robot->model, ws, &y, &M);
  lw_forward_dynamics(robot->model, ws, &y, NULL, &tau, &back);
  lw_energy(robot->model, ws, &y, &ydd, &energy[0], &energy[1]);
  assert_closer(M, k * k * 1 + 3, 1e-15);
  assert_closer(tau, M * ydd + 10 * (k * 1 + 3), 1e-13);
  assert_closer(back, ydd, 1e-14);
  assert_closer(energy[0], M * ydd * ydd / 2, 1e-13);
  assert_closer(energy[1], 10 * (3 * y + k * y + 0.1), 1e-13);
  lw_workspace_destroy(ws);
  robot_free(robot);
}

// Rotors add gear^2 times their inertia, 1 kg and 2 kg here, each through its own joint.
static void rotors_add_to_the_reduced_inertia(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  double k = -0.5, y = 0.2, tau = 7, ydd[2];
  for (int i = 0; i < 2; ++i)
  {
    lwJointDef* joint       = robot_add(robot, LW_JOINT_PRISMATIC, LW_BASE);
    joint->link.mass        = 3;
    joint->motor            = lw_joint_def().motor;
    joint->motor.given      = true;
    joint->motor.resistance = joint->motor.torque_constant = 1;
    joint->motor.gear                                      = -10;
    joint->motor.rotor_inertia                             = 0.01 * (i + 1);
  }
  robot->joints[0].mimic = (lwMimic){true, 1, k, 0};
  robot->def.gravity[2]  = 0;
  robot_build(robot);
  for (int refine = 0; refine < 2; ++refine)
  {
    lwWorkspaceDef def = lw_workspace_def();
    lwWorkspace* ws    = NULL;
    def.rotors         = true;
    def.refine         = refine;
    assert_int_equal(lw_workspace_create(robot->model, &def, NULL, &ws), LW_OK);
    lw_forward_dynamics(robot->model, ws, &y, NULL, &tau, &ydd[refine]);
    assert_closer(ydd[refine], tau / (k * k * (3 + 1) + 3 + 2), 1e-15);
    lw_workspace_destroy(ws);
  }
  robot_free(robot);
}

// A joint that mimics a fixed joint stays at its offset.
static void followers_of_fixed_joints_stand(void** unused)
{
  (void)unused;
  Robot* robot    = robot_start();
  lwRandom random = {5};
  for (int i = 0; i < 3; ++i)
  {
    lwJointDef* joint = robot_add(robot, i == 1 ? LW_JOINT_FIXED : LW_JOINT_REVOLUTE, i - 1);
    joint->a          = 0.5;
    random_link(&random, &joint->link);
  }
  robot->joints[2].mimic = (lwMimic){true, 1, 7, 0.25};
  robot_build(robot);
  assert_int_equal(lw_model_dof(robot->model), 1);
  double q        = 0.3, p[3], R[9], J[6];
  lwWorkspace* ws = work_with(robot->model, -1, LW_PRECISION_DOUBLE);
  lw_pose(robot->model, ws, &q, p, R);
  lw_jacobian(robot->model, ws, &q, J);
  assert_closer(R[0], cos(0.55), 1e-15);
  assert_closer(J[5], 1, 1e-15);
  lw_workspace_destroy(ws);
  robot_free(robot);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_are_those_of_the_reduced_system),
      cmocka_unit_test(forward_undoes_inverse_by_every_method),
      cmocka_unit_test(refinement_works_on_the_reduced_system),
      cmocka_unit_test(matrices_are_solved_with_the_reduced_inertia),
      cmocka_unit_test(many_states_give_the_same_bits),
      cmocka_unit_test(fingers_move_as_one),
      cmocka_unit_test(rotors_add_to_the_reduced_inertia),
      cmocka_unit_test(followers_of_fixed_joints_stand),
  };
  return cmocka_run_group_tests_name("mimic", tests, NULL, NULL);
}
