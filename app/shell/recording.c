// SPDX-License-Identifier: MIT
// What simulations recorded: on the screen, as a picture, as a file.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/picture.h"
#include "shell.h"
#include "simulate/recorded.h"
#include "simulate/simulate.h"

static const size_t MOST_VALUES = (size_t)1 << 25;  // of 8 bytes

void recording_clear(Recording* recording)
{
  free(recording->columns);
  free(recording->values);
  free(recording->current);
  *recording = (Recording){0};
}

void recording_grow(Recording* recording, size_t rows)
{
  size_t most = MOST_VALUES / recording->width;
  if (rows > most || recording->rows + rows > most)
    stop(USAGE,
         "simulate: more than %zu records are too many; a longer record interval makes fewer",
         most);
  double* values =
      realloc(recording->values, (recording->rows + rows) * recording->width * sizeof *values);
  if (!values) leave(no_memory());
  recording->values = values;
}

static const Recording* need_recording(Shell* shell)
{
  if (shell->recording.rows == 0)
    complain(shell, NULL, "there is no simulation yet; 'simulate' makes one");
  return &shell->recording;
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
  memcpy(name, ((const ScreenPage*)context)->recording->columns[c].name, LW_ROW_NAME);
}

// Whether the column belongs to one of the groups, "q,tau"; t always does.
static bool page_shown(const void* context, size_t c)
{
  const ScreenPage* page = context;
  return c == 0 || column_is_in(page->recording->columns[c].name, page->groups);
}

// Refuses groups of which one has no column.
static void check_groups(Shell* shell, const char* groups)
{
  const Recording* recording = &shell->recording;
  char message[LW_PLOT_MESSAGE];
  char** names = allocate(recording->width, sizeof *names);
  for (size_t c = 0; c < recording->width; ++c) names[c] = recording->columns[c].name;
  if (lw_plot_groups_check(names, recording->width, groups, message) == LW_PLOT_FAULT_NONE) return;
  bool electric = strstr(message, "'v") || strstr(message, "'i");
  complain(shell, shell->given[3], "columns: %s%s", message,
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
    const double* row = recording->values + i * recording->width;
    if (row[0] < next - slack || row[0] > range[1] + slack) continue;
    lw_rows_add(rows, row);
    rounding.moved   = rounding.moved || (row[0] > next + slack && next >= recording->values[0]);
    rounding.clipped = rounding.clipped || time_is_rounded(row[0], TABLE_DIGITS);
    while (next <= row[0] + slack) next = fmax(next + range[2], nextafter(next, INFINITY));
  }
  lw_rows_end(rows);
  return rounding;
}

void shell_print_simulation(Shell* shell)
{
  const Recording* recording = need_recording(shell);
  const char* columns        = shell->given[3] ? shell->given[3] : "q,qd";
  ScreenPage page            = {recording, shell_groups(shell, columns)};
  check_groups(shell, page.groups);
  const double* t   = recording->values;
  double last       = t[(recording->rows - 1) * recording->width];
  double step       = recording->rows > 1 ? t[recording->width] - t[0] : 1;
  double range[3]   = {ask_number(shell, 0, -INFINITY, 0)};
  range[1]          = ask_number(shell, 1, -INFINITY, last);
  range[2]          = ask_number(shell, 2, 0, step);
  bool to_file      = shell->sim && shell->file_name;  // not on the screen then
  lwRows rows       = {.out     = to_file ? &shell->file : &shell->screen,
                       .format  = LW_FORMAT_TABLE,
                       .columns = recording->width,
                       .name    = page_name,
                       .shown   = page_shown,
                       .context = &page};
  Rounding rounding = write_rows(recording, &rows, range);
  lw_out_text(
      rows.out,
      "units: t s, q rad or m, qd and qdd per s and s^2, tau N m or N, v V, i A, energies J\n");
  if (rounding.moved)
    lw_out_text(rows.out, "note: some of these times have no record; the next records are shown, "
                          "with their own times\n");
  if (rounding.clipped)
    lw_out_format(rows.out,
                  "note: times are rounded to %d digits; write_graphic_file writes all of them\n",
                  TABLE_DIGITS);
}

// --- as a picture

static void draw_recording(Shell* shell, const char* path, const char* groups)
{
  const Recording* recording = &shell->recording;
  lwPlotTable* table         = plot_begin(path, recording->width);
  for (size_t c = 0; c < recording->width; ++c)
  {
    const RecordingColumn* column = &recording->columns[c];
    plot_name(table, c, column->name,
              column->joint < 0 ? NULL : joint_name(shell->model, column->joint));
  }
  for (size_t i = 0; i < recording->rows; ++i)
    lw_plot_table_add(table, recording->values + i * recording->width);
  table->title = lw_model_name(shell->model);
  table->model = shell->model;
  need(picture_draw(table, path, "t", groups ? groups : SIMULATION_PANELS, !groups));
  lw_out_format(&shell->screen, "wrote %s\n", path);
}

void shell_plot_simulation(Shell* shell)
{
  const char* columns = shell->given[1];
  need_recording(shell);
  const char* path = ask(shell, 0, "simulation.svg");
  draw_recording(shell, path, columns ? shell_groups(shell, columns) : NULL);
}

// --- as a file

void shell_write_graphic_file(Shell* shell)
{
  const Recording* recording = need_recording(shell);
  const char* path           = ask(shell, 0, "simulation.csv");
  bool csv = text_ends_with(path, ".csv"), json = text_ends_with(path, ".json");
  if (lw_plot_can_draw(path)) return draw_recording(shell, path, NULL);
  if (!csv && !json)
    complain(shell, path, "'%s' does not end with .csv, .json, .svg, .png or .pdf", path);
  ScreenPage* page = allocate(1, sizeof *page);
  page->recording  = recording;
  lwRows* rows     = rows_begin((lwRows){.out     = output(path),
                                         .format  = csv ? LW_FORMAT_CSV : LW_FORMAT_JSON,
                                         .columns = recording->width,
                                         .name    = page_name,
                                         .context = page});
  for (size_t i = 0; i < recording->rows; ++i)
    lw_rows_add(rows, recording->values + i * recording->width);
  rows_end(rows);
  need(output_end(rows->out, DONE));
  lw_out_format(&shell->screen, "%s has %ld records of %zu columns\n", path, rows->count,
                rows->columns);
}
