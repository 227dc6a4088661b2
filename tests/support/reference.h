// SPDX-License-Identifier: MIT
// The oracle: textbook rigid-body dynamics, in the frames of the description and in world
// coordinates.
//
// It shares no code with the library: no canonical frames, no merged links, no recursion over
// forces. Poses of links (also those on fixed joints) are products of the description's transforms;
// velocities and accelerations are sums over the joints that carry the link; torques follow from
// d'Alembert's principle:
//   tau_k = sum_i Jv_ik . m_i (a_i - g) + Jw_ik . (I_i wd_i + w_i x I_i w_i) - Jv_k . f - Jw_k . n
//   M_jk  = sum_i m_i Jv_ij . Jv_ik + Jw_ij . I_i Jw_ik
// with the geometric Jacobians Jv, Jw of centres of mass.
#ifndef LW_TESTS_REFERENCE_H
#define LW_TESTS_REFERENCE_H

#include "linkwork/dynamics.h"

// Writes the same answer as lw_answer() to out, and to `size` the size of the terms summed in each
// entry (both with lw_question_outputs() entries): sums of absolute values, with path lengths along
// the links instead of distances. Any algorithm that adds n such terms has a rounding error of
// about n eps size. For forward dynamics, size is the effect of such errors in M, bias and tau on
// the solution of M qdd = tau - bias.
void reference_answer(const lwRobotDef* robot, lwQuestion question, const lwStates* state,
                      double* out, double* size);

// False for derivatives and related questions, which tests/answer/test_derivatives.c tests in other
// ways.
bool reference_knows(lwQuestion question);

// The same for the residual M qdd - (tau - bias) of given accelerations, n entries each.
void reference_residual(const lwRobotDef* robot, const lwStates* state, const double* qdd,
                        double* residual, double* size);

// Factorises the symmetric n x n matrix A = L L^T in place (lower triangle). False: A is not
// positive definite.
bool cholesky(int n, double* A);
void cholesky_solve(int n, const double* L, double* x);

#endif
