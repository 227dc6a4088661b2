// SPDX-License-Identifier: MIT
// Inverse dynamics in closed form, every joint by itself, O(n^3).
//
// Grigorov, "A generalized Newton-Euler algorithm for dynamic simulation of
// robot-manipulators with revolute joints", 2013 (grigorov2013), (12) solved for the torque:
// tau = M qdd + H - G - N_Q (erratum 4-11), with the sums over links as they stand.
// kernels/closed_form.h has M and the table of frames.
//
//   paper            here   meaning                                                   frame, unit
//   w                w      angular velocity of the link                              link, rad/s
//   C_e              Ce     angular acceleration that comes from velocities alone     link, rad/s^2
//   C_V              CV     linear acceleration of the origin from velocities alone   link, m/s^2
//   P_i              P      parent's origin to the link's                             parent, m
//   jR_0 G_i / m_i   g      gravity                                                   link, m/s^2
//   m_i P_Ci         h      first moment of the link                                  link, kg m
//   I_i              I      inertia, about the link's origin                          link, kg m^2
//   -                F, N   net force and moment of Ce, CV and w, at the origin       link, N, N m
//   N_Q              -      what joint j feels of the wrench on the last link         N m
//
// Where it differs from the paper, besides what kernels/closed_form.h says:
// - (12) has its sum over i = j..n around all of the weight and velocity terms, jR_i before C_VC,
//   and N_Q and tau_j outside (errata 4-8, 4-9). N_Q is the moment on the span, with a plus sign on
//   the right of (12).
// - (6) and (8) turn w before the cross product (erratum 4-4). C_e = C_V = 0 on the first link, but
//   not C_VC; gravity is in G, so the base does not accelerate (erratum 4-6).
// - About link origins I C_e + w x I w and m P_C x C_VC become N = I C_e + w x I w + h x C_V, with
//   the force F = m C_V + C_e x h + w x (w x h).
// - A prismatic joint adds 2 w x z qd to C_V, and nothing to w and C_e.
#include "kernels/closed_form.h"

typedef struct
{
  V3 w, Ce, CV;
  V3 g;
  V3 F, N;
} ClosedFormBody;

// Everything that the sums read. Torques may be computed from it in any order, or one alone.
typedef struct
{
  const lwModel* model;
  const Sight* sights;
  const ClosedFormBody* body;
  const Input* qdd;  // or NULL
  bool held;         // the environment acts on the last link
  V3 force, moment;
} ClosedFormTerms;

// C_e and C_V of the link from those of its parent, (8)
INLINE void closed_form_motion(ClosedFormBody* body, const ClosedFormBody* parent, Joint j,
                               bool prismatic, REAL qd)
{
  V3 P     = joint_frame(j).p;
  V3 w     = to_link(j, parent->w);
  V3 swing = cross_add(parent->w, cross(parent->w, P), parent->CV);
  body->w  = w;
  body->g  = to_link(j, parent->g);
  body->Ce = to_link(j, parent->Ce);
  body->CV = to_link(j, cross_add(parent->Ce, P, swing));  // (8)
  if (prismatic)
  {
    REAL twice = r_add(qd, qd);
    body->CV   = v3(mul_add(w.y, twice, body->CV.x), sub_mul(body->CV.y, w.x, twice), body->CV.z);
  }
  else
  {
    body->w.z = r_add(w.z, qd);                                                              // (6)
    body->Ce  = v3(mul_add(w.y, qd, body->Ce.x), sub_mul(body->Ce.y, w.x, qd), body->Ce.z);  // (8)
  }
}

// The wrench that velocities alone ask for: N, C_e and C_VC terms of (12) before jP and jR.
INLINE void closed_form_net_wrench(ClosedFormBody* body, const Link* link)
{
  V3 h    = known_vector(link->first_moment);
  S3 I    = known_symmetric(link->inertia);
  V3 w    = body->w;
  V3 F    = cross_add(body->Ce, h, scale(K(link->mass), body->CV));
  V3 N    = cross_add(w, s3_apply(I, w), s3_apply(I, body->Ce));
  body->F = cross_add(w, cross(w, h), F);
  body->N = cross_add(h, body->CV, N);
}

// What joint j feels of link i's weight: the z of (m jP_i + jR_i h) x g, or of m g.
INLINE REAL weight_felt(const Frame* X, bool prismatic, const Link* link, V3 g)
{
  REAL m = K(link->mass);
  V3 h   = known_vector(link->first_moment);
  if (prismatic) return r_mul(m, g.z);
  REAL x = mul_add(m, X->p.x, dot(v3(X->x.x, X->y.x, X->z.x), h));
  REAL y = mul_add(m, X->p.y, dot(v3(X->x.y, X->y.y, X->z.y), h));
  return mul_sub(x, g.y, r_mul(y, g.x));
}

// (12) for joint j alone
INLINE REAL torque_of_joint(const ClosedFormTerms* terms, int j)
{
  const lwModel* model = terms->model;
  int n                = model->n;
  bool prismatic       = is_prismatic(model, j);
  REAL tau             = zero();
  if (terms->qdd)
    for (int k = 0; k < n; ++k)
      tau = mul_add(inertia_entry(model, terms->sights, j, k), terms->qdd[k], tau);
  for (int i = j; i < n; ++i)
  {
    const Sight* sight         = &terms->sights[at(n, j, i)];
    const ClosedFormBody* body = &terms->body[i];
    if (!sight->carried) continue;
    REAL weight = weight_felt(&sight->X, prismatic, &LINKS(model)[i], terms->body[j].g);
    tau         = r_add(tau, r_sub(felt(&sight->X, prismatic, body->F, body->N), weight));
  }
  if (!terms->held) return tau;
  const Sight* tool = &terms->sights[at(n, j, model->tool)];
  return tool->carried ? r_sub(tau, felt(&tool->X, prismatic, terms->force, terms->moment)) : tau;
}

static void closed_form(const lwModel* model, void* work, const lwState* state, void* out)
{
  int n                 = model->n;
  Turn* turns           = take_turns(model, state->q, &work);
  Sight* sights         = take(&work, (size_t)n * (size_t)n * sizeof *sights);
  ClosedFormBody* body  = (ClosedFormBody*)work + 1;  // body[LW_BASE] is the base
  V3 none               = v3_zero();
  Result* tau           = out;
  ClosedFormTerms terms = {model, sights, body, state->qdd, is_tool_pushed(model, state),
                           none,  none};

  // outward: frames, velocities, and what comes from them
  body[LW_BASE] = (ClosedFormBody){none, none, none, gravity_of(model, state), none, none};
  for (int i = 0; i < n; ++i)
  {
    Joint j = joint_at(model, i, turns, state->q);
    see_link(model, i, j, sights);
    closed_form_motion(&body[i], &body[model->parent[i]], j, is_prismatic(model, i),
                       given(state->qd, i));
    closed_form_net_wrench(&body[i], j.link);
  }
  if (terms.held) tool_wrench(model, state->wrench, &terms.force, &terms.moment);

  for (int j = 0; j < n; ++j) tau[j] = torque_of_joint(&terms, j);
}

const lwKernel FN(closed_form) = {
    closed_form, sizeof(Turn) + sizeof(ClosedFormBody), sizeof(Sight), {0}, 0};
