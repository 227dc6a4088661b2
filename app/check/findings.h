// SPDX-License-Identifier: MIT
// What checks of methods found, for arms and for snakes: the worst of every check,
// as a list with a verdict.
#ifndef APP_CHECK_FINDINGS_H
#define APP_CHECK_FINDINGS_H

#include "check_command.h"
#include "compare/gap.h"

// A check of one method, and the worst that was found.
typedef struct Finding
{
  const char* check;
  const char* question;
  const char* method;   // NULL: of the question as a whole
  double worst, bound;  // units of rounding
  double absolute;
  long state;  // that caused it, from 1; 0: none, there is no difference
} Finding;

typedef void WriteNotes(void* context, lwOut* out);

typedef struct Findings
{
  Format format;
  int count;
  Finding* rows;        // (count)
  WriteNotes* heading;  // above a table
  WriteNotes* notes;    // below it; on standard error where programs read the list
  void* context;        // of both
} Findings;

bool finding_is_ok(const Finding* finding);

// Keeps the gap of a state if it is the worst so far.
void finding_keep(Finding* finding, lwGap gap, double epsilon, long state);

// "n^4" and 10 joints or links: 10000
double method_steps(const lwMethod* method, int n);

// Writes them to path (NULL: standard output). DONE, NO if one is beyond its bound, or why not.
int findings_print(const Findings* findings, const char* path);

#endif
