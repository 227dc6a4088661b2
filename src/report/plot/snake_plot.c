// SPDX-License-Identifier: MIT
#include "report/plot/snake_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  WIDTH  = 900,  // pixels
  HEIGHT = 1000,
  POINT  = 4  // numbers of a point
};

lwStatus lw_snake_plot_create(lwSnakePlot* plot, const lwSnake* snake, double duration)
{
  *plot       = (lwSnakePlot){.snake = snake, .duration = duration};
  plot->theta = malloc(LW_SNAKE_POSTURES * (size_t)lw_snake_count(snake) * sizeof(double));
  return plot->theta ? LW_OK : LW_ERROR_MEMORY;
}

void lw_snake_plot_destroy(lwSnakePlot* plot)
{
  free(plot->points);
  free(plot->theta);
}

static bool reserve_point(lwSnakePlot* plot)
{
  if (plot->count < plot->capacity) return true;
  size_t wanted  = plot->capacity ? 2 * plot->capacity : 1024;
  double* larger = realloc(plot->points, wanted * POINT * sizeof *larger);
  if (!larger) return false;
  plot->points   = larger;
  plot->capacity = wanted;
  return true;
}

void lw_snake_plot_add(lwSnakePlot* plot, const lwSnakeSample* sample, double S)
{
  if (!plot->theta || !reserve_point(plot)) return;
  double* point = plot->points + POINT * plot->count;
  point[0]      = sample->t;
  point[1]      = sample->x;
  point[2]      = sample->y;
  point[3]      = S;
  double next   = plot->duration * plot->postures / (LW_SNAKE_POSTURES - 1);
  if (plot->postures < LW_SNAKE_POSTURES && sample->t >= next * (1 - 1e-9))
  {
    size_t n = (size_t)lw_snake_count(plot->snake);
    memcpy(plot->theta + (size_t)plot->postures * n, sample->theta, n * sizeof(double));
    plot->at[plot->postures++] = plot->count;
  }
  ++plot->count;
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
static bool put_postures(lwOut* script, const lwSnakePlot* plot)
{
  Box box        = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  size_t n       = (size_t)lw_snake_count(plot->snake);
  double* points = malloc(2 * (n + 1) * sizeof *points);
  if (!points) return false;
  for (int i = 0; i < plot->postures; ++i)
  {
    const double* at = plot->points + POINT * plot->at[i];
    lw_snake_points(plot->snake, plot->theta + (size_t)i * n, at[1], at[2], points);
    lw_out_format(script, "$snake%d << EOD\n", i);
    for (size_t k = 0; k <= n; ++k)
    {
      box_take(&box, points + 2 * k);
      lw_out_format(script, "%.9g %.9g\n", points[2 * k], points[2 * k + 1]);
    }
    lw_out_text(script, "EOD\n");
  }
  free(points);
  for (size_t i = 0; i < plot->count; ++i) box_take(&box, plot->points + POINT * i + 1);
  put_ranges(script, &box);
  return true;
}

static void put_curves(lwOut* script, const lwSnakePlot* plot)
{
  int n              = lw_snake_count(plot->snake);  // the front end is point n
  const char* joints = n > 100 ? "lines" : "linespoints pt 7 ps 0.4";
  // Whether S, which is constant up to integration error, changes by more than its own rounding.
  double most = 0, first = plot->points[3];
  for (size_t i = 1; i < plot->count; ++i)
    most = fmax(most, fabs(plot->points[POINT * i + 3] - first));
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
                  plot->points[POINT * plot->at[i]]);
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
    lw_out_format(script, "plot $path using 1:($4 - %.17g) with lines lw 1.5\n", plot->points[3]);
  }
  lw_out_text(script, "unset multiplot\n");
}

bool lw_snake_plot_draw(const lwSnakePlot* plot, const char* path, const char* ending,
                        char message[LW_PLOT_MESSAGE])
{
  lwPlot drawing;
  if (plot->count < 2) return true;
  if (!lw_plot_begin(&drawing, path, WIDTH, HEIGHT, message)) return false;
  lw_out_text(
      &drawing.script,
      "set cbrange [0:1]\nunset colorbox\nset palette defined (0 '#1f4e9e', 1 '#d1495b')\n");
  lw_out_text(&drawing.script, "$path << EOD\n");
  for (size_t i = 0; i < plot->count; ++i)
  {
    const double* point = plot->points + POINT * i;
    lw_out_format(&drawing.script, "%.9g %.9g %.9g %.17g\n", point[0], point[1], point[2],
                  point[3]);
  }
  lw_out_text(&drawing.script, "EOD\n");
  if (put_postures(&drawing.script, plot)) put_curves(&drawing.script, plot);
  return lw_plot_end(&drawing, ending, message);
}
