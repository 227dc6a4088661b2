// SPDX-License-Identifier: MIT
#include "support/robots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/testing.h"

static const double pi = 3.14159265358979323846;

static bool chance(lwRandom* random, double probability)
{
  return lw_random_between(random, 0, 1) < probability;
}

static int pick(lwRandom* random, int count)
{
  return (int)(lw_random_bits(random) % (uint64_t)count);
}

// --- robots by hand

Robot* robot_start(void)
{
  Robot* robot = calloc(1, sizeof *robot);
  assert_non_null(robot);
  robot->def        = lw_robot_def();
  robot->def.joints = robot->joints;
  return robot;
}

lwJointDef* robot_add(Robot* robot, lwJointType type, int parent)
{
  int i = robot->def.count++;
  assert_less(i, MAX_JOINTS);
  lwJointDef* joint = &robot->joints[i];
  *joint            = lw_joint_def();
  joint->type       = type;
  joint->parent     = parent;
  joint->name       = robot->names[i];
  snprintf(robot->names[i], sizeof robot->names[i], "j%d", i + 1);
  return joint;
}

void robot_build(Robot* robot)
{
  lwDiag* diag = lw_diag_create();
  if (lw_model_create(&robot->def, NULL, diag, &robot->model) != LW_OK)
  {
    char text[400] = "";
    if (lw_diag_size(diag)) lw_message_format(lw_diag_message(diag, 0), text, sizeof text);
    fail_msg("robot of seed %llu is refused: %s", (unsigned long long)robot->seed, text);
  }
  lw_diag_destroy(diag);
}

void robot_free(Robot* robot)
{
  lw_model_destroy(robot->model);
  free(robot);
}

// --- random places

static double random_angle(lwRandom* random, const RobotStyle* style)
{
  static const double tilts[] = {1e-3, 1e-6, 1e-9, 1e-13};
  if (chance(random, style->special)) return pick(random, 4) * 0.5 * pi - 0.5 * pi;
  if (chance(random, style->parallel))
    return pick(random, 2) * pi + (pick(random, 2) ? 1 : -1) * tilts[pick(random, 4)];
  return lw_random_between(random, -pi, pi);
}

static double random_length(lwRandom* random, const RobotStyle* style)
{
  return chance(random, style->special) ? 0 : lw_random_between(random, -0.5, 0.5);
}

static void random_axis(lwRandom* random, const RobotStyle* style, double axis[3])
{
  bool special = chance(random, style->special), parallel = chance(random, style->parallel);
  double length = exp(lw_random_between(random, -3, 3));
  int k         = pick(random, 3);
  for (int i = 0; i < 3; ++i)
  {
    axis[i] = length * lw_random_between(random, -1, 1);
    if (special) axis[i] = i == k ? (axis[i] < 0 ? -length : length) : 0;
    if (parallel && !special) axis[i] = i == 2 ? length : 1e-8 * axis[i];
  }
}

static void random_place(lwRandom* random, const RobotStyle* style, lwJointDef* joint)
{
  joint->placement = (lwPlacement)(style->placement < 0 ? pick(random, 3) : style->placement);
  if (joint->placement == LW_PLACEMENT_ORIGIN_AXIS)
  {
    for (int i = 0; i < 3; ++i) joint->xyz[i] = random_length(random, style);
    for (int i = 0; i < 3; ++i) joint->rpy[i] = random_angle(random, style);
    random_axis(random, style, joint->axis);
    return;
  }
  joint->alpha = random_angle(random, style);
  joint->a     = random_length(random, style);
  joint->d     = random_length(random, style);
  joint->theta = random_angle(random, style);
}

// --- random masses

void random_link(lwRandom* random, lwLinkDef* link)
{
  double* I  = link->inertia;
  link->mass = lw_random_between(random, 0.5, 5);
  for (int i = 0; i < 3; ++i) link->com[i] = lw_random_between(random, -0.2, 0.2);
  for (int i = 0; i < 6; ++i) I[i] = 0;
  for (int k = 0; k < 6; ++k)
  {
    double x = lw_random_between(random, -0.2, 0.2);
    double y = lw_random_between(random, -0.2, 0.2);
    double z = lw_random_between(random, -0.2, 0.2);
    double m = link->mass / 6;
    I[0] += m * (y * y + z * z);
    I[1] += m * (x * x + z * z);
    I[2] += m * (x * x + y * y);
    I[3] -= m * x * y;
    I[4] -= m * x * z;
    I[5] -= m * y * z;
  }
}

static bool has_moving_child(const Robot* robot, int i)
{
  for (int k = i + 1; k < robot->def.count; ++k)
    if (robot->joints[k].parent == i && robot->joints[k].type != LW_JOINT_FIXED) return true;
  return false;
}

// A light link is placed between full ones, and it and its child have no special placement (a
// standard DH joint after a modified one would be special: the same axis). Then every combination
// of joint velocities moves some mass.
static void random_masses(lwRandom* random, const RobotStyle* style, Robot* robot)
{
  bool light[MAX_JOINTS]   = {false};
  bool mixed               = style->placement < 0;
  const RobotStyle generic = {.placement = mixed ? LW_PLACEMENT_ORIGIN_AXIS : style->placement};
  for (int i = 0; i < robot->def.count; ++i)
  {
    lwJointDef* joint = &robot->joints[i];
    bool on_light     = joint->parent >= 0 && light[joint->parent];
    light[i]          = joint->type != LW_JOINT_FIXED && !on_light && chance(random, style->light);
    random_place(random, light[i] || on_light ? &generic : style, joint);
    random_link(random, &joint->link);
    if (joint->type == LW_JOINT_FIXED && chance(random, 0.5)) joint->link = (lwLinkDef){0};
    if (!light[i]) continue;
    for (int k = 0; k < 6; ++k) joint->link.inertia[k] = 0;
    if (chance(random, 0.5) && has_moving_child(robot, i)) joint->link = (lwLinkDef){0};
  }
}

// --- random robots

// With in_order, a branch starts at an ancestor of the previous joint.
static int random_parent(lwRandom* random, const RobotStyle* style, const Robot* robot)
{
  int i = robot->def.count, parent = i - 1;
  if (!chance(random, style->branch)) return parent;
  if (!style->in_order) return pick(random, i + 1) - 1;
  while (parent != LW_BASE && chance(random, 0.7)) parent = robot->joints[parent].parent;
  return parent;
}

static void add_random(lwRandom* random, const RobotStyle* style, Robot* robot, lwJointType type)
{
  robot_add(robot, type, random_parent(random, style, robot));
}

RobotStyle random_style(uint64_t seed)
{
  static const double some[] = {0, 0.3, 0.9};
  lwRandom random            = {seed * 1000003};
  RobotStyle style           = {.dof = 2 + pick(&random, 9), .any_gravity = chance(&random, 0.7)};
  if (chance(&random, 0.1)) style.dof = 1;
  if (chance(&random, 0.2)) style.dof = 1 + pick(&random, MAX_DOF);
  style.fixed     = some[pick(&random, 2)];
  style.prismatic = some[pick(&random, 3)];
  style.branch    = some[pick(&random, 2)];
  style.special   = some[pick(&random, 3)];
  style.parallel  = some[pick(&random, 2)];
  style.light     = some[pick(&random, 2)];
  style.placement = pick(&random, 4) - 1;
  return style;
}

Robot* random_robot(uint64_t seed, const RobotStyle* style)
{
  lwRandom random = {seed};
  Robot* robot    = robot_start();
  robot->seed     = seed;
  for (int i = 0; i < style->dof; ++i)
  {
    if (chance(&random, style->fixed)) add_random(&random, style, robot, LW_JOINT_FIXED);
    bool slides = chance(&random, style->prismatic);
    add_random(&random, style, robot, slides ? LW_JOINT_PRISMATIC : LW_JOINT_REVOLUTE);
  }
  if (chance(&random, style->fixed)) add_random(&random, style, robot, LW_JOINT_FIXED);
  random_masses(&random, style, robot);
  bool none = chance(&random, 0.1);
  for (int i = 0; i < 3 && style->any_gravity; ++i)
    robot->def.gravity[i] = none ? 0 : lw_random_between(&random, -9.81, 9.81);
  robot_build(robot);
  return robot;
}

Robot* any_robot(uint64_t seed)
{
  RobotStyle style = random_style(seed);
  return random_robot(seed, &style);
}

Robot* tree_in_order(uint64_t seed)
{
  RobotStyle style = random_style(seed);
  style.dof        = 6 + (int)(seed % 25);
  style.branch     = 0.3;
  style.in_order   = true;
  return random_robot(seed, &style);
}

// --- states

static double* random_rows(lwRandom* random, int size, double most)
{
  double* rows = calloc((size_t)size, sizeof *rows);
  assert_non_null(rows);
  for (int i = 0; i < size; ++i) rows[i] = lw_random_between(random, -most, most);
  return rows;
}

// Every fifth state has angles of 0, +-90 and 180 deg only, and every seventh is at rest.
States random_states(uint64_t seed, const lwModel* model, int count)
{
  lwRandom random = {seed ^ 0x5354415445u};
  int n = lw_model_dof(model), nq = lw_model_nq(model);
  States states = {.count = count};
  states.q      = random_rows(&random, count * nq, pi);
  states.qd     = random_rows(&random, count * n, 2);
  states.qdd    = random_rows(&random, count * n, 5);
  states.tau    = random_rows(&random, count * n, 20);
  states.wrench = random_rows(&random, count * 6, 10);
  for (int k = 0; k < count * nq; ++k)
  {
    lwCoordinate entry = lw_model_position(model, k % nq);
    if (k / nq % 5 == 4 && !entry.quaternion) states.q[k] = 0.5 * pi * (pick(&random, 4) - 1);
    if (entry.slides) states.q[k] *= 0.2;
  }
  for (int k = 0; k < count; ++k)
  {
    lw_model_normalize(model, states.q + (size_t)k * (size_t)nq);
    for (int i = 0; i < n && k % 7 == 6; ++i) states.qd[k * n + i] = 0;
  }
  states.rows = (lwStates){states.q, states.qd, states.qdd, states.tau, states.wrench};
  return states;
}

lwStates state_row(const States* states, const lwModel* model, int k)
{
  size_t at = (size_t)k * (size_t)lw_model_dof(model);
  return (lwStates){states->q + (size_t)k * (size_t)lw_model_nq(model), states->qd + at,
                    states->qdd + at, states->tau + at, states->wrench + 6 * (size_t)k};
}

void states_free(States* states)
{
  free(states->q);
  free(states->qd);
  free(states->qdd);
  free(states->tau);
  free(states->wrench);
}

int robot_moving(const Robot* robot)
{
  int count = 0;
  for (int i = 0; i < robot->def.count; ++i) count += robot->joints[i].type != LW_JOINT_FIXED;
  return count;
}

void robot_couple(Robot* robot, uint64_t seed)
{
  lwRandom random = {seed};
  int moving[MAX_JOINTS], rank[MAX_JOINTS], count = 0;
  for (int i = 0; i < robot->def.count; ++i)
    if (robot->joints[i].type != LW_JOINT_FIXED) moving[count++] = i;
  for (int k = 0; k < count; ++k) rank[k] = k;
  for (int k = count - 1; k > 1;
       --k)  // random order in which joints may follow others; the first stays first
  {
    int other = 1 + (int)(lw_random_bits(&random) % (uint64_t)k);
    int kept  = rank[k];
    rank[k] = rank[other], rank[other] = kept;
  }
  for (int k = 1; k < count; ++k)
  {
    if (lw_random_between(&random, 0, 3) > 1) continue;
    int leader                           = moving[rank[lw_random_bits(&random) % (uint64_t)k]];
    robot->joints[moving[rank[k]]].mimic = (lwMimic){
        true, leader, lw_random_between(&random, -2, 2), lw_random_between(&random, -1, 1)};
  }
  lw_model_destroy(robot->model);
  robot_build(robot);
}
