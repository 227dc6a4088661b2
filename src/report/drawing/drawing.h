// SPDX-License-Identifier: MIT
// Drawings of robots and snakes, as SVG and without any other program.
//
//   lwModel, lwSnake, poses --robot.c, snake.c--> lwScene (scene.h) --paint.c--> SVG
#ifndef LW_REPORT_DRAWING_DRAWING_H
#define LW_REPORT_DRAWING_DRAWING_H

#include "linkwork/cylinder.h"
#include "linkwork/model.h"
#include "linkwork/snake.h"
#include "report/drawing/scene.h"
#include "text/out.h"

// What is shown, a set.
enum
{
  LW_SHOW_LINKS      = 1 << 0,
  LW_SHOW_JOINTS     = 1 << 1,
  LW_SHOW_NAMES      = 1 << 2,
  LW_SHOW_FRAMES     = 1 << 3,
  LW_SHOW_DIMENSIONS = 1 << 4,
  LW_SHOW_MASSES     = 1 << 5,
  LW_SHOW_FORCES     = 1 << 6,  // weights, and what the joints carry at rest
  LW_SHOW_COUNT      = 7
};

enum
{
  LW_DRAWING_MOST_JOINTS = 2000  // larger robots cannot be read in a picture
};

// The name of a layer, by number from 0: links, joints, names, frames, dimensions, masses, forces.
const char* lw_show_name(int i);

typedef struct lwDrawing
{
  const lwModel* model;  // a robot, or
  const lwSnake* snake;  // a snake, or
  const lwScene* scene;  // anything else, as it is
  int count;             // poses; the last one is drawn in full, others are pale behind it
  const double* poses;   // (count, nq); of a snake (count, n + 2): theta, x, y
  int path_count;
  const double* path;       // (path_count, 3) m, base frame: a curve, or NULL
  const lwViewpoint* view;  // NULL: across the plane of a planar robot, else iso
  unsigned shown;           // 0: what fits the number of joints
  const char* packages;     // see lwReadOptions
  const struct lwParts*
      parts;  // of links, by their names; NULL: the files that the robot file names are read
  lwCylinders* cylinders;  // of the robot, or NULL
  const char* title;       // NULL: the name
} lwDrawing;

// Writes the drawing. LW_ERROR_MEMORY; LW_ERROR_INPUT: more joints than LW_DRAWING_MOST_JOINTS.
// *left_out: shapes that could not be read and are not drawn; it may be NULL.
lwStatus lw_drawing_write(const lwDrawing* drawing, lwOut* out, int* left_out);

// --- robot.c, snake.c: fill a scene for it

lwStatus lw_compose_robot(const lwDrawing* drawing, lwScene* scene, int* left_out);
lwStatus lw_compose_snake(const lwDrawing* drawing, lwScene* scene);

// A frame as three arrows of this length, with the number `index` behind x and z; negative: none.
void lw_compose_frame(lwScene* scene, const lwPlace3* place, double length, int index);

// --- paint.c: writes a scene

lwStatus lw_paint(const lwScene* scene, const char* title, lwOut* out);

#endif
