// SPDX-License-Identifier: MIT
// Translates option names of the library, as in its headers, into flags of the command line.
#ifndef APP_COMMAND_OPTION_WORDS_H
#define APP_COMMAND_OPTION_WORDS_H

#include <stddef.h>

// Copies a text of the library with its options replaced by flags, "lwReadOptions.fix" by "--fix",
// cut to size bytes with the final 0. Returns the length of the whole text.
size_t option_words(const char* text, char* buffer, size_t size);

#endif
