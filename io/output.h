// SPDX-License-Identifier: MIT
// Where a command writes: standard output, or a file that appears complete or not at all.
#ifndef IO_OUTPUT_H
#define IO_OUTPUT_H

#include "text/out.h"

// Appended to the names of files that hold only a part of what was asked for.
#define PARTIAL ".partial"

// Opens path; NULL or "-" is standard output. Prints what is wrong and returns INPUT, or DONE. A
// regular file is written under a temporary name in the same folder, which a signal removes; a
// device or a pipe is written in place.
int out_open(lwOut* out, const char* path);

// Ends the output. status is how the command ended; with `keep` the file is kept even if that is
// not DONE. Returns status, or INPUT if writing failed, which is printed. A reader that closed the
// pipe is not a failure.
int out_close(lwOut* out, int status, bool keep);

// Ends the output of a run that did not finish: a file keeps what was written under
// its name with .partial appended, and an older file of that name stays as it was.
// Returns status, or INPUT as out_close().
int out_close_partial(lwOut* out, int status);

// Until the next call every out_open() of standard output writes into this output, which stays
// open; NULL: standard output is itself again.
void out_divert(lwOut* to);

// Printers for texts that the library makes piece by piece: to an output, to standard error.
void print_to_out(void* out, const char* text);
void print_to_stderr(void* unused, const char* text);

#endif
