// SPDX-License-Identifier: MIT
// Inverse dynamics by the Gibbs-Appell equations, O(n): the text to read.
//
// mata2002, section 4.1: tau_j is the derivative of
// Gibbs' function G = 1/2 sum m |acceleration|^2 by qdd_j. inverse/gibbs_appell.c computes the same
// torques faster.
//
//   paper      here  meaning                                           frame, unit
//   w, w dot   w,wd  angular velocity and acceleration of the link     link, rad/s, rad/s^2
//   Omega      W     [wd x] + [w x][w x]: a point at r accelerates     link, 1/s^2
//                    with a + W r
//   s dot dot  a     acceleration of the link's origin, less gravity   link, m/s^2
//   s_i-1,i    s     parent's origin to the link's                     parent, m
//   m r        h     mass times centre of mass                         link, kg m
//   J          J     integral of r r^T dm about the origin             link, kg m^2
//   f, phi     f     dG/da of the link and all that it carries         link, N
//   chi        chi   dG/dwd of the link and all that it carries        link, N m
//
// What differs from the paper: moments are about the origin instead of the centre of mass, the base
// accelerates with minus gravity (errata 1-5, 1-6), joints may slide (errata 1-1, 1-4, 1-7), and
// links may branch (indices of (15), (16) by erratum 1-8).
#include "kernels/joints.h"

typedef struct
{
  V3 w, wd, a;
  M3 W;
  V3 f, chi;
} AppellBody;

INLINE M3 acceleration_tensor(V3 w, V3 wd)
{
  REAL xx = r_mul(w.x, w.x), yy = r_mul(w.y, w.y), zz = r_mul(w.z, w.z);
  REAL xy = r_mul(w.x, w.y), xz = r_mul(w.x, w.z), yz = r_mul(w.y, w.z);
  return (M3){v3(r_neg(r_add(yy, zz)), r_sub(xy, wd.z), r_add(xz, wd.y)),
              v3(r_add(xy, wd.z), r_neg(r_add(xx, zz)), r_sub(yz, wd.x)),
              v3(r_sub(xz, wd.y), r_add(yz, wd.x), r_neg(r_add(xx, yy)))};
}

// Step 1: motion of a link from that of its parent.
INLINE void gibbs_motion(AppellBody* link, const AppellBody* parent, Joint j, bool prismatic,
                         REAL qd, REAL qdd)
{
  V3 rate = v3(zero(), zero(), qd), change = v3(zero(), zero(), qdd);
  link->w  = to_link(j, parent->w);
  link->wd = to_link(j, parent->wd);
  link->a  = to_link(j, m3_apply_add(parent->W, origin_in_parent(j), parent->a));
  if (prismatic)
    link->a = add(link->a, cross_add(link->w, add(rate, rate), change));
  else
  {
    link->wd = add(link->wd, cross_add(link->w, rate, change));
    link->w  = add(link->w, rate);
  }
  link->W = acceleration_tensor(link->w, link->wd);  // (12)
}

// Step 2: what the link itself adds to the derivatives of G.
INLINE void gibbs_derivatives(AppellBody* link, const Link* known)
{
  V3 h = known_vector(known->first_moment);
  S3 J = known_symmetric(known->pseudo);
  V3 x = s3_apply(J, link->W.x), y = s3_apply(J, link->W.y), z = s3_apply(J, link->W.z);  // W J
  V3 t      = v3(r_sub(z.y, y.z), r_sub(x.z, z.x), r_sub(y.x, x.y));                      // (10)
  link->f   = m3_apply_add(link->W, h, scale(K(known->mass), link->a));                   // (9)
  link->chi = cross_add(h, link->a, t);  // (15), r x f + t
}

static void reference_gibbs_appell(const lwModel* model, void* work, const lwState* state,
                                   void* out)
{
  int n            = model->n;
  Turn* turns      = take_turns(model, state->q, &work);
  AppellBody* body = (AppellBody*)work + 1;  // body[LW_BASE] is the base
  Result* tau      = out;
  V3 none          = v3_zero(), f, moment;

  // steps 1 and 2, outward
  body[LW_BASE] =
      (AppellBody){none, none, neg(gravity_of(model, state)), {none, none, none}, none, none};
  for (int i = 0; i < n; ++i)
  {
    Joint j = joint_at(model, i, turns, state->q);
    gibbs_motion(&body[i], &body[model->parent[i]], j, is_prismatic(model, i), given(state->qd, i),
                 given(state->qdd, i));
    gibbs_derivatives(&body[i], j.link);
  }

  // a wrench of the environment has power in dG, too
  if (is_tool_pushed(model, state))
    subtract_tool(model, state, &body[model->tool].f, &body[model->tool].chi);

  // step 3, inward
  for (int i = n - 1; i >= 0; --i)
  {
    Joint j            = joint_at(model, i, turns, state->q);
    AppellBody* parent = &body[model->parent[i]];
    tau[i]             = is_prismatic(model, i) ? body[i].f.z : body[i].chi.z;  // (14)
    f                  = to_parent(j, body[i].f);
    moment             = cross_add(origin_in_parent(j), f, to_parent(j, body[i].chi));
    parent->f          = add(parent->f, f);         // (16)
    parent->chi        = add(parent->chi, moment);  // (15)
  }
}

const lwKernel FN(reference_gibbs_appell) = {
    reference_gibbs_appell, sizeof(Turn) + sizeof(AppellBody), 0, {0}, 0};
