// SPDX-License-Identifier: MIT
#include "report/drawing/drawing.h"

#include <stddef.h>

const char* lw_show_name(int i)
{
  static const char* const names[LW_SHOW_COUNT] = {"links",      "joints", "names", "frames",
                                                   "dimensions", "masses", "forces"};
  return i >= 0 && i < LW_SHOW_COUNT ? names[i] : NULL;
}

lwStatus lw_drawing_write(const lwDrawing* drawing, lwOut* out, int* left_out)
{
  if (drawing->scene) return lw_paint(drawing->scene, drawing->title, out);
  lwScene scene    = {0};
  int unread       = 0;
  lwStatus status  = drawing->snake ? lw_compose_snake(drawing, &scene)
                                    : lw_compose_robot(drawing, &scene, &unread);
  const char* name = drawing->snake ? lw_snake_name(drawing->snake) : lw_model_name(drawing->model);
  for (int i = 0; i + 1 < drawing->path_count; ++i)
    lw_scene_mark(&scene, LW_MARK_PATH, LW_MARK_LINE, "w", drawing->path + 3 * i,
                  drawing->path + 3 * (i + 1), NULL);
  if (status == LW_OK && scene.failed) status = LW_ERROR_MEMORY;
  if (status == LW_OK) status = lw_paint(&scene, drawing->title ? drawing->title : name, out);
  if (left_out) *left_out = unread;
  lw_scene_free(&scene);
  return status;
}
