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
                                     LW_KERNEL_PACKS};

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

// Columns through joint i to its parent; its own begins there.
INLINE void crba_carry_column(const lwModel* model, int i, Joint j, Column* columns, Result* M,
                              bool packed)
{
  int p          = model->parent[i];
  bool prismatic = is_prismatic(model, p);
  set_upper(M, model->n, p, i, entry_of(columns[i], prismatic), packed);
  for (int k = i + 1; k < model->end[i]; ++k)
  {
    columns[k] = carried(j, columns[k]);
    set_upper(M, model->n, p, k, entry_of(columns[k], prismatic), packed);
  }
}

// Column i alone, from its parent's frame down to the base.
INLINE void crba_walk(const lwModel* model, int i, Column column, const Turn* turns, const Input* q,
                      Result* M, bool packed)
{
  for (int k = model->parent[i];; k = model->parent[k])
  {
    set_upper(M, model->n, k, i, entry_of(column, is_prismatic(model, k)), packed);
    if (model->parent[k] == LW_BASE) return;
    column = carried(joint_at(model, k, turns, q), column);
  }
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

// Inward, tip to base: composite bodies and their columns.
INLINE void crba_inward(const States* states, CompositeBodies bodies, bool chain, bool packed)
{
  const lwModel* model = states->model;
  for (int i = model->n - 1; i >= 0; --i)
  {
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
      crba_carry_column(model, i, joint, states->columns, states->M, packed);
    else
    {
      joint.skew = false;  // a constant, so that no column looks for it
      crba_carry_column(model, i, joint, states->columns, states->M, packed);
    }
  }
}

static void composite_body(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n               = (size_t)model->n;
  Turn* turns            = take(&work, n * sizeof *turns);
  Column* columns        = take(&work, n * sizeof *columns);
  CompositeBodies bodies = links_alone(model, work);
  States states          = {model, turns, state->q, columns, out};
  joint_turns(model, state->q, turns);
  clear_tree(model, out, state->packed);
  if (!model->chain)
    crba_inward(&states, bodies, false, state->packed);
  else if (state->packed)
    crba_inward(&states, bodies, true, true);
  else
    crba_inward(&states, bodies, true, false);
}

const lwKernel FN(composite_body) = {
    composite_body, sizeof(Turn) + sizeof(Column) + sizeof(Composite), 0, {0}, LW_KERNEL_PACKS};

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
  if (is_prismatic(one->model, i) && one->q) joint.d = r_add(joint.d, constant(one->q[i]));
  return joint;
}

INLINE double* crba_row(const OneState* one, int i)
{
  return one->M + upper_at((size_t)one->model->n, (size_t)i, 0, one->packed);
}

// As crba_carry_column(), a vector of columns at a time. In the first one, lanes left of its own
// column are still zero; in the last one, those from the end on belong to another branch, or to
// none. In a packed matrix, what is left of the diagonal is the end of the row before. In a chain
// that row comes later.
INLINE void carry_block(const OneState* one, int i, Joint j, Column own, bool chain)
{
  const lwModel* model = one->model;
  int p = parent_of(model, i, chain), end = chain ? model->n : model->end[i];
  int first       = first_of_block(i);
  bool prismatic  = is_prismatic(model, p);
  double* row     = crba_row(one, p);
  Column* columns = one->columns + first / LANES;
  if (i - first < LANES - 1 && i < model->n - 1)
  {
    Column others = *columns;
    own           = choose(lane_numbers() == i - first, own, carried(j, others));
    if (!chain) own = choose(lane_numbers() < end - first, own, others);
  }
  *columns = own;
  if (!chain && one->packed)
    store_from(row + first, entry_of(own, prismatic), i - first, end - first);
  else
    store_some(row + first, entry_of(own, prismatic), end - first);
  for (first += LANES; first < end; first += LANES)
  {
    Column others = *++columns;
    Column moved  = carried(j, others);
    if (!chain) moved = choose(lane_numbers() < end - first, moved, others);
    *columns = moved;
    store_some(row + first, entry_of(moved, prismatic), end - first);
  }
}

// As crba_walk(); all lanes are equal.
INLINE void walk_alone(const OneState* one, int i, Column column)
{
  const lwModel* model = one->model;
  for (int k = model->parent[i];; k = model->parent[k])
  {
    crba_row(one, k)[i] = entry_of(column, is_prismatic(model, k))[0];
    if (model->parent[k] == LW_BASE) return;
    column = carried(crba_joint(one, k), column);
  }
}

// As crba_inward(). Rows are mirrored as soon as there is a vector of them: the columns of joint i
// and of its subtree are complete.
INLINE void inward_block(const OneState* one, CompositeBodies bodies, bool chain)
{
  const lwModel* model = one->model;
  for (int i = model->n - 1; i >= 0; --i)
  {
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
      carry_block(one, i, joint, own, chain);
    else
    {
      joint.skew = false;  // a constant, so that no column looks for it
      carry_block(one, i, joint, own, chain);
    }
  }
}

void FN(composite_columns)(const lwModel* model, void* work, const SCALAR* turns,
                           const lwState* state, double* M)
{
  size_t n               = (size_t)model->n;
  OneState one           = {.model   = model,
                            .turns   = turns,
                            .q       = state->q,
                            .columns = take(&work, columns_bytes(model->n)),
                            .M       = M,
                            .packed  = state->packed};
  CompositeBodies bodies = links_alone(model, work);
  if (model->chain)
    inward_block(&one, bodies, true);
  else
  {
    memset(M, 0, (one.packed ? n * (n + 1) / 2 : n * n) * sizeof *M);
    memset(one.columns, 0, columns_bytes(model->n));
    inward_block(&one, bodies, false);
  }
}

#endif
