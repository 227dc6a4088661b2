// SPDX-License-Identifier: MIT
#include "report/plot/plot_table.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

// --- the table

lwStatus lw_plot_table_create(lwPlotTable* table, size_t columns)
{
  *table        = (lwPlotTable){.columns = columns, .stride = 1};
  table->names  = calloc(columns + 1, sizeof *table->names);
  table->labels = calloc(columns + 1, sizeof *table->labels);
  table->values = calloc(LW_PLOT_ROWS * (columns + 1), sizeof *table->values);
  return table->names && table->labels && table->values ? LW_OK : LW_ERROR_MEMORY;
}

void lw_plot_table_destroy(lwPlotTable* table)
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

bool lw_plot_table_name(lwPlotTable* table, size_t c, const char* name, const char* label)
{
  table->names[c]  = strdup(name);
  table->labels[c] = label ? strdup(label) : NULL;
  return table->names[c] && (!label || table->labels[c]);
}

// Every second row goes.
static void thin_out(lwPlotTable* table)
{
  size_t bytes = table->columns * sizeof *table->values;
  for (size_t i = 1; 2 * i < table->rows; ++i)
    memcpy(table->values + i * table->columns, table->values + 2 * i * table->columns, bytes);
  table->rows = (table->rows + 1) / 2;
  table->stride *= 2;
}

void lw_plot_table_add(lwPlotTable* table, const double* values)
{
  if (!table->values) return;
  if (table->rows > 0 && ++table->skipped < table->stride) return;
  table->skipped = 0;
  if (table->rows == LW_PLOT_ROWS) thin_out(table);
  memcpy(table->values + table->rows++ * table->columns, values,
         table->columns * sizeof *table->values);
}

// --- groups

bool lw_plot_column_is_in(const char* column, const char* group, size_t length)
{
  if (strncmp(column, group, length) != 0) return false;
  const char* rest = column + length;
  if (*rest == 0) return true;
  if (*rest == '.') return rest[1] != 0;
  if (length > 0 && isdigit((unsigned char)group[length - 1])) return false;  // q1 is not q10
  return rest[strspn(rest, "0123456789")] == 0;
}

static lwPlotFault unknown_group(char* const* names, size_t count, const char* group, size_t length,
                                 char message[LW_PLOT_MESSAGE])
{
  lwNearest nearest = lw_nearest_part(group, length);
  int shown         = length < 80 ? (int)length : 80;
  for (size_t c = 0; c < count; ++c) lw_nearest_try(&nearest, names[c]);
  if (nearest.best)
    snprintf(message, LW_PLOT_MESSAGE, "no column '%.*s', did you mean '%.80s'?", shown, group,
             nearest.best);
  else
    snprintf(message, LW_PLOT_MESSAGE, "no column '%.*s', nor one with a number or a name after it",
             shown, group);
  return LW_PLOT_FAULT_GROUPS;
}

lwPlotFault lw_plot_groups_check(char* const* names, size_t count, const char* groups,
                                 char message[LW_PLOT_MESSAGE])
{
  while (true)
  {
    size_t length = strcspn(groups, "+,");
    bool found    = false;
    if (length == 0)
    {
      snprintf(message, LW_PLOT_MESSAGE, "an empty name, expected groups like q,tau,S");
      return LW_PLOT_FAULT_GROUPS;
    }
    for (size_t c = 0; c < count && !found; ++c)
      found = lw_plot_column_is_in(names[c], groups, length);
    if (!found) return unknown_group(names, count, groups, length, message);
    if (!groups[length]) return LW_PLOT_FAULT_NONE;
    groups += length + 1;
  }
}
