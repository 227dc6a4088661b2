// SPDX-License-Identifier: MIT
// Inverse kinematics by damped least squares (Levenberg 1944, Marquardt 1963; for arms Wampler
// 1986), within limits.
//
//   e     error of the last link: position and remaining rotation vector, in axes of the target
//   A     d e / d q = -A
//   step  minimises |W (A step - e)|^2 + damping |step|^2, over the joints that no limit holds
// A step that brings the last link nearer is taken and the damping lowered; one that does not is
// repeated with more damping. A search that does not reach the target restarts from random
// positions. With loops, A has only those parts of its rows that keep the loops closed, and
// positions are closed after every step (trajectory/ik/closed_chain.c).
#include "trajectory/ik/ik.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/random.h"
#include "base/units.h"
#include "math/elementary.h"
#include "math/rotation.h"
#include "model/transform.h"

enum
{
  DAMPINGS  = 16,  // tried for one step
  MOST_SLOW = 12   // steps in a row that gain little
};

static const double SLOW    = 1e-2;   // part of the cost that a step must gain not to be slow
static const double LARGEST = 0.7;    // rad, or sizes of the arm, that a joint may go in one step
static const double NEAREST = 1e-15;  // sizes of the arm, or rad: nothing is left to gain

// --- what is asked

void lw_rotation_rpy(const double rpy[3], double rotation[9])
{
  static const double none[3] = {0};
  lwTransform frame           = lw_origin(none, rpy);
  for (int k = 0; k < 9; ++k) rotation[k] = frame.R[k / 3][k % 3];
}

static lwTransform rotation_frame(const double rotation[9])
{
  lwTransform frame = lw_identity;
  for (int k = 0; k < 9; ++k) frame.R[k / 3][k % 3] = rotation[k];
  return frame;
}

void lw_rotation_to_rpy(const double rotation[9], double rpy[3])
{
  lwTransform frame = rotation_frame(rotation);
  lw_rpy(&frame, rpy);
  for (int k = 0; k < 3; ++k) rpy[k] += 0.0;  // no minus zeros
}

void lw_rotation_to_quaternion(const double rotation[9], double quaternion[4])
{
  lwTransform frame = rotation_frame(rotation);
  lw_quaternion(&frame, quaternion);
}

lwTarget lw_target_pose(void)
{
  return (lwTarget){.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .weights = {1, 1, 1, 1, 1, 1}};
}

lwTarget lw_target_position(void)
{
  lwTarget target = lw_target_pose();
  for (int k = 3; k < 6; ++k) target.weights[k] = 0;
  return target;
}

lwTarget lw_target_direction(void)
{
  lwTarget target   = lw_target_pose();
  target.weights[5] = 0;
  return target;
}

lwIkDef lw_ik_def(void)
{
  return (lwIkDef){.position_tolerance = 1e-9,
                   .angle_tolerance    = 1e-9,
                   .iterations         = 200,
                   .restarts           = 50,
                   .seed               = 1,
                   .cookie             = LW_COOKIE};
}

// --- the error and its rate

lwMiss lw_ik_miss(lwIk* ik, const lwTarget* target, const double* q)
{
  lwMiss miss = {0};
  double p[3], R[9], D[9], back[9], error[6];
  lw_pose(ik->task.model, ik->task.ws, q, p, R);
  lw_pose_error(target->position, target->rotation, p, R, error);
  lw_rotation_log_rate(error + 3, D);
  lw_rotation_transpose(D, D);
  lw_rotation_transpose(target->rotation, back);
  lw_rotation_product(back, D, miss.rate);
  lw_rotate(back, error + 3, error + 3);
  for (int k = 0; k < 6; ++k)
  {
    if (target->weights[k] == 0) continue;
    miss.error[k] = error[k];
    miss.cost += lw_pow(target->weights[k] * error[k], 2);
  }
  miss.position = lw_length(miss.error);
  miss.angle    = lw_length(miss.error + 3);
  return miss;
}

// ik->A = W A, without the columns of joints that are at a limit and would be pushed beyond it.
// right = W e.
static void weighted_rows(lwIk* ik, const lwTarget* target, const lwMiss* miss, double right[6])
{
  int n           = ik->task.n;
  const double* J = ik->task.J;
  lw_task_jacobian(&ik->task, ik->now);
  for (int k = 0; k < 6; ++k) right[k] = target->weights[k] * miss->error[k];
  for (int i = 0; i < n; ++i)
  {
    double gain = 0;
    for (int k = 0; k < 6; ++k)
    {
      double a = J[k * n + i];
      if (k >= 3)
      {
        const double w[3] = {J[3 * n + i], J[4 * n + i], J[5 * n + i]};
        a                 = lw_dot(miss->rate + 3 * (k - 3), w);
      }
      ik->A[k * n + i] = target->weights[k] * a;
      gain += ik->A[k * n + i] * right[k];
    }
    int at      = lw_model_velocity(ik->task.model, i).other;  // only one freedom alone has limits
    ik->held[i] = at >= 0 && ((ik->now[at] <= ik->lower[at] && gain < 0) ||
                              (ik->now[at] >= ik->upper[at] && gain > 0));
    for (int k = 0; k < 6 && ik->held[i]; ++k) ik->A[k * n + i] = 0;
  }
  lw_ik_keep_rows_closed(ik);
}

// --- one search

static bool slides(const lwIk* ik, int i)
{
  const lwModel* model = ik->task.model;
  return lw_model_velocity(model, i).slides;
}

void lw_ik_keep_limits(const lwIk* ik, double* q)
{
  for (int i = 0; i < ik->nq; ++i) q[i] = fmin(fmax(q[i], ik->lower[i]), ik->upper[i]);
}

// now + step into next, the step shortened to what is sensible, within the limits; false if the
// loops cannot be closed there.
static bool take_step(lwIk* ik)
{
  double most = 0;
  for (int i = 0; i < ik->task.n; ++i)
    most = fmax(most, fabs(ik->step[i]) / (slides(ik, i) ? ik->size : 1));
  double part = most > LARGEST ? LARGEST / most : 1;
  for (int i = 0; i < ik->task.n; ++i) ik->step[i] *= part;
  lw_model_integrate(ik->task.model, ik->now, ik->step, ik->next);
  lw_ik_keep_limits(ik, ik->next);
  return lw_ik_close_step(ik, ik->next);
}

// One step that lowers the cost; false: there is none. The damping is adapted.
static bool improve(lwIk* ik, const lwTarget* target, lwMiss* miss, double* damping)
{
  double right[6];
  weighted_rows(ik, target, miss, right);
  lw_task_decompose(&ik->task, ik->A, 6);
  double largest = lw_pow(lw_svd_largest(&ik->task.svd), 2);
  for (int k = 0; k < DAMPINGS; ++k)
  {
    lw_svd_solve(&ik->task.svd, right, *damping * largest, 0, ik->step);
    bool closed  = take_step(ik);
    lwMiss there = lw_ik_miss(ik, target, ik->next);
    if (closed && there.cost < miss->cost)
    {
      *miss    = there;
      *damping = fmax(0.1 * *damping, 1e-24);
      memcpy(ik->now, ik->next, (size_t)ik->nq * sizeof(double));
      return true;
    }
    *damping = fmax(10 * *damping, 1e-15);
  }
  return false;
}

// One search from q, which is improved; counts iterations. The limits are kept.
static lwMiss descend_from(lwIk* ik, const lwTarget* target, double* q, int* iterations)
{
  size_t size = (size_t)ik->nq * sizeof(double);
  memcpy(ik->now, q, size);
  lw_model_normalize(ik->task.model, ik->now);
  lw_ik_keep_limits(ik, ik->now);
  bool closed    = lw_ik_close_start(ik, ik->now);
  lwMiss miss    = lw_ik_miss(ik, target, ik->now);
  double damping = 1e-3;
  if (!closed) miss.cost = INFINITY;
  for (int k = 0, slow = 0; k < ik->def.iterations && slow < MOST_SLOW && closed; ++k)
  {
    double before = miss.cost;
    if (miss.position <= NEAREST * ik->size && miss.angle <= NEAREST) break;
    ++*iterations;
    if (!improve(ik, target, &miss, &damping)) break;
    slow = before - miss.cost < SLOW * before ? slow + 1 : 0;
  }
  memcpy(q, ik->now, size);
  return miss;
}

// --- many searches

// Between the limits; ball and floating joints by a random step from their position at zero.
static void random_positions(lwIk* ik, lwRandom* random, double* q)
{
  for (int i = 0; i < ik->task.n; ++i)
  {
    int at      = lw_model_velocity(ik->task.model, i).other;
    double most = slides(ik, i) ? ik->size : LW_PI;
    double low  = at >= 0 ? ik->lower[at] : -INFINITY;
    double high = at >= 0 ? ik->upper[at] : INFINITY;
    if (isinf(low) && isinf(high))
      low = -most, high = most;
    else if (isinf(low))
      low = high - 2 * most;
    else if (isinf(high))
      high = low + 2 * most;
    ik->step[i] = lw_random_between(random, low, high);
  }
  lw_model_neutral(ik->task.model, ik->next);
  lw_model_integrate(ik->task.model, ik->next, ik->step, q);
}

// Joints that do not move the last link, those of another arm, stay where they are. With loops,
// every other search moves only the driven joints.
static void begin_elsewhere(lwIk* ik, lwRandom* random, int try, double* q)
{
  const lwModel* model = ik->task.model;
  random_positions(ik, random, ik->next);
  if (try % 2) lw_ik_passive_from_file(ik, ik->next);
  for (int i = 0; i < ik->nq; ++i)
    for (int v = 0; v < ik->task.n; ++v)
      if (ik->moves[v] && lw_model_velocity(model, v).joint == lw_model_position(model, i).joint)
        q[i] = ik->next[i];
}

lwIkResult lw_ik_solve(lwIk* ik, const lwTarget* target, double* q)
{
  lwIkResult result = {0};
  lwRandom random   = {ik->def.seed};
  double least      = INFINITY;
  for (int try = 0; try <= ik->def.restarts && !result.reached; ++try)
  {
    if (try > 0) begin_elsewhere(ik, &random, try, q);
    lwMiss miss     = descend_from(ik, target, q, &result.iterations);
    result.restarts = try;
    if (!(miss.cost < least)) continue;
    least                 = miss.cost;
    result.position_error = miss.position;
    result.angle_error    = miss.angle;
    result.reached =
        miss.position <= ik->def.position_tolerance && miss.angle <= ik->def.angle_tolerance;
    memcpy(ik->best, q, (size_t)ik->nq * sizeof(double));
  }
  if (isfinite(least)) memcpy(q, ik->best, (size_t)ik->nq * sizeof(double));
  return result;
}

// --- the solver

static bool ik_take_memory(lwIk* ik, const lwModel* model, lwWorkspace* ws)
{
  size_t n = (size_t)lw_model_dof(model), nq = (size_t)lw_model_nq(model);
  const lwArray arrays[] = {{&ik->lower, nq}, {&ik->upper, nq}, {&ik->now, nq},  {&ik->next, nq},
                            {&ik->best, nq},  {&ik->step, nq},  {&ik->A, 6 * n}, {0}};
  ik->nq                 = (int)nq;
  ik->moves              = lw_arena_take(&ik->arena, n + 1, sizeof *ik->moves);
  ik->held               = lw_arena_take(&ik->arena, n + 1, sizeof *ik->held);
  return lw_task_take(&ik->task, &ik->arena, model, ws) && lw_arrays_take(&ik->arena, arrays) &&
         !lw_arena_failed(&ik->arena);
}

static void take_joint_limits(lwIk* ik)
{
  const lwModel* model = ik->task.model;
  for (int i = 0; i < ik->nq; ++i)
  {
    const lwCoordinate entry = lw_model_position(model, i);
    const lwLimits* limits   = &lw_model_robot(model)->joints[entry.joint].limits;
    bool free                = ik->def.ignore_limits || entry.other < 0;
    ik->lower[i]             = free ? -INFINITY : limits->lower;
    ik->upper[i]             = free ? INFINITY : limits->upper;
  }
}

static bool moves_last_link(const lwTask* task, int i)
{
  double most = 0;
  for (int k = 0; k < 6; ++k) most = fmax(most, fabs(task->J[k * task->n + i]));
  return most > 0;
}

// The size of the arm, and which joints move its last link; in several positions, so that
// the arm is not folded in all of them.
static void measure_error(lwIk* ik)
{
  lwRandom random = {1};
  for (int k = 0; k < 8; ++k)
  {
    random_positions(ik, &random, ik->now);
    ik->size = fmax(ik->size, lw_task_size(&ik->task, ik->now));
    for (int i = 0; i < ik->task.n; ++i)
      ik->moves[i] = ik->loops || (k > 0 && ik->moves[i]) || moves_last_link(&ik->task, i);
  }
}

lwStatus lw_ik_create(const lwModel* model, lwWorkspace* ws, const lwIkDef* def, lwDiag* diag,
                      lwIk** ik)
{
  *ik             = NULL;
  lwStatus status = def ? lw_def_check(def->cookie, "lw_ik_def()", diag) : LW_OK;
  if (status == LW_OK) status = lw_task_check(model, ws, diag);
  if (status != LW_OK) return status;
  lwIk* made = calloc(1, sizeof *made);
  status     = made && ik_take_memory(made, model, ws) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK && lw_model_loop_count(model) > 0)
    status = lw_loops_create(model, NULL, diag, &made->loops);
  if (status == LW_OK)
  {
    made->def = def ? *def : lw_ik_def();
    take_joint_limits(made);
    measure_error(made);
    if (!lw_closed_form_find(made)) status = LW_ERROR_MEMORY;
  }
  if (status == LW_OK)
    *ik = made;
  else
    lw_ik_destroy(made);
  return status;
}

void lw_ik_destroy(lwIk* ik)
{
  if (!ik) return;
  lw_loops_destroy(ik->loops);
  lw_arena_free(&ik->arena);
  free(ik);
}
