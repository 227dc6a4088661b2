// SPDX-License-Identifier: MIT
// Inertia matrix by composite bodies whose wrenches meet the joints in one common frame, O(n^2) for a chain.
//
// Walker & Orin 1982, method 3. An entry of the matrix is the wrench that accelerates one joint's composite body times
// the twist of another joint: M_ij = n_i . w_j + f_i . v_j. Seen from one frame that takes 6 multiplications, where
// carrying the wrench from link to link takes 20.
//
//   here      meaning                                                             frame, unit
//   h, J      composite body, link i and all that it carries: first moment, and
//             integral of r r^T dm (silver1981 (2.7))                             link, kg m, kg m^2
//   x y z     axes of the half-way frame of joint i, which has its origin at the
//             end of the arm and is not yet turned by theta or shifted by d       common
//   p         the common origin to that origin                                    common, m
//   w, v      twist of unit rate of joint i, at the common origin                 common, 1, m
//   f, n      wrench of its unit acceleration, at the common origin               common, N, N m
//
// Where it differs from the paper:
// - The paper carries wrenches from frame to frame. Here the common frame has the axes of the link that stands on the
//   base and the origin of the last joint. The axes cost no accuracy: only angles between joints matter, and
//   neighbours share their rounding. The origin does: joints near the tip move little mass, and moments about a far
//   point would hide it. About the tip, moments of a composite body are no larger than the entries they make. So
//   origins are summed from the tip inward, never as differences of far points. In a tree, this holds for the branch
//   of the last joint; other trees on the same base have their origin there. Measured, stretched chain of 40 joints:
//   3e-15 sqrt(M_ii M_jj) off composite_body.c; 6e-15 with the origin at the base.
// - Composite bodies stay in link frames, where shifts and turns have zeros, about the link's origin and undivided by
//   mass, as in composite_body.c; with J for the inertia, because it shifts with one addition less.
#include "kernels/joints.h"

typedef struct
{
  V3 h;  // composite body
  S3 J;
  V3 x, y, z, p;  // half-way frame
  V3 step;        // origin of the parent's half-way frame to this one's, common axes, m
  V3 w, v;        // twist
  bool placed;    // p is known
} Body;

// Reference point moved by -p, p along z by d: h grows by M p, J by (p k^T + k p^T)/2 with k = h + h' (old and new).
INLINE void shift_z(Body* body, REAL mass, REAL d)
{
  REAL old   = body->h.z;
  body->h.z  = mul_add(mass, d, old);
  body->J.zz = mul_add(d, r_add(old, body->h.z), body->J.zz);
  body->J.xz = mul_add(d, body->h.x, body->J.xz);
  body->J.yz = mul_add(d, body->h.y, body->J.yz);
}

INLINE void shift_x(Body* body, REAL mass, REAL a)
{
  REAL old   = body->h.x;
  body->h.x  = mul_add(mass, a, old);
  body->J.xx = mul_add(a, r_add(old, body->h.x), body->J.xx);
  body->J.xy = mul_add(a, body->h.y, body->J.xy);
  body->J.xz = mul_add(a, body->h.z, body->J.xz);
}

// The same for a general p.
INLINE void shift(Body* body, REAL mass, V3 p)
{
  V3 old     = body->h;
  body->h    = scale_add(mass, p, old);
  V3 sum     = add(old, body->h);
  V3 k       = scale(constant((CONST)0.5), sum);
  body->J.xx = mul_add(p.x, sum.x, body->J.xx);
  body->J.yy = mul_add(p.y, sum.y, body->J.yy);
  body->J.zz = mul_add(p.z, sum.z, body->J.zz);
  body->J.xy = mul_add(p.x, k.y, mul_add(p.y, k.x, body->J.xy));
  body->J.xz = mul_add(p.x, k.z, mul_add(p.z, k.x, body->J.xz));
  body->J.yz = mul_add(p.y, k.z, mul_add(p.z, k.y, body->J.yz));
}

// I.zz of I = tr(J) 1 - J (silver1981 (2.11))
INLINE REAL about_z(S3 J)
{
  return r_add(J.xx, J.yy);
}

// The composite body of joint j, about the end of its arm and in half-way axes.
INLINE void screw_z(Joint j, Body* body)
{
  shift_z(body, K(j.link->outboard_mass), j.d);
  body->h = turn_z(j.theta, body->h);
  body->J = s3_turn_z(j.theta, body->J);
}

// What is left to the parent's origin and axes, added to the parent.
INLINE void screw_x(Joint j, Body* body, Body* parent)
{
  REAL mass  = K(j.link->outboard_mass);
  Turn alpha = alpha_turn(j.link);
  body->h    = turn_x(alpha, body->h);
  body->J    = s3_turn_x(alpha, body->J);
  if (j.skew)
  {
    Turn gamma = gamma_turn(j.link);
    body->h    = turn_z(gamma, body->h);
    body->J    = s3_turn_z(gamma, body->J);
    shift(body, mass, known_vector(j.link->arm));
  }
  else
    shift_x(body, mass, K(j.link->arm[0]));
  parent->h = add(parent->h, body->h);
  parent->J = add(parent->J, body->J);
}

// Axes a, b of a frame after a turn from a towards b.
INLINE void turn_axes(Turn t, V3* a, V3* b)
{
  V3 old = *a;
  *a     = scale_add(t.c, old, scale(t.s, *b));
  *b     = scale_add(t.c, *b, scale(r_neg(t.s), old));
}

// The half-way frame of joint j from its parent's.
INLINE void set_axes(Joint j, Body* body, const Body* parent, Turn theta, REAL d)
{
  V3 x = parent->x, y = parent->y, z = parent->z;
  turn_axes(theta, &x, &y);
  V3 step = scale_add(d, z, scale(K(j.link->arm[0]), x));
  if (j.skew)
  {
    step = scale_add(K(j.link->arm[1]), y, scale_add(K(j.link->arm[2]), z, step));
    turn_axes(gamma_turn(j.link), &x, &y);
  }
  turn_axes(alpha_turn(j.link), &y, &z);
  body->x    = x;
  body->y    = y;
  body->z    = z;
  body->step = step;
}

// Outward, base to tip: axes, and steps from origin to origin. What stands on the base is not turned or shifted by its
// own joint: all that it carries would be, too.
INLINE void set_all_axes(const lwModel* model, const Joint* joints, Body* body)
{
  REAL none = zero(), one = constant(1);
  for (int i = 0; i < model->n; ++i)
  {
    int p = model->parent[i];
    if (p == LW_BASE)
    {
      body[i].x = v3(one, none, none);
      body[i].y = v3(none, one, none);
      body[i].z = v3(none, none, one);
    }
    else if (model->parent[p] == LW_BASE)
      set_axes(joints[i], &body[i], &body[p], (Turn){one, none}, none);
    else
      set_axes(joints[i], &body[i], &body[p], joints[p].theta, joints[p].d);
  }
}

// Origins: from the last joint inward, then outward along other branches.
INLINE void set_origins(const lwModel* model, Body* body)
{
  int i = model->n - 1;
  for (int k = 0; k < i; ++k) body[k].placed = false;
  body[i].p      = v3_zero();
  body[i].placed = true;
  for (int p = model->parent[i]; p != LW_BASE; i = p, p = model->parent[p])
  {
    body[p].p      = sub(body[i].p, body[i].step);
    body[p].placed = true;
  }
  for (int k = 0; k < model->n - 1; ++k)
  {
    int p = model->parent[k];
    if (!body[k].placed) body[k].p = p == LW_BASE ? v3_zero() : add(body[p].p, body[k].step);
  }
}

INLINE void set_twist(Body* body, bool prismatic)
{
  body->w = prismatic ? v3_zero() : body->z;
  body->v = prismatic ? body->z : cross(body->p, body->z);
}

// The wrench of unit acceleration of a joint, read off its composite body in the half-way frame.
INLINE void unit_wrench(const Body* body, const Link* link, bool prismatic, V3* f, V3* n)
{
  V3 h = body->h;
  S3 J = body->J;
  if (prismatic)
  {
    *f = scale(K(link->outboard_mass), body->z);
    *n = scale_add(h.y, body->x, scale(r_neg(h.x), body->y));
  }
  else
  {
    *f = scale_add(h.x, body->y, scale(r_neg(h.y), body->x));
    *n = scale_add(r_neg(J.xz), body->x,
                   scale_add(r_neg(J.yz), body->y, scale(about_z(J), body->z)));
  }
  *n = cross_add(body->p, *f, *n);
}

INLINE void set_entry(REAL* M, int n, int i, int k, REAL entry)
{
  M[(size_t)i * (size_t)n + (size_t)k] = entry;
  M[(size_t)k * (size_t)n + (size_t)i] = entry;
}

// Column i below the diagonal: M_ij = n_i . w_j + f_i . v_j
INLINE void fill_column(const lwModel* model, int i, const Body* body, REAL* M)
{
  V3 f, n;
  unit_wrench(&body[i], &LINKS(model)[i], is_prismatic(model, i), &f, &n);
  for (int j = model->parent[i]; j != LW_BASE; j = model->parent[j])
  {
    REAL linear = dot(f, body[j].v);
    REAL entry  = is_prismatic(model, j) ? linear : dot_add(n, body[j].w, linear);
    set_entry(M, model->n, i, j, entry);
  }
}

static void common_frame(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n         = model->n;
  Turn* turns   = take(&work, (size_t)n * sizeof *turns);
  Joint* joints = take(&work, (size_t)n * sizeof *joints);
  Body* body    = work;
  REAL* M       = out;

  joint_turns(model, state->q, turns);
  for (int i = 0; i < n; ++i) joints[i] = joint_at(model, i, turns, state->q);
  for (size_t k = 0; k < (size_t)n * (size_t)n; ++k) M[k] = zero();

  // twists of all joints in the common frame
  set_all_axes(model, joints, body);
  set_origins(model, body);
  for (int i = 0; i < n; ++i) set_twist(&body[i], is_prismatic(model, i));

  // inward, tip to base: composite bodies, and their wrenches times the twists
  for (int i = 0; i < n; ++i)
  {
    body[i].h = known_vector(joints[i].link->moment);
    body[i].J = known_symmetric(joints[i].link->pseudo);
  }
  for (int i = n - 1; i >= 0; --i)
  {
    int p         = model->parent[i];
    REAL resisted = is_prismatic(model, i) ? K(joints[i].link->outboard_mass) : about_z(body[i].J);
    set_entry(M, n, i, i, resisted);
    if (p == LW_BASE) continue;
    screw_z(joints[i], &body[i]);
    fill_column(model, i, body, M);
    screw_x(joints[i], &body[i], &body[p]);
  }
}

const lwKernel FN(common_frame) = {
    common_frame, sizeof(Turn) + sizeof(Joint) + sizeof(Body), 0, {0}};
