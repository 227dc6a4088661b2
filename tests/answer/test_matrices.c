// SPDX-License-Identifier: MIT
// Inertia matrices of many states against those of one state: rows of every length through the
// chunks and blocks of kernels/lanes.c, with whole and partial blocks, and as rows that are turned
// into arrays by entry. This only moves numbers, so all bits must agree.
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "linkwork/dynamics.h"
#include "support/testing.h"

enum
{
  MOST_STATES = 18  // a vector of the widest lanes plus two states
};

typedef struct
{
  lwModel* model;
  lwWorkspace* ws;
  lwLayout layout;
  size_t n;
  double *q, *one, *many;
} Matrices;

static Matrices matrices_of(int n, lwPrecision precision, lwLayout layout)
{
  Matrices m         = {.layout = layout, .n = (size_t)n};
  lwWorkspaceDef def = lw_workspace_def();
  lwRandom random    = {5};
  def.precision      = precision;
  def.layout         = layout;
  def.questions      = LW_ASKS(LW_QUESTION_INERTIA);
  assert_int_equal(lw_model_create_generic(n, &m.model), LW_OK);
  assert_int_equal(lw_workspace_create(m.model, &def, NULL, &m.ws), LW_OK);
  m.q    = malloc(2 * MOST_STATES * m.n * sizeof *m.q);
  m.one  = malloc(m.n * m.n * sizeof *m.one);
  m.many = malloc(MOST_STATES * m.n * m.n * sizeof *m.many);
  assert_non_null(m.q);
  assert_non_null(m.one);
  assert_non_null(m.many);
  for (size_t i = 0; i < MOST_STATES * m.n; ++i) m.q[i] = lw_random_between(&random, -3, 3);
  return m;
}

static void matrices_free(Matrices* m)
{
  free(m->q);
  free(m->one);
  free(m->many);
  lw_workspace_destroy(m->ws);
  lw_model_destroy(m->model);
}

// Index of entry i of state k in arrays with size entries per state.
static size_t place(const Matrices* m, size_t size, size_t count, size_t k, size_t i)
{
  return m->layout == LW_LAYOUT_BY_STATE ? k * size + i : i * count + k;
}

static void check_count(Matrices* m, size_t count)
{
  double* arranged = m->q + MOST_STATES * m->n;
  for (size_t k = 0; k < count; ++k)
    for (size_t i = 0; i < m->n; ++i) arranged[place(m, m->n, count, k, i)] = m->q[k * m->n + i];
  for (size_t i = 0; i < MOST_STATES * m->n * m->n; ++i) m->many[i] = (double)NAN;
  lw_answer_many(m->model, m->ws, LW_QUESTION_INERTIA, (int)count, &(lwStates){.q = arranged},
                 m->many);
  for (size_t k = 0; k < count; ++k)
  {
    lw_inertia_matrix(m->model, m->ws, m->q + k * m->n, m->one);
    for (size_t i = 0; i < m->n * m->n; ++i)
      assert_same(m->many[place(m, m->n * m->n, count, k, i)], m->one[i]);
  }
}

static void many_are_the_same_as_one(void** unused)
{
  (void)unused;
  static const int lengths[] = {1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 18, 19, 21, 66};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k)
    for (int way = 0; way < 4; ++way)
    {
      Matrices m = matrices_of(lengths[k], (lwPrecision)(way % 2), (lwLayout)(way / 2));
      check_count(&m, MOST_STATES);
      check_count(&m, 9);
      check_count(&m, 1);
      matrices_free(&m);
    }
}

// Nothing is written after the last answer.
static void the_end_is_kept(void** unused)
{
  (void)unused;
  for (int n = 2; n < 20; ++n)
  {
    Matrices m    = matrices_of(n, LW_PRECISION_DOUBLE, LW_LAYOUT_BY_STATE);
    size_t after  = 16 * m.n * m.n;
    m.many[after] = 7;
    lw_answer_many(m.model, m.ws, LW_QUESTION_INERTIA, 16, &(lwStates){.q = m.q}, m.many);
    assert_same(m.many[after], 7);
    matrices_free(&m);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(many_are_the_same_as_one),
                                     cmocka_unit_test(the_end_is_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
