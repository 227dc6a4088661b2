// SPDX-License-Identifier: MIT
// Numbers to text and back, exactly, with a decimal point in every locale. The only reader and
// writer of doubles in the library and the program.
#ifndef LW_BASE_NUMBER_H
#define LW_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum
{
  LW_NUMBER_SIZE = 32  // room for any number that is written, its final 0 included
};

// Reads the decimal number that *text begins with, as strtod() does in the C locale: the nearest
// double, ties to even. Moves *text past it. False, and *text stays, if there is no number: "nan"
// and "inf" are not numbers, and of "0x10" only the 0 is read. The value is infinite if the number
// is too large for a double. Allocates nothing.
bool lw_number_read(const char** text, double* value);

// Writes v with the fewest significant digits that read back to the same bits, at most 17, in the
// layout of printf's %g; returns the length without the final 0.
int lw_number_write(double v, char buffer[LW_NUMBER_SIZE]);

enum
{
  LW_FINITE_SUMS = 8  // independent sums, so that the loop vectorizes
};

// True if all numbers are finite: x - x is 0 for finite x and NaN otherwise, and so are sums of it.
static inline bool lw_all_finite(const double* numbers, size_t count)
{
  double sums[LW_FINITE_SUMS] = {0};
  size_t whole                = count - count % LW_FINITE_SUMS;
  for (size_t i = 0; i < whole; i += LW_FINITE_SUMS)
    for (size_t k = 0; k < LW_FINITE_SUMS; ++k) sums[k] += numbers[i + k] - numbers[i + k];
  for (size_t i = whole; i < count; ++i) sums[0] += numbers[i] - numbers[i];
  double sum = 0;
  for (size_t k = 0; k < LW_FINITE_SUMS; ++k) sum += sums[k];
  return sum == 0;
}

#endif
