// SPDX-License-Identifier: MIT
// A number of every method over the number of joints, a panel for each question,
// one line for each method.
#ifndef LW_REPORT_PLOT_METHOD_PLOT_H
#define LW_REPORT_PLOT_METHOD_PLOT_H

#include "report/plot/plot.h"

typedef struct lwMethodPlot
{
  const char* label;  // of the vertical axis
  int question;       // the only one, or -1: all
  int points;         // that there are, of all methods
  // Point i, if it belongs to this method: joints and value.
  // Points of one method come in the order of joints.
  bool (*point)(const void* context, int i, int method, double* joints, double* value);
  const void* context;
} lwMethodPlot;

// Draws it, as lw_plot_begin() and lw_plot_end() do. False, with one sentence in message,
// if that is not possible.
bool lw_method_plot_draw(const lwMethodPlot* data, const char* path, char message[LW_PLOT_MESSAGE]);

#endif
