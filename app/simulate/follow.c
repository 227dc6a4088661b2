// SPDX-License-Identifier: MIT
#include "follow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/list.h"
#include "io/program_text.h"
#include "simulate.h"
#include "states/states.h"

// --- a trajectory from a file

enum
{
  BLOCK_ROWS = 256,
  ARRAYS     = 4  // t, q, qd, qdd
};

static const long MOST_ROWS = 10000000;

// The rows of the file as they come.
typedef struct Growing
{
  long count, room;
  double* values[ARRAYS];  // NULL: absent
} Growing;

static int grow_reference(Growing* all, const CsvFile* csv)
{
  const CsvBlock* block = &csv->block;
  bool more             = all->count + block->count > all->room;
  if (more) all->room = 2 * (all->count + block->count);
  for (int g = 0; g < ARRAYS; ++g)
  {
    size_t width = (size_t)csv->header.group[g].width;
    if (!block->values[g]) continue;
    double* grown = more ? realloc(all->values[g], ((size_t)all->room * width + 1) * sizeof *grown)
                         : all->values[g];
    if (!grown) return no_memory();
    all->values[g] = grown;
    memcpy(grown + (size_t)all->count * width, block->values[g],
           (size_t)block->count * width * sizeof *grown);
  }
  all->count += block->count;
  return all->count <= MOST_ROWS
             ? DONE
             : fail(INPUT, "%s: more than %ld rows", csv->lines.name, MOST_ROWS);
}

static int read_reference_rows(CsvFile* csv, Growing* all)
{
  int status;
  do
  {
    status = csv_read(csv);
    if (status != DONE) lines_report(&csv->lines);
    if (status == DONE) status = grow_reference(all, csv);
  } while (status == DONE && csv->block.count > 0);
  if (status == DONE && all->count == 0)
    return fail(INPUT, "%s: no samples, expected at least one line below the header",
                csv->lines.name);
  return status;
}

int trajectory_from_file(const char* path, const lwModel* model, lwTrajectory** trajectory)
{
  static const char* const symbols[ARRAYS] = {"t", "q", "qd", "qdd"};
  CsvFile csv                              = {.header = {.groups = ARRAYS, .increasing = 0}};
  Growing all                              = {0};
  const Group groups[ARRAYS]               = {GROUP_Q, GROUP_Q, GROUP_QD, GROUP_QDD};
  for (int g = 0; g < ARRAYS; ++g)
  {
    const char* const* names = joint_names(model, groups[g], &csv.header.arena);
    if (!names) return no_memory();
    csv.header.group[g] = (lwColumnGroup){.symbol = symbols[g],
                                          .width  = g == 0 ? 1 : group_width(model, groups[g]),
                                          .single = g == 0,
                                          .names  = g == 0 ? NULL : names,
                                          .need = g < 2 ? LW_COLUMNS_ALL : LW_COLUMNS_ALL_OR_NONE};
  }
  int status = csv_open(&csv, path, BLOCK_ROWS);
  if (status == DONE) status = read_reference_rows(&csv, &all);
  if (status == DONE)
  {
    lwSamplesDef samples = {.model = model,
                            .dof   = lw_model_dof(model),
                            .count = all.count,
                            .t     = all.values[0],
                            .q     = all.values[1],
                            .qd    = all.values[2],
                            .qdd   = all.values[3]};
    lwDiag* diag         = lw_diag_create();
    lwStatus made        = lw_trajectory_create_samples(&samples, diag, trajectory);
    if (made != LW_OK) status = fail(INPUT, "%s: %s", csv.lines.name, first_error(diag, made));
    lw_diag_destroy(diag);
  }
  csv_close(&csv);
  for (int g = 0; g < ARRAYS; ++g) free(all.values[g]);
  return status;
}

// --- control

// Poles of the joints at -20/s: critically damped, and well within the reach of a drive.
static const double POLE = 20;

typedef struct Follower
{
  const lwModel* model;
  const lwTrajectory* trajectory;
  lwArmDef arm;
  int n;
  double *q, *qd, *kp, *kd;  // (nq), (n) in one piece of memory
  lwJointDrive* drives;      // (n)
} Follower;

static int choose_control(const Options* options, lwControl* control)
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
  *control         = LW_CONTROL_COMPUTED_TORQUE;
  if (!name) return DONE;
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < 4; ++i)
  {
    *control = kinds[i].control;
    if (!strcmp(kinds[i].name, name)) return DONE;
    nearest_offer(&nearest, kinds[i].name);
  }
  bool near = nearest_found(&nearest);
  return fail(USAGE,
              "--control: '%s' is unknown, expected computed-torque, pd or feed-forward%s%s%s",
              name, near ? "; did you mean '" : "", near ? nearest.best : "", near ? "'?" : "");
}

static const lwJointDef* joint_def(const lwModel* model, int k)
{
  return &lw_model_robot(model)->joints[lw_model_joint(model, k)];
}

// Gains of computed torque are accelerations per error; the others are torques, scaled by the
// inertia of the joint where the trajectory begins.
static int default_gains(Follower* follower)
{
  int n              = follower->n;
  lwWorkspaceDef def = lw_workspace_def();
  lwWorkspace* ws    = NULL;
  double* M          = calloc((size_t)n * (size_t)n + 1, sizeof *M);
  bool torque        = follower->arm.controller.kind != LW_CONTROL_COMPUTED_TORQUE;
  if (!M || lw_workspace_create(follower->model, &def, NULL, &ws) != LW_OK)
  {
    free(M);
    return no_memory();
  }
  lw_inertia_matrix(follower->model, ws, follower->q, M);
  for (int k = 0; k < n; ++k)
  {
    double rotor    = lw_motor_rotor(&joint_def(follower->model, k)->motor);
    double inertia  = torque ? M[(size_t)k * (size_t)n + (size_t)k] + rotor : 1;
    follower->kp[k] = POLE * POLE * inertia;
    follower->kd[k] = 2 * POLE * inertia;
  }
  lw_workspace_destroy(ws);
  free(M);
  return DONE;
}

// One gain for all joints, or one for each.
static int take_gains(const Options* options, Option option, int n, double* gains)
{
  const char* list = options->value[option];
  if (!list) return DONE;
  int given  = list_count(list) == 1 ? 1 : n;
  int status = list_parse(option, list, given, "one for all joints or one for each", gains);
  if (status != DONE) return status;
  for (int k = given; k < n; ++k) gains[k] = gains[0];
  for (int k = 0; k < n; ++k)
    if (!(gains[k] >= 0))
      return fail(USAGE, "%s: value %d is %g, expected 0 or more", OPTIONS[option].name, k + 1,
                  gains[k]);
  return DONE;
}

static void by_trajectory(void* context, double t, double* q, double* qd, double* qdd)
{
  lw_trajectory_at(((const Follower*)context)->trajectory, t, q, qd, qdd);
}

static int make_follower(Follower* follower, const Options* options)
{
  int n = lw_model_dof(follower->model), nq = lw_model_nq(follower->model);
  follower->n      = n;
  follower->q      = calloc((size_t)nq + 3 * (size_t)n + 1, sizeof(double));
  follower->drives = calloc((size_t)n + 1, sizeof *follower->drives);
  if (!follower->q || !follower->drives) return no_memory();
  follower->qd = follower->q + nq;
  follower->kp = follower->qd + n;
  follower->kd = follower->kp + n;
  lw_trajectory_at(follower->trajectory, 0, follower->q, follower->qd, NULL);
  for (int k = 0; k < n; ++k) follower->drives[k] = (lwJointDrive){.signal = LW_SIGNAL_CONTROL};
  lwArmDef* arm             = &follower->arm;
  *arm                      = lw_arm_def();
  arm->model                = follower->model;
  arm->integrator.method    = "dormand-prince";
  arm->q                    = follower->q;
  arm->qd                   = follower->qd;
  arm->drives               = follower->drives;
  arm->controller.kp        = follower->kp;
  arm->controller.kd        = follower->kd;
  arm->controller.reference = by_trajectory;
  arm->controller.context   = follower;
  int status                = choose_control(options, &arm->controller.kind);
  if (status == DONE) status = default_gains(follower);
  if (status == DONE) status = take_gains(options, OPTION_KP, n, follower->kp);
  if (status == DONE) status = take_gains(options, OPTION_KD, n, follower->kd);
  return status;
}

int follow_trajectory(const Options* options, const lwModel* model, const lwTrajectory* trajectory,
                      double dt)
{
  Follower follower = {.model = model, .trajectory = trajectory};
  Simulation* sim   = calloc(1, sizeof *sim);
  int status        = sim ? make_follower(&follower, options) : no_memory();
  if (sim && status == DONE)
  {
    sim->options         = options;
    sim->model           = model;
    sim->name            = lw_model_name(model);
    sim->arm             = follower.arm;
    sim->course.duration = lw_trajectory_duration(trajectory);
    sim->course.record   = dt;
    if (sim->course.duration > 0)
      status = simulation_run(sim);
    else
      status = fail(INPUT, "%s: the trajectory has no duration, its last t is not above 0",
                    options->value[OPTION_IN] ? options->value[OPTION_IN] : options->operand);
  }
  free(sim);
  free(follower.q);
  free(follower.drives);
  return status;
}

int simulate_robot(const Options* options)
{
  lwModel* model           = NULL;
  lwTrajectory* trajectory = NULL;
  lwWorkspaceDef def       = lw_workspace_def();
  def.rotors               = true;
  const char* in           = options->value[OPTION_IN];
  int status               = robot_load(options, options->operand, &model);
  if (status == DONE) status = forward_check(model, options->operand, &def);
  if (status == DONE) status = trajectory_from_file(in, model, &trajectory);
  if (status == DONE) status = follow_trajectory(options, model, trajectory, 0.01);
  lw_trajectory_destroy(trajectory);
  lw_model_destroy(model);
  return status;
}
