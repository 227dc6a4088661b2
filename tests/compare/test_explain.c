// SPDX-License-Identifier: MIT
// Causes of a difference between torques, put into logs of robots of the literature and of random
// ones: each is named with its size, two at once, behind noise; nothing that no robot can have is
// ever named; joints that friction holds do not decide. `test_compare_explain 40` takes 40 random
// robots.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/torques/suspects.h"
#include "linkwork/read.h"
#include "support/check.h"
#include "support/robots.h"
#include "support/testing.h"

enum
{
  ROWS = 60,
  LONG = 150,  // rows of logs with noise
};

static const double TOLERANCE = 1e-6;

// A robot, what another program made of it, and that one's log.
typedef struct Foreign
{
  lwModel* model;
  Robot* random_robot;  // or NULL: from a file
  lwRobotDef def;
  lwJointDef joints[MAX_JOINTS];
  int n, rows;
  double *q, *qd, *qdd, *tau;
  lwRandom random;
} Foreign;

static const char* const FILES[] = {"puma560.yaml", "panda.yaml", "stanford.yaml", "ddarm.yaml"};

enum
{
  FILE_COUNT = sizeof FILES / sizeof FILES[0]
};

// Those of the files, then random ones
#ifdef LW_TEST_SANITIZED
static int robots = 1;
#else
static int robots = FILE_COUNT + 1;
#endif

// Robot k of all of them, as it is, and a motion.
static Foreign foreign_of(int k, int rows)
{
  static const RobotStyle serial = {.dof = 6, .prismatic = 0.15, .special = 0.3, .placement = -1};
  Foreign own                    = {.rows = rows, .random = {(uint64_t)(100 + k)}};
  if (k < FILE_COUNT)
  {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", LW_ROBOTS, FILES[k]);
    assert_int_equal(lw_robot_read_file(path, NULL, NULL, &own.model), LW_OK);
  }
  else
  {
    own.random_robot = random_robot((uint64_t)(7000 + k), &serial);
    own.model        = own.random_robot->model;
  }
  own.def = *lw_model_robot(own.model);
  memcpy(own.joints, own.def.joints, (size_t)own.def.count * sizeof *own.joints);
  own.n       = lw_model_dof(own.model);
  size_t size = (size_t)own.n * (size_t)rows;
  own.q       = calloc(4 * size, sizeof(double));
  own.qd      = own.q + size;
  own.qdd     = own.qd + size;
  own.tau     = own.qdd + size;
  for (size_t e = 0; e < size; ++e)
  {
    own.q[e]   = lw_random_between(&own.random, -2, 2);
    own.qd[e]  = lw_random_between(&own.random, -2, 2);
    own.qdd[e] = lw_random_between(&own.random, -5, 5);
  }
  return own;
}

static void foreign_free(Foreign* own)
{
  free(own->q);
  if (own->random_robot)
    robot_free(own->random_robot);
  else
    lw_model_destroy(own->model);
}

// The torques of the changed robot for a motion.
static void torques_with(const Foreign* own, const double* q, const double* qd, const double* qdd,
                         double* tau)
{
  lwModelOptions tolerate = {.lint.allow_bad_inertia = true, .lint.allow_inert = true};
  lwModel* model          = NULL;
  lwWorkspace* ws         = NULL;
  lwStates states         = {.q = q, .qd = qd, .qdd = qdd};
  lwRobotDef changed      = own->def;
  changed.joints          = own->joints;
  assert_int_equal(lw_model_create(&changed, &tolerate, NULL, &model), LW_OK);
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  lw_answer_many(model, ws, LW_QUESTION_INVERSE, own->rows, &states, tau);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
}

static void torques_of(Foreign* own)
{
  torques_with(own, own->q, own->qd, own->qdd, own->tau);
}

static lwExplanation explain(const Foreign* own)
{
  lwTorqueLog torque_log = {own->rows, {own->q, own->qd, own->qdd, own->tau, NULL}};
  lwExplanation why;
  assert_int_equal(lw_torques_explain(own->model, &torque_log, TOLERANCE, &why), LW_OK);
  for (int i = 1; i < why.count; ++i)  // the best first, and those that need no noise
  {
    const lwCandidate *one = &why.candidates[i - 1], *next = &why.candidates[i];
    assert_true(one->explains <= next->explains);
    if (one->explains == next->explains)
      assert_true(lw_candidate_is_noise(one) <= lw_candidate_is_noise(next));
  }
  return why;
}

// The best candidate explains and has this name.
static void assert_named(const lwExplanation* why, const char* name, int robot)
{
  const lwCandidate* best = why->candidates;
  if (why->count == 0 || best->explains != LW_EXPLAINS || strcmp(best->name, name) != 0)
    fail_msg("robot %d: expected '%s', found '%s' (%d, %g): %s", robot, name,
             why->count > 0 ? best->name : "nothing", why->count > 0 ? (int)best->explains : -1,
             why->count > 0 ? best->after.relative : 0, why->count > 0 ? best->detail : "");
}

// The number behind `key` in the detail of the best candidate.
static double number_behind(const lwExplanation* why, const char* key)
{
  const char* at = strstr(why->candidates[0].detail, key);
  if (!at) fail_msg("no '%s' in '%s'", key, why->candidates[0].detail);
  return strtod(at + strlen(key), NULL);
}

// --- causes one by one

// A moving joint whose link matters to some torque: any but the first ones.
static int some_joint(Foreign* own)
{
  return 1 + (int)lw_random_between(&own->random, 0, own->n - 1.001);
}

static void zero_of_a_joint(void** unused)
{
  (void)unused;
  for (int k = 0; k < robots; ++k)
    for (int large = 0; large < 2; ++large)
    {
      Foreign own  = foreign_of(k, ROWS);
      int joint    = 1 + large;
      double shift = large ? 1.5707963267948966 : lw_random_between(&own.random, 0.005, 0.1);
      bool turns   = lw_model_joint_def(own.model, joint)->type == LW_JOINT_REVOLUTE;
      if (!turns) shift = 0.05;
      torques_of(&own);
      for (int row = 0; row < own.rows; ++row) own.q[row * own.n + joint] -= shift;
      lwExplanation why = explain(&own);
      if (why.before > TOLERANCE)  // no torque depends on the position of some joints
      {
        assert_named(&why, "joint zero", k);
        assert_near(number_behind(&why, "that of the file "), shift, 1e-5 * shift);
      }
      free(why.candidates);
      foreign_free(&own);
    }
}

static void zeros_of_joints(void** unused)
{
  (void)unused;
  for (int k = 0; k < robots; ++k)
  {
    Foreign own = foreign_of(k, ROWS);
    torques_of(&own);
    for (int row = 0; row < own.rows; ++row)
      for (int i = 1; i < own.n; ++i) own.q[row * own.n + i] += 0.01 * i;
    lwExplanation why = explain(&own);
    assert_named(&why, "joint zeros", k);
    free(why.candidates);
    foreign_free(&own);
  }
}

static void missing_terms(void** unused)
{
  (void)unused;
  for (int k = 0; k < robots; ++k)
  {
    Foreign own   = foreign_of(k, ROWS);
    size_t size   = (size_t)own.n * (size_t)own.rows;
    double* zeros = calloc(4 * size, sizeof *zeros);
    double *alone = zeros + size, *part = alone + size, *still = part + size;
    torques_with(&own, own.q, zeros, own.qdd, own.tau);
    lwExplanation why = explain(&own);
    assert_named(&why, "Coriolis and centrifugal terms missing", k);
    free(why.candidates);
    torques_with(&own, own.q, zeros, zeros, still);
    for (int i = 0; i < own.n; ++i)  // each joint moving by itself: squares of velocities
    {
      for (size_t e = 0; e < size; ++e) alone[e] = (int)(e % (size_t)own.n) == i ? own.qd[e] : 0;
      torques_with(&own, own.q, alone, zeros, part);
      for (size_t e = 0; e < size; ++e) own.tau[e] += part[e] - still[e];
    }
    why = explain(&own);
    assert_named(&why, "Coriolis terms missing", k);
    free(why.candidates);
    for (int i = 0; i < own.def.count; ++i)
      memset(own.joints[i].link.inertia, 0, sizeof own.joints[i].link.inertia);
    torques_of(&own);
    why = explain(&own);
    assert_named(&why, "inertia missing", k);
    free(why.candidates);
    free(zeros);
    foreign_free(&own);
  }
}

// Adds friction and a rotor to a joint.
static void add_drive(Foreign* own, int joint, double viscous, double coulomb, double rotor)
{
  for (int row = 0; row < own->rows; ++row)
  {
    size_t e = (size_t)(row * own->n + joint);
    own->tau[e] += viscous * own->qd[e] + coulomb * ((own->qd[e] > 0) - (own->qd[e] < 0)) +
                   rotor * own->qdd[e];
  }
}

static int link_of(const Foreign* own, int joint)
{
  return lw_model_joint(own->model, joint);
}

// A link, its mass and inertia times `factor`.
static void scale_link(lwLinkDef* link, double factor)
{
  link->mass *= factor;
  for (int k = 0; k < 6; ++k) link->inertia[k] *= factor;
}

static void masses_and_drives(void** unused)
{
  (void)unused;
  for (int k = 0; k < robots; ++k)
  {
    Foreign own     = foreign_of(k, ROWS);
    int joint       = some_joint(&own);
    lwLinkDef* link = &own.joints[link_of(&own, joint)].link;
    lwLinkDef kept  = *link;
    if (link->mass > 0)
    {
      scale_link(link, 1.25);
      torques_of(&own);
      lwExplanation why = explain(&own);
      assert_named(&why, "link mass", k);
      assert_near(number_behind(&why, "in ROBOT: "), 0.25 * kept.mass, 1e-3 * kept.mass);
      free(why.candidates);
      *link = kept;
    }
    torques_of(&own);
    add_drive(&own, joint, 0.7, 0.3, 0);
    lwExplanation why = explain(&own);
    assert_named(&why, "friction, fitted", k);
    assert_near(number_behind(&why, "viscous "), 0.7, 1e-3);
    assert_near(number_behind(&why, "Coulomb "), 0.3, 1e-3);
    free(why.candidates);
    torques_of(&own);
    add_drive(&own, joint, 0, 0, 0.4);
    why = explain(&own);
    assert_named(&why, "rotor inertia missing", k);
    assert_near(number_behind(&why, "gear^2 rotor inertia "), 0.4, 1e-3);
    free(why.candidates);
    foreign_free(&own);
  }
}

static void clean_logs(void** unused)
{
  (void)unused;
  for (int k = 0; k < robots; ++k)
  {
    Foreign own = foreign_of(k, ROWS);
    lwMisfit misfit;
    torques_of(&own);
    lwTorqueLog torque_log = {own.rows, {own.q, own.qd, own.qdd, own.tau, NULL}};
    assert_int_equal(lw_torques_misfit(own.model, &torque_log, &misfit), LW_OK);
    assert_true(misfit.relative <= 1e-12);
    foreign_free(&own);
  }
}

// --- two at once

static void pairs(void** unused)
{
  (void)unused;
  for (int k = 0; k < robots; ++k)
  {
    Foreign own     = foreign_of(k, ROWS);
    int joint       = some_joint(&own);
    lwLinkDef* link = &own.joints[own.def.count - 1].link;
    lwLinkDef kept  = *link;
    if (!(kept.mass > 0))
    {
      foreign_free(&own);
      continue;
    }
    scale_link(link, 1.4);
    torques_of(&own);
    add_drive(&own, joint, 0.7, 0.3, 0);
    lwExplanation why = explain(&own);
    assert_named(&why, "link mass and friction, fitted", k);
    assert_near(number_behind(&why, "in ROBOT: "), 0.4 * kept.mass, 1e-3 * kept.mass);
    assert_near(number_behind(&why, "viscous "), 0.7, 1e-3);
    free(why.candidates);
    torques_of(&own);
    for (int row = 0; row < own.rows; ++row) own.q[row * own.n + 2] -= 0.03;
    why = explain(&own);
    assert_named(&why, "joint zero and link mass", k);
    assert_near(number_behind(&why, "that of the file "), 0.03, 1e-6);
    free(why.candidates);
    foreign_free(&own);
  }
}

// --- what no robot can have

// The details of whatever explains, wholly or in part, have no negative mass, friction or rotor.
static void assert_possible(const lwExplanation* why, int robot)
{
  for (int i = 0; i < why->count && why->candidates[i].explains != LW_EXPLAINS_NOT; ++i)
  {
    const char* detail = why->candidates[i].detail;
    bool body          = strstr(why->candidates[i].name, "payload") && strstr(detail, ": +");
    if (strstr(detail, "viscous -") || strstr(detail, "Coulomb -") || strstr(detail, "inertia -") ||
        (body && (strstr(detail, "xx -") || strstr(detail, "yy -") || strstr(detail, "zz -"))))
      fail_msg("robot %d: '%s' with %s", robot, why->candidates[i].name, detail);
    for (const char* at = strstr(detail, "link "); at; at = strstr(at + 1, "link "))
    {
      const char *colon = strchr(at, ':'), *mass = colon ? strstr(colon, " kg in ROBOT") : NULL;
      if ((mass && strtod(colon + 1, NULL) < 0) || strstr(detail, "e+09") || strstr(detail, "e+1"))
        fail_msg("robot %d: '%s' with %s", robot, why->candidates[i].name, detail);
    }
  }
}

// --- noise

// A sum of twelve uniform numbers: mean 0, deviation 1.
static double normal(lwRandom* random)
{
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += lw_random_between(random, 0, 1);
  return sum;
}

static void add_noise(Foreign* own, double sigma)
{
  for (int e = 0; e < own->n * own->rows; ++e) own->tau[e] += sigma * normal(&own->random);
}

// The deviation of a joint is estimated to 1 / sqrt(2 rows): 6 % of it; four times that is allowed.
static void noise(void** unused)
{
  (void)unused;
  for (int k = 0; k < robots; k += 2)
  {
    Foreign own     = foreign_of(k, LONG);
    double sigma    = 0.02;
    lwLinkDef* link = &own.joints[own.def.count - 1].link;
    lwLinkDef kept  = *link;
    char key[64];
    torques_of(&own);
    add_noise(&own, sigma);
    lwExplanation why = explain(&own);
    assert_named(&why, "noise", k);
    snprintf(key, sizeof key, "%s ", lw_model_joint_def(own.model, own.n - 1)->name);
    assert_near(number_behind(&why, key), sigma, 0.23 * sigma);
    for (int i = 1; i < why.count; ++i)  // nothing else explains what is noise
      if (why.candidates[i].explains != LW_EXPLAINS_NOT)
        fail_msg("robot %d: '%s' with %s", k, why.candidates[i].name, why.candidates[i].detail);
    free(why.candidates);
    if (kept.mass > 0)
    {
      link->mass += 1;
      torques_of(&own);
      add_noise(&own, sigma);
      why = explain(&own);
      assert_named(&why, "link mass and noise", k);
      assert_near(number_behind(&why, "in ROBOT: "), 1, 0.05);
      free(why.candidates);
      for (int i = 0; i < 3; ++i) link->com[i] += 0.05 * (i + 1);  // a payload beside the link
      torques_of(&own);
      add_noise(&own, sigma);
      add_drive(&own, 1, 0.5, 0.8, 0);
      why = explain(&own);
      assert_true(why.candidates[0].explains == LW_EXPLAINS);
      assert_non_null(strstr(why.candidates[0].name, "friction"));
      assert_non_null(strstr(why.candidates[0].name, "noise"));
      assert_possible(&why, k);
      free(why.candidates);
      *link = kept;
    }
    torques_of(&own);
    add_noise(&own, sigma);
    for (int row = 0; row < own.rows; ++row) own.q[row * own.n + 1] -= 0.1;
    why = explain(&own);
    assert_named(&why, "joint zero and noise", k);
    assert_near(number_behind(&why, "that of the file "), 0.1, 0.01);
    free(why.candidates);
    foreign_free(&own);
  }
}

// --- causes that no robot can have

// Torques of a link whose mass is negative, of friction and of rotors that drive; and of two of
// them.
static void impossible(void** unused)
{
  (void)unused;
  for (int k = 0; k < robots; k += 2)
  {
    Foreign own     = foreign_of(k, ROWS);
    lwLinkDef* link = &own.joints[own.def.count - 1].link;
    double mass     = link->mass;
    double* ours    = calloc((size_t)(own.n * own.rows), sizeof *ours);
    torques_of(&own);
    memcpy(ours, own.tau, (size_t)(own.n * own.rows) * sizeof *ours);
    for (int kind = 0; kind < 5; ++kind)
    {
      memcpy(own.tau, ours, (size_t)(own.n * own.rows) * sizeof *ours);
      if (kind == 0 || kind == 4)  // ours - 1.7 times those of the link: less than no mass
      {
        double* without = calloc((size_t)(own.n * own.rows), sizeof *without);
        lwLinkDef kept  = *link;
        *link           = (lwLinkDef){.name = kept.name};
        torques_with(&own, own.q, own.qd, own.qdd, without);
        *link = kept;
        for (int e = 0; e < own.n * own.rows; ++e) own.tau[e] -= 1.7 * (ours[e] - without[e]);
        free(without);
      }
      add_drive(&own, 1, kind == 1 || kind == 4 ? -0.5 : 0, kind == 2 ? -0.4 : 0,
                kind == 3 ? -0.3 : 0);
      lwExplanation why = explain(&own);
      assert_possible(&why, k);
      if (kind == 0 && mass > 0 && why.candidates[0].explains == LW_EXPLAINS)
        assert_null(strstr(why.candidates[0].name, "link mass"));
      if (kind == 1 || kind == 2) assert_null(strstr(why.candidates[0].name, "friction, fitted"));
      free(why.candidates);
    }
    free(ours);
    foreign_free(&own);
  }
}

// --- stiction

// Joints that stand are held by any torque below break-away: with the friction of the file they do
// not decide, without it they do.
static void held_joints(void** unused)
{
  (void)unused;
  Foreign own = foreign_of(0, ROWS);
  int held    = 0;
  torques_of(&own);
  for (int row = 0; row < own.rows; ++row)
    for (int i = 0; i < own.n; ++i)
    {
      const lwJointDef* joint = lw_model_joint_def(own.model, i);
      size_t e                = (size_t)(row * own.n + i);
      if (row % 3 > 0 || i != row % own.n) continue;
      own.qd[e] = 1e-17;  // as good as 0
      ++held;
      (void)joint;
    }
  torques_of(&own);
  for (int row = 0; row < own.rows; ++row)
    for (int i = 0; i < own.n; ++i)
    {
      const lwFriction* friction = &lw_model_joint_def(own.model, i)->friction;
      size_t e                   = (size_t)(row * own.n + i);
      own.tau[e] += fabs(own.qd[e]) < 1e-9
                        ? lw_random_between(&own.random, -1, 1) * friction->coulomb
                        : friction->viscous * own.qd[e] + copysign(friction->coulomb, own.qd[e]);
    }
  lwExplanation why = explain(&own);
  assert_named(&why, "friction", 0);
  assert_int_equal(why.candidates[0].held, held);
  free(why.candidates);
  own.tau[0] += 2 * lw_model_joint_def(own.model, 0)->friction.coulomb;  // beyond break-away
  assert_true(fabs(own.qd[0]) < 1e-9);
  why = explain(&own);
  assert_true(why.count == 0 || strcmp(why.candidates[0].name, "friction") != 0 ||
              why.candidates[0].explains != LW_EXPLAINS);
  free(why.candidates);
  foreign_free(&own);
}

// With a number: so many random robots instead of one, a second for each.
int main(int count, char** words)
{
  if (count > 1) robots = FILE_COUNT + (int)strtol(words[1], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clean_logs),
      cmocka_unit_test(zero_of_a_joint),
      cmocka_unit_test(zeros_of_joints),
      cmocka_unit_test(missing_terms),
      cmocka_unit_test(masses_and_drives),
      cmocka_unit_test(pairs),
      cmocka_unit_test(noise),
      cmocka_unit_test(impossible),
      cmocka_unit_test(held_joints),
  };
  return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
