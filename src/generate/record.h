// SPDX-License-Identifier: MIT
// Records what kernels do: their own text runs with a scalar that
// builds a graph (math/real_symbol.h).
#ifndef LW_GENERATE_RECORD_H
#define LW_GENERATE_RECORD_H

#include "generate/program.h"
#include "kernels/table.h"

enum
{
  LW_QUESTIONS_AT_ONCE = 8  // that one function answers
};

// The answer to a question: an array that comes out, row by row.
typedef struct lwResult
{
  const char* word;   // of the question, as people ask for it
  const char* name;   // "tau"
  int rows, columns;  // columns 1: a vector
  const char* meaning;
  lwQuestion question;
  int output;    // of a snake: LW_SNAKE_OUT_.., or -1: torques
  bool cancels;  // of a snake: a small difference of large forces
} lwResult;

static inline int lw_result_size(const lwResult* result)
{
  return result->rows * result->columns;
}

// What is recorded: answers about an arm or about a snake.
typedef struct lwRecording
{
  const lwModel* model;
  const lwSnake* snake;
  int count;
  const lwResult* result;              // (count) answered one after the other
  int kernel[LW_QUESTIONS_AT_ONCE];    // index in a variant's table; snakes: of the method, first
  bool grouped[LW_QUESTIONS_AT_ONCE];  // with grouped (base) inertial parameters
  unsigned arguments;                  // 1 << LW_ARGUMENT_.., of wrench, gravity and payload
  bool split;                          // no sines of sums
  const struct lwLetters* letters;     // in the place of the robot's numbers, or NULL
} lwRecording;

const lwVariant* lw_symbol_variant(void);

// Opens a program and records into it. LW_ERROR_MEMORY is the only failure.
lwStatus lw_record(const lwRecording* recording, lwProgram* program);

// Records answers about a snake into a program that is open. False: out of memory.
bool lw_record_snake(const lwRecording* recording, lwProgram* program);

#endif
