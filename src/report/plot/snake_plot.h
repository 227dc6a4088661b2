// SPDX-License-Identifier: MIT
// The picture of a simulation: path and posture of the snake, and its energy function over time.
#ifndef LW_REPORT_PLOT_SNAKE_PLOT_H
#define LW_REPORT_PLOT_SNAKE_PLOT_H

#include "report/plot/plot_table.h"

// Draws the rows of a table, each as lw_snake_record_values() writes it, of a run that lasts this
// long; of fewer than two there is no picture. False, with one sentence in message, if that is not
// possible.
bool lw_snake_plot_draw(const lwSnake* snake, const lwPlotTable* table, double duration,
                        const char* path, char message[LW_PLOT_MESSAGE]);

#endif
