// SPDX-License-Identifier: MIT
// Answering allocates nothing. The C library's allocator is counted by standing in its place, which is possible with
// glibc and without sanitizers; elsewhere the test is skipped.
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/testing.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(SANITIZED)

static long calls;

extern void* __libc_malloc(size_t size);
extern void* __libc_calloc(size_t count, size_t size);
extern void* __libc_realloc(void* old, size_t size);
extern void* __libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void* memory);

void* malloc(size_t size)
{
  ++calls;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size)
{
  ++calls;
  return __libc_calloc(count, size);
}

void* realloc(void* old, size_t size)
{
  ++calls;
  return __libc_realloc(old, size);
}

void* aligned_alloc(size_t alignment, size_t size)
{
  ++calls;
  return __libc_memalign(alignment, size);
}

void free(void* memory)
{
  ++calls;
  __libc_free(memory);
}

static void check_question(const Robot* robot, lwWork* work, lwQuestion question, int method)
{
  enum
  {
    COUNT = 35
  };
  const lwModel* model = robot->model;
  States states        = random_states(robot->seed, model, COUNT);
  double* out          = numbers(COUNT * lw_question_outputs(model, question));
  long before          = calls;
  lw_answer(model, work, question, &states.rows, out);
  lw_answer_many(model, work, question, COUNT, &states.rows, out);
  long after = calls;
  if (after != before)
    fail_msg("%s by %s takes or gives memory %ld times", lw_question_info(question)->name,
             method_name(method), after - before);
  free(out);
  states_free(&states);
}

static void answers_without_allocating(void** unused)
{
  (void)unused;
  long before           = calls;
  void* volatile memory = malloc(10);  // volatile: or both calls may be optimised away
  free(memory);
  assert_int_equal(calls, before + 2);  // the counter is in place
  for (uint64_t seed = 1; seed <= 10; ++seed)
  {
    Robot* robot = any_robot(seed);
    if (seed % 2 == 0) robot_couple(robot, seed);
    bool coupled = lw_model_dof(robot->model) < robot_moving(robot);
    for (int precision = LW_DOUBLE; precision <= LW_SINGLE; ++precision)
      for (int i = -1; i < lw_method_count(); ++i)
      {
        if (coupled && i >= 0 && !strcmp(lw_method(i)->name, "articulated-body")) continue;
        lwWork* work = work_with(robot->model, i, (lwPrecision)precision);
        for (int question = 0; question < LW_QUESTION_COUNT; ++question)
          if (answers(i, (lwQuestion)question))
            check_question(robot, work, (lwQuestion)question, i);
        lw_work_destroy(work);
      }
    robot_free(robot);
  }
}

#else

static void answers_without_allocating(void** unused)
{
  (void)unused;
  skip();
}

#endif

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(answers_without_allocating)};
  return cmocka_run_group_tests_name("no allocation", tests, NULL, NULL);
}
