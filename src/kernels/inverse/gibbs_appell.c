// SPDX-License-Identifier: MIT
// Inverse dynamics by the Gibbs-Appell equations in recursive tensor form, O(n).
//
// Mata, Provenzano, Valero & Cuadrado, "Serial-robot dynamics algorithms for moderately large
// numbers of joints", 2002 (mata2002), section 4.1: tau_j = dG/dqdd_j of Gibbs' function G, half
// the sum of mass times acceleration squared.
//
//   paper        here   meaning                                                    frame, unit
//   w            w      angular velocity of the link                               link, rad/s
//   w dot        wd     angular acceleration                                       link, rad/s^2
//   Omega        W      angular acceleration tensor, [wd x] + [w x][w x]           link, 1/s^2
//   s dot dot    a      acceleration of the link's origin, less gravity            link, m/s^2
//   s_{i-1,i}    s      parent's origin to the link's                              parent, m
//   m r_{i,i}    h      first moment of the link                                   link, kg m
//   J            J      Euler's tensor, the integral of r r^T dm about the origin  link, kg m^2
//   f            f      force that sustains the link's motion, then f + phi        link, N
//   phi          phi    the same of all that the link carries                      link, N
//   t            t      moment that sustains the link's turning                    link, N m
//   chi          chi    dG/dwd of the link and all that it carries                 link, N m
//
// The paper's frames are modified DH, canonical ones but for a general s.
// Where it differs from the paper:
// - f and t are about the link's origin: m (a + W r) = m a + W h, and r x f + t = h x a + t with J
//   about the origin. The same number of operations, and massless links need no centre of mass.
// - The base accelerates with minus gravity, upwards (errata 1-5, 1-6).
// - dwd_i/dqdd_i = z for a revolute joint and 0 for a prismatic one, whose force is z.(f + phi)
//   (errata 1-1, 1-4, 1-7); a prismatic joint adds 2 w x z qd + z qdd to a.
// - Indices of (15) and (16) as in erratum 1-8, over any tree. The wrench on the last link enters
//   its f and chi.
// - For a link on the base only the components along its own joint are formed. The paper does so
//   for chi_1 alone; here W J, f and phi are left out as well: link 1 itself adds Izz qdd_1 and
//   its weight to dG/dqdd_1.
#include "kernels/inverse/gibbs_appell.h"

typedef struct
{
  V3 w, wd, a;  // motion
  M3 W;
  V3 f, chi;  // first of the link alone, then with all that it carries
} AppellBody;

INLINE bool is_on_base(const lwModel* model, int i)
{
  return model->parent[i] == LW_BASE;
}

// s = span + d z, parent's frame; constant for a revolute joint
INLINE V3 gibbs_step(Joint j)
{
  return add(known_vector(j.link->span), alpha_to_parent(j, v3(zero(), zero(), j.d)));
}

// Step 1: motion of the link from that of its parent.
INLINE void gibbs_move_revolute(AppellBody* body, const AppellBody* parent, Joint j, REAL qd,
                                REAL qdd)
{
  V3 w     = to_link(j, parent->w);
  V3 wd    = to_link(j, parent->wd);
  body->w  = v3(w.x, w.y, r_add(w.z, qd));
  body->wd = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), r_add(wd.z, qdd));
  body->W  = acceleration_tensor(body->w, body->wd);  // (12)
  body->a  = to_link(j, m3_apply_add(parent->W, gibbs_step(j), parent->a));
}

INLINE void gibbs_move_prismatic(AppellBody* body, const AppellBody* parent, Joint j, REAL qd,
                                 REAL qdd)
{
  REAL twice = r_add(qd, qd);
  V3 w       = to_link(j, parent->w);
  V3 a       = to_link(j, m3_apply_add(parent->W, gibbs_step(j), parent->a));
  body->w    = w;
  body->wd   = to_link(j, parent->wd);
  body->W    = acceleration_tensor(body->w, body->wd);  // (12)
  body->a    = v3(mul_add(w.y, twice, a.x), sub_mul(a.y, w.x, twice), r_add(a.z, qdd));
}

// Step 2: force and moment that sustain the link's own motion.
INLINE void gibbs_sustain(AppellBody* body, const Link* link)
{
  V3 h      = known_vector(link->first_moment);
  V3 t      = moment_of(body->W, known_symmetric(link->pseudo));        // (10)
  body->f   = m3_apply_add(body->W, h, scale(K(link->mass), body->a));  // (9)
  body->chi = cross_add(h, body->a, t);                                 // (15), r x f + t
}

// The same for a link on the base: f.z for a prismatic joint, chi.z for a revolute one.
INLINE void gibbs_sustain_on_base(AppellBody* body, const Link* link, bool prismatic)
{
  V3 h      = known_vector(link->first_moment);
  body->f   = v3_zero();
  body->chi = v3_zero();
  if (prismatic)
    body->f.z = r_mul(K(link->mass), body->a.z);
  else
  {
    REAL weight = mul_sub(h.x, body->a.y, r_mul(h.y, body->a.x));  // h x a
    body->chi.z = mul_add(K(link->inertia[2]), body->wd.z, weight);
  }
}

// Step 3: the force and moment of link j are added to those of its parent.
INLINE void gibbs_to_parent(AppellBody* parent, const AppellBody* body, Joint j)
{
  V3 phi      = to_parent(j, body->f);  // (16)
  parent->f   = add(parent->f, phi);
  parent->chi = add(parent->chi, cross_add(gibbs_step(j), phi, to_parent(j, body->chi)));  // (15)
}

// The same to a link on the base.
INLINE void gibbs_to_base_link(AppellBody* parent, const AppellBody* body, Joint j, bool prismatic)
{
  if (prismatic)
  {
    parent->f.z = r_add(parent->f.z, z_in_parent(j, body->f));  // (16)
    return;
  }
  V3 phi        = to_parent(j, body->f);  // (16)
  V3 s          = gibbs_step(j);
  REAL chi      = mul_add(s.x, phi.y, sub_mul(z_in_parent(j, body->chi), s.y, phi.x));
  parent->chi.z = r_add(parent->chi.z, chi);  // (15)
}

static void gibbs_appell(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n            = model->n;
  Turn* turns      = take(&work, (size_t)n * sizeof *turns);
  AppellBody* body = (AppellBody*)work + 1;  // body[LW_BASE] is the base
  const REAL* q    = state->q;
  const REAL* qd   = state->qd;
  const REAL* qdd  = state->qdd;
  REAL* tau        = out;
  V3 none          = v3_zero();

  joint_turns(model, q, turns);
  body[LW_BASE] =
      (AppellBody){none, none, neg(gravity_of(model, state)), {none, none, none}, none, none};

  // steps 1 and 2, outward: motion of each link, and what sustains it
  for (int i = 0; i < n; ++i)
  {
    Joint j                  = joint_at(model, i, turns, q);
    const AppellBody* parent = &body[model->parent[i]];
    if (is_prismatic(model, i))
      gibbs_move_prismatic(&body[i], parent, j, given(qd, i), given(qdd, i));
    else
      gibbs_move_revolute(&body[i], parent, j, given(qd, i), given(qdd, i));
    if (is_on_base(model, i))
      gibbs_sustain_on_base(&body[i], j.link, is_prismatic(model, i));
    else
      gibbs_sustain(&body[i], j.link);
  }

  // the wrench of the environment on the last link is subtracted from the one that
  // the joints must supply
  if (state->wrench && model->tool != LW_BASE)
  {
    V3 f, moment;
    tool_wrench(model, state->wrench, &f, &moment);
    body[model->tool].f   = sub(body[model->tool].f, f);
    body[model->tool].chi = sub(body[model->tool].chi, moment);
  }

  // step 3, inward: generalised forces
  for (int i = n - 1; i >= 0; --i)
  {
    int p  = model->parent[i];
    tau[i] = is_prismatic(model, i) ? body[i].f.z : body[i].chi.z;  // (14)
    if (p == LW_BASE) continue;
    Joint j = joint_at(model, i, turns, q);
    if (is_on_base(model, p))
      gibbs_to_base_link(&body[p], &body[i], j, is_prismatic(model, p));
    else
      gibbs_to_parent(&body[p], &body[i], j);
  }
}

const lwKernel FN(gibbs_appell) = {gibbs_appell, sizeof(Turn) + sizeof(AppellBody), 0, {0}};
