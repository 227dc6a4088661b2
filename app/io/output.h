// SPDX-License-Identifier: MIT
// Where a command writes: standard output, or a file that appears complete or not at all.
#ifndef APP_IO_OUTPUT_H
#define APP_IO_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "report/whole_file.h"

enum
{
  OUT_SIZE = 1 << 16  // bytes collected before they are written
};

// Behind the names of files that hold a part of what was asked for.
#define PARTIAL ".partial"

typedef struct Out
{
  int file;          // descriptor
  const char* name;  // for messages
  bool aside;        // written under a temporary name, which is in `whole`
  lwWholeFile whole;
  int error;  // errno of the first write that failed
  size_t used;
  struct Out* onto;  // in place of the file; NULL: there is one
  struct Out* also;  // what gets a copy of everything, or NULL
  char buffer[OUT_SIZE];
} Out;

// Opens path; NULL or "-" is standard output. Prints what is wrong and returns INPUT, or DONE. A
// regular file is written under a temporary name in the same folder, which a signal removes; a
// device or a pipe is written in place.
int out_open(Out* out, const char* path);

// Ends the output. status is how the command ended; with `keep` the file is kept even if that is
// not DONE. Returns status, or INPUT if writing failed, which is printed. A reader that closed the
// pipe is not a failure.
int out_close(Out* out, int status, bool keep);

// Ends the output of a run that did not come to its end: a file keeps what there is under its name with .partial behind
// it, and a file of that name itself stays as it was. Returns status, or INPUT as out_close().
int out_close_partial(Out* out, int status);

// Writes what was collected.
void out_flush(Out* out);

// Until the next call every out_open() of standard output writes into this output, which stays open; NULL: standard
// output is itself again.
void out_divert(Out* to);

// True when nothing more can be written, so that a command may stop.
bool out_stopped(const Out* out);

void out_bytes(Out* out, const char* bytes, size_t count);
void out_text(Out* out, const char* text);
void out_format(Out* out, const char* format, ...) __attribute__((format(printf, 2, 3)));
void out_number(Out* out, double v);        // the fewest digits that read back to v
void out_csv(Out* out, const char* text);   // quoted if need be
void out_json(Out* out, const char* text);  // quoted and escaped; NULL is null
void out_padded(Out* out, const char* text,
                int width);  // to the left; negative width: to the right

#endif
