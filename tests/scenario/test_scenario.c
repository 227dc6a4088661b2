// SPDX-License-Identifier: MIT
// Scenario files: their content, and errors reported at their place.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/arms.h"
#include "support/reader_findings.h"
#include "support/testing.h"

static const char PUMA[] = "linkwork: 1\nrobot: " LW_ROBOTS "/puma560.yaml\n";

// Reads a scenario of the PUMA with these lines appended; the caller destroys diag.
static lwScenario* read(const char* text, lwDiag** diag)
{
  char whole[4096];
  lwScenario* scenario;
  snprintf(whole, sizeof whole, "%s%s", PUMA, text);
  *diag = lw_diag_create();
  lw_scenario_read_text("here.yaml", whole, strlen(whole), NULL, *diag, &scenario);
  return scenario;
}

static lwScenario* read_good(const char* text)
{
  lwDiag* diag;
  lwScenario* scenario = read(text, &diag);
  if (!scenario) findings_print(diag);
  assert_non_null(scenario);
  assert_int_equal(lw_diag_count(diag, LW_SEVERITY_ERROR), 0);
  lw_diag_destroy(diag);
  return scenario;
}

// Checks for exactly these errors, in this order, ignoring warnings about the robot. Lines are
// counted from the first after the robot.
static void refused(const char* text, const Finding* findings, int count)
{
  lwDiag* diag;
  lwScenario* scenario = read(text, &diag);
  int seen             = 0;
  bool right           = scenario == NULL;
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    const lwMessage* message = lw_diag_message(diag, i);
    if (message->severity != LW_SEVERITY_ERROR) continue;
    Finding finding = seen < count ? findings[seen] : (Finding){0, 0, "nothing", NULL};
    finding.line += 2;
    right = right && finding_matches(&finding, message);
    ++seen;
  }
  if (!right || seen != count)
  {
    findings_print(diag);
    fail_msg("'%s': %d findings, expected %d others", text, seen, count);
  }
  lw_diag_destroy(diag);
}

static void refused_once(const char* text, int line, int column, const char* fragment,
                         const char* hint)
{
  const Finding finding = {line, column, fragment, hint};
  refused(text, &finding, 1);
}

// --- ball and floating joints

static lwStatus read_with(const char* robot, const char* initial, lwDiag* diag,
                          lwScenario** scenario)
{
  char text[1000];
  snprintf(text, sizeof text, "linkwork: 1\nrobot: %s/%s\ninitial: %s\n", LW_ROBOTS, robot,
           initial);
  return lw_scenario_read_text("here.yaml", text, strlen(text), NULL, diag, scenario);
}

static void joints_with_several_entries(void** unused)
{
  (void)unused;
  static const char* const wrong[][2] = {
      {"{q: {base: [1, 2, 3]}}", "joint 'base' needs a list of 7 numbers"},
      {"{q: {base: 1}}", "joint 'base' needs a list of 7 numbers"},
      {"{qd: {base: [0, 0, 0, 0, 0, 0, 0]}}", "joint 'base' needs a list of 6 numbers"},
      {"{qd: {base: [0, 0, 0, 0, 0, 1], base.wz: 2}}", "joint 'base.wz' is given twice"},
      {"{qd: {base.wz: 2, base: [0, 0, 0, 0, 0, 1]}}", "joint 'base' is given twice"}};
  lwScenario* scenario = NULL;
  assert_int_equal(
      read_with("free_flyer.yaml",
                "{q: {elbow: 0.7, base: [1, 2, 3, 0, 1, 0, 0]}, qd: {base: [4, 5, 6, 7, 8, 9]}}",
                NULL, &scenario),
      LW_OK);
  const lwArmDef* arm   = lw_scenario_arm(scenario);
  const double q[]      = {1, 2, 3, 0, 1, 0, 0};
  const double* at_base = arm->q;
  for (int i = 0; i < 7; ++i) assert_same(at_base[i], q[i]);
  for (int i = 0; i < 6; ++i) assert_same(arm->qd[i], 4 + i);
  lw_scenario_destroy(scenario);
  assert_int_equal(read_with("stewart.yaml",
                             "{qd: {platform: [1, 2, 3]}, q: {platform: [0, 1, 0, 0]}}", NULL,
                             &scenario),
                   LW_OK);
  arm   = lw_scenario_arm(scenario);
  int k = 0;
  while (strcmp(lw_model_position(arm->model, k).name, "platform.qx") != 0) ++k;
  for (int i = 0; i < 4; ++i) assert_same(arm->q[k + i], i == 1);
  lw_scenario_destroy(scenario);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i)
  {
    lwDiag* diag = lw_diag_create();
    assert_int_equal(read_with("free_flyer.yaml", wrong[i][0], diag, &scenario), LW_ERROR_INPUT);
    const lwMessage* message = NULL;
    for (int m = 0; m < lw_diag_size(diag); ++m)
      if (lw_diag_message(diag, m)->severity == LW_SEVERITY_ERROR)
        message = lw_diag_message(diag, m);
    assert_non_null(message);
    assert_non_null(strstr(message->text, wrong[i][1]));
    lw_diag_destroy(diag);
  }
}

// --- content

static void defaults_are_sensible(void** unused)
{
  (void)unused;
  lwScenario* scenario = read_good("");
  const lwArmDef* arm  = lw_scenario_arm(scenario);
  assert_string_equal(lw_scenario_name(scenario), "scenario");
  assert_int_equal(lw_model_dof(lw_scenario_model(scenario)), 6);
  assert_same(lw_scenario_duration(scenario), 10);
  assert_same(lw_scenario_record(scenario), 0.01);
  assert_string_equal(arm->integrator.method, "dormand-prince");
  assert_true(arm->rotors);
  assert_int_equal(arm->friction, LW_FRICTION_MODEL_FULL);
  assert_int_equal(arm->limits, LW_LIMIT_MODE_NOTE);
  for (int k = 0; k < 6; ++k)
  {
    assert_int_equal(arm->drives[k].signal, LW_SIGNAL_NONE);
    assert_same(arm->q[k], 0);
    assert_same(arm->qd[k], 0);
  }
  lw_scenario_destroy(scenario);
}

static void values_are_taken(void** unused)
{
  (void)unused;
  lwScenario* scenario = read_good("name: test\n"
                                   "gravity: [0, 0, -1.62]\n"
                                   "duration: 2.5\nrecord: 0.1\nrotors: false\nfriction: viscous\n"
                                   "limits: hold\n"
                                   "initial: {q: {elbow: 90 deg}, qd: [1, 0, 0, 0, 0, 180 deg/s]}\n"
                                   "integrator: {method: kutta3, step: 2e-3}\n"
                                   "wrench: {force: [1, 2*t, 0], frame: base, from: 1, to: 2}\n");
  const lwArmDef* arm  = lw_scenario_arm(scenario);
  assert_string_equal(lw_scenario_name(scenario), "test");
  assert_same(lw_model_robot(arm->model)->gravity[2], -1.62);
  assert_same(lw_scenario_duration(scenario), 2.5);
  assert_same(lw_scenario_record(scenario), 0.1);
  assert_false(arm->rotors);
  assert_int_equal(arm->friction, LW_FRICTION_MODEL_VISCOUS);
  assert_int_equal(arm->limits, LW_LIMIT_MODE_HOLD);
  near_to("q", arm->q[2], 1.5707963267948966, 0);
  near_to("qd", arm->qd[5], 3.1415926535897931, 0);
  assert_same(arm->q[0], 0);
  assert_same(arm->qd[0], 1);
  assert_string_equal(arm->integrator.method, "kutta3");
  assert_same(arm->integrator.step, 2e-3);
  assert_int_equal(arm->load_count, 1);
  assert_true(arm->loads[0].in_base);
  assert_same(arm->loads[0].from, 1);
  assert_same(arm->loads[0].to, 2);
  near_to("force", lw_law_at(arm->loads[0].component[1], &(lwLawPoint){.t = 3}), 6, 0);
  assert_null(arm->loads[0].component[3]);
  lw_scenario_destroy(scenario);
}

static void drives_are_taken(void** unused)
{
  (void)unused;
  lwScenario* scenario = read_good(
      "drives:\n"
      "  elbow: {voltage: 3*sin(t), dac: {period: 0.01, bits: 10, range: 10}}\n"
      "  flange: free\n"
      "  waist: {control: voltage}\n"
      "  shoulder: {torque: 5 - q, spring: {stiffness: 3, damping: 2, rest: 45 deg}}\n"
      "  default: control\n"
      "controller: {kind: computed-torque, kp: 4, kd: {elbow: 3}, reference: {q: 0.1*k*t^2}}\n"
      "events:\n"
      "  - {name: now, at: 2, drives: {elbow: {spring: {stiffness: 7, rest: here, preload: "
      "here}}}}\n"
      "  - {joint: elbow, when: q - 1, stop: true}\n");
  const lwArmDef* arm    = lw_scenario_arm(scenario);
  const lwJointDrive* is = arm->drives;
  assert_int_equal(is[0].signal, LW_SIGNAL_CONTROL);
  assert_true(is[0].voltage);
  assert_int_equal(is[1].signal, LW_SIGNAL_LAW);
  assert_false(is[1].voltage);
  assert_true(is[1].sprung);
  near_to("rest", is[1].spring.rest, 0.78539816339744828, 0);
  assert_true(is[2].voltage);
  assert_true(is[2].converted);
  assert_int_equal(is[2].dac.bits, 10);
  assert_same(is[2].dac.period, 0.01);
  assert_int_equal(is[3].signal, LW_SIGNAL_CONTROL);
  assert_false(is[3].voltage);
  assert_int_equal(is[5].signal, LW_SIGNAL_NONE);
  assert_same(arm->controller.kp[3], 4);
  assert_same(arm->controller.kd[2], 3);
  assert_same(arm->controller.kd[1], 0);
  double q[6], qd[6], qdd[6];
  arm->controller.reference(arm->controller.context, 2, q, qd, qdd);
  near_to("q*", q[2], 1.2, 1e-15);
  near_to("qd*", qd[2], 1.2, 1e-15);
  near_to("qdd*", qdd[2], 0.6, 1e-15);
  assert_int_equal(arm->event_count, 2);
  const lwArmEventDef* now = &arm->events[0];
  assert_string_equal(now->name, "now");
  assert_same(now->at, 2);
  assert_true(now->changes[2]);
  assert_false(now->changes[1]);
  assert_true(now->drives[2].rest_here);
  assert_nan(arm->events[1].at);
  assert_true(arm->events[1].ends);
  assert_int_equal(arm->events[1].joint, 2);
  lw_scenario_destroy(scenario);
}

// A list of wrenches has one entry for each, in its order.
static void wrenches_of_a_list(void** unused)
{
  (void)unused;
  lwScenario* scenario = read_good("duration: 1\nrecord: 0.1\n"
                                   "wrench:\n"
                                   "  - {force: [1, 0, 0], to: 0.5}\n"
                                   "  - {moment: [0, 0, 3 * t], frame: base, from: 0.25}\n");
  const lwArmDef* arm  = lw_scenario_arm(scenario);
  assert_int_equal(arm->load_count, 2);
  assert_same(arm->loads[0].to, 0.5);
  assert_false(arm->loads[0].in_base);
  assert_same(lw_law_at(arm->loads[0].component[0], &(lwLawPoint){.t = 2}), 1);
  assert_same(arm->loads[1].from, 0.25);
  assert_infinite(arm->loads[1].to);
  assert_true(arm->loads[1].in_base);
  assert_same(lw_law_at(arm->loads[1].component[5], &(lwLawPoint){.t = 2}), 6);
  lw_scenario_destroy(scenario);
}

// A payload becomes part of its link: the same torques as for a robot with that link.
static void payloads_are_carried(void** unused)
{
  (void)unused;
  lwScenario* scenario    = read_good("payload:\n"
                                         "  - {link: flange_plate, mass: 2, com: [0, 0, 0.1]}\n"
                                         "  - {link: forearm, mass: 1}\n");
  const lwRobotDef* robot = lw_model_robot(lw_scenario_model(scenario));
  near_to("mass", robot->joints[5].link.mass, 2.09, 1e-15);
  near_to("com", robot->joints[5].link.com[2], (0.09 * 0.032 + 2 * 0.1) / 2.09, 1e-15);
  near_to("mass", robot->joints[2].link.mass, 5.8, 1e-15);
  lw_scenario_destroy(scenario);
}

// The robot can be replaced by another model with as many moving joints.
static void models_are_replaced(void** unused)
{
  (void)unused;
  lwModel *other, *three;
  lwScenario* scenario    = read_good("duration: 1\n");
  const lwModel* at_first = lw_scenario_model(scenario);
  assert_int_equal(lw_model_create_generic(6, &other), LW_OK);
  assert_int_equal(lw_model_create_generic(3, &three), LW_OK);
  assert_int_equal(lw_scenario_set_model(scenario, three), LW_ERROR_INPUT);
  assert_ptr_equal(lw_scenario_model(scenario), at_first);
  assert_int_equal(lw_scenario_set_model(scenario, other), LW_OK);
  assert_ptr_equal(lw_scenario_model(scenario), other);
  assert_ptr_equal(lw_scenario_arm(scenario)->model, other);
  lw_model_destroy(three);
  lw_scenario_destroy(scenario);
}

// --- errors

static void all_errors_are_found(void** unused)
{
  (void)unused;
  const Finding findings[] = {{1, 11, "'duration' must be a number", NULL},
                              {2, 1, "unknown key 'drive' in a scenario", "did you mean 'drives'"},
                              {3, 11, "'friction' must be none, viscous or full", NULL}};
  refused("duration: ten\ndrive: {}\nfriction: some\n", findings, 3);
  const Finding later[] = {{1, 15, "no moving joint 'elbo'", "did you mean 'elbow'"},
                           {2, 35, "takes no 'step'", "rtol"},
                           {4, 19, "unknown name 'x'", NULL},
                           {5, 3, "no moving joint 'tail'", NULL},
                           {6, 17, "'force' must be a list of 3", "components"}};
  refused("initial: {q: {elbo: 1}}\n"
          "integrator: {method: dopri, step: 1e-3}\n"
          "drives:\n"
          "  elbow: {torque: x + 1}\n"
          "  tail: free\n"
          "wrench: {force: [1, 2]}\n",
          later, 5);
}

static void numbers_are_checked(void** unused)
{
  (void)unused;
  refused_once("duration: 0\n", 1, 11, "'duration' must be above 0", NULL);
  refused_once("record: -1\n", 1, 9, "'record' must be above 0", NULL);
  refused_once("initial: {q: [1, 2]}\n", 1, 14, "'q' must be a list of 6, found 2", "by name");
  refused_once("initial: {q: {waist: a}}\n", 1, 22, "'q' must be a number, in rad", NULL);
  refused_once("initial: {q: {waist: 1, waist: 2}}\n", 1, 25, "given twice", NULL);
  refused_once("limits: stop\ninitial: {q: {waist: 4}}\n", 2, 14,
               "joint 'waist' begins at 4, beyond", "note");
  refused_once("integrator: {method: dop835}\n", 1, 22, "no integrator 'dop835'", "dop853");
  refused_once("integrator: {method: rk4, rtol: 1e-3}\n", 1, 33, "no tolerances", "step");
  refused_once("integrator: {rtol: 0}\n", 1, 20, "'rtol' must be above 0", NULL);
  refused_once("wrench: {force: [1, 2, 3], from: 2, to: 1}\n", 1, 41, "above 'from'", NULL);
  refused_once("payload: {link: hand, mass: 1}\n", 1, 17, "no link 'hand'", NULL);
  refused_once("payload: {link: forearm, mass: -1}\n", 1, 32, "must not be negative", NULL);
  refused_once("gravity: [0, 1e300, 0]\n", 1, 10, "item 2 of 'gravity' must be within", NULL);
}

// A run with too many steps is refused before it starts, with their number.
static void steps_are_counted(void** unused)
{
  (void)unused;
  refused_once("duration: 20\nintegrator: {method: rk4, step: 1e-300}\n", 2, 33,
               "'step' of 1e-300 s takes 2e+301 steps for a duration of 20 s", NULL);
  refused_once("integrator: {longest: 1e-12}\n", 1, 23, "'longest' of 1e-12 s takes 1e+13 steps",
               NULL);
  refused_once("integrator: {budget: 0}\n", 1, 22, "'budget' must be above 0", NULL);
  refused_once("drives: {waist: {torque: 1, dac: {period: 1e-200}}}\n", 1, 34,
               "'period' of 1e-200 s takes 1e+201 steps", NULL);
}

static void drives_are_checked(void** unused)
{
  (void)unused;
  refused_once("drives: [1]\n", 1, 9, "'drives' must be a mapping", "default");
  refused_once("drives: {elbow: loose}\n", 1, 17, "free or control, found 'loose'", "torque");
  refused_once("drives: {elbow: {}}\n", 1, 17, "the drive is empty", "free");
  refused_once("drives: {elbow: {torque: 1, voltage: 2}}\n", 1, 17, "one of torque, voltage", NULL);
  refused_once("drives: {elbow: control}\n", 1, 17, "there is no controller", "controller");
  refused_once("drives: {elbow: {dac: {period: 1}, spring: {stiffness: 1}}}\n", 1, 23,
               "nothing for the dac", NULL);
  refused_once("drives: {elbow: {torque: 1, dac: {period: 0}}}\n", 1, 34, "period must be above 0",
               NULL);
  refused_once("drives: {elbow: {torque: 1, dac: {period: 1, bits: 2.5}}}\n", 1, 34, "bits", NULL);
  refused_once("drives: {elbow: {spring: {stiffness: -1}}}\n", 1, 26, "must not be negative", NULL);
  const Finding missing[] = {{-2, 0, "cannot be opened", NULL},  // about that file, without a line
                             {1, 35, "nowhere.csv", "relative"}};
  refused("drives: {elbow: {schedule: {file: nowhere.csv}}}\n", missing, 2);
  refused_once("drives: {elbow: {torque: \"1 +\"}}\n", 1, 30, "the law ends here", NULL);
}

static void events_are_checked(void** unused)
{
  (void)unused;
  refused_once("events: {at: 1}\n", 1, 9, "'events' must be a list", NULL);
  refused_once("events: [{at: 1}]\n", 1, 10, "does nothing", "stop: true");
  refused_once("events: [{stop: true}]\n", 1, 10, "needs 'at'", "when");
  refused_once("events: [{stop: true, at: 1, when: q, joint: elbow}]\n", 1, 10, "not both", "at");
  refused_once("events: [{stop: true, at: -1}]\n", 1, 10, "'at' must not be negative", NULL);
  refused_once("events: [{stop: true, when: q}]\n", 1, 10, "needs the key 'joint'", "q and qd");
}

static void controllers_are_checked(void** unused)
{
  (void)unused;
  refused_once("controller: {kp: 1}\n", 1, 13, "needs the key 'kind'", NULL);
  refused_once("controller: {kind: pid}\n", 1, 20, "must be none, pd-gravity", NULL);
  refused_once("controller: {kind: pd-gravity, kp: -1}\n", 1, 36, "must not be negative", NULL);
  refused_once("controller: {kind: pd-gravity, reference: {}}\n", 1, 43, "either 'q'", "file");
  refused_once("controller: {kind: pd-gravity, reference: {q: [q, 0, 0, 0, 0, 0]}}\n", 1, 48,
               "unknown name 'q'", NULL);
}

static void robots_are_checked(void** unused)
{
  (void)unused;
  static const char* const texts[] = {"linkwork: 1\nrobot: nowhere.yaml\n",
                                      "linkwork: 1\n",
                                      "linkwork: 2\nrobot: nowhere.yaml\n",
                                      "[1, 2]\n",
                                      "",
                                      ":\n"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
  {
    lwScenario* scenario;
    lwDiag* diag = lw_diag_create();
    lwStatus status =
        lw_scenario_read_text("a.yaml", texts[i], strlen(texts[i]), NULL, diag, &scenario);
    assert_int_equal(status, LW_ERROR_INPUT);
    assert_null(scenario);
    assert_greater(lw_diag_count(diag, LW_SEVERITY_ERROR), 0);
    lw_diag_destroy(diag);
    assert_int_equal(lw_scenario_read_text("a", texts[i], strlen(texts[i]), NULL, NULL, &scenario),
                     LW_ERROR_INPUT);
  }
}

// --- references from files

static void write_file(const char* path, const char* text)
{
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

// Quintics reproduce q = t^5 - t^3 exactly from its samples; cubics reproduce cubics, lines lines.
static void motions_are_interpolated(void** unused)
{
  (void)unused;
  char folder[] = "/tmp/linkwork-XXXXXX", robot[256], motion[256], text[1024], rows[3][1024];
  assert_non_null(mkdtemp(folder));
  snprintf(robot, sizeof robot, "%s/block.yaml", folder);
  snprintf(motion, sizeof motion, "%s/motion.csv", folder);
  write_file(robot, "linkwork: 1\njoints:\n  - {name: a, type: prismatic, link: {mass: 1}}\n");
  snprintf(rows[0], sizeof rows[0], "t,q1,qd1,qdd1\n");
  snprintf(rows[1], sizeof rows[1], "t,q.a,qd.a\n");
  snprintf(rows[2], sizeof rows[2], "t,q1\n");
  for (int i = 0; i <= 4; ++i)
  {
    double t = 0.5 * i, c = t * t * t;
    char line[128];
    snprintf(line, sizeof line, "%.17g,%.17g,%.17g,%.17g\n", t, c * t * t - c,
             5 * c * t - 3 * t * t, 20 * c - 6 * t);
    strcat(rows[0], line);
    snprintf(line, sizeof line, "%.17g,%.17g,%.17g\n", t, c, 3 * t * t);
    strcat(rows[1], line);
    snprintf(line, sizeof line, "%.17g,%.17g\n", t, 2 * t);
    strcat(rows[2], line);
  }
  for (int m = 0; m < 3; ++m)
  {
    char name[300];
    lwScenario* scenario;
    double q, qd, qdd, t = 1.3, c = t * t * t;
    write_file(motion, rows[m]);
    snprintf(name, sizeof name, "%s/scenario.yaml", folder);
    snprintf(text, sizeof text,
             "linkwork: 1\nrobot: block.yaml\n"
             "controller: {kind: feed-forward, reference: {file: motion.csv}}\n");
    lwDiag* diag = lw_diag_create();
    lw_scenario_read_text(name, text, strlen(text), NULL, diag, &scenario);
    if (!scenario) findings_print(diag);
    assert_non_null(scenario);
    const lwControllerDef* controller = &lw_scenario_arm(scenario)->controller;
    controller->reference(controller->context, t, &q, &qd, &qdd);
    near_to("q", q, m == 0 ? c * t * t - c : m == 1 ? c : 2 * t, 1e-13);
    near_to("qd", qd, m == 0 ? 5 * c * t - 3 * t * t : m == 1 ? 3 * t * t : 2, 1e-12);
    near_to("qdd", qdd, m == 0 ? 20 * c - 6 * t : m == 1 ? 6 * t : 0, 1e-11);
    controller->reference(controller->context, 5, &q, &qd, &qdd);
    near_to("q behind the end", q, m == 0 ? 24 : m == 1 ? 8 : 4, 1e-13);
    assert_same(qd, 0);
    assert_same(qdd, 0);
    lw_scenario_destroy(scenario);
    lw_diag_destroy(diag);
  }
  char command[300];
  remove(robot);
  remove(motion);
  snprintf(command, sizeof command, "%s", folder);
  remove(command);
}

// --- files in scenarios/

static lwScenario* read_shipped(const char* name)
{
  char path[512];
  lwScenario* scenario;
  lwDiag* diag = lw_diag_create();
  snprintf(path, sizeof path, "%s/../scenarios/%s", LW_ROBOTS, name);
  if (lw_scenario_read_file(path, NULL, diag, &scenario) != LW_OK) findings_print(diag);
  assert_non_null(scenario);
  lw_diag_destroy(diag);
  return scenario;
}

// Reaches its end, or is ended by its own event. Four seconds are longer than any of these joints
// takes to come to rest.
static void runs_to_its_end(const lwScenario* scenario, const char* method)
{
  lwArmDef def            = *lw_scenario_arm(scenario);
  double end              = fmin(lw_scenario_duration(scenario), 4);
  def.integrator.method   = method;
  def.integrator.step     = 1e-3;
  def.integrator.relative = def.integrator.absolute = 1e-7;

  lwArmRun* run     = run_of(&def);
  lwOutcome outcome = LW_OUTCOME_ARRIVED;
  for (int i = 1; i <= 40 && outcome == LW_OUTCOME_ARRIVED; ++i)
  {
    outcome            = lw_arm_run_advance(run, end * i / 40, NULL);
    lwArmSample sample = lw_arm_run_sample(run);
    assert_finite(sample.S);
  }
  if (outcome != LW_OUTCOME_ARRIVED && outcome != LW_OUTCOME_CONDITION)
    fail_msg("%s by %s: outcome %d at t = %g", lw_scenario_name(scenario), method, (int)outcome,
             lw_arm_run_time(run));
  lw_arm_run_destroy(run);
}

// Every file in scenarios/, with every integrator.
static void shipped_scenarios_are_right(void** unused)
{
  (void)unused;
  int count   = 0;
  DIR* folder = opendir(LW_ROBOTS "/../scenarios");
  assert_non_null(folder);
  for (const struct dirent* file = readdir(folder); file; file = readdir(folder))
  {
    const char* end = strrchr(file->d_name, '.');
    if (!end || strcmp(end, ".yaml") != 0) continue;
    lwScenario* scenario = read_shipped(file->d_name);
    for (int i = 0; i < lw_integrator_method_count(); ++i)
      runs_to_its_end(scenario, lw_integrator_method(i)->name);
    lw_scenario_destroy(scenario);
    ++count;
  }
  closedir(folder);
  assert_at_least(count, 6);
}

// Energy is conserved in free fall; the documentation promises a minute, this tests ten seconds.
static void free_fall_keeps_its_energy(void** unused)
{
  (void)unused;
  char path[512];
  lwScenario* scenario;
  snprintf(path, sizeof path, "%s/../scenarios/puma_fall.yaml", LW_ROBOTS);
  assert_int_equal(lw_scenario_read_file(path, NULL, NULL, &scenario), LW_OK);
  lwArmRun* run = run_of(lw_scenario_arm(scenario));
  for (double t = 0.05; t < 10; t += 0.05) go_to(run, t);
  lwAudit audit = lw_arm_run_audit(run);
  assert_greater(audit.peak_kinetic, 10);
  assert_less(audit.worst_S, 1e-10 * audit.peak_kinetic);
  lw_arm_run_destroy(run);
  lw_scenario_destroy(scenario);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_are_sensible),
      cmocka_unit_test(values_are_taken),
      cmocka_unit_test(drives_are_taken),
      cmocka_unit_test(payloads_are_carried),
      cmocka_unit_test(wrenches_of_a_list),
      cmocka_unit_test(models_are_replaced),
      cmocka_unit_test(all_errors_are_found),
      cmocka_unit_test(numbers_are_checked),
      cmocka_unit_test(steps_are_counted),
      cmocka_unit_test(drives_are_checked),
      cmocka_unit_test(events_are_checked),
      cmocka_unit_test(controllers_are_checked),
      cmocka_unit_test(robots_are_checked),
      cmocka_unit_test(motions_are_interpolated),
      cmocka_unit_test(shipped_scenarios_are_right),
      cmocka_unit_test(free_fall_keeps_its_energy),
      cmocka_unit_test(joints_with_several_entries),
  };
  return cmocka_run_group_tests_name("scenario files", tests, NULL, NULL);
}
