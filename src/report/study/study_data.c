// SPDX-License-Identifier: MIT
#include "report/study/study_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* const LW_STUDY_LINE_NAMES[LW_STUDY_BAND_LINES] = {
    "nominal", "low", "p01", "p05", "p25", "p50", "p75", "p95", "p99", "high"};

void lw_study_data_free(lwStudyData* data)
{
  lw_arena_free(&data->arena);
}

// A sample without results.
typedef struct FailedSample
{
  int state;
  long sample;
  const char* why;
} FailedSample;

typedef struct Load
{
  lwStudyData* data;
  FailedSample* faults;  // (room)
  size_t count, capacity;
} Load;

// --- columns

static lwStudyColumn* column_arrays(lwStudyData* data, int count, long rows)
{
  lwStudyColumn* columns = lw_arena_take(&data->arena, (size_t)count + 1, sizeof *columns);
  for (int i = 0; columns && i < count; ++i)
  {
    columns[i].values = lw_arena_take(&data->arena, (size_t)rows + 1, sizeof(double));
    columns[i].below  = INFINITY;
    columns[i].above  = -INFINITY;
    if (!columns[i].values) return NULL;
  }
  return columns;
}

static bool take_band(lwStudyData* data, const char* name, long steps, lwStudyBand* band)
{
  band->name  = name;
  band->steps = (int)steps;
  band->t     = lw_arena_take(&data->arena, (size_t)steps, sizeof(double));
  bool enough = band->t != NULL;
  for (int i = 0; i < LW_STUDY_BAND_LINES && enough; ++i)
  {
    band->line[i] = lw_arena_take(&data->arena, (size_t)steps, sizeof(double));
    enough        = band->line[i] != NULL;
  }
  return enough;
}

static bool take_bands(lwStudyData* data, const lwContents* contents)
{
  data->band_count = (int)contents->band_count;
  data->bands      = lw_arena_take(&data->arena, (size_t)data->band_count + 1, sizeof *data->bands);
  bool enough      = data->bands != NULL;
  for (int b = 0; b < data->band_count && enough; ++b)
    enough = take_band(data, contents->bands[b], contents->band_steps, &data->bands[b]);
  for (int b = 0; b < data->band_count && enough; ++b)
    for (int k = 0; k < data->bands[b].steps; ++k) data->bands[b].t[k] = lw_band_time(contents, k);
  return enough;
}

static lwStatus load_begin(void* context, const lwContents* contents, long rows)
{
  lwStudyData* data     = ((Load*)context)->data;
  data->name            = contents->name;
  data->file            = contents->file;
  data->design          = contents->design;
  data->points          = contents->points;
  data->samples         = contents->samples;
  data->commands        = contents->commands == 1;
  data->parameter_count = contents->parameter_count;
  data->measure_count   = contents->measure_count;
  data->choice_count    = contents->choice_count;
  data->choices         = contents->choices;
  data->sample          = lw_arena_take(&data->arena, (size_t)rows + 1, sizeof *data->sample);
  data->parameters      = column_arrays(data, data->parameter_count, rows);
  data->measures        = column_arrays(data, data->measure_count, rows);
  if (!data->sample || !data->parameters || !data->measures || !take_bands(data, contents))
    return LW_ERROR_MEMORY;
  for (int i = 0; i < data->parameter_count; ++i)
    data->parameters[i].name = contents->parameters[i];
  for (int i = 0; i < data->measure_count; ++i)
  {
    data->measures[i].name  = contents->measures[i].name;
    data->measures[i].below = contents->measures[i].below;
    data->measures[i].above = contents->measures[i].above;
  }
  return LW_OK;
}

// --- rows

static bool keep_fault(Load* load, const lwStudyRow* row)
{
  if (load->count == load->capacity)
  {
    size_t capacity      = load->capacity ? 2 * load->capacity : 64;
    FailedSample* larger = realloc(load->faults, capacity * sizeof *larger);
    if (!larger) return false;
    load->faults   = larger;
    load->capacity = capacity;
  }
  const char* why             = lw_arena_text(&load->data->arena, row->why, strlen(row->why));
  load->faults[load->count++] = (FailedSample){row->state, row->sample, why};
  return why != NULL;
}

static lwStatus load_row(void* context, const lwStudyRow* row)
{
  Load* load               = context;
  lwStudyData* data        = load->data;
  const double* numbers    = lw_study_row_numbers(row);
  data->sample[data->rows] = row->sample;
  for (int i = 0; i < data->parameter_count; ++i)
    data->parameters[i].values[data->rows] = *numbers++;
  for (int i = 0; i < data->measure_count; ++i) data->measures[i].values[data->rows] = *numbers++;
  ++data->rows;
  data->passed += row->pass;
  data->done += row->state == LW_SAMPLE_STATE_DONE;
  return row->state == LW_SAMPLE_STATE_DONE || keep_fault(load, row) ? LW_OK : LW_ERROR_MEMORY;
}

static lwStatus load_cell(void* context, long band, long step, const lwBandCell* cell)
{
  double* const* line = ((Load*)context)->data->bands[band].line;
  bool any            = cell->count > 0;
  line[0][step]       = cell->nominal;
  line[1][step]       = any ? cell->low : (double)NAN;
  for (int q = 0; q < LW_STUDY_QUANTILES; ++q)
    line[2 + q][step] = any ? lw_band_quantile(cell, q) : (double)NAN;
  line[LW_STUDY_BAND_LINES - 1][step] = any ? cell->high : (double)NAN;
  return LW_OK;
}

// --- faults by their reason

static int compare_reasons(const void* left, const void* right)
{
  const FailedSample *a = left, *b = right;
  if (a->state != b->state) return a->state < b->state ? -1 : 1;
  int order = strcmp(a->why, b->why);
  return order ? order : (a->sample > b->sample) - (a->sample < b->sample);
}

// The most frequent first.
static int compare_counts(const void* left, const void* right)
{
  const lwStudyFault *a = left, *b = right;
  if (a->count != b->count) return a->count > b->count ? -1 : 1;
  return (a->first > b->first) - (a->first < b->first);
}

static bool group_faults(Load* load)
{
  lwStudyData* data = load->data;
  data->faults      = lw_arena_take(&data->arena, load->count + 1, sizeof *data->faults);
  if (!data->faults) return false;
  if (load->count > 0) qsort(load->faults, load->count, sizeof *load->faults, compare_reasons);
  for (size_t i = 0; i < load->count; ++i)
  {
    const FailedSample* fault = &load->faults[i];
    if (i == 0 || fault[-1].state != fault->state || strcmp(fault[-1].why, fault->why) != 0)
      data->faults[data->fault_count++] =
          (lwStudyFault){lw_sample_word((lwSampleState)fault->state), fault->why, 0, fault->sample};
    ++data->faults[data->fault_count - 1].count;
  }
  qsort(data->faults, (size_t)data->fault_count, sizeof *data->faults, compare_counts);
  return true;
}

lwStatus lw_study_data_read(const char* path, lwDiag* diag, lwStudyData* data)
{
  Load load         = {.data = data};
  lwReading reading = {&load, load_begin, load_row, load_cell};
  *data             = (lwStudyData){0};
  lwStatus status   = lw_results_read(path, -1, &data->arena, &reading, diag);
  if (status == LW_OK && !group_faults(&load)) status = LW_ERROR_MEMORY;
  if (status == LW_OK)
    data->scratch = lw_arena_take(&data->arena, 2 * ((size_t)data->rows + 4), sizeof(double));
  if (status == LW_OK && !data->scratch) status = LW_ERROR_MEMORY;
  free(load.faults);
  return status;
}
