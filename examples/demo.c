// SPDX-License-Identifier: MIT
// The dynamics of a robot at one state by every method, side by side.
//
//   inverse   tau = M(q) qdd + b(q, qd)    b = C qd + g, the bias
//             tau = M (qdd - qdd0)         qdd0: acceleration at zero torque
//   inertia   M e_j = tau(q, 0, e_j) - g   column j: a unit acceleration from rest
//   forward   qdd = M^-1 (tau - b)         returns the qdd from which tau was computed
#include "demo_table.h"
#include "linkwork/read.h"

static const double q[MOST]   = {0.1, -0.8, 0.6, 0.3, 0.9, -0.4, 0.7}, zeros[MOST];
static const double qd[MOST]  = {0.5, -0.3, 0.8, 1.0, -0.6, 0.2, -0.9};
static const double qdd[MOST] = {1.0, 0.5, -0.7, 0.4, 0.9, -1.2, 0.3};
static double tau[MOST], M[MOST * MOST], accelerations[MOST], x[MOST * MOST];

// tau = M v + c
static void inverse_by_inertia(const char* name, const double* v, const double* c)
{
  memcpy(x, c, sizeof tau);
  for (int i = 0; i < n * n; ++i) x[i / n] += M[i] * v[i % n];
  print(name, x);
  compare(x, tau, (size_t)n);
}

static void inertia_by_columns(const lwModel* model, lwWorkspace* ws)
{
  double g[MOST], column[MOST];
  lw_gravity(model, ws, q, g);
  for (int j = 0; j < n; ++j)
  {
    double unit[MOST] = {0};
    unit[j]           = 1;
    lw_inverse_dynamics(model, ws, q, zeros, unit, column);
    for (int i = 0; i < n; ++i) x[i * n + j] = column[i] - g[i];
  }
  print("inverse, by columns", NULL);
  compare(x, M, (size_t)(n * n));
}

int main(int argc, char** argv)
{
  const char* path = argc > 1 ? argv[1] : "robots/puma560.yaml";
  lwStates state   = {.q = q, .qd = qd, .qdd = qdd, .tau = tau};
  double bias[MOST], v[MOST];
  lwModel* model  = NULL;
  lwWorkspace* ws = NULL;
  lwStatus status = lw_robot_read_file(path, NULL, NULL, &model);
  if (status == LW_OK) status = lw_workspace_create(model, NULL, NULL, &ws);
  n = model ? lw_model_dof(model) : 0;
  if (status != LW_OK || n > MOST)
    return fprintf(stderr, "%s: %s\n", path, n > MOST ? "too many joints" : lw_status_text(status)),
           3;

  print_names(model);
  printf("\nstate, rad or m, and s\n");
  print_rows("q", q, 1);
  print_rows("qd", qd, 1);
  print_rows("qdd", qdd, 1);
  lw_inertia_matrix(model, ws, q, M);
  lw_bias(model, ws, q, qd, bias);
  lw_forward_dynamics(model, ws, q, qd, zeros, v);
  for (int i = 0; i < n; ++i) v[i] = qdd[i] - v[i];

  printf("\ninverse dynamics: torques tau for this motion, N m or N\n");
  ask(model, LW_QUESTION_INVERSE, &state, tau);
  inverse_by_inertia("M qdd + b", qdd, bias);
  inverse_by_inertia("M (qdd - qdd0)", v, zeros);
  printf("\ninertia matrix M, kg m^2, kg m or kg\n");
  ask(model, LW_QUESTION_INERTIA, &state, M);
  inertia_by_columns(model, ws);
  printf("\nforward dynamics: accelerations qdd that these torques cause, rad/s^2 or m/s^2\n");
  ask(model, LW_QUESTION_FORWARD, &state, accelerations);
  print("asked for", qdd);
  compare(qdd, accelerations, (size_t)n);
  printf(worst < 1e-9 ? "\nall agree to %.1e (rounding)\n" : "\nthey DISAGREE by %.1e\n", worst);
  lw_workspace_destroy(ws);
  lw_model_destroy(model);
  return worst < 1e-9 ? 0 : 1;
}
