// SPDX-License-Identifier: MIT
#include "report/table/out.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "report/table/text_width.h"

void lw_out_flush(lwOut* out)
{
  const char* from = out->buffer;
  if (out->also) lw_out_bytes(out->also, from, out->used);
  if (out->onto)
  {
    lw_out_bytes(out->onto, from, out->used);
    out->error = out->onto->error;
    out->used  = 0;
    return;
  }
  if (out->used > 0 && out->before_write) out->before_write(out->file);
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

bool lw_out_stopped(const lwOut* out)
{
  return out->error != 0;
}

void lw_out_bytes(lwOut* out, const char* bytes, size_t count)
{
  while (count > 0 && !out->error)
  {
    size_t room = LW_OUT_SIZE - out->used;
    size_t part = count < room ? count : room;
    memcpy(out->buffer + out->used, bytes, part);
    out->used += part;
    bytes += part;
    count -= part;
    if (out->used == LW_OUT_SIZE) lw_out_flush(out);
  }
}

void lw_out_text(lwOut* out, const char* text)
{
  lw_out_bytes(out, text, strlen(text));
}

void lw_out_format(lwOut* out, const char* format, ...)
{
  char buffer[1024];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(buffer, sizeof buffer, format, arguments);
  va_end(arguments);
  if (length < (int)sizeof buffer)
    return lw_out_bytes(out, buffer, length > 0 ? (size_t)length : 0);

  char* whole = malloc((size_t)length + 1);
  if (!whole)
  {
    out->error = ENOMEM;
    return;
  }
  va_start(arguments, format);
  vsnprintf(whole, (size_t)length + 1, format, arguments);
  va_end(arguments);
  lw_out_bytes(out, whole, (size_t)length);
  free(whole);
}

void lw_out_number(lwOut* out, double v)
{
  if (out->used > LW_OUT_SIZE - LW_NUMBER_SIZE) lw_out_flush(out);
  out->used += (size_t)lw_number_write(v, out->buffer + out->used);
}

void lw_out_csv(lwOut* out, const char* text)
{
  bool plain =
      !strpbrk(text, ",\"\r\n") && text[0] != ' ' && !(text[0] && text[strlen(text) - 1] == ' ');
  if (plain) return lw_out_text(out, text);
  lw_out_text(out, "\"");
  for (const char* s = text; *s; ++s)
  {
    if (*s == '"') lw_out_text(out, "\"");
    lw_out_bytes(out, s, 1);
  }
  lw_out_text(out, "\"");
}

// One character of a JSON string; returns its length in the text. What is not UTF-8 becomes U+FFFD.
static int out_json_character(lwOut* out, const char* s)
{
  int length = lw_utf8_length(s);
  if (length == 0)
    lw_out_text(out, "\\ufffd");
  else if (*s == '"' || *s == '\\')
    lw_out_format(out, "\\%c", *s);
  else if ((unsigned char)*s < 0x20 || *s == 0x7F)
    lw_out_format(out, "\\u%04x", (unsigned)*s);
  else
    lw_out_bytes(out, s, (size_t)length);
  return length > 0 ? length : 1;
}

void lw_out_json(lwOut* out, const char* text)
{
  if (!text) return lw_out_text(out, "null");
  lw_out_text(out, "\"");
  while (*text) text += out_json_character(out, text);
  lw_out_text(out, "\"");
}

void lw_out_padded(lwOut* out, const char* text, int width)
{
  int spaces = abs(width) - lw_text_width(text);
  for (int i = 0; i < spaces && width < 0; ++i) lw_out_text(out, " ");
  lw_out_text(out, text);
  for (int i = 0; i < spaces && width > 0; ++i) lw_out_text(out, " ");
}
