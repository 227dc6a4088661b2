// SPDX-License-Identifier: MIT
// The kind of a file, detected by content rather than by name.
#ifndef LW_READ_KIND_H
#define LW_READ_KIND_H

typedef enum lwFileKind
{
  LW_FILE_KIND_UNKNOWN,
  LW_FILE_KIND_ROBOT,
  LW_FILE_KIND_SCENARIO,
  LW_FILE_KIND_SNAKE,
  LW_FILE_KIND_PARTS,
  LW_FILE_KIND_MATERIALS,
  LW_FILE_KIND_URDF,
  LW_FILE_KIND_XACRO,
  LW_FILE_KIND_MJCF,
  LW_FILE_KIND_SDF,
  LW_FILE_KIND_STUDY,
  LW_FILE_KIND_CYCLE,
  LW_FILE_KIND_CSV,
  LW_FILE_KIND_COUNT
} lwFileKind;

typedef struct lwFileFinding
{
  lwFileKind kind;
  int line;  // that shows it
} lwFileFinding;

// Looks at the beginning of a regular file, and at all of an XML file; the kind of other files, and
// of unreadable ones, is unknown. A file with the key of the expected kind is taken as that kind,
// whatever else is in it; a file with 'materials' and none of the other keys is a file of
// materials.
lwFileFinding lw_file_kind(const char* path, lwFileKind needed);

// "a robot file"
const char* lw_file_kind_text(lwFileKind kind);

#endif
