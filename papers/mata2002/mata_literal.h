// SPDX-License-Identifier: MIT
// The equations of mata2002 as printed (with the corrections of errata 1-1 to 1-18), expression by
// expression, to check them and to count the cost of each. The library's kernels of the same names
// skip more operations; see the heads of their files.
#ifndef PAPERS_MATA2002_MATA_LITERAL_H
#define PAPERS_MATA2002_MATA_LITERAL_H

#include "linkwork/linkwork.h"

// What can be run.
typedef enum LiteralKind
{
  LITERAL_INVERSE,        // section 4.1
  LITERAL_INVERSE_WRONG,  // section 4.1 with gravity as step 1 prints it
  LITERAL_BIAS,           // section 4.1 without accelerations
  LITERAL_INERTIA,        // section 4.2
  LITERAL_GIBBS,          // torques as derivatives (5) of Gibbs' function (3), (4)
  LITERAL_HESSIAN,        // inertia matrix as its second derivatives (19)
  LITERAL_SUM_22,         // inertia matrix by (22)
  LITERAL_SUM_22_WRONG,   // by (22) as printed
  LITERAL_KINDS
} LiteralKind;

// Expressions of section 4.1, in their order.
typedef enum InverseStep
{
  INVERSE_OMEGA_TURNED,
  INVERSE_OMEGA,
  INVERSE_OMEGA_DOT,
  INVERSE_TENSOR,
  INVERSE_ORIGIN,
  INVERSE_CENTRE,
  INVERSE_FORCE,
  INVERSE_MOMENT,
  INVERSE_PHI,
  INVERSE_CHI,
  INVERSE_STEPS
} InverseStep;

// Expressions of section 4.2.
typedef enum InertiaStep
{
  INERTIA_ARM,
  INERTIA_ARM_SUM,
  INERTIA_AXIS_FIRST,
  INERTIA_AXIS,
  INERTIA_PHI_TURNED,
  INERTIA_PHI,
  INERTIA_PSI,
  INERTIA_PSI_FIRST,
  INERTIA_ENTRY,
  INERTIA_STEPS,
  INERTIA_ARM_FIRST = INERTIA_STEPS  // step 2 where a vector is first rotated: not a claim
} InertiaStep;

enum
{
  LITERAL_STEPS = 10,  // of the longer of the two
  LITERAL_MOST  = 16   // joints
};

// Multiplications and additions as the document counts them: divisions and square roots
// are multiplications; trigonometry and arithmetic with off-line constants, with a
// structural 0 or with 1 are free.
typedef struct Operations
{
  long mul, add;
} Operations;

typedef struct Literal
{
  Operations all;                  // of one evaluation
  Operations each[LITERAL_STEPS];  // of an expression at the joint where it costs most
  double error;    // largest difference from the library's answer, relative to its largest entry
  double gravity;  // largest gravity torque, relative to the same
} Literal;

// Runs the equations on a chain of revolute joints,
// at most LITERAL_MOST. LW_ERROR_MEMORY, or LW_OK.
lwStatus literal_run(LiteralKind kind, const lwModel* chain, Literal* literal);

// Gauss-Jordan elimination of the matrix with one right-hand side,
// as in section 5.1, without exchanging rows.
lwStatus literal_gauss_jordan(const lwModel* chain, Literal* elimination);

// Cholesky's factorisation L L^T of the matrix of section 4.2, and both substitutions.
lwStatus literal_cholesky(const lwModel* chain, Literal* decomposition, Literal* substitutions);

#endif
