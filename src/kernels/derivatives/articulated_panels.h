// SPDX-License-Identifier: MIT
// M^-1 B by articulated bodies, panels of columns side by side, O(n) for each column.
//
// Featherstone 2008, table 7.1, without velocities and weight: column b of B are the torques, and
// column x of M^-1 B the accelerations that they cause.
//
//   book    here      meaning                                                     unit
//   I^A     A         articulated inertia of link i and all that it carries       kg m^2, kg m, kg
//   S       S         twist (w, v) of unit velocity of freedom i                  1, m
//   U, D    U, D      wrench (n, f) of its unit acceleration, and along it        N m, N
//   p^A     P         wrench that the torques outward of link i give it           N m, N
//   u / D   X         inward; the acceleration x after the pass outward
//   a       a         acceleration (wd, a) of the parent's link
//
// Where it differs from the book:
// - Everything is in the axes of the link that stands on the base; M does not depend on where that
//   link is. Articulated inertias are about the origin of their own link: about a far one, those of
//   small links would be lost. S and U are then taken to the origin of the link on the base, so
//   that wrenches and accelerations of panels go from joint to joint as they are.
// - The freedoms of a wide joint are eliminated one after the other, like joints of one freedom
//   that share a frame and of which only the last carries a mass: this is L^T D L of its block.
// - Products with 1/D are computed before: fewer operations wait for each other.
#ifndef LW_KERNELS_DERIVATIVES_ARTICULATED_PANELS_H
#define LW_KERNELS_DERIVATIVES_ARTICULATED_PANELS_H

#include "kernels/derivatives/composites.h"
#include "kernels/forward/wide_elimination.h"

// Columns of a panel: as many blocks as registers hold the wrenches of. Panels of two matrices have
// as many columns of each: more of them hide what steps wait for.
enum
{
#if !defined(LW_FLOATING)
  PANEL_BLOCKS = 1,
  PAIR_BLOCKS  = 2,
#elif defined(__AVX512F__)
  PANEL_BLOCKS = 3,
  PAIR_BLOCKS  = 4,
#else
  PANEL_BLOCKS = 2,
  PAIR_BLOCKS  = 2,
#endif
  PANEL_WIDTH = PAIR_BLOCKS * JOINT_LANES  // at most
};

// One freedom after its elimination; the order is (w, v) or (n, f).
typedef struct
{
  REAL S[6], S_over_D[6];
  REAL U[6], U_over_D[6];
  REAL over_D;
} EliminatedFreedom;

// What a panel needs in the frame of the root.
typedef struct
{
  const lwModel* model;
  EliminatedFreedom* freedoms;  // (n)
  REAL* forks;       // (n, 6, PANEL_WIDTH) wrenches, then accelerations, of links that branch
  REAL* X;           // (n, PANEL_WIDTH) a panel: torques, then accelerations
  Frame* frames;     // (n) axes of the root; p: from the origin of the parent
  V3* origins;       // (n) in the frame of the root
  Inertia* carried;  // (n) articulated inertias of what branches off; forks only
} Panels;

// Bytes of workspace per joint.
#define PANEL_BYTES                                                                                \
  (sizeof(Turn) + sizeof(EliminatedFreedom) + sizeof(Frame) + sizeof(V3) + sizeof(Inertia) +       \
   7 * PANEL_WIDTH * sizeof(REAL) + 7 * 64)

INLINE Inertia inertia_none(void)
{
  REAL none = zero();
  return (Inertia){{none, none, none, none, none, none},
                   {v3_zero(), v3_zero(), v3_zero()},
                   {none, none, none, none, none, none}};
}

INLINE Inertia inertia_sum(Inertia a, Inertia b)
{
  return (Inertia){s3_add(a.I, b.I), m3_add(a.H, b.H), s3_add(a.M, b.M)};
}

// Freedom i is a linear one of a wide joint.
INLINE bool is_wide_linear(const lwWideJoint* wide, int i)
{
  return i <= wide->last - 3;
}

// Frames and origins outward. Freedoms of a wide joint stand on each other at one place.
INLINE void root_frames(const lwModel* model, const Turn* turns, const Input* q, const Panels* to)
{
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i], last = is_wide(model, i) ? wide_joint(model, i)->last : i;
    Frame F   = identity_frame();
    V3 origin = v3_zero();
    if (p != LW_BASE)
    {
      F      = to->frames[p];
      F.p    = v3_zero();
      F      = is_wide(model, i) ? compose(F, wide_frame(model, wide_joint(model, i), turns))
                                 : ground_frame(F, joint_at(model, i, turns, q));
      origin = add(to->origins[p], F.p);
    }
    for (int k = i; k <= last; ++k)
    {
      to->frames[k]  = F;
      to->origins[k] = origin;
      F.p            = v3_zero();
    }
    i = last;
  }
}

// S - g u^T, which is symmetric
INLINE S3 less_dyad(S3 S, V3 g, V3 u)
{
  return (S3){sub_mul(S.xx, g.x, u.x), sub_mul(S.yy, g.y, u.y), sub_mul(S.zz, g.z, u.z),
              sub_mul(S.xy, g.x, u.y), sub_mul(S.xz, g.x, u.z), sub_mul(S.yz, g.y, u.z)};
}

// a - k b
INLINE V3 less_scaled(V3 a, REAL k, V3 b)
{
  return v3(sub_mul(a.x, k, b.x), sub_mul(a.y, k, b.y), sub_mul(a.z, k, b.z));
}

INLINE void put_six(REAL to[6], V3 a, V3 b)
{
  const REAL all[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
  for (int k = 0; k < 6; ++k) to[k] = all[k];
}

// The axis of freedom i, along which it moves or about which it turns.
typedef struct
{
  V3 axis;
  bool linear;
} FreedomAxis;

INLINE FreedomAxis freedom_axis(const lwModel* model, int i, const Frame* F)
{
  if (!is_wide(model, i)) return (FreedomAxis){F->z, is_prismatic(model, i)};
  const lwWideJoint* wide = wide_joint(model, i);
  const V3 axes[3]        = {F->x, F->y, F->z};
  return (FreedomAxis){axes[(i - wide->first) % 3], is_wide_linear(wide, i)};
}

// S and U of freedom i about the origin of the root, p being where its own is. A freedom that is
// held moves with no torque: its row and column are those of the identity.
INLINE void put_eliminated(FreedomAxis S, V3 n, V3 f, REAL over_D, V3 p, EliminatedFreedom* out)
{
  V3 w = S.linear ? v3_zero() : S.axis, v = S.linear ? S.axis : cross(p, S.axis);
  n = cross_add(p, f, n);
  put_six(out->S, w, v);
  put_six(out->S_over_D, scale(over_D, w), scale(over_D, v));
  put_six(out->U, n, f);
  put_six(out->U_over_D, scale(over_D, n), scale(over_D, f));
  out->over_D = over_D;
}

INLINE void put_held(EliminatedFreedom* out)
{
  put_eliminated((FreedomAxis){v3_zero(), true}, v3_zero(), v3_zero(), constant(1), v3_zero(), out);
}

// U = A S, D = S^T U and the rotor's inertia, A - U U^T / D, all about the origin of the link.
INLINE void eliminate_freedom(Inertia* A, FreedomAxis S, REAL rotor, V3 p, EliminatedFreedom* out)
{
  V3 n        = S.linear ? m3_apply(A->H, S.axis) : s3_apply(A->I, S.axis);
  V3 f        = S.linear ? s3_apply(A->M, S.axis) : apply_transposed(A->H, S.axis);
  REAL D      = dot_add(S.axis, S.linear ? f : n, rotor);
  REAL over_D = r_div(constant(1), D);
  V3 gn = scale(over_D, n), gf = scale(over_D, f);
  put_eliminated(S, n, f, over_D, p, out);
  A->I = less_dyad(A->I, gn, n);
  A->M = less_dyad(A->M, gf, f);
  A->H = (M3){less_scaled(A->H.x, gn.x, f), less_scaled(A->H.y, gn.y, f),
              less_scaled(A->H.z, gn.z, f)};
}

// The body of link i joins; of a wide joint only the last freedom has one.
INLINE void add_own_body(const lwModel* model, int i, const Frame* F, Inertia* A)
{
  if (is_wide(model, i) && i != wide_joint(model, i)->last) return;
  Solid own = own_solid(&LINKS(model)[i]);
  if (model->parent[i] == LW_BASE)
    inertia_add_body(A, own.mass, own.h, own.P);
  else
    inertia_add_body(A, own.mass, rotate(*F, own.h), tensor_by_frame(*F, own.P));
}

// Inward: articulated inertias. Along a run they stay in registers.
INLINE void eliminate_inward(const Panels* to, const lwState* state)
{
  const lwModel* model = to->model;
  Inertia A            = inertia_none();
  bool runs            = false;  // A is that of the next link, whose parent this is
  for (int i = model->n - 1; i >= 0; --i)
  {
    Frame F = to->frames[i];
    int p   = model->parent[i];
    if (!runs) A = inertia_none();
    if (is_fork(model, i)) A = inertia_sum(A, to->carried[i]);
    add_own_body(model, i, &F, &A);
    if (lw_joint_is_held(model, i))
      put_held(&to->freedoms[i]);
    else
      eliminate_freedom(&A, freedom_axis(model, i, &F), state->rotors ? rotor_of(model, i) : zero(),
                        to->origins[i], &to->freedoms[i]);
    runs = follows(model, i);
    if (p == LW_BASE) continue;
    if (!is_wide(model, i) || i == wide_joint(model, i)->first) shift(&A, F.p);
    if (!runs) to->carried[p] = inertia_sum(to->carried[p], A);
  }
}

// Everything that does not depend on the columns.
INLINE Panels articulated_panels(const lwModel* model, void** work, const lwState* state)
{
  size_t n     = (size_t)model->n;
  Panels made  = {.model = model, .freedoms = take(work, lw_lines(n, sizeof *made.freedoms))};
  made.forks   = take(work, lw_lines(n * 6 * PANEL_WIDTH, sizeof *made.forks));
  made.X       = take(work, lw_lines(n * PANEL_WIDTH, sizeof *made.X));
  Turn* turns  = take(work, lw_lines(n, sizeof *turns));
  made.frames  = take(work, lw_lines(n, sizeof *made.frames));
  made.origins = take(work, lw_lines(n, sizeof *made.origins));
  made.carried = take(work, lw_lines(n, sizeof *made.carried));
  joint_turns(model, state->q, turns);
  root_frames(model, turns, state->q, &made);
  for (int i = 0; i < model->n; ++i)
    if (is_fork(model, i)) made.carried[i] = inertia_none();
  eliminate_inward(&made, state);
  return made;
}

// --- a panel

// Wrenches or accelerations of one link for all columns of a panel.
typedef struct
{
  Block at[6][PAIR_BLOCKS];
} PanelSix;

// `blocks`, how many a panel has, is a constant.
#define EACH_PANEL_BLOCK(b) SHORT_LOOP for (int b = 0; b < blocks; ++b)
#define EACH_OF_SIX(k)      SHORT_LOOP for (int k = 0; k < 6; ++k)

INLINE PanelSix panel_none(int blocks)
{
  PanelSix P;
  EACH_OF_SIX(k)
  EACH_PANEL_BLOCK(b) P.at[k][b] = block_all(zero());
  return P;
}

INLINE PanelSix panel_load(const Panels* of, int i, int blocks)
{
  const REAL* at = of->forks + (size_t)i * 6 * PANEL_WIDTH;
  PanelSix P;
  EACH_OF_SIX(k)
  EACH_PANEL_BLOCK(b) P.at[k][b] = block_load(at + k * PANEL_WIDTH + b * JOINT_LANES);
  return P;
}

INLINE void panel_store(const Panels* of, int i, const PanelSix* P, int blocks)
{
  REAL* at = of->forks + (size_t)i * 6 * PANEL_WIDTH;
  EACH_OF_SIX(k)
  EACH_PANEL_BLOCK(b) block_store(at + k * PANEL_WIDTH + b * JOINT_LANES, P->at[k][b]);
}

// What is stored of link i joins P, and P joins it.
INLINE void panel_gather(const Panels* of, int i, PanelSix* P, int blocks)
{
  const REAL* at = of->forks + (size_t)i * 6 * PANEL_WIDTH;
  EACH_OF_SIX(k)
  EACH_PANEL_BLOCK(b)
  P->at[k][b] = block_add(P->at[k][b], block_load(at + k * PANEL_WIDTH + b * JOINT_LANES));
}

INLINE void panel_join(const Panels* of, int i, const PanelSix* P, int blocks)
{
  REAL* at = of->forks + (size_t)i * 6 * PANEL_WIDTH;
  EACH_OF_SIX(k)
  EACH_PANEL_BLOCK(b)
  {
    REAL* sum = at + k * PANEL_WIDTH + b * JOINT_LANES;
    block_store(sum, block_add(block_load(sum), P->at[k][b]));
  }
}

// x - s . P, in two sums that do not wait for each other, then P += t times that; x replaced.
INLINE void panel_step(REAL* row, REAL factor, const REAL s[6], const REAL t[6], PanelSix* P,
                       int blocks)
{
  EACH_PANEL_BLOCK(b)
  {
    REAL* at = row + b * JOINT_LANES;
    Block x  = block_mul(block_all(factor), block_load(at));
    Block y  = block_mul(block_all(s[3]), P->at[3][b]);
    x        = block_sub_mul(x, block_all(s[0]), P->at[0][b]);
    y        = block_mul_add(block_all(s[4]), P->at[4][b], y);
    x        = block_sub_mul(x, block_all(s[1]), P->at[1][b]);
    y        = block_mul_add(block_all(s[5]), P->at[5][b], y);
    x        = block_sub(block_sub_mul(x, block_all(s[2]), P->at[2][b]), y);
    block_store(at, x);
    EACH_OF_SIX(k) P->at[k][b] = block_mul_add(block_all(t[k]), x, P->at[k][b]);
  }
}

// Whether link i carries no freedom from `first` on, and no torque therefore.
INLINE bool is_idle(const lwModel* model, int i, int first)
{
  return model->depth_first && model->end[i] <= first;
}

// Inward from freedom `top`: X = u / D. Torques of freedoms before `first` are zero.
INLINE void panel_inward(const Panels* of, int first, int top, int blocks)
{
  const lwModel* model = of->model;
  PanelSix P           = panel_none(blocks);
  bool runs            = false;
  for (int i = 0; i <= top && !model->chain; ++i)
    if (is_fork(model, i)) panel_store(of, i, &P, blocks);
  for (int i = top; i >= 0; --i)
  {
    const EliminatedFreedom* own = &of->freedoms[i];
    int p                        = model->parent[i];
    if (!runs) P = panel_none(blocks);
    if (is_fork(model, i)) panel_gather(of, i, &P, blocks);
    runs = !is_idle(model, i, first) && follows(model, i);
    if (is_idle(model, i, first)) continue;
    panel_step(of->X + (size_t)i * PANEL_WIDTH, own->over_D, own->S_over_D, own->U, &P, blocks);
    if (!runs && p != LW_BASE) panel_join(of, p, &P, blocks);
  }
}

// Outward to freedom `top`: X = x.
INLINE void panel_outward(const Panels* of, int top, int blocks)
{
  const lwModel* model = of->model;
  PanelSix a           = panel_none(blocks);
  for (int i = 0; i <= top; ++i)
  {
    const EliminatedFreedom* own = &of->freedoms[i];
    int p                        = model->parent[i];
    if (p == LW_BASE) a = panel_none(blocks);
    if (p != i - 1 && p != LW_BASE) a = panel_load(of, p, blocks);
    panel_step(of->X + (size_t)i * PANEL_WIDTH, constant(1), own->U_over_D, own->S, &a, blocks);
    if (is_fork(model, i)) panel_store(of, i, &a, blocks);
  }
}

// --- the inverse

APART void inverse_passes(const Panels* of, int first, int top)
{
  panel_inward(of, first, top, PANEL_BLOCKS);
  panel_outward(of, top, PANEL_BLOCKS);
}

// Unit torques of freedoms from c on, in rows up to top.
INLINE void unit_torques(const Panels* of, int c, int top)
{
  const int blocks = PANEL_BLOCKS;
  REAL* X          = of->X;
  for (int i = 0; i <= top; ++i)
    EACH_PANEL_BLOCK(b) block_store(X + i * PANEL_WIDTH + b * JOINT_LANES, block_all(zero()));
  for (int i = c; i <= top; ++i) X[i * PANEL_WIDTH + i - c] = constant(1);
}

// Rows up to top of blocks of a panel, to columns from c on that are not behind top.
INLINE void put_panel(const Panels* of, int first_block, int blocks, int c, int top, REAL* W)
{
  int n = of->model->n, count = top + 1 - c;
  const REAL* X = of->X + first_block * JOINT_LANES;
  for (int i = 0; i <= top; ++i) EACH_PANEL_BLOCK(b)
    {
      int k = b * JOINT_LANES;
      if (k < count)
        put_some(W + (size_t)i * (size_t)n + (size_t)(c + k), X + i * PANEL_WIDTH + k, count - k);
    }
}

// M^-1, (n, n). Columns go down to the diagonal only: M^-1 is symmetric.
INLINE void invert_by_panels(const Panels* of, REAL* W)
{
  const int width = PANEL_BLOCKS * JOINT_LANES;
  int n           = of->model->n;
  for (int c = 0; c < n; c += width)
  {
    int top = c + width < n ? c + width - 1 : n - 1;
    unit_torques(of, c, top);
    inverse_passes(of, c, top);
    put_panel(of, 0, PANEL_BLOCKS, c, top, W);
  }
  mirror_upper((size_t)n, W);
}

#endif
