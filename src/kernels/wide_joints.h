// SPDX-License-Identifier: MIT
// Ball and floating joints as 3 or 6 consecutive freedoms (lwWideJoint). Included by joints.h only.
//
//   F        frame of the link in that of its parent: axes x, y, z and origin p
//   v, w     velocity of the link's origin and angular velocity against the parent, in link axes:
//            qd of a floating joint is (v, w), of a ball (w)
//
// Positions are (p, quaternion) or (quaternion) in the frame of the joint at rest, which the place
// of the first freedom's Link gives in that of the parent. The rotation is rational in the
// quaternion, so the same text serves every scalar.
//
// Frames are kept with the turns, where wide joints need none: x and y, from which z follows, and
// p if the joint floats, 6 or 9 of the 6 or 12 numbers that their freedoms have there.

typedef struct
{
  V3 x, y, z;  // axes of the link
  V3 p;        // origin, m
} Frame;       // in the axes of the parent, or of the base

INLINE bool is_wide(const lwModel* model, int i)
{
  return model->kind[i] & LW_KIND_WIDE;
}

// The wide joint that freedom i is one of.
INLINE const lwWideJoint* wide_joint(const lwModel* model, int i)
{
  return &model->wides[model->wide_of[i]];
}

// F a: a vector of the link in the axes of the parent.
INLINE V3 rotate(Frame F, V3 a)
{
  return scale_add(a.x, F.x, scale_add(a.y, F.y, scale(a.z, F.z)));
}

// F^T a: a vector of the parent in the axes of the link.
INLINE V3 rotate_back(Frame F, V3 a)
{
  return v3(dot(F.x, a), dot(F.y, a), dot(F.z, a));
}

// Three consecutive entries of an input that may be absent.
INLINE V3 given_vector(const Input* a, int i)
{
  return v3(given(a, i), given(a, i + 1), given(a, i + 2));
}

// Axes x and y of R = 1 + s (w [e x] + [e x]^2), s = 2 / |quaternion|^2, e = (x, y, z).
INLINE void quaternion_axes(const Input* quaternion, V3* x_axis, V3* y_axis)
{
  REAL x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
  REAL xx = r_mul(x, x), yy = r_mul(y, y), zz = r_mul(z, z);
  REAL square = r_add(r_add(xx, yy), mul_add(w, w, zz));
  REAL s      = r_div(constant(2), square);
  REAL xy = r_mul(x, y), xz = r_mul(x, z), yz = r_mul(y, z);
  *x_axis = v3(sub_mul(constant(1), s, r_add(yy, zz)), r_mul(s, mul_add(z, w, xy)),
               r_mul(s, sub_mul(xz, y, w)));
  *y_axis = v3(r_mul(s, sub_mul(xy, z, w)), sub_mul(constant(1), s, r_add(xx, zz)),
               r_mul(s, mul_add(x, w, yz)));
}

// The wide joint at rest, as a joint that does not move.
INLINE Joint joint_at_rest(const lwModel* model, int i)
{
  const Link* link = &LINKS(model)[i];
  return (Joint){
      link, model->kind[i] & LW_KIND_SKEW, {K(link->cos_theta), K(link->sin_theta)}, K(link->d)};
}

INLINE void keep_frame(const lwWideJoint* wide, V3 x, V3 y, V3 p, Turn* turns)
{
  const V3 all[3] = {x, y, p};
  REAL* to        = &turns[wide->first].c;
  for (int k = 0; k < (wide->floats ? 3 : 2); ++k)
  {
    to[3 * k]     = all[k].x;
    to[3 * k + 1] = all[k].y;
    to[3 * k + 2] = all[k].z;
  }
}

// q NULL: at rest. The first joint of the base is at rest in the base frame.
INLINE void set_wide_turns(const lwModel* model, const lwWideJoint* wide, const Input* q,
                           Turn* turns)
{
  REAL none = zero(), one = constant(1);
  V3 x = v3(one, none, none), y = v3(none, one, none), p = v3_zero();
  if (q) quaternion_axes(q + wide->q + (wide->floats ? 3 : 0), &x, &y);
  if (q && wide->floats) p = given_vector(q, wide->q);
  if (wide->first > 0)
  {
    Joint rest = joint_at_rest(model, wide->first);
    x          = to_parent(rest, x);
    y          = to_parent(rest, y);
    p          = add(origin_in_parent(rest), to_parent(rest, p));
  }
  keep_frame(wide, x, y, p, turns);
}

// F of a wide joint, whose turns are as joint_turns() has left them.
INLINE Frame wide_frame_from(const lwModel* model, const lwWideJoint* wide, const Turn* own)
{
  const REAL* at = &own->c;
  V3 x = v3(at[0], at[1], at[2]), y = v3(at[3], at[4], at[5]), p = v3_zero();
  if (wide->floats)
    p = v3(at[6], at[7], at[8]);
  else if (wide->first > 0)
    p = origin_in_parent(joint_at_rest(model, wide->first));
  return (Frame){x, y, cross(x, y), p};
}

// F of a wide joint, from the turns of all joints.
INLINE Frame wide_frame(const lwModel* model, const lwWideJoint* wide, const Turn* turns)
{
  return wide_frame_from(model, wide, turns + wide->first);
}

// A wrench of the link at its origin, taken to the parent's frame and origin.
INLINE Wrench wide_wrench_to_parent(Frame F, Wrench w)
{
  V3 f = rotate(F, w.f);
  return (Wrench){f, cross_add(F.p, f, rotate(F, w.n))};
}

// F S F^T
INLINE S3 tensor_by_frame(Frame F, S3 S)
{
  V3 a = rotate(F, v3(S.xx, S.xy, S.xz));
  V3 b = rotate(F, v3(S.xy, S.yy, S.yz));
  V3 c = rotate(F, v3(S.xz, S.yz, S.zz));
  V3 x = rotate(F, v3(a.x, b.x, c.x));
  V3 y = rotate(F, v3(a.y, b.y, c.y));
  V3 z = rotate(F, v3(a.z, b.z, c.z));
  return (S3){x.x, y.y, z.z, x.y, x.z, y.z};
}

// What a wrench of the link gives to the freedoms: entries of torques.
INLINE void wide_entries(const lwWideJoint* wide, Wrench w, REAL entries[6])
{
  const REAL all[6] = {w.f.x, w.f.y, w.f.z, w.n.x, w.n.y, w.n.z};
  int from          = wide->floats ? 0 : 3;
  for (int k = from; k < 6; ++k) entries[k - from] = all[k];
}

INLINE void store_wide(const lwWideJoint* wide, Wrench w, Result* out)
{
  out += wide->first;
  if (wide->floats)
  {
    out[0] = w.f.x;
    out[1] = w.f.y;
    out[2] = w.f.z;
    out += 3;
  }
  out[0] = w.n.x;
  out[1] = w.n.y;
  out[2] = w.n.z;
}

// Entries of a wide joint in an input: linear and angular.
typedef struct
{
  V3 v, w;
} WideRates;

INLINE WideRates wide_rates(const lwWideJoint* wide, const Input* in)
{
  return (WideRates){wide->floats ? given_vector(in, wide->first) : v3_zero(),
                     given_vector(in, wide->last - 2)};
}

// The freedom behind a wide joint, for inputs that are read joint by joint.
INLINE int skip_wide(const lwWideJoint* wide, MaybeInput* qd, MaybeInput* qdd)
{
  int count = wide->last + 1 - wide->first;
  qd->next += count * qd->step;
  qdd->next += count * qdd->step;
  return wide->last + 1;
}
