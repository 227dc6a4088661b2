// SPDX-License-Identifier: MIT
// Detects a file's kind by its content: tells the user if a robot is
// given as a scenario, and expands xacro.
#ifndef APP_FILE_KIND_H
#define APP_FILE_KIND_H

#include "app.h"

// Whether the operand is a file of the kind that the command needs, as far as its content shows. A
// xacro file is expanded by the program xacro, if installed, and *expanded (which the caller
// removes by kind_end()) takes its place. Prints what is wrong and returns INPUT, or DONE.
int kind_check(const Command* command, Options* options, char** expanded);
void kind_end(char* expanded);

bool kind_is_snake(const char* path);

#endif
