// SPDX-License-Identifier: MIT
// Canonical frames: an arm has the same answers, however it is described.
//
// Bounds: C n eps size as in tests/kernels/test_agreement.c, size from the oracle.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_internal.h"
#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

static const double C  = 32;
static const double pi = 3.14159265358979323846;

// --- poses, for converting between conventions

typedef struct
{
  double R[3][3], p[3];
} Place;

static Place compose(Place a, Place b)
{
  Place c = {{{0}}, {a.p[0], a.p[1], a.p[2]}};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
    {
      c.p[i] += a.R[i][k] * b.p[k];
      for (int j = 0; j < 3; ++j) c.R[i][j] += a.R[i][k] * b.R[k][j];
    }
  return c;
}

static Place turned_back(Place a)  // of a pure rotation
{
  Place b = a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b.R[i][j] = a.R[j][i];
  return b;
}

// Rotation about and shift along axis k, 0 for x to 2 for z.
static Place screw(int k, double angle, double distance)
{
  Place s = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 0}};
  int i = (k + 1) % 3, j = (k + 2) % 3;
  s.R[i][i] = s.R[j][j] = cos(angle);
  s.R[j][i]             = sin(angle);
  s.R[i][j]             = -sin(angle);
  s.p[k]                = distance;
  return s;
}

static void set_origin(lwJointDef* joint, Place T)
{
  joint->placement = LW_PLACEMENT_ORIGIN_AXIS;
  memcpy(joint->xyz, T.p, sizeof joint->xyz);
  joint->rpy[0] = atan2(T.R[2][1], T.R[2][2]);
  joint->rpy[1] = atan2(-T.R[2][0], hypot(T.R[2][1], T.R[2][2]));
  joint->rpy[2] = atan2(T.R[1][0], T.R[0][0]);
}

// A link's mass properties in the frame in which the link is at T.
static lwLinkDef link_at(const lwLinkDef* link, Place T)
{
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  const double* I   = link->inertia;
  double full[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  lwLinkDef moved   = {.mass = link->mass};
  for (int i = 0; i < 3; ++i)
  {
    moved.com[i] = T.p[i];
    for (int k = 0; k < 3; ++k) moved.com[i] += T.R[i][k] * link->com[k];
  }
  for (int e = 0; e < 6; ++e)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        moved.inertia[e] += T.R[row[e]][i] * full[i][j] * T.R[column[e]][j];
  return moved;
}

// --- one arm in three conventions

// Every third arm has special angles and lengths.
static Robot* standard_arm(uint64_t seed)
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  int n           = 1 + (int)(seed % 12);
  for (int i = 0; i < n; ++i)
  {
    bool special      = seed % 3 == 0 && lw_random_between(&random, 0, 1) < 0.5;
    bool slides       = lw_random_between(&random, 0, 1) < 0.3;
    lwJointDef* joint = robot_add(robot, slides ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    joint->placement  = LW_PLACEMENT_DH_STANDARD;
    double side       = lw_random_between(&random, 0, 1) < 0.5 ? -1 : 1;
    joint->alpha      = special ? side * 0.5 * pi : side * lw_random_between(&random, 0.4, 2.7);
    joint->a          = special ? 0 : lw_random_between(&random, -0.5, 0.5);
    joint->d          = lw_random_between(&random, -0.5, 0.5);
    joint->theta      = special ? 0 : lw_random_between(&random, -pi, pi);
    random_link(&random, &joint->link);
  }
  robot->seed = seed;
  robot_build(robot);
  return robot;
}

// From the joint's frame, on its axis, to the link's: the transform that standard DH applies after
// the joint motion.
static Place distal(const lwJointDef* joint)
{
  return screw(0, joint->alpha, joint->a);
}

// Standard frame i is modified frame i moved by a_i and alpha_i; a fixed joint at the end adds the
// last of these transforms.
static Robot* modified_arm(const Robot* standard)
{
  Robot* robot = robot_start();
  int n        = standard->def.count;
  for (int i = 0; i <= n; ++i)
  {
    lwJointType type  = i < n ? standard->joints[i].type : LW_JOINT_FIXED;
    lwJointDef* joint = robot_add(robot, type, i - 1);
    joint->alpha      = i ? standard->joints[i - 1].alpha : 0;
    joint->a          = i ? standard->joints[i - 1].a : 0;
    if (i == n) continue;
    joint->d     = standard->joints[i].d;
    joint->theta = standard->joints[i].theta;
    joint->link  = link_at(&standard->joints[i].link, distal(&standard->joints[i]));
  }
  robot_build(robot);
  return robot;
}

// Link frames are those of the modified arm, each with an arbitrary rotation.
static Robot* origin_arm(const Robot* modified)
{
  lwRandom random = {99};
  Robot* robot    = robot_start();
  int n           = modified->def.count;
  Place before    = screw(0, 0, 0);
  for (int i = 0; i < n; ++i)
  {
    const lwJointDef* other = &modified->joints[i];
    lwJointDef* joint       = robot_add(robot, other->type, i - 1);
    Place T    = compose(screw(0, other->alpha, other->a), screw(2, other->theta, other->d));
    Place turn = compose(screw(0, lw_random_between(&random, -pi, pi), 0),
                         screw(1, lw_random_between(&random, -pi, pi), 0));
    if (i == n - 1) turn = screw(0, 0, 0);
    Place back = turned_back(turn);
    set_origin(joint, compose(turned_back(before), compose(T, turn)));
    for (int k = 0; k < 3; ++k) joint->axis[k] = 3 * back.R[k][2];
    joint->link = link_at(&other->link, back);
    before      = turn;
  }
  robot_build(robot);
  return robot;
}

static void check_same(const Robot* robot, const Robot* other, const char* what)
{
  int n = lw_model_dof(robot->model);
  check_same_answers(robot, other->model, 5, C * n * DBL_EPSILON, what);
}

static void conventions_agree(void** unused)
{
  (void)unused;
  check_worst();
  for (uint64_t seed = 1; seed <= 120; ++seed)
  {
    Robot* standard = standard_arm(seed);
    Robot* modified = modified_arm(standard);
    Robot* origin   = origin_arm(modified);
    check_same(standard, modified, "modified DH");
    check_same(standard, origin, "origin and axis");
    robot_free(standard);
    robot_free(modified);
    robot_free(origin);
  }
  print_message("  largest error: %.2g of the bound\n", check_worst());
}

// --- the form itself

static void assert_plain(const lwModel* model)
{
  for (int i = 0; i < model->n; ++i)
  {
    const lwLink64* link = &model->link64[i];
    assert_same(link->cos_gamma, 1);
    assert_same(link->sin_gamma, 0);
    assert_same(link->span[1], 0);
    assert_same(link->span[2], 0);
    assert_int_equal(model->kind[i] & LW_KIND_SKEW, 0);
  }
}

// gamma = 0 and e = 0 in a chain without nearly parallel axes, and the same lengths and angles in
// every convention, except for the direction of the common normal.
static void chains_have_no_skew_joint(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 120; ++seed)
  {
    if (seed % 3 == 0) continue;  // common normals of intersecting axes have no direction
    Robot* standard       = standard_arm(seed);
    Robot* modified       = modified_arm(standard);
    Robot* origin         = origin_arm(modified);
    const lwModel* all[3] = {standard->model, modified->model, origin->model};
    for (int k = 0; k < 3; ++k)
    {
      assert_plain(all[k]);
      for (int i = 1; i < all[k]->n; ++i)
      {
        const lwJointDef* def = &standard->joints[i - 1];
        const lwLink64* link  = &all[k]->link64[i];
        assert_closer(fabs(link->span[0]), fabs(def->a), 1e-13);
        assert_closer(fabs(link->sin_alpha), fabs(sin(def->alpha)), 1e-13);
        assert_closer(link->cos_alpha, cos(def->alpha), 1e-13);
        bool slides = all[k]->kind[i] & LW_KIND_PRISMATIC;
        if (i + 1 < all[k]->n && !slides) assert_closer(link->d, standard->joints[i].d, 1e-13);
      }
    }
    robot_free(standard);
    robot_free(modified);
    robot_free(origin);
  }
}

// Zeros and right angles stay exact, so that operation counts can use them.
static void special_values_are_exact(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  for (int i = 0; i < 6; ++i)
  {
    lwJointDef* joint = robot_add(robot, LW_JOINT_REVOLUTE, i - 1);
    lwRandom random   = {(uint64_t)i + 1};
    joint->alpha      = i == 3 ? 0 : (i % 2 ? 0.5 : -0.5) * pi;
    joint->a          = i == 2 ? 0.4 : 0;
    random_link(&random, &joint->link);
  }
  robot_build(robot);
  assert_plain(robot->model);
  for (int i = 1; i < 6; ++i)
  {
    const lwLink64* link = &robot->model->link64[i];
    assert_same(i == 3 ? link->sin_alpha : link->cos_alpha, 0);
    assert_same(fabs(link->span[0]), i == 2 ? 0.4 : 0);
    assert_same(link->d, 0);
  }
  robot_free(robot);
}

// --- nearly parallel axes

static Robot* tilted_arm(uint64_t seed, double tilt, int placement)
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  robot->seed     = seed;
  for (int i = 0; i < 6; ++i)
  {
    lwJointDef* joint = robot_add(robot, i == 4 ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    joint->placement  = (lwPlacement)placement;
    joint->alpha      = (i % 2 ? tilt : -tilt) + (i == 3 ? pi : 0);
    joint->a          = lw_random_between(&random, -0.5, 0.5);
    joint->d          = lw_random_between(&random, -0.5, 0.5);
    joint->theta      = lw_random_between(&random, -pi, pi);
    for (int k = 0; k < 3; ++k) joint->xyz[k] = lw_random_between(&random, -0.5, 0.5);
    joint->rpy[0]  = joint->alpha;
    joint->axis[0] = i == 2 ? tilt : 0;
    joint->axis[2] = 1;
    random_link(&random, &joint->link);
  }
  robot_build(robot);
  return robot;
}

// Answers are as accurate as for any other arm, and no origin slides far along its axis.
static void nearly_parallel_axes(void** unused)
{
  (void)unused;
  for (int power = 0; power <= 17; ++power)
    for (int placement = 0; placement < 3; ++placement)
      for (uint64_t seed = 1; seed <= 10; ++seed)
      {
        double tilt  = power > 16 ? 0 : 0.3 * pow(10, -power);
        Robot* robot = tilted_arm(seed, tilt, placement);
        check_same(robot, robot, "nearly parallel");
        for (int i = 0; i < robot->model->n; ++i)
        {
          const lwLink64* link = &robot->model->link64[i];
          double most = fmax(fabs(link->span[0]), fmax(fabs(link->span[1]), fabs(link->d)));
          assert_less(most, 20);
          assert_less(fabs(link->span[2]), 20);  // links are up to 1.1 m long
        }
        robot_free(robot);
      }
}

// --- fixed joints

// Merges two links fixed to each other.
static lwLinkDef merged(const lwLinkDef* a, const lwLinkDef* b)
{
  lwLinkDef sum = {.mass = a->mass + b->mass};
  double apart[3];
  for (int k = 0; k < 3; ++k)
  {
    apart[k]   = b->com[k] - a->com[k];
    sum.com[k] = (a->mass * a->com[k] + b->mass * b->com[k]) / sum.mass;
  }
  double m              = a->mass * b->mass / sum.mass;
  const double* r       = apart;
  const double shift[6] = {r[1] * r[1] + r[2] * r[2],
                           r[0] * r[0] + r[2] * r[2],
                           r[0] * r[0] + r[1] * r[1],
                           -r[0] * r[1],
                           -r[0] * r[2],
                           -r[1] * r[2]};
  for (int k = 0; k < 6; ++k) sum.inertia[k] = a->inertia[k] + b->inertia[k] + m * shift[k];
  return sum;
}

// The arm with a fixed joint before each joint, which takes half of the offset and part of the
// mass, and one after the last joint.
static Robot* split_arm(const Robot* whole, Robot* expected)
{
  lwRandom random = {5};
  Robot* robot    = robot_start();
  int n           = whole->def.count;
  for (int i = 0; i < n; ++i)
  {
    lwJointDef old    = whole->joints[i];  // modified DH
    lwJointDef* mount = robot_add(robot, LW_JOINT_FIXED, 2 * i - 1);
    mount->alpha      = old.alpha;
    mount->a          = old.a;
    mount->theta      = 0.5 * old.theta;
    mount->d          = 0.25 * old.d;
    if (i) random_link(&random, &mount->link);
    lwJointDef* joint = robot_add(robot, old.type, 2 * i);
    joint->theta      = 0.5 * old.theta;
    joint->d          = 0.75 * old.d;
    joint->link       = old.link;
    if (!i) continue;
    Place place     = compose(screw(0, mount->alpha, mount->a), screw(2, mount->theta, mount->d));
    lwLinkDef moved = link_at(&mount->link, place);
    lwJointDef* carrier = &expected->joints[i - 1];
    carrier->link       = merged(&carrier->link, &moved);
  }
  robot_add(robot, LW_JOINT_FIXED, 2 * n - 1);
  robot_build(robot);
  return robot;
}

static void fixed_joints_are_merged(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 60; ++seed)
  {
    RobotStyle style = {
        .dof = 1 + (int)(seed % 7), .prismatic = 0.3, .placement = LW_PLACEMENT_DH_MODIFIED};
    Robot* robot = random_robot(seed, &style);
    Robot* split = split_arm(robot, robot);
    lw_model_destroy(robot->model);
    robot_build(robot);  // with the masses of the mounts
    assert_int_equal(lw_model_dof(split->model), lw_model_dof(robot->model));
    assert_int_equal(lw_model_joint_count(split->model), 2 * robot->def.count + 1);
    for (int i = 0; i < robot->def.count; ++i)
      assert_int_equal(lw_model_joint(split->model, i), 2 * i + 1);
    check_same(robot, split, "with fixed joints");
    robot_free(robot);
    robot_free(split);
  }
}

// A last link on a fixed joint: pose, Jacobian and wrench refer to its frame, as in the oracle.
static void last_link_may_be_fixed(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 60; ++seed)
  {
    RobotStyle style = {
        .dof = 1 + (int)(seed % 5), .prismatic = 0.3, .branch = 0.3, .placement = -1};
    Robot* robot = random_robot(seed, &style);
    lwJointDef* tool =
        robot_add(robot, LW_JOINT_FIXED, (int)(seed % (uint64_t)robot->def.count) - 1);
    tool->placement = LW_PLACEMENT_ORIGIN_AXIS;
    memcpy(tool->xyz, (double[3]){0.3, -0.2, 0.5}, sizeof tool->xyz);
    memcpy(tool->rpy, (double[3]){0.7, 0.4, -2}, sizeof tool->rpy);
    lw_model_destroy(robot->model);
    robot_build(robot);
    check_same(robot, robot, "tool on a fixed joint");
    robot_free(robot);
  }
}

// --- trees

// A trunk and two branches; the order of the branches in the description does not matter.
static Robot* forked(uint64_t seed, bool swapped)
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  robot->seed     = seed;
  lwJointDef joints[7];
  for (int i = 0; i < 7; ++i)
  {
    joints[i] = lw_joint_def();
    joints[i].type =
        lw_random_between(&random, 0, 1) < 0.3 ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE;
    joints[i].alpha = lw_random_between(&random, -pi, pi);
    joints[i].a     = lw_random_between(&random, -0.5, 0.5);
    joints[i].d     = lw_random_between(&random, -0.5, 0.5);
    joints[i].theta = lw_random_between(&random, -pi, pi);
    random_link(&random, &joints[i].link);
  }
  static const int parent[7] = {-1, 0, 1, 2, 0, 4, 5};
  for (int i = 0; i < 7; ++i)
  {
    int from          = swapped && i ? (i + 2) % 6 + 1 : i;  // 0 4 5 6 1 2 3
    lwJointDef* joint = robot_add(robot, joints[from].type, parent[i]);
    const char* name  = joint->name;
    *joint            = joints[from];
    joint->name       = name;
    joint->parent     = parent[i];
  }
  robot_build(robot);
  return robot;
}

static void order_of_branches_does_not_matter(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= 40; ++seed)
  {
    Robot *one = forked(seed, false), *other = forked(seed, true);
    assert_false(lw_model_is_serial(one->model));
    States states = random_states(seed, one->model, 1);
    double in[3][7], tau[7], size[7], expected[7];
    for (int i = 0; i < 7; ++i)
    {
      int from = i ? (i + 2) % 6 + 1 : 0;
      in[0][i] = states.q[from];
      in[1][i] = states.qd[from];
      in[2][i] = states.qdd[from];
    }
    lwWorkspace* ws = work_with(other->model, -1, LW_PRECISION_DOUBLE);
    lwStates state  = {.q = states.q, .qd = states.qd, .qdd = states.qdd};
    lw_inverse_dynamics(other->model, ws, in[0], in[1], in[2], tau);
    reference_answer(&one->def, LW_QUESTION_INVERSE, &state, expected, size);
    Trial trial = {seed, NULL, 7, LW_QUESTION_INVERSE, NULL, "branches exchanged", &state};
    for (int i = 0; i < 7; ++i)
    {
      int from = i ? (i + 2) % 6 + 1 : 0;
      check_close(&trial, &tau[i], &expected[from], &size[from], C * 7 * DBL_EPSILON, 1);
    }
    check_same(one, one, "tree");
    check_same(other, other, "tree");
    lw_workspace_destroy(ws);
    states_free(&states);
    robot_free(one);
    robot_free(other);
  }
}

// --- inert joints

static void check_inert(Robot* robot, const char* name)
{
  lwDiag* diag    = lw_diag_create();
  lwStatus status = lw_model_create(&robot->def, NULL, diag, &robot->model);
  if (!name)
  {
    assert_int_equal(status, LW_OK);
    assert_non_null(robot->model);
  }
  else
  {
    assert_int_equal(status, LW_ERROR_INPUT);
    assert_null(robot->model);
    assert_greater(lw_diag_count(diag, LW_SEVERITY_ERROR), 0);
    const char* text = lw_diag_message(diag, 0)->text;
    if (!strstr(text, name)) fail_msg("the message does not name joint %s: %s", name, text);
  }
  lw_diag_destroy(diag);
  robot_free(robot);
}

// An arm of three joints, the last link with this mass, centre of mass and moments.
static Robot* arm_with_tip(lwJointType type, double mass, double x, double z, double Ixx,
                           double Izz)
{
  Robot* robot    = robot_start();
  lwRandom random = {3};
  for (int i = 0; i < 3; ++i)
  {
    lwJointDef* joint = robot_add(robot, i == 2 ? type : LW_JOINT_REVOLUTE, i - 1);
    joint->alpha      = 0.7;
    joint->a          = 0.3;
    random_link(&random, &joint->link);
  }
  lwLinkDef* tip = &robot->joints[2].link;
  *tip           = (lwLinkDef){.mass = mass, .com = {x, 0, z}, .inertia = {Ixx, Ixx, Izz}};
  return robot;
}

static void inert_joints_are_refused(void** unused)
{
  (void)unused;
  check_inert(arm_with_tip(LW_JOINT_REVOLUTE, 0, 0, 0, 0, 0), "'j3'");   // nothing at all
  check_inert(arm_with_tip(LW_JOINT_PRISMATIC, 0, 0, 0, 0, 0), "'j3'");  // no mass
  check_inert(arm_with_tip(LW_JOINT_REVOLUTE, 1, 0, 0.4, 0, 0),
              "'j3'");  // a point mass on the axis
  check_inert(arm_with_tip(LW_JOINT_REVOLUTE, 1, 0, 0.4, 0.1, 0),
              "'j3'");  // a needle along the axis
  check_inert(arm_with_tip(LW_JOINT_REVOLUTE, 1, 0.01, 0, 0, 0),
              NULL);  // a point mass off the axis
  check_inert(arm_with_tip(LW_JOINT_REVOLUTE, 1, 0, 0, 0.001, 0.001), NULL);
  check_inert(arm_with_tip(LW_JOINT_PRISMATIC, 0.01, 0, 0, 0, 0), NULL);
}

static void massless_links_may_carry_others(void** unused)
{
  (void)unused;
  Robot* robot          = arm_with_tip(LW_JOINT_REVOLUTE, 1, 0.1, 0, 0.01, 0.01);
  robot->joints[1].link = (lwLinkDef){0};
  check_inert(robot, NULL);

  robot                  = arm_with_tip(LW_JOINT_REVOLUTE, 1, 0.1, 0, 0.01, 0.01);
  robot->joints[1].link  = (lwLinkDef){0};  // turns about the same axis as its child
  robot->joints[2].alpha = robot->joints[2].a = 0;
  check_inert(robot, "'j2'");

  robot            = arm_with_tip(LW_JOINT_REVOLUTE, 0, 0, 0, 0, 0);
  lwJointDef* tool = robot_add(robot, LW_JOINT_FIXED, 2);  // the tip's mass is in its tool
  tool->a          = 0.2;
  tool->link.mass  = 0.5;
  check_inert(robot, NULL);

  robot           = arm_with_tip(LW_JOINT_REVOLUTE, 0, 0, 0, 0, 0);
  tool            = robot_add(robot, LW_JOINT_FIXED, 2);  // the same, but with the tool on the axis
  tool->d         = 0.2;
  tool->link.mass = 0.5;
  check_inert(robot, "'j3'");

  robot                 = arm_with_tip(LW_JOINT_REVOLUTE, 0, 0, 0, 0, 0);
  robot->joints[1].link = (lwLinkDef){0};  // two in a row: the first is named
  check_inert(robot, "'j2'");
}

// A free body: three prismatic and three revolute joints, with five massless links between them.
static void free_bodies_are_not_inert(void** unused)
{
  (void)unused;
  Robot* robot = robot_start();
  for (int i = 0; i < 6; ++i)
  {
    lwJointDef* joint = robot_add(robot, i < 3 ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE, i - 1);
    joint->placement  = LW_PLACEMENT_ORIGIN_AXIS;
    for (int k = 0; k < 3; ++k) joint->axis[k] = k == i % 3;
    joint->link = (lwLinkDef){0};
  }
  robot->joints[5].link = (lwLinkDef){.mass = 2, .inertia = {0.1, 0.2, 0.25}};
  check_inert(robot, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(conventions_agree),
      cmocka_unit_test(chains_have_no_skew_joint),
      cmocka_unit_test(special_values_are_exact),
      cmocka_unit_test(nearly_parallel_axes),
      cmocka_unit_test(fixed_joints_are_merged),
      cmocka_unit_test(last_link_may_be_fixed),
      cmocka_unit_test(order_of_branches_does_not_matter),
      cmocka_unit_test(inert_joints_are_refused),
      cmocka_unit_test(massless_links_may_carry_others),
      cmocka_unit_test(free_bodies_are_not_inert),
  };
  return cmocka_run_group_tests_name("canonical frames", tests, NULL, NULL);
}
