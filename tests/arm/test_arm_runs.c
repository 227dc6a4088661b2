// SPDX-License-Identifier: MIT
// Integrates lw_forward_dynamics() and compares with independently computed reference trajectories
// (tests/data/golden).
#include <math.h>
#include <string.h>

#include "linkwork/arm.h"
#include "support/check.h"
#include "support/golden.h"
#include "support/testing.h"

enum
{
  MAX_TIMES = 64
};

// An arm and its torque law; y = q, qd.
typedef struct Arm
{
  Robot* robot;
  lwWorkspace* ws;
  int n;
  void (*torques)(const struct Arm* arm, double t, const double* y, double* tau);
  double first[MAX_DOF], second[MAX_DOF], third[MAX_DOF], fourth[MAX_DOF];  // parameters of the law
  double y[2 * MAX_DOF];                                                    // at t = 0
} Arm;

static Arm read_arm(const Json* file)
{
  Arm arm = {.robot = golden_robot(file)};
  arm.n   = lw_model_dof(arm.robot->model);
  assert_int_equal(lw_workspace_create(arm.robot->model, NULL, NULL, &arm.ws), LW_OK);
  json_numbers(file, "q0", (size_t)arm.n, arm.y);
  json_numbers(file, "qd0", (size_t)arm.n, arm.y + arm.n);
  return arm;
}

static void free_arm(Arm* arm)
{
  lw_workspace_destroy(arm->ws);
  robot_free(arm->robot);
}

static void move(void* context, double t, const double* y, double* rates)
{
  const Arm* arm = context;
  double tau[MAX_DOF];
  arm->torques(arm, t, y, tau);
  memcpy(rates, y + arm->n, (size_t)arm->n * sizeof *rates);
  lw_forward_dynamics(arm->robot->model, arm->ws, y, y + arm->n, tau, rates + arm->n);
}

static void compare(const char* what, double t, const double* got, const double* expected, int n,
                    double bound)
{
  for (int i = 0; i < n; ++i)
    if (!(fabs(got[i] - expected[i]) <= bound * fmax(1, fabs(expected[i]))))
      fail_msg("%s: t = %g: entry %d is %.15g, expected %.15g", what, t, i, got[i], expected[i]);
}

// --- tau_i = amplitude_i sin(omega_i t)

static void sines(const Arm* arm, double t, const double* y, double* tau)
{
  (void)y;
  for (int i = 0; i < arm->n; ++i) tau[i] = arm->first[i] * sin(arm->second[i] * t);
}

static void follow(const char* name, const char* method, double tolerance, double bound)
{
  static double t[MAX_TIMES], q[MAX_TIMES * MAX_DOF], qd[MAX_TIMES * MAX_DOF];
  Json* file  = json_read_golden(name);
  Arm arm     = read_arm(file);
  int count   = json_get(file, "t")->count;
  size_t n    = (size_t)arm.n;
  arm.torques = sines;
  json_numbers(file, "tau_amp", n, arm.first);
  json_numbers(file, "tau_omega", n, arm.second);
  json_numbers(file, "t", (size_t)count, t);
  json_numbers(file, "q", (size_t)count * n, q);
  json_numbers(file, "qd", (size_t)count * n, qd);
  lwIntegratorDef def = lw_integrator_def();
  def.method          = method;
  def.relative = def.absolute = tolerance;
  lwIntegrator* integrator;
  assert_int_equal(lw_integrator_create(&def, 2 * arm.n, move, &arm, NULL, &integrator), LW_OK);
  lw_integrator_start(integrator, t[0], arm.y);
  for (int i = 0; i < count; ++i)
  {
    assert_int_equal(lw_integrator_advance(integrator, t[i], arm.y, NULL), LW_PROGRESS_ARRIVED);
    compare(name, t[i], arm.y, q + (size_t)i * n, arm.n, bound);
    compare(name, t[i], arm.y + arm.n, qd + (size_t)i * n, arm.n, bound);
  }
  lw_integrator_destroy(integrator);
  free_arm(&arm);
  json_free(file);
}

static const char* const trajectories[] = {"traj_2r", "traj_puma_like_6r", "traj_rprr"};

static void trajectories_are_followed(void** unused)
{
  (void)unused;
  for (int i = 0; i < 3; ++i)
  {
    follow(trajectories[i], "dormand-prince", 1e-12, 1e-8);
    follow(trajectories[i], "dop853", 1e-12, 1e-8);
  }
}

// The other integrators, with tolerances that they reach in reasonable time; the motion amplifies
// errors by about a thousand.
static void all_methods_follow(void** unused)
{
  (void)unused;
  for (int i = 0; i < 3; ++i)
    for (int m = 0; m < lw_integrator_method_count(); ++m)
      if (lw_integrator_method(m)->adaptive)
        follow(trajectories[i], lw_integrator_method(m)->name, 1e-8, 1e-4);
}

// --- swartz1982: motors at constant voltages, kutta3

// tau = K (V - K qd) / R - b qd, (12) and the friction of (10)
static void motors(const Arm* arm, double t, const double* y, double* tau)
{
  const double *K = arm->first, *R = arm->second, *b = arm->third, *V = arm->fourth;
  const double* qd = y + arm->n;
  (void)t;
  for (int i = 0; i < arm->n; ++i) tau[i] = K[i] * (V[i] - K[i] * qd[i]) / R[i] - b[i] * qd[i];
}

// The reference is the same recursion in 100 digits, so only rounding differs.
static void kutta3_is_the_recursion(void** unused)
{
  (void)unused;
  Json* file  = json_read_golden("rk3_motor");
  Arm arm     = read_arm(file);
  size_t n    = (size_t)arm.n;
  int count   = json_get(file, "steps")->count;
  arm.torques = motors;
  double steps[MAX_TIMES], q[MAX_TIMES * 2], qd[MAX_TIMES * 2], qdd0[2], rates[4];
  json_numbers(file, "Kt", n, arm.first);
  json_numbers(file, "R", n, arm.second);
  json_numbers(file, "b", n, arm.third);
  json_numbers(file, "V", n, arm.fourth);
  json_numbers(file, "steps", (size_t)count, steps);
  json_numbers(file, "q", (size_t)count * n, q);
  json_numbers(file, "qd", (size_t)count * n, qd);
  json_numbers(file, "qdd0", n, qdd0);
  lwIntegratorDef def = lw_integrator_def();
  def.method          = "kutta3";
  def.step            = json_number(file, "h");
  lwIntegrator* integrator;
  assert_int_equal(lw_integrator_create(&def, 2 * arm.n, move, &arm, NULL, &integrator), LW_OK);
  move(&arm, 0, arm.y, rates);
  compare("qdd", 0, rates + arm.n, qdd0, arm.n, 1e-13);
  lw_integrator_start(integrator, 0, arm.y);
  for (int i = 0; i < count; ++i)
  {
    double t = steps[i] * def.step;
    assert_int_equal(lw_integrator_advance(integrator, t, arm.y, NULL), LW_PROGRESS_ARRIVED);
    assert_int_equal(lw_integrator_stats(integrator).steps, lround(steps[i]));
    compare("q", t, arm.y, q + (size_t)i * n, arm.n, 1e-12);
    compare("qd", t, arm.y + arm.n, qd + (size_t)i * n, arm.n, 1e-12);
  }
  lw_integrator_destroy(integrator);
  free_arm(&arm);
  json_free(file);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trajectories_are_followed),
      cmocka_unit_test(all_methods_follow),
      cmocka_unit_test(kutta3_is_the_recursion),
  };
  return cmocka_run_group_tests_name("arms over time", tests, NULL, NULL);
}
