// SPDX-License-Identifier: MIT
#include "io/files.h"
#include "io/note.h"
#include "snake_command.h"

#include <stdio.h>
#include <string.h>

#include "command/list.h"
#include "io/program_text.h"

int cmd_snake(const Command* command, const Options* options)
{
  (void)command;
  (void)options;
  return fail(
      USAGE,
      "snake: state, inverse, simulate, check or bench is missing; see 'linkwork help snake'");
}

int snake_load(const Options* options, lwSnake** snake)
{
  return snake_load_file(options, options->operand, snake);
}

int snake_load_file(const Options* options, const char* path, lwSnake** snake)
{
  *snake       = NULL;
  lwDiag* diag = lw_diag_create();
  if (!diag) return no_memory();
  lwLint lint     = robot_options(options).lint;
  lwStatus status = lw_snake_read_file(path, &lint, diag, snake);
  if (notes_on())
    messages_print(diag);
  else
    errors_print(diag);
  if (status != LW_OK && lw_diag_count(diag, LW_SEVERITY_ERROR) == 0)
    fail(INPUT, "%s: %s", path, lw_status_text(status));
  inputs_add(diag);
  lw_diag_destroy(diag);
  return status == LW_OK ? DONE : INPUT;
}

static int unknown_method(const char* name)
{
  if (!strcmp(name, "lagrange-full"))
    return fail(USAGE,
                "--method: lagrange-full is for 'snake simulate'; for a state it is lagrange");
  char list[256]  = "";
  Nearest nearest = nearest_to(name, strlen(name));
  for (int i = 0; i < lw_snake_method_count(); ++i)
  {
    nearest_offer(&nearest, lw_snake_method(i)->name);
    text_append(list, sizeof list, list[0] ? ", " : "", lw_snake_method(i)->name);
  }
  if (nearest_found(&nearest))
    return fail(USAGE,
                "--method: no '%s' among the snake methods, did you mean '%s'? There are: %s", name,
                nearest.best, list);
  return fail(USAGE, "--method: no '%s' among the snake methods: %s", name, list);
}

int snake_choose_method(const Options* options, lwSnakeWorkspaceDef* def)
{
  const char* name = options->value[OPTION_METHOD];
  *def             = lw_snake_workspace_def();
  if (name && lw_snake_method_find(name) < 0) return unknown_method(name);
  if (name) def->method = name;
  return DONE;
}

int snake_choose(const Options* options, lwSnakeWorkspaceDef* def)
{
  int status = snake_choose_method(options, def);
  return status == DONE ? precision_choose(options, &def->precision) : status;
}

int snake_list(Option option, const char* list, int needed, const char* each, double* values)
{
  return list_parse(option, list, needed, each, values);
}
