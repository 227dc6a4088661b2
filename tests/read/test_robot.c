// SPDX-License-Identifier: MIT
// Robot files: their content is read, and errors are reported at exactly their place.
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "linkwork/read.h"
#include "support/reader_findings.h"
#include "support/testing.h"

typedef struct Reading
{
  lwDiag* diag;
  lwModel* model;
  lwStatus status;
} Reading;

static Reading read_with(const char* text, const lwModelOptions* options)
{
  Reading r = {.diag = lw_diag_create()};
  r.status  = lw_robot_read_text("arm.yaml", text, strlen(text), options, r.diag, &r.model);
  assert_int_equal(r.status == LW_OK, r.model != NULL);
  return r;
}

static Reading read_text(const char* text)
{
  return read_with(text, NULL);
}

static void forget(Reading* r)
{
  lw_model_destroy(r->model);
  lw_diag_destroy(r->diag);
}

static const lwJointDef* joint_of(const Reading* r, int i)
{
  return &lw_model_robot(r->model)->joints[i];
}

// --- what is read

static const char full[] =
    "linkwork: 1\n"
    "name: PUMA 560\n"
    "source: >\n"
    "  Armstrong, Khatib\n"
    "  & Burdick 1986\n"
    "gravity: [0, 1, -9.8]\n"
    "dh: standard\n"
    "joints:\n"
    "  - name: waist\n"
    "    type: revolute\n"
    "    parent: base\n"
    "    alpha: -90 deg\n"
    "    a: 0.4\n"
    "    d: 0.2\n"
    "    theta: 0.5 rad\n"
    "    limits: {lower: -160 deg, upper: 2.5, velocity: 90 deg/s, effort: 97}\n"
    "    friction: {viscous: 0.25, coulomb: 0.5}\n"
    "    motor: {resistance: 2.1, torque_constant: 0.19, gear: -62.6, rotor_inertia: 2.0e-4,\n"
    "            inductance: 1e-3, efficiency: 0.9, voltage: 24, current: 10}\n"
    "    link:\n"
    "      name: shoulder\n"
    "      mass: 17.4\n"
    "      com: [0.068, 0.006, -0.016]\n"
    "      inertia: [0.13, 0.524, 0.539, 0.01, 0.02, 0.03]\n";

static void every_key_reaches_the_description(void** state)
{
  (void)state;
  Reading r = read_text(full);
  assert_int_equal(lw_diag_size(r.diag), 0);
  const lwRobotDef* robot = lw_model_robot(r.model);
  const lwJointDef* j     = joint_of(&r, 0);
  assert_string_equal(robot->name, "PUMA 560");
  assert_string_equal(robot->origin, "Armstrong, Khatib & Burdick 1986");
  assert_same(robot->gravity[0], 0);
  assert_same(robot->gravity[1], 1);
  assert_same(robot->gravity[2], -9.8);
  assert_int_equal(robot->count, 1);
  assert_string_equal(j->name, "waist");
  assert_int_equal(j->type, LW_JOINT_REVOLUTE);
  assert_int_equal(j->parent, LW_BASE);
  assert_int_equal(j->placement, LW_PLACEMENT_DH_STANDARD);
  assert_same(j->alpha, -1.5707963267948966);
  assert_same(j->a, 0.4);
  assert_same(j->d, 0.2);
  assert_same(j->theta, 0.5);
  assert_closer(j->limits.lower, -2.792526803190927, 1e-15);
  assert_same(j->limits.upper, 2.5);
  assert_same(j->limits.velocity, 1.5707963267948966);
  assert_same(j->limits.effort, 97);
  assert_same(j->friction.viscous, 0.25);
  assert_same(j->friction.coulomb, 0.5);
  assert_true(j->motor.given);
  assert_same(j->motor.resistance, 2.1);
  assert_same(j->motor.torque_constant, 0.19);
  assert_same(j->motor.gear, -62.6);
  assert_same(j->motor.rotor_inertia, 2e-4);
  assert_same(j->motor.inductance, 1e-3);
  assert_same(j->motor.efficiency, 0.9);
  assert_same(j->motor.voltage, 24);
  assert_same(j->motor.current, 10);
  assert_string_equal(j->link.name, "shoulder");
  assert_same(j->link.mass, 17.4);
  assert_same(j->link.com[2], -0.016);
  assert_same(j->link.com[0], 0.068);
  assert_same(j->link.inertia[0], 0.13);
  assert_same(j->link.inertia[3], 0.01);
  assert_same(j->link.inertia[4], 0.02);
  assert_same(j->link.inertia[5], 0.03);
  forget(&r);
}

static void what_is_left_out_has_its_default(void** state)
{
  (void)state;
  Reading r =
      read_text("linkwork: 1\njoints:\n"
                "  - {name: a, type: prismatic, motor: {resistance: 1, torque_constant: 2}, "
                "link: {mass: 1}}\n"
                "  - {name: b, type: fixed}\n"
                "  - {name: c, type: fixed, parent: a, limits: {}}\n");
  assert_int_equal(r.status, LW_OK);
  const lwRobotDef* robot = lw_model_robot(r.model);
  const lwJointDef* j     = joint_of(&r, 0);
  assert_same(robot->gravity[2], -9.81);
  assert_int_equal(j->placement, LW_PLACEMENT_DH_MODIFIED);
  assert_int_equal(j->parent, LW_BASE);
  assert_int_equal(joint_of(&r, 1)->parent, 0);
  assert_int_equal(joint_of(&r, 2)->parent, 0);
  assert_same(j->limits.lower, -INFINITY);
  assert_same(j->limits.upper, INFINITY);
  assert_same(j->limits.velocity, INFINITY);
  assert_same(j->limits.effort, INFINITY);
  assert_same(j->motor.gear, 1);
  assert_same(j->motor.efficiency, 1);
  assert_same(j->motor.rotor_inertia, 0);
  assert_same(j->motor.voltage, INFINITY);
  assert_same(j->motor.current, INFINITY);
  assert_false(joint_of(&r, 1)->motor.given);
  assert_same(joint_of(&r, 1)->link.mass, 0);
  forget(&r);
}

static void origin_and_axis_are_read(void** state)
{
  (void)state;
  Reading r = read_text("{\"linkwork\": 1, \"joints\": [\n"
                        "{\"name\": \"a\", \"type\": \"revolute\", \"axis\": [0, 2, 0],\n"
                        " \"origin\": {\"xyz\": [1, 2, 3], \"rpy\": [0.1, 0.2, 90 deg]},\n"
                        " \"link\": {\"mass\": 1, \"com\": [1, 0, 0]}},\n"
                        "{\"name\": \"b\", \"type\": \"fixed\", \"origin\": {}}]}\n");
  assert_int_equal(r.status, LW_OK);
  const lwJointDef* j = joint_of(&r, 0);
  assert_int_equal(j->placement, LW_PLACEMENT_ORIGIN_AXIS);
  assert_same(j->xyz[0], 1);
  assert_same(j->xyz[2], 3);
  assert_same(j->rpy[0], 0.1);
  assert_same(j->rpy[2], 1.5707963267948966);
  assert_same(j->axis[1], 2);
  assert_same(j->axis[2], 0);
  assert_int_equal(joint_of(&r, 1)->placement, LW_PLACEMENT_ORIGIN_AXIS);
  forget(&r);
}

static void links_may_be_shared_by_alias(void** state)
{
  (void)state;
  Reading r = read_text(
      "linkwork: 1\njoints:\n"
      "  - {name: a, type: revolute, a: &length 0.3, link: &l {mass: 1, com: [1, 0, 0]}}\n"
      "  - {name: b, type: revolute, a: *length, link: *l}\n");
  assert_int_equal(r.status, LW_OK);
  assert_same(joint_of(&r, 1)->a, 0.3);
  assert_same(joint_of(&r, 1)->link.mass, 1);
  forget(&r);
}

// --- what is refused

// A robot with one correct joint in line 3; a mistake can be inserted in line 3 at column 31.
#define HEAD        "linkwork: 1\njoints:\n"
#define SOUND       "  - {name: a, type: revolute, a: 1, link: {mass: 1, com: [0.1, 0, 0]}}\n"
#define JOINT(rest) HEAD "  - {name: a, type: revolute, " rest "}\n"

typedef struct Refused
{
  const char* text;
  Finding finding;
} Refused;

static const Refused refused[] = {
    // the file
    {"joints:\n" SOUND, {1, 1, "a robot needs the key 'linkwork'", NULL}},
    {"linkwork: 2\njoints:\n" SOUND,
     {1, 11, "'linkwork' must be 1, the version of the format that is read; found '2'", NULL}},
    {"linkwork: '1'\njoints:\n" SOUND, {1, 11, "must be 1", NULL}},
    {"linkwork: [1]\njoints:\n" SOUND, {1, 11, "found a list", NULL}},
    {"linkwork: *x\njoints:\n" SOUND, {1, 11, "stands for nothing", "before"}},
    {"linkwork: 1\n", {1, 1, "a robot needs the key 'joints'", NULL}},
    {"linkwork: 1\njoint: []\n",
     {2, 1, "unknown key 'joint' in a robot", "did you mean 'joints'?"}},
    {"linkwork: 1\njoints: []\n", {2, 9, "at least one joint, found an empty list", NULL}},
    {"linkwork: 1\njoints: 3\n", {2, 9, "at least one joint, found '3'", NULL}},
    {"linkwork: 1\njoints: *x\n", {2, 9, "stands for nothing", "before"}},
    {"linkwork: 1\ngravity: [0, 0]\njoints:\n" SOUND,
     {2, 10, "a list of 3 numbers, found 2", NULL}},
    {"linkwork: 1\ndh: Modified\njoints:\n" SOUND,
     {2, 5, "'dh' must be modified or standard", "did you mean 'modified'?"}},
    {"linkwork: 1\nname: [x]\njoints:\n" SOUND, {2, 7, "'name' must be a text", NULL}},
    // joints
    {HEAD "  - 3\n", {3, 5, "a joint must be a mapping of keys to values, found '3'", NULL}},
    {HEAD "  - {type: fixed}\n" SOUND, {3, 5, "a joint needs the key 'name'", NULL}},
    {HEAD "  - {name: b}\n" SOUND, {3, 5, "a joint needs the key 'type'", NULL}},
    {HEAD "  - {name: b, type: rotary}\n" SOUND,
     {3, 21,
      "'type' must be revolute, prismatic, fixed, ball, floating, planar, cylindrical, "
      "universal or screw, found 'rotary'",
      NULL}},
    {HEAD "  - {name: b, type: prismtic}\n" SOUND,
     {3, 21, "found 'prismtic'", "did you mean 'prismatic'?"}},
    {HEAD "  - {name: b, tpye: fixed}\n" SOUND,
     {3, 15, "unknown key 'tpye' in a joint", "did you mean 'type'?"}},
    {JOINT("aplha: 3"), {3, 31, "unknown key 'aplha'", "did you mean 'alpha'?"}},
    {JOINT("alpha: 90 degrees"),
     {3, 38, "'alpha' must be a number, in rad, found '90 degrees'", "'90 deg'"}},
    {JOINT("a: 1 m"), {3, 34, "'a' must be a number, in m", "SI units"}},
    {JOINT("limits: {lower: 1 m}"), {3, 47, "'lower' must be a number, in rad", "'90 deg'"}},
    {HEAD "  - {name: b, limits: {lower: 90 deg}, type: prismatic}\n" SOUND,
     {3, 31, "'lower' must be a number, in m", "SI units"}},
    {JOINT("limits: {velocity: .inf}"),
     {3, 50, "'velocity' must be a finite number, in rad/s", NULL}},
    {JOINT("friction: {viscos: 1}"),
     {3, 42, "unknown key 'viscos' in friction", "did you mean 'viscous'?"}},
    {JOINT("motor: {resistance: 1}"), {3, 38, "a motor needs the key 'torque_constant'", NULL}},
    {JOINT("motor: {torque_constant: 1}"), {3, 38, "a motor needs the key 'resistance'", NULL}},
    {JOINT("link: {parts: '#forearm'}"),
     {3, 45, "'parts' must name a file and, after #, one of its links", "parts: arm"}},
    {JOINT("link: {mass: 1, payload: {com: [0, 0, 1]}}"),
     {3, 56, "a payload needs the key 'mass'", NULL}},
    {JOINT("link: {mass: 1, payload: {mass: -1}}"), {3, 63, "'mass' must be positive", NULL}},
    {JOINT("link: {inertia: [1, 2, 3]}"),
     {3, 47, "'inertia' must be a list of 6 numbers, found 3", NULL}},
    // placement
    {JOINT("a: 1, origin: {xyz: [0, 0, 1]}, axis: [0, 0, 1]"),
     {3, 45, "mixes DH parameters with an origin",
      "either alpha, a, d and theta, or origin and axis"}},
    {JOINT("theta: 0, axis: [0, 0, 1]"), {3, 47, "mixes DH parameters with an axis", "either"}},
    {JOINT("origin: {xyz: [0, 0, 1]}"), {3, 39, "an origin but no axis", "axis: [0, 0, 1]"}},
    {HEAD "  - {name: b, type: fixed, axis: [0, 0, 1]}\n" SOUND,
     {3, 34, "a fixed joint has no axis", "leave the axis out"}},
    // parents
    {HEAD SOUND "  - {name: elbow, type: fixed, parent: b}\n",
     {4, 40, "parent of joint 'elbow': there is no joint 'b'", NULL}},
    {HEAD SOUND "  - {name: elbow, type: fixed}\n  - {name: c, type: fixed, parent: elbwo}\n",
     {5, 36, "there is no joint 'elbwo'", "did you mean 'elbow'?"}},
    {HEAD SOUND "  - {name: c, type: fixed, parent: basis}\n",
     {4, 36, "there is no joint 'basis'", "did you mean 'base'?"}},
    {HEAD SOUND "  - {name: elbow, type: fixed, link: {name: forearm}}\n  - {name: c, type: fixed, "
                "parent: forearm}\n",
     {5, 36, "there is no joint 'forearm'",
      "this is a link; name the joint that carries it: 'elbow'"}},
    {HEAD "  - {name: b, type: fixed, parent: a}\n" SOUND "  - {name: c, type: fixed}\n",
     {3, 36, "parent of joint 'b': 'a' is defined only in line 4", "parents come before children"}},
    {HEAD SOUND "  - {name: b, type: fixed, parent: b}\n",
     {4, 36, "a cycle of parents: joint 'b' on 'b'", "base must be reached"}},
    {HEAD SOUND
     "  - {name: b, type: fixed, parent: d}\n  - {name: c, type: fixed, parent: b}\n  - {name: d, "
     "type: fixed, parent: c}\n",
     {4, 36, "a cycle of parents: joint 'b' on 'd' on 'c' on 'b'", "base"}},
    // names
    {HEAD SOUND "  - {name: b, type: fixed}\n  - {name: a, type: fixed}\n",
     {5, 12, "joint 'a': this name is already given in line 3", NULL}},
    {HEAD SOUND
     "  - {name: b, type: fixed, link: {name: x}}\n  - {name: c, type: fixed, link: {name: x}}\n",
     {5, 34, "link 'x': this name is already given in line 4", NULL}},
    {HEAD SOUND "  - {name: base, type: fixed}\n",
     {4, 12, "no joint may have this name", "another name"}},
    {HEAD SOUND "  - {name: \"a\\tb\", type: fixed}\n", {4, 12, "control character", NULL}},
    // meaning of numbers, found by the validation and reported at their places in the file
    {JOINT("link: {mass: -2, com: [1, 0, 0]}"),
     {3, 44, "link 'a': mass must not be negative (-2 kg)", NULL}},
    {JOINT("a: 1e31, link: {mass: 1, com: [1, 0, 0]}"),
     {3, 34, "joint 'a': a must be within +-1e30 (1e+31 m)", NULL}},
    {JOINT("limits: {lower: 2, upper: 1}, link: {mass: 1, com: [1, 0, 0]}"),
     {3, 39, "joint 'a': lower limit is above upper limit (2 > 1)", NULL}},
    {JOINT("axis: [0, 0, 0], link: {mass: 1, com: [1, 0, 0]}"),
     {3, 37, "joint 'a': axis has no direction", NULL}},
    {JOINT("motor: {resistance: 1, torque_constant: 1, efficiency: 1.5}, link: {mass: 1, com: [1, "
           "0, 0]}"),
     {3, 38, "joint 'a': motor efficiency must be greater than 0 and at most 1 (1.5)", NULL}},
    {JOINT("friction: {coulomb: -1}, link: {mass: 1, com: [1, 0, 0]}"),
     {3, 41, "coulomb friction must not be negative", NULL}},
    {JOINT("a: 1, link: {mass: 1, inertia: [1, 1, -1, 0, 0, 0]}"),
     {3, 62,
      "link 'a': inertia is not positive semidefinite: a principal moment is negative (-1, 1, 1 kg "
      "m^2)",
      "order xx yy zz xy xz yz"}},
    {HEAD "  - {name: a, type: fixed}\n", {0, 0, "no moving joint", NULL}},
};

static void what_is_wrong_is_said_once_and_in_its_place(void** state)
{
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i)
  {
    Reading r = read_text(refused[i].text);
    wrong += r.status != LW_ERROR_INPUT || lw_diag_count(r.diag, LW_SEVERITY_ERROR) != 1;
    wrong += !finding_is_only(r.diag, &refused[i].finding);
    forget(&r);
  }
  assert_int_equal(wrong, 0);
}

static void errors_of_all_kinds_are_reported_together(void** state)
{
  (void)state;
  Reading r =
      read_text("linkwork: 1\n"
                "gravty: [0, 0, 0]\n"
                "joints:\n"
                "  - {name: a, type: revolute, a: x, link: {mass: -1}}\n"
                "  - {name: b, type: revolute, parent: z, link: {mass: -1}}\n"
                "  - {name: b, type: revolute, link: {mass: 1, inertia: [1, 1, 3, 0, 0, 0]}}\n");
  const Finding expected[] = {
      {2, 1, "unknown key 'gravty'", "gravity"}, {4, 34, "'a' must be a number", NULL},
      {5, 39, "there is no joint 'z'", NULL},    {5, 55, "mass must not be negative", NULL},
      {6, 56, "triangle rule", "order"},         {6, 12, "already given in line 5", NULL}};
  assert_true(findings_are(r.diag, expected, 6));
  assert_int_equal(r.status, LW_ERROR_INPUT);
  forget(&r);
}

static void warnings_do_not_refuse_unless_strict(void** state)
{
  (void)state;
  const char* text       = JOINT("a: 1, link: {mass: 1, inertia: [0.012, 0.011, 0.031, 0, 0, 0]}");
  const Finding expected = {
      3, 62,
      "link 'a': inertia breaks the triangle rule: Ixx + Iyy < Izz (0.012 + 0.011 < 0.031 kg m^2)",
      "no rigid body has these principal moments"};
  Reading r = read_text(text);
  assert_int_equal(r.status, LW_OK);
  assert_true(finding_is_only(r.diag, &expected));
  assert_int_equal(lw_diag_count(r.diag, LW_SEVERITY_WARNING), 1);
  assert_string_equal(lw_diag_message(r.diag, 0)->source,
                      "  - {name: a, type: revolute, a: 1, link: {mass: 1, inertia: [0.012, 0.011, "
                      "0.031, 0, 0, 0]}}");
  forget(&r);
  r = read_with(text, &(lwModelOptions){.lint.strict = true});
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_true(finding_is_only(r.diag, &expected));
  assert_int_equal(lw_diag_count(r.diag, LW_SEVERITY_ERROR), 1);
  forget(&r);
}

static void bad_inertia_can_be_allowed(void** state)
{
  (void)state;
  Reading r =
      read_with(JOINT("a: 1, link: {mass: 1, com: [2, 0, 0], inertia: [1, 1, -1, 0, 0, 0]}"),
                &(lwModelOptions){.lint.allow_bad_inertia = true});
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_diag_count(r.diag, LW_SEVERITY_WARNING), 1);
  forget(&r);
}

static void files_and_nobody_listening(void** state)
{
  (void)state;
  lwModel* model = (lwModel*)1;
  assert_int_equal(lw_robot_read_file("/nonexistent/arm.yaml", NULL, NULL, &model), LW_ERROR_FILE);
  assert_null(model);
  model = (lwModel*)1;
  assert_int_equal(lw_robot_read_text("x", NULL, 0, NULL, NULL, &model), LW_ERROR_INPUT);
  assert_null(model);
}

// --- large robots

typedef struct Text
{
  char* bytes;
  size_t length, capacity;
} Text;

static void add(Text* text, const char* format, ...)
{
  if (text->capacity - text->length < 300)
  {
    text->capacity = 2 * text->capacity + 4096;
    text->bytes    = realloc(text->bytes, text->capacity);
  }
  va_list arguments;
  va_start(arguments, format);
  text->length += (size_t)vsnprintf(text->bytes + text->length, 300, format, arguments);
  va_end(arguments);
}

// A robot of n joints; the parent of joint i is parent(i, n).
static Reading read_many(int n, int (*parent)(int i, int n))
{
  Text text = {0};
  add(&text, "linkwork: 1\njoints:\n");
  for (int i = 0; i < n; ++i)
  {
    add(&text, "  - {name: joint%d, type: revolute, a: 0.1, link: {mass: 1, com: [0.1, 0, 0]}", i);
    if (parent(i, n) >= 0) add(&text, ", parent: joint%d", parent(i, n));
    add(&text, "}\n");
  }
  Reading r = read_text(text.bytes);
  free(text.bytes);
  return r;
}

static int half(int i, int n)
{
  (void)n;
  return i > 0 ? i / 2 : -1;
}

static int next(int i, int n)
{
  return (i + 1) % n;
}

static int later(int i, int n)
{
  return i < n / 2 ? n - 1 - i : -1;
}

static void a_hundred_thousand_joints_are_read(void** state)
{
  (void)state;
  clock_t start = clock();
  Reading r     = read_many(LW_MAX_JOINTS, half);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_model_dof(r.model), LW_MAX_JOINTS);
  assert_int_equal(joint_of(&r, 99999)->parent, 49999);
  assert_less((double)(clock() - start) / CLOCKS_PER_SEC,
              60);  // takes a second; sanitizers take longer
  forget(&r);
}

static void one_more_is_refused(void** state)
{
  (void)state;
  Reading r = read_many(LW_MAX_JOINTS + 1, half);
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_true(finding_is_only(
      r.diag, &(Finding){3, 3, "the robot has 100001 joints; at most 100000 are possible", NULL}));
  forget(&r);
}

static void long_cycles_and_wrong_orders_take_linear_time(void** state)
{
  (void)state;
  Reading r = read_many(50000, next);
  assert_int_equal(lw_diag_count(r.diag, LW_SEVERITY_ERROR), 1);
  assert_non_null(
      strstr(lw_diag_message(r.diag, 0)->text,
             "'joint0' on 'joint1' on 'joint2' on 'joint3' on 'joint4' on ... on 'joint0'"));
  forget(&r);
  r = read_many(50000, later);
  assert_int_equal(lw_diag_count(r.diag, LW_SEVERITY_ERROR), 25000);
  assert_contains(lw_diag_message(r.diag, 0)->text, "'joint49999' is defined only in line");
  forget(&r);
}

// --- mimic joints, the base, fixed joints

#define HAND(more)                                                                                 \
  "linkwork: 1\n"                                                                                  \
  "base: {name: palm, mass: 2, com: [0, 0, 0.1], inertia: [0.01, 0.01, 0.01, 0, 0, 0]}\n"          \
  "joints:\n"                                                                                      \
  "  - {name: a, type: revolute, parent: base, link: {mass: 1, com: [1, 0, 0]}, " more "}\n"       \
  "  - {name: b, type: prismatic, parent: base, link: {mass: 3}}\n"

static void followers_and_the_base_are_read(void** state)
{
  (void)state;
  Reading r = read_text(HAND("mimic: {joint: b, multiplier: -2, offset: 90 deg}"));
  assert_int_equal(r.status, LW_OK);
  const lwRobotDef* robot = lw_model_robot(r.model);
  const lwMimic* mimic    = &robot->joints[0].mimic;
  assert_true(mimic->given);
  assert_int_equal(mimic->leader, 1);
  assert_same(mimic->multiplier, -2);
  assert_closer(mimic->offset, 1.5707963267948966, 1e-16);
  assert_int_equal(lw_model_dof(r.model), 1);
  assert_int_equal(lw_model_joint(r.model, 0), 1);
  assert_string_equal(robot->base.name, "palm");
  assert_same(robot->base.mass, 2);
  assert_same(robot->base.com[2], 0.1);
  assert_int_equal(robot->joints[1].line, 5);
  forget(&r);
  r = read_with(HAND("mimic: {joint: c}"), &(lwModelOptions){.joints.free_mimics = true});
  assert_int_equal(lw_model_dof(r.model), 2);
  forget(&r);
  r = read_with(HAND("mimic: {joint: c}"), &(lwModelOptions){.read.fix = "a"});
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(joint_of(&r, 0)->type, LW_JOINT_FIXED);
  forget(&r);
}

static void wrong_followers_and_bases_are_refused(void** state)
{
  (void)state;
  static const struct
  {
    const char* text;
    Finding finding;
  } bad[] = {
      {HAND("mimic: {joint: bb}"),
       {4, 85, "joint 'a' mimics 'bb': there is no such joint", "lwJointChoice.free_mimics"}},
      {HAND("mimic: {multiplier: 2}"), {4, 85, "mimic needs the key 'joint'", NULL}},
      {HAND("mimic: {joint: a}"),
       {4, 85, "joint 'a': a circle of joints that mimic each other", "by itself"}},
      {HAND("mimic: {joint: b, offset: .inf}"), {4, 104, "'offset' must be a finite number", NULL}},
      {"linkwork: 1\nbase: {mass: -1}\njoints: [{name: a, type: prismatic, link: {mass: 1}}]\n",
       {2, 14, "link 'base': mass must not be negative", NULL}},
      {"linkwork: 1\nbase: {weight: 1}\njoints: [{name: a, type: prismatic, link: {mass: 1}}]\n",
       {2, 8, "unknown key 'weight' in the base", NULL}},
  };
  int wrong = 0;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
  {
    Reading r = read_text(bad[i].text);
    wrong += r.status != LW_ERROR_INPUT || !finding_is_only(r.diag, &bad[i].finding);
    forget(&r);
  }
  assert_int_equal(wrong, 0);
}

static void inert_joints_can_be_allowed(void** state)
{
  (void)state;
  static const char text[] = "linkwork: 1\njoints:\n  - {name: a, type: revolute}\n";
  Reading r                = read_text(text);
  assert_true(finding_is_only(
      r.diag, &(Finding){3, 5, "joint 'a': what it moves, link 'a', has no", "inertia about"}));
  forget(&r);
  r = read_with(text, &(lwModelOptions){.lint.allow_inert = true});
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_model_inert(r.model), 0);
  assert_int_equal(lw_diag_count(r.diag, LW_SEVERITY_WARNING), 1);
  assert_int_equal(lw_model_inert_driven(r.model), 0);
  forget(&r);
  r = read_with("linkwork: 1\njoints:\n  - {name: a, type: revolute, motor: {resistance: 1, "
                "torque_constant: 1, rotor_inertia: 1e-4}}\n",
                &(lwModelOptions){.lint.allow_inert = true});
  assert_int_equal(lw_model_inert(r.model), 0);
  assert_int_equal(lw_model_inert_driven(r.model), -1);
  forget(&r);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_key_reaches_the_description),
      cmocka_unit_test(what_is_left_out_has_its_default),
      cmocka_unit_test(origin_and_axis_are_read),
      cmocka_unit_test(links_may_be_shared_by_alias),
      cmocka_unit_test(what_is_wrong_is_said_once_and_in_its_place),
      cmocka_unit_test(errors_of_all_kinds_are_reported_together),
      cmocka_unit_test(warnings_do_not_refuse_unless_strict),
      cmocka_unit_test(bad_inertia_can_be_allowed),
      cmocka_unit_test(files_and_nobody_listening),
      cmocka_unit_test(followers_and_the_base_are_read),
      cmocka_unit_test(wrong_followers_and_bases_are_refused),
      cmocka_unit_test(inert_joints_can_be_allowed),
      cmocka_unit_test(a_hundred_thousand_joints_are_read),
      cmocka_unit_test(one_more_is_refused),
      cmocka_unit_test(long_cycles_and_wrong_orders_take_linear_time),
  };
  return cmocka_run_group_tests_name("robot", tests, NULL, NULL);
}
