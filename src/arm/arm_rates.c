// SPDX-License-Identifier: MIT
// The right-hand side: torques to accelerations.
//
//   (M + R) qdd = tau + J^T w + friction - C qd - g
//   friction = -viscous qd - coulomb sign(qd), or what holds
//
// and the powers of drives, friction and loads, so that their work is integrated with the motion.
#include <string.h>

#include "arm/arm_internal.h"
#include "math/rotation.h"

void lw_arm_evaluate(lwArmRun* run, double t, const double* given)
{
  const double* y  = lw_arm_closed(run, given);
  const double* qd = y + run->nq;
  lw_arm_drive(run, t, y);
  for (int k = 0; k < run->n; ++k)
  {
    run->friction[k] = run->slip[k] - run->viscous[k] * qd[k];
    run->applied[k]  = run->tau[k] + run->load[k] + run->friction[k];
  }
  if (run->held > 0)  // M and the bias instead of forward dynamics
  {
    lw_arm_inertia(run, y, qd);
    lw_inverse_dynamics(run->model, run->ws, y, qd, NULL, run->right);
    for (int k = 0; k < run->n; ++k) run->right[k] = run->applied[k] - run->right[k];
    lw_arm_solve_held(run, run->right, run->qdd, run->friction);
  }
  else if (run->loops)
    lw_loops_forward(run->loops, &(lwStates){.q = y, .qd = qd, .tau = run->applied}, run->qdd,
                     NULL);
  else
    lw_forward_dynamics(run->model, run->ws, y, qd, run->applied, run->qdd);
}

void lw_arm_rates(void* context, double t, const double* y, double* rates)
{
  lwArmRun* run = context;
  int n         = run->n;
  double* works = rates + run->nq + n;
  lw_arm_evaluate(run, t, y);
  const double* q  = run->loops ? run->closed : y;
  const double* qd = q + run->nq;
  lw_model_rates(run->model, q, qd, rates);
  memcpy(rates + run->nq, run->qdd, (size_t)n * sizeof *rates);
  lw_arm_pull(run, y, rates);
  works[LW_WORK_DRIVE]    = lw_dot_product(n, run->tau, qd);
  works[LW_WORK_FRICTION] = lw_dot_product(n, run->friction, qd);
  works[LW_WORK_LOAD]     = lw_dot_product(n, run->load, qd);
  for (int k = 0; k < n && run->size > run->nq + n + LW_WORK_COUNT; ++k)
    if (run->current_at[k] >= 0) rates[run->current_at[k]] = run->current_rate[k];
}

double lw_arm_kinetic(lwArmRun* run, const double* y, double* potential)
{
  double kinetic;
  const double* qd = y + run->nq;
  lw_energy(run->model, run->ws, y, qd, &kinetic, potential);
  for (int k = 0; k < run->n; ++k) kinetic += 0.5 * run->reflected[k] * qd[k] * qd[k];
  return kinetic;
}
