// SPDX-License-Identifier: MIT
// Arbitrary command lines, one argument per line: they are refused, or every option that takes a
// value has one. Values that all commands read alike are parsed for a robot with two joints. No
// command is run.
#include <math.h>

#include "app.h"
#include "command/list.h"
#include "simulate/timed_run.h"
#include "states/states.h"
#include "tables.h"

enum
{
  MOST_ARGUMENTS = 12
};

// Parses joint values, a frame, a method, and the like.
static void read_values(const Options* options, const lwModel* model)
{
  static const Option lists[] = {OPTION_Q,  OPTION_QD,      OPTION_QDD,   OPTION_TAU,
                                 OPTION_TO, OPTION_FROM_QD, OPTION_TO_QDD};
  double values[2];
  lwIntegratorDef integrator = {0};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; ++i)
  {
    if (!options->value[lists[i]]) continue;
    joint_values(model, lists[i], options->value[lists[i]], values);
    require(isfinite(values[0]) && isfinite(values[1]));
  }
  frame_of(options, model);
  precision_of(options);
  format_of(options);
  integrator_choose(options, &integrator);
}

static void check_options(const Command* command, const Options* options)
{
  for (int i = 0; i < OPTION_COUNT; ++i)
  {
    if (!options->value[i]) continue;
    require(command_takes(command, (Option)i));
    require(options->value[i][0] == 0 || option_argument(command, (Option)i) != NULL);
  }
  require(options->value[OPTION_HELP] || options->operand || !command->operand_needed);
}

static int check_values(const Options* options)
{
  check_options(options->command, options);
  read_values(options, small_robot());
  return DONE;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  commands_open();
  char* arguments[MOST_ARGUMENTS + 2] = {(char*)"command"};
  int count                           = 0;
  lwLines lines                       = lines_of(data, size);
  if (exit_of(lw_lines_next(&lines)) == DONE && lines.line)
  {
    const Command* command = command_find(lines.line);
    while (command && count < MOST_ARGUMENTS && exit_of(lw_lines_next(&lines)) == DONE &&
           lines.line)
      arguments[++count] = lines.line;
    if (command) command_line_run(command, count, arguments + 1, check_values);
  }
  lw_lines_close(&lines);
  return 0;
}
