// SPDX-License-Identifier: MIT
// Figures: checks the script sent to gnuplot. A fake gnuplot writes it to a file instead of
// drawing.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "report/plot/figure.h"
#include "testing.h"

enum
{
  ROWS = 5
};

static char folder[] = "/tmp/linkwork-figure-XXXXXX";

static void in_folder(const char* name, char path[128])
{
  snprintf(path, 128, "%s/%s", folder, name);
}

static int make_program(void** state)
{
  (void)state;
  char path[128];
  if (!mkdtemp(folder)) return 1;
  in_folder("gnuplot", path);
  FILE* file = fopen(path, "w");
  if (!file) return 1;
  fprintf(file, "#!/bin/sh\n/bin/cat >%s/script\necho '</svg>'\n", folder);
  fclose(file);
  chmod(path, 0700);
  return setenv("PATH", folder, 1);
}

static int remove_program(void** state)
{
  static const char* const names[] = {"gnuplot", "script", "a.svg"};
  (void)state;
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
  {
    char path[128];
    in_folder(names[i], path);
    unlink(path);
  }
  return rmdir(folder);
}

// The script of a figure with these panels.
static void draw(const lwFigurePanel* panels, int count, char script[8192])
{
  char message[LW_PLOT_MESSAGE], path[128];
  lwFigure figure = {.width = 900, .height = 360 * count, .count = count, .panel = panels};
  in_folder("a.svg", path);
  assert_true(lw_figure_draw(&figure, path, message));
  in_folder("script", path);
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  size_t length = fread(script, 1, 8191, file);
  fclose(file);
  script[length] = 0;
}

static lwFigureCurve curve(const char* title, const double* x, const double* y, int colour)
{
  return (lwFigureCurve){
      .title = title, .x = x, .y = y, .rows = ROWS, .stride = 1, .colour = colour};
}

static void assert_says(const char* script, const char* line)
{
  if (!strstr(script, line))
    fail_msg("'%s' is not in the script, which ends with:\n%s", line,
             script + (strlen(script) > 600 ? strlen(script) - 600 : 0));
}

// A curve on top of another is dashed, so that both are visible; separate curves and points are
// not.
static void hidden_curves_are_seen(void** state)
{
  (void)state;
  static const double x[ROWS] = {0, 1, 2, 3, 4}, a[ROWS] = {0, 1, 4, 9, 16};
  static const double b[ROWS] = {0.1, 1, 4.1, 9, 16}, c[ROWS] = {1, 2, 3, 9, 16};
  char script[8192];
  lwFigureCurve curves[] = {curve("first", x, a, 1), curve("second", x, b, 2),
                            curve("third", x, c, 3), curve("fourth", x, a, 4)};
  curves[3].points       = true;
  lwFigurePanel panel    = {.x_label = "t (s)", .y_label = "q (rad)", .count = 4, .curve = curves};
  draw(&panel, 1, script);
  assert_says(script, "$d0_0 using 1:2 with lines lt 1 lw 2 title 'first'");
  assert_says(script, "$d0_1 using 1:2 with lines lt 2 lw 2 dt 2 title 'second'");
  assert_says(script, "$d0_2 using 1:2 with lines lt 3 lw 2 title 'third'");
  assert_says(script, "$d0_3 using 1:2 with points lt 4 pt 7 ps 0.6 title 'fourth'");
}

// Panels have the same margins, wide enough for the longest legend; curves with both signs have
// space on both sides.
static void panels_stand_below_each_other(void** state)
{
  (void)state;
  static const double x[ROWS] = {1, 2, 5, 10, 20}, y[ROWS] = {-1, 1e-3, 1, 2, -3};
  static const double z[ROWS] = {0, 1, 2, 3, 4};
  char script[8192];
  lwFigureCurve first = curve("a name of some length", x, y, 1), second = curve("b", x, z, 2);
  lwFigurePanel panels[] = {
      {.y_label = "y", .log_x = true, .count = 1, .curve = &first},
      {.y_label = "|y|", .log_y = true, .magnitude = true, .count = 1, .curve = &first},
      {.y_label = "z", .count = 1, .curve = &second}};
  draw(panels, 3, script);
  assert_says(script, "set multiplot layout 3,1\n");
  assert_says(script, "set rmargin 30\n");
  assert_says(script, "set xtics (1e0, 2e0, 5e0, 1e1, 2e1, 5e1)\n");
  assert_says(script, "set offsets 0, 0, graph 0.03, graph 0.03\n");
  assert_says(script, "$d1_0 << EOD\n1 1\n2 0.001\n");
  assert_says(script, "set offsets 0, 0, 0, 0\n");
  assert_says(script, "set offsets 0, 0, graph 0.03, 0\n");
}

static void a_missing_gnuplot_is_said(void** state)
{
  (void)state;
  static const double x[ROWS] = {0};
  char message[LW_PLOT_MESSAGE], path[128];
  lwFigureCurve only  = curve("a", x, x, 1);
  lwFigurePanel panel = {.count = 1, .curve = &only};
  lwFigure figure     = {.width = 9, .height = 9, .count = 1, .panel = &panel};
  in_folder("gnuplot", path);
  unlink(path);
  in_folder("a.svg", path);
  assert_false(lw_figure_draw(&figure, path, message));
  assert_string_equal(message, "gnuplot: is not installed");
}

int main(void)
{
  signal(SIGPIPE, SIG_IGN);
  const struct CMUnitTest tests[] = {cmocka_unit_test(hidden_curves_are_seen),
                                     cmocka_unit_test(panels_stand_below_each_other),
                                     cmocka_unit_test(a_missing_gnuplot_is_said)};
  return cmocka_run_group_tests(tests, make_program, remove_program);
}
