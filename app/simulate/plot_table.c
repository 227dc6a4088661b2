// SPDX-License-Identifier: MIT
#include "plot_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/output.h"
#include "io/text.h"
#include "report/plot.h"

enum
{
  WIDTH        = 900,  // pixels
  PANEL_HEIGHT = 320,
  MAX_PANELS   = 16,
  MAX_CURVES   = 256  // in all panels
};

// What columns are about, by the name of their group.
static const struct
{
  const char* group;
  const char* label;
} QUANTITIES[] = {{"t", "t (s)"},
                  {"q", "position q (rad or m)"},
                  {"qd", "velocity qd (rad/s or m/s)"},
                  {"qdd", "acceleration qdd (rad/s^2 or m/s^2)"},
                  {"tau", "torque tau (N m or N)"},
                  {"v", "voltage v (V)"},
                  {"i", "current i (A)"},
                  {"kinetic", "kinetic energy (J)"},
                  {"potential", "potential energy (J)"},
                  {"work", "work (J)"},
                  {"S", "energy error S (J)"},
                  {"theta", "direction theta (rad)"},
                  {"T", "torque T (N m)"},
                  {"u", "speeds u (m/s, rad/s)"},
                  {"power", "power (W)"},
                  {"x", "x (m)"},
                  {"y", "y (m)"}};

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

// The columns of all panels, one panel after the other.
typedef struct Panels
{
  int count;
  int first[MAX_PANELS + 1];             // where the curves of a panel begin
  char label[MAX_PANELS][NEAREST_SIZE];  // of the axis
  size_t curves[MAX_CURVES];             // columns
} Panels;

static const char* quantity(const char* group, size_t length)
{
  for (size_t i = 0; i < sizeof QUANTITIES / sizeof QUANTITIES[0]; ++i)
    if (strlen(QUANTITIES[i].group) == length && !strncmp(QUANTITIES[i].group, group, length))
      return QUANTITIES[i].label;
  return NULL;
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

// The columns of one group behind those there are; how many.
static int add_curves(const PlotTable* table, Panels* panels, const char* group, size_t length)
{
  int* end = &panels->first[panels->count + 1];
  int had  = *end;
  for (size_t c = 0; c < table->columns && *end < MAX_CURVES; ++c)
    if (plot_column_is_in(table->names[c], group, length)) panels->curves[(*end)++] = c;
  return *end - had;
}

// "kinetic+potential": one panel.
static int add_panel(const PlotTable* table, Panels* panels, const char* text, size_t length,
                     bool optional)
{
  const char* end = text + length;
  if (panels->count == MAX_PANELS) return fail(USAGE, "--y: more than %d panels", MAX_PANELS);
  panels->first[panels->count + 1] = panels->first[panels->count];
  snprintf(panels->label[panels->count], NEAREST_SIZE, "%.*s", (int)length, text);
  const char* known = quantity(text, length);
  if (known) snprintf(panels->label[panels->count], NEAREST_SIZE, "%s", known);
  while (text <= end)
  {
    size_t part = strcspn(text, "+,");
    if (part == 0) return fail(USAGE, "--y: an empty name, expected groups like q,tau,S");
    if (add_curves(table, panels, text, part) == 0 && !optional)
      return plot_unknown_group(table->names, table->columns, text, part);
    text += part + 1;
  }
  if (panels->first[panels->count + 1] > panels->first[panels->count]) ++panels->count;
  return DONE;
}

static int find_panels(const PlotTable* table, const char* groups, bool optional, Panels* panels)
{
  int status = DONE;
  while (status == DONE)
  {
    size_t length = strcspn(groups, ",");
    status        = add_panel(table, panels, groups, length, optional);
    if (!groups[length]) break;
    groups += length + 1;
  }
  if (status == DONE && panels->count == 0) status = fail(USAGE, "--y: nothing to draw");
  return status;
}

static int find_x(const PlotTable* table, const char* x, size_t* column)
{
  for (*column = 0; *column < table->columns; ++*column)
    if (!strcmp(table->names[*column], x)) return DONE;
  return fail(USAGE, "--x: no column '%s'", x);
}

// --- drawing

static void put_data(FILE* script, const PlotTable* table, const Panels* panels, size_t x)
{
  fputs("$data << EOD\n", script);
  for (size_t i = 0; i < table->rows; ++i)
  {
    const double* row = table->values + i * table->columns;
    fprintf(script, "%.12g", row[x]);
    for (int c = 0; c < panels->first[panels->count]; ++c)
      fprintf(script, " %.12g", row[panels->curves[c]]);
    fputc('\n', script);
  }
  fputs("EOD\n", script);
}

// A range of its own where all curves are one constant, of which gnuplot would complain.
static void put_range(FILE* script, const PlotTable* table, const Panels* panels, int p)
{
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < table->rows; ++i)
    for (int c = panels->first[p]; c < panels->first[p + 1]; ++c)
    {
      double value = table->values[i * table->columns + panels->curves[c]];
      low          = fmin(low, value);
      high         = fmax(high, value);
    }
  if (low < high)
    fputs("set yrange [*:*]\n", script);
  else
    fprintf(script, "set yrange [%.12g:%.12g]\n", low - 1 - fabs(low) / 2, low + 1 + fabs(low) / 2);
}

static void put_panel(FILE* script, const PlotTable* table, const Panels* panels, int p)
{
  put_range(script, table, panels, p);
  fputs("set ylabel ", script);
  lw_plot_quoted(script, panels->label[p]);
  fputs(" noenhanced\nplot ", script);
  for (int c = panels->first[p]; c < panels->first[p + 1]; ++c)
  {
    size_t column     = panels->curves[c];
    const char* label = table->labels[column] ? table->labels[column] : table->names[column];
    fprintf(script, "%s$data using 1:%d with lines lw 1.5 title ", c > panels->first[p] ? ", " : "",
            c + 2);
    lw_plot_quoted(script, label);
    fputs(" noenhanced", script);
  }
  fputc('\n', script);
}

static void put_all(FILE* script, const PlotTable* table, const Panels* panels, size_t x)
{
  const char* known = quantity(table->names[x], strlen(table->names[x]));
  put_data(script, table, panels, x);
  fprintf(script, "set multiplot layout %d,1 title ", panels->count);
  lw_plot_quoted(script, table->title ? table->title : "");
  fputs(" noenhanced\nset grid\nset key outside right top\nset "
        "lmargin 14\nset rmargin 20\n"
        "set xlabel ",
        script);
  lw_plot_quoted(script, known ? known : table->names[x]);
  fputs(" noenhanced\n", script);
  for (int p = 0; p < panels->count; ++p) put_panel(script, table, panels, p);
  fputs("unset multiplot\n", script);
}

int plot_table_draw(const PlotTable* table, const char* path, const char* x, const char* groups,
                    bool optional)
{
  lwPlot drawing;
  Panels panels = {0};
  size_t over   = 0;
  char message[LW_PLOT_MESSAGE];
  int status = find_x(table, x, &over);
  if (status == DONE) status = find_panels(table, groups, optional, &panels);
  if (status != DONE) return status;
  if (table->rows < 2) return fail(INPUT, "cannot draw %s: fewer than two rows", path);
  if (!lw_plot_begin(&drawing, path, WIDTH, 60 + PANEL_HEIGHT * panels.count, message))
    return fail(INPUT, "cannot draw %s", message);
  put_all(drawing.script, table, &panels, over);
  if (lw_plot_end(&drawing, table->partial ? PARTIAL : "", message)) return DONE;
  return fail(INPUT, "cannot draw %s: %s", path, message);
}
