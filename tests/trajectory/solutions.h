// SPDX-License-Identifier: MIT
// Shared by the tests of closed-form inverse kinematics: comparing, finding and checking solutions.
#ifndef LW_TESTS_MOTION_SOLUTIONS_H
#define LW_TESTS_MOTION_SOLUTIONS_H

#include "trajectory_arms.h"

static const double PI = 3.14159265358979323846;

static inline double turn_difference(const lwModel* model, int i, double a, double b)
{
  double d = a - b;
  return joint_of(model, i)->type == LW_JOINT_PRISMATIC ? d : d - 2 * PI * round(d / (2 * PI));
}

static inline bool same(const lwModel* model, const double* a, const double* b, double by)
{
  for (int i = 0; i < lw_model_dof(model); ++i)
    if (fabs(turn_difference(model, i, a[i], b[i])) > by) return false;
  return true;
}

static inline int index_of(const lwModel* model, const lwIkSolution* solutions, int count,
                           const double* q)
{
  for (int k = 0; k < count; ++k)
    if (same(model, solutions[k].q, q, 1e-5)) return k;
  return -1;
}

// Distance from a singularity: sqrt(det(J J^T)), by elimination.
static inline double regularity(const lwModel* model, lwWorkspace* ws, const double* q)
{
  double J[6 * LW_MAX_IK_JOINTS], A[36] = {0}, det = 1;
  int n = lw_model_dof(model);
  lw_jacobian(model, ws, q, J);
  for (int k = 0; k < 36; ++k)
    for (int i = 0; i < n; ++i) A[k] += J[k / 6 * n + i] * J[k % 6 * n + i];
  for (int i = 0; i < 6; ++i)  // positive semidefinite: no pivoting needed
  {
    det *= A[7 * i];
    if (!(det > 0)) return 0;
    for (int k = i + 1; k < 6; ++k)
    {
      double f = A[k * 6 + i] / A[7 * i];
      for (int c = i; c < 6; ++c) A[k * 6 + c] -= f * A[i * 6 + c];
    }
  }
  return sqrt(det);
}

// Every solution reproduces the pose, and none occurs twice.
static inline void check_solutions(const lwModel* model, lwWorkspace* ws, const lwTarget* target,
                                   const lwIkSolution* solutions, int count)
{
  for (int k = 0; k < count; ++k)
  {
    // about 10 rotations of an arm of about 2 m have rounding errors of 1e-14; near a singularity
    // Newton's method stops earlier
    double off = pose_difference(model, ws, solutions[k].q, target);
    if (!(off <= 1e-9)) fail_msg("solution %d is off by %g", k, off);
    for (int j = 0; j < k; ++j)
      if (same(model, solutions[k].q, solutions[j].q, 1e-6))
        fail_msg("solutions %d and %d are the same", k, j);
  }
}

// Finds and checks all solutions with a new solver; returns their number.
static inline int all_of(const lwModel* model, const lwTarget* target, const double* guess,
                         lwIkSolution solutions[LW_MAX_SOLUTIONS])
{
  lwWorkspace* ws = plain_work(model);
  lwIk* ik;
  int count = -1;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  assert_int_equal(lw_ik_all(ik, target, guess, NULL, solutions, &count), LW_OK);
  check_solutions(model, ws, target, solutions, count);
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
  return count;
}

// The number of solutions found by searches from random positions, which must find no others.
static inline int count_hits(lwIk* search, const lwModel* model, const lwTarget* target,
                             lwRandom* random, int searches, const lwIkSolution* solutions,
                             int count)
{
  bool hit[LW_MAX_SOLUTIONS] = {false};
  int hits                   = 0;
  for (int k = 0; k < searches; ++k)
  {
    double q[LW_MAX_IK_JOINTS];
    for (int i = 0; i < lw_model_dof(model); ++i) q[i] = lw_random_between(random, -PI, PI);
    if (!lw_ik_solve(search, target, q).reached) continue;
    int index = index_of(model, solutions, count, q);
    if (index < 0) fail_msg("a search finds a solution that is not among the %d", count);
    hits += !hit[index];
    hit[index] = true;
  }
  return hits;
}

// The solver refuses this arm with this reason.
static inline void refuses_all(const lwModel* model, const char* part)
{
  lwWorkspace* ws = plain_work(model);
  lwDiag* diag    = lw_diag_create();
  lwTarget target = lw_target_pose();
  lwIkSolution solutions[LW_MAX_SOLUTIONS];
  lwIk* ik;
  int count = -1;
  assert_int_equal(lw_ik_create(model, ws, NULL, NULL, &ik), LW_OK);
  assert_int_equal(lw_ik_check_all(ik, NULL), LW_ERROR_INPUT);
  assert_int_equal(lw_ik_all(ik, &target, NULL, diag, solutions, &count), LW_ERROR_INPUT);
  assert_int_equal(count, 0);
  assert_contains(first_error(diag), part);
  lw_diag_destroy(diag);
  lw_ik_destroy(ik);
  lw_workspace_destroy(ws);
}

#endif
