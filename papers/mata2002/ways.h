// SPDX-License-Identifier: MIT
// Variants of forward dynamics of two links in single precision.
#ifndef PAPERS_MATA2002_WAYS_H
#define PAPERS_MATA2002_WAYS_H

#include "two_links.h"

typedef struct Rig
{
  const TwoLinks* links;
  lwModel* model;
  lwWorkspace* exact;   // in double precision
  lwWorkspace* single;  // the same methods in single precision
} Rig;

// Accelerations of both joints, rad/s^2, at rest and without torques.
typedef void Solve(const Rig* rig, const double q[2], double qdd[2]);

typedef struct PumaWay
{
  const char* column;  // of the CSV file
  const char* title;
  Solve* solve;
  const char* forward;  // methods
  const char* inertia;
  int refine;
} PumaWay;

// The first three stand for the methods of the document, solved as section 5.1 says.
enum
{
  ARTICULATED,
  WALKER_ORIN,
  GIBBS_APPELL,
  BASE_FRAME,
  COMPOSITE,
  WALKER_ORIN_FACTORED,
  GIBBS_APPELL_FACTORED,
  ROUNDED,
  WALKER_ORIN_REFINED,
  GIBBS_APPELL_REFINED,
  GIBBS_APPELL_TWICE,
  WAYS
};

extern const PumaWay WAY[WAYS];

// Makes the workspaces of a variant; must be closed, even after a failure.
int rig_open(Page* page, Rig* rig, const PumaWay* way);
void rig_close(Rig* rig);

#endif
