// SPDX-License-Identifier: MIT
// Arrays of inertia matrices that are written past the caches, against those of single states: the
// same bits, and nothing beside the array.
#include <stdlib.h>

#include "support/check.h"
#include "support/testing.h"

enum
{
  JOINTS = 183,  // not a multiple of the rows that are written together
  GUARD  = 3     // numbers before and behind the array: it does not begin with a cache line
};

// Where entry i of state k is, of `size` entries each.
static size_t place(lwLayout layout, size_t states, size_t size, size_t k, size_t i)
{
  return layout == LW_LAYOUT_BY_STATE ? k * size + i : i * states + k;
}

typedef struct StreamCase
{
  lwLayout layout;
  lwPrecision precision;
  size_t states;
  bool packed;
} StreamCase;

static lwWorkspace* workspace_for(const lwModel* model, const StreamCase* c)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws    = NULL;
  def.precision      = c->precision;
  def.layout         = c->layout;
  def.questions      = LW_ASKS(LW_QUESTION_INERTIA);
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  return ws;
}

// The array, against one call for each state.
static void compare_array(const lwModel* model, lwWorkspace* ws, const StreamCase* c,
                          const double* q, size_t size, const double* array)
{
  double* M = numbers(size);
  for (size_t k = 0; k < c->states; ++k)
  {
    (c->packed ? lw_inertia_matrix_packed : lw_inertia_matrix)(model, ws, q + k * JOINTS, M);
    for (size_t i = 0; i < size; ++i)
    {
      double found = array[place(c->layout, c->states, size, k, i)];
      if (found != M[i]) assert_same(found, M[i]);
    }
  }
  free(M);
}

static void check_array(const lwModel* model, StreamCase c)
{
  lwWorkspace* ws = workspace_for(model, &c);
  size_t n = JOINTS, size = c.packed ? n * (n + 1) / 2 : n * n;
  size_t total  = c.states * size + 2 * GUARD;
  States random = random_states(c.states, model, (int)c.states);
  double *q = numbers(c.states * n), *array = numbers(total);
  for (size_t i = 0; i < total; ++i) array[i] = 7;
  for (size_t k = 0; k < c.states; ++k)
    for (size_t i = 0; i < n; ++i) q[place(c.layout, c.states, n, k, i)] = random.q[k * n + i];
  if (c.packed)
    lw_inertia_matrix_packed_many(model, ws, (int)c.states, q, array + GUARD);
  else
    lw_answer_many(model, ws, LW_QUESTION_INERTIA, (int)c.states, &(lwStates){.q = q},
                   array + GUARD);
  compare_array(model, ws, &c, random.q, size, array + GUARD);
  for (size_t i = 0; i < GUARD; ++i) assert_same(array[i], 7);
  for (size_t i = total - GUARD; i < total; ++i) assert_same(array[i], 7);
  lw_workspace_destroy(ws);
  states_free(&random);
  free(q);
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
    check_array(model, (StreamCase){LW_LAYOUT_BY_ENTRY, LW_PRECISION_DOUBLE, states[k], false});
    check_array(model, (StreamCase){LW_LAYOUT_BY_ENTRY, LW_PRECISION_SINGLE, states[k], false});
  }
  lw_model_destroy(model);
}

// By state, from 16 MB on: 63 states, or 125 packed triangles.
static void arrays_by_state_are_copied_whole(void** unused)
{
  (void)unused;
  lwModel* model = NULL;
  assert_int_equal(lw_model_create_generic(JOINTS, &model), LW_OK);
  for (int p = 0; p < 2; ++p)
  {
    check_array(model, (StreamCase){LW_LAYOUT_BY_STATE, (lwPrecision)p, 65, false});
    check_array(model, (StreamCase){LW_LAYOUT_BY_STATE, (lwPrecision)p, 130, true});
  }
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(bits_are_those_of_single_states),
                                     cmocka_unit_test(arrays_by_state_are_copied_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
