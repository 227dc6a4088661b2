// SPDX-License-Identifier: MIT
// Shared by the tests of readers: checks for a message at exactly this place.
#ifndef LW_TESTS_READER_FINDINGS_H
#define LW_TESTS_READER_FINDINGS_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "linkwork/base.h"

// One expected message; fragment and hint are parts of its texts. hint NULL: no hint.
typedef struct Finding
{
  int line, column;
  const char* fragment;
  const char* hint;
} Finding;

static inline void findings_print(const lwDiag* diag)
{
  for (int i = 0; i < lw_diag_size(diag); ++i)
  {
    char text[4096];
    lw_message_format(lw_diag_message(diag, i), text, sizeof text);
    fputs(text, stderr);
  }
}

static inline bool finding_matches(const Finding* finding, const lwMessage* message)
{
  if (message->place.line != finding->line || message->place.column != finding->column)
    return false;
  if (!strstr(message->text, finding->fragment)) return false;
  if (!finding->hint || !message->hint) return finding->hint == message->hint;
  return strstr(message->hint, finding->hint) != NULL;
}

// True if the only message is the expected one; otherwise prints what was found instead.
static inline bool finding_is_only(const lwDiag* diag, const Finding* finding)
{
  bool right = lw_diag_size(diag) == 1 && finding_matches(finding, lw_diag_message(diag, 0));
  if (right) return true;
  fprintf(stderr, "expected %d:%d '%s' (hint %s), found %d messages:\n", finding->line,
          finding->column, finding->fragment, finding->hint ? finding->hint : "none",
          lw_diag_size(diag));
  findings_print(diag);
  return false;
}

// True if the messages are those expected, in this order.
static inline bool findings_are(const lwDiag* diag, const Finding* findings, int count)
{
  bool right = lw_diag_size(diag) == count;
  for (int i = 0; i < count && right; ++i)
    right = finding_matches(&findings[i], lw_diag_message(diag, i));
  if (!right) findings_print(diag);
  return right;
}

#endif
