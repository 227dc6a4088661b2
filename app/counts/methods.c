// SPDX-License-Identifier: MIT
// linkwork methods: the registry.

#include "count.h"

// Kinds of joints that a method takes. Chains stand for those with several freedoms,
// so that only coupling counts: forward dynamics couples joints through an inertia matrix.
static const char* joints_of_method(const lwMethod* method)
{
  if (method->question == LW_QUESTION_SNAKE) return "snake";
  if (lw_question_info(method->question)->takes & LW_TAKES_BALLS_ALONE)
    return "all; ball and floating not beside mimic and screw";
  if (!(lw_question_info(method->question)->takes & LW_TAKES_BALLS))
    return "all but ball and floating";
  bool couples = method->question != LW_QUESTION_FORWARD ||
                 lw_method_find(LW_QUESTION_INERTIA, method->name) >= 0;
  return couples ? "all" : "all but mimic and screw";
}

static void method_row(const void* context, int i, lwCell* cells)
{
  (void)context;
  const lwMethod* method = any_method(i);
  cells[0]               = lw_cell_text(lw_question_info(method->question)->name);
  cells[1]               = lw_cell_text(method->name);
  cells[2]               = lw_cell_list(method->aliases);
  cells[3]               = lw_cell_text(method->source);
  cells[4]               = lw_cell_text(method->order);
  cells[5]               = lw_cell_text(joints_of_method(method));
}

int cmd_methods(const Options* options)
{
  static const char columns[] = "question,method,aliases,source,order,joints";
  lwSheet sheet               = {.columns = columns, .rows = any_method_count(), .row = method_row};
  lwFormat format             = format_of(options);
  lwOut* out                  = output_of(options);
  lw_sheet_write(out, format, &sheet);
  if (format == LW_FORMAT_TABLE)
    lw_out_text(
        out,
        "bias, gravity and coriolis are answered by the inverse methods. inverse, inertia and "
        "forward also\ntake 'auto' (default), which is the fastest of their methods for the robot. "
        "snake: see\n'linkwork help snake'.\n");
  return output_end(out, DONE);
}
