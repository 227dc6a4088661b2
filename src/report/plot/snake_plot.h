// SPDX-License-Identifier: MIT
// The picture of a simulation: path and posture of the snake, and its energy function over time.
#ifndef LW_REPORT_PLOT_SNAKE_PLOT_H
#define LW_REPORT_PLOT_SNAKE_PLOT_H

#include "linkwork/arm.h"
#include "report/plot/plot.h"

enum
{
  LW_SNAKE_POSTURES = 6  // instants at which the snake is drawn
};

// What a picture shows, collected while the simulation runs.
typedef struct lwSnakePlot
{
  const lwSnake* snake;
  double duration;
  size_t count, capacity;
  double* points;                // (count, 4) t x y S
  int postures;                  // collected
  double* theta;                 // (LW_SNAKE_POSTURES, n)
  size_t at[LW_SNAKE_POSTURES];  // the point of each
} lwSnakePlot;

// LW_ERROR_MEMORY or LW_OK. To be destroyed in any case. A plot of zeros collects nothing.
lwStatus lw_snake_plot_create(lwSnakePlot* plot, const lwSnake* snake, double duration);
void lw_snake_plot_destroy(lwSnakePlot* plot);

void lw_snake_plot_add(lwSnakePlot* plot, const lwSnakeSample* sample, double S);

// Draws it, with `ending` behind the name of the picture; of fewer than two samples there is none.
// False, with one sentence in message, if that is not possible.
bool lw_snake_plot_draw(const lwSnakePlot* plot, const char* path, const char* ending,
                        char message[LW_PLOT_MESSAGE]);

#endif
