// SPDX-License-Identifier: MIT
// linkwork cylinders: the hydraulic cylinders of a robot in one state. And their part of linkwork
// drives.
#include "cylinders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/files.h"
#include "io/note.h"
#include "io/sheet.h"
#include "states/states.h"

int cylinders_open(CylinderMotion* motion, const Options* options, const lwModel* model)
{
  *motion = (CylinderMotion){0};
  if (!strcmp(options->operand, "-")) return DONE;  // what was read once is gone
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

// --- the table of a motion

static const SheetColumn MOTION_COLUMNS[] = {
    {"cylinder", NULL, NULL},        {"force_peak", NULL, NULL},
    {"force_time", NULL, NULL},      {"pressure_peak", NULL, NULL},
    {"speed_peak", NULL, NULL},      {"flow_peak", NULL, NULL},
    {"power_peak", NULL, NULL},      {"stroke_least", NULL, NULL},
    {"stroke_most", NULL, NULL},     {"buckling_safety", NULL, NULL},
    {"buckling_length", NULL, NULL}, {"stiffness_least", NULL, NULL},
    {"beyond", NULL, NULL},
};

static void motion_row(const void* context, int k, Cell* cells)
{
  const CylinderMotion* motion = context;
  const lwCylinderSizing* got  = &motion->sizing[k];
  const lwCylinderDef* def     = lw_cylinders_get(motion->cylinders, k);
  double push                  = got->push.value;
  Cell all[]                   = {cell_text(def->name),
                                  cell_number(got->force.value),
                                  cell_number(got->force.t),
                                  cell_number(got->pressure.value),
                                  cell_number(got->speed.value),
                                  cell_number(got->flow.value),
                                  cell_number(got->power.value),
                                  cell_number(got->shortest.value),
                                  cell_number(got->longest.value),
                                  cell_number(got->buckling.value),
                                  cell_number(push > 0 ? lw_cylinder_buckling_length(def, push, 1) : INFINITY),
                                  cell_number(got->softest.value),
                                  cell_text(lw_cylinder_sizing_beyond(got, def))};
  memcpy(cells, all, sizeof all);
}

void cylinders_write(Out* out, Format format, const CylinderMotion* motion)
{
  static const char* const units[] = {"",  "N", "s", "Pa", "m/s", "m^3/s", "W",
                                      "m", "m", "",  "m",  "N/m", ""};
  Sheet sheet                      = {.columns = sizeof MOTION_COLUMNS / sizeof *MOTION_COLUMNS,
                                      .column  = MOTION_COLUMNS,
                                      .unit    = units,
                                      .rows    = motion->count,
                                      .row     = motion_row,
                                      .context = motion};
  sheet_write(out, format, &sheet);
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

typedef struct Job
{
  lwModel* model;
  lwWorkspace* ws;
  CylinderMotion* motion;
  double *q, *qd, *qdd, *tau, *K;
  int* shown;  // (rows) cylinder k at joint j as k dof + j, where it has a moment arm
  int rows;
} Job;

static const SheetColumn STATE_COLUMNS[] = {
    {"cylinder", NULL, NULL},        {"joint", NULL, NULL},          {"arm", NULL, NULL},
    {"length", NULL, NULL},          {"stroke", NULL, NULL},         {"speed", NULL, NULL},
    {"force", NULL, NULL},           {"torque", NULL, NULL},         {"pressure_bore", NULL, NULL},
    {"pressure_rod", NULL, NULL},    {"flow", NULL, NULL},           {"stiffness", NULL, NULL},
    {"joint_stiffness", NULL, NULL}, {"buckling_force", NULL, NULL},
};

static void state_row(const void* context, int row, Cell* cells)
{
  const Job* job = context;
  int i          = job->shown[row];
  int dof = lw_model_dof(job->model), k = i / dof, j = i % dof;
  const lwCylinderDef* def = lw_cylinders_get(job->motion->cylinders, k);
  double length = job->motion->length[k], s = length - def->closed_length, pressure[2];
  double arm = job->motion->arms[i], force = job->motion->force[k];
  double speed = job->motion->sizing[k].speed.value, stiffness = lw_cylinder_stiffness(def, s);
  lw_cylinder_pressures(def, force, pressure);
  Cell all[] = {cell_text(def->name),
                cell_text(joint_name(job->model, j)),
                cell_number(arm),
                cell_number(length),
                cell_number(s),
                cell_number(speed),
                cell_number(force),
                cell_number(force * arm),
                cell_number(pressure[0]),
                cell_number(pressure[1]),
                cell_number(lw_cylinder_flow(def, speed)),
                cell_number(stiffness),
                cell_number(job->K[j * dof + j]),
                cell_number(lw_cylinder_buckling(def, s))};
  memcpy(cells, all, sizeof all);
}

static int cylinder_state(Job* job, const Options* options)
{
  size_t dof = (size_t)lw_model_dof(job->model);
  job->shown = calloc((size_t)job->motion->count * dof + 1, sizeof *job->shown);
  job->q     = calloc(dof * (dof + 4) + 1, sizeof *job->q);
  if (!job->q || !job->shown) return no_memory();
  job->qd  = job->q + dof;
  job->qdd = job->q + 2 * dof;
  job->tau = job->q + 3 * dof;
  job->K   = job->q + 4 * dof;
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

static int write_state(Job* job, const Options* options, Format format)
{
  static const char* const units[] = {"",    "",   "m",  "m",     "m",   "m/s",     "N",
                                      "N m", "Pa", "Pa", "m^3/s", "N/m", "N m/rad", "N"};
  Sheet sheet                      = {.columns = sizeof STATE_COLUMNS / sizeof *STATE_COLUMNS,
                                      .column  = STATE_COLUMNS,
                                      .unit    = units,
                                      .rows    = job->rows,
                                      .row     = state_row,
                                      .context = job};
  Out out;
  int status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  sheet_write(&out, format, &sheet);
  return out_close(&out, cylinders_check(job->motion), true);
}

int cmd_cylinders(const Command* command, const Options* options)
{
  (void)command;
  CylinderMotion motion = {0};
  Job job               = {.motion = &motion};
  Format format;
  int status = format_choose(options, &format);
  if (status == DONE && !strcmp(options->operand, "-"))
    status = fail(USAGE, "cylinders: ROBOT must be a file, not standard input");
  if (status == DONE) status = robot_load(options, options->operand, &job.model);
  if (status == DONE) status = needs_plain_joints(job.model, options->operand, "cylinders");
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
