// SPDX-License-Identifier: MIT
// MJCF files: what elements and defaults become, against closed forms; errors at their place; files
// that are included; hostile files.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/reader_findings.h"
#include "urdf_texts.h"

#define MJCF(before, inside) "<mujoco>" before "<worldbody>" inside "</worldbody></mujoco>"
#define MASS                 "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"

static Reading read_mjcf(const char* text)
{
  Reading r = {.diag = lw_diag_create()};
  r.status  = lw_robot_read_text("arm.xml", text, strlen(text), NULL, r.diag, &r.model);
  assert_int_equal(r.status == LW_OK, r.model != NULL);
  return r;
}

static Reading sound(const char* text)
{
  Reading r = read_mjcf(text);
  if (r.status != LW_OK) findings_print(r.diag);
  assert_int_equal(r.status, LW_OK);
  return r;
}

static const lwJointDef* joint(const Reading* r, const char* name)
{
  const lwRobotDef* robot = lw_model_robot(r->model);
  for (int i = 0; i < robot->count; ++i)
    if (strcmp(robot->joints[i].name, name) == 0) return &robot->joints[i];
  fail_msg("no joint '%s'", name);
  return NULL;
}

static void expect_numbers(const double* got, const double* expected, int count)
{
  for (int i = 0; i < count; ++i) assert_near(got[i], expected[i], 1e-12);
}

static void expect_pose(const Reading* r, const char* link, const double* q, const double* xyz)
{
  double p[3], R[9];
  lwWorkspace* ws;
  lwFrame frame = {0};
  assert_int_equal(lw_model_find_link(r->model, link, &frame.joint), LW_OK);
  lwWorkspaceDef def = lw_workspace_def();
  assert_int_equal(lw_workspace_create(r->model, &def, NULL, &ws), LW_OK);
  assert_int_equal(lw_workspace_set_frame(ws, r->model, &frame, NULL), LW_OK);
  lw_pose(r->model, ws, q, p, R);
  expect_numbers(p, xyz, 3);
  lw_workspace_destroy(ws);
}

// --- joints

// Nearest class first, then what contains it; degrees unless the compiler says otherwise.
static void defaults_come_from_nested_classes(void** state)
{
  (void)state;
  Reading r = sound(
      MJCF("<default><joint damping='1' armature='0.5' range='-90 180'/><default class='a'>"
           "<joint damping='2' axis='0 1 0'/><default class='b'><joint frictionloss='3'/></default>"
           "</default></default>",
           "<body name='one' childclass='b'><joint name='j'/>" MASS "<body name='two'>"
           "<joint name='k' class='a' damping='7' type='slide'/>" MASS "</body></body>"
           "<body name='three'><joint name='l' limited='false'/>" MASS "</body>"));
  const lwJointDef *j = joint(&r, "j"), *k = joint(&r, "k"), *l = joint(&r, "l");
  assert_same(j->friction.viscous, 2);
  assert_same(j->friction.coulomb, 3);
  assert_same(j->armature, 0.5);
  assert_same(lw_joint_rotor(j), 0.5);
  expect_numbers(j->axis, (double[]){0, 1, 0}, 3);
  assert_near(j->limits.lower, -acos(0), 1e-15);
  assert_near(j->limits.upper, 2 * acos(0), 1e-15);
  assert_same(k->friction.viscous, 7);
  assert_same(k->friction.coulomb, 0);
  assert_same(k->limits.upper, 180);  // of a slide, m
  assert_same(l->friction.viscous, 1);
  assert_infinite(l->limits.upper);
  forget(&r);
}

// Anchors and references: at q = ref the body is where it is drawn; its frame is its own.
static void joints_of_one_body_act_one_after_the_other(void** state)
{
  (void)state;
  Reading r = sound(MJCF("<compiler angle='radian'/>",
                         "<body name='b' pos='1 0 0'>"
                         "<joint name='x' type='slide' axis='1 0 0' ref='0.5'/>"
                         "<joint name='turn' pos='0 1 0' axis='0 0 1'/>" MASS
                         "<site name='tip' pos='0 3 0'/></body>"));
  assert_int_equal(lw_model_dof(r.model), 2);
  assert_string_equal(lw_model_joint_name(r.model, 0), "x");
  expect_pose(&r, "b", (double[]){0.5, 0}, (double[]){1, 0, 0});
  expect_pose(&r, "b", (double[]){2.5, 0}, (double[]){3, 0, 0});
  // half a turn about the anchor at y = 1
  expect_pose(&r, "b", (double[]){0.5, 2 * acos(0)}, (double[]){1, 2, 0});
  expect_pose(&r, "tip", (double[]){0.5, acos(0)}, (double[]){1 - 2, 1, 0});
  forget(&r);
}

// Each of these turns x to y about z; the body stands at x = 1 of the frame.
static void orientations_are_the_same(void** state)
{
  (void)state;
  static const char* const ways[] = {"quat='1 0 0 1'", "axisangle='0 0 2 90'", "euler='0 0 90'",
                                     "xyaxes='0 1 0 -1 0 0'", "euler='0 0 90'"};
  char text[1000];
  for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i)
  {
    snprintf(text, sizeof text,
             MJCF("<compiler eulerseq='%s'/>",
                  "<frame %s><body name='b' pos='1 0 0'><joint axis='0 0 1'/>" MASS
                  "</body></frame>"),
             i == 4 ? "XYZ" : "xyz", ways[i]);
    Reading r = sound(text);
    expect_pose(&r, "b", (double[]){0}, (double[]){0, 1, 0});
    assert_string_equal(lw_model_joint_name(r.model, 0), "b_joint");
    forget(&r);
  }
  Reading r = sound(
      MJCF("", "<body zaxis='1 0 0'><body name='b' pos='0 0 1'><joint/>" MASS "</body></body>"));
  expect_pose(&r, "b", (double[]){0}, (double[]){1, 0, 0});
  forget(&r);
  // about x, then about the new y: z of the body goes to x by way of y; fixed axes: to -y
  r = sound(
      MJCF("", "<body euler='90 90 0'><body name='b' pos='0 0 1'><joint/>" MASS "</body></body>"));
  expect_pose(&r, "b", (double[]){0}, (double[]){1, 0, 0});
  forget(&r);
  r = sound(MJCF("<compiler eulerseq='XYZ'/>", "<body euler='90 90 0'><body name='b' pos='0 0 1'>"
                                               "<joint/>" MASS "</body></body>"));
  expect_pose(&r, "b", (double[]){0}, (double[]){0, -1, 0});
  forget(&r);
}

static void free_and_ball_joints_start_where_they_are_drawn(void** state)
{
  (void)state;
  Reading r = sound(MJCF("", "<body name='b' pos='1 2 3' quat='0 1 0 0'><freejoint/>" MASS
                             "<body name='c' pos='0 0 1'><joint type='ball' pos='0 0 -1'/>" MASS
                             "</body></body>"));
  assert_int_equal(lw_model_dof(r.model), 9);
  const lwJointDef* root = joint(&r, "b_joint");
  assert_int_equal(root->type, LW_JOINT_FLOATING);
  expect_numbers(root->start, (double[]){1, 2, 3, 1, 0, 0, 0}, 7);
  double q[] = {1, 2, 3, 1, 0, 0, 0, 0, 1, 0, 0};  // the ball half a turn about y
  expect_pose(&r, "c", q, (double[]){1, 2, 3 + 1});
  forget(&r);
}

// --- masses

typedef struct Geom
{
  const char* text;
  double mass, inertia[6];
} Geom;

static const double PI = 3.14159265358979323846;

// Density 1000; sizes are halves. A capsule is a cylinder and the two halves of a sphere.
static void geoms_have_the_mass_of_their_shapes(void** state)
{
  (void)state;
  double c = PI * 0.01 * 0.4 * 1000, s = 4 * PI * 0.001 / 3 * 1000;
  double across = c * (3 * 0.01 + 0.16) / 12 + s * (0.4 * 0.01 + 0.4 * (3 * 0.1 + 2 * 0.4) / 8);
  double m      = 4 * PI * 0.1 * 0.2 * 0.3 / 3 * 1000;
  const Geom geoms[] = {
      {"type='box' size='.1 .2 .3'", 48, {48 * .13 / 3, 48 * .1 / 3, 48 * .05 / 3, 0, 0, 0}},
      {"size='.1'", s, {s * .004, s * .004, s * .004, 0, 0, 0}},
      {"type='cylinder' size='.1 .2'", c, {c * .19 / 12, c * .19 / 12, c * .005, 0, 0, 0}},
      {"type='capsule' size='.1 .2'", c + s, {across, across, c * .005 + s * .004, 0, 0, 0}},
      {"type='capsule' size='.1' fromto='0 0 -.2 0 0 .2'",
       c + s,
       {across, across, c * .005 + s * .004, 0, 0, 0}},
      {"type='ellipsoid' size='.1 .2 .3'", m, {m * .13 / 5, m * .1 / 5, m * .05 / 5, 0, 0, 0}},
      {"type='box' size='.1 .2 .3' mass='4' euler='0 0 90'",
       4,
       {.4 / 3, 4 * .13 / 3, 4 * .05 / 3, 0, 0, 0}},
  };
  char text[1000];
  for (size_t i = 0; i < sizeof geoms / sizeof *geoms; ++i)
  {
    snprintf(text, sizeof text, MJCF("", "<body name='b'><joint name='j'/><geom %s/></body>"),
             geoms[i].text);
    Reading r             = sound(text);
    const lwLinkDef* link = &joint(&r, "j")->link;
    assert_near(link->mass, geoms[i].mass, 1e-12 * geoms[i].mass);
    expect_numbers(link->inertia, geoms[i].inertia, 6);
    forget(&r);
  }
}

// <inertial> wins unless the compiler prefers geoms; groups of geoms may have none.
static void the_compiler_chooses_masses(void** state)
{
  (void)state;
  static const struct
  {
    const char* compiler;
    double mass;
  } cases[] = {{"", 1},
               {"inertiafromgeom='true'", 5},
               {"inertiafromgeom='true' inertiagrouprange='0 1'", 2},
               {"settotalmass='8'", 8},
               {"boundmass='1.5'", 1.5}};
  char text[1000];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
  {
    snprintf(text, sizeof text,
             MJCF("<compiler %s/>", "<body><joint name='j'/>" MASS "<geom size='1' mass='2'/>"
                                    "<geom size='1' mass='3' group='2'/></body>"),
             cases[i].compiler);
    Reading r = sound(text);
    assert_near(joint(&r, "j")->link.mass, cases[i].mass, 1e-14);
    forget(&r);
  }
}

// --- the rest

static void equalities_are_mimic_joints_and_loops(void** state)
{
  (void)state;
  Reading r =
      sound("<mujoco><compiler angle='radian'/><worldbody>"
            "<body name='a'><joint name='i' axis='0 1 0'/>" MASS
            "<body name='b' pos='1 0 0'><joint name='j' axis='0 1 0'/>" MASS
            "<body name='c' pos='0 0 1'><joint name='k' axis='0 1 0'/>" MASS "</body></body></body>"
            "<body name='d'><joint name='l' ref='0.25'/>" MASS "</body></worldbody>"
            "<equality><connect body1='c' anchor='0 0 0'/>"
            "<joint joint1='l' joint2='i' polycoef='0.5 2 0 0 0'/></equality>"
            "<actuator><motor joint='i' gear='10' ctrlrange='-3 3'/>"
            "<position joint='j'/></actuator></mujoco>");
  const lwRobotDef* robot = lw_model_robot(r.model);
  assert_int_equal(robot->loop_count, 1);
  assert_int_equal(robot->loops[0].type, LW_LOOP_POSITION);
  assert_int_equal(robot->loops[0].second.joint, LW_BASE);
  expect_numbers(robot->loops[0].second.xyz, (double[]){1, 0, 1}, 3);
  const lwMimic* mimic = &joint(&r, "l")->mimic;
  assert_true(mimic->given);
  assert_same(mimic->multiplier, 2);
  assert_same(mimic->offset, 0.75);
  assert_same(joint(&r, "i")->limits.effort, 30);
  assert_contains(robot->notes, "left out, acts on the motion: servo actuators (position): 1");
  forget(&r);
}

typedef struct Bad
{
  const char* text;
  Finding finding;
} Bad;

static const Bad bad_files[] = {
    {"<mujoco/>", {1, 1, "the robot has no bodies", NULL}},
    {MJCF("", "<body><joint/>" MASS "</body><bodi/>"), {1, 93, "unknown element <bodi>", NULL}},
    {MJCF("<world/>", "<body><joint/>" MASS "</body>"), {1, 9, "unknown element <world>", NULL}},
    {MJCF("", "<body><joint dampng='1'/>" MASS "</body>"),
     {1, 41, "unknown attribute 'dampng' of <joint>", "left out"}},
    {MJCF("", "<body><joint damping='x'/>" MASS "</body>"),
     {1, 42, "'damping': expected finite numbers, found 'x'", NULL}},
    {MJCF("", "<body><joint axis='0 1'/>" MASS "</body>"),
     {1, 39, "'axis' must be 3 numbers, found 2", NULL}},
    {MJCF("", "<body><joint class='a'/>" MASS "</body>"),
     {1, 40, "there is no class of defaults 'a'", NULL}},
    {MJCF("", "<body><joint/><geom type='mesh' mesh='m'/></body>"),
     {1, 34, "there is no mesh 'm'", NULL}},
    {MJCF("<asset><mesh name='m' file='no.stl'/></asset>",
          "<body><joint/><geom type='mesh' mesh='m'/></body>"),
     {1, 79, "mesh 'm': there is no such file", "mass=\"0\""}},
    {MJCF("<include file='/etc/passwd'/>", ""), {1, 24, "leads out of the folder", "folder"}},
    {MJCF("<include file='a/../../b.xml'/>", ""), {1, 24, "leads out of the folder", "folder"}},
    {MJCF("<include file='missing.xml'/>", ""), {1, 24, "there is no file 'missing.xml'", NULL}},
    {MJCF("", "<body><joint/>" MASS "<body><freejoint/>" MASS "</body></body>"),
     {1, 92, "a free joint must be the only one of a body of the world", NULL}},
    {MJCF("", "<body><joint/><replicate count='2'/></body>"),
     {1, 34, "<replicate> makes bodies", "compiled"}},
};

static void what_is_wrong_is_named_at_its_place(void** state)
{
  (void)state;
  for (size_t i = 0; i < sizeof bad_files / sizeof *bad_files; ++i)
  {
    Reading r  = read_mjcf(bad_files[i].text);
    bool found = false;
    for (int k = 0; k < lw_diag_size(r.diag); ++k)
      found = found || finding_matches(&bad_files[i].finding, lw_diag_message(r.diag, k));
    if (!found) fprintf(stderr, "%s\n", bad_files[i].text);
    if (!found) findings_print(r.diag);
    assert_true(found);
    bool warning = strstr(bad_files[i].finding.fragment, "unknown attribute");
    assert_int_equal(r.status, warning ? LW_OK : LW_ERROR_INPUT);
    forget(&r);
  }
}

// Bodies inside each other, classes of defaults and nested frames are bounded.
static void hostile_files_end_in_an_error(void** state)
{
  (void)state;
  enum
  {
    DEPTH = 5000
  };
  static const char* const parts[] = {"<body>", "<frame>", "<default class='a'>"};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
  {
    size_t length = strlen(parts[k]);
    char* text    = malloc(DEPTH * length + 100);
    char* end     = text + sprintf(text, "<mujoco><worldbody>");
    for (int i = 0; i < DEPTH; ++i, end += length) memcpy(end, parts[k], length + 1);
    Reading r = read_mjcf(text);
    assert_int_equal(r.status, LW_ERROR_INPUT);
    forget(&r);
    free(text);
  }
}

static void write_file(const char* folder, const char* name, const char* text)
{
  char path[1000];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

// A tetrahedron between the axes: m = rho / 6, centre 1/4. Errors name the included file.
static void included_files_and_meshes(void** state)
{
  (void)state;
  char folder[] = "/tmp/mjcfXXXXXX", path[1000];
  assert_non_null(mkdtemp(folder));
  write_file(folder, "arm.xml",
             "<mujoco><include file='part.xml'/><asset><mesh file='t.obj' scale='2 2 2'/></asset>"
             "<worldbody><body><joint class='c' name='j'/><geom type='mesh' mesh='t'/></body>"
             "</worldbody></mujoco>");
  write_file(folder, "part.xml",
             "<mujocoinclude><default><default class='c'>\n<joint damping='4'/></default>"
             "</default></mujocoinclude>");
  write_file(folder, "t.obj",
             "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
             "g another\nv 5 5 5\nf 2 3 5\n");
  snprintf(path, sizeof path, "%s/arm.xml", folder);
  Reading r = {.diag = lw_diag_create()};
  r.status  = lw_robot_read_file(path, NULL, r.diag, &r.model);
  if (r.status != LW_OK) findings_print(r.diag);
  assert_int_equal(r.status, LW_OK);
  assert_same(joint(&r, "j")->friction.viscous, 4);
  const lwLinkDef* link = &joint(&r, "j")->link;
  assert_near(link->mass, 8000 / 6.0, 1e-9);
  expect_numbers(link->com, (double[]){.5, .5, .5}, 3);
  forget(&r);
  write_file(folder, "part.xml", "<mujocoinclude>\n<default><default/></default></mujocoinclude>");
  r        = (Reading){.diag = lw_diag_create()};
  r.status = lw_robot_read_file(path, NULL, r.diag, &r.model);
  assert_int_equal(r.status, LW_ERROR_INPUT);
  assert_int_equal(lw_diag_message(r.diag, 0)->place.line, 2);
  assert_contains(lw_diag_message(r.diag, 0)->file, "part.xml");
  forget(&r);
  static const char* const names[] = {"arm.xml", "part.xml", "t.obj"};
  for (int i = 0; i < 3; ++i)
  {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_come_from_nested_classes),
      cmocka_unit_test(joints_of_one_body_act_one_after_the_other),
      cmocka_unit_test(orientations_are_the_same),
      cmocka_unit_test(free_and_ball_joints_start_where_they_are_drawn),
      cmocka_unit_test(geoms_have_the_mass_of_their_shapes),
      cmocka_unit_test(the_compiler_chooses_masses),
      cmocka_unit_test(equalities_are_mimic_joints_and_loops),
      cmocka_unit_test(what_is_wrong_is_named_at_its_place),
      cmocka_unit_test(hostile_files_end_in_an_error),
      cmocka_unit_test(included_files_and_meshes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
