// SPDX-License-Identifier: MIT
// Base parameters: the rules and the numerical rank of the regressor give the same ones, and
// torques are the reduced regressor times their values. Tests the files in robots/ and seeded
// random robots: 1 to 12 joints, revolute and prismatic, chains and trees, any gravity, fixed
// links.
//
// LINKWORK_ROBOTS sets the number of random robots.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/identify.h"
#include "linkwork/loop.h"
#include "linkwork/methods.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  ROBOTS = 60
};

// Tolerance of the factors of dependent columns; in trees with many joints they depend to 1e-8.
static const double FACTORS = 1e-7;
static const double TORQUES = 1e-12;
static const double CLOSED  = 1e-10;  // numerical factors, of terms

static uint64_t robots(void)
{
  const char* text = getenv("LINKWORK_ROBOTS");
  return text && *text ? strtoul(text, NULL, 10) : ROBOTS;
}

static void assert_counts(const char* name, const lwParameterCount* count)
{
  if (count->by_rules != count->by_rank || !(count->difference <= FACTORS))
    fail_msg("%s: %d base parameters by rules, %d by rank (least kept %.3g, most dropped %.3g), "
             "factors %.3g apart",
             name, count->by_rules, count->by_rank, count->least_kept, count->most_dropped,
             count->difference);
}

// Torques from base parameters equal inverse dynamics, relative to the largest term of their sums.
static void assert_torques(const char* name, const lwModel* model, const lwParameters* parameters,
                           uint64_t seed)
{
  size_t n       = (size_t)lw_model_dof(model);
  size_t width   = lw_regressor_columns(model, 0);
  States states  = random_states(seed, model, 3);
  lwWorkspace* w = work_with(model, -1, LW_PRECISION_DOUBLE);
  int count      = lw_parameters_count(parameters).by_rules;
  double* pi     = numbers(width);
  lw_regressor_parameters(model, 0, pi);
  if (count < 0) count = lw_parameters_count(parameters).by_rank;
  for (int k = 0; k < states.count; ++k)
  {
    lwStates state = state_row(&states, model, k);
    state.wrench   = NULL;
    double* Y      = answer(model, w, LW_QUESTION_REGRESSOR, &state);
    double* tau    = answer(model, w, LW_QUESTION_INVERSE, &state);
    for (size_t i = 0; i < n; ++i)
    {
      double sum = 0, size = 1e-3;
      for (int b = 0; b < count; ++b)
      {
        lwBaseParameter one = lw_parameters_base(parameters, b);
        double term         = Y[i * width + (size_t)one.column] * one.value;
        sum += term;
        size = fmax(size, fabs(term));
        for (size_t c = 0; c < width; ++c)
          size = fmax(size, fabs(Y[i * width + (size_t)one.column] * one.factors[c] * pi[c]));
      }
      if (!(fabs(sum - tau[i]) <= TORQUES * size))
        fail_msg(
            "%s: joint %zu: %.17g by base parameters, %.17g by inverse dynamics, terms to %.3g",
            name, i + 1, sum, tau[i], size);
    }
    free(Y);
    free(tau);
  }
  free(pi);
  lw_workspace_destroy(w);
  states_free(&states);
}

static void random_robots_have_one_rank(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= robots(); ++seed)
  {
    char name[64];
    RobotStyle style = random_style(seed);
    style.dof        = 1 + (int)(seed % 12);
    style.parallel   = 0;  // with nearly parallel axes the numerical rank is ambiguous
    Robot* robot     = random_robot(seed, &style);
    lwParameters* parameters;
    snprintf(name, sizeof name, "robot %d", (int)seed);
    assert_int_equal(lw_parameters_create(robot->model, NULL, &parameters), LW_OK);
    lwParameterCount count = lw_parameters_count(parameters);
    assert_counts(name, &count);
    assert_torques(name, robot->model, parameters, seed);
    lw_parameters_destroy(parameters);
    robot_free(robot);
  }
}

// A position with closed loops near that of the file, and motions that keep them closed.
static lwStates closed_state(lwLoops* loops, const lwModel* model, lwRandom* random, double* q)
{
  int n      = lw_model_dof(model);
  double *qd = q + lw_model_nq(model), *qdd = qd + n, *start = qdd + n;
  double* step = start + lw_model_nq(model);
  for (int i = 0; i < n; ++i)
  {
    step[i] = lw_random_between(random, -0.1, 0.1);
    qd[i]   = lw_random_between(random, -1, 1);
    qdd[i]  = lw_random_between(random, -1, 1);
  }
  lw_model_start(model, start);
  lw_model_integrate(model, start, step, q);
  assert_int_equal(lw_loops_close(loops, q, NULL), LW_OK);
  assert_int_equal(lw_loops_velocity(loops, q, qd), LW_OK);
  assert_int_equal(lw_loops_acceleration(loops, q, qd, qdd), LW_OK);
  return (lwStates){.q = q, .qd = qd, .qdd = qdd};
}

// As assert_torques() in the speeds of driven joints, in states that the rank was not taken of.
static void assert_closed_torques(const char* name, const lwModel* model,
                                  const lwParameters* parameters)
{
  lwLoops* loops;
  lwParameterCount count = lw_parameters_count(parameters);
  size_t m = (size_t)lw_model_mobility(model), width = lw_regressor_columns(model, 0);
  size_t n  = (size_t)lw_model_dof(model);
  double* q = numbers(2 * (size_t)lw_model_nq(model) + 3 * n);
  double *Y = numbers(m * width), *tau = numbers(m), *pi = numbers(width);
  lwRandom random = {7};
  lw_regressor_parameters(model, 0, pi);
  assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
  assert_true(count.by_rank > 0 && count.by_rules == -1);
  if (!(count.least_kept > 1e4 * count.most_dropped))
    fail_msg("%s: the rank is not sharp: %.3g kept, %.3g dropped", name, count.least_kept,
             count.most_dropped);
  for (int k = 0; k < 3; ++k)
  {
    lwStates state = closed_state(loops, model, &random, q);
    assert_int_equal(lw_loops_answer(loops, LW_QUESTION_REGRESSOR, &state, Y, NULL), LW_OK);
    assert_int_equal(lw_loops_answer(loops, LW_QUESTION_INVERSE, &state, tau, NULL), LW_OK);
    for (size_t a = 0; a < m; ++a)
    {
      double sum = 0, size = 1e-3;
      for (int b = 0; b < count.by_rank; ++b)
      {
        lwBaseParameter one = lw_parameters_base(parameters, b);
        sum += Y[a * width + (size_t)one.column] * one.value;
        for (size_t c = 0; c < width; ++c)
          size = fmax(size, fabs(Y[a * width + (size_t)one.column] * one.factors[c] * pi[c]));
      }
      if (!(fabs(sum - tau[a]) <= CLOSED * size))
        fail_msg("%s: speed %zu: %.17g by base parameters, %.17g by inverse dynamics", name, a + 1,
                 sum, tau[a]);
    }
  }
  lw_loops_destroy(loops);
  free(q), free(Y), free(tau), free(pi);
}

static void check_file(const char* file)
{
  char path[600];
  lwModel* model = NULL;
  lwParameters* parameters;
  snprintf(path, sizeof path, "%s/%s", LW_ROBOTS, file);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_parameters_create(model, NULL, &parameters), LW_OK);
  lwParameterCount count = lw_parameters_count(parameters);
  if (count.by_rules >= 0) assert_counts(file, &count);
  bool plain = lw_model_nq(model) == lw_model_dof(model);  // without quaternions
  if (lw_model_loop_count(model) > 0)
    assert_closed_torques(file, model, parameters);
  else if (plain)
    assert_torques(file, model, parameters, 1);
  lw_parameters_destroy(parameters);
  lw_model_destroy(model);
}

static void robots_of_files_have_one_rank(void** unused)
{
  (void)unused;
  DIR* folder = opendir(LW_ROBOTS);
  int tried   = 0;
  assert_non_null(folder);
  for (const struct dirent* file = readdir(folder); file; file = readdir(folder))
  {
    const char* end = strrchr(file->d_name, '.');
    if (!end || (strcmp(end, ".yaml") != 0 && strcmp(end, ".urdf") != 0)) continue;
    check_file(file->d_name);
    ++tried;
  }
  closedir(folder);
  assert_at_least(tried, 10);
}

// A pendulum about x with gravity along -z: the inertia about the axis, and two first moments
// across it.
static void a_pendulum_has_three(void** unused)
{
  (void)unused;
  Robot* robot      = robot_start();
  lwJointDef* joint = robot_add(robot, LW_JOINT_REVOLUTE, LW_BASE);
  lwParameters* parameters;
  joint->placement   = LW_PLACEMENT_ORIGIN_AXIS;
  joint->axis[0]     = 1;
  joint->axis[2]     = 0;
  joint->link.mass   = 2;
  joint->link.com[1] = 0.5;
  robot_build(robot);
  assert_int_equal(lw_parameters_create(robot->model, NULL, &parameters), LW_OK);
  lwParameterCount count = lw_parameters_count(parameters);
  assert_int_equal(count.all, 10);
  assert_int_equal(count.by_rules, 3);
  assert_int_equal(count.by_rank, 3);
  static const int columns[]   = {4, 2, 3};
  static const double values[] = {0.5, 1, 0};
  for (int i = 0; i < 3; ++i)
  {
    assert_int_equal(lw_parameters_base(parameters, i).column, columns[i]);
    assert_near(lw_parameters_base(parameters, i).value, values[i], 1e-15);
  }
  assert_true(lw_parameters_idle(parameters, 0));
  assert_false(lw_parameters_idle(parameters, 4));
  lw_parameters_destroy(parameters);
  robot_free(robot);
}

// PUMA 560: 36 (Mayeda, Yoshida & Osuka 1990); with gravity along the first axis.
static void puma_has_36(void** unused)
{
  (void)unused;
  lwModel* model;
  lwParameters* parameters;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/puma560.yaml", NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_parameters_create(model, NULL, &parameters), LW_OK);
  assert_int_equal(lw_parameters_count(parameters).by_rules, 36);
  lw_parameters_destroy(parameters);
  lw_model_destroy(model);
}

// With mimic joints there is a rank, but no rules.
static void coupled_joints_have_a_rank(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 5; ++seed)
  {
    RobotStyle style = {.dof = 6, .placement = -1};
    Robot* robot     = random_robot(seed, &style);
    lwParameters* parameters;
    robot_couple(robot, seed);
    assert_int_equal(lw_parameters_create(robot->model, NULL, &parameters), LW_OK);
    assert_int_equal(lw_parameters_count(parameters).by_rules, -1);
    assert_greater(lw_parameters_count(parameters).by_rank, 0);
    lw_parameters_destroy(parameters);
    robot_free(robot);
  }
}

// A gear is a mimic joint by other means: one row of a loop in place of a column of G.
static void gears_have_the_parameters_of_mimic_joints(void** unused)
{
  (void)unused;
  lwLoopDef gears[8];
  char names[8][16];
  int tried = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed)
  {
    RobotStyle style = {.dof = 6, .placement = -1};
    Robot* robot     = random_robot(seed, &style);
    lwParameters *of_mimic, *of_gears;
    int count = 0;
    robot_couple(robot, seed);
    assert_int_equal(lw_parameters_create(robot->model, NULL, &of_mimic), LW_OK);
    for (int i = 0; i < robot->def.count; ++i)
    {
      lwJointDef* joint = &robot->joints[i];
      if (!joint->mimic.given) continue;
      snprintf(names[count], sizeof names[count], "gear%d", count);
      gears[count]       = (lwLoopDef){.name   = names[count],
                                       .type   = LW_LOOP_GEAR,
                                       .first  = {.joint = joint->mimic.leader},
                                       .second = {.joint = i},
                                       .ratio  = joint->mimic.multiplier,
                                       .offset = joint->mimic.offset};
      joint->passive     = true;
      joint->mimic.given = false;
      ++count;
    }
    robot->def.loops      = gears;
    robot->def.loop_count = count;
    lw_model_destroy(robot->model);
    robot_build(robot);
    if (count > 0)
    {
      ++tried;
      assert_int_equal(lw_parameters_create(robot->model, NULL, &of_gears), LW_OK);
      assert_int_equal(lw_parameters_count(of_gears).by_rank,
                       lw_parameters_count(of_mimic).by_rank);
      for (int b = 0; b < lw_parameters_count(of_gears).by_rank; ++b)
      {
        lwBaseParameter one   = lw_parameters_base(of_gears, b),
                        other = lw_parameters_base(of_mimic, b);
        assert_int_equal(one.column, other.column);
        for (int c = 0; c < lw_parameters_count(of_gears).all; ++c)
          assert_near(one.factors[c], other.factors[c], FACTORS * (1 + fabs(other.factors[c])));
      }
      lw_parameters_destroy(of_gears);
    }
    lw_parameters_destroy(of_mimic);
    robot_free(robot);
  }
  assert_at_least(tried, 3);
}

// Friction and rotors: the torques of the drives are Y pi.
static void terms_add_what_drives_supply(void** unused)
{
  (void)unused;
  const unsigned all = LW_HAS_TERM(LW_TERM_ROTOR) | LW_HAS_TERM(LW_TERM_VISCOUS) |
                       LW_HAS_TERM(LW_TERM_COULOMB) | LW_HAS_TERM(LW_TERM_OFFSET);
  lwModel* model;
  assert_int_equal(lw_robot_read_file(LW_ROBOTS "/puma560.yaml", NULL, NULL, &model), LW_OK);
  size_t n = (size_t)lw_model_dof(model), width = lw_regressor_columns(model, all);
  double *Y = numbers(n * width), *pi = numbers(width);
  lwWorkspace* w = work_with(model, -1, LW_PRECISION_DOUBLE);
  States states  = random_states(3, model, 4);
  assert_int_equal(width, 10 * 6 + 4 * 6);
  lw_regressor_parameters(model, all, pi);
  for (int k = 0; k < states.count; ++k)
  {
    lwStates state = state_row(&states, model, k);
    state.wrench   = NULL;
    double* links  = answer(model, w, LW_QUESTION_REGRESSOR, &state);
    double* tau    = answer(model, w, LW_QUESTION_INVERSE, &state);
    lw_regressor_extend(model, all, &state, links, Y);
    for (size_t i = 0; i < n; ++i)
    {
      const lwJointDef* joint = lw_model_joint_def(model, (int)i);
      double qd = state.qd[i], sum = 0, size = 0;
      double expected = tau[i] + joint->friction.viscous * qd +
                        joint->friction.coulomb * ((qd > 0) - (qd < 0)) +
                        lw_joint_rotor(joint) * state.qdd[i];
      for (size_t c = 0; c < width; ++c)
      {
        sum += Y[i * width + c] * pi[c];
        size = fmax(size, fabs(Y[i * width + c] * pi[c]));
      }
      assert_near(sum, expected, TORQUES * size);
      assert_different(expected, tau[i]);
    }
    free(links);
    free(tau);
  }
  free(Y);
  free(pi);
  states_free(&states);
  lw_workspace_destroy(w);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_pendulum_has_three),
                                     cmocka_unit_test(puma_has_36),
                                     cmocka_unit_test(robots_of_files_have_one_rank),
                                     cmocka_unit_test(random_robots_have_one_rank),
                                     cmocka_unit_test(coupled_joints_have_a_rank),
                                     cmocka_unit_test(gears_have_the_parameters_of_mimic_joints),
                                     cmocka_unit_test(terms_add_what_drives_supply)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
