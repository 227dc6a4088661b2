// SPDX-License-Identifier: MIT
// Internals of the results database.
#ifndef LW_STUDY_STORE_H
#define LW_STUDY_STORE_H

#include <sqlite3.h>

#include "study/study_internal.h"

// Quantiles of a band that the table has columns for.
extern const double LW_BAND_QUANTILES[LW_STUDY_QUANTILES];
extern const char* const LW_BAND_COLUMNS[LW_STUDY_QUANTILES];

// One time of a band.
typedef struct lwBandCell
{
  double nominal;  // of the nominal run
  double low, high;
  uint64_t count;
  lwSketch sketch;  // of deviations from it
  bool changed;
} lwBandCell;

struct lwResults
{
  const lwStudy* study;
  sqlite3* database;
  int lock;  // descriptor of the file, locked
  sqlite3_stmt *sample, *measure, *band;
  lwBandCell* cells;     // (bands, steps)
  unsigned char* taken;  // (samples) bits: in the database or handed out
  long done, next, end;  // samples in the database; to be handed out next; behind the last of these
  long faults;           // in the database, without results
  char* path;
};

// Reports the last error of SQLite about a file; returns LW_ERROR_FILE.
lwStatus lw_sqlite_refuse(sqlite3* database, const char* path, lwDiag* diag, const char* what);

lwStatus lw_sqlite_do(sqlite3* database, const char* path, lwDiag* diag, const char* sql);

// --- store_bands.c

lwStatus lw_bands_create(lwResults* results, lwDiag* diag);  // with the nominal run
lwStatus lw_bands_load(lwResults* results, lwDiag* diag);
bool lw_bands_add(lwResults* results, const lwStudyRow* row);
lwStatus lw_bands_write(lwResults* results, lwDiag* diag);
void lw_bands_free(lwResults* results);

// The counts of a cell from a blob and to one, which is to be freed; false: out of memory.
bool lw_sketch_read(lwSketch* sketch, const void* blob, int bytes);
void* lw_sketch_blob(const lwSketch* sketch, int* bytes);

#endif
