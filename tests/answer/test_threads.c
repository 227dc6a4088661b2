// SPDX-License-Identifier: MIT
// One model, several threads, a workspace for each: every method and question, in double, float and
// 113 bits. All threads start at once, before the first answer, so that a lazy initialisation would
// race. They must get the same bits as a single thread; ThreadSanitizer checks shared data (stage
// tsan).
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/quad.h"
#include "linkwork/read.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  THREADS = 4,
  STATES  = 5  // a vector plus one state
};

// --- threads

static pthread_barrier_t start;

// Calls run() in THREADS threads at once, each with one of contexts; run() waits for the start.
static void run_in_threads(void* (*run)(void*), void* contexts, size_t size)
{
  pthread_t threads[THREADS];
  assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
  for (int i = 0; i < THREADS; ++i)
  {
    void* context = (char*)contexts + (size_t)i * size;
    assert_int_equal(pthread_create(&threads[i], NULL, run, context), 0);
  }
  for (int i = 0; i < THREADS; ++i) assert_int_equal(pthread_join(threads[i], NULL), 0);
  pthread_barrier_destroy(&start);
}

// --- answers

// The data of one thread. cmocka's assertions work only in the thread that runs the test, so
// failures are stored.
typedef struct Work
{
  const lwModel* model;
  const lwStates* states;
  bool done;        // all questions were answered
  double* numbers;  // all answers, one after the other
  size_t count, capacity;
} Work;

static double* more_numbers(Work* work, size_t count)
{
  if (work->count + count > work->capacity)
  {
    size_t capacity = 2 * (work->count + count);
    double* moved   = realloc(work->numbers, capacity * sizeof *moved);
    if (!moved) return NULL;
    work->numbers  = moved;
    work->capacity = capacity;
  }
  double* numbers = work->numbers + work->count;
  work->count += count;
  memset(numbers, 0, count * sizeof *numbers);
  return numbers;
}

// One state, then all of them.
static bool ask(Work* work, lwWorkspace* ws, lwQuestion question)
{
  size_t outputs = lw_question_outputs(work->model, question);
  double* out    = more_numbers(work, outputs * (STATES + 1));
  if (!out) return false;
  lw_answer(work->model, ws, question, work->states, out);
  lw_answer_many(work->model, ws, question, STATES, work->states, out + outputs);
  return true;
}

static bool ask_method(Work* work, int method, lwPrecision precision)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws;
  def.precision = precision;
  if (method >= 0)
    lw_workspace_def_set_method(&def, lw_method(method)->question, lw_method(method)->name);
  if (lw_workspace_create(work->model, &def, NULL, &ws) != LW_OK) return false;
  bool asked = true;
  for (int question = 0; question < LW_QUESTION_COUNT; ++question)
    if (answers(method, (lwQuestion)question)) asked = asked && ask(work, ws, (lwQuestion)question);
  lw_workspace_destroy(ws);
  return asked;
}

static bool ask_quad(Work* work)
{
  lwQuadWorkspace* ws;
  if (!lw_quad_available()) return true;
  if (lw_quad_workspace_create(work->model, NULL, NULL, &ws) != LW_OK) return false;
  bool asked = true;
  for (int question = 0; question < LW_QUESTION_COUNT && asked; ++question)
  {
    size_t outputs = lw_question_outputs(work->model, (lwQuestion)question);
    lwQuad* out    = calloc(outputs, sizeof *out);
    double* kept   = more_numbers(work, outputs * sizeof *out / sizeof *kept);
    asked          = out && kept;
    if (asked) lw_quad_answer(ws, (lwQuestion)question, work->states, out);
    if (asked) memcpy(kept, out, outputs * sizeof *out);
    free(out);
  }
  lw_quad_workspace_destroy(ws);
  return asked;
}

static void ask_everything(Work* work)
{
  work->done = true;
  for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
    for (int method = -1; method < lw_method_count(); ++method)
      work->done = work->done && ask_method(work, method, (lwPrecision)precision);
  work->done = work->done && ask_quad(work);
}

static void* ask_in_thread(void* context)
{
  Work* work = context;
  pthread_barrier_wait(&start);
  ask_everything(work);
  return NULL;
}

static void check_model(const lwModel* model)
{
  States states   = random_states(3, model, STATES);
  lwRandom random = {4};
  int positions   = STATES * lw_model_nq(model);  // more than velocities, if there are quaternions
  double* q       = numbers((size_t)positions);
  for (int i = 0; i < positions; ++i) q[i] = lw_random_between(&random, -1, 1);
  lwStates rows = states.rows;
  rows.q        = q;
  Work alone    = {.model = model, .states = &rows}, works[THREADS];
  for (int i = 0; i < THREADS; ++i) works[i] = (Work){.model = model, .states = &rows};
  run_in_threads(ask_in_thread, works, sizeof *works);
  ask_everything(&alone);
  assert_true(alone.done);
  assert_at_least(alone.count, 1000);
  for (int i = 0; i < THREADS; ++i)
  {
    assert_true(works[i].done);
    assert_int_equal(works[i].count, alone.count);
    assert_memory_equal(works[i].numbers, alone.numbers, alone.count * sizeof *alone.numbers);
    free(works[i].numbers);
  }
  free(alone.numbers);
  free(q);
  states_free(&states);
}

static void threads_share_a_model(void** unused)
{
  (void)unused;
  static const char* const files[] = {LW_ROBOTS "/puma560.yaml", LW_ROBOTS "/two_arms.urdf",
                                      LW_ROBOTS "/free_flyer.yaml"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i)
  {
    lwModel* model;
    assert_int_equal(lw_robot_read_file(files[i], NULL, NULL, &model), LW_OK);
    check_model(model);
    lw_model_destroy(model);
  }
}

// --- readers

typedef struct Reader
{
  const char* path;
  int dof;
  lwModel* model;
} Reader;

static void* read_robot(void* context)
{
  Reader* reader = context;
  pthread_barrier_wait(&start);
  if (lw_robot_read_file(reader->path, NULL, NULL, &reader->model) != LW_OK) reader->model = NULL;
  return NULL;
}

// Threads read files at the same time, with the YAML and XML libraries.
static void threads_read_robots(void** unused)
{
  (void)unused;
  Reader readers[THREADS] = {{.path = LW_ROBOTS "/puma560.yaml", .dof = 6},
                             {.path = LW_ROBOTS "/two_arms.urdf", .dof = 9},
                             {.path = LW_ROBOTS "/two_arms.urdf", .dof = 9},
                             {.path = LW_ROBOTS "/gripper_arm.urdf", .dof = 7}};
  run_in_threads(read_robot, readers, sizeof *readers);
  for (int i = 0; i < THREADS; ++i)
  {
    assert_non_null(readers[i].model);
    assert_int_equal(lw_model_dof(readers[i].model), readers[i].dof);
    lw_model_destroy(readers[i].model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_read_robots),
      cmocka_unit_test(threads_share_a_model),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
