// SPDX-License-Identifier: MIT

#include "app.h"

#include <stdio.h>
#include <string.h>

#include "read/kind.h"

// --- what a command needs

static const char ROBOT_OR_SNAKE[]    = "ROBOT|SNAKE";
static const char ROBOT_OR_SCENARIO[] = "ROBOT|SCENARIO";
static const char ANY_FILE[]          = "ROBOT|SNAKE|PARTS|SCENARIO|STUDY|CYCLE";

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
  if (found == LW_FILE_KIND_CYCLE) return "'linkwork plan ROBOT --cycle FILE' takes cycle files";
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

void kind_check(Options* options)
{
  const char *operand = options->command->operand, *table = options->value[OPTION_IN];
  lwFileKind needed = needed_kind(options->command, options);
  if (needed == LW_FILE_KIND_UNKNOWN || !options->operand) return;
  lwFileFinding found = lw_file_kind(options->operand, needed);
  bool fits           = found.kind == LW_FILE_KIND_UNKNOWN || found.kind == needed ||
              (found.kind == LW_FILE_KIND_SNAKE && !strcmp(operand, ROBOT_OR_SNAKE)) ||
              (found.kind == LW_FILE_KIND_SCENARIO && !strcmp(operand, ROBOT_OR_SCENARIO)) ||
              (needed == LW_FILE_KIND_ROBOT &&
               (found.kind == LW_FILE_KIND_URDF || found.kind == LW_FILE_KIND_MJCF ||
                found.kind == LW_FILE_KIND_XACRO)) ||
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
