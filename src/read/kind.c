// SPDX-License-Identifier: MIT
#include "read/kind.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum
{
  LOOKED_AT = 1 << 16  // bytes of a file
};

static const char* const KINDS[LW_FILE_KIND_COUNT] = {
    [LW_FILE_KIND_UNKNOWN] = "a file",           [LW_FILE_KIND_ROBOT] = "a robot file",
    [LW_FILE_KIND_SCENARIO] = "a scenario file", [LW_FILE_KIND_SNAKE] = "a snake file",
    [LW_FILE_KIND_PARTS] = "a parts file",       [LW_FILE_KIND_MATERIALS] = "a file of materials",
    [LW_FILE_KIND_URDF] = "a URDF robot",        [LW_FILE_KIND_XACRO] = "a xacro file",
    [LW_FILE_KIND_CSV] = "a CSV table"};

// Keys that files of one kind have at their top, and others do not.
static const struct
{
  const char* key;
  lwFileKind kind;
} KEYS[] = {{"joints", LW_FILE_KIND_ROBOT},
            {"robot", LW_FILE_KIND_SCENARIO},
            {"snake", LW_FILE_KIND_SNAKE},
            {"links", LW_FILE_KIND_PARTS},
            {"materials", LW_FILE_KIND_MATERIALS}};

static lwFileKind kind_of_key(const char* text, size_t length)
{
  for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; ++i)
    if (strlen(KEYS[i].key) == length && !strncmp(KEYS[i].key, text, length)) return KEYS[i].kind;
  return LW_FILE_KIND_UNKNOWN;
}

// True if a key of this kind is more specific than the keys before
// it. Parts files have materials, too.
static bool says_more(lwFileKind kind, lwFileKind before, lwFileKind needed)
{
  if (kind == LW_FILE_KIND_UNKNOWN) return false;
  return before == LW_FILE_KIND_UNKNOWN || before == LW_FILE_KIND_MATERIALS || kind == needed;
}

static int line_at(const char* text, const char* at)
{
  int line = 1;
  for (; text < at; ++text) line += *text == '\n';
  return line;
}

// YAML: "joints:" at the beginning of a line.
static lwFileFinding find_block_key(const char* text, lwFileKind needed)
{
  lwFileFinding first = {LW_FILE_KIND_UNKNOWN, 1};
  for (const char* line = text; line; line = strchr(line, '\n'))
  {
    line += *line == '\n';
    size_t length   = strcspn(line, ": \t\r\n#");
    lwFileKind kind = line[length] == ':' ? kind_of_key(line, length) : LW_FILE_KIND_UNKNOWN;
    if (says_more(kind, first.kind, needed)) first = (lwFileFinding){kind, line_at(text, line)};
    if (!*line) break;
  }
  return first;
}

// JSON: "joints": within the outermost braces.
static lwFileFinding find_flow_key(const char* text, const char* from, lwFileKind needed)
{
  lwFileFinding first = {LW_FILE_KIND_UNKNOWN, 1};
  int depth           = 0;
  for (const char* s = from; *s; ++s)
  {
    if (*s == '{' || *s == '[') ++depth;
    if (*s == '}' || *s == ']') --depth;
    if (*s != '"') continue;
    const char* begin = s + 1;
    for (++s; *s && *s != '"'; ++s)
      if (*s == '\\' && s[1]) ++s;
    if (!*s) break;
    bool key        = depth == 1 && s[1 + strspn(s + 1, " \t\r\n")] == ':';
    lwFileKind kind = key ? kind_of_key(begin, (size_t)(s - begin)) : LW_FILE_KIND_UNKNOWN;
    if (says_more(kind, first.kind, needed)) first = (lwFileFinding){kind, line_at(text, begin)};
  }
  return first;
}

// XML: a robot, which is xacro if elements of xacro or expressions are in it.
// Comments do not count.
static lwFileFinding find_element(const char* text, const char* from)
{
  lwFileFinding finding = {LW_FILE_KIND_UNKNOWN, 1};
  for (const char* s = from; *s; ++s)
  {
    const char* end = strncmp(s, "<!--", 4) ? NULL : strstr(s, "-->");
    if (end) s = end;
    if (!strncmp(s, "<robot", 6) && finding.kind == LW_FILE_KIND_UNKNOWN)
      finding = (lwFileFinding){LW_FILE_KIND_URDF, line_at(text, s)};
    if (!strncmp(s, "<xacro:", 7) || !strncmp(s, "${", 2))
      return (lwFileFinding){LW_FILE_KIND_XACRO, line_at(text, s)};
  }
  return finding;
}

// A first line of names separated by commas; no other kind of file begins like that.
static bool is_table(const char* text)
{
  size_t length = strcspn(text, "\r\n");
  return strcspn(text, ":{}[]#\r\n") == length && memchr(text, ',', length);
}

static lwFileFinding find_kind(const char* text, lwFileKind needed)
{
  const char* begin = text + (strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3);
  begin += strspn(begin, " \t\r\n");
  if (*begin == '<') return find_element(text, begin);
  if (*begin == '{') return find_flow_key(text, begin, needed);
  return is_table(begin) ? (lwFileFinding){LW_FILE_KIND_CSV, 1} : find_block_key(text, needed);
}

// Takes no memory, so the kind is known even if none is left.
lwFileFinding lw_file_kind(const char* path, lwFileKind needed)
{
  lwFileFinding finding = {LW_FILE_KIND_UNKNOWN, 1};
  struct stat is;
  char text[LOOKED_AT + 1];
  size_t size  = 0;
  ssize_t some = 1;
  int file = stat(path, &is) == 0 && S_ISREG(is.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return finding;
  for (; some > 0 && size<LOOKED_AT; size += some> 0 ? (size_t)some : 0)
    some = read(file, text + size, LOOKED_AT - size);
  close(file);
  text[size] = 0;
  return find_kind(text, needed);
}

const char* lw_file_kind_text(lwFileKind kind)
{
  return KINDS[kind];
}
