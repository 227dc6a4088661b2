// SPDX-License-Identifier: MIT
#include "lines.h"

#include <string.h>
#include <unistd.h>

#include "files.h"
#include "note.h"
#include "progress.h"

// No progress bar for lines that someone types.
void lines_show(const lwLines* lines)
{
  double taken      = lines->taken - (double)(lines->end - lines->begin);
  const char* slash = strrchr(lines->name, '/');
  const char* name  = slash ? slash + 1 : lines->name;
  if (lines->size > 0)
    progress_show(taken / lines->size, "line %ld of %s", lines->number, name);
  else if (!isatty(lines->file))
    progress_show(-1, "line %ld of %s", lines->number, name);
}

int lines_open(lwLines* lines, const char* path, size_t longest)
{
  input_add(path);
  lwStatus status = lw_lines_open(lines, path, longest, lines_show);
  if (status == LW_ERROR_MEMORY) return no_memory();
  return status == LW_OK ? DONE : lines_report(lines);
}

int lines_report(const lwLines* lines)
{
  if (lines->unreadable) return fail(INPUT, "%s", lines->message);
  say("%s\n", lines->message);
  return INPUT;
}
