// SPDX-License-Identifier: MIT
// The regressor Y(q, qd, qdd): torques are tau = Y pi, linear in the mass parameters pi of the
// links, O(n depth), and depth^2 more for every branch of a tree.
//
// Atkeson, An & Hollerbach, "Estimation of inertial parameters of manipulator loads and links",
// 1986. Ten parameters of every link of the description, behind fixed joints too, about the origin
// and in the axes of its own frame there:
//   m, mx my mz = m c, and the inertia about the origin xx yy zz xy xz yz, elements of the tensor.
//
// In the frame of a link, which turns with w and wd and whose points accelerate with a + U r, a
// joint that moves it has the twist (S.w, S.v), and its ten entries are
//   m            S.v.a
//   mx, my, mz   U^T S.v + a x S.w
//   xx .. yz     S.w.(I wd + w x I w), I being one element: what U and products of w hold already
//
// Twists of joints go outward from the frame of one body to that of the next, joints side by side
// (blocks.h).
#include <stdint.h>

#include "kernels/derivatives/joint_blocks.h"

enum
{
  COLUMNS = 10,
  MASS    = 4,  // of them: the mass and its moments; then six of the inertia
  TWIST   = 6   // numbers of a joint: its twist
};

// The joints that move a body, from the base on.
typedef struct
{
  int* joint;   // (count)
  size_t* row;  // (count) where their rows of the answer begin
  REAL* S;      // (count, 6) their twists in the body's frame, about its origin
  int count;
  size_t width;  // of a row
} MovingJoints;

// A twist in the frame of joint j, from the parent's.
INLINE Twist twist_to_link(Joint j, Twist S)
{
  V3 w = to_link(j, S.w);
  return (Twist){w, cross_d_add(j, w, to_link(j, cross_span_add(j, S.w, S.v)))};
}

INLINE V3 to_axes(const Frame* e, V3 a)
{
  return v3(dot(e->x, a), dot(e->y, a), dot(e->z, a));
}

INLINE void twists_to_link(Joint j, MovingJoints moving)
{
  for (int first = 0; first < moving.count; first += JOINT_LANES)
  {
    REAL* S = in_block(moving.S, TWIST, first);
    EACH_JOINT_LANE(k) put_twist(S + k, 0, twist_to_link(j, get_twist(S + k, 0)));
  }
}

// Joint i joins the others, with its own twist: number `unit` of it is 1. Its whole block is
// written at once: pieces of it could not be loaded as a vector before all of them have arrived in
// the cache.
INLINE void add_twist(int i, int unit, MovingJoints* moving)
{
  int last  = moving->count++;
  REAL* S   = in_block(moving->S, TWIST, block_start(last));
  Block one = block_all(constant(1)), none = block_all(zero());

  moving->joint[last] = i;
  moving->row[last]   = (size_t)i * moving->width;
  SHORT_LOOP
  for (int c = 0; c < TWIST; ++c)
  {
    Block others = last == block_start(last) ? none : block_load(S + c * JOINT_LANES);
    block_store(S + c * JOINT_LANES,
                block_put(last - block_start(last), c == unit ? one : none, others));
  }
}

INLINE void add_joint(const lwModel* model, int i, MovingJoints* moving)
{
  add_twist(i, is_prismatic(model, i) ? 5 : 2, moving);
}

// From the frame of the parent of joint i to that of its own body, which it moves too.
INLINE void pass_joint(const lwModel* model, int i, Joint j, MovingJoints* moving)
{
  bool skew = j.skew;
  j.skew    = false;  // so that no loop has to ask
  if (!skew) twists_to_link(j, *moving);
  j.skew = true;
  if (skew) twists_to_link(j, *moving);
  add_joint(model, i, moving);
}

// As pass_joint(), for a wide joint: its freedoms are along and about the axes of its link.
APART void pass_wide(const lwModel* model, const lwWideJoint* wide, const Turn* turns,
                     MovingJoints* moving)
{
  Frame F = wide_frame(model, wide, turns);
  for (int first = 0; first < moving->count; first += JOINT_LANES)
  {
    REAL* S = in_block(moving->S, TWIST, first);
    EACH_JOINT_LANE(k)
    {
      Twist T = get_twist(S + k, 0);
      put_twist(S + k, 0, (Twist){rotate_back(F, T.w), rotate_back(F, cross_add(T.w, F.p, T.v))});
    }
  }
  for (int i = wide->first; i <= wide->last; ++i)
    add_twist(i, (i - wide->first) % 3 + (i <= wide->last - 3 ? 3 : 0), moving);
}

// From the frame of the parent of freedom i to that of its own body. Returns the last freedom of
// the joint.
INLINE int pass_freedoms(const lwModel* model, int i, const Turn* turns, const Input* q,
                         MovingJoints* moving)
{
  if (!is_wide(model, i))
  {
    pass_joint(model, i, joint_at(model, i, turns, q), moving);
    return i;
  }
  pass_wide(model, wide_joint(model, i), turns, moving);
  return wide_joint(model, i)->last;
}

// The joints that move a body, from the base on: where another branch starts.
APART void start_branch(const lwModel* model, int body, const Turn* turns, const Input* q,
                        MovingJoints* moving)
{
  int count     = 0;
  moving->count = 0;
  for (int k = body; k != LW_BASE; k = model->parent[k]) ++count;
  for (int k = body, at = count; k != LW_BASE; k = model->parent[k]) moving->joint[--at] = k;
  for (int k = 0; k < count; k = moving->count)
    pass_freedoms(model, moving->joint[k], turns, q, moving);
}

// A link of the description as joints see it.
typedef struct
{
  const Motion* motion;  // in its own frame, as what follows
  V3 products;           // w.y w.z, w.x w.z, w.x w.y
  REAL xy, xz, yz;       // differences of the diagonal of U
} SeenLink;

INLINE SeenLink see_link(const Motion* motion)
{
  V3 w = motion->w;
  M3 U = motion->U;
  return (SeenLink){motion, v3(r_mul(w.y, w.z), r_mul(w.x, w.z), r_mul(w.x, w.y)),
                    r_sub(U.x.x, U.y.y), r_sub(U.z.z, U.x.x), r_sub(U.y.y, U.z.z)};
}

// The motion of a frame that has its place on a body.
INLINE Motion motion_at(const Frame* place, bool turned, Motion body)
{
  body.a = m3_apply_add(body.U, place->p, body.a);
  if (!turned) return body;
  V3 w = to_axes(place, body.w), wd = to_axes(place, body.wd);
  return (Motion){w, wd, to_axes(place, body.a), acceleration_matrix(w, wd)};
}

INLINE Twist twist_at(const Frame* place, bool turned, Twist S)
{
  S.v = cross_add(S.w, place->p, S.v);
  return turned ? (Twist){to_axes(place, S.w), to_axes(place, S.v)} : S;
}

// What a joint with twist S sees of a link: ten entries, side by side like the joints. First those
// of the mass and its moments,
INLINE void project_mass(Twist S, const SeenLink* link, REAL* entries)
{
  const M3* U = &link->motion->U;
  V3 a = link->motion->a, v = S.v;
  V3 U_v = scale_add(v.x, U->x, scale_add(v.y, U->y, scale(v.z, U->z)));

  entries[0] = dot(v, a);
  put3(entries, 1, cross_add(a, S.w, U_v));
}

// then those of the inertia, which see only how the joint turns the link.
INLINE void project_inertia(V3 w, const SeenLink* link, REAL* entries)
{
  const M3* U = &link->motion->U;
  V3 wd       = link->motion->wd;
  REAL x = r_mul(w.x, link->products.x), y = r_mul(w.y, link->products.y);
  REAL z = r_mul(w.z, link->products.z);

  put3(entries, 0,
       v3(mul_add(w.x, wd.x, r_sub(y, z)), mul_add(w.y, wd.y, r_sub(z, x)),
          mul_add(w.z, wd.z, r_sub(x, y))));
  put3(entries, 3,
       v3(mul_add(w.y, U->z.y, mul_sub(w.z, link->xy, r_mul(w.x, U->z.x))),
          mul_add(w.x, U->y.x, mul_sub(w.y, link->xz, r_mul(w.z, U->y.z))),
          mul_add(w.z, U->x.z, mul_sub(w.x, link->yz, r_mul(w.y, U->x.y)))));
}

INLINE void project_link(Twist S, const SeenLink* link, REAL* entries)
{
  project_mass(S, link, entries);
  project_inertia(S.w, link, entries + MASS * JOINT_LANES);
}

// project_link() for the link's own joint, which turns about z of its frame or slides along it.
INLINE void project_own(bool prismatic, const SeenLink* link, REAL entries[COLUMNS])
{
  const M3* U = &link->motion->U;
  V3 a        = link->motion->a;
  REAL none = zero(), xy = link->products.z;
  const REAL slides[] = {a.z, U->z.x, U->z.y, U->z.z, none, none, none, none, none, none};
  const REAL turns[]  = {none,          a.y,   r_neg(a.x),         none,
                         r_neg(xy),     xy,    link->motion->wd.z, link->xy,
                         r_neg(U->y.z), U->x.z};
  if (prismatic)
    for (int k = 0; k < COLUMNS; ++k) entries[k] = slides[k];
  else
    for (int k = 0; k < COLUMNS; ++k) entries[k] = turns[k];
}

// The answer, from the first column of a link on.
typedef struct
{
  REAL* out;     // (n, width)
  double* rows;  // or, if not NULL: the rows of the states in lanes, by_state apart
  size_t by_state, at;
} RegressorColumns;

#if LW_LANE_BYTES

#include "math/transpose.h"

// To the rows of all lanes, in blocks of which the last may overlap the one before.
INLINE void put_in_rows(double* at, size_t by_state, const REAL entries[COLUMNS])
{
  SHORT_LOOP
  for (size_t k = 0; k + WHOLE_BLOCK <= COLUMNS; k += WHOLE_BLOCK)
    store_whole_block(entries + k, at + k, by_state);
  if (COLUMNS % WHOLE_BLOCK) store_block(entries + COLUMNS - BLOCK, at + COLUMNS - BLOCK, by_state);
}

// Columns of every other link begin in the middle of a vector of four doubles: then two entries go
// first, so that few stores cross cache lines.
INLINE bool begins_between(const double* at)
{
  return WHOLE_BLOCK == 4 && BLOCK == 2 && (uintptr_t)at % 32 == 16;
}

// Zeros of a link to the rows of all lanes.
INLINE void put_zeros_in_rows(double* at, size_t by_state)
{
  const REAL none = zero();
  enum
  {
    EACH = sizeof none / sizeof *at,
    REST = COLUMNS % EACH
  };
  size_t first = begins_between(at) ? REST : 0, rest = first ? 0 : COLUMNS - REST;
  SHORT_LOOP
  for (int lane = 0; lane < LANES; ++lane, at += by_state)
  {
    SHORT_LOOP
    for (size_t k = 0; k + EACH <= COLUMNS; k += EACH) memcpy(at + first + k, &none, sizeof none);
    if (REST) memcpy(at + rest, &none, REST * sizeof *at);
  }
}

#endif

INLINE void put_row(RegressorColumns to, size_t row, const REAL entries[COLUMNS])
{
#if LW_LANE_BYTES
  if (to.rows) return put_in_rows(to.rows + to.at + row, to.by_state, entries);
#endif
  SHORT_LOOP
  for (int k = 0; k < COLUMNS; ++k) to.out[to.at + row + (size_t)k] = entries[k];
}

// Entries of a block of joints, of which there are count, in fours. Missing rows go to row 0, which
// is overwritten last.
INLINE void put_rows(RegressorColumns to, const size_t* row, int count, const REAL* entries)
{
  if (JOINT_LANES == 1) return put_row(to, *row, entries);
#if defined(BESIDE_FOURS)
  SHORT_LOOP
  for (int first = JOINT_LANES - 4; first >= 0; first -= 4)
  {
    REAL* at[4];
    if (first >= count) continue;
    SHORT_LOOP
    for (int k = 0; k < 4; ++k) at[k] = to.out + to.at + row[first + k < count ? first + k : 0];
    put_four(at, 0, entries + first);
    put_four(at, 4, entries + 4 * JOINT_LANES + first);
    put_two(at, 8, entries + 8 * JOINT_LANES + first);
  }
#else
  for (int k = 0; k < JOINT_LANES && k < count; ++k)
    for (int c = 0; c < COLUMNS; ++c)
      to.out[to.at + row[k] + (size_t)c] = entries[c * JOINT_LANES + k];
#endif
}

INLINE void put_zero_row(RegressorColumns to, size_t row)
{
#if LW_LANE_BYTES
  if (to.rows) return put_zeros_in_rows(to.rows + to.at + row, to.by_state);
#endif
  REAL* at = to.out + to.at + row;
  int k    = 0;
  SHORT_LOOP
  for (; k + JOINT_LANES <= COLUMNS; k += JOINT_LANES) block_store(at + k, block_all(zero()));
  SHORT_LOOP
  for (; k < COLUMNS; ++k) at[k] = zero();
}

// Zeros of a joint for the first count links in the order of their carriers, all before it.
INLINE void put_zeros_before(const lwModel* model, size_t row, int count, RegressorColumns to)
{
  for (int k = 0; k < count; ++k)
  {
    to.at = COLUMNS * (size_t)model->by_carrier[k];
    put_zero_row(to, row);
  }
}

// Zeros of the joints before a body that do not move it.
INLINE void put_zeros_around(const lwModel* model, int body, size_t width, RegressorColumns to)
{
  if (model->chain) return;
  for (int i = body; i >= 0; --i)
    if (i == body)
      body = model->parent[body];
    else
      put_zero_row(to, (size_t)i * width);
}

// Entries of the first count joints for a link. place: its frame in that of the body; NULL: the
// same.
INLINE void put_link(const SeenLink* link, const Frame* place, bool turned,
                     const MovingJoints* moving, int count, RegressorColumns to)
{
  _Alignas(64) REAL entries[COLUMNS * JOINT_LANES];
  for (int first = 0; first < count; first += JOINT_LANES)
  {
    const REAL* S = in_known_block(moving->S, TWIST, first);
    EACH_JOINT_LANE(k)
    {
      Twist joint = get_twist(S + k, 0);
      project_link(place ? twist_at(place, turned, joint) : joint, link, entries + k);
    }
    put_rows(to, moving->row + first, count - first, entries);
  }
}

INLINE void put_placed(const Member* member, bool turned, const Motion* body,
                       const MovingJoints* moving, RegressorColumns to)
{
  Frame place   = known_frame(member->rotation, member->position);
  Motion motion = motion_at(&place, turned, *body);
  SeenLink link = see_link(&motion);
  put_link(&link, &place, turned, moving, moving->count, to);
}

// A link whose frame is that of the joint that carries it.
INLINE void put_own(const lwModel* model, const Motion* body, const MovingJoints* moving,
                    RegressorColumns to)
{
  int last      = moving->count - 1;
  SeenLink link = see_link(body);
  REAL own[COLUMNS];
  if (is_wide(model, moving->joint[last]))
    return put_link(&link, NULL, false, moving, moving->count, to);
  put_link(&link, NULL, false, moving, last, to);
  project_own(is_prismatic(model, moving->joint[last]), &link, own);
  put_row(to, moving->row[last], own);
}

// Columns of link l on a body.
INLINE void put_carried(const lwModel* model, int l, const Motion* body, const MovingJoints* moving,
                        RegressorColumns to)
{
  to.at = COLUMNS * (size_t)l;
  if (model->place[l] == LW_PLACE_SAME)
    put_own(model, body, moving, to);
  else if (model->place[l] == LW_PLACE_MOVED)
    put_placed(&MEMBERS(model)[l], false, body, moving, to);
  else
    put_placed(&MEMBERS(model)[l], true, body, moving, to);
  put_zeros_around(model, model->carrier[l], moving->width, to);
}

// Motion of the body of a wide joint, from that of its parent, which is kept or is the base.
APART Motion rnea_motion_from_wide(const lwModel* model, const lwWideJoint* wide, const Turn* turns,
                                   const lwState* state, const Motion* stored)
{
  if (model->parent[wide->first] != LW_BASE)
    return rnea_motion_wide(model, wide, turns, state, stored);
  return rnea_move_wide_on_base(gravity_of(model, state), wide_frame(model, wide, turns),
                                wide_rates(wide, state->qd), wide_rates(wide, state->qdd));
}

// Outward, base to tip, run by run: motion of all bodies. zeros: (n) for rates that the state
// lacks.
APART void move_bodies(const lwModel* model, const lwState* state, const Turn* turns,
                       const Input* zeros, Motion* motion)
{
  const Input* qd  = state->qd ? state->qd : zeros;
  const Input* qdd = state->qdd ? state->qdd : zeros;
  for (int i = 0; i < model->n;)
  {
    Motion body;
    if (is_wide(model, i))
    {
      const lwWideJoint* wide = wide_joint(model, i);
      body                    = rnea_motion_from_wide(model, wide, turns, state, motion);
      i                       = wide->last;
    }
    else
      body = rnea_motion_from(model, i, joint_at(model, i, turns, state->q), state, motion);
    while (true)
    {
      motion[i] = body;
      if (++i == model->n || !continues_run(model, i)) break;
      body = rnea_move_revolute(body, joint_in_run(model, i, turns), qd[i], qdd[i]);
    }
  }
}

#if LW_LANE_BYTES

// A run: joints from the base on, none of them skew, of which each stands on the one before and has
// a link in its own frame, and all but the last one no other link. base: links on the base.
INLINE bool extends_run(const lwModel* model, int base, int i)
{
  int l = base + i;
  return model->parent[i] == i - 1 && !(model->kind[i] & LW_KIND_SKEW) && l < model->robot.count &&
         model->by_carrier[l] == l && model->carrier[l] == i && model->place[l] == LW_PLACE_SAME;
}

INLINE int run_length(const lwModel* model, int base)
{
  int i = 0;
  while (i < model->n && extends_run(model, base, i)) ++i;
  return i;
}

// What a joint sees of a link, to the rows of all lanes: the first entries are stored before the
// others need registers.
INLINE void put_joint(Twist S, const SeenLink* link, double* at, size_t by_state)
{
  REAL entries[COLUMNS];
  project_mass(S, link, entries);
  for (size_t k = 0; k < MASS; k += WHOLE_BLOCK) store_whole_block(entries + k, at + k, by_state);
  project_inertia(S.w, link, entries + MASS);
  store_six(entries + MASS, at + MASS, by_state);
}

// As put_joint(), for columns that begin between two blocks.
INLINE void put_joint_between(Twist S, const SeenLink* link, double* at, size_t by_state)
{
  REAL entries[COLUMNS];
  project_mass(S, link, entries);
  store_block(entries, at, by_state);
  project_inertia(S.w, link, entries + MASS);
  SHORT_LOOP
  for (size_t k = BLOCK; k < COLUMNS; k += WHOLE_BLOCK)
    store_whole_block(entries + k, at + k, by_state);
}

// All joints before i go on to its frame and meet its own link, whose columns begin at `at`. With
// each of them, zeros of joint i for the link of one of them are written, from `none` on: stores
// go on while numbers are computed. Twists are moved in a loop of their own, so that many of them
// are under way at once.
INLINE void pass_and_project(Joint j, int i, const SeenLink* seen, const MovingJoints* moving,
                             double* at, double* none, size_t by_state)
{
  Link link = *j.link;  // a copy, which stores cannot change
  REAL *S = moving->S, *end = S + TWIST * i;
  j.link = &link;
  j.skew = false;
  for (REAL* k = S; k < end; k += TWIST) put_twist(k, 0, twist_to_link(j, get_twist(k, 0)));
  for (; S < end; S += TWIST, at += moving->width, none += COLUMNS)
  {
    if (begins_between(at))
      put_joint_between(get_twist(S, 0), seen, at, by_state);
    else
      put_joint(get_twist(S, 0), seen, at, by_state);
    put_zeros_in_rows(none, by_state);
  }
}

// Outward along a run, into rows.
APART void project_run(const lwModel* model, int run, int base, const Turn* turns, const Input* q,
                       const Motion* motion, MovingJoints* moving, RegressorColumns to)
{
  MovingJoints all = *moving;
  double* first    = to.rows + COLUMNS * (size_t)base;
  for (int i = 0; i < run; ++i)
  {
    SeenLink seen = see_link(&motion[i]);
    size_t row = (size_t)i * all.width, column = COLUMNS * (size_t)i;
    REAL own[COLUMNS];
    project_own(is_prismatic(model, i), &seen, own);
    put_in_rows(first + row + column, to.by_state, own);
    put_zeros_before(model, row, base, to);
    add_joint(model, i, moving);
    pass_and_project(joint_at(model, i, turns, q), i, &seen, &all, first + column, first + row,
                     to.by_state);
  }
}

#endif

static void regressor(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n            = (size_t)model->n;
  RegressorColumns to = {.out = out};
  REAL* S             = take(&work, TWIST * (size_t)block_end(model->n) * sizeof *S);
  size_t* row         = take(&work, lw_lines(n, sizeof *row));
  Turn* turns         = take(&work, n * sizeof *turns);
  Motion* motion      = take(&work, n * sizeof *motion);
  const Input* zeros  = rnea_zeros(model, &work, state);
  MovingJoints moving = {work, row, S, 0, COLUMNS * (size_t)model->robot.count};
  const int *l = model->by_carrier, *end = l + model->robot.count;

  if (state->rows) to = (RegressorColumns){out, state->rows->at, state->rows->by_state, 0};
  joint_turns(model, state->q, turns);
  move_bodies(model, state, turns, zeros, motion);
  while (l < end && model->carrier[*l] == LW_BASE) ++l;
  int i = 0;
#if LW_LANE_BYTES
  if (to.rows)
  {
    int base = (int)(l - model->by_carrier);
    i        = run_length(model, base);
    project_run(model, i, base, turns, state->q, motion, &moving, to);
    for (l += i; l < end && i && model->carrier[*l] == i - 1; ++l)
      put_carried(model, *l, &motion[i - 1], &moving, to);
  }
#endif
  for (; i < model->n; ++i)
  {
    if (model->parent[i] != i - 1) start_branch(model, model->parent[i], turns, state->q, &moving);
    int last = pass_freedoms(model, i, turns, state->q, &moving);
    for (; i < last; ++i)
      put_zeros_before(model, (size_t)i * moving.width, (int)(l - model->by_carrier), to);
    put_zeros_before(model, (size_t)i * moving.width, (int)(l - model->by_carrier), to);
    for (; l < end && model->carrier[*l] == i; ++l) put_carried(model, *l, &motion[i], &moving, to);
  }
}

const lwKernel FN(regressor) = {.run       = regressor,
                                .per_joint = sizeof(Turn) + sizeof(Motion) + TWIST * sizeof(REAL) +
                                             sizeof(Input) + sizeof(size_t) + sizeof(int),
                                .flags = LW_KERNEL_NARROW | LW_KERNEL_STORES_ROWS |
                                         LW_KERNEL_READS_LINKS | LW_KERNEL_WIDE};
