// SPDX-License-Identifier: MIT
// Figures of the papers and of benchmarks: panels with curves, legends outside, the same colour for
// the same thing in all panels. report/plot/plot_table.h draws tables of a run over time.
#ifndef LW_REPORT_PLOT_FIGURE_H
#define LW_REPORT_PLOT_FIGURE_H

#include <stddef.h>

#include "report/plot/plot.h"

typedef struct lwFigureCurve
{
  const char* title;    // for the legend; "": not in it
  const double *x, *y;  // rows of them, stride apart; points that are not finite are left out
  size_t rows, stride;
  int colour;   // 1, 2, ..
  bool points;  // drawn as points instead of a line
  int marks;    // type of the points that are drawn on the line, 0: none
  bool dashed;  // anyway; a line that would hide another is dashed by itself
} lwFigureCurve;

typedef struct lwFigurePanel
{
  const char* title;    // or NULL
  const char* x_label;  // with its unit: "t (s)"
  const char* y_label;
  bool log_x, log_y;
  bool magnitude;  // |y| is drawn, for values of both signs on a logarithmic scale
  bool equal;      // a metre is as long upwards as sideways
  int scale;       // panels of a figure with the same number, not 0, have the same range of y
  int count;
  const lwFigureCurve* curve;  // (count)
} lwFigurePanel;

// Panels one below the other with legends at the right, or beside each other with legends below.
typedef struct lwFigure
{
  bool beside;
  int width, height;  // pixels of the picture
  int count;
  const lwFigurePanel* panel;  // (count)
} lwFigure;

// Draws it, as lw_plot_begin() and lw_plot_end() do. False, with one sentence in message,
// if that is not possible.
bool lw_figure_draw(const lwFigure* figure, const char* path, char message[LW_PLOT_MESSAGE]);

#endif
