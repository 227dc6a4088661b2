// SPDX-License-Identifier: MIT
// An arm and its motion as functions of time, of a coordinate or of a velocity: the quantities that
// chapters 2 and 3 of the memo differentiate, in the inertial frame.
#ifndef PAPERS_SILVER1981_CHAIN_H
#define PAPERS_SILVER1981_CHAIN_H

#include "jet.h"
#include "random_arm.h"

// The memo's symbols, all in the axes of the base. Links and joints count from 0.
typedef struct Chain
{
  const Arm* arm;
  PaperJet q[ARM_JOINTS], qd[ARM_JOINTS];  // a and b are in here
  JetVector z[ARM_JOINTS];                 // axis of the joint
  JetVector o[ARM_JOINTS];                 // m, a point on it
  JetMatrix W[ARM_JOINTS];                 // axes of the link
  JetVector r[ARM_JOINTS];                 // m, its centre of mass
  JetVector w[ARM_JOINTS];                 // rad/s, by (3.14)
  JetVector v[ARM_JOINTS];                 // m/s, of the centre of mass, by (3.13)
  JetMatrix I[ARM_JOINTS];                 // kg m^2, inertia about it
} Chain;

void chain_in_time(Chain* chain, const Arm* arm);  // a and b: both time
void chain_by_place(Chain* chain, const Arm* arm,
                    int joint);                               // a: time, b: coordinate of the joint
void chain_by_rate(Chain* chain, const Arm* arm, int joint);  // a: time, b: velocity of the joint

bool chain_slides(const Chain* chain, int joint);

// (3.15) and (3.16): dv_i/dqd_j and dw_i/dqd_j, zero if joint j does not carry link i.
JetVector chain_dv(const Chain* chain, int i, int j);
JetVector chain_dw(const Chain* chain, int i, int j);

// (3.1), and the energy of the weights, J.
PaperJet chain_kinetic(const Chain* chain);
PaperJet chain_potential(const Chain* chain);

#endif
