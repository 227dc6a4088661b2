// SPDX-License-Identifier: MIT
// Random arms with motors and friction, and random splines and cycles for them.
#ifndef LW_TESTS_RETIME_RANDOM_TASKS_H
#define LW_TESTS_RETIME_RANDOM_TASKS_H

#include "linkwork/cycle.h"
#include "linkwork/drive.h"
#include "retime_paths.h"

typedef enum TaskKind
{
  TASK_SPLINE,
  TASK_CYCLE
} TaskKind;

typedef struct Task
{
  lwModel *model, *free_arm;  // with limits, and without
  lwTrajectory* spline;       // or NULL
  lwCycle* cycle;             // or NULL
  const lwTrajectory* path;   // of either
  lwRetimeEnds ends;
  lwRetimeDef def;
  lwFrame tool;
  lwReactionLimit reaction;
} Task;

static inline double between(lwRandom* random, double low, double high)
{
  return lw_random_between(random, low, high);
}

// A serial arm of 2 to 7 joints about 0.3 m apart, with friction and perhaps lossy gears.
static inline void random_joints(lwRandom* random, lwJointDef* joints, int count)
{
  static const char* const names[] = {"a", "b", "c", "d", "e", "f", "g"};
  for (int j = 0; j < count; ++j)
  {
    lwJointDef* joint = &joints[j];
    double m = between(random, 0.5, 5), r = between(random, 0.05, 0.2);
    *joint           = lw_joint_def();
    joint->name      = names[j];
    joint->parent    = j - 1;
    joint->alpha     = (int)between(random, 0, 4) * acos(-1) / 2;
    joint->a         = between(random, 0, 0.4);
    joint->d         = between(random, -0.2, 0.2);
    joint->link.mass = m;
    for (int k = 0; k < 3; ++k) joint->link.com[k] = between(random, -0.15, 0.15);
    for (int k = 0; k < 3; ++k) joint->link.inertia[k] = m * r * r * between(random, 0.8, 1.2);
    joint->friction = (lwFriction){between(random, 0, 2), between(random, 0, 2)};
    joint->motor    = (lwMotor){.given           = true,
                                .resistance      = between(random, 0.5, 3),
                                .torque_constant = between(random, 0.05, 0.3),
                                .gear            = between(random, 20, 100),
                                .rotor_inertia   = 1e-5,
                                .efficiency      = between(random, 0, 1) < 0.3 ? 0.85 : 1,
                                .voltage         = INFINITY,
                                .current         = INFINITY};
  }
}

static inline lwTrajectory* random_spline(lwRandom* random, const lwModel* model)
{
  enum
  {
    MOST_POINTS = 7
  };
  int n = lw_model_dof(model), count                  = 3 + (int)between(random, 0, 5);
  double q[MOST_POINTS * MOST_JOINTS], t[MOST_POINTS] = {0};
  lwWaypointsDef def = lw_waypoints_def();
  lwTrajectory* path;
  for (int k = 0; k < count; ++k)
  {
    double way = 0;
    for (int j = 0; j < n; ++j) q[k * n + j] = between(random, -1.5, 1.5);
    for (int j = 0; j < n && k > 0; ++j) way += pow(q[k * n + j] - q[(k - 1) * n + j], 2);
    if (k > 0) t[k] = t[k - 1] + sqrt(way);
  }
  def.count = count;
  def.q     = q;
  def.t     = t;
  def.join  = LW_JOIN_NATURAL;
  assert_int_equal(lw_trajectory_create_cubic(model, &def, NULL, &path), LW_OK);
  return path;
}

// Moves of the joints with blends: from rest to rest, or a ring that never stops.
static inline lwCycle* random_cycle(lwRandom* random, const lwModel* model)
{
  enum
  {
    MOST_TEXT = 4000
  };
  char text[MOST_TEXT];
  int n = lw_model_dof(model), count = 3 + (int)between(random, 0, 4);
  bool ring = between(random, 0, 1) < 0.5;
  lwCycle* cycle;
  size_t used =
      (size_t)snprintf(text, MOST_TEXT, "linkwork: 1\ncycle: random\nclosed: %s\npoints:\n",
                       ring ? "true" : "false");
  for (int k = 0; k < count; ++k)
  {
    used += (size_t)snprintf(text + used, MOST_TEXT - used, "  p%d: {q: [", k);
    for (int j = 0; j < n; ++j)
      used += (size_t)snprintf(text + used, MOST_TEXT - used, "%s%.17g", j ? ", " : "",
                               between(random, -1.5, 1.5));
    used += (size_t)snprintf(text + used, MOST_TEXT - used, "]}\n");
  }
  used += (size_t)snprintf(text + used, MOST_TEXT - used, "start: p0\nmoves:\n");
  for (int k = 1; k < count + ring; ++k)
    used += (size_t)snprintf(text + used, MOST_TEXT - used, "  - {joint: p%d%s}\n", k % count,
                             k + 1 < count + ring || ring ? ", blend: 20 mm" : "");
  if (lw_cycle_read_text("random", text, used, model, NULL, &cycle) != LW_OK) return NULL;
  return cycle;
}

// Largest torque that each joint needs along the path at a constant speed, and to stand there.
static inline void nominal_torques(const lwModel* model, const lwTrajectory* path, double speed,
                                   double* moving, double* standing)
{
  lwWorkspace* ws;
  int n = lw_model_dof(model);
  double q[MOST_JOINTS], q1[MOST_JOINTS], q2[MOST_JOINTS], tau[MOST_JOINTS];
  assert_int_equal(lw_workspace_create(model, NULL, NULL, &ws), LW_OK);
  memset(moving, 0, (size_t)n * sizeof *moving);
  memset(standing, 0, (size_t)n * sizeof *standing);
  for (int k = 0; k <= 50; ++k)
  {
    lw_trajectory_at(path, lw_trajectory_duration(path) * k / 50, q, q1, q2);
    lw_gravity(model, ws, q, tau);
    for (int j = 0; j < n; ++j) standing[j] = fmax(standing[j], fabs(tau[j]));
    for (int j = 0; j < n; ++j)
    {
      q1[j] *= speed;
      q2[j] *= speed * speed;
    }
    lw_inverse_dynamics(model, ws, q, q1, q2, tau);
    for (int j = 0; j < n; ++j) moving[j] = fmax(moving[j], fabs(tau[j]));
  }
  lw_workspace_destroy(ws);
}

// Limits that the motion can keep but comes up against.
static inline void random_limits(lwRandom* random, const lwModel* model, const lwTrajectory* path,
                                 lwJointDef* joints)
{
  double moving[MOST_JOINTS], standing[MOST_JOINTS], speed = between(random, 1, 4);
  nominal_torques(model, path, speed, moving, standing);
  for (int j = 0; j < lw_model_dof(model); ++j)
  {
    lwJointDef* joint = &joints[j];
    lwMotor* motor    = &joint->motor;
    double K          = motor->torque_constant * motor->gear;
    double least      = 1.3 * standing[j] + 2 * joint->friction.coulomb + 0.5;
    double tau = least + moving[j] * between(random, 0.3, 2), eff = motor->efficiency;
    if (between(random, 0, 1) < 0.8) joint->limits.effort = tau;
    if (between(random, 0, 1) < 0.5) motor->current = tau / (K * eff) * between(random, 0.9, 1.5);
    if (between(random, 0, 1) < 0.6)
      motor->voltage = motor->resistance * tau / (K * eff) * between(random, 1, 1.5) +
                       K * speed * between(random, 0.3, 2);
    if (between(random, 0, 1) < 0.6) joint->limits.velocity = speed * between(random, 0.7, 3);
    if (between(random, 0, 1) < 0.5)
      joint->limits.acceleration = speed * speed * between(random, 1, 8);
  }
}

// Some tasks also limit the tool and a bearing.
static inline void random_norms(lwRandom* random, Task* task)
{
  int last       = lw_model_joint_count(task->model) - 1;
  task->def      = lw_retime_def();
  task->tool     = (lwFrame){.joint = last, .xyz = {0.1, 0, 0.05}};
  task->def.tool = &task->tool;
  if (between(random, 0, 1) < 0.2) task->def.tool_speed = between(random, 0.5, 3);
  if (between(random, 0, 1) < 0.2) task->def.tool_acceleration = between(random, 5, 40);
  if (between(random, 0, 1) >= 0.2) return;
  task->reaction           = (lwReactionLimit){last, 400, 200};
  task->def.reactions      = &task->reaction;
  task->def.reaction_count = 1;
}

// The path of a task, for the arm without limits.
static inline void task_lay_path(lwRandom* random, Task* task, TaskKind kind)
{
  for (int k = 0; kind == TASK_CYCLE && !task->cycle && k < 20; ++k)  // blends may not fit
    task->cycle = random_cycle(random, task->free_arm);
  if (task->cycle)
  {
    const lwCycleSection* section = lw_cycle_section(task->cycle, 0);
    task->path                    = section->path;
    task->ends                    = section->ends;
  }
  else
    task->path = task->spline = random_spline(random, task->free_arm);
}

static inline void task_make(lwRandom* random, Task* task, TaskKind kind)
{
  lwJointDef joints[MOST_JOINTS];
  int n = 2 + (int)between(random, 0, 6);
  random_joints(random, joints, n);
  *task = (Task){.free_arm = robot_of_joints(joints, n)};
  task_lay_path(random, task, kind);
  random_limits(random, task->free_arm, task->path, joints);
  task->model = robot_of_joints(joints, n);
  random_norms(random, task);
}

static inline void task_free(Task* task)
{
  lw_cycle_destroy(task->cycle);
  lw_trajectory_destroy(task->spline);
  lw_model_destroy(task->model);
  lw_model_destroy(task->free_arm);
}

#endif
