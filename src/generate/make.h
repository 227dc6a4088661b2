// SPDX-License-Identifier: MIT
// What code for arms and code for snakes are made with.
#ifndef LW_GENERATE_MAKE_H
#define LW_GENERATE_MAKE_H

#include "base/diag.h"
#include "generate/choose.h"

// A parameter of a function, if the function takes it.
typedef struct lwOptionalTaken
{
  bool chosen;
  lwTaken taken;
} lwOptionalTaken;

void lw_function_take(lwFunction* function, const lwOptionalTaken* list, int count);

// --- snakes

// What can be asked about a snake: at most LW_QUESTION_COUNT; returns how many.
int lw_snake_results(const lwSnake* snake, lwResult* results);

// Whether code can be generated with these options, and for these questions.
lwStatus lw_snake_check(const lwSnake* snake, const lwGenerateDef* def, lwDiag* diag);
lwStatus lw_snake_check_choice(const lwChoice* choice, lwDiag* diag);

void lw_snake_parameters(const lwChoice* choice, bool given_sines, lwFunction* function);

// The library's answer for arguments (LW_ARGUMENT_COUNT).
void lw_snake_library_answer(const lwSnake* snake, lwSnakeWorkspace* ws, const lwResult* result,
                             const double* const* in, double* out);

#endif
