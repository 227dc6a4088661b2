// SPDX-License-Identifier: MIT
// The arm of mata2002, 5.1 (after Ascher, Pai and Cloutier):
// a short and a long bar in a vertical plane.
#ifndef PAPERS_MATA2002_TWO_LINKS_H
#define PAPERS_MATA2002_TWO_LINKS_H

#include "paper_page.h"

typedef struct TwoLinks
{
  double length[2];  // m
  double mass[2];    // kg
  double width;      // m, of both
  double gravity;    // m/s^2, along -y
  double twist;      // rad, of the frame of body 2 against its bar: 0 but where frames are varied
} TwoLinks;

TwoLinks two_links_data(Page* page);

// NULL after a failure.
lwModel* two_links_model(Page* page, const TwoLinks* links);

// Figure 1: the two bars, q2 (rad) between them.
void two_links_draw(Page* page, const TwoLinks* links, double q2);

// Solves D x = -b in single precision by Gauss-Jordan elimination without exchanges.
void two_links_gauss_jordan(const double D[4], const double b[2], double x[2]);

// Accelerations, rad/s^2, at rest and without torques, by the articulated body in single precision,
// all vectors and inertias about the base and in its axes.
void two_links_in_base_frame(const TwoLinks* links, const double q[2], double qdd[2]);

#endif
