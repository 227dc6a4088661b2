// SPDX-License-Identifier: MIT
// json_check: exits with 0 if standard input is one JSON text (RFC 8259), otherwise with 1, and
// prints the offset of the error.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum
{
  MAX_DEPTH = 64
};

static int next;     // the next character
static long offset;  // of it

static void advance(void)
{
  next = getchar();
  ++offset;
}

static void spaces(void)
{
  while (next == ' ' || next == '\n' || next == '\r' || next == '\t') advance();
}

static bool take(int c)
{
  if (next != c) return false;
  advance();
  return true;
}

static bool word(const char* text)
{
  for (; *text; ++text)
    if (!take(*text)) return false;
  return true;
}

static bool digits(void)
{
  if (!isdigit(next)) return false;
  while (isdigit(next)) advance();
  return true;
}

static bool number(void)
{
  take('-');
  if (next == '0')
    advance();
  else if (!digits())
    return false;
  if (take('.') && !digits()) return false;
  if (next != 'e' && next != 'E') return true;
  advance();
  if (next == '+' || next == '-') advance();
  return digits();
}

static bool escape(void)
{
  if (!take('u'))
  {
    bool known = next != EOF && strchr("\"\\/bfnrt", next);
    advance();
    return known;
  }
  for (int i = 0; i < 4; ++i)
  {
    if (!isxdigit(next)) return false;
    advance();
  }
  return true;
}

static bool string(void)
{
  if (!take('"')) return false;
  while (next != '"')
  {
    if (next == EOF || next < 0x20) return false;
    bool backslash = next == '\\';
    advance();
    if (backslash && !escape()) return false;
  }
  advance();
  return true;
}

static bool value(int depth);

static bool member(int depth)
{
  spaces();
  if (!string()) return false;
  spaces();
  return take(':') && value(depth);
}

// The inside of an object or a list, up to its closing character.
static bool items(int close, bool (*item)(int), int depth)
{
  spaces();
  if (take(close)) return true;
  do
  {
    if (!item(depth)) return false;
    spaces();
  } while (take(','));
  return take(close);
}

static bool value(int depth)
{
  spaces();
  if (depth > MAX_DEPTH) return false;
  if (take('{')) return items('}', member, depth + 1);
  if (take('[')) return items(']', value, depth + 1);
  if (next == '"') return string();
  if (next == 't') return word("true");
  if (next == 'f') return word("false");
  if (next == 'n') return word("null");
  return number();
}

int main(void)
{
  advance();
  bool valid = value(0);
  spaces();
  if (valid && next == EOF) return 0;
  printf("not JSON at byte %ld\n", offset);
  return 1;
}
