// SPDX-License-Identifier: MIT
// A picture of columns over one of them: a panel for each group, drawn by gnuplot.
//
//   rows --lw_plot_table_add()--> lwPlotTable --plot_panels.c--> panels
//     --plot_table_draw.c--> script of gnuplot
#ifndef LW_REPORT_PLOT_PLOT_TABLE_H
#define LW_REPORT_PLOT_PLOT_TABLE_H

#include "linkwork/arm.h"
#include "report/plot/plot.h"

enum
{
  LW_PLOT_ROWS = 20000  // kept; of more rows every second, fourth, .. is
};

// Why there is no picture; a message says more.
typedef enum lwPlotFault
{
  LW_PLOT_FAULT_NONE,
  LW_PLOT_FAULT_X,       // no column has the name of the horizontal axis
  LW_PLOT_FAULT_GROUPS,  // the groups name no column, or too many
  LW_PLOT_FAULT_DRAWING  // too few rows, no memory, or gnuplot failed
} lwPlotFault;

typedef struct lwPlotTable
{
  size_t columns;
  char** names;          // (columns) as in the header of a file
  char** labels;         // (columns) for the legend, or NULL: the name
  const char* title;     // or NULL
  const lwModel* model;  // of the joints, or NULL: units and limits are unknown
  const lwNote* notes;   // (note_count) what happened, to be marked
  int note_count;
  const lwArmDef* arm;  // whose joints and events the notes are about
  const char* ending;   // behind the name of the picture: ".partial"; NULL: nothing
  size_t rows;
  size_t stride, skipped;  // of how many rows one is kept; how many were left out since
  double* values;          // (LW_PLOT_ROWS, columns); NULL: nothing is to be drawn
} lwPlotTable;

// LW_ERROR_MEMORY or LW_OK. To be destroyed in any case. A table of zeros is empty,
// and keeps no rows.
lwStatus lw_plot_table_create(lwPlotTable* table, size_t columns);
void lw_plot_table_destroy(lwPlotTable* table);

// The name of column c is copied, as is its label (or NULL). False: out of memory.
bool lw_plot_table_name(lwPlotTable* table, size_t c, const char* name, const char* label);
void lw_plot_table_add(lwPlotTable* table, const double* values);

// Draws groups over column x: "q,tau,kinetic+potential" makes three panels, q with all of q1, q2,
// .. or q.waist, .. Curves of different units never share a panel; from 9 joints on, rows of panels
// have a few joints each.
// optional: groups without columns are left out. message: one sentence about the fault.
lwPlotFault lw_plot_table_draw(const lwPlotTable* table, const char* path, const char* x,
                               const char* groups, bool optional, char message[LW_PLOT_MESSAGE]);

// Whether every name in the groups has one of these columns.
lwPlotFault lw_plot_groups_check(char* const* names, size_t count, const char* groups,
                                 char message[LW_PLOT_MESSAGE]);

// True if the column belongs to the group of that name.
bool lw_plot_column_is_in(const char* column, const char* group, size_t length);

#endif
