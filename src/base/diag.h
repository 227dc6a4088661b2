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

// Adds a finding; diag, source and hint may be NULL. Copies everything; a long source line is cut.
void lw_diag_report(lwDiag* diag, lwSeverity severity, const lwSource* source, lwPlace place,
                    const char* hint, const char* format, ...)
    __attribute__((format(printf, 6, 7)));

// Adds a finding with the id of a warning, a literal.
void lw_diag_report_id(lwDiag* diag, lwSeverity severity, const char* id, const lwSource* source,
                       lwPlace place, const char* hint, const char* format, ...)
    __attribute__((format(printf, 7, 8)));

// Remembers a file that was opened for reading; diag may be NULL.
void lw_diag_opened(lwDiag* diag, const char* path);

// Adds an error that concerns no file; diag and hint may be NULL.
#define LW_REFUSE(diag, hint, ...)                                                                 \
  lw_diag_report(diag, LW_SEVERITY_ERROR, NULL, (lwPlace){0, 0}, hint, __VA_ARGS__)

// LW_REFUSE() that returns the status.
lwStatus lw_refuse(lwDiag* diag, lwStatus status, const char* hint, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// Every lw_..._def() sets the cookie of its definition to this; definitions that were only
// zeroed, or not set at all, are refused.
#define LW_COOKIE 0x6c696e6bu

// LW_OK, or LW_ERROR_DEF and in diag (or NULL) that the definition has to
// start from `maker`, "lw_workspace_def()".
lwStatus lw_def_check(unsigned cookie, const char* maker, lwDiag* diag);

#endif
