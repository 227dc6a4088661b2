// SPDX-License-Identifier: MIT
// The memo's formulation with the angular velocity, but without recursion: (3.11)-(3.16) as they
// stand, all vectors in fixed axes. It shows what the representation alone saves. Numbers of the
// list are the memo's:
//
//   tau_j = sum over i of F_i . dv_i/dqd_j + N_i . dw_i/dqd_j                            (3.12)
//   F_i   = m_i vd_i,   N_i = I_i wd_i + w_i x (I_i w_i)                                 (3.11)
//   w_i   = sum over j of qd_j z_j,   wd_i = d/dt of it, dz_j/dt = w_j x z_j         (3.14), (A.2)
//   vd_i  = sum over j of qdd_j dv_i/dqd_j + qd_j d/dt dv_i/dqd_j                       d/dt (3.13)
//
//   here     meaning                                                  unit
//   z, o     axis of a joint, and a point on it                       1, m
//   u        velocity of that point, which the link before carries    m/s
//   W, r     axes of a link, and its centre of mass                   1, m
//   v, vd    velocity and acceleration of that, less gravity          m/s, m/s^2
//   I        inertia about it                                         kg m^2
#include "counted.h"

typedef struct DirectLink
{
  bool slides;
  CountedVector z, o, u;
  Matrix W, I;
  CountedVector r, w, wd, v, vd;
  CountedVector F, N;
} DirectLink;

// --- place

static Matrix in_fixed_axes(FormulationTally* tally, const Matrix* W, const lwLinkDef* body)
{
  Matrix own = inertia_of(body), half = multiply(tally, W, &own), I;
  for (int i = 0; i < 3; ++i) I.row[i] = apply(tally, W, half.row[i]);
  return I;
}

static void place_links(FormulationTally* tally, const Arm* arm, DirectLink* link)
{
  Matrix W             = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  CountedVector origin = {0, 0, 0};
  for (int i = 0; i < arm->n; ++i)
  {
    const lwJointDef* joint = &arm->joint[i];
    const double* com       = joint->link.com;
    bool slides             = joint->type == LW_JOINT_PRISMATIC;
    double d                = joint->d + (slides ? arm->q[i] : 0);
    Matrix A                = axes(tally, joint->theta + (slides ? 0 : arm->q[i]), joint->alpha);
    CountedVector p         = {joint->a, d * sin(joint->alpha), d * cos(joint->alpha)};
    link[i].slides          = slides;
    link[i].z               = (CountedVector){W.row[0].z, W.row[1].z, W.row[2].z};
    link[i].o               = origin;
    W                       = multiply(tally, &W, &A);
    origin                  = add(tally, origin, apply(tally, &W, p));
    link[i].W               = W;
    link[i].r = add(tally, origin, apply(tally, &W, (CountedVector){com[0], com[1], com[2]}));
    link[i].I = in_fixed_axes(tally, &W, &joint->link);
  }
}

// --- motion

// (3.15), for a point at r that link i >= j carries
static CountedVector partial(FormulationTally* tally, const DirectLink* j, CountedVector r)
{
  return j->slides ? j->z : cross(tally, j->z, sub(tally, r, j->o));
}

// d/dt of (3.15), for a point at r with velocity v; dz: dz_j/dt
static CountedVector partial_rate(FormulationTally* tally, const DirectLink* j, CountedVector dz,
                                  CountedVector r, CountedVector v)
{
  if (j->slides) return dz;
  CountedVector turned = cross(tally, dz, sub(tally, r, j->o));
  return add(tally, turned, cross(tally, j->z, sub(tally, v, j->u)));
}

// (3.13) for a point at r that is moved by the first `joints` joints
static CountedVector velocity(FormulationTally* tally, const Arm* arm, const DirectLink* link,
                              int joints, CountedVector r)
{
  CountedVector v = {0, 0, 0};
  for (int j = 0; j < joints; ++j)
    v = add(tally, v, scale(tally, arm->qd[j], partial(tally, &link[j], r)));
  return v;
}

// Rates of link i, whose joint is the last of those that move it.
static void move_link_by_sums(FormulationTally* tally, const Arm* arm, DirectLink* link, int i)
{
  DirectLink* last = &link[i];
  last->u          = velocity(tally, arm, link, i, last->o);
  last->v          = velocity(tally, arm, link, i + 1, last->r);
  last->vd         = (CountedVector){-arm->gravity[0], -arm->gravity[1], -arm->gravity[2]};
  for (int j = 0; j <= i; ++j)
    if (!link[j].slides) last->w = add(tally, last->w, scale(tally, arm->qd[j], link[j].z));
  for (int j = 0; j <= i; ++j)
  {
    CountedVector dz   = cross(tally, link[j].w, link[j].z);  // (A.2)
    CountedVector rate = partial_rate(tally, &link[j], dz, last->r, last->v);
    CountedVector vd   = scale(tally, arm->qdd[j], partial(tally, &link[j], last->r));
    last->vd           = add(tally, last->vd, add(tally, vd, scale(tally, arm->qd[j], rate)));
    if (link[j].slides) continue;
    CountedVector wd = scale(tally, arm->qdd[j], link[j].z);
    last->wd         = add(tally, last->wd, add(tally, wd, scale(tally, arm->qd[j], dz)));
  }
}

// (3.11)
static void sustain_by_sums(FormulationTally* tally, DirectLink* link, double mass)
{
  CountedVector L = apply(tally, &link->I, link->w);
  link->F         = scale(tally, mass, link->vd);
  link->N         = add(tally, apply(tally, &link->I, link->wd), cross(tally, link->w, L));
}

void direct_torques(const Arm* arm, double* tau, FormulationTally* tally)
{
  DirectLink link[ARM_JOINTS] = {{.slides = false}};
  *tally                      = (FormulationTally){0, 0};
  place_links(tally, arm, link);
  for (int i = 0; i < arm->n; ++i)
  {
    move_link_by_sums(tally, arm, link, i);
    sustain_by_sums(tally, &link[i], arm->joint[i].link.mass);
  }
  for (int j = 0; j < arm->n; ++j)
  {
    tau[j] = 0;
    for (int i = j; i < arm->n; ++i)  // (3.12)
    {
      double work = dot(tally, link[i].F, partial(tally, &link[j], link[i].r));
      if (!link[j].slides) work += dot(tally, link[i].N, link[j].z);
      tau[j] += work;
      tally->add += link[j].slides ? 1 : 2;
    }
  }
}
