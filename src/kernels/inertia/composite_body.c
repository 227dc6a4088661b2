// SPDX-License-Identifier: MIT
// Inertia matrix by the composite rigid body algorithm, CRBA, O(n^2) for a chain,
// O(n depth) for a tree.
// kernels/reference/composite_body.c computes the same and is the text to read first.
//
// Walker & Orin, "Efficient dynamic computer simulation of robotic mechanisms", 1982, method 3;
// Featherstone, "Rigid Body Dynamics Algorithms", 2008, table 6.2.
//
//   paper     here    meaning                                                     frame, unit
//   M_j       mass    mass of link j and all that it carries                      kg
//   c_j       h       their first moment about the link's origin                  link, kg m
//   E_j       J       integral of r r^T dm about the link's origin, from which
//                     the inertia is tr(J) 1 - J                                  link, kg m^2
//   F, N      f, n    wrench that gives this composite body unit joint
//                     acceleration, everything else at rest: a column             link, N, N m
//
// Where it differs from the paper:
// - Composite bodies are kept about the link's origin, and shifts and rotations are factored into
//   screws about z and about x (composite.h).
// - All columns so far go through a joint together, before the next joint is looked at: they do not
//   wait for each other, as the steps of one column do. A tree whose branches are not one after the
//   other takes them one by one.
// - Prismatic joints and trees are added.
// - Wide joints are added: the components of a column at their link are its entries, and their own
//   columns are read off the composite body.
#include "kernels/inertia/composite.h"

#include "kernels/inertia/columns.h"

#if defined(LW_PLAIN)

static void composite_body(const lwModel* model, void* work, const lwState* state, void* out)
{
  Turn* turns = take(&work, lw_lines((size_t)model->n, sizeof *turns));
  joint_turns(model, state->q, turns);
  COLUMNS_FN(composite_columns)(model, work, &turns->c, state, out);
}

const lwKernel FN(composite_body) = {composite_body,
                                     sizeof(Turn) + COLUMN_PER_JOINT + WIDE * sizeof(Composite),
                                     0,
                                     {0},
                                     LW_KERNEL_PACKS | LW_KERNEL_WIDE};

#else

// The wrench of unit acceleration of a joint, read off its composite body. It is read after
// screw_z, which has moved it together with the body, and needs no shift or rotation of its own.
// Its component along the joint is the entry of the diagonal.
INLINE Column crba_unit_wrench(const Composite* body, REAL resisted, bool prismatic)
{
  V3 h = body->h;
  S3 J = body->J;
  if (prismatic) return (Column){v3(zero(), zero(), resisted), v3(h.y, r_neg(h.x), zero())};
  return (Column){v3(r_neg(h.y), h.x, zero()), v3(r_neg(J.xz), r_neg(J.yz), resisted)};
}

// The composite body goes to the parent's frame, and so does its column.
INLINE Column begin_column(Joint j, Composite* body, REAL resisted, bool prismatic)
{
  screw_z(j, body);
  Column column = crba_unit_wrench(body, resisted, prismatic);
  wrench_by_screw_x(j, &column.f, &column.n);
  screw_x(j, body);
  return column;
}

INLINE REAL entry_of(Column column, bool prismatic)
{
  return prismatic ? column.f.z : column.n.z;
}

INLINE Column carried(Joint j, Column column)
{
  wrench_to_parent(j, &column.f, &column.n);
  return column;
}

// As carried(), through a wide joint.
INLINE Column carried_wide(Frame F, Column column)
{
  Wrench w = wide_wrench_to_parent(F, (Wrench){column.f, column.n});
  return (Column){w.f, w.n};
}

// Entries of column k at link p.
INLINE void crba_set_entries(const lwModel* model, int p, int k, Column column, Result* M,
                             bool packed)
{
  if (!is_wide(model, p))
  {
    set_upper(M, model->n, p, k, entry_of(column, is_prismatic(model, p)), packed);
    return;
  }
  const lwWideJoint* wide = wide_joint(model, p);
  for (int i = wide->first; i <= wide->last; ++i)
    set_upper(M, model->n, i, k, wide_entry(column, i - wide->first + first_freedom(wide)), packed);
}

// Columns through joint i to its parent; its own begins there.
INLINE void crba_carry_column(const lwModel* model, int i, Joint j, Column* columns, Result* M,
                              bool packed, bool any_wide)
{
  int p          = model->parent[i];
  bool prismatic = is_prismatic(model, p);
  if (any_wide && is_wide(model, p))
  {
    crba_set_entries(model, p, i, columns[i], M, packed);
    for (int k = i + 1; k < model->end[i]; ++k)
      crba_set_entries(model, p, k, columns[k] = carried(j, columns[k]), M, packed);
    return;
  }
  set_upper(M, model->n, p, i, entry_of(columns[i], prismatic), packed);
  for (int k = i + 1; k < model->end[i]; ++k)
  {
    columns[k] = carried(j, columns[k]);
    set_upper(M, model->n, p, k, entry_of(columns[k], prismatic), packed);
  }
}

// Column i alone, which is in the frame of link k, down to the base.
INLINE void crba_walk_from(const lwModel* model, int i, int k, Column column, const Turn* turns,
                           const Input* q, Result* M, bool packed)
{
  for (;; k = model->parent[k])
  {
    const lwWideJoint* wide = is_wide(model, k) ? wide_joint(model, k) : NULL;
    crba_set_entries(model, k, i, column, M, packed);
    if (wide) k = wide->first;
    if (model->parent[k] == LW_BASE) return;
    column = wide ? carried_wide(wide_frame(model, wide, turns), column)
                  : carried(joint_at(model, k, turns, q), column);
  }
}

// The walk of column i from the frame of its parent.
INLINE void crba_walk(const lwModel* model, int i, Column column, const Turn* turns, const Input* q,
                      Result* M, bool packed)
{
  crba_walk_from(model, i, model->parent[i], column, turns, q, M, packed);
}

// All states of the lanes.
typedef struct
{
  const lwModel* model;
  const Turn* turns;  // (n)
  const Input* q;     // (n) or NULL
  Column* columns;    // (n)
  Result* M;          // (n, n)
} States;

// Entries between the freedoms of a wide joint, and their columns, which begin at its link.
INLINE void crba_begin_wide(const States* states, const lwWideJoint* wide, const Composite* body,
                            bool packed)
{
  const lwModel* model = states->model;
  REAL mass            = K(LINKS(model)[wide->last].outboard_mass);
  int shift_to         = first_freedom(wide) - wide->first;
  for (int k = wide->first; k <= wide->last; ++k)
  {
    Column own         = wide_unit_wrench(body, mass, k + shift_to);
    states->columns[k] = own;
    for (int i = wide->first; i <= k; ++i)
      set_upper(states->M, model->n, i, k, wide_entry(own, i + shift_to), packed);
  }
}

// As one step of crba_inward().
INLINE void crba_step_wide(const States* states, const lwWideJoint* wide, CompositeBodies* bodies,
                           bool chain, bool packed)
{
  const lwModel* model = states->model;
  int i = wide->first, p = parent_of(model, i, chain);
  Composite body = composite_of(bodies, wide->last, chain);
  crba_begin_wide(states, wide, &body, packed);
  if (p == LW_BASE) return;
  Frame F    = wide_frame(model, wide, states->turns);
  bool walks = !chain && !model->depth_first;
  for (int k = i; k < (walks ? wide->last + 1 : model->end[i]); ++k)
  {
    Column column      = carried_wide(F, states->columns[k]);
    states->columns[k] = column;
    if (!walks) crba_set_entries(model, p, k, column, states->M, packed);
  }
  for (int k = i; k <= wide->last && walks; ++k)
    crba_walk_from(model, k, p, states->columns[k], states->turns, states->q, states->M, packed);
  wide_screw(F, K(LINKS(model)[wide->last].outboard_mass), &body);
  leave(bodies, i, &body, chain);
}

// Inward, tip to base: composite bodies and their columns. any_wide: a constant, so that other robots
// do not look for wide joints.
INLINE void crba_inward(const States* states, CompositeBodies bodies, bool chain, bool packed,
                        bool any_wide)
{
  const lwModel* model = states->model;
  for (int i = model->n - 1; i >= 0; --i)
  {
    if (any_wide && is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      crba_step_wide(states, wide, &bodies, chain, packed);
      i = wide->first;
      continue;
    }
    bool prismatic = is_prismatic(model, i);
    Joint joint    = joint_at(model, i, states->turns, states->q);
    Composite body = composite_of(&bodies, i, chain);
    REAL resisted  = resists(&body, joint.link, prismatic);
    states->M[upper_at((size_t)model->n, (size_t)i, (size_t)i, packed)] = resisted;
    if (parent_of(model, i, chain) == LW_BASE) continue;
    Column own         = begin_column(joint, &body, resisted, prismatic);
    states->columns[i] = own;
    leave(&bodies, i, &body, chain);
    const Link kept = *joint.link;  // no store can change a copy, so it stays in registers
    joint.link      = &kept;
    if (!chain && !model->depth_first)
      crba_walk(model, i, own, states->turns, states->q, states->M, packed);
    else if (joint.skew)
      crba_carry_column(model, i, joint, states->columns, states->M, packed, any_wide);
    else
    {
      joint.skew = false;  // a constant, so that no column looks for it
      crba_carry_column(model, i, joint, states->columns, states->M, packed, any_wide);
    }
  }
}

static void composite_body(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n               = (size_t)model->n;
  Turn* turns            = take(&work, n * sizeof *turns);
  Column* columns        = take(&work, n * sizeof *columns);
  CompositeBodies bodies = no_bodies(model, work);
  States states          = {model, turns, state->q, columns, out};
  joint_turns(model, state->q, turns);
  clear_tree(model, out, state->packed);
  if (model->wide_count > 0)
    crba_inward(&states, bodies, false, state->packed, true);
  else if (!model->chain)
    crba_inward(&states, bodies, false, state->packed, false);
  else if (state->packed)
    crba_inward(&states, bodies, true, true, false);
  else
    crba_inward(&states, bodies, true, false, false);
}

const lwKernel FN(composite_body) = {composite_body,
                                     sizeof(Turn) + sizeof(Column) + sizeof(Composite),
                                     0,
                                     {0},
                                     LW_KERNEL_PACKS | LW_KERNEL_WIDE};

#endif

#if LW_LANE_BYTES

#include "kernels/inertia/side_by_side.h"

// One state, the same in all lanes, except for the columns.
typedef struct
{
  const lwModel* model;
  const SCALAR* turns;  // (n, 2) cos, sin
  const double* q;      // (n) or NULL
  Column* columns;      // (n / LANES), column k in lane k % LANES
  double* M;            // (n, n)
  bool packed;
} OneState;

INLINE Joint crba_joint(const OneState* one, int i)
{
  const Link* link = &LINKS(one->model)[i];
  Turn theta       = {constant(one->turns[2 * i]), constant(one->turns[2 * i + 1])};
  Joint joint      = {link, one->model->kind[i] & LW_KIND_SKEW, theta, K(link->d)};
  if (!is_prismatic(one->model, i) || !one->q) return joint;
  int at  = one->model->q_index ? one->model->q_index[i] : i;
  joint.d = r_add(joint.d, constant(one->q[at]));
  return joint;
}

// F of a wide joint, as wide_frame().
INLINE Frame crba_frame(const OneState* one, const lwWideJoint* wide)
{
  Turn turns[6];
  const SCALAR* at = one->turns + 2 * wide->first;
  int first        = wide->first;
  for (int k = 0; k <= wide->last - first; ++k)
    turns[k] = (Turn){constant(at[2 * k]), constant(at[2 * k + 1])};
  return wide_frame_from(one->model, wide, turns);
}

INLINE double* crba_row(const OneState* one, int i)
{
  return one->M + upper_at((size_t)one->model->n, (size_t)i, 0, one->packed);
}

// Entries of a vector of columns, the first of which is `first`, at link p: those from begin on.
INLINE void store_entries(const OneState* one, int p, int first, Column columns, int begin, int end,
                          bool cut)
{
  const lwWideJoint* wide = is_wide(one->model, p) ? wide_joint(one->model, p) : NULL;
  bool prismatic          = is_prismatic(one->model, p);
  for (int i = p; i >= (wide ? wide->first : p); --i)
  {
    REAL entries = wide ? wide_entry(columns, i - wide->first + first_freedom(wide))
                        : entry_of(columns, prismatic);
    if (cut)
      store_from(crba_row(one, i) + first, entries, begin, end - first);
    else
      store_some(crba_row(one, i) + first, entries, end - first);
  }
}

// As crba_carry_column(), a vector of columns at a time. In the first one, lanes left of its own
// column are still zero; in the last one, those from the end on belong to another branch, or to
// none. In a packed matrix, what is left of the diagonal is the end of the row before. In a chain
// that row comes later.
INLINE void carry_block_to(const OneState* one, int i, Joint j, Column own, bool chain, bool wide)
{
  const lwModel* model = one->model;
  int p = parent_of(model, i, chain), end = chain ? model->n : model->end[i];
  int first       = first_of_block(i);
  Column* columns = one->columns + first / LANES;
  bool prismatic  = is_prismatic(model, p);
  bool more       = !chain && end < model->n;  // columns of other branches stand behind
  double* row     = crba_row(one, p);
  if (i - first < LANES - 1 && i < model->n - 1)
  {
    Column others = *columns;
    own           = choose(lane_numbers() == i - first, own, carried(j, others));
    if (more) own = choose(lane_numbers() < end - first, own, others);
  }
  *columns = own;
  if (wide)
    store_entries(one, p, first, own, i - first, end, !chain && one->packed);
  else if (!chain && one->packed)
    store_from(row + first, entry_of(own, prismatic), i - first, end - first);
  else
    store_some(row + first, entry_of(own, prismatic), end - first);
  for (first += LANES; first < end; first += LANES)
  {
    Column others = *++columns;
    Column moved  = carried(j, others);
    if (more) moved = choose(lane_numbers() < end - first, moved, others);
    *columns = moved;
    if (wide)
      store_entries(one, p, first, moved, 0, end, false);
    else
      store_some(row + first, entry_of(moved, prismatic), end - first);
  }
}

// Compiled apart: wide joints are few.
static __attribute__((noinline)) void carry_block_to_wide(const OneState* one, int i, Joint j,
                                                          Column own, bool chain)
{
  carry_block_to(one, i, j, own, chain, true);
}

INLINE void carry_block(const OneState* one, int i, Joint j, Column own, bool chain, bool any_wide)
{
  if (any_wide && is_wide(one->model, parent_of(one->model, i, chain)))
    carry_block_to_wide(one, i, j, own, chain);
  else
    carry_block_to(one, i, j, own, chain, false);
}

// Column k, the same in all lanes, to its lane.
INLINE void put_column(const OneState* one, int k, Column own)
{
  Column* column = one->columns + k / LANES;
  *column        = choose(lane_numbers() == k % LANES, own, *column);
}

// Entries of all columns so far at the link of a wide joint that stands on another one.
INLINE void carry_through_wide(const OneState* one, const lwWideJoint* wide, Frame F, bool chain)
{
  const lwModel* model = one->model;
  int i = wide->first, p = parent_of(model, i, chain), end = chain ? model->n : model->end[i];
  for (int first = first_of_block(i); first < end; first += LANES)
  {
    Column* column = one->columns + first / LANES;
    Mask ours      = (lane_numbers() >= i - first) & (lane_numbers() < end - first);
    *column        = choose(ours, carried_wide(F, *column), *column);
    int begin      = i > first ? i - first : 0;
    store_entries(one, p, first, *column, begin, end, begin > 0);
  }
}

// As crba_walk_from(); all lanes are equal.
INLINE void walk_alone_from(const OneState* one, int i, int k, Column column)
{
  const lwModel* model = one->model;
  for (;; k = model->parent[k])
  {
    const lwWideJoint* wide = is_wide(model, k) ? wide_joint(model, k) : NULL;
    for (int row = wide ? wide->first : k; wide && row <= k; ++row)
      crba_row(one, row)[i] =
          (double)wide_entry(column, row - wide->first + first_freedom(wide))[0];
    if (!wide) crba_row(one, k)[i] = entry_of(column, is_prismatic(model, k))[0];
    if (wide) k = wide->first;
    if (model->parent[k] == LW_BASE) return;
    column =
        wide ? carried_wide(crba_frame(one, wide), column) : carried(crba_joint(one, k), column);
  }
}

// The walk of column i from the frame of its parent.
INLINE void walk_alone(const OneState* one, int i, Column column)
{
  const lwModel* model = one->model;
  walk_alone_from(one, i, model->parent[i], column);
}

// Entries between the freedoms of a wide joint, and their columns, which begin at its link.
INLINE void begin_wide(const OneState* one, const lwWideJoint* wide, const Composite* body)
{
  REAL mass    = K(LINKS(one->model)[wide->last].outboard_mass);
  int shift_to = first_freedom(wide) - wide->first;
  for (int k = wide->first; k <= wide->last; ++k)
  {
    Column own = wide_unit_wrench(body, mass, k + shift_to);
    put_column(one, k, own);
    for (int i = wide->first; i <= k; ++i)
      crba_row(one, i)[k] = (double)wide_entry(own, i + shift_to)[0];
  }
  for (int i = wide->last; i >= wide->first && !one->packed; --i)
    if (i % WIDE64 == 0) mirror_rows(one->M, one->model->n, i);
}

// As crba_step_wide().
static __attribute__((noinline)) void step_wide(const OneState* one, const lwWideJoint* wide,
                                                CompositeBodies* bodies, bool chain)
{
  const lwModel* model = one->model;
  int i = wide->first, p = parent_of(model, i, chain);
  Composite body = composite_of(bodies, wide->last, chain);
  REAL mass      = K(LINKS(model)[wide->last].outboard_mass);
  begin_wide(one, wide, &body);
  if (p == LW_BASE) return;
  Frame F = crba_frame(one, wide);
  if (chain || model->depth_first)
    carry_through_wide(one, wide, F, chain);
  else
    for (int k = i; k <= wide->last; ++k)
      walk_alone_from(one, k, p,
                      carried_wide(F, wide_unit_wrench(&body, mass, k - i + first_freedom(wide))));
  wide_screw(F, mass, &body);
  leave(bodies, i, &body, chain);
}

// As crba_inward(). Rows are mirrored as soon as there is a vector of them: the columns of joint i
// and of its subtree are complete. any_wide: a constant, so that other robots do not look for wide
// joints.
INLINE void inward_block(const OneState* one, CompositeBodies bodies, bool chain, bool any_wide)
{
  const lwModel* model = one->model;
  for (int i = model->n - 1; i >= 0; --i)
  {
    if (any_wide && is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      step_wide(one, wide, &bodies, chain);
      i = wide->first;
      continue;
    }
    bool prismatic      = is_prismatic(model, i);
    Joint joint         = crba_joint(one, i);
    Composite body      = composite_of(&bodies, i, chain);
    REAL resisted       = resists(&body, joint.link, prismatic);
    crba_row(one, i)[i] = resisted[0];
    if (i % WIDE64 == 0 && !one->packed) mirror_rows(one->M, model->n, i);
    if (parent_of(model, i, chain) == LW_BASE) continue;
    Column own = begin_column(joint, &body, resisted, prismatic);
    leave(&bodies, i, &body, chain);
    if (!chain && !model->depth_first)
      walk_alone(one, i, own);
    else if (joint.skew)
      carry_block(one, i, joint, own, chain, any_wide);
    else
    {
      joint.skew = false;  // a constant, so that no column looks for it
      carry_block(one, i, joint, own, chain, any_wide);
    }
  }
}

// Zeros between joints of different branches: behind the subtree of a joint its row has nothing
// else. Whole vectors reach into the next row, which is written later. Below the diagonal the matrix
// is mirrored.
INLINE void clear_branches(const OneState* one)
{
  const lwModel* model = one->model;
  size_t n             = (size_t)model->n;
  const Doubles none   = {0};
  if (one->packed || !model->depth_first || n < WIDE64)
  {
    memset(one->M, 0, (one->packed ? n * (n + 1) / 2 : n * n) * sizeof *one->M);
    return;
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t k = (size_t)model->end[i]; k < n; k += WIDE64) store(one->M + i * n + k, none);
}

void FN(composite_columns)(const lwModel* model, void* work, const SCALAR* turns,
                           const lwState* state, double* M)
{
  OneState one           = {.model   = model,
                            .turns   = turns,
                            .q       = state->q,
                            .columns = take(&work, columns_bytes(model->n)),
                            .M       = M,
                            .packed  = state->packed};
  CompositeBodies bodies = no_bodies(model, work);
  if (model->chain && model->wide_count == 0)
    inward_block(&one, bodies, true, false);
  else if (model->chain)
    inward_block(&one, bodies, true, true);
  else
  {
    clear_branches(&one);
    memset(one.columns, 0, columns_bytes(model->n));
    if (model->wide_count == 0)
      inward_block(&one, bodies, false, false);
    else
      inward_block(&one, bodies, false, true);
  }
}

#endif
