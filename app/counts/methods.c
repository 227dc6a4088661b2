// SPDX-License-Identifier: MIT
// linkwork methods: the registry, as a history: for each question the methods by their years.

#include <ctype.h>

#include "count.h"

enum
{
  METHODS_MOST = 256
};

// The year of the first work that a method cites: "Kahn 1969; silver1981" is of 1969.
static int method_year(const lwMethod* method)
{
  for (const char* at = method->source; *at; ++at)
  {
    int year = 0, digits = 0;
    for (; isdigit((unsigned char)at[digits]); ++digits) year = 10 * year + (at[digits] - '0');
    if (digits == 4) return year;
    if (digits > 0) at += digits - 1;
  }
  return 0;
}

// Indices of the methods, those of a question by their years; of one year, in the registry's order.
static int order_methods(int order[METHODS_MOST])
{
  int count = any_method_count() < METHODS_MOST ? any_method_count() : METHODS_MOST;
  for (int i = 0; i < count; ++i)
  {
    const lwMethod* method = any_method(i);
    int k                  = i;
    for (; k > 0 && any_method_kind(order[k - 1]) == any_method_kind(i) &&
           any_method(order[k - 1])->question == method->question &&
           method_year(any_method(order[k - 1])) > method_year(method);
         --k)
      order[k] = order[k - 1];
    order[k] = i;
  }
  return count;
}

// Kinds of joints that a method takes. Chains stand for those with several freedoms,
// so that only coupling counts: forward dynamics couples joints through an inertia matrix.
static const char* joints_of_method(int i)
{
  const lwMethod* method = any_method(i);
  if (any_method_kind(i) == OF_SNAKES) return "snake";
  if (any_method_kind(i) == OF_LOOPS) return "closed loops, all but mimic and screw";
  bool couples = method->question != LW_QUESTION_FORWARD ||
                 lw_method_find(LW_QUESTION_INERTIA, method->name) >= 0;
  return couples ? "all" : "all but mimic and screw";
}

static void method_row(const void* context, int i, lwCell* cells)
{
  int at                 = ((const int*)context)[i];
  const lwMethod* method = any_method(at);
  cells[0]               = lw_cell_text(any_method_question(at));
  cells[1]               = lw_cell_text(method->name);
  cells[2]               = lw_cell_list(method->aliases);
  cells[3]               = lw_cell_number(method_year(method));
  cells[4]               = lw_cell_text(method->source);
  cells[5]               = lw_cell_text(method->order);
  cells[6]               = lw_cell_text(joints_of_method(at));
}

int cmd_methods(const Options* options)
{
  static const char columns[] = "question,method,aliases,year,source,order,joints";
  int order[METHODS_MOST];
  lwSheet sheet   = {.columns = columns, .row = method_row, .context = order};
  lwFormat format = format_of(options);
  sheet.rows      = order_methods(order);
  lwOut* out      = output_of(options);
  lw_sheet_write(out, format, &sheet);
  if (format == LW_FORMAT_TABLE)
    lw_out_text(
        out,
        "bias, gravity and coriolis are answered by the inverse methods. inverse, inertia and "
        "forward also\ntake 'auto' (default), which is the fastest of their methods for the robot. "
        "snake: see\n'linkwork help snake'.\n");
  return output_end(out, DONE);
}
