// SPDX-License-Identifier: MIT
// What the drives of a robot with closed loops must supply, friction and rotors of its passive
// joints included.
#include "linkwork/drive.h"
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
