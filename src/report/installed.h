// SPDX-License-Identifier: MIT
// Other programs that the machine may have.
#ifndef LW_REPORT_INSTALLED_H
#define LW_REPORT_INSTALLED_H

#include <stdbool.h>

bool lw_program_installed(const char* name);  // in one of the folders of PATH

#endif
