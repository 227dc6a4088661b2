// SPDX-License-Identifier: MIT
#include "io/note.h"
#include "snake_command.h"

#include <stdio.h>
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
  if (name && !strcmp(name, "lagrange-full"))
    stop(USAGE, "--method: lagrange-full is for 'snake simulate'; for a state it is lagrange");
  if (name && lw_snake_method_find(name) < 0)
    unknown_method(LW_QUESTION_SNAKE, name, lw_snake_method, lw_snake_method_count());
  if (name) def.method = name;
  return def;
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
