// SPDX-License-Identifier: MIT
// All solutions in closed form: finds the kind of arm, and turns its candidates into solutions.
//
//   screws from the model --> kind of arm --> candidates
//     --Newton's method, forward kinematics--> solutions
// A model may differ from its kind by rounding, or by the small tolerance with which the kind is
// found; Newton's method on the model itself removes that difference.
#include "trajectory/ik/ik_closed_form.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "base/units.h"
#include "math/rotation.h"
#include "trajectory/ik/ik.h"

enum
{
  NEWTONS = 12
};

static const double VERIFIED = 1e-8;   // sizes of the arm, and rad, of a solution
static const double ROUNDED  = 1e-15;  // sizes of the arm, and rad: nothing is left to gain
static const double SAME     = 1e-6;   // rad, or sizes of the arm, between solutions that are one

static const lwArmKind* const KINDS[] = {&lw_spherical_wrist, &lw_three_parallel_axes,
                                         &lw_spherical_shoulder_and_wrist};

enum
{
  KIND_COUNT = sizeof KINDS / sizeof KINDS[0]
};

// --- the arm as screws

// The screws, from the Jacobian at q = 0: v = axis x (p - point).
static bool find_screws(lwIk* ik, lwClosedForm* form)
{
  int n                      = form->n;
  const double* J            = ik->task.J;
  double q[LW_MAX_IK_JOINTS] = {0};
  lw_pose(ik->task.model, ik->task.ws, q, form->p0, form->R0);
  lw_task_jacobian(&ik->task, q);
  for (int i = 0; i < n; ++i)
  {
    lwScrew* screw = &form->screw[i];
    double v[3], w[3], arm[3];
    for (int k = 0; k < 3; ++k) v[k] = J[k * n + i], w[k] = J[(k + 3) * n + i];
    double length = lw_length(w);
    screw->slides = length < 0.5;
    if (screw->slides) length = lw_length(v);
    if (!(length > 0)) return false;
    lw_cross(w, v, arm);
    for (int k = 0; k < 3; ++k)
    {
      screw->axis[k]  = (screw->slides ? v[k] : w[k]) / length;
      screw->point[k] = form->p0[k] + (screw->slides ? 0 : arm[k] / (length * length));
    }
  }
  return true;
}

// Do the screws move the last link as the model does? Not if joints are coupled.
static bool screws_are_right(lwIk* ik, const lwClosedForm* form)
{
  lwRandom random = {1};
  for (int trial = 0; trial < 3; ++trial)
  {
    double q[LW_MAX_IK_JOINTS] = {0}, p[3], R[9], x[3], Q[9], by[9], error[6];
    for (int i = 0; i < form->n; ++i) q[i] = lw_random_between(&random, -1, 1);
    lw_pose(ik->task.model, ik->task.ws, q, p, R);
    memcpy(x, form->p0, sizeof x);
    memcpy(Q, form->R0, sizeof Q);
    for (int i = form->n - 1; i >= 0; --i)
    {
      lw_screw_move(&form->screw[i], q[i], x, x);
      lw_screw_rotation(&form->screw[i], q[i], by);
      lw_rotation_product(by, Q, Q);
    }
    lw_pose_error(p, R, x, Q, error);
    if (lw_length(error) > 1e-9 * ik->size || lw_length(error + 3) > 1e-9) return false;
  }
  return true;
}

bool lw_axes_meet(const lwClosedForm* form, int first, double centre[3], char why[LW_WHY_NOT])
{
  const lwScrew* axes = form->screw + first;
  double foot[3], off = 0;
  int from = first + 1;  // 1-based, as people read it
  for (int i = 0; i < 3; ++i)
    if (axes[i].slides) return snprintf(why, LW_WHY_NOT, "joint %d is prismatic", from + i), false;
  for (int i = 0; i < 2; ++i)
    if (lw_screw_sine(&axes[i], &axes[i + 1]) < LW_CROSSING)
      return snprintf(why, LW_WHY_NOT, "axes %d and %d are parallel, so axes %d to %d do not meet",
                      from + i, from + i + 1, from, from + 2),
             false;
  lw_screw_meeting(&axes[0], &axes[1], centre);
  for (int i = 0; i < 3; ++i) off = fmax(off, lw_screw_foot(&axes[i], centre, foot));
  if (off <= LW_MEETING * form->size) return true;
  snprintf(why, LW_WHY_NOT, "axes %d to %d do not meet in one point: they are %.3g m off", from,
           from + 2, off);
  return false;
}

// --- the kind of arm

// The kind of arm, or NULL and why it is none.
static const lwArmKind* find_kind(lwIk* ik, lwClosedForm* form, char* why, size_t size)
{
  size_t length = 0;
  *why          = '\0';
  if (!find_screws(ik, form))
    snprintf(why, size, "a joint does not move the last link");
  else if (!screws_are_right(ik, form))
    snprintf(why, size, "joints are coupled");
  if (*why) return NULL;
  for (int k = 0; k < KIND_COUNT; ++k)
  {
    char reason[LW_WHY_NOT];
    if (KINDS[k]->joints != form->n) continue;
    if (KINDS[k]->fits(form, reason)) return KINDS[k];
    length += (size_t)snprintf(why + length, size - length, "%s%s", length ? ", and " : "", reason);
  }
  return NULL;
}

bool lw_closed_form_find(lwIk* ik)
{
  int n          = ik->task.n;
  bool supported = false;
  for (int k = 0; k < KIND_COUNT; ++k) supported = supported || KINDS[k]->joints == n;
  snprintf(ik->no_closed_form, sizeof ik->no_closed_form,
           "it has %d moving joint%s, expected 6 or 7", n, n == 1 ? "" : "s");
  if (ik->nq != n)
    snprintf(ik->no_closed_form, sizeof ik->no_closed_form, "it has ball or floating joints");
  if (ik->loops) snprintf(ik->no_closed_form, sizeof ik->no_closed_form, "it has closed loops");
  if (!supported || ik->nq != n || ik->loops) return true;
  lwClosedForm* form = lw_arena_take(&ik->arena, 1, sizeof *form);
  if (!form) return false;
  form->n    = n;
  form->size = ik->size;
  form->kind = find_kind(ik, form, ik->no_closed_form, sizeof ik->no_closed_form);
  if (form->kind) ik->closed_form = form;
  return true;
}

lwStatus lw_ik_check_all(const lwIk* ik, lwDiag* diag)
{
  return ik->closed_form ? LW_OK : lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s", ik->no_closed_form);
}

// --- solutions

// One step of Newton's method on the model; of seven joints the shortest one.
static void newton_step(lwIk* ik, const lwMiss* miss, double* q)
{
  int n = ik->task.n;
  double rows[6 * LW_MAX_IK_JOINTS], step[LW_MAX_IK_JOINTS];
  lw_task_jacobian(&ik->task, q);
  memcpy(rows, ik->task.J, (size_t)(6 * n) * sizeof *rows);
  for (int i = 0; i < n; ++i)
  {
    const double w[3] = {rows[3 * n + i], rows[4 * n + i], rows[5 * n + i]};
    for (int row = 0; row < 3; ++row) rows[(row + 3) * n + i] = lw_dot(miss->rate + 3 * row, w);
  }
  lw_task_decompose(&ik->task, rows, 6);
  lw_svd_solve(&ik->task.svd, miss->error, 0, 1e-9 * lw_svd_largest(&ik->task.svd), step);
  for (int i = 0; i < n; ++i) q[i] += step[i];
}

// Newton's method from a good start; keeps the best iterate, since
// the error may grow near a singularity.
static lwMiss polish(lwIk* ik, const lwTarget* target, double* q)
{
  double now[LW_MAX_IK_JOINTS];
  size_t size = (size_t)ik->task.n * sizeof *now;
  memcpy(now, q, size);
  lwMiss best = lw_ik_miss(ik, target, q), miss = best;
  for (int k = 0, lost = 0; k < NEWTONS && lost < 3 && isfinite(miss.cost); ++k)
  {
    if (best.position <= ROUNDED * ik->size && best.angle <= ROUNDED) break;
    newton_step(ik, &miss, now);
    miss = lw_ik_miss(ik, target, now);
    ++lost;
    if (!(miss.cost < best.cost)) continue;
    lost = 0;
    best = miss;
    memcpy(q, now, size);
  }
  return best;
}

// The turn of a revolute joint that is nearest to the guess within the limits, or just the nearest.
static bool choose_turn(const lwIk* ik, int i, double guess, double* q)
{
  double lower = ik->lower[i], upper = ik->upper[i], capacity = 1e-9;
  if (!ik->closed_form->screw[i].slides)
  {
    double near    = fmin(fmax(guess, lower), upper);
    double nearest = *q + 2 * LW_PI * round((near - *q) / (2 * LW_PI));
    while (nearest > upper + capacity && nearest - 2 * LW_PI >= lower - capacity)
      nearest -= 2 * LW_PI;
    while (nearest < lower - capacity && nearest + 2 * LW_PI <= upper + capacity)
      nearest += 2 * LW_PI;
    *q = nearest;
  }
  return *q >= lower - capacity && *q <= upper + capacity;
}

static bool is_same(const lwIk* ik, const double* a, const double* b)
{
  for (int i = 0; i < ik->task.n; ++i)
  {
    double d = a[i] - b[i];
    if (ik->closed_form->screw[i].slides)
      d /= ik->size;
    else
      d -= 2 * LW_PI * round(d / (2 * LW_PI));
    if (fabs(d) > SAME) return false;
  }
  return true;
}

static int add_solution(lwIk* ik, const lwTarget* target, const double* guess, lwIkSolution made,
                        int count, lwIkSolution* solutions)
{
  lwMiss miss = polish(ik, target, made.q);
  if (!(miss.position <= VERIFIED * ik->size && miss.angle <= VERIFIED)) return count;
  for (int k = 0; k < count; ++k)
    if (is_same(ik, solutions[k].q, made.q)) return count;
  if (count == LW_MAX_SOLUTIONS) return count;
  made.inside         = true;
  made.position_error = miss.position;
  made.angle_error    = miss.angle;
  for (int i = 0; i < ik->task.n; ++i)
    made.inside = choose_turn(ik, i, guess[i], &made.q[i]) && made.inside;
  solutions[count] = made;
  return count + 1;
}

// --- what is asked

void lw_goal_move(const lwGoal* goal, const double x[3], double out[3])
{
  double arm[3];
  for (int k = 0; k < 3; ++k) arm[k] = x[k] - goal->p0[k];
  lw_rotate(goal->G, arm, arm);
  for (int k = 0; k < 3; ++k) out[k] = goal->position[k] + arm[k];
}

void lw_undo_rotations(const lwScrew* screw, int count, const double* q, double R[9])
{
  double by[9];
  for (int i = 0; i < count; ++i)
  {
    lw_screw_rotation(&screw[i], -q[i], by);
    lw_rotation_product(by, R, R);
  }
}

// arm_angle NULL: that of the guess.
static int find_all(lwIk* ik, const lwTarget* target, const double* arm_angle, const double* guess,
                    lwIkSolution solutions[LW_MAX_SOLUTIONS])
{
  static const double none[LW_MAX_IK_JOINTS] = {0};
  const lwClosedForm* form                   = ik->closed_form;
  lwGoal goal                                = {.guess = guess ? guess : none, .p0 = form->p0};
  lwTarget full                              = *target;
  lwIkSolution found[LW_MAX_CANDIDATES];
  double back[9];
  int count = 0;
  for (int k = 0; k < 6; ++k) full.weights[k] = 1;
  memcpy(goal.position, target->position, sizeof goal.position);
  lw_rotation_transpose(form->R0, back);
  lw_rotation_product(target->rotation, back, goal.G);
  if (form->n == lw_spherical_shoulder_and_wrist.joints)
    goal.arm_angle = arm_angle ? *arm_angle : lw_arm_angle(form, goal.guess);
  int candidates = form->kind->candidates(form, &goal, found);
  for (int k = 0; k < candidates; ++k)
    count = add_solution(ik, &full, goal.guess, found[k], count, solutions);
  return count;
}

lwStatus lw_ik_all(lwIk* ik, const lwTarget* target, const double* guess, lwDiag* diag,
                   lwIkSolution solutions[LW_MAX_SOLUTIONS], int* count)
{
  lwStatus status = lw_ik_check_all(ik, diag);
  *count          = status == LW_OK ? find_all(ik, target, NULL, guess, solutions) : 0;
  return status;
}

// --- the arm angle

static lwStatus check_arm_angle(const lwIk* ik, lwDiag* diag)
{
  lwStatus status = lw_ik_check_all(ik, diag);
  if (status != LW_OK || ik->closed_form->kind == &lw_spherical_shoulder_and_wrist) return status;
  return lw_refuse(diag, LW_ERROR_INPUT, NULL, "an arm of %d joints has no arm angle, expected 7",
                   ik->task.n);
}

lwStatus lw_ik_arm_angle(const lwIk* ik, const double* q, lwDiag* diag, double* arm_angle)
{
  lwStatus status = check_arm_angle(ik, diag);
  if (status == LW_OK) *arm_angle = lw_arm_angle(ik->closed_form, q);
  return status;
}

lwStatus lw_ik_all_at(lwIk* ik, const lwTarget* target, double arm_angle, const double* guess,
                      lwDiag* diag, lwIkSolution solutions[LW_MAX_SOLUTIONS], int* count)
{
  lwStatus status = check_arm_angle(ik, diag);
  *count          = status == LW_OK ? find_all(ik, target, &arm_angle, guess, solutions) : 0;
  return status;
}
