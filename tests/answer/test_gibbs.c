// SPDX-License-Identifier: MIT
// Gibbs' function: inverse dynamics derived from it, its Hessian by differences, and its convexity.
//
// G is a quadratic function of the accelerations, so central differences are exact for any step,
// except for rounding: (G(qdd + h e) - G(qdd - h e)) / 2h has an error of eps G / h, where G stands
// for the sum of the absolute values of its terms. The step is as large as the accelerations.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/reference.h"
#include "support/testing.h"

enum
{
  ROBOTS = 150
};

static const double C = 64, STEP = 4;

typedef struct Case
{
  Robot* robot;
  lwWorkspace* ws;
  States states;
  int n;
  double *qdd, *out;  // (n), (1 + n n)
  double size;        // of the terms of G, with accelerations increased by STEP
} Case;

static double gibbs_at(Case* c, const double* qdd)
{
  lw_gibbs(c->robot->model, c->ws, c->states.q, c->states.qd, qdd, c->out);
  return c->out[0];
}

static Case gibbs_case(uint64_t seed)
{
  Case c         = {.robot = any_robot(seed)};
  c.n            = lw_model_dof(c.robot->model);
  size_t outputs = lw_question_outputs(c.robot->model, LW_QUESTION_GIBBS);
  c.ws           = work_with(c.robot->model, -1, LW_PRECISION_DOUBLE);
  c.states       = random_states(seed, c.robot->model, 1);
  c.qdd          = numbers((size_t)c.n);
  c.out          = numbers(outputs);
  lwStates far   = c.states.rows;
  double* more   = numbers((size_t)c.n);
  double* size   = numbers(outputs);
  for (int k = 0; k < c.n; ++k) more[k] = fabs(c.states.qdd[k]) + STEP;
  far.qdd = more;
  reference_answer(&c.robot->def, LW_QUESTION_GIBBS, &far, c.out, size);
  c.size = size[0];
  memcpy(c.qdd, c.states.qdd, (size_t)c.n * sizeof *c.qdd);
  free(more);
  free(size);
  return c;
}

static void gibbs_case_end(Case* c)
{
  free(c->qdd);
  free(c->out);
  lw_workspace_destroy(c->ws);
  states_free(&c->states);
  robot_free(c->robot);
}

static void gradient_is_inverse_dynamics(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Case c      = gibbs_case(seed);
    double* tau = numbers((size_t)c.n);
    lw_inverse_dynamics(c.robot->model, c.ws, c.states.q, c.states.qd, c.states.qdd, tau);
    for (int k = 0; k < c.n; ++k)
    {
      c.qdd[k]     = c.states.qdd[k] + STEP;
      double above = gibbs_at(&c, c.qdd);
      c.qdd[k]     = c.states.qdd[k] - STEP;
      double below = gibbs_at(&c, c.qdd);
      c.qdd[k]     = c.states.qdd[k];
      assert_near((above - below) / (2 * STEP), tau[k], C * c.n * DBL_EPSILON * c.size / STEP);
    }
    free(tau);
    gibbs_case_end(&c);
  }
}

// d2G/dqdd_j dqdd_k, from four values, equals the Hessian in the answer, and M by the default
// method.
static void hessian_is_the_inertia_matrix(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Case c       = gibbs_case(seed);
    size_t count = (size_t)c.n * (size_t)c.n;
    int j = (int)(seed % (uint64_t)c.n), k = (int)(seed / 3 % (uint64_t)c.n);
    double *M = numbers(count), *H = numbers(count), sum = 0, most = 0;
    gibbs_at(&c, c.qdd);
    memcpy(H, c.out + 1, count * sizeof *H);
    lw_inertia_matrix(c.robot->model, c.ws, c.states.q, M);
    for (size_t i = 0; i < count; ++i) most = fmax(most, fabs(M[i]));
    for (size_t i = 0; i < count; ++i) assert_near(H[i], M[i], C * c.n * DBL_EPSILON * most);
    for (int corner = 0; corner < 4; ++corner)
    {
      double a = corner & 1 ? STEP : -STEP, b = corner & 2 ? STEP : -STEP;
      c.qdd[j] += a / 2;
      c.qdd[k] += b / 2;
      sum += a * b * gibbs_at(&c, c.qdd);
      memcpy(c.qdd, c.states.qdd, (size_t)c.n * sizeof *c.qdd);
    }
    assert_near(sum / pow(STEP, 4), H[j * c.n + k],
                4 * C * c.n * DBL_EPSILON * c.size / (STEP * STEP));
    free(M);
    free(H);
    gibbs_case_end(&c);
  }
}

// Gauss's principle: the accelerations at zero torque minimise G.
static void free_motion_has_the_least(void** unused)
{
  (void)unused;
  for (uint64_t seed = 1; seed <= ROBOTS; ++seed)
  {
    Case c        = gibbs_case(seed);
    double* falls = numbers((size_t)c.n);
    double* none  = numbers((size_t)c.n);
    lw_forward_dynamics(c.robot->model, c.ws, c.states.q, c.states.qd, none, falls);
    double least = gibbs_at(&c, falls);
    assert_at_least(gibbs_at(&c, c.qdd), least);
    for (int k = 0; k < c.n; ++k)
    {
      double own = falls[k];
      falls[k]   = own + 1 + fabs(own) / 1000;
      assert_at_least(gibbs_at(&c, falls), least);
      falls[k] = own;
    }
    free(falls);
    free(none);
    gibbs_case_end(&c);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradient_is_inverse_dynamics),
      cmocka_unit_test(hessian_is_the_inertia_matrix),
      cmocka_unit_test(free_motion_has_the_least),
  };
  return cmocka_run_group_tests_name("Gibbs' function", tests, NULL, NULL);
}
