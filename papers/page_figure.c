// SPDX-License-Identifier: MIT
// Figures of a page, drawn by gnuplot.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "io/picture.h"
#include "page.h"
#include "report/plot.h"

enum
{
  WIDTH        = 900,  // pixels
  PANEL_HEIGHT = 360,
  MOST_POINTS  = 2000  // per curve: longer ones are thinned out; the CSV has all
};

// What is drawn of a row.
static double drawn_value(const Panel* panel, const Curve* curve, size_t row)
{
  double y = series_value(curve->series, row, curve->y);
  return panel->magnitude ? fabs(y) : y;
}

static void write_block(FILE* script, const Panel* of, int panel, int k)
{
  const Curve* curve   = &of->curve[k];
  const Series* series = curve->series;
  size_t stride        = series->rows / MOST_POINTS + 1;
  fprintf(script, "$d%d_%d << EOD\n", panel, k);
  for (size_t row = 0; row < series->rows; row += stride)
  {
    double x = series_value(series, row, curve->x), y = drawn_value(of, curve, row);
    if (isfinite(x) && isfinite(y)) fprintf(script, "%.9g %.9g\n", x, y);
  }
  fputs("EOD\n", script);
}

static void write_label(FILE* script, const char* which, const char* text)
{
  fprintf(script, "set %s ", which);
  lw_plot_quoted(script, text ? text : "");
  fputs(" noenhanced\n", script);
}

static const char* title_of(const Curve* curve)
{
  return curve->title ? curve->title : curve->series->column[curve->y];
}

// The number of a column like tau2, or NULL.
static const char* number_of(const char* title)
{
  const char* digits = title + strspn(title, "abcdefghijklmnopqrstuvwxyz_");
  bool column        = digits > title && *digits && !digits[strspn(digits, "0123456789")];
  return column ? digits : NULL;
}

// Whether both are about the same: "Luh et al., printed" is about "Luh et al. (newton-euler)", and
// tau2 about the joint of q2.
static bool is_about(const char* title, const char* other)
{
  static const char printed[] = ", printed";
  size_t length = strlen(title), end = sizeof printed - 1;
  if (!strcmp(title, other)) return true;
  if (number_of(title) && number_of(other)) return !strcmp(number_of(title), number_of(other));
  if (length <= end || strcmp(title + length - end, printed) != 0) return false;
  length -= end;
  return !strncmp(title, other, length) && (!other[length] || !strncmp(other + length, " (", 2));
}

// Colours of all curves: one for each title, in all panels of a figure. Curves without a title have
// those of the curves of their panel, one by one.
typedef int Colours[FIGURE_PANELS][PANEL_CURVES];

static void choose_colours(const Figure* figure, Colours colours)
{
  const char* known[FIGURE_PANELS * PANEL_CURVES];
  int count = 0;
  for (int p = 0; p < figure->count; ++p)
  {
    int untitled = 0;
    for (int k = 0; k < figure->panel[p].count; ++k)
    {
      const char* title = title_of(&figure->panel[p].curve[k]);
      int place         = 0;
      while (*title && place < count && !is_about(title, known[place])) ++place;
      if (*title && place == count) known[count++] = title;
      if (*title)
        colours[p][k] = 1 + place;
      else  // that of the first curve with a title, then of the second
        colours[p][k] = untitled < k ? colours[p][untitled++] : 1;
    }
  }
}

// The least and the largest x of a panel.
static void find_range(const Panel* panel, double* low, double* high)
{
  *low = INFINITY, *high = 0;
  for (int k = 0; k < panel->count; ++k)
  {
    const Curve* curve = &panel->curve[k];
    for (size_t row = 0; row < curve->series->rows; ++row)
    {
      double x = series_value(curve->series, row, curve->x);
      if (!isfinite(x)) continue;
      *low  = fmin(*low, x);
      *high = fmax(*high, x);
    }
  }
}

// A logarithmic axis of less than two decades has too few powers of ten as tics: 2 and 5 times them
// are added.
static void write_ticks(FILE* script, const Panel* panel)
{
  double low, high;
  find_range(panel, &low, &high);
  if (!panel->log_x || !(low > 0) || high >= 100 * low)
  {
    fputs("set xtics autofreq\n", script);
    return;
  }
  int first = (int)floor(log10(low)), last = (int)floor(log10(high));
  fputs("set xtics (", script);
  for (int e = first; e <= last; ++e)
    fprintf(script, "%s1e%d, 2e%d, 5e%d", e > first ? ", " : "", e, e, e);
  fputs(")\n", script);
}

// The least and the largest y that are drawn in a panel, as far as a logarithmic scale can show
// them.
static void widen_range(const Panel* panel, double* low, double* high)
{
  for (int k = 0; k < panel->count; ++k)
    for (size_t row = 0; row < panel->curve[k].series->rows; ++row)
    {
      double y = drawn_value(panel, &panel->curve[k], row);
      if (!isfinite(y) || (panel->log_y && !(y > 0))) continue;
      *low  = fmin(*low, y);
      *high = fmax(*high, y);
    }
}

// The range of y of all panels with the scale of this one, a little wider than the curves.
static void write_range(FILE* script, const Figure* figure, const Panel* panel)
{
  double low = INFINITY, high = -INFINITY;
  for (int p = 0; p < figure->count && panel->scale; ++p)
    if (figure->panel[p].scale == panel->scale) widen_range(&figure->panel[p], &low, &high);
  if (!(low < high))
    fputs("set autoscale y\n", script);
  else if (panel->log_y)
    fprintf(script, "set yrange [%.9g:%.9g]\n", low / 2, high * 2);
  else
    fprintf(script, "set yrange [%.9g:%.9g]\n", low - 0.05 * (high - low),
            high + 0.05 * (high - low));
}

// Equal axes leave room around the curves: an end on the frame would look cut off.
static void write_aspect(FILE* script, const Panel* panel)
{
  fputs(panel->equal ? "set size ratio -1\nset offsets graph 0.1, graph 0.1, graph 0.1, graph 0.1\n"
                     : "set size noratio\nset offsets 0, 0, 0, 0\n",
        script);
}

static void write_panel(FILE* script, const Figure* figure, int index, const int* colours)
{
  const Panel* panel = &figure->panel[index];
  write_label(script, "title", panel->title);
  write_label(script, "xlabel", panel->x_label);
  write_label(script, "ylabel", panel->y_label);
  fprintf(script, "%sset logscale x\n%sset logscale y\n", panel->log_x ? "" : "un",
          panel->log_y ? "" : "un");
  fprintf(script, "set autoscale x%s\n", panel->log_x ? "fix" : "");  // no empty decade
  write_range(script, figure, panel);
  write_aspect(script, panel);
  write_ticks(script, panel);
  for (int k = 0; k < panel->count; ++k)
  {
    const Curve* curve = &panel->curve[k];
    fprintf(script, "%s$d%d_%d using 1:2 with %s lt %d %s title ", k == 0 ? "plot " : ", ", index,
            k, curve->points ? "points" : "lines", colours[k],
            curve->points ? "pt 7 ps 0.6" : "lw 2");
    lw_plot_quoted(script, title_of(curve));
    fputs(" noenhanced", script);
  }
  fputs("\n", script);
}

int figure_draw(const Page* page, const Figure* figure)
{
  char message[LW_PLOT_MESSAGE], path[PATH_MAX];
  lwPlot plot;
  Colours colours;
  int status = page_path(page, figure->name, ".svg", path, sizeof path);
  if (status != DONE) return status;
  if (!lw_plot_begin(&plot, path, WIDTH, PANEL_HEIGHT * figure->count, message))
    return picture_failed(path, message);
  choose_colours(figure, colours);
  for (int p = 0; p < figure->count; ++p)
    for (int k = 0; k < figure->panel[p].count; ++k)
      write_block(plot.script, &figure->panel[p], p, k);
  fprintf(plot.script,
          "set multiplot layout %d,1\n"
          "set grid\n"
          "set format '%%g'\n"  // of 1e-08, not 0.00000001
          "set key outside right top Left reverse\n",
          figure->count);
  for (int p = 0; p < figure->count; ++p) write_panel(plot.script, figure, p, colours[p]);
  fputs("unset multiplot\n", plot.script);
  return lw_plot_end(&plot, "", message) ? DONE : picture_failed(path, message);
}

void page_drawing(Page* page, const char* section, const char* name, const char* caption,
                  const lwDrawing* drawing)
{
  char path[PATH_MAX];
  if (!page->folder || page->status != DONE) return;
  page->status = page_path(page, name, ".svg", path, sizeof path);
  if (page->status == DONE) page->status = picture_write(drawing, path, NULL);
  if (page->status == DONE) note_figure(page, section, name, caption);
}
