// SPDX-License-Identifier: MIT
#include "block_diagram.h"

#include <stddef.h>

void draw_block(lwScene* scene, double x, double y, double width, const char* text)
{
  const double at[3]         = {x, y, 0};
  const double corners[4][3] = {{x - width / 2, y - 0.4, 0},
                                {x + width / 2, y - 0.4, 0},
                                {x + width / 2, y + 0.4, 0},
                                {x - width / 2, y + 0.4, 0}};
  lw_scene_face(scene, corners, 4, (lwPaint){.colour = LW_COLOUR_BASE, .outline = true});
  lw_scene_mark(scene, LW_MARK_NAMES, LW_MARK_CAPTION, "n", at, NULL, text);
}

void draw_signal(lwScene* scene, const double (*points)[2], int count, const char* text)
{
  for (int i = 0; i + 1 < count; ++i)
  {
    const double a[3] = {points[i][0], points[i][1], 0},
                 b[3] = {points[i + 1][0], points[i + 1][1], 0};
    bool last         = i + 2 == count;
    lw_scene_mark(scene, LW_MARK_FORCES, last ? LW_MARK_ARROW : LW_MARK_LINE, "k1", a, b, NULL);
  }
  const double middle[3] = {(points[0][0] + points[1][0]) / 2, points[0][1], 0};
  if (text) lw_scene_mark(scene, LW_MARK_NAMES, LW_MARK_LABEL, "n", middle, NULL, text);
}
