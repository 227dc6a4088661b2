// SPDX-License-Identifier: MIT
// In place of src/answer/variants.c: one variant for everything. A run asks about one state at a
// time, so that its lanes are one double, and it has no single precision.
#include "answer/variants.h"

extern const lwVariant lw_variant_f64_baseline;
extern const lwLoopEquations lw_loop_equations_f64_baseline;
extern const lwLoopElimination lw_loop_elimination_f64_baseline;
extern const lwNullSpace lw_null_space_f64_baseline;

static const lwIsa only = {"baseline",
                           {&lw_variant_f64_baseline, &lw_variant_f64_baseline},
                           {&lw_variant_f64_baseline, &lw_variant_f64_baseline},
                           NULL,
                           NULL,
                           NULL,
                           &lw_loop_equations_f64_baseline,
                           &lw_loop_elimination_f64_baseline,
                           &lw_null_space_f64_baseline,
                           NULL};

int lw_isa_count(void)
{
  return 1;
}

const lwIsa* lw_isa(int i)
{
  (void)i;
  return &only;
}

bool lw_isa_runs(const lwIsa* isa)
{
  return isa == &only;
}

const lwIsa* lw_isa_choose(void)
{
  return &only;
}

lwStatus lw_isa_refuse(lwDiag* diag)
{
  (void)diag;
  return LW_ERROR_ISA;
}
