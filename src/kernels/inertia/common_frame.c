// SPDX-License-Identifier: MIT
// Inertia matrix by composite bodies whose wrenches meet the joints in one common frame,
// O(n^2) for a chain. kernels/reference/composite_body.c computes the same.
//
// Walker & Orin 1982, method 3. An entry of the matrix is the wrench that accelerates one joint's
// composite body times the twist of another joint: M_ij = n_i . w_j + f_i . v_j. Seen from one
// frame that takes 6 multiplications, where carrying the wrench from link to link takes 20.
//
//   here      meaning                                                            frame, unit
//   h, J      composite body, link i and all that it carries: first moment, and
//             integral of r r^T dm (silver1981 (2.7))                            link, kg m, kg m^2
//   x y z     axes of the half-way frame of joint i, which has its origin at the
//             end of the span and is not yet turned by theta or shifted by d     common
//   p         the common origin to that origin                                   common, m
//   w, v      twist of unit rate of joint i, at the common origin                common, 1, m
//   f, n      wrench of its unit acceleration, at the common origin              common, N, N m
//
// Where it differs from the paper:
// - The paper carries wrenches from frame to frame. Here the common frame has the axes and the
//   origin of the last joint; in a tree, the axes of the link that stands on the base. The axes
//   cost no accuracy: only angles between joints matter, and neighbours share their rounding. The
//   origin does: joints near the tip move little mass, and moments about a far point would hide
//   it. About the tip, moments of a composite body are no larger than the entries they make. So
//   origins are summed from the tip inward, never as differences of far points. In a tree, this
//   holds for the branch of the last joint; other trees on the same base have their origin there.
//   Generic chains of 40 joints in random states are 2e-15 sqrt(M_ii M_jj) off composite_body.c at
//   most.
// - Composite bodies stay in link frames, where shifts and turns have zeros, as in
//   composite_body.c. In a chain, axes, origins and bodies go inward in one pass: wrenches are
//   computed while a body waits for the one before.
#include "kernels/blocks.h"
#include "kernels/inertia/columns.h"
#include "kernels/inertia/composite.h"
#include "kernels/motion/frames.h"

#if LW_LANE_BYTES
#include "math/transpose.h"

lwUnpack FN(unpack);
#endif

#if defined(LW_PLAIN)
enum
{
  SIDE_BY_SIDE_FROM = 6  // joints; fewer are done before their numbers could be loaded as vectors
};
#endif

// Twists and wrenches meet each other, so each has an array of its own. In a tree, these are first
// the half-way frames.
enum
{
  FORCE    = 0,  // wrench of unit acceleration
  MOMENT   = 3,
  ACROSS_X = 0,  // axes x and y
  ACROSS_Y = 3,
  TWIST_W  = 0,  // of unit rate: 0 and along z for a prismatic joint
  TWIST_V  = 3,
  AXIS     = 0,  // z
  ORIGIN   = 3,  // p; before that the step from the origin of the parent's frame, common axes, m
  SIX      = 6
};

typedef struct
{
  V3 w, v;
} UnitTwist;

// A frame, in common axes and from the common origin.
typedef struct
{
  M3 axes;
  V3 p;
} CommonPlace;

// One call of the kernel.
typedef struct
{
  const lwModel* model;
  const Turn* turns;     // (n)
  const Input* q;        // (n) or NULL
  REAL* across;          // (n, SIX) wrenches
  REAL* along;           // (n, SIX) twists
  REAL* resisted;        // (n) the diagonal
  bool* placed;          // (n) its origin is known; not for chains
  Result* M;             // (n, n), or packed
  const lwGrid* wanted;  // where the states' own matrices are wanted, or NULL: in M
  int states;            // that stand side by side there; 0: they do not
} Task;

// p - k a
INLINE V3 back_along(V3 p, REAL k, V3 a)
{
  return v3(sub_mul(p.x, k, a.x), sub_mul(p.y, k, a.y), sub_mul(p.z, k, a.z));
}

INLINE CommonPlace common_place(void)
{
  REAL none = zero(), one = constant(1);
  return (CommonPlace){{v3(one, none, none), v3(none, one, none), v3(none, none, one)}, v3_zero()};
}

// Inward: from the frame of joint j to its half-way frame, and from there to the parent's.
INLINE void back_to_half_way(Joint j, CommonPlace* at)
{
  turn_axes(j.theta, &at->axes.y, &at->axes.x);
  at->p = back_along(at->p, j.d, at->axes.z);
}

INLINE void back_to_parent(Joint j, CommonPlace* at)
{
  M3* axes = &at->axes;
  turn_axes(alpha_turn(j.link), &axes->z, &axes->y);
  if (j.skew)
  {
    turn_axes(gamma_turn(j.link), &axes->y, &axes->x);
    at->p = back_along(at->p, K(j.link->span[1]), axes->y);
    at->p = back_along(at->p, K(j.link->span[2]), axes->z);
  }
  at->p = back_along(at->p, K(j.link->span[0]), axes->x);
}

INLINE UnitTwist common_frame_twist(const CommonPlace* at, bool prismatic)
{
  V3 z = at->axes.z;
  if (prismatic) return (UnitTwist){v3_zero(), z};
  return (UnitTwist){z, cross(at->p, z)};
}

// The wrench of unit acceleration of a joint, read off its composite body in the half-way frame.
// Along the joint it is what resists the joint.
INLINE Column common_frame_unit_wrench(const CommonPlace* at, const Composite* body, REAL resisted,
                                       bool prismatic)
{
  V3 f, n, x = at->axes.x, y = at->axes.y, z = at->axes.z, h = body->h;
  if (prismatic)
  {
    f = scale(resisted, z);
    n = scale_add(h.y, x, scale(r_neg(h.x), y));
  }
  else
  {
    f = scale_add(h.x, y, scale(r_neg(h.y), x));
    n = scale_add(r_neg(body->J.xz), x, scale_add(r_neg(body->J.yz), y, scale(resisted, z)));
  }
  return (Column){f, cross_add(at->p, f, n)};
}

INLINE Column get_column(const REAL* numbers)
{
  return (Column){get3(numbers, FORCE), get3(numbers, MOMENT)};
}

INLINE UnitTwist get_twist(const REAL* numbers)
{
  return (UnitTwist){get3(numbers, TWIST_W), get3(numbers, TWIST_V)};
}

INLINE void put_units(const Task* task, int i, UnitTwist twist, Column column)
{
  REAL *across = in_block(task->across, SIX, i), *along = in_block(task->along, SIX, i);
  put3(across, FORCE, column.f);
  put3(across, MOMENT, column.n);
  put3(along, TWIST_W, twist.w);
  put3(along, TWIST_V, twist.v);
}

// Wrench and diagonal of joint i, and its composite body on to the parent. at: its half-way frame.
// A joint on the base has no column: nothing further in meets it.
INLINE void body_inward(const Task* task, int i, Joint joint, UnitTwist twist, bool prismatic,
                        const CommonPlace* at, CompositeBodies* bodies, bool chain)
{
  Composite body    = composite_of(bodies, i, chain);
  REAL resisted     = resists(&body, joint.link, prismatic);
  Column column     = {v3_zero(), v3_zero()};
  task->resisted[i] = resisted;
  if (parent_of(task->model, i, chain) != LW_BASE)
  {
    screw_z(joint, &body);
    column = common_frame_unit_wrench(at, &body, resisted, prismatic);
    screw_x(joint, &body);
    leave(bodies, i, &body, chain);
  }
  put_units(task, i, twist, column);
}

// Joint i of a chain, of which the frame is given; that of its parent after. The twist is read off
// before the shift along the joint, which does not change it. The common frame is the half-way
// frame of the last joint.
INLINE void joint_inward(const Task* task, int i, Joint joint, bool prismatic, CommonPlace* at,
                         CompositeBodies* bodies)
{
  UnitTwist twist = common_frame_twist(at, prismatic);
  if (i > 0 && i < task->model->n - 1) back_to_half_way(joint, at);
  body_inward(task, i, joint, twist, prismatic, at, bodies, true);
  if (i > 0) back_to_parent(joint, at);
}

// A chain, from the tip inward.
INLINE void chain_inward(const Task* task, CompositeBodies bodies)
{
  const lwModel* model = task->model;
  CommonPlace at       = common_place();
  for (int i = model->n - 1; i >= 0; --i)
    if (continues_run(model, i))
      joint_inward(task, i, joint_in_run(model, i, task->turns), false, &at, &bodies);
    else
      joint_inward(task, i, joint_at(model, i, task->turns, task->q), is_prismatic(model, i), &at,
                   &bodies);
}

// Axes of the half-way frame of joint j from its parent's, which is turned by theta and shifted by
// d. Returned is the step between their origins.
INLINE V3 step_axes(Joint j, M3* axes, Turn theta, REAL d)
{
  turn_axes(theta, &axes->x, &axes->y);
  V3 step = scale_add(d, axes->z, scale(K(j.link->span[0]), axes->x));
  if (j.skew)
  {
    step = scale_add(K(j.link->span[1]), axes->y, scale_add(K(j.link->span[2]), axes->z, step));
    turn_axes(gamma_turn(j.link), &axes->x, &axes->y);
  }
  turn_axes(alpha_turn(j.link), &axes->y, &axes->z);
  return step;
}

// The half-way frame of joint i of a tree.
INLINE CommonPlace place_of(const Task* task, int i)
{
  const REAL *across = in_block(task->across, SIX, i), *along = in_block(task->along, SIX, i);
  return (CommonPlace){{get3(across, ACROSS_X), get3(across, ACROSS_Y), get3(along, AXIS)},
                       get3(along, ORIGIN)};
}

// Half-way axes and step to the link of a wide joint, whose frame in that of the parent is F.
INLINE V3 step_axes_wide(Frame F, M3* axes, Turn theta, REAL d)
{
  turn_axes(theta, &axes->x, &axes->y);
  Frame parent = {axes->x, axes->y, axes->z, v3_zero()};
  V3 step      = scale_add(d, axes->z, rotate(parent, F.p));
  *axes        = (M3){rotate(parent, F.x), rotate(parent, F.y), rotate(parent, F.z)};
  return step;
}

// Outward: axes of joint i of a tree, and the step to its origin. What stands on the base is not
// turned or shifted by its own joint: all that it carries would be. Freedoms of a wide joint have
// the frame of its link.
INLINE void frame_outward(const Task* task, int i)
{
  const lwModel* model    = task->model;
  int p                   = model->parent[i];
  CommonPlace at          = p == LW_BASE ? common_place() : place_of(task, p);
  V3 step                 = v3_zero();
  const lwWideJoint* wide = is_wide(model, i) ? wide_joint(model, i) : NULL;
  if (p != LW_BASE && !(wide && i > wide->first))
  {
    Joint parent = joint_at(model, p, task->turns, task->q);
    bool still   = model->parent[p] == LW_BASE || is_wide(model, p);
    Turn theta   = still ? (Turn){constant(1), zero()} : parent.theta;
    REAL d       = still ? zero() : parent.d;
    step         = wide ? step_axes_wide(wide_frame(model, wide, task->turns), &at.axes, theta, d)
                        : step_axes(joint_at(model, i, task->turns, task->q), &at.axes, theta, d);
  }
  put3(in_block(task->across, SIX, i), ACROSS_X, at.axes.x);
  put3(in_block(task->across, SIX, i), ACROSS_Y, at.axes.y);
  put3(in_block(task->along, SIX, i), AXIS, at.axes.z);
  put3(in_block(task->along, SIX, i), ORIGIN, step);
}

// Origins of a tree from the last joint inward, along its branch,
INLINE void set_origins(const Task* task)
{
  V3 p = v3_zero();
  for (int i = task->model->n - 1; i != LW_BASE; i = task->model->parent[i])
  {
    REAL* along = in_block(task->along, SIX, i);
    V3 step     = get3(along, ORIGIN);
    put3(along, ORIGIN, p);
    p               = sub(p, step);
    task->placed[i] = true;
  }
}

// then outward, along other branches.
INLINE void set_other_origins(const Task* task)
{
  const lwModel* model = task->model;
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i];
    if (task->placed[i] || p == LW_BASE) continue;
    REAL* along        = in_block(task->along, SIX, i);
    const REAL* parent = in_block(task->along, SIX, p);
    put3(along, ORIGIN, add(get3(parent, ORIGIN), get3(along, ORIGIN)));
  }
}

// Twists, wrenches and diagonal of a wide joint, and its composite body on to the parent. at: the
// frame of its link.
INLINE void wide_inward(const Task* task, const lwWideJoint* wide, const CommonPlace* at,
                        CompositeBodies* bodies)
{
  const lwModel* model = task->model;
  Composite body       = composite_of(bodies, wide->last, false);
  REAL mass            = K(LINKS(model)[wide->last].outboard_mass);
  Frame link           = {at->axes.x, at->axes.y, at->axes.z, at->p};
  const V3 axes[3]     = {link.x, link.y, link.z};
  for (int i = wide->first; i <= wide->last; ++i)
  {
    int k           = i - wide->first + first_freedom(wide);
    Column own      = wide_unit_wrench(&body, mass, k);
    Wrench w        = wide_wrench_to_parent(link, (Wrench){own.f, own.n});
    V3 e            = axes[k % 3];
    UnitTwist turns = {e, cross(at->p, e)}, slides = {v3_zero(), e};
    task->resisted[i] = wide_entry(own, k);
    put_units(task, i, k < 3 ? slides : turns, (Column){w.f, w.n});
  }
  if (model->parent[wide->first] == LW_BASE) return;
  wide_screw(wide_frame(model, wide, task->turns), mass, &body);
  leave(bodies, wide->first, &body, false);
}

INLINE void tree_inward(const Task* task, CompositeBodies bodies)
{
  const lwModel* model = task->model;
  for (int i = 0; i < model->n; ++i)
  {
    task->placed[i] = false;
    frame_outward(task, i);
  }
  set_origins(task);
  set_other_origins(task);
  for (int i = model->n - 1; i >= 0; --i)
  {
    CommonPlace at = place_of(task, i);
    bool prismatic = is_prismatic(model, i);
    if (is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      wide_inward(task, wide, &at, &bodies);
      i = wide->first;
      continue;
    }
    body_inward(task, i, joint_at(model, i, task->turns, task->q),
                common_frame_twist(&at, prismatic), prismatic, &at, &bodies, false);
  }
}

// M_ij = n_i . w_j + f_i . v_j
INLINE REAL dot6(Column column, UnitTwist twist)
{
  return dot_add(column.n, twist.w, dot(column.f, twist.v));
}

INLINE Column column_of(const Task* task, int i)
{
  return get_column(in_block(task->across, SIX, i));
}

INLINE UnitTwist twist_of(const Task* task, int i)
{
  return get_twist(in_block(task->along, SIX, i));
}

// Entries of the matrix of all lanes to where the states' own matrices are wanted.
INLINE void put_entries(const Task* task, size_t at, size_t size)
{
#if LW_LANE_BYTES
  lwGrid to = *task->wanted;
  to.at += at * to.by_entry;
  FN(unpack)(task->M + at, size, LANES, &to);
#else
  (void)task, (void)at, (void)size;
#endif
}

// An entry on or above the diagonal of a chain, and its image. Where states stand side by side, an
// entry of all lanes is stored there at once.
INLINE void put_upper(const Task* task, int row, int column, REAL entry, bool packed)
{
#if LW_LANE_BYTES
  size_t n = (size_t)task->model->n, i = (size_t)row, k = (size_t)column;
  if (task->states)
  {
    lwGrid to = *task->wanted;
    store_some_joint_lanes(to.at + upper_at(n, i, k, packed) * to.by_entry, entry, task->states);
    if (!packed) store_some_joint_lanes(to.at + (k * n + i) * to.by_entry, entry, task->states);
    return;
  }
#endif
  set_upper(task->M, task->model->n, row, column, entry, packed);
}

// Two rows of a chain at once: both twists stay in registers, and each column is loaded once.
INLINE void project_two_rows(const Task* task, int row, bool packed)
{
  int n           = task->model->n;
  UnitTwist first = twist_of(task, row), second = twist_of(task, row + 1);
  put_upper(task, row, row + 1, dot6(column_of(task, row + 1), first), packed);
  for (int i = row + 2; i < n; ++i)
  {
    Column column = column_of(task, i);
    REAL upper = dot6(column, first), lower = dot6(column, second);
    put_upper(task, row, i, upper, packed);
    put_upper(task, row + 1, i, lower, packed);
  }
}

// All rows of a chain, a few at a time, so that rows of all lanes are still in the first-level
// cache when they are turned into rows of states; a whole matrix of all lanes may be larger than
// that.
INLINE void project_chain(const Task* task, bool packed)
{
  enum
  {
    AT_ONCE = 4
  };
  int n = task->model->n;
  for (int i = 0; i < n; ++i) put_upper(task, i, i, task->resisted[i], packed);
  for (int row = 0; row < n; row += AT_ONCE)
  {
    int end = row + AT_ONCE < n ? row + AT_ONCE : n;
    for (int i = row; i + 1 < end; i += 2) project_two_rows(task, i, packed);
    if (task->wanted && !task->states)
      put_entries(task, (size_t)row * (size_t)n, (size_t)(end - row) * (size_t)n);
  }
}

// Row by row, for a tree whose subtrees have no gaps. A twist stays in registers, and columns are
// read as part of fused operations.
INLINE void project_tree(const Task* task, bool packed)
{
  const lwModel* model = task->model;
  for (int row = 0; row < model->n; ++row)
  {
    UnitTwist twist = twist_of(task, row);
    LONG_LOOP
    for (int i = row + 1; i < model->end[row]; ++i)
      set_upper(task->M, model->n, row, i, dot6(column_of(task, i), twist), packed);
  }
}

// Column i joint by joint on the way to the base.
INLINE void project_path(const Task* task, int i, bool packed)
{
  const lwModel* model = task->model;
  Column column        = column_of(task, i);
  for (int j = model->parent[i]; j != LW_BASE; j = model->parent[j])
    set_upper(task->M, model->n, j, i, dot6(column, twist_of(task, j)), packed);
}

// For one state of a plain scalar, if subtrees have no gaps, joints are taken side by side, unless
// there are few.
INLINE bool side_by_side(const Task* task, bool packed)
{
#if defined(LW_PLAIN)
  const lwModel* model = task->model;
  if ((model->chain || model->depth_first) && model->n >= SIDE_BY_SIDE_FROM)
  {
    COLUMNS_FN(common_rows)(model, task->across, task->along, task->resisted, task->M, packed);
    return true;
  }
#else
  (void)task, (void)packed;
#endif
  return false;
}

INLINE void set_tree(const Task* task, bool packed)
{
  const lwModel* model = task->model;
  size_t n             = (size_t)model->n;
  if (side_by_side(task, packed)) return;
  for (size_t i = 0; i < n; ++i) task->M[upper_at(n, i, i, packed)] = task->resisted[i];
  if (model->depth_first)
    project_tree(task, packed);
  else
    for (int i = 0; i < model->n; ++i) project_path(task, i, packed);
  if (task->wanted) put_entries(task, 0, packed ? n * (n + 1) / 2 : n * n);
}

// A vector that has fewer states than lanes. A function of its own, as below: within others,
// their loops would become slower.
APART void set_some_states(Task task, bool packed)
{
  project_chain(&task, packed);
}

// The number of states is a constant in each call.
INLINE void set_chain(Task task, bool packed)
{
  if (side_by_side(&task, packed)) return;
  if (LANES == 1 || !task.states)
  {
    task.states = 0;
    project_chain(&task, packed);
  }
  else if (task.states == LANES)
  {
    task.states = LANES;
    project_chain(&task, packed);
  }
  else
    set_some_states(task, packed);
}

#if LW_LANE_BYTES

#include "kernels/inertia/streamed.h"

APART void stream_matrices(Task task, void* work, bool packed)
{
  size_t n = (size_t)task.model->n, joints = n * (size_t)vectors_of(&task);
  task.across   = take(&work, joints * SIX * sizeof(REAL));
  task.along    = take(&work, joints * SIX * sizeof(REAL));
  task.resisted = take(&work, joints * sizeof(REAL));
  Turn* turns   = take(&work, lw_lines(n, sizeof *turns));
  task.turns    = turns;
  for (int v = 0; v < vectors_of(&task); ++v)
  {
    Task one = task_of_vector(&task, v);
    joint_turns(one.model, one.q, turns);
    chain_inward(&one, no_bodies(one.model, work));
  }
  if (packed)
    stream_tiles(&task, true);
  else
    stream_tiles(&task, false);
}

#else

INLINE void stream_matrices(Task task, void* work, bool packed)
{
  (void)task, (void)work, (void)packed;
}

#endif

static void common_frame(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n      = (size_t)model->n;
  size_t padded = (size_t)block_end(model->n);
  Task task     = {
          .model = model, .q = state->q, .M = out, .wanted = state->rows, .states = state->states};
  if (task.states > LANES)
  {
    stream_matrices(task, work, state->packed);
    return;
  }
  task.across   = take(&work, padded * SIX * sizeof(REAL));
  task.along    = take(&work, padded * SIX * sizeof(REAL));
  task.resisted = take(&work, padded * sizeof(REAL));
  Turn* turns   = take(&work, lw_lines(n, sizeof *turns));
  task.placed   = take(&work, lw_lines(n, sizeof *task.placed));
  task.turns    = turns;

  bool tree              = !model->chain || model->wide_count > 0;
  CompositeBodies bodies = no_bodies(model, work);
  clear_last_block(task.across, SIX, model->n, 0, SIX);
  clear_last_block(task.along, SIX, model->n, 0, SIX);
  joint_turns(model, state->q, turns);
  clear_tree(model, out, state->packed);
  if (tree)
  {
    tree_inward(&task, bodies);
    set_tree(&task, state->packed);
    return;
  }
  chain_inward(&task, bodies);
  if (state->packed)
    set_chain(task, true);
  else
    set_chain(task, false);
}

// Joints are counted in whole vectors of at most 16, so LINES for each is enough for two ends.
enum
{
  LINES = 8
};

const lwKernel FN(common_frame) = {
    .run       = common_frame,
    .per_joint = (2 * SIX + 1) * sizeof(REAL) + sizeof(Turn) + sizeof(bool) + LINES +
                 sizeof(Composite),
    .flags = LW_KERNEL_PACKS | LW_KERNEL_STORES_ENTRIES | LW_KERNEL_WIDE |
             (sizeof(REAL) == LANES * sizeof(double) ? LW_KERNEL_STORES_ROWS : 0)};

#if LW_LANE_BYTES

#include "kernels/inertia/side_by_side.h"

// LANES rows of the matrix, of which there are count, from the diagonal on. A vector of columns
// meets all of them while it is at hand, and the tile goes to both sides of the diagonal.
typedef struct
{
  const lwModel* model;
  double* M;
  int first, count;
  UnitTwist twists[LANES];  // each in all lanes
  double* at[LANES];        // column 0, or in a packed matrix where it would be
} CommonRows;

// Between branches of a tree there is nothing.
INLINE REAL tile_row(const CommonRows* rows, int k, Column column, int at, bool chain)
{
  REAL entries = dot6(column, rows->twists[k]);
  if (chain || k >= rows->count) return entries;
  return CHOOSE(lane_numbers() < rows->model->end[rows->first + k] - at, entries, zero());
}

enum
{
  BLOCKS = LANES / WIDE64  // of a tile, side by side
};

// A square block of a tile, rows from k and columns from c on, in double.
INLINE void block_of_tile(const REAL tile[LANES], int k, int c, Doubles block[WIDE64])
{
  SHORT_LOOP
  for (int i = 0; i < WIDE64; ++i) block[i] = doubles_from(tile[k + i], c);
}

// The first count of a row of it.
INLINE void store_row_of_block(double* at, Doubles x, int count)
{
  if (count >= WIDE64)
    store(at, x);
  else
    for (int k = 0; k < WIDE64 - 1; ++k)
      if (k < count) at[k] = x[k];
}

// A block beside the diagonal. at, count: the first column of its tile, and columns from there on.
INLINE void put_block(const CommonRows* rows, const REAL tile[LANES], int k, int c, int at,
                      int count, bool packed)
{
  size_t n      = (size_t)rows->model->n;
  double* image = rows->M + (size_t)(at + c) * n + (size_t)(rows->first + k);
  Doubles block[WIDE64];
  block_of_tile(tile, k, c, block);
  SHORT_LOOP
  for (int i = 0; i < WIDE64; ++i)
    store_row_of_block(rows->at[k + i] + at + c, block[i], count - c);
  if (packed) return;
  transpose(block);
  SHORT_LOOP
  for (int i = 0; i < WIDE64; ++i)
    if (i < count - c) store(image + (size_t)i * n, block[i]);
}

// A block on the diagonal, rows and columns from k on. In a packed matrix, what is left of the
// diagonal is the end of the row before: so the last row comes first; in a tree, where that end may
// be written by nobody else, nothing is stored there.
INLINE void put_diagonal_block(const CommonRows* rows, const REAL tile[LANES], int k,
                               Doubles resisted, bool packed, bool chain)
{
  int first = rows->first + k, left = rows->model->n - first;
  Doubles upper[WIDE64], lower[WIDE64];
  block_of_tile(tile, k, k, upper);
  block_of_tile(tile, k, k, lower);
  transpose(lower);
  SHORT_LOOP
  for (int i = WIDE64 - 1; i >= 0; --i)
  {
    double* to      = rows->at[k + i] + first;
    Doubles entries = d_choose(double_numbers() < i, lower[i], upper[i]);
    entries         = d_choose(double_numbers() == i, resisted, entries);
    if (i >= left) continue;
    if (packed && !chain)
      store_doubles_from(to, entries, i, left);
    else
      store_row_of_block(to, entries, left);
  }
}

// The tile of the diagonal.
INLINE void diagonal_tile(const CommonRows* rows, Column column, REAL resisted, bool packed,
                          bool chain)
{
  int left = rows->model->n - rows->first;
  REAL tile[LANES];
  SHORT_LOOP
  for (int k = 0; k < LANES; ++k) tile[k] = tile_row(rows, k, column, rows->first, chain);
  SHORT_LOOP
  for (int k = LANES - WIDE64; k >= 0; k -= WIDE64)
  {
    if (k >= left) continue;
    put_diagonal_block(rows, tile, k, doubles_from(resisted, k), packed, chain);
    SHORT_LOOP
    for (int c = k + WIDE64; c < LANES; c += WIDE64)
      if (c < left) put_block(rows, tile, k, c, rows->first, left, packed);
  }
}

// A tile of all LANES rows, from column `at` on, of which there are count.
INLINE void tile_block(const CommonRows* rows, Column column, int at, int count, bool packed,
                       bool chain)
{
  REAL tile[LANES];
  SHORT_LOOP
  for (int k = 0; k < LANES; ++k) tile[k] = tile_row(rows, k, column, at, chain);
  SHORT_LOOP
  for (int b = 0; b < BLOCKS * BLOCKS; ++b)
  {
    int k = b % BLOCKS * WIDE64, c = b / BLOCKS * WIDE64;
    if (c < count) put_block(rows, tile, k, c, at, count, packed);
  }
}

// The twist of the joint in one of the lanes, in all of them.
INLINE UnitTwist broadcast_twist(const SCALAR* at)
{
  return (UnitTwist){v3(constant(at[0]), constant(at[LANES]), constant(at[2 * LANES])),
                     v3(constant(at[3 * LANES]), constant(at[4 * LANES]), constant(at[5 * LANES]))};
}

// Rows from the last ones on: the numbers of the first joints were written last, piece by piece,
// and can be loaded as vectors only once all of them have arrived in the cache.
INLINE void all_tiles(const lwModel* model, const REAL* columns, const REAL* twists,
                      const SCALAR* resisted, double* M, bool packed, bool chain)
{
  CommonRows rows = {.model = model, .M = M};
  for (rows.first = first_of_block(model->n - 1); rows.first >= 0; rows.first -= LANES)
  {
    int left = model->n - rows.first, end = rows.first + LANES, group = rows.first / LANES * SIX;
    const REAL* column = columns + group;
    rows.count         = left < LANES ? left : LANES;
    for (int k = 0; k < LANES; ++k)
    {
      rows.twists[k] = broadcast_twist((const SCALAR*)(twists + group) + k);
      rows.at[k]     = M + upper_at((size_t)model->n, (size_t)(rows.first + k), 0, packed);
    }
    for (int k = rows.first; k < rows.first + rows.count; ++k)
      if (model->end[k] > end) end = model->end[k];
    diagonal_tile(&rows, get_column(column), load(resisted + rows.first), packed, chain);
    int at = rows.first + LANES;
    for (; at < end && at + LANES <= model->n; at += LANES)
      tile_block(&rows, get_column(column += SIX), at, LANES, packed, chain);
    if (at < end) tile_block(&rows, get_column(column + SIX), at, model->n - at, packed, chain);
  }
}

void FN(common_rows)(const lwModel* model, const void* columns, const void* twists,
                     const SCALAR* resisted, double* M, bool packed)
{
  if (!model->chain)
    all_tiles(model, columns, twists, resisted, M, packed, false);
  else if (packed)
    all_tiles(model, columns, twists, resisted, M, true, true);
  else
    all_tiles(model, columns, twists, resisted, M, false, true);
}

#endif
