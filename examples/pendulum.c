// SPDX-License-Identifier: MIT
// Any differential equation with events: a pendulum that swings by 1 rad, its period from the times
// at which it hangs straight down, and the closed form.
//
//   qdd = -(g / l) sin(q)      T = 4 sqrt(l / g) K(sin(q0 / 2)) by the arithmetic-geometric mean
#include <math.h>
#include <stdio.h>

#include "linkwork/linkwork.h"

static void rates(void* context, double t, const double* y, double* out)
{
  (void)t;
  out[0] = y[1];
  out[1] = -*(const double*)context * sin(y[0]);
}

static void lowest(void* context, double t, const double* y, double* value)
{
  (void)context, (void)t;
  *value = y[0];
}

int main(void)
{
  double rate = 9.81, y[2] = {1, 0}, a = 1, b = cos(0.5), first = 0, last = 0;  // l = 1 m
  lwIntegrator* integrator = NULL;
  lwIntegratorDef def      = lw_integrator_def();
  def.method               = "dop853";
  def.relative = def.absolute = 1e-12;
  if (lw_integrator_create(&def, 2, rates, &rate, NULL, &integrator) != LW_OK ||
      lw_integrator_watch(integrator, 1, lowest, NULL) != LW_OK)
    return 3;
  lw_integrator_start(integrator, 0, y);
  for (int k = 0; k <= 20; ++k)
  {
    if (lw_integrator_advance(integrator, INFINITY, y, NULL) != LW_PROGRESS_EVENT) return 4;
    last = lw_integrator_time(integrator);
    if (k == 0) first = last;
  }
  for (int k = 0; k < 6; ++k)
  {
    double mean = 0.5 * (a + b);
    b           = sqrt(a * b);
    a           = mean;
  }
  double exact = 2 * acos(-1) / (sqrt(rate) * a), found = (last - first) / 10;
  printf("period %.12f s, exactly %.12f s; %ld steps\n", found, exact,
         lw_integrator_stats(integrator).steps);
  lw_integrator_destroy(integrator);
  return fabs(found - exact) < 1e-9 ? 0 : 1;
}
