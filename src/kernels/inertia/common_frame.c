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

// Numbers of a joint. In lanes they stand one after the other. For a plain scalar those of WIDE
// joints stand side by side, as the lane variant of the instruction set takes them.
#if defined(LW_PLAIN)
enum
{
  BESIDE            = WIDE,
  SIDE_BY_SIDE_FROM = 6  // joints; fewer are done before their numbers could be loaded as vectors
};
#else
enum
{
  BESIDE = 1
};
#endif

// First they are the half-way frame. Twist and wrench then take its place: twists and wrenches
// meet each other, so each has an array of its own.
enum
{
  ACROSS_X = 0,  // axes x and y
  ACROSS_Y = 3,
  FORCE    = 0,  // wrench of unit acceleration
  MOMENT   = 3,
  AXIS     = 0,  // z
  ORIGIN   = 3,  // p; before that the step from the origin of the parent's frame, common axes, m
  TWIST_W  = 0,  // of unit rate: 0 and along z for a prismatic joint
  TWIST_V  = 3,
  SIX      = 6
};

// The composite body in the half-way frame.
enum
{
  H_X,
  H_Y,
  J_XZ,
  J_YZ,
  RESISTED,
  BODY_NUMBERS
};

INLINE REAL* numbers_of(REAL* array, int count, int i)
{
  return array + (size_t)(i / BESIDE * count * BESIDE + i % BESIDE);
}

INLINE V3 get_vector(const REAL* numbers, int k)
{
  return v3(numbers[k * BESIDE], numbers[(k + 1) * BESIDE], numbers[(k + 2) * BESIDE]);
}

INLINE void put_vector(REAL* numbers, int k, V3 a)
{
  numbers[k * BESIDE]       = a.x;
  numbers[(k + 1) * BESIDE] = a.y;
  numbers[(k + 2) * BESIDE] = a.z;
}

typedef struct
{
  V3 w, v;
} UnitTwist;

// One call of the kernel.
typedef struct
{
  const lwModel* model;
  const Turn* turns;  // (n)
  const REAL* q;      // (n) or NULL
  REAL* across;       // (n, SIX) x, y; then the wrench
  REAL* along;        // (n, SIX) z, p; then the twist
  REAL* bodies;       // (n, BODY_NUMBERS)
  bool* placed;       // (n) its origin is known; not for chains
  REAL* M;            // (n, n), or packed
  bool packed;
} Task;

// Axes a, b of a frame after a turn from a towards b.
INLINE void turn_axes(Turn t, V3* a, V3* b)
{
  V3 old = *a;
  *a     = scale_add(t.c, old, scale(t.s, *b));
  *b     = v3(mul_sub(t.c, b->x, r_mul(t.s, old.x)), mul_sub(t.c, b->y, r_mul(t.s, old.y)),
              mul_sub(t.c, b->z, r_mul(t.s, old.z)));
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

// A link on the way outward: axes of the half-way frame of its joint, and how that turns and
// shifts.
typedef struct
{
  M3 axes;
  Turn theta;
  REAL d;
} Carrier;

// What stands on the base is not turned or shifted by its own joint: all that it carries would be.
INLINE Carrier carrier_on_base(void)
{
  REAL none = zero(), one = constant(1);
  M3 axes = {v3(one, none, none), v3(none, one, none), v3(none, none, one)};
  return (Carrier){axes, {one, none}, none};
}

// Joint p, which is not the one before.
INLINE Carrier carrier_at(const Task* task, int p)
{
  const REAL* across = numbers_of(task->across, SIX, p);
  Carrier carrier    = carrier_on_base();
  carrier.axes       = (M3){get_vector(across, ACROSS_X), get_vector(across, ACROSS_Y),
                            get_vector(numbers_of(task->along, SIX, p), AXIS)};
  if (task->model->parent[p] == LW_BASE) return carrier;
  carrier.theta = task->turns[p];
  carrier.d     = joint_at(task->model, p, task->turns, task->q).d;
  return carrier;
}

// Outward: axes of joint i, and the step to its origin. carrier is that of the joint before, and of
// joint i after.
INLINE void frame_outward(const Task* task, int i, Carrier* carrier, bool chain)
{
  const lwModel* model = task->model;
  int p                = parent_of(model, i, chain);
  REAL* across         = numbers_of(task->across, SIX, i);
  REAL* along          = numbers_of(task->along, SIX, i);
  V3 step              = v3_zero();
  if (p == LW_BASE)
    *carrier = carrier_on_base();
  else
  {
    Joint joint = joint_at(model, i, task->turns, task->q);
    if (p != i - 1) *carrier = carrier_at(task, p);
    step           = step_axes(joint, &carrier->axes, carrier->theta, carrier->d);
    carrier->theta = joint.theta;
    carrier->d     = joint.d;
  }
  put_vector(across, ACROSS_X, carrier->axes.x);
  put_vector(across, ACROSS_Y, carrier->axes.y);
  put_vector(along, AXIS, carrier->axes.z);
  put_vector(along, ORIGIN, step);
}

// Inward: the composite body of joint i in its half-way frame, and on to the parent.
INLINE void body_inward(const Task* task, int i, CompositeBodies* bodies, bool chain)
{
  const lwModel* model       = task->model;
  bool prismatic             = is_prismatic(model, i);
  Joint joint                = joint_at(model, i, task->turns, task->q);
  REAL* numbers              = numbers_of(task->bodies, BODY_NUMBERS, i);
  Composite body             = composite_of(bodies, i, chain);
  numbers[RESISTED * BESIDE] = resists(&body, joint.link, prismatic);
  if (parent_of(model, i, chain) == LW_BASE)
  {
    body.h    = v3_zero();
    body.J.xz = body.J.yz = zero();
  }
  else
    screw_z(joint, &body);
  numbers[H_X * BESIDE]  = body.h.x;
  numbers[H_Y * BESIDE]  = body.h.y;
  numbers[J_XZ * BESIDE] = body.J.xz;
  numbers[J_YZ * BESIDE] = body.J.yz;
  if (parent_of(model, i, chain) == LW_BASE) return;
  screw_x(joint, &body);
  leave(bodies, i, &body, chain);
}

// Origins from the last joint inward, along its branch.
INLINE void set_origins(const Task* task, bool chain)
{
  V3 p = v3_zero();
  for (int i = task->model->n - 1; i != LW_BASE; i = parent_of(task->model, i, chain))
  {
    REAL* along = numbers_of(task->along, SIX, i);
    V3 step     = get_vector(along, ORIGIN);
    put_vector(along, ORIGIN, p);
    p = sub(p, step);
    if (!chain) task->placed[i] = true;
  }
}

// Then outward, along other branches.
INLINE void set_other_origins(const Task* task)
{
  const lwModel* model = task->model;
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i];
    if (task->placed[i] || p == LW_BASE) continue;
    REAL* along        = numbers_of(task->along, SIX, i);
    const REAL* parent = numbers_of(task->along, SIX, p);
    put_vector(along, ORIGIN, add(get_vector(parent, ORIGIN), get_vector(along, ORIGIN)));
  }
}

INLINE UnitTwist common_frame_twist(V3 z, V3 p, bool prismatic)
{
  if (prismatic) return (UnitTwist){v3_zero(), z};
  return (UnitTwist){z, cross(p, z)};
}

// The wrench of unit acceleration of a joint, read off its composite body in the half-way frame.
// Along the joint it is what resists the joint. The distance between numbers is given, because
// joints side by side are vectors for one who takes them together.
INLINE Column common_frame_unit_wrench(M3 axes, V3 p, const REAL* body, int beside, bool prismatic)
{
  REAL h_x = body[H_X * beside], h_y = body[H_Y * beside], resisted = body[RESISTED * beside];
  V3 f, n;
  if (prismatic)
  {
    f = scale(resisted, axes.z);
    n = scale_add(h_y, axes.x, scale(r_neg(h_x), axes.y));
  }
  else
  {
    f = scale_add(h_x, axes.y, scale(r_neg(h_y), axes.x));
    n = scale_add(r_neg(body[J_XZ * beside]), axes.x,
                  scale_add(r_neg(body[J_YZ * beside]), axes.y, scale(resisted, axes.z)));
  }
  return (Column){f, cross_add(p, f, n)};
}

INLINE Column get_column(const REAL* numbers)
{
  return (Column){get_vector(numbers, FORCE), get_vector(numbers, MOMENT)};
}

INLINE UnitTwist get_twist(const REAL* numbers)
{
  return (UnitTwist){get_vector(numbers, TWIST_W), get_vector(numbers, TWIST_V)};
}

INLINE void put_units(REAL* across, REAL* along, UnitTwist twist, Column column)
{
  put_vector(across, FORCE, column.f);
  put_vector(across, MOMENT, column.n);
  put_vector(along, TWIST_W, twist.w);
  put_vector(along, TWIST_V, twist.v);
}

// Twist and wrench of joint i, in place of its frame.
INLINE void set_units(const Task* task, int i)
{
  REAL *across = numbers_of(task->across, SIX, i), *along = numbers_of(task->along, SIX, i);
  const REAL* body = numbers_of(task->bodies, BODY_NUMBERS, i);
  bool prismatic   = is_prismatic(task->model, i);
  V3 z = get_vector(along, AXIS), p = get_vector(along, ORIGIN);
  M3 axes       = {get_vector(across, ACROSS_X), get_vector(across, ACROSS_Y), z};
  Column column = {v3_zero(), v3_zero()};
  if (task->model->parent[i] != LW_BASE)
    column = common_frame_unit_wrench(axes, p, body, BESIDE, prismatic);
  put_units(across, along, common_frame_twist(z, p, prismatic), column);
}

// M_ij = n_i . w_j + f_i . v_j
INLINE REAL meet(Column column, UnitTwist twist)
{
  return dot_add(column.n, twist.w, dot(column.f, twist.v));
}

INLINE Column column_of(const Task* task, int i)
{
  return get_column(numbers_of(task->across, SIX, i));
}

INLINE UnitTwist twist_of(const Task* task, int i)
{
  return get_twist(numbers_of(task->along, SIX, i));
}

// Columns from `begin` to before `end` in one row, and in two.
INLINE void meet_row(const Task* task, int row, int begin, int end)
{
  UnitTwist twist = twist_of(task, row);
  for (int i = begin; i < end; ++i)
    set_upper(task->M, task->model->n, row, i, meet(column_of(task, i), twist), task->packed);
}

INLINE void meet_two_rows(const Task* task, int row, int begin, int end)
{
  int n           = task->model->n;
  UnitTwist twist = twist_of(task, row), next = twist_of(task, row + 1);
  for (int i = begin; i < end; ++i)
  {
    Column column = column_of(task, i);
    set_upper(task->M, n, row, i, meet(column, twist), task->packed);
    set_upper(task->M, n, row + 1, i, meet(column, next), task->packed);
  }
}

// All rows of a robot whose subtrees have no gaps, two at a time.
INLINE void meet_all(const Task* task, bool chain)
{
  const lwModel* model = task->model;
  for (int row = 0; row < model->n; row += 2)
  {
    int end      = chain ? model->n : model->end[row];
    int next_end = row + 1 == model->n ? row : chain ? model->n : model->end[row + 1];
    int both     = end < next_end ? end : next_end;
    meet_row(task, row, row + 1, end < row + 2 ? end : row + 2);
    if (both < row + 2) both = row + 2;
    meet_two_rows(task, row, row + 2, both);
    meet_row(task, row, both, end);
    if (next_end > both) meet_row(task, row + 1, both, next_end);
  }
}

// Column i joint by joint on the way to the base.
INLINE void meet_path(const Task* task, int i)
{
  const lwModel* model = task->model;
  Column column        = column_of(task, i);
  for (int j = model->parent[i]; j != LW_BASE; j = model->parent[j])
    set_upper(task->M, model->n, j, i, meet(column, twist_of(task, j)), task->packed);
}

// Axes go outward and composite bodies inward. Both are recursions that wait for the joint before,
// but not for each other, so they take turns.
INLINE void set_frames_and_bodies(const Task* task, CompositeBodies bodies, bool chain)
{
  int n           = task->model->n;
  Carrier carrier = carrier_on_base();
  for (int i = 0; i < n; ++i)
  {
    frame_outward(task, i, &carrier, chain);
    body_inward(task, n - 1 - i, &bodies, chain);
  }
  set_origins(task, chain);
  if (!chain) set_other_origins(task);
}

// For one state of a plain scalar, if subtrees have no gaps, the rest is done side by side, unless
// there are few joints.
INLINE void set_matrix(const Task* task, bool chain)
{
  const lwModel* model = task->model;
#if defined(LW_PLAIN)
  if ((chain || model->depth_first) && model->n >= SIDE_BY_SIDE_FROM)
  {
    COLUMNS_FN(common_rows)(model, task->across, task->along, task->bodies, task->M, task->packed);
    return;
  }
#endif
  for (int i = 0; i < model->n; ++i)
  {
    set_units(task, i);
    task->M[upper_at((size_t)model->n, (size_t)i, (size_t)i, task->packed)] =
        numbers_of(task->bodies, BODY_NUMBERS, i)[RESISTED * BESIDE];
  }
  if (chain || model->depth_first)
    meet_all(task, chain);
  else
    for (int i = 0; i < model->n; ++i) meet_path(task, i);
}

INLINE size_t side_by_side(int n)
{
  return ((size_t)n + BESIDE - 1) / BESIDE * BESIDE;
}

static void common_frame(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n      = (size_t)model->n;
  size_t beside = side_by_side(model->n);
  Task task     = {.model = model, .q = state->q, .M = out, .packed = state->packed};
  task.across   = take(&work, beside * SIX * sizeof(REAL));
  task.along    = take(&work, beside * SIX * sizeof(REAL));
  task.bodies   = take(&work, beside * BODY_NUMBERS * sizeof(REAL));
  Turn* turns   = take(&work, lw_lines(n, sizeof *turns));
  task.placed   = take(&work, lw_lines(n, sizeof *task.placed));
  task.turns    = turns;
#if defined(LW_PLAIN)
  if (n < beside && n >= SIDE_BY_SIDE_FROM)  // lanes without a joint
  {
    memset(task.across + (beside - WIDE) * SIX, 0, SIX * WIDE * sizeof(REAL));
    memset(task.along + (beside - WIDE) * SIX, 0, SIX * WIDE * sizeof(REAL));
    memset(task.bodies + (beside - WIDE) * BODY_NUMBERS, 0, BODY_NUMBERS * WIDE * sizeof(REAL));
  }
#endif
  CompositeBodies bodies = links_alone(model, work);

  joint_turns(model, state->q, turns);
  clear_tree(model, out, state->packed);
  if (model->chain)
  {
    set_frames_and_bodies(&task, bodies, true);
    set_matrix(&task, true);
  }
  else
  {
    memset(task.placed, 0, n);
    set_frames_and_bodies(&task, bodies, false);
    set_matrix(&task, false);
  }
}

// Joints are counted in whole vectors of at most 16, so LINES for each is enough for two ends.
enum
{
  LINES = 8
};

const lwKernel FN(common_frame) = {common_frame,
                                   (2 * SIX + BODY_NUMBERS) * sizeof(REAL) + sizeof(Turn) +
                                       sizeof(bool) + LINES + sizeof(Composite),
                                   0,
                                   {0}};

#if LW_LANE_BYTES

#include "kernels/inertia/side_by_side.h"

// Twists and wrenches of as many joints as there are lanes, in place of their frames.
INLINE void set_units_beside(const lwModel* model, int first, REAL* across, REAL* along,
                             const REAL* body)
{
  bool any = false;
  for (int k = 0; k < LANES && first + k < model->n; ++k) any |= is_prismatic(model, first + k);
  V3 z = get_vector(along, AXIS), p = get_vector(along, ORIGIN);
  M3 axes         = {get_vector(across, ACROSS_X), get_vector(across, ACROSS_Y), z};
  UnitTwist twist = common_frame_twist(z, p, false);
  Column column   = common_frame_unit_wrench(axes, p, body, 1, false);
  if (any)
  {
    Mask slides = {0};
    for (int k = 0; k < LANES && first + k < model->n; ++k)
      if (is_prismatic(model, first + k)) slides[k] = -1;
    UnitTwist slid = common_frame_twist(z, p, true);
    column         = choose(slides, common_frame_unit_wrench(axes, p, body, 1, true), column);
    twist = (UnitTwist){v3_choose(slides, slid.w, twist.w), v3_choose(slides, slid.v, twist.v)};
  }
  put_units(across, along, twist, column);
}

// Rows first to first + count - 1 at most, from the diagonal on: a vector of columns meets several
// joints while it is at hand. The diagonal is what resists. Left of it is what mirror_rows() fills,
// or, in a packed matrix, the end of the row before: so the last row comes first, and between
// branches, where nothing is written, nothing is spoilt.
INLINE void fill_rows(const lwModel* model, int first, int count, const UnitTwist* twists,
                      const REAL* columns, REAL resisted, SCALAR* M, bool packed)
{
  SCALAR* rows[LANES];
  const int* end = model->end + first;
  int shortest = model->n, longest = first, beside = LANES;
  Column column = get_column(columns);
  for (int k = 0; k < LANES; ++k) rows[k] = M;
  for (int k = count - 1; k >= 0; --k)
  {
    REAL entries = CHOOSE(lane_numbers() == k, resisted, meet(column, twists[k]));
    rows[k]      = M + upper_at((size_t)model->n, (size_t)(first + k), (size_t)first, packed);
    if (packed && !model->chain)
      store_from(rows[k], entries, k, end[k] - first);
    else
      store_some(rows[k], entries, end[k] - first);
    if (end[k] < shortest) shortest = end[k];
    if (end[k] > longest) longest = end[k];
  }
  for (; first + beside + LANES <= shortest; beside += LANES)
  {
    column = get_column(columns += SIX);
    for (size_t k = 0; k < LANES; ++k) store(rows[k] + beside, meet(column, twists[k]));
  }
  for (; first + beside < longest; beside += LANES)
  {
    column = get_column(columns += SIX);
    for (size_t k = 0; k < LANES; ++k)
      store_some(rows[k] + beside, meet(column, twists[k]), end[k] - first - beside);
  }
}

// The twist of the joint in one of the lanes, in all of them.
INLINE UnitTwist spread_twist(const SCALAR* at)
{
  return (UnitTwist){v3(constant(at[0]), constant(at[LANES]), constant(at[2 * LANES])),
                     v3(constant(at[3 * LANES]), constant(at[4 * LANES]), constant(at[5 * LANES]))};
}

void FN(common_rows)(const lwModel* model, void* across, void* along, const void* bodies, SCALAR* M,
                     bool packed)
{
  REAL *column = across, *twist = along;
  const REAL* body = bodies;
  for (int first = 0; first < model->n; first += LANES)
  {
    int group = first / LANES;
    set_units_beside(model, first, column + group * SIX, twist + group * SIX,
                     body + group * BODY_NUMBERS);
  }
  for (int first = 0; first < model->n; first += LANES)
  {
    int left = model->n - first, count = left < LANES ? left : LANES;
    UnitTwist several[LANES];
    for (int k = 0; k < count; ++k) several[k] = spread_twist((const SCALAR*)twist + k);
    fill_rows(model, first, count, several, column, body[RESISTED], M, packed);
    if (!packed) mirror_rows(M, model->n, first);
    column += SIX;
    twist += SIX;
    body += BODY_NUMBERS;
  }
}

#endif
