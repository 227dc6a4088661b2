#include "plant.h"

#include <string.h>

#include "dynamics.h"

void plant_begin(Arm* arm)
{
  memcpy(arm->q, ARM_START, sizeof arm->q);
  memset(arm->qd, 0, sizeof arm->qd);
}

void plant_step(Arm* arm, const double* tau, double h)
{
  static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  double v[4][ARM_JOINTS], a[4][ARM_JOINTS];
  for (int s = 0; s < 4; ++s)
  {
    double q[ARM_JOINTS], qd[ARM_JOINTS];
    for (int k = 0; k < ARM_JOINTS; ++k)
    {
      q[k]  = arm->q[k] + (s > 0 ? part[s] * h * v[s - 1][k] : 0);
      qd[k] = arm->qd[k] + (s > 0 ? part[s] * h * a[s - 1][k] : 0);
    }
    memcpy(v[s], qd, sizeof qd);
    arm_forward(q, qd, tau, a[s]);
  }
  for (int s = 0; s < 4; ++s)
    for (int k = 0; k < ARM_JOINTS; ++k)
    {
      arm->q[k] += h / 6 * weight[s] * v[s][k];
      arm->qd[k] += h / 6 * weight[s] * a[s][k];
    }
}
