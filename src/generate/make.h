// SPDX-License-Identifier: MIT
// What code for arms and code for snakes are made with.
#ifndef LW_GENERATE_MAKE_H
#define LW_GENERATE_MAKE_H

#include "base/diag.h"
#include "generate/function.h"

// Whether language, name, lanes and precision go together.
lwStatus lw_check_wishes(const lwGenerateDef* def, lwDiag* diag);

// An empty result with these options; NULL if memory ran out.
lwGenerated* lw_generated_open(const lwGenerateDef* def, const char* title);

// Room for one more function, named PREFIX_word_word after `words` ("inertia+bias") up to a comma
// or the end. LW_ERROR_INPUT if the name exists already.
lwStatus lw_function_open(lwGenerated* made, const char* words, lwDiag* diag,
                          lwFunction** function);

void lw_function_take(lwFunction* function, lwArgument argument, const char* name, int size,
                      const char* meaning);

// Orders the program of the function that was opened, whose arguments and results are set.
lwStatus lw_function_finish(lwGenerated* made, lwFunction* function, int positions, lwDiag* diag);

// All files.
lwStatus lw_write_sources(lwGenerated* made);

// The library's answers to a function about a snake, in order. LW_ERROR_MEMORY is the only failure.
lwStatus lw_snake_expected(const lwSnake* snake, const lwFunction* function,
                           const double* const* in, double* out);

#endif
