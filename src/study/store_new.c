// SPDX-License-Identifier: MIT
// A new results database: made under a temporary name in the same folder, and given its name
// when its tables are there. And the statements that put rows into it.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/store.h"
#include "text/atomic_file.h"

const lwStoreTable LW_STORE_SAMPLES = {
    "samples",
    "CREATE TABLE samples(sample INTEGER PRIMARY KEY, state TEXT, pass INTEGER, why TEXT"};
const lwStoreTable LW_STORE_MEASURES = {"measures",
                                        "CREATE TABLE measures(sample INTEGER PRIMARY KEY"};

const lwStoreTable LW_STORE_TABLE[LW_STORE_TABLES] = {
    {"about", "CREATE TABLE about(key TEXT PRIMARY KEY, value) WITHOUT ROWID"},
    {"criteria",
     "CREATE TABLE criteria(measure TEXT PRIMARY KEY, below REAL, above REAL) WITHOUT ROWID"},
    {"choices", "CREATE TABLE choices(parameter TEXT, value INTEGER, name TEXT, "
                "PRIMARY KEY(parameter, value)) WITHOUT ROWID"},
    {"bands", "CREATE TABLE bands(band INTEGER, step INTEGER, name TEXT, t REAL, nominal REAL, "
              "count INTEGER, low REAL, high REAL, p01 REAL, p05 REAL, p25 REAL, p50 REAL, "
              "p75 REAL, p95 REAL, p99 REAL, counts BLOB, PRIMARY KEY(band, step)) WITHOUT ROWID"},
    {"checksums", "CREATE TABLE checksums(part TEXT, first INTEGER, count INTEGER, sum INTEGER, "
                  "PRIMARY KEY(part, first)) WITHOUT ROWID"}};

// --- the file

static const unsigned MOST_TRIES = 1000;  // names that are taken

static lwStatus refuse_name(const char* path, int error, lwDiag* diag)
{
  return lw_refuse(diag, LW_ERROR_FILE,
                   error == EEXIST ? "resume it, or choose another name" : NULL, "%s: %s", path,
                   strerror(error));
}

// Locked besides SQLite's own locks: readers are not disturbed, and the lock ends with the process.
static lwStatus make_temporary(lwResults* results, lwDiag* diag)
{
  const char* slash = strrchr(results->path, '/');
  int folder        = slash ? (int)(slash + 1 - results->path) : 0;
  struct stat there;
  if (lstat(results->path, &there) == 0) return refuse_name(results->path, EEXIST, diag);
  char* name = malloc((size_t)folder + sizeof ".lw123456");
  if (!name) return LW_ERROR_MEMORY;
  int error = EEXIST;
  lw_atomic_file_hold_signals(true);
  for (unsigned i = 0; i < MOST_TRIES && error == EEXIST; ++i)
  {
    sprintf(name, "%.*s.lw%06x", folder, results->path,
            ((unsigned)getpid() * MOST_TRIES + i) & 0xFFFFFF);
    results->lock = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    error         = results->lock < 0 ? errno : 0;
  }
  if (!error) results->guard = lw_atomic_file_guard(name);
  lw_atomic_file_hold_signals(false);
  if (error) free(name);
  if (error) return refuse_name(results->path, error, diag);
  results->temporary = name;
  results->fresh     = true;
  flock(results->lock, LOCK_EX | LOCK_NB);  // nobody else knows the name
  return LW_OK;
}

static bool make_durable(int file)
{
  while (fsync(file) != 0)
  {
    if (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS) return true;
    if (errno != EINTR) return false;
  }
  return true;
}

// A link, unlike rename(), never replaces a file; some file systems have none.
static int give_name(const char* temporary, const char* path)
{
  struct stat there;
  if (link(temporary, path) == 0) return unlink(temporary) == 0 ? 0 : errno;
  if (errno == EEXIST || lstat(path, &there) == 0) return EEXIST;
  return rename(temporary, path) == 0 ? 0 : errno;
}

static void forget_temporary(lwResults* results)
{
  if (results->temporary) lw_atomic_file_release(results->guard);
  free(results->temporary);
  results->temporary = NULL;
}

lwStatus lw_store_publish(lwResults* results, lwDiag* diag)
{
  lwStatus status = lw_sqlite_do(results->database, results->path, diag, "COMMIT");
  lw_store_finalize(results);
  if (status != LW_OK) return status;
  int error = make_durable(results->lock) ? give_name(results->temporary, results->path) : errno;
  if (error) return refuse_name(results->path, error, diag);
  forget_temporary(results);
  const char* slash = strrchr(results->path, '/');
  char* folder = slash ? strndup(results->path, (size_t)(slash + 1 - results->path)) : strdup(".");
  int file     = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (file >= 0) make_durable(file);
  if (file >= 0) close(file);
  free(folder);
  return LW_OK;
}

void lw_store_discard(lwResults* results)
{
  struct stat ours, named;
  if (results->temporary)
    unlink(results->temporary);
  else if (results->fresh && results->done == 0 && fstat(results->lock, &ours) == 0 &&
           stat(results->path, &named) == 0 && ours.st_ino == named.st_ino &&
           ours.st_dev == named.st_dev)
    unlink(results->path);
  forget_temporary(results);
}

// --- tables

static lwStatus create_wide(lwResults* results, lwDiag* diag, const lwStoreTable* table)
{
  const lwContents* contents = &results->contents;
  bool samples               = table == &LW_STORE_SAMPLES;
  int count                  = samples ? contents->parameter_count : contents->measure_count;
  char* sql                  = NULL;
  size_t size                = 0;
  FILE* file                 = open_memstream(&sql, &size);
  if (!file) return LW_ERROR_MEMORY;
  fputs(table->sql, file);
  for (int i = 0; i < count; ++i)
    fprintf(file, ", \"%s\" REAL", samples ? contents->parameters[i] : contents->measures[i].name);
  fputs(")", file);
  lwStatus status = fclose(file) == 0 ? lw_sqlite_do(results->database, results->path, diag, sql)
                                      : LW_ERROR_MEMORY;
  free(sql);
  return status;
}

static lwStatus check_put(const lwResults* results, int code, lwDiag* diag)
{
  if (code == SQLITE_DONE) return LW_OK;
  return lw_sqlite_refuse(results->database, results->path, diag, "cannot be written");
}

static int write_about(sqlite3_stmt* put, const lwContents* contents)
{
  int code = SQLITE_DONE;
  for (int i = 0; i < LW_ABOUT_KEYS && code == SQLITE_DONE; ++i)
  {
    const lwAboutKey* key = &LW_ABOUT[i];
    const char* field     = (const char*)contents + key->offset;
    code =
        key->kind == LW_ABOUT_TEXT ? lw_sqlite_put(put, "tt", key->name, *(const char* const*)field)
        : key->kind == LW_ABOUT_WHOLE ? lw_sqlite_put(put, "ti", key->name, *(const long*)field)
                                      : lw_sqlite_put(put, "tr", key->name, *(const double*)field);
  }
  return code;
}

static int write_criteria(sqlite3_stmt* put, const lwContents* contents)
{
  int code = SQLITE_DONE;
  for (int i = 0; i < contents->measure_count && code == SQLITE_DONE; ++i)
  {
    const lwStoredMeasure* measure = &contents->measures[i];
    if (isfinite(measure->below) || isfinite(measure->above))
      code = lw_sqlite_put(put, "trr", measure->name, measure->below, measure->above);
  }
  return code;
}

static int write_choices(sqlite3_stmt* put, const lwContents* contents)
{
  int code = SQLITE_DONE;
  for (int i = 0; i < contents->choice_count && code == SQLITE_DONE; ++i)
  {
    const lwStoredChoice* choice = &contents->choices[i];
    code = lw_sqlite_put(put, "tit", contents->parameters[choice->parameter], (long)choice->value,
                         choice->name);
  }
  return code;
}

static lwStatus write_contents(lwResults* results, lwDiag* diag)
{
  static const struct
  {
    const char* sql;
    int (*write)(sqlite3_stmt* put, const lwContents* contents);
  } parts[]       = {{"INSERT INTO about VALUES(?,?)", write_about},
                     {"INSERT INTO criteria VALUES(?,?,?)", write_criteria},
                     {"INSERT INTO choices VALUES(?,?,?)", write_choices}};
  lwStatus status = LW_OK;
  for (int i = 0; i < 3 && status == LW_OK; ++i)
  {
    sqlite3_stmt* put = NULL;
    int code          = sqlite3_prepare_v2(results->database, parts[i].sql, -1, &put, NULL);
    if (code == SQLITE_OK) code = parts[i].write(put, &results->contents);
    sqlite3_finalize(put);
    status = check_put(results, code, diag);
  }
  return status;
}

lwStatus lw_store_create(lwResults* results, lwDiag* diag)
{
  lwStatus status = make_temporary(results, diag);
  if (status != LW_OK) return status;
  if (sqlite3_open_v2(results->temporary, &results->database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK)
    return lw_sqlite_refuse(results->database, results->path, diag, "cannot be opened");
  char sql[200];
  snprintf(sql, sizeof sql,
           "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA application_id = %d; "
           "PRAGMA user_version = %d; BEGIN",
           LW_STORE_APPLICATION, LW_STORE_SCHEMA);
  status = lw_sqlite_do(results->database, results->path, diag, sql);
  for (int i = 0; i < LW_STORE_TABLES && status == LW_OK; ++i)
    status = lw_sqlite_do(results->database, results->path, diag, LW_STORE_TABLE[i].sql);
  if (status == LW_OK) status = create_wide(results, diag, &LW_STORE_SAMPLES);
  if (status == LW_OK) status = create_wide(results, diag, &LW_STORE_MEASURES);
  if (status == LW_OK) status = write_contents(results, diag);
  if (status == LW_OK) status = lw_store_prepare(results, diag);
  if (status == LW_OK)
    status = lw_store_checksum(results, diag, "about", 0, 0, lw_contents_sum(&results->contents));
  return status;
}

// --- statements

static char* wide_insert(const char* name, int count)
{
  char* sql   = NULL;
  size_t size = 0;
  FILE* file  = open_memstream(&sql, &size);
  if (!file) return NULL;
  fprintf(file, "INSERT INTO %s VALUES(?", name);
  for (int i = 1; i < count; ++i) fputs(",?", file);
  fputs(")", file);
  if (fclose(file) == 0) return sql;
  free(sql);
  return NULL;
}

lwStatus lw_store_prepare(lwResults* results, lwDiag* diag)
{
  char* sample  = wide_insert("samples", 4 + results->contents.parameter_count);
  char* measure = wide_insert("measures", 1 + results->contents.measure_count);
  const struct
  {
    const char* sql;
    sqlite3_stmt** statement;
  } all[] = {
      {sample, &results->sample},
      {measure, &results->measure},
      {"INSERT OR REPLACE INTO bands VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", &results->band},
      {"INSERT OR REPLACE INTO checksums VALUES(?,?,?,?)", &results->checksum}};
  int code = sample && measure ? SQLITE_OK : SQLITE_NOMEM;
  for (int i = 0; i < 4 && code == SQLITE_OK; ++i)
    code = sqlite3_prepare_v2(results->database, all[i].sql, -1, all[i].statement, NULL);
  free(sample);
  free(measure);
  if (code == SQLITE_NOMEM) return LW_ERROR_MEMORY;
  return code == SQLITE_OK
             ? LW_OK
             : lw_sqlite_refuse(results->database, results->path, diag, "cannot be used");
}

void lw_store_finalize(lwResults* results)
{
  sqlite3_finalize(results->sample);
  sqlite3_finalize(results->measure);
  sqlite3_finalize(results->band);
  sqlite3_finalize(results->checksum);
  sqlite3_close(results->database);
  results->sample = results->measure = results->band = results->checksum = NULL;
  results->database                                                      = NULL;
}

// --- rows

lwStatus lw_store_checksum(lwResults* results, lwDiag* diag, const char* part, long first,
                           long count, uint64_t sum)
{
  return check_put(results, lw_sqlite_put(results->checksum, "tiii", part, first, count, (long)sum),
                   diag);
}

lwStatus lw_store_end_chunk(lwResults* results, lwDiag* diag)
{
  long count           = results->chunk_count;
  results->chunk_count = 0;
  if (count == 0) return LW_OK;
  return lw_store_checksum(results, diag, "samples", results->chunk_first, count,
                           results->chunk_sum);
}

lwStatus lw_store_put(lwResults* results, const lwStudyRow* row, lwDiag* diag)
{
  lwStatus status = LW_OK;
  if (row->sample != results->chunk_first + results->chunk_count)
    status = lw_store_end_chunk(results, diag);
  if (status != LW_OK) return status;
  const lwContents* contents = &results->contents;
  const double* numbers      = lw_row_numbers(row);
  int code                   = lw_sqlite_put(results->sample, "ititR", row->sample,
                                             lw_sample_word((lwSampleState)row->state), (long)row->pass,
                           row->why[0] ? row->why : NULL, contents->parameter_count, numbers);
  if (code == SQLITE_DONE)
    code = lw_sqlite_put(results->measure, "iR", row->sample, contents->measure_count,
                         numbers + contents->parameter_count);
  if (code == SQLITE_CONSTRAINT)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s: sample %ld would be in the results twice",
                     results->path, row->sample);
  if (code != SQLITE_DONE) return check_put(results, code, diag);
  if (results->chunk_count++ == 0) results->chunk_first = row->sample;
  results->chunk_sum =
      lw_row_sum(results->chunk_count == 1 ? 0 : results->chunk_sum, &results->contents, row);
  return LW_OK;
}
