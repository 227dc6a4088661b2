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

typedef struct lwRecording
{
  const lwModel* model;
  int count;  // questions, answered one after the other
  lwQuestion question[LW_QUESTIONS_AT_ONCE];
  int kernel[LW_QUESTIONS_AT_ONCE];    // index in a variant's table
  bool grouped[LW_QUESTIONS_AT_ONCE];  // with grouped (base) inertial parameters
  unsigned arguments;                  // 1 << LW_ARGUMENT_.., of wrench, gravity and payload
  bool split;                          // no sines of sums
  const lwView* view;                  // of pose and Jacobian
  const struct lwLetters* letters;     // in the place of the robot's numbers, or NULL
} lwRecording;

const lwVariant* lw_symbol_variant(void);

// Entries of all answers together.
int lw_recording_outputs(const lwRecording* recording);

// Opens a program and records into it. LW_ERROR_MEMORY is the only failure.
lwStatus lw_record(const lwRecording* recording, lwProgram* program);

#endif
