// SPDX-License-Identifier: MIT
// Results in SQLite: tables of samples with their parameters, of measures and of time bands, and
// one that describes the study. A chunk of rows is one transaction, bands included: however the
// process ends, the database holds whole chunks.
#include "study/store.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "linkwork/dynamics.h"

bool lw_results_possible(void)
{
  return true;
}

lwStatus lw_sqlite_refuse(sqlite3* database, const char* path, lwDiag* diag, const char* what)
{
  int code         = database ? sqlite3_errcode(database) : SQLITE_NOMEM;
  const char* hint = code == SQLITE_FULL || code == SQLITE_IOERR
                         ? "what was done before is kept; resume when there is room"
                         : NULL;
  LW_REFUSE(diag, hint, "%s: the results %s: %s", path, what,
            database ? sqlite3_errmsg(database) : "out of memory");
  return LW_ERROR_FILE;
}

lwStatus lw_sqlite_do(sqlite3* database, const char* path, lwDiag* diag, const char* sql)
{
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK) return LW_OK;
  return lw_sqlite_refuse(database, path, diag, "cannot be written");
}

// --- the file: one process writes it

// Locks the file besides SQLite's own locks: readers are not disturbed,
// and the lock ends with the process.
static lwStatus lock_file(lwResults* results, bool resume, lwDiag* diag)
{
  int flags     = resume ? O_RDWR : O_RDWR | O_CREAT | O_EXCL;
  results->lock = open(results->path, flags | O_CLOEXEC, 0666);
  if (results->lock < 0)
  {
    const char* hint = errno == EEXIST   ? "resume it, or choose another name"
                       : errno == ENOENT ? "there is nothing to resume"
                                         : NULL;
    LW_REFUSE(diag, hint, "%s: %s", results->path, strerror(errno));
    return LW_ERROR_FILE;
  }
  if (flock(results->lock, LOCK_EX | LOCK_NB) == 0) return LW_OK;
  LW_REFUSE(diag, "wait until it ends; reading the database is possible meanwhile",
            "%s: another process writes these results", results->path);
  return LW_ERROR_FILE;
}

static lwStatus open_database(lwResults* results, lwDiag* diag)
{
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(results->path, &results->database, flags, NULL) != SQLITE_OK)
    return lw_sqlite_refuse(results->database, results->path, diag, "cannot be opened");
  sqlite3_busy_timeout(results->database, 10000);
  return lw_sqlite_do(results->database, results->path, diag,
                      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
}

// --- tables

static char* wide_table(const char* name, const char* first, int count,
                        const char* (*column)(const lwStudy*, int), const lwStudy* study)
{
  char* sql   = NULL;
  size_t size = 0;
  FILE* file  = open_memstream(&sql, &size);
  if (!file) return NULL;
  fprintf(file, "CREATE TABLE %s(sample INTEGER PRIMARY KEY%s", name, first);
  for (int i = 0; i < count; ++i) fprintf(file, ", \"%s\" REAL", column(study, i));
  fputs(")", file);
  if (fclose(file) == 0) return sql;
  free(sql);
  return NULL;
}

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

static lwStatus do_and_free(lwResults* results, lwDiag* diag, char* sql)
{
  lwStatus status =
      sql ? lw_sqlite_do(results->database, results->path, diag, sql) : LW_ERROR_MEMORY;
  free(sql);
  return status;
}

static lwStatus create_tables(lwResults* results, lwDiag* diag)
{
  const lwStudy* study = results->study;
  lwStatus status      = do_and_free(results, diag,
                                     wide_table("samples", ", state TEXT, pass INTEGER, why TEXT",
                                                study->parameter_count, lw_study_parameter, study));
  if (status == LW_OK)
    status =
        do_and_free(results, diag,
                    wide_table("measures", "", study->measure_count, lw_study_measure_name, study));
  if (status == LW_OK)
    status = lw_sqlite_do(
        results->database, results->path, diag,
        "CREATE TABLE bands(band INTEGER, step INTEGER, name TEXT, t REAL, nominal REAL, count "
        "INTEGER, low REAL, high REAL, p01 REAL, p05 REAL, p25 REAL, p50 REAL, p75 REAL, p95 REAL, "
        "p99 REAL, counts BLOB, PRIMARY KEY(band, step)) WITHOUT ROWID;"
        "CREATE TABLE about(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
        "CREATE TABLE criteria(measure TEXT PRIMARY KEY, below REAL, above REAL) WITHOUT ROWID;"
        "CREATE TABLE choices(parameter TEXT, value INTEGER, name TEXT, PRIMARY KEY(parameter, "
        "value)) WITHOUT ROWID");
  return status;
}

// --- what the results are about

typedef struct About
{
  const char *key, *text;
  sqlite3_int64 number;
} About;

enum
{
  ABOUTS = 9
};

// A worker's instruction set decides about the last bits.
static const char* study_isa(const lwStudy* study, char isa[20])
{
  lwWorkspace* ws = NULL;
  snprintf(isa, 20, "none");
  if (study->robot && lw_workspace_create(study->robot, NULL, NULL, &ws) == LW_OK)
    snprintf(isa, 20, "%s", lw_workspace_isa(ws));
  lw_workspace_destroy(ws);
  return isa;
}

static void fill_about(const lwStudy* study, char print[20], char isa[20], About about[ABOUTS])
{
  snprintf(print, 20, "%016llx", (unsigned long long)study->print);
  const About all[ABOUTS] = {{"linkwork", lw_version(), 0},
                             {"name", study->name, 0},
                             {"file", study->path, 0},
                             {"study", study->text, 0},
                             {"print", print, 0},
                             {"design", lw_design_word(study->design), 0},
                             {"isa", study_isa(study, isa), 0},
                             {"points", NULL, study->base},
                             {"samples", NULL, study->samples}};
  memcpy(about, all, sizeof all);
}

static int write_criteria(const lwResults* results)
{
  const lwStudy* study = results->study;
  sqlite3_stmt* put    = NULL;
  int code =
      sqlite3_prepare_v2(results->database, "INSERT INTO criteria VALUES(?,?,?)", -1, &put, NULL);
  for (int i = 0; i < study->measure_count && code == SQLITE_OK; ++i)
  {
    const lwMeasureDef* measure = &study->measures[i];
    if (!isfinite(measure->below) && !isfinite(measure->above)) continue;
    sqlite3_bind_text(put, 1, measure->name, -1, SQLITE_STATIC);
    sqlite3_bind_double(put, 2, measure->below);
    sqlite3_bind_double(put, 3, measure->above);
    code = sqlite3_step(put) == SQLITE_DONE ? sqlite3_reset(put) : SQLITE_ERROR;
  }
  sqlite3_finalize(put);
  return code;
}

static int write_choices(const lwResults* results)
{
  const lwStudy* study = results->study;
  sqlite3_stmt* put    = NULL;
  int code =
      sqlite3_prepare_v2(results->database, "INSERT INTO choices VALUES(?,?,?)", -1, &put, NULL);
  for (int i = 0; i < study->parameter_count; ++i)
  {
    const lwParameterDef* parameter = &study->parameters[i];
    for (int k = 0; parameter->choices && k < parameter->spread.count && code == SQLITE_OK; ++k)
    {
      sqlite3_bind_text(put, 1, parameter->name, -1, SQLITE_STATIC);
      sqlite3_bind_int(put, 2, k + 1);
      sqlite3_bind_text(put, 3, parameter->choices[k], -1, SQLITE_STATIC);
      code = sqlite3_step(put) == SQLITE_DONE ? sqlite3_reset(put) : SQLITE_ERROR;
    }
  }
  sqlite3_finalize(put);
  return code;
}

static lwStatus write_about(lwResults* results, lwDiag* diag)
{
  const lwStudy* study = results->study;
  char print[20], isa[20];
  About about[ABOUTS];
  sqlite3_stmt* put = NULL;
  int code = sqlite3_prepare_v2(results->database, "INSERT INTO about VALUES(?,?)", -1, &put, NULL);
  fill_about(study, print, isa, about);
  for (int i = 0; i < ABOUTS && code == SQLITE_OK; ++i)
  {
    sqlite3_bind_text(put, 1, about[i].key, -1, SQLITE_STATIC);
    if (about[i].text)
      sqlite3_bind_text(put, 2, about[i].text, -1, SQLITE_STATIC);
    else
      sqlite3_bind_int64(put, 2, about[i].number);
    code = sqlite3_step(put) == SQLITE_DONE ? sqlite3_reset(put) : SQLITE_ERROR;
  }
  sqlite3_finalize(put);
  if (code == SQLITE_OK) code = write_criteria(results);
  if (code == SQLITE_OK) code = write_choices(results);
  if (code == SQLITE_OK) return LW_OK;
  return lw_sqlite_refuse(results->database, results->path, diag, "cannot be written");
}

// Everything that affects the numbers must be the same as when the database was made.
static lwStatus check_about(lwResults* results, lwDiag* diag)
{
  static const struct
  {
    const char *key, *hint;
  } checked[] = {{"print", "the study, or a file that it reads, has changed"},
                 {"points", "give the same number of samples"},
                 {"samples", NULL},
                 {"isa", "LINKWORK_ISA chooses the instruction set"},
                 {"linkwork", "go on with the same version"}};
  char print[20], isa[20], expected[40];
  About about[ABOUTS];
  sqlite3_stmt* get = NULL;
  lwStatus status   = LW_OK;
  fill_about(results->study, print, isa, about);
  if (sqlite3_prepare_v2(results->database, "SELECT value FROM about WHERE key = ?", -1, &get,
                         NULL) != SQLITE_OK)
  {
    LW_REFUSE(diag, NULL, "%s: this is no database with results of a study", results->path);
    return LW_ERROR_INPUT;
  }
  for (int c = 0; c < (int)(sizeof checked / sizeof *checked) && status == LW_OK; ++c)
    for (int i = 0; i < ABOUTS && status == LW_OK; ++i)
    {
      if (strcmp(about[i].key, checked[c].key) != 0) continue;
      snprintf(expected, sizeof expected, "%lld", (long long)about[i].number);
      const char* wanted = about[i].text ? about[i].text : expected;
      sqlite3_bind_text(get, 1, about[i].key, -1, SQLITE_STATIC);
      bool found      = sqlite3_step(get) == SQLITE_ROW;
      const char* own = found ? (const char*)sqlite3_column_text(get, 0) : NULL;
      if (!own || strcmp(own, wanted) != 0)
      {
        LW_REFUSE(diag, checked[c].hint,
                  "%s: these are results of another study: '%s' is %s, now %s", results->path,
                  about[i].key, own ? own : "not there", wanted);
        status = LW_ERROR_INPUT;
      }
      sqlite3_reset(get);
    }
  sqlite3_finalize(get);
  return status;
}

// --- samples in the database

static void mark_taken(lwResults* results, long sample)
{
  results->taken[sample / 8] |= (unsigned char)(1 << sample % 8);
}

static bool is_taken(const lwResults* results, long sample)
{
  return results->taken[sample / 8] >> sample % 8 & 1;
}

static lwStatus load_samples(lwResults* results, lwDiag* diag)
{
  sqlite3_stmt* read = NULL;
  int code = sqlite3_prepare_v2(results->database, "SELECT sample, state <> 'done' FROM samples",
                                -1, &read, NULL);
  while (code == SQLITE_OK && sqlite3_step(read) == SQLITE_ROW)
  {
    long sample = (long)sqlite3_column_int64(read, 0);
    if (sample < 0 || sample >= results->study->samples) continue;
    mark_taken(results, sample);
    ++results->done;
    results->faults += sqlite3_column_int(read, 1);
  }
  sqlite3_finalize(read);
  return code == SQLITE_OK
             ? LW_OK
             : lw_sqlite_refuse(results->database, results->path, diag, "cannot be read");
}

// --- life

static lwStatus prepare_inserts(lwResults* results, lwDiag* diag)
{
  const lwStudy* study = results->study;
  char* sample         = wide_insert("samples", 4 + study->parameter_count);
  char* measure        = wide_insert("measures", 1 + study->measure_count);
  int code             = SQLITE_NOMEM;
  if (sample && measure)
    code = sqlite3_prepare_v2(results->database, sample, -1, &results->sample, NULL);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(results->database, measure, -1, &results->measure, NULL);
  free(sample);
  free(measure);
  if (code == SQLITE_OK)
    code = sqlite3_prepare_v2(
        results->database, "INSERT OR REPLACE INTO bands VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
        -1, &results->band, NULL);
  return code == SQLITE_OK
             ? LW_OK
             : lw_sqlite_refuse(results->database, results->path, diag, "cannot be used");
}

// An empty file of ours, left by a process that ended before its first transaction.
static bool is_empty(lwResults* results)
{
  sqlite3_stmt* read = NULL;
  sqlite3_prepare_v2(results->database, "SELECT count(*) FROM sqlite_master", -1, &read, NULL);
  bool empty = sqlite3_step(read) == SQLITE_ROW && sqlite3_column_int(read, 0) == 0;
  sqlite3_finalize(read);
  return empty;
}

static lwStatus begin_new(lwResults* results, lwDiag* diag)
{
  lwStatus status = lw_bands_create(results, diag);
  if (status == LW_OK)
    status = lw_sqlite_do(results->database, results->path, diag, "BEGIN IMMEDIATE");
  if (status == LW_OK) status = create_tables(results, diag);
  if (status == LW_OK) status = write_about(results, diag);
  if (status == LW_OK) status = prepare_inserts(results, diag);
  if (status == LW_OK) status = lw_bands_write(results, diag);
  if (status == LW_OK) status = lw_sqlite_do(results->database, results->path, diag, "COMMIT");
  return status;
}

static lwStatus begin_again(lwResults* results, lwDiag* diag)
{
  lwStatus status = check_about(results, diag);
  if (status == LW_OK) status = prepare_inserts(results, diag);
  if (status == LW_OK) status = load_samples(results, diag);
  if (status == LW_OK) status = lw_bands_load(results, diag);
  return status;
}

lwStatus lw_results_open(const lwStudy* study, const char* path, bool resume, lwDiag* diag,
                         lwResults** results)
{
  lwResults* made = calloc(1, sizeof *made);
  *results        = NULL;
  if (!made) return LW_ERROR_MEMORY;
  made->study     = study;
  made->lock      = -1;
  made->end       = study->samples;
  made->path      = strdup(path);
  made->taken     = calloc((size_t)study->samples / 8 + 1, 1);
  lwStatus status = made->path && made->taken ? lock_file(made, resume, diag) : LW_ERROR_MEMORY;
  if (status == LW_OK) status = open_database(made, diag);
  if (status == LW_OK) status = is_empty(made) ? begin_new(made, diag) : begin_again(made, diag);
  if (status == LW_OK)
    *results = made;
  else
    lw_results_close(made);
  return status;
}

void lw_results_close(lwResults* results)
{
  if (!results) return;
  lw_bands_free(results);
  sqlite3_finalize(results->sample);
  sqlite3_finalize(results->measure);
  sqlite3_finalize(results->band);
  sqlite3_close(results->database);
  if (results->lock >= 0) close(results->lock);  // after SQLite, whose own locks would go with it
  free(results->path);
  free(results->taken);
  free(results);
}

long lw_results_done(const lwResults* results)
{
  return results->done;
}

long lw_results_faults(const lwResults* results)
{
  return results->faults;
}

lwStatus lw_results_only(lwResults* results, int k, int n, lwDiag* diag)
{
  long samples = results->study->samples;
  if (n < 1 || k < 1 || k > n || n > samples)
  {
    LW_REFUSE(diag, NULL, "there is no part %d of %d of %ld samples", k, n, samples);
    return LW_ERROR_INPUT;
  }
  results->next = (long)((double)samples * (k - 1) / n);
  results->end  = k == n ? samples : (long)((double)samples * k / n);
  return LW_OK;
}

long lw_results_goal(const lwResults* results)
{
  long missing = 0;
  for (long k = results->next; k < results->end; ++k) missing += !is_taken(results, k);
  return results->done + missing;
}

int lw_results_next(lwResults* results, int most, long* first)
{
  long samples = results->end;
  int count    = 0;
  while (results->next < samples && is_taken(results, results->next)) ++results->next;
  *first = results->next;
  while (count < most && results->next < samples && !is_taken(results, results->next))
  {
    mark_taken(results, results->next++);
    ++count;
  }
  return count;
}

// --- rows

static bool put_sample(lwResults* results, const lwStudyRow* row)
{
  sqlite3_stmt* put = results->sample;
  sqlite3_bind_int64(put, 1, row->sample);
  sqlite3_bind_text(put, 2, lw_sample_word((lwSampleState)row->state), -1, SQLITE_STATIC);
  sqlite3_bind_int(put, 3, row->pass);
  if (row->why[0]) sqlite3_bind_text(put, 4, row->why, -1, SQLITE_STATIC);
  for (int i = 0; i < results->study->parameter_count; ++i)
    sqlite3_bind_double(put, 5 + i, lw_row_numbers(row)[i]);
  int done = sqlite3_step(put);
  sqlite3_reset(put);
  sqlite3_clear_bindings(put);
  return done == SQLITE_DONE;
}

static bool put_measures(lwResults* results, const lwStudyRow* row)
{
  const lwStudy* study = results->study;
  sqlite3_stmt* put    = results->measure;
  sqlite3_bind_int64(put, 1, row->sample);
  for (int i = 0; i < study->measure_count; ++i)
  {
    double value = lw_row_numbers(row)[study->parameter_count + i];
    if (!isnan(value)) sqlite3_bind_double(put, 2 + i, value);
  }
  int done = sqlite3_step(put);
  sqlite3_reset(put);
  sqlite3_clear_bindings(put);
  return done == SQLITE_DONE;
}

lwStatus lw_results_put(lwResults* results, const void* rows, int count, lwDiag* diag)
{
  size_t bytes    = lw_study_row_bytes(results->study);
  lwStatus status = lw_sqlite_do(results->database, results->path, diag, "BEGIN IMMEDIATE");
  for (int i = 0; i < count && status == LW_OK; ++i)
  {
    const lwStudyRow* row = (const lwStudyRow*)((const char*)rows + bytes * (size_t)i);
    if (!put_sample(results, row) || !put_measures(results, row))
      status = lw_sqlite_refuse(results->database, results->path, diag, "cannot be written");
    else if (!lw_bands_add(results, row))
      status = LW_ERROR_MEMORY;
  }
  if (status == LW_OK) status = lw_bands_write(results, diag);
  if (status == LW_OK) status = lw_sqlite_do(results->database, results->path, diag, "COMMIT");
  for (int i = 0; i < count && status == LW_OK; ++i)
    results->faults +=
        ((const lwStudyRow*)((const char*)rows + bytes * (size_t)i))->state != LW_SAMPLE_STATE_DONE;
  if (status == LW_OK)
    results->done += count;
  else
    sqlite3_exec(results->database, "ROLLBACK", NULL, NULL, NULL);
  return status;
}
