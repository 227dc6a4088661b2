// SPDX-License-Identifier: MIT
// A floating planar chain with wheels as constraints moves as the snake does.
//
// The chain has a planar joint at the middle of link 1, q = x y theta_1, and revolute joints
// phi_k = theta_k+1 - theta_k. Wheel k must not slip: n_k . d/dt p_k = 0, the rows of A qd = 0.
// The equations of motion are
//   M qdd + A^T lambda = tau - b,   A qdd = -A' qd
// with M and b of the chain, computed by the library as for any robot.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/arm.h"
#include "linkwork/linkwork.h"
#include "math/lu.h"
#include "support/snakes.h"
#include "support/testing.h"

enum
{
  MOST_LINKS = 8,
  MOST       = MOST_LINKS + 2,
  MOST_ROWS  = MOST + MOST_LINKS
};

typedef struct Chain
{
  int n;  // links
  lwSnakeLink links[MOST_LINKS];
  lwModel* model;
  lwWorkspace* ws;
} Chain;

// The frame of link 1 is at its middle, those of the others at their rear ends.
static Chain chain_of(const lwSnake* snake)
{
  Chain chain      = {.n = lw_snake_count(snake)};
  lwRobotDef robot = lw_robot_def();
  lwJointDef joints[MOST_LINKS];
  char names[MOST_LINKS][16];
  for (int k = 0; k < chain.n; ++k)
  {
    const lwSnakeLink* link = &chain.links[k];
    chain.links[k]          = lw_snake_get(snake, k);
    snprintf(names[k], sizeof names[k], "j%d", k);
    joints[k]                 = lw_joint_def();
    joints[k].name            = names[k];
    joints[k].type            = k == 0 ? LW_JOINT_PLANAR : LW_JOINT_REVOLUTE;
    joints[k].parent          = k - 1;
    joints[k].placement       = LW_PLACEMENT_ORIGIN_AXIS;
    joints[k].axis[2]         = 1;
    joints[k].xyz[0]          = k == 0 ? 0 : chain.links[k - 1].length / (k == 1 ? 2 : 1);
    joints[k].link.mass       = link->mass;
    joints[k].link.com[0]     = k == 0 ? 0 : link->length / 2;
    joints[k].link.inertia[2] = link->inertia;
    joints[k].link.inertia[0] =
        link->inertia;  // about the other axes: any physically possible value
    joints[k].link.inertia[1] = link->inertia;
  }
  memset(robot.gravity, 0, sizeof robot.gravity);
  robot.count  = chain.n;
  robot.joints = joints;
  assert_int_equal(lw_model_create(&robot, NULL, NULL, &chain.model), LW_OK);
  assert_int_equal(lw_model_dof(chain.model), chain.n + 2);
  assert_int_equal(lw_workspace_create(chain.model, NULL, NULL, &chain.ws), LW_OK);
  return chain;
}

static void chain_free(Chain* chain)
{
  lw_workspace_destroy(chain->ws);
  lw_model_destroy(chain->model);
}

// The lever arm of link j in the position of wheel k.
static double lever(const Chain* chain, int k, int j)
{
  double half = chain->links[j].length / 2, ahead = j == k ? chain->links[k].wheel_offset : 0;
  if (j > k) return 0;
  if (j == k) return (k == 0 ? 0 : half) + ahead;
  return j == 0 ? half : 2 * half;
}

// Row k of A (n + 2), and -A' qd; theta and w (n) are absolute.
static double rolling_row(const Chain* chain, int k, const double* theta, const double* w,
                          const double v[2], double* row)
{
  double c = cos(theta[k]), s = sin(theta[k]), right = w[k] * (c * v[0] + s * v[1]);
  memset(row, 0, (size_t)(chain->n + 2) * sizeof *row);
  row[0] = -s;
  row[1] = c;
  for (int j = 0; j <= k; ++j)
  {
    double turn = theta[k] - theta[j], reach = lever(chain, k, j);
    for (int i = 0; i <= j; ++i)
      row[2 + i] += reach * cos(turn);  // joint i turns all links from i on
    right += reach * w[j] * sin(turn) * (w[k] - w[j]);
  }
  return right;
}

// qdd (n + 2), followed by lambda (n).
static void chain_motion(const Chain* chain, const double* q, const double* qd,
                         const double* torque, double* x)
{
  int n = chain->n, dof = n + 2, rows                      = dof + n, pivots[MOST_ROWS];
  double M[MOST * MOST], b[MOST], A[MOST_ROWS * MOST_ROWS] = {0}, row[MOST];
  double theta[MOST_LINKS] = {q[2]}, w[MOST_LINKS] = {qd[2]};
  for (int k = 1; k < n; ++k) theta[k] = theta[k - 1] + q[2 + k], w[k] = w[k - 1] + qd[2 + k];
  lw_inertia_matrix(chain->model, chain->ws, q, M);
  lw_bias(chain->model, chain->ws, q, qd, b);
  for (int i = 0; i < dof; ++i)
  {
    for (int j = 0; j < dof; ++j) A[i * rows + j] = M[i * dof + j];
    x[i] = (i > 2 ? torque[i - 3] : 0) - b[i];
  }
  for (int k = 0; k < n; ++k)
  {
    x[dof + k] = rolling_row(chain, k, theta, w, qd, row);
    for (int i = 0; i < dof; ++i) A[(dof + k) * rows + i] = A[i * rows + dof + k] = row[i];
  }
  assert_true(lw_lu_factor(A, rows, pivots));
  lw_lu_solve(A, rows, pivots, x);
}

// The chain's state that corresponds to the snake's.
static void chain_state(int n, const double* theta, const double* omega, const double rates[2],
                        double* q, double* qd)
{
  q[0] = q[1] = 0;
  memcpy(qd, rates, 2 * sizeof *qd);
  for (int k = 0; k < n; ++k)
  {
    q[2 + k]  = theta[k] - (k > 0 ? theta[k - 1] : 0);
    qd[2 + k] = omega[k] - (k > 0 ? omega[k - 1] : 0);
  }
}

// Accelerations and wheel forces in random states of random snakes.
static void same_accelerations(void** unused)
{
  (void)unused;
  for (int n = 2; n <= MOST_LINKS; ++n)
    for (uint64_t seed = 1; seed <= 10; ++seed)
    {
      lwSnake* snake       = random_snake(seed, n, 0.3);
      SnakeStates states   = random_snake_states(seed, n, 1, 1.2);
      lwSnakeWorkspace* ws = snake_work_with(snake, 0, LW_PRECISION_DOUBLE);
      lwSnakeAnswers got   = snake_answers(n, 1);
      Chain chain          = chain_of(snake);
      double q[MOST], qd[MOST], x[MOST_ROWS], size = 0, turn = 0;
      lw_snake_answer(snake, ws, &states.rows, &got);
      chain_state(n, states.rows.theta, got.omega, got.rates, q, qd);
      chain_motion(&chain, q, qd, states.rows.torque, x);
      for (int i = 0; i < 2 * n + 2; ++i) size = fmax(size, fabs(x[i]));
      const double bound =
          1e-10 * size;  // a system of up to 18 unknowns whose condition is up to 1e4
      assert_near(x[0], got.rates_dot[0], bound);
      assert_near(x[1], got.rates_dot[1], bound);
      for (int k = 0; k < n; ++k)
      {
        turn += x[2 + k];
        assert_near(turn, got.theta_ddot[k], bound);
        assert_near(x[n + 2 + k], got.lambda[k], bound);
      }
      chain_free(&chain);
      snake_answers_free(&got);
      lw_snake_workspace_destroy(ws);
      snake_states_free(&states);
      lw_snake_destroy(snake);
    }
}

// --- over time

static void some_torques(void* context, double t, const double* theta, const double u[2],
                         const double place[2], double* torque)
{
  (void)place;
  int n = *(const int*)context;
  (void)theta;
  (void)u;
  for (int k = 1; k < n; ++k) torque[k - 1] = 0.2 * sin(2 * t + k);
}

// Derivatives of y = q, qd (2 dof) for Runge-Kutta steps.
static lwSnakeRun* snake_run_with(const lwSnake* snake, lwSnakeWorkspace* ws,
                                  const lwIntegratorDef* how, lwSnakeDrive* drive, void* context)
{
  lwSnakeRunDef def = lw_snake_run_def();
  lwSnakeRun* run   = NULL;
  def.snake         = snake;
  def.ws            = ws;
  def.integrator    = *how;
  def.drive         = drive;
  def.context       = context;
  assert_int_equal(lw_snake_run_create(&def, NULL, &run), LW_OK);
  return run;
}

static void chain_rates(const Chain* chain, double t, const double* y, double* out)
{
  int n = chain->n, dof = n + 2;
  double torque[MOST_LINKS], x[MOST_ROWS];
  some_torques((void*)&n, t, NULL, NULL, NULL, torque);
  chain_motion(chain, y, y + dof, torque, x);
  memcpy(out, y + dof, (size_t)dof * sizeof *out);
  memcpy(out + dof, x, (size_t)dof * sizeof *out);
}

static void chain_step(const Chain* chain, double t, double h, double* y)
{
  static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
  int size              = 2 * (chain->n + 2);
  double rate[2 * MOST] = {0}, at[2 * MOST], sum[2 * MOST] = {0};
  for (int stage = 0; stage < 4; ++stage)
  {
    for (int i = 0; i < size; ++i) at[i] = y[i] + part[stage] * h * rate[i];
    chain_rates(chain, t + part[stage] * h, at, rate);
    for (int i = 0; i < size; ++i) sum[i] += weight[stage] * rate[i];
  }
  for (int i = 0; i < size; ++i) y[i] += h / 6 * sum[i];
}

// Two seconds of a run. The chain's constraints are enforced on accelerations only.
static void same_run(void** unused)
{
  (void)unused;
  int n                     = 5;
  lwSnake* snake            = random_snake(3, n, 0.3);
  lwSnakeWorkspace* ws      = snake_work_with(snake, 0, LW_PRECISION_DOUBLE);
  Chain chain               = chain_of(snake);
  const lwIntegratorDef how = lw_integrator_def();
  double theta[MOST_LINKS]  = {0.3, -0.2, 0.4, 0.1, -0.3}, omega[MOST_LINKS], rates[2];
  double y[2 * MOST];
  lwSnakeSample sample   = {.theta = theta, .u = {0.4, 0.3}};
  lwSnakeStates state    = {.theta = theta, .u = sample.u};
  lwSnakeAnswers answers = {.omega = omega, .rates = rates};
  lwSnakeRun* run;
  lw_snake_answer(snake, ws, &state, &answers);
  chain_state(n, theta, omega, rates, y, y + n + 2);
  run = snake_run_with(snake, ws, &how, some_torques, &n);
  lw_snake_run_start(run, &sample);
  assert_int_equal(lw_snake_run_to(run, 2, &sample, NULL), LW_PROGRESS_ARRIVED);
  for (int i = 0; i < 800; ++i) chain_step(&chain, i / 400., 1 / 400., y);
  const double bound = 1e-7;  // m, rad: both integrators' errors, and the drift of the constraints
  assert_near(y[0], sample.x, bound);
  assert_near(y[1], sample.y, bound);
  double direction = 0;
  for (int k = 0; k < n; ++k)
  {
    direction += y[2 + k];
    assert_near(direction, theta[k], bound);
  }
  assert_at_least(hypot(sample.x, sample.y), 0.01);  // it moved
  lw_snake_run_destroy(run);
  chain_free(&chain);
  lw_snake_workspace_destroy(ws);
  lw_snake_destroy(snake);
}

// A gait starts in its own posture and near its own speeds, and its torques keep the joints on the
// wave.
static void gait_is_followed(void** unused)
{
  (void)unused;
  int n                     = 6;
  const lwSerpenoid gait    = {.alpha = 0.5, .beta = 1.05, .gamma = 2};
  const lwIntegratorDef how = lw_integrator_def();
  lwSnake* snake            = random_snake(2, n, 0);
  lwSnakeWorkspace* ws      = snake_work_with(snake, 0, LW_PRECISION_DOUBLE);
  double theta[MOST_LINKS], sum = 0;
  lwSnakeSample sample = {.theta = theta};
  lwSerpenoidDrive* drive;
  lwSnakeRun* run;
  assert_int_equal(lw_serpenoid_create(snake, ws, &gait, &drive), LW_OK);
  lw_serpenoid_start(drive, theta, sample.u);
  for (int k = 0; k < n; ++k) sum += theta[k];
  assert_near(sum, 0, 1e-15);
  for (int k = 1; k < n; ++k)
    assert_near(theta[k] - theta[k - 1], gait.alpha * sin(gait.beta * k), 1e-15);
  run = snake_run_with(snake, ws, &how, lw_serpenoid_torques, drive);
  lw_snake_run_start(run, &sample);
  for (int i = 1; i <= 20; ++i)
  {
    assert_int_equal(lw_snake_run_to(run, 0.1 * i, &sample, NULL), LW_PROGRESS_ARRIVED);
    double first = theta[1] - theta[0] - gait.alpha * sin(gait.beta + gait.gamma * 0.1 * i);
    assert_at_most(fabs(first),
                   0.5 * gait.alpha);  // wheels leave two degrees of freedom for five joints
  }
  lw_snake_run_destroy(run);
  lw_serpenoid_destroy(drive);
  lw_serpenoid_destroy(NULL);
  lw_snake_workspace_destroy(ws);
  lw_snake_destroy(snake);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_accelerations),
      cmocka_unit_test(same_run),
      cmocka_unit_test(gait_is_followed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
