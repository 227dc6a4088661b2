// SPDX-License-Identifier: MIT
// How the library reports: findings collected in an lwDiag, never printed.
#ifndef LW_BASE_DIAG_H
#define LW_BASE_DIAG_H

#include "linkwork/base.h"

// The text that findings are about.
typedef struct lwSource
{
  const char* file;  // or NULL
  const char* text;  // or NULL
  size_t length;     // of text
} lwSource;

// Adds a finding; diag, source and hint may be NULL. Copies all it is given; a long source line is cut.
void lw_diag_report(lwDiag* diag, lwSeverity severity, const lwSource* source, lwPlace place,
                    const char* hint, const char* format, ...)
    __attribute__((format(printf, 6, 7)));

// Remembers a file that was opened for reading; diag may be NULL.
void lw_diag_opened(lwDiag* diag, const char* path);

#endif
