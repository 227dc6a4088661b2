// SPDX-License-Identifier: MIT
// linkwork bench --plot: how the time of every method grows with the number of joints.
#include "bench.h"
#include "report/plot.h"

enum
{
  WIDTH  = 1200,  // pixels, of the three questions side by side
  HEIGHT = 480,
  PANELS = 3
};

static const lwQuestion QUESTIONS[PANELS] = {LW_QUESTION_INVERSE, LW_QUESTION_INERTIA,
                                             LW_QUESTION_FORWARD};
static const char* const TITLES[PANELS]   = {"inverse dynamics", "inertia matrix",
                                             "forward dynamics"};

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
    fprintf(script, "%s$%s%d using 1:2 with linespoints pointtype 7 pointsize 0.4 title '%s'",
            comma, name, m, lw_method(m)->name);
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
          "set key left top Left reverse font ',9' spacing 0.9\n",
          PANELS);
  for (int k = 0; k < PANELS; ++k)
    if (bench->question < 0 || bench->question == (int)QUESTIONS[k]) write_panel(script, bench, k);
  fputs("unset multiplot\n", script);
}

int bench_plot(const Bench* bench, const char* path)
{
  char message[LW_PLOT_MESSAGE];
  lwPlot plot;
  if (!lw_plot_begin(&plot, path, WIDTH, HEIGHT, message))
    return fail(INPUT, "--plot: %s", message);
  write_script(plot.script, bench);
  return lw_plot_end(&plot, "", message) ? DONE : fail(INPUT, "--plot: %s", message);
}
