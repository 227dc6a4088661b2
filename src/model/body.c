// SPDX-License-Identifier: MIT
// Combines rigidly connected bodies.
#include "linkwork/model.h"

void lw_link_def_add(lwLinkDef* link, double mass, const double com[3], const double inertia[6])
{
  double total = link->mass + mass;
  double share = total != 0 ? mass / total : 0;
  double d[3];  // m, from the centre of mass of the link to that of the body
  for (int i = 0; i < 3; ++i) d[i] = com[i] - link->com[i];

  // I = I1 + I2 + m1 m2 / (m1 + m2) (d^2 1 - d d^T), about c = c1 + m2 / (m1 + m2) d
  double reduced = share * link->mass;
  for (int i = 0; i < 6; ++i) link->inertia[i] += inertia[i];
  link->inertia[0] += reduced * (d[1] * d[1] + d[2] * d[2]);
  link->inertia[1] += reduced * (d[0] * d[0] + d[2] * d[2]);
  link->inertia[2] += reduced * (d[0] * d[0] + d[1] * d[1]);
  link->inertia[3] -= reduced * d[0] * d[1];
  link->inertia[4] -= reduced * d[0] * d[2];
  link->inertia[5] -= reduced * d[1] * d[2];
  for (int i = 0; i < 3; ++i) link->com[i] += share * d[i];
  link->mass = total;
}
