// SPDX-License-Identifier: MIT
#include "file_kind.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "read/kind.h"

extern char** environ;

// --- what a command needs

static const char ROBOT_OR_SNAKE[]    = "ROBOT|SNAKE";
static const char ROBOT_OR_SCENARIO[] = "ROBOT|SCENARIO";
static const char ANY_FILE[]          = "ROBOT|SNAKE|PARTS|SCENARIO|STUDY";

static lwFileKind needed_kind(const Command* command, const Options* options)
{
  const char* operand = command->operand ? command->operand : "";
  if (!strcmp(operand, "SCENARIO|ROBOT"))
    return options->value[OPTION_IN] ? LW_FILE_KIND_ROBOT : LW_FILE_KIND_SCENARIO;
  if (!strcmp(operand, "ROBOT") || !strcmp(operand, ROBOT_OR_SNAKE) || !strcmp(operand, ANY_FILE) ||
      !strcmp(operand, ROBOT_OR_SCENARIO) || !strcmp(operand, "IN OUT"))
    return LW_FILE_KIND_ROBOT;
  if (!strcmp(operand, "SNAKE")) return LW_FILE_KIND_SNAKE;
  if (!strcmp(operand, "STUDY")) return LW_FILE_KIND_STUDY;
  if (!strcmp(operand, "RUN")) return LW_FILE_KIND_CSV;
  return !strcmp(operand, "FILE") ? LW_FILE_KIND_PARTS : LW_FILE_KIND_UNKNOWN;
}

static const char* hint_for(lwFileKind needed, lwFileKind found)
{
  if (needed == LW_FILE_KIND_SCENARIO &&
      (found == LW_FILE_KIND_ROBOT || found == LW_FILE_KIND_URDF))
    return "a robot follows a trajectory by --in TRAJECTORY.csv; a scenario file names the robot "
           "by "
           "its key 'robot'";
  if (needed == LW_FILE_KIND_ROBOT && found == LW_FILE_KIND_SCENARIO)
    return "'linkwork simulate' takes scenarios; the robot is the file that its key 'robot' names";
  if (found == LW_FILE_KIND_STUDY) return "'linkwork study' takes study files";
  if (needed == LW_FILE_KIND_ROBOT && found == LW_FILE_KIND_SNAKE)
    return "'linkwork help snake' lists the commands for snakes";
  if (found == LW_FILE_KIND_PARTS) return "'linkwork parts' takes parts files";
  if (found == LW_FILE_KIND_MATERIALS)
    return "a parts file adds materials by its key 'materials'; 'linkwork lint' checks such a file";
  return NULL;
}

static int wrong_kind(const char* path, lwFileFinding found, lwFileKind needed)
{
  const char* hint = hint_for(needed, found.kind);
  fprintf(stderr, "%s:%d:1: error: this is %s, expected %s\n", path, found.line,
          lw_file_kind_text(found.kind), lw_file_kind_text(needed));
  if (hint) fprintf(stderr, "  hint: %s\n", hint);
  return USAGE;
}

// --- xacro

// Runs `xacro FILE` into a file of its own. True if that worked; *missing:
// there is no such program.
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

// A robot where a table is expected.
static int check_table(const char* path)
{
  lwFileFinding found =
      path ? lw_file_kind(path, LW_FILE_KIND_CSV) : (lwFileFinding){LW_FILE_KIND_UNKNOWN, 1};
  bool fits = found.kind == LW_FILE_KIND_UNKNOWN || found.kind == LW_FILE_KIND_CSV;
  return fits ? DONE : wrong_kind(path, found, LW_FILE_KIND_CSV);
}

int kind_check(const Command* command, Options* options, char** expanded)
{
  lwFileKind needed = needed_kind(command, options);
  *expanded         = NULL;
  if (needed == LW_FILE_KIND_UNKNOWN || !options->operand) return DONE;
  lwFileFinding found = lw_file_kind(options->operand, needed);
  if (needed == LW_FILE_KIND_ROBOT && found.kind == LW_FILE_KIND_XACRO)
    return expand_xacro(options, found.line, expanded);
  bool fits =
      found.kind == LW_FILE_KIND_UNKNOWN || found.kind == needed ||
      (found.kind == LW_FILE_KIND_SNAKE && !strcmp(command->operand, ROBOT_OR_SNAKE)) ||
      (found.kind == LW_FILE_KIND_SCENARIO && !strcmp(command->operand, ROBOT_OR_SCENARIO)) ||
      (needed == LW_FILE_KIND_ROBOT && found.kind == LW_FILE_KIND_URDF) ||
      (found.kind != LW_FILE_KIND_CSV && !strcmp(command->operand, ANY_FILE));
  return fits ? check_table(options->value[OPTION_IN])
              : wrong_kind(options->operand, found, needed);
}

bool kind_is_snake(const char* path)
{
  return lw_file_kind(path, LW_FILE_KIND_SNAKE).kind == LW_FILE_KIND_SNAKE;
}

void kind_end(char* expanded)
{
  if (expanded) unlink(expanded);
  free(expanded);
}
