// SPDX-License-Identifier: MIT
// A picture of columns over one of them: a panel for each group, drawn by gnuplot.
#ifndef APP_SIMULATE_PLOT_TABLE_H
#define APP_SIMULATE_PLOT_TABLE_H

#include "app.h"
#include "linkwork/arm.h"

enum
{
  PLOT_ROWS = 20000,  // kept; of more rows every second, fourth, .. is
  NOTE_WHO  = 32      // room for the number of an event
};

typedef struct PlotTable
{
  size_t columns;
  char** names;          // (columns) as in the header of a file
  char** labels;         // (columns) for the legend, or NULL: the name
  const char* title;     // or NULL
  const lwModel* model;  // of the joints, or NULL: their units are not known, nor are their limits
  const lwNote* notes;   // (note_count) what happened, to be marked
  int note_count;
  // whose a note is, with room for the number of an event
  const char* (*note_who)(const void* context, const lwNote* note, char buffer[NOTE_WHO]);
  const void* context;
  bool partial;  // of a run that did not come to its end: the picture has .partial behind its name
  size_t rows;
  size_t stride, skipped;  // of how many rows one is kept; how many were left out since
  double* values;          // (PLOT_ROWS, columns); NULL: nothing is to be drawn
} PlotTable;

// Prints what is wrong with the path of the picture, or that gnuplot is missing, and returns USAGE or INPUT; or DONE. A
// table without a path stays empty.
int plot_table_create(PlotTable* table, const char* path, size_t columns);
void plot_table_destroy(PlotTable* table);

// The name of column c is copied, as is its label (or NULL). False: out of memory, which is said.
bool plot_table_name(PlotTable* table, size_t c, const char* name, const char* label);
void plot_table_add(PlotTable* table, const double* values);

// Draws groups over column x: "q,tau,kinetic+potential" makes three panels, q with all of q1, q2, .. or q.waist, ..
// Curves of different units never share a panel; from 9 joints on, rows of panels have a few joints each.
// optional: groups without columns are left out. Prints what is wrong and returns USAGE or INPUT, or DONE.
int plot_table_draw(const PlotTable* table, const char* path, const char* x, const char* groups,
                    bool optional);

// Says that there is no such group among these columns, and returns USAGE.
int plot_unknown_group(char* const* names, size_t count, const char* group, size_t length);

// True if the column belongs to the group of that name.
bool plot_column_is_in(const char* column, const char* group, size_t length);

#endif
