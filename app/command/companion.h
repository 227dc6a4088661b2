// SPDX-License-Identifier: MIT
// Programs that are installed beside this one and do a part of its work.
#ifndef APP_COMMAND_COMPANION_H
#define APP_COMMAND_COMPANION_H

// Replaces the process by the program of that name beside the running one. Returns only if there is
// none, or if it is the running one itself.
void run_companion(const char* name, char* const* arguments);

#endif
