// SPDX-License-Identifier: MIT
#include "lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app.h"
#include "base/fields.h"
#include "files.h"
#include "note.h"
#include "progress.h"
#include "text.h"

enum
{
  LINES_SHOWN = 16  // lines after which progress is looked at
};

int lines_open(Lines* lines, const char* path, size_t longest)
{
  bool standard = !strcmp(path, "-");
  *lines        = (Lines){.name = standard ? "standard input" : path, .capacity = longest};
  input_add(path);
  lines->file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (lines->file < 0) return fail(INPUT, "cannot read %s: %s", path, strerror(errno));
  struct stat is;
  if (fstat(lines->file, &is) == 0 && S_ISREG(is.st_mode)) lines->size = (double)is.st_size;
  lines->buffer = malloc(longest + 1);
  if (lines->buffer) return DONE;
  lines_close(lines);
  return no_memory();
}

void lines_close(Lines* lines)
{
  if (lines->file > STDIN_FILENO) close(lines->file);
  free(lines->buffer);
  lines->buffer = NULL;
}

int lines_fail(Lines* lines, const char* at, const char* format, ...)
{
  int column = lines->line ? utf8_count(lines->line, (size_t)(at - lines->line)) + 1 : 1;
  int length = snprintf(lines->message, sizeof lines->message,
                        "%.200s:%ld:%d: error: ", lines->name, lines->number, column);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(lines->message + length, sizeof lines->message - (size_t)length, format, arguments);
  va_end(arguments);
  text_one_line(lines->message);
  return INPUT;
}

// Reads more of the file behind what is there, which is moved to the front first.
static int refill_buffer(Lines* lines)
{
  memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
  lines->end -= lines->begin;
  lines->begin = 0;
  ssize_t count;
  do count = read(lines->file, lines->buffer + lines->end, lines->capacity - lines->end);
  while (count < 0 && errno == EINTR);
  if (count < 0)
  {
    snprintf(lines->message, sizeof lines->message, "linkwork: error: cannot read %.200s: %s",
             lines->name, strerror(errno));
    return INPUT;
  }
  lines->end += (size_t)count;
  lines->taken += (double)count;
  lines->at_end = count == 0;
  return DONE;
}

// The end of the next line, its newline or the end of the file, reading on until it is there.
static int find_end(Lines* lines, char** end)
{
  size_t seen = 0;
  while (true)
  {
    char* from  = lines->buffer + lines->begin;
    size_t size = lines->end - lines->begin;
    *end        = memchr(from + seen, '\n', size - seen);
    if (*end) return DONE;
    *end = lines->buffer + lines->end;
    if (lines->at_end) return DONE;
    seen = size;
    if (size == lines->capacity)
    {
      lines->line = NULL;
      return lines_fail(lines, NULL, "the line is too long, expected at most %zu characters",
                        lines->capacity);
    }
    int status = refill_buffer(lines);
    if (status != DONE) return status;
  }
}

int lines_report(const Lines* lines)
{
  say("%s\n", lines->message);
  return INPUT;
}

// How much of the file is behind us. Somebody who types the lines knows that.
static void show_lines(const Lines* lines)
{
  double taken      = lines->taken - (double)(lines->end - lines->begin);
  const char* slash = strrchr(lines->name, '/');
  const char* name  = slash ? slash + 1 : lines->name;
  if (lines->size > 0)
    progress_show(taken / lines->size, "line %ld of %s", lines->number, name);
  else if (!isatty(lines->file))
    progress_show(-1, "line %ld of %s", lines->number, name);
}

int lines_next(Lines* lines)
{
  char* end;
  if (++lines->number % LINES_SHOWN == 0) show_lines(lines);
  int status = find_end(lines, &end);
  if (status != DONE) return status;
  char* line  = lines->buffer + lines->begin;
  lines->line = line;
  if (lines->at_end && lines->begin == lines->end)
  {
    lines->line = NULL;
    return DONE;
  }
  size_t taken = (size_t)(end - lines->buffer) + 1;
  lines->begin = taken < lines->end ? taken : lines->end;
  if (end > line && end[-1] == '\r') --end;
  *end = 0;
  if (lines->number == 1 && !strncmp(line, "\xEF\xBB\xBF", 3)) lines->line = line += 3;
  const char* zero = memchr(line, 0, (size_t)(end - line));
  if (zero) return lines_fail(lines, zero, "a zero byte, expected text");
  return DONE;
}

int lines_skip(Lines* lines)
{
  while (true)
  {
    const char* from = lines->buffer + lines->begin;
    const char* end  = memchr(from, '\n', lines->end - lines->begin);
    lines->begin     = end ? (size_t)(end - lines->buffer) + 1 : lines->end;
    if (end || lines->at_end) return DONE;
    int status = refill_buffer(lines);
    if (status != DONE) return status;
  }
}

const char* skip_spaces(const char* s)
{
  while (*s == ' ' || *s == '\t') ++s;
  return s;
}

char* field_take(char** cursor)
{
  lwFieldSpan field;
  char* text = *cursor;
  if (!field_span(text, text + strlen(text), &field)) return NULL;
  text += field.begin - text;
  *cursor = field.next ? text + (field.next - text) : NULL;
  field_text(&field, text);
  return text;
}
