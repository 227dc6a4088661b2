// SPDX-License-Identifier: MIT
// Results in SQLite: tables of samples with their parameters, of measures and of time bands, and
// others that describe the study. A chunk of rows is one transaction, bands and checksums
// included: however the process ends, the database holds whole chunks.
#include "study/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

bool lw_results_possible(void)
{
  return true;
}

lwStatus lw_sqlite_refuse(sqlite3* database, const char* path, lwDiag* diag, const char* what)
{
  int code         = database ? sqlite3_errcode(database) : SQLITE_NOMEM;
  const char* hint = code == SQLITE_FULL || code == SQLITE_IOERR
                         ? "chunks that were written before are kept; resume when there is room"
                         : NULL;
  LW_REFUSE(diag, hint, "%s: the results %s: %s", path, what,
            database ? sqlite3_errmsg(database) : "out of memory");
  return code == SQLITE_NOMEM ? LW_ERROR_MEMORY : LW_ERROR_FILE;
}

static int bind_value(sqlite3_stmt* statement, int* at, char kind, va_list* values)
{
  if (kind == 'i') return sqlite3_bind_int64(statement, ++*at, va_arg(*values, long));
  if (kind == 'r') return sqlite3_bind_double(statement, ++*at, va_arg(*values, double));
  if (kind == 't')
    return sqlite3_bind_text(statement, ++*at, va_arg(*values, const char*), -1, SQLITE_STATIC);
  const void* data = kind == 'b' ? va_arg(*values, const void*) : NULL;
  int count        = va_arg(*values, int);
  if (data) return sqlite3_bind_blob(statement, ++*at, data, count, SQLITE_STATIC);
  const double* numbers = va_arg(*values, const double*);
  int code              = SQLITE_OK;
  for (int i = 0; i < count && code == SQLITE_OK; ++i)
    code = sqlite3_bind_double(statement, ++*at, numbers[i]);
  return code;
}

int lw_sqlite_put(sqlite3_stmt* statement, const char* kinds, ...)
{
  int code = SQLITE_OK, at = 0;
  va_list values;
  va_start(values, kinds);
  for (; *kinds && code == SQLITE_OK; ++kinds) code = bind_value(statement, &at, *kinds, &values);
  va_end(values);
  if (code == SQLITE_OK) code = sqlite3_step(statement);
  sqlite3_reset(statement);
  return code;
}

lwStatus lw_sqlite_do(sqlite3* database, const char* path, lwDiag* diag, const char* sql)
{
  if (sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK) return LW_OK;
  return lw_sqlite_refuse(database, path, diag, "cannot be written");
}

bool lw_sqlite_harden(sqlite3* database)
{
  static const struct
  {
    int option, on;
  } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                  {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                  {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                  {SQLITE_DBCONFIG_ENABLE_VIEW, 0}};
  int code     = SQLITE_OK;
  for (int i = 0; i < 4 && code == SQLITE_OK; ++i)
    code = sqlite3_db_config(database, settings[i].option, settings[i].on, NULL);
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, LW_STORE_MAX_BYTES);
  sqlite3_limit(database, SQLITE_LIMIT_ATTACHED, 0);
  return code == SQLITE_OK &&
         sqlite3_exec(database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", NULL, NULL,
                      NULL) == SQLITE_OK;
}

// --- the file: one process writes it

static const int LOCK_TRIES = 200;  // while others read; 20 ms each

// Readers hold the lock together, for as long as they read; a writer holds it alone.
static bool lock_alone(int file)
{
  const struct timespec moment = {.tv_nsec = 20000000};
  for (int i = 0; i < LOCK_TRIES; ++i)
  {
    if (flock(file, LOCK_EX | LOCK_NB) == 0) return true;
    if (flock(file, LOCK_SH | LOCK_NB) != 0) return false;  // a writer has it
    flock(file, LOCK_UN);
    nanosleep(&moment, NULL);
  }
  return false;
}

static lwStatus lock_file(lwResults* results, lwDiag* diag)
{
  results->lock = open(results->path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (results->lock < 0)
    return lw_refuse(diag, LW_ERROR_FILE, errno == ENOENT ? "there is nothing to resume" : NULL,
                     "%s: %s", results->path, strerror(errno));
  if (lock_alone(results->lock)) return LW_OK;
  return lw_refuse(diag, LW_ERROR_FILE,
                   "wait until it ends; reading the database is possible meanwhile",
                   "%s: another process writes these results", results->path);
}

static lwStatus open_for_writing(lwResults* results, lwDiag* diag)
{
  if (sqlite3_open_v2(results->path, &results->database,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK ||
      !lw_sqlite_harden(results->database))
    return lw_sqlite_refuse(results->database, results->path, diag, "cannot be opened");
  sqlite3_busy_timeout(results->database, 10000);
  lwStatus status = lw_sqlite_do(results->database, results->path, diag,
                                 "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  return status == LW_OK ? lw_store_prepare(results, diag) : status;
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

typedef struct Resume
{
  lwResults* results;
  lwDiag* diag;
} Resume;

static lwStatus resume_begin(void* context, const lwContents* contents, long rows)
{
  const Resume* resume = context;
  (void)rows;
  return lw_contents_compare(&resume->results->contents, contents, resume->results->path,
                             resume->diag);
}

static lwStatus resume_row(void* context, const lwStudyRow* row)
{
  lwResults* results = ((const Resume*)context)->results;
  mark_taken(results, row->sample);  // within the samples of the study, which are the same
  ++results->done;
  results->faults += row->state != LW_SAMPLE_STATE_DONE;
  return LW_OK;
}

static lwStatus resume_cell(void* context, long band, long step, const lwBandCell* cell)
{
  lwResults* results = ((const Resume*)context)->results;
  lwBandCell* known  = &results->cells[band * results->contents.band_steps + step];
  if (!lw_bands_merge(results, band, step, cell)) return LW_ERROR_MEMORY;
  known->sum     = cell->sum;
  known->changed = false;
  return LW_OK;
}

// --- life

static lwStatus begin_new(lwResults* results, const lwStudy* study, lwDiag* diag)
{
  lwStatus status = lw_bands_nominal(results, study, diag);
  if (status == LW_OK) status = lw_store_create(results, diag);
  if (status == LW_OK) status = lw_bands_write(results, 0, diag);
  if (status == LW_OK) status = lw_store_publish(results, diag);
  return status;
}

// The file is changed only after all of it was found to be in order.
static lwStatus begin_again(lwResults* results, lwDiag* diag)
{
  lwArena arena     = {0};
  Resume resume     = {results, diag};
  lwReading reading = {&resume, resume_begin, resume_row, resume_cell};
  lwStatus status   = lock_file(results, diag);
  if (status == LW_OK)
    status = lw_results_read(results->path, results->lock, &arena, &reading, diag);
  lw_arena_free(&arena);
  return status;
}

lwStatus lw_results_open(const lwStudy* study, const char* path, bool resume, lwDiag* diag,
                         lwResults** results)
{
  lwResults* made = calloc(1, sizeof *made);
  *results        = NULL;
  if (!made) return LW_ERROR_MEMORY;
  made->lock      = -1;
  made->end       = study->samples;
  made->path      = strdup(path);
  made->taken     = calloc((size_t)study->samples / 8 + 1, 1);
  lwStatus status = made->path && made->taken &&
                            lw_contents_of_study(study, &made->arena, &made->contents) &&
                            lw_bands_take(made)
                        ? LW_OK
                        : LW_ERROR_MEMORY;
  if (status == LW_OK) status = resume ? begin_again(made, diag) : begin_new(made, study, diag);
  if (status == LW_OK) status = open_for_writing(made, diag);
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
  lw_store_finalize(results);
  lw_store_discard(results);
  if (results->lock >= 0) close(results->lock);  // after SQLite, whose own locks would go with it
  free(results->path);
  free(results->taken);
  lw_arena_free(&results->arena);
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
  long samples = results->contents.samples;
  if (n < 1 || k < 1 || k > n || n > samples)
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "there is no part %d of %d of %ld samples", k, n,
                     samples);
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

static lwStatus put_chunk(lwResults* results, const void* rows, int count, lwDiag* diag)
{
  size_t bytes = sizeof(lwStudyRow) +
                 sizeof(double) *
                     (size_t)(results->contents.parameter_count + results->contents.measure_count +
                              results->contents.band_count * results->contents.band_steps);
  lwStatus status = lw_sqlite_do(results->database, results->path, diag, "BEGIN IMMEDIATE");
  long faults     = 0;
  for (int i = 0; i < count && status == LW_OK; ++i)
  {
    const lwStudyRow* row = (const lwStudyRow*)((const char*)rows + bytes * (size_t)i);
    status                = lw_store_put(results, row, diag);
    if (status == LW_OK && !lw_bands_add(results, row)) status = LW_ERROR_MEMORY;
    faults += row->state != LW_SAMPLE_STATE_DONE;
  }
  if (status == LW_OK) status = lw_store_end_chunk(results, diag);
  if (status == LW_OK) status = lw_bands_write(results, results->done + count, diag);
  if (status == LW_OK) status = lw_sqlite_do(results->database, results->path, diag, "COMMIT");
  if (status != LW_OK) return status;
  results->done += count;
  results->faults += faults;
  return LW_OK;
}

lwStatus lw_results_put(lwResults* results, const void* rows, int count, lwDiag* diag)
{
  if (results->failed)
    return lw_refuse(diag, LW_ERROR_FILE, NULL, "%s: an earlier chunk could not be written",
                     results->path);
  lwStatus status = put_chunk(results, rows, count, diag);
  results->failed = status != LW_OK;
  if (results->failed) sqlite3_exec(results->database, "ROLLBACK", NULL, NULL, NULL);
  return status;
}

// --- several databases of one study into one

typedef struct Merge
{
  lwResults* results;  // the new database
  const char* from;    // what is being read
  bool first;
  const volatile sig_atomic_t* stop;
  lwDiag* diag;
} Merge;

static lwStatus merge_begin(void* context, const lwContents* contents, long rows)
{
  Merge* merge       = context;
  lwResults* results = merge->results;
  (void)rows;
  if (!merge->first)
    return lw_contents_compare(&results->contents, contents, merge->from, merge->diag);
  results->contents = *contents;
  return lw_bands_take(results) ? lw_store_create(results, merge->diag) : LW_ERROR_MEMORY;
}

static lwStatus merge_row(void* context, const lwStudyRow* row)
{
  Merge* merge = context;
  if (merge->stop && *merge->stop)
    return lw_refuse(merge->diag, LW_ERROR_FILE, NULL, "%s: stopped; nothing was written",
                     merge->results->path);
  ++merge->results->done;
  return lw_store_put(merge->results, row, merge->diag);
}

static lwStatus merge_cell(void* context, long band, long step, const lwBandCell* cell)
{
  const Merge* merge         = context;
  const lwContents* contents = &merge->results->contents;
  const lwBandCell* known    = &merge->results->cells[band * contents->band_steps + step];
  if (!merge->first && known->nominal != cell->nominal)
    return lw_refuse(merge->diag, LW_ERROR_INPUT, NULL,
                     "%s: these are results of another study: the nominal run of '%s' differs",
                     merge->from, contents->bands[band]);
  return lw_bands_merge(merge->results, band, step, cell) ? LW_OK : LW_ERROR_MEMORY;
}

lwStatus lw_results_merge(const char* path, int count, const char* const* from,
                          const volatile sig_atomic_t* stop, lwDiag* diag)
{
  lwResults* results = calloc(1, sizeof *results);
  if (!results) return LW_ERROR_MEMORY;
  Merge merge       = {.results = results, .first = true, .stop = stop, .diag = diag};
  lwReading reading = {&merge, merge_begin, merge_row, merge_cell};
  results->lock     = -1;
  results->path     = strdup(path);
  lwStatus status   = results->path ? LW_OK : LW_ERROR_MEMORY;
  for (int i = 0; i < count && status == LW_OK; ++i, merge.first = false)
  {
    merge.from = from[i];
    status     = lw_results_read(from[i], -1, &results->arena, &reading, diag);
    if (status == LW_OK) status = lw_store_end_chunk(results, diag);
  }
  if (status == LW_OK) status = lw_bands_write(results, results->done, diag);
  if (status == LW_OK) status = lw_store_publish(results, diag);
  results->fresh = false;  // a whole database stays, even if it has no rows
  lw_results_close(results);
  return status;
}
