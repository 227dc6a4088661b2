// SPDX-License-Identifier: MIT
#include "picture.h"

#include "exit.h"
#include "output.h"
#include "progress.h"

int picture_check(const char* path)
{
  if (!path) return DONE;
  if (!lw_plot_can_draw(path))
    return fail(USAGE, "'%s' does not end with .svg, .png or .pdf", path);
  if (!lw_plot_has_gnuplot())
    return fail(INPUT, "plots need gnuplot, which is not installed (Debian: gnuplot-nox)");
  return DONE;
}

void picture_wait(const char* path)
{
  progress_wait("drawing %s", path);
}

int picture_failed(const char* path, const char* message)
{
  return fail(INPUT, "cannot draw %s: %s", path, message);
}

int picture_begin(lwPlotTable* table, const char* path, size_t columns)
{
  *table     = (lwPlotTable){0};
  int status = picture_check(path);
  if (status != DONE || !path) return status;
  lwStatus made = lw_plot_table_create(table, columns);
  return made == LW_OK ? DONE : fail(INPUT, "%s", lw_status_text(made));
}

// The option that the fault is about.
static int picture_refuse(lwPlotFault fault, const char* path, const char* message)
{
  if (fault == LW_PLOT_FAULT_NONE) return DONE;
  if (fault == LW_PLOT_FAULT_DRAWING) return picture_failed(path, message);
  return fail(USAGE, "%s: %s", fault == LW_PLOT_FAULT_X ? "--x" : "--y", message);
}

int picture_draw(const lwPlotTable* table, const char* path, const char* x, const char* groups,
                 bool optional)
{
  char message[LW_PLOT_MESSAGE];
  picture_wait(path);
  lwPlotFault fault = lw_plot_table_draw(table, path, x, groups, optional, message);
  progress_clear();
  return picture_refuse(fault, path, message);
}

int picture_check_groups(char* const* names, size_t count, const char* groups)
{
  char message[LW_PLOT_MESSAGE];
  return picture_refuse(lw_plot_groups_check(names, count, groups, message), "a picture", message);
}

int picture_write(const lwDrawing* drawing, const char* path, int* left_out)
{
  lwOut memory = {.in_memory = true};
  lwOut out;
  lwStatus made = lw_drawing_write(drawing, &memory, left_out);
  if (made == LW_OK && !lw_out_finish(&memory)) made = LW_ERROR_MEMORY;
  int status = DONE;
  if (made == LW_ERROR_INPUT)
    status = fail(USAGE, "more than %d joints cannot be drawn", LW_DRAWING_MOST_JOINTS);
  else if (made != LW_OK)
    status = fail(made == LW_ERROR_UNDRIVEN ? USAGE : INPUT, "%s", lw_status_text(made));
  if (status == DONE) status = out_open(&out, path);
  if (status == DONE)
  {
    lw_out_bytes(&out, memory.text, memory.length);
    status = out_close(&out, DONE, false);
  }
  lw_out_free(&memory);
  return status;
}
