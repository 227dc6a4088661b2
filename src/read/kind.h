// SPDX-License-Identifier: MIT
// What a file is, by its content and not by its name.
#ifndef LW_READ_KIND_H
#define LW_READ_KIND_H

typedef enum lwFileKind
{
  LW_FILE_KIND_UNKNOWN,
  LW_FILE_KIND_ROBOT,
  LW_FILE_KIND_SCENARIO,
  LW_FILE_KIND_SNAKE,
  LW_FILE_KIND_PARTS,
  LW_FILE_KIND_URDF,
  LW_FILE_KIND_XACRO,
  LW_FILE_KIND_CSV,
  LW_FILE_KIND_COUNT
} lwFileKind;

typedef struct lwFileFinding
{
  lwFileKind kind;
  int line;  // that shows it
} lwFileFinding;

// Looks at the beginning of a regular file; of others, and of those that cannot be read, the kind is unknown. A file that
// has the key of the kind that is needed is taken for that, whatever else is in it.
lwFileFinding lw_file_kind(const char* path, lwFileKind needed);

// "a robot file"
const char* lw_file_kind_text(lwFileKind kind);

#endif
