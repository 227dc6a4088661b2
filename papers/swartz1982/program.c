// SPDX-License-Identifier: MIT
// "Programs Available": what `sim` had, in `linkwork shell`.
#include <string.h>

#include "shell/shell.h"
#include "swartz1982.h"

// Names as in the document, with the underscores that the scan lost.
static const char* const VARIABLES[]       = {"gravity", "DACTimePeriod", "theta",   "omega",
                                              "alpha",   "torque",        "voltage", "DACOut"};
static const char* const COMMANDS_OF_SIM[] = {
    "inverse_arm",      "forward_arm",       "simulate",
    "plot_simulation",  "print_simulation",  "write_graphic_file",
    "open_output_file", "close_output_file", "database_read"};

static int known_variables(void)
{
  int known = 0;
  for (size_t i = 0; i < sizeof VARIABLES / sizeof *VARIABLES; ++i)
    for (int k = 0; k < SHELL_VARIABLE_COUNT; ++k)
      known += !strcmp(SHELL_VARIABLES[k].name, VARIABLES[i]);
  return known;
}

static int known_commands(void)
{
  int known = 0;
  for (size_t i = 0; i < sizeof COMMANDS_OF_SIM / sizeof *COMMANDS_OF_SIM; ++i)
    for (int k = 0; k < SHELL_COMMAND_COUNT; ++k)
      known += !strcmp(SHELL_COMMANDS[k].name, COMMANDS_OF_SIM[i]);
  return known;
}

void report_program(SwartzStudy* study)
{
  Page* page    = study->page;
  int variables = (int)(sizeof VARIABLES / sizeof *VARIABLES);
  int commands  = (int)(sizeof COMMANDS_OF_SIM / sizeof *COMMANDS_OF_SIM);
  page_require(page, "variables of sim that the shell lacks", variables - known_variables(), 0);
  page_require(page, "commands of sim that the shell lacks", commands - known_commands(), 0);
  page_note(page, "program",
            "The shell has all %d variables and all %d commands of `sim`, and starts with the same "
            "gravity, %g m/s².",
            variables, commands, -arm_robot(&study->arm)->gravity[2]);
}
