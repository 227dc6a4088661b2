// SPDX-License-Identifier: MIT
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app.h"
#include "base/number.h"
#include "files.h"
#include "progress.h"
#include "report/whole_file.h"
#include "text.h"

// What stands for standard output, NULL: itself.
static Out* diverted;

static int cannot_write(const char* name, int error)
{
  if (error == ENOMEM) return no_memory();
  return fail(INPUT, "cannot write %s: %s", name, strerror(error));
}

int out_open(Out* out, const char* path)
{
  *out = (Out){.file = STDOUT_FILENO, .name = "standard output", .onto = diverted};
  if (!path || !strcmp(path, "-")) return DONE;
  out->name = path;
  out->onto = NULL;
  if (output_check(path) != DONE) return USAGE;
  struct stat old;
  if (stat(path, &old) == 0 && !S_ISREG(old.st_mode))
  {
    out->file = open(path, O_WRONLY);
    return out->file >= 0 ? DONE : cannot_write(path, errno);
  }
  int error  = lw_whole_file_open(&out->whole, path);
  out->aside = error == 0;
  out->file  = out->whole.file;
  return error ? cannot_write(path, error) : DONE;
}

static void flush(Out* out)
{
  const char* from = out->buffer;
  if (out->also) out_bytes(out->also, from, out->used);
  if (out->onto)
  {
    out_bytes(out->onto, from, out->used);
    out->error = out->onto->error;
    out->used  = 0;
    return;
  }
  if (out->used > 0) progress_yield(out->file);
  while (out->used > 0 && !out->error)
  {
    ssize_t count = write(out->file, from, out->used);
    if (count < 0 && errno != EINTR) out->error = errno;
    if (count < 0) continue;
    from += count;
    out->used -= (size_t)count;
  }
  out->used = 0;
}

void out_flush(Out* out)
{
  flush(out);
}

void out_divert(Out* to)
{
  diverted = to;
}

bool out_stopped(const Out* out)
{
  return out->error != 0;
}

// Gives a file that is written aside its name and an ending, or removes it.
static void settle(Out* out, bool keep, const char* ending)
{
  if (!keep || out->error)
    lw_whole_file_drop(&out->whole);
  else
    out->error = lw_whole_file_keep(&out->whole, ending);
}

static int out_end(Out* out, int status, bool keep, const char* ending)
{
  progress_clear();  // before a reader of the pipe sees its end and prints
  flush(out);
  if (out->aside)
    settle(out, keep, ending);
  else if (!out->onto && close(out->file) != 0 && !out->error)
    out->error = errno;
  if (out->error == EPIPE || !out->error) return status;
  return status == DONE || status == NO ? cannot_write(out->name, out->error) : status;
}

int out_close(Out* out, int status, bool keep)
{
  return out_end(out, status, keep || status == DONE, "");
}

int out_close_partial(Out* out, int status)
{
  return out_end(out, status, true, PARTIAL);
}

void out_bytes(Out* out, const char* bytes, size_t count)
{
  while (count > 0 && !out->error)
  {
    size_t room = OUT_SIZE - out->used;
    size_t part = count < room ? count : room;
    memcpy(out->buffer + out->used, bytes, part);
    out->used += part;
    bytes += part;
    count -= part;
    if (out->used == OUT_SIZE) flush(out);
  }
}

void out_text(Out* out, const char* text)
{
  out_bytes(out, text, strlen(text));
}

void out_format(Out* out, const char* format, ...)
{
  char buffer[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  if (length < (int)sizeof buffer) return out_bytes(out, buffer, length > 0 ? (size_t)length : 0);

  char* whole = malloc((size_t)length + 1);
  if (!whole)
  {
    out->error = ENOMEM;
    return;
  }
  va_start(arguments, format);
  vsnprintf(whole, (size_t)length + 1, format, arguments);
  va_end(arguments);
  out_bytes(out, whole, (size_t)length);
  free(whole);
}

void out_number(Out* out, double v)
{
  if (out->used > OUT_SIZE - LW_NUMBER_SIZE) flush(out);
  out->used += (size_t)lw_number_write(v, out->buffer + out->used);
}

void out_csv(Out* out, const char* text)
{
  bool plain =
      !strpbrk(text, ",\"\r\n") && text[0] != ' ' && !(text[0] && text[strlen(text) - 1] == ' ');
  if (plain) return out_text(out, text);
  out_text(out, "\"");
  for (const char* s = text; *s; ++s)
  {
    if (*s == '"') out_text(out, "\"");
    out_bytes(out, s, 1);
  }
  out_text(out, "\"");
}

// One character of a JSON string; returns its length in the text. What is not UTF-8 becomes U+FFFD.
static int out_json_character(Out* out, const char* s)
{
  int length = utf8_length(s);
  if (length == 0)
    out_text(out, "\\ufffd");
  else if (*s == '"' || *s == '\\')
    out_format(out, "\\%c", *s);
  else if ((unsigned char)*s < 0x20 || *s == 0x7F)
    out_format(out, "\\u%04x", (unsigned)*s);
  else
    out_bytes(out, s, (size_t)length);
  return length > 0 ? length : 1;
}

void out_json(Out* out, const char* text)
{
  if (!text) return out_text(out, "null");
  out_text(out, "\"");
  while (*text) text += out_json_character(out, text);
  out_text(out, "\"");
}

void out_padded(Out* out, const char* text, int width)
{
  int spaces = abs(width) - text_width(text);
  for (int i = 0; i < spaces && width < 0; ++i) out_text(out, " ");
  out_text(out, text);
  for (int i = 0; i < spaces && width > 0; ++i) out_text(out, " ");
}
