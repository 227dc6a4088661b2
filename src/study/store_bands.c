// SPDX-License-Identifier: MIT
// The table of time bands: for every column and time the counts of deviations, and quantiles of
// them for people who read the database.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/store.h"

const double LW_BAND_QUANTILES[LW_STUDY_QUANTILES]    = {0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99};
const char* const LW_BAND_COLUMNS[LW_STUDY_QUANTILES] = {"p01", "p05", "p25", "p50",
                                                         "p75", "p95", "p99"};

enum
{
  ENTRY = sizeof(int32_t) + sizeof(uint64_t)  // bytes of a bin in a blob
};

bool lw_sketch_read(lwSketch* sketch, const void* blob, int bytes)
{
  for (int at = 0; at + ENTRY <= bytes; at += ENTRY)
  {
    int32_t key;
    uint64_t times;
    memcpy(&key, (const char*)blob + at, sizeof key);
    memcpy(&times, (const char*)blob + at + sizeof key, sizeof times);
    if (!lw_sketch_add(sketch, key, times)) return false;
  }
  return true;
}

void* lw_sketch_blob(const lwSketch* sketch, int* bytes)
{
  char* blob = malloc((size_t)sketch->count * ENTRY + 1);
  *bytes     = sketch->count * ENTRY;
  for (int i = 0; blob && i < sketch->count; ++i)
  {
    memcpy(blob + i * ENTRY, &sketch->key[i], sizeof sketch->key[i]);
    memcpy(blob + i * ENTRY + sizeof sketch->key[i], &sketch->times[i], sizeof sketch->times[i]);
  }
  return blob;
}

static int cell_count(const lwStudy* study)
{
  return study->band_count * study->band_steps;
}

static bool take_cells(lwResults* results)
{
  results->cells = calloc((size_t)cell_count(results->study) + 1, sizeof *results->cells);
  for (int i = 0; results->cells && i < cell_count(results->study); ++i)
    results->cells[i] = (lwBandCell){.low = INFINITY, .high = -INFINITY, .changed = true};
  return results->cells != NULL;
}

void lw_bands_free(lwResults* results)
{
  for (int i = 0; results->cells && i < cell_count(results->study); ++i)
    lw_sketch_free(&results->cells[i].sketch);
  free(results->cells);
}

// The nominal run: every parameter at its median.
lwStatus lw_bands_create(lwResults* results, lwDiag* diag)
{
  const lwStudy* study  = results->study;
  lwStudyWorker* worker = NULL;
  lwStudyRow* row       = malloc(lw_study_row_bytes(study));
  lwStatus status       = row && take_cells(results) ? LW_OK : LW_ERROR_MEMORY;
  if (status == LW_OK && study->band_count > 0)
  {
    status = lw_study_worker_create(study, NULL, diag, &worker);
    if (status == LW_OK) status = lw_study_work(worker, -1, 1, row);
    const double* series = lw_row_series(study, row);
    for (int i = 0; i < cell_count(study) && status == LW_OK; ++i)
      results->cells[i].nominal = isfinite(series[i]) ? series[i] : 0;
    lw_study_worker_destroy(worker);
  }
  free(row);
  return status;
}

lwStatus lw_bands_load(lwResults* results, lwDiag* diag)
{
  sqlite3_stmt* read = NULL;
  bool enough        = take_cells(results);
  if (sqlite3_prepare_v2(results->database,
                         "SELECT nominal, count, low, high, counts FROM bands ORDER BY band, step",
                         -1, &read, NULL) != SQLITE_OK)
    return lw_sqlite_refuse(results->database, results->path, diag, "cannot be read");
  for (int i = 0; enough && i < cell_count(results->study) && sqlite3_step(read) == SQLITE_ROW; ++i)
  {
    lwBandCell* cell = &results->cells[i];
    cell->nominal    = sqlite3_column_double(read, 0);
    cell->count      = (uint64_t)sqlite3_column_int64(read, 1);
    if (cell->count > 0) cell->low = sqlite3_column_double(read, 2);
    if (cell->count > 0) cell->high = sqlite3_column_double(read, 3);
    cell->changed = false;
    enough =
        lw_sketch_read(&cell->sketch, sqlite3_column_blob(read, 4), sqlite3_column_bytes(read, 4));
  }
  sqlite3_finalize(read);
  return enough ? LW_OK : LW_ERROR_MEMORY;
}

bool lw_bands_add(lwResults* results, const lwStudyRow* row)
{
  const lwStudy* study = results->study;
  const double* series = lw_row_numbers(row) + study->parameter_count + study->measure_count;
  if (row->state != LW_SAMPLE_STATE_DONE) return true;
  for (int i = 0; i < cell_count(study); ++i)
  {
    lwBandCell* cell = &results->cells[i];
    if (!isfinite(series[i])) continue;
    cell->low     = fmin(cell->low, series[i]);
    cell->high    = fmax(cell->high, series[i]);
    cell->changed = true;
    ++cell->count;
    if (!lw_sketch_add(&cell->sketch, lw_sketch_key(series[i] - cell->nominal), 1)) return false;
  }
  return true;
}

static void bind_cell(lwResults* results, int i, const lwBandCell* cell, void* blob, int bytes)
{
  const lwStudy* study = results->study;
  sqlite3_stmt* put    = results->band;
  int band = i / study->band_steps, step = i % study->band_steps;
  sqlite3_bind_int(put, 1, band);
  sqlite3_bind_int(put, 2, step);
  sqlite3_bind_text(put, 3, study->columns[study->bands[band]], -1, SQLITE_STATIC);
  sqlite3_bind_double(put, 4, study->band_end * step / (study->band_steps - 1));
  sqlite3_bind_double(put, 5, cell->nominal);
  sqlite3_bind_int64(put, 6, (sqlite3_int64)cell->count);
  if (cell->count > 0) sqlite3_bind_double(put, 7, cell->low);
  if (cell->count > 0) sqlite3_bind_double(put, 8, cell->high);
  for (int q = 0; q < LW_STUDY_QUANTILES && cell->count > 0; ++q)
  {
    double value = cell->nominal + lw_sketch_quantile(&cell->sketch, LW_BAND_QUANTILES[q]);
    sqlite3_bind_double(put, 9 + q, fmin(fmax(value, cell->low), cell->high));
  }
  sqlite3_bind_blob(put, 9 + LW_STUDY_QUANTILES, blob, bytes, free);
}

lwStatus lw_bands_write(lwResults* results, lwDiag* diag)
{
  for (int i = 0; i < cell_count(results->study); ++i)
  {
    lwBandCell* cell = &results->cells[i];
    int bytes;
    if (!cell->changed) continue;
    void* blob = lw_sketch_blob(&cell->sketch, &bytes);
    if (!blob) return LW_ERROR_MEMORY;
    bind_cell(results, i, cell, blob, bytes);
    int done = sqlite3_step(results->band);
    sqlite3_reset(results->band);
    sqlite3_clear_bindings(results->band);
    if (done != SQLITE_DONE)
      return lw_sqlite_refuse(results->database, results->path, diag, "cannot be written");
    cell->changed = false;
  }
  return LW_OK;
}
