// SPDX-License-Identifier: MIT
// The oracle: rigid-body dynamics as a textbook defines it,
// in the frames of the description and in world coordinates.
//
// Nothing here is shared with the library: no canonical frames, no merged links, no recursion over
// forces. Every link (those on fixed joints too) is placed by multiplying the description's
// transforms; its velocity and acceleration are sums over the joints that carry it; torques are
// what d'Alembert's principle says:
//   tau_k = sum_i Jv_ik . m_i (a_i - g) + Jw_ik . (I_i wd_i + w_i x I_i w_i) - Jv_k . f - Jw_k . n
//   M_jk  = sum_i m_i Jv_ij . Jv_ik + Jw_ij . I_i Jw_ik
// with the geometric Jacobians Jv, Jw of centres of mass.
#ifndef LW_TESTS_REFERENCE_H
#define LW_TESTS_REFERENCE_H

#include "linkwork/dynamics.h"

// The answer as lw_answer() gives it, and in `size` how large the terms were that add up to each
// entry (both with lw_question_outputs() entries): sums of absolute values, with the length of the
// way along the links instead of distances. Rounding makes any algorithm that adds n such terms
// uncertain by about n eps size. For forward dynamics, size is what these uncertainties of M, bias
// and tau do to the solution of M qdd = tau - bias.
void reference_answer(const lwRobotDef* robot, lwQuestion question, const lwStates* state,
                      double* out, double* size);

// False for derivatives and what belongs to them,
// which tests/answer/test_derivatives.c compares in other ways.
bool reference_knows(lwQuestion question);

// The same for the residual of given accelerations, M qdd - (tau - bias): n entries each.
void reference_residual(const lwRobotDef* robot, const lwStates* state, const double* qdd,
                        double* residual, double* size);

// Factorises the symmetric n x n matrix A = L L^T in place (lower triangle). False:
// A is not positive definite.
bool cholesky(int n, double* A);
void cholesky_solve(int n, const double* L, double* x);

#endif
