// SPDX-License-Identifier: MIT
// Derivatives of inverse dynamics by closed expressions, O(n^2) for a chain, O(n depth) for a tree.
//
// Singh, Russell & Wensing, "Efficient analytical derivatives of rigid-body dynamics using spatial
// vector algebra", IEEE Robotics and Automation Letters, 2022: its expressions for joints of one
// freedom, in the ground frame, S constant in the link.
//
//   paper     here    meaning                                                              unit
//   Phi_i     S       twist of joint i                                                     1, m
//   Psi dot   Sd      its rate, V x S                                                      1/s, m/s
//   Psi ddot  Sdd     A x S + V x Sd                                                       1/s^2, m/s^2
//   v_i a_i   V, A    velocity and acceleration of link i, less gravity
//   I_i^C     solid   inertia of link i and all that it carries (composites.h)
//   B_i^C     spin    their matrix of velocity products (composites.h)
//   f_i^C     need    wrench that joint i transmits                                        N m, N
//
// For joint j on the way from i to the base, or i itself:
//   d tau_i / dq_j  = S_i.(2 B_i Sd_j + I_i Sdd_j)                        (1)
//   d tau_i / dqd_j = 2 S_i.(B_i S_j + I_i Sd_j)                          (2)
//   d tau_j / dq_i  = S_j.(2 B_i Sd_i + I_i Sdd_i + S_i x* f_i)           (3)
//   d tau_j / dqd_i = 2 S_j.(B_i S_i + I_i Sd_i)                          (4)
//
// Where it differs from the paper:
// - The paper has V and A of the parent in Sd and Sdd. Those of the link itself give the same,
// since S x S = 0.
// - B_i is 12 numbers; its row S_i^T B_i meets angular parts only.
// - A wrench in the axes of its link is part of f_i; for one in base axes see pushed.h.
#include "kernels/derivatives/composites.h"
#include "kernels/derivatives/pushed.h"

typedef struct
{
  REAL *S, *V, *A, *Sd, *Sdd;          // (6 n)
  REAL* body;                          // (BODY_SIZE n)
  REAL* need;                          // (6 n) n, f
  REAL *row_spin, *row, *by_q, *by_v;  // (3 n), (6 n): what (1), (2) and (3), (4) are made of
  REAL* column;                        // (2 n)
} Slopes;

enum
{
  PER_JOINT = 5 * 6 + BODY_SIZE + 6 + 3 + 3 * 6 + 2
};

INLINE Slopes take_slopes(void** work, size_t n)
{
  REAL* at = take(work, n * PER_JOINT * sizeof(REAL));
  Slopes s;
  s.S        = at;
  s.V        = at + 6 * n;
  s.A        = at + 12 * n;
  s.Sd       = at + 18 * n;
  s.Sdd      = at + 24 * n;
  s.need     = at + 30 * n;
  s.row      = at + 36 * n;
  s.by_q     = at + 42 * n;
  s.by_v     = at + 48 * n;
  s.row_spin = at + 54 * n;
  s.column   = at + 57 * n;
  s.body     = at + 59 * n;
  return s;
}

// Links by themselves: Sdd, inertia, velocity products and the wrench that sustains them.
INLINE void links_by_themselves(const lwModel* model, const Frame* frames, Slopes s)
{
  int n = model->n;
  SIDE_BY_SIDE
  for (int i = 0; i < n; ++i)
  {
    Twist S = load_twist(s.S, n, i), V = load_twist(s.V, n, i), A = load_twist(s.A, n, i);
    Twist Sd = load_twist(s.Sd, n, i);
    store_twist(s.Sdd, n, i, twist_add(twist_cross(A, S), twist_cross(V, Sd)));
    Solid body = solid_at(&LINKS(model)[i], frames[i]);
    store_solid(s.body, n, i, body);
    store_spin(s.body, n, i, body, V);
    Wrench F = sustain_solid(body, V, A);
    store_twist(s.need, n, i, (Twist){F.n, F.f});
  }
}

// What each composite body has for the pairs: the brackets of (1) to (4), S_i in the first two.
INLINE void form_brackets(const lwModel* model, Slopes s)
{
  int n = model->n;
  SIDE_BY_SIDE
  for (int i = 0; i < n; ++i)
  {
    Twist S = load_twist(s.S, n, i), Sd = load_twist(s.Sd, n, i), Sdd = load_twist(s.Sdd, n, i);
    Twist need = load_twist(s.need, n, i);
    Solid body = load_solid(s.body, n, i);
    Spin spin  = load_spin(s.body, n, i);
    V3 row     = spin_row(spin, S);
    Wrench I_S = inertia_of(body, S), I_Sd = inertia_of(body, Sd), B_S = spin_of(spin, S.w);
    Wrench B_Sd = spin_of(spin, Sd.w), I_Sdd = inertia_of(body, Sdd);
    Wrench f  = twist_cross_wrench(S, (Wrench){need.v, need.w});
    V3 half_n = add(B_S.n, I_Sd.n), half_f = add(B_S.f, I_Sd.f);
    store3(s.row_spin, n, i, add(row, row));
    store_twist(s.row, n, i, (Twist){I_S.n, I_S.f});
    store_twist(s.by_v, n, i, (Twist){add(half_n, half_n), add(half_f, half_f)});
    store_twist(s.by_q, n, i,
                (Twist){add(add(B_Sd.n, B_Sd.n), add(I_Sdd.n, f.n)),
                        add(add(B_Sd.f, B_Sd.f), add(I_Sdd.f, f.f))});
  }
}

INLINE REAL meet(Twist a, Twist b)
{
  return dot_add(a.w, b.w, dot(a.v, b.v));
}

// Rows of joint i from joint first to joint last, on the way to the base: (1), (2); and its
// columns: (3), (4).
INLINE void meet_joints(int n, Slopes s, int i, int first, int last, REAL* by_q, REAL* by_qd)
{
  V3 spin   = load3(s.row_spin, n, i);
  Twist row = load_twist(s.row, n, i), q = load_twist(s.by_q, n, i), v = load_twist(s.by_v, n, i);
  REAL *row_q = by_q + (size_t)i * (size_t)n, *row_qd = by_qd + (size_t)i * (size_t)n;
  SIDE_BY_SIDE
  for (int j = first; j <= last; ++j)
  {
    Twist S = load_twist(s.S, n, j), Sd = load_twist(s.Sd, n, j), Sdd = load_twist(s.Sdd, n, j);
    REAL half       = meet(row, Sd);
    row_q[j]        = dot_add(spin, Sd.w, meet(row, Sdd));
    row_qd[j]       = dot_add(spin, S.w, r_add(half, half));
    s.column[j]     = meet(S, q);
    s.column[n + j] = meet(S, v);
  }
  for (int j = first; j <= last && j < i; ++j)
  {
    by_q[(size_t)j * (size_t)n + (size_t)i]  = s.column[j];
    by_qd[(size_t)j * (size_t)n + (size_t)i] = s.column[n + j];
  }
}

static void singh_russell_wensing(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n         = model->n;
  size_t count  = (size_t)n;
  Turn* turns   = take(&work, count * sizeof *turns);
  Frame* frames = (Frame*)take(&work, (count + 1) * sizeof *frames) + 1;
  Slopes s      = take_slopes(&work, count);
  REAL *by_q = out, *by_qd = by_q + count * count;

  // outward, base to tip: twists and motion; then every link by itself
  joint_turns(model, state->q, turns);
  ground_frames(model, turns, state->q, frames);
  ground_velocities(model, frames, state->qd, s.S, s.V);
  SIDE_BY_SIDE
  for (int i = 0; i < n; ++i)
    store_twist(s.Sd, n, i, twist_cross(load_twist(s.V, n, i), load_twist(s.S, n, i)));
  ground_accelerations(model, state, s.S, s.Sd, s.A);
  links_by_themselves(model, frames, s);
  subtract_pushes(model, state, frames, s.need);

  // inward, tip to base: composite bodies; then every pair of joints on one way to the base
  gather_bodies(model, s.body, BODY_SIZE);
  gather_bodies(model, s.need, 6);
  form_brackets(model, s);
  for (size_t k = 0; k < 2 * count * count && !model->chain; ++k) by_q[k] = zero();
  for (int i = 0; i < n; ++i)
    for (int last = i, first; last != LW_BASE; last = model->parent[first])
    {
      first = run_start(model, last);
      meet_joints(n, s, i, first, last, by_q, by_qd);
    }
  keep_directions(model, state, frames, s.S, by_q);
}

const lwKernel FN(singh_russell_wensing) = {
    singh_russell_wensing, sizeof(Turn) + sizeof(Frame) + PER_JOINT * sizeof(REAL), 0, {0}};
