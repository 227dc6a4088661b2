// SPDX-License-Identifier: MIT
// Block diagrams.
#ifndef PAPERS_BLOCK_DIAGRAM_H
#define PAPERS_BLOCK_DIAGRAM_H

#include "report/drawing/scene.h"

// A box with a text, its middle at x, y.
void draw_block(lwScene* scene, double x, double y, double width, const char* text);

// A line through points (count, 2) whose last piece is an arrow; a text beside the first, or NULL.
void draw_signal(lwScene* scene, const double (*points)[2], int count, const char* text);

#endif
