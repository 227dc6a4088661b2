// SPDX-License-Identifier: MIT
// Formulations of dynamics with closed loops proven equal: a random robot and random frames of the
// loops, whose rows hold velocities whether positions are closed or not. The Jacobian of the rows
// comes from the kernels of poses and Jacobians, beside the text of kernels/constrained/.
#include "answer/constraints.h"
#include "answer/prove/prover.h"
#include "kernels/derivatives/ground.h"
#include "linkwork/loop.h"

typedef struct Rows
{
  Prover prover;
  lwConstraints held;
  int loops;
  View* ends;                 // (2 loops)
  lwView* views;              // (2 loops)
  REAL* own;                  // (rows, 3)
  REAL *qdd, *force;          // (n), (rows) by the first formulation
  REAL *other, *again;        // (n), (rows)
  REAL *J, *rate, *none;      // (rows, n), (rows), (rows)
  REAL *end[2], pose[2][12];  // (6, n)
  void* work;
} Rows;

static void choose_rows(Rows* rows, int point)
{
  lwRandom random = lw_proof_random(rows->prover.proof, ~point);
  for (int k = 0; k < 2 * rows->loops; ++k)
  {
    lw_prover_rotation(&random, rows->ends[k].rotation);
    lw_proof_random_values(&random, rows->ends[k].position, 3);
  }
  lw_proof_random_values(&random, rows->own, 3 * rows->held.rows);
}

// Column i of the Jacobian of an end: linear and angular part.
static Twist end_twist(const Rows* rows, int side, int i)
{
  const REAL* J = rows->end[side];
  int n         = rows->prover.arm.n;
  return (Twist){v3(J[3 * n + i], J[4 * n + i], J[5 * n + i]), v3(J[i], J[n + i], J[2 * n + i])};
}

static void find_row(Rows* rows, int r)
{
  int n                = rows->prover.arm.n;
  const lwHeldRow* row = &rows->held.row[r];
  const REAL *R = rows->pose[row->carried] + 3, *own = rows->own + 3 * r;
  V3 d = v3(own[0], own[1], own[2]);
  V3 normal =
      v3(dot(v3(R[0], R[1], R[2]), d), dot(v3(R[3], R[4], R[5]), d), dot(v3(R[6], R[7], R[8]), d));
  const REAL *a = rows->pose[0], *b = rows->pose[1];
  V3 arm = sub(v3(b[0], b[1], b[2]), v3(a[0], a[1], a[2]));
  for (int i = 0; i < n; ++i)
  {
    Twist A = end_twist(rows, 0, i), B = end_twist(rows, 1, i);
    V3 moves           = row->turns ? sub(B.w, A.w) : sub(sub(B.v, A.v), cross(A.w, arm));
    rows->J[r * n + i] = dot(normal, moves);
    if (row->first < 0) continue;
    rows->J[r * n + i] = constant(i == row->second);
    if (i == row->first) rows->J[r * n + i] = r_neg(own[0]);
  }
}

// As run_kernel(), with the denominators of what came before.
static void ask_kernel(Prover* prover, int kernel, const lwState* state, REAL* out)
{
  lw_prime_variant()->kernels[kernel]->run(&prover->arm, prover->work, state, out);
}

static void find_jacobian(Rows* rows)
{
  Prover* prover = &rows->prover;
  for (int r = 0; r < rows->held.rows; ++r)
  {
    for (int side = 0; side < 2; ++side)
    {
      lwState state = {.q = prover->q, .view = &rows->views[2 * rows->held.row[r].loop + side]};
      ask_kernel(prover, LW_KERNEL_pose, &state, rows->pose[side]);
      ask_kernel(prover, LW_KERNEL_jacobian, &state, rows->end[side]);
    }
    find_row(rows, r);
  }
}

// M qdd + h = tau + J^T f
static void prove_balance(Rows* rows)
{
  Prover* prover = &rows->prover;
  int n          = prover->arm.n;
  lwState state  = {.q = prover->q, .qd = prover->qd, .qdd = rows->qdd};
  find_jacobian(rows);
  ask_kernel(prover, LW_KERNEL_newton_euler, &state, prover->left);
  for (int i = 0; i < n; ++i)
  {
    prover->right[i] = prover->qdd[i];
    for (int r = 0; r < rows->held.rows; ++r)
      prover->right[i] = mul_add(rows->J[r * n + i], rows->force[r], prover->right[i]);
  }
  prove_same(prover, "closed loops", "newton-euler", "tau + J^T f", n, prover->left, prover->right);
}

static void run_formulation(Rows* rows, int i, REAL* qdd, REAL* force)
{
  lwState state = {.q      = rows->prover.q,
                   .qd     = rows->prover.qd,
                   .tau    = rows->prover.qdd,  // random numbers
                   .refine = 1};
  lw_prime_formulations()->run[i](&rows->prover.arm, &rows->held, rows->work, &state, qdd, force);
}

static void prove_formulation(Rows* rows, int i)
{
  Prover* prover    = &rows->prover;
  int n             = prover->arm.n;
  const char *first = lw_formulation(0)->name, *name = lw_formulation(i)->name;
  run_formulation(rows, i, rows->other, rows->again);
  prove_same(prover, "closed loops", name, first, n, rows->other, rows->qdd);
  prove_same(prover, "forces of rows", name, first, rows->held.rows, rows->again, rows->force);
}

// Those that solve; proximal steps start from a solution.
static void prove_formulations(Rows* rows)
{
  for (int i = 1; i < LW_FORMULATION_COUNT; ++i)
  {
    if (lw_formulation_takes_redundant(i)) continue;
    lw_prime_restart();
    prove_formulation(rows, i);
  }
}

// The first formulation, and what uses its result while denominators are still known: proximal
// steps stay where they start.
static void prove_solution(Rows* rows)
{
  lw_prime_restart();
  run_formulation(rows, 0, rows->qdd, rows->force);
  for (int i = 1; i < LW_FORMULATION_COUNT; ++i)
  {
    if (!lw_formulation_takes_redundant(i)) continue;
    for (int r = 0; r < rows->held.rows; ++r) rows->again[r] = rows->force[r];
    prove_formulation(rows, i);
  }
  prove_balance(rows);
  lw_prime_settle(rows->qdd, (size_t)rows->prover.arm.n);
  lw_prime_settle(rows->force, (size_t)rows->held.rows);
}

// d(J qd)/dt = 0 while q moves with qd, and qd with qdd.
static void prove_rows_hold(Rows* rows)
{
  Prover* prover = &rows->prover;
  int n          = prover->arm.n;
  lw_prime_restart();
  set_slopes(prover, prover->q, prover->qd);
  find_jacobian(rows);
  set_slopes(prover, prover->qd, rows->qdd);
  for (int r = 0; r < rows->held.rows; ++r)
  {
    rows->rate[r] = rows->none[r] = zero();
    for (int i = 0; i < n; ++i)
      rows->rate[r] = mul_add(rows->J[r * n + i], prover->qd[i], rows->rate[r]);
  }
  prove_slope(prover, "closed loops", "d(J qd)/dt", "0", rows->held.rows, rows->rate, rows->none);
  set_slopes(prover, prover->q, NULL);
  set_slopes(prover, prover->qd, NULL);
}

static bool take_proof_rows(Rows* rows)
{
  lwArena* arena = &rows->prover.proof->arena;
  size_t n = (size_t)rows->prover.arm.n, m = (size_t)rows->held.rows;
  const lwView* at = rows->held.ends;
  rows->ends       = lw_arena_take(arena, 2 * (size_t)rows->loops, sizeof *rows->ends);
  rows->views      = lw_arena_take(arena, 2 * (size_t)rows->loops, sizeof *rows->views);
  rows->work = lw_arena_take(arena, lw_formulation_numbers((int)n, &rows->held), sizeof(REAL));
  REAL** const arrays[] = {&rows->own,  &rows->qdd,  &rows->force,  &rows->other,  &rows->again,
                           &rows->rate, &rows->none, &rows->end[0], &rows->end[1], &rows->J};
  const size_t sizes[]  = {3 * m, n, m, n, m, m, m, 6 * n, 6 * n, m * n};
  bool enough           = rows->ends && rows->views && rows->work;
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
  {
    *arrays[k] = lw_arena_take(arena, sizes[k], sizeof(REAL));
    enough     = enough && *arrays[k];
  }
  for (int k = 0; k < 2 * rows->loops && enough; ++k)
  {
    rows->views[k]     = at[k];
    rows->views[k].own = &rows->ends[k];
  }
  rows->held.ends = rows->views;
  rows->held.own  = rows->own;
  return enough;
}

lwStatus lw_prove_constrained(lwProof* proof, const lwModel* model)
{
  enum
  {
    ANGLES_OF_END = 3
  };
  Rows rows       = {.prover = {.proof = proof, .arm = *lw_model_native(model)}};
  lwStatus status = lw_constraints_rational(model, NULL);
  if (status == LW_OK) status = lw_constraints_build(model, false, &proof->arena, &rows.held, NULL);
  if (status != LW_OK) return status;
  rows.loops = model->loops->count;
  if (!lw_prover_take(&rows.prover) || !take_proof_rows(&rows)) return LW_ERROR_MEMORY;
  proof->substitute = 2 + 2 * model->ball_count;
  int angles        = lw_prover_angles(&rows.prover.arm) + 2 * ANGLES_OF_END * rows.loops;
  for (int point = 0; point < proof->def.points; ++point)
  {
    proof->point = point;
    proof->next  = 0;
    lw_prover_choose(&rows.prover, point, angles);
    choose_rows(&rows, point);
    prove_solution(&rows);
    prove_formulations(&rows);
    prove_rows_hold(&rows);
  }
  return LW_OK;
}
