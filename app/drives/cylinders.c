// SPDX-License-Identifier: MIT
// linkwork cylinders: the hydraulic cylinders of a robot in one
// state, and their part of linkwork drives.

#include "drives.h"

#include <math.h>
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
  motion.arms   = allocate(count * dof, sizeof(double));
  return motion;
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

// Values of an option that may be absent, one for each joint.
static double* joint_list(const Options* options, const lwModel* model, Option option)
{
  double* values   = allocate((size_t)lw_model_nq(model), sizeof *values);
  const char* list = options->value[option];
  if (option == OPTION_Q) lw_model_neutral(model, values);
  if (list) joint_values(model, option, list, values);
  return values;
}

int cmd_cylinders(const Options* options)
{
  lwFormat format = format_of(options);
  lwWorkspace* ws = NULL;
  if (!strcmp(options->operand, "-"))
    stop(USAGE, "cylinders: ROBOT must be a file, not standard input");
  lwModel* model        = robot_of(options);
  CylinderMotion motion = cylinders_open(options, model);
  if (motion.count == 0) stop(USAGE, "%s: the robot has no cylinders", options->operand);
  if (lw_workspace_create(model, NULL, NULL, &ws) != LW_OK) leave(no_memory());
  hold_workspace(ws);
  int dof = lw_model_dof(model), rows = 0;
  const double* q   = joint_list(options, model, OPTION_Q);
  const double* qd  = joint_list(options, model, OPTION_QD);
  const double* qdd = joint_list(options, model, OPTION_QDD);
  double* tau       = allocate((size_t)dof, sizeof *tau);
  double* K         = allocate((size_t)dof * (size_t)dof, sizeof *K);
  int* shown        = allocate((size_t)motion.count * (size_t)dof, sizeof *shown);
  lw_inverse_dynamics(model, ws, q, qd, qdd, tau);
  cylinders_add(&motion, 0, q, qd, tau, dof);
  lw_cylinders_stiffness(motion.cylinders, q, motion.force, K);
  for (int i = 0; i < motion.count * dof; ++i)
    if (fabs(motion.arms[i]) > 1e-12) shown[rows++] = i;
  const lwCylinderState state = {.model     = model,
                                 .cylinders = motion.cylinders,
                                 .sizing    = motion.sizing,
                                 .length    = motion.length,
                                 .arms      = motion.arms,
                                 .force     = motion.force,
                                 .K         = K,
                                 .shown     = shown,
                                 .rows      = rows};
  lwOut* out                  = output_of(options);
  lw_cylinder_state_write(out, format, &state);
  return output_end(out, cylinders_check(&motion));
}
