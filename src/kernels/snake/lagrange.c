// SPDX-License-Identifier: MIT
// Snake dynamics by Lagrange's equations of the free chain and multipliers for the wheels, O(n^3).
//
// nia2005 section IV, (22)-(27):
//   M(q) q'' + B(q, q') + A^T(q) lambda = Q,  A q' = 0
// with the coordinates q = (x, y, theta_1 .. theta_n), x and y of the middle of link 1,
// in the axes of the ground.
//
//   nia2005     here       meaning                                                 unit
//   K           -          kinetic energy (22)                                     J
//   M(i, j)     a.M        d^2 K / dq'_i dq'_j (25)                                kg, kg m, kg m^2
//   B           -a.b       centrifugal forces                                      N, N m
//   Q           a.b        T_k-1 - T_k for theta_k                                 N m
//   A           a.A        row k: sideways velocity of axle k, n_k . v_k = A_k q'  1, m
//   A' q'       a.drift    its derivative at q'' = 0                               m/s^2
//   lambda      a.lambda   forces of the wheels on the ground                      N
//
// The middle of link k is at (x, y) + sum_j<k l_j e_j + h_k e_k, with l_1 = h_1 and else l_j = L_j.
// With g_j = h_j m_j + l_j (mass ahead of link j), less h_1 m_1 for the first, all known off-line:
//   M_xx = M_yy = sum m,  M_x,j = -g_j sin theta_j,  M_y,j = g_j cos theta_j                   (1)
//   M_ij = l_j g_i cos(theta_i - theta_j), j < i                                               (2)
//   B_i = sum_j<i l_j g_i w_j^2 sin(theta_i - theta_j)
//         + sum_j>i l_i g_j w_j^2 sin(theta_i - theta_j)                                        (3)
//   A_kj = l_j cos(theta_k - theta_j), j < k;
//   A_kk = rear_k (d_1 for the first);  A_kx, A_ky = n_k                                        (4)
//   (A' q')_k = sum_j<k l_j w_j^2 sin(theta_k - theta_j) - w_k V_k                             (5)
//
// Where it differs from the paper (numbers as in docs/errata.md):
// - 0-10, 0-11: (26) has A^T, and (27) has A below, B on the right side, and -A' q'.
// - 0-15: M takes O(n^2), not O(n^3), by (2); and the sums of (3) and (5) are running ones, O(n).
// - The state is (theta, u); q' follows by (6) and (7). x and y come first, so
//   that A is triangular.
// - (27) is not eliminated as a whole but by augmented.h.
// - A wheel off the middle changes A only.
#include "kernels/snake/free_chain.h"

static void lagrange(const lwSnake* snake, void* work, const lwSnakeState* state,
                     const lwSnakeOut* out)
{
  int n             = snake->n;
  size_t count      = (size_t)n;
  const REAL* theta = state->theta;
  Augmented a       = take_augmented(&work, n);
  SnakeMotion m     = take_motion(&work, count);
  REAL* scaled      = take_angles(&work, count + 2);
  Turn* e           = take_turns(&work, count);
  Turn* turn        = take_turns(&work, count);
  LinkSpans* arms   = (LinkSpans*)(void*)take_turns(&work, 2 * count);

  for (int k = 0; k < n; ++k) scaled[k] = given(theta, k);
  turns_of(scaled, n, e);
  for (int k = 0; k < n; ++k)
  {
    if (k < n - 1) turn[k] = turn_between(e[k], e[k + 1]);
    arms[k] = (LinkSpans){times(PARTS(snake)[k].reach, e[k]), times(PARTS(snake)[k].carried, e[k])};
  }
  velocities(snake, turn, state->u, m.V, m.w);
  fill_matrices(snake, e, arms, &a);
  fill_forces(state->torque, e, arms, m, &a);
  factor_augmented(snake, &a, scaled);
  solve_augmented(snake, &a, scaled);

  // x'' and y'' along link 1, less what its turning adds
  REAL* udot = OUT(out, UDOT);
  REAL along = cos_between((Turn){a.b[0], a.b[1]}, e[0]);
  udot[0]    = sub_mul(along, K(PARTS(snake)[0].offset), r_mul(m.w[0], m.w[0]));
  udot[1]    = a.b[2];
  for (int k = 0; k < n; ++k) m.wd[k] = a.b[k + 2];

  report_kane(snake, state, turn, udot, out);
  report_motion(snake, state, m, out);
  copy_reals(OUT(out, LAMBDA), a.lambda, n);
}

const lwSnakeKernel FN(snake_lagrange) = {
    lagrange, AUGMENTED_PER_LINK + 5 * sizeof(REAL) + 4 * sizeof(Turn), AUGMENTED_PER_PAIR};
