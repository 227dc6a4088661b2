// SPDX-License-Identifier: MIT
// Detects a file's kind by its content: tells the user if a robot is
// given as a scenario, and expands xacro.
#ifndef APP_FILE_KIND_H
#define APP_FILE_KIND_H

#include "app.h"

// Ends the command unless the operand is a file of the kind that it needs, as far as its content
// shows. A xacro file is expanded by the program xacro, if installed, into a temporary file, which
// becomes the operand.
void kind_check(Options* options);

bool kind_is_snake(const char* path);

#endif
