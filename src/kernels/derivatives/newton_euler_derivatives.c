// SPDX-License-Identifier: MIT
// Derivatives of inverse dynamics by differentiating the recursive Newton-Euler algorithm, O(n^2)
// for a chain.
//
// Luh, Walker & Paul 1980, differentiated step by step along q_k, then along qd_k: the direct way
// that Carpentier & Mansard, "Analytical derivatives of rigid body dynamics algorithms", 2018,
// start from. Symbols are those of inverse/newton_euler.c, d before them is the derivative.
// Everything is in the frame of its link:
// - Seen from link k, a turn of joint k turns the whole world back: d(w, wd, a) = -z x (w, wd, a).
// - Links further out feel only their parent's motion: (1), (2), (4) are linear in it, except U.
// - Joint k passes on what it transmits, turned or shifted with it: z x f, z x n are added to df,
//   dn or, if it slides, 0, z x f.
// - A wrench in the axes of its link does not change there; for one in base axes see pushed.h.
// - Freedoms of wide joints are along and about the axes of their link, whose numbers are kept with
//   the last of them. With e the axis of freedom k, z above is e, and only what comes from the
//   parent turns back. q changes in the tangent space (docs/conventions.md).
#include "kernels/derivatives/pushed.h"

typedef struct
{
  V3 w, wd, a;
} Change;  // of a Motion

// dU of U = [wd x] + w w^T - w.w 1
INLINE M3 acceleration_change(V3 w, Change d)
{
  V3 x = scale_add(d.w.x, w, scale(w.x, d.w)), y = scale_add(d.w.y, w, scale(w.y, d.w)),
     z    = scale_add(d.w.z, w, scale(w.z, d.w));
  REAL xx = x.x, yy = y.y, zz = z.z;
  return (M3){v3(r_neg(r_add(yy, zz)), r_sub(x.y, d.wd.z), r_add(x.z, d.wd.y)),
              v3(r_add(y.x, d.wd.z), r_neg(r_add(xx, zz)), r_sub(y.z, d.wd.x)),
              v3(r_sub(z.x, d.wd.y), r_add(z.y, d.wd.x), r_neg(r_add(xx, yy)))};
}

// -z x a
INLINE V3 turned_back(V3 a)
{
  return v3(a.y, r_neg(a.x), zero());
}

// Of link k itself, along q_k.
INLINE Change change_by_position(const Motion* link, bool prismatic)
{
  V3 none = v3_zero();
  if (prismatic) return (Change){none, none, v3(link->U.x.z, link->U.y.z, link->U.z.z)};
  return (Change){turned_back(link->w), turned_back(link->wd), turned_back(link->a)};
}

// Along qd_k. The origin may stand off along z, so its acceleration has a part of U.
INLINE Change change_by_velocity(const Motion* link, Joint j, bool prismatic)
{
  V3 none = v3_zero(), across = turned_back(link->w);  // w x z
  if (prismatic) return (Change){none, none, add(across, across)};
  Change d = {v3(zero(), zero(), constant(1)), across, none};
  d.a      = accelerate_d(j, acceleration_change(link->w, d), none);
  return d;
}

// Of a link further out, from that of its parent: (1), (2), (4) without what does not change.
INLINE Change change_outward(const Motion* parent, const Motion* link, Change d, Joint j, REAL qd,
                             bool prismatic)
{
  Change out;
  M3 dU     = acceleration_change(parent->w, d);
  out.w     = to_link(j, d.w);
  out.wd    = to_link(j, d.wd);
  out.a     = to_link(j, accelerate_span(j, dU, d.a));
  V3 across = scale(qd, turned_back(out.w));  // dw x z qd
  if (prismatic)
    out.a = add(out.a, add(across, across));
  else
    out.wd = add(out.wd, across);
  out.a = accelerate_d(j, acceleration_change(link->w, out), out.a);
  return out;
}

// --- wide joints

// The axis of freedom k of a wide joint.
INLINE V3 freedom_axis(const lwWideJoint* wide, int k)
{
  int along = (k - wide->first) % 3;
  return v3(constant(along == 0), constant(along == 1), constant(along == 2));
}

// What the parent gives to the link of a wide joint, in the axes of the link.
INLINE Motion given_by_parent(const Motion* parent, Frame F)
{
  V3 a = m3_apply_add(parent->U, F.p, parent->a);
  return (Motion){rotate_back(F, parent->w), rotate_back(F, parent->wd), rotate_back(F, a),
                  parent->U};
}

// Of the link of a wide joint, along the q of its freedom k.
INLINE Change wide_change_by_position(const Motion* parent, Frame F, const lwWideJoint* wide, int k,
                                      WideRates qd)
{
  V3 e = freedom_axis(wide, k), none = v3_zero();
  if (k <= wide->last - 3)
    return (Change){none, none, rotate_back(F, m3_apply(parent->U, rotate(F, e)))};
  Motion from = given_by_parent(parent, F);
  V3 w        = cross(from.w, e);
  return (Change){w, cross_add(w, qd.w, cross(from.wd, e)),
                  cross_add(add(w, w), qd.v, cross(from.a, e))};
}

// Along its qd.
INLINE Change wide_change_by_velocity(const Motion* parent, const Motion* link, Frame F,
                                      const lwWideJoint* wide, int k, WideRates qd)
{
  V3 e = freedom_axis(wide, k), w = rotate_back(F, parent->w), none = v3_zero();
  if (k <= wide->last - 3) return (Change){none, none, cross(add(w, link->w), e)};
  return (Change){e, cross(w, e), cross(e, qd.v)};
}

// Of the link of a wide joint further out, from that of its parent.
INLINE Change wide_change_outward(const Motion* parent, Change d, Frame F, WideRates qd)
{
  M3 dU = acceleration_change(parent->w, d);
  V3 w  = rotate_back(F, d.w);
  return (Change){w, cross_add(w, qd.w, rotate_back(F, d.wd)),
                  cross_add(add(w, w), qd.v, rotate_back(F, m3_apply_add(dU, F.p, d.a)))};
}

// What a joint transmits, w, after freedom k of it has moved: e x f, e x n or, along e, 0, e x f.
INLINE Wrench moved_wrench(const lwWideJoint* wide, int k, Wrench w)
{
  V3 e = freedom_axis(wide, k);
  if (k <= wide->last - 3) return (Wrench){v3_zero(), cross(e, w.f)};
  return (Wrench){cross(e, w.f), cross(e, w.n)};
}

INLINE Wrench change_of_need(const Link* known, const Motion* link, Change d)
{
  return wrench_of_motion(acceleration_change(link->w, d), d.a, K(known->mass),
                          known_vector(known->first_moment), known_symmetric(known->pseudo));
}

typedef struct
{
  const lwModel* model;
  const lwState* state;
  const Turn* turns;  // (n)
  Motion* motion;     // (n + 1)
  Wrench* through;    // (n) what each joint transmits
  Change* change;     // (n)
  Wrench* wrench;     // (n + 1) its derivative
  bool* beyond;       // (n) carried by joint k, or k itself
} DerivativeWay;

// The freedom that has the numbers of the link of freedom i: the last one of its joint.
INLINE int link_of(const lwModel* model, int i)
{
  return is_wide(model, i) ? wide_joint(model, i)->last : i;
}

// The change of the link of joint i, whose first freedom is i, from that of its parent.
INLINE Change change_beyond(const DerivativeWay* way, int i)
{
  const lwModel* model = way->model;
  int p                = model->parent[i];
  if (is_wide(model, i))
  {
    const lwWideJoint* wide = wide_joint(model, i);
    return wide_change_outward(&way->motion[p], way->change[p], wide_frame(model, wide, way->turns),
                               wide_rates(wide, way->state->qd));
  }
  return change_outward(&way->motion[p], &way->motion[i], way->change[p],
                        joint_at(model, i, way->turns, way->state->q), given(way->state->qd, i),
                        is_prismatic(model, i));
}

// Outward from link k, whose own change is given; then what each link beyond it needs.
INLINE void changes_outward(const DerivativeWay* way, int k)
{
  const lwModel* model = way->model;
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i], link = link_of(model, i);
    way->wrench[link] = (Wrench){v3_zero(), v3_zero()};
    way->beyond[link] = link == k || (p != LW_BASE && way->beyond[p]);
    if (way->beyond[link] && link != k) way->change[link] = change_beyond(way, i);
    if (way->beyond[link])
      way->wrench[link] =
          change_of_need(&LINKS(model)[link], &way->motion[link], way->change[link]);
    i = link;
  }
}

// changes_inward() for a wide joint. Returns its first freedom.
INLINE int change_wide_inward(const DerivativeWay* way, const lwWideJoint* wide, int k, bool turns,
                              REAL* column)
{
  const lwModel* model = way->model;
  size_t n             = (size_t)model->n;
  int p                = model->parent[wide->first];
  Wrench w             = way->wrench[wide->last];
  bool moves           = turns && k >= wide->first && k <= wide->last;
  REAL entries[6];
  wide_entries(wide, w, entries);
  for (int i = wide->first; i <= wide->last; ++i) column[(size_t)i * n] = entries[i - wide->first];
  if (moves) w = wrench_sum(w, moved_wrench(wide, k, way->through[wide->last]));
  if (p != LW_BASE)
    way->wrench[p] =
        wrench_sum(way->wrench[p], wide_wrench_to_parent(wide_frame(model, wide, way->turns), w));
  return wide->first;
}

// Inward: column k of d tau. turns: joint k moves what it transmits.
INLINE void changes_inward(const DerivativeWay* way, int k, bool turns, REAL* column)
{
  const lwModel* model = way->model;
  size_t n             = (size_t)model->n;
  for (int i = model->n - 1; i >= 0; --i)
  {
    if (is_wide(model, i))
    {
      i = change_wide_inward(way, wide_joint(model, i), k, turns, column);
      continue;
    }
    int p                 = model->parent[i];
    Wrench w              = way->wrench[i];
    bool slides           = is_prismatic(model, i);
    column[(size_t)i * n] = slides ? w.f.z : w.n.z;
    if (i == k && turns)
    {
      V3 f = way->through[i].f, m = way->through[i].n;
      w = (Wrench){slides ? w.f : sub(w.f, turned_back(f)), sub(w.n, turned_back(slides ? f : m))};
    }
    if (p == LW_BASE) continue;
    wrench_to_parent(joint_at(model, i, way->turns, way->state->q), &w.f, &w.n);
    way->wrench[p] = wrench_sum(way->wrench[p], w);
  }
}

// The motion itself, and what each joint transmits.
INLINE void undifferentiated(const DerivativeWay* way, Frame* frames)
{
  const lwModel* model = way->model;
  const lwState* state = way->state;
  int n                = model->n;
  way->motion[LW_BASE] = rnea_base(gravity_of(model, state));
  for (int i = 0; i < n; ++i)
  {
    const lwWideJoint* wide = is_wide(model, i) ? wide_joint(model, i) : NULL;
    Motion moves =
        wide ? rnea_motion_wide(model, wide, way->turns, state, way->motion)
             : rnea_motion(model, i, joint_at(model, i, way->turns, state->q), state, way->motion);
    i                = link_of(model, i);
    const Link* link = &LINKS(model)[i];
    way->motion[i]   = moves;
    way->through[i] =
        wrench_of_motion(way->motion[i].U, way->motion[i].a, K(link->mass),
                         known_vector(link->first_moment), known_symmetric(link->pseudo));
  }
  if (!state->pushes && is_tool_pushed(model, state))
    subtract_tool(model, state, &way->through[model->tool].f, &way->through[model->tool].n);
  if (state->pushes && pushes_in_base(state)) link_frames(model, way->turns, state->q, frames);
  for (int k = 0; k < state->push_count && state->wrench; ++k)
  {
    int i = state->pushes[k].view.carrier;
    if (i == LW_BASE) continue;
    Wrench w        = push_wrench(&state->pushes[k], frames, (const Input*)state->wrench + 6 * k);
    way->through[i] = wrench_less(way->through[i], w);
  }
  for (int i = n - 1; i >= 0; --i)
  {
    const lwWideJoint* wide = is_wide(model, i) ? wide_joint(model, i) : NULL;
    if (!wide) wrench_join_parent(model, i, way->turns, state->q, way->through);
    if (!wide) continue;
    int p = model->parent[i = wide->first];
    if (p == LW_BASE) continue;
    Frame F = wide_frame(model, wide, way->turns);
    way->through[p] =
        wrench_sum(way->through[p], wide_wrench_to_parent(F, way->through[wide->last]));
  }
}

// The changes of the link of joint k along q_k and along qd_k.
INLINE void own_changes(const DerivativeWay* way, int k, Change* by_q, Change* by_qd)
{
  const lwModel* model = way->model;
  if (is_wide(model, k))
  {
    const lwWideJoint* wide = wide_joint(model, k);
    const Motion* parent    = &way->motion[model->parent[wide->first]];
    Frame F                 = wide_frame(model, wide, way->turns);
    WideRates qd            = wide_rates(wide, way->state->qd);
    *by_q                   = wide_change_by_position(parent, F, wide, k, qd);
    *by_qd = wide_change_by_velocity(parent, &way->motion[wide->last], F, wide, k, qd);
    return;
  }
  bool slides = is_prismatic(model, k);
  *by_q       = change_by_position(&way->motion[k], slides);
  *by_qd =
      change_by_velocity(&way->motion[k], joint_at(model, k, way->turns, way->state->q), slides);
}

static void newton_euler_derivatives(const lwModel* model, void* work, const lwState* state,
                                     void* out)
{
  size_t n          = (size_t)model->n;
  Turn* turns       = take_turns(model, state->q, &work);
  DerivativeWay way = {.model = model, .state = state, .turns = turns};
  way.motion        = (Motion*)take(&work, (n + 1) * sizeof(Motion)) + 1;
  way.through       = take(&work, n * sizeof(Wrench));
  way.change        = take(&work, n * sizeof(Change));
  way.wrench        = take(&work, n * sizeof(Wrench));
  Frame* frames     = (Frame*)take(&work, (n + 1) * sizeof(Frame)) + 1;
  way.beyond        = take(&work, n * sizeof *way.beyond);
  REAL *by_q = out, *by_qd = by_q + n * n;

  undifferentiated(&way, frames);
  for (int k = 0; k < model->n; ++k)
  {
    int link = link_of(model, k);
    Change position, velocity;
    own_changes(&way, k, &position, &velocity);
    way.change[link] = position;
    changes_outward(&way, link);
    changes_inward(&way, k, true, by_q + k);
    way.change[link] = velocity;
    changes_outward(&way, link);
    changes_inward(&way, k, false, by_qd + k);
  }
  if (!state->pushes || !state->wrench) return;
  ground_frames(model, turns, state->q, frames);  // what wrenches in base axes need more
  keep_directions(model, state, frames, by_q);
}

const lwKernel FN(newton_euler_derivatives) = {
    .run       = newton_euler_derivatives,
    .per_joint = sizeof(Turn) + sizeof(Motion) + 2 * sizeof(Wrench) + sizeof(Change) +
                 sizeof(Frame) + sizeof(REAL),
    .flags = LW_KERNEL_NARROW | LW_KERNEL_TAKES_PUSHES | LW_KERNEL_WIDE};
