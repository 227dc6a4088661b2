/* Tests of the control law and of the simulated arm, without real time. Exit code 0: all hold. */
#include <math.h>
#include <stdio.h>

#include "control.h"
#include "dynamics.h"
#include "plant.h"

static int failures;

static void expect(int holds, const char* what, double value)
{
  printf("%s %s (%.3g)\n", holds ? "ok    " : "FAILED", what, value);
  failures += !holds;
}

/* Torques of an acceleration give that acceleration. */
static void test_dynamics(void)
{
  double q[ARM_JOINTS], qd[ARM_JOINTS], qdd[ARM_JOINTS], tau[ARM_JOINTS], again[ARM_JOINTS], worst = 0;
  for (int i = 0; i < 100; ++i)
  {
    for (int k = 0; k < ARM_JOINTS; ++k)
    {
      q[k]   = sin(1 + 3 * i + 5 * k);
      qd[k]  = sin(2 + 7 * i + 3 * k);
      qdd[k] = sin(3 + 5 * i + 7 * k);
    }
    arm_inverse(q, qd, qdd, tau);
    arm_forward(q, qd, tau, again);
    for (int k = 0; k < ARM_JOINTS; ++k) worst = fmax(worst, fabs(again[k] - qdd[k]));
  }
  expect(worst < 1e-8, "forward dynamics of inverse dynamics", worst);
}

/* The arm follows, at 1 kHz, from its start and from beside it. */
static void test_tracking(double beside, double most, const char* what)
{
  Arm arm;
  Control control;
  double tau[ARM_JOINTS], error = 0;
  plant_begin(&arm);
  control_begin(&control, arm.q);
  for (int k = 0; k < ARM_JOINTS; ++k) arm.q[k] += beside * ARM_SHARE[k];
  for (int i = 0; i < 3000; ++i)
  {
    control_step(&control, 1e-3 * i, arm.q, arm.qd, tau);
    for (int k = 0; k < ARM_JOINTS && i >= 2000; ++k) error = fmax(error, fabs(control.wanted[k] - arm.q[k]));
    plant_step(&arm, tau, 1e-3);
  }
  expect(error < most, what, error);
}

static void test_limits(void)
{
  Arm arm;
  Control control;
  double tau[ARM_JOINTS], over = 0;
  plant_begin(&arm);
  control_begin(&control, arm.q);
  for (int k = 0; k < ARM_JOINTS; ++k) arm.q[k] += 100;
  control_step(&control, 0, arm.q, arm.qd, tau);
  for (int k = 0; k < ARM_JOINTS; ++k) over = fmax(over, fabs(tau[k]) - ARM_EFFORT[k]);
  expect(!(over > 0), "torques within the limits of the drives", over);
}

int main(void)
{
  test_dynamics();
  test_tracking(0, 1e-3, "error along the motion");
  test_tracking(0.02, 1e-3, "error one second after a start beside it");
  test_limits();
  return failures > 0;
}
