// SPDX-License-Identifier: MIT
// A chain of 100,000 links: memory and time are proportional to the links, and a C stack of 256 KB
// suffices. The limits are set for the whole program, so exceeding them fails the test.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "answer/workspace.h"
#include "linkwork/read.h"
#include "support/check.h"
#include "support/testing.h"

enum
{
  STACK  = 256 << 10,  // bytes
  MEMORY = 1 << 30  // bytes of address space; one n x n matrix of doubles would take 80 times that
};

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif

static void limit(int resource, rlim_t bytes)
{
  struct rlimit now;
  assert_int_equal(getrlimit(resource, &now), 0);
  now.rlim_cur = bytes;
  assert_int_equal(setrlimit(resource, &now), 0);
}

// Not with sanitizers: they reserve a huge address space.
static int set_limits(void** unused)
{
  (void)unused;
  limit(RLIMIT_STACK, STACK);
#if !defined(SANITIZED)
  limit(RLIMIT_AS, MEMORY);
#endif
  return 0;
}

static lwModel* long_chain(int n)
{
  lwModel* model;
  assert_int_equal(lw_model_create_generic(n, &model), LW_OK);
  return model;
}

static size_t bytes_of(const lwModel* model, const lwWorkspaceDef* def)
{
  lwWorkspace* ws;
  assert_int_equal(lw_workspace_create(model, def, NULL, &ws), LW_OK);
  size_t bytes = ws->arena.total;
  lw_workspace_destroy(ws);
  return bytes;
}

// Ten times the links take ten times the memory, up to a half-empty last block of the arena.
static void memory_is_linear(void** unused)
{
  (void)unused;
  lwModel *shorter = long_chain(LW_MAX_JOINTS / 10), *longer = long_chain(LW_MAX_JOINTS);
  for (int precision = LW_PRECISION_DOUBLE; precision <= LW_PRECISION_SINGLE; ++precision)
    for (int layout = LW_LAYOUT_BY_STATE; layout <= LW_LAYOUT_BY_ENTRY; ++layout)
    {
      lwWorkspaceDef def = lw_workspace_def();
      def.precision      = (lwPrecision)precision;
      def.layout         = (lwLayout)layout;
      def.questions      = ~0u;
      for (int k = 0; k < LW_QUESTION_COUNT; ++k)
        if (lw_question_is_matrix((lwQuestion)k)) def.questions &= ~LW_ASKS(k);
      assert_less(bytes_of(longer, &def), 20 * bytes_of(shorter, &def));
    }
  lw_model_destroy(shorter);
  lw_model_destroy(longer);
}

// Inverse dynamics of the result of forward dynamics returns the torques. They are sums over n
// links of weights and inertial forces at distances of up to n links, so the error is relative to
// the largest of them and grows with the number of terms; sqrt(n) eps is 7e-14.
static void forward_undoes_inverse(void** unused)
{
  (void)unused;
  int n              = LW_MAX_JOINTS;
  lwModel* model     = long_chain(n);
  lwWorkspaceDef def = lw_workspace_def();
  lwRandom random    = {8};
  lwWorkspace* ws;
  double* numbers_of[5];
  for (int k = 0; k < 5; ++k) numbers_of[k] = numbers((size_t)n);
  double *q = numbers_of[0], *qd = numbers_of[1], *tau = numbers_of[2], *qdd = numbers_of[3],
         *back  = numbers_of[4];
  def.questions = LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_FORWARD);
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  assert_string_equal(lw_workspace_method(ws, LW_QUESTION_FORWARD), "articulated-body");
  for (int i = 0; i < n; ++i) q[i] = lw_random_between(&random, -3, 3);
  for (int i = 0; i < n; ++i) qd[i] = lw_random_between(&random, -0.1, 0.1);
  lw_inverse_dynamics(model, ws, q, qd, NULL, tau);
  lw_forward_dynamics(model, ws, q, qd, tau, qdd);
  lw_inverse_dynamics(model, ws, q, qd, qdd, back);
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(tau[i]));
  for (int i = 0; i < n; ++i) assert_closer(back[i], tau[i], 1e-9 * largest);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  for (int k = 0; k < 5; ++k) free(numbers_of[k]);
}

// Questions that were not declared are not answered and take no memory.
static void undeclared_questions_have_no_answer(void** unused)
{
  (void)unused;
  lwModel* model     = long_chain(3);
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  lwWorkspace* ws;
  double q[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, out[18], torque[6];
  assert_int_equal(lw_workspace_create(model, &def, NULL, &ws), LW_OK);
  lw_inertia_matrix(model, ws, q, out);
  for (int i = 0; i < 9; ++i) assert_nan(out[i]);
  memset(out, 0, sizeof out);
  lw_answer_many(model, ws, LW_QUESTION_INERTIA, 2, &(lwStates){.q = q}, out);
  for (int i = 0; i < 18; ++i) assert_nan(out[i]);
  lw_answer_many(model, ws, LW_QUESTION_INVERSE, 2, &(lwStates){.q = q}, torque);
  for (int i = 0; i < 6; ++i) assert_finite(torque[i]);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

// The last joint mimics the first: inverse dynamics still takes linear memory, but forward dynamics
// does not.
static void mimic_joints_without_a_matrix(void** unused)
{
  (void)unused;
  lwModel *plain     = long_chain(LW_MAX_JOINTS), *coupled;
  lwRobotDef robot   = *lw_model_robot(plain);
  size_t count       = (size_t)robot.count;
  lwJointDef* joints = malloc(count * sizeof *joints);
  memcpy(joints, robot.joints, count * sizeof *joints);
  joints[count - 1].mimic = (lwMimic){true, 0, 0.5, 0.1};
  robot.joints            = joints;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &coupled), LW_OK);
  free(joints);

  lwWorkspaceDef def = lw_workspace_def();
  def.questions =
      LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_ENERGY) | LW_ASKS(LW_QUESTION_JACOBIAN);
  lwWorkspace* ws;
  double *q = numbers(count), *tau = numbers(count);
  assert_int_equal(lw_workspace_create(coupled, &def, NULL, &ws), LW_OK);
  assert_less(ws->arena.total, 20000 * count);
  lw_inverse_dynamics(coupled, ws, q, NULL, NULL, tau);
  for (size_t i = 0; i + 1 < count; ++i) assert_finite(tau[i]);
  free(q);
  free(tau);
  lw_workspace_destroy(ws);
  lw_model_destroy(coupled);
  lw_model_destroy(plain);
}

// Reads such a chain from a file: neither the parser nor the reader recurses over the joints.
static void a_file_of_them_is_read(void** unused)
{
  (void)unused;
  enum
  {
    LINE = 100
  };
  char* text  = malloc((size_t)(LW_MAX_JOINTS + 2) * LINE);
  size_t used = (size_t)sprintf(text, "linkwork: 1\njoints:\n");
  for (int i = 0; i < LW_MAX_JOINTS; ++i)
    used += (size_t)snprintf(
        text + used, LINE,
        "- {name: j%d, type: revolute, a: 0.1, link: {mass: 1, com: [0.1, 0, 0]}}\n", i);
  lwModel* model;
  assert_int_equal(lw_robot_read_text("chain.yaml", text, used, NULL, NULL, &model), LW_OK);
  assert_int_equal(lw_model_dof(model), LW_MAX_JOINTS);
  free(text);
  lw_model_destroy(model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_is_linear),
      cmocka_unit_test(forward_undoes_inverse),
      cmocka_unit_test(undeclared_questions_have_no_answer),
      cmocka_unit_test(mimic_joints_without_a_matrix),
      cmocka_unit_test(a_file_of_them_is_read),
  };
  return cmocka_run_group_tests_name("scale", tests, set_limits, NULL);
}
