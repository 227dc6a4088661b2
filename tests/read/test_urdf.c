// SPDX-License-Identifier: MIT
// URDF files: what is read from them, what real ones contain that a reader must survive, and everything that is
// refused, at exactly its place.
#include <math.h>
#include <stdlib.h>

#include "findings.h"
#include "linkwork/linkwork.h"
#include "linkwork/read.h"
#include "support/testing.h"

typedef struct Reading
{
  lwDiag* diag;
  lwModel* model;
  lwStatus status;
} Reading;

static Reading read_bytes(const char* text, size_t length, const lwModelOptions* options)
{
  Reading r = {.diag = lw_diag_create()};
  r.status  = lw_robot_read_text("arm.urdf", text, length, options, r.diag, &r.model);
  assert_int_equal(r.status == LW_OK, r.model != NULL);
  return r;
}

static Reading read_with(const char* text, const lwModelOptions* options)
{
  return read_bytes(text, strlen(text), options);
}

static void forget(Reading* r)
{
  lw_model_destroy(r->model);
  lw_diag_destroy(r->diag);
}

// A text that must be read, with so many warnings.
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
  for (int i = 0; i < count; ++i) assert_true(fabs(got[i] - expected[i]) < 1e-15);
}

// --- pieces of files

#define INERTIAL                                                                                   \
  "<inertial><origin xyz='0 0 0.1'/><mass value='1'/>"                                             \
  "<inertia ixx='.01' iyy='.01' izz='.004' ixy='0' ixz='0' iyz='0'/></inertial>"
#define LINK(name) "<link name='" name "'>" INERTIAL "</link>\n"
#define JOINT(name, type, parent, child, more)                                                     \
  "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child          \
  "'/>" more "</joint>\n"
#define ROBOT(inside) "<robot name='arm'>\n" inside "</robot>\n"
#define ARM(more)     ROBOT(LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm", more))

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
  assert_true(robot->base.mass == 3 && robot->base.inertia[2] == 0.02);
  assert_int_equal(robot->count, 1);
  assert_string_equal(joint->name, "turn");
  assert_int_equal(joint->type, LW_REVOLUTE);
  assert_int_equal(joint->parent, LW_BASE);
  assert_int_equal(joint->placement, LW_ORIGIN_AXIS);
  assert_int_equal(joint->line, 7);
  close_to(joint->xyz, (double[]){0.1, -0.2, 0.3}, 3);
  close_to(joint->rpy, (double[]){0.4, 0.5, -0.6}, 3);
  close_to(joint->axis, (double[]){0, -1, 0}, 3);
  assert_true(joint->limits.lower == -1.5 && joint->limits.upper == 2);
  assert_true(joint->limits.velocity == 3 && joint->limits.effort == 40);
  assert_true(joint->friction.viscous == 0.25 && joint->friction.coulomb == 0.5);
  assert_true(joint->motor.gear == 62.5 && !joint->motor.given);
  assert_string_equal(joint->link.name, "arm");
  assert_true(joint->link.mass == 2);
  close_to(joint->link.com, (double[]){0.01, 0.02, 0.03}, 3);
  // a quarter turn about z: x' = y, y' = -x
  close_to(joint->link.inertia, (double[]){0.02, 0.01, 0.025, -0.001, -0.003, 0.002}, 6);
  forget(&r);
}

// The tensor turns with rpy as the joint frames do: a link turned by its inertial and one turned by a fixed joint are
// the same.
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
    Reading r    = sound(texts[k], 1);  // the axis is not normalised
    lwWork* work = NULL;
    assert_int_equal(lw_work_create(r.model, NULL, &work), LW_OK);
    lw_inverse_dynamics(r.model, work, &q, &qd, &qdd, &tau[k]);
    lw_work_destroy(work);
    forget(&r);
  }
  assert_true(fabs(tau[0] - tau[1]) < 1e-14);
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

static void long_chains_and_wide_trees_are_read(void** state)
{
  (void)state;
  enum
  {
    COUNT = 3000,
    ROOM  = 400
  };
  for (int wide = 0; wide < 2; ++wide)
  {
    char* text  = malloc((size_t)COUNT * ROOM);
    size_t used = (size_t)sprintf(text, "<robot name='long'><link name='l0'/>");
    for (int i = COUNT; i > 0; --i)
      used += (size_t)sprintf(
          text + used,
          "<link name='l%d'>" INERTIAL "</link>"
          "<joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/></joint>\n",
          i, i, wide ? 0 : i - 1, i);
    strcpy(text + used, "</robot>");
    Reading r = sound(text, 0);
    assert_int_equal(lw_model_dof(r.model), COUNT);
    assert_string_equal(joint_of(&r, 0)->name, "j1");
    assert_string_equal(joint_of(&r, 1)->name, wide ? "j10" : "j2");
    forget(&r);
    free(text);
  }
}

// --- what real files contain

typedef struct Oddity
{
  const char* text;
  int warnings;
} Oddity;

static const Oddity oddities[] = {
    // links without inertial, with the one behind them
    {ROBOT("<link name='base'/>" LINK("arm") JOINT("j", "continuous", "base", "arm", "")), 0},
    // no mass but inertia; and nothing at all
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
    // all six entries alike: singular, and against the triangle rule
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='1'/><inertia ixx='1e-6' "
                        "iyy='1e-6' izz='1e-6' "
                        "ixy='1e-6' ixz='1e-6' iyz='1e-6'/></inertial></link>" JOINT(
                            "j", "continuous", "base", "arm", "")),
     1},
    // a link and a joint of the same name; a joint before its links
    {ROBOT(JOINT("arm", "continuous", "base", "arm", "") LINK("base") LINK("arm")), 0},
    // a joint called base, which stands on a link of that name
    {ROBOT(JOINT("base", "continuous", "base", "arm", "") LINK("base") LINK("arm")), 0},
    // joints and links inside of other elements, and in comments
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
    // origins and limits that are missing in part
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
    // a document type that declares nothing; an encoding that is not that of the file, which is ASCII
    {"<!DOCTYPE robot><robot name='arm'>" LINK("base") LINK("arm")
         JOINT("j", "continuous", "base", "arm", "") "</robot>",
     0},
    {"<?xml version='1.0' encoding='ISO-8859-1'?><robot name='arm'>" LINK("base") LINK("arm")
         JOINT("j", "continuous", "base", "arm", "") "</robot>",
     0},
    // no name, names with entities of XML and with letters of other scripts
    {"<robot>" LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm", "") "</robot>", 1},
    {ROBOT(LINK("a&amp;b") LINK("\xD0\x96&#x416;")
               JOINT("&lt;j&gt;", "continuous", "a&amp;b", "&#x416;\xD0\x96", "")),
     0},
    // a transmission of a joint that does not exist; one without reduction; one with zero; the old form
    {ARM(""), 0},
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm",
                                          "") "<transmission><joint name='x'/></transmission>"),
     1},
    {ROBOT(LINK("base") LINK("arm")
               JOINT("j", "continuous", "base", "arm",
                     "") "<transmission><joint "
                         "name='j'/><mechanicalReduction>0</mechanicalReduction></transmission>"),
     1},
    // elements that come twice
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
  assert_non_null(strstr(notes, "2 gazebo"));
  assert_non_null(strstr(notes, "1 sensor"));
  assert_non_null(strstr(notes, "1 K of <dynamics>"));
  assert_non_null(strstr(notes, "1 calibration"));
  assert_non_null(strstr(notes, "1 limit"));
  assert_non_null(strstr(notes, "mimic of joint 'k' is without effect: the joint is fixed"));
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
  assert_true(isinf(limits->lower) && isinf(limits->upper) && isinf(limits->effort) &&
              isinf(limits->velocity));
  forget(&r);
  r = sound(ARM("<limit lower='-1' upper='1' effort='3'/>"), 0);  // continuous
  assert_true(isinf(joint_of(&r, 0)->limits.lower) && joint_of(&r, 0)->limits.effort == 3);
  forget(&r);
  r = sound(
      ROBOT(LINK("base") LINK("arm") JOINT("j", "prismatic", "base", "arm", "<limit upper='2'/>")),
      0);
  assert_true(joint_of(&r, 0)->limits.lower == 0 && joint_of(&r, 0)->limits.upper == 2);
  forget(&r);
}

// --- mimic

#define FINGERS(follower)                                                                          \
  ROBOT(LINK("palm") LINK("one") LINK("two") LINK("three")                                         \
            JOINT("m", "prismatic", "palm", "one", "") follower)

static void followers_follow_whatever_comes_first(void** state)
{
  (void)state;
  // k comes before its leader m in the order of the names, n behind it; and o follows k
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
  assert_true(k->given && k->multiplier == -2 && k->offset == 0.5);
  assert_string_equal(robot->joints[k->leader].name, "m");
  assert_string_equal(robot->joints[o->leader].name, "k");
  assert_true(o->given && o->multiplier == 3 && o->offset == 0);
  forget(&r);

  lwModelOptions alone = {.free_mimics = true};
  r = read_with(FINGERS(JOINT("k", "continuous", "palm", "two", "<mimic joint='nobody'/>")
                            JOINT("o", "prismatic", "palm", "three", "<mimic joint='o'/>")),
                &alone);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_model_dof(r.model), 3);
  forget(&r);
}

// --- inert joints, joints with more freedoms

static void massless_ends_are_said_and_named(void** state)
{
  (void)state;
  static const char text[] = ROBOT(LINK("base") LINK("arm") "<link name='tip'/>" JOINT(
      "j", "continuous", "base", "arm", "") JOINT("spin", "continuous", "arm", "tip", ""));
  Reading r                = sound(text, 1);
  const lwMessage* message = lw_diag_message(r.diag, 0);
  assert_int_equal(message->severity, LW_SEVERITY_WARNING);
  assert_non_null(strstr(message->text, "joint 'spin': what it moves, link 'tip', has no inertia"));
  assert_int_equal(message->place.line, 5);
  assert_string_equal(joint_of(&r, lw_model_inert(r.model))->name, "spin");
  forget(&r);
  r = read_with(text, &(lwModelOptions){.strict = true});
  assert_int_equal(r.status, LW_ERROR_INPUT);
  forget(&r);
  r = sound(ARM(""), 0);
  assert_int_equal(lw_model_inert(r.model), -1);
  forget(&r);
}

// A follower without mass is moved by its leader, which has some; and the other way round.
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
  lwModelOptions options = {.fix = "float"};
  Reading r              = read_with(text, &options);
  assert_int_equal(r.status, LW_OK);
  assert_int_equal(lw_model_dof(r.model), 1);
  assert_int_equal(joint_of(&r, 0)->type, LW_FIXED);
  assert_true(joint_of(&r, 0)->xyz[2] == 1);
  assert_non_null(
      strstr(lw_model_robot(r.model)->notes, "joint 'float' (floating) is fixed by --fix"));
  forget(&r);
  r = read_with(text, &(lwModelOptions){.fix = " float ,k"});
  assert_true(finding_is_only(r.diag, &(Finding){0, 0, "--fix: there is no joint 'k'", NULL}));
  forget(&r);
}

// --- what is refused

typedef struct Bad
{
  const char* text;
  Finding finding;  // the only one
} Bad;

static const Bad bad_files[] = {
    // the file as a whole
    {"", {1, 1, "the file is empty", "begins with '<robot"}},
    {" \n ", {1, 1, "the file is empty", "begins with '<robot"}},
    {"<!-- nothing -->", {1, 17, "the file has no element", "begins with"}},
    {"robot", {1, 1, "the file has no element", "begins with"}},
    {"<sdf><model/></sdf>",
     {1, 1, "the outermost element of a URDF file is <robot>, found <sdf>", "SDF"}},
    {"<robot/>", {1, 1, "the robot has no links", NULL}},
    {"<robot name='x'><link name='a'/></robot>", {1, 1, "the robot has no joints", NULL}},
    {"<robot name='x'>\n<link name='a'>\n",
     {3, 1, "no well-formed XML: Premature end of data", ""}},
    {"<robot name='x'>\n<link name='a'>\n</robot>",
     {3, 9, "Opening and ending tag mismatch", "</tag>"}},
    {"<robot name='x'><link name=a/></robot>", {1, 28, "AttValue", "quotes"}},
    {"<robot name='x'><link name='a' name='b'/></robot>", {1, 40, "Attribute name redefined", ""}},
    {"<robot name='&what;'/>", {1, 20, "Entity 'what' not defined", "&amp;"}},
    {"<?xml version='1.0'?>\n<!DOCTYPE r [<!ENTITY a 'b'><!ENTITY c '&a;&a;'>]>\n<robot "
     "name='&c;'/>",
     {2, 1, "a document type declaration with entities", "delete it"}},
    {"<!DOCTYPE r SYSTEM 'file:///etc/passwd'>\n<robot/>",
     {1, 1, "a document type declaration with an external file", "no other file is read"}},
    {"<!DOCTYPE r [<!ENTITY x SYSTEM 'http://localhost/x'>]>\n<robot>&x;</robot>",
     {1, 1, "a document type declaration", "delete it"}},
    {"<robot name='\xFC'/>", {1, 14, "the file is not UTF-8 text", "UTF-8"}},
    {"\xFF\xFE<\x01r\x01", {1, 1, "the file is not UTF-8 text", "UTF-16"}},
    // names
    {ROBOT("<link/>" LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm", "")),
     {2, 1, "<link> needs the attribute 'name'", NULL}},
    {ROBOT("<link name=''/>" LINK("base") LINK("arm") JOINT("j", "continuous", "base", "arm", "")),
     {2, 13, "'name' must be a text", NULL}},
    {ROBOT(LINK("base") LINK("arm") LINK("arm") JOINT("j", "continuous", "base", "arm", "")),
     {4, 13, "link 'arm': this name is already given in line 3", NULL}},
    {ROBOT(LINK("base") LINK("arm") LINK("tip") JOINT("j", "continuous", "base", "arm", "")
               JOINT("j", "continuous", "arm", "tip", "")),
     {6, 14, "joint 'j': this name is already given in line 5", NULL}},
    // structure
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "continuous", "bose", "arm", "")),
     {4, 49, "there is no link 'bose'", "did you mean 'base'?"}},
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "continuous", "base", "hand", "")),
     {4, 69, "there is no link 'hand'", NULL}},
    {ROBOT(LINK("base")
               LINK("arm") "<joint name='j' type='continuous'><parent link='base'/></joint>"),
     {4, 1, "<joint> needs a <child link", NULL}},
    {ROBOT(LINK("base") LINK(
         "arm") "<joint name='j' type='continuous'><parent/><child link='arm'/></joint>"),
     {4, 35, "<parent> needs the attribute 'link'", NULL}},
    {ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "continuous", "a", "b", "")),
     {4, 13, "2 links are the child of no joint: 'a', 'c'", "one root"}},
    {ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "continuous", "a", "c", "")
               JOINT("k", "continuous", "b", "c", "")),
     {6, 1, "joint 'k': its child 'c' is already that of joint 'j'", "loops"}},
    {ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "a", "b", "")
               JOINT("k", "continuous", "b", "a", "")),
     {5, 1, "a cycle of links: 'a' on 'b' on 'a'", "root"}},
    {ROBOT(LINK("a") LINK("b") JOINT("j", "continuous", "b", "b", "")),
     {4, 1, "a cycle of links: 'b' on 'b'", "root"}},
    // types
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "revolut", "base", "arm", "")),
     {4, 23, "'type' must be revolute, continuous, prismatic or fixed, found 'revolut'",
      "did you mean 'revolute'?"}},
    {ROBOT(LINK("base")
               LINK("arm") "<joint name='j'><parent link='base'/><child link='arm'/></joint>"),
     {4, 1, "<joint> needs the attribute 'type'", NULL}},
    {ROBOT(LINK("base") LINK("arm") JOINT("fly", "floating", "base", "arm", "")),
     {4, 1, "joint 'fly' is floating, with 6 freedoms", "--fix fly"}},
    {ROBOT(LINK("base") LINK("arm") JOINT("go", "planar", "base", "arm", "")),
     {4, 1, "joint 'go' is planar, with 3 freedoms", "--fix go"}},
    {ROBOT(LINK("base") LINK("arm") JOINT("j", "fixed", "base", "arm", "")),
     {0, 0, "the robot has no moving joint", NULL}},
    // numbers
    {ARM("\n<origin xyz='1 2'/>"),
     {5, 14, "'xyz' must be 3 numbers separated by spaces, in m, found 2", NULL}},
    {ARM("\n<origin xyz='1 2 3 4'/>"), {5, 14, "found 4", NULL}},
    {ARM("\n<origin xyz='1 two 3'/>"),
     {5, 16, "item 2 of 'xyz' must be a number, in m, found 'two'", NULL}},
    {ARM("\n<origin xyz='1, 2 3'/>"), {5, 14, "item 1 of 'xyz' must be a number", "decimal mark"}},
    {ARM("\n<origin rpy='0 nan 0'/>"), {5, 16, "item 2 of 'rpy' must be a finite number", NULL}},
    {ARM("\n<origin rpy='0 0 1e999'/>"), {5, 18, "must be a number below 1.8e308", NULL}},
    {ARM("\n<origin xyz='${a} 0 0'/>"), {5, 14, "'xyz' must be a number, found '${a}'", "xacro"}},
    {ARM("\n<axis xyz='0 0 0'/>"), {5, 1, "joint 'j': axis has no direction (0, 0, 0)", NULL}},
    {ARM("\n<axis/>"), {5, 1, "<axis> needs the attribute 'xyz'", NULL}},
    {ARM("\n<limit effort='much'/>"),
     {5, 16, "'effort' must be a number, in N m or N, found 'much'", NULL}},
    {ARM("\n<dynamics damping='-1'/>"), {5, 1, "viscous friction must not be negative", NULL}},
    {ARM("\n<dynamics damping='inf'/>"), {5, 20, "'damping' must be a finite number", NULL}},
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='-1'/><inertia ixx='1' iyy='1' "
                        "izz='1' ixy='0' "
                        "ixz='0' iyz='0'/></inertial></link>" JOINT("j", "continuous", "base",
                                                                    "arm", "")),
     {3, 28, "link 'arm': mass must not be negative (-1 kg)", NULL}},
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='1'/></inertial></link>" JOINT(
         "j", "continuous", "base", "arm", "")),
     {3, 18, "<inertial> needs <inertia>", "without mass"}},
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
                        "ixy='0' ixz='0' "
                        "iyz='0'/></inertial></link>" JOINT("j", "continuous", "base", "arm", "")),
     {3, 45, "<inertia> needs the attribute 'izz'", NULL}},
    {ROBOT(LINK("base") "<link name='arm'><inertial><mass value='1'/><inertia ixx='.1' iyy='.1' "
                        "izz='.1' ixy='.3' "
                        "ixz='0' iyz='0'/></inertial></link>" JOINT("j", "continuous", "base",
                                                                    "arm", "")),
     {3, 45, "link 'arm': inertia is not positive semidefinite", "--allow-bad-inertia"}},
    // mimic
    {FINGERS(JOINT("k", "prismatic", "palm", "two", "<mimic joint='x'/>")
                 JOINT("l", "fixed", "palm", "three", "")),
     {7, 88, "joint 'k' mimics 'x': there is no such joint", "--mimic independent"}},
    {FINGERS(JOINT("k", "prismatic", "palm", "two", "<mimic/>")
                 JOINT("l", "fixed", "palm", "three", "")),
     {7, 74, "<mimic> needs the attribute 'joint'", NULL}},
    {FINGERS(JOINT("k", "prismatic", "palm", "two", "<mimic joint='l'/>")
                 JOINT("l", "prismatic", "palm", "three", "<mimic joint='k'/>")),
     {7, 88, "a circle of joints that mimic each other: 'k' -> 'l' -> 'k'", "by itself"}},
};

static void what_is_wrong_is_said_once_and_in_its_place(void** state)
{
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; ++i)
  {
    Reading r   = read_with(bad_files[i].text, NULL);
    Finding one = bad_files[i].finding;
    // an empty hint stands for any
    if (one.hint && !*one.hint && lw_diag_size(r.diag) == 1)
      one.hint = lw_diag_message(r.diag, 0)->hint;
    wrong += r.status != LW_ERROR_INPUT || !finding_is_only(r.diag, &one);
    forget(&r);
  }
  assert_int_equal(wrong, 0);
}

static void all_errors_are_reported_together(void** state)
{
  (void)state;
  Reading r = read_with(
      ROBOT("<link name='base'/>\n"
            "<link name='arm'><inertial><mass value='x'/><inertia/></inertial></link>\n"
            "<link name='tip'><inertial><mass value='-2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' "
            "ixz='0' iyz='0'/></inertial></link>\n"
            "<joint name='j' type='round'><parent link='bas'/><child link='arm'/></joint>\n"
            "<joint name='k' type='prismatic'><parent link='arm'/><child link='tip'/>"
            "<axis xyz='0 0 0'/></joint>\n"),
      NULL);
  const Finding expected[] = {
      {3, 41, "'value' must be a number", NULL},   {3, 45, "needs the attribute 'ixx'", NULL},
      {3, 45, "needs the attribute 'iyy'", NULL},  {3, 45, "needs the attribute 'izz'", NULL},
      {3, 45, "needs the attribute 'ixy'", NULL},  {3, 45, "needs the attribute 'ixz'", NULL},
      {3, 45, "needs the attribute 'iyz'", NULL},  {5, 23, "'type' must be", NULL},
      {5, 44, "there is no link 'bas'", "'base'"}, {4, 28, "mass must not be negative", NULL}};
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_true(findings_are(r.diag, expected, sizeof expected / sizeof *expected));
  forget(&r);
}

// --- hostile files: one clear error, in bounded memory and time

// `times` copies of a piece between a beginning and an end
static char* repeat(const char* begin, const char* piece, size_t times, const char* end,
                    size_t* length)
{
  size_t size = strlen(piece);
  char* text  = malloc(strlen(begin) + size * times + strlen(end) + 1);
  assert_non_null(text);
  char* at = text + strlen(strcpy(text, begin));
  for (size_t i = 0; i < times; ++i, at += size) memcpy(at, piece, size);
  strcpy(at, end);
  *length = (size_t)(at - text) + strlen(end);
  return text;
}

static void hostile(const char* begin, const char* piece, size_t times, const char* end,
                    const char* fragment)
{
  size_t length;
  char* text = repeat(begin, piece, times, end, &length);
  Reading r  = read_bytes(text, length, NULL);
  assert_int_not_equal(r.status, LW_OK);
  if (lw_diag_size(r.diag) != 1) findings_print(r.diag);
  assert_int_equal(lw_diag_size(r.diag), 1);
  if (!strstr(lw_diag_message(r.diag, 0)->text, fragment))
    fail_msg("expected '%s', found '%s'", fragment, lw_diag_message(r.diag, 0)->text);
  forget(&r);
  free(text);
}

static void hostile_files_end_in_one_error(void** state)
{
  (void)state;
  hostile("<robot name='x'>", "<a>", 100000, "", "nested deeper than 64 levels");
  hostile("<robot name='", "x", 100 << 20, "'/>", "larger than 64 MB");
  hostile("<robot name='", "x", 20 << 20, "'/>", "no well-formed XML");
  hostile("<robot ", "a='' ", 100000, "/>", "an element of 100000 attributes; at most 256");
  hostile("<robot ", "a=''\n", 200, "/>", "Attribute a redefined");
  hostile("<robot name='x'>", "<a/>", 100000, "</robot>", "the robot has no links");
  hostile("<robot name='x'><link name='a'/>", "<joint/>", 100001, "</robot>",
          "100001 joints; at most 100000");
  hostile("<!--", "-", 1000000, "", "no well-formed XML");
  hostile("<", "<", 1000000, "", "no well-formed XML");
  hostile("<robot", "='", 1000001, "", "an element of");
}

// Errors beyond a hundred are counted, not kept, and looking for hints does not take n^2 time.
static void many_errors_are_counted(void** state)
{
  (void)state;
  size_t length;
  char* text = repeat("<robot name='x'><link name='a'/>",
                      "<joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint>\n",
                      20000, "</robot>", &length);
  Reading r  = read_bytes(text, length, NULL);
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_true(lw_diag_count(r.diag, LW_SEVERITY_ERROR) >= 40000);
  assert_true(lw_diag_size(r.diag) <= 200);
  forget(&r);
  free(text);
}

// Whether a text is URDF is seen by its name or by its first letter.
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
      cmocka_unit_test(real_files_are_survived),
      cmocka_unit_test(what_is_left_out_is_counted),
      cmocka_unit_test(doubtful_limits_limit_nothing),
      cmocka_unit_test(followers_follow_whatever_comes_first),
      cmocka_unit_test(massless_ends_are_said_and_named),
      cmocka_unit_test(followers_may_be_massless),
      cmocka_unit_test(joints_with_more_freedoms_can_be_fixed),
      cmocka_unit_test(what_is_wrong_is_said_once_and_in_its_place),
      cmocka_unit_test(all_errors_are_reported_together),
      cmocka_unit_test(hostile_files_end_in_one_error),
      cmocka_unit_test(many_errors_are_counted),
      cmocka_unit_test(urdf_is_recognised),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
