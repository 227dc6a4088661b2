// SPDX-License-Identifier: MIT
// Values over time, from memory or from a CSV file.
#include <math.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "base/diag.h"
#include "base/number.h"
#include "linkwork/drive.h"
#include "read/csv_series.h"

struct lwSchedule
{
  long rows;
  int width;
  lwBetween between;
  const double* times;   // (rows) s, increasing
  const double* values;  // (rows, width)
  const bool* given;     // (width) or NULL: all are
  lwArena arena;
};

// --- making

static lwSchedule* schedule_start(const lwScheduleDef* def)
{
  lwSchedule* made = calloc(1, sizeof *made);
  if (made) made->width = def->width;
  if (made) made->between = def->between;
  return made;
}

// Hands over the schedule if it was created, and destroys it otherwise.
static lwStatus finish_schedule(lwSchedule* made, lwStatus status, lwSchedule** schedule)
{
  if (status == LW_OK)
    *schedule = made;
  else
    lw_schedule_destroy(made);
  return status;
}

// What is wrong with the rows of a schedule, or NULL.
static const char* fault_of(const lwScheduleDef* def, long rows, const double* times,
                            const double* values)
{
  if (rows < 1) return "a schedule needs at least one row";
  if (def->width < 0) return "a schedule needs a width of at least 0";
  if (!lw_all_finite(times, (size_t)rows)) return "the times of a schedule must be finite";
  if (!lw_all_finite(values, (size_t)rows * (size_t)def->width))
    return "the values of a schedule must be finite";
  for (long i = 1; i < rows; ++i)
    if (!(times[i] > times[i - 1])) return "the times of a schedule must increase";
  return NULL;
}

lwStatus lw_schedule_create(const lwScheduleDef* def, long rows, const double* times,
                            const double* values, lwDiag* diag, lwSchedule** schedule)
{
  *schedule         = NULL;
  const char* fault = fault_of(def, rows, times, values);
  if (fault) return lw_refuse(diag, LW_ERROR_INPUT, NULL, "%s", fault);
  size_t count     = (size_t)rows * (size_t)def->width;
  lwSchedule* made = schedule_start(def);
  if (!made) return LW_ERROR_MEMORY;
  made->rows   = rows;
  made->times  = lw_arena_copy(&made->arena, times, (size_t)rows);
  made->values = lw_arena_copy(&made->arena, values, count);
  return finish_schedule(made, lw_arena_failed(&made->arena) ? LW_ERROR_MEMORY : LW_OK, schedule);
}

// A file, or a text if there is one.
static lwStatus read_schedule_document(const char* path, const char* text, size_t length,
                                       const lwScheduleDef* def, lwDiag* diag,
                                       lwSchedule** schedule)
{
  lwDocument document;
  lwCsvGroup groups[] = {
      {.columns = {.symbol = "t", .single = true, .width = 1}, .increasing = true},
      {.columns = {.symbol = def->symbol,
                   .width  = def->width,
                   .names  = def->names,
                   .need   = def->partial ? LW_COLUMNS_SOME : LW_COLUMNS_ALL}}};
  *schedule        = NULL;
  lwSchedule* made = schedule_start(def);
  lwStatus status  = text ? lw_document_open_text(&document, path, text, length, diag)
                          : lw_document_open_table(&document, path, diag);
  if (!made) status = LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_csv_read(&document, groups, 2, &made->arena, &made->rows);
  if (status == LW_OK && made->rows == 0)
  {
    lw_document_error(&document, ((lwPlace){1, 1}), NULL,
                      "no values below the header, expected at least one line of them");
    status = LW_ERROR_INPUT;
  }
  if (status == LW_OK)
  {
    made->times  = groups[0].values;
    made->values = groups[1].values;
    made->given  = groups[1].given;
  }
  lw_document_free(&document);
  return finish_schedule(made, status, schedule);
}

lwStatus lw_schedule_read_file(const char* path, const lwScheduleDef* def, lwDiag* diag,
                               lwSchedule** schedule)
{
  return read_schedule_document(path, NULL, 0, def, diag, schedule);
}

lwStatus lw_schedule_read_text(const char* name, const char* text, size_t length,
                               const lwScheduleDef* def, lwDiag* diag, lwSchedule** schedule)
{
  return read_schedule_document(name, text ? text : "", length, def, diag, schedule);
}

void lw_schedule_destroy(lwSchedule* schedule)
{
  if (!schedule) return;
  lw_arena_free(&schedule->arena);
  free(schedule);
}

// --- asking

int lw_schedule_width(const lwSchedule* schedule)
{
  return schedule->width;
}

long lw_schedule_rows(const lwSchedule* schedule)
{
  return schedule->rows;
}

lwBetween lw_schedule_between(const lwSchedule* schedule)
{
  return schedule->between;
}

bool lw_schedule_has(const lwSchedule* schedule, int k)
{
  return !schedule->given || schedule->given[k];
}

// Where t lies: values are from + part (to - from).
typedef struct SchedulePlace
{
  const double *from, *to;  // rows
  double part;
} SchedulePlace;

static SchedulePlace find_segment(const lwSchedule* schedule, double t)
{
  long row    = lw_count_until(schedule->times, schedule->rows, t) - 1;
  bool inside = row >= 0 && row + 1 < schedule->rows && schedule->between == LW_BETWEEN_LINEAR;
  const double* times = schedule->times + (row < 0 ? 0 : row);
  const double* from  = schedule->values + (size_t)(row < 0 ? 0 : row) * (size_t)schedule->width;
  if (!inside) return (SchedulePlace){from, from, 0};
  return (SchedulePlace){from, from + schedule->width, (t - times[0]) / (times[1] - times[0])};
}

double lw_schedule_value(const lwSchedule* schedule, int k, double t)
{
  SchedulePlace place = find_segment(schedule, t);
  return place.from[k] + place.part * (place.to[k] - place.from[k]);
}

void lw_schedule_values(const lwSchedule* schedule, double t, double* values)
{
  SchedulePlace place = find_segment(schedule, t);
  for (int k = 0; k < schedule->width; ++k)
    values[k] = place.from[k] + place.part * (place.to[k] - place.from[k]);
}

double lw_schedule_next(const lwSchedule* schedule, double t)
{
  long row = lw_count_until(schedule->times, schedule->rows, t);
  return row < schedule->rows ? schedule->times[row] : INFINITY;
}
