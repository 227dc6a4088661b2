// SPDX-License-Identifier: MIT
// A file in memory. Reports when memory runs out, where open_memstream() of
// glibc drops bytes and reports success.
#ifndef LW_REPORT_MEMORY_FILE_H
#define LW_REPORT_MEMORY_FILE_H

#include <stdbool.h>
#include <stdio.h>

typedef struct lwMemoryFile
{
  FILE* file;     // to write to
  char* text;     // what was written until the last lw_memory_file_flush(), with a 0 after it
  size_t length;  // bytes of it, without the 0
  size_t room;
  bool failed;  // bytes were lost
} lwMemoryFile;

// The file must not be moved while it is open. False: out of memory. To be freed in any case.
bool lw_memory_file_open(lwMemoryFile* memory);
void lw_memory_file_free(lwMemoryFile* memory);

// Brings text and length up to date. False: out of memory, now or before.
bool lw_memory_file_flush(lwMemoryFile* memory);

#endif
