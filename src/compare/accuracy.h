// SPDX-License-Identifier: MIT
// The true error of every method: its answers in double and float compared with those in 113 bits.
#ifndef LW_COMPARE_ACCURACY_H
#define LW_COMPARE_ACCURACY_H

#include "compare/random_state.h"

typedef struct lwAccuracyDef
{
  long states;
  uint64_t seed;
  const char* method;  // the only one, or NULL: all
  int question;        // the only one, or -1: all
} lwAccuracyDef;

// Errors of one method in one precision, over all states, in units in the last place of the largest
// entry of the answer: 2^-52 or 2^-23 of the power of two below it.
typedef struct lwAccuracy
{
  lwQuestion question;
  int method;  // -1: there is one way only
  lwPrecision precision;
  double worst, median;
  long worst_state;  // number of the state; lw_accuracy_state() makes it
  int entry;         // of the answer, that is worst
} lwAccuracy;

// The most rows that there are.
int lw_accuracy_rows(void);

// Measures; rows (lw_accuracy_rows()) are written. Methods that the robot's joints do not allow, or
// that would take very long, have no row. LW_ERROR_QUAD: this build has no 113-bit arithmetic.
lwStatus lw_accuracy_measure(const lwModel* model, const lwAccuracyDef* def, lwAccuracy* rows,
                             int* count);

// The state of that number: in single precision all numbers are floats, so that rounding the input
// is not blamed on a method; torques are those of the motion. False: out of memory.
bool lw_accuracy_state(const lwModel* model, uint64_t seed, long number, lwPrecision precision,
                       lwRandomState* state);

#endif
