// SPDX-License-Identifier: MIT
// Pictures that a command draws with gnuplot: what is wrong with them, as people read it.
#ifndef IO_PICTURE_H
#define IO_PICTURE_H

#include "report/drawing/drawing.h"
#include "report/plot/plot_table.h"

// Before anything is computed: the name ends with .svg, .png or .pdf, and gnuplot is installed.
// path may be NULL: no picture is wanted. Prints what is wrong and returns USAGE or INPUT, or DONE.
int picture_check(const char* path);

// progress_wait() for gnuplot, which may take seconds; the next output or message clears the line.
void picture_wait(const char* path);

// Prints that the picture could not be drawn, and why; returns INPUT.
int picture_failed(const char* path, const char* message);

// A table for the rows of the picture; without a path it stays empty. As picture_check().
int picture_begin(lwPlotTable* table, const char* path, size_t columns);

// lw_plot_table_draw(). Prints what is wrong and returns USAGE or INPUT, or DONE.
int picture_draw(const lwPlotTable* table, const char* path, const char* x, const char* groups,
                 bool optional);

// Every name in the groups has one of the columns.
// Prints which has none and returns USAGE, or DONE.
int picture_check_groups(char* const* names, size_t count, const char* groups);

// Writes a drawing as SVG; path as out_open(). *left_out as lw_drawing_write(). Prints what is
// wrong and returns INPUT, or DONE.
int picture_write(const lwDrawing* drawing, const char* path, int* left_out);

#endif
