// SPDX-License-Identifier: MIT
#include "report/method_plot.h"

#include <string.h>

#include "linkwork/methods.h"

enum
{
  WIDTH  = 1200,  // pixels, of the three questions side by side
  HEIGHT = 620,
  PANELS = 3
};

static const lwQuestion QUESTIONS[PANELS] = {LW_QUESTION_INVERSE, LW_QUESTION_INERTIA,
                                             LW_QUESTION_FORWARD};
static const char* const TITLES[PANELS]   = {"inverse dynamics", "inertia matrix",
                                             "forward dynamics"};

// How many names of methods come before that of method m: its colour in all panels, and its point,
// for those whose eyes tell colours apart less well.
static int place_of_name(int m)
{
  int place = 0;
  for (int i = 0; strcmp(lw_method(i)->name, lw_method(m)->name) != 0; ++i)
  {
    bool first = true;
    for (int k = 0; k < i; ++k)
      first = first && strcmp(lw_method(k)->name, lw_method(i)->name) != 0;
    place += first;
  }
  return place;
}

static bool is_drawn_method(const lwMethodPlot* data, lwQuestion question)
{
  return data->question < 0 || data->question == (int)question;
}

static bool has_points(const lwMethodPlot* data, int method)
{
  double x, y;
  for (int i = 0; i < data->points; ++i)
    if (data->point(data->context, i, method, &x, &y)) return true;
  return false;
}

// Of each line a block of its own: $line0, $line1, ..
static void write_data(FILE* script, const lwMethodPlot* data)
{
  for (int m = 0; m < lw_method_count(); ++m)
  {
    double x, y;
    if (!has_points(data, m)) continue;
    fprintf(script, "$line%d << EOD\n", m);
    for (int i = 0; i < data->points; ++i)
      if (data->point(data->context, i, m, &x, &y)) fprintf(script, "%g %.6g\n", x, y);
    fputs("EOD\n", script);
  }
}

static void write_panel(FILE* script, const lwMethodPlot* data, int panel)
{
  const char* comma = "plot ";
  fprintf(script, "set title '%s'\n", TITLES[panel]);
  for (int m = 0; m < lw_method_count(); ++m)
  {
    if (lw_method(m)->question != QUESTIONS[panel] || !has_points(data, m)) continue;
    int place = place_of_name(m);
    fprintf(script, "%s$line%d using 1:2 with linespoints lt %d pt %d ps 0.5 lw 1.5 title '%s'",
            comma, m, 1 + place, 4 + place % 11, lw_method(m)->name);
    comma = ", ";
  }
  fputs("\n", script);
}

// Lines of the longest legend, for which there is room below all panels.
static int most_lines(const lwMethodPlot* data)
{
  int most = 0;
  for (int k = 0; k < PANELS; ++k)
  {
    int lines = 0;
    for (int m = 0; m < lw_method_count(); ++m)
      lines += lw_method(m)->question == QUESTIONS[k] && has_points(data, m);
    if (lines > most) most = lines;
  }
  return most;
}

static void write_script(FILE* script, const lwMethodPlot* data)
{
  write_data(script, data);
  fprintf(script,
          "set multiplot layout 1,%d\n"
          "set logscale xy\n"
          "set xlabel 'joints'\n"
          "set ylabel '%s'\n"
          "set format y '10^{%%T}'\n"
          "set grid\n"
          "set bmargin %d\n"
          "set key below Left reverse font ',10' maxcols 1\n",
          PANELS, data->label, 4 + most_lines(data) * 7 / 8);
  for (int k = 0; k < PANELS; ++k)
    if (is_drawn_method(data, QUESTIONS[k])) write_panel(script, data, k);
  fputs("unset multiplot\n", script);
}

bool lw_method_plot_draw(const lwMethodPlot* data, const char* path, char message[LW_PLOT_MESSAGE])
{
  lwPlot plot;
  if (!lw_plot_begin(&plot, path, WIDTH, HEIGHT, message)) return false;
  write_script(plot.script, data);
  return lw_plot_end(&plot, "", message);
}
