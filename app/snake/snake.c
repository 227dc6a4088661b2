// SPDX-License-Identifier: MIT
#include "snake_command.h"

#include <string.h>

int cmd_snake(const Options* options)
{
  (void)options;
  return fail(
      USAGE,
      "snake: state, inverse, simulate, check or bench is missing; see 'linkwork help snake'");
}

lwSnake* snake_read(const Options* options, const char* path)
{
  lwSnake* snake  = NULL;
  lwDiag* diag    = hold_messages();
  lwLint lint     = robot_options(options).lint;
  lwStatus status = lw_snake_read_file(path, &lint, diag, &snake);
  hold_snake(snake);
  need_read(status, path, diag, notes_on());
  return snake;
}

lwSnake* snake_of(const Options* options)
{
  return snake_read(options, options->operand);
}

lwSnakeWorkspaceDef snake_method_of(const Options* options)
{
  const char* name        = options->value[OPTION_METHOD];
  lwSnakeWorkspaceDef def = lw_snake_workspace_def();
  if (name && !strcmp(name, FULL_METHOD))
    stop(USAGE, "--method: lagrange-full is for 'snake simulate'; for a state it is lagrange");
  if (name && lw_snake_method_find(name) < 0)
    unknown_method(LW_QUESTION_SNAKE, name, lw_snake_method, lw_snake_method_count());
  if (name) def.method = name;
  return def;
}

lwSnakeWorkspace* snake_workspace_of(const lwSnake* snake, const lwSnakeWorkspaceDef* def)
{
  lwSnakeWorkspace* ws = NULL;
  need_ok(lw_snake_workspace_create(snake, def, NULL, &ws));
  return hold_snake_workspace(ws);
}
