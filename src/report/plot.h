// SPDX-License-Identifier: MIT
// Plots by gnuplot, a child process that reads its script from a pipe.
#ifndef LW_REPORT_PLOT_H
#define LW_REPORT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

enum
{
  LW_PLOT_MESSAGE = 256
};

// A plot under way.
typedef struct lwPlot
{
  FILE* script;     // what is written here gnuplot reads
  long child;       // its process
  char* path;       // of the picture
  char* temporary;  // under which it is drawn
} lwPlot;

// Whether a program of this name is in PATH.
bool lw_plot_has_gnuplot(void);

// True for names that end with .svg, .png or .pdf.
bool lw_plot_can_draw(const char* path);

// Starts gnuplot with the terminal that the name's end asks for, width by height pixels. False, with one sentence in
// message, if that is not possible.
bool lw_plot_begin(lwPlot* plot, const char* path, int width, int height,
                   char message[LW_PLOT_MESSAGE]);

// Writes a text in quotes: in single ones nothing but a quote is special, and that is doubled.
void lw_plot_quoted(FILE* script, const char* text);

// Ends the script and waits for gnuplot. The picture appears complete or not at all; false, with one sentence in
// message, if it does not.
bool lw_plot_end(lwPlot* plot, char message[LW_PLOT_MESSAGE]);

#endif
