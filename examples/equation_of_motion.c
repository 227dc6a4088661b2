// SPDX-License-Identifier: MIT
// The parts of the equation of motion, and that they add up:
//
//   tau = M(q) qdd + C(q, qd) qd + g(q)
//   d kinetic / dt = qd^T (tau - g)        the power of the torques, less that against gravity
#include <math.h>
#include <stdio.h>

#include "linkwork/linkwork.h"

#define N 7  // joints

int main(int argc, char** argv)
{
  const double q[N]   = {0.1, -0.4, 0.3, -1.8, 0.2, 1.5, 0.8};
  const double qd[N]  = {0.5, -0.2, 0.3, 0.4, -0.6, 0.1, 0.9};
  const double qdd[N] = {1, 0.5, -0.7, 0.4, 0.9, -1.2, 0.3};
  double tau[N], M[N * N], C[N], g[N], worst = 0, power = 0, kinetic, potential;
  lwModel* arm    = NULL;
  lwWorkspace* ws = NULL;
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/panda.yaml", NULL, NULL, &arm) != LW_OK ||
      lw_model_dof(arm) != N || lw_workspace_create(arm, NULL, NULL, &ws) != LW_OK)
    return 3;
  lw_inverse_dynamics(arm, ws, q, qd, qdd, tau);
  lw_inertia_matrix(arm, ws, q, M);
  lw_coriolis(arm, ws, q, qd, C);
  lw_gravity(arm, ws, q, g);
  lw_energy(arm, ws, q, qd, &kinetic, &potential);
  printf("joint  torque = inertia + velocity + gravity, N m\n");
  for (int i = 0; i < N; ++i)
  {
    double inertia = 0;
    for (int j = 0; j < N; ++j) inertia += M[i * N + j] * qdd[j];
    printf("%5d %9.4f %9.4f %9.4f %9.4f\n", i + 1, tau[i], inertia, C[i], g[i]);
    worst = fmax(worst, fabs(tau[i] - inertia - C[i] - g[i]));
    power += qd[i] * (tau[i] - g[i]);
  }
  printf("kinetic %.4f J, potential %.4f J, power %.4f W; rest %.1e N m\n", kinetic, potential,
         power, worst);
  lw_workspace_destroy(ws);
  lw_model_destroy(arm);
  return worst < 1e-12 ? 0 : 1;
}
