// SPDX-License-Identifier: MIT
// Luh, Walker & Paul 1979, the memo's reference [4], as the four steps of its section 1.3: the
// equations of swartz1982 (1)-(10), with 3x3 matrices that are multiplied in full, so that their
// operations can be compared with those of the matrices of Uicker, Kahn and Hollerbach. The
// library's own newton-euler needs far fewer.
//
//   here     meaning                                           frame, unit
//   A        link's axes in those of the one before            -
//   w, wd    angular velocity and acceleration of the link     link, rad/s, rad/s^2
//   vd       acceleration of its origin                        link, m/s^2
//   F, N     force and moment about the centre of mass         link, N, N m
//   f, n     wrench that the joint transmits                   link, N, N m
//   p        origin of the link before to its own              link, m
//   s        its origin to its centre of mass                  link, m
#include "counted.h"

typedef struct LuhLink
{
  bool slides;
  Matrix A;
  CountedVector p, s;
  Matrix I;
  double m;
  CountedVector w, wd, vd, g;  // g: gravity in the axes of the link, only with LUH_WEIGHTS
  CountedVector F, N;
} LuhLink;

static LuhLink luh_place_link(FormulationTally* tally, const lwJointDef* joint, double q)
{
  const lwLinkDef* body = &joint->link;
  bool slides           = joint->type == LW_JOINT_PRISMATIC;
  double d              = joint->d + (slides ? q : 0);
  LuhLink link          = {.slides = slides, .m = body->mass};
  link.A                = axes(tally, joint->theta + (slides ? 0 : q), joint->alpha);
  link.p                = (CountedVector){joint->a, d * sin(joint->alpha), d * cos(joint->alpha)};
  link.s                = (CountedVector){body->com[0], body->com[1], body->com[2]};
  link.I                = inertia_of(body);
  if (slides) tally->mul += 2;  // of p, which is off-line otherwise
  return link;
}

// a + wd x r + w x (w x r): the acceleration at r
static CountedVector accelerate(FormulationTally* tally, const LuhLink* link, CountedVector r,
                                CountedVector a)
{
  CountedVector turning = cross(tally, link->w, cross(tally, link->w, r));
  return add(tally, add(tally, cross(tally, link->wd, r), turning), a);
}

// Step 1: motion of a link from that of the one before.
static void luh_move_link(FormulationTally* tally, LuhLink* link, const LuhLink* before, double qd,
                          double qdd)
{
  CountedVector w = before->w, wd = before->wd, vd = before->vd;
  if (link->slides)
  {
    CountedVector slide = cross_z(tally, w, 2 * qd);
    vd                  = add_z(tally, add(tally, vd, slide), qdd);
  }
  else
  {
    wd = add_z(tally, add(tally, wd, cross_z(tally, w, qd)), qdd);
    w  = add_z(tally, w, qd);
  }
  link->w  = apply_transposed(tally, &link->A, w);
  link->wd = apply_transposed(tally, &link->A, wd);
  link->vd = accelerate(tally, link, link->p, apply_transposed(tally, &link->A, vd));
}

// Step 2: force and moment on the link, by Newton's law and (1.3).
static void luh_sustain_link(FormulationTally* tally, LuhLink* link)
{
  CountedVector L = apply(tally, &link->I, link->w);
  link->F         = scale(tally, link->m, accelerate(tally, link, link->s, link->vd));
  link->N         = add(tally, apply(tally, &link->I, link->wd), cross(tally, link->w, L));
}

// F - m g, with g turned into the axes of the link
static void subtract_weight(FormulationTally* tally, LuhLink* link, const LuhLink* before)
{
  link->g = apply_transposed(tally, &link->A, before->g);
  link->F = add(tally, link->F, scale(tally, -link->m, link->g));
}

// Steps 3 and 4: wrenches from the tip to the base, and their parts along the axes.
static void transmit(FormulationTally* tally, int n, const LuhLink* link, double* tau)
{
  CountedVector f = {0, 0, 0}, m = f;  // the tip is free
  for (int i = n - 1; i >= 0; --i)
  {
    if (i + 1 < n)
    {
      const Matrix* A   = &link[i + 1].A;
      CountedVector arm = apply_transposed(tally, A, link[i].p);
      m                 = apply(tally, A, add(tally, m, cross(tally, arm, f)));
      f                 = apply(tally, A, f);
    }
    CountedVector own = {link[i].p.x + link[i].s.x, link[i].p.y + link[i].s.y,
                         link[i].p.z + link[i].s.z};
    m                 = add(tally, add(tally, m, cross(tally, own, link[i].F)), link[i].N);
    f                 = add(tally, f, link[i].F);
    CountedVector z   = link[i].A.row[2];  // of the frame before, in that of the link
    tau[i]            = dot(tally, link[i].slides ? f : m, z);
  }
}

void luh_torques(const Arm* arm, LuhGravity gravity, double* tau, FormulationTally* tally)
{
  LuhLink all[ARM_JOINTS + 1] = {{.slides = false}};
  LuhLink* link               = all + 1;  // link[-1] is the base
  double sign                 = gravity == LUH_BASE_UP ? -1 : gravity == LUH_BASE_DOWN ? 1 : 0;
  CountedVector g             = {arm->gravity[0], arm->gravity[1], arm->gravity[2]};
  link[-1].vd                 = (CountedVector){sign * g.x, sign * g.y, sign * g.z};
  link[-1].g                  = g;
  *tally                      = (FormulationTally){0, 0};
  for (int i = 0; i < arm->n; ++i)
  {
    link[i] = luh_place_link(tally, &arm->joint[i], arm->q[i]);
    luh_move_link(tally, &link[i], &link[i - 1], arm->qd[i], arm->qdd[i]);
    luh_sustain_link(tally, &link[i]);
    if (gravity == LUH_WEIGHTS) subtract_weight(tally, &link[i], &link[i - 1]);
  }
  transmit(tally, arm->n, link, tau);
}
