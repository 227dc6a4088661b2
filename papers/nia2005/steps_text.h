// SPDX-License-Identifier: MIT
// The steps of nia2005 over the scalar REAL. The including source defines charge_step(), which
// charges the operations since the last call to a step.
#include "kernels/snake/free_chain.h"
#include "steps.h"

static void charge_step(PrintedStep step);

// Section III. Indices are one less than the paper's.
typedef struct
{
  int n;
  const Part* part;
  Turn* turn;             // (n-1) C_i, S_i
  REAL *V, *w;            // (n)
  REAL *V_u[2], *w_u[2];  // (n) by u_1, u_2
  REAL *V_q, *w_q;        // (n x n) by q_j
  REAL* N[2];             // (n)
  REAL M[3];              // M11, M12, M22
  REAL F[2], b[2], udot[2];
} Kane;

static REAL* arena_reals(lwArena* arena, size_t count)
{
  return lw_arena_take(arena, count, sizeof(REAL));
}

static bool kane_make(const lwSnake* snake, lwArena* arena, Kane* k)
{
  size_t n      = (size_t)snake->n;
  REAL** rows[] = {&k->V,      &k->w,      &k->V_u[0], &k->V_u[1],
                   &k->w_u[0], &k->w_u[1], &k->N[0],   &k->N[1]};
  *k            = (Kane){.n = snake->n, .part = PARTS(snake)};
  k->turn       = lw_arena_take(arena, n + TURNS_ROOM, sizeof(Turn));
  k->V_q        = arena_reals(arena, n * n);
  k->w_q        = arena_reals(arena, n * n);
  bool enough   = k->turn && k->V_q && k->w_q;
  for (int i = 0; i < 8; ++i)
  {
    *rows[i] = arena_reals(arena, n);
    enough   = enough && *rows[i];
  }
  return enough;
}

// (6), (13), (19): V_i C_i + omega_i S_i h_i, of speeds or of derivatives
static REAL next_V(const Kane* k, int i, REAL V, REAL w)
{
  return mul_add(V, k->turn[i].c, r_mul(r_mul(w, k->turn[i].s), K(k->part[i].half)));
}

// (7), (14), (20): (V_i S_i - omega_i C_i h_i) / h_i+1
static REAL next_w(const Kane* k, int i, REAL V, REAL w)
{
  REAL across = mul_sub(V, k->turn[i].s, r_mul(r_mul(w, k->turn[i].c), K(k->part[i].half)));
  return r_mul(across, K(k->part[i + 1].over_rear));
}

// (15): -V_i S_i + omega_i C_i h_i
static REAL turning_V(const Kane* k, int i)
{
  REAL w = r_mul(r_mul(k->w[i], k->turn[i].c), K(k->part[i].half));
  return r_sub(w, r_mul(k->V[i], k->turn[i].s));
}

// (16): (V_i C_i + omega_i S_i h_i) / h_i+1
static REAL turning_w(const Kane* k, int i)
{
  return r_mul(next_V(k, i, k->V[i], k->w[i]), K(k->part[i + 1].over_rear));
}

static void kane_velocities(Kane* k, const REAL* u)
{
  k->V[0] = given(u, 0);
  k->w[0] = given(u, 1);
  for (int i = 0; i + 1 < k->n; ++i)
  {
    k->V[i + 1] = next_V(k, i, k->V[i], k->w[i]);  // (6)
    charge_step(STEP_V);
    k->w[i + 1] = next_w(k, i, k->V[i], k->w[i]);  // (7)
    charge_step(STEP_OMEGA);
  }
}

static void kane_partials(Kane* k)
{
  for (int j = 0; j < 2; ++j)
  {
    REAL *V = k->V_u[j], *w = k->w_u[j];
    V[0] = constant(j == 0);  // (12)
    w[0] = constant(j == 1);
    for (int i = 0; i + 1 < k->n; ++i)
    {
      V[i + 1] = next_V(k, i, V[i], w[i]);  // (13)
      charge_step(STEP_V_U);
      w[i + 1] = next_w(k, i, V[i], w[i]);  // (14)
      charge_step(STEP_OMEGA_U);
    }
  }
}

// Entry j <= i of row i + 1: (19), (20) from row i, and for j = i minus (15), (16), which gives
// (17), (18). As printed, (21) makes the part of (17) and (18) from row i vanish for every link; in
// fact it does for the first only.
static void next_entry(Kane* k, int i, int j, bool printed)
{
  size_t from = (size_t)i * (size_t)k->n + (size_t)j, to = from + (size_t)k->n;
  bool own = j == i, vanish = own && (i == 0 || printed);
  if (!vanish) k->V_q[to] = next_V(k, i, k->V_q[from], k->w_q[from]);  // (19)
  if (own) k->V_q[to] = vanish ? r_neg(turning_V(k, i)) : r_sub(k->V_q[to], turning_V(k, i));
  charge_step(STEP_V_Q);
  if (!vanish) k->w_q[to] = next_w(k, i, k->V_q[from], k->w_q[from]);  // (20)
  if (own) k->w_q[to] = vanish ? r_neg(turning_w(k, i)) : r_sub(k->w_q[to], turning_w(k, i));
  charge_step(STEP_OMEGA_Q);
}

static void kane_derivatives(Kane* k, bool printed)
{
  size_t n = (size_t)k->n;
  for (size_t i = 0; i < n * n; ++i) k->V_q[i] = k->w_q[i] = zero();
  for (int i = 0; i + 1 < k->n; ++i)
  {
    for (int j = 0; j <= i; ++j) next_entry(k, i, j, printed);
    size_t ahead  = (size_t)(i + 1) * (n + 1);
    k->V_q[ahead] = turning_V(k, i);  // (15)
    charge_step(STEP_V_Q);
    k->w_q[ahead] = turning_w(k, i);  // (16)
    charge_step(STEP_OMEGA_Q);
  }
}

// m a V + I b w
static REAL term(const Part* part, REAL a, REAL V, REAL b, REAL w)
{
  return mul_add(r_mul(K(part->mass), a), V, r_mul(r_mul(K(part->inertia), b), w));
}

static void accumulate(REAL* sum, REAL next, bool first)
{
  *sum = first ? next : r_add(*sum, next);
}

// (9)-(11)
static void kane_terms(Kane* k, const REAL* torque)
{
  size_t n = (size_t)k->n;
  for (int link = 0; link < k->n; ++link)
  {
    const Part* part = &k->part[link];
    const REAL V[2] = {k->V_u[0][link], k->V_u[1][link]}, w[2] = {k->w_u[0][link], k->w_u[1][link]};
    for (int e = 0; e < 3; ++e)  // M11, M12, M22
      accumulate(&k->M[e], term(part, V[e / 2], V[(e + 1) / 2], w[e / 2], w[(e + 1) / 2]),
                 link == 0);
    for (int i = 0; i < 2; ++i)
    {
      for (int j = 0; j <= link && link > 0; ++j)  // the derivatives of the first link are 0
      {
        size_t at = (size_t)link * n + (size_t)j;
        accumulate(&k->N[i][j], term(part, V[i], k->V_q[at], w[i], k->w_q[at]),
                   link == (j > 0 ? j : 1));
      }
      if (link == 0) continue;
      REAL between = r_sub(w[i], k->w_u[i][link - 1]);
      accumulate(&k->F[i], r_mul(given(torque, link - 1), between), link == 1);
    }
  }
  charge_step(STEP_TERMS);
}

// (8)
static void kane_solve(Kane* k)
{
  for (int i = 0; i < 2; ++i)
  {
    REAL bias = r_mul(k->N[i][0], k->w[0]);
    for (int j = 1; j < k->n; ++j) bias = mul_add(k->N[i][j], k->w[j], bias);
    k->b[i] = r_sub(k->F[i], bias);
  }
  charge_step(STEP_PRODUCT);
  REAL det   = mul_sub(k->M[0], k->M[2], r_mul(k->M[1], k->M[1]));
  k->udot[0] = r_div(mul_sub(k->M[2], k->b[0], r_mul(k->M[1], k->b[1])), det);
  k->udot[1] = r_div(mul_sub(k->M[0], k->b[1], r_mul(k->M[1], k->b[0])), det);
  charge_step(STEP_SOLVE);
}

static void kane_run(Kane* k, const REAL* u, const REAL* torque, bool printed)
{
  kane_velocities(k, u);
  kane_partials(k);
  kane_derivatives(k, printed);
  kane_terms(k, torque);
  kane_solve(k);
}

// Section IV. M(q) by (25), row by row below the diagonal, its lengths and masses multiplied
// off-line (erratum 0-15); e are the directions of the links.
static void fill_inertia(const lwSnake* snake, const Turn* e, REAL* M)
{
  size_t size = (size_t)snake->n + 2;
  M[0] = M[size + 1] = K(SUM_MASS(snake));
  M[size]            = zero();
  for (int i = 0; i < snake->n; ++i)
  {
    const Part* part = &PARTS(snake)[i];
    REAL* row        = M + (size_t)(i + 2) * size;
    row[0]           = r_neg(r_mul(K(part->carried), e[i].s));
    row[1]           = r_mul(K(part->carried), e[i].c);
    row[i + 2]       = K(part->own);
    for (int j = 0; j < i; ++j)
    {
      REAL cosine = mul_add(e[i].c, e[j].c, r_mul(e[i].s, e[j].s));
      row[j + 2]  = r_mul(K(part->carried * PARTS(snake)[j].reach), cosine);
    }
  }
  charge_step(STEP_INERTIA);
}

// Q - B into a->b and A' q' into a->drift; a->M and the like are not used.
static bool fill_bias(const lwSnake* snake, const Turn* e, const Kane* k, const REAL* torque,
                      lwArena* arena, Augmented* a)
{
  size_t n        = (size_t)snake->n;
  SnakeMotion m   = {k->V, k->w, arena_reals(arena, n), NULL};
  LinkSpans* arms = lw_arena_take(arena, n, sizeof *arms);
  if (!m.Vd || !arms) return false;
  for (int i = 0; i < snake->n; ++i)
    arms[i] = (LinkSpans){times(k->part[i].reach, e[i]), times(k->part[i].carried, e[i])};
  fill_forces(torque, e, arms, m, a);
  charge_step(STEP_BIAS);
  return true;
}

// The constraints n_k . v_k = A_k q' and their derivatives; w are the rates of the links.
static void fill_jacobian(const Kane* k, const Turn* e, REAL* A)
{
  for (int i = 0; i < k->n; ++i)
  {
    REAL* row = A + (size_t)i * (size_t)(k->n + 2);
    row[0]    = r_neg(e[i].s);
    row[1]    = e[i].c;
    for (int j = 0; j < i; ++j)
      row[j + 2] = r_mul(K(k->part[j].reach), mul_add(e[i].c, e[j].c, r_mul(e[i].s, e[j].s)));
    if (i > 0) row[i + 2] = K(k->part[i].half);
  }
  charge_step(STEP_JACOBIAN);
}

static void fill_jacobian_dot(const Kane* k, const Turn* e, const REAL* w, REAL* A_dot)
{
  for (int i = 0; i < k->n; ++i)
  {
    REAL* row = A_dot + (size_t)i * (size_t)(k->n + 2);
    row[0]    = r_neg(r_mul(e[i].c, w[i]));
    row[1]    = r_neg(r_mul(e[i].s, w[i]));
    for (int j = 0; j < i; ++j)
    {
      REAL sine  = mul_sub(e[i].s, e[j].c, r_mul(e[i].c, e[j].s));
      row[j + 2] = r_mul(r_mul(K(k->part[j].reach), sine), r_sub(w[j], w[i]));
    }
  }
  charge_step(STEP_JACOBIAN_DOT);
}
