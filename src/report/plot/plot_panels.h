// SPDX-License-Identifier: MIT
// Which columns of a table are in which panel of its picture, with their unit and colour.
//
//   "q,tau,kinetic+potential" --> panels of one unit each
//     --> from 9 joints on a grid: a row for each group of joints
#ifndef LW_REPORT_PLOT_PLOT_PANELS_H
#define LW_REPORT_PLOT_PLOT_PANELS_H

#include "report/plot/plot_table.h"

enum
{
  LW_PLOT_PANEL_LABEL = 120,
  LW_PLOT_MAX_PANELS  = 192,
  LW_PLOT_MAX_CURVES  = 1024,  // in all panels
  LW_PLOT_MAX_ROWS    = LW_PLOT_MAX_PANELS + 1
};

#define LW_PLOT_NO_COLUMN ((size_t)-1)

typedef struct lwPlotCurve
{
  size_t column;
  size_t reference;  // column of what it should be, or LW_PLOT_NO_COLUMN
  int joint;         // or -1
  int colour;        // 0, 1, ..
  const char* name;  // for the legend
  const char* unit;  // "" where it is not known
  double low, high;  // limits, infinite where there are none
} lwPlotCurve;

typedef struct lwPlotPanel
{
  char label[LW_PLOT_PANEL_LABEL];  // of the vertical axis, with its unit
  int first, count;                 // curves
  int row, place;                   // from the top, from the left
} lwPlotPanel;

typedef struct lwPlotPanels
{
  int count, rows, places;
  bool dense;  // small ones, side by side
  lwPlotPanel panel[LW_PLOT_MAX_PANELS];
  int curve_count;
  lwPlotCurve curve[LW_PLOT_MAX_CURVES];
  int left_out;  // joints that are too many to be drawn
} lwPlotPanels;

// Returns the fault, with a message of one sentence.
lwPlotFault lw_plot_refuse(char message[LW_PLOT_MESSAGE], lwPlotFault fault, const char* format,
                           ...) __attribute__((format(printf, 3, 4)));

// LW_PLOT_FAULT_GROUPS, with the message, or none.
lwPlotFault lw_plot_panels_find(const lwPlotTable* table, const char* groups, bool optional,
                                lwPlotPanels* panels, char message[LW_PLOT_MESSAGE]);

// "position q2 (rad)": what a column is and its unit.
void lw_plot_column_label(const lwPlotTable* table, size_t column, char label[LW_PLOT_PANEL_LABEL]);

// Whether a column is drawn as its difference from the first row.
bool lw_plot_column_is_difference(const char* name);

#endif
