#include "control.h"

#include <math.h>
#include <string.h>

#include "dynamics.h"

static const double AMPLITUDE = 0.2, FREQUENCY = 2; /* rad or m; rad/s */

void control_begin(Control* control, const double* q)
{
  control->kp = 400;
  control->kd = 40;
  memcpy(control->start, q, sizeof control->start);
  memcpy(control->wanted, q, sizeof control->wanted);
}

/* q* = start + share a (1 - cos w t): position, velocity and acceleration. Joints whose range is small move less. */
static void reference(const Control* control, int k, double t, double* q, double* qd, double* qdd)
{
  double a = AMPLITUDE * ARM_SHARE[k], w = FREQUENCY;
  *q   = control->start[k] + a * (1 - cos(w * t));
  *qd  = a * w * sin(w * t);
  *qdd = a * w * w * cos(w * t);
}

void control_step(Control* control, double t, const double* q, const double* qd, double* tau)
{
  double a[ARM_JOINTS];
  for (int k = 0; k < ARM_JOINTS; ++k)
  {
    double want, want_qd, want_qdd;
    reference(control, k, t, &want, &want_qd, &want_qdd);
    control->wanted[k] = want;
    a[k]               = want_qdd + control->kp * (want - q[k]) + control->kd * (want_qd - qd[k]);
  }
  arm_inverse(q, qd, a, tau);
  for (int k = 0; k < ARM_JOINTS; ++k) tau[k] = fmax(-ARM_EFFORT[k], fmin(ARM_EFFORT[k], tau[k]));
}
