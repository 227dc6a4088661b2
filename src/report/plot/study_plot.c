// SPDX-License-Identifier: MIT
#include "report/plot/study_plot.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  WIDTH      = 1200,  // pixels
  ROW        = 290,
  ACROSS     = 3,   // panels
  MOST_BANDS = 12,  // that are drawn
  MOST_DRAWN = 12,  // measures
};

static int at_most(int count, int most)
{
  return count < most ? count : most;
}

static void panel_title(lwOut* script, const char* what, const char* name)
{
  char text[160];
  snprintf(text, sizeof text, "%s%.100s", what, name);
  lw_out_text(script, "set title ");
  lw_plot_quoted(script, text);
  lw_out_text(script, "\n");
}

// --- bands

static void write_band(lwOut* script, const lwStudyBand* band, int b)
{
  lw_out_format(script, "$band%d << EOD\n", b);
  for (int k = 0; k < band->steps; ++k)
  {
    if (isnan(band->line[1][k])) continue;
    lw_out_format(script, "%.9g", band->t[k]);
    for (int i = 0; i < LW_STUDY_BAND_LINES; ++i) lw_out_format(script, " %.9g", band->line[i][k]);
    lw_out_text(script, "\n");
  }
  lw_out_text(script, "EOD\n");
}

static void draw_band(lwOut* script, const lwStudyBand* band, int b)
{
  panel_title(script, "", band->name);
  lw_out_format(script,
                "set xlabel 't (s)'\nset bmargin 6\nset key below samplen 2\n"
                "plot $band%d using 1:3:%d with filledcurves lc rgb '%s' title 'all', "
                "'' using 1:%d:%d with filledcurves lc rgb '#7fb3d5' title '5 to 95 %%', "
                "'' using 1:%d with lines lc rgb '#0b3d66' lw 1.5 title 'median', "
                "'' using 1:%d with lines dt 2 lc rgb 'black' title 'nominal'\n",
                b, LW_STUDY_BAND_LINES + 1, lw_plot_pale(0), LW_STUDY_LINE_P05 + 2,
                LW_STUDY_LINE_P95 + 2, LW_STUDY_LINE_P50 + 2, LW_STUDY_LINE_NOMINAL + 2);
}

// --- measures

// Three numbers on the horizontal axis, which is narrow.
static void three_tics(lwOut* script, double low, double high)
{
  lw_out_text(script, "set xtics (");
  for (int i = 0; i < 3; ++i)
  {
    double at = low + (high - low) * i / 2;
    lw_out_format(script, "%s'%.3g' %.9g", i ? ", " : "", at, at);
  }
  lw_out_text(script, ")\n");
}

static void draw_histogram(lwOut* script, const lwStudyData* data, int m, const lwStudySummary* s)
{
  long counts[LW_STUDY_BINS];
  double width = (s->high - s->low) / LW_STUDY_BINS;
  lw_study_histogram(data, m, s->low, s->high, counts);
  lw_out_format(script, "$histogram%d << EOD\n", m);
  for (int i = 0; i < LW_STUDY_BINS; ++i)
    lw_out_format(script, "%.9g %ld\n", s->low + width * (i + 0.5), counts[i]);
  lw_out_text(script, "EOD\n");
  panel_title(script, "histogram of ", data->measures[m].name);
  three_tics(script, s->low, s->high);
  lw_out_format(script,
                "set xlabel ''\nset bmargin -1\nset nokey\nset style fill solid 0.6\nset boxwidth "
                "%.9g\nset yrange [0:*]\n"
                "plot $histogram%d using 1:2 with boxes lt 1 notitle\nset yrange [*:*]\n"
                "set xtics auto\n",
                width > 0 ? 0.95 * width : 1.0, m);
}

static void draw_tornado(lwOut* script, const lwStudyData* data, int m, const lwStudySummary* s)
{
  lwStudyBar* bars = lw_study_bars(data, m);
  int count        = at_most(data->parameter_count, LW_STUDY_BARS);
  if (!bars) script->error = ENOMEM;
  if (!bars) return;
  panel_title(script, "tornado of ", data->measures[m].name);
  if (count > 0) three_tics(script, s->mean - bars[0].size, s->mean + bars[0].size);
  lw_out_format(script, "set nokey\nset xlabel ''\nset ytics (");
  for (int i = 0; i < count; ++i)
  {
    lw_out_text(script, i ? ", " : "");
    lw_plot_quoted(script, data->parameters[bars[i].parameter].name);
    lw_out_format(script, " %d", count - i);
  }
  lw_out_format(script, ")\nset yrange [0.3:%d.7]\n$tornado%d << EOD\n", count, m);
  for (int i = 0; i < count; ++i)
    for (int side = 0; side < 2; ++side)
      lw_out_format(script, "%.9g %d %.9g %d\n", s->mean, count - i, bars[i].ends[side] - s->mean,
                    side);
  lw_out_format(
      script,
      "EOD\nplot $tornado%d using ($4 == 0 ? $1 : NaN):2:3:(0) with vectors nohead lw 10 lt 2 "
      "notitle, "
      "'' using ($4 == 1 ? $1 : NaN):2:3:(0) with vectors nohead lw 10 lt 1 notitle\n"
      "set ytics auto\nset xtics auto\nset yrange [*:*]\n",
      m);
  free(bars);
}

static void draw_convergence(lwOut* script, const lwStudyData* data, int m)
{
  lw_out_format(script, "$convergence%d << EOD\n", m);
  for (int half = 7; half >= 0; --half)
  {
    long rows = data->rows >> half;
    if (rows < 4) continue;
    lwStudySummary s = lw_study_summary_of_first(data, m, rows);
    if (s.count > 0) lw_out_format(script, "%ld %.9g %.9g %.9g\n", rows, s.mean, s.p01, s.p99);
  }
  lw_out_text(script, "EOD\n");
  panel_title(script, "convergence of ", data->measures[m].name);
  lw_out_format(script,
                "set xlabel 'samples'\nset bmargin 6\nset logscale x 2\nset key below samplen 2\n"
                "plot $convergence%d using 1:3:4 with filledcurves lc rgb '%s' title '1 to 99 %%', "
                "'' using 1:2 with linespoints lt 1 title 'mean'\nunset logscale x\n",
                m, lw_plot_pale(0));
}

static void draw_measure(lwOut* script, const lwStudyData* data, int m)
{
  lwStudySummary s = lw_study_summary(data, m);
  if (s.count == 0)
  {
    lw_out_text(script, "set multiplot next\nset multiplot next\nset multiplot next\n");
    return;
  }
  draw_histogram(script, data, m, &s);
  if (data->parameter_count > 0)
    draw_tornado(script, data, m, &s);
  else
    lw_out_text(script, "set multiplot next\n");
  draw_convergence(script, data, m);
}

bool lw_study_plot(const lwStudyData* data, const char* path, char message[LW_PLOT_MESSAGE])
{
  lwPlot plot;
  int bands    = at_most(data->band_count, MOST_BANDS),
      measures = at_most(data->measure_count, MOST_DRAWN);
  int rows     = (bands + ACROSS - 1) / ACROSS + measures;
  if (!lw_plot_begin(&plot, path, WIDTH, ROW * (rows > 0 ? rows : 1), message)) return false;
  lwOut* script = &plot.script;
  for (int b = 0; b < bands; ++b) write_band(script, &data->bands[b], b);
  lw_out_text(script, "set termoption noenhanced\n");  // names have '_'
  lw_out_format(script, "set multiplot layout %d,%d title ", rows > 0 ? rows : 1, ACROSS);
  lw_plot_quoted(script, data->name);
  lw_out_text(script, "\nset grid\nset key opaque\n");
  for (int b = 0; b < bands; ++b)
    if (data->rows > 0)
      draw_band(script, &data->bands[b], b);
    else
      lw_out_text(script, "set multiplot next\n");
  for (int b = bands; b % ACROSS != 0; ++b) lw_out_text(script, "set multiplot next\n");
  for (int m = 0; m < measures; ++m) draw_measure(script, data, m);
  lw_out_text(script, "unset multiplot\n");
  return lw_plot_end(&plot, "", message);
}
