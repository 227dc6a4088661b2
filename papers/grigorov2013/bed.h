// SPDX-License-Identifier: MIT
// A generic arm on which the literal equations are tried: its states, and workspaces that give the right answers.
#ifndef PAPERS_GRIGOROV2013_BED_H
#define PAPERS_GRIGOROV2013_BED_H

#include "grigorov2013.h"
#include "literal.h"
#include "states.h"

enum
{
  BED_STATES = 20  // of every arm but the longest
};

typedef struct Bed
{
  int n;
  lwModel* model;    // generic, modified DH
  lwModel* classic;  // the same numbers taken for standard DH
  lwWorkspace *ws, *classic_work;
  lwJointDef* joints;  // (n) of the classic one
  Ring ring;
  double wrench[6];
  double *tau, *truth;  // (n)
  double* matrix;       // (2 n n)
  int* pivots;          // (n)
} Bed;

// An arm of n joints; after a failure, which the page then remembers, what there is. To be closed in any case.
void bed_open(Bed* bed, Page* page, int n);
void bed_close(Bed* bed);

// The mean over the states of the largest error of a torque, relative to the largest torque. printed: see literal.h.
double bed_torque_error(Bed* bed, Page* page, Equation equation, unsigned printed);

#endif
