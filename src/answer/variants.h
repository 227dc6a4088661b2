// SPDX-License-Identifier: MIT
// Which compiled variants this machine can run.
#ifndef LW_ANSWER_VARIANTS_H
#define LW_ANSWER_VARIANTS_H

#include <stdbool.h>

#include "base/diag.h"
#include "kernels/constrained/formulation.h"
#include "kernels/forward/loop_kernel.h"
#include "kernels/speeds/null_space.h"
#include "kernels/table.h"
#include "linkwork/dynamics.h"

// All floating-point variants of one instruction set.
typedef struct lwIsa
{
  const char* name;
  const lwVariant* plain[2];  // by lwPrecision
  const lwVariant* lanes[2];
  const lwKernel* mixed;         // articulated bodies, with another robot in each lane of double
  const lwKernel* mixed_pushes;  // pushed torques, likewise
  const lwKernel* mixed_energy;  // kinetic and potential energy, likewise
  const lwLoopEquations* loop_equations;
  const lwLoopElimination* loop_elimination;
  const lwNullSpace* null_space;
  const lwFormulationTable* formulations;  // NULL: only the core is built
} lwIsa;

// Instruction sets of this build, the widest last.
int lw_isa_count(void);
const lwIsa* lw_isa(int i);
bool lw_isa_runs(const lwIsa* isa);

// The widest set that this machine runs, or the one named by the environment variable LINKWORK_ISA;
// NULL if that is unknown or does not run here.
const lwIsa* lw_isa_choose(void);

// LW_ERROR_ISA, and in diag (or NULL) which instruction set is missing.
lwStatus lw_isa_refuse(lwDiag* diag);

// The variant that counts operations.
const lwVariant* lw_count_variant(void);
const lwVariant* lw_prime_variant(void);  // integers modulo 2^61 - 1
const lwVariant* lw_dual_variant(void);   // values with derivatives
const lwVariant* lw_quad_variant(void);   // 113-bit numbers; NULL: this build has none

// Formulations that count operations, and of the field.
const lwFormulationTable* lw_count_formulations(void);
const lwFormulationTable* lw_prime_formulations(void);

#endif
