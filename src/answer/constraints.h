// SPDX-License-Identifier: MIT
// The rows of a model for kernels/constrained/.
#ifndef LW_ANSWER_CONSTRAINTS_H
#define LW_ANSWER_CONSTRAINTS_H

#include "base/arena.h"
#include "base/diag.h"
#include "kernels/constrained/formulation.h"
#include "linkwork/methods.h"

// Rows that determine the dependent velocities of the plan, or all of them; the model of their
// kernels is lw_model_native(). LW_ERROR_METHOD, and why in diag (or NULL), where joints follow
// others; LW_ERROR_MEMORY.
lwStatus lw_constraints_build(const lwModel* model, bool all, lwArena* arena,
                              lwConstraints* constraints, lwDiag* diag);

// LW_ERROR_METHOD, and why in diag (or NULL), where a row has no rational form.
lwStatus lw_constraints_rational(const lwModel* model, lwDiag* diag);

// Whether scalar_closed.h answers a question: derivatives and reactions need more than N and e.
static inline bool scalar_closed_takes(lwQuestion question)
{
  return question != LW_QUESTION_INVERSE_DERIVATIVES &&
         question != LW_QUESTION_FORWARD_DERIVATIVES && question != LW_QUESTION_CORIOLIS_MATRIX &&
         question != LW_QUESTION_REACTIONS;
}

#endif
