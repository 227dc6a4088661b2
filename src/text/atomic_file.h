// SPDX-License-Identifier: MIT
// Files that appear whole or not at all: written under a temporary name in the same folder, synced
// to disk, then renamed. A signal that ends the program removes the temporary files first.
#ifndef LW_TEXT_ATOMIC_FILE_H
#define LW_TEXT_ATOMIC_FILE_H

#include <stdbool.h>

typedef struct lwAtomicFile
{
  int file;    // descriptor, for writing and reading
  char* path;  // what the file will be called, links followed
  int slot;    // of the temporary name
} lwAtomicFile;

// Creates the temporary file. A link, dangling or not, is followed, and stays.
// Returns 0 or an errno.
int lw_atomic_file_open(lwAtomicFile* whole, const char* path);

// Makes the file durable and gives it its name with `ending` appended; a file of that name is
// replaced. On failure the temporary file is removed and that other file stays. Returns 0 or an
// errno. The file is closed in any case.
int lw_atomic_file_keep(lwAtomicFile* whole, const char* ending);

// Closes and removes the temporary file.
void lw_atomic_file_drop(lwAtomicFile* whole);

// From here on signals that end programs remove temporary files first; signals that the parent
// set to be ignored stay ignored. `caught`: also those that are caught by now. A file that
// grows beyond its limit is a write error.
void lw_atomic_file_watch_signals(bool caught);

// Names of other temporary files that such signals remove. _guard() returns a slot, or -1 if all
// are taken; signals are to be held until the file is there and guarded.
int lw_atomic_file_guard(const char* temporary);
void lw_atomic_file_release(int slot);

// Around fork(): signals wait. In the child, lw_atomic_file_end_child() before exec:
// they have their usual meaning.
void lw_atomic_file_hold_signals(bool hold);
void lw_atomic_file_end_child(void);

#endif
