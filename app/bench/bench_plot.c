// SPDX-License-Identifier: MIT
// linkwork bench --plot: how the time of every method grows with the number of joints.
#include <string.h>

#include "bench.h"
#include "io/picture.h"

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

// One colour for each name of a method in all panels, and a point, for those whose eyes tell colours apart less well.
static const char* const COLOURS[] = {"#0072b2", "#56b4e9", "#d55e00", "#e69f00", "#cc79a7",
                                      "#8c564b", "#009e73", "#000000", "#7a7a7a", "#332288",
                                      "#999933", "#882255", "#44aa99", "#b22222", "#6a5acd",
                                      "#c0b000", "#2f4f4f", "#ff69b4"};

enum
{
  COLOUR_COUNT = sizeof COLOURS / sizeof *COLOURS
};

// How many names of methods come before that of method m.
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

// One state per call, in the first precision that was measured.
static bool is_drawn(const Bench* bench, const Trial* trial, lwQuestion question, int method)
{
  lwPrecision precision =
      bench->precisions[LW_PRECISION_DOUBLE] ? LW_PRECISION_DOUBLE : LW_PRECISION_SINGLE;
  return trial_question(trial) == question && trial->method == method &&
         trial->precision == precision && trial->mode == TRIAL_SINGLE;
}

static int count_points(const Bench* bench, lwQuestion question, int method)
{
  int points = 0;
  for (int i = 0; i < bench->count; ++i)
    points += is_drawn(bench, &bench->trials[i], question, method);
  return points;
}

// Data of all lines of a panel, each as a block of its own: $inverse0, $inverse1, ..
static void write_data(FILE* script, const Bench* bench, lwQuestion question)
{
  const char* name = lw_question_info(question)->name;
  for (int m = 0; m < lw_method_count(); ++m)
  {
    if (count_points(bench, question, m) == 0) continue;
    fprintf(script, "$%s%d << EOD\n", name, m);
    for (int i = 0; i < bench->count; ++i)
      if (is_drawn(bench, &bench->trials[i], question, m))
        fprintf(script, "%d %.6g\n", trial_joints(&bench->trials[i]), bench->trials[i].best);
    fputs("EOD\n", script);
  }
}

static void write_panel(FILE* script, const Bench* bench, int panel)
{
  lwQuestion question = QUESTIONS[panel];
  const char* name    = lw_question_info(question)->name;
  const char* comma   = "plot ";
  fprintf(script, "set title '%s'\n", TITLES[panel]);
  for (int m = 0; m < lw_method_count(); ++m)
  {
    if (count_points(bench, question, m) == 0) continue;
    int place = place_of_name(m);
    fprintf(script, "%s$%s%d using 1:2 with linespoints pt %d ps 0.5 lw 1.5 lc rgb '%s' title '%s'",
            comma, name, m, 4 + place % 11, COLOURS[place % COLOUR_COUNT], lw_method(m)->name);
    comma = ", ";
  }
  fputs("\n", script);
}

static void write_script(FILE* script, const Bench* bench)
{
  for (int k = 0; k < PANELS; ++k) write_data(script, bench, QUESTIONS[k]);
  fprintf(script,
          "set multiplot layout 1,%d\n"
          "set logscale xy\n"
          "set xlabel 'joints'\n"
          "set ylabel 'ns per state, one core'\n"
          "set format y '10^{%%T}'\n"
          "set grid\n"
          "set key below Left reverse font ',10' maxcols 2\n",
          PANELS);
  for (int k = 0; k < PANELS; ++k)
    if (bench->question < 0 || bench->question == (int)QUESTIONS[k]) write_panel(script, bench, k);
  fputs("unset multiplot\n", script);
}

int bench_plot(const Bench* bench, const char* path)
{
  char message[LW_PLOT_MESSAGE];
  lwPlot plot;
  if (!lw_plot_begin(&plot, path, WIDTH, HEIGHT, message)) return picture_failed(path, message);
  write_script(plot.script, bench);
  return lw_plot_end(&plot, "", message) ? DONE : picture_failed(path, message);
}
