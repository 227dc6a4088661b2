// SPDX-License-Identifier: MIT
// linkwork check: all formulations against each other, or a file of torques against ours.
//
//   seed --compare/random_state.c--> states --compare/method_checks.c--> gaps in units of rounding
//     --check_methods.c--> table
//   torques.csv --check_against.c--> difference, and what explains it
#ifndef APP_CHECK_CHECK_COMMAND_H
#define APP_CHECK_CHECK_COMMAND_H

#include "app.h"
#include "compare/gap.h"
#include "compare/random_state.h"

// " --q 0.1,0.2"
void check_list_write(lwOut* out, const char* option, const double* values, int count);

// The arguments `--q .. --qd ..` that give the inputs of a question.
void check_state_write(lwOut* out, const lwRandomState* state, unsigned inputs);
void check_path_write(lwOut* out, const char* path);  // quoted for the shell if need be

int check_against(const Options* options, lwFormat format, const lwModel* model);

// --- what checks of methods found, for arms and for snakes

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
  const Options* options;
  lwFormat format;
  lwPrecision precision;
  long states, seed, only;  // only: the number of the single state asked for, or 0
  double epsilon;           // of the precision
  int count;
  Finding* rows;                              // (count)
  const char* remark;                         // a line below the heading of a table; or NULL
  void* context;                              // of the functions:
  void (*state)(void* context, long number);  // checks a state, from 1
  WriteNotes* name;                           // above a table, "puma: "
  WriteNotes* notes;                          // below it: what was left out
  void (*command)(void* context, lwOut* out, int row);  // the command line that shows a row
} Findings;

// What the options say, with room for `most` rows.
Findings findings_of(const Options* options, size_t most);

// True if a method that takes so many steps for a state is too slow.
bool findings_too_slow(const Findings* findings, double steps);

// Keeps the gap of a state if it is the worst so far.
void finding_keep(Finding* finding, lwGap gap, double epsilon, long state);

// "n^4" and 10 joints or links: 10000
double method_steps(const lwMethod* method, int n);

// Checks all states and writes what was found. DONE, NO if a row is beyond its bound, or why not.
int findings_run(Findings* findings);

#endif
