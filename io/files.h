// SPDX-License-Identifier: MIT
// The files that this run reads and writes: no output replaces an input,
// no two outputs are one file.
#ifndef IO_FILES_H
#define IO_FILES_H

#include <stdbool.h>

#include "linkwork/base.h"

// Remembers a regular file that is read; what does not exist or is a device does not matter.
void input_add(const char* path);
const char* input_path(int i);        // of the i-th, in the order of their reading; or NULL
void inputs_add(const lwDiag* diag);  // all that were opened for reading with this diag

// Refuses an output that would replace a file that was read, also by another name of it: a link,
// ./x. NULL and "-" are standard output. Prints what is wrong and returns USAGE, or DONE.
int output_check(const char* path);

// True if both are, or would become, the same file.
bool same_file(const char* a, const char* b);

#endif
