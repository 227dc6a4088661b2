// SPDX-License-Identifier: MIT
#include "io/files.h"
#include "io/note.h"
#include "snake_command.h"

#include <stdio.h>
#include <string.h>

#include "command/list.h"
#include "io/program_text.h"

int cmd_snake(const Options* options)
{
  (void)options;
  return fail(
      USAGE,
      "snake: state, inverse, simulate, check or bench is missing; see 'linkwork help snake'");
}

lwSnake* snake_of(const Options* options)
{
  lwSnake* snake;
  need(snake_load(options, &snake));
  return hold_snake(snake);
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
    lw_text_append(list, sizeof list, list[0] ? ", " : "", lw_snake_method(i)->name);
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

// --- columns

static size_t column_width(const SnakeColumns* columns, const SnakeColumn* column)
{
  const size_t widths[] = {[PER_SNAKE]    = 1,
                           [PER_LINK]     = (size_t)columns->n,
                           [PER_JOINT]    = (size_t)columns->n - 1,
                           [PER_FULL_RUN] = columns->full};
  return widths[column->per];
}

size_t snake_column_count(const SnakeColumns* columns)
{
  size_t count = 0;
  for (const SnakeColumn* column = columns->list; column->name; ++column)
    count += column_width(columns, column);
  return count;
}

// The group of column k, which becomes its number in it.
static const SnakeColumn* find_column(const SnakeColumns* columns, size_t* k)
{
  const SnakeColumn* column = columns->list;
  for (; *k >= column_width(columns, column); ++column) *k -= column_width(columns, column);
  return column;
}

void snake_column_name(const void* context, size_t k, char name[LW_ROW_NAME])
{
  const SnakeColumn* column = find_column(context, &k);
  if (column->per == PER_LINK || column->per == PER_JOINT)
    snprintf(name, LW_ROW_NAME, "%s%zu", column->name, k + 1);
  else
    snprintf(name, LW_ROW_NAME, "%s", column->name);
}

const char* snake_column_unit(const void* context, size_t k)
{
  return find_column(context, &k)->unit;
}
