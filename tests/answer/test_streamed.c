// SPDX-License-Identifier: MIT
// Inertia matrices by entry that are written past the caches, against those of single states: the
// same bits, and nothing beside the array.
#include <stdlib.h>

#include "support/check.h"
#include "support/testing.h"

enum
{
  JOINTS = 183,  // not a multiple of the rows that are written together
  GUARD  = 3     // numbers before and behind the array: it does not begin with a cache line
};

static void check_array(const lwModel* model, lwPrecision precision, size_t states)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws    = NULL;
  size_t n = JOINTS, size = n * n, total = states * size + 2 * GUARD;
  States random = random_states(states, model, (int)states);
  double *q = numbers(states * n), *M = numbers(size), *array = numbers(total);
  def.precision = precision;
  def.layout    = LW_LAYOUT_BY_ENTRY;
  def.questions = LW_ASKS(LW_QUESTION_INERTIA);
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  for (size_t i = 0; i < total; ++i) array[i] = 7;
  for (size_t k = 0; k < states; ++k)
    for (size_t i = 0; i < n; ++i) q[i * states + k] = random.q[k * n + i];
  lw_answer_many(model, ws, LW_QUESTION_INERTIA, (int)states, &(lwStates){.q = q}, array + GUARD);
  for (size_t k = 0; k < states; ++k)
  {
    lw_inertia_matrix(model, ws, random.q + k * n, M);
    for (size_t i = 0; i < size; ++i)
      if (array[GUARD + i * states + k] != M[i]) assert_same(array[GUARD + i * states + k], M[i]);
  }
  for (size_t i = 0; i < GUARD; ++i) assert_same(array[i], 7);
  for (size_t i = total - GUARD; i < total; ++i) assert_same(array[i], 7);
  lw_workspace_destroy(ws);
  states_free(&random);
  free(q);
  free(M);
  free(array);
}

// 64 states are streamed at once: as many, one more, a vector more, and a part of a vector more.
static void bits_are_those_of_single_states(void** unused)
{
  (void)unused;
  static const size_t states[] = {64, 65, 80, 85};
  lwModel* model               = NULL;
  assert_int_equal(lw_model_create_generic(JOINTS, &model), LW_OK);
  for (size_t k = 0; k < sizeof states / sizeof *states; ++k)
  {
    check_array(model, LW_PRECISION_DOUBLE, states[k]);
    check_array(model, LW_PRECISION_SINGLE, states[k]);
  }
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(bits_are_those_of_single_states)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
