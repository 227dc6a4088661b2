// SPDX-License-Identifier: MIT
// URDF files: their content is read, and the reader copes with the oddities of real files.
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "support/reader_findings.h"
#include "urdf_texts.h"

// Reads a text, which must succeed with this many warnings.
static Reading sound(const char* text, int warnings)
{
  Reading r = read_with(text, NULL);
  if (r.status != LW_OK || lw_diag_size(r.diag) != warnings) findings_print(r.diag);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_diag_size(r.diag), warnings);
  return r;
}

static const lwJointDef* joint_of(const Reading* r, int i)
{
  return &lw_model_robot(r->model)->joints[i];
}

static const lwJointDef* joint_named(const Reading* r, const char* name)
{
  const lwRobotDef* robot = lw_model_robot(r->model);
  for (int i = 0; i < robot->count; ++i)
    if (strcmp(robot->joints[i].name, name) == 0) return &robot->joints[i];
  fail_msg("there is no joint '%s'", name);
  return NULL;
}

static void close_to(const double* got, const double* expected, int count)
{
  for (int i = 0; i < count; ++i) assert_closer(got[i], expected[i], 1e-15);
}

// --- what is read

static const char full[] =
    "<?xml version=\"1.0\"?>\r\n"
    "<robot name=\"bench arm\" xmlns:xacro=\"http://ros.org/wiki/xacro\">\r\n"
    "  <link name=\"stand\">\r\n"
    "    <inertial><mass value=\"3\"/>\r\n"
    "      <inertia ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.02\" iyz=\"0\" "
    "izz=\"0.02\"/></inertial>\r\n"
    "  </link>\r\n"
    "  <joint name=\"turn\" type=\"revolute\">\r\n"
    "    <parent link=\"stand\"/><child link=\"arm\"/>\r\n"
    "    <origin xyz=\" 0.1  -0.2 0.3 \" rpy=\"0.4 +0.5 -.6\"/>\r\n"
    "    <axis xyz=\"0 -1 0\"/>\r\n"
    "    <limit lower=\"-1.5\" upper=\"2.\" velocity=\"3e0\" effort = \"40\"/>\r\n"
    "    <dynamics damping=\"0.25\" friction=\"0.5\"/>\r\n"
    "  </joint>\r\n"
    "  <link name=\"arm\">\r\n"
    "    <inertial>\r\n"
    "      <origin xyz=\"0.01 0.02 0.03\" rpy=\"0 0 1.5707963267948966\"/>\r\n"
    "      <mass value=\"2\"/>\r\n"
    "      <inertia ixx=\"0.01\" ixy=\"0.001\" ixz=\"0.002\" iyy=\"0.02\" iyz=\"0.003\" "
    "izz=\"0.025\"/>\r\n"
    "    </inertial>\r\n"
    "  </link>\r\n"
    "  <transmission name=\"t\"><joint name=\"turn\"/>\r\n"
    "    <actuator name=\"m\"><mechanicalReduction> 62.5 </mechanicalReduction></actuator>\r\n"
    "  </transmission>\r\n"
    "</robot>\r\n";

static void every_number_reaches_the_description(void** state)
{
  (void)state;
  Reading r               = sound(full, 0);
  const lwRobotDef* robot = lw_model_robot(r.model);
  const lwJointDef* joint = joint_of(&r, 0);
  assert_string_equal(robot->name, "bench arm");
  assert_string_equal(robot->base.name, "stand");
  assert_same(robot->base.mass, 3);
  assert_same(robot->base.inertia[2], 0.02);
  assert_int_equal(robot->count, 1);
  assert_string_equal(joint->name, "turn");
  assert_int_equal(joint->type, LW_JOINT_REVOLUTE);
  assert_int_equal(joint->parent, LW_BASE);
  assert_int_equal(joint->placement, LW_PLACEMENT_ORIGIN_AXIS);
  assert_int_equal(joint->line, 7);
  close_to(joint->xyz, (double[]){0.1, -0.2, 0.3}, 3);
  close_to(joint->rpy, (double[]){0.4, 0.5, -0.6}, 3);
  close_to(joint->axis, (double[]){0, -1, 0}, 3);
  assert_same(joint->limits.lower, -1.5);
  assert_same(joint->limits.upper, 2);
  assert_same(joint->limits.velocity, 3);
  assert_same(joint->limits.effort, 40);
  assert_same(joint->friction.viscous, 0.25);
  assert_same(joint->friction.coulomb, 0.5);
  assert_same(joint->motor.gear, 62.5);
  assert_false(joint->motor.given);
  assert_string_equal(joint->link.name, "arm");
  assert_same(joint->link.mass, 2);
  close_to(joint->link.com, (double[]){0.01, 0.02, 0.03}, 3);
  // a quarter turn about z: x' = y, y' = -x
  close_to(joint->link.inertia, (double[]){0.02, 0.01, 0.025, -0.001, -0.003, 0.002}, 6);
  forget(&r);
}

// rpy rotates the inertia tensor as it does joint frames: rotating a link by its inertial or by a
// fixed joint is the same.
static void inertial_frames_turn_as_fixed_joints_do(void** state)
{
  (void)state;
#define TENSOR                                                                                     \
  "<inertia ixx='.01' iyy='.02' izz='.025' ixy='.001' ixz='-.002' iyz='.003'/></inertial>"
  static const char turned[] = ROBOT(LINK("base") JOINT(
      "j", "continuous", "base", "arm",
      "<axis xyz='1 2 -2'/>") "<link name='arm'><inertial><origin xyz='.1 .2 .3' rpy='.4 -.5 "
                              "1.6'/><mass value='2'/>" TENSOR "</link>");
  static const char fixed[]  = ROBOT(LINK("base") JOINT(
       "j", "continuous", "base", "arm",
       "<axis xyz='1 2 -2'/>") "<link name='arm'/>" JOINT("k", "fixed", "arm", "body",
                                                          "<origin xyz='.1 .2 .3' rpy='.4 -.5 "
                                                           "1.6'/>") "<link "
                                                                     "name='body'><inertial><mass "
                                                                     "value='2'/>" TENSOR "</link>");
  const char* texts[]        = {turned, fixed};
  double tau[2], qdd = 1.3, q = 0.7, qd = -0.4;
  for (int k = 0; k < 2; ++k)
  {
    Reading r       = sound(texts[k], 1);  // the axis is not normalised
    lwWorkspace* ws = NULL;
    assert_int_equal(lw_workspace_create(r.model, NULL, NULL, &ws), LW_OK);
    lw_inverse_dynamics(r.model, ws, &q, &qd, &qdd, &tau[k]);
    lw_workspace_destroy(ws);
    forget(&r);
  }
  assert_closer(tau[0], tau[1], 1e-14);
}

// --- order

static void joints_come_depth_first_by_name(void** state)
{
  (void)state;
  static const char* const expected[] = {"B", "b1", "b10", "b2", "a"};
  static const int parents[]          = {LW_BASE, 0, 1, 0, LW_BASE};
  Reading r                           = sound(
                                ROBOT(JOINT("b10", "continuous", "l1", "l10", "") JOINT("a", "continuous", "root", "la", "")
                                          JOINT("b2", "prismatic", "lB", "l2", "") JOINT("b1", "revolute", "lB", "l1", "")
                                              JOINT("B", "fixed", "root", "lB", "") LINK("l10") LINK("la") LINK("l2")
                                                  LINK("l1") LINK("lB") LINK("root")),
                                0);
  assert_int_equal(lw_model_joint_count(r.model), 5);
  for (int i = 0; i < 5; ++i)
  {
    assert_string_equal(joint_of(&r, i)->name, expected[i]);
    assert_int_equal(joint_of(&r, i)->parent, parents[i]);
  }
  assert_string_equal(lw_model_robot(r.model)->base.name, "root");
  assert_int_equal(lw_model_dof(r.model), 4);
  forget(&r);
}

// A robot of many joints, all on the base or each on the previous one, written from last to first.
static char* long_text(int count, bool wide)
{
  enum
  {
    ROOM = 500  // bytes per joint with its link
  };
  char* text = malloc((size_t)(count + 1) * ROOM);
  assert_non_null(text);
  size_t used = (size_t)sprintf(text, "<robot name='long'><link name='l0'/>");
  for (int i = count; i > 0; --i)
    used += (size_t)sprintf(
        text + used,
        "<link name='l%d'>" INERTIAL "</link><joint name='j%d' type='revolute'>"
        "<parent link='l%d'/><child link='l%d'/><origin xyz='0 .1 .3' rpy='.3 .2 .1'/>"
        "<axis xyz='0 %d %d'/><limit lower='-2' upper='2' effort='9' velocity='1'/></joint>\n",
        i, i, wide ? 0 : i - 1, i, i % 2, 1 - i % 2);
  strcpy(text + used, "</robot>");
  return text;
}

static void long_chains_and_wide_trees_are_read(void** state)
{
  (void)state;
  for (int wide = 0; wide < 2; ++wide)
  {
    char* text = long_text(3000, wide);
    Reading r  = sound(text, 0);
    assert_int_equal(lw_model_dof(r.model), 3000);
    assert_string_equal(joint_of(&r, 0)->name, "j1");
    assert_string_equal(joint_of(&r, 1)->name, wide ? "j10" : "j2");
    forget(&r);
    free(text);
  }
}

// CPU time in ms from the text to a usable model: the best of several.
static double ready_time(const char* text)
{
  double best   = INFINITY;
  size_t length = strlen(text);
  for (int k = 0; k < 5; ++k)
  {
    lwWorkspace* ws = NULL;
    clock_t start   = clock();
    Reading r       = read_bytes(text, length, NULL);
    assert_int_equal(lw_workspace_create(r.model, NULL, NULL, &ws), LW_OK);
    best = fmin(best, 1e3 * (double)(clock() - start) / CLOCKS_PER_SEC);
    lw_workspace_destroy(ws);
    forget(&r);
  }
  return best;
}

// Ten times as many joints take ten times as long, up to caches and noise. Without optimisation, or
// with sanitizers, the times are meaningless.
static void time_grows_with_the_number_of_joints(void** state)
{
  (void)state;
#if !defined(NDEBUG)
  skip();
#endif
  for (int wide = 0; wide < 2; ++wide)
  {
    char *small = long_text(1000, wide), *large = long_text(10000, wide);
    double one = ready_time(small), ten = ready_time(large);
    print_message("%s: 1,000 joints are ready in %.1f ms, 10,000 in %.1f ms\n",
                  wide ? "tree" : "chain", one, ten);
    assert_less(ten, 30 * one);
    free(small);
    free(large);
  }
}

// --- what real files contain

typedef struct Oddity
{
  const char* text;
  int warnings;
} Oddity;

static const Oddity oddities[] = {
    // links without inertial, followed by one with inertial
    {ROBOT("<link name='base'/>" LINK("arm") JOINT("j", "continuous", "base", "arm", "")), 0},
    // inertia without mass; neither mass nor inertia
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='0'/><inertia ixx='.1' iyy='.1' "
                        "izz='.1' ixy='0' "
                        "ixz='0' iyz='0'/></inertial></link>" JOINT("j", "continuous", "base",
                                                                    "arm", "")),
     1},
    {ROBOT("<link name='base'/><link name='arm'><inertial><mass value='0'/><inertia ixx='0' "
           "iyy='0' izz='0' ixy='0' "
           "ixz='0' iyz='0'/></inertial></link>" JOINT("j", "continuous", "base", "arm", "")),
     1},
    // a point mass
    {ROBOT(LINK("base") "<link name='arm'><inertial><origin xyz='0 1 0'/><mass value='1'/><inertia "
                        "ixx='0' iyy='0' "
                        "izz='0' ixy='0' ixz='0' iyz='0'/></inertial></link>" JOINT(
                            "j", "continuous", "base", "arm", "")),
     0},
    // noise of 1e-20 that makes a tensor indefinite
    {ROBOT(LINK("base") "<link name='arm'><inertial><origin xyz='0 1 0'/><mass value='1'/><inertia "
                        "ixx='0' iyy='0' "
                        "izz='0' ixy='1e-20' ixz='0' iyz='0'/></inertial></link>" JOINT(
                            "j", "continuous", "base", "arm", "")),
     0},
    // all six entries equal: singular, and breaks the triangle rule
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='1'/><inertia ixx='1e-6' "
                        "iyy='1e-6' izz='1e-6' "
                        "ixy='1e-6' ixz='1e-6' iyz='1e-6'/></inertial></link>" JOINT(
                            "j", "continuous", "base", "arm", "")),
     1},
    // a link and a joint with the same name; a joint before its links
    {ROBOT(JOINT("arm", "continuous", "base", "arm", "") LINK("base") LINK("arm")), 0},
    // a joint called base on a link of that name
    {ROBOT(JOINT("base", "continuous", "base", "arm", "") LINK("base") LINK("arm")), 0},
    // joints and links inside other elements, and in comments
    {ROBOT(LINK("base") LINK("arm") JOINT(
         "j", "continuous", "base", "arm",
         "") "<transmission name='t'><joint name='j'><link name='x'/></joint></transmission>"
             "<gazebo><joint name='j' type='what'/><link name='base'/></gazebo>"
             "<ros2_control name='c' type='system'><joint name='j'/></ros2_control>"
             "<!-- <joint name='j'/> <xacro:include filename='x'/> <link name='base'/> -->"),
     0},
    // unknown elements and attributes; meshes
    {ROBOT("<sensor name='s'><parent link='base'/></sensor>" LINK("base") LINK("arm")
               JOINT("j", "continuous", "base", "arm",
                     "<safety_controller k_velocity='1'/><hardware/><dynamics damping='1' "
                     "K='7'/>") "<material name='grey'><color rgba='1 1 1 1'/></material>"),
     0},
    {ROBOT(LINK("base") "<link name='arm'>" INERTIAL
                        "<visual><geometry><mesh filename='package://a/b.dae'/></geometry>"
                        "</visual><collision><geometry><mesh "
                        "filename='file:///a.stl'/></geometry></collision>"
                        "</link>" JOINT("j", "continuous", "base", "arm", "")),
     0},
    // namespaces: declared, used, and not declared
    {"<robot name='arm' xmlns='http://www.ros.org' xmlns:sensor='http://x'>" LINK("base")
         LINK("arm")
             JOINT("j", "continuous", "base", "arm", "") "<sensor:camera/><controller:x/></robot>",
     0},
    // axes: negative, oblique, off by 1e-7, not normalised, none
    {ARM("<axis xyz='0 0 -1'/>"), 0},
    {ARM("<axis xyz='0 0.6 0.8'/>"), 0},
    {ARM("<axis xyz='0 0 1.0000001'/>"), 0},
    {ARM("<axis xyz='0 0 10'/>"), 1},
    {ARM(""), 0},
    // origins and limits with missing attributes
    {ARM("<origin xyz='1 2 3'/>"), 0},
    {ARM("<origin rpy='1 2 3'/>"), 0},
    {ROBOT(LINK("base") LINK("arm")
               JOINT("j", "revolute", "base", "arm", "<limit effort='1' velocity='1'/>")),
     0},
    {ROBOT(LINK("base") LINK("arm")
               JOINT("j", "revolute", "base", "arm", "<limit lower='0' upper='0' effort='1'/>")),
     1},
    {ROBOT(LINK("base") LINK("arm")
               JOINT("j", "revolute", "base", "arm", "<limit lower='2' upper='1'/>")),
     1},
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "revolute", "base", "arm",
                                          "<limit upper='1' effort='0' velocity='-1'/>")),
     2},
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "revolute", "base", "arm",
                                          "<limit lower='-inf' upper='INF' effort='inf'/>")),
     0},
    // spaces, tabs and line ends in vectors, around = and in front
    {ARM("<origin xyz = '\t1e0\n 2.E-1  +.3 '\n rpy\n=\n\"0 0 0\"  />"), 0},
    {"\n\n  <robot name='arm'>" LINK("base") LINK("arm")
         JOINT("j", "continuous", "base", "arm", "") "</robot>",
     0},
    {"\xEF\xBB\xBF<robot name='arm'>" LINK("base") LINK("arm")
         JOINT("j", "continuous", "base", "arm", "") "</robot>",
     0},
    // a document type that declares nothing; an encoding other than the file's, which is ASCII
    {"<!DOCTYPE robot><robot name='arm'>" LINK("base") LINK("arm")
         JOINT("j", "continuous", "base", "arm", "") "</robot>",
     0},
    {"<?xml version='1.0' encoding='ISO-8859-1'?><robot name='arm'>" LINK("base") LINK("arm")
         JOINT("j", "continuous", "base", "arm", "") "</robot>",
     0},
    // no name; names with XML entities and with letters of other scripts
    {"<robot>" LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm", "") "</robot>", 1},
    {ROBOT(LINK("a&amp;b") LINK("\xD0\x96&#x416;")
               JOINT("&lt;j&gt;", "continuous", "a&amp;b", "&#x416;\xD0\x96", "")),
     0},
    // transmissions: of an unknown joint, without reduction, with reduction zero, in the old form
    {ARM(""), 0},
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm",
                                          "") "<transmission><joint name='x'/></transmission>"),
     1},
    {ROBOT(LINK("base") LINK("arm")
               JOINT("j", "continuous", "base", "arm",
                     "") "<transmission><joint "
                         "name='j'/><mechanicalReduction>0</mechanicalReduction></transmission>"),
     1},
    // elements that occur twice
    {ARM("<axis xyz='0 0 1'/><axis xyz='1 0 0'/>"), 1},
};

static void real_files_are_survived(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof oddities / sizeof *oddities; ++i)
  {
    Reading r = sound(oddities[i].text, oddities[i].warnings);
    assert_int_equal(lw_model_dof(r.model), 1);
    forget(&r);
  }
}

static void what_is_left_out_is_counted(void** state)
{
  (void)state;
  Reading r =
      sound(ROBOT("<gazebo/><gazebo/><sensor/>" LINK("base") LINK("arm") LINK("tip")
                      JOINT("j", "continuous", "base", "arm", "<dynamics K='1'/><calibration/>")
                          JOINT("k", "fixed", "arm", "tip", "<mimic joint='j'/><limit/>")),
            0);
  const char* notes = lw_model_robot(r.model)->notes;
  assert_contains(notes, "2 gazebo");
  assert_contains(notes, "1 sensor");
  assert_contains(notes, "1 K of <dynamics>");
  assert_contains(notes, "1 calibration");
  assert_contains(notes, "1 limit");
  assert_contains(notes, "mimic of joint 'k' is without effect: the joint is fixed");
  forget(&r);
}

static void doubtful_limits_limit_nothing(void** state)
{
  (void)state;
  Reading r              = sound(ROBOT(LINK("base") LINK("arm")
                                           JOINT("j", "revolute", "base", "arm",
                                                 "<limit lower='1' upper='-1' effort='0' velocity='0'/>")),
                                 3);
  const lwLimits* limits = &joint_of(&r, 0)->limits;
  assert_infinite(limits->lower);
  assert_infinite(limits->upper);
  assert_infinite(limits->effort);
  assert_infinite(limits->velocity);
  forget(&r);
  r = sound(ARM("<limit lower='-1' upper='1' effort='3'/>"), 0);  // continuous
  assert_infinite(joint_of(&r, 0)->limits.lower);
  assert_same(joint_of(&r, 0)->limits.effort, 3);
  forget(&r);
  r = sound(
      ROBOT(LINK("base") LINK("arm") JOINT("j", "prismatic", "base", "arm", "<limit upper='2'/>")),
      0);
  assert_same(joint_of(&r, 0)->limits.lower, 0);
  assert_same(joint_of(&r, 0)->limits.upper, 2);
  forget(&r);
}

// --- mimic

static void followers_follow_whatever_comes_first(void** state)
{
  (void)state;
  // by name, k comes before its leader m, and n after it; o mimics k
  Reading r = sound(
      FINGERS(
          JOINT("k", "continuous", "palm", "two", "<mimic joint='m' multiplier='-2' offset='.5'/>")
              JOINT("o", "prismatic", "palm", "three", "<mimic joint='k' multiplier='3'/>")),
      0);
  const lwRobotDef* robot = lw_model_robot(r.model);
  assert_int_equal(lw_model_dof(r.model), 1);
  assert_string_equal(robot->joints[lw_model_joint(r.model, 0)].name, "m");
  const lwMimic* k = &joint_named(&r, "k")->mimic;
  const lwMimic* o = &joint_named(&r, "o")->mimic;
  assert_true(k->given);
  assert_same(k->multiplier, -2);
  assert_same(k->offset, 0.5);
  assert_string_equal(robot->joints[k->leader].name, "m");
  assert_string_equal(robot->joints[o->leader].name, "k");
  assert_true(o->given);
  assert_same(o->multiplier, 3);
  assert_same(o->offset, 0);
  forget(&r);

  lwModelOptions alone = {.joints.free_mimics = true};
  r = read_with(FINGERS(JOINT("k", "continuous", "palm", "two", "<mimic joint='nobody'/>")
                            JOINT("o", "prismatic", "palm", "three", "<mimic joint='o'/>")),
                &alone);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_model_dof(r.model), 3);
  forget(&r);
}

// --- inert joints, joints with several degrees of freedom

static void massless_ends_are_said_and_named(void** state)
{
  (void)state;
  static const char text[] = ROBOT(LINK("base") LINK("arm") "<link name='tip'/>" JOINT(
      "j", "continuous", "base", "arm", "") JOINT("spin", "continuous", "arm", "tip", ""));
  Reading r                = sound(text, 1);
  const lwMessage* message = lw_diag_message(r.diag, 0);
  assert_int_equal(message->severity, LW_SEVERITY_WARNING);
  assert_contains(message->text, "joint 'spin': what it moves, link 'tip', has no inertia");
  assert_int_equal(message->place.line, 5);
  assert_string_equal(joint_of(&r, lw_model_inert(r.model))->name, "spin");
  forget(&r);
  r = read_with(text, &(lwModelOptions){.lint.strict = true});
  assert_int_equal(r.status, LW_ERROR_INPUT);
  forget(&r);
  r = sound(ARM(""), 0);
  assert_int_equal(lw_model_inert(r.model), -1);
  forget(&r);
}

// A massless mimic joint is fine if its leader moves mass, and the other way round.
static void followers_may_be_massless(void** state)
{
  (void)state;
  Reading r = sound(
      ROBOT(LINK("palm") LINK("one") "<link name='two'/>" JOINT("a", "prismatic", "palm", "one", "")
                JOINT("b", "prismatic", "palm", "two", "<mimic joint='a'/>")),
      0);
  assert_int_equal(lw_model_inert(r.model), -1);
  forget(&r);
  r = sound(ROBOT(LINK("palm")
                      LINK("one") "<link name='two'/>" JOINT("b", "prismatic", "palm", "two", "")
                          JOINT("a", "prismatic", "palm", "one", "<mimic joint='b'/>")),
            0);
  assert_int_equal(lw_model_inert(r.model), -1);
  forget(&r);
}

static void joints_with_more_freedoms_can_be_fixed(void** state)
{
  (void)state;
  static const char text[] =
      ROBOT(LINK("world") LINK("body") LINK("arm")
                JOINT("float", "floating", "world", "body", "<origin xyz='0 0 1'/>")
                    JOINT("j", "continuous", "body", "arm", ""));
  lwModelOptions options = {.read.fix = "float"};
  Reading r              = read_with(text, &options);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_model_dof(r.model), 1);
  assert_int_equal(joint_of(&r, 0)->type, LW_JOINT_FIXED);
  assert_same(joint_of(&r, 0)->xyz[2], 1);
  assert_contains(lw_model_robot(r.model)->notes,
                  "joint 'float' (floating) is fixed, as asked for");
  forget(&r);
  r = read_with(text, &(lwModelOptions){.read.fix = " float ,k"});
  assert_true(
      finding_is_only(r.diag, &(Finding){0, 0, "lwReadOptions.fix: there is no joint 'k'", NULL}));
  forget(&r);
}

// URDF is recognised by the file name or by the first character.
static void urdf_is_recognised(void** state)
{
  (void)state;
  static const char* const names[] = {"<stdin>", "arm.yaml", NULL, "ARM.URDF", "arm.xml"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
  {
    lwModel* model           = NULL;
    static const char text[] = "\n " ARM("");
    assert_int_equal(lw_robot_read_text(names[i], text, sizeof text - 1, NULL, NULL, &model),
                     LW_OK);
    lw_model_destroy(model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_number_reaches_the_description),
      cmocka_unit_test(inertial_frames_turn_as_fixed_joints_do),
      cmocka_unit_test(joints_come_depth_first_by_name),
      cmocka_unit_test(long_chains_and_wide_trees_are_read),
      cmocka_unit_test(time_grows_with_the_number_of_joints),
      cmocka_unit_test(real_files_are_survived),
      cmocka_unit_test(what_is_left_out_is_counted),
      cmocka_unit_test(doubtful_limits_limit_nothing),
      cmocka_unit_test(followers_follow_whatever_comes_first),
      cmocka_unit_test(massless_ends_are_said_and_named),
      cmocka_unit_test(followers_may_be_massless),
      cmocka_unit_test(joints_with_more_freedoms_can_be_fixed),
      cmocka_unit_test(urdf_is_recognised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
