// SPDX-License-Identifier: MIT
#include "plot_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/text.h"
#include "report/plot.h"

// --- the table

int plot_table_create(PlotTable* table, const char* path, size_t columns)
{
  *table = (PlotTable){.columns = columns, .stride = 1};
  if (!path) return DONE;
  if (!lw_plot_can_draw(path))
    return fail(USAGE, "'%s' does not end with .svg, .png or .pdf, the pictures that can be drawn",
                path);
  if (!lw_plot_has_gnuplot())
    return fail(INPUT, "plots need gnuplot, which is not installed (Debian: gnuplot-nox)");
  table->names  = calloc(columns + 1, sizeof *table->names);
  table->labels = calloc(columns + 1, sizeof *table->labels);
  table->values = calloc(PLOT_ROWS * (columns + 1), sizeof *table->values);
  if (table->names && table->labels && table->values) return DONE;
  return fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
}

void plot_table_destroy(PlotTable* table)
{
  for (size_t c = 0; c < table->columns; ++c)
  {
    if (table->names) free(table->names[c]);
    if (table->labels) free(table->labels[c]);
  }
  free(table->names);
  free(table->labels);
  free(table->values);
}

bool plot_table_name(PlotTable* table, size_t c, const char* name, const char* label)
{
  table->names[c]  = strdup(name);
  table->labels[c] = label ? strdup(label) : NULL;
  if (table->names[c] && (!label || table->labels[c])) return true;
  fail(INPUT, "%s", lw_status_text(LW_ERROR_MEMORY));
  return false;
}

// Every second row goes.
static void thin_out(PlotTable* table)
{
  size_t bytes = table->columns * sizeof *table->values;
  for (size_t i = 1; 2 * i < table->rows; ++i)
    memcpy(table->values + i * table->columns, table->values + 2 * i * table->columns, bytes);
  table->rows = (table->rows + 1) / 2;
  table->stride *= 2;
}

void plot_table_add(PlotTable* table, const double* values)
{
  if (!table->values) return;
  if (table->rows > 0 && ++table->skipped < table->stride) return;
  table->skipped = 0;
  if (table->rows == PLOT_ROWS) thin_out(table);
  memcpy(table->values + table->rows++ * table->columns, values,
         table->columns * sizeof *table->values);
}

// --- groups

bool plot_column_is_in(const char* column, const char* group, size_t length)
{
  if (strncmp(column, group, length) != 0) return false;
  const char* rest = column + length;
  if (*rest == 0) return true;
  if (*rest == '.') return rest[1] != 0;
  return rest[strspn(rest, "0123456789")] == 0;
}

int plot_unknown_group(char* const* names, size_t count, const char* group, size_t length)
{
  Nearest nearest = nearest_to(group, length);
  for (size_t c = 0; c < count; ++c) nearest_offer(&nearest, names[c]);
  if (nearest_found(&nearest))
    return fail(USAGE, "--y: no column '%.*s', did you mean '%s'?", (int)length, group,
                nearest.best);
  return fail(USAGE, "--y: no column '%.*s', nor one with a number or a name behind it",
              (int)length, group);
}
