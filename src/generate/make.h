// SPDX-License-Identifier: MIT
// What code for arms and code for snakes are made with.
#ifndef LW_GENERATE_MAKE_H
#define LW_GENERATE_MAKE_H

#include "base/diag.h"
#include "generate/choose.h"

// Whether language, name, lanes and precision go together.
lwStatus lw_generate_def_validate(const lwGenerateDef* def, lwDiag* diag);

// An empty result with these options; NULL if memory ran out.
lwGenerated* lw_generated_open(const lwGenerateDef* def, const char* title);

// Room for one more function, named PREFIX_word_word after `words` ("inertia+bias") up to a comma
// or the end. LW_ERROR_INPUT if the name exists already.
lwStatus lw_function_open(lwGenerated* made, const char* words, lwDiag* diag,
                          lwFunction** function);

void lw_function_take(lwFunction* function, lwArgument argument, const char* name, int size,
                      const char* meaning);
void lw_function_take_sines(lwFunction* function, int size, const char* cosines, const char* sines);

// Orders the program of the function that was opened, whose arguments and results are set.
lwStatus lw_function_finish(lwGenerated* made, lwFunction* function, int positions, lwDiag* diag);

// All files.
lwStatus lw_write_sources(lwGenerated* made);

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
