// SPDX-License-Identifier: MIT
// The regressor Y(q, qd, qdd): torques are tau = Y pi, linear in the mass parameters pi of the
// links, O(n depth).
//
// Atkeson, An & Hollerbach, "Estimation of inertial parameters of manipulator loads and links",
// 1986. Ten parameters of every link of the description, behind fixed joints too, about the origin
// and in the axes of its own frame there:
//   m, mx my mz = m c, and the inertia about the origin xx yy zz xy xz yz, elements of the tensor.
//
// Joint i, whose twist S moves the link's origin p with v = S.v + S.w x p, sees, in axes of the
// ground, p accelerating with a and other points of the link with a + U r:
//   m            v.a
//   mx, my, mz   e^T (U^T v + a x S.w), e being the link's axes
//   xx .. yz     (e^T S.w).(I wd + w x I w), I being one element, w and wd in the link's axes
#include "kernels/derivatives/beside.h"

enum
{
  FIRST   = 4,  // m, mx, my, mz
  SECOND  = 6,  // xx .. yz
  COLUMNS = FIRST + SECOND
};

// Numbers of a link of the description, side by side with those of others (beside.h).
enum
{
  AT_BODY   = 0,   // frame of the body that carries it: x, y, z, p
  AT_PLACE  = 12,  // its own frame in that one
  AT_W      = 24,  // angular velocity, ground
  AT_WD     = 27,  // angular acceleration
  AT_BODY_A = 30,  // acceleration of the body's origin, less gravity
  AT_E      = 0,   // its frame in the ground frame
  AT_A      = 12,  // acceleration of its origin
  AT_U      = 15,  // rows of U
  AT_UNIT   = 24,  // (6, 3) moments of unit elements of inertia, link
  SIZE      = 42
};

INLINE V3 to_axes(Frame e, V3 a)
{
  return v3(dot(e.x, a), dot(e.y, a), dot(e.z, a));
}

// I wd + w x I w for unit elements of I
INLINE void put_units(REAL* link, V3 w, V3 wd)
{
  REAL xy = r_mul(w.x, w.y), xz = r_mul(w.x, w.z), yz = r_mul(w.y, w.z);
  REAL xx = r_mul(w.x, w.x), yy = r_mul(w.y, w.y), zz = r_mul(w.z, w.z);
  put3(link, AT_UNIT, v3(wd.x, xz, r_neg(xy)));
  put3(link, AT_UNIT + 3, v3(r_neg(yz), wd.y, xy));
  put3(link, AT_UNIT + 6, v3(yz, r_neg(xz), wd.z));
  put3(link, AT_UNIT + 9, v3(r_sub(wd.y, xz), r_add(wd.x, yz), r_sub(xx, yy)));
  put3(link, AT_UNIT + 12, v3(r_add(wd.z, xy), r_sub(zz, xx), r_sub(wd.x, yz)));
  put3(link, AT_UNIT + 15, v3(r_sub(yy, zz), r_sub(wd.z, xy), r_add(wd.y, xz)));
}

// A link whose frame is `place` in the frame F of the body that carries it.
INLINE void see_link(REAL* link, const Frame* F, Frame place, const BodyMotion* body)
{
  V3 r    = rotate(*F, place.p);
  Frame e = {rotate(*F, place.x), rotate(*F, place.y), rotate(*F, place.z), add(F->p, r)};
  M3 U    = acceleration_matrix(body->w, body->wd);
  put_frame(link, AT_E, e);
  put3(link, AT_A, m3_apply_add(U, r, body->a));
  put3(link, AT_U, U.x);
  put3(link, AT_U + 3, U.y);
  put3(link, AT_U + 6, U.z);
  put_units(link, to_axes(e, body->w), to_axes(e, body->wd));
}

// The same by way of the block.
INLINE void put_carried(REAL* link, const Frame* F, Frame place, const BodyMotion* body)
{
  put_frame(link, AT_BODY, *F);
  put_frame(link, AT_PLACE, place);
  put3(link, AT_W, body->w);
  put3(link, AT_WD, body->wd);
  put3(link, AT_BODY_A, body->a);
}

INLINE void see_carried(REAL* link)
{
  Frame F         = get_frame(link, AT_BODY);
  BodyMotion body = {get3(link, AT_W), get3(link, AT_WD), get3(link, AT_BODY_A)};
  see_link(link, &F, get_frame(link, AT_PLACE), &body);
}

// What a joint with twist S sees of it: ten entries, side by side like the links.
INLINE void meet_link(Twist S, const REAL* link, REAL* entries)
{
  Frame e    = get_frame(link, AT_E);
  V3 a       = get3(link, AT_A);
  V3 v       = cross_add(S.w, e.p, S.v);
  V3 U_v     = scale_add(v.x, get3(link, AT_U),
                         scale_add(v.y, get3(link, AT_U + 3), scale(v.z, get3(link, AT_U + 6))));
  V3 turns   = to_axes(e, S.w);
  entries[0] = dot(v, a);
  put3(entries, 1, to_axes(e, cross_add(a, S.w, U_v)));
  SHORT_LOOP
  for (int k = 0; k < SECOND; ++k)
    entries[(FIRST + k) * BESIDE] = dot(turns, get3(link, AT_UNIT + 3 * k));
}

// Whether joint i moves a body.
INLINE bool moves_body(const lwModel* model, int i, int body)
{
  if (model->chain) return body >= i;
  while (body > i) body = model->parent[body];
  return body == i;
}

// The links of a block, and what they are to the joints.
typedef struct
{
  _Alignas(64) REAL links[SIZE * BESIDE];
  const int* carrier;  // (count)
  int count;           // links that there are
  int least, most;     // the first and the last body that carries one of them
} LinkBlock;

// A block of links from `first` on.
INLINE void take_links(const lwModel* model, const Frame* frames, const BodyMotion* body, int first,
                       LinkBlock* block)
{
  int left       = model->robot.count - first;
  block->count   = left < BESIDE ? left : BESIDE;
  block->least   = model->n;
  block->most    = LW_BASE;
  block->carrier = model->carrier + first;
  for (int k = 0; k < block->count; ++k)
  {
    int carrier = block->carrier[k];
    if (carrier < block->least) block->least = carrier;
    if (carrier > block->most) block->most = carrier;
    const Member* member = &MEMBERS(model)[first + k];
    Frame place          = known_frame(member->rotation, member->position);
    if (BESIDE == 1)
      see_link(block->links, &frames[carrier], place, &body[carrier]);
    else
      put_carried(block->links + k, &frames[carrier], place, &body[carrier]);
  }
  if (BESIDE == 1) return;
  fill_last_block(block->links, SIZE, block->count, 0, SIZE);
  EACH_BESIDE(k) see_carried(block->links + k);
}

// Columns of a whole block of links.
INLINE void put_columns(REAL* row, const REAL* entries)
{
  put_four(row, COLUMNS, entries);
  put_four(row + 4, COLUMNS, entries + 4 * BESIDE);
  SHORT_LOOP
  for (int k = 0; k < BESIDE; ++k)
  {
    row[k * COLUMNS + 8] = entries[8 * BESIDE + k];
    row[k * COLUMNS + 9] = entries[9 * BESIDE + k];
  }
}

INLINE void put_zeros(REAL* row)
{
  SHORT_LOOP
  for (int c = 0; c < COLUMNS; ++c) row[c] = zero();
}

// Entries of a joint for the links of a block, in its row. Fewer links than a block has go by way
// of memory of their own.
INLINE void meet_links(Twist S, const LinkBlock* block, REAL* row)
{
  _Alignas(64) REAL entries[COLUMNS * BESIDE];
  EACH_BESIDE(k) meet_link(S, block->links + k, entries + k);
  if (block->count == BESIDE)
    put_columns(row, entries);
  else
  {
    REAL all[COLUMNS * BESIDE];
    put_columns(all, entries);
    for (int k = 0; k < block->count * COLUMNS; ++k) row[k] = all[k];
  }
}

// The same for joint i, with zeros for links that it does not move.
INLINE void meet_block(const lwModel* model, int i, Twist S, const LinkBlock* block, REAL* row)
{
  if (i <= block->most && BESIDE == 1)
    meet_link(S, block->links, row);
  else if (i <= block->most)
    meet_links(S, block, row);
  if (model->chain && i <= block->least) return;
  for (int k = 0; k < block->count; ++k, row += COLUMNS)
    if (!moves_body(model, i, block->carrier[k])) put_zeros(row);
}

// Outward, base to tip: frames and motion of all bodies.
INLINE void move_bodies(const lwModel* model, const lwState* state, const Turn* turns,
                        Frame* frames, BodyMotion* body, Twist* S)
{
  frames[LW_BASE] = ground_base();
  body[LW_BASE]   = (BodyMotion){v3_zero(), v3_zero(), neg(gravity_of(model, state))};
  for (int i = 0; i < model->n; ++i)
  {
    int p     = model->parent[i];
    frames[i] = ground_frame(frames[p], joint_at(model, i, turns, state->q));
    body[i]   = move_body(is_prismatic(model, i), sub(frames[i].p, frames[p].p), frames[i].z,
                          &body[p], given(state->qd, i), given(state->qdd, i));
    S[i]      = joint_twist(model, i, &frames[i]);
  }
}

static void regressor(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n = (size_t)model->n, width = COLUMNS * (size_t)model->robot.count;
  Turn* turns      = take(&work, n * sizeof *turns);
  Frame* frames    = (Frame*)take(&work, (n + 1) * sizeof *frames) + 1;
  BodyMotion* body = (BodyMotion*)take(&work, (n + 1) * sizeof *body) + 1;
  Twist* S         = work;

  joint_turns(model, state->q, turns);
  move_bodies(model, state, turns, frames, body, S);
  for (int first = 0; first < model->robot.count; first += BESIDE)
  {
    LinkBlock block;
    take_links(model, frames, body, first, &block);
    REAL* row = (REAL*)out + COLUMNS * (size_t)first;
    for (int i = 0; i < model->n; ++i, row += width) meet_block(model, i, S[i], &block, row);
  }
}

const lwKernel FN(regressor) = {
    regressor, sizeof(Turn) + sizeof(Frame) + sizeof(BodyMotion) + sizeof(Twist), 0, {0}};
