// SPDX-License-Identifier: MIT
// The results database of a library that was built without SQLite: there is none.
#include "study/contents.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"  // nothing is done with them

bool lw_results_possible(void)
{
  return false;
}

static lwStatus no_database(lwDiag* diag)
{
  return lw_refuse(diag, LW_ERROR_FILE, "build it with SQLite (Debian: libsqlite3-dev)",
                   "this build of linkwork has no SQLite, and so no results of studies");
}

lwStatus lw_results_open(const lwStudy* study, const char* path, bool resume, lwDiag* diag,
                         lwResults** results)
{
  *results = NULL;
  return no_database(diag);
}

void lw_results_close(lwResults* results)
{
}

long lw_results_done(const lwResults* results)
{
  return 0;
}

long lw_results_faults(const lwResults* results)
{
  return 0;
}

long lw_results_goal(const lwResults* results)
{
  return 0;
}

lwStatus lw_results_only(lwResults* results, int k, int n, lwDiag* diag)
{
  return no_database(diag);
}

int lw_results_next(lwResults* results, int most, long* first)
{
  *first = 0;
  return 0;
}

lwStatus lw_results_put(lwResults* results, const void* rows, int count, lwDiag* diag)
{
  return no_database(diag);
}

lwStatus lw_results_merge(const char* path, int count, const char* const* from,
                          const volatile sig_atomic_t* stop, lwDiag* diag)
{
  return no_database(diag);
}

lwStatus lw_results_read(const char* path, int held, lwArena* arena, const lwReading* reading,
                         lwDiag* diag)
{
  return no_database(diag);
}
