// SPDX-License-Identifier: MIT
// What is printed on standard error.
#ifndef IO_NOTE_H
#define IO_NOTE_H

#include <stdarg.h>
#include <stdbool.h>

// Prints, after clearing the progress bar.
void say(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Prints one line: control characters in the arguments are escaped.
void say_line(const char* before, const char* format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

// A remark that is neither a result nor an error, which --quiet silences: `linkwork:
// ...`, as one line.
void note(const char* format, ...) __attribute__((format(printf, 1, 2)));

// `linkwork: warning: ...`, as one line: the answer may mean something else than was asked, so
// --quiet does not silence it.
void warn(const char* format, ...) __attribute__((format(printf, 1, 2)));

void notes_off(void);  // from here on there are none
bool notes_on(void);

#endif
