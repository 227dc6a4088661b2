// SPDX-License-Identifier: MIT
#include "report/plot/method_plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linkwork/methods.h"
#include "report/plot/figure.h"

enum
{
  WIDTH  = 400,  // pixels of a question
  HEIGHT = 620,
  PANELS = 3
};

static const lwQuestion QUESTIONS[PANELS] = {LW_QUESTION_INVERSE, LW_QUESTION_INERTIA,
                                             LW_QUESTION_FORWARD};
static const char* const TITLES[PANELS]   = {"inverse dynamics", "inertia matrix",
                                             "forward dynamics"};

// Curves of the methods of a question that have points; room has x and y of all of them.
static int question_curves(const lwMethodPlot* data, lwQuestion question, double* capacity,
                           lwFigureCurve* curves)
{
  int count = 0;
  for (int m = 0; m < lw_method_count(); ++m)
  {
    double *x = capacity + 2 * (size_t)m * ((size_t)data->points + 1), *y = x + data->points + 1;
    // How many names of methods come before that of method m: gives its colour in all panels, and
    // its point shape, for people who cannot tell the colours apart.
    int place = 0;
    for (int i = 0; strcmp(lw_method(i)->name, lw_method(m)->name) != 0; ++i)
    {
      bool first = true;
      for (int k = 0; k < i; ++k)
        first = first && strcmp(lw_method(k)->name, lw_method(i)->name) != 0;
      place += first;
    }
    if (lw_method(m)->question != question) continue;
    // Points of one method, in the order in which they come; as many as there are.
    int points = 0;
    for (int i = 0; i < data->points; ++i)
      points += data->point(data->context, i, m, &x[points], &y[points]);
    if (points == 0) continue;
    curves[count++] = (lwFigureCurve){.title  = lw_method(m)->name,
                                      .x      = x,
                                      .y      = y,
                                      .rows   = (size_t)points,
                                      .stride = 1,
                                      .colour = 1 + place,
                                      .marks  = 4 + place % 11};
  }
  return count;
}

bool lw_method_plot_draw(const lwMethodPlot* data, const char* path, char message[LW_PLOT_MESSAGE])
{
  lwFigurePanel panels[PANELS];
  lwFigure figure       = {.beside = true, .height = HEIGHT, .panel = panels};
  size_t methods        = (size_t)lw_method_count();
  double* capacity      = calloc(2 * methods * ((size_t)data->points + 1), sizeof *capacity);
  lwFigureCurve* curves = calloc(methods + 1, sizeof *curves);
  int used              = 0;
  for (int k = 0; k < PANELS && capacity && curves; ++k)
  {
    if (data->question >= 0 && data->question != (int)QUESTIONS[k]) continue;
    int count              = question_curves(data, QUESTIONS[k], capacity, curves + used);
    panels[figure.count++] = (lwFigurePanel){.title   = TITLES[k],
                                             .x_label = "joints",
                                             .y_label = data->label,
                                             .log_x   = true,
                                             .log_y   = true,
                                             .count   = count,
                                             .curve   = curves + used};
    used += count;
  }
  figure.width = WIDTH * figure.count;
  bool drawn   = capacity && curves && lw_figure_draw(&figure, path, message);
  if (!capacity || !curves) snprintf(message, LW_PLOT_MESSAGE, "out of memory");
  free(curves);
  free(capacity);
  return drawn;
}
