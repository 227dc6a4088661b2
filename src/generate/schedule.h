// SPDX-License-Identifier: MIT
// The order of statements for processors that compute several at a time.
#ifndef LW_GENERATE_SCHEDULE_H
#define LW_GENERATE_SCHEDULE_H

#include "generate/plan.h"

// Reorders the statements behind the first `fixed` ones. False if memory ran out.
bool lw_schedule(const lwProgram* program, lwPlan* plan, int fixed);

#endif
