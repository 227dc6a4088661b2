// SPDX-License-Identifier: MIT
// Wrenches on any links: every method subtracts the sum of J^T w from tau, with the oracle's
// Jacobians; forward dynamics adds it; reactions against free bodies; lanes and threads give the
// same bits.
//
// Bound on a torque: C n eps of the sum of |J^T w| and the terms without wrenches
// (support/reference.h).
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/fleet.h"
#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"
#include "support/world.h"

enum
{
  ROBOTS = 120,
  PLACES = 4,
  STATES = 5
};

static const double C = 32;

// Points on any links, and states with wrenches there.
typedef struct Case
{
  Robot* robot;
  int n;
  lwWrenchPlace places[PLACES];
  States states;
  double wrenches[STATES][PLACES][6];
} Case;

static Case case_of(uint64_t seed)
{
  Case c          = {.robot = any_robot(seed)};
  lwRandom random = {seed + 1000};
  c.n             = lw_model_dof(c.robot->model);
  c.states        = random_states(seed, c.robot->model, STATES);
  for (int k = 0; k < PLACES; ++k)
  {
    lwWrenchPlace* place = &c.places[k];
    place->joint         = (int)lw_random_between(&random, 0, c.robot->def.count - 1e-9);
    place->axes          = k % 2 ? LW_AXES_BASE : LW_AXES_LINK;
    for (int i = 0; i < 3 && k != 2; ++i) place->xyz[i] = lw_random_between(&random, -1, 1);
  }
  for (int s = 0; s < STATES; ++s)
    for (int k = 0; k < PLACES; ++k)
      for (int i = 0; i < 6; ++i) c.wrenches[s][k][i] = lw_random_between(&random, -20, 20);
  return c;
}

static void case_end(Case* c)
{
  states_free(&c->states);
  robot_free(c->robot);
}

// The state of a row, with its wrenches.
static lwStates row_of(const Case* c, int row)
{
  lwStates state = state_row(&c->states, c->robot->model, row);
  state.wrench   = &c->wrenches[row][0][0];
  return state;
}

// Wrench k of a row in base axes, at x.
static void in_base(const Case* c, const World* world, int row, int k, double x[3], double w[6])
{
  const Body* body = &world->bodies[c->places[k].joint];
  matvec3(body->R, c->places[k].xyz, x);
  for (int i = 0; i < 3; ++i) x[i] += body->p[i];
  memcpy(w, c->wrenches[row][k], 6 * sizeof *w);
  if (c->places[k].axes == LW_AXES_BASE) return;
  matvec3(body->R, c->wrenches[row][k], w);
  matvec3(body->R, c->wrenches[row][k] + 3, w + 3);
}

// Adds sign times the sum of J^T w to tau (n), and the absolute values to size (n).
static void add_pushes(const Case* c, int row, double sign, double* tau, double* size)
{
  World world = world_create(&c->robot->def, row_of(c, row).q, NULL, NULL);
  for (int k = 0; k < PLACES; ++k)
  {
    double x[3], w[6];
    in_base(c, &world, row, k, x, w);
    for (int j = c->places[k].joint; j != LW_BASE; j = world.bodies[j].parent)
    {
      const Body* joint = &world.bodies[j];
      double Jv[3], Jw[3];
      if (joint->moving < 0) continue;
      point_jacobian(joint, x, Jv, Jw);
      double way = world.bodies[c->places[k].joint].way_origin + norm3(c->places[k].xyz);
      tau[joint->moving] += sign * (dot3(Jv, w) + dot3(Jw, w + 3));
      size[joint->moving] += joint->slides ? norm3(w) : norm3(w) * way + norm3(w + 3);
    }
  }
  world_free(&world);
}

static lwWorkspace* pushed_work(const Case* c, int method, lwPrecision precision)
{
  lwWorkspace* ws = work_with(c->robot->model, method, precision);
  assert_int_equal(lw_workspace_set_wrench_places(ws, c->robot->model, PLACES, c->places, NULL),
                   LW_OK);
  return ws;
}

static void every_inverse_method(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Case c         = case_of(seed);
    lwStates state = row_of(&c, 0), without = state;
    double* expected = numbers((size_t)c.n);
    double* size     = numbers((size_t)c.n);
    without.wrench   = NULL;
    reference_answer(&c.robot->def, LW_QUESTION_INVERSE, &without, expected, size);
    add_pushes(&c, 0, -1, expected, size);
    for (int i = 0; i < lw_method_count(); ++i)
    {
      if (!answers(i, LW_QUESTION_INVERSE) || too_slow(i, c.robot->model)) continue;
      lwWorkspace* ws = pushed_work(&c, i, LW_PRECISION_DOUBLE);
      double* got     = answer(c.robot->model, ws, LW_QUESTION_INVERSE, &state);
      Trial trial     = {.seed = seed, .n = c.n, .method = method_name(i), .state = &state};
      check_close(&trial, got, expected, size, C * c.n * DBL_EPSILON, (size_t)c.n);
      free(got);
      lw_workspace_destroy(ws);
    }
    free(expected);
    free(size);
    case_end(&c);
  }
}

// Accelerations with wrenches are those without wrenches at tau + J^T w.
static void every_forward_method(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Case c         = case_of(seed);
    lwStates state = row_of(&c, 0), moved = state;
    double* tau      = numbers((size_t)c.n);
    double* size     = numbers((size_t)c.n);
    double* residual = numbers((size_t)c.n);
    double* none     = numbers((size_t)c.n);
    memcpy(tau, state.tau, (size_t)c.n * sizeof *tau);
    add_pushes(&c, 0, 1, tau, none);
    moved.wrench = NULL;
    moved.tau    = tau;
    for (int i = 0; i < lw_method_count(); ++i)
    {
      if (!answers(i, LW_QUESTION_FORWARD)) continue;
      lwWorkspace* ws = pushed_work(&c, i, LW_PRECISION_DOUBLE);
      double* got     = answer(c.robot->model, ws, LW_QUESTION_FORWARD, &state);
      Trial trial     = {.seed = seed, .n = c.n, .method = method_name(i), .state = &state};
      reference_residual(&c.robot->def, &moved, got, residual, size);
      for (int k = 0; k < c.n; ++k) size[k] += none[k];
      double* zeros = numbers((size_t)c.n);
      check_close(&trial, residual, zeros, size, C * c.n * DBL_EPSILON, (size_t)c.n);
      free(zeros);
      free(got);
      lw_workspace_destroy(ws);
    }
    free(tau);
    free(size);
    free(residual);
    free(none);
    case_end(&c);
  }
}

// Both ways to derivatives see the wrenches alike, those in base axes, which keep their direction
// while the links turn, and those in the axes of links. Bound: the two recursions share no sums, so
// an entry may lose what cancels; 1e-10 of the largest entry leaves five digits for that.
static void every_derivative_method(void** unused)
{
  (void)unused;
  double seen = 0;  // what wrenches change
  for (uint64_t seed = 1; seed <= ROBOTS / 4; ++seed)
  {
    Case c         = case_of(seed);
    size_t count   = lw_question_outputs(c.robot->model, LW_QUESTION_INVERSE_DERIVATIVES);
    lwStates state = row_of(&c, 0), without = state;
    double *first = NULL, most = 0;
    without.wrench = NULL;
    for (int i = 0; i < lw_method_count(); ++i)
    {
      if (!answers(i, LW_QUESTION_INVERSE_DERIVATIVES)) continue;
      lwWorkspace* ws = pushed_work(&c, i, LW_PRECISION_DOUBLE);
      double* got     = answer(c.robot->model, ws, LW_QUESTION_INVERSE_DERIVATIVES, &state);
      double* plain   = answer(c.robot->model, ws, LW_QUESTION_INVERSE_DERIVATIVES, &without);
      for (size_t k = 0; k < count && !first; ++k) most = fmax(most, fabs(got[k]));
      for (size_t k = 0; k < count; ++k) seen = fmax(seen, fabs(got[k] - plain[k]));
      for (size_t k = 0; k < count && first; ++k) assert_near(got[k], first[k], 1e-10 * most);
      free(plain);
      if (first) free(got);
      if (!first) first = got;
      lw_workspace_destroy(ws);
    }
    free(first);
    case_end(&c);
  }
  assert_greater(seen, 1);
}

// Reactions: wrenches beyond a joint reduce what its parent must exert.
static void reactions_of_pushes(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Case c         = case_of(seed);
    lwStates state = row_of(&c, 0), without = state;
    size_t count       = lw_question_outputs(c.robot->model, LW_QUESTION_REACTIONS);
    double* expected   = numbers(count);
    double* size       = numbers(count);
    lwWorkspaceDef def = lw_workspace_def();
    lwWorkspace* ws;
    def.axes       = LW_AXES_BASE;
    without.wrench = NULL;
    assert_int_equal(lw_workspace_create(c.robot->model, &def, NULL, &ws), LW_OK);
    lw_answer(c.robot->model, ws, LW_QUESTION_REACTIONS, &without, expected);
    double most = 0;
    for (size_t k = 0; k < count; ++k) most = fmax(most, fabs(expected[k]));
    World world = world_create(&c.robot->def, state.q, NULL, NULL);
    for (int k = 0; k < PLACES; ++k)
    {
      double x[3], w[6];
      in_base(&c, &world, 0, k, x, w);
      double way = world.bodies[c.places[k].joint].way_origin + norm3(c.places[k].xyz);
      most       = fmax(most, norm3(w) * 2 * way + norm3(w + 3));
      for (int j = c.places[k].joint; j != LW_BASE; j = world.bodies[j].parent)
      {
        double arm[3], moment[3];
        for (int i = 0; i < 3; ++i) arm[i] = x[i] - world.bodies[j].p[i];
        cross3(arm, w, moment);
        for (int i = 0; i < 3; ++i) expected[6 * j + i] -= w[i];
        for (int i = 0; i < 3; ++i) expected[6 * j + 3 + i] -= w[3 + i] + moment[i];
      }
    }
    world_free(&world);
    assert_int_equal(lw_workspace_set_wrench_places(ws, c.robot->model, PLACES, c.places, NULL),
                     LW_OK);
    double* got = answer(c.robot->model, ws, LW_QUESTION_REACTIONS, &state);
    Trial trial = {.seed = seed, .n = c.n, .question = LW_QUESTION_REACTIONS, .state = &state};
    for (size_t k = 0; k < count; ++k) size[k] = PLACES * most;
    check_close(&trial, got, expected, size, C * (c.n + 1) * DBL_EPSILON, count);
    free(got);
    free(expected);
    free(size);
    lw_workspace_destroy(ws);
    case_end(&c);
  }
}

// One by one, many at once by state and by entry, and on threads.
static void lanes_and_threads(void** unused)
{
  static const lwQuestion questions[] = {LW_QUESTION_INVERSE, LW_QUESTION_FORWARD,
                                         LW_QUESTION_REACTIONS};
  (void)unused;
  for (uint64_t seed = 1; seed <= 3 * ROBOTS; ++seed)
  {
    Case c              = case_of(seed);
    lwQuestion question = questions[seed % 3];
    size_t outputs      = lw_question_outputs(c.robot->model, question);
    double* many        = numbers(outputs * STATES);
    double* batched     = numbers(outputs * STATES);
    lwWorkspace* ws     = pushed_work(&c, -1, seed % 2 ? LW_PRECISION_DOUBLE : LW_PRECISION_SINGLE);
    lwWorkspaceDef def  = lw_workspace_def();
    lwStates states     = c.states.rows;
    lwBatch* batch;
    def.precision = seed % 2 ? LW_PRECISION_DOUBLE : LW_PRECISION_SINGLE;
    states.wrench = &c.wrenches[0][0][0];
    assert_int_equal(lw_batch_create(c.robot->model, &def, 2, NULL, &batch), LW_OK);
    for (int i = 0; i < lw_batch_threads(batch); ++i)
      assert_int_equal(lw_workspace_set_wrench_places(lw_batch_workspace(batch, i), c.robot->model,
                                                      PLACES, c.places, NULL),
                       LW_OK);
    lw_answer_many(c.robot->model, ws, question, STATES, &states, many);
    lw_batch_answer(batch, question, STATES, &states, batched);
    Trial trial = {.seed = seed, .n = c.n, .question = question, .variant = "lanes"};
    check_equal(&trial, batched, many, outputs * STATES);
    for (int row = 0; row < STATES; ++row)
    {
      lwStates state = row_of(&c, row);
      double* one    = answer(c.robot->model, ws, question, &state);
      check_equal(&trial, many + (size_t)row * outputs, one, outputs);
      free(one);
    }
    free(many);
    free(batched);
    lw_batch_destroy(batch);
    lw_workspace_destroy(ws);
    case_end(&c);
  }
}

// With mimic joints, the torques of the independent joints have the same power as the wrenches.
static void mimic_joints(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; ++seed)
  {
    Case c = case_of(seed);
    robot_couple(c.robot, seed);
    const lwModel* model = c.robot->model;
    size_t dof           = (size_t)lw_model_dof(model);
    States states        = random_states(seed, model, 2);
    lwStates state = state_row(&states, model, 1), without = state;
    state.wrench     = &c.wrenches[0][0][0];
    without.wrench   = NULL;
    lwWorkspace* ws  = pushed_work(&c, -1, LW_PRECISION_DOUBLE);
    double* with     = answer(model, ws, LW_QUESTION_INVERSE, &state);
    double* free_tau = answer(model, ws, LW_QUESTION_INVERSE, &without);
    double power = 0, worked = 0, size = 0;
    for (size_t k = 0; k < dof; ++k) power += (free_tau[k] - with[k]) * state.qd[k];
    for (size_t k = 0; k < dof; ++k)
      size += (fabs(free_tau[k]) + fabs(with[k])) * fabs(state.qd[k]);
    for (int k = 0; k < PLACES; ++k)
    {
      lwFrame frame = {.joint = c.places[k].joint};
      double p[3], R[9], w[6];
      double* J = numbers(6 * dof);
      memcpy(frame.xyz, c.places[k].xyz, sizeof frame.xyz);
      assert_int_equal(lw_workspace_set_frame(ws, model, &frame, NULL), LW_OK);
      lw_pose(model, ws, state.q, p, R);
      lw_jacobian(model, ws, state.q, J);
      memcpy(w, c.wrenches[0][k], sizeof w);
      for (int i = 0; i < 6 && c.places[k].axes == LW_AXES_LINK; ++i)
      {
        const double* from = &c.wrenches[0][k][i / 3 * 3];
        const double* r    = &R[3 * (i % 3)];
        w[i]               = r[0] * from[0] + r[1] * from[1] + r[2] * from[2];
      }
      for (int i = 0; i < 6; ++i)
        for (size_t j = 0; j < dof; ++j) worked += w[i] * J[(size_t)i * dof + j] * state.qd[j];
      free(J);
    }
    assert_near(power, worked, 1e-12 * (size + fabs(worked)));
    free(with);
    free(free_tau);
    lw_workspace_destroy(ws);
    states_free(&states);
    case_end(&c);
  }
}

static void bad_places(void** unused)
{
  (void)unused;
  Case c              = case_of(1);
  lwWorkspace* ws     = work_with(c.robot->model, -1, LW_PRECISION_DOUBLE);
  lwDiag* diag        = lw_diag_create();
  lwWrenchPlace wrong = {.joint = c.robot->def.count};
  assert_int_equal(lw_workspace_set_wrench_places(ws, c.robot->model, 1, &wrong, diag),
                   LW_ERROR_FRAME);
  wrong.joint = LW_BASE;
  assert_int_equal(lw_workspace_set_wrench_places(ws, c.robot->model, 1, &wrong, diag),
                   LW_ERROR_FRAME);
  wrong = (lwWrenchPlace){.joint = 0, .xyz = {0, (double)NAN, 0}};
  assert_int_equal(lw_workspace_set_wrench_places(ws, c.robot->model, 1, &wrong, diag),
                   LW_ERROR_FRAME);
  assert_int_equal(lw_diag_count(diag, LW_SEVERITY_ERROR), 3);

  // after the points are removed, the wrench acts on the last link again
  lwStates state  = state_row(&c.states, c.robot->model, 0);
  double* before  = answer(c.robot->model, ws, LW_QUESTION_INVERSE, &state);
  lwStates pushed = row_of(&c, 0);
  assert_int_equal(lw_workspace_set_wrench_places(ws, c.robot->model, PLACES, c.places, NULL),
                   LW_OK);
  double* with = answer(c.robot->model, ws, LW_QUESTION_INVERSE, &pushed);
  double* tau  = numbers((size_t)c.n);
  lw_workspace_set_wrench(ws, pushed.wrench);
  lw_inverse_dynamics(c.robot->model, ws, state.q, state.qd, state.qdd, tau);
  Trial trial = {.seed = 1, .n = c.n};
  check_equal(&trial, tau, with, (size_t)c.n);
  assert_int_equal(lw_workspace_set_wrench_places(ws, c.robot->model, 0, NULL, NULL), LW_OK);
  double* after = answer(c.robot->model, ws, LW_QUESTION_INVERSE, &state);
  check_equal(&trial, after, before, (size_t)c.n);
  free(before);
  free(with);
  free(after);
  free(tau);
  lw_diag_destroy(diag);
  lw_workspace_destroy(ws);
  case_end(&c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_inverse_method),
      cmocka_unit_test(every_forward_method),
      cmocka_unit_test(reactions_of_pushes),
      cmocka_unit_test(lanes_and_threads),
      cmocka_unit_test(mimic_joints),
      cmocka_unit_test(bad_places),
      cmocka_unit_test(every_derivative_method),
  };
  return cmocka_run_group_tests_name("wrenches on any links", tests, NULL, NULL);
}
