// SPDX-License-Identifier: MIT
#include "chain.h"

bool chain_slides(const Chain* chain, int joint)
{
  return chain->arm->joint[joint].type == LW_JOINT_PRISMATIC;
}

// --- place

static JetMatrix turn(PaperJet theta, double alpha)
{
  PaperJet c = jet_cos(theta), s = jet_sin(theta);
  double ca = cos(alpha), sa = sin(alpha);
  return (JetMatrix){{{c, jet_scale(-ca, s), jet_scale(sa, s)},
                      {s, jet_scale(ca, c), jet_scale(-sa, c)},
                      {jet(0), jet(sa), jet(ca)}}};
}

static JetMatrix inertia_matrix(const double I[6])
{
  return (JetMatrix){{{jet(I[0]), jet(I[3]), jet(I[4])},
                      {jet(I[3]), jet(I[1]), jet(I[5])},
                      {jet(I[4]), jet(I[5]), jet(I[2])}}};
}

static JetMatrix identity(void)
{
  return (JetMatrix){
      {{jet(1), jet(0), jet(0)}, {jet(0), jet(1), jet(0)}, {jet(0), jet(0), jet(1)}}};
}

// W I' W^T
static JetMatrix in_base(const JetMatrix* W, const double I[6])
{
  JetMatrix own = inertia_matrix(I), back = jet_transpose(W);
  JetMatrix half = jet_multiply(W, &own);
  return jet_multiply(&half, &back);
}

static void place_chain(Chain* chain)
{
  JetMatrix W      = identity();
  JetVector origin = jet_vector((const double[3]){0, 0, 0});
  for (int i = 0; i < chain->arm->n; ++i)
  {
    const lwJointDef* joint = &chain->arm->joint[i];
    bool slides             = chain_slides(chain, i);
    PaperJet theta          = jet_add(jet(joint->theta), slides ? jet(0) : chain->q[i]);
    PaperJet d              = jet_add(jet(joint->d), slides ? chain->q[i] : jet(0));
    JetMatrix A             = turn(theta, joint->alpha);
    chain->z[i]             = jet_column(&W, 2);
    chain->o[i]             = origin;
    W                       = jet_multiply(&W, &A);
    JetVector along         = jet_vector_scale(d, chain->z[i]);
    JetVector across        = jet_vector_scale(jet(joint->a), jet_column(&W, 0));
    origin                  = jet_vector_add(jet_vector_add(origin, along), across);
    chain->W[i]             = W;
    chain->r[i] = jet_vector_add(origin, jet_transform(&W, jet_vector(joint->link.com)));
    chain->I[i] = in_base(&W, joint->link.inertia);
  }
}

// --- motion

JetVector chain_dv(const Chain* chain, int i, int j)
{
  JetVector none = jet_vector((const double[3]){0, 0, 0});
  if (j > i) return none;
  if (chain_slides(chain, j)) return chain->z[j];
  return jet_cross(chain->z[j], jet_vector_sub(chain->r[i], chain->o[j]));
}

JetVector chain_dw(const Chain* chain, int i, int j)
{
  JetVector none = jet_vector((const double[3]){0, 0, 0});
  return j > i || chain_slides(chain, j) ? none : chain->z[j];
}

static void move_chain(Chain* chain)
{
  for (int i = 0; i < chain->arm->n; ++i)
  {
    JetVector v = jet_vector((const double[3]){0, 0, 0}), w = v;
    for (int j = 0; j <= i; ++j)
    {
      v = jet_vector_add(v, jet_vector_scale(chain->qd[j], chain_dv(chain, i, j)));  // (3.13)
      w = jet_vector_add(w, jet_vector_scale(chain->qd[j], chain_dw(chain, i, j)));  // (3.14)
    }
    chain->v[i] = v;
    chain->w[i] = w;
  }
}

void chain_in_time(Chain* chain, const Arm* arm)
{
  chain->arm = arm;
  for (int i = 0; i < arm->n; ++i)
  {
    chain->q[i]  = (PaperJet){arm->q[i], arm->qd[i], arm->qd[i], arm->qdd[i]};
    chain->qd[i] = (PaperJet){arm->qd[i], arm->qdd[i], arm->qdd[i], 0};
  }
  place_chain(chain);
  move_chain(chain);
}

static void set_time(Chain* chain, const Arm* arm)
{
  chain->arm = arm;
  for (int i = 0; i < arm->n; ++i)
  {
    chain->q[i]  = (PaperJet){arm->q[i], arm->qd[i], 0, 0};
    chain->qd[i] = (PaperJet){arm->qd[i], arm->qdd[i], 0, 0};
  }
}

void chain_by_place(Chain* chain, const Arm* arm, int joint)
{
  set_time(chain, arm);
  chain->q[joint].b = 1;
  place_chain(chain);
  move_chain(chain);
}

void chain_by_rate(Chain* chain, const Arm* arm, int joint)
{
  set_time(chain, arm);
  chain->qd[joint].b = 1;
  place_chain(chain);
  move_chain(chain);
}

// --- energy

PaperJet chain_kinetic(const Chain* chain)
{
  PaperJet twice = jet(0);
  for (int i = 0; i < chain->arm->n; ++i)
  {
    PaperJet moving  = jet_dot(chain->v[i], chain->v[i]);
    PaperJet turning = jet_dot(chain->w[i], jet_transform(&chain->I[i], chain->w[i]));
    PaperJet link    = jet_add(jet_scale(chain->arm->joint[i].link.mass, moving), turning);
    twice            = jet_add(twice, link);
  }
  return jet_scale(0.5, twice);
}

PaperJet chain_potential(const Chain* chain)
{
  JetVector g  = jet_vector(chain->arm->gravity);
  PaperJet sum = jet(0);
  for (int i = 0; i < chain->arm->n; ++i)
    sum = jet_add(sum, jet_scale(-chain->arm->joint[i].link.mass, jet_dot(g, chain->r[i])));
  return sum;
}
