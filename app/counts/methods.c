// SPDX-License-Identifier: MIT
// linkwork methods: the registry.
#include <string.h>

#include "count.h"
#include "io/sheet.h"

static int only_count(void)
{
  int count = 0;
  while (only_method(count)) ++count;
  return count;
}

// Kinds of joints that a method takes. Chains stand for those with several freedoms,
// so that only coupling counts.
static const char* joints_of_method(const lwMethod* method)
{
  if (method->question == LW_QUESTION_SNAKE) return "snake";
  if (method->question == LW_QUESTION_INVERSE_DERIVATIVES ||
      method->question == LW_QUESTION_FORWARD_DERIVATIVES ||
      method->question == LW_QUESTION_CORIOLIS_MATRIX)
    return "all but ball and floating";
  bool couples = strcmp(method->name, "articulated-body") != 0;
  return couples ? "all" : "all but mimic and screw";
}

static void method_row(const void* context, int i, Cell* cells)
{
  (void)context;
  int only               = i - lw_method_count();
  int snake              = only - only_count();
  const lwMethod* method = only < 0    ? lw_method(i)
                           : snake < 0 ? only_method(only)
                                       : lw_snake_method(snake);
  cells[0]               = cell_text(lw_question_info(method->question)->name);
  cells[1]               = cell_text(method->name);
  cells[2]               = cell_list(method->aliases);
  cells[3]               = cell_text(method->source);
  cells[4]               = cell_text(method->order);
  cells[5]               = cell_text(joints_of_method(method));
}

int cmd_methods(const Command* command, const Options* options)
{
  (void)command;
  static const SheetColumn columns[] = {{"question", NULL, NULL}, {"method", NULL, NULL},
                                        {"aliases", NULL, NULL},  {"source", NULL, NULL},
                                        {"order", NULL, NULL},    {"joints", NULL, NULL}};
  int rows                           = lw_method_count() + only_count() + lw_snake_method_count();
  Sheet sheet = {.columns = 6, .column = columns, .rows = rows, .row = method_row};
  Format format;
  Out out;
  int status = format_choose(options, &format);
  if (status == DONE) status = out_open(&out, options->value[OPTION_OUT]);
  if (status != DONE) return status;
  sheet_write(&out, format, &sheet);
  if (format == FORMAT_TABLE)
    out_text(
        &out,
        "bias, gravity and coriolis are answered by the inverse methods. inverse, inertia and "
        "forward also\ntake 'auto' (default), which is the fastest of their methods for the robot. "
        "snake: see\n'linkwork help snake'.\n");
  return out_close(&out, DONE, true);
}
