// SPDX-License-Identifier: MIT
// Inverse dynamics by the Gibbs-Appell equations in recursive tensor form, O(n).
// kernels/reference/gibbs_appell.c computes the same and is the text to read first.
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
//   f            f      net force of the link, then f + phi                        link, N
//   phi          phi    sum of f over the link and all that it carries             link, N
//   t            t      net moment of the link                                     link, N m
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
#include "kernels/inverse/newton_euler.h"

// How a link moves, W being U of newton_euler.h, and f and chi as a wrench: first of the link
// alone, then with all that it carries.
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
INLINE Motion gibbs_move_revolute(Motion parent, Joint j, REAL qd, REAL qdd)
{
  Motion link;
  V3 w    = to_link_add_z(j, parent.w, qd);
  V3 wd   = to_link_add_z(j, parent.wd, qdd);
  link.w  = w;
  link.wd = v3(mul_add(w.y, qd, wd.x), sub_mul(wd.y, w.x, qd), wd.z);
  link.U  = acceleration_matrix(link.w, link.wd);  // (12)
  link.a  = to_link(j, m3_apply_add(parent.U, gibbs_step(j), parent.a));
  return link;
}

INLINE Motion gibbs_move_prismatic(Motion parent, Joint j, REAL qd, REAL qdd)
{
  Motion link;
  REAL twice = r_add(qd, qd);
  V3 w       = to_link(j, parent.w);
  link.w     = w;
  link.wd    = to_link(j, parent.wd);
  link.U     = acceleration_matrix(link.w, link.wd);  // (12)
  V3 a       = to_link_add_z(j, m3_apply_add(parent.U, gibbs_step(j), parent.a), qdd);
  link.a     = v3(mul_add(w.y, twice, a.x), sub_mul(a.y, w.x, twice), a.z);
  return link;
}

// Step 2: net force and moment of the link alone.
INLINE Wrench gibbs_net_wrench(Motion body, const Link* link)
{
  V3 h = known_vector(link->first_moment);
  V3 t = moment_of(body.U, known_symmetric(link->pseudo));                // (10)
  return (Wrench){m3_apply_add(body.U, h, scale(K(link->mass), body.a)),  // (9)
                  cross_add(h, body.a, t)};                               // (15), r x f + t
}

// Step 2 for a link on the base: only f.z for a prismatic joint, chi.z for a revolute one.
INLINE Wrench gibbs_net_wrench_on_base(Motion body, const Link* link, bool prismatic)
{
  V3 h        = known_vector(link->first_moment);
  Wrench only = {v3_zero(), v3_zero()};
  if (prismatic)
    only.f.z = r_mul(K(link->mass), body.a.z);
  else
  {
    REAL weight = mul_sub(h.x, body.a.y, r_mul(h.y, body.a.x));  // h x a
    only.n.z    = mul_add(K(link->inertia[2]), body.wd.z, weight);
  }
  return only;
}

// Steps 1 and 2, outward, run by run: motion of each link, its net force and moment.
INLINE void gibbs_outward(const lwModel* model, const Turn* turns, const lwState* state,
                          Motion* stored, Wrench* force)
{
  const Input none = zero();
  MaybeInput qd = maybe_input(state->qd, &none), qdd = maybe_input(state->qdd, &none);
  stored[LW_BASE] = rnea_base(gravity_of(model, state));
  for (int i = 0; i < model->n;)
  {
    Joint j        = joint_at(model, i, turns, state->q);
    Motion parent  = stored[model->parent[i]];
    bool prismatic = is_prismatic(model, i);
    Motion link    = prismatic ? gibbs_move_prismatic(parent, j, next_input(&qd), next_input(&qdd))
                               : gibbs_move_revolute(parent, j, next_input(&qd), next_input(&qdd));
    force[i]       = is_on_base(model, i) ? gibbs_net_wrench_on_base(link, j.link, prismatic)
                                          : gibbs_net_wrench(link, j.link);
    if (is_stored(model, i)) stored[i] = link;
    while (++i < model->n && continues_run(model, i))
    {
      j        = joint_in_run(model, i, turns);
      link     = gibbs_move_revolute(link, j, next_input(&qd), next_input(&qdd));
      force[i] = gibbs_net_wrench(link, j.link);
      if (is_stored(model, i)) stored[i] = link;
    }
  }
}

// Step 3: the force and moment of link j added to those of its parent.
INLINE Wrench gibbs_to_parent(Wrench parent, Wrench body, Joint j)
{
  V3 phi = to_parent(j, body.f);  // (16)
  V3 chi = cross_add(gibbs_step(j), phi, to_parent(j, body.n));
  return (Wrench){add(parent.f, phi), add(parent.n, chi)};  // (15)
}

// Step 3 where the parent is a link on the base.
INLINE Wrench gibbs_to_base_link(Wrench parent, Wrench body, Joint j, bool prismatic)
{
  if (prismatic)
  {
    parent.f.z = r_add(parent.f.z, z_in_parent(j, body.f));  // (16)
    return parent;
  }
  V3 phi     = to_parent(j, body.f);  // (16)
  V3 s       = gibbs_step(j);
  REAL chi   = mul_add(s.x, phi.y, sub_mul(z_in_parent(j, body.n), s.y, phi.x));
  parent.n.z = r_add(parent.n.z, chi);  // (15)
  return parent;
}

// Step 3, inward: generalised forces. Along a chain, what a link carries stays in carried.
INLINE void gibbs_inward(const lwModel* model, const Turn* turns, const Input* q, Wrench* force,
                         Result* tau)
{
  Wrench carried = force[model->n - 1];
  for (int i = model->n - 1; i >= 0; --i)
  {
    int p  = model->parent[i];
    tau[i] = is_prismatic(model, i) ? carried.f.z : carried.n.z;  // (14)
    Joint j =
        continues_run(model, i) ? joint_in_run(model, i, turns) : joint_at(model, i, turns, q);
    if (p != LW_BASE)
      carried = is_on_base(model, p)
                    ? gibbs_to_base_link(force[p], carried, j, is_prismatic(model, p))
                    : gibbs_to_parent(force[p], carried, j);
    if (p == i - 1) continue;
    force[p] = carried;  // written for the base, too, and never read
    carried  = force[i - 1];
  }
}

static void gibbs_appell(const lwModel* model, void* work, const lwState* state, void* out)
{
  size_t n       = (size_t)model->n;
  Turn* turns    = take_turns(model, state->q, &work);
  Wrench* force  = (Wrench*)take(&work, (n + 1) * sizeof *force) + 1;  // [LW_BASE], too
  Motion* stored = (Motion*)work + 1;

  gibbs_outward(model, turns, state, stored, force);

  if (is_tool_pushed(model, state))
    subtract_tool(model, state, &force[model->tool].f, &force[model->tool].n);
  gibbs_inward(model, turns, state->q, force, out);
}

const lwKernel FN(gibbs_appell) = {
    gibbs_appell, sizeof(Turn) + sizeof(Motion) + sizeof(Wrench), 0, {0}, 0};
