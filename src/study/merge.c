// SPDX-License-Identifier: MIT
// Several databases of one study into one: rows are copied, counts of bands are added.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/store.h"

// The new database.
typedef struct Merge
{
  const char* path;
  sqlite3* database;
  lwDiag* diag;
} Merge;

static lwStatus merge_do(Merge* merge, const char* sql)
{
  return lw_sqlite_do(merge->database, merge->path, merge->diag, sql);
}

static lwStatus attach(Merge* merge, const char* from)
{
  sqlite3_stmt* statement = NULL;
  if (access(from, R_OK) != 0)
  {
    LW_REFUSE(merge->diag, NULL, "%s: the file cannot be read", from);
    return LW_ERROR_FILE;
  }
  sqlite3_prepare_v2(merge->database, "ATTACH ? AS one", -1, &statement, NULL);
  sqlite3_bind_text(statement, 1, from, -1, SQLITE_STATIC);
  int done = sqlite3_step(statement);
  sqlite3_finalize(statement);
  return done == SQLITE_DONE
             ? LW_OK
             : lw_sqlite_refuse(merge->database, from, merge->diag, "cannot be read");
}

// Makes the tables as the first database has them.
static lwStatus copy_tables(Merge* merge)
{
  sqlite3_stmt* read = NULL;
  lwStatus status    = LW_OK;
  sqlite3_prepare_v2(merge->database, "SELECT sql FROM one.sqlite_master WHERE type = 'table'", -1,
                     &read, NULL);
  while (status == LW_OK && sqlite3_step(read) == SQLITE_ROW)
    status = merge_do(merge, (const char*)sqlite3_column_text(read, 0));
  sqlite3_finalize(read);
  if (status == LW_OK)
    status = merge_do(merge, "INSERT INTO about SELECT * FROM one.about;"
                             "INSERT INTO criteria SELECT * FROM one.criteria;"
                             "INSERT INTO choices SELECT * FROM one.choices");
  return status;
}

static bool is_same_study(Merge* merge)
{
  sqlite3_stmt* read = NULL;
  bool same          = false;
  int code =
      sqlite3_prepare_v2(merge->database,
                         "SELECT count(*) FROM main.about a JOIN one.about b ON a.key = b.key "
                         "AND a.value = b.value WHERE a.key IN ('print', 'points', 'isa')",
                         -1, &read, NULL);
  if (code == SQLITE_OK && sqlite3_step(read) == SQLITE_ROW)
    same = sqlite3_column_int(read, 0) == 3;
  sqlite3_finalize(read);
  return same;
}

// --- bands

static void bind_merged(sqlite3_stmt* put, const lwSketch* sketch, double nominal, double low,
                        double high, void* blob, int bytes)
{
  for (int q = 0; q < LW_STUDY_QUANTILES; ++q)
    sqlite3_bind_double(
        put, 4 + q,
        fmin(fmax(nominal + lw_sketch_quantile(sketch, LW_BAND_QUANTILES[q]), low), high));
  sqlite3_bind_double(put, 2, low);
  sqlite3_bind_double(put, 3, high);
  sqlite3_bind_blob(put, 4 + LW_STUDY_QUANTILES, blob, bytes, free);
}

// Adds the counts of one time of one band of the other database.
static bool add_cell(sqlite3_stmt* read, sqlite3_stmt* put)
{
  lwSketch sketch = {0};
  uint64_t count  = 0;
  int bytes       = 0;
  bool enough     = true;
  double low = INFINITY, high = -INFINITY;
  for (int side = 0; side < 2; ++side)
  {
    int at = 3 + 4 * side;
    if (sqlite3_column_int64(read, at) == 0) continue;
    count += (uint64_t)sqlite3_column_int64(read, at);
    low    = fmin(low, sqlite3_column_double(read, at + 1));
    high   = fmax(high, sqlite3_column_double(read, at + 2));
    enough = enough && lw_sketch_read(&sketch, sqlite3_column_blob(read, at + 3),
                                      sqlite3_column_bytes(read, at + 3));
  }
  void* blob = enough ? lw_sketch_blob(&sketch, &bytes) : NULL;
  if (blob)
  {
    sqlite3_bind_int64(put, 1, (sqlite3_int64)count);
    if (count > 0)
      bind_merged(put, &sketch, sqlite3_column_double(read, 2), low, high, blob, bytes);
    else
      free(blob);
    sqlite3_bind_int(put, 5 + LW_STUDY_QUANTILES, sqlite3_column_int(read, 0));
    sqlite3_bind_int(put, 6 + LW_STUDY_QUANTILES, sqlite3_column_int(read, 1));
    enough = sqlite3_step(put) == SQLITE_DONE;
    sqlite3_reset(put);
    sqlite3_clear_bindings(put);
  }
  lw_sketch_free(&sketch);
  return enough && blob;
}

static lwStatus add_bands(Merge* merge)
{
  sqlite3_stmt *read = NULL, *put = NULL;
  bool right =
      sqlite3_prepare_v2(merge->database,
                         "SELECT a.band, a.step, a.nominal, a.count, a.low, a.high, a.counts, "
                         "b.count, b.low, b.high, b.counts FROM main.bands a JOIN one.bands b "
                         "ON a.band = b.band AND a.step = b.step",
                         -1, &read, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(merge->database,
                         "UPDATE main.bands SET count=?, low=?, high=?, p01=?, p05=?, p25=?, "
                         "p50=?, p75=?, p95=?, p99=?, counts=? WHERE band=? AND step=?",
                         -1, &put, NULL) == SQLITE_OK;
  while (right && sqlite3_step(read) == SQLITE_ROW) right = add_cell(read, put);
  sqlite3_finalize(read);
  sqlite3_finalize(put);
  return right ? LW_OK
               : lw_sqlite_refuse(merge->database, merge->path, merge->diag, "cannot be written");
}

static lwStatus merge_one(Merge* merge, const char* from, bool first)
{
  lwStatus status = attach(merge, from);
  if (status == LW_OK) status = merge_do(merge, "BEGIN IMMEDIATE");
  if (status == LW_OK && first) status = copy_tables(merge);
  if (status == LW_OK && !is_same_study(merge))
  {
    LW_REFUSE(merge->diag, "databases of one study with the same files and number of samples",
              "%s: these are results of another study", from);
    status = LW_ERROR_INPUT;
  }
  if (status == LW_OK)
    status = merge_do(merge, "INSERT INTO main.samples SELECT * FROM one.samples;"
                             "INSERT INTO main.measures SELECT * FROM one.measures");
  if (status == LW_OK && first)
    status = merge_do(merge, "INSERT INTO main.bands SELECT * FROM one.bands");
  else if (status == LW_OK)
    status = add_bands(merge);
  if (status == LW_OK) status = merge_do(merge, "COMMIT; DETACH one");
  return status;
}

lwStatus lw_results_merge(const char* path, int count, const char* const* from, lwDiag* diag)
{
  Merge merge = {.path = path, .diag = diag};
  if (access(path, F_OK) == 0)
  {
    LW_REFUSE(diag, NULL, "%s: the file exists", path);
    return LW_ERROR_FILE;
  }
  if (sqlite3_open(path, &merge.database) != SQLITE_OK)
  {
    lwStatus refused = lw_sqlite_refuse(merge.database, path, diag, "cannot be opened");
    sqlite3_close(merge.database);
    return refused;
  }
  lwStatus status = merge_do(&merge, "PRAGMA journal_mode = WAL");
  for (int i = 0; i < count && status == LW_OK; ++i) status = merge_one(&merge, from[i], i == 0);
  sqlite3_close(merge.database);
  if (status != LW_OK) unlink(path);
  return status;
}
