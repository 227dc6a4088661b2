// SPDX-License-Identifier: MIT
// Expressions as people write them: sums of products of letters and of one sine or cosine of
// a sum of angles.
//
//   coefficient * letters * cos(k1 q1 + k2 q2 + ..)   or   sin(..)
//
// Products of sines and cosines are sums of sines and cosines again, so every polynomial in them
// has exactly one such form: cos q1 cos q2 - sin q1 sin q2 is cos(q1 + q2), and two expressions are
// equal if and only if their series are.
#ifndef LW_GENERATE_SERIES_H
#define LW_GENERATE_SERIES_H

#include <stdint.h>

#include "generate/program.h"
#include "linkwork/base.h"

enum
{
  LW_SERIES_ANGLES    = 8,
  LW_SERIES_VARIABLES = 160,
  LW_SERIES_TERMS     = 4000  // of one series; more is nothing that anyone would read
};

typedef struct lwSeriesTerm
{
  double coefficient;
  int8_t angle[LW_SERIES_ANGLES];      // k1 k2 ..; the first that is not 0 is positive
  uint8_t sine;                        // 1: sine, 0: cosine, and 1 for no angle at all
  uint8_t power[LW_SERIES_VARIABLES];  // of each letter
} lwSeriesTerm;

// Terms in order, no two alike, none too small to matter.
typedef struct lwSeries
{
  lwSeriesTerm* term;
  int count;
} lwSeries;

// Operations write a series of their own into out, to be freed. LW_ERROR_MEMORY;
// LW_ERROR_INPUT: more than LW_SERIES_TERMS.
lwStatus lw_series_add(const lwSeries* a, double factor, const lwSeries* b, lwSeries* out);
lwStatus lw_series_multiply(const lwSeries* a, const lwSeries* b, lwSeries* out);
lwStatus lw_series_constant(double value, lwSeries* out);
lwStatus lw_series_variable(int variable, lwSeries* out);
// The slope in an angle or in a letter; the other one is -1
lwStatus lw_series_slope(const lwSeries* a, int angle, int variable, lwSeries* out);
void lw_series_free(lwSeries* series);

// Which letter an input of a program is, by number of lw_input_number().
typedef int lwVariableOf(const void* context, const lwGraphNode* input);

// The outputs of a program (output_count). LW_ERROR_METHOD: it divides by something that is
// not a number, or turns by a part of an angle.
lwStatus lw_series_of_program(const lwProgram* program, lwVariableOf* variable_of,
                              const void* context, lwSeries* outputs);

#endif
