// SPDX-License-Identifier: MIT
#include "simulate.h"

#include <string.h>

#include "command/ranges.h"
#include "io/files.h"

// --- control

// Poles of the joints at -20/s: critically damped, and well within the reach of a drive.
static const double POLE = 20;

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
  stop(USAGE, "--control: '%s' is unknown, expected computed-torque, pd or feed-forward%s%s", name,
       nearest_found(&nearest) ? "; " : "", nearest_or(&nearest, ""));
}

// Gains of computed torque are accelerations per error; the others are torques, scaled by the
// inertia of the joint where the trajectory begins.
static void default_gains(const lwArmDef* arm, double* kp, double* kd)
{
  size_t n        = (size_t)lw_model_dof(arm->model);
  bool torque     = arm->controller.kind != LW_CONTROL_COMPUTED_TORQUE;
  double* M       = allocate(n * n, sizeof *M);
  lwWorkspace* ws = tree_of(arm->model);
  lw_inertia_matrix(arm->model, ws, arm->q, M);
  for (size_t k = 0; k < n; ++k)
  {
    double rotor   = lw_joint_rotor(lw_model_joint_def(arm->model, (int)k));
    double inertia = torque ? M[k * n + k] + rotor : 1;
    kp[k]          = POLE * POLE * inertia;
    kd[k]          = 2 * POLE * inertia;
  }
}

// One gain for all joints, or one for each.
static void take_gains(const Options* options, Option option, int n, double* gains)
{
  const char* list = options->value[option];
  if (!list) return;
  int given = list_count(list) == 1 ? 1 : n;
  list_parse(option, list, given, "one for all joints or one for each", gains);
  for (int k = given; k < n; ++k) gains[k] = gains[0];
  for (int k = 0; k < n; ++k)
    if (!(gains[k] >= 0))
      stop(USAGE, "%s: value %d is %g, expected 0 or more", OPTIONS[option].name, k + 1, gains[k]);
}

static void by_trajectory(void* context, double t, double* q, double* qd, double* qdd)
{
  lw_trajectory_at(context, t, q, qd, qdd);
}

int follow_trajectory(const Options* options, const lwModel* model, const lwTrajectory* trajectory,
                      double dt)
{
  int n                = lw_model_dof(model);
  double* q            = allocate((size_t)lw_model_nq(model), sizeof *q);
  double* qd           = allocate((size_t)n, sizeof *qd);
  double* kp           = allocate((size_t)n, sizeof *kp);
  double* kd           = allocate((size_t)n, sizeof *kd);
  lwJointDrive* drives = allocate((size_t)n, sizeof *drives);
  lw_trajectory_at(trajectory, 0, q, qd, NULL);
  for (int k = 0; k < n; ++k) drives[k] = (lwJointDrive){.signal = LW_SIGNAL_CONTROL};
  Simulation* sim           = allocate(1, sizeof *sim);
  lwArmDef* arm             = &sim->arm;
  sim->timed                = (RunWriter){.options = options, .loop = {.record = dt}};
  sim->model                = model;
  sim->name                 = lw_model_name(model);
  *arm                      = lw_arm_def();
  arm->model                = model;
  arm->q                    = q;
  arm->qd                   = qd;
  arm->drives               = drives;
  arm->integrator.method    = "dormand-prince";
  arm->controller.kind      = control_of(options);
  arm->controller.kp        = kp;
  arm->controller.kd        = kd;
  arm->controller.reference = by_trajectory;
  arm->controller.context   = (void*)trajectory;
  default_gains(arm, kp, kd);
  take_gains(options, OPTION_KP, n, kp);
  take_gains(options, OPTION_KD, n, kd);
  sim->timed.loop.duration = lw_trajectory_duration(trajectory);
  if (!(sim->timed.loop.duration > 0))
    stop(INPUT, "%s: the trajectory has no duration, its last t is not above 0",
         options->value[OPTION_IN] ? options->value[OPTION_IN] : options->operand);
  return simulation_run(sim);
}

int simulate_robot(const Options* options)
{
  const char* path         = options->value[OPTION_IN];
  lwTrajectory* trajectory = NULL;
  lwWorkspaceDef def       = lw_workspace_def();
  const lwModel* model     = robot_of(options);
  lwDiag* diag             = hold_messages();
  def.rotors               = true;
  forward_check(model, options->operand, &def);
  lwStatus status = lw_trajectory_read_file(path, model, diag, &trajectory);
  hold_trajectory(trajectory);
  errors_print(diag);
  inputs_add(diag);
  if (status != LW_OK) leave(status == LW_ERROR_MEMORY ? no_memory() : INPUT);
  lwSamplesDef samples = lw_trajectory_samples(trajectory);
  ranges_positions(model, strcmp(path, "-") ? path : "standard input", 2, samples.q,
                   (int)samples.count, true);
  return follow_trajectory(options, model, trajectory, 0.01);
}
