// SPDX-License-Identifier: MIT
// The table of time bands: for every column and time the counts of deviations, and quantiles of
// them for people who read the database.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/store.h"

enum
{
  ENTRY    = sizeof(int32_t) + sizeof(uint64_t),  // bytes of a bin in a blob
  LAST_KEY = 0x7FF00000 >> 13                     // of an infinite deviation; see lw_sketch_key()
};

// A blob that we wrote has increasing keys, and its counts add up.
lwStatus lw_sketch_read(lwSketch* sketch, const void* blob, int bytes, uint64_t count)
{
  uint64_t sum = 0;
  int32_t last = -LAST_KEY - 1;
  if (bytes % ENTRY != 0 || (bytes > 0 && !blob)) return LW_ERROR_FILE;
  for (int at = 0; at < bytes; at += ENTRY)
  {
    int32_t key;
    uint64_t times;
    memcpy(&key, (const char*)blob + at, sizeof key);
    memcpy(&times, (const char*)blob + at + sizeof key, sizeof times);
    if (key <= last || key > LAST_KEY || times < 1 || times > count - sum) return LW_ERROR_FILE;
    if (!lw_sketch_add(sketch, key, times)) return LW_ERROR_MEMORY;
    last = key;
    sum += times;
  }
  return sum == count ? LW_OK : LW_ERROR_FILE;
}

static void* sketch_blob(const lwSketch* sketch, int* bytes)
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

static long cell_count(const lwResults* results)
{
  return results->contents.band_count * results->contents.band_steps;
}

bool lw_bands_take(lwResults* results)
{
  results->cells = calloc((size_t)cell_count(results) + 1, sizeof *results->cells);
  for (long i = 0; results->cells && i < cell_count(results); ++i)
    results->cells[i] = (lwBandCell){.low = INFINITY, .high = -INFINITY, .changed = true};
  return results->cells != NULL;
}

void lw_bands_free(lwResults* results)
{
  for (long i = 0; results->cells && i < cell_count(results); ++i)
    lw_sketch_free(&results->cells[i].sketch);
  free(results->cells);
}

// The nominal run: every parameter at its median.
lwStatus lw_bands_nominal(lwResults* results, const lwStudy* study, lwDiag* diag)
{
  lwStudyWorker* worker = NULL;
  if (study->band_count == 0) return LW_OK;
  lwStudyRow* row = malloc(lw_study_row_bytes(study));
  lwStatus status = row ? lw_study_worker_create(study, NULL, diag, &worker) : LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_study_work(worker, -1, 1, row);
  for (long i = 0; i < cell_count(results) && status == LW_OK; ++i)
  {
    double value              = lw_row_series(study, row)[i];
    results->cells[i].nominal = isfinite(value) ? value : 0;
  }
  lw_study_worker_destroy(worker);
  free(row);
  return status;
}

bool lw_bands_add(lwResults* results, const lwStudyRow* row)
{
  const lwContents* contents = &results->contents;
  const double* series = lw_row_numbers(row) + contents->parameter_count + contents->measure_count;
  if (row->state != LW_SAMPLE_STATE_DONE) return true;
  for (long i = 0; i < cell_count(results); ++i)
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

bool lw_bands_merge(lwResults* results, long band, long step, const lwBandCell* other)
{
  lwBandCell* cell = &results->cells[band * results->contents.band_steps + step];
  bool enough      = true;
  cell->nominal    = other->nominal;
  cell->changed    = true;
  cell->count += other->count;
  cell->low  = fmin(cell->low, other->low);
  cell->high = fmax(cell->high, other->high);
  for (int i = 0; i < other->sketch.count && enough; ++i)
    enough = lw_sketch_add(&cell->sketch, other->sketch.key[i], other->sketch.times[i]);
  return enough;
}

static lwStatus write_cell(lwResults* results, long i, lwDiag* diag)
{
  const lwContents* contents = &results->contents;
  lwBandCell* cell           = &results->cells[i];
  long band = i / contents->band_steps, step = i % contents->band_steps;
  double lines[2 + LW_STUDY_QUANTILES];  // lowest, highest, quantiles
  int bytes, count = 2 + LW_STUDY_QUANTILES;
  void* blob = sketch_blob(&cell->sketch, &bytes);
  if (!blob) return LW_ERROR_MEMORY;
  lines[0] = cell->low;
  lines[1] = cell->high;
  for (int q = 0; q < LW_STUDY_QUANTILES; ++q) lines[2 + q] = lw_band_quantile(cell, q);
  for (int q = 0; q < count && cell->count == 0; ++q) lines[q] = NAN;
  int done = lw_sqlite_put(results->band, "iitrriRb", band, step, contents->bands[band],
                           lw_band_time(contents, step), cell->nominal, (long)cell->count, count,
                           lines, blob, bytes);
  free(blob);
  if (done != SQLITE_DONE)
    return lw_sqlite_refuse(results->database, results->path, diag, "cannot be written");
  cell->changed = false;
  cell->sum     = lw_cell_sum(band, step, cell);
  return LW_OK;
}

lwStatus lw_bands_write(lwResults* results, long rows, lwDiag* diag)
{
  lwStatus status = LW_OK;
  uint64_t sum    = 0;
  for (long i = 0; i < cell_count(results) && status == LW_OK; ++i)
  {
    if (results->cells[i].changed) status = write_cell(results, i, diag);
    sum += results->cells[i].sum;
  }
  return status == LW_OK ? lw_store_checksum(results, diag, "bands", 0, rows, sum) : status;
}
