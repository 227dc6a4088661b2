// SPDX-License-Identifier: MIT
// What simulations recorded: on the screen, as a picture, as a file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/picture.h"
#include "shell.h"
#include "simulate/simulate.h"

static const size_t MOST_VALUES = (size_t)1 << 25;  // of 8 bytes

void recording_clear(Recording* recording)
{
  for (size_t c = 0; c < recording->columns && recording->labels; ++c) free(recording->labels[c]);
  free(recording->labels);
  free(recording->names);
  free(recording->values);
  free(recording->current);
  *recording = (Recording){0};
}

int recording_grow(Recording* recording, size_t rows)
{
  size_t most = MOST_VALUES / recording->columns;
  if (rows > most || recording->rows + rows > most)
    return fail(USAGE,
                "simulate: more than %zu records are too many; a longer record interval "
                "makes fewer",
                most);
  double* values =
      realloc(recording->values, (recording->rows + rows) * recording->columns * sizeof *values);
  if (!values) return no_memory();
  recording->values   = values;
  recording->capacity = recording->rows + rows;
  return DONE;
}

static int need_recording(Shell* shell)
{
  if (shell->recording.rows > 0) return DONE;
  return complain(shell, NULL, "there is no simulation yet; 'simulate' makes one");
}

// Whether the column belongs to one of the groups, "q,tau"; t always does.
static bool is_shown(const Recording* recording, size_t c, const char* groups)
{
  while (c > 0)
  {
    size_t length = strcspn(groups, "+,");
    if (length > 0 && lw_plot_column_is_in(recording->names[c], groups, length)) return true;
    if (!groups[length]) return false;
    groups += length + 1;
  }
  return true;
}

// More than rounding in sums of steps, which is not worth reporting.
bool time_is_rounded(double t, int digits)
{
  char text[40];
  snprintf(text, sizeof text, "%.*g", digits, t);
  return fabs(strtod(text, NULL) - t) > 1e-12 * fabs(t);
}

// --- on the screen

typedef struct ScreenPage
{
  const Recording* recording;
  const char* groups;
} ScreenPage;

static void page_name(const void* context, size_t c, char name[LW_ROW_NAME])
{
  memcpy(name, ((const ScreenPage*)context)->recording->names[c], LW_ROW_NAME);
}

static bool page_shown(const void* context, size_t c)
{
  const ScreenPage* page = context;
  return is_shown(page->recording, c, page->groups);
}

// Refuses groups of which one has no column.
static int check_groups(Shell* shell, const char* groups)
{
  const Recording* recording = &shell->recording;
  char message[LW_PLOT_MESSAGE];
  char** names = malloc((recording->columns + 1) * sizeof *names);
  if (!names) return no_memory();
  for (size_t c = 0; c < recording->columns; ++c) names[c] = recording->names[c];
  lwPlotFault fault = lw_plot_groups_check(names, recording->columns, groups, message);
  free(names);
  if (fault == LW_PLOT_FAULT_NONE) return DONE;
  bool electric = strstr(message, "'v") || strstr(message, "'i");
  return complain(shell, shell->given[3], "columns: %s%s", message,
                  electric ? "; v and i are recorded where a voltage drives a motor" : "");
}

static const int TABLE_DIGITS = 6;  // of numbers in tables

// Whether a printed time is not what was asked for, or not all of it, which is reported.
typedef struct Rounding
{
  bool moved;    // a record is not at start + k step
  bool clipped;  // digits were dropped
} Rounding;

static Rounding write_rows(const Recording* recording, lwRows* rows, const double range[3])
{
  double next = range[0], slack = 1e-9 * range[2];
  Rounding rounding = {false, false};
  lw_rows_begin(rows);
  for (size_t i = 0; i < recording->rows && !lw_out_stopped(rows->out); ++i)
  {
    const double* row = recording->values + i * recording->columns;
    if (row[0] < next - slack || row[0] > range[1] + slack) continue;
    lw_rows_add(rows, row);
    rounding.moved   = rounding.moved || (row[0] > next + slack && next >= recording->values[0]);
    rounding.clipped = rounding.clipped || time_is_rounded(row[0], TABLE_DIGITS);
    while (next <= row[0] + slack) next = fmax(next + range[2], nextafter(next, INFINITY));
  }
  lw_rows_end(rows);
  return rounding;
}

static void say_rounding(Shell* shell, Rounding rounding)
{
  if (rounding.moved)
    lw_out_text(&shell->screen,
                "note: some of these times have no record; the next records are shown, "
                "with their own times\n");
  if (rounding.clipped)
    lw_out_format(&shell->screen,
                  "note: times are rounded to %d digits; write_graphic_file writes all of them\n",
                  TABLE_DIGITS);
}

// The interval between records, by the first two.
static double usual_step(const Recording* recording)
{
  return recording->rows > 1 ? recording->values[recording->columns] - recording->values[0] : 1;
}

// start, finish, step
static int ask_range(Shell* shell, double range[3])
{
  const Recording* recording = &shell->recording;
  double last                = recording->values[(recording->rows - 1) * recording->columns];
  int status                 = ask_number(shell, 0, -INFINITY, 0, &range[0]);
  if (status == DONE) status = ask_number(shell, 1, -INFINITY, last, &range[1]);
  if (status == DONE) status = ask_number(shell, 2, 0, usual_step(recording), &range[2]);
  return status;
}

static int print_columns(Shell* shell, const char* groups)
{
  double range[3] = {0};
  ScreenPage page = {&shell->recording, groups};
  int status      = check_groups(shell, groups);
  if (status == DONE) status = ask_range(shell, range);
  if (status != DONE) return status;
  lwRows rows       = {.out     = &shell->screen,
                       .format  = FORMAT_TABLE,
                       .columns = shell->recording.columns,
                       .name    = page_name,
                       .shown   = page_shown,
                       .context = &page};
  Rounding rounding = write_rows(&shell->recording, &rows, range);
  lw_out_text(
      &shell->screen,
      "units: t s, q rad or m, qd and qdd per s and s^2, tau N m or N, v V, i A, energies J\n");
  say_rounding(shell, rounding);
  return DONE;
}

int shell_print_simulation(Shell* shell)
{
  int status = need_recording(shell);
  if (status != DONE) return status;
  char* groups = shell_groups(shell, shell->given[3] ? shell->given[3] : "q,qd");
  status       = groups ? print_columns(shell, groups) : no_memory();
  free(groups);
  return status;
}

// --- as a picture

static int fill_recording(const Recording* recording, lwPlotTable* table)
{
  for (size_t c = 0; c < recording->columns; ++c)
    if (!lw_plot_table_name(table, c, recording->names[c], recording->labels[c]))
      return no_memory();
  for (size_t i = 0; i < recording->rows; ++i)
    lw_plot_table_add(table, recording->values + i * recording->columns);
  return DONE;
}

static int draw_recording(Shell* shell, const char* path, const char* groups)
{
  lwPlotTable table;
  int status = picture_begin(&table, path, shell->recording.columns);
  if (status == DONE) status = fill_recording(&shell->recording, &table);
  table.title = lw_model_name(shell->model);
  table.model = shell->model;
  if (status == DONE)
    status = picture_draw(&table, path, "t", groups ? groups : SIMULATION_PANELS, !groups);
  lw_plot_table_destroy(&table);
  if (status == DONE) lw_out_format(&shell->screen, "wrote %s\n", path);
  return status;
}

int shell_plot_simulation(Shell* shell)
{
  const char* path;
  int status = need_recording(shell);
  if (status == DONE) status = ask(shell, 0, "simulation.svg", &path);
  char* groups = status == DONE && shell->given[1] ? shell_groups(shell, shell->given[1]) : NULL;
  if (status == DONE && shell->given[1] && !groups) status = no_memory();
  if (status == DONE) status = draw_recording(shell, path, groups);
  free(groups);
  return status;
}

// --- as a file

static int write_recording(Shell* shell, const char* path, Format format)
{
  lwOut* out = calloc(1, sizeof *out);
  if (!out) return no_memory();
  ScreenPage page = {&shell->recording, ""};
  lwRows rows     = {.out     = out,
                     .format  = format,
                     .columns = shell->recording.columns,
                     .name    = page_name,
                     .context = &page};
  int status      = out_open(out, path);
  if (status == DONE)
  {
    lw_rows_begin(&rows);
    for (size_t i = 0; i < shell->recording.rows; ++i)
      lw_rows_add(&rows, shell->recording.values + i * shell->recording.columns);
    lw_rows_end(&rows);
    status = out_close(out, DONE, false);
  }
  if (status == DONE)
    lw_out_format(&shell->screen, "%s has %ld records of %zu columns\n", path, rows.count,
                  rows.columns);
  free(out);
  return status;
}

int shell_write_graphic_file(Shell* shell)
{
  const char* path;
  int status = need_recording(shell);
  if (status == DONE) status = ask(shell, 0, "simulation.csv", &path);
  if (status != DONE) return status;
  if (lw_plot_can_draw(path)) return draw_recording(shell, path, NULL);
  if (text_ends_with(path, ".csv")) return write_recording(shell, path, FORMAT_CSV);
  if (text_ends_with(path, ".json")) return write_recording(shell, path, FORMAT_JSON);
  return complain(shell, path, "'%s' does not end with .csv, .json, .svg, .png or .pdf", path);
}
