// SPDX-License-Identifier: MIT
// The one reader of results databases, for report, resume and merge. A database may come from
// anybody: nothing in it is executed, every number is checked before it is used, and samples are
// joined by their number.
//
//   header --> our schema, text by text --> integrity_check --> about --> samples with measures,
//   chunk by chunk against their checksums --> bands
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/store.h"

// One reading; the first thing that is wrong decides about its status, and ends it.
typedef struct StoreReader
{
  sqlite3* database;
  const char* path;
  lwArena* arena;
  const lwReading* reading;
  lwDiag* diag;
  lwStatus status;
  lwContents contents;
  long expected, rows, done;  // samples in the table; read so far; of these with results
  lwStudyRow* row;            // with parameters and measures
} StoreReader;

// A statement of ours, and whom it serves.
typedef struct Query
{
  StoreReader* reader;
  sqlite3_stmt* statement;
} Query;

__attribute__((format(printf, 2, 3))) static void damaged(StoreReader* reader, const char* format,
                                                          ...)
{
  char what[200];
  va_list arguments;
  if (reader->status != LW_OK) return;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  LW_REFUSE(reader->diag, "a copy may be whole; otherwise compute the study again",
            "%s: the results are damaged: %s", reader->path, what);
  reader->status = LW_ERROR_FILE;
}

static void no_memory(StoreReader* reader)
{
  if (reader->status == LW_OK) reader->status = LW_ERROR_MEMORY;
}

static void* stored_take(StoreReader* reader, size_t count, size_t size)
{
  void* memory = reader->status == LW_OK ? lw_arena_take(reader->arena, count + 1, size) : NULL;
  if (!memory) no_memory(reader);
  return memory;
}

// --- queries

static void sqlite_failed(StoreReader* reader)
{
  int code = sqlite3_errcode(reader->database);
  if (code == SQLITE_NOMEM)
    no_memory(reader);
  else if (code == SQLITE_BUSY || code == SQLITE_CANTOPEN)
  {
    if (reader->status == LW_OK)
      reader->status =
          lw_sqlite_refuse(reader->database, reader->path, reader->diag, "cannot be read");
  }
  else
    damaged(reader, "%s", sqlite3_errmsg(reader->database));
}

static Query query(StoreReader* reader, const char* sql)
{
  Query made = {reader, NULL};
  if (reader->status == LW_OK &&
      sqlite3_prepare_v2(reader->database, sql, -1, &made.statement, NULL) != SQLITE_OK)
    sqlite_failed(reader);
  return made;
}

// False at the end, and after a failure.
static bool next_row(Query* query)
{
  if (query->reader->status != LW_OK) return false;
  int code = sqlite3_step(query->statement);
  if (code != SQLITE_ROW && code != SQLITE_DONE) sqlite_failed(query->reader);
  return code == SQLITE_ROW;
}

static bool is_type(const Query* query, int column, int type)
{
  return sqlite3_column_type(query->statement, column) == type;
}

// A text without zeros in it, which lives until the next row; NULL: it is none.
static const char* column_text(const Query* query, int column)
{
  if (!is_type(query, column, SQLITE_TEXT)) return NULL;
  const char* text = (const char*)sqlite3_column_text(query->statement, column);
  size_t bytes     = (size_t)sqlite3_column_bytes(query->statement, column);
  return text && strlen(text) == bytes ? text : NULL;
}

static const char* kept_text(const Query* query, int column)
{
  const char* text = column_text(query, column);
  const char* copy = text ? lw_arena_text(query->reader->arena, text, strlen(text)) : NULL;
  if (text && !copy) no_memory(query->reader);
  return copy;
}

static bool column_whole(const Query* query, int column, long least, long most, long* value)
{
  if (!is_type(query, column, SQLITE_INTEGER)) return false;
  sqlite3_int64 number = sqlite3_column_int64(query->statement, column);
  *value               = (long)number;
  return number >= least && number <= most;
}

static double column_real(const Query* query, int column)
{
  return is_type(query, column, SQLITE_NULL) ? (double)NAN
                                             : sqlite3_column_double(query->statement, column);
}

static long count_rows(StoreReader* reader, const char* sql)
{
  Query count = query(reader, sql);
  long rows   = 0;
  if (next_row(&count) && !column_whole(&count, 0, 0, LW_STUDY_MAX_SAMPLES, &rows))
    damaged(reader, "there are too many rows");
  sqlite3_finalize(count.statement);
  return rows;
}

// --- schema

static size_t name_length(const char* text)
{
  size_t length = 0;
  if (!isalpha((unsigned char)text[0])) return 0;
  while (isalnum((unsigned char)text[length]) || text[length] == '_') ++length;
  return length < 64 ? length : 0;
}

// The columns of a table whose text begins as ours; NULL: it is not ours, or out of memory.
static const char** stored_names(StoreReader* reader, const char* sql, const lwStoreTable* table,
                                 int most, int* count)
{
  static const char before[] = ", \"", after[] = "\" REAL";
  size_t start = strlen(table->sql);
  *count       = 0;
  if (strncmp(sql, table->sql, start) != 0) return NULL;
  const char** names = stored_take(reader, (size_t)most, sizeof *names);
  const char* at     = sql + start;
  while (names && *count < most && !strncmp(at, before, strlen(before)))
  {
    at += strlen(before);
    size_t length = name_length(at);
    if (length == 0 || strncmp(at + length, after, strlen(after)) != 0) return NULL;
    names[*count] = lw_arena_text(reader->arena, at, length);
    if (!names[(*count)++]) no_memory(reader);
    at += length + strlen(after);
  }
  return !strcmp(at, ")") ? names : NULL;
}

// The fixed table of this name and text, from 1; 0: none.
static int fixed_table(const char* name, const char* sql)
{
  for (int i = 0; i < LW_STORE_TABLES; ++i)
    if (!strcmp(LW_STORE_TABLE[i].name, name) && !strcmp(LW_STORE_TABLE[i].sql, sql)) return i + 1;
  return 0;
}

static bool take_measures(StoreReader* reader, const char* sql)
{
  lwContents* contents = &reader->contents;
  const char** names   = stored_names(reader, sql, &LW_STORE_MEASURES, LW_STUDY_MAX_MEASURES,
                                      &contents->measure_count);
  contents->measures =
      stored_take(reader, (size_t)contents->measure_count, sizeof *contents->measures);
  for (int i = 0; names && contents->measures && i < contents->measure_count; ++i)
    contents->measures[i] = (lwStoredMeasure){names[i], INFINITY, -INFINITY};
  return names && contents->measures;
}

// Whether it is a table of ours; *tables has a bit for each.
static bool take_table(StoreReader* reader, const Query* master, unsigned* tables)
{
  lwContents* contents = &reader->contents;
  const char *type = column_text(master, 0), *name = column_text(master, 1),
             *sql = column_text(master, 2);
  if (!type || !name || !sql || strcmp(type, "table") != 0) return false;
  unsigned bit = 1u << fixed_table(name, sql);
  if (!strcmp(name, LW_STORE_SAMPLES.name))
  {
    bit                  = 1u << (LW_STORE_TABLES + 1);
    contents->parameters = stored_names(reader, sql, &LW_STORE_SAMPLES, LW_STUDY_MAX_PARAMETERS,
                                        &contents->parameter_count);
    if (!contents->parameters) return false;
  }
  else if (!strcmp(name, LW_STORE_MEASURES.name))
  {
    bit = 1u << (LW_STORE_TABLES + 2);
    if (!take_measures(reader, sql)) return false;
  }
  if (bit == 1 || *tables & bit) return false;
  *tables |= bit;
  return true;
}

// --- about, criteria, choices

static void read_key(StoreReader* reader, Query* get, const lwAboutKey* key)
{
  char* field = (char*)&reader->contents + key->offset;
  bool right  = false;
  sqlite3_reset(get->statement);
  sqlite3_bind_text(get->statement, 1, key->name, -1, SQLITE_STATIC);
  if (next_row(get) && key->kind == LW_ABOUT_TEXT)
  {
    const char* text = kept_text(get, 0);
    right            = text != NULL;
    memcpy(field, &text, sizeof text);
  }
  else if (reader->status == LW_OK && key->kind == LW_ABOUT_WHOLE)
    right = column_whole(get, 0, 0, LW_STUDY_MAX_SAMPLES, (long*)field);
  else if (reader->status == LW_OK && is_type(get, 0, SQLITE_FLOAT))
  {
    *(double*)field = column_real(get, 0);
    right           = isfinite(*(double*)field);
  }
  if (!right) damaged(reader, "'%s' of the table about is missing or wrong", key->name);
}

static void read_about(StoreReader* reader)
{
  const lwContents* contents = &reader->contents;
  Query get                  = query(reader, "SELECT value FROM about WHERE key = ?");
  for (int i = 0; i < LW_ABOUT_KEYS && reader->status == LW_OK; ++i)
    read_key(reader, &get, &LW_ABOUT[i]);
  sqlite3_finalize(get.statement);
  if (count_rows(reader, "SELECT count(*) FROM about") != LW_ABOUT_KEYS)
    damaged(reader, "the table about has other rows than expected");
  if (contents->commands > 1 || contents->points < 1 || contents->samples < 1)
    damaged(reader, "a number of the table about is wrong");
  if (contents->band_count > 0 && contents->band_steps < 2)
    damaged(reader, "bands have too few steps");
}

static void read_criteria(StoreReader* reader)
{
  long found = 0;
  Query get  = query(reader, "SELECT below, above FROM criteria WHERE measure = ?");
  for (int i = 0; i < reader->contents.measure_count && reader->status == LW_OK; ++i)
  {
    lwStoredMeasure* measure = &reader->contents.measures[i];
    sqlite3_reset(get.statement);
    sqlite3_bind_text(get.statement, 1, measure->name, -1, SQLITE_STATIC);
    if (!next_row(&get)) continue;
    ++found;
    measure->below = column_real(&get, 0);
    measure->above = column_real(&get, 1);
    if (!is_type(&get, 0, SQLITE_FLOAT) || !is_type(&get, 1, SQLITE_FLOAT))
      damaged(reader, "the criterion of '%s' is wrong", measure->name);
  }
  sqlite3_finalize(get.statement);
  if (count_rows(reader, "SELECT count(*) FROM criteria") != found)
    damaged(reader, "there are criteria of unknown measures");
}

static void read_choices(StoreReader* reader)
{
  lwContents* contents = &reader->contents;
  long count           = count_rows(reader, "SELECT count(*) FROM choices");
  contents->choices    = stored_take(reader, (size_t)count, sizeof *contents->choices);
  Query get = query(reader, "SELECT value, name FROM choices WHERE parameter = ? ORDER BY value");
  for (int i = 0; i < contents->parameter_count && reader->status == LW_OK; ++i)
  {
    long value;
    sqlite3_reset(get.statement);
    sqlite3_bind_text(get.statement, 1, contents->parameters[i], -1, SQLITE_STATIC);
    for (long k = 1; next_row(&get); ++k)
    {
      const char* name = kept_text(&get, 1);
      if (name && column_whole(&get, 0, k, k, &value) && contents->choice_count < count)
        contents->choices[contents->choice_count++] = (lwStoredChoice){i, (int)k, name};
      else
        damaged(reader, "the choices of '%s' are wrong", contents->parameters[i]);
    }
  }
  sqlite3_finalize(get.statement);
  if (contents->choice_count != count) damaged(reader, "there are choices of unknown parameters");
}

// --- bands

static void read_band_names(StoreReader* reader)
{
  lwContents* contents = &reader->contents;
  long cells           = count_rows(reader, "SELECT count(*) FROM bands");
  // neither factor is larger than the samples of a study may be, so the product does not overflow
  if (reader->status != LW_OK) return;
  if (contents->band_count * contents->band_steps != cells && contents->band_count > 0)
    damaged(reader, "bands are missing: %ld of %ld", cells,
            contents->band_count * contents->band_steps);
  if (contents->band_count == 0 && cells != 0) damaged(reader, "there are unknown bands");
  contents->bands = stored_take(reader, (size_t)contents->band_count, sizeof *contents->bands);
  Query names     = query(reader, "SELECT name FROM bands WHERE step = 0 ORDER BY band");
  long found      = 0;
  while (next_row(&names) && found < contents->band_count)
    if (!(contents->bands[found++] = kept_text(&names, 0))) damaged(reader, "a band has no name");
  sqlite3_finalize(names.statement);
  if (found != contents->band_count) damaged(reader, "a band is missing");
}

static bool has_lines(const Query* bands, const lwBandCell* cell)
{
  bool any = cell->count > 0;
  for (int c = 6; c < 8 + LW_STUDY_QUANTILES; ++c)
    if (!is_type(bands, c, any ? SQLITE_FLOAT : SQLITE_NULL)) return false;
  if (!any) return true;
  bool right = isfinite(cell->low) && isfinite(cell->high) && cell->low <= cell->high;
  for (int q = 0; right && q < LW_STUDY_QUANTILES; ++q)
    right = column_real(bands, 8 + q) == lw_band_quantile(cell, q);
  return right;
}

// The cell of a row; false: it is not the expected one, or its numbers do not fit together.
static bool take_cell(StoreReader* reader, const Query* bands, long band, long step,
                      lwBandCell* cell)
{
  const lwContents* contents = &reader->contents;
  long found_band, found_step, count;
  const char* name = column_text(bands, 2);
  if (!column_whole(bands, 0, band, band, &found_band) ||
      !column_whole(bands, 1, step, step, &found_step) || !name ||
      strcmp(name, contents->bands[band]) != 0 || !is_type(bands, 3, SQLITE_FLOAT) ||
      column_real(bands, 3) != lw_band_time(contents, step) || !is_type(bands, 4, SQLITE_FLOAT) ||
      !column_whole(bands, 5, 0, reader->done, &count) ||
      !is_type(bands, 8 + LW_STUDY_QUANTILES, SQLITE_BLOB))
    return false;
  cell->nominal = column_real(bands, 4);
  cell->count   = (uint64_t)count;
  if (count > 0) cell->low = column_real(bands, 6);
  if (count > 0) cell->high = column_real(bands, 7);
  const void* blob = sqlite3_column_blob(bands->statement, 8 + LW_STUDY_QUANTILES);
  int bytes        = sqlite3_column_bytes(bands->statement, 8 + LW_STUDY_QUANTILES);
  lwStatus read    = lw_sketch_read(&cell->sketch, blob, bytes, cell->count);
  if (read == LW_ERROR_MEMORY) no_memory(reader);
  return read == LW_OK && isfinite(cell->nominal) && has_lines(bands, cell);
}

static void read_bands(StoreReader* reader, uint64_t expected)
{
  Query bands =
      query(reader, "SELECT band, step, name, t, nominal, count, low, high, p01, p05, p25, p50, "
                    "p75, p95, p99, counts FROM bands ORDER BY band, step");
  uint64_t sum = 0;
  long steps   = reader->contents.band_steps > 0 ? reader->contents.band_steps : 1;
  for (long i = 0; next_row(&bands); ++i)
  {
    lwBandCell cell = {.low = INFINITY, .high = -INFINITY};
    long band = i / steps, step = i % steps;
    if (band >= reader->contents.band_count || !take_cell(reader, &bands, band, step, &cell))
      damaged(reader, "step %ld of band %ld is missing or wrong", step, band);
    cell.sum = lw_cell_sum(band, step, &cell);
    sum += cell.sum;
    if (reader->status == LW_OK)
      reader->status = reader->reading->cell(reader->reading->context, band, step, &cell);
    lw_sketch_free(&cell.sketch);
  }
  sqlite3_finalize(bands.statement);
  if (sum != expected) damaged(reader, "the checksum of the bands differs");
}

// --- samples and measures, side by side

static bool take_state(const Query* samples, lwStudyRow* row)
{
  const char *state = column_text(samples, 1), *why = column_text(samples, 3);
  long pass;
  row->state = -1;
  for (int s = 0; state && s < LW_SAMPLE_STATE_COUNT; ++s)
    if (!strcmp(state, lw_sample_word((lwSampleState)s))) row->state = s;
  bool done = row->state == LW_SAMPLE_STATE_DONE;
  if (row->state < 0 || !column_whole(samples, 2, 0, done ? 1 : 0, &pass)) return false;
  row->pass = (int)pass;
  memset(row->why, 0, sizeof row->why);
  if (is_type(samples, 3, SQLITE_NULL)) return true;
  if (done || !why || !why[0] || strlen(why) >= sizeof row->why) return false;
  strcpy(row->why, why);
  return true;
}

static bool take_numbers(const StoreReader* reader, const Query* samples, const Query* measures)
{
  const lwContents* contents = &reader->contents;
  double* numbers            = lw_row_numbers(reader->row);
  bool done                  = reader->row->state == LW_SAMPLE_STATE_DONE;
  for (int i = 0; i < contents->parameter_count; ++i, ++numbers)
  {
    *numbers = column_real(samples, 4 + i);
    if (!is_type(samples, 4 + i, SQLITE_FLOAT)) return false;
  }
  for (int i = 0; i < contents->measure_count; ++i, ++numbers)
  {
    *numbers = column_real(measures, 1 + i);
    if (!is_type(measures, 1 + i, SQLITE_FLOAT) && !is_type(measures, 1 + i, SQLITE_NULL))
      return false;
    if (done && !isfinite(*numbers)) return false;
  }
  return true;
}

// One sample and its measures; false: there is no other, or something is wrong.
static bool next_sample(StoreReader* reader, Query* samples, Query* measures)
{
  long most = reader->contents.samples - 1, sample = 0, measured = 0;
  bool more = next_row(samples), also = next_row(measures);
  if (reader->status != LW_OK || (!more && !also)) return false;
  if (!more || !column_whole(samples, 0, 0, most, &sample))
    damaged(reader, "a sample is missing or has a wrong number");
  else if (!also || !column_whole(measures, 0, 0, most, &measured) || measured > sample)
    damaged(reader, "measures of sample %ld are missing", sample);
  else if (measured < sample)
    damaged(reader, "sample %ld is missing, and its measures are there", measured);
  else
  {
    reader->row->sample = sample;
    if (!take_state(samples, reader->row) || !take_numbers(reader, samples, measures))
      damaged(reader, "sample %ld has an entry that is missing or wrong", sample);
  }
  return reader->status == LW_OK;
}

// A row of the table of checksums.
typedef struct Chunk
{
  long first, count;
  uint64_t sum;
} Chunk;

static bool next_chunk(Query* checksums, const char* part, Chunk* chunk)
{
  StoreReader* reader = checksums->reader;
  if (!next_row(checksums)) return false;
  const char* found = column_text(checksums, 0);
  if (!found || strcmp(found, part) != 0 || !is_type(checksums, 3, SQLITE_INTEGER) ||
      !column_whole(checksums, 1, 0, LW_STUDY_MAX_SAMPLES, &chunk->first) ||
      !column_whole(checksums, 2, 0, LW_STUDY_MAX_SAMPLES, &chunk->count))
    damaged(reader, "the checksum of '%s' is missing or wrong", part);
  chunk->sum = (uint64_t)sqlite3_column_int64(checksums->statement, 3);
  return reader->status == LW_OK;
}

// The rows of one chunk are consecutive, and their checksum agrees.
static void read_chunk(StoreReader* reader, Query* samples, Query* measures, const Chunk* chunk)
{
  uint64_t sum = 0;
  if (chunk->count == 0) damaged(reader, "a checksum is of no samples");
  for (long i = 0; i < chunk->count && reader->status == LW_OK; ++i)
  {
    if (!next_sample(reader, samples, measures) || reader->row->sample != chunk->first + i)
    {
      damaged(reader, "samples from %ld on are missing", chunk->first + i);
      return;
    }
    sum = lw_row_sum(sum, &reader->contents, reader->row);
    if (++reader->rows > reader->expected) damaged(reader, "there are too many samples");
    reader->done += reader->row->state == LW_SAMPLE_STATE_DONE;
    if (reader->status == LW_OK)
      reader->status = reader->reading->row(reader->reading->context, reader->row);
  }
  if (sum != chunk->sum)
    damaged(reader, "the checksum of samples %ld to %ld differs", chunk->first,
            chunk->first + chunk->count - 1);
}

static void read_samples(StoreReader* reader, Query* checksums)
{
  Chunk chunk = {0};
  size_t numbers =
      (size_t)reader->contents.parameter_count + (size_t)reader->contents.measure_count;
  Query samples  = query(reader, "SELECT * FROM samples ORDER BY sample");
  Query measures = query(reader, "SELECT * FROM measures ORDER BY sample");
  reader->row    = stored_take(reader, 1, sizeof *reader->row + numbers * sizeof(double));
  while (reader->status == LW_OK && next_chunk(checksums, "samples", &chunk))
    read_chunk(reader, &samples, &measures, &chunk);
  if (next_sample(reader, &samples, &measures))
    damaged(reader, "sample %ld has no checksum", reader->row->sample);
  sqlite3_finalize(samples.statement);
  sqlite3_finalize(measures.statement);
}

// --- the whole

static void read_database(StoreReader* reader)
{
  Chunk about = {0}, bands = {0};
  // Exactly our tables and nothing else: no views, triggers, indices or checks that would act.
  unsigned tables = 0, all = (1u << (LW_STORE_TABLES + 3)) - 2;
  Query master = query(reader, "SELECT type, name, sql FROM sqlite_master");
  while (next_row(&master))
    if (!take_table(reader, &master, &tables))
      damaged(reader, "its tables are not those of this version");
  if (tables != all) damaged(reader, "a table is missing");
  sqlite3_finalize(master.statement);
  if (reader->status == LW_OK)
  {
    Query check = query(reader, "PRAGMA integrity_check(1)");
    if (next_row(&check))
    {
      const char* text = column_text(&check, 0);
      if (!text || strcmp(text, "ok") != 0)
        damaged(reader, "%.150s", text ? text : "integrity_check");
    }
    else
      damaged(reader, "SQLite cannot check it");
    sqlite3_finalize(check.statement);
  }
  if (reader->status == LW_OK) read_about(reader);
  if (reader->status == LW_OK) read_criteria(reader);
  if (reader->status == LW_OK) read_choices(reader);
  if (reader->status == LW_OK) read_band_names(reader);
  long rows = reader->expected = count_rows(reader, "SELECT count(*) FROM samples");
  Query checksums =
      query(reader, "SELECT part, first, count, sum FROM checksums ORDER BY part, first");
  if (reader->status == LW_OK &&
      (!next_chunk(&checksums, "about", &about) || !next_chunk(&checksums, "bands", &bands)))
    damaged(reader, "checksums are missing");
  if (reader->status == LW_OK && about.sum != lw_contents_sum(&reader->contents))
    damaged(reader, "the checksum of its description differs");
  if (reader->status == LW_OK)
    reader->status = reader->reading->begin(reader->reading->context, &reader->contents, rows);
  if (reader->status == LW_OK) read_samples(reader, &checksums);
  if (reader->rows != rows || bands.count != rows)
    damaged(reader, "%ld samples are there, %ld are expected", rows, bands.count);
  if (reader->status == LW_OK) read_bands(reader, bands.sum);
  sqlite3_finalize(checksums.statement);
}

lwStatus lw_store_read(sqlite3* database, const char* path, lwArena* arena,
                       const lwReading* reading, lwDiag* diag)
{
  StoreReader reader = {
      .database = database, .path = path, .arena = arena, .reading = reading, .diag = diag};
  // one moment of a database that may grow
  if (!lw_sqlite_harden(database) || sqlite3_exec(database, "BEGIN", NULL, NULL, NULL) != SQLITE_OK)
    sqlite_failed(&reader);
  if (reader.status == LW_OK) read_database(&reader);
  return reader.status;
}

// --- files

static unsigned header_word(const unsigned char* at)
{
  return (unsigned)at[0] << 24 | (unsigned)at[1] << 16 | (unsigned)at[2] << 8 | at[3];
}

static bool is_sqlite(const unsigned char header[LW_STORE_HEADER])
{
  return !memcmp(header, "SQLite format 3", 16);
}

bool lw_store_is_ours(const unsigned char header[LW_STORE_HEADER])
{
  return is_sqlite(header) && header_word(header + 68) == LW_STORE_APPLICATION &&
         header_word(header + 60) == LW_STORE_SCHEMA;
}

// immutable: nobody writes to it meanwhile and there is no log beside it, so that SQLite needs
// no locks and creates no files.
static int open_for_reading(const char* path, bool immutable, sqlite3** database)
{
  char* name  = NULL;
  size_t size = 0;
  FILE* file  = open_memstream(&name, &size);
  *database   = NULL;
  if (!file) return SQLITE_NOMEM;
  fputs(path[0] == '/' ? "file://" : "file:", file);
  for (const char* s = path; *s; ++s)
    if (isalnum((unsigned char)*s) || strchr("/._-", *s))
      fputc(*s, file);
    else
      fprintf(file, "%%%02x", (unsigned char)*s);
  fputs(immutable ? "?immutable=1" : "", file);
  int code = fclose(file) != 0 || !name ? SQLITE_NOMEM : SQLITE_OK;
  if (code == SQLITE_OK)
    code = sqlite3_open_v2(name, database,
                           SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
  free(name);
  if (code == SQLITE_OK) return sqlite3_busy_timeout(*database, 10000);
  sqlite3_close(*database);
  *database = NULL;
  return code;
}

// The text that a query gives first, cut to fit; false: it gives none.
static bool first_text(sqlite3* database, const char* sql, char* text, size_t size)
{
  sqlite3_stmt* query = NULL;
  bool found          = sqlite3_prepare_v2(database, sql, -1, &query, NULL) == SQLITE_OK &&
               sqlite3_step(query) == SQLITE_ROW && sqlite3_column_type(query, 0) == SQLITE_TEXT;
  if (found) snprintf(text, size, "%s", (const char*)sqlite3_column_text(query, 0));
  sqlite3_finalize(query);
  return found;
}

// The version of linkwork that wrote a database of another schema; "": none did.
static void find_version(const char* path, char version[40])
{
  sqlite3* database;
  char sql[200];
  version[0] = 0;
  if (open_for_reading(path, true, &database) == SQLITE_OK && lw_sqlite_harden(database) &&
      first_text(database, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'about'",
                 sql, sizeof sql) &&
      !strcmp(sql, LW_STORE_TABLE[0].sql))
    first_text(database, "SELECT value FROM about WHERE key = 'linkwork'", version, 40);
  for (char* s = version; *s; ++s)
    if (!isalnum((unsigned char)*s) && !strchr(".-+", *s)) *s = '?';
  sqlite3_close(database);
}

// Looks at the first bytes only, unless it is a database of an older version.
static lwStatus check_header(int file, const char* path, lwDiag* diag)
{
  unsigned char header[LW_STORE_HEADER] = {0};
  struct stat about;
  char version[40] = "";
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) ||
      pread(file, header, sizeof header, 0) != (ssize_t)sizeof header || !is_sqlite(header))
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s: this is not a database", path);
  if (lw_store_is_ours(header)) return LW_OK;
  unsigned application = header_word(header + 68), schema = header_word(header + 60);
  if (application == 0 || application == LW_STORE_APPLICATION) find_version(path, version);
  if (!version[0])
    return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s: this is no database with results of a study",
                     path);
  LW_REFUSE_VERSION(
      diag, "use that version, or compute the study again with this one",
      "%s: these are results of linkwork %s with schema %u; this version reads schema %d", path,
      version, application == 0 ? 1 : schema, LW_STORE_SCHEMA);
  return LW_ERROR_INPUT;
}

// Whether a log of changes is beside the file, which has to be read with it.
static bool has_log(const char* path)
{
  char* real = realpath(path, NULL);  // SQLite follows links, too
  char* name = real ? malloc(strlen(real) + sizeof "-wal") : NULL;
  struct stat about;
  if (name) sprintf(name, "%s-wal", real);
  bool has = !name || (stat(name, &about) == 0 && about.st_size > 0);
  free(name);
  free(real);
  return has;
}

lwStatus lw_results_read(const char* path, int held, lwArena* arena, const lwReading* reading,
                         lwDiag* diag)
{
  int file = held >= 0 ? held : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return lw_refuse(diag, LW_ERROR_FILE, NULL, "%s: the file cannot be read: %s", path,
                     strerror(errno));
  bool quiet        = held >= 0 || flock(file, LOCK_SH | LOCK_NB) == 0;
  lwStatus status   = check_header(file, path, diag);
  sqlite3* database = NULL;
  if (status == LW_OK)
  {
    int code = open_for_reading(path, quiet && !has_log(path), &database);
    if (code == SQLITE_NOMEM)
      status = LW_ERROR_MEMORY;
    else if (code != SQLITE_OK)
      status = lw_refuse(diag, LW_ERROR_FILE, NULL, "%s: SQLite cannot open it", path);
  }
  if (database) status = lw_store_read(database, path, arena, reading, diag);
  sqlite3_close(database);
  if (held < 0) close(file);  // after SQLite, whose own locks would go with it
  return status;
}
