// SPDX-License-Identifier: MIT
// The algorithms of mata2002 expression by expression as they are printed (with the corrections of ERRATA 1-1 to 1-18),
// to count what each of them costs. The library's own kernels of the same names leave out more, see their heads.
#ifndef APP_PAPER_MATA2002_LITERAL_H
#define APP_PAPER_MATA2002_LITERAL_H

#include "linkwork/linkwork.h"

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
  INERTIA_STEPS
} InertiaStep;

enum
{
  LITERAL_STEPS = 10,  // of the longer of the two
  LITERAL_MOST  = 32   // joints
};

// Products and sums as the document counts them: quotients and roots are products; trigonometry, arithmetic with what is
// known off-line, with a structural 0 or with 1 are free.
typedef struct Operations
{
  long mul, add;
} Operations;

typedef struct Literal
{
  Operations all;                  // of one evaluation
  Operations each[LITERAL_STEPS];  // of an expression at the joint where it costs most
  double error;  // largest difference from the library's answer, over the largest entry of that
} Literal;

// Inverse dynamics by section 4.1; as bias vector without accelerations. chain: revolute joints in a row, at most
// LITERAL_MOST. LW_ERROR_MEMORY, or LW_OK.
lwStatus literal_inverse(const lwModel* chain, bool bias, Literal* literal);

// Inertia matrix by section 4.2.
lwStatus literal_inertia(const lwModel* chain, Literal* literal);

// Cholesky's factorisation L L^T of that matrix, and both substitutions.
lwStatus literal_cholesky(const lwModel* chain, Literal* decomposition, Literal* substitutions);

#endif
