// SPDX-License-Identifier: MIT
// Which columns of a table stand in which panel of its picture, with what unit, in what colour.
//
//   "q,tau,kinetic+potential" --> panels of one unit each --> from 9 joints on a grid: a row for each group of joints
#ifndef APP_SIMULATE_PLOT_PANELS_H
#define APP_SIMULATE_PLOT_PANELS_H

#include "plot_table.h"

enum
{
  PANEL_LABEL = 120,
  MAX_PANELS  = 192,
  MAX_CURVES  = 1024,  // in all panels
  MAX_ROWS    = MAX_PANELS + 1
};

#define NO_COLUMN ((size_t)-1)

typedef struct PlotCurve
{
  size_t column;
  size_t reference;  // column of what it should be, or NO_COLUMN
  int joint;         // or -1
  int colour;        // 0, 1, ..
  const char* name;  // for the legend
  const char* unit;  // "" where it is not known
  double low, high;  // limits, infinite where there are none
} PlotCurve;

typedef struct PlotPanel
{
  char label[PANEL_LABEL];  // of the vertical axis, with its unit
  int first, count;         // curves
  int row, place;           // from the top, from the left
} PlotPanel;

typedef struct PlotPanels
{
  int count, rows, places;
  bool dense;  // small ones, side by side
  PlotPanel panel[MAX_PANELS];
  int curve_count;
  PlotCurve curve[MAX_CURVES];
  int left_out;  // joints that are too many to be drawn
} PlotPanels;

// Prints what is wrong and returns USAGE, or DONE.
int plot_panels_find(const PlotTable* table, const char* groups, bool optional, PlotPanels* panels);

// "position q2 (rad)": what a column is and its unit.
void plot_column_label(const PlotTable* table, size_t column, char label[PANEL_LABEL]);

// Whether a column is drawn as its difference from the first row.
bool plot_column_is_difference(const char* name);

#endif
