// SPDX-License-Identifier: MIT
// The Newton-Euler equations in the axes of the base, as before the work on robot legs that the
// memo tells of (its reference [7]): motion is passed on without being turned, but the axes,
// lengths and inertia of every link have to be turned into those of the base first. The counterpart
// of luh.c, counted in the same way.
#include "counted.h"

typedef struct FixedLink
{
  bool slides;
  Matrix W;            // axes of the link
  CountedVector z;     // axis of its joint
  CountedVector p, s;  // origin before to its own, and from there to its centre of mass
  Matrix I;
  double m;
  CountedVector w, wd, vd;
  CountedVector F, N;
} FixedLink;

static Matrix transposed_frame(const Matrix* A)
{
  const CountedVector* r = A->row;
  return (Matrix){{{r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}}};
}

static FixedLink turn_link(FormulationTally* tally, const FixedLink* before,
                           const lwJointDef* joint, double q)
{
  const lwLinkDef* body = &joint->link;
  bool slides           = joint->type == LW_JOINT_PRISMATIC;
  double d              = joint->d + (slides ? q : 0);
  FixedLink link        = {.slides = slides, .m = body->mass};
  Matrix A = axes(tally, joint->theta + (slides ? 0 : q), joint->alpha), own = inertia_of(body);
  CountedVector p = {joint->a, d * sin(joint->alpha), d * cos(joint->alpha)};
  link.z          = (CountedVector){before->W.row[0].z, before->W.row[1].z, before->W.row[2].z};
  link.W          = multiply(tally, &before->W, &A);
  Matrix WI = multiply(tally, &link.W, &own), back = transposed_frame(&link.W);
  link.I = multiply(tally, &WI, &back);
  link.p = apply(tally, &link.W, p);
  link.s = apply(tally, &link.W, (CountedVector){body->com[0], body->com[1], body->com[2]});
  if (slides) tally->mul += 2;  // of p, which is off-line otherwise
  return link;
}

static CountedVector fixed_acceleration(FormulationTally* tally, const FixedLink* link,
                                        CountedVector r, CountedVector a)
{
  CountedVector turning = cross(tally, link->w, cross(tally, link->w, r));
  return add(tally, add(tally, cross(tally, link->wd, r), turning), a);
}

static void move_fixed(FormulationTally* tally, FixedLink* link, const FixedLink* before, double qd,
                       double qdd)
{
  CountedVector along = scale(tally, qd, link->z), vd = before->vd;
  link->w  = before->w;
  link->wd = before->wd;
  if (link->slides)
  {
    CountedVector slide = cross(tally, before->w, scale(tally, 2, along));
    vd                  = add(tally, add(tally, vd, slide), scale(tally, qdd, link->z));
  }
  else
  {
    CountedVector carried = add(tally, before->wd, cross(tally, before->w, along));
    link->wd              = add(tally, carried, scale(tally, qdd, link->z));
    link->w               = add(tally, before->w, along);
  }
  link->vd        = fixed_acceleration(tally, link, link->p, vd);
  CountedVector L = apply(tally, &link->I, link->w);
  link->F         = scale(tally, link->m, fixed_acceleration(tally, link, link->s, link->vd));
  link->N         = add(tally, apply(tally, &link->I, link->wd), cross(tally, link->w, L));
}

void fixed_torques(const Arm* arm, double* tau, FormulationTally* tally)
{
  FixedLink all[ARM_JOINTS + 1] = {{.W = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}}};
  FixedLink* link               = all + 1;
  CountedVector f = {0, 0, 0}, m = f;
  link[-1].vd = (CountedVector){-arm->gravity[0], -arm->gravity[1], -arm->gravity[2]};
  *tally      = (FormulationTally){0, 0};
  for (int i = 0; i < arm->n; ++i)
  {
    link[i] = turn_link(tally, &link[i - 1], &arm->joint[i], arm->q[i]);
    move_fixed(tally, &link[i], &link[i - 1], arm->qd[i], arm->qdd[i]);
  }
  for (int i = arm->n - 1; i >= 0; --i)
  {
    if (i + 1 < arm->n) m = add(tally, m, cross(tally, link[i].p, f));
    CountedVector own = add(tally, link[i].p, link[i].s);
    m                 = add(tally, add(tally, m, cross(tally, own, link[i].F)), link[i].N);
    f                 = add(tally, f, link[i].F);
    tau[i]            = dot(tally, link[i].slides ? f : m, link[i].z);
  }
}
