// SPDX-License-Identifier: MIT
// linkwork cylinders: the hydraulic cylinders of a robot in one state or along a motion, and their
// part of linkwork drives.

#include "drives.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/note.h"

CylinderMotion cylinders_open(const Options* options, const lwModel* model)
{
  CylinderMotion motion = {0};
  if (!strcmp(options->operand, "-")) return motion;  // standard input cannot be read twice
  lwDiag* diag    = hold_messages();
  lwStatus status = lw_cylinders_read_file(options->operand, model, diag, &motion.cylinders);
  hold_cylinders(motion.cylinders);
  errors_print(diag);
  if (status != LW_OK) leave(status == LW_ERROR_MEMORY ? no_memory() : INPUT);
  size_t count = (size_t)lw_cylinders_count(motion.cylinders), dof = (size_t)lw_model_dof(model);
  motion.count  = (int)count;
  motion.sizing = allocate(count, sizeof *motion.sizing);
  motion.length = allocate(count, sizeof(double));
  motion.force  = allocate(count, sizeof(double));
  motion.speed  = allocate(count, sizeof(double));
  motion.tau    = allocate(dof + 1, sizeof(double));
  motion.arms   = allocate(count * dof, sizeof(double));
  return motion;
}

void cylinders_add(CylinderMotion* motion, lwLoops* loops, double t, const double* q,
                   const double* qd, const double* tau, int dof)
{
  if (motion->count == 0) return;
  memcpy(motion->tau, tau, (size_t)dof * sizeof *tau);
  lw_cylinders_pose(motion->cylinders, q, motion->length, motion->arms, NULL);
  if (loops) need_ok(lw_loops_on_speeds(loops, q, tau, motion->tau, NULL));
  for (int k = 0; k < motion->count; ++k)
  {
    double* arms     = motion->arms + (size_t)k * (size_t)dof;
    motion->speed[k] = 0;
    for (int j = 0; j < dof; ++j) motion->speed[k] += arms[j] * qd[j];
    if (loops) need_ok(lw_loops_on_speeds(loops, q, arms, arms, NULL));
  }
  lw_cylinders_forces(motion->cylinders, motion->arms, motion->tau, motion->force, NULL);
  for (int k = 0; k < motion->count; ++k)
    lw_cylinder_sizing_add(&motion->sizing[k], lw_cylinders_get(motion->cylinders, k), t,
                           motion->length[k], motion->speed[k], motion->force[k]);
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

// --- over time

// Columns of a motion, NAME.length and so on of every cylinder.
static const char* const SERIES[] = {
    "length", "speed", "force", "pressure_bore", "pressure_rod", "flow",
};

enum
{
  EACH = sizeof SERIES / sizeof *SERIES
};

typedef struct CylindersJob
{
  const lwModel* model;
  MotionFile* file;
  CylinderMotion motion;
  lwRows* rows;
  double* values;  // (count, EACH)
} CylindersJob;

static void series_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  const CylindersJob* job = context;
  snprintf(name, LW_ROW_NAME, "%.60s.%s",
           lw_cylinders_get(job->motion.cylinders, (int)(k / EACH))->name, SERIES[k % EACH]);
}

static const char* series_unit(const void* context, size_t k)
{
  static const char* const units[EACH] = {"m", "m/s", "N", "Pa", "Pa", "m^3/s"};
  (void)context;
  return units[k % EACH];
}

static void cylinders_take_sample(void* context, int row)
{
  CylindersJob* job       = context;
  const lwCsvBlock* block = job->file->block;
  size_t dof = (size_t)lw_model_dof(job->model), at = (size_t)row * dof;
  cylinders_add(&job->motion, job->file->loops, block->values[GROUP_T][row],
                block->values[GROUP_Q] + (size_t)row * (size_t)lw_model_nq(job->model),
                block->values[GROUP_QD] + at, job->file->answers + at, (int)dof);
  for (int k = 0; k < job->motion.count; ++k)
  {
    const lwCylinderDef* def = lw_cylinders_get(job->motion.cylinders, k);
    double* values           = job->values + k * EACH;
    values[0]                = job->motion.length[k];
    values[1]                = job->motion.speed[k];
    values[2]                = job->motion.force[k];
    lw_cylinder_pressures(def, values[2], values + 3);
    values[5] = lw_cylinder_flow(def, values[1]);
  }
  lw_rows_add_kept(job->rows, block->keep ? block->text[row] : NULL, job->values);
}

static int cylinders_over_time(const Options* options, CylindersJob* job)
{
  lwWorkspaceDef def = lw_workspace_def();
  def.questions      = LW_ASKS(LW_QUESTION_INVERSE);
  if (options->value[OPTION_Q] || options->value[OPTION_QD] || options->value[OPTION_QDD])
    stop(USAGE, "cylinders: --in has the motion, and --q, --qd and --qdd are of one state");
  job->file   = motion_open(options, job->model, &def, LW_QUESTION_INVERSE);
  job->values = allocate((size_t)job->motion.count * EACH, sizeof *job->values);
  csv_keep_text(job->file->csv);
  lwOut* out = output_of(options);
  job->rows  = rows_begin((lwRows){.out       = out,
                                   .format    = format_of(options),
                                   .columns   = (size_t)job->motion.count * EACH,
                                   .name      = series_name,
                                   .unit      = series_unit,
                                   .context   = job,
                                   .kept      = &job->file->csv->header,
                                   .kept_time = true});
  motion_answer(job->file, cylinders_take_sample, job);
  rows_end(job->rows);
  return output_end(out, cylinders_check(&job->motion));
}

// --- one state

// Torques of the driven joints in a state whose loops are closed. The stiffness of its joints is
// that against motions of the speeds.
static void closed_cylinders(CylindersJob* job, const lwStates* given, double* K)
{
  lwWorkspaceDef def = lw_workspace_def();
  lwLoops* loops     = NULL;
  lwDiag* diag       = hold_messages();
  size_t dof         = (size_t)lw_model_dof(job->model);
  lwStates state     = *given;
  double* zero       = allocate(dof, sizeof *zero);
  double *tau = allocate(dof, sizeof *tau), *tree = allocate(dof * dof, sizeof *tree);
  double *steady = allocate(dof, sizeof *steady), *arms = allocate(dof, sizeof *arms);
  def.questions = LW_ASKS(LW_QUESTION_INVERSE) | LW_ASKS(LW_QUESTION_INVERSE_DERIVATIVES);
  need_ok(lw_loops_create(job->model, &def, diag, &loops));
  hold_loops(loops);
  if (!state.qd) state.qd = zero;
  if (!state.qdd && lw_loops_acceleration(loops, state.q, state.qd, steady) == LW_OK)
    state.qdd = steady;
  lwStatus status = lw_loops_check(loops, state.q, state.qd, state.qdd, diag);
  if (status == LW_OK) status = lw_loops_inverse(loops, &state, tau, NULL);
  if (status == LW_OK) status = lw_loops_on_speeds(loops, state.q, tau, tau, diag);
  if (status != LW_OK)
    stop(status == LW_ERROR_NUMERICAL ? NUMERICAL : USAGE, "cylinders: %s",
         first_error(diag, status));
  cylinders_add(&job->motion, loops, 0, state.q, state.qd, tau, (int)dof);
  lw_cylinders_stiffness(job->motion.cylinders, state.q, job->motion.force, tree);
  double* all = allocate((size_t)job->motion.count * dof, sizeof *all);
  lw_cylinders_pose(job->motion.cylinders, state.q, job->motion.length, all, NULL);
  for (int k = 0; k < job->motion.count; ++k)
    for (size_t j = 0; j < dof; ++j) arms[j] += job->motion.force[k] * all[(size_t)k * dof + j];
  need_ok(lw_loops_stiffness(loops, state.q, arms, tree, K, NULL));
}

// Values of an option that may be absent, one for each joint.
static double* joint_list(const Options* options, const lwModel* model, Option option)
{
  double* values   = allocate((size_t)lw_model_nq(model), sizeof *values);
  const char* list = options->value[option];
  if (option == OPTION_Q) lw_model_neutral(model, values);
  if (list) joint_values(model, option, list, values);
  return values;
}

static void tree_cylinders(CylindersJob* job, const Options* options, double* K)
{
  lwWorkspace* ws = NULL;
  if (lw_workspace_create(job->model, NULL, NULL, &ws) != LW_OK) leave(no_memory());
  hold_workspace(ws);
  int dof           = lw_model_dof(job->model);
  const double* q   = joint_list(options, job->model, OPTION_Q);
  const double* qd  = joint_list(options, job->model, OPTION_QD);
  const double* qdd = joint_list(options, job->model, OPTION_QDD);
  double* tau       = allocate((size_t)dof, sizeof *tau);
  lw_inverse_dynamics(job->model, ws, q, qd, qdd, tau);
  cylinders_add(&job->motion, NULL, 0, q, qd, tau, dof);
  lw_cylinders_stiffness(job->motion.cylinders, q, job->motion.force, K);
}

int cmd_cylinders(const Options* options)
{
  lwFormat format  = format_of(options);
  CylindersJob job = {0};
  if (!strcmp(options->operand, "-"))
    stop(USAGE, "cylinders: ROBOT must be a file, not standard input");
  job.model  = robot_of(options);
  job.motion = cylinders_open(options, job.model);
  if (job.motion.count == 0) stop(USAGE, "%s: the robot has no cylinders", options->operand);
  if (options->value[OPTION_IN]) return cylinders_over_time(options, &job);
  int dof = lw_model_dof(job.model), rows = 0;
  double* K  = allocate((size_t)dof * (size_t)dof, sizeof *K);
  int* shown = allocate((size_t)job.motion.count * (size_t)dof, sizeof *shown);
  if (lw_model_loop_count(job.model) > 0)
  {
    unsigned inputs = LW_INPUT_Q | LW_INPUT_QD | LW_INPUT_QDD;
    lwStates state  = block_state(&state_of(options, job.model, inputs)->block, job.model, 0);
    closed_cylinders(&job, &state, K);
  }
  else
    tree_cylinders(&job, options, K);
  for (int i = 0; i < job.motion.count * dof; ++i)
    if (fabs(job.motion.arms[i]) > 1e-12) shown[rows++] = i;
  const lwCylinderState state = {.model     = job.model,
                                 .cylinders = job.motion.cylinders,
                                 .sizing    = job.motion.sizing,
                                 .length    = job.motion.length,
                                 .arms      = job.motion.arms,
                                 .force     = job.motion.force,
                                 .K         = K,
                                 .shown     = shown,
                                 .rows      = rows};
  lwOut* out                  = output_of(options);
  lw_cylinder_state_write(out, format, &state);
  return output_end(out, cylinders_check(&job.motion));
}
