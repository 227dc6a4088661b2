// SPDX-License-Identifier: MIT
// Several databases of one study into one: rows are copied, counts of bands are added. Every
// database is validated while it is read, and the new one appears when all of it is there.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "study/store.h"

typedef struct Merge
{
  lwResults results;  // the new database
  const char* from;   // what is being read
  bool first;
  const volatile sig_atomic_t* stop;
  lwDiag* diag;
} Merge;

static lwStatus merge_begin(void* context, const lwContents* contents, long rows)
{
  Merge* merge       = context;
  lwResults* results = &merge->results;
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
                     merge->results.path);
  ++merge->results.done;
  return lw_store_put(&merge->results, row, merge->diag);
}

static lwStatus merge_cell(void* context, long band, long step, const lwBandCell* cell)
{
  Merge* merge          = context;
  const lwBandCell* own = &merge->results.cells[band * merge->results.contents.band_steps + step];
  if (!merge->first && own->nominal != cell->nominal)
    return lw_refuse(merge->diag, LW_ERROR_INPUT, NULL,
                     "%s: these are results of another study: the nominal run of '%s' differs",
                     merge->from, merge->results.contents.bands[band]);
  return lw_bands_merge(&merge->results, band, step, cell) ? LW_OK : LW_ERROR_MEMORY;
}

lwStatus lw_results_merge(const char* path, int count, const char* const* from,
                          const volatile sig_atomic_t* stop, lwDiag* diag)
{
  Merge merge        = {.first = true, .stop = stop, .diag = diag};
  lwReading reading  = {&merge, merge_begin, merge_row, merge_cell};
  lwResults* results = &merge.results;
  results->lock      = -1;
  results->path      = strdup(path);
  lwStatus status    = results->path ? LW_OK : LW_ERROR_MEMORY;
  for (int i = 0; i < count && status == LW_OK; ++i, merge.first = false)
  {
    merge.from = from[i];
    status     = lw_results_read(from[i], -1, &results->arena, &reading, diag);
    if (status == LW_OK) status = lw_store_end_chunk(results, diag);
  }
  if (status == LW_OK) status = lw_bands_write(results, results->done, diag);
  if (status == LW_OK) status = lw_store_publish(results, diag);
  lw_bands_free(results);
  lw_store_finalize(results);
  results->fresh = false;  // it may have no rows
  lw_store_discard(results);
  if (results->lock >= 0) close(results->lock);
  free(results->path);
  lw_arena_free(&results->arena);
  return status;
}
