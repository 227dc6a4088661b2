// SPDX-License-Identifier: MIT
// The point of view of a drawing. Projection is orthographic, so lengths
// in the plane of the picture are true.
#ifndef LW_REPORT_DRAWING_VIEW_H
#define LW_REPORT_DRAWING_VIEW_H

#include <stdbool.h>

// Unit vectors in the base frame.
typedef struct lwViewpoint
{
  double right[3], up[3];
  double toward[3];  // the eye
} lwViewpoint;

// The direction of the eye: azimuth from x towards y, elevation above the plane x, y; rad.
lwViewpoint lw_view_from(double azimuth, double elevation);

// front (x to the right, z up), side (y, z), top (x, y), iso. False: there is no such view.
bool lw_view_named(const char* name, lwViewpoint* view);

// p in the picture: to the right, up, and towards the eye, m.
void lw_view_project(const lwViewpoint* view, const double p[3], double out[3]);

#endif
