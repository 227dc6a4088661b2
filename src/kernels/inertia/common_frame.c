// SPDX-License-Identifier: MIT
// Inertia matrix by composite bodies whose wrenches meet the joints in one common frame,
// O(n^2) for a chain.
//
// Walker & Orin 1982, method 3. An entry of the matrix is the wrench that accelerates one joint's
// composite body times the twist of another joint: M_ij = n_i . w_j + f_i . v_j. Seen from one
// frame that takes 6 multiplications, where carrying the wrench from link to link takes 20.
//
//   here      meaning                                                            frame, unit
//   h, J      composite body, link i and all that it carries: first moment, and
//             integral of r r^T dm (silver1981 (2.7))                            link, kg m, kg m^2
//   x y z     axes of the half-way frame of joint i, which has its origin at the
//             end of the span and is not yet turned by theta or shifted by d       common
//   p         the common origin to that origin                                   common, m
//   w, v      twist of unit rate of joint i, at the common origin                common, 1, m
//   f, n      wrench of its unit acceleration, at the common origin              common, N, N m
//
// Where it differs from the paper:
// - The paper carries wrenches from frame to frame. Here the common frame has the axes of the link
//   that stands on the base and the origin of the last joint. The axes cost no accuracy: only
//   angles between joints matter, and neighbours share their rounding. The origin does: joints near
//   the tip move little mass, and moments about a far point would hide it. About the tip, moments
//   of a composite body are no larger than the entries they make. So origins are summed from the
//   tip inward, never as differences of far points. In a tree, this holds for the branch of the
//   last joint; other trees on the same base have their origin there. Measured, stretched chain of
//   40 joints: 3e-15 sqrt(M_ii M_jj) off composite_body.c; 6e-15 with the origin at the base.
// - Composite bodies stay in link frames, where shifts and turns have
//   zeros, as in composite_body.c.
#include "kernels/inertia/columns.h"
#include "kernels/inertia/composite.h"

typedef struct
{
  V3 x, y, z, p;  // half-way frame
  V3 step;        // origin of the parent's half-way frame to this one's, common axes, m
  bool placed;    // p is known
} CommonFrame;

typedef struct
{
  V3 w, v;  // of unit rate, 0 and along z for a prismatic joint
} UnitTwist;

// Axes a, b of a frame after a turn from a towards b.
INLINE void turn_axes(Turn t, V3* a, V3* b)
{
  V3 old = *a;
  *a     = scale_add(t.c, old, scale(t.s, *b));
  *b     = scale_add(t.c, *b, scale(r_neg(t.s), old));
}

// The half-way frame of joint j from its parent's.
INLINE void set_axes(Joint j, CommonFrame* frame, const CommonFrame* parent, Turn theta, REAL d)
{
  V3 x = parent->x, y = parent->y, z = parent->z;
  turn_axes(theta, &x, &y);
  V3 step = scale_add(d, z, scale(K(j.link->span[0]), x));
  if (j.skew)
  {
    step = scale_add(K(j.link->span[1]), y, scale_add(K(j.link->span[2]), z, step));
    turn_axes(gamma_turn(j.link), &x, &y);
  }
  turn_axes(alpha_turn(j.link), &y, &z);
  frame->x    = x;
  frame->y    = y;
  frame->z    = z;
  frame->step = step;
}

// Outward, base to tip: axes, and steps from origin to origin. What stands on the base is not
// turned or shifted by its own joint: all that it carries would be, too.
INLINE void set_all_axes(const lwModel* model, const Turn* turns, const REAL* q, CommonFrame* frame)
{
  REAL none = zero(), one = constant(1);
  for (int i = 0; i < model->n; ++i)
  {
    int p   = model->parent[i];
    Joint j = joint_at(model, i, turns, q);
    if (p == LW_BASE)
    {
      frame[i].x = v3(one, none, none);
      frame[i].y = v3(none, one, none);
      frame[i].z = v3(none, none, one);
    }
    else if (model->parent[p] == LW_BASE)
      set_axes(j, &frame[i], &frame[p], (Turn){one, none}, none);
    else
      set_axes(j, &frame[i], &frame[p], turns[p], joint_at(model, p, turns, q).d);
  }
}

// Origins: from the last joint inward, then outward along other branches.
INLINE void set_origins(const lwModel* model, CommonFrame* frame)
{
  int i = model->n - 1;
  for (int k = 0; k < i; ++k) frame[k].placed = false;
  frame[i].p      = v3_zero();
  frame[i].placed = true;
  for (int p = model->parent[i]; p != LW_BASE; i = p, p = model->parent[p])
  {
    frame[p].p      = sub(frame[i].p, frame[i].step);
    frame[p].placed = true;
  }
  for (int k = 0; k < model->n - 1; ++k)
  {
    int p = model->parent[k];
    if (!frame[k].placed) frame[k].p = p == LW_BASE ? v3_zero() : add(frame[p].p, frame[k].step);
  }
}

INLINE UnitTwist twist_of(const CommonFrame* frame, bool prismatic)
{
  if (prismatic) return (UnitTwist){v3_zero(), frame->z};
  return (UnitTwist){frame->z, cross(frame->p, frame->z)};
}

// The wrench of unit acceleration of a joint, read off its composite body in the half-way frame.
// Along the joint it is what resists the joint.
INLINE Column common_frame_unit_wrench(const Composite* body, const CommonFrame* frame,
                                       REAL resisted, bool prismatic)
{
  V3 h = body->h, f, n;
  S3 J = body->J;
  if (prismatic)
  {
    f = scale(resisted, frame->z);
    n = scale_add(h.y, frame->x, scale(r_neg(h.x), frame->y));
  }
  else
  {
    f = scale_add(h.x, frame->y, scale(r_neg(h.y), frame->x));
    n = scale_add(r_neg(J.xz), frame->x,
                  scale_add(r_neg(J.yz), frame->y, scale(resisted, frame->z)));
  }
  return (Column){f, cross_add(frame->p, f, n)};
}

// M_ij = n_i . w_j + f_i . v_j
INLINE REAL meet(Column column, UnitTwist twist)
{
  return dot_add(column.n, twist.w, dot(column.f, twist.v));
}

// Column i below the diagonal, joint by joint.
INLINE void common_frame_column(const lwModel* model, int i, Column column, const UnitTwist* twists,
                                REAL* M, bool triangle)
{
  for (int j = model->parent[i]; j != LW_BASE; j = model->parent[j])
    set_upper(M, model->n, j, i, meet(column, twists[j]), triangle);
}

#if defined(LW_PLAIN)

// Lanes that no column is written to: those of joints on the base, and beyond the last one.
INLINE void clear_columns(const lwModel* model, char* columns)
{
  size_t size = columns_bytes(model->n), vector = columns_bytes(1);
  memset(columns, 0, model->chain ? vector : size);
  memset(columns + size - vector, 0, vector);
}

// Columns wait until they can meet the joints side by side.
INLINE void keep_column(int i, Column column, SCALAR* columns)
{
  const SCALAR numbers[] = {column.f.x, column.f.y, column.f.z, column.n.x, column.n.y, column.n.z};
  SCALAR* to             = columns + (size_t)(i / WIDE) * 6 * WIDE + i % WIDE;
  for (int k = 0; k < 6; ++k) to[k * WIDE] = numbers[k];
}

#endif

// One call of the kernel.
typedef struct
{
  const lwModel* model;
  const Turn* turns;          // (n)
  const REAL* q;              // (n) or NULL
  const CommonFrame* frames;  // (n)
  const UnitTwist* twists;    // (n)
  void* columns;              // (n) those that wait, for a plain scalar
  REAL* M;                    // (n, n)
  bool triangle;              // entries below the diagonal are not wanted
} Task;

// Inward, tip to base: composite bodies, and their wrenches.
INLINE void common_frame_inward(const Task* task, Bodies bodies, bool chain)
{
  const lwModel* model = task->model;
  for (int i = model->n - 1; i >= 0; --i)
  {
    bool prismatic = is_prismatic(model, i);
    Joint joint    = joint_at(model, i, task->turns, task->q);
    Composite body = composite_of(&bodies, i, chain);
    REAL resisted  = resists(&body, joint.link, prismatic);
    set_upper(task->M, model->n, i, i, resisted, true);
    if (parent_of(model, i, chain) == LW_BASE) continue;
    screw_z(joint, &body);
    Column column = common_frame_unit_wrench(&body, &task->frames[i], resisted, prismatic);
    screw_x(joint, &body);
    leave(&bodies, i, &body, chain);
#if defined(LW_PLAIN)
    if (chain || model->depth_first)
      keep_column(i, column, task->columns);
    else
#endif
      common_frame_column(model, i, column, task->twists, task->M, task->triangle);
  }
}

static void common_frame(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n      = (size_t)model->n;
  void* columns = NULL;
#if defined(LW_PLAIN)
  columns = take(&work, columns_bytes(model->n));
  clear_columns(model, columns);
#endif
  Turn* turns         = take(&work, n * sizeof *turns);
  UnitTwist* twists   = take(&work, n * sizeof *twists);
  CommonFrame* frames = take(&work, n * sizeof *frames);
  Bodies bodies       = links_alone(model, work);
  Task task           = {model, turns, state->q, frames, twists, columns, out, state->triangle};

  joint_turns(model, state->q, turns);
  clear_tree(model, out);
  set_all_axes(model, turns, state->q, frames);
  set_origins(model, frames);
  for (size_t i = 0; i < n; ++i) twists[i] = twist_of(&frames[i], is_prismatic(model, (int)i));
  if (model->chain)
    common_frame_inward(&task, bodies, true);
  else
    common_frame_inward(&task, bodies, false);
#if defined(LW_PLAIN)
  if (model->depth_first)
    COLUMNS_FN(common_rows)(model, &twists->w.x, columns, out, state->triangle);
#endif
}

#if defined(LW_PLAIN)
#define KEPT COLUMN_PER_JOINT
#else
#define KEPT 0
#endif
const lwKernel FN(common_frame) = {common_frame,
                                   KEPT + sizeof(Turn) + sizeof(UnitTwist) + sizeof(CommonFrame) +
                                       sizeof(Composite),
                                   0,
                                   {0}};

#if LW_LANE_BYTES

#include "kernels/inertia/side_by_side.h"

// Rows first to first + count - 1 at most, beside the diagonal and to its right: a vector of
// columns meets several joints while it is at hand. twists (count) are those of the rows. The
// diagonal stays; left of it is what mirror_rows() fills.
INLINE void fill_rows(const lwModel* model, int first, int count, const UnitTwist* twists,
                      const Column* columns, SCALAR* M)
{
  size_t n       = (size_t)model->n;
  SCALAR* corner = M + (size_t)first * (n + 1);
  const int* end = model->end + first;
  int shortest = model->n, longest = first, beside = LANES;
  columns += first / LANES;
  for (size_t k = 0; k < (size_t)count; ++k)
  {
    SCALAR diagonal = corner[k * (n + 1)];
    store_some(corner + k * n, meet(*columns, twists[k]), end[k] - first);
    corner[k * (n + 1)] = diagonal;
    if (end[k] < shortest) shortest = end[k];
    if (end[k] > longest) longest = end[k];
  }
  for (; first + beside + LANES <= shortest; beside += LANES)
  {
    Column column = *++columns;
    for (size_t k = 0; k < LANES; ++k) store(corner + k * n + beside, meet(column, twists[k]));
  }
  for (; first + beside < longest; beside += LANES)
  {
    Column column = *++columns;
    for (size_t k = 0; k < LANES; ++k)
      store_some(corner + k * n + beside, meet(column, twists[k]), end[k] - first - beside);
  }
}

INLINE UnitTwist common_frame_twist(const SCALAR* at)
{
  return (UnitTwist){v3(constant(at[0]), constant(at[1]), constant(at[2])),
                     v3(constant(at[3]), constant(at[4]), constant(at[5]))};
}

void FN(common_rows)(const lwModel* model, const SCALAR* twists, const void* columns, SCALAR* M,
                     bool triangle)
{
  for (int first = 0; first < model->n; first += LANES)
  {
    int left = model->n - first, count = left < LANES ? left : LANES;
    UnitTwist several[LANES];
    for (int k = 0; k < count; ++k)
      several[k] = common_frame_twist(twists + 6 * (size_t)(first + k));
    fill_rows(model, first, count, several, columns, M);
    if (!triangle) mirror_rows(M, model->n, first);
  }
}

#endif
