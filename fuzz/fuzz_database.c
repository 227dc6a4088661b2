// SPDX-License-Identifier: MIT
// Arbitrary bytes through the reader of results databases, in memory. No crash, no leak; what the
// reader hands on is within its ranges, and what it accepts it accepts twice, with equal checksums.
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "study/store.h"

typedef struct Seen
{
  lwContents contents;
  long rows, expected, last, cells;
  uint64_t sum;
} Seen;

static lwStatus see_contents(void* context, const lwContents* contents, long rows)
{
  Seen* seen     = context;
  seen->contents = *contents;
  seen->expected = rows;
  seen->last     = -1;
  require(contents->parameter_count <= LW_STUDY_MAX_PARAMETERS);
  require(contents->measure_count <= LW_STUDY_MAX_MEASURES);
  require(contents->samples >= 1 && contents->samples <= LW_STUDY_MAX_SAMPLES);
  for (int i = 0; i < contents->choice_count; ++i)
    require(contents->choices[i].parameter >= 0 &&
            contents->choices[i].parameter < contents->parameter_count);
  for (long i = 0; i < contents->band_count; ++i) require(contents->bands[i] != NULL);
  return LW_OK;
}

static lwStatus see_row(void* context, const lwStudyRow* row)
{
  Seen* seen = context;
  require(++seen->rows <= seen->expected);
  require(row->sample > seen->last && row->sample < seen->contents.samples);
  require(row->state >= 0 && row->state < LW_SAMPLE_STATE_COUNT);
  seen->last = row->sample;
  seen->sum  = lw_row_sum(seen->sum, &seen->contents, row);
  return LW_OK;
}

static lwStatus see_cell(void* context, long band, long step, const lwBandCell* cell)
{
  Seen* seen = context;
  require(band == seen->cells / seen->contents.band_steps && band < seen->contents.band_count);
  require(step == seen->cells % seen->contents.band_steps);
  require(cell->count <= (uint64_t)seen->rows);
  ++seen->cells;
  seen->sum = lw_sum_word(seen->sum, lw_cell_sum(band, step, cell));
  return LW_OK;
}

static lwStatus read_once(const uint8_t* data, size_t size, Seen* seen)
{
  sqlite3* database    = NULL;
  lwArena arena        = {0};
  lwReading reading    = {seen, see_contents, see_row, see_cell};
  lwDiag* diag         = lw_diag_create();
  unsigned char* bytes = sqlite3_malloc64(size);
  lwStatus status      = LW_ERROR_MEMORY;
  *seen                = (Seen){0};
  if (bytes && diag && sqlite3_open(":memory:", &database) == SQLITE_OK)
  {
    memcpy(bytes, data, size);
    bytes[18] = bytes[19] = 1;  // without a log, which would be another file
    // SQLite frees the bytes in any case
    if (sqlite3_deserialize(database, "main", bytes, (sqlite3_int64)size, (sqlite3_int64)size,
                            SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY) ==
        SQLITE_OK)
    {
      status = lw_store_read(database, "fuzz.db", &arena, &reading, diag);
      if (status != LW_ERROR_MEMORY) check_reading(status, status == LW_OK, diag);
    }
  }
  else
    sqlite3_free(bytes);
  sqlite3_close(database);
  lw_diag_destroy(diag);
  lw_arena_free(&arena);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
{
  Seen once, twice;
  if (size < LW_STORE_HEADER || !lw_store_is_ours(data)) return 0;
  if (read_once(data, size, &once) != LW_OK) return 0;
  require(once.rows == once.expected);
  require(once.cells == once.contents.band_count * once.contents.band_steps);
  require(read_once(data, size, &twice) == LW_OK && twice.sum == once.sum);
  return 0;
}
