// SPDX-License-Identifier: MIT
// The coefficients of one explicit Runge-Kutta method.
#ifndef LW_SIMULATE_TABLEAU_H
#define LW_SIMULATE_TABLEAU_H

#include "linkwork/ode.h"

enum
{
  LW_MAX_STAGES  = 16,
  LW_MAX_FURTHER = 4  // coefficients of an interpolation beyond the cubic
};

// A step of length h from y, with stages k_0 .. k_end and, for interpolation, further ones:
//
//   k_i = f(t + c_i h, y + h sum_j a_ij k_j)   j < i
//
// Row end is the result, c_end = 1: k_end is the rate there, and the first stage of the next step.
// The error of the result is about h sum e_j k_j.
//
// Between the ends, with s = (time - t)/h and r = 1 - s, the state is
//
//   y + s (F0 + r (F1 + s (F2 + r (F3 + s (F4 + r (F5 + s F6))))))
//   F0 = y(t + h) - y   F1 = h k_0 - F0   F2 = 2 F0 - h (k_0 + k_end)   F3+m = h sum_j d_mj k_j
//
// F0..F2 alone are Hermite's cubic.
typedef struct lwTableau
{
  lwIntegratorMethod about;
  int end;           // index of the result
  int stages;        // with those for interpolation only
  const double* c;   // (stages)
  const double* a;   // (stages x stages), zero from the diagonal on
  const double* e;   // (stages), NULL: fixed steps
  const double* e3;  // (stages), of dop853: the error by its third order, NULL elsewhere
  const double* d;   // (further x stages)
  int further;       // rows of d
  double exponent;   // the error grows with this power of the step
  int looks;         // into how many parts events divide a step
} lwTableau;

// In the order of docs/integrators.md.
extern const lwTableau LW_TABLEAUS[];
extern const int LW_TABLEAU_COUNT;

// b_j(s), j < stages: the weights of h k_j in the interpolation of a step.
void lw_tableau_weights(const lwTableau* tableau, double s, double* weights);

// Those of some weights that are not 0, but at least one.
typedef struct lwStageTerms
{
  int count;
  int stage[LW_MAX_STAGES];
  double weight[LW_MAX_STAGES];
} lwStageTerms;

lwStageTerms lw_stage_terms(const double* weights, int count);

#endif
