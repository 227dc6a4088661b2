// SPDX-License-Identifier: MIT
// Snake dynamics by Kane's equations as printed, with the full 2 x n matrix N, O(n^2).
// kernels/reference/snake.c computes the same.
//
// Nia, Pishkenari & Meghdari, "A recursive approach for the analysis of snake robots using Kane's
// equations" (nia2005), equations (6)-(21):
//   M udot + N omega = F                                                                        (8)
//
//   nia2005            here            meaning                                           unit
//   C_i, S_i           turn            cosine and sine of phi_i = theta_i+1 - theta_i    -
//   dV_i / du_j        V_u[j]          partial speeds                                    1, m
//   domega_i / du_j    w_u[j]          partial angular velocities                        1/m, 1
//   dV_i / dq_j        V_q[j]          at fixed u                                        m/s
//   domega_i / dq_j    w_q[j]                                                            1/s
//   N(i, j)            N[i][j]         bias matrix                                       N s, N m s
//   F(i)               force[i]        generalised force of the torques                  N, N m
// the rest as in links.h.
//
// Where it differs from the paper (numbers as in docs/errata.md):
// - 0-1: N is 2 x n. 0-2: the partial rates (12) that are not printed are 0. 0-3:
//   (19) is about q_j.
// - 0-4: (21) holds for the first link only; dV_i/dq_j = 0 for j > i. So (15)-(20) are evaluated
//   for every i > 0.
// - 0-5: the counts of Kane's method in the paper's table I have
//   multiplications and additions swapped.
// - m_k dV_k/du and I_k domega_k/du are formed once for M and N. Products like omega_i S_i
//   h_i are evaluated as they are printed. Rows of derivatives by q are made link after link,
//   so memory is O(n).
// - A wheel off the middle by d: h splits into front and rear (links.h), I is about the axle, and
//   Kane's equations gain m d omega_k (omega_k dV_k/du_i - V_k domega_k/du_i), which does no work;
//   it is added to N(i, k).
// - Wheel forces are not in the paper: report.h.
#include "kernels/snake/report.h"

// Derivatives of V_k and omega_k by something.
typedef struct
{
  REAL V, w;
} SnakeRates;

// (13), (14), (19), (20): what depends on V_i and omega_i alone, for the next link
INLINE SnakeRates next_rates(const Part* part, Turn turn, SnakeRates r)
{
  REAL V = mul_add(r.V, turn.c, r_mul(r_mul(r.w, turn.s), K(part[0].front)));
  REAL w = mul_sub(r.V, turn.s, r_mul(r_mul(r.w, turn.c), K(part[0].front)));
  return (SnakeRates){V, r_mul(w, K(part[1].over_rear))};
}

// (15), (16): derivatives of V_i+1 and omega_i+1 by phi_i alone
INLINE SnakeRates by_turning(const Part* part, Turn turn, SnakeRates r)
{
  REAL V = mul_sub(r_mul(r.w, turn.c), K(part[0].front), r_mul(r.V, turn.s));
  REAL w = mul_add(r.V, turn.c, r_mul(r_mul(r.w, turn.s), K(part[0].front)));
  return (SnakeRates){V, r_mul(w, K(part[1].over_rear))};
}

typedef struct
{
  SnakeRates now;   // V_i, omega_i
  SnakeRates u[2];  // by u_1, u_2
  REAL *V_q, *w_q;  // (n) by q_j
  REAL* N[2];       // (n)
  Reduced sums;
} KaneSums;

// The step from link i to link i+1 of all derivatives.
INLINE void partials_step(const Part* part, Turn turn, int i, KaneSums* s)
{
  SnakeRates turning = by_turning(part, turn, s->now);
  for (int j = 0; j < i; ++j)  // (19), (20)
  {
    SnakeRates next = next_rates(part, turn, (SnakeRates){s->V_q[j], s->w_q[j]});
    s->V_q[j]       = next.V;
    s->w_q[j]       = next.w;
  }
  SnakeRates own = next_rates(part, turn, (SnakeRates){s->V_q[i], s->w_q[i]});
  s->V_q[i]      = r_sub(own.V, turning.V);          // (17)
  s->w_q[i]      = r_sub(own.w, turning.w);          // (18)
  s->V_q[i + 1]  = turning.V;                        // (15)
  s->w_q[i + 1]  = turning.w;                        // (16)
  s->now         = next_rates(part, turn, s->now);   // (6), (7)
  s->u[0]        = next_rates(part, turn, s->u[0]);  // (13), (14)
  s->u[1]        = next_rates(part, turn, s->u[1]);
}

// Adds the torque between link k-1, whose partial rates were `before`, and link k to F.
INLINE void partials_add_torque(REAL torque, const SnakeRates before[2], KaneSums* s)
{
  for (int i = 0; i < 2; ++i)
  {
    REAL w           = r_sub(s->u[i].w, before[i].w);
    s->sums.force[i] = mul_add(torque, w, s->sums.force[i]);  // (11)
  }
}

// Adds link k to M and N, of which the first k + 1 columns of N are not zero.
INLINE void partials_add_link(const Part* part, int k, bool centred, KaneSums* s)
{
  Reduced* r = &s->sums;
  SnakeRates p[2];  // m dV/du, I domega/du
  for (int i = 0; i < 2; ++i)
  {
    p[i] = (SnakeRates){r_mul(K(part->mass), s->u[i].V), r_mul(K(part->axle_inertia), s->u[i].w)};
    for (int j = 0; j <= k; ++j)  // (10)
    {
      REAL N     = mul_add(p[i].V, s->V_q[j], r_mul(p[i].w, s->w_q[j]));
      s->N[i][j] = r_add(s->N[i][j], N);
    }
    if (centred) continue;
    REAL gyro  = mul_sub(s->now.w, s->u[i].V, r_mul(s->now.V, s->u[i].w));
    s->N[i][k] = mul_add(K(part->first_moment), gyro, s->N[i][k]);
  }
  r->M11 = r_add(r->M11, mul_add(p[0].V, s->u[0].V, r_mul(p[0].w, s->u[0].w)));  // (9)
  r->M12 = r_add(r->M12, mul_add(p[0].V, s->u[1].V, r_mul(p[0].w, s->u[1].w)));
  r->M22 = r_add(r->M22, mul_add(p[1].V, s->u[1].V, r_mul(p[1].w, s->u[1].w)));
}

INLINE void partials_start(const REAL* u, int n, KaneSums* s)
{
  REAL none = zero(), one = constant(1);
  s->now  = (SnakeRates){given(u, 0), given(u, 1)};
  s->u[0] = (SnakeRates){one, none};  // (12)
  s->u[1] = (SnakeRates){none, one};
  s->sums = no_sums();
  for (int j = 0; j < n; ++j) s->V_q[j] = s->w_q[j] = s->N[0][j] = s->N[1][j] = none;
}

static void kane(const lwSnake* snake, void* work, const lwSnakeState* state, const lwSnakeOut* out)
{
  int n            = snake->n;
  size_t count     = (size_t)n;
  const Part* part = PARTS(snake);
  REAL* phi        = take_angles(&work, count);
  Turn* turn       = take_turns(&work, count);
  SnakeMotion m    = take_motion(&work, count);
  KaneSums s;
  s.V_q  = take_reals(&work, count);
  s.w_q  = take_reals(&work, count);
  s.N[0] = take_reals(&work, count);
  s.N[1] = take_reals(&work, count);

  joint_turns(state->theta, n, phi, turn);
  partials_start(state->u, n, &s);
  REAL* partial = OUT(out, PARTIAL);
  for (int k = 0; k < n; ++k)
  {
    SnakeRates before[2] = {s.u[0], s.u[1]};
    if (k > 0) partials_step(&part[k - 1], turn[k - 1], k - 1, &s);
    if (k > 0) partials_add_torque(given(state->torque, k - 1), before, &s);
    partials_add_link(&part[k], k, snake->centred, &s);
    m.V[k] = s.now.V;
    m.w[k] = s.now.w;
    for (int i = 0; partial && i < 2; ++i) partial[2 * k + i] = s.u[i].w;
  }

  for (int i = 0; i < 2; ++i)
  {
    s.sums.bias[i] = zero();
    for (int j = 0; j < n; ++j) s.sums.bias[i] = mul_add(s.N[i][j], m.w[j], s.sums.bias[i]);
  }
  solve_and_report(snake, state, turn, &s.sums, m, out);  // (8)
}

const lwSnakeKernel FN(snake_kane) = {kane, 9 * sizeof(REAL) + sizeof(Turn), 0};
