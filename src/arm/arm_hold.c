// SPDX-License-Identifier: MIT
// Which joints friction and end stops hold.
//
// A joint at rest is held by a torque f within low <= f <= high: -coulomb to coulomb, unbounded on
// the side on which a stop pushes. All joints at rest are decided together:
//
//   M x = right + f     x = 0 where low <= f <= high,  x >= 0 where f = low,  x <= 0 where f = high
//
// a linear complementarity problem with bounds. M is positive definite, so there is exactly one
// solution, and Murty's principal pivoting finds it: the first joint that is wrong changes sides,
// again and again (Murty 1974). With x the acceleration this is friction with stiction; with x the
// velocity after an impact and f an impulse, it is an inelastic end stop.
#define LW_SCALAR_f64
#define LW_ISA        baseline
#define LW_LANE_BYTES 0
#include "arm/arm_internal.h"

#include <math.h>
#include <string.h>

#include "loop/loop_workspace.h"
#include "math/tree_ldl.h"

// x may be this small, relative to the largest, on the wrong side:
// rounding of a joint that begins to slip.
static const double ROUNDING = 1e-12;

// A joint of a loop that is this much slower than others near where it turns back is not stopped.
static const double LEAST_FREEDOM = 1e-6;

void lw_arm_inertia(lwArmRun* run, const double* q, const double* qd)
{
  size_t n = (size_t)run->n;
  lw_inertia_matrix(run->model, run->ws, q, run->M);
  for (size_t k = 0; k < n; ++k) run->M[k * n + k] += run->reflected[k];
  if (run->loops) lw_loops_begin_holds(run->loops, q, qd, run->M);
}

// By the speeds that the loops leave.
static void solve_held_closed(lwArmRun* run, const double* right, double* x, double* hold)
{
  for (int k = 0; k < run->n; ++k) run->held_now[k] = run->hold[k] == LW_JOINT_HOLD_HELD;
  lw_loops_solve_held(run->loops, run->held_now, right, x, hold);
}

void lw_arm_solve_held(lwArmRun* run, const double* right, double* x, double* hold)
{
  size_t n = (size_t)run->n;
  if (run->loops) return solve_held_closed(run, right, x, hold);
  memmove(x, right, n * sizeof *x);
  memcpy(run->L, run->M, n * n * sizeof *run->L);
  for (size_t k = 0; k < n; ++k)  // rows and columns of held joints: those of the unit matrix
  {
    if (run->hold[k] != LW_JOINT_HOLD_HELD) continue;
    for (size_t i = 0; i < n; ++i) run->L[k * n + i] = run->L[i * n + k] = 0;
    run->L[k * n + k] = 1;
    x[k]              = 0;
  }
  tree_ldl_factor(run->n, run->chain, run->L);
  tree_ldl_solve(run->n, run->chain, run->L, x);
  for (size_t k = 0; k < n; ++k)
  {
    if (run->hold[k] != LW_JOINT_HOLD_HELD) continue;
    double sum = -right[k];
    for (size_t i = 0; i < n; ++i) sum += run->M[k * n + i] * x[i];
    hold[k] = sum;
    x[k]    = 0;
  }
}

void lw_arm_momentum(const lwArmRun* run, const double* v, double* momentum)
{
  size_t n = (size_t)run->n;
  for (size_t k = 0; k < n; ++k)
  {
    momentum[k] = 0;
    for (size_t i = 0; i < n; ++i) momentum[k] += run->M[k * n + i] * v[i];
  }
}

// An impulse at joint k, and at the joints that are held, as the last moment of friction gives it:
// the momenta of the others stay. This takes v^2 / (2 (M^-1)_kk) of the energy, second order in the
// remaining speed v. If only that speed were set to 0, the energy would change by v times the
// momentum, which the speeds of other joints make large.
// In a loop a joint may turn back while others move on: the impulse would then stop them all. Its
// inertia as the loops leave it, against that of the tree, tells.
static bool turns_back(const lwArmRun* run, int k)
{
  double own = run->M[(size_t)k * ((size_t)run->n + 1)];
  return run->loops && fabs(own * lw_arm_qd(run)[k]) < LEAST_FREEDOM * fabs(run->friction[k]);
}

void lw_arm_stop_joint(lwArmRun* run, int k)
{
  lw_arm_inertia(run, run->y, NULL);
  lw_arm_momentum(run, lw_arm_qd(run), run->right);
  lwJointHold slipping = run->hold[k];
  run->hold[k]         = LW_JOINT_HOLD_HELD;
  lw_arm_solve_held(run, run->right, run->qdd, run->friction);
  run->hold[k] = slipping;  // what it becomes is decided next
  if (!turns_back(run, k)) memcpy(lw_arm_qd(run), run->qdd, (size_t)run->n * sizeof *run->qdd);
}

// --- the complementarity problem

// The next state of joint k with x and f; the same if it is right.
static lwJointHold next_hold(const lwArmRun* run, int k, double x, double f, double small)
{
  lwJointHold now = run->hold[k];
  if (now == LW_JOINT_HOLD_HELD)
    return f < run->low[k]    ? LW_JOINT_HOLD_PLUS
           : f > run->high[k] ? LW_JOINT_HOLD_MINUS
                              : LW_JOINT_HOLD_HELD;
  double along = now == LW_JOINT_HOLD_PLUS ? x : -x;
  return along < -small ? LW_JOINT_HOLD_HELD : now;
}

bool lw_arm_settle(lwArmRun* run, const double* right, double* x, double* f)
{
  int n     = run->n;
  long most = 100 + 50L * n;  // Murty's bound is 2^n, needed is about n
  for (long turn = 0; turn < most; ++turn)
  {
    double* with = run->trial;
    memcpy(with, right, (size_t)n * sizeof *with);
    for (int k = 0; k < n; ++k)
    {
      if (!run->rests[k] || run->hold[k] == LW_JOINT_HOLD_HELD) continue;
      f[k] = run->hold[k] == LW_JOINT_HOLD_PLUS ? run->low[k] : run->high[k];
      with[k] += f[k];
    }
    lw_arm_solve_held(run, with, x, f);
    double most_x = 0;
    for (int k = 0; k < n; ++k) most_x = fmax(most_x, fabs(x[k]));
    int wrong = 0;
    while (wrong < n && (!run->rests[wrong] || next_hold(run, wrong, x[wrong], f[wrong],
                                                         ROUNDING * most_x) == run->hold[wrong]))
      ++wrong;
    if (wrong == n) return true;
    run->hold[wrong] = next_hold(run, wrong, x[wrong], f[wrong], ROUNDING * most_x);
  }
  return false;
}

// --- friction

// Whether joint k rests, and what can hold it there.
static bool may_rest(lwArmRun* run, int k)
{
  double c        = run->coulomb[k];
  bool at_rest    = lw_arm_qd(run)[k] == 0;
  run->contact[k] = at_rest ? lw_arm_at_stops(run, k) : 0;
  run->low[k]     = run->contact[k] & LW_AT_UPPER ? -INFINITY : -c;
  run->high[k]    = run->contact[k] & LW_AT_LOWER ? INFINITY : c;
  return at_rest && (c > 0 || run->contact[k] != 0);
}

static lwJointHold sliding_hold(const lwArmRun* run, int k)
{
  double qd = lw_arm_qd(run)[k];
  if (run->coulomb[k] == 0 || qd == 0) return LW_JOINT_HOLD_NONE;
  return qd > 0 ? LW_JOINT_HOLD_PLUS : LW_JOINT_HOLD_MINUS;
}

// The Coulomb friction of a joint that slips.
static double slip_of(const lwArmRun* run, int k)
{
  double c = run->coulomb[k];
  return run->hold[k] == LW_JOINT_HOLD_PLUS ? -c : run->hold[k] == LW_JOINT_HOLD_MINUS ? c : 0;
}

// What was decided is noted; a joint that moves has left its stop.
static void take_decision(lwArmRun* run, int k, lwJointHold before)
{
  bool held = run->hold[k] == LW_JOINT_HOLD_HELD;
  run->held += held;
  run->slip[k] = slip_of(run, k);
  if (!run->rests[k]) return;
  if (held && before != LW_JOINT_HOLD_HELD) lw_arm_note(run, run->t, LW_NOTE_STICK, k);
  if (!held && before == LW_JOINT_HOLD_HELD)
    lw_arm_note(run, run->t, run->contact[k] ? LW_NOTE_LEAVE : LW_NOTE_SLIP, k);
  if (!held) run->contact[k] = 0;
  if (!held && run->coulomb[k] == 0) run->hold[k] = LW_JOINT_HOLD_NONE;
}

void lw_arm_rest(lwArmRun* run, int loosened)
{
  int n           = run->n;
  const double* y = run->y;
  lw_arm_drive(run, run->t, y);
  lw_inverse_dynamics(run->model, run->ws, y, y + run->nq, NULL, run->right);
  lw_arm_inertia(run, y, y + run->nq);
  for (int k = 0; k < n; ++k)
  {
    run->rests[k] = may_rest(run, k);
    run->hold[k]  = run->rests[k] ? LW_JOINT_HOLD_HELD : sliding_hold(run, k);
    if (k == loosened && run->rests[k])
      run->hold[k] = run->friction[k] > 0 ? LW_JOINT_HOLD_MINUS : LW_JOINT_HOLD_PLUS;
    run->slip[k]  = run->rests[k] ? 0 : slip_of(run, k);
    run->right[k] = run->tau[k] + run->load[k] + run->slip[k] - run->viscous[k] * y[run->nq + k] -
                    run->right[k];
  }
  lw_arm_settle(run, run->right, run->qdd, run->friction);
}

void lw_arm_decide(lwArmRun* run, int loosened)
{
  memcpy(run->before, run->hold, (size_t)run->n * sizeof *run->hold);
  lw_arm_rest(run, loosened);
  run->held = 0;
  for (int k = 0; k < run->n; ++k) take_decision(run, k, run->before[k]);
  for (int k = 0; k < run->n; ++k)
    run->still[k] = run->held > 0 && lw_arm_qd(run)[k] == 0 && run->qdd[k] == 0;
}
