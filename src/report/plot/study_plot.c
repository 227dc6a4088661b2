// SPDX-License-Identifier: MIT
#include "report/plot/study_plot.h"

#include <math.h>
#include <stdlib.h>

enum
{
  WIDTH        = 1200,  // pixels
  ROW          = 290,
  ACROSS       = 3,   // panels
  MOST_BANDS   = 12,  // that are drawn
  MOST_DRAWN   = 12,  // measures
  MOST_BARS    = 12,  // parameters of a tornado
  LINE_NOMINAL = 0,   // in lwStudyBand.line
  LINE_P05     = 3,
  LINE_P50     = 5,
  LINE_P95     = 7
};

static int at_most(int count, int most)
{
  return count < most ? count : most;
}

static void panel_title(FILE* script, const char* what, const char* name)
{
  char text[160];
  snprintf(text, sizeof text, "%s%.100s", what, name);
  fputs("set title ", script);
  lw_plot_quoted(script, text);
  fputs("\n", script);
}

// --- bands

static void write_band(FILE* script, const lwStudyBand* band, int b)
{
  fprintf(script, "$band%d << EOD\n", b);
  for (int k = 0; k < band->steps; ++k)
  {
    if (isnan(band->line[1][k])) continue;
    fprintf(script, "%.9g", band->t[k]);
    for (int i = 0; i < LW_STUDY_BAND_LINES; ++i) fprintf(script, " %.9g", band->line[i][k]);
    fputs("\n", script);
  }
  fputs("EOD\n", script);
}

static void draw_band(FILE* script, const lwStudyBand* band, int b)
{
  panel_title(script, "", band->name);
  fprintf(script,
          "set xlabel 't (s)'\nset bmargin 6\nset key below samplen 2\n"
          "plot $band%d using 1:3:%d with filledcurves lc rgb '%s' title 'all', "
          "'' using 1:%d:%d with filledcurves lc rgb '#7fb3d5' title '5 to 95 %%', "
          "'' using 1:%d with lines lc rgb '#0b3d66' lw 1.5 title 'median', "
          "'' using 1:%d with lines dt 2 lc rgb 'black' title 'nominal'\n",
          b, LW_STUDY_BAND_LINES + 1, lw_plot_pale(0), LINE_P05 + 2, LINE_P95 + 2, LINE_P50 + 2,
          LINE_NOMINAL + 2);
}

// --- measures

// Three numbers on the horizontal axis, which is narrow.
static void three_tics(FILE* script, double low, double high)
{
  fputs("set xtics (", script);
  for (int i = 0; i < 3; ++i)
  {
    double at = low + (high - low) * i / 2;
    fprintf(script, "%s'%.3g' %.9g", i ? ", " : "", at, at);
  }
  fputs(")\n", script);
}

static void draw_histogram(FILE* script, const lwStudyData* data, int m, const lwStudySummary* s)
{
  long counts[LW_STUDY_BINS];
  double width = (s->high - s->low) / LW_STUDY_BINS;
  lw_study_histogram(data, m, s->low, s->high, counts);
  fprintf(script, "$histogram%d << EOD\n", m);
  for (int i = 0; i < LW_STUDY_BINS; ++i)
    fprintf(script, "%.9g %ld\n", s->low + width * (i + 0.5), counts[i]);
  fputs("EOD\n", script);
  panel_title(script, "histogram of ", data->measures[m].name);
  three_tics(script, s->low, s->high);
  fprintf(script,
          "set xlabel ''\nset bmargin -1\nset nokey\nset style fill solid 0.6\nset boxwidth "
          "%.9g\nset yrange [0:*]\n"
          "plot $histogram%d using 1:2 with boxes lt 1 notitle\nset yrange [*:*]\n"
          "set xtics auto\n",
          width > 0 ? 0.95 * width : 1.0, m);
}

static void draw_tornado(FILE* script, const lwStudyData* data, int m, const lwStudySummary* s)
{
  lwStudyBar* bars = lw_study_bars(data, m);
  int count        = at_most(data->parameter_count, MOST_BARS);
  if (!bars) return;
  panel_title(script, "tornado of ", data->measures[m].name);
  if (count > 0) three_tics(script, s->mean - bars[0].size, s->mean + bars[0].size);
  fprintf(script, "set nokey\nset xlabel ''\nset ytics (");
  for (int i = 0; i < count; ++i)
  {
    fputs(i ? ", " : "", script);
    lw_plot_quoted(script, data->parameters[bars[i].parameter].name);
    fprintf(script, " %d", count - i);
  }
  fprintf(script, ")\nset yrange [0.3:%d.7]\n$tornado%d << EOD\n", count, m);
  for (int i = 0; i < count; ++i)
    for (int side = 0; side < 2; ++side)
      fprintf(script, "%.9g %d %.9g %d\n", s->mean, count - i, bars[i].ends[side] - s->mean, side);
  fprintf(script,
          "EOD\nplot $tornado%d using ($4 == 0 ? $1 : NaN):2:3:(0) with vectors nohead lw 10 lt 2 "
          "notitle, "
          "'' using ($4 == 1 ? $1 : NaN):2:3:(0) with vectors nohead lw 10 lt 1 notitle\n"
          "set ytics auto\nset xtics auto\nset yrange [*:*]\n",
          m);
  free(bars);
}

static void draw_convergence(FILE* script, const lwStudyData* data, int m)
{
  fprintf(script, "$convergence%d << EOD\n", m);
  for (int half = 7; half >= 0; --half)
  {
    long rows = data->rows >> half;
    if (rows < 4) continue;
    lwStudySummary s = lw_study_summary_of_first(data, m, rows);
    if (s.count > 0) fprintf(script, "%ld %.9g %.9g %.9g\n", rows, s.mean, s.p01, s.p99);
  }
  fputs("EOD\n", script);
  panel_title(script, "convergence of ", data->measures[m].name);
  fprintf(script,
          "set xlabel 'samples'\nset bmargin 6\nset logscale x 2\nset key below samplen 2\n"
          "plot $convergence%d using 1:3:4 with filledcurves lc rgb '%s' title '1 to 99 %%', "
          "'' using 1:2 with linespoints lt 1 title 'mean'\nunset logscale x\n",
          m, lw_plot_pale(0));
}

static void draw_measure(FILE* script, const lwStudyData* data, int m)
{
  lwStudySummary s = lw_study_summary(data, m);
  if (s.count == 0)
  {
    fputs("set multiplot next\nset multiplot next\nset multiplot next\n", script);
    return;
  }
  draw_histogram(script, data, m, &s);
  if (data->parameter_count > 0)
    draw_tornado(script, data, m, &s);
  else
    fputs("set multiplot next\n", script);
  draw_convergence(script, data, m);
}

bool lw_study_plot(const lwStudyData* data, const char* path, char message[LW_PLOT_MESSAGE])
{
  lwPlot plot;
  int bands    = at_most(data->band_count, MOST_BANDS),
      measures = at_most(data->measure_count, MOST_DRAWN);
  int rows     = (bands + ACROSS - 1) / ACROSS + measures;
  if (!lw_plot_begin(&plot, path, WIDTH, ROW * (rows > 0 ? rows : 1), message)) return false;
  FILE* script = plot.script;
  for (int b = 0; b < bands; ++b) write_band(script, &data->bands[b], b);
  fputs("set termoption noenhanced\n", script);  // names have '_'
  fprintf(script, "set multiplot layout %d,%d title ", rows > 0 ? rows : 1, ACROSS);
  lw_plot_quoted(script, data->name);
  fputs("\nset grid\nset key opaque\n", script);
  for (int b = 0; b < bands; ++b)
    if (data->rows > 0)
      draw_band(script, &data->bands[b], b);
    else
      fputs("set multiplot next\n", script);
  for (int b = bands; b % ACROSS != 0; ++b) fputs("set multiplot next\n", script);
  for (int m = 0; m < measures; ++m) draw_measure(script, data, m);
  fputs("unset multiplot\n", script);
  return lw_plot_end(&plot, "", message);
}
