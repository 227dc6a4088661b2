// SPDX-License-Identifier: MIT

#include "app.h"

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
      (found == LW_FILE_KIND_ROBOT || found == LW_FILE_KIND_URDF || found == LW_FILE_KIND_MJCF))
    return "a robot follows a trajectory by --in TRAJECTORY.csv; a scenario file names the robot "
           "by "
           "its key 'robot'";
  if (needed == LW_FILE_KIND_ROBOT && found == LW_FILE_KIND_SCENARIO)
    return "'linkwork simulate' takes scenarios; the robot is the file that its key 'robot' names";
  if (found == LW_FILE_KIND_SDF)
    return "SDF describes whole worlds and is not read; convert the model to URDF (sdf2urdf, "
           "gz sdf) or MJCF first";
  if (found == LW_FILE_KIND_STUDY) return "'linkwork study' takes study files";
  if (needed == LW_FILE_KIND_ROBOT && found == LW_FILE_KIND_SNAKE)
    return "'linkwork help snake' lists the commands for snakes";
  if (found == LW_FILE_KIND_PARTS) return "'linkwork parts' takes parts files";
  if (found == LW_FILE_KIND_MATERIALS)
    return "a parts file adds materials by its key 'materials'; 'linkwork lint' checks such a file";
  return NULL;
}

static _Noreturn void wrong_kind(const char* path, lwFileFinding found, lwFileKind needed)
{
  const char* hint = hint_for(needed, found.kind);
  fprintf(stderr, "%s:%d:1: error: this is %s, expected %s\n", path, found.line,
          lw_file_kind_text(found.kind), lw_file_kind_text(needed));
  if (hint) fprintf(stderr, "  hint: %s\n", hint);
  leave(USAGE);
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

static void remove_expanded(void* path)
{
  unlink(path);
}

// Expands the operand into a temporary file, which becomes the operand.
static void expand_xacro(Options* options, int line)
{
  const char* folder = getenv("TMPDIR");
  const char* from   = options->operand;
  char* name         = allocate(4096, 1);
  bool missing       = false;
  int length = snprintf(name, 4096, "%s/linkwork-XXXXXX.urdf", folder && *folder ? folder : "/tmp");
  int file   = length < 4096 ? mkstemps(name, 5) : -1;
  if (file < 0) stop(INPUT, "cannot write %s: %s", name, strerror(errno));
  options->operand = hold(name, remove_expanded);
  bool done        = run_xacro(from, file, &missing);
  close(file);
  if (done) return;
  if (missing)
    fprintf(stderr,
            "%s:%d:1: error: this is a xacro file, expected URDF\n"
            "  hint: expand xacro first, 'xacro FILE > FILE.urdf'; the program xacro is not "
            "installed\n",
            from, line);
  else
    fprintf(stderr, "%s:%d:1: error: the program xacro could not expand this file\n", from, line);
  leave(INPUT);
}

void kind_check(Options* options)
{
  const char *operand = options->command->operand, *table = options->value[OPTION_IN];
  lwFileKind needed = needed_kind(options->command, options);
  if (needed == LW_FILE_KIND_UNKNOWN || !options->operand) return;
  lwFileFinding found = lw_file_kind(options->operand, needed);
  if (needed == LW_FILE_KIND_ROBOT && found.kind == LW_FILE_KIND_XACRO)
    return expand_xacro(options, found.line);
  bool fits = found.kind == LW_FILE_KIND_UNKNOWN || found.kind == needed ||
              (found.kind == LW_FILE_KIND_SNAKE && !strcmp(operand, ROBOT_OR_SNAKE)) ||
              (found.kind == LW_FILE_KIND_SCENARIO && !strcmp(operand, ROBOT_OR_SCENARIO)) ||
              (needed == LW_FILE_KIND_ROBOT &&
               (found.kind == LW_FILE_KIND_URDF || found.kind == LW_FILE_KIND_MJCF)) ||
              (found.kind != LW_FILE_KIND_CSV && !strcmp(operand, ANY_FILE));
  if (!fits) wrong_kind(options->operand, found, needed);
  if (!table) return;
  found = lw_file_kind(table, LW_FILE_KIND_CSV);  // it may be a robot
  if (found.kind != LW_FILE_KIND_UNKNOWN && found.kind != LW_FILE_KIND_CSV)
    wrong_kind(table, found, LW_FILE_KIND_CSV);
}

bool kind_is_snake(const char* path)
{
  return lw_file_kind(path, LW_FILE_KIND_SNAKE).kind == LW_FILE_KIND_SNAKE;
}
