// SPDX-License-Identifier: MIT
// The library names its options as its headers do; people at the command line know them as flags.
#ifndef APP_COMMAND_OPTION_WORDS_H
#define APP_COMMAND_OPTION_WORDS_H

#include <stddef.h>

// Copies a text of the library with its options replaced by flags, "lwReadOptions.fix" by "--fix",
// cut to size bytes with the final 0. Returns the length of the whole text.
size_t option_words(const char* text, char* buffer, size_t size);

#endif
