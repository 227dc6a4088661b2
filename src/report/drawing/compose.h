// SPDX-License-Identifier: MIT
// Shared by the files that make a drawing.
#ifndef LW_REPORT_DRAWING_COMPOSE_H
#define LW_REPORT_DRAWING_COMPOSE_H

#include "report/drawing/drawing.h"
#include "report/drawing/scene.h"
#include "text/out.h"

// --- robot.c, snake.c: fill a scene

lwStatus lw_compose_robot(const lwDrawing* drawing, lwScene* scene, int* left_out);
lwStatus lw_compose_snake(const lwDrawing* drawing, lwScene* scene);

// A frame as three arrows of this length, with the number `index` behind x and z; negative: none.
void lw_compose_frame(lwScene* scene, const lwPlace3* place, double length, int index);

// --- paint.c: writes it

lwStatus lw_paint(const lwScene* scene, const char* title, lwOut* out);

#endif
