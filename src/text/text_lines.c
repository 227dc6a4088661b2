// SPDX-License-Identifier: MIT
#include "text/text_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "text/fields.h"
#include "text/table_formats.h"
#include "text/text_width.h"

static const int LINES_SHOWN = 16;  // lines after which progress is looked at

static lwStatus cannot_read(lwLines* lines)
{
  snprintf(lines->message, sizeof lines->message, "cannot read %.400s: %s", lines->name,
           strerror(errno));
  lines->unreadable = true;
  return LW_ERROR_INPUT;
}

lwStatus lw_lines_open(lwLines* lines, const char* path, size_t longest, lwLinesProgress* progress)
{
  bool standard = !strcmp(path, "-");
  *lines        = (lwLines){
             .name = standard ? "standard input" : path, .capacity = longest, .progress = progress};
  lines->file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (lines->file < 0) return cannot_read(lines);
  struct stat is;
  if (fstat(lines->file, &is) == 0 && S_ISREG(is.st_mode)) lines->size = (double)is.st_size;
  lines->buffer = malloc(longest + 1);
  if (lines->buffer) return LW_OK;
  lw_lines_close(lines);
  return LW_ERROR_MEMORY;
}

lwStatus lw_lines_open_text(lwLines* lines, const char* name, const char* text, size_t length)
{
  *lines = (lwLines){.name     = name,
                     .file     = -1,
                     .capacity = length + 1,
                     .end      = length,
                     .at_end   = true,
                     .buffer   = malloc(length + 1)};
  if (!lines->buffer) return LW_ERROR_MEMORY;
  memcpy(lines->buffer, text, length);
  return LW_OK;
}

void lw_lines_close(lwLines* lines)
{
  if (lines->file > STDIN_FILENO) close(lines->file);
  free(lines->buffer);
  lines->buffer = NULL;
  lw_table_format_free(lines->format);
  lines->format = NULL;
}

lwStatus lw_lines_fail(lwLines* lines, const char* at, const char* format, ...)
{
  lines->column = lines->line ? lw_text_characters(lines->line, (size_t)(at - lines->line)) + 1 : 1;
  int length    = snprintf(lines->message, sizeof lines->message,
                           "%.200s:%ld:%d: error: ", lines->name, lines->number, lines->column);
  lines->text   = (size_t)length;
  lines->hint   = 0;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(lines->message + length, sizeof lines->message - (size_t)length, format, arguments);
  va_end(arguments);
  lw_text_one_line(lines->message);
  return LW_ERROR_INPUT;
}

// Moves unread bytes to the front of the buffer and reads more of the file after them.
static lwStatus refill_buffer(lwLines* lines)
{
  memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
  lines->end -= lines->begin;
  lines->begin = 0;
  ssize_t count;
  do count = read(lines->file, lines->buffer + lines->end, lines->capacity - lines->end);
  while (count < 0 && errno == EINTR);
  if (count < 0) return cannot_read(lines);
  lines->end += (size_t)count;
  lines->taken += (double)count;
  lines->at_end = count == 0;
  return LW_OK;
}

// The end of the next line, its newline or the end of the file, reading on until it is there.
static lwStatus find_end(lwLines* lines, char** end)
{
  size_t seen = 0;
  while (true)
  {
    char* from  = lines->buffer + lines->begin;
    size_t size = lines->end - lines->begin;
    *end        = memchr(from + seen, '\n', size - seen);
    if (*end) return LW_OK;
    *end = lines->buffer + lines->end;
    if (lines->at_end) return LW_OK;
    seen = size;
    if (size == lines->capacity)
    {
      lines->line = NULL;
      return lw_lines_fail(lines, NULL, "the line is too long, expected at most %zu characters",
                           lines->capacity);
    }
    lwStatus status = refill_buffer(lines);
    if (status != LW_OK) return status;
  }
}

lwStatus lw_lines_take(lwLines* lines)
{
  char* end;
  if (++lines->number % LINES_SHOWN == 0 && lines->progress) lines->progress(lines);
  lwStatus status = find_end(lines, &end);
  if (status != LW_OK) return status;
  char* line  = lines->buffer + lines->begin;
  lines->line = line;
  if (lines->at_end && lines->begin == lines->end)
  {
    lines->line = NULL;
    return LW_OK;
  }
  size_t taken = (size_t)(end - lines->buffer) + 1;
  lines->begin = taken < lines->end ? taken : lines->end;
  if (end > line && end[-1] == '\r') --end;
  *end = 0;
  if (lines->number == 1 && !strncmp(line, "\xEF\xBB\xBF", 3)) lines->line = line += 3;
  const char* zero = memchr(line, 0, (size_t)(end - line));
  if (zero) return lw_lines_fail(lines, zero, "a zero byte, expected text");
  return LW_OK;
}

lwStatus lw_lines_next(lwLines* lines)
{
  return lines->format ? lw_table_next(lines) : lw_lines_take(lines);
}

// Reads on until `count` bytes are there, or the file ends.
static lwStatus fill_buffer(lwLines* lines, size_t count)
{
  lwStatus status = LW_OK;
  while (status == LW_OK && !lines->at_end && lines->end - lines->begin < count)
    status = refill_buffer(lines);
  return status;
}

lwStatus lw_lines_bytes(lwLines* lines, size_t count, const char** bytes)
{
  lwStatus status = fill_buffer(lines, count);
  bool there      = status == LW_OK && lines->end - lines->begin >= count;
  *bytes          = there ? lines->buffer + lines->begin : NULL;
  lines->begin += there ? count : 0;
  return status;
}

lwStatus lw_lines_begins(lwLines* lines, const char* bytes, bool* begins)
{
  lwStatus status = LW_OK;
  *begins         = true;
  // byte by byte: a pipe may hold a short line only, and the next one after an answer
  for (size_t k = 0; bytes[k] && *begins && status == LW_OK; ++k)
  {
    status  = fill_buffer(lines, k + 1);
    *begins = lines->end - lines->begin > k && lines->buffer[lines->begin + k] == bytes[k];
  }
  return status;
}

lwStatus lw_lines_skip(lwLines* lines)
{
  while (true)
  {
    const char* from = lines->buffer + lines->begin;
    const char* end  = memchr(from, '\n', lines->end - lines->begin);
    lines->begin     = end ? (size_t)(end - lines->buffer) + 1 : lines->end;
    if (end || lines->at_end) return LW_OK;
    lwStatus status = refill_buffer(lines);
    if (status != LW_OK) return status;
  }
}

const char* lw_skip_spaces(const char* s)
{
  while (*s == ' ' || *s == '\t') ++s;
  return s;
}

char* lw_field_take(char** cursor)
{
  lwFieldSpan field;
  char* text = *cursor;
  if (!field_span(text, text + strlen(text), &field)) return NULL;
  text += field.begin - text;
  *cursor = field.next ? text + (field.next - text) : NULL;
  field_text(&field, text);
  return text;
}
