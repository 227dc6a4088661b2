// SPDX-License-Identifier: MIT
#include "text/out.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"
#include "text/text_width.h"

static void append_to_text(lwOut* out)
{
  size_t needed = out->length + out->used + 1;
  char* text    = needed > out->capacity ? realloc(out->text, 2 * needed) : out->text;
  if (!text) out->error = ENOMEM;
  if (!text) return;
  if (needed > out->capacity) out->capacity = 2 * needed;
  memcpy(text + out->length, out->buffer, out->used);
  out->text = text;
  out->length += out->used;
  text[out->length] = 0;
}

bool lw_out_finish(lwOut* out)
{
  lw_out_flush(out);
  return !out->error;
}

void lw_out_free(lwOut* out)
{
  free(out->text);
  out->text = NULL;
}

size_t lw_out_length(const lwOut* out)
{
  return out->length + out->used;
}

void lw_out_flush(lwOut* out)
{
  const char* from = out->buffer;
  if (out->in_memory)
  {
    append_to_text(out);
    out->used = 0;
    return;
  }
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
    size_t capacity = LW_OUT_SIZE - out->used;
    size_t part     = count < capacity ? count : capacity;
    memcpy(out->buffer + out->used, bytes, part);
    out->used += part;
    assert(out->used <= LW_OUT_SIZE);
    bytes += part;
    count -= part;
    if (out->used == LW_OUT_SIZE) lw_out_flush(out);
  }
}

void lw_out_text(lwOut* out, const char* text)
{
  lw_out_bytes(out, text, strlen(text));
}

void lw_out_char(lwOut* out, int c)
{
  lw_out_bytes(out, (const char[]){(char)c}, 1);
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
  out->used += (size_t)lw_number_write(v == 0 ? 0 : v, out->buffer + out->used);  // no -0
}

void lw_out_escaped(lwOut* out, const char* text, const char* const* escapes)
{
  for (; *text; ++text)
  {
    const char* const* escape = escapes;
    while (*escape && **escape != *text) ++escape;
    if (*escape)
      lw_out_text(out, *escape + 1);
    else
      lw_out_char(out, *text);
  }
}

void lw_out_xml(lwOut* out, bool references, const char* text)
{
  static const char* const escapes[] = {"&&amp;", "<&lt;", ">&gt;", "\"&quot;", NULL};
  for (; *text; ++text)
  {
    unsigned char c = (unsigned char)*text;
    if (c < 0x20 && references)
      lw_out_format(out, "&#%d;", c);
    else if (c < 0x20 || (c == 0x7F && !references))
      lw_out_char(out, ' ');
    else
      lw_out_escaped(out, (const char[]){*text, 0}, escapes);
  }
}

void lw_out_csv(lwOut* out, const char* text)
{
  bool plain =
      !strpbrk(text, ",\"\r\n") && text[0] != ' ' && !(text[0] && text[strlen(text) - 1] == ' ');
  if (plain) return lw_out_text(out, text);
  lw_out_text(out, "\"");
  lw_out_escaped(out, text, (const char*[]){"\"\"\"", NULL});
  lw_out_text(out, "\"");
}

// One character of a JSON string; returns its length in the text. What is not UTF-8 becomes U+FFFD.
static int out_json_character(lwOut* out, const char* s)
{
  uint32_t code;
  int length = (int)lw_text_decode(s, strnlen(s, 4), &code);
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

static void json_number(lwOut* out, double number)
{
  if (isfinite(number))
    lw_out_number(out, number);
  else
    lw_out_text(out, "null");
}

static void json_numbers(lwOut* out, const double* numbers, int count, const char* join)
{
  lw_out_char(out, '[');
  for (int i = 0; i < count; ++i)
  {
    if (i > 0) lw_out_text(out, join);
    json_number(out, numbers[i]);
  }
  lw_out_char(out, ']');
}

void lw_json(lwOut* out, const char* pattern, ...)
{
  va_list arguments;
  va_start(arguments, pattern);
  for (const char* s = pattern; *s; ++s)
  {
    const double* numbers;
    if (*s != '$')
      lw_out_char(out, *s == '\'' ? '"' : *s);
    else
      switch (*++s)
      {
        case 's':
          lw_out_json(out, va_arg(arguments, const char*));
          break;
        case 'n':
          json_number(out, va_arg(arguments, double));
          break;
        case 'd':
          lw_out_format(out, "%d", va_arg(arguments, int));
          break;
        case 'l':
          lw_out_format(out, "%ld", va_arg(arguments, long));
          break;
        case 'b':
          lw_out_text(out, va_arg(arguments, int) ? "true" : "false");
          break;
        default:
          numbers = va_arg(arguments, const double*);
          json_numbers(out, numbers, va_arg(arguments, int), *s == 'c' ? "," : ", ");
      }
  }
  va_end(arguments);
}

void lw_out_padded(lwOut* out, const char* text, int width)
{
  int spaces = abs(width) - lw_text_width(text);
  for (int i = 0; i < spaces && width < 0; ++i) lw_out_text(out, " ");
  lw_out_text(out, text);
  for (int i = 0; i < spaces && width > 0; ++i) lw_out_text(out, " ");
}
