// SPDX-License-Identifier: MIT
// Real robots against the results of an independent library.
//
// The environment variable LINKWORK_ORACLE names a folder with pairs NAME.urdf and NAME.json;
// without it the test is skipped. Differences are relative to the largest entry of a vector,
// sqrt(Mii Mjj) for an inertia matrix, 1 m and 1 for poses. The bound is 1e-10; rounding explains
// some 1e-13, times the condition of M for accelerations.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/linkwork.h"
#include "linkwork/read.h"
#include "support/check.h"
#include "support/json.h"
#include "support/testing.h"

static const double demanded = 1e-10;

typedef struct Case
{
  char name[256];
  lwModel* model;
  lwWorkspace* ws;
  int n;
  double worst;     // of all comparisons so far
  char which[256];  // its name and state
} Case;

static lwModel* read_robot(const char* path, bool free_mimics)
{
  lwModelOptions options = {.lint.allow_bad_inertia = true, .joints.free_mimics = free_mimics};
  lwModel* model         = NULL;
  lwDiag* diag           = lw_diag_create();
  lwStatus status        = lw_robot_read_file(path, &options, diag, &model);
  for (int i = 0; status != LW_OK && i < lw_diag_size(diag); ++i)
    print_message("%s: %s\n", path, lw_diag_message(diag, i)->text);
  assert_int_equal(status, LW_OK);
  lw_diag_destroy(diag);
  return model;
}

// |got - expected| <= demanded * size
static void compare(Case* robot, const char* what, const char* label, double got, double expected,
                    double size)
{
  if (isnan(expected)) return;  // no reference value
  double off = fabs(got - expected) / size;
  if (off > robot->worst || isnan(off))
  {
    robot->worst = off;
    snprintf(robot->which, sizeof robot->which, "%s in state %s", what, label);
  }
  if (!(off <= demanded))
    fail_msg("%s: %s in state %s is %.17g, expected %.17g (%.3g of %.3g)", robot->name, what, label,
             got, expected, off, size);
}

static void compare_vector(Case* robot, const char* what, const char* label, const double* got,
                           const Json* state, const char* key)
{
  double* expected = numbers((size_t)robot->n);
  json_numbers(state, key, (size_t)robot->n, expected);
  double size = fmax(largest_of(expected, (size_t)robot->n), 1e-3);
  for (int i = 0; i < robot->n; ++i) compare(robot, what, label, got[i], expected[i], size);
  free(expected);
}

static void compare_inertia(Case* robot, const Json* state, const char* label, const lwStates* q)
{
  size_t n         = (size_t)robot->n;
  double* expected = numbers(n * n);
  double* M        = answer(robot->model, robot->ws, LW_QUESTION_INERTIA, q);
  json_numbers(state, "M", n * n, expected);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
    {
      double size = sqrt(fabs(expected[i * n + i] * expected[j * n + j]));
      compare(robot, "M", label, M[i * n + j], expected[i * n + j], fmax(size, 1e-9));
    }
  free(expected);
  free(M);
}

// Only if the inertia matrix is not singular.
static void compare_forward(Case* robot, const Json* state, const char* label, lwStates given)
{
  const Json* pairs = json_find(state, "fd");
  size_t n          = (size_t)robot->n;
  double* tau       = numbers(n);
  for (int k = 0; pairs && k < pairs->count; ++k)
  {
    json_numbers(&pairs->items[k], "tau", n, tau);
    given.tau   = tau;
    double* qdd = answer(robot->model, robot->ws, LW_QUESTION_FORWARD, &given);
    compare_vector(robot, "qdd", label, qdd, &pairs->items[k], "qdd");
    free(qdd);
  }
  free(tau);
}

static void compare_energies(Case* robot, const Json* state, const char* label,
                             const lwStates* given)
{
  double energy[2];
  lw_answer(robot->model, robot->ws, LW_QUESTION_ENERGY, given, energy);
  double kinetic   = json_number(state, "kinetic_energy");
  double potential = json_number(state, "potential_energy_all_links");
  compare(robot, "kinetic energy", label, energy[0], kinetic, fmax(fabs(kinetic), 1e-3));
  compare(robot, "potential energy", label, energy[1], potential, fmax(fabs(potential), 1e-3));
}

// --- poses

static int joint_of_link(const lwRobotDef* robot, const char* link)
{
  if (strcmp(robot->base.name, link) == 0) return LW_BASE;
  for (int i = 0; i < robot->count; ++i)
    if (strcmp(robot->joints[i].link.name, link) == 0) return i;
  fail_msg("there is no link '%s'", link);
  return LW_BASE;
}

static void compare_poses(Case* robot, const Json* poses, const char* label, const lwStates* given)
{
  for (int k = 0; poses && k < poses->count; ++k)
  {
    const Json* pose = &poses->items[k];
    double expected[12], got[12];
    lwFrame frame = {.joint = joint_of_link(lw_model_robot(robot->model), pose->key)};
    assert_int_equal(lw_workspace_set_frame(robot->ws, robot->model, &frame, NULL), LW_OK);
    lw_answer(robot->model, robot->ws, LW_QUESTION_POSE, given, got);
    json_numbers(pose, "p", 3, expected);
    json_numbers(pose, "R", 9, expected + 3);
    for (int i = 0; i < 12; ++i)
      compare(robot, pose->key, label, got[i], expected[i], fmax(fabs(expected[i]), 1));
  }
  lw_workspace_set_frame(robot->ws, robot->model, NULL, NULL);
}

// --- states

static void compare_state(Case* robot, const Json* state)
{
  size_t n          = (size_t)robot->n;
  const char* label = json_text(state, "label");
  double *q = numbers(n), *qd = numbers(n), *qdd = numbers(n);
  lwStates given = {.q = q, .qd = qd, .qdd = qdd};
  json_numbers(state, "q", n, q);
  json_numbers(state, "v", n, qd);
  json_numbers(state, "a", n, qdd);
  static const struct
  {
    lwQuestion question;
    const char* key;
  } vectors[] = {{LW_QUESTION_INVERSE, "tau"},
                 {LW_QUESTION_BIAS, "nle"},
                 {LW_QUESTION_GRAVITY, "gravity_torque"}};
  for (int k = 0; k < 3; ++k)
  {
    double* got = answer(robot->model, robot->ws, vectors[k].question, &given);
    compare_vector(robot, vectors[k].key, label, got, state, vectors[k].key);
    free(got);
  }
  compare_inertia(robot, state, label, &given);
  compare_forward(robot, state, label, given);
  compare_energies(robot, state, label, &given);
  compare_poses(robot, json_find(state, "leaf_poses"), label, &given);
  compare_poses(robot, json_find(state, "all_link_poses"), label, &given);
  free(q);
  free(qd);
  free(qdd);
}

// The independent joints are those of the reference, in the same order.
static void compare_names(const Case* robot, const Json* names)
{
  assert_int_equal(names->count, robot->n);
  for (int i = 0; i < robot->n; ++i)
  {
    const lwJointDef* joint =
        &lw_model_robot(robot->model)->joints[lw_model_joint(robot->model, i)];
    assert_string_equal(joint->name, names->items[i].text);
  }
}

static void compare_masses(Case* robot, const Json* reference)
{
  const lwRobotDef* def = lw_model_robot(robot->model);
  double mass           = def->base.mass;
  for (int i = 0; i < def->count; ++i) mass += def->joints[i].link.mass;
  double expected = json_number(reference, "total_mass_all_links");
  compare(robot, "mass", "any", mass, expected, fmax(expected, 1e-3));
}

// states: "states" with all joints independent, or "mimic_states" with mimic joints.
static void compare_robot(const char* folder, const char* name, const char* states,
                          const char* names)
{
  char path[1024];
  Case robot = {0};
  snprintf(robot.name, sizeof robot.name, "%s, %s", name, states);
  snprintf(path, sizeof path, "%s/%s.json", folder, name);
  Json* reference  = json_read(path);
  const Json* list = json_find(reference, states);
  if (list)
  {
    snprintf(path, sizeof path, "%s/%s.urdf", folder, name);
    robot.model = read_robot(path, strcmp(states, "states") == 0);
    robot.ws    = work_with(robot.model, -1, LW_PRECISION_DOUBLE);
    robot.n     = lw_model_dof(robot.model);
    compare_names(&robot, json_get(reference, names));
    compare_masses(&robot, reference);
    for (int k = 0; k < list->count; ++k) compare_state(&robot, &list->items[k]);
    print_message("%-40s %3d joints, %d states: worst %.2g, %s\n", robot.name, robot.n, list->count,
                  robot.worst, robot.which);
    lw_workspace_destroy(robot.ws);
    lw_model_destroy(robot.model);
  }
  json_free(reference);
}

// Calls compare_robot() for every NAME.json in the folder; returns their number.
static int for_all_robots(const char* folder)
{
  int count   = 0;
  DIR* listed = opendir(folder);
  if (!listed) fail_msg("LINKWORK_ORACLE: the folder '%s' cannot be read", folder);
  for (struct dirent* entry; (entry = readdir(listed));)
  {
    char name[256];
    size_t length = strlen(entry->d_name);
    if (length < 6 || strcmp(entry->d_name + length - 5, ".json") != 0) continue;
    snprintf(name, sizeof name, "%.*s", (int)(length - 5), entry->d_name);
    compare_robot(folder, name, "states", "joint_names");
    compare_robot(folder, name, "mimic_states", "mimic_joint_names");
    ++count;
  }
  closedir(listed);
  return count;
}

static void real_robots_agree_with_another_library(void** state)
{
  (void)state;
  const char* folder = getenv("LINKWORK_ORACLE");
  if (!folder || !*folder)
  {
    print_message("skipped: LINKWORK_ORACLE names no folder of robots with reference data\n");
    skip();
  }
  assert_greater(for_all_robots(folder), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(real_robots_agree_with_another_library)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
