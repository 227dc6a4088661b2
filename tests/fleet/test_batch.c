// SPDX-License-Identifier: MIT
// Batches: the same bits as one state at a time, whatever the number of threads, the layout of the
// arrays, the number of states and the index of a state.
#include "linkwork/fleet.h"

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/testing.h"

enum
{
  STATES = 64 * 3 + 5  // several chunks of work for the threads, and a remainder
};

// [state][entry] to [entry][state]
static double* turned(const double* rows, size_t entries, size_t states)
{
  double* columns = numbers(entries * states);
  for (size_t k = 0; k < states; ++k)
    for (size_t i = 0; i < entries; ++i) columns[i * states + k] = rows[k * entries + i];
  return columns;
}

typedef struct
{
  const Robot* robot;
  lwPrecision precision;
  int threads;
  lwLayout layout;
  lwBatch* batch;
} Case;

static lwStates in_layout(const Case* c, const States* states, int count)
{
  size_t n = (size_t)lw_model_dof(c->robot->model);
  if (c->layout == LW_LAYOUT_BY_STATE) return state_row(states, c->robot->model, 0);
  return (lwStates){turned(states->q, n, (size_t)count), turned(states->qd, n, (size_t)count),
                    turned(states->qdd, n, (size_t)count), turned(states->tau, n, (size_t)count),
                    turned(states->wrench, 6, (size_t)count)};
}

static void free_layout(const Case* c, const lwStates* states)
{
  if (c->layout == LW_LAYOUT_BY_STATE) return;
  free((void*)states->q);
  free((void*)states->qd);
  free((void*)states->qdd);
  free((void*)states->tau);
  free((void*)states->wrench);
}

static void check_question(const Case* c, const States* states, lwQuestion question, int count)
{
  const lwModel* model = c->robot->model;
  size_t outputs       = lw_question_outputs(model, question);
  double* expected     = numbers(outputs * (size_t)count);
  double* got          = numbers(outputs * (size_t)count);
  for (int k = 0; k < count; ++k)
  {
    lwStates row = state_row(states, model, k);
    lw_answer(model, lw_batch_workspace(c->batch, 0), question, &row,
              expected + outputs * (size_t)k);
  }
  lwStates all = in_layout(c, states, count);
  if (count % 2)
    lw_batch_answer(c->batch, question, count, &all, got);
  else
    assert_int_equal(lw_batch_answer_checked(c->batch, question, count, &all, got), -1);
  free_layout(c, &all);
  if (c->layout == LW_LAYOUT_BY_ENTRY)
  {
    double* columns = turned(expected, outputs, (size_t)count);
    free(expected);
    expected = columns;
  }
  Trial trial = {c->robot->seed,
                 NULL,
                 lw_model_dof(model),
                 question,
                 NULL,
                 c->layout == LW_LAYOUT_BY_STATE ? "threads, by state" : "threads, by entry",
                 NULL};
  check_equal(&trial, got, expected, outputs * (size_t)count);
  free(expected);
  free(got);
}

static void check_case(Case* c, const States* states)
{
  static const int counts[] = {1, 63, 64, 65, STATES};
  lwWorkspaceDef def        = lw_workspace_def();
  def.precision             = c->precision;
  def.layout                = c->layout;
  assert_int_equal(lw_batch_create(c->robot->model, &def, c->threads, NULL, &c->batch), LW_OK);
  if (lw_batch_threads(c->batch) != 1) assert_int_equal(lw_batch_threads(c->batch), c->threads);
  for (int question = 0; question < LW_QUESTION_COUNT; ++question)
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k)
      check_question(c, states, (lwQuestion)question, counts[k]);
  lw_batch_destroy(c->batch);
}

static void batches_equal_single_states(void** unused)
{
  (void)unused;
  for (uint64_t seed = 40; seed < 52; ++seed)
  {
    Robot* robot  = any_robot(seed);
    States states = random_states(seed, robot->model, STATES);
    Case c        = {.robot     = robot,
                     .precision = seed % 2 ? LW_PRECISION_SINGLE : LW_PRECISION_DOUBLE,
                     .threads   = 1 + (int)(seed % 3),
                     .layout    = seed / 2 % 2 ? LW_LAYOUT_BY_ENTRY : LW_LAYOUT_BY_STATE};
    check_case(&c, &states);
    states_free(&states);
    robot_free(robot);
  }
}

// Angles too large for the fast sine in one state: neither its bits nor those of its neighbours
// change.
static void far_angles_among_near_ones(void** unused)
{
  (void)unused;
  Robot robot = {0};
  assert_int_equal(lw_model_create_generic(7, &robot.model), LW_OK);
  for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
  {
    States states        = random_states(2, robot.model, 19);
    lwWorkspaceDef def   = lw_workspace_def();
    Case c               = {.robot = &robot, .threads = 1, .layout = LW_LAYOUT_BY_STATE};
    def.precision        = (lwPrecision)precision;
    states.q[7 * 5 + 3]  = 1e7;
    states.q[7 * 18 + 6] = -3e6;
    assert_int_equal(lw_batch_create(robot.model, &def, 1, NULL, &c.batch), LW_OK);
    check_question(&c, &states, LW_QUESTION_INVERSE, 19);
    check_question(&c, &states, LW_QUESTION_FORWARD, 19);
    lw_batch_destroy(c.batch);
    states_free(&states);
  }
  lw_model_destroy(robot.model);
}

// Chains too long for lanes: states are answered one by one, which needs extra memory by entry.
static void long_chains_by_entry(void** unused)
{
  (void)unused;
  Robot robot = {0};
  assert_int_equal(lw_model_create_generic(4097, &robot.model), LW_OK);
  States states      = random_states(1, robot.model, 3);
  lwWorkspaceDef def = lw_workspace_def();
  def.layout         = LW_LAYOUT_BY_ENTRY;
  def.questions =
      LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_FORWARD) | LW_ASKS(LW_QUESTION_JACOBIAN);
  Case c = {.robot = &robot, .threads = 2, .layout = LW_LAYOUT_BY_ENTRY};
  assert_int_equal(lw_batch_create(robot.model, &def, 2, NULL, &c.batch), LW_OK);
  check_question(&c, &states, LW_QUESTION_INVERSE, 3);
  check_question(&c, &states, LW_QUESTION_FORWARD, 3);
  check_question(&c, &states, LW_QUESTION_JACOBIAN, 2);
  lw_batch_destroy(c.batch);
  states_free(&states);
  lw_model_destroy(robot.model);
}

// The first state whose answer is not finite is found in every layout, with any number of threads.
static void not_finite_is_found(void** unused)
{
  (void)unused;
  lwModel* model;
  assert_int_equal(lw_model_create_generic(6, &model), LW_OK);
  static const int bad[] = {0, 63, 64, STATES - 1};
  double* out            = numbers(6 * STATES);
  for (int threads = 1; threads <= 3; ++threads)
    for (int layout = LW_LAYOUT_BY_STATE; layout <= LW_LAYOUT_BY_ENTRY; ++layout)
      for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
      {
        lwBatch* batch;
        lwWorkspaceDef def = lw_workspace_def();
        def.layout         = (lwLayout)layout;
        assert_int_equal(lw_batch_create(model, &def, threads, NULL, &batch), LW_OK);
        double* q                                                    = numbers(6 * STATES);
        size_t i                                                     = (size_t)bad[k];
        q[layout == LW_LAYOUT_BY_STATE ? 6 * i + 2 : 2 * STATES + i] = k % 2 ? NAN : INFINITY;
        if (i + 70 < STATES)
          q[layout == LW_LAYOUT_BY_STATE ? 6 * (i + 70) + 1 : STATES + i + 70] = NAN;
        assert_int_equal(
            lw_batch_answer_checked(batch, LW_QUESTION_INVERSE, STATES, &(lwStates){.q = q}, out),
            bad[k]);
        free(q);
        lw_batch_destroy(batch);
      }
  free(out);
  lw_model_destroy(model);
}

static void threads_are_checked(void** unused)
{
  (void)unused;
  lwModel* model;
  lwBatch* batch;
  lwWorkspaceDef def = lw_workspace_def();
  assert_int_equal(lw_model_create_generic(3, &model), LW_OK);
  assert_int_equal(lw_batch_create(model, NULL, -1, NULL, &batch), LW_ERROR_INPUT);
  assert_null(batch);
  assert_int_equal(lw_batch_create(model, NULL, 0, NULL, &batch), LW_OK);
  assert_at_least(lw_batch_threads(batch), 1);
  lw_batch_answer(batch, LW_QUESTION_INVERSE, 0, &(lwStates){0}, NULL);
  lw_batch_destroy(batch);
  def.inverse = "nobody";
  assert_int_equal(lw_batch_create(model, &def, 2, NULL, &batch), LW_ERROR_METHOD);
  assert_null(batch);
  lw_batch_destroy(NULL);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(batches_equal_single_states), cmocka_unit_test(far_angles_among_near_ones),
      cmocka_unit_test(long_chains_by_entry),        cmocka_unit_test(not_finite_is_found),
      cmocka_unit_test(threads_are_checked),
  };
  return cmocka_run_group_tests_name("batches", tests, NULL, NULL);
}
