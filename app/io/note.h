// SPDX-License-Identifier: MIT
// Remarks on standard error that are neither results nor errors: --quiet silences them.
#ifndef APP_IO_NOTE_H
#define APP_IO_NOTE_H

#include <stdbool.h>

// Prints `linkwork: ...` as one line.
void note(const char* format, ...) __attribute__((format(printf, 1, 2)));

void notes_off(void);  // from here on nothing is printed
bool notes_on(void);

#endif
