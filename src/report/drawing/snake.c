// SPDX-License-Identifier: MIT
// A snake as a scene, seen from above: links in a row, wheels, joints,
// and the directions of the links.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/elementary.h"
#include "report/drawing/drawing.h"

typedef struct WheelTrack
{
  const lwDrawing* drawing;
  lwScene* scene;
  int n;
  double* points;  // (n + 1, 2) m
  double width;    // m, of a link
  unsigned shown;
  int layer;
} WheelTrack;

// A rectangle that lies on the ground at this height: its middle, direction, length and width.
static void draw_plate(const WheelTrack* track, const double middle[3], double direction,
                       double length, double width, int colour)
{
  double c = lw_cos(direction), s = lw_sin(direction), corners[4][3];
  for (int k = 0; k < 4; ++k)
  {
    double x = (k == 1 || k == 2 ? 0.5 : -0.5) * length, y = (k >= 2 ? 0.5 : -0.5) * width;
    corners[k][0] = middle[0] + c * x - s * y;
    corners[k][1] = middle[1] + s * x + c * y;
    corners[k][2] = middle[2];
  }
  lw_scene_face(track->scene, (const double(*)[3])corners, 4,
                (lwPaint){colour, track->layer, true, NULL});
}

static void mark_link(const WheelTrack* track, int k, double theta, const double rear[3],
                      const double front[3], const double middle[3])
{
  lwSnakeLink link = lw_snake_get(track->drawing->snake, k);
  char text[LW_MARK_TEXT];
  bool alike = lw_snake_is_uniform(track->drawing->snake);
  snprintf(text, sizeof text, "link %d%s", k + 1, k + 1 == track->n ? ", head" : "");
  if (track->shown & LW_SHOW_NAMES)
    lw_scene_mark(track->scene, LW_MARK_NAMES, LW_MARK_LABEL, "n", middle, NULL, text);
  if (track->shown & LW_SHOW_MASSES)
    lw_scene_mark(track->scene, LW_MARK_MASSES, LW_MARK_CENTRE, "c", middle, NULL, NULL);
  if (!(track->shown & LW_SHOW_DIMENSIONS)) return;
  snprintf(text, sizeof text, "θ%d", k + 1);
  lw_scene_arc(track->scene, rear, theta, 0.3 * link.length, text);
  snprintf(text, sizeof text, "%.4g m", link.length);
  double off              = 1.1 * track->width;  // clear of the wheels
  const double shift[2]   = {off * lw_sin(theta), -off * lw_cos(theta)};
  const double ends[2][3] = {{rear[0] + shift[0], rear[1] + shift[1], 0},
                             {front[0] + shift[0], front[1] + shift[1], 0}};
  if (k == 0 || !alike)
    lw_scene_mark(track->scene, LW_MARK_DIMENSIONS, LW_MARK_DIMENSION, "d", ends[0], ends[1], text);
}

static void draw_snake_link(const WheelTrack* track, int k, double theta)
{
  const double *p = track->points + 2 * k, *q = p + 2;
  const double rear[3] = {p[0], p[1], 0}, front[3] = {q[0], q[1], 0};
  const double middle[3] = {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, 0};
  lwSnakeLink link       = lw_snake_get(track->drawing->snake, k);
  const lwPaint joint    = {.colour = LW_COLOUR_JOINT, .layer = track->layer, .outline = true};
  if (track->shown & LW_SHOW_LINKS)
  {
    double c = lw_cos(theta), s = lw_sin(theta), w = track->width;
    for (int side = -1; side <= 1; side += 2)
    {
      double y           = side * 0.72 * w;
      const double at[3] = {middle[0] + c * link.wheel_offset - s * y,
                            middle[1] + s * link.wheel_offset + c * y, -1e-3 * w};
      draw_plate(track, at, theta, 0.9 * w, 0.35 * w, LW_COLOUR_WHEEL);
    }
    draw_plate(track, middle, theta, link.length, track->width, k + 1 == track->n ? 1 : 0);
  }
  const double above[3] = {q[0], q[1], 1e-3 * track->width};
  if (track->shown & LW_SHOW_JOINTS && k + 1 < track->n)
    lw_scene_disc(track->scene, above, 0.3 * track->width, joint);
  if (track->layer == 0) mark_link(track, k, theta, rear, front, middle);
}

static unsigned usual_things(int n, int poses)
{
  unsigned shown = LW_SHOW_LINKS | LW_SHOW_JOINTS;
  return n <= 12 && poses == 1 ? shown | LW_SHOW_NAMES | LW_SHOW_FRAMES | LW_SHOW_DIMENSIONS
                               : shown;
}

static double shortest_link(const lwSnake* snake)
{
  double least = INFINITY;
  for (int k = 0; k < lw_snake_count(snake); ++k)
    least = fmin(least, lw_snake_get(snake, k).length);
  return least;
}

lwStatus lw_compose_snake(const lwDrawing* drawing, lwScene* scene)
{
  int n            = lw_snake_count(drawing->snake);
  WheelTrack track = {.drawing = drawing, .scene = scene, .n = n};
  if (n > LW_DRAWING_MOST_JOINTS) return LW_ERROR_INPUT;
  track.points = malloc(2 * ((size_t)n + 1) * sizeof *track.points);
  if (!track.points) return LW_ERROR_MEMORY;
  track.width = 0.16 * shortest_link(drawing->snake);
  track.shown = drawing->shown ? drawing->shown : usual_things(n, drawing->count);
  lw_view_named("top", &scene->view);
  if (drawing->view) scene->view = *drawing->view;
  for (int k = 0; k < drawing->count; ++k)
  {
    const double* pose = drawing->poses + (size_t)k * ((size_t)n + 2);
    track.layer        = k + 1 - drawing->count;
    lw_snake_points(drawing->snake, pose, pose[n], pose[n + 1], track.points);
    for (int i = 0; i < n; ++i) draw_snake_link(&track, i, pose[i]);
  }
  const lwPlace3 ground = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  if (track.shown & LW_SHOW_FRAMES)
    lw_compose_frame(scene, &ground, 0.5 * lw_snake_get(drawing->snake, 0).length, -1);
  free(track.points);
  return LW_OK;
}
