// SPDX-License-Identifier: MIT
#include "report/plot/snake_plot.h"

#include <math.h>
#include <stdlib.h>

enum
{
  WIDTH    = 900,  // pixels
  HEIGHT   = 1000,
  POSTURES = 6  // instants at which the snake is drawn
};

typedef struct SnakePlot
{
  const lwSnake* snake;
  const lwPlotTable* table;
  int n;
  int postures;
  size_t at[POSTURES];  // rows
} SnakePlot;

static const double* plot_row(const SnakePlot* plot, size_t i)
{
  return plot->table->values + i * plot->table->columns;
}

// x and y of the middle of link 1; and S.
static const double* place_of(const SnakePlot* plot, size_t i)
{
  return plot_row(plot, i) + 3 + plot->n;
}

static double energy_of(const SnakePlot* plot, size_t i)
{
  return place_of(plot, i)[4];
}

// The first rows at or after equal parts of the duration.
static void choose_postures(SnakePlot* plot, double duration)
{
  for (size_t i = 0; i < plot->table->rows && plot->postures < POSTURES; ++i)
  {
    double next = duration * plot->postures / (POSTURES - 1);
    if (plot_row(plot, i)[0] >= next * (1 - 1e-9)) plot->at[plot->postures++] = i;
  }
}

// The box around everything that is drawn in the plane.
typedef struct Box
{
  double low[2], high[2];  // m
} Box;

static void box_take(Box* box, const double point[2])
{
  for (int i = 0; i < 2; ++i)
  {
    box->low[i]  = fmin(box->low[i], point[i]);
    box->high[i] = fmax(box->high[i], point[i]);
  }
}

// Neither side much shorter than the other, and a margin.
static void put_ranges(lwOut* script, const Box* box)
{
  double size[2], most;
  for (int i = 0; i < 2; ++i) size[i] = box->high[i] - box->low[i];
  most = fmax(size[0], size[1]);
  for (int i = 0; i < 2; ++i)
  {
    double middle = (box->low[i] + box->high[i]) / 2, half = fmax(size[i], 0.45 * most) * 0.55;
    lw_out_format(script, "set %crange [%.9g:%.9g]\n", "xy"[i], middle - half, middle + half);
  }
}

// Every posture is a block of points of its own.
static bool put_postures(lwOut* script, const SnakePlot* plot)
{
  Box box        = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  size_t n       = (size_t)plot->n;
  double* points = malloc(2 * (n + 1) * sizeof *points);
  if (!points) return false;
  for (int i = 0; i < plot->postures; ++i)
  {
    const double* at = place_of(plot, plot->at[i]);
    lw_snake_points(plot->snake, plot_row(plot, plot->at[i]) + 1, at[0], at[1], points);
    lw_out_format(script, "$snake%d << EOD\n", i);
    for (size_t k = 0; k <= n; ++k)
    {
      box_take(&box, points + 2 * k);
      lw_out_format(script, "%.9g %.9g\n", points[2 * k], points[2 * k + 1]);
    }
    lw_out_text(script, "EOD\n");
  }
  free(points);
  for (size_t i = 0; i < plot->table->rows; ++i) box_take(&box, place_of(plot, i));
  put_ranges(script, &box);
  return true;
}

static void put_curves(lwOut* script, const SnakePlot* plot)
{
  int n              = plot->n;  // the front end is point n
  const char* joints = n > 100 ? "lines" : "linespoints pt 7 ps 0.4";
  // Whether S, which is constant up to integration error, changes by more than its own rounding.
  double most = 0, first = energy_of(plot, 0);
  for (size_t i = 1; i < plot->table->rows; ++i)
    most = fmax(most, fabs(energy_of(plot, i) - first));
  bool energy = most > 1e-12 * fabs(first);
  lw_out_format(script, "set multiplot layout %d,1 title ", energy ? 2 : 1);
  lw_plot_quoted(script, lw_snake_name(plot->snake));
  lw_out_text(
      script,
      " noenhanced\n"
      "set grid\nset key below\n"
      "set xlabel 'x (m)'\nset ylabel 'y (m)'\nset size ratio -1\n"
      "plot $path using 2:3 with lines dashtype 2 lc rgb 'gray40' title 'middle of link 1'");
  for (int i = 0; i < plot->postures; ++i)
    lw_out_format(script, ", $snake%d using 1:2 with %s lw 2 lc palette cb %g title 't = %.4g s'",
                  i, joints, plot->postures > 1 ? i / (plot->postures - 1.0) : 0,
                  plot_row(plot, plot->at[i])[0]);
  for (int i = 0; i < plot->postures; ++i)
    lw_out_format(script,
                  ", $snake%d using 1:2 every ::%d::%d with points pt 7 ps 0.9 lc rgb 'black' %s",
                  i, n, n, i == 0 ? "title 'head'" : "notitle");
  lw_out_text(script, "\n");
  if (energy)
  {
    lw_out_text(
        script,
        "set size noratio\nset autoscale\nset xlabel 't (s)'\nset ylabel 'energy function S - S(0) "
        "(J)'\nunset key\n");
    lw_out_format(script, "plot $path using 1:($4 - %.17g) with lines lw 1.5\n", first);
  }
  lw_out_text(script, "unset multiplot\n");
}

bool lw_snake_plot_draw(const lwSnake* snake, const lwPlotTable* table, double duration,
                        const char* path, char message[LW_PLOT_MESSAGE])
{
  SnakePlot plot = {.snake = snake, .table = table, .n = lw_snake_count(snake)};
  lwPlot drawing;
  if (table->rows < 2) return true;
  if (!lw_plot_begin(&drawing, path, WIDTH, HEIGHT, message)) return false;
  choose_postures(&plot, duration);
  lw_out_text(
      &drawing.script,
      "set cbrange [0:1]\nunset colorbox\nset palette defined (0 '#1f4e9e', 1 '#d1495b')\n");
  lw_out_text(&drawing.script, "$path << EOD\n");
  for (size_t i = 0; i < table->rows; ++i)
    lw_out_format(&drawing.script, "%.9g %.9g %.9g %.17g\n", plot_row(&plot, i)[0],
                  place_of(&plot, i)[0], place_of(&plot, i)[1], energy_of(&plot, i));
  lw_out_text(&drawing.script, "EOD\n");
  if (put_postures(&drawing.script, &plot)) put_curves(&drawing.script, &plot);
  return lw_plot_end(&drawing, table->ending, message);
}
