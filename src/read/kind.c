// SPDX-License-Identifier: MIT
#include "read/kind.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/dh_table.h"
#include "read/urdf/xml.h"

enum
{
  LOOKED_AT = 1 << 16  // bytes of a file that is not XML
};

static const char* const KINDS[LW_FILE_KIND_COUNT] = {
    [LW_FILE_KIND_UNKNOWN] = "a file",           [LW_FILE_KIND_ROBOT] = "a robot file",
    [LW_FILE_KIND_SCENARIO] = "a scenario file", [LW_FILE_KIND_SNAKE] = "a snake file",
    [LW_FILE_KIND_PARTS] = "a parts file",       [LW_FILE_KIND_MATERIALS] = "a file of materials",
    [LW_FILE_KIND_URDF] = "a URDF robot",        [LW_FILE_KIND_XACRO] = "a xacro file",
    [LW_FILE_KIND_MJCF] = "an MJCF robot",       [LW_FILE_KIND_SDF] = "an SDF file",
    [LW_FILE_KIND_STUDY] = "a study file",       [LW_FILE_KIND_CSV] = "a CSV table",
    [LW_FILE_KIND_CYCLE] = "a cycle file"};

// Keys that files of one kind have at their top, and others do not.
static const struct
{
  const char* key;
  lwFileKind kind;
} KEYS[] = {{"joints", LW_FILE_KIND_ROBOT},  {"robot", LW_FILE_KIND_SCENARIO},
            {"snake", LW_FILE_KIND_SNAKE},   {"links", LW_FILE_KIND_PARTS},
            {"study", LW_FILE_KIND_STUDY},   {"vary", LW_FILE_KIND_STUDY},
            {"measure", LW_FILE_KIND_STUDY}, {"materials", LW_FILE_KIND_MATERIALS},
            {"cycle", LW_FILE_KIND_CYCLE},   {"moves", LW_FILE_KIND_CYCLE}};

static lwFileKind kind_of_key(const char* text, size_t length)
{
  for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; ++i)
    if (strlen(KEYS[i].key) == length && !strncmp(KEYS[i].key, text, length)) return KEYS[i].kind;
  return LW_FILE_KIND_UNKNOWN;
}

// True if a key of this kind is more specific than the keys before it. Parts files have materials,
// and cycles a robot, too.
static bool says_more(lwFileKind kind, lwFileKind before, lwFileKind needed)
{
  if (kind == LW_FILE_KIND_UNKNOWN) return false;
  if (before == LW_FILE_KIND_SCENARIO && kind == LW_FILE_KIND_CYCLE) return true;
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

// XML: a robot, or xacro, by its tags.
static lwFileFinding find_element(const lwSource* source)
{
  lwPlace place = {1, 1};
  lwXmlTag tag;
  if (lw_xml_scan_xacro(source, &place)) return (lwFileFinding){LW_FILE_KIND_XACRO, place.line};
  static const struct
  {
    const char* begin;
    lwFileKind kind;
  } tags[] = {
      {"<mujoco", LW_FILE_KIND_MJCF}, {"<robot", LW_FILE_KIND_URDF}, {"<sdf", LW_FILE_KIND_SDF}};
  lwXmlScan scan = lw_xml_scan(source);
  while (lw_xml_scan_tag(&scan, &tag))
    for (size_t i = 0; i < sizeof tags / sizeof *tags; ++i)
      if (tag.end - tag.begin > strlen(tags[i].begin) &&
          !strncmp(source->text + tag.begin, tags[i].begin, strlen(tags[i].begin)))
        return (lwFileFinding){tags[i].kind, lw_xml_scan_place(&scan, tag.begin).line};
  return (lwFileFinding){LW_FILE_KIND_UNKNOWN, 1};
}

// Up to `size` bytes from the beginning of the file; returns how many there are.
static size_t read_beginning(int file, char* text, size_t size)
{
  size_t used  = 0;
  ssize_t some = 1;
  for (; some > 0 && used<size; used += some> 0 ? (size_t)some : 0)
    some = pread(file, text + used, size - used, (off_t)used);
  text[used] = 0;
  return used;
}

// All of an XML file, of which `size` bytes are in text: where it is cut, a comment may be open.
static lwFileFinding find_in_xml(int file, const char* text, size_t size)
{
  struct stat is;
  if (size < LOOKED_AT) return find_element(&(lwSource){NULL, text, size});
  if (fstat(file, &is) != 0 || is.st_size > LW_DOCUMENT_MAX_BYTES)
    return (lwFileFinding){LW_FILE_KIND_UNKNOWN, 1};
  char* whole = malloc((size_t)is.st_size + 1);
  if (!whole) return (lwFileFinding){LW_FILE_KIND_UNKNOWN, 1};
  size                  = read_beginning(file, whole, (size_t)is.st_size);
  lwFileFinding finding = find_element(&(lwSource){NULL, whole, size});
  free(whole);
  return finding;
}

lwFileFinding lw_file_kind(const char* path, lwFileKind needed)
{
  char text[LOOKED_AT + 1];
  lwFileFinding finding = {LW_FILE_KIND_UNKNOWN, 1};
  struct stat is;
  int file = stat(path, &is) == 0 && S_ISREG(is.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return finding;
  size_t size       = read_beginning(file, text, LOOKED_AT);
  const char* begin = text + (strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3);
  begin += strspn(begin, " \t\r\n");
  // a first line of names separated by commas; no other kind of file begins like that
  size_t length = strcspn(begin, "\r\n");
  bool table    = strcspn(begin, ":{}[]#\r\n") == length && memchr(begin, ',', length);
  finding       = *begin == '<'   ? find_in_xml(file, text, size)
                  : *begin == '{' ? find_flow_key(text, begin, needed)
                  : table && lw_dh_table_is(path) && lw_dh_table_begins(begin)
                      ? (lwFileFinding){LW_FILE_KIND_ROBOT, 1}
                  : table ? (lwFileFinding){LW_FILE_KIND_CSV, 1}
                          : find_block_key(text, needed);
  close(file);
  return finding;
}

const char* lw_file_kind_text(lwFileKind kind)
{
  return KINDS[kind];
}
