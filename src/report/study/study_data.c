// SPDX-License-Identifier: MIT
#include "report/study/study_data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"

#ifdef LINKWORK_SQLITE
#include <sqlite3.h>
#endif

const char* const LW_STUDY_LINE_NAMES[LW_STUDY_BAND_LINES] = {
    "nominal", "low", "p01", "p05", "p25", "p50", "p75", "p95", "p99", "high"};

void lw_study_data_free(lwStudyData* data)
{
  lw_arena_free(&data->arena);
}

#ifdef LINKWORK_SQLITE

typedef struct Load
{
  sqlite3* database;
  lwStudyData* data;
  const char* path;
  lwDiag* diag;
  bool no_memory;
} Load;

static sqlite3_stmt* load_query(Load* load, const char* sql)
{
  sqlite3_stmt* query = NULL;
  if (sqlite3_prepare_v2(load->database, sql, -1, &query, NULL) == SQLITE_OK) return query;
  LW_REFUSE(load->diag, NULL, "%s: this is no database with results of a study: %s", load->path,
            sqlite3_errmsg(load->database));
  return NULL;
}

static void* load_take(Load* load, size_t count, size_t size)
{
  void* memory = lw_arena_take(&load->data->arena, count + 1, size);
  if (!memory) load->no_memory = true;
  return memory;
}

static const char* load_text(Load* load, sqlite3_stmt* query, int column)
{
  const char* text = (const char*)sqlite3_column_text(query, column);
  char* copy       = lw_arena_text(&load->data->arena, text ? text : "", text ? strlen(text) : 0);
  if (!copy) load->no_memory = true;
  return copy ? copy : "";
}

static bool load_about(Load* load)
{
  lwStudyData* data   = load->data;
  sqlite3_stmt* query = load_query(load, "SELECT key, value FROM about");
  data->name = data->file = data->design = "";
  while (query && sqlite3_step(query) == SQLITE_ROW)
  {
    const char* key = (const char*)sqlite3_column_text(query, 0);
    if (!strcmp(key, "name")) data->name = load_text(load, query, 1);
    if (!strcmp(key, "file")) data->file = load_text(load, query, 1);
    if (!strcmp(key, "design")) data->design = load_text(load, query, 1);
    if (!strcmp(key, "points")) data->points = (long)sqlite3_column_int64(query, 1);
    if (!strcmp(key, "samples")) data->samples = (long)sqlite3_column_int64(query, 1);
  }
  sqlite3_finalize(query);
  return query != NULL;
}

static long count_rows(Load* load)
{
  sqlite3_stmt* query = load_query(load, "SELECT count(*) FROM samples");
  long rows =
      query && sqlite3_step(query) == SQLITE_ROW ? (long)sqlite3_column_int64(query, 0) : -1;
  sqlite3_finalize(query);
  return rows;
}

// The columns of a table behind the first `skip`.
static lwStudyColumn* load_columns(Load* load, const char* sql, int skip, int* count)
{
  lwStudyData* data      = load->data;
  sqlite3_stmt* query    = load_query(load, sql);
  int all                = query ? sqlite3_column_count(query) : skip;
  lwStudyColumn* columns = load_take(load, (size_t)(all - skip), sizeof *columns);
  *count                 = 0;
  for (int c = skip; c < all && columns; ++c, ++*count)
  {
    const char* name = sqlite3_column_name(query, c);
    columns[c - skip] =
        (lwStudyColumn){.name   = lw_arena_text(&data->arena, name, strlen(name)),
                        .values = load_take(load, (size_t)data->rows, sizeof(double)),
                        .below  = INFINITY,
                        .above  = -INFINITY};
  }
  for (long row = 0; query && !load->no_memory && row < data->rows; ++row)
  {
    if (sqlite3_step(query) != SQLITE_ROW) break;
    data->sample[row] = (long)sqlite3_column_int64(query, 0);
    for (int c = skip; c < all; ++c)
      columns[c - skip].values[row] = sqlite3_column_type(query, c) == SQLITE_NULL
                                          ? (double)NAN
                                          : sqlite3_column_double(query, c);
  }
  sqlite3_finalize(query);
  return columns;
}

static void load_criteria(Load* load)
{
  lwStudyData* data   = load->data;
  sqlite3_stmt* query = load_query(load, "SELECT measure, below, above FROM criteria");
  while (query && sqlite3_step(query) == SQLITE_ROW)
    for (int m = 0; m < data->measure_count; ++m)
    {
      const char* name = (const char*)sqlite3_column_text(query, 0);
      if (!name || strcmp(data->measures[m].name, name) != 0) continue;
      data->measures[m].below = sqlite3_column_double(query, 1);
      data->measures[m].above = sqlite3_column_double(query, 2);
    }
  sqlite3_finalize(query);
}

// Databases of older versions have no choices.
static void load_choices(Load* load)
{
  lwStudyData* data   = load->data;
  sqlite3_stmt* query = NULL;
  int room            = 0;
  sqlite3_prepare_v2(load->database, "SELECT count(*) FROM choices", -1, &query, NULL);
  if (query && sqlite3_step(query) == SQLITE_ROW) room = sqlite3_column_int(query, 0);
  sqlite3_finalize(query);
  data->choices = load_take(load, (size_t)room, sizeof *data->choices);
  if (room == 0 || !data->choices) return;
  query = load_query(load, "SELECT parameter, value, name FROM choices");
  while (query && data->choice_count < room && sqlite3_step(query) == SQLITE_ROW)
  {
    const char* parameter = (const char*)sqlite3_column_text(query, 0);
    for (int i = 0; parameter && i < data->parameter_count; ++i)
      if (!strcmp(data->parameters[i].name, parameter) && data->choice_count < room)
        data->choices[data->choice_count++] =
            (lwStudyChoice){i, sqlite3_column_double(query, 1), load_text(load, query, 2)};
  }
  sqlite3_finalize(query);
}

static void load_states(Load* load)
{
  lwStudyData* data = load->data;
  sqlite3_stmt* query =
      load_query(load, "SELECT sum(state = 'done'), sum(pass), count(DISTINCT why) FROM samples");
  size_t reasons = 0;
  if (query && sqlite3_step(query) == SQLITE_ROW)
  {
    data->done   = (long)sqlite3_column_int64(query, 0);
    data->passed = (long)sqlite3_column_int64(query, 1);
    reasons      = (size_t)sqlite3_column_int64(query, 2);
  }
  sqlite3_finalize(query);
  data->faults = load_take(load, 3 * reasons, sizeof *data->faults);
  query        = load_query(load,
                            "SELECT state, why, count(*), min(sample) FROM samples WHERE state <> 'done' "
                                   "GROUP BY state, why ORDER BY count(*) DESC, min(sample)");
  while (query && data->faults && data->fault_count < (int)(3 * reasons) &&
         sqlite3_step(query) == SQLITE_ROW)
  {
    lwStudyFault* fault = &data->faults[data->fault_count++];
    fault->state        = load_text(load, query, 0);
    fault->why          = load_text(load, query, 1);
    fault->count        = (long)sqlite3_column_int64(query, 2);
    fault->first        = (long)sqlite3_column_int64(query, 3);
  }
  sqlite3_finalize(query);
}

static void load_bands(Load* load)
{
  lwStudyData* data = load->data;
  sqlite3_stmt* query =
      load_query(load, "SELECT band, step, name, t, nominal, low, p01, p05, p25, p50, p75, "
                       "p95, p99, high, (SELECT count(*) FROM bands b WHERE b.band = a.band) "
                       "FROM bands a ORDER BY band, step");
  sqlite3_stmt* count = load_query(load, "SELECT count(DISTINCT band) FROM bands");
  if (count && sqlite3_step(count) == SQLITE_ROW) data->band_count = sqlite3_column_int(count, 0);
  sqlite3_finalize(count);
  data->bands = load_take(load, (size_t)data->band_count, sizeof *data->bands);
  while (query && !load->no_memory && sqlite3_step(query) == SQLITE_ROW)
  {
    lwStudyBand* band = &data->bands[sqlite3_column_int(query, 0)];
    int step          = sqlite3_column_int(query, 1);
    if (step == 0)
    {
      band->steps = sqlite3_column_int(query, 14);
      band->name  = load_text(load, query, 2);
      band->t     = load_take(load, (size_t)band->steps, sizeof(double));
      for (int i = 0; i < LW_STUDY_BAND_LINES; ++i)
        band->line[i] = load_take(load, (size_t)band->steps, sizeof(double));
    }
    if (load->no_memory || step >= band->steps) break;
    band->t[step] = sqlite3_column_double(query, 3);
    for (int i = 0; i < LW_STUDY_BAND_LINES; ++i)
      band->line[i][step] = sqlite3_column_type(query, 4 + i) == SQLITE_NULL
                                ? (double)NAN
                                : sqlite3_column_double(query, 4 + i);
  }
  sqlite3_finalize(query);
}

static lwStatus load_all(Load* load)
{
  lwStudyData* data = load->data;
  // one moment of a database that may grow
  sqlite3_exec(load->database, "BEGIN", NULL, NULL, NULL);
  if (!load_about(load)) return LW_ERROR_INPUT;
  data->rows = count_rows(load);
  if (data->rows < 0) return LW_ERROR_INPUT;
  data->sample = load_take(load, (size_t)data->rows, sizeof *data->sample);
  if (!data->sample) return LW_ERROR_MEMORY;
  data->parameters =
      load_columns(load, "SELECT * FROM samples ORDER BY sample", 4, &data->parameter_count);
  data->measures =
      load_columns(load, "SELECT * FROM measures ORDER BY sample", 1, &data->measure_count);
  load_criteria(load);
  load_choices(load);
  load_states(load);
  load_bands(load);
  return load->no_memory ? LW_ERROR_MEMORY : LW_OK;
}

lwStatus lw_study_data_read(const char* path, lwDiag* diag, lwStudyData* data)
{
  Load load = {.data = data, .path = path, .diag = diag};
  *data     = (lwStudyData){0};
  if (sqlite3_open_v2(path, &load.database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
  {
    LW_REFUSE(diag, NULL, "%s: %s", path, sqlite3_errmsg(load.database));
    sqlite3_close(load.database);
    return LW_ERROR_FILE;
  }
  sqlite3_busy_timeout(load.database, 10000);
  lwStatus status = load_all(&load);
  sqlite3_close(load.database);
  return status;
}

#else

lwStatus lw_study_data_read(const char* path, lwDiag* diag, lwStudyData* data)
{
  *data = (lwStudyData){0};
  LW_REFUSE(diag, "build it with SQLite (Debian: libsqlite3-dev)",
            "%s: this build of linkwork has no SQLite, and so no results of studies", path);
  return LW_ERROR_FILE;
}

#endif
