// SPDX-License-Identifier: MIT
// The results database of a library that was built without SQLite: there is none.
#include "base/diag.h"
#include "linkwork/study.h"

bool lw_results_possible(void)
{
  return false;
}

static lwStatus no_database(lwDiag* diag)
{
  LW_REFUSE(diag, "build it with SQLite (Debian: libsqlite3-dev)",
            "this build of linkwork has no SQLite, and so no results of studies");
  return LW_ERROR_FILE;
}

lwStatus lw_results_open(const lwStudy* study, const char* path, bool resume, lwDiag* diag,
                         lwResults** results)
{
  (void)study;
  (void)path;
  (void)resume;
  *results = NULL;
  return no_database(diag);
}

void lw_results_close(lwResults* results)
{
  (void)results;
}

long lw_results_done(const lwResults* results)
{
  (void)results;
  return 0;
}

long lw_results_faults(const lwResults* results)
{
  (void)results;
  return 0;
}

long lw_results_goal(const lwResults* results)
{
  (void)results;
  return 0;
}

lwStatus lw_results_only(lwResults* results, int k, int n, lwDiag* diag)
{
  (void)results;
  (void)k;
  (void)n;
  return no_database(diag);
}

int lw_results_next(lwResults* results, int most, long* first)
{
  (void)results;
  (void)most;
  *first = 0;
  return 0;
}

lwStatus lw_results_put(lwResults* results, const void* rows, int count, lwDiag* diag)
{
  (void)results;
  (void)rows;
  (void)count;
  return no_database(diag);
}

lwStatus lw_results_merge(const char* path, int count, const char* const* from, lwDiag* diag)
{
  (void)path;
  (void)count;
  (void)from;
  return no_database(diag);
}
