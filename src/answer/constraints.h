// SPDX-License-Identifier: MIT
// The rows of a model for kernels/constrained/.
#ifndef LW_ANSWER_CONSTRAINTS_H
#define LW_ANSWER_CONSTRAINTS_H

#include "base/arena.h"
#include "base/diag.h"
#include "kernels/constrained/formulation.h"

// Rows that determine the dependent velocities of the plan, or all of them; the model of their
// kernels is lw_model_native(). LW_ERROR_METHOD, and why in diag (or NULL), where joints follow
// others or a row has no rational form; LW_ERROR_MEMORY.
lwStatus lw_constraints_build(const lwModel* model, bool all, lwArena* arena,
                              lwConstraints* constraints, lwDiag* diag);

#endif
