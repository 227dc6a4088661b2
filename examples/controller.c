// SPDX-License-Identifier: MIT
// A computed-torque controller at 1 kHz on a simulated arm, for one second.
//
//   desired      qs(t) = A (1 - cos(w t)) for each joint, from rest
//   controller   tau = M(q) u + C qd + g,   u = qsdd + 2 k (qsd - qd) + k^2 (qs - q)
//   arm          qdd = M(q)^-1 (tau - C qd - g), by Runge-Kutta of fourth order, tau held for a step
//
// The arm starts 0.05 rad off. With an exact model the error e of each joint obeys edd + 2 k ed + k^2 e = 0.
#include <math.h>
#include <stdio.h>

#include "linkwork/linkwork.h"
#include "linkwork/read.h"

#define MOST 16  // joints; everything in the loop is on the stack or in the workspace

static const double A = 0.4, w = 6.283185307179586, k = 30, h = 1e-3;  // rad, rad/s, 1/s, s

typedef struct
{
  double q[MOST], qd[MOST];
} State;

static void control(const lwModel* arm, lwWork* work, double t, const State* s, double* tau)
{
  double u[MOST], qs = A * (1 - cos(w * t)), qsd = A * w * sin(w * t),
                  qsdd = A * w * w * cos(w * t);
  for (int i = 0; i < lw_model_dof(arm); ++i)
    u[i] = qsdd + 2 * k * (qsd - s->qd[i]) + k * k * (qs - s->q[i]);
  lw_inverse_dynamics(arm, work, s->q, s->qd, u, tau);
}

// s + c d, where d holds the rates of s
static State along(const State* s, double c, const State* d)
{
  State r;
  for (int i = 0; i < MOST; ++i) r.q[i] = s->q[i] + c * d->q[i], r.qd[i] = s->qd[i] + c * d->qd[i];
  return r;
}

static State rates(const lwModel* arm, lwWork* work, State s, const double* tau)
{
  State d = {0};
  for (int i = 0; i < MOST; ++i) d.q[i] = s.qd[i];
  lw_forward_dynamics(arm, work, s.q, s.qd, tau, d.qd);
  return d;
}

static void step(const lwModel* arm, lwWork* work, State* s, const double* tau)
{
  State k1 = rates(arm, work, *s, tau), k2 = rates(arm, work, along(s, h / 2, &k1), tau);
  State k3 = rates(arm, work, along(s, h / 2, &k2), tau);
  State k4 = rates(arm, work, along(s, h, &k3), tau);
  *s = along(s, h / 6, &k1), *s = along(s, h / 3, &k2);
  *s = along(s, h / 3, &k3), *s = along(s, h / 6, &k4);
}

int main(int argc, char** argv)
{
  lwModel* arm = NULL;
  lwWork* work = NULL;
  State s      = {.q = {0.05, 0.05, 0.05, 0.05, 0.05, 0.05}};
  if (lw_robot_read_file(argc > 1 ? argv[1] : "robots/puma560.yaml", NULL, NULL, &arm) != LW_OK)
    return 3;
  if (lw_model_dof(arm) > MOST || lw_work_create(arm, NULL, &work) != LW_OK) return 3;
  printf("%s\n  t, s   largest error, rad\n", lw_model_name(arm));
  for (int i = 0; i <= 1000; ++i)
  {
    double tau[MOST], error = 0, t = i * h;
    for (int j = 0; j < lw_model_dof(arm); ++j)
      error = fmax(error, fabs(s.q[j] - A * (1 - cos(w * t))));
    if (i % 100 == 0) printf("%6.1f   %.2e\n", t, error);
    control(arm, work, t, &s, tau);
    step(arm, work, &s, tau);
  }
  lw_work_destroy(work);
  lw_model_destroy(arm);
}
