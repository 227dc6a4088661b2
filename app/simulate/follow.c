// SPDX-License-Identifier: MIT
#include "follow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/list.h"
#include "command/ranges.h"
#include "io/files.h"
#include "io/program_text.h"
#include "simulate.h"

// --- a trajectory from a file

// Reads a trajectory from a CSV file. Prints what is wrong and returns INPUT, or DONE.
static int trajectory_from_file(const char* path, const lwModel* model, lwTrajectory** trajectory)
{
  lwDiag* diag    = lw_diag_create();
  lwStatus status = lw_trajectory_read_file(path, model, diag, trajectory);
  errors_print(diag);
  inputs_add(diag);
  lw_diag_destroy(diag);
  if (status == LW_ERROR_MEMORY) return no_memory();
  if (status != LW_OK) return INPUT;
  lwSamplesDef samples = lw_trajectory_samples(*trajectory);
  ranges_positions(model, strcmp(path, "-") ? path : "standard input", 2, samples.q,
                   (int)samples.count, true);
  return DONE;
}

// --- control

// Poles of the joints at -20/s: critically damped, and well within the reach of a drive.
static const double POLE = 20;

typedef struct Follower
{
  const Options* options;
  const lwModel* model;
  const lwTrajectory* trajectory;
  double dt;  // s, from record to record unless --dt is given
  lwArmDef arm;
  int n;
  double *q, *qd, *kp, *kd;  // (nq), (n) each
} Follower;

static lwControl control_of(const Options* options)
{
  static const struct
  {
    const char* name;
    lwControl control;
  } kinds[]        = {{"computed-torque", LW_CONTROL_COMPUTED_TORQUE},
                      {"pd", LW_CONTROL_PD_GRAVITY},
                      {"pd-gravity", LW_CONTROL_PD_GRAVITY},
                      {"feed-forward", LW_CONTROL_FEED_FORWARD}};
  const char* name = options->value[OPTION_CONTROL];
  if (!name) return LW_CONTROL_COMPUTED_TORQUE;
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < 4; ++i)
  {
    if (!strcmp(kinds[i].name, name)) return kinds[i].control;
    nearest_offer(&nearest, kinds[i].name);
  }
  bool near = nearest_found(&nearest);
  stop(USAGE, "--control: '%s' is unknown, expected computed-torque, pd or feed-forward%s%s%s",
       name, near ? "; did you mean '" : "", near ? nearest.best : "", near ? "'?" : "");
}

// Gains of computed torque are accelerations per error; the others are torques, scaled by the
// inertia of the joint where the trajectory begins.
static void default_gains(Follower* follower)
{
  size_t n        = (size_t)follower->n;
  bool torque     = follower->arm.controller.kind != LW_CONTROL_COMPUTED_TORQUE;
  double* M       = capacity(n * n, sizeof *M);
  lwWorkspace* ws = tree_of(follower->model);
  lw_inertia_matrix(follower->model, ws, follower->q, M);
  for (size_t k = 0; k < n; ++k)
  {
    double rotor    = lw_motor_rotor(&lw_model_joint_def(follower->model, (int)k)->motor);
    double inertia  = torque ? M[k * n + k] + rotor : 1;
    follower->kp[k] = POLE * POLE * inertia;
    follower->kd[k] = 2 * POLE * inertia;
  }
}

// One gain for all joints, or one for each.
static void take_gains(const Options* options, Option option, int n, double* gains)
{
  const char* list = options->value[option];
  if (!list) return;
  int given = list_count(list) == 1 ? 1 : n;
  need(list_parse(option, list, given, "one for all joints or one for each", gains));
  for (int k = given; k < n; ++k) gains[k] = gains[0];
  for (int k = 0; k < n; ++k)
    if (!(gains[k] >= 0))
      stop(USAGE, "%s: value %d is %g, expected 0 or more", OPTIONS[option].name, k + 1, gains[k]);
}

static void by_trajectory(void* context, double t, double* q, double* qd, double* qdd)
{
  lw_trajectory_at(((const Follower*)context)->trajectory, t, q, qd, qdd);
}

static void make_follower(Follower* follower)
{
  const Options* options = follower->options;
  int n                  = lw_model_dof(follower->model);
  follower->n            = n;
  follower->q            = capacity((size_t)lw_model_nq(follower->model), sizeof(double));
  follower->qd           = capacity((size_t)n, sizeof(double));
  follower->kp           = capacity((size_t)n, sizeof(double));
  follower->kd           = capacity((size_t)n, sizeof(double));
  lwJointDrive* drives   = capacity((size_t)n, sizeof *drives);
  lw_trajectory_at(follower->trajectory, 0, follower->q, follower->qd, NULL);
  for (int k = 0; k < n; ++k) drives[k] = (lwJointDrive){.signal = LW_SIGNAL_CONTROL};
  lwArmDef* arm             = &follower->arm;
  *arm                      = lw_arm_def();
  arm->model                = follower->model;
  arm->integrator.method    = "dormand-prince";
  arm->q                    = follower->q;
  arm->qd                   = follower->qd;
  arm->drives               = drives;
  arm->controller.kind      = control_of(options);
  arm->controller.kp        = follower->kp;
  arm->controller.kd        = follower->kd;
  arm->controller.reference = by_trajectory;
  arm->controller.context   = follower;
  default_gains(follower);
  take_gains(options, OPTION_KP, n, follower->kp);
  take_gains(options, OPTION_KD, n, follower->kd);
}

static int run_follower(void* context)
{
  Follower* follower     = context;
  const Options* options = follower->options;
  make_follower(follower);
  Simulation sim = {.options  = options,
                    .model    = follower->model,
                    .name     = lw_model_name(follower->model),
                    .arm      = follower->arm,
                    .run_loop = {lw_trajectory_duration(follower->trajectory), follower->dt, 0}};
  if (!(sim.run_loop.duration > 0))
    stop(INPUT, "%s: the trajectory has no duration, its last t is not above 0",
         options->value[OPTION_IN] ? options->value[OPTION_IN] : options->operand);
  return simulation_run(&sim);
}

int follow_trajectory(const Options* options, const lwModel* model, const lwTrajectory* trajectory,
                      double dt)
{
  Follower follower = {.options = options, .model = model, .trajectory = trajectory, .dt = dt};
  return scope_run(run_follower, &follower);
}

int simulate_robot(const Options* options)
{
  lwTrajectory* trajectory = NULL;
  lwWorkspaceDef def       = lw_workspace_def();
  const lwModel* model     = robot_of(options);
  def.rotors               = true;
  need(forward_check(model, options->operand, &def));
  need(trajectory_from_file(options->value[OPTION_IN], model, &trajectory));
  hold_trajectory(trajectory);
  return follow_trajectory(options, model, trajectory, 0.01);
}
