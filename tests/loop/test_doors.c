// SPDX-License-Identifier: MIT
// Every door of the library, every question and every shipped robot with loops: refused, or right.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "linkwork/linkwork.h"
#include "linkwork/loop.h"
#include "linkwork/methods.h"
#include "linkwork/proof.h"
#include "linkwork/quad.h"
#include "linkwork/slopes.h"
#include "support/testing.h"

static const char* const ROBOTS[] = {"four_bar", "excavator", "palletizer", "delta", "stewart"};

enum
{
  ROBOT_COUNT = sizeof ROBOTS / sizeof *ROBOTS,
  MOST        = 64  // positions
};

static lwModel* read_looped(int i)
{
  char path[300];
  lwModel* model = NULL;
  snprintf(path, sizeof path, "%s/%s.yaml", LW_ROBOTS, ROBOTS[i]);
  assert_int_equal(lw_robot_read_file(path, NULL, NULL, &model), LW_OK);
  assert_true(lw_model_loop_count(model) > 0 && lw_model_nq(model) <= MOST);
  return model;
}

static lwModel* without_loops(const lwModel* model)
{
  lwModel* tree    = NULL;
  lwRobotDef robot = *lw_model_robot(model);
  robot.loop_count = 0;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &tree), LW_OK);
  return tree;
}

// A random state whose loops are closed and stay so.
static void closed_state(lwLoops* loops, const lwModel* model, lwRandom* random, double* q,
                         double* qd)
{
  double step[MOST];
  int dof = lw_model_dof(model);
  lw_model_start(model, q);
  for (int i = 0; i < dof; ++i) step[i] = lw_random_between(random, -0.05, 0.05);
  for (int i = 0; i < dof; ++i) qd[i] = lw_random_between(random, -1, 1);
  lw_model_integrate(model, q, step, q);
  lw_loops_project(loops, q, qd);
  assert_int_equal(lw_loops_check(loops, q, qd, NULL, NULL), LW_OK);
}

// --- refused

static bool takes_loops(lwQuestion question)
{
  return question == LW_QUESTION_POSE || question == LW_QUESTION_ENERGY ||
         question == LW_QUESTION_POSES;
}

static void check_question(const lwModel* model, lwQuestion question)
{
  lwWorkspaceDef def     = lw_workspace_def();
  lwWorkspace* ws        = NULL;
  lwBatch* batch         = NULL;
  lwQuadWorkspace* exact = NULL;
  lwDiag* diag           = lw_diag_create();
  lwStatus wanted        = takes_loops(question) ? LW_OK : LW_ERROR_METHOD;
  def.questions          = LW_ASKS(question);
  assert_int_equal(lw_question_check(model, question, false, diag), wanted);
  if (wanted != LW_OK)
    assert_non_null(strstr(lw_diag_message(diag, 0)->text,
                           lw_model_nq(model) == lw_model_dof(model) ? "closed loop" : "has"));
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), wanted);
  assert_int_equal(lw_batch_create(model, &def, 1, NULL, &batch), wanted);
  if (lw_quad_available())
    assert_int_equal(lw_quad_workspace_create(model, &def, NULL, &exact), wanted);
  lw_workspace_destroy(ws);
  lw_batch_destroy(batch);
  lw_quad_workspace_destroy(exact);
  lw_diag_destroy(diag);
}

static void questions_are_refused(void** state)
{
  (void)state;
  for (int i = 0; i < ROBOT_COUNT; ++i)
  {
    lwModel* model  = read_looped(i);
    lwWorkspace* ws = NULL;
    for (int k = 0; k < LW_QUESTION_COUNT; ++k) check_question(model, (lwQuestion)k);
    assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_ERROR_METHOD);
    assert_null(ws);
    lw_model_destroy(model);
  }
}

// What answers through something else than a workspace.
static void other_doors_are_refused(void** state)
{
  (void)state;
  for (int i = 0; i < ROBOT_COUNT; ++i)
  {
    lwModel* model           = read_looped(i);
    lwBatch* batch           = NULL;
    lwDifferentiator* slopes = NULL;
    lwGenerated* code        = NULL;
    lwSpecialised* special   = NULL;
    lwParameters* base       = NULL;
    lwExcitation* motion     = NULL;
    lwLinear* linear         = NULL;
    lwProof* proof           = NULL;
    lwFleet* fleet           = NULL;
    lwGenerateDef generate   = lw_generate_def();
    lwFleetDef arms          = lw_fleet_def();
    arms.model               = model;
    arms.count               = 2;
    assert_int_equal(lw_batch_create(model, NULL, 1, NULL, &batch), LW_ERROR_METHOD);
    assert_int_equal(lw_differentiator_create(model, NULL, NULL, 0, NULL, &slopes),
                     LW_ERROR_METHOD);
    generate.questions = "forward-derivatives";
    assert_int_equal(lw_generate(model, &generate, NULL, &code), LW_ERROR_METHOD);
    generate.questions = "gravity";
    generate.method    = "best";
    assert_null(code);
    assert_int_equal(lw_generate(model, &generate, NULL, &code), LW_OK);
    lw_generated_destroy(code);
    assert_int_equal(lw_model_specialise(model, 0, NULL, &special), LW_ERROR_METHOD);
    assert_int_equal(lw_parameters_create(model, NULL, &base), LW_OK);
    lw_parameters_destroy(base);
    if (lw_lapack_available())
    {
      lwExciteDef excite = lw_excite_def();
      excite.tries       = CASES(30, 3);
      lwStatus found     = lw_excite(model, &excite, NULL, &motion);
      assert_true(found == LW_OK || found == LW_ERROR_NUMERICAL);  // no motion within limits yet
      lw_excitation_destroy(motion);
      motion = NULL;
    }
    assert_int_equal(lw_linear_create(model, NULL, NULL, &linear), LW_OK);
    assert_int_equal(lw_linear_states(linear), 2 * lw_model_mobility(model));
    lw_linear_destroy(linear);
    assert_int_equal(lw_proof_create(model, NULL, &proof), LW_OK);
    lw_proof_destroy(proof);
    assert_int_equal(lw_fleet_create(&arms, NULL, &fleet), LW_ERROR_INPUT);
    assert_true(!batch && !slopes && !special && !motion && !fleet);
    lw_model_destroy(model);
  }
}

// --- right

// open_tree: the same bits as the robot without its loops.
static void tree_is_the_robot_without_loops(void** state)
{
  (void)state;
  for (int i = 0; i < ROBOT_COUNT; ++i)
  {
    lwModel *model = read_looped(i), *tree = without_loops(model);
    lwWorkspaceDef def = lw_workspace_def();
    lwWorkspace *ws, *plain;
    lwRandom random = {(uint64_t)i + 1};
    double q[MOST], x[3][MOST];
    def.open_tree = true;
    assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
    assert_int_equal(lw_workspace_create(tree, NULL, NULL, &plain), LW_OK);
    lw_model_start(model, q);
    for (int k = 0; k < 3 * MOST; ++k) x[k / MOST][k % MOST] = lw_random_between(&random, -1, 1);
    lwStates point = {.q = q, .qd = x[0], .qdd = x[1], .tau = x[2]};
    for (int k = 0; k < LW_QUESTION_COUNT; ++k)
    {
      if (lw_question_check(tree, (lwQuestion)k, false, NULL) != LW_OK) continue;
      size_t size = lw_question_outputs(model, (lwQuestion)k) * sizeof(double);
      double *a = malloc(size), *b = malloc(size);
      lw_answer(model, ws, (lwQuestion)k, &point, a);
      lw_answer(tree, plain, (lwQuestion)k, &point, b);
      assert_memory_equal(a, b, size);
      free(a);
      free(b);
    }
    lw_workspace_destroy(ws);
    lw_workspace_destroy(plain);
    lw_model_destroy(tree);
    lw_model_destroy(model);
  }
}

// Pose: both frames of every loop, each reached through its own branch, are at one place.
static void check_pose(const lwModel* model, lwWorkspace* ws, const double* q)
{
  const lwRobotDef* robot = lw_model_robot(model);
  for (int k = 0; k < robot->loop_count; ++k)
  {
    const lwLoopDef* loop = &robot->loops[k];
    double p[2][3], R[9];
    if (loop->type != LW_LOOP_FIXED && loop->type != LW_LOOP_POSITION &&
        loop->type != LW_LOOP_HINGE)
      continue;
    assert_int_equal(lw_workspace_set_frame(ws, model, &loop->first, NULL), LW_OK);
    lw_pose(model, ws, q, p[0], R);
    assert_int_equal(lw_workspace_set_frame(ws, model, &loop->second, NULL), LW_OK);
    lw_pose(model, ws, q, p[1], R);
    for (int c = 0; c < 3; ++c) assert_near(p[0][c], p[1][c], 1e-9);
  }
}

// Energy: its rate is the power of the drives, by differences along the motion.
static void check_energy(lwLoops* loops, const lwModel* model, lwWorkspace* ws, const double* q,
                         const double* qd)
{
  const double h   = 1e-5;
  int dof          = lw_model_dof(model);
  double tau[MOST] = {0}, qdd[MOST], next[MOST], speed[MOST], step[MOST], E[2], power = 0, size = 0;
  lw_loops_forward(loops, &(lwStates){.q = q, .qd = qd, .tau = tau}, qdd, NULL);
  for (int side = 0; side < 2; ++side)
  {
    double t = side ? h : -h, kinetic, potential;
    for (int i = 0; i < dof; ++i) step[i] = t * (qd[i] + t / 2 * qdd[i]);
    for (int i = 0; i < dof; ++i) speed[i] = qd[i] + t * qdd[i];
    lw_model_integrate(model, q, step, next);
    lw_loops_project(loops, next, speed);
    lw_energy(model, ws, next, speed, &kinetic, &potential);
    E[side] = kinetic + potential;
    size    = fmax(size, fabs(kinetic) + fabs(potential));
  }
  for (int i = 0; i < dof; ++i) power += tau[i] * qd[i];
  // differences: rounding of E over h, and the second order of the step
  assert_near((E[1] - E[0]) / (2 * h), power, 1e-6 * (1 + size));
}

static void pose_and_energy_are_right(void** state)
{
  (void)state;
  for (int i = 0; i < ROBOT_COUNT; ++i)
  {
    lwModel* model     = read_looped(i);
    lwWorkspaceDef def = lw_workspace_def();
    lwWorkspace* ws;
    lwLoops* loops;
    lwRandom random = {(uint64_t)i + 7};
    def.questions   = LW_ASKS(LW_QUESTION_POSE) | LW_ASKS(LW_QUESTION_ENERGY);
    assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
    assert_int_equal(lw_loops_create(model, NULL, NULL, &loops), LW_OK);
    for (int k = 0; k < 20; ++k)
    {
      double q[MOST], qd[MOST];
      closed_state(loops, model, &random, q, qd);
      check_pose(model, ws, q);
      check_energy(loops, model, ws, q, qd);
    }
    lw_loops_destroy(loops);
    lw_workspace_destroy(ws);
    lw_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(questions_are_refused),
      cmocka_unit_test(other_doors_are_refused),
      cmocka_unit_test(tree_is_the_robot_without_loops),
      cmocka_unit_test(pose_and_energy_are_right),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
