// SPDX-License-Identifier: MIT
// linkwork cylinders: the hydraulic cylinders of a robot in one
// state, and their part of linkwork drives.
#include "cylinders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/files.h"
#include "io/note.h"
#include "states/states.h"

int cylinders_open(CylinderMotion* motion, const Options* options, const lwModel* model)
{
  *motion = (CylinderMotion){0};
  if (!strcmp(options->operand, "-")) return DONE;  // standard input cannot be read twice
  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwStatus status = lw_cylinders_read_file(options->operand, model, diag, &motion->cylinders);
  errors_print(diag);
  lw_diag_destroy(diag);
  if (status != LW_OK) return status == LW_ERROR_MEMORY ? no_memory() : INPUT;
  size_t count = (size_t)lw_cylinders_count(motion->cylinders), dof = (size_t)lw_model_dof(model);
  motion->count  = (int)count;
  motion->sizing = calloc(count + 1, sizeof *motion->sizing);
  motion->length = calloc(count * (dof + 2) + 1, sizeof(double));
  if (!motion->sizing || !motion->length) return no_memory();
  motion->force = motion->length + count;
  motion->arms  = motion->force + count;
  return DONE;
}

void cylinders_close(CylinderMotion* motion)
{
  lw_cylinders_destroy(motion->cylinders);
  free(motion->sizing);
  free(motion->length);
}

void cylinders_add(CylinderMotion* motion, double t, const double* q, const double* qd,
                   const double* tau, int dof)
{
  if (motion->count == 0) return;
  lw_cylinders_pose(motion->cylinders, q, motion->length, motion->arms, NULL);
  lw_cylinders_forces(motion->cylinders, motion->arms, tau, motion->force, NULL);
  for (int k = 0; k < motion->count; ++k)
  {
    double speed = 0;
    for (int j = 0; j < dof; ++j) speed += motion->arms[k * dof + j] * qd[j];
    lw_cylinder_sizing_add(&motion->sizing[k], lw_cylinders_get(motion->cylinders, k), t,
                           motion->length[k], speed, motion->force[k]);
  }
}

int cylinders_check(const CylinderMotion* motion)
{
  int status = DONE;
  for (int k = 0; k < motion->count; ++k)
  {
    const lwCylinderDef* def = lw_cylinders_get(motion->cylinders, k);
    const char* beyond       = lw_cylinder_sizing_beyond(&motion->sizing[k], def);
    if (!beyond) continue;
    note("cylinder '%s': %s is beyond its limit", def->name, beyond);
    status = NO;
  }
  return status;
}

// --- one state

typedef struct CylindersJob
{
  lwModel* model;
  lwWorkspace* ws;
  CylinderMotion* motion;
  double *q, *qd, *qdd, *tau, *K;
  int* shown;  // (rows) cylinder k at joint j as k dof + j, where it has a moment arm
  int rows;
} CylindersJob;

static int cylinder_state(CylindersJob* job, const Options* options)
{
  size_t dof = (size_t)lw_model_dof(job->model), nq = (size_t)lw_model_nq(job->model);
  job->shown = calloc((size_t)job->motion->count * dof + 1, sizeof *job->shown);
  job->q     = calloc(nq + dof * (dof + 3) + 1, sizeof *job->q);
  if (!job->q || !job->shown) return no_memory();
  job->qd  = job->q + nq;
  job->qdd = job->qd + dof;
  job->tau = job->qdd + dof;
  job->K   = job->tau + dof;
  lw_model_neutral(job->model, job->q);
  const struct
  {
    Option option;
    double* values;
  } lists[] = {{OPTION_Q, job->q}, {OPTION_QD, job->qd}, {OPTION_QDD, job->qdd}};
  for (int i = 0; i < 3; ++i)
  {
    const char* list = options->value[lists[i].option];
    int status = list ? joint_values(job->model, lists[i].option, list, lists[i].values) : DONE;
    if (status != DONE) return status;
  }
  lw_inverse_dynamics(job->model, job->ws, job->q, job->qd, job->qdd, job->tau);
  cylinders_add(job->motion, 0, job->q, job->qd, job->tau, (int)dof);
  lw_cylinders_stiffness(job->motion->cylinders, job->q, job->motion->force, job->K);
  for (int i = 0; i < job->motion->count * (int)dof; ++i)
    if (fabs(job->motion->arms[i]) > 1e-12) job->shown[job->rows++] = i;
  return DONE;
}

static int write_state(CylindersJob* job, const Options* options, Format format)
{
  const lwCylinderState state = {.model     = job->model,
                                 .cylinders = job->motion->cylinders,
                                 .sizing    = job->motion->sizing,
                                 .length    = job->motion->length,
                                 .arms      = job->motion->arms,
                                 .force     = job->motion->force,
                                 .K         = job->K,
                                 .shown     = job->shown,
                                 .rows      = job->rows};
  Out out;
  int status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  lw_cylinder_state_write(&out, format, &state);
  return out_close(&out, cylinders_check(job->motion), true);
}

int cmd_cylinders(const Command* command, const Options* options)
{
  (void)command;
  CylinderMotion motion = {0};
  CylindersJob job      = {.motion = &motion};
  Format format;
  int status = format_choose(options, &format);
  if (status == DONE && !strcmp(options->operand, "-"))
    status = fail(USAGE, "cylinders: ROBOT must be a file, not standard input");
  if (status == DONE) status = robot_load(options, options->operand, &job.model);
  if (status == DONE) status = cylinders_open(&motion, options, job.model);
  if (status == DONE && motion.count == 0)
    status = fail(INPUT, "%s: the robot has no cylinders", options->operand);
  if (status == DONE && lw_workspace_create(job.model, NULL, NULL, &job.ws) != LW_OK)
    status = no_memory();
  if (status == DONE) status = cylinder_state(&job, options);
  if (status == DONE) status = write_state(&job, options, format);
  cylinders_close(&motion);
  free(job.q);
  free(job.shown);
  lw_workspace_destroy(job.ws);
  lw_model_destroy(job.model);
  return status;
}
