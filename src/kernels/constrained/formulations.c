// SPDX-License-Identifier: MIT
// The table of this variant's formulations.
#include "kernels/constrained/formulation.h"
#include "kernels/method_list.h"
#include "math/real.h"

#define DECLARE(id, ...) extern lwFormulation FN(id);
#define ADDRESS(id, ...) FN(id),

LW_FORMULATIONS(DECLARE)

extern const lwFormulationTable FN(formulations);
const lwFormulationTable FN(formulations) = {{LW_FORMULATIONS(ADDRESS)}, sizeof(REAL)};
