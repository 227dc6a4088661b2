// SPDX-License-Identifier: MIT
// What follows from the motion of all links, whichever method found it: energy, power, path, and
// wheel forces by Newton's and Euler's equations of one link after the other.
//
// With the wheel d ahead of the centre of mass, that moves with V e - d w n, so it accelerates with
//   a_e = Vd + d w^2,   a_n = V w - d wd.
// Let p be the force of the link behind on link k and f that of link k on the link ahead, both in
// its axes. With the force -lambda n of the ground at the axle, about which moments are taken:
//   m a_e = p_e - f_e                                                       (R1)
//   m a_n = p_n - f_n - lambda                                              (R2)
//   (I + m d^2) wd - m d V w = T_k-1 - T_k - rear p_n - front f_n           (R3)
// From the first link, where p = 0, (R3) gives f_n; from the last, where f = 0, it gives p_n.
// Errors grow with rear/front on the one way and with front/rear on the other; the model knows
// which is better. Without offsets they do not grow.
#ifndef LW_KERNELS_SNAKE_REPORT_H
#define LW_KERNELS_SNAKE_REPORT_H

#include "kernels/snake/reduced.h"

// Of all links, (n) each.
typedef struct
{
  REAL *V, *w;    // m/s, rad/s
  REAL *Vd, *wd;  // m/s^2, rad/s^2
} SnakeMotion;

INLINE SnakeMotion take_motion(void** work, size_t n)
{
  REAL* V  = take_reals(work, n);
  REAL* w  = take_reals(work, n);
  REAL* Vd = take_reals(work, n);
  return (SnakeMotion){V, w, Vd, take_reals(work, n)};
}

// Accelerations of all links from those of the first: the time derivatives of (6) and
// (7), in which the rate of phi_k multiplies the velocity of the joint, seen from link
// k+1: (V_k+1, -rear_k+1 w_k+1).
INLINE void accelerations(const lwSnake* snake, const Turn* turn, const REAL* udot, SnakeMotion m)
{
  const Part* part = PARTS(snake);
  m.Vd[0]          = udot[0];
  m.wd[0]          = udot[1];
  for (int k = 0; k + 1 < snake->n; ++k)
  {
    REAL phid    = r_sub(m.w[k + 1], m.w[k]);
    REAL lateral = r_mul(m.wd[k], K(part[k].front));
    REAL W       = r_mul(m.w[k + 1], K(part[k + 1].rear));
    REAL forward = along_next(turn[k], m.Vd[k], lateral);
    REAL across  = across_next(turn[k], m.Vd[k], lateral);
    m.Vd[k + 1]  = sub_mul(forward, phid, W);
    m.wd[k + 1]  = r_mul(mul_sub(phid, m.V[k + 1], across), K(part[k + 1].over_rear));
  }
}

// What of (R3) is known: T_k-1 - T_k - (I + m d^2) wd + m d V w.
INLINE REAL moment_left(const Part* part, REAL torque, SnakeMotion m, int k, bool centred)
{
  REAL left = sub_mul(torque, K(part->axle_inertia), m.wd[k]);
  if (centred) return left;
  return mul_add(r_mul(K(part->first_moment), m.V[k]), m.w[k], left);
}

// m a_e and m a_n.
INLINE REAL thrust(const Part* part, SnakeMotion m, int k, bool centred)
{
  REAL F = r_mul(K(part->mass), m.Vd[k]);
  return centred ? F : mul_add(r_mul(K(part->first_moment), m.w[k]), m.w[k], F);
}

INLINE REAL side_thrust(const Part* part, SnakeMotion m, int k, bool centred)
{
  REAL F = r_mul(r_mul(K(part->mass), m.V[k]), m.w[k]);
  return centred ? F : sub_mul(F, K(part->first_moment), m.wd[k]);
}

INLINE void wheel_forces_from_first(const lwSnake* snake, const REAL* torque, const Turn* turn,
                                    SnakeMotion m, REAL* lambda)
{
  int n        = snake->n;
  bool centred = snake->centred;
  REAL p_e = zero(), p_n = zero();
  for (int k = 0; k < n; ++k)
  {
    const Part* part = &PARTS(snake)[k];
    REAL side        = r_sub(p_n, side_thrust(part, m, k, centred));
    lambda[k]        = side;
    if (k == n - 1) break;
    REAL left = moment_left(part, net_torque(torque, k, n), m, k, centred);
    REAL f_e  = r_sub(p_e, thrust(part, m, k, centred));                        // (R1)
    REAL f_n  = r_mul(sub_mul(left, K(part->rear), p_n), K(part->over_front));  // (R3)
    lambda[k] = r_sub(side, f_n);                                               // (R2)
    p_e       = along_next(turn[k], f_e, f_n);
    p_n       = across_next(turn[k], f_e, f_n);
  }
}

INLINE void wheel_forces_from_last(const lwSnake* snake, const REAL* torque, const Turn* turn,
                                   SnakeMotion m, REAL* lambda)
{
  int n        = snake->n;
  bool centred = snake->centred;
  REAL f_e = zero(), f_n = zero();
  for (int k = n - 1; k >= 0; --k)
  {
    const Part* part = &PARTS(snake)[k];
    REAL side        = r_add(f_n, side_thrust(part, m, k, centred));
    lambda[k]        = r_neg(side);
    if (k == 0) break;
    REAL left = moment_left(part, net_torque(torque, k, n), m, k, centred);
    REAL p_e  = r_add(f_e, thrust(part, m, k, centred));                        // (R1)
    REAL p_n  = r_mul(sub_mul(left, K(part->front), f_n), K(part->over_rear));  // (R3)
    lambda[k] = r_sub(p_n, side);                                               // (R2)
    Turn back = {turn[k - 1].c, r_neg(turn[k - 1].s)};
    f_e       = along_next(back, p_e, p_n);
    f_n       = across_next(back, p_e, p_n);
  }
}

INLINE void wheel_forces(const lwSnake* snake, const REAL* torque, const Turn* turn, SnakeMotion m,
                         REAL* lambda)
{
  if (snake->from_tip)
    wheel_forces_from_last(snake, torque, turn, m, lambda);
  else
    wheel_forces_from_first(snake, torque, turn, m, lambda);
}

INLINE REAL kinetic_energy(const lwSnake* snake, SnakeMotion m)
{
  REAL twice = zero();
  for (int k = 0; k < snake->n; ++k)
  {
    const Part* part = &PARTS(snake)[k];
    twice            = mul_add(r_mul(K(part->mass), m.V[k]), m.V[k], twice);
    twice            = mul_add(r_mul(K(part->axle_inertia), m.w[k]), m.w[k], twice);
  }
  return r_mul(constant((CONST)0.5), twice);
}

INLINE REAL torque_power(const lwSnake* snake, const REAL* torque, SnakeMotion m)
{
  REAL power = zero();
  for (int k = 0; k + 1 < snake->n; ++k)
    power = mul_add(given(torque, k), r_sub(m.w[k + 1], m.w[k]), power);
  return power;
}

// Velocity and acceleration of the middle of link 1, in the axes of the ground.
INLINE void path_rates(const lwSnake* snake, const REAL* theta, const REAL* udot, SnakeMotion m,
                       const lwSnakeOut* out)
{
  const Part* part           = &PARTS(snake)[0];
  REAL* rates                = OUT(out, RATES);
  REAL* rates_dot            = OUT(out, RATES_DOT);
  REAL first[1 + TURNS_ROOM] = {given(theta, 0)};
  REAL v_n                   = r_neg(r_mul(K(part->offset), m.w[0]));
  REAL a_e                   = sub_mul(udot[0], v_n, m.w[0]);
  REAL a_n                   = mul_sub(m.V[0], m.w[0], r_mul(K(part->offset), udot[1]));
  Turn turns[1 + TURNS_ROOM];
  turns_of(first, 1, turns);
  Turn turn = {turns[0].c, r_neg(turns[0].s)};  // from the link to the ground
  if (rates)
  {
    rates[0] = along_next(turn, m.V[0], v_n);
    rates[1] = across_next(turn, m.V[0], v_n);
  }
  if (rates_dot)
  {
    rates_dot[0] = along_next(turn, a_e, a_n);
    rates_dot[1] = across_next(turn, a_e, a_n);
  }
}

INLINE void copy_reals(REAL* to, const REAL* from, int count)
{
  if (!to || to == from) return;
  for (int i = 0; i < count; ++i) to[i] = from[i];
}

// Everything that needs V, w and wd only.
INLINE void report_motion(const lwSnake* snake, const lwSnakeState* state, SnakeMotion m,
                          const lwSnakeOut* out)
{
  copy_reals(OUT(out, V), m.V, snake->n);
  copy_reals(OUT(out, OMEGA), m.w, snake->n);
  copy_reals(OUT(out, THETA_DDOT), m.wd, snake->n);
  if (OUT(out, KINETIC)) *OUT(out, KINETIC) = kinetic_energy(snake, m);
  if (OUT(out, POWER)) *OUT(out, POWER) = torque_power(snake, state->torque, m);
  if (OUT(out, RATES) || OUT(out, RATES_DOT))
    path_rates(snake, state->theta, OUT(out, UDOT), m, out);
}

// Is anything wanted that needs accelerations of the links, or their speeds?
INLINE bool wants_forces(const lwSnakeOut* out)
{
  return OUT(out, LAMBDA) || OUT(out, THETA_DDOT);
}

INLINE bool wants_motion(const lwSnakeOut* out)
{
  return OUT(out, V) || OUT(out, OMEGA) || OUT(out, RATES) || OUT(out, RATES_DOT) ||
         OUT(out, KINETIC) || OUT(out, POWER) || wants_forces(out);
}

// udot from the two equations, and everything that follows from it and from the speeds m.V, m.w.
INLINE void solve_and_report(const lwSnake* snake, const lwSnakeState* state, const Turn* turn,
                             const Reduced* r, SnakeMotion m, const lwSnakeOut* out)
{
  REAL* udot = OUT(out, UDOT);
  REAL b[2]  = {r_sub(r->force[0], r->bias[0]), r_sub(r->force[1], r->bias[1])};
  solve_reduced(r->M11, r->M12, r->M22, b, udot);
  report_reduced(r, out);
  if (!wants_motion(out)) return;
  accelerations(snake, turn, udot, m);
  report_motion(snake, state, m, out);
  if (OUT(out, LAMBDA)) wheel_forces(snake, state->torque, turn, m, OUT(out, LAMBDA));
}

#endif
