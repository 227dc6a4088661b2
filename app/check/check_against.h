// SPDX-License-Identifier: MIT
// linkwork check ROBOT --in FILE, in three parts.
//
//   FILE --check_against.c--> Block, misfit --check_explain.c--> candidates --check_report.c--> Out
#ifndef APP_CHECK_CHECK_AGAINST_H
#define APP_CHECK_CHECK_AGAINST_H

#include "check.h"
#include "suspects.h"

typedef enum Explains
{
  EXPLAINS,
  EXPLAINS_IN_PART,
  EXPLAINS_NOT
} Explains;

// One or two suspects and what they leave of the difference.
typedef struct Candidate
{
  const Suspect* suspect[TRIAL_SUSPECTS];  // NULL: none
  char name[128];
  Misfit after;
  Explains explains;
  char detail[TRIAL_DETAIL];
} Candidate;

typedef struct Against
{
  const Options* options;
  Format format;
  const lwModel* model;
  double tolerance;
  Lines lines;
  Header header;
  Block file;      // all of it
  Block sample;    // rows that the suspects are tried on
  Misfit misfit;   // of all rows
  double before;   // relative misfit of the sample
  bool no_memory;  // for a suspect
  int count;
  Candidate* candidates;  // (count), the best first
} Against;

bool candidate_is_pair(const Candidate* candidate);
bool candidate_is_fit(const Candidate* candidate);  // has unknowns

// Tries the suspects, one by one and in pairs, on the sample. Fills candidates. DONE or INPUT.
int against_explain(Against* against);

// Writes all that was found. DONE, NO if the torques disagree, or INPUT.
int against_print(const Against* against);

#endif
