// SPDX-License-Identifier: MIT
// Files that come with the program, and copies of them.
#ifndef APP_FIRST_FIRST_H
#define APP_FIRST_FIRST_H

#include "app.h"

// The folder of the data, ended by /: it is installed beside the program, or the program is in
// build/PRESET/bin of the source.
void find_root(char root[PATH_MAX]);

// True if the file is there with the same bytes; ends the command if it has others.
bool is_there(const char* path, const char* text, size_t length);

// Writes a file, and the folders of its path, unless it is there.
void place_file(const char* path, const char* text, size_t length);

#endif
