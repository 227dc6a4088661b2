// SPDX-License-Identifier: MIT
// A generic arm for testing the literal equations: its states,
// and workspaces that give the reference answers.
#ifndef PAPERS_GRIGOROV2013_BED_H
#define PAPERS_GRIGOROV2013_BED_H

#include "bench_states.h"
#include "grigorov2013.h"
#include "grigorov_literal.h"

enum
{
  BED_STATES = 20  // of every arm except the longest
};

typedef struct Bed
{
  int n;
  lwModel* model;    // generic, modified DH
  lwModel* classic;  // the same numbers read as standard DH
  lwWorkspace *ws, *classic_work;
  lwJointDef* joints;  // (n) of the classic one
  Ring ring;
  double wrench[6];
  double *tau, *truth;  // (n)
  double* matrix;       // (2 n n)
  int* pivots;          // (n)
} Bed;

// An arm of n joints, or as much of it as could be made: a failure is in page->status.
// Must be closed either way.
void bed_open(Bed* bed, Page* page, int n);
void bed_close(Bed* bed);

// The mean over the states of the largest error of a torque,
// relative to the largest torque. printed: see grigorov_literal.h.
double bed_torque_error(Bed* bed, Page* page, Equation equation, unsigned printed);

// Torques of (12) with a wrench at a point of every link, against inverse dynamics with the same:
// the largest difference, relative to the largest torque of the state. any_link.c
double any_link_error(Bed* bed, Page* page);

#endif
