// SPDX-License-Identifier: MIT
// Numbers to text and back, exactly as printf("%.17g") and strtod() in the C locale, several times
// faster.
#ifndef APP_IO_NUMBER_H
#define APP_IO_NUMBER_H

#include <stdbool.h>

enum
{
  NUMBER_SIZE = 32  // room for any number_format(), its final 0 included
};

// Writes v with 17 significant digits and a final 0; returns the length without it.
int number_format(double v, char buffer[NUMBER_SIZE]);

// Reads a decimal number at *text and moves *text behind it. False, and *text stays, if there is
// none: hexadecimal, "nan" and "inf" are none. The value may be infinite, when the number is too
// large for a double.
bool number_parse(const char** text, double* value);

#endif
