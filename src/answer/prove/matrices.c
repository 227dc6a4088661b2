// SPDX-License-Identifier: MIT
// Identities about matrices: inverse of the inertia matrix, Coriolis matrix, regressor, and
// derivatives of inverse and forward dynamics against those that every number of the field carries.
#include "answer/prove/prover.h"

// --- the inverse of the inertia matrix

// M with the rows of held joints as kernels of forward dynamics have them: those of the identity.
static REAL held_inertia(const Prover* prover, int i, int k)
{
  bool held = lw_joint_is_held(&prover->arm, i) || lw_joint_is_held(&prover->arm, k);
  return held ? constant(i == k) : prover->M[i * prover->arm.n + k];
}

// M X, (n, n)
static void times_inertia(const Prover* prover, const REAL* X, REAL* MX)
{
  int n = prover->arm.n;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
    {
      REAL sum = zero();
      for (int j = 0; j < n; ++j) sum = mul_add(held_inertia(prover, i, j), X[j * n + k], sum);
      MX[i * n + k] = sum;
    }
}

static void fill_identity(const Prover* prover, REAL* matrix)
{
  int n = prover->arm.n;
  for (int k = 0; k < n * n; ++k) matrix[k] = constant(k % (n + 1) == 0);
}

static void prove_inertia_inverse(Prover* prover)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q};
  fill_identity(prover, prover->right);
  for (int i = 0; i < LW_METHOD_COUNT; ++i)
  {
    if (lw_method(i)->question != LW_QUESTION_INERTIA_INVERSE) continue;
    run_kernel(prover, i, &state, prover->slopes, n * n);
    times_inertia(prover, prover->slopes, prover->left);
    prove_same(prover, "inertia-inverse", lw_method(i)->name, "M^-1", n * n, prover->left,
               prover->right);
  }
}

// --- the Coriolis matrix

// Velocity torques c of velocities qd.
static void find_velocity_torques(Prover* prover, const REAL* qd, REAL* c)
{
  lwState state = {.q = prover->q, .qd = qd, .weightless = true};
  run_kernel(prover, LW_KERNEL_newton_euler, &state, c, prover->arm.n);
}

// C x, (n)
static void times_coriolis(const Prover* prover, const REAL* C, const REAL* x, REAL* Cx)
{
  int n = prover->arm.n;
  for (int i = 0; i < n; ++i)
  {
    Cx[i] = zero();
    for (int k = 0; k < n; ++k) Cx[i] = mul_add(C[i * n + k], x[k], Cx[i]);
  }
}

// (c(qd + x) - c(qd) - c(x)) / 2: what the symbols of Christoffel, symmetric in both velocities,
// make of qd and x. work: (2, n)
static void polarise(Prover* prover, const REAL* x, REAL* work, REAL* result)
{
  int n = prover->arm.n;
  for (int i = 0; i < n; ++i) work[i] = r_add(prover->qd[i], x[i]);
  find_velocity_torques(prover, work, result);
  find_velocity_torques(prover, prover->qd, work);
  find_velocity_torques(prover, x, work + n);
  for (int i = 0; i < n; ++i)
    result[i] = r_mul(constant((CONST)0.5), r_sub(result[i], r_add(work[i], work[n + i])));
}

// dM/dt = C + C^T, which is that dM/dt - 2 C is antisymmetric; C qd = c; and for any x as well.
static void prove_coriolis_matrix(Prover* prover)
{
  int n         = prover->arm.n;
  REAL* C       = prover->slopes;
  REAL* work    = C + n * n;
  lwState state = {.q = prover->q, .qd = prover->qd};
  run_kernel(prover, LW_KERNEL_coriolis_matrix, &state, C, n * n);
  times_coriolis(prover, C, prover->qd, prover->left);
  find_velocity_torques(prover, prover->qd, prover->right);
  prove_same(prover, "coriolis-matrix", "C qd", "newton-euler", n, prover->left, prover->right);
  if (prover->arm.wide_count == 0)  // velocities of wide joints are no rates of coordinates
  {
    times_coriolis(prover, C, prover->qdd, prover->left);
    polarise(prover, prover->qdd, work, prover->right);
    prove_same(prover, "coriolis-matrix", "C x", "Christoffel's symbols", n, prover->left,
               prover->right);
  }

  set_slopes(prover, prover->q, prover->qd);
  run_kernel(prover, LW_KERNEL_composite_body, &state, prover->left, n * n);
  set_slopes(prover, prover->q, NULL);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k) prover->right[i * n + k] = r_add(C[i * n + k], C[k * n + i]);
  prove_slope(prover, "coriolis-matrix", "dM/dt", "C + C^T", n * n, prover->left, prover->right);
}

// --- the regressor

static REAL symmetric_entry(const REAL symmetric[6], int i, int k)
{
  static const int AT[9] = {0, 3, 4, 3, 1, 5, 4, 5, 2};
  return symmetric[AT[3 * i + k]];
}

// A link's ten parameters about p and in the axes R, from those about the body's origin: with
// J = integral of r r^T dm, J' = R^T (J - h p^T - p h^T + m p p^T) R and I' = tr(J') 1 - J'.
static void move_parameters(const Member* member, const REAL p[3], const REAL R[9], REAL pi[10])
{
  static const int ROW[6] = {0, 1, 2, 0, 0, 1}, COLUMN[6] = {0, 1, 2, 1, 2, 2};
  const REAL* h = member->first_moment;
  REAL about[9], J[6];
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
    {
      REAL hp          = r_add(r_mul(h[i], p[k]), r_mul(p[i], h[k]));
      REAL mpp         = r_mul(member->mass, r_mul(p[i], p[k]));
      about[3 * i + k] = r_add(r_sub(symmetric_entry(member->pseudo, i, k), hp), mpp);
    }
  for (int e = 0; e < 6; ++e)
  {
    J[e] = zero();
    for (int k = 0; k < 9; ++k)
      J[e] = mul_add(r_mul(R[k / 3 * 3 + ROW[e]], about[k]), R[k % 3 * 3 + COLUMN[e]], J[e]);
  }
  REAL trace = r_add(J[0], r_add(J[1], J[2]));
  pi[0]      = member->mass;
  for (int k = 0; k < 3; ++k)
  {
    pi[1 + k] = zero();
    for (int i = 0; i < 3; ++i)
      pi[1 + k] = mul_add(R[3 * i + k], r_sub(h[i], r_mul(member->mass, p[i])), pi[1 + k]);
  }
  for (int e = 0; e < 6; ++e) pi[4 + e] = e < 3 ? r_sub(trace, J[e]) : r_neg(J[e]);
}

// In the frame of the link that the regressor is about.
static void link_parameters(const Prover* prover, int j, REAL pi[10])
{
  const Member* member = &prover->members[j];
  int place            = prover->arm.place[j];
  REAL p[3], R[9];
  for (int k = 0; k < 3; ++k) p[k] = place == LW_PLACE_SAME ? zero() : member->position[k];
  for (int k = 0; k < 9; ++k)
    R[k] = place == LW_PLACE_TURNED ? member->rotation[k] : constant(k % 4 == 0);
  move_parameters(member, p, R, pi);
}

// Y pi = tau
static void prove_regressor(Prover* prover)
{
  int n = prover->arm.n, count = prover->arm.robot.count;
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd};
  run_kernel(prover, LW_KERNEL_regressor, &state, prover->regressor, 10 * n * count);
  for (int i = 0; i < n; ++i) prover->left[i] = zero();
  for (int j = 0; j < count; ++j)
  {
    REAL pi[10];
    link_parameters(prover, j, pi);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 10; ++k)
      {
        REAL entry      = prover->regressor[10 * (i * count + j) + k];
        prover->left[i] = mul_add(entry, pi[k], prover->left[i]);
      }
  }
  prove_same(prover, "regressor", "Y pi", "newton-euler", n, prover->left, prover->free_tau);
}

// --- derivatives

// Columns of torques, each with its derivative by one entry of what; sign: 1 or -1.
static void find_columns(Prover* prover, REAL* what, int sign, REAL* columns)
{
  int n         = prover->arm.n;
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd, .wrench = prover->wrench};
  for (int k = 0; k < n; ++k)
  {
    set_unit_slope(prover, what, k);
    run_kernel(prover, LW_KERNEL_newton_euler, &state, prover->regressor, n);
    for (int i = 0; i < n; ++i)
      columns[i * n + k] = sign > 0 ? prover->regressor[i] : r_neg(prover->regressor[i]);
  }
  set_slopes(prover, what, NULL);
}

static void prove_inverse_derivatives(Prover* prover, int method)
{
  int n            = prover->arm.n;
  const char* name = lw_method(method)->name;
  lwState state = {.q = prover->q, .qd = prover->qd, .qdd = prover->qdd, .wrench = prover->wrench};
  run_kernel(prover, method, &state, prover->slopes, 2 * n * n);
  find_columns(prover, prover->q, 1, prover->left);
  prove_slope(prover, "inverse-derivatives", "dtau/dq", name, n * n, prover->left, prover->slopes);
  find_columns(prover, prover->qd, 1, prover->left);
  prove_slope(prover, "inverse-derivatives", "dtau/dqd", name, n * n, prover->left,
              prover->slopes + n * n);
}

// Where inverse dynamics of qdd is tau: M dqdd/dq = -dtau/dq, the same for qd, M dqdd/dtau = 1.
static void prove_forward_derivatives(Prover* prover, int method)
{
  int n            = prover->arm.n;
  const char* name = lw_method(method)->name;
  lwState state = {.q = prover->q, .qd = prover->qd, .tau = prover->tau, .wrench = prover->wrench};
  run_kernel(prover, method, &state, prover->slopes, 3 * n * n);
  find_columns(prover, prover->q, -1, prover->left);
  times_inertia(prover, prover->slopes, prover->right);
  prove_slope(prover, "forward-derivatives", "M dqdd/dq", name, n * n, prover->left, prover->right);
  find_columns(prover, prover->qd, -1, prover->left);
  times_inertia(prover, prover->slopes + n * n, prover->right);
  prove_slope(prover, "forward-derivatives", "M dqdd/dqd", name, n * n, prover->left,
              prover->right);
  fill_identity(prover, prover->left);
  times_inertia(prover, prover->slopes + 2 * n * n, prover->right);
  prove_same(prover, "forward-derivatives", "M dqdd/dtau", name, n * n, prover->left,
             prover->right);
}

void lw_prove_matrices(Prover* prover)
{
  prove_inertia_inverse(prover);
  prove_coriolis_matrix(prover);
  prove_regressor(prover);
  for (int i = 0; i < LW_METHOD_COUNT; ++i)
  {
    lwQuestion question = lw_method(i)->question;
    if (prover->arm.ball_count > 0) continue;  // as chains, whose positions are others
    if (question == LW_QUESTION_INVERSE_DERIVATIVES) prove_inverse_derivatives(prover, i);
    if (question == LW_QUESTION_FORWARD_DERIVATIVES) prove_forward_derivatives(prover, i);
  }
}
