// SPDX-License-Identifier: MIT
// Internals of the results database.
//
//   study --lw_contents_of_study()--> contents --store_new.c--> new database --store.c--> rows
//   any file --store_read.c, validated--> report; store.c (resume, merge) --store_new.c--> ..
#ifndef LW_STUDY_STORE_H
#define LW_STUDY_STORE_H

#include <sqlite3.h>

#include "study/contents.h"

enum
{
  LW_STORE_APPLICATION = 0x6C777374,  // application_id of the file, "lwst"
  LW_STORE_SCHEMA      = 2,           // its user_version; 1 was without both
  LW_STORE_HEADER      = 100,         // bytes of the header of an SQLite file
  LW_STORE_TABLES      = 5,           // whose columns do not depend on the study
  LW_STORE_MAX_BYTES   = 1 << 28      // of a text or blob
};

// Tables as the file has them, text by text.
typedef struct lwStoreTable
{
  const char *name, *sql;
} lwStoreTable;

extern const lwStoreTable LW_STORE_TABLE[LW_STORE_TABLES];

// The tables with a column for each parameter or measure: , "NAME" REAL .. ) follow.
extern const lwStoreTable LW_STORE_SAMPLES, LW_STORE_MEASURES;

struct lwResults
{
  lwContents contents;
  lwArena arena;  // of the contents
  char* path;
  char* temporary;  // name until it is whole; NULL: it is
  int guard;        // of that name: a signal that ends the program removes the file
  bool fresh;       // this process has made the file
  int lock;         // descriptor of the file, locked
  sqlite3* database;
  sqlite3_stmt *sample, *measure, *band, *checksum;
  lwBandCell* cells;  // (bands, steps)
  long chunk_first, chunk_count;
  uint64_t chunk_sum;    // of the rows that no checksum is written for yet
  unsigned char* taken;  // (samples) bits: in the database or handed out
  long done, next, end;  // samples in the database; to be handed out next; behind the last of these
  long faults;           // in the database, without results
  bool failed;           // a chunk was not written, and cells have counts of it
};

// Reports the last error of SQLite about a file; returns LW_ERROR_FILE or LW_ERROR_MEMORY.
lwStatus lw_sqlite_refuse(sqlite3* database, const char* path, lwDiag* diag, const char* what);

// Puts a row: i long, r double (NaN: NULL), t text or NULL, b bytes and their number, R a number of
// doubles and these. SQLITE_DONE, or why not.
int lw_sqlite_put(sqlite3_stmt* statement, const char* kinds, ...);

// Runs our own SQL.
lwStatus lw_sqlite_do(sqlite3* database, const char* path, lwDiag* diag, const char* sql);

// Nothing that a file contains is executed from here on: no triggers, no views, no functions
// of its schema; and its pages are checked when they are read. False: SQLite cannot.
bool lw_sqlite_harden(sqlite3* database);

// --- store_new.c: a database that appears whole or not at all

// Makes the tables of results->contents in a temporary file beside results->path.
lwStatus lw_store_create(lwResults* results, lwDiag* diag);
// Gives the file its name, which must be free. The database is closed then.
lwStatus lw_store_publish(lwResults* results, lwDiag* diag);
// Removes the file if it is still temporary, or has no rows and was made by this process.
void lw_store_discard(lwResults* results);
lwStatus lw_store_prepare(lwResults* results, lwDiag* diag);  // the statements
void lw_store_finalize(lwResults* results);                   // the statements, and closes
// Adds a row to the current chunk; a row that does not follow the one before begins the next.
lwStatus lw_store_put(lwResults* results, const lwStudyRow* row, lwDiag* diag);
lwStatus lw_store_end_chunk(lwResults* results, lwDiag* diag);  // writes its checksum
// Of a part of the database: "about", "bands" (count: rows in all), "samples" (a chunk).
lwStatus lw_store_checksum(lwResults* results, lwDiag* diag, const char* part, long first,
                           long count, uint64_t sum);

// --- store_bands.c

bool lw_bands_take(lwResults* results);  // cells without counts; false: out of memory
lwStatus lw_bands_nominal(lwResults* results, const lwStudy* study, lwDiag* diag);
bool lw_bands_add(lwResults* results, const lwStudyRow* row);
// Adds the counts of a cell of this or another database; false: out of memory.
bool lw_bands_merge(lwResults* results, long band, long step, const lwBandCell* cell);
lwStatus lw_bands_write(lwResults* results, long rows, lwDiag* diag);  // rows: in all
void lw_bands_free(lwResults* results);

// The counts of a cell from a blob; false: they are not in order, or out of memory.
lwStatus lw_sketch_read(lwSketch* sketch, const void* blob, int bytes, uint64_t count);

// --- store_read.c

// Whether a file that begins like this is one of ours, of this schema.
bool lw_store_is_ours(const unsigned char header[LW_STORE_HEADER]);

// Validates an open database; see lw_results_read().
lwStatus lw_store_read(sqlite3* database, const char* path, lwArena* arena,
                       const lwReading* reading, lwDiag* diag);

#endif
