// SPDX-License-Identifier: MIT
#include "valves.h"

bool valves_read(Valves* valves, Page* page, const Manipulator* manipulator)
{
  data_take(page, "closing-positions", JOINTS, valves->q);
  data_take(page, "closing-velocities", JOINTS, valves->qd);
  data_take(page, "stiffness", JOINTS, valves->stiffness);
  data_take(page, "damping", JOINTS, valves->damping);
  valves->duration = page_number(page, "closing-duration");
  if (page->status != DONE) return false;
  lw_gravity(manipulator->model, manipulator->closed_form, valves->q, valves->weight);
  return true;
}

// (14), as lw_spring_torque() has it: -stiffness (q - rest) - damping qd
static lwSpring spring_of(const Valves* valves, int j, Sign sign)
{
  double k = sign == SIGN_PRINTED ? -valves->stiffness[j] : valves->stiffness[j];
  return (lwSpring){
      .stiffness = k, .damping = valves->damping[j], .rest = valves->q[j] + valves->weight[j] / k};
}

lwArmRun* valves_close(const Valves* valves, Page* page, const Manipulator* manipulator, Sign sign,
                       const lwIntegratorDef* integrator)
{
  lwArmRun* run = NULL;
  lwJointDrive drives[JOINTS];
  lwArmDef def   = lw_arm_def();
  def.model      = manipulator->model;
  def.ws.inverse = def.ws.inertia = def.ws.forward = "closed-form";
  def.integrator                                   = *integrator;
  def.friction                                     = LW_FRICTION_MODEL_NONE;
  def.limits =
      sign == SIGN_PRINTED ? LW_LIMIT_MODE_NOTE : LW_LIMIT_MODE_STOP;  // the arm is far from them
  def.q      = valves->q;
  def.qd     = valves->qd;
  def.drives = drives;
  for (int j = 0; j < JOINTS; ++j)
    drives[j] = (lwJointDrive){.sprung = true, .spring = spring_of(valves, j, sign)};
  page_check(page, lw_arm_run_create(&def, NULL, &run));
  return run;
}

bool valves_advance(lwArmRun* run, Page* page, double t)
{
  char why[256];
  if (page->status != DONE) return false;
  if (lw_arm_run_advance(run, t, NULL) == LW_OUTCOME_ARRIVED) return true;
  lw_arm_run_why(run, why, sizeof why);
  page_fail(page, NUMERICAL, "after the valves closed, at t = %g s: %s", lw_arm_run_time(run), why);
  return false;
}
