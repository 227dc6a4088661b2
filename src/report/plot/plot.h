// SPDX-License-Identifier: MIT
// Plots by gnuplot, a child process that reads its script from a pipe.
#ifndef LW_REPORT_PLOT_PLOT_H
#define LW_REPORT_PLOT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "text/out.h"

enum
{
  LW_PLOT_MESSAGE = 256,
  LW_PLOT_COLOURS = 18  // linetypes 1, 2, ..; then the same again
};

// The colour of linetype i + 1, i >= 0, mixed with white: "#bfdcec".
const char* lw_plot_pale(int i);

// A plot under way.
typedef struct lwPlot
{
  lwOut script;  // what is written here gnuplot reads
  long child;    // its process
  lwAtomicFile picture;
  int format;  // of the picture, an index
} lwPlot;

// Whether a program of this name is in PATH.
bool lw_plot_has_gnuplot(void);

// True for names that end with .svg, .png or .pdf.
bool lw_plot_can_draw(const char* path);

// Starts gnuplot with the terminal that the name's end asks for, width by height pixels. False,
// with one sentence in message, if that is not possible.
bool lw_plot_begin(lwPlot* plot, const char* path, int width, int height,
                   char message[LW_PLOT_MESSAGE]);

// Writes a text in quotes, so that gnuplot reads exactly it; control characters become spaces.
void lw_plot_quoted(lwOut* script, const char* text);

// Ends the script and waits for gnuplot. The picture appears whole, with `ending` behind its name,
// or not at all; false, with one sentence in message, if it does not.
bool lw_plot_end(lwPlot* plot, const char* ending, char message[LW_PLOT_MESSAGE]);

#endif
