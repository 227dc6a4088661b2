// SPDX-License-Identifier: MIT
// Chapter 3 and appendix A of the memo: Lagrange's equation with angular velocity.
#include "identities.h"

// The terms of the equations of one link, all in fixed axes: dv, dw by velocity and vq, wq by
// coordinate of joint j.
typedef struct LagrangeTerms
{
  double m;
  JetMatrix I, Id, Iq;       // inertia, its derivative by time and by coordinate
  JetVector v, vd, w, wd;    // velocities and accelerations
  JetVector dv, dw;          // d/dqd_j
  JetVector vq, wq;          // d/dq_j
  JetVector dv_dot, dw_dot;  // d/dt of dv and dw
} LagrangeTerms;

static LagrangeTerms terms_of(const Views* views, int link)
{
  const Chain *time = &views->time, *place = &views->place, *rate = &views->rate;
  return (LagrangeTerms){
      .m      = time->arm->joint[link].link.mass,
      .I      = time->I[link],
      .Id     = matrix_part(&time->I[link], PART_A),
      .Iq     = matrix_part(&place->I[link], PART_B),
      .v      = time->v[link],
      .vd     = vector_part(time->v[link], PART_A),
      .w      = time->w[link],
      .wd     = vector_part(time->w[link], PART_A),
      .dv     = vector_part(rate->v[link], PART_B),
      .dw     = vector_part(rate->w[link], PART_B),
      .vq     = vector_part(place->v[link], PART_B),
      .wq     = vector_part(place->w[link], PART_B),
      .dv_dot = vector_part(rate->v[link], PART_AB),
      .dw_dot = vector_part(rate->w[link], PART_AB),
  };
}

// u . A . v
static double form(JetVector u, const JetMatrix* A, JetVector v)
{
  return jet_dot(u, jet_transform(A, v)).f;
}

// w x (I w) . dw
static double gyroscopic(const LagrangeTerms* t)
{
  return jet_dot(jet_cross(t->w, jet_transform(&t->I, t->w)), t->dw).f;
}

// The size of its terms: it is zero itself where all axes of an arm are parallel.
static double gyroscopic_size(const LagrangeTerms* t)
{
  return length(t->w) * length(jet_transform(&t->I, t->w)) * length(t->dw);
}

// --- identities of a link

static void check_3_4(const Views* views, int link, Residual* residual)
{
  LagrangeTerms t = terms_of(views, link);
  residual_vector(residual, t.dv_dot, t.vq);
}

static void check_3_5(const Views* views, int link, Residual* residual)
{
  LagrangeTerms t = terms_of(views, link);
  residual_size(residual, gyroscopic_size(&t));
  residual_add(residual, form(t.w, &t.Id, t.dw), gyroscopic(&t));
}

static void check_3_6(const Views* views, int link, Residual* residual)
{
  LagrangeTerms t = terms_of(views, link);
  residual_size(residual, length(t.w) * length(t.dw));
  residual_vector(residual, t.dw_dot, jet_vector_add(t.wq, jet_cross(t.w, t.dw)));
}

void check_without_turning(const Views* views, int link, Residual* residual)
{
  LagrangeTerms t = terms_of(views, link);
  residual_vector(residual, t.dw_dot, t.wq);
}

static void check_3_7(const Views* views, int link, Residual* residual)
{
  LagrangeTerms t = terms_of(views, link);
  residual_size(residual, gyroscopic_size(&t));
  residual_add(residual, form(t.w, &t.I, jet_cross(t.w, t.dw)), -gyroscopic(&t));
}

static void check_3_10(const Views* views, int link, Residual* residual)
{
  LagrangeTerms t = terms_of(views, link);
  residual_size(residual, gyroscopic_size(&t));
  residual_add(residual, form(t.w, &t.Iq, t.w) / 2, -gyroscopic(&t));
}

static void check_3_13(const Views* views, int link, Residual* residual)
{
  residual_vector(residual, views->time.v[link], vector_part(views->time.r[link], PART_A));
}

static void check_3_15(const Views* views, int link, Residual* residual)
{
  residual_vector(residual, vector_part(views->rate.v[link], PART_B),
                  chain_dv(&views->time, link, views->joint));
}

static void check_3_16(const Views* views, int link, Residual* residual)
{
  residual_vector(residual, vector_part(views->rate.w[link], PART_B),
                  chain_dw(&views->time, link, views->joint));
}

// dv/dqd = dr/dq
static void check_A_1(const Views* views, int link, Residual* residual)
{
  residual_vector(residual, vector_part(views->rate.v[link], PART_B),
                  vector_part(views->place.r[link], PART_B));
}

// d/dt z_j = w_j x z_j
static void check_A_2(const Views* views, int link, Residual* residual)
{
  JetVector z = views->time.z[link];
  residual_size(residual, length(views->time.w[link]));
  residual_vector(residual, vector_part(z, PART_A), jet_cross(views->time.w[link], z));
}

// dz_k/dq_j = z_j x z_k for j <= k, 0 if j slides
static void check_A_3(const Views* views, int link, Residual* residual)
{
  if (views->joint > link) return;
  JetVector zj = chain_dw(&views->time, views->joint, views->joint);
  residual_vector(residual, vector_part(views->place.z[link], PART_B),
                  jet_cross(zj, views->time.z[link]));
}

// dI/dq = dw/dqd x I - I x dw/dqd: column c of a x I is a x I_c, row r of I x a is I_r x a
static void check_A_inertia(const Views* views, int link, Residual* residual)
{
  LagrangeTerms t = terms_of(views, link);
  JetMatrix right;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
    {
      JetVector left = jet_cross(t.dw, jet_column(&t.I, c));
      right.at[r][c] = jet(left.at[r].f - jet_cross(jet_row(&t.I, r), t.dw).at[c].f);
    }
  residual_matrix(residual, &t.Iq, &right);
}

// --- identities of the whole arm: sums over its links

typedef double LinkTerm(const LagrangeTerms* t);

static double sum_over_links(const Views* views, LinkTerm* term)
{
  double all = 0;
  for (int i = 0; i < views->time.arm->n; ++i)
  {
    LagrangeTerms t = terms_of(views, i);
    all += term(&t);
  }
  return all;
}

static double term_3_2(const LagrangeTerms* t)
{
  return t->m * jet_dot(t->v, t->dv).f + form(t->w, &t->I, t->dw);
}

static double term_3_3(const LagrangeTerms* t)
{
  return t->m * (jet_dot(t->vd, t->dv).f + jet_dot(t->v, t->dv_dot).f) + form(t->wd, &t->I, t->dw) +
         form(t->w, &t->Id, t->dw) + form(t->w, &t->I, t->dw_dot);
}

static double term_3_8(const LagrangeTerms* t)
{
  return t->m * (jet_dot(t->vd, t->dv).f + jet_dot(t->v, t->vq).f) + form(t->wd, &t->I, t->dw) +
         form(t->w, &t->I, t->wq);
}

static double term_3_9(const LagrangeTerms* t)
{
  return t->m * jet_dot(t->v, t->vq).f + form(t->w, &t->I, t->wq) + form(t->w, &t->Iq, t->w) / 2;
}

static double term_3_11(const LagrangeTerms* t)
{
  return t->m * jet_dot(t->vd, t->dv).f + form(t->wd, &t->I, t->dw) + gyroscopic(t);
}

static void check_3_2(const Views* views, int link, Residual* residual)
{
  if (link == 0)
    residual_add(residual, chain_kinetic(&views->rate).b, sum_over_links(views, term_3_2));
}

static void check_3_3(const Views* views, int link, Residual* residual)
{
  if (link == 0)
    residual_add(residual, chain_kinetic(&views->rate).ab, sum_over_links(views, term_3_3));
}

static void check_3_8(const Views* views, int link, Residual* residual)
{
  if (link == 0)
    residual_add(residual, chain_kinetic(&views->rate).ab, sum_over_links(views, term_3_8));
}

static void check_3_9(const Views* views, int link, Residual* residual)
{
  if (link > 0) return;
  PaperJet K = chain_kinetic(&views->place);
  residual_size(residual, K.f);  // a joint that nothing depends on has zero here
  residual_add(residual, K.b, sum_over_links(views, term_3_9));
}

static void check_3_11(const Views* views, int link, Residual* residual)
{
  if (link > 0) return;
  double torque = chain_kinetic(&views->rate).ab - chain_kinetic(&views->place).b;
  residual_add(residual, torque, sum_over_links(views, term_3_11));
}

// tau_j = z_j . sum of (p_ji x F_i + N_i), or z_j . sum of F_i, over the links that joint j carries
static void check_3_12(const Views* views, int link, Residual* residual)
{
  const Chain* time = &views->time;
  int j             = views->joint;
  JetVector force = jet_vector((const double[3]){0, 0, 0}), moment = force;
  if (link > 0) return;
  for (int i = j; i < time->arm->n; ++i)
  {
    LagrangeTerms t = terms_of(views, i);
    JetVector F = jet_vector_scale(jet(t.m), t.vd), p = jet_vector_sub(time->r[i], time->o[j]);
    JetVector N =
        jet_vector_add(jet_transform(&t.I, t.wd), jet_cross(t.w, jet_transform(&t.I, t.w)));
    force  = jet_vector_add(force, F);
    moment = jet_vector_add(moment, jet_vector_add(jet_cross(p, F), N));
  }
  double torque = chain_kinetic(&views->rate).ab - chain_kinetic(&views->place).b;
  residual_add(residual, torque, jet_dot(time->z[j], chain_slides(time, j) ? force : moment).f);
}

const SilverIdentity LAGRANGE_IDENTITIES[] = {
    {"derivation/3-2", check_3_2},   {"derivation/3-3", check_3_3},
    {"derivation/3-4", check_3_4},   {"derivation/3-5", check_3_5},
    {"derivation/3-6", check_3_6},   {"derivation/3-7", check_3_7},
    {"derivation/3-8", check_3_8},   {"derivation/3-9", check_3_9},
    {"derivation/3-10", check_3_10}, {"derivation/3-11", check_3_11},
    {"derivation/3-12", check_3_12}, {"derivation/3-13", check_3_13},
    {"derivation/3-15", check_3_15}, {"derivation/3-16", check_3_16},
    {"derivation/a-1", check_A_1},   {"derivation/a-2", check_A_2},
    {"derivation/a-3", check_A_3},   {"derivation/a-inertia", check_A_inertia},
};
const int LAGRANGE_IDENTITY_COUNT = sizeof LAGRANGE_IDENTITIES / sizeof *LAGRANGE_IDENTITIES;
