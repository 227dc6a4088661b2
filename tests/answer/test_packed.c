// SPDX-License-Identifier: MIT
// Packed inertia matrices against whole ones: every method, both precisions and layouts, one state,
// many and threads, chains, trees and robots whose joints follow others. Entries are the same
// numbers at other places, so bits are compared.
#include <stdlib.h>

#include "linkwork/methods.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  STATES = 19  // a vector of the widest lanes, and a rest
};

typedef struct
{
  uint64_t seed;
  const lwModel* model;
  lwWorkspaceDef def;
  const double* q;   // (STATES, nq)
  double* expected;  // (STATES, dof (dof + 1) / 2)
  double* packed;
  size_t size;
} Trials;

// Where entry i of state k of arrays of STATES is.
static size_t place_in(lwLayout layout, size_t size, size_t k, size_t i)
{
  return layout == LW_LAYOUT_BY_STATE ? k * size + i : i * STATES + k;
}

static void check_packed(const Trials* t, const char* how, const double* got, lwLayout layout,
                         size_t states)
{
  double* rows = numbers(states * t->size);
  for (size_t k = 0; k < states; ++k)
    for (size_t i = 0; i < t->size; ++i)
      rows[k * t->size + i] = got[place_in(layout, t->size, k, i)];
  Trial trial = {t->seed, NULL, lw_model_dof(t->model), LW_QUESTION_INERTIA, t->def.inertia,
                 how,     NULL};
  check_equal(&trial, rows, t->expected, states * t->size);
  free(rows);
}

// The triangles of whole matrices; and each state by itself.
static void check_one_by_one(const Trials* t, lwWorkspace* ws)
{
  size_t n = (size_t)lw_model_dof(t->model), at = 0;
  double* M = numbers(n * n);
  for (size_t k = 0; k < STATES; ++k)
  {
    const double* q = t->q + k * (size_t)lw_model_nq(t->model);
    lw_inertia_matrix(t->model, ws, q, M);
    for (size_t i = 0; i < n; ++i)
      for (size_t j = i; j < n; ++j) t->expected[at++] = M[i * n + j];
    for (size_t i = 0; i <= t->size; ++i) t->packed[k * t->size + i] = 7;
    lw_inertia_matrix_packed(t->model, ws, q, t->packed + k * t->size);
    assert_same(t->packed[(k + 1) * t->size], 7);  // nothing is written behind it
  }
  check_packed(t, "one by one", t->packed, LW_LAYOUT_BY_STATE, STATES);
  free(M);
}

// Full matrices of many states against those of single states. All entries are compared: with mimic
// joints, matrices are not symmetric to the last bit. q is in the layout of the workspace.
static void check_whole(const Trials* t, lwWorkspace* ws, const double* q)
{
  size_t n = (size_t)lw_model_dof(t->model), nq = (size_t)lw_model_nq(t->model);
  Trial trial  = {t->seed, NULL, (int)n, LW_QUESTION_INERTIA, t->def.inertia, "whole", NULL};
  double* M    = numbers(STATES * n * n);
  double* rows = numbers(2 * n * n);
  lw_answer_many(t->model, ws, LW_QUESTION_INERTIA, STATES, &(lwStates){.q = q}, M);
  for (size_t k = 0; k < STATES; ++k)
  {
    lw_inertia_matrix(t->model, ws, t->q + k * nq, rows);
    for (size_t i = 0; i < n * n; ++i) rows[n * n + i] = M[place_in(t->def.layout, n * n, k, i)];
    check_equal(&trial, rows + n * n, rows, n * n);
  }
  free(rows);
  free(M);
}

static void check_many(const Trials* t, lwWorkspace* ws)
{
  size_t nq = (size_t)lw_model_nq(t->model);
  double* q = numbers(STATES * nq);
  for (size_t k = 0; k < STATES; ++k)
    for (size_t i = 0; i < nq; ++i) q[place_in(t->def.layout, nq, k, i)] = t->q[k * nq + i];
  for (size_t i = 0; i < STATES * t->size; ++i) t->packed[i] = 7;
  lw_inertia_matrix_packed_many(t->model, ws, STATES, q, t->packed);
  check_packed(t, "many", t->packed, t->def.layout, STATES);
  check_whole(t, ws, q);
  free(q);
}

static void check_robot(uint64_t seed, const lwModel* model, const char* method)
{
  States states = random_states(seed, model, STATES);
  size_t n      = (size_t)lw_model_dof(model);
  Trials t      = {.seed = seed, .model = model, .q = states.q, .size = n * (n + 1) / 2};
  t.expected    = numbers(STATES * t.size);
  t.packed      = numbers(STATES * t.size + 1);
  for (int way = 0; way < 4; ++way)
  {
    lwWorkspace* ws = NULL;
    t.def           = lw_workspace_def();
    t.def.inertia   = method;
    t.def.precision = (lwPrecision)(way % 2);
    t.def.layout    = (lwLayout)(way / 2);
    t.def.questions = LW_ASKS(LW_QUESTION_INERTIA);
    assert_int_equal(lw_workspace_create(model, &t.def, NULL, &ws), LW_OK);
    check_one_by_one(&t, ws);
    check_many(&t, ws);
    lw_workspace_destroy(ws);
  }
  free(t.expected);
  free(t.packed);
  states_free(&states);
}

static void check_methods(uint64_t seed, const lwModel* model)
{
  for (int i = 0; i < lw_method_count(); ++i)
    if (lw_method(i)->question == LW_QUESTION_INERTIA) check_robot(seed, model, lw_method(i)->name);
}

static void chains_are_the_same(void** unused)
{
  (void)unused;
  static const int lengths[] = {1, 2, 3, 4, 7, 9, 16, 17, 31};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
  {
    lwModel* model = NULL;
    assert_int_equal(lw_model_create_generic(lengths[k], &model), LW_OK);
    check_methods((uint64_t)lengths[k], model);
    lw_model_destroy(model);
  }
}

// Chains and trees, prismatic joints, and joints that follow others.
static void robots_are_the_same(void** unused)
{
  (void)unused;
  for (uint64_t seed = 60; seed < 84; ++seed)
  {
    Robot* robot = seed % 3 ? any_robot(seed) : tree_in_order(seed);
    if (seed % 5 == 0) robot_couple(robot, seed);
    check_methods(seed, robot->model);
    robot_free(robot);
  }
}

// Longer chains than are answered in lanes, 64 joints. With 481, both packed and whole matrices by
// entry are more than 16 MB, which common-frame writes past the caches.
static void long_chains_are_the_same(void** unused)
{
  (void)unused;
  lwModel* model = NULL;
  assert_int_equal(lw_model_create_generic(66, &model), LW_OK);
  check_robot(66, model, "composite-body");
  check_robot(66, model, "common-frame");
  check_robot(66, model, "walker-orin-3");
  lw_model_destroy(model);
  assert_int_equal(lw_model_create_generic(481, &model), LW_OK);
  check_robot(481, model, "common-frame");
  lw_model_destroy(model);
}

static void nothing_is_answered_without_memory(void** unused)
{
  (void)unused;
  lwModel* model     = NULL;
  lwWorkspace* ws    = NULL;
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_GRAVITY);
  double q[3] = {0}, packed[7] = {7, 7, 7, 7, 7, 7, 7};
  assert_int_equal(lw_model_create_generic(3, &model), LW_OK);
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  lw_inertia_matrix_packed(model, ws, q, packed);
  for (int i = 0; i < 6; ++i) assert_different(packed[i], packed[i]);
  assert_same(packed[6], 7);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(chains_are_the_same),
                                     cmocka_unit_test(robots_are_the_same),
                                     cmocka_unit_test(long_chains_are_the_same),
                                     cmocka_unit_test(nothing_is_answered_without_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
