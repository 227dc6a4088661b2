// SPDX-License-Identifier: MIT
// The manipulator of section 3: robots/hydraulic5.yaml with the load on its hook. Three waypoints
// give the position of the load's centre of mass and its rotation about the vertical.
#include <math.h>
#include <string.h>

#include "grigorov2013.h"

static const char* const POINT_DATA[POINTS] = {"start-point", "middle-point", "end-point"};

lwRobotDef robot_copy(const lwModel* model, lwJointDef* joints)
{
  lwRobotDef robot = *lw_model_robot(model);
  memcpy(joints, robot.joints, (size_t)robot.count * sizeof *joints);
  robot.joints = joints;
  return robot;
}

// --- the load

// A homogeneous box on the hook.
static void add_load(Page* page, lwLinkDef* hook, double gravity)
{
  double mass       = page_number(page, "load-weight") / gravity;
  double edge       = page_number(page, "load-edge");
  double moment     = mass * edge * edge / 6;
  double com[3]     = {0, 0, page_number(page, "load-centre")};
  double inertia[6] = {moment, moment, moment, 0, 0, 0};
  if (page->status == DONE) lw_link_def_add(hook, mass, com, inertia);
}

static void load_model(Page* page, lwModel** model)
{
  lwModel* empty = NULL;
  lwJointDef joints[JOINTS];
  page_check(page, lw_robot_read_text("robots/hydraulic5.yaml", paper_hydraulic5_text,
                                      paper_hydraulic5_length, NULL, NULL, &empty));
  if (page->status == DONE && lw_model_dof(empty) != JOINTS)
    page_fail(page, INPUT, "robots/hydraulic5.yaml has %d joints", lw_model_dof(empty));
  if (page->status == DONE)
  {
    lwRobotDef robot = robot_copy(empty, joints);
    add_load(page, &joints[JOINTS - 1].link, -robot.gravity[2]);
    if (page->status == DONE) page_check(page, lw_model_create(&robot, NULL, NULL, model));
  }
  lw_model_destroy(empty);
}

static void make_manipulator_works(Manipulator* manipulator, Page* page)
{
  lwWorkspaceDef closed = lw_workspace_def();
  closed.inverse = closed.inertia = closed.forward = "closed-form";
  lwWorkspaceDef usual                             = lw_workspace_def();
  usual.forward                                    = "articulated-body";
  lwFrame load = {.joint = JOINTS - 1, .xyz = {0, 0, page_number(page, "load-centre")}};
  page_check(page,
             lw_workspace_create(manipulator->model, &closed, NULL, &manipulator->closed_form));
  page_check(page, lw_workspace_create(manipulator->model, &usual, NULL, &manipulator->usual));
  if (page->status == DONE)
    page_check(page, lw_workspace_set_frame(manipulator->usual, manipulator->model, &load, NULL));
}

// --- the points

// x y z of the load's centre of mass, and its rotation about the vertical; the load is horizontal.
static void set_target(Page* page, const char* id, lwTarget* target)
{
  double point[4];
  *target = lw_target_pose();
  if (!data_take(page, id, 4, point)) return;
  memcpy(target->position, point, sizeof target->position);
  lw_rotation_rpy((double[]){0, 0, point[3]}, target->rotation);
}

// Each point starts from the solution of the previous one, so that the arm keeps its posture.
static void solve_points(Manipulator* manipulator, Page* page)
{
  lwIk* ik    = NULL;
  lwIkDef def = lw_ik_def();
  double guess[JOINTS];
  if (!data_take(page, "guess", JOINTS, guess)) return;
  if (page_check(page, lw_ik_create(manipulator->model, manipulator->usual, &def, NULL, &ik)) ==
      DONE)
    for (int k = 0; k < POINTS; ++k)
    {
      set_target(page, POINT_DATA[k], &manipulator->target[k]);
      manipulator->reached[k] = lw_ik_solve(ik, &manipulator->target[k], guess);
      memcpy(manipulator->q[k], guess, sizeof guess);
      if (!manipulator->reached[k].reached)
        page_fail(page, NUMERICAL, "the point '%s' is out of reach", POINT_DATA[k]);
    }
  lw_ik_destroy(ik);
}

lwTrajectory* manipulator_move(const Manipulator* manipulator, Page* page, lwJoin join)
{
  lwTrajectory* trajectory = NULL;
  lwWaypointsDef waypoints = lw_waypoints_def();
  waypoints.count          = POINTS;
  waypoints.q              = manipulator->q[0];
  waypoints.t              = manipulator->t;
  waypoints.join           = join;
  lwDiag* diag             = lw_diag_create();
  page_check(page, lw_trajectory_create_cubic(manipulator->model, &waypoints, diag, &trajectory));
  if (diag) errors_print(diag);
  lw_diag_destroy(diag);
  return trajectory;
}

void manipulator_open(Manipulator* manipulator, Page* page)
{
  load_model(page, &manipulator->model);
  if (page->status == DONE) make_manipulator_works(manipulator, page);
  if (page->status == DONE) solve_points(manipulator, page);
  if (page->status == DONE && data_take(page, "times", POINTS, manipulator->t))
    manipulator->trajectory = manipulator_move(manipulator, page, LW_JOIN_CLAMPED);
}

void manipulator_close(Manipulator* manipulator)
{
  lw_trajectory_destroy(manipulator->trajectory);
  lw_workspace_destroy(manipulator->closed_form);
  lw_workspace_destroy(manipulator->usual);
  lw_model_destroy(manipulator->model);
}
