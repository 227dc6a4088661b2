// SPDX-License-Identifier: MIT
// What the drives of a robot with closed loops must supply, friction and rotors of its passive
// joints included.
#include "linkwork/drive.h"

#include <string.h>

#include "loop/loop_workspace.h"

lwStatus lw_loops_drive_torques(lwLoops* loops, const lwStates* state, double* work, double* tau)
{
  const lwModel* model = loops->model;
  double *load = work, *given = work + model->dof;
  lw_answer(model, loops->ws, LW_QUESTION_INVERSE, state, load);
  for (int i = 0; i < model->dof; ++i)
  {
    const lwJointDef* joint = lw_model_joint_def(model, i);
    double qd = state->qd ? state->qd[i] : 0, qdd = state->qdd ? state->qdd[i] : 0;
    tau[i] = -lw_friction_torque(&joint->friction, qd) - lw_joint_rotor(joint) * qdd;
    load[i] -= tau[i];
  }
  lwStatus status = lw_loops_balance(loops, state->q, load, given, NULL);
  for (int i = 0; i < model->dof; ++i) tau[i] += given[i];
  return status;
}

lwStatus lw_loops_on_speeds(lwLoops* loops, const double* q, const double* full, double* out,
                            lwDiag* diag)
{
  double* of      = loops->full;
  lwStatus status = lw_loops_to_speeds(loops, q, 1, full, of, diag);
  if (status != LW_OK) return status;
  memset(out, 0, (size_t)loops->dof * sizeof *out);
  for (int a = 0; a < loops->set->speeds.count; ++a) out[loops->set->speeds.named[a]] = of[a];
  return LW_OK;
}

// tau' = -K dq is the derivative of torques that do not depend on velocities.
lwStatus lw_loops_stiffness(lwLoops* loops, const double* q, const double* tau, const double* K,
                            double* out, lwDiag* diag)
{
  size_t dof = (size_t)loops->dof, count = (size_t)loops->set->speeds.count;
  const int* named = loops->set->speeds.named;
  double* slopes   = loops->more;
  lwStatus status  = lw_loops_to_speeds(loops, q, 1, tau, loops->full, diag);
  if (status != LW_OK) return status;
  memset(loops->full, 0, 2 * dof * dof * sizeof *loops->full);
  memset(loops->M, 0, dof * dof * sizeof *loops->M);
  for (size_t k = 0; k < dof * dof; ++k) loops->full[k] = -K[k];
  lw_loops_torque_slopes(loops, NULL, NULL, tau, loops->full, slopes, NULL);
  memset(out, 0, dof * dof * sizeof *out);
  for (size_t a = 0; a < count; ++a)
    for (size_t b = 0; b < count; ++b)
      out[(size_t)named[a] * dof + (size_t)named[b]] = -slopes[a * count + b];
  return LW_OK;
}
