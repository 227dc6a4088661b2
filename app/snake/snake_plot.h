// SPDX-License-Identifier: MIT
// The picture of a simulation: path and posture of the snake, and its energy function over time.
#ifndef APP_SNAKE_SNAKE_PLOT_H
#define APP_SNAKE_SNAKE_PLOT_H

#include "snake.h"

enum
{
  POSTURES = 6  // instants at which the snake is drawn
};

// What a picture shows, collected while the simulation runs.
typedef struct SnakePlot
{
  const char* path;  // NULL: none is wanted, and nothing is collected
  const lwSnake* snake;
  double duration;
  size_t count, capacity;
  double* points;       // (count, 4) t x y S
  int postures;         // collected
  double* theta;        // (POSTURES, n)
  size_t at[POSTURES];  // the point of each
} SnakePlot;

// Prints what is wrong and returns USAGE or INPUT, or DONE.
int snake_plot_create(SnakePlot* plot, const char* path, const lwSnake* snake, double duration);
void snake_plot_destroy(SnakePlot* plot);

void snake_plot_add(SnakePlot* plot, const lwSnakeSample* sample, double S);

// Draws it; the picture of a part has .partial behind its name. Prints what is wrong and returns INPUT, or DONE.
int snake_plot_draw(const SnakePlot* plot, bool partial);

#endif
