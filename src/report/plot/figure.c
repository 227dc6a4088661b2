// SPDX-License-Identifier: MIT
#include "report/plot/figure.h"

#include "math/elementary.h"

#include <math.h>
#include <string.h>

enum
{
  MOST_POINTS = 2000,  // of a curve: longer ones are thinned out
  LEFT_MARGIN = 11,    // characters, for the numbers and the label of the vertical axis
  LEGEND_LINE = 9      // characters beside the words of a legend
};

// Curves hide each other if they are nearer than this, of the height of their panel.
static const double SAME = 0.015;

// --- values

static double x_value(const lwFigureCurve* curve, size_t row)
{
  return curve->x[row * curve->stride];
}

static double y_value(const lwFigurePanel* panel, const lwFigureCurve* curve, size_t row)
{
  double y = curve->y[row * curve->stride];
  return panel->magnitude ? fabs(y) : y;
}

static bool can_be_shown(const lwFigurePanel* panel, double y)
{
  return isfinite(y) && (!panel->log_y || y > 0);
}

// The least and the largest x of a panel.
static void find_x_range(const lwFigurePanel* panel, double* low, double* high)
{
  *low = INFINITY, *high = -INFINITY;
  for (int k = 0; k < panel->count; ++k)
    for (size_t row = 0; row < panel->curve[k].rows; ++row)
    {
      double x = x_value(&panel->curve[k], row);
      if (!isfinite(x)) continue;
      *low  = fmin(*low, x);
      *high = fmax(*high, x);
    }
}

// The least and the largest y that are drawn in a panel, as far as its scale can show them.
static void widen_y_range(const lwFigurePanel* panel, double* low, double* high)
{
  for (int k = 0; k < panel->count; ++k)
    for (size_t row = 0; row < panel->curve[k].rows; ++row)
    {
      double y = y_value(panel, &panel->curve[k], row);
      if (!can_be_shown(panel, y)) continue;
      *low  = fmin(*low, y);
      *high = fmax(*high, y);
    }
}

// --- curves that hide others

// Whether line k would be drawn on top of line other, all along it.
static bool hides(const lwFigurePanel* panel, double height, int k, int other)
{
  const lwFigureCurve *top = &panel->curve[k], *below = &panel->curve[other];
  int compared = 0;
  if (top->points || below->points || top->rows != below->rows) return false;
  for (size_t row = 0; row < top->rows; ++row)
  {
    double a = y_value(panel, top, row), b = y_value(panel, below, row);
    if (!can_be_shown(panel, a) || !can_be_shown(panel, b)) continue;
    if (x_value(top, row) != x_value(below, row)) return false;
    if ((fabs(panel->log_y ? lw_log(a / b) : a - b) / height) > SAME) return false;
    ++compared;
  }
  return compared > 0;
}

static bool is_dashed(const lwFigurePanel* panel, int k)
{
  double low = INFINITY, high = -INFINITY;
  if (panel->curve[k].dashed) return true;
  widen_y_range(panel, &low, &high);
  double height = panel->log_y ? lw_log(high / low) : high - low;
  for (int other = 0; other < k && height > 0; ++other)
    if (hides(panel, height, k, other)) return true;
  return false;
}

// --- the script

static void write_figure_text(lwOut* script, const char* which, const char* text)
{
  lw_out_format(script, "set %s ", which);
  lw_plot_quoted(script, text ? text : "");
  lw_out_text(script, " noenhanced\n");
}

// A logarithmic axis of less than two decades has too few powers of ten as tics:
// 2 and 5 times them are added.
static void write_x_axis(lwOut* script, const lwFigurePanel* panel)
{
  double low, high;
  find_x_range(panel, &low, &high);
  lw_out_text(script, panel->equal ? "set autoscale x\n" : "set autoscale xfix\n");
  lw_out_text(script, "set xtics autofreq\n");
  if (!panel->log_x || !(low > 0) || high >= 100 * low) return;
  int first = (int)floor(lw_log10(low)), last = (int)floor(lw_log10(high));
  lw_out_text(script, "set xtics (");
  for (int e = first; e <= last; ++e)
    lw_out_format(script, "%s1e%d, 2e%d, 5e%d", e > first ? ", " : "", e, e, e);
  lw_out_text(script, ")\n");
}

// Room above and below the curves, so that none lies on the frame;
// none below zero for what cannot be negative.
static void write_y_margin(lwOut* script, const lwFigurePanel* panel)
{
  double low = INFINITY, high = -INFINITY;
  widen_y_range(panel, &low, &high);
  if (panel->equal)
    lw_out_text(script, "set offsets graph 0.1, graph 0.1, graph 0.1, graph 0.1\n");
  else
    lw_out_format(script, "set offsets 0, 0, %s, %s\n",
                  !panel->log_y && high > 0 ? "graph 0.03" : "0",
                  !panel->log_y && low < 0 ? "graph 0.03" : "0");
}

// All panels with the scale of this one have the same range.
static void write_y_axis(lwOut* script, const lwFigure* figure, const lwFigurePanel* panel)
{
  double low = INFINITY, high = -INFINITY;
  for (int p = 0; p < figure->count && panel->scale; ++p)
    if (figure->panel[p].scale == panel->scale) widen_y_range(&figure->panel[p], &low, &high);
  if (!(low < high))
    lw_out_text(script, "set autoscale y\n");
  else if (panel->log_y)
    lw_out_format(script, "set yrange [%.9g:%.9g]\n", low / 2, high * 2);
  else
    lw_out_format(script, "set yrange [%.9g:%.9g]\n", low - 0.05 * (high - low),
                  high + 0.05 * (high - low));
  write_y_margin(script, panel);
}

static void write_curves(lwOut* script, const lwFigurePanel* panel, int index)
{
  for (int k = 0; k < panel->count; ++k)
  {
    const lwFigureCurve* curve = &panel->curve[k];
    lw_out_format(script, "%s$d%d_%d using 1:2 with ", k == 0 ? "plot " : ", ", index, k);
    if (curve->points)
      lw_out_format(script, "points lt %d pt 7 ps 0.6", curve->colour);
    else if (curve->marks > 0)
      lw_out_format(script, "linespoints lt %d pt %d ps 0.5 lw 1.5", curve->colour, curve->marks);
    else
      lw_out_format(script, "lines lt %d lw 2", curve->colour);
    lw_out_text(script, is_dashed(panel, k) ? " dt 2 title " : " title ");
    lw_plot_quoted(script, curve->title);
    lw_out_text(script, " noenhanced");
  }
  lw_out_text(script, "\n");
}

// Margins are the same in all panels, so that their axes stand below each other:
// there is room for the longest legend.
static void write_layout(lwOut* script, const lwFigure* figure)
{
  int longest = 0, most = 0;
  for (int p = 0; p < figure->count; ++p)
  {
    int lines = 0;
    for (int k = 0; k < figure->panel[p].count; ++k)
    {
      int length = (int)strlen(figure->panel[p].curve[k].title);
      lines += length > 0;
      if (length > longest) longest = length;
    }
    if (lines > most) most = lines;
  }
  lw_out_text(script, "set grid\n");
  if (figure->beside)
    lw_out_format(script,
                  "set multiplot layout 1,%d\nset format x '%%g'\nset format y '10^{%%T}'\n"
                  "set bmargin %d\nset key below Left reverse font ',10' maxcols 1\n",
                  figure->count, 4 + most);
  else
    lw_out_format(script,
                  "set multiplot layout %d,1\nset format '%%g'\n"  // 1e-08 instead of 0.00000001
                  "set lmargin %d\nset rmargin %d\nset key outside right top Left reverse\n",
                  figure->count, LEFT_MARGIN, longest + LEGEND_LINE);
}

bool lw_figure_draw(const lwFigure* figure, const char* path, char message[LW_PLOT_MESSAGE])
{
  lwPlot plot;
  if (!lw_plot_begin(&plot, path, figure->width, figure->height, message)) return false;
  for (int p = 0; p < figure->count; ++p)
    for (int k = 0; k < figure->panel[p].count; ++k)
    {
      const lwFigureCurve* curve = &figure->panel[p].curve[k];
      size_t step                = curve->rows / MOST_POINTS + 1;
      lw_out_format(&plot.script, "$d%d_%d << EOD\n", p, k);
      for (size_t row = 0; row < curve->rows; row += step)
      {
        double x = x_value(curve, row), y = y_value(&figure->panel[p], curve, row);
        if (isfinite(x) && isfinite(y)) lw_out_format(&plot.script, "%.9g %.9g\n", x, y);
      }
      lw_out_text(&plot.script, "EOD\n");
    }
  write_layout(&plot.script, figure);
  for (int p = 0; p < figure->count; ++p)
  {
    const lwFigurePanel* panel = &figure->panel[p];
    write_figure_text(&plot.script, "title", panel->title);
    write_figure_text(&plot.script, "xlabel", panel->x_label);
    write_figure_text(&plot.script, "ylabel", panel->y_label);
    lw_out_format(&plot.script, "%sset logscale x\n%sset logscale y\n", panel->log_x ? "" : "un",
                  panel->log_y ? "" : "un");
    lw_out_text(&plot.script, panel->equal ? "set size ratio -1\n" : "set size noratio\n");
    write_x_axis(&plot.script, panel);
    write_y_axis(&plot.script, figure, panel);
    write_curves(&plot.script, panel, p);
  }
  lw_out_text(&plot.script, "unset multiplot\n");
  return lw_plot_end(&plot, "", message);
}
