// SPDX-License-Identifier: MIT
// The manual in forms other than --help, made from the same tables: man pages,
// docs/commands.md, shell completion.
#ifndef APP_COMMAND_MANUAL_H
#define APP_COMMAND_MANUAL_H

#include "app.h"
#include "report/manual_writer.h"

enum
{
  SECTIONS = LW_MANUAL_SECTIONS
};

extern const char EXIT_CODES[];   // a line each
extern const char CONVENTIONS[];  // the equation of motion, and who exerts a wrench

// The paragraphs that follow the options of a command, and how many there are.
int help_sections(const Command* command, const char* sections[SECTIONS]);

// Prints the manual of a command, NULL: of the program, in the form that --as names. USAGE: there
// is no such form.
int manual_print(const char* form, const Command* about);

#endif
