// SPDX-License-Identifier: MIT
// The files of a unit: those in model.c, or, where that has none, those of its folder resources/.
// Readers of src/read/document/document_text.c open them by their names.
#ifndef LW_FMU_UNIT_FILES_H
#define LW_FMU_UNIT_FILES_H

#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

struct lwUnitFile
{
  const char* name;
  const char* text;
  size_t length;
};

extern const struct lwUnitFile lw_unit_files[];  // ended by a name NULL

// From now on, in this thread: where resources are.
void unit_folder(const char* folder);

// As those of POSIX.
int unit_open(const char* path, int flags);
ssize_t unit_read(int file, void* to, size_t size);
int unit_fstat(int file, struct stat* info);
int unit_close(int file);

#endif
