// SPDX-License-Identifier: MIT
// Numbers to text and back, exactly, with a point as decimal mark whatever the locale of the program is. The only reader
// and writer of doubles in the library and the program.
#ifndef LW_BASE_NUMBER_H
#define LW_BASE_NUMBER_H

#include <stdbool.h>

enum
{
  LW_NUMBER_SIZE = 32  // room for any number that is written, its final 0 included
};

// Reads the decimal number that *text begins with, as strtod() does in the C locale: the nearest double, ties to even.
// Moves *text behind it. False, and *text stays, if there is none: "nan" and "inf" are none, and of "0x10" only the 0 is
// read. The value is infinite if the number is too large for a double. Allocates nothing.
bool lw_number_read(const char** text, double* value);

// Writes v with the fewest significant digits that read back to the same bits, at most 17, in the layout of printf's %g;
// returns the length without the final 0.
int lw_number_write(double v, char buffer[LW_NUMBER_SIZE]);

#endif
