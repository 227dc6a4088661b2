// SPDX-License-Identifier: MIT
#include "kind.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

enum
{
  LOOKED_AT = 1 << 18  // bytes of a file
};

typedef enum Kind
{
  KIND_UNKNOWN,
  KIND_ROBOT,
  KIND_SCENARIO,
  KIND_SNAKE,
  KIND_PARTS,
  KIND_URDF,
  KIND_XACRO,
  KIND_COUNT
} Kind;

static const char* const KINDS[KIND_COUNT] = {
    [KIND_UNKNOWN] = "a file",           [KIND_ROBOT] = "a robot file",
    [KIND_SCENARIO] = "a scenario file", [KIND_SNAKE] = "a snake file",
    [KIND_PARTS] = "a parts file",       [KIND_URDF] = "a URDF robot",
    [KIND_XACRO] = "a xacro file"};

// Keys that files of one kind have at their top, and others do not.
static const struct
{
  const char* key;
  Kind kind;
} KEYS[] = {
    {"joints", KIND_ROBOT}, {"robot", KIND_SCENARIO}, {"snake", KIND_SNAKE}, {"links", KIND_PARTS}};

typedef struct Finding
{
  Kind kind;
  int line;  // that shows it
} Finding;

static Kind kind_of_key(const char* text, size_t length)
{
  for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; ++i)
    if (strlen(KEYS[i].key) == length && !strncmp(KEYS[i].key, text, length)) return KEYS[i].kind;
  return KIND_UNKNOWN;
}

static int line_at(const char* text, const char* at)
{
  int line = 1;
  for (; text < at; ++text) line += *text == '\n';
  return line;
}

// YAML: "joints:" at the beginning of a line.
static Finding find_block_key(const char* text, Kind needed)
{
  Finding first = {KIND_UNKNOWN, 1};
  for (const char* line = text; line; line = strchr(line, '\n'))
  {
    line += *line == '\n';
    size_t length = strcspn(line, ": \t\r\n#");
    Kind kind     = line[length] == ':' ? kind_of_key(line, length) : KIND_UNKNOWN;
    if (kind != KIND_UNKNOWN && (first.kind == KIND_UNKNOWN || kind == needed))
      first = (Finding){kind, line_at(text, line)};
    if (!*line) break;
  }
  return first;
}

// JSON: "joints": within the outermost braces.
static Finding find_flow_key(const char* text, const char* from, Kind needed)
{
  Finding first = {KIND_UNKNOWN, 1};
  int depth     = 0;
  for (const char* s = from; *s; ++s)
  {
    if (*s == '{' || *s == '[') ++depth;
    if (*s == '}' || *s == ']') --depth;
    if (*s != '"') continue;
    const char* begin = s + 1;
    for (++s; *s && *s != '"'; ++s)
      if (*s == '\\' && s[1]) ++s;
    if (!*s) break;
    bool key  = depth == 1 && s[1 + strspn(s + 1, " \t\r\n")] == ':';
    Kind kind = key ? kind_of_key(begin, (size_t)(s - begin)) : KIND_UNKNOWN;
    if (kind != KIND_UNKNOWN && (first.kind == KIND_UNKNOWN || kind == needed))
      first = (Finding){kind, line_at(text, begin)};
  }
  return first;
}

// XML: a robot, which is xacro if elements of xacro or expressions are in it. Comments do not count.
static Finding find_element(const char* text, const char* from)
{
  Finding finding = {KIND_UNKNOWN, 1};
  for (const char* s = from; *s; ++s)
  {
    const char* end = strncmp(s, "<!--", 4) ? NULL : strstr(s, "-->");
    if (end) s = end;
    if (!strncmp(s, "<robot", 6) && finding.kind == KIND_UNKNOWN)
      finding = (Finding){KIND_URDF, line_at(text, s)};
    if (!strncmp(s, "<xacro:", 7) || !strncmp(s, "${", 2))
      return (Finding){KIND_XACRO, line_at(text, s)};
  }
  return finding;
}

// A file that has the key of what is needed is taken for that, whatever else is in it.
static Finding look_at(const char* path, Kind needed)
{
  static char text[LOOKED_AT + 1];
  Finding finding = {KIND_UNKNOWN, 1};
  struct stat is;
  int file = stat(path, &is) == 0 && S_ISREG(is.st_mode) ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return finding;
  ssize_t count = read(file, text, LOOKED_AT);
  close(file);
  if (count <= 0) return finding;
  text[count]       = 0;
  const char* begin = text + (strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3);
  begin += strspn(begin, " \t\r\n");
  if (*begin == '<') return find_element(text, begin);
  if (*begin == '{') return find_flow_key(text, begin, needed);
  return find_block_key(text, needed);
}

// --- what a command needs

static const char ROBOT_OR_SNAKE[] = "ROBOT|SNAKE";

static Kind needed_kind(const Command* command, const Options* options)
{
  const char* operand = command->operand ? command->operand : "";
  if (!strcmp(operand, "SCENARIO|ROBOT"))
    return options->value[OPTION_IN] ? KIND_ROBOT : KIND_SCENARIO;
  if (!strcmp(operand, "ROBOT") || !strcmp(operand, ROBOT_OR_SNAKE) || !strcmp(operand, "IN OUT"))
    return KIND_ROBOT;
  if (!strcmp(operand, "SNAKE")) return KIND_SNAKE;
  return !strcmp(operand, "FILE") ? KIND_PARTS : KIND_UNKNOWN;
}

static const char* hint_for(Kind needed, Kind found)
{
  if (needed == KIND_SCENARIO && (found == KIND_ROBOT || found == KIND_URDF))
    return "a robot follows a trajectory by --in TRAJECTORY.csv; a scenario file names the robot "
           "by "
           "its key 'robot'";
  if (needed == KIND_ROBOT && found == KIND_SCENARIO)
    return "'linkwork simulate' takes scenarios; the robot is the file that its key 'robot' names";
  if (needed == KIND_ROBOT && found == KIND_SNAKE)
    return "'linkwork help snake' lists the commands for snakes";
  if (found == KIND_PARTS) return "'linkwork parts' takes parts files";
  return NULL;
}

static int wrong_kind(const char* path, Finding found, Kind needed)
{
  const char* hint = hint_for(needed, found.kind);
  fprintf(stderr, "%s:%d:1: error: this is %s, expected %s\n", path, found.line, KINDS[found.kind],
          KINDS[needed]);
  if (hint) fprintf(stderr, "  hint: %s\n", hint);
  return INPUT;
}

// --- xacro

// Runs `xacro FILE` into a file of its own. True if that worked; *missing: there is no such program.
static bool run_xacro(const char* path, int to, bool* missing)
{
  char* arguments[] = {(char*)"xacro", (char*)path, NULL};
  posix_spawn_file_actions_t actions;
  pid_t child;
  int result = -1;
  if (posix_spawn_file_actions_init(&actions) != 0) return false;
  posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
  int failed = posix_spawnp(&child, "xacro", &actions, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  *missing = failed != 0;
  if (failed) return false;
  while (waitpid(child, &result, 0) < 0 && errno == EINTR)
  {
  }
  *missing = WIFEXITED(result) && WEXITSTATUS(result) == 127;
  return WIFEXITED(result) && WEXITSTATUS(result) == 0;
}

static int expand_xacro(Options* options, int line, char** expanded)
{
  const char* folder = getenv("TMPDIR");
  char name[4096];
  bool missing = false;
  int length =
      snprintf(name, sizeof name, "%s/linkwork-XXXXXX.urdf", folder && *folder ? folder : "/tmp");
  int file = length < (int)sizeof name ? mkstemps(name, 5) : -1;
  if (file < 0) return fail(INPUT, "cannot write %s: %s", name, strerror(errno));
  *expanded = strdup(name);
  bool done = *expanded && run_xacro(options->operand, file, &missing);
  close(file);
  if (done) options->operand = *expanded;
  if (done) return DONE;
  unlink(name);
  if (missing)
    fprintf(stderr,
            "%s:%d:1: error: this is a xacro file, expected URDF\n"
            "  hint: expand xacro first, 'xacro FILE > FILE.urdf'; the program xacro is not "
            "installed\n",
            options->operand, line);
  else
    fprintf(stderr, "%s:%d:1: error: the program xacro could not expand this file\n",
            options->operand, line);
  return INPUT;
}

int kind_check(const Command* command, Options* options, char** expanded)
{
  Kind needed = needed_kind(command, options);
  *expanded   = NULL;
  if (needed == KIND_UNKNOWN || !options->operand) return DONE;
  Finding found = look_at(options->operand, needed);
  if (needed == KIND_ROBOT && found.kind == KIND_XACRO)
    return expand_xacro(options, found.line, expanded);
  bool fits = found.kind == KIND_UNKNOWN || found.kind == needed ||
              (found.kind == KIND_SNAKE && !strcmp(command->operand, ROBOT_OR_SNAKE)) ||
              (needed == KIND_ROBOT && found.kind == KIND_URDF);
  return fits ? DONE : wrong_kind(options->operand, found, needed);
}

bool kind_is_snake(const char* path)
{
  return look_at(path, KIND_SNAKE).kind == KIND_SNAKE;
}

void kind_end(char* expanded)
{
  if (expanded) unlink(expanded);
  free(expanded);
}
