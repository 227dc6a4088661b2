// SPDX-License-Identifier: MIT
// Where a continuous function changes its sign.
#ifndef LW_MATH_BRACKET_H
#define LW_MATH_BRACKET_H

typedef double lwBracketFunction(void* context, double x);

// An interval at whose ends the function has different signs.
typedef struct lwBracket
{
  double low, high;
  double at_low, at_high;  // the function there
  double guess;            // where to look first
  double resolution;       // how short the interval becomes
} lwBracket;

// A point where the function is 0, or else the upper end of a bracket shorter than the resolution:
// there the sign has changed.
double lw_bracket_close(const lwBracket* bracket, lwBracketFunction* function, void* context);

#endif
