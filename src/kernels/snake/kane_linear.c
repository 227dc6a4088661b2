// SPDX-License-Identifier: MIT
// Snake dynamics by Kane's equations in closed form, O(n).
// kernels/reference/snake.c computes the same and is the text to read first.
//
// nia2005 (8), M udot + N omega = F, without the matrix N: the same equations, exactly,
// one link after the other.
//
// With every wheel in the middle (h = front = rear), W_k = h_k omega_k and z = V + i W, (6) and (7)
// are a reflection, z_k+1 = e^(i phi_k) conj(z_k). So with s_k = (-1)^(k-1), y = h_1 u_2,
//   psi_1 = 0,  psi_k+1 = phi_k - psi_k                                                        (L1)
//   V_k = u_1 cos psi_k - s_k y sin psi_k,  W_k = u_1 sin psi_k + s_k y cos psi_k              (L2)
// and with sigma = d psi / dt the accelerations have the velocity terms sigma_k (-W_k, V_k),
//   sigma_1 = 0,  sigma_k+1 = omega_k+1 - omega_k - sigma_k                                    (L3)
// With J_k = I_k / h_k^2 the equations for (u_1 dot, y dot) are
//   X = sum (m_k - J_k) sin^2 psi_k,  M11 = sum m - X,  M22 = sum J + X                        (L4)
//   M12 = -sum s_k (m_k - J_k) sin psi_k cos psi_k                                             (L5)
//   f_V = m_k sigma_k W_k,  f_W = (T_k-1 - T_k) / h_k - J_k sigma_k V_k                        (L6)
//   b1 = sum (f_V cos psi_k + f_W sin psi_k),  b2 = sum s_k (f_W cos psi_k - f_V sin psi_k)    (L7)
// 17n-6 multiplications, 14n-15 additions, 1 division. |z_k| is the same for all links, and M11 +
// M22 is constant. Whole turns are taken off psi now and then: of sums of 10,000 angles only the
// fraction matters.
//
// With a wheel off the middle the map from z_k to z_k+1 is not a reflection. The same sums are then
// formed with W_k = rear_k omega_k and three vectors (V, W) carried along: the partial rates by u_1
// and u_2 and the velocity terms (A, B) of the acceleration, r = front / rear:
//   (V, W)_k+1 = (V_k C_k + r_k W_k S_k,  V_k S_k - r_k W_k C_k)                               (G1)
//   (A, B)_k+1 = the same of (A, B)_k, + (omega_k+1 - omega_k) (-W_k+1, V_k+1)                 (G2)
//   M_ij = sum m_k V_i V_j + J_k W_i W_j,  J_k = (I_k + m_k d_k^2) / rear_k^2                  (G3)
//   bias_i = sum (m_k A_k + m_k d_k omega_k^2) V_i
//                + (J_k B_k - m_k d_k omega_k V_k / rear_k) W_i                                (G4)
//   F_i = sum (T_k-1 - T_k) / rear_k W_i                                                       (G5)
// This is also the directional form of nia2005's bias,
// N omega by one recursion in the direction of motion.
#include "kernels/snake/report.h"

enum
{
#if defined(LW_SCALAR_f32)
  WRAP_EVERY = 8  // links
#else
  WRAP_EVERY = 32
#endif
};

// --- every wheel in the middle

// psi of all links (L1). The last one stays in a register: waiting for it to return from memory
// would double the time.
INLINE void reflected_angles(const REAL* theta, int n, REAL* psi)
{
  REAL last = zero();
  psi[0]    = last;
  for (int k = 1; k < n; ++k)
  {
    last = angle_sub(angle_sub(given(theta, k), given(theta, k - 1)), last);
    if (k % WRAP_EVERY == 0) last = wrapped(last);
    psi[k] = last;
  }
}

// sum + a b, or sum - a b
INLINE REAL signed_mul_add(bool minus, REAL sum, REAL a, REAL b)
{
  return minus ? sub_mul(sum, a, b) : mul_add(a, b, sum);
}

// (L2): V and W of the link that has this turn, from z = (x, y) of the first
INLINE REAL reflected_V(bool minus, Turn psi, REAL x, REAL y)
{
  return signed_mul_add(!minus, r_mul(x, psi.c), y, psi.s);
}

INLINE REAL reflected_W(bool minus, Turn psi, REAL x, REAL y)
{
  return signed_mul_add(minus, r_mul(x, psi.s), y, psi.c);
}

typedef struct
{
  REAL z[2];    // u_1, y, m/s
  REAL V, w;    // of the link added last, m/s, rad/s
  REAL X, M12;  // kg
  REAL b[2];    // N
} Closed;

// Adds a link to the sums; f is the force of the torques on it, N.
// Returns its sigma, from that of the link before.
INLINE REAL add_closed(Closed* s, const Part* part, bool minus, Turn psi, REAL f, REAL sigma)
{
  REAL V   = reflected_V(minus, psi, s->z[0], s->z[1]);
  REAL W   = reflected_W(minus, psi, s->z[0], s->z[1]);
  REAL w   = r_mul(W, K(part->over_rear));
  sigma    = r_sub(r_sub(w, s->w), sigma);  // (L3)
  s->V     = V;
  s->w     = w;
  REAL p   = r_mul(K(part->mass_less_J), psi.s);
  s->X     = mul_add(p, psi.s, s->X);                   // (L4)
  s->M12   = signed_mul_add(!minus, s->M12, p, psi.c);  // (L5)
  REAL f_V = r_mul(r_mul(K(part->mass), sigma), W);     // (L6)
  REAL f_W = sub_mul(f, r_mul(K(part->rolling), sigma), V);
  s->b[0]  = r_add(s->b[0], mul_add(f_V, psi.c, r_mul(f_W, psi.s)));  // (L7)
  REAL b2  = mul_sub(f_W, psi.c, r_mul(f_V, psi.s));
  s->b[1]  = minus ? r_sub(s->b[1], b2) : r_add(s->b[1], b2);
  return sigma;
}

// Everything about the links that the sums need anyway.
typedef struct
{
  const Turn* psi;
  REAL* sigma;
  REAL *V, *w;
} Swept;

INLINE void keep_link_sums(const Swept* swept, int k, const Closed* s, REAL sigma)
{
  swept->sigma[k] = sigma;
  swept->V[k]     = s->V;
  swept->w[k]     = s->w;
}

// sigma, V and w of all links, the sums, and udot.
INLINE Closed solve_closed(const lwSnake* snake, const lwSnakeState* state, const Swept* swept,
                           REAL udot[2])
{
  const Part* part = PARTS(snake);
  const REAL* u    = state->u;
  int n            = snake->n;
  REAL first       = r_mul(net_torque(state->torque, 0, n), K(part[0].over_rear));
  Closed s         = {{given(u, 0), r_mul(given(u, 1), K(part[0].rear))},
                      given(u, 0),
                      given(u, 1),
                      zero(),
                      zero(),
                      {zero(), first}};
  REAL sigma       = zero();
  keep_link_sums(swept, 0, &s, sigma);
  for (int k = 1; k < n; k += 2)  // in pairs, so that signs are known to the compiler
  {
    REAL f = r_mul(net_torque(state->torque, k, n), K(part[k].over_rear));
    sigma  = add_closed(&s, &part[k], true, swept->psi[k], f, sigma);
    keep_link_sums(swept, k, &s, sigma);
    if (k + 1 == n) break;
    f     = r_mul(net_torque(state->torque, k + 1, n), K(part[k + 1].over_rear));
    sigma = add_closed(&s, &part[k + 1], false, swept->psi[k + 1], f, sigma);
    keep_link_sums(swept, k + 1, &s, sigma);
  }
  REAL M11 = r_sub(K(SUM_MASS(snake)), s.X), M22 = r_add(K(SUM_ROLLING(snake)), s.X);  // (L4)
  solve_reduced(M11, s.M12, M22, s.b, udot);
  udot[1] = r_mul(udot[1], K(part[0].over_rear));
  return s;
}

// d omega_k / d u_i: (L2) with z = (1, 0) and z = (0, h_1)
INLINE REAL closed_partial(const Part* part, int k, int i, Turn psi)
{
  REAL W = i == 0 ? psi.s : r_mul(K(part[0].rear), k % 2 ? r_neg(psi.c) : psi.c);
  return r_mul(W, K(part[k].over_rear));
}

// M, bias and F for u_1 and u_2
INLINE void report_closed(const lwSnake* snake, const REAL* torque, const Turn* psi,
                          const Closed* s, const lwSnakeOut* out)
{
  const Part* part = PARTS(snake);
  REAL h           = K(part[0].rear);
  Reduced r        = {.M11   = r_sub(K(SUM_MASS(snake)), s->X),
                      .M12   = r_mul(s->M12, h),
                      .M22   = r_mul(r_mul(r_add(K(SUM_ROLLING(snake)), s->X), h), h),
                      .force = {zero(), zero()}};
  for (int k = 0; k < snake->n; ++k)
    for (int i = 0; i < 2; ++i)
      r.force[i] =
          mul_add(net_torque(torque, k, snake->n), closed_partial(part, k, i, psi[k]), r.force[i]);
  r.bias[0] = r_sub(r.force[0], s->b[0]);
  r.bias[1] = r_sub(r.force[1], r_mul(s->b[1], h));
  report_reduced(&r, out);
}

// Accelerations of all links: (L2) of udot, with the velocity terms.
INLINE void closed_accelerations(const lwSnake* snake, const Turn* psi, const REAL* sigma,
                                 const REAL udot[2], SnakeMotion m)
{
  const Part* part = PARTS(snake);
  REAL zd[2]       = {udot[0], r_mul(udot[1], K(part[0].rear))};
  for (int k = 0; k < snake->n; ++k)
  {
    bool minus = k % 2;
    REAL W     = r_mul(m.w[k], K(part[k].rear));
    REAL Wd    = mul_add(sigma[k], m.V[k], reflected_W(minus, psi[k], zd[0], zd[1]));
    m.Vd[k]    = sub_mul(reflected_V(minus, psi[k], zd[0], zd[1]), sigma[k], W);
    m.wd[k]    = r_mul(Wd, K(part[k].over_rear));
  }
}

// phi_k = psi_k+1 + psi_k, in place of psi_k
INLINE void turns_between(Turn* psi, int n)
{
  for (int k = 0; k + 1 < n; ++k)
  {
    Turn a = psi[k], b = psi[k + 1];
    psi[k] = (Turn){mul_sub(a.c, b.c, r_mul(a.s, b.s)), mul_add(a.s, b.c, r_mul(a.c, b.s))};
  }
}

INLINE void reduced_closed_form(const lwSnake* snake, void* work, const lwSnakeState* state,
                                const lwSnakeOut* out)
{
  int n         = snake->n;
  size_t count  = (size_t)n;
  REAL* sigma   = take_angles(&work, count);
  Turn* psi     = take_turns(&work, count);
  SnakeMotion m = take_motion(&work, count);
  REAL* udot    = OUT(out, UDOT);
  REAL* partial = OUT(out, PARTIAL);
  if (OUT(out, OMEGA)) m.w = OUT(out, OMEGA);

  reflected_angles(state->theta, n, sigma);
  turns_of(sigma, n, psi);
  Closed s = solve_closed(snake, state, &(Swept){psi, sigma, m.V, m.w}, udot);

  if (wants_reduced(out)) report_closed(snake, state->torque, psi, &s, out);
  for (int k = 0; partial && k < n; ++k)
    for (int i = 0; i < 2; ++i) partial[2 * k + i] = closed_partial(PARTS(snake), k, i, psi[k]);
  if (wants_forces(out)) closed_accelerations(snake, psi, sigma, udot, m);
  report_motion(snake, state, m, out);
  if (!OUT(out, LAMBDA)) return;
  turns_between(psi, n);
  wheel_forces(snake, state->torque, psi, m, OUT(out, LAMBDA));
}

// --- wheels anywhere

typedef struct
{
  REAL V, W;
} WheelPair;

// (G1): r W is front w
INLINE WheelPair next_pair(Turn turn, REAL r, WheelPair z)
{
  REAL lateral = r_mul(r, z.W);
  return (WheelPair){mul_add(z.V, turn.c, r_mul(lateral, turn.s)),
                     mul_sub(z.V, turn.s, r_mul(lateral, turn.c))};
}

typedef struct
{
  WheelPair u[2];   // partial rates
  WheelPair now;    // V, W
  WheelPair terms;  // A, B
  REAL w;           // rad/s
  Reduced sums;
} GeneralWheels;

// The step to the link part[1].
INLINE void step_general(GeneralWheels* s, const Part* part, Turn turn)
{
  REAL r    = K(part[0].front_over_rear);
  s->u[0]   = next_pair(turn, r, s->u[0]);
  s->u[1]   = next_pair(turn, r, s->u[1]);
  s->now    = next_pair(turn, r, s->now);
  s->terms  = next_pair(turn, r, s->terms);
  REAL w    = r_mul(s->now.W, K(part[1].over_rear));
  REAL phid = r_sub(w, s->w);
  s->terms  = (WheelPair){sub_mul(s->terms.V, phid, s->now.W),
                          mul_add(phid, s->now.V, s->terms.W)};  // (G2)
  s->w      = w;
}

INLINE void add_general(GeneralWheels* s, const Part* part, REAL torque)
{
  Reduced* r = &s->sums;
  REAL m = K(part->mass), J = K(part->rolling);
  REAL gyro = r_mul(K(part->first_moment), s->w);  // m d omega
  REAL f_V  = mul_add(gyro, s->w, r_mul(m, s->terms.V));
  REAL f_W  = sub_mul(r_mul(J, s->terms.W), r_mul(gyro, K(part->over_rear)), s->now.V);
  REAL f    = r_mul(torque, K(part->over_rear));
  for (int i = 0; i < 2; ++i)
  {
    r->bias[i]  = mul_add(f_V, s->u[i].V, mul_add(f_W, s->u[i].W, r->bias[i]));  // (G4)
    r->force[i] = mul_add(f, s->u[i].W, r->force[i]);                            // (G5)
  }
  WheelPair p = {r_mul(m, s->u[0].V), r_mul(J, s->u[0].W)};
  r->M11      = mul_add(p.V, s->u[0].V, mul_add(p.W, s->u[0].W, r->M11));  // (G3)
  r->M12      = mul_add(p.V, s->u[1].V, mul_add(p.W, s->u[1].W, r->M12));
  WheelPair q = {r_mul(m, s->u[1].V), r_mul(J, s->u[1].W)};
  r->M22      = mul_add(q.V, s->u[1].V, mul_add(q.W, s->u[1].W, r->M22));
}

INLINE GeneralWheels start_general(const Part* part, const REAL* u)
{
  REAL none = zero();
  return (GeneralWheels){{{constant(1), none}, {none, K(part->rear)}},
                         {given(u, 0), r_mul(given(u, 1), K(part->rear))},
                         {none, none},
                         given(u, 1),
                         no_sums()};
}

INLINE void general_form(const lwSnake* snake, void* work, const lwSnakeState* state,
                         const lwSnakeOut* out)
{
  int n            = snake->n;
  size_t count     = (size_t)n;
  const Part* part = PARTS(snake);
  REAL* phi        = take_angles(&work, count);
  Turn* turn       = take_turns(&work, count);
  SnakeMotion m    = take_motion(&work, count);
  REAL* partial    = OUT(out, PARTIAL);

  joint_turns(state->theta, n, phi, turn);
  GeneralWheels s = start_general(part, state->u);
  for (int k = 0; k < n; ++k)
  {
    if (k > 0) step_general(&s, &part[k - 1], turn[k - 1]);
    add_general(&s, &part[k], net_torque(state->torque, k, n));
    m.V[k] = s.now.V;
    m.w[k] = s.w;
    for (int i = 0; partial && i < 2; ++i)
      partial[2 * k + i] = r_mul(s.u[i].W, K(part[k].over_rear));
  }
  solve_and_report(snake, state, turn, &s.sums, m, out);
}

static void kane_linear(const lwSnake* snake, void* work, const lwSnakeState* state,
                        const lwSnakeOut* out)
{
  if (snake->centred)
    reduced_closed_form(snake, work, state, out);
  else
    general_form(snake, work, state, out);
}

const lwSnakeKernel FN(snake_kane_linear) = {kane_linear, 5 * sizeof(REAL) + sizeof(Turn), 0};
