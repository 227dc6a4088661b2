// SPDX-License-Identifier: MIT
// Snake dynamics by Kane's equations, O(n): the text to read.
//
// nia2005 (6)-(14): the speeds u_1 = V_1 and u_2 = omega_1 of the first
// link give the speeds of all others, because no wheel slips sideways. snake/kane_linear.c computes
// the same accelerations faster, snake/kane.c as printed.
//
//   nia2005          here      meaning                                          unit
//   V_k, omega_k     V, w      speed along the link, and its turning            m/s, rad/s
//   dV_k / du_i      V_u[i]    partial speeds                                   1, m
//   domega_k / du_i  w_u[i]    partial angular velocities                       1/m, 1
//   -                A, B      d V_k / dt and d omega_k / dt while u is held    m/s^2, rad/s^2
//   M                M         sum m V_u V_u + I w_u w_u                        kg, kg m, kg m^2
//   N omega          bias      what udot = 0 takes                              N, N m
//   F                force     what the torques do along u                      N, N m
//
//   M udot + bias = F                                                                           (8)
// What differs from the paper: its matrix N is only needed times omega, and that is the
// acceleration of all links at udot = 0 (the product rule on (6), (7)). A wheel may be off the
// middle by d; then moments are about the axle, and the centre of mass adds m d omega^2.
#include "kernels/snake/report.h"

// (13), (14): partial rates of link part[1] from those of link part[0], by the map (6), (7)
INLINE void snake_partials(const Part* part, Turn turn, REAL V_u[2], REAL w_u[2])
{
  for (int i = 0; i < 2; ++i) next_velocity(part, turn, &V_u[i], &w_u[i]);
}

// Adds link k to the sums of (8).
INLINE void snake_add_link(const Part* part, REAL V, REAL w, REAL A, REAL B, REAL torque,
                           const REAL V_u[2], const REAL w_u[2], Reduced* r)
{
  REAL m = K(part->mass), I = K(part->axle_inertia), d = K(part->first_moment);  // m d
  REAL along = mul_add(m, A, r_mul(d, r_mul(w, w)));  // force along the link
  REAL about = mul_sub(I, B, r_mul(d, r_mul(w, V)));  // moment about its axle
  r->M11     = mul_add(m, r_mul(V_u[0], V_u[0]), mul_add(I, r_mul(w_u[0], w_u[0]), r->M11));  // (9)
  r->M12     = mul_add(m, r_mul(V_u[0], V_u[1]), mul_add(I, r_mul(w_u[0], w_u[1]), r->M12));
  r->M22     = mul_add(m, r_mul(V_u[1], V_u[1]), mul_add(I, r_mul(w_u[1], w_u[1]), r->M22));
  for (int i = 0; i < 2; ++i)
  {
    r->bias[i]  = mul_add(along, V_u[i], mul_add(about, w_u[i], r->bias[i]));  // (10)
    r->force[i] = mul_add(torque, w_u[i], r->force[i]);                        // (11)
  }
}

static void reference_snake(const lwSnake* snake, void* work, const lwSnakeState* state,
                            const lwSnakeOut* out)
{
  int n            = snake->n;
  const Part* part = PARTS(snake);
  REAL* phi        = take_angles(&work, (size_t)n);
  Turn* turn       = take_turns(&work, (size_t)n);
  SnakeMotion m    = take_motion(&work, (size_t)n);
  REAL* partial    = OUT(out, PARTIAL);
  REAL none = zero(), one = constant(1), held[2] = {none, none};
  REAL V_u[2] = {one, none}, w_u[2] = {none, one};  // (12)
  Reduced r = no_sums();

  joint_turns(state->theta, n, phi, turn);
  velocities(snake, turn, state->u, m.V, m.w);  // (6), (7)
  accelerations(snake, turn, held, m);
  for (int k = 0; k < n; ++k)
  {
    if (k > 0) snake_partials(&part[k - 1], turn[k - 1], V_u, w_u);
    REAL torque = net_torque(state->torque, k, n);
    snake_add_link(&part[k], m.V[k], m.w[k], m.Vd[k], m.wd[k], torque, V_u, w_u, &r);
    for (int i = 0; partial && i < 2; ++i) partial[2 * k + i] = w_u[i];
  }
  solve_and_report(snake, state, turn, &r, m, out);  // (8)
}

const lwSnakeKernel FN(reference_snake) = {reference_snake, 7 * sizeof(REAL) + sizeof(Turn), 0};
