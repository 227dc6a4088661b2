// SPDX-License-Identifier: MIT
// The snake of nia2005, Table II: its links, its initial state, and the torques that drive it.
#ifndef PAPERS_NIA2005_TABLE2_H
#define PAPERS_NIA2005_TABLE2_H

#include "linkwork/arm.h"
#include "paper_page.h"

typedef struct Table2
{
  lwSnake* snake;  // NULL: it could not be made
  int n;
  double angle;   // rad, theta_k at the start is angle (-1)^k
  double torque;  // N m, amplitude a of T_k = a sin(rate t) / (n - k)
  double rate;    // rad/s
} Table2;

// The snake with n links; DONE, or the status of the page, which has the reason.
int table2_make(Page* page, int n, Table2* table);
void table2_free(Table2* table);

void table2_start(const Table2* table, double* theta);
void table2_torques(const Table2* table, double t, double* torque);  // (n - 1)

// table2_torques() as an lwSnakeDrive; the context is the Table2.
void table2_drive(void* context, double t, const double* theta, const double u[2],
                  const double place[2], double* torque);

#endif
